"""The table beside games of Go: its cells, what it adds to games, and what contradicts them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banzuke.core.fault import fault
from banzuke.formats.report import GoReport, ReportedGoGame
from banzuke.formats.sgf.sgf_table import GoTable, add_table, looks_like, read_table
from banzuke.words import LANGUAGES, catalogue, say

AREA = "faults/sgf_table"
HEADING = "game_id,ended,room,pair,robot,fault,black,white,moves\n"
END = "2020-04-10T21:30:00+09:00"
GAME = ReportedGoGame("one", "ben", "ann", "W", 0, 13, 19, 120, date(2020, 4, 10), file="dir/one.sgf")
TWO = [GAME._replace(game_id=f"two-{n}", file="two.sgf") for n in (1, 2)]


def table(text: str, heading: str = HEADING) -> GoTable:
    return read_table((heading + text).encode(), "t.csv")


def put(text: str, *games: ReportedGoGame, heading: str = HEADING) -> GoReport:
    return add_table(GoReport(games or (GAME,)), table(text, heading))


def addresses(report: GoReport | GoTable):
    return [(f.file, f.line, f.column, f.code) for f in report.faults]


class TestCompleting:
    def test_everything_that_a_row_says(self):
        report = put(f"one,{END},free,1,white,black,G1,G2,130\n")
        assert report.faults == ()
        assert report.games == (
            GAME._replace(
                ended=END,
                room="free",
                pair=True,
                robot="white",
                fault="black",
                black="G1",
                white="G2",
                moves=130,
            ),
        )

    def test_blank_cells_say_nothing(self):
        assert put(f"one,{END},,,,,,,\n").games == (GAME._replace(ended=END),)

    @pytest.mark.parametrize("file", ["one.sgf", "one", "games/one.sgf", r"C:\games\one.sgf"])
    def test_games_by_their_file(self, file):
        report = put(f"{file};{END}\n", heading="File;Ended\n")
        assert (report.games[0].ended, report.faults) == (END, ())

    def test_games_of_one_file_by_their_ids(self):
        report = put(f"two-2,{END}\ntwo-1,{END}\n", *TWO, heading="game_id,ended\n")
        assert ([g.ended for g in report.games], report.faults) == ([END, END], ())

    @pytest.mark.parametrize(
        ("said", "expected"),
        [
            ("2020-04-10 21:30+0900", END),
            ("2020-04-10T12:30:00Z", "2020-04-10T12:30:00+00:00"),
            ("２０２０-04-10T21:30:00+09:00", END),
        ],
    )
    def test_moments(self, said, expected):
        assert put(f"one,{said}\n", heading="game_id,ended\n").games[0].ended == expected

    def test_several_games_without_a_table_are_one_fault(self):
        report = add_table(GoReport((GAME, *TWO)), GoTable("", ()))
        assert report.games == (GAME, *TWO)
        assert report.faults == (fault("dir/one.sgf", 0, "", "sgf-no-table", games=3),)

    def test_a_game_without_an_ending_stays_with_a_fault(self):
        report = put("")
        assert report.games == (GAME,)
        assert addresses(report) == [("dir/one.sgf", 0, "", "sgf-no-ending")]
        assert add_table(GoReport((GAME,)), GoTable("", ())).faults == report.faults

    def test_faults_are_kept_and_not_doubled(self):
        broken = GoReport((GAME,), (fault("two.sgf", 3, "KM", "sgf-no-komi"),))
        report = add_table(broken, table(f"one,{END}\ntwo-1,{END}\ntwo,{END}\n", "game_id,ended\n"))
        assert addresses(report) == [("two.sgf", 3, "KM", "sgf-no-komi")]
        assert addresses(put("one,yesterday\n", heading="game_id,ended\n")) == [
            ("t.csv", 2, "ended", "sgf-table-moment")
        ]
        assert [f.code for f in put(f"one,{END}\n", heading="game,ended\n").faults] == [
            "sgf-table-column",
            "sgf-table-heading",
        ]


IN_TABLE = [
    ("sgf-table-heading", "one\n", "game_id\n", [(1, "")]),
    ("sgf-table-column", "", "game_id,ended,when\n", [(1, "when")]),
    ("sgf-table-column-twice", "", "game_id,ended,ended\n", [(1, "ended")]),
    ("sgf-table-nameless", f",{END}\n\n,{END}\n", HEADING, [(2, ""), (4, "")]),
    (
        "sgf-table-word",
        f"one,{END},club,2,both,me\n",
        HEADING,
        [(2, n) for n in ("room", "pair", "robot", "fault")],
    ),
    (
        "sgf-table-number",
        f"one,{END},,,,,,,many\ntwo,{END},,,,,,,99999\n",
        HEADING,
        [(2, "moves"), (3, "moves")],
    ),
    (
        "sgf-table-moment",
        "1,\n2,2020-04-10\n3,2020-04-10T21:30:00\n4,2020-13-10T21:30Z\n5,0001-01-01T00:00+09:00\n",
        HEADING,
        [(n, "ended") for n in range(2, 7)],
    ),
]
TOGETHER = [
    ("sgf-table-no-game", f"three,{END}\none,{END}\n", (GAME,), [(2, "")]),
    ("sgf-table-twice", f"one,{END}\none,{END}\n", (GAME,), [(3, "")]),
    ("sgf-table-moves", f"one,{END},,,,,,,119\n", (GAME,), [(2, "moves")]),
    ("sgf-table-day", "one,2020-04-13T00:00+09:00\n", (GAME,), [(2, "ended")]),
]


class TestFaults:
    @pytest.mark.parametrize(("code", "text", "heading", "places"), IN_TABLE)
    def test_of_the_table(self, code, text, heading, places):
        assert addresses(table(text, heading)) == [("t.csv", line, column, code) for line, column in places]

    @pytest.mark.parametrize(("code", "text", "games", "places"), TOGETHER)
    def test_of_both(self, code, text, games, places):
        assert addresses(put(text, *games)) == [("t.csv", line, column, code) for line, column in places]

    def test_a_file_of_several_games_is_no_name(self):
        report = put(f"two.sgf,{END}\n", *TWO, heading="file,ended\n")
        assert addresses(report)[0] == ("t.csv", 2, "file", "sgf-table-several")
        assert report.faults[0].facts == (("name", "two"), ("games", "2"))

    def test_a_smaller_number_of_moves_is_not_taken(self):
        assert put(f"one,{END},,,,,,,119\n").games[0].moves == 120

    def test_every_code_has_a_case_and_can_be_said(self):
        faults = [f for _, text, heading, _ in IN_TABLE for f in table(text, heading).faults]
        faults += [f for _, text, games, _ in TOGETHER for f in put(text, *games).faults]
        faults += [*put("").faults, *put(f"two,{END}\n", *TWO, heading="file,ended\n").faults]
        faults += add_table(GoReport(tuple(TWO)), GoTable("", ())).faults
        assert {f.code for f in faults} == set(catalogue(AREA))
        for found in faults:
            for lang in LANGUAGES:
                assert "{" not in say(AREA, found.code, lang, **dict(found.facts))


class TestFiles:
    def test_what_it_claims(self):
        assert looks_like(HEADING.encode())
        assert looks_like(b"\xef\xbb\xbffile;ended\r\n")
        for other in (b"", b"game_id,ended,black,white,result\n", b"ended\n", b"PK\x03\x04", b"\0"):
            assert not looks_like(other)

    def test_no_table(self):
        assert [f.code for f in read_table(b"\0", "t").faults] == ["sheet-no-text"]
        assert [f.code for f in read_table(b"", "t").faults] == ["sgf-table-heading"]

    @given(st.binary(max_size=200))
    def test_any_bytes_give_a_table(self, data):
        looks_like(data)
        add_table(GoReport((GAME,)), read_table(HEADING.encode() + data, "t"))
