"""The reader of Chess-Results' upload XML: as programs write it, every fault by its address, made-up events."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples

from banzuke.formats.chess_results.upload_xml import looks_like, read
from banzuke.formats.report import ReportedGame
from banzuke.words import LANGUAGES, catalogue, say

if TYPE_CHECKING:
    from banzuke.formats.report import Report

AREA = "faults/upload_xml"
TOURNAMENT = {"name": "Cup", "rounds": "1"}


def element(tag: str, **said: object) -> str:
    return f"<{tag} " + " ".join(f"{name}={quoteattr(str(value))}" for name, value in said.items()) + "/>"


def player(no: object, **more: object) -> str:
    return element("player", no=no, lastname=more.pop("lastname", f"P{no}"), **more)


def pairing(number: object, white: object, black: object, *scores: str, **more: object) -> str:
    first, second = scores or ("1", "0")
    said = {"round": number, "pairing": 1, "board": 1, "whiteno": white, "blackno": black}
    return element("playerpairing", **said, reswhite=first, resblack=second, **more)


def written(*lines: str, **about: object) -> bytes:
    """A file: line 1 is the declaration, 2 the root, 3 the tournament, then the lines."""
    head = '<?xml version="1.0" encoding="UTF-8"?>'
    body = (element("tournament", **TOURNAMENT | about), *lines)
    return "\n".join([head, "<chessresults>", *body, "</chessresults>"]).encode()


def addresses(report: Report) -> list[tuple[int, str, str]]:
    return [(fault.line, fault.column, fault.code) for fault in report.faults]


TWO = (player(1), player(2))
GAME = pairing(1, 1, 2)


class TestAsProgramsWriteIt:
    """The shape of two programs' files: sections, zeros left blank, numbers of their own, days."""

    SHARLY = """<?xml version='1.0' encoding='utf-8'?>
<chessresults><tournamentdata><tournament key="1234567" type="0" name="Open de Paris" remark="#x"
 director="D" organiser="Club" location="Paris" arbiter="     " rounds="2" currentround="2" rankinground="2"
 from="20260102" to="20260103" ratedfide="-" ratednational="-" timecontrol="90+30" chiefarbiter="IA Nom"
 federation="FRA" creator="77" tb1no="84" /></tournamentdata>
<rounds><round round="1" date="2026/01/02" time="10:00" /><round round="2" date="" time="" /></rounds>
<players>
<player no="1" id="91" lastname="DUPONT" firstname="Anne" title="WFM" rtg="1900" rtgfide="1900" rtgnat="1850"
 dob="1990" sex="W" fed="FRA" board="" teamno="0" fideid="600001" clubname="Club" rank="1" pts="1.5" equal="N"/>
<player no="2" id="92" lastname="MARTIN" firstname="Luc" title="" rtg="1399" rtgfide="" rtgnat="" dob="None"
 sex="M" fed="FRA" fideid="" rank="2" pts="0.5" equal="N" />
<player no="3" id="93" lastname="PETIT" firstname="" rtg="1399" dob="0" sex="" fed="FRA" fideid="" />
</players>
<playerpairings>
<playerpairing round="1" pairing="1" board="1" whiteno="1" blackno="2" reswhite="1.0" resblack="" forfeit=""/>
<playerpairing round="1" pairing="2" board="1" whiteno="3" blackno="-1" reswhite="1.0" resblack="" forfeit=""/>
<playerpairing round="2" pairing="1" board="1" whiteno="3" blackno="1" reswhite="0.5" resblack="0.5" forfeit=""/>
<playerpairing round="2" pairing="2" board="1" whiteno="2" blackno="-2" reswhite="" resblack="" forfeit=""/>
</playerpairings>
<security><securitydata source="13" sid="a" creator_sid="b" tnr_sid="c" /></security></chessresults>"""

    def test_the_event(self) -> None:
        event = read(self.SHARLY.encode(), "x").event
        assert (event.name, event.place, event.federation) == ("Open de Paris", "Paris", "FRA")
        assert (event.organiser, event.responsible, event.time_control) == ("Club", "IA Nom", "90+30")
        assert (event.starts, event.ends, event.rounds) == (date(2026, 1, 2), date(2026, 1, 3), 2)
        assert (event.source, event.fide_rated) == ("tnr1234567", None)

    def test_players(self) -> None:
        first, second, third = read(self.SHARLY.encode(), "x").players
        assert (first.number, first.name, first.fide_id, first.sex) == (1, "DUPONT, Anne", "600001", "w")
        assert (first.rating, first.national_rating, first.birth_date) == (1900, 1850, None)
        assert (second.rating, second.national_rating, second.fide_id, second.sex) == (None, None, "", "m")
        assert (third.name, third.federation, third.line) == ("PETIT", "FRA", 12)

    def test_games(self) -> None:
        report = read(self.SHARLY.encode(), "x")
        assert report.faults == ()
        assert report.games == (
            ReportedGame(1, 1, 2, "1-0", date(2026, 1, 2), 15),
            ReportedGame(2, 3, 1, "1/2-1/2", None, 17),
        )

    @pytest.mark.parametrize(("source", "expected"), [("13", ""), ("21", ""), ("5", "91"), ("", "91")])
    def test_numbers_of_the_programs_own_are_no_national_numbers(self, source: str, expected: str) -> None:
        report = read(self.SHARLY.replace('source="13"', f'source="{source}"').encode(), "x")
        assert report.players[0].national_id == expected
        remarks = [(remark.line, remark.column, remark.code) for remark in report.remarks]
        assert remarks == ([] if expected else [(9, "id", "upload-xml-own-numbers")])

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "windows-1252"])
    def test_encodings(self, encoding: str) -> None:
        text = self.SHARLY.replace("utf-8", encoding.removesuffix("-sig")).replace("PETIT", "Müller")
        data = text.encode(encoding)
        assert looks_like(data)
        assert read(data, "x").players[2].name == "Müller"


class TestEvent:
    @pytest.mark.parametrize(
        ("said", "expected"), [("J", True), ("j", True), ("N", False), ("-", None), ("", None)]
    )
    def test_rated_by_fide(self, said: str, expected: bool | None) -> None:
        assert read(written(*TWO, GAME, ratedfide=said), "x").event.fide_rated is expected

    def test_not_rated_nationally_is_a_remark(self) -> None:
        report = read(written(*TWO, GAME, ratednational="N"), "x")
        assert [(r.line, r.column, r.code) for r in report.remarks] == [
            (3, "ratednational", "upload-xml-not-national")
        ]
        assert [game.result for game in report.games] == ["1-0"]

    @pytest.mark.parametrize("text", ["20251012", "2025/10/12", "2025-10-12", "12.10.2025"])
    def test_days(self, text: str) -> None:
        lines = (element("round", round=1, date=text), *TWO, GAME)
        report = read(written(*lines, **{"from": text, "to": text}), "x")
        assert (report.faults, report.event.starts) == ((), date(2025, 10, 12))
        assert report.games[0].played == date(2025, 10, 12)

    def test_what_is_wrong_with_it(self) -> None:
        lines = (element("round", round="x"), element("round", round=1, date="20250230"), *TWO, GAME)
        report = read(written(*lines, rounds="many", **{"from": "20250103", "to": "20250102"}), "x")
        assert addresses(report) == [
            (3, "rounds", "upload-xml-bad-rounds"),
            (3, "to", "upload-xml-ends-before-start"),
            (4, "round", "upload-xml-bad-round"),
            (5, "date", "upload-xml-bad-day"),
        ]
        assert report.event.rounds == 1

    def test_two_tournaments(self) -> None:
        report = read(written(element("tournament", name="Other"), *TWO, GAME), "x")
        assert addresses(report) == [(4, "", "upload-xml-tournament-twice")]
        assert report.event.name == "Cup"

    @pytest.mark.parametrize(("rounds", "expected"), [("", "2"), ("2", "2"), ("9", "2")])
    def test_an_event_under_way(self, rounds: str, expected: str) -> None:
        report = read(written(*TWO, GAME, pairing(3, 2, 1), rounds=rounds), "x")
        assert addresses(report) == [(3, "rounds", "upload-xml-under-way")]
        assert dict(report.faults[0].facts)["round"] == expected

    def test_without_any_pairing(self) -> None:
        report = read(written(*TWO, rounds=""), "x")
        assert [fault.facts for fault in report.faults] == [(("round", "1"), ("rounds", "1"))]


class TestPlayers:
    @pytest.mark.parametrize(
        ("said", "column", "code"),
        [
            ({"no": "0"}, "no", "upload-xml-bad-start-rank"),
            ({"no": "x"}, "no", "upload-xml-bad-start-rank"),
            ({"no": "10000"}, "no", "upload-xml-bad-start-rank"),
            ({"no": "2"}, "no", "upload-xml-start-rank-twice"),
            ({"sex": "x"}, "sex", "upload-xml-bad-sex"),
            ({"rtgfide": "1500.5"}, "rtgfide", "upload-xml-bad-rating"),
            ({"rtgnat": "10000"}, "rtgnat", "upload-xml-bad-rating"),
            ({"rtgnat": "-1"}, "rtgnat", "upload-xml-bad-rating"),
            ({"fideid": "12a"}, "fideid", "upload-xml-bad-fide-number"),
            ({"fideid": "1" * 12}, "fideid", "upload-xml-bad-fide-number"),
            ({"dob": "19901301"}, "dob", "upload-xml-bad-day"),
            ({"dob": "yesterday"}, "dob", "upload-xml-bad-day"),
            ({"lastname": " "}, "lastname", "upload-xml-nameless"),
        ],
    )
    def test_what_is_wrong_with_one(self, said: dict[str, str], column: str, code: str) -> None:
        third = player(**{"no": "3"} | said)
        assert addresses(read(written(*TWO, third, GAME), "x")) == [(6, column, code)]

    def test_every_fault_is_found(self) -> None:
        third = player(3, sex="x", rtgfide="x", rtgnat="x", fideid="x", dob="x")
        assert len(read(written(*TWO, third, GAME), "x").faults) == 5

    @pytest.mark.parametrize("text", ["1500", "1500.0", "1500,0", "１５００"])
    def test_ratings(self, text: str) -> None:
        first = player(1, rtgfide=text, rtgnat=text, rtg="9")
        report = read(written(first, player(2, rtgfide="0"), GAME), "x")
        assert (report.players[0].rating, report.players[0].national_rating) == (1500, 1500)
        assert (report.players[1].rating, report.faults) == (None, ())

    @pytest.mark.parametrize("text", ["1990", "1990/00/00", "19900000", "0", "", "None"])
    def test_birth_dates_not_known_whole(self, text: str) -> None:
        report = read(written(player(1, dob=text), player(2, dob="19900531"), GAME), "x")
        assert (report.players[0].birth_date, report.faults) == (None, ())
        assert report.players[1].birth_date == date(1990, 5, 31)

    def test_no_players(self) -> None:
        assert addresses(read(written(), "x")) == [(0, "", "upload-xml-no-players")]


class TestByes:
    @pytest.mark.parametrize(("score", "points"), [("1", 2), ("0,5", 1), ("0", 0), ("", 0), ("?", 0)])
    @pytest.mark.parametrize("nobody", ["-1", "-2", ""])
    def test_points_without_an_opponent(self, score: str, points: int, nobody: str) -> None:
        lines = (
            *TWO,
            GAME,
            player(3),
            player(4),
            pairing(1, 3, nobody, score, ""),
            pairing(1, nobody, 4, "", score),
        )
        found = read(written(*lines), "x")
        assert (found.faults, len(found.games)) == ((), 1)
        assert [tuple(bye) for bye in found.byes] == ([(1, 3, points), (1, 4, points)] if points else [])

    def test_nobody_twice_is_nobody(self) -> None:
        assert read(written(*TWO, GAME, pairing(1, -1, -1), pairing("x", 1, -1)), "x").byes == ()


class TestPairings:
    @pytest.mark.parametrize(
        ("scores", "mark", "expected"),
        [
            (("1", "0"), "", "1-0"),
            (("1,0", "0,0"), "", "1-0"),
            (("1.0", ""), "", "1-0"),
            (("", "1"), "", "0-1"),
            (("0.0", "1.0"), "", "0-1"),
            (("0,5", "0,5"), "", "1/2-1/2"),
            (("0.5", "½"), "", "1/2-1/2"),
            ((".5", "1/2"), "", "1/2-1/2"),
            (("1", "0"), "K", "+/-"),
            (("", "1"), "k", "-/+"),
            (("0", "0"), "K", "-/-"),
            (("", ""), "K", "-/-"),
            (("0", "0"), "D", "-/-"),
            (("", ""), "D", "-/-"),
            (("1", "0"), "U", "u1-0"),
            (("0,5", "0,5"), "U", "u1/2-1/2"),
            (("0", "1"), "u", "u0-1"),
        ],
    )
    def test_results(self, scores: tuple[str, str], mark: str, expected: str) -> None:
        report = read(written(*TWO, pairing(1, 1, 2, *scores, forfeit=mark)), "x")
        assert (report.faults, [game.result for game in report.games]) == ((), [expected])

    @pytest.mark.parametrize(
        ("scores", "mark", "column", "code"),
        [
            (("", ""), "", "reswhite", "upload-xml-no-result"),
            (("", ""), "U", "reswhite", "upload-xml-no-result"),
            (("1", "0"), "H", "forfeit", "upload-xml-adjourned"),
            (("", ""), "H", "forfeit", "upload-xml-adjourned"),
            (("1", "0"), "X", "forfeit", "upload-xml-bad-forfeit"),
            (("1", "1"), "", "reswhite", "upload-xml-bad-result"),
            (("0", "0"), "", "reswhite", "upload-xml-bad-result"),
            (("0", ""), "", "reswhite", "upload-xml-bad-result"),
            (("0,5", ""), "", "reswhite", "upload-xml-bad-result"),
            (("0.5", "0.5"), "K", "reswhite", "upload-xml-bad-result"),
            (("1", "0"), "D", "reswhite", "upload-xml-bad-result"),
            (("3", "0"), "", "reswhite", "upload-xml-bad-result"),
            (("1.5", ""), "", "reswhite", "upload-xml-bad-result"),
            ((".", "1"), "", "reswhite", "upload-xml-bad-result"),
            (("x", ""), "K", "reswhite", "upload-xml-bad-result"),
        ],
    )
    def test_what_is_no_result(self, scores: tuple[str, str], mark: str, column: str, code: str) -> None:
        report = read(written(*TWO, pairing(1, 1, 2, *scores, forfeit=mark)), "x")
        assert (addresses(report), report.games) == ([(6, column, code)], ())

    @pytest.mark.parametrize("nobody", ["-1", "-2", "0", ""])
    def test_without_an_opponent_there_is_no_game(self, nobody: str) -> None:
        lines = (pairing(1, 3, nobody, "1.0", "", forfeit="K"), pairing(1, 3, nobody, "x", "y", forfeit="?"))
        report = read(written(*TWO, player(3), GAME, *lines), "x")
        assert (report.faults, len(report.games)) == ((), 1)

    def test_not_rated_nationally(self) -> None:
        lines = (pairing(1, 1, 2, ratednational="N"), pairing(2, 2, 1, forfeit="K", ratednational="N"))
        report = read(written(*TWO, *lines, pairing(3, 1, 2, ratednational="J"), rounds=3), "x")
        assert [game.result for game in report.games] == ["u1-0", "+/-", "1-0"]
        assert [(r.line, r.code, r.facts) for r in report.remarks] == [
            (6, "upload-xml-unrated", (("games", "1"),))
        ]

    @pytest.mark.parametrize(
        ("line", "column", "code"),
        [
            (pairing("", 1, 2), "round", "upload-xml-bad-round"),
            (pairing(1000, 1, 2), "round", "upload-xml-bad-round"),
            (pairing(1, "x", 2), "whiteno", "upload-xml-bad-start-rank"),
            (pairing(1, 1, "-3"), "blackno", "upload-xml-bad-start-rank"),
            (pairing(1, 1, 1), "blackno", "upload-xml-plays-self"),
            (pairing(1, 1, 9), "blackno", "upload-xml-no-such-player"),
            (pairing(1, 9, 1), "whiteno", "upload-xml-no-such-player"),
        ],
    )
    def test_what_is_wrong_with_one(self, line: str, column: str, code: str) -> None:
        report = read(written(*TWO, player(3), player(4), line, pairing(1, 3, 4)), "x")
        assert addresses(report) == [(8, column, code)]
        assert [(game.white, game.black) for game in report.games] == [(3, 4)]

    def test_paired_twice(self) -> None:
        report = read(written(*TWO, player(3), GAME, pairing(1, 3, 1)), "x")
        assert addresses(report) == [
            (7, "whiteno", "upload-xml-paired-twice"),
            (8, "blackno", "upload-xml-paired-twice"),
        ]
        assert report.games == ()

    def test_pairings_may_come_first(self) -> None:
        assert read(written(GAME, *TWO), "x").faults == ()

    def test_a_pairing_by_its_short_name(self) -> None:
        assert len(read(written(*TWO, GAME.replace("playerpairing", "pairing")), "x").games) == 1

    def test_a_team_pairing_is_no_game(self) -> None:
        lines = (element("teampairing", whiteno=1, blackno=2), element("pairing", round=1))
        assert len(read(written(*TWO, GAME, *lines), "x").games) == 1


BOMB = (
    '<!DOCTYPE chessresults [<!ENTITY a "aaaaaaaaaa">'
    + "".join(
        f'<!ENTITY {chr(98 + n)} "{"&" + chr(97 + n) + ";"}{"&" + chr(97 + n) + ";"}">' for n in range(20)
    )
    + "]>"
)


class TestFile:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
    @pytest.mark.parametrize("doctype", [BOMB, '<!DOCTYPE chessresults SYSTEM "file:///etc/passwd">'])
    def test_a_document_type_is_refused(self, doctype: str, encoding: str) -> None:
        text = f'<?xml version="1.0"?>\n{doctype}<chessresults>&u;</chessresults>'
        report = read(text.encode(encoding), "x")
        assert addresses(report) == [(2, "", "upload-xml-doctype")]
        assert (report.players, report.games) == ((), ())

    @pytest.mark.parametrize(
        ("text", "line", "column"),
        [
            ("<chessresults>\n<players></chessresults>", 2, "25"),
            ('<chessresults a="&x;"/>', 1, "21"),
            ("<chessresults>\n  <player no=1/></chessresults>", 2, "14"),
            ('<chessresults>\n<player no="1" no="2"/></chessresults>', 2, "22"),
            ("<chessresults>", 1, "15"),
            ("chessresults", 1, "1"),
            ("", 0, ""),
        ],
    )
    def test_what_is_no_xml(self, text: str, line: int, column: str) -> None:
        assert addresses(read(text.encode(), "x")) == [(line, column, "upload-xml-broken")]

    def test_a_prefix_that_is_not_declared_is_a_break(self) -> None:
        report = read(written(*TWO, GAME, "<a:player no='1'/>"), "x")
        assert addresses(report) == [(7, "17", "upload-xml-broken")]

    def test_a_name_space_is_no_matter(self) -> None:
        data = written(*TWO, GAME).replace(b"<chessresults>", b'<chessresults xmlns="urn:x">')
        assert (read(data, "x").faults, len(read(data, "x").games)) == ((), 1)

    def test_faults_before_the_break_are_kept(self) -> None:
        report = read(f"<chessresults>{player('x')}\n<a".encode(), "x")
        assert [fault.code for fault in report.faults] == ["upload-xml-bad-start-rank", "upload-xml-broken"]

    def test_another_root(self) -> None:
        report = read(b"<playerslist><player no='1'/></playerslist>", "x")
        assert [(f.code, f.facts) for f in report.faults] == [
            ("upload-xml-other", (("root", "playerslist"),))
        ]

    @pytest.mark.slow
    def test_too_large(self) -> None:
        large = b"<chessresults>" + b" " * 8 * 1024 * 1024
        many = b"<chessresults>" + b"<a/>" * 200_001
        for data in (large, many):
            assert [fault.code for fault in read(data, "x").faults] == ["upload-xml-too-large"]

    def test_many_attributes_are_no_trap(self) -> None:
        many = " ".join(f'a{n}="x"' for n in range(50_000))
        report = read(f"<chessresults {many}>{player(1)}{player(2)}{GAME}</chessresults>".encode(), "x")
        assert (len(report.players), len(report.games)) == (2, 1)

    @pytest.mark.parametrize("data", [b"012 Cup", b"<html><chess>", b"", b"<chessresultsx>", b"PK\x03\x04"])
    def test_other_formats_do_not_look_like_it(self, data: bytes) -> None:
        assert not looks_like(data)


NAMES = (
    st.text("abcXYZ ,.'-&<>\"éß山", min_size=1, max_size=20).map(lambda s: " ".join(s.split())).filter(bool)
)
WAYS = [
    (("1", "0"), "", "1-0"),
    (("", "1,0"), "", "0-1"),
    (("0,5", "½"), "", "1/2-1/2"),
    (("1.0", ""), "K", "+/-"),
    (("0", "0"), "D", "-/-"),
    (("0", "1"), "U", "u0-1"),
]


@st.composite
def events(draw: st.DrawFn) -> tuple[bytes, list[tuple[int, str]], list[tuple[int, int, int, str]]]:
    """A file, its players (number, name) and its games (round, white, black, result)."""
    numbers = draw(st.lists(st.integers(1, 9999), min_size=2, max_size=9, unique=True))
    players = [(number, draw(NAMES)) for number in numbers]
    lines, games = [player(number, lastname=name) for number, name in players], []
    rounds = draw(st.integers(1, 5))
    for number in range(1, rounds + 1):
        order = draw(st.permutations(numbers))
        pairs = draw(st.integers(1, len(order) // 2))
        for white, black in zip(order[:pairs], order[pairs : 2 * pairs], strict=True):
            scores, mark, result = draw(st.sampled_from(WAYS))
            lines.append(pairing(number, white, black, *scores, forfeit=mark))
            games.append((number, white, black, result))
        lines += [pairing(number, idle, draw(st.sampled_from(["-1", "-2"]))) for idle in order[2 * pairs :]]
    return written(*lines, rounds=rounds), players, games


class TestMadeUpEvents:
    @settings(max_examples=examples(200))
    @given(events())
    def test_are_read_back(self, event) -> None:
        data, players, games = event
        report = read(data, "x")
        assert report.faults == ()
        assert [(p.number, p.name) for p in report.players] == players
        assert [(g.round, g.white, g.black, g.result) for g in report.games] == games


ATTRIBUTES = ["no", "sex", "dob", "rtgfide", "fideid", "whiteno", "blackno", "round", "reswhite", "forfeit"]


class TestAnyBytes:
    def test_every_code_is_exercised(self) -> None:
        spoken = Path(__file__).read_text("utf-8")
        assert [code for code in catalogue(AREA) if f'"{code}"' not in spoken] == []

    @settings(max_examples=examples(300))
    @given(st.binary(max_size=300), st.sampled_from([b"", b"<chessresults>", b"\xff\xfe", b"<?xml "]))
    def test_never_raise(self, data: bytes, head: bytes) -> None:
        assert read(head + data, "x").faults

    @settings(max_examples=examples(300))
    @given(st.data())
    def test_mutated_files_never_raise(self, data: st.DataObject) -> None:
        source = bytearray(TestAsProgramsWriteIt.SHARLY.encode())
        for _ in range(data.draw(st.integers(1, 6))):
            at = data.draw(st.integers(0, len(source) - 1))
            source[at : at + data.draw(st.integers(0, 4))] = data.draw(st.binary(max_size=4))
        report = read(bytes(source), "x")
        for fault in report.faults + report.remarks:
            for lang in LANGUAGES:
                assert say(AREA, fault.code, lang, **dict(fault.facts))

    @pytest.mark.slow
    @settings(max_examples=examples(300))
    @given(
        st.lists(st.sampled_from(ATTRIBUTES)),
        st.text(max_size=9),
    )
    def test_any_attribute_never_raises(self, names: list[str], text: str) -> None:
        said = {name: "".join(c for c in text if c.isprintable()) for name in names}
        for tag in ("player", "playerpairing", "round", "tournament"):
            assert read(written(element(tag, **said)), "x").faults
