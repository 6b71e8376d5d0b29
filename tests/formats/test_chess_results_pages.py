"""Chess-Results pages: the real ones against counts taken from their source, made-up ones, hostile ones."""

from __future__ import annotations

import time
from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples

from banzuke.formats.chess_results import export_reader, headings
from banzuke.formats.chess_results.footnotes import split_mark
from banzuke.formats.chess_results.page_reader import MOST_TAGS, looks_like, read
from banzuke.formats.report import Report, ReportedEvent, ReportedGame, ReportedPlayer
from banzuke.words import LANGUAGES, say

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "chessresults"
REAL = sorted(DATA.glob("*.html"))
needs_data = pytest.mark.skipif(
    not REAL, reason=f"needs the shared folder of real files beside the project: there is no {DATA}"
)


def real(name: str) -> Report:
    return read((DATA / name).read_bytes(), name)


def addresses(report: Report) -> list[tuple[int, str, str]]:
    return [(fault.line, fault.column, fault.code) for fault in report.faults]


def facts(report: Report, at: int = 0) -> dict[str, str]:
    return dict(report.faults[at].facts)


def table_of(rows: list[str]) -> str:
    """Rows of cells parted by `|`, a row a line; `name@7` is a name with the link of start number 7."""
    made = []
    for row in rows:
        cells = [cell.strip() for cell in row.split("|")]
        linked = [
            f'<a href="tnr5.aspx?art=9&amp;snr={cell.split("@")[1]}">{cell.split("@")[0]}</a>'
            if "@" in cell
            else cell
            for cell in cells
        ]
        made.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in linked) + "</tr>")
    return '<table class="CRs1">\n' + "\n".join(made) + "\n</table>"


def page(
    *tables: str, titles: tuple[str, ...] = (), details: str = "", action: str = "./tnr5.aspx?art=5"
) -> bytes:
    """A page with the event Cup; its first table begins in line 4."""
    head = f'<html><body>Chess-Results<form action="{action}"><table><tr><td><h2>Cup</h2>'
    head += "".join(f"<h2>{title}</h2>" for title in titles)
    return (
        f"{head}\n{details}\n".encode()
        + "\n".join(tables).encode()
        + b"</td></tr></table></form></body></html>"
    )


def crosstable(*rows: str, headings: str = "No.||Name|Rtg|1.Rd|Pts.|Rk.", **more: str) -> Report:
    details = "<table><tr><td>Number of rounds</td><td>1</td></tr></table>"
    return read(page(table_of([headings, *rows]), details=details, **more), "x")


ONE, TWO = "1|GM|Abe|2000|2w1|1|1", "2||Ito|1900|1b0|0|2"


@needs_data
class TestRealPages:
    """Counts by regular expressions over the source, apart from the reader; the arbiter's words by eye."""

    def test_arad_is_read_whole(self) -> None:
        report = real("arad2026_a_crosstable.html")
        assert (report.faults, report.remarks, report.part) == ((), (), None)
        assert len(report.players) == 209
        assert Counter(game.result for game in report.games) == {
            "1-0": 343,
            "0-1": 267,
            "1/2-1/2": 285,
            "-/+": 3,
            "-/-": 1,
        }
        assert report.event == ReportedEvent(
            name="19th Arad Open Grand Prix Classic (part of Romania Grand Prix series) "
            "A Tournament (above 2000 rating)",
            place="Amiral Events & Style Arad",
            federation="ROU",
            organiser="Romanian Chess Federation & Vados Chess Club",
            responsible="IA Radu-Catalin Chirila (1202642)",
            speed="standard",
            time_control="90 minutes/40 moves + 15 min KO + 30 sec/move",
            fide_rated=True,
            starts=date(2026, 8, 3),
            ends=date(2026, 8, 9),
            rounds=9,
            source="tnr1342553",
        )

    def test_the_british_crosstable_was_saved_in_its_last_round(self) -> None:
        """Round 9 has 47 pairings without a result and 3 with one; the column TB1 is the points."""
        report = real("british2026_champ_crosstable_final.html")
        assert (len(report.players), report.event.rounds, report.event.source) == (108, 9, "tnr1452107")
        assert Counter(game.result for game in report.games) == {
            "1-0": 143,
            "0-1": 140,
            "1/2-1/2": 136,
            "+/-": 1,
            "-/+": 1,
        }
        assert addresses(report) == [(191, "9.Rd", "crosstable-no-result"), (0, "", "cr-under-way")]
        assert facts(report, 1) == {"count": "47", "rounds": "9"}

    def test_the_british_points_are_checked_in_tb1(self) -> None:
        source = (DATA / "british2026_champ_crosstable_final.html").read_bytes()
        wrong = source.replace(b'<td class="CRc">6,5</td></tr>', b'<td class="CRc">7,5</td></tr>', 1)
        report = read(wrong, "x")
        assert addresses(report)[0] == (191, "TB1", "crosstable-points")
        assert facts(report) == {"player": "3", "said": "7,5", "sum": "6.5"}

    def test_the_first_british_round(self) -> None:
        report = real("british2026_champ_r1.html")
        assert (report.faults, report.part, len(report.players)) == ((), frozenset({1}), 108)
        assert Counter(game.result for game in report.games) == {"1-0": 19, "0-1": 23, "1/2-1/2": 11}
        assert report.games[0] == ReportedGame(1, 54, 1, "0-1", date(2026, 8, 1), 189)
        assert report.players[53] == ReportedPlayer(54, "Bowcott-Terry, Finlay", rating=2232, line=189)

    def test_the_last_british_round_is_under_way(self) -> None:
        report = real("british2026_champ_r9.html")
        assert (report.part, report.event.rounds) == (frozenset({9}), 9)
        assert Counter(game.result for game in report.games) == {"1/2-1/2": 2, "+/-": 1}
        assert addresses(report) == [(189, "Result", "cr-no-result"), (0, "", "cr-under-way")]
        assert facts(report)["count"] == "47"

    @pytest.mark.parametrize("name", ["british2026_champ_r1.html", "british2026_champ_r9.html"])
    def test_the_mark_of_a_footnote_is_no_part_of_a_british_name(self, name: str) -> None:
        report = real(name)
        assert next(p.name for p in report.players if p.number == 23) == "Hebden, Mark L"
        (remark,) = report.remarks
        assert say("faults/chess_results", remark.code, "en", **dict(remark.facts)) == (
            "The mark “*)” behind the name (Hebden, Mark L) was left out; "
            "the page says of it: “This player is assigned to a fixed board”."
        )

    def test_the_british_starting_rank(self) -> None:
        report = real("british2026_champ_startingrank.html")
        assert (report.faults, report.games, report.part) == ((), (), frozenset())
        assert Counter(player.sex for player in report.players) == {"": 93, "w": 15}
        assert all(player.fide_id and player.rating for player in report.players)
        assert sum(not player.national_id for player in report.players) == 2  # printed as 0
        assert len({player.fide_id for player in report.players}) == 108
        first = ReportedPlayer(1, "Mcshane, Luke J", "404853", "136665", 2597, "ENG", "", None, 189)
        assert report.players[0] == first

    def test_jeddah_is_in_its_second_round_of_seven(self) -> None:
        report = real("jeddah2026_crosstable.html")
        assert (len(report.players), report.event.rounds) == (32, 7)
        assert sum(player.rating is None for player in report.players) == 11
        assert Counter(game.result for game in report.games) == {"1-0": 6, "0-1": 7, "+/-": 1, "-/+": 1}
        assert addresses(report) == [
            *[(191, "", "cr-rounds-missing"), (191, "2.Rd", "crosstable-no-result"), (0, "", "cr-under-way")]
        ]
        assert facts(report) == {"rounds": "3, 4, 5, 6, 7", "expected": "7"}

    def test_the_round_robin(self) -> None:
        """31 won, 31 lost, 8 drawn halves and one forfeit stand in 72 cells."""
        report = real("ussa2026_roundrobin_crosstable.html")
        assert (report.faults, report.part, report.event.rounds, len(report.players)) == ((), None, 9, 9)
        results = Counter(game.result for game in report.games)
        assert results["1-0"] + results["0-1"] == 31
        assert (results["1/2-1/2"], results["+/-"] + results["-/+"], len(report.games)) == (4, 1, 36)
        shoba = [g for g in report.games if {g.white, g.black} == {2, 8}]
        assert [(g.white, g.result) for g in shoba] in ([(2, "+/-")], [(8, "-/+")])
        assert [remark.code for remark in report.remarks] == ["cr-rounds-by-berger"]

    def test_every_page_is_recognised_by_this_reader_only(self) -> None:
        for path in REAL:
            assert looks_like(path.read_bytes()), path.name
            assert not export_reader.looks_like(path.read_bytes()), path.name

    def test_a_page_in_utf_16(self) -> None:
        path = REAL[0]
        data = path.read_text("utf-8").encode("utf-16")
        assert looks_like(data)
        found, known = read(data, path.name), read(path.read_bytes(), path.name)
        assert (found.event, len(found.games)) == (known.event, len(known.games))


class TestCrosstables:
    def test_a_small_one(self) -> None:
        report = crosstable(ONE, TWO)
        assert (report.faults, report.part) == ((), None)
        assert report.players == (
            ReportedPlayer(1, "Abe", rating=2000, line=5),
            ReportedPlayer(2, "Ito", rating=1900, line=6),
        )
        assert report.games == (ReportedGame(1, 1, 2, "1-0", None, 5),)
        assert (report.event.name, report.event.source, report.event.rounds) == ("Cup", "tnr5", 1)

    @pytest.mark.parametrize(
        ("rows", "fault", "said"),
        [
            (["x||Abe|1|-0|0|", TWO], (5, "No.", "cr-bad-number"), {"text": "x", "name": "Abe"}),
            (
                [ONE, "1||Ito|1900|1b0|0|2"],
                (6, "No.", "cr-number-twice"),
                {"number": "1", "name": "Ito", "other": "Abe"},
            ),
            ([ONE, "2|||1900|1b0|0|2"], (6, "Name", "cr-nameless"), {"number": "2"}),
            ([ONE, "2||Ito|19x|1b0|0|2"], (6, "Rtg", "cr-bad-rating"), {"text": "19x", "name": "Ito"}),
            ([ONE, "2||Ito|1900|1w0|0|2"], (6, "1.Rd", "crosstable-same-colour"), None),
        ],
    )
    def test_faults(self, rows: list[str], fault: tuple[int, str, str], said: dict[str, str] | None) -> None:
        report = crosstable(*rows)
        assert addresses(report) == [fault]
        assert said in (None, facts(report))

    def test_numbers_in_the_cells_are_the_ranks_where_these_are_answered(self) -> None:
        headings = "Rk.|SNo||Name|1.Rd|Pts."
        ranked = ("1|7||Abe|2w1|1", "2|3||Ito|1b0|0", "3|2||Oda|-1|1", "4|1||Mori|-0|0")
        assert [player.number for player in crosstable(*ranked, headings=headings).players] == [1, 2, 3, 4]
        by_start = ("1|7||Abe|3w1|1", "2|3||Ito|7b0|0", "3|2||Oda|-1|1", "4|1||Mori|-0|0")
        report = crosstable(*by_start, headings=headings)
        assert (report.faults, [player.number for player in report.players]) == ((), [7, 3, 2, 1])

    def test_a_round_twice_and_a_round_too_many(self) -> None:
        twice = crosstable("1||Abe|-1|-1|2", headings="No.||Name|1.Rd|1.Rd|Pts.")
        assert (addresses(twice), facts(twice)) == ([(4, "1.Rd", "cr-round-twice")], {"round": "1"})
        more = crosstable("1||Abe|-1|-1|2", headings="No.||Name|1.Rd|2.Rd|Pts.")
        assert (addresses(more), facts(more)) == ([(4, "", "cr-more-rounds")], {"last": "2", "expected": "1"})

    def test_a_second_crosstable_is_not_read(self) -> None:
        both = table_of(["No.||Name|1.Rd", "1||Abe|2w1", "2||Ito|1b0"])
        report = read(page(both, both, titles=("Final ranking crosstable after 1 Rounds",)), "x")
        assert (addresses(report), len(report.games)) == ([(9, "", "cr-second-table")], 1)

    def test_an_empty_one(self) -> None:
        assert addresses(crosstable()) == [(4, "", "cr-no-players")]

    @pytest.mark.parametrize(
        ("title", "rounds", "expected"),
        [
            ("Final Ranking crosstable after 1 Rounds", 1, []),
            ("Endtabelle nach 1 Runden", 1, []),
            ("Cuadro cruzado por clasificación final después de 1 rondas", 1, []),
            ("Starting rank crosstable", 1, ["remark cr-rounds-unknown"]),
            ("Ranking crosstable after Round 1", 1, ["cr-not-final"]),
            ("Tabelle nach der 1. Runde", 1, ["cr-not-final"]),
            ("第1回戦終了後の順位", 1, ["cr-not-final"]),
            ("Grille américaine après ronde 1", 1, ["cr-not-final"]),
            ("Quadro cruzado por classificação após a ronda 1", 1, ["cr-not-final"]),
            ("Tabela po 1 rundzie", 1, ["cr-not-final"]),
            ("Final Ranking crosstable after 3 Rounds", 3, ["cr-rounds-missing"]),
        ],
    )
    def test_whether_it_is_over(self, title: str, rounds: int, expected: list[str]) -> None:
        report = read(page(table_of(["No.||Name|1.Rd", "1||Abe|2w1", "2||Ito|1b0"]), titles=(title,)), "x")
        found = [fault.code for fault in report.faults] + [
            f"remark {remark.code}" for remark in report.remarks
        ]
        assert (report.event.rounds, found) == (rounds, expected)

    def test_the_links_to_the_rounds_say_how_many_there_are(self) -> None:
        links = "<table><tr><td>Paarungen</td><td>Rd.1, Rd.2/3 , nicht ausgelost</td></tr></table>"
        report = read(page(table_of(["No.||Name|1.Rd", "1||Abe|2w1", "2||Ito|1b0"]), details=links), "x")
        assert (report.event.rounds, addresses(report)) == (3, [(4, "", "cr-rounds-missing")])


class TestNames:
    """The title of a table is no event's name."""

    @pytest.mark.parametrize(
        "title",
        [
            *["Final Ranking crosstable after 5 Rounds", "Rank after Round 3", "Starting rank crosstable"],
            *["Endtabelle nach 7 Runden", "Classement final après 9 rondes", "Pairings/Results", "最終順位"],
        ],
    )
    def test_of_a_table(self, title: str) -> None:
        assert headings.is_table_title(title)
        plain = f"<html><title>Chess-Results Server Chess-results.com - Cup</title><h2>{title}</h2>"
        assert (
            read(plain.encode() + page()[len("<html>") :].replace(b"<h2>Cup</h2>", b""), "x").event.name
            == "Cup"
        )
        export = f"Chess-Results\n{title}\nNo.,Name,Rtg,1.Rd,Pts.\n1,Abe,2000,2w1,1\n2,Ito,1900,1b0,0\n"
        assert export_reader.read(export.encode(), "x").event.name == ""

    @pytest.mark.parametrize(
        "name", ["Grand Final 2026", "Finale 2025", "The Ranking Cup", "Round Robin Open"]
    )
    def test_of_an_event(self, name: str) -> None:
        assert not headings.is_table_title(name)


class TestFootnotes:
    @pytest.mark.parametrize(
        ("written", "name", "mark"),
        [
            ("Abe, Jun *)", "Abe, Jun", "*)"),
            ("Abe, Jun **", "Abe, Jun", "**"),
            ("阿部 純＊）", "阿部 純", "*)"),
            ("Abe, Jun † 2)", "Abe, Jun", "† 2)"),
            ("Abe, Jun¹", "Abe, Jun", "1"),
            ("Abe, Jun [*]", "Abe, Jun", "[*]"),
            ("Xiao Tong(Qd)", "Xiao Tong(Qd)", ""),
            ("Abe  Jun (2)", "Abe Jun (2)", ""),
            ("*", "*", ""),
            ("", "", ""),
        ],
    )
    def test_marks_behind_a_name(self, written: str, name: str, mark: str) -> None:
        assert split_mark(written) == (name, mark)

    def test_in_a_crosstable_without_a_note(self) -> None:
        report = crosstable(ONE.replace("Abe", "Abe *"), TWO)
        assert ([player.name for player in report.players], report.faults) == (["Abe", "Ito"], ())
        assert [remark.code for remark in report.remarks if remark.code.startswith("cr-mark")] == ["cr-mark"]

    def test_one_player_with_and_without_a_mark(self) -> None:
        """Two rounds of a page without start numbers."""
        rows = ["White|Result|Black", "Abe *)|1 - 0|Ito"], ["White|Result|Black", "Ito|1 - 0|Abe"]
        tables = [f"<h3>Round {n}</h3>{table_of(table)}" for n, table in enumerate(rows, 1)]
        report = read(page(*tables), "x")
        assert (len(report.players), len(report.games), report.faults) == (2, 2, ())

    @pytest.mark.parametrize("marks", ["*", " *", "(*)", "*)", " 1)"])
    def test_a_name_of_thousands_of_marks_takes_no_time(self, marks):
        began = time.process_time()
        assert split_mark(marks * 2_000 + "x")[1] == ""
        assert time.process_time() - began < 0.2


class TestRoundRobins:
    ROWS = ("1||Abe|*|1|½|1,5", "2||Ito|0|*|1|1", "3||Oda|½|0|*|0,5")

    def table(self, first: str = "No.", **more: str) -> Report:
        return read(page(table_of([f"{first}||Name|1|2|3|Pts.", *self.ROWS]), **more), "x")

    def test_a_small_one(self) -> None:
        report = self.table()
        assert report.faults == ()
        assert report.games == (
            ReportedGame(1, 2, 3, "1-0", None, 6),
            ReportedGame(2, 1, 2, "1-0", None, 5),
            ReportedGame(3, 3, 1, "1/2-1/2", None, 7),
        )
        assert [remark.code for remark in report.remarks] == ["cr-rounds-by-berger"]

    def test_by_rank_says_that_the_rounds_are_not_those_played(self) -> None:
        assert [remark.code for remark in self.table("Rk.").remarks] == ["cr-rounds-by-rank"]

    def test_another_number_of_rounds_is_a_fault(self) -> None:
        report = self.table(details="<table><tr><td>Number of rounds</td><td>5</td></tr></table>")
        assert addresses(report) == [(4, "", "cr-rounds-do-not-fit")]
        assert facts(report) == {"said": "5", "players": "3", "rounds": "3"}

    def test_a_double_one(self) -> None:
        rows = ["No.||Name|1a|1b|2a|2b|Pts.", "1||Abe|*|*|1|0|1", "2||Ito|0|1|*|*|1"]
        report = read(page(table_of(rows)), "x")
        assert (report.faults, report.event.rounds) == ((), 2)
        assert [(g.round, g.white, g.result) for g in report.games] == [(1, 1, "1-0"), (2, 2, "1-0")]


class TestPairings:
    HEADINGS = "Bo.||White|Rtg|Pts.|Result|Pts.||Black|Rtg"

    def round(
        self, *rows: str, title: str = "Round 3 on 2026/08/03 at 10:00", headings: str = "", **more: str
    ) -> Report:
        return read(page(table_of([headings or self.HEADINGS, *rows]), titles=(title,), **more), "x")

    def test_a_round_in_which_nobody_is_paired_yet(self) -> None:
        report = self.round("1||Abe@7|2000|3|0|||not paired|", "2||Ito@3|1900|3|0|||not paired|")
        assert (addresses(report), facts(report)) == ([(4, "", "cr-nobody-paired")], {"round": "3"})

    @pytest.mark.parametrize(("said", "points"), [("1", 2), ("½", 1), ("0", 0), ("+", 2), ("", 0)])
    def test_points_without_an_opponent(self, said: str, points: int) -> None:
        report = self.round("1||Abe@7|2000|0|1 - 0|0||Ito@3|1900", f"2||Ono@4|1800|0|{said}|||not paired|")
        assert (report.faults, len(report.games)) == ((), 1)
        assert [tuple(bye) for bye in report.byes] == ([(3, 4, points)] if points else [])

    def test_a_crosstables_byes(self) -> None:
        report = crosstable(ONE, TWO, "3||Ono|1800|-1|1|3")
        assert (report.faults, [tuple(bye) for bye in report.byes]) == ((), [(1, 3, 2)])

    @pytest.mark.parametrize(
        ("said", "result"),
        [
            *[("1 - 0", "1-0"), ("0 - 1", "0-1"), ("½ - ½", "1/2-1/2"), ("+ - -", "+/-"), ("- - +", "-/+")],
            *[("- - -", "-/-"), ("1:0", "1-0"), ("½:½", "1/2-1/2"), ("1–0", "1-0"), ("１－０", "1-0")],
        ],
    )
    def test_results(self, said: str, result: str) -> None:
        report = self.round(f"1||Abe@7|2000|0|{said}|0||Ito@3|1900")
        assert (report.faults, report.part) == ((), frozenset({3}))
        assert report.games == (ReportedGame(3, 7, 3, result, date(2026, 8, 3), 5),)
        assert [(p.number, p.name, p.rating) for p in report.players] == [(3, "Ito", 1900), (7, "Abe", 2000)]

    @pytest.mark.parametrize(
        "row",
        [
            "2||Oda@4|1800|0|1|||bye|",
            "2||Oda@4|1800|0|0|||not paired|",
            "2||Oda@4|1800|0|½|||spielfrei|",
            "2||Oda@4|1||||||",
        ],
    )
    def test_byes_are_players_without_a_game(self, row: str) -> None:
        report = self.round("1||Abe@7|2000|0|1 - 0|0||Ito@3|1900", row)
        assert (report.faults, len(report.games), [p.number for p in report.players]) == ((), 1, [3, 4, 7])

    @pytest.mark.parametrize(
        ("title", "number", "day"),
        [
            *[("1. Runde am 2026/08/03 um 10 Uhr", 1, date(2026, 8, 3)), ("Ronda 12", 12, None)],
            *[
                ("2. Тур on 2026/06/18 в 10:15", 2, date(2026, 6, 18)),
                ("第5回戦 2026/06/18", 5, date(2026, 6, 18)),
            ],
            *[("Rd. 4 on 18.06.2026", 4, date(2026, 6, 18)), ("Round 7", 7, None)],
        ],
    )
    def test_the_round_and_its_day_stand_in_the_title(
        self, title: str, number: int, day: date | None
    ) -> None:
        report = self.round("1||Abe@7|2000|0|1 - 0|0||Ito@3|1900", title=title)
        assert [(game.round, game.played) for game in report.games] == [(number, day)]

    def test_or_in_the_address(self) -> None:
        row = "1||Abe@7|2000|0|1 - 0|0||Ito@3|1900"
        assert self.round(row, title="Pairings", action="./tnr5.aspx?art=2&amp;rd=8").part == frozenset({8})
        report = self.round(row, title="Pairings")
        assert (addresses(report), facts(report)) == ([(4, "", "cr-no-round")], {"title": "Pairings"})

    def test_all_rounds_of_a_page(self) -> None:
        tables = [
            f"<h3>{n}. Runde</h3>" + table_of([self.HEADINGS, f"1||Abe@1|1|0|{said}|0||Ito@2|1"])
            for n, said in ((1, "1 - 0"), (2, "½ - ½"))
        ]
        report = read(page(*tables), "x")
        assert (report.faults, report.part) == ((), frozenset({1, 2}))
        assert [game.result for game in report.games] == ["1-0", "1/2-1/2"]
        assert addresses(read(page(tables[0], tables[0]), "x"))[0][2] == "cr-round-twice"

    def test_two_names_around_a_result_with_numbers_beside_them(self) -> None:
        headings = "Bo.|No.|Rtg|Name|Result|Name|Rtg|No."
        report = self.round("1|7|2000|Abe|1 - 0|Ito|1900|3", "2|4|1800|Oda|1|bye||", headings=headings)
        assert (report.faults, [(g.white, g.black) for g in report.games]) == ((), [(7, 3)])
        assert [(p.number, p.rating) for p in report.players] == [(3, 1900), (4, 1800), (7, 2000)]
        bad = self.round("1|x|2000|Abe|1 - 0|Ito|1900|3", headings=headings)
        assert (addresses(bad), facts(bad)) == ([(5, "No.", "cr-bad-number")], {"text": "x", "name": "Abe"})

    def test_without_numbers_players_are_numbered_here(self) -> None:
        report = self.round("1||Abe|2000|0|1 - 0|0||Ito|1900", "2||Oda|1800|0|1|||bye|")
        assert [(p.number, p.name) for p in report.players] == [(1, "Abe"), (2, "Ito"), (3, "Oda")]
        assert [remark.code for remark in report.remarks] == ["cr-numbered-here"]

    @pytest.mark.parametrize(
        ("rows", "fault", "said"),
        [
            (
                ["1||Abe@1|1|0|2 - 0|0||Ito@2|1"],
                (5, "Result", "cr-bad-result"),
                {"round": "3", "white": "Abe", "black": "Ito", "text": "2 - 0"},
            ),
            (
                ["1||Abe@1|1|0|1 - 0|0||Ito@2|1", "2||Oda@3|1|0|1 - 0|0||Abe@1|1"],
                (6, "Black", "cr-plays-twice"),
                {"round": "3", "name": "Abe", "number": "1"},
            ),
            (
                ["1||Abe@1|1|0|1 - 0|0||Ito@2|1", "2||Oda@2|1|0|0|||bye|"],
                (6, "White", "cr-number-twice"),
                {"number": "2", "name": "Oda", "other": "Ito"},
            ),
            (["2||Oda@3|1|0|5|||bye|"], (5, "Result", "cr-bad-result"), None),
        ],
    )
    def test_faults(self, rows: list[str], fault: tuple[int, str, str], said: dict[str, str] | None) -> None:
        report = self.round(*rows)
        assert addresses(report)[0] == fault
        assert said in (None, facts(report))


class TestDetails:
    @pytest.mark.parametrize(
        ("rows", "field", "value"),
        [
            (("Veranstalter", "SK Wien"), "organiser", "SK Wien"),
            (("Organizador(es)", "Club"), "organiser", "Club"),
            (("Hauptschiedsrichter", "IA Huber"), "responsible", "IA Huber"),
            (("Árbitro principal", "AI Ruiz"), "responsible", "AI Ruiz"),
            (("Главный судья", "Иванов"), "responsible", "Иванов"),
            (("Bedenkzeit (Rapid)", "15+10"), "speed", "rapid"),
            (("Bedenkzeit (Rapid)", "15+10"), "time_control", "15+10"),
            (("Time control (Blitz)", "3+2"), "speed", "blitz"),
            (("Lugar", "Lima"), "place", "Lima"),
            (("会場", "東京"), "place", "東京"),
            (("Föderation", "Österreich ( AUT )"), "federation", "AUT"),
            (("Anzahl der Runden", "7"), "rounds", 7),
            (("Počet kol", "7"), "rounds", 7),
            (("Datum", "01.08.2026 bis 09.08.2026"), "ends", date(2026, 8, 9)),
            (("Date", "2026/08/01"), "ends", date(2026, 8, 1)),
            (("Rating calculation", "Rating national"), "fide_rated", False),
        ],
    )
    def test_in_several_languages(self, rows: tuple[str, str], field: str, value: object) -> None:
        details = table_of(["|".join(rows)])
        report = read(page(details, table_of(["No.||Name|FED|Rtg", "1||Abe|JPN|1500"])), "x")
        assert (getattr(report.event, field), report.faults) == (value, ())

    @pytest.mark.parametrize("text", ["soon", "2026/08/09 to 2026/08/01", "2026/13/01"])
    def test_days_that_cannot_be_read(self, text: str) -> None:
        report = read(page(table_of([f"Date|{text}"]), table_of(["No.||Name|FED|Rtg", "1||Abe|JPN|1"])), "x")
        assert (addresses(report), facts(report)) == ([(4, "Date", "cr-bad-days")], {"text": text})
        assert report.event.starts is None


class TestStartingRank:
    HEADINGS = "No.||Name|ID|FideID|FED|RtgI|RtgN|sex|Birth"

    def test_what_it_gives(self) -> None:
        row = "1|WFM|Abe, Hanako|N001|7000123|JPN|1800|1750|w|1990/05/31"
        report = read(page(table_of([self.HEADINGS, row])), "x")
        assert report.players == (
            ReportedPlayer(
                1, "Abe, Hanako", "7000123", "N001", 1800, "JPN", "w", date(1990, 5, 31), 5, "", 1750
            ),
        )
        assert (report.faults, report.part) == ((), frozenset())

    @pytest.mark.parametrize(
        ("row", "column", "code"),
        [
            ("1||Abe||70x|JPN|1|1||", "FideID", "cr-bad-fide-id"),
            ("1||Abe||7|JPN|12345|1||", "RtgI", "cr-bad-rating"),
            ("1||Abe||7|JPN|1|1|q|", "sex", "cr-bad-sex"),
            ("1||Abe||7|JPN|1|1||31 June", "Birth", "cr-bad-birth-date"),
        ],
    )
    def test_faults(self, row: str, column: str, code: str) -> None:
        report = read(page(table_of([self.HEADINGS, row])), "x")
        assert addresses(report) == [(5, column, code)]
        assert facts(report)["name"] == "Abe"

    def test_a_list_of_a_team_event_counts_its_rows_and_links_the_start_numbers(self) -> None:
        rows = ["1|Xue@13|1500|JPN|Sapporo|1", "2|Wu@14|1400|JPN|Sapporo|2"]
        report = read(page(table_of(["No.|Name|Rtg|FED|Team|Bo.", *rows])), "x")
        assert ([(p.number, p.name) for p in report.players], report.faults) == (
            [(13, "Xue"), (14, "Wu")],
            (),
        )

    @pytest.mark.parametrize("row", ["1||Abe||0|JPN|0|0||1990", "1||Abe|0|||||F|"])
    def test_blanks_are_no_faults(self, row: str) -> None:
        report = read(page(table_of([self.HEADINGS, row])), "x")
        assert report.faults == ()
        assert (report.players[0].rating, report.players[0].fide_id, report.players[0].national_id) == (
            None,
            "",
            "",
        )


CELLS = ("", "No.", "Name", "1.Rd", "2.Rd", "Pts.", "Result", "White", "Black", "Rk.", "1", "2", "3", "*")
CELLS += ("2w1", "1b0", "1w½", "-1", "1a", "1b", "½", "+", "1-0")


class TestHostilePages:
    @pytest.mark.parametrize(
        ("data", "code"),
        [
            (b"", "cr-broken"),
            (b"\0\0<html>", "cr-no-text"),
            (b"<html>chess-results", "cr-no-table"),
            (b"<html>" + b"<div>" * 5000, "cr-broken"),
            (b"<html>" + b"<table><tr><td>" * 5000, "cr-broken"),
            (b"<" * (MOST_TAGS + 1), "cr-too-large"),
            (b"<html><p a='" + b"x" * 5_000_000 + b"'>", "cr-no-table"),
            (b"<html><table>" + b"<tr><td>1" * 25_000, "cr-too-large"),
            (b"<html><table><tr><td colspan=99999>1<td>2<td>3</table>", "cr-no-table"),
            (b"<html><table><tr>" + b"<td>1" * 9000, "cr-no-table"),
            (b"<!DOCTYPE html [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><html><h2>&a;</h2>", "cr-no-table"),
        ],
    )
    def test_are_refused(self, data: bytes, code: str) -> None:
        report = read(data, "x")
        assert [fault.code for fault in report.faults] == [code]
        assert report.event.name in ("", "&a;")

    @settings(max_examples=examples(200))
    @given(st.binary(max_size=300))
    def test_any_bytes_never_raise(self, data: bytes) -> None:
        assert isinstance(read(data, "x"), Report)
        assert looks_like(data) in (True, False)

    @settings(max_examples=examples(200))
    @given(
        st.lists(
            st.lists(
                st.sampled_from(CELLS),
                min_size=3,
                max_size=8,
            ),
            max_size=7,
        )
    )
    def test_any_table_never_raises_and_every_fault_has_its_sentence(self, cells: list[list[str]]) -> None:
        report = read(page(table_of(["|".join(row) for row in cells])), "x")
        for fault in (*report.faults, *report.remarks):
            area = "faults/crosstable" if fault.code.startswith("crosstable") else "faults/chess_results"
            for lang in LANGUAGES:
                assert say(area, fault.code, lang, **dict(fault.facts))

    @needs_data
    @settings(max_examples=examples(60))
    @given(st.data())
    def test_mutated_real_pages_never_raise(self, data: st.DataObject) -> None:
        source = bytearray(data.draw(st.sampled_from(REAL)).read_bytes())
        start = source.index(b"CRs1")
        for _ in range(data.draw(st.integers(1, 8))):
            at = data.draw(st.integers(start, len(source) - 1))
            size = data.draw(st.integers(0, 12))
            source[at : at + size] = data.draw(st.binary(max_size=12))
        report = read(bytes(source), "x")
        assert all(0 <= fault.line <= source.count(b"\n") + 1 for fault in report.faults)
