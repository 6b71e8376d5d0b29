"""TRF reports written: every column at its place, read back the same, taken by another program's reader."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
import trf
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples

from banzuke.core.fault import RefusedError
from banzuke.formats.report import Report, ReportedBye, ReportedEvent, ReportedGame, ReportedPlayer
from banzuke.formats.trf.trf_reader import looks_like, read
from banzuke.formats.trf.trf_writer import write
from banzuke.words import LANGUAGES, catalogue, say

AREA = "faults/trf"
VERSIONS = (16, 26)
DAY = date(2025, 4, 26)
EVENT = ReportedEvent(
    name="Hinoki Spring Match",
    place="Sapporo",
    federation="JPN",
    responsible="OKADA Minoru",
    base_minutes=90,
    increment_seconds=30,
    starts=DAY,
    ends=DAY + timedelta(1),
    rounds=3,
)
PLAYERS = (
    ReportedPlayer(
        *(1, "Yamada, Hanako", "7001234", "N00000001", 1873, "JPN", "w", date(1999, 3, 7)),
        name_native="山田　花子",
        national_rating=1790,
    ),
    ReportedPlayer(2, "Müller, Jörg", federation="GER"),
    ReportedPlayer(30, "Sato, Ken", "", "N00000030", None, "JPN", "m", None),
)
GAMES = (
    ReportedGame(1, 1, 2, "1-0", DAY),
    ReportedGame(2, 30, 1, "1/2-1/2", DAY + timedelta(1)),
    ReportedGame(3, 2, 30, "+/-"),
)
REPORT = Report(EVENT, PLAYERS, GAMES)


def lines(report: Report = REPORT, **more) -> list[str]:
    text = write(report, **{"version": 16, "federation_code": "JPN"} | more).decode()
    assert text.endswith("\r\n")
    return text.removesuffix("\r\n").split("\r\n")


def record(kind: str, report: Report = REPORT, **more) -> list[str]:
    return [line for line in lines(report, **more) if line[:3] == kind]


def refused(report: Report, code: str = "") -> list[tuple[str, dict[str, str]]]:
    with pytest.raises(RefusedError) as error:
        write(report, version=16, federation_code=code)
    assert all((f.file, f.line, f.column) == ("", 0, "") for f in error.value.faults)
    return [(f.code, dict(f.facts)) for f in error.value.faults]


class TestRecords:
    def test_the_whole_report(self) -> None:
        assert lines() == [
            "012 Hinoki Spring Match",
            "022 Sapporo",
            "032 JPN",
            "042 2025/04/26",
            "052 2025/04/27",
            "062 3",
            "072 1",
            "102 OKADA Minoru",
            "122 90 min + 30 sec",
            f"132{'':88}25/04/26  25/04/27",
            f"001    1 w    {'Yamada, Hanako':33} 1873 JPN     7001234 1999/03/07  1.5    1     2 w 1    30 b =  0000 - Z",
            f"001    2      {'Müller, Jörg':33}      GER {'':22}  1.0    2     1 b 0  0000 - Z    30 w +",
            f"001   30 m    {'Sato, Ken':33}      JPN {'':22}  0.5    3  0000 - Z     1 w =     2 b -",
            f"JPN    1 w    {'山田　花子':33} 1790       N00000001 1999/03/07",
            f"JPN   30 m    {'':33}            N00000030",
        ]

    def test_what_trf26_adds(self) -> None:
        added = [line for line in lines(version=26) if line not in lines()]
        assert added == ["142 3", "172 JPN OTHER", "222 5400+30"]
        assert [line for line in lines() if line not in lines(version=26)] == []

    def test_what_is_not_known_is_left_out(self) -> None:
        bare = Report(ReportedEvent(), (ReportedPlayer(7, "A"),), ())
        player = f"001    7      {'A':33} {'':31}  0.0    1"
        assert lines(bare) == ["062 1", "072 0", player]
        assert lines(bare, version=26) == ["062 1", "072 0", "142 0", "172 JPN OTHER", player]
        assert write(Report(ReportedEvent(), (), ()), version=16) == b"062 0\r\n072 0\r\n"

    def test_without_a_federations_code_there_are_no_national_records(self) -> None:
        assert record("JPN", federation_code="") == []
        assert record("172", version=26, federation_code="") == []

    def test_the_reports_own_words_for_the_time_stand(self) -> None:
        said = REPORT._replace(event=EVENT._replace(time_control="90分＋30秒"))
        assert (record("122", said), record("222", said, version=26)) == (["122 90分＋30秒"], ["222 5400+30"])
        alone = REPORT._replace(event=EVENT._replace(increment_seconds=None))
        assert record("222", alone, version=26) == ["222 5400"]
        none = REPORT._replace(event=EVENT._replace(base_minutes=None))
        assert record("222", none, version=26) + record("122", none) == []

    def test_a_rounds_day_is_its_first(self) -> None:
        late = (ReportedGame(2, 1, 2, "1-0", DAY), ReportedGame(2, 30, 2, "1-0", DAY - timedelta(3)))
        players = (*PLAYERS, ReportedPlayer(31, "B"))
        games = (late[0], late[1]._replace(black=31))
        assert record("132", Report(EVENT, players, games)) == [f"132{'':98}25/04/23"]

    def test_days_of_another_century_have_no_place(self) -> None:
        old = tuple(game._replace(played=date(1999, 12, 31)) for game in GAMES)
        assert record("132", REPORT._replace(games=old)) == []

    def test_players_stand_by_start_rank(self) -> None:
        turned = REPORT._replace(players=PLAYERS[::-1])
        assert record("001", turned) == record("001")

    def test_names_are_cut_and_hold_one_line(self) -> None:
        long = "あ" * 40
        players = (
            PLAYERS[0]._replace(name="X" * 34, name_native=long),
            PLAYERS[1]._replace(name="A\r\nB\tC\x85D"),
        )
        report = Report(EVENT._replace(name="Cup\n001    9"), players, ())
        assert record("001", report)[0][14:49] == "X" * 33 + " 1"
        assert record("JPN", report)[0][14:49] == "あ" * 33 + " 1"
        assert record("001", report)[1][14:47].rstrip() == "A  B C D"
        assert lines(report)[0] == "012 Cup 001    9"
        assert read(write(report, version=16), "x").faults == ()

    @pytest.mark.parametrize(
        ("won", "drawn", "points"), [(9, 1, " 9.5"), (99, 1, "99.5"), (100, 0, " 100"), (100, 1, "    ")]
    )
    def test_points_have_four_columns(self, won: int, drawn: int, points: str) -> None:
        results = ["1-0"] * won + ["1/2-1/2"] * drawn
        games = tuple(ReportedGame(n, 1, 2, said) for n, said in enumerate(results, 1))
        report = REPORT._replace(games=games)
        assert record("001", report)[0][80:84] == points
        assert read(write(report, version=16), "x").faults == ()

    def test_equal_points_share_a_rank(self) -> None:
        players = tuple(ReportedPlayer(n, f"P{n}") for n in range(1, 6))
        games = (ReportedGame(1, 1, 2, "1-0"), ReportedGame(1, 4, 3, "0-1"))
        rows = record("001", Report(EVENT, players, games))
        assert [row[85:89] for row in rows] == ["   1", "   3", "   1", "   3", "   3"]


class TestRefused:
    @pytest.mark.parametrize("code", ["jpn", "JP", "JPAN", "XXA", "BBW", "DAT", "AAA", "ＪＰＮ", "001"])
    def test_what_is_no_federations_code(self, code: str) -> None:
        assert refused(REPORT, code) == [("trf-unwritable-federation", {"text": code})]

    @pytest.mark.parametrize("number", [0, -1, 10_000])
    def test_start_ranks_that_trf_has_not(self, number: int) -> None:
        report = Report(EVENT, (ReportedPlayer(number, "A"),), ())
        assert refused(report) == [("trf-unwritable-number", {"number": str(number), "most": "9999"})]

    def test_a_start_rank_given_twice(self) -> None:
        report = Report(EVENT, (ReportedPlayer(4, "A"), ReportedPlayer(4, "B")), ())
        assert refused(report) == [("trf-unwritable-number", {"number": "4", "most": "9999"})]

    def test_more_players_than_start_ranks(self) -> None:
        players = tuple(ReportedPlayer(n, f"P{n}") for n in range(1, 10_002))
        assert [facts["number"] for _, facts in refused(Report(EVENT, players, ()))] == ["10000", "10001"]
        whole = read(write(Report(EVENT, players[:9999], ()), version=26), "x")
        assert (len(whole.players), whole.faults) == (9999, ())

    @pytest.mark.parametrize(
        ("field", "value", "width"),
        [
            ("fide_id", "123456789012", "11"),
            ("national_id", "N12345678901", "11"),
            ("rating", 10_000, "4"),
            ("national_rating", 10_000, "4"),
            ("federation", "JAPAN", "3"),
        ],
    )
    def test_fields_that_do_not_fit(self, field: str, value: object, width: str) -> None:
        report = Report(EVENT, (PLAYERS[0]._replace(**{field: value}),), ())
        facts = {"number": "1", "text": str(value), "width": width}
        assert refused(report) == [("trf-unwritable-field", facts)]

    @pytest.mark.parametrize(
        "games",
        [
            (ReportedGame(0, 1, 2, "1-0"),),
            (ReportedGame(1000, 1, 2, "1-0"),),
            (ReportedGame(1, 1, 3, "1-0"),),
            (ReportedGame(1, 1, 1, "1-0"),),
            (ReportedGame(1, 1, 2, "1-0"), ReportedGame(1, 2, 30, "1-0")),
            (ReportedGame(1, 1, 2, "1-0"), ReportedGame(1, 2, 1, "1-0")),
        ],
    )
    def test_games_that_trf_has_no_place_for(self, games: tuple[ReportedGame, ...]) -> None:
        faults = refused(REPORT._replace(games=games))
        assert faults == [
            ("trf-unwritable-game", {"round": str(g.round), "white": str(g.white), "black": str(g.black)})
            for g in games
        ]

    def test_all_reasons_at_once_and_each_can_be_said(self) -> None:
        players = (ReportedPlayer(0, "A"), PLAYERS[1]._replace(federation="GERMANY"))
        report = Report(EVENT, players, (ReportedGame(0, 0, 2, "1-0"),), byes=(ReportedBye(1, 9, 2),))
        found = refused(report, "?")
        assert {code for code, _ in found} == {
            code for code in catalogue(AREA) if code.startswith("trf-unwritable-")
        }
        for code, facts in found:
            for lang in LANGUAGES:
                assert "{" not in say(AREA, code, lang, **facts)


NAMES = st.text("abcXYZ ,.'-éß山田　", min_size=1, max_size=33).map(str.strip).filter(bool)
TEXTS = st.text("abcXYZ ,.'-éß山()/", max_size=60).map(str.strip)
RESULTS = ["1-0", "0-1", "1/2-1/2", "u1-0", "u0-1", "u1/2-1/2", "+/-", "-/+", "-/-"]
RATINGS = st.none() | st.integers(1, 9999)


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """Reports that TRF can hold whole: one day a round, minutes with words, no byes."""
    starts = draw(st.dates(date(2000, 1, 1), date(2099, 12, 1)))
    event = ReportedEvent(
        name=draw(TEXTS),
        place=draw(TEXTS),
        federation=draw(st.sampled_from(["", "JPN"])),
        responsible=draw(TEXTS),
        time_control=draw(TEXTS.filter(bool)),
        starts=starts,
        ends=starts + timedelta(30),
    )
    numbers = draw(st.lists(st.integers(1, 9999), min_size=1, max_size=9, unique=True))
    players = tuple(sorted(draw(_player(number)) for number in numbers))
    rounds = draw(st.integers(0, 6))
    games = [game for n in range(1, rounds + 1) for game in draw(_round(n, numbers, starts))]
    return Report(event._replace(rounds=rounds), players, tuple(games))


@st.composite
def _player(draw: st.DrawFn, number: int) -> ReportedPlayer:
    name = draw(NAMES)
    return ReportedPlayer(
        number,
        name,
        draw(st.sampled_from(["", str(100_000 + number)])),
        draw(st.sampled_from(["", f"N{number:08}", "12"])),
        draw(RATINGS),
        draw(st.sampled_from(["", "JPN", "GER"])),
        draw(st.sampled_from(["", "m", "w"])),
        draw(st.none() | st.dates(date(1900, 1, 1), date(2020, 1, 1))),
        name_native=draw(st.just("") | NAMES.filter(lambda native: native != name)),
        national_rating=draw(RATINGS),
    )


@st.composite
def _round(draw: st.DrawFn, number: int, players: list[int], starts: date) -> list[ReportedGame]:
    order = draw(st.permutations(players))
    pairs = draw(st.integers(0, len(order) // 2))
    day = draw(st.none() | st.integers(0, 30).map(lambda days: starts + timedelta(days)))
    games = [
        ReportedGame(number, white, black, draw(st.sampled_from(RESULTS)), day)
        for white, black in zip(order[:pairs], order[pairs : 2 * pairs], strict=True)
    ]
    return sorted(games, key=lambda game: min(game.white, game.black))


def unplaced(report: Report) -> Report:
    """The report without the lines of its players and games, and the remark of start ranks that nobody has."""
    remarks = (remark for remark in report.remarks if remark.code != "trf-start-ranks-missing")
    return report._replace(
        remarks=tuple(remarks),
        players=tuple(player._replace(line=0) for player in report.players),
        games=tuple(game._replace(line=0) for game in report.games),
    )


class TestReadBack:
    @settings(max_examples=examples(300))
    @given(reports(), st.sampled_from(VERSIONS))
    def test_a_made_up_report_is_the_same(self, report: Report, version: int) -> None:
        data = write(report, version=version, federation_code="JPN")
        assert looks_like(data)
        assert unplaced(read(data, "x")) == report

    @given(reports(), st.integers(3, 600), st.integers(0, 600))
    def test_trf26_holds_the_minutes(self, report: Report, base: int, increment: int) -> None:
        timed = report.event._replace(base_minutes=base, increment_seconds=increment)
        report = report._replace(event=timed)
        assert unplaced(read(write(report, version=26, federation_code="JPN"), "x")) == report
        wordless = read(write(report._replace(event=timed._replace(time_control="")), version=16), "x")
        assert wordless.event.time_control == f"{base} min + {increment} sec"

    @given(reports(), st.sampled_from(VERSIONS))
    def test_every_line_is_text_in_its_columns(self, report: Report, version: int) -> None:
        data = write(report, version=version, federation_code="JPN")
        rows = [line for line in data.decode().split("\r\n") if line.startswith("001")]
        assert {len(row) for row in rows} == {89 + 10 * report.event.rounds}
        assert b"\n" not in data.replace(b"\r\n", b"")

    def test_real_reports_written_and_read_back(self, shared) -> None:
        """What a report holds is the same again; points are not held against byes that it does not hold."""
        for path in sorted((shared / "data" / "trf").glob("*.trf")):
            report = read(path.read_bytes(), path.name)
            again = read(write(report, version=16, federation_code="FRA"), "x")
            assert (again.faults, again.remarks) == ((), ())
            assert unplaced(again).games == unplaced(report).games
            assert list(unplaced(again).players) == sorted(unplaced(report).players), path.name
            assert again.event == report.event._replace(
                base_minutes=None, increment_seconds=None, rounds=again.event.rounds
            )
            assert again.event.rounds == report.event.rounds


class TestAnotherProgram:
    """The package `trf` from PyPI reads what is written: the same event, players and results."""

    @settings(max_examples=examples(200))
    @given(reports(), st.sampled_from(VERSIONS))
    def test_reads_the_same(self, report: Report, version: int) -> None:
        theirs = trf.loads(write(report, version=version, federation_code="JPN").decode())
        assert (theirs.name, theirs.city, theirs.numplayers) == (
            report.event.name,
            report.event.place,
            len(report.players),
        )
        assert theirs.startdate == f"{report.event.starts:%Y/%m/%d}"
        assert [self.player(p) for p in theirs.players] == [
            (p.number, p.name, p.sex or " ", p.rating or 0, p.federation, p.fide_id) for p in report.players
        ]
        assert self.games(theirs) == {
            (g.round, white, black, colour, said)
            for g in report.games
            for white, black, colour, said in (
                (g.white, g.black, "w", SAID[g.result][0]),
                (g.black, g.white, "b", SAID[g.result][1]),
            )
        }

    def player(self, p: trf.Player) -> tuple[object, ...]:
        return p.startrank, p.name, p.sex, p.rating, p.fed, str(p.id or "")

    def games(self, tournament: trf.Tournament) -> set[tuple[object, ...]]:
        return {
            (game.round, p.startrank, game.startrank, game.color, game.result)
            for p in tournament.players
            for game in p.games
            if (game.startrank, game.color, game.result) != (0, "-", "Z")
        }

    def test_their_points_are_ours(self) -> None:
        theirs = trf.loads(write(REPORT, version=26, federation_code="JPN").decode())
        assert [(p.points, p.rank) for p in theirs.players] == [(1.5, 1), (1.0, 2), (0.5, 3)]

    @pytest.mark.parametrize("version", VERSIONS)
    def test_byes_and_a_player_with_byes_only(self, version: int) -> None:
        players = (*PLAYERS, ReportedPlayer(31, "Abe, Jun"))
        byes = (ReportedBye(1, 30, 2), ReportedBye(1, 31, 2), ReportedBye(2, 2, 1), ReportedBye(3, 1, 2))
        report = REPORT._replace(players=players, byes=byes)
        data = write(report, version=version, federation_code="JPN")
        kinds = {(p.startrank, g.round): g.result for p in trf.loads(data.decode()).players for g in p.games}
        assert [kinds[place] for place in ((30, 1), (31, 1), (2, 2), (1, 3), (31, 2))] == list("FFHUZ")
        assert [p.points for p in trf.loads(data.decode()).players] == [2.5, 1.5, 1.5, 1.0]
        assert (read(data, "x").faults, set(read(data, "x").byes)) == ((), set(byes))

    def test_byes_that_trf_has_no_place_for(self) -> None:
        byes = (ReportedBye(1, 1, 2), ReportedBye(1000, 30, 2), ReportedBye(1, 9, 1))
        assert refused(REPORT._replace(byes=byes)) == [
            ("trf-unwritable-bye", {"round": str(bye.round), "player": str(bye.player)}) for bye in byes
        ]


SAID = {
    "1-0": ("1", "0"),
    "0-1": ("0", "1"),
    "1/2-1/2": ("=", "="),
    "u1-0": ("W", "L"),
    "u0-1": ("L", "W"),
    "u1/2-1/2": ("D", "D"),
    "+/-": ("+", "-"),
    "-/+": ("-", "+"),
    "-/-": ("-", "-"),
}
