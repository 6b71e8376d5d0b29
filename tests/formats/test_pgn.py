"""The PGN reader: events, players and rounds from tags, every fault by its address, and files as they come."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples

from banzuke.formats.pgn.pgn_reader import looks_like, read
from banzuke.formats.report import ReportedGame
from banzuke.words import LANGUAGES, catalogue, say

if TYPE_CHECKING:
    import random

AREA = "faults/pgn"
MOVES = "1. e4 e5 2. Nf3 *"


def game(white="Sato, Keiko", black="Ito, Ken", result="1-0", moves=None, **tags: str) -> str:
    """A game of one blank line between header and moves; tags in the order of the roster."""
    known = {"Event": "Open", "Site": "Tokyo", "Date": "2025.10.12", "Round": "1"}
    known |= {"White": white, "Black": black, "Result": result} | tags
    header = "".join(f'[{name} "{said}"]\n' for name, said in known.items() if said is not None)
    return f"{header}\n{MOVES.replace('*', result) if moves is None else moves}\n\n"


def one(*games: str):
    (report,) = read("".join(games).encode(), "x.pgn")
    return report


def addresses(faults):
    return [(f.line, f.column, f.code) for f in faults]


def pairs(report):
    return [(g.round, g.white, g.black, g.result) for g in report.games]


class TestEvents:
    def test_a_game_is_read_with_its_event(self):
        report = one(game(EventDate="2025.10.11", EventRounds="5", TimeControl="5400+30"))
        event = report.event
        assert (event.name, event.place, event.rounds) == ("Open", "Tokyo", 5)
        assert (event.starts, event.ends) == (date(2025, 10, 11), date(2025, 10, 12))
        assert (event.time_control, event.base_minutes, event.increment_seconds) == ("5400+30", 90, 30)
        assert [(p.number, p.name, p.line) for p in report.players] == [
            (1, "Sato, Keiko", 5),
            (2, "Ito, Ken", 6),
        ]
        assert report.games == (ReportedGame(1, 1, 2, "1-0", date(2025, 10, 12), 1),)
        assert report.faults == ()
        assert addresses(report.remarks) == [(1, "", "pgn-days")]

    def test_a_round_without_an_opponent_is_no_game(self):
        report = one(game(), game(black="BYE", Round="2"), game(white="bye", Round="3"))
        assert pairs(report) == [(1, 1, 2, "1-0")]
        assert [player.name for player in report.players] == ["Sato, Keiko", "Ito, Ken"]
        assert report.faults == ()

    def test_events_are_parted_by_name_place_and_date(self):
        games = [
            game(),
            game(Event="Cup"),
            game(Site="Osaka"),
            game(Round="2"),
            game(Event="Two", EventDate="2025.10.01"),
            game(Event="Two", EventDate="2025.10.02"),
        ]
        reports = read("".join(games).encode(), "x")
        assert [(r.event.name, r.event.place, len(r.games)) for r in reports] == [
            ("Open", "Tokyo", 2),
            ("Cup", "Tokyo", 1),
            ("Open", "Osaka", 1),
            ("Two", "Tokyo", 1),
            ("Two", "Tokyo", 1),
        ]

    def test_a_game_without_the_events_date_belongs_to_the_one_event_of_that_name(self):
        report = one(game(), game(Round="2", EventDate="2025.10.12"), game(Round="3", EventDate="?"))
        assert [g.round for g in report.games] == [1, 2, 3]
        assert report.event.starts == date(2025, 10, 12)

    def test_addresses_of_the_web_part_no_event(self):
        report = one(game(Site="https://lichess.org/abc"), game(Site="https://lichess.org/xyz", Round="2"))
        assert (report.event.place, len(report.games)) == ("", 2)
        assert addresses(report.remarks) == [(1, "", "pgn-days"), (2, "Site", "pgn-web")]

    def test_numbers_for_a_place_part_no_event(self):
        report = one(game(Site="01"), game(Site="02", Round="2"))
        assert (report.event.place, len(report.games)) == ("", 2)

    @pytest.mark.parametrize(
        ("said", "expected"),
        [
            ("5400+30", (90, 30)),
            ("900", (15, 0)),
            ("180+2", (3, 2)),
            ("90+30", (None, None)),
            ("15", (None, None)),
            ("40/5400+30:1800+30", (120, 30)),
            ("40/5400:1800+30", (None, None)),
            ("5401+30", (None, None)),
            ("5400+30d", (None, None)),
            ("9" * 5000, (None, None)),
            ("?", (None, None)),
        ],
    )
    def test_time_controls(self, said, expected):
        event = one(game(TimeControl=said)).event
        assert (event.base_minutes, event.increment_seconds) == expected

    def test_seconds_that_may_be_minutes_are_remarked(self):
        (remark,) = [r for r in one(game(TimeControl="90+30")).remarks if r.column == "TimeControl"]
        assert (remark.code, dict(remark.facts)) == ("pgn-short-time", {"text": "90+30"})

    def test_two_time_controls_are_none(self):
        report = one(game(TimeControl="900"), game(Round="2", TimeControl="600"))
        assert (report.event.time_control, report.event.base_minutes) == ("", None)
        assert (21, "TimeControl", "pgn-time-controls") not in addresses(report.remarks)
        assert addresses(report.remarks)[1] == (19, "TimeControl", "pgn-time-controls")

    def test_days_that_are_not_whole_are_none(self):
        report = one(game(Date="2025.10.??"), game(Round="2", Date="????.??.??"), game(Round="3", Date="?"))
        assert [g.played for g in report.games] == [None] * 3
        assert (report.event.starts, report.event.ends, report.faults) == (None, None, ())

    def test_an_event_without_a_name_says_nothing(self):
        assert one(game(Event="?", Site="?")).event[:2] == ("", "")


class TestPlayers:
    def test_are_joined_by_fide_id_and_else_by_name(self):
        report = one(
            game("A", "B", WhiteFideId="7000001"),
            game("B", "Aa", Round="2", BlackFideID="07000001"),
            game("A", "B", Round="3", BlackFideId="0"),
        )
        assert [(p.number, p.name, p.fide_id) for p in report.players] == [(1, "A", "7000001"), (2, "B", "")]
        assert pairs(report) == [(1, 1, 2, "1-0"), (2, 2, 1, "1-0"), (3, 1, 2, "1-0")]
        assert ("pgn-two-names", (("id", "7000001"), ("name", "Aa"), ("first", "A"))) in [
            (r.code, r.facts) for r in report.remarks
        ]

    def test_two_of_one_name_are_two_by_their_ids(self):
        report = one(game("A", "A", WhiteFideId="1", BlackFideId="2"))
        assert [p.fide_id for p in report.players] == ["1", "2"]

    def test_ratings_and_titles_are_not_taken(self):
        (white, _) = one(game(WhiteElo="2400", WhiteTitle="GM", WhiteTeam="X")).players
        assert white == (1, "Sato, Keiko", "", "", None, "", "", None, 5, "", None, "")

    def test_quotes_in_names(self):
        assert one(game(r"O\"Neil \\ x")).players[0].name == r'O"Neil \ x'


class TestRounds:
    @pytest.mark.parametrize(("said", "expected"), [("3", 3), ("3.12", 3), ("3.1.2", 3), ("１２", 12)])
    def test_boards_are_left_out(self, said, expected):
        report = one(game(Round=said))
        assert [g.round for g in report.games] == [expected]
        assert [r.code for r in report.remarks] == ["pgn-days"]

    def test_without_rounds_nobody_plays_twice_in_one(self):
        report = one(
            game("A", "B", Round="?"),
            game("C", "D", Round="-"),
            game("A", "C", Round=""),
            game("A", "B", Round=None),
        )
        assert pairs(report) == [(1, 1, 2, "1-0"), (1, 3, 4, "1-0"), (2, 1, 3, "1-0"), (3, 1, 2, "1-0")]
        assert report.remarks[1].facts == (("games", "4"), ("first", "1"))

    def test_games_without_a_round_come_after_those_with_one(self):
        report = one(game("A", "B", Round="?"), game("A", "B", Round="4"))
        assert [g.round for g in report.games] == [4, 5]
        assert [g.line for g in report.games] == [11, 1]

    def test_games_of_a_match_are_rounds(self):
        report = one(
            game("A", "B", Round="1.1"),
            game("C", "D", Round="1.1"),
            game("B", "A", Round="1.2"),
            game("A", "C", Round="2.1"),
        )
        assert pairs(report) == [(1, 1, 2, "1-0"), (1, 3, 4, "1-0"), (2, 2, 1, "1-0"), (3, 1, 3, "1-0")]
        assert (4, "Round", "pgn-match-rounds") in addresses(report.remarks)
        assert report.faults == ()

    def test_two_opponents_in_a_round_are_no_match(self):
        report = one(game("A", "B", Round="1.1"), game("B", "A", Round="1.2"), game("A", "C", Round="1.3"))
        assert {f.code for f in report.faults} == {"pgn-game-twice", "pgn-plays-twice"}
        assert report.games == ()


class TestResults:
    @pytest.mark.parametrize(
        ("said", "expected"),
        [
            ("½-½", "1/2-1/2"),
            ("1–0", "1-0"),
            *((r, r) for r in ("1-0", "0-1", "1/2-1/2", "+/-", "-/+", "-/-")),
        ],
    )
    def test_as_the_ledger_writes_them(self, said, expected):
        assert pairs(one(game(result=said, moves=MOVES[:-1]))) == [(1, 1, 2, expected)]

    @pytest.mark.parametrize(
        ("termination", "expected"),
        [("forfeit", "+/-"), ("Default", "+/-"), ("time forfeit", "1-0"), ("normal", "1-0")],
    )
    def test_forfeits(self, termination, expected):
        assert pairs(one(game(Termination=termination))) == [(1, 1, 2, expected)]

    def test_a_result_only_behind_the_moves(self):
        assert pairs(one(game(result=None, moves="1. e4 e5 0-1"))) == [(1, 1, 2, "0-1")]

    @pytest.mark.parametrize("moves", ["", "1-0", "1. e4 1-0", "{1. e4 e5} 1-0", "; 1. e4 e5\n1-0"])
    def test_games_without_moves_count_and_are_told(self, moves):
        report = one(game(moves=moves))
        assert pairs(report) == [(1, 1, 2, "1-0")]
        assert ("pgn-no-moves", (("games", "1"),)) in [(r.code, r.facts) for r in report.remarks]

    @pytest.mark.parametrize("moves", ["1. e4 e5 1-0", "1.e4e5", "1. Nf3 {x} (1. d4) 1... O-O"])
    def test_games_with_moves_are_not(self, moves):
        assert [r.code for r in one(game(moves=moves)).remarks] == ["pgn-days"]

    def test_forfeits_need_no_moves(self):
        assert [r.code for r in one(game(moves="", Termination="forfeit")).remarks] == ["pgn-days"]


FAULTS = [
    ("pgn-no-games", ["1. e4 e5 1-0\n"], [(0, "")]),
    ("pgn-no-header", ["% x\n\n1. d4 d5 1-0\n\n" + game()], [(3, "")]),
    (
        "pgn-bad-tag",
        [game(Date='2025"] [Round "2').replace('[White "Sato, Keiko"]', "[White Sato]")],
        [(3, ""), (5, "")],
    ),
    ("pgn-tag-twice", [game().replace("[Round", '[White "X"]\n[Round')], [(6, "White")]),
    ("pgn-nameless", [game("?", "", WhiteElo="1")], [(5, "White"), (6, "Black")]),
    ("pgn-nameless", [game(None, None)], [(1, "White"), (1, "Black")]),
    (
        "pgn-bad-fide-id",
        [game(WhiteFideId="D1", BlackFideId="1" * 12)],
        [(8, "WhiteFideId"), (9, "BlackFideId")],
    ),
    (
        "pgn-which-player",
        [game(WhiteFideId="1"), game(Round="2", WhiteFideId="2"), game(Round="3")],
        [(27, "White")],
    ),
    ("pgn-plays-self", [game("A", "A")], [(6, "Black")]),
    ("pgn-no-result", [game(result=None, moves="1. e4 e5")], [(1, "Result")]),
    (
        "pgn-under-way",
        [game(result="*"), game(Round="2", Termination="unterminated")],
        [(7, "Result"), (17, "Result")],
    ),
    ("pgn-bad-result", [game(result="0-0"), game(Round="2", result="2-0")], [(7, "Result"), (17, "Result")]),
    (
        "pgn-results-clash",
        [game(moves="1. e4 e5 0-1"), game(Round="2", moves="1. e4 e5 *")],
        [(7, "Result"), (17, "Result")],
    ),
    ("pgn-drawn-forfeit", [game(result="1/2-1/2", Termination="forfeit")], [(8, "Termination")]),
    (
        "pgn-bad-round",
        [game(Round="0"), game(Round="Final"), game(Round="9" * 5000)],
        [(4, "Round"), (14, "Round"), (24, "Round")],
    ),
    (
        "pgn-bad-day",
        [game(Date="2025.13.01"), game(Round="2", Date="yesterday")],
        [(3, "Date"), (13, "Date")],
    ),
    ("pgn-before-start", [game(EventDate="2025.10.13")], [(3, "Date")]),
    ("pgn-variant", [game(Variant="Chess960")], [(8, "Variant")]),
    ("pgn-position", [game(FEN="8/8/8/8/8/8/8/k1K5 w - - 0 1")], [(8, "FEN")]),
    ("pgn-game-twice", [game(), game("Ito, Ken", "Sato, Keiko")], [(14, "Round")]),
    ("pgn-plays-twice", [game(), game(black="Mori")], [(14, "Round")]),
]


class TestFaults:
    @pytest.mark.parametrize(
        ("code", "games", "places"), FAULTS, ids=[f"{n}-{f[0]}" for n, f in enumerate(FAULTS)]
    )
    def test_by_line_and_tag(self, code, games, places):
        assert addresses(one(*games).faults) == [(line, tag, code) for line, tag in places]

    def test_no_text(self):
        (report,) = read(b"PK\x03\x04\0\0", "x")
        assert addresses(report.faults) == [(0, "", "pgn-no-text")]

    def test_too_many(self, monkeypatch):
        monkeypatch.setattr("banzuke.formats.pgn.pgn_reader.MOST_GAMES", 2)
        report = one(game(), game(Round="2"), game(Round="3"), game(Round="4"))
        assert (addresses(report.faults), report.games) == ([(21, "", "pgn-too-many")], ())

    def test_facts(self):
        report = one(game("A", "B"), game("B", "C"))
        assert report.faults[0].facts == (("name", "B"), ("round", "1"), ("first", "1"))

    def test_what_is_sound_is_still_there(self):
        report = one(game("A", "B"), game("A", "B", Round="2", result="*"), game("A", "B", Round="3"))
        assert pairs(report) == [(1, 1, 2, "1-0"), (3, 1, 2, "1-0")]

    def test_the_same_game_twice_stays_once_and_another_result_never(self):
        assert pairs(one(game(), game())) == [(1, 1, 2, "1-0")]
        assert pairs(one(game(), game(result="0-1"))) == []

    def test_every_code_has_a_case_and_a_sentence(self):
        remarks = [
            "two-names",
            "no-moves",
            "match-rounds",
            "no-round",
            "days",
            "time-controls",
            "short-time",
            "web",
        ]
        codes = (
            {code for code, _, _ in FAULTS}
            | {"pgn-no-text", "pgn-too-many"}
            | {f"pgn-{name}" for name in remarks}
        )
        assert codes == set(catalogue(AREA))

    def test_every_fault_can_be_said(self):
        for _, games, _ in FAULTS:
            report = one(*games)
            for fault in report.faults + report.remarks:
                for lang in LANGUAGES:
                    assert "{" not in say(AREA, fault.code, lang, **dict(fault.facts))


class TestFilesInTheWild:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932", "utf-16"])
    def test_encodings(self, encoding):
        data = (game("佐藤 恵子", "伊藤 健") + game("佐藤 恵子", "伊藤 健", Round="2")).encode(encoding)
        assert looks_like(data)
        (report,) = read(data, "x")
        assert [p.name for p in report.players] == ["佐藤 恵子", "伊藤 健"]

    def test_latin(self):
        (report,) = read(game("Müller, Jörg", "Gómez").encode("latin-1"), "x")
        assert [p.name for p in report.players] == ["Müller, Jörg", "Gómez"]

    @pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
    def test_line_ends(self, end):
        text = (game() + game(Round="x")).replace("\n", end)
        (report,) = read(text.encode(), "x")
        assert addresses(report.faults) == [(14, "Round", "pgn-bad-round")]

    def test_an_unclosed_comment_hides_no_game(self):
        report = one(game(moves="1. e4 { never closed"), game(Round="2"), game(Round="3"))
        assert [g.round for g in report.games] == [1, 2, 3]

    def test_games_without_moves_or_blank_lines_between(self):
        header = game(moves="").rstrip("\n") + "\n"
        assert len(one(header, header.replace('"1"', '"2"')).games) == 2
        assert len(one(header, "\n", header.replace('"1"', '"2"')).games) == 2
        assert len(one(header, "\n\n\n", header.replace('"1"', '"2"')).games) == 2
        assert len(one(header, "1. e4 e5 1-0\n", header.replace('"1"', '"2"')).games) == 2

    def test_games_that_begin_with_another_tag(self):
        def without_event(text):
            return text.split("\n", 1)[1]

        report = one(without_event(game()), without_event(game(Round="2")))
        assert [(g.round, g.line) for g in report.games] == [(1, 1), (2, 10)]

    def test_brackets_in_comments_are_no_tags(self):
        moves = '1. e4 {\n\n[White "X"]\n[Blunder]} e5 {[%clk 1:00]\n[%eval 0.3]} 2. d4\n[see above] 1-0'
        report = one(game(moves=moves), game(Round="2"))
        assert (len(report.games), report.faults) == (2, ())

    def test_blank_lines_and_comments_in_a_header(self):
        text = game().replace("[Round", "\n[Round").replace("[White", "% note\n[White")
        assert pairs(one(text)) == [(1, 1, 2, "1-0")]

    def test_what_it_claims(self):
        assert looks_like(b"\xef\xbb\xbf\r\n% x\r\n" + game().encode())
        for other in (
            b"",
            b"012 Cup\n",
            b"(;GM[1])",
            b'From: a@b\n\n[Event "x"]',
            b"[section]\nx=1",
            b"<html>",
        ):
            assert not looks_like(other)

    @given(st.binary(max_size=300))
    def test_any_bytes_give_reports(self, data):
        looks_like(data)
        assert read(data, "x")

    @settings(max_examples=examples(60))
    @given(st.randoms(use_true_random=False), st.integers(1, 12))
    def test_mutated_files_raise_nothing(self, rnd: random.Random, changes):
        data = bytearray("".join(game(Round=str(n), WhiteFideId=str(n % 3)) for n in range(1, 6)).encode())
        for _ in range(changes):
            at = rnd.randrange(len(data))
            data[at : at + rnd.randrange(3)] = bytes(
                rnd.choices(b'[]"{}\n;%\\0*-\x83\xff\0', k=rnd.randrange(4))
            )
        for report in read(bytes(data), "x"):
            for fault in report.faults + report.remarks:
                assert say(AREA, fault.code, "en", **dict(fault.facts))

    @given(
        st.lists(
            st.tuples(
                st.integers(0, 5), st.integers(0, 5), st.sampled_from(["1-0", "0-1", "1/2-1/2"])
            ).filter(lambda g: g[0] != g[1]),
            min_size=1,
            max_size=12,
        )
    )
    def test_made_up_events_come_back(self, made):
        text = "".join(game(f"P{w}", f"P{b}", r, Round="?") for w, b, r in made)
        report = one(text)
        names = {p.number: p.name for p in report.players}
        in_file = sorted(report.games, key=lambda g: g.line)
        assert [(names[g.white], names[g.black], g.result) for g in in_file] == [
            (f"P{w}", f"P{b}", r) for w, b, r in made
        ]
        seats = [(g.round, p) for g in report.games for p in (g.white, g.black)]
        assert len(seats) == len(set(seats))
