"""The TRF reader against real reports, every fault by its address, and made-up events read back."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples

from banzuke.formats.format_detection import recognise
from banzuke.formats.report import Report, ReportedGame, ReportedPlayer
from banzuke.formats.trf.trf_reader import read
from banzuke.words import LANGUAGES, catalogue, say

AREA = "faults/trf"
DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "trf"
REAL = sorted(DATA.glob("*.trf"))
needs_data = pytest.mark.skipif(
    not REAL, reason=f"needs the shared folder of real files beside the project: there is no {DATA}"
)


def real(name: str) -> Report:
    return read((DATA / name).read_bytes(), name)


def results(report: Report) -> dict[str, int]:
    return dict(Counter(game.result for game in report.games))


def row(number: object, *rounds: str, points: str = "", name: str = "Player", **more: str) -> str:
    """A 001 record; `rounds` are texts such as `2 w 1`, `0000 - H` or blanks."""
    cells = "".join(f"  {cell[:-4]:>4}{cell[-4:]}" if cell.strip() else " " * 10 for cell in rounds)
    return (
        f"001 {number:>4} {more.get('sex', ''):1}{more.get('title', ''):>3} {name:<33} "
        f"{more.get('rating', ''):>4} {more.get('fed', ''):3} {more.get('fide', ''):>11} "
        f"{more.get('born', ''):<10} {points:>4} {more.get('rank', ''):>4}{cells}"
    )


def written(*lines: str, end: str = "\n") -> bytes:
    return "".join(line + end for line in lines).encode()


def addresses(report: Report) -> list[tuple[int, str, str]]:
    return [(fault.line, fault.column, fault.code) for fault in report.faults]


GAME = (row(1, "2 w 1", points="1.0"), row(2, "1 b 0", points="0.0"))


@needs_data
class TestRealReports:
    """Counts taken from the files by hand or by their own records (062, 072)."""

    @pytest.mark.parametrize(
        ("name", "players", "unrated", "rounds", "expected"),
        [
            ("bbp_issue_7.trf", 60, 0, 14, {"1-0": 140, "0-1": 146, "1/2-1/2": 109, "+/-": 10, "-/+": 15}),
            ("chesspairing_basic.trf", 5, 0, 2, {"1-0": 3, "1/2-1/2": 1}),
            (
                "donostia_gros_2010_52p_mid_event.trf",
                *(52, 11, 4),
                {"1-0": 40, "0-1": 38, "1/2-1/2": 11, "+/-": 1, "-/+": 3},
            ),
            (
                "fide_tec_trf26_grandmommys_cup_team.trf",
                *(249, 0, 14),
                {"1-0": 360, "0-1": 254, "1/2-1/2": 416},
            ),
            (
                "karl_mala_2005_frankfurt_284p.trf",
                *(284, 138, 7),
                {"1-0": 393, "0-1": 329, "1/2-1/2": 248, "+/-": 2, "-/+": 8},
            ),
            ("lichess_swiss_2020_06_QLM.trf", 13, 13, 10, {"1-0": 23, "0-1": 26, "1/2-1/2": 7}),
            (
                "sharly_trf-import-test.trf",
                16,
                0,
                5,
                {"1-0": 16, "0-1": 10, "1/2-1/2": 8, "+/-": 1, "-/+": 1},
            ),
        ],
    )
    def test_sound_reports_read_whole(
        self, name: str, players: int, unrated: int, rounds: int, expected: dict[str, int]
    ) -> None:
        report = real(name)
        assert report.faults == ()
        assert len(report.players) == players
        assert sum(player.rating is None for player in report.players) == unrated
        assert report.event.rounds == rounds
        assert results(report) == expected

    def test_results_agree_with_a_count_of_the_bare_text(self) -> None:
        for path in REAL:
            if not path.name.startswith("py4swiss"):
                text = path.read_text("latin-1")
                rows = [line for line in re.split("[\r\n]+", text) if line.startswith("001")]
                cells = [line[i : i + 8] for line in rows for i in range(91, len(line), 10)]
                named = [cell for cell in cells if cell[:4].strip(" 0")]
                assert len(named) == 2 * len(read(path.read_bytes(), "").games), path.name

    @pytest.mark.parametrize(
        ("name", "address"),
        [
            ("py4swiss_incompatible_color.trf", (3, "137", "trf-same-colour")),
            ("py4swiss_incorrect_points.trf", (2, "81", "trf-points")),
            ("py4swiss_invalid_code.trf", (7, "1", "trf-unknown-record")),
            ("py4swiss_missing_result.trf", (3, "132", "trf-missing-game")),
        ],
    )
    def test_broken_reports_are_refused_at_the_place(self, name: str, address: tuple[int, str, str]) -> None:
        assert addresses(real(name)) == [address]

    @pytest.mark.parametrize(
        ("name", "planned", "rounds"),
        [
            ("donostia_gros_2010_52p_mid_event.trf", "9", "4"),
            ("bbp_issue_7.trf", "15", "14"),
            ("chesspairing_basic.trf", "3", "2"),
        ],
    )
    def test_a_pairing_programs_plan_of_more_rounds_is_a_remark(
        self, name: str, planned: str, rounds: str
    ) -> None:
        (remark,) = real(name).remarks
        assert (remark.code, dict(remark.facts)) == ("trf-planned", {"text": planned, "rounds": rounds})
        assert (DATA / name).read_bytes().splitlines()[remark.line - 1] == f"XXR {planned}".encode()

    def test_coded_time_control(self) -> None:
        event = real("fide_tec_trf26_grandmommys_cup_team.trf").event
        assert (event.base_minutes, event.increment_seconds) == (115, 30)
        assert event.time_control == "100'x40+15'+30\""

    def test_the_header(self) -> None:
        report = real("karl_mala_2005_frankfurt_284p.trf")
        assert report.event.name == "9. Karl-Mala-Gedenkturnier"
        assert (report.event.place, report.event.federation) == ("Frankfurt (Main) /GER", "")
        assert (report.event.starts, report.event.ends) == (date(2005, 7, 28), date(2005, 7, 31))
        assert (report.event.responsible, report.event.time_control) == (
            "Ralph Blum (SV Griesheim)",
            "40/120, 60",
        )

    @pytest.mark.parametrize(
        ("name", "starts", "ends"),
        [
            ("donostia_gros_2010_52p_mid_event.trf", date(2010, 9, 24), date(2010, 10, 2)),
            ("lichess_swiss_2020_06_QLM.trf", date(2020, 5, 29), date(2020, 5, 29)),
            ("sharly_trf-import-test.trf", date(2025, 9, 13), date(2025, 9, 14)),
            ("bbp_issue_7.trf", None, None),
        ],
    )
    def test_days_of_the_event(self, name: str, starts: date | None, ends: date | None) -> None:
        assert (real(name).event.starts, real(name).event.ends) == (starts, ends)

    def test_players(self) -> None:
        players = {p.number: p for p in real("sharly_trf-import-test.trf").players}
        assert players[1] == ReportedPlayer(
            *(1, "CARLSEN, Magnus", "1503014", "D50113", 2840, "NOR", "m", date(1990, 11, 30), 18),
            national_rating=2200,
            title="GM",
        )
        assert players[2] == ReportedPlayer(2, "BRUNO", "", "", 2150, "FRA", "m", None, 19)

    @pytest.mark.parametrize(
        ("said", "title"), [("WIM", "WIM"), ("g", "GM"), ("wf", "WFM"), ("NM", ""), ("", "")]
    )
    def test_a_title_as_programs_of_all_years_write_it(self, said: str, title: str) -> None:
        players = read(written(row(1, "2 w 1", points="1.0", title=said), GAME[1]), "t.trf").players
        assert [player.title for player in players] == [title, ""]

    def test_days_of_the_rounds(self) -> None:
        sharly = {g.round: g.played for g in real("sharly_trf-import-test.trf").games}
        assert sharly == {r: date(2025, 9, 13 if r <= 3 else 14) for r in range(1, 6)}
        basic = {g.round: g.played for g in real("chesspairing_basic.trf").games}
        assert basic == {1: date(2025, 1, 15), 2: date(2025, 1, 16)}
        cup = {g.round: g.played for g in real("fide_tec_trf26_grandmommys_cup_team.trf").games}
        assert (cup[1], cup[7], cup[14]) == (date(2024, 1, 1), date(2024, 1, 6), date(2024, 1, 14))


A, B = GAME
FAULTS: list[tuple[str, tuple[str, ...], list[tuple[int, int]]]] = [
    (
        "trf-unknown-record",
        (A, B, "101    3", "xyz", "JPN       A", "0", "12345"),
        [(n, 1) for n in range(3, 8)],
    ),
    ("trf-unknown-record", (A, B, "AAA    2"), [(3, 1)]),
    ("trf-record-twice", ("012 One", A, B, "012 Two", "012 One", "012"), [(4, 1)]),
    ("trf-misplaced", ("012Name", A, B), [(1, 4)]),
    ("trf-misplaced", (A, row(2, "1 b 0", name="N" * 34).replace("N ", "N", 1)), [(2, 48)]),
    ("trf-misplaced", (A.replace(" w 1", "  w 1"), B), [(1, 98)]),
    (
        "trf-misplaced",
        (row(1, "2 w 1", "2 b 1"), row(2, "1 b 0", "1 w 0")[:99] + " " + "   1 w 0"),
        [(2, 106)],
    ),
    ("trf-tab", (A, B.replace("Player ", "Play\ter")), [(2, 19)]),
    ("trf-too-long", (A, B + " " * 9990 + "x"), [(2, 10082)]),
    ("trf-bad-start-rank", (A, B, row("x"), row(""), row("0000"), row("1 2")), [(n, 5) for n in range(3, 7)]),
    ("trf-start-rank-twice", (A, B, row("0002", "1 b 0")), [(3, 5)]),
    ("trf-bad-rating", (row(1, rating="2x00"), row(2, rating="-100")), [(1, 49), (2, 49)]),
    ("trf-bad-fide-number", (row(1, fide="D50113"),), [(1, 58)]),
    ("trf-fide-number-twice", (row(1, fide="24600"), row(2, fide="00024600")), [(2, 58)]),
    ("trf-bad-sex", (row(1, sex="x"),), [(1, 10)]),
    ("trf-bad-birth-date", (row(1, born="1990/13/01"), row(2, born="1990/02/30")), [(1, 70), (2, 70)]),
    ("trf-bad-birth-date", (row(1, born="90/05/01"), row(2, born="unknown")), [(1, 70), (2, 70)]),
    ("trf-nameless", (row(1, name=""), row(2, name="", fide="5")), [(1, 15)]),
    ("trf-no-such-player", (A, B, "JPN    3      Nobody"), [(3, 5)]),
    ("trf-national-twice", (A, B, f"JPN    2 {'':48}N00001", f"FRA    2 {'':48}N00002"), [(4, 58)]),
    ("trf-national-twice", (A, B, f"JPN    2 {'':38} 1500", f"JPN    2 {'':38} 1501"), [(4, 49)]),
    ("trf-national-twice", (A, B, f"JPN    2 {'':5}山田", f"JPN    2 {'':5}川田"), [(4, 15)]),
    ("trf-bad-rating", (A, B, f"JPN    2 {'':38} 15O0"), [(3, 49)]),
    ("trf-misplaced", (A, B, f"JPN    2 {'':37} 1500"), [(3, 48)]),
    ("trf-tab", (A, B, "JPN    2 m\tYamada"), [(3, 11)]),
    ("trf-bad-round-count", ("142 five", A, B), [(1, 5)]),
    ("trf-bad-round-count", ("142 1000", A, B), [(1, 5)]),
    ("trf-bad-round-count", ("142 " + "1" * 5000, A, B), [(1, 5)]),
    ("trf-beyond-plan", ("XXR 1", row(1, "2 w 1", "2 b 1"), row(2, "1 b 0", "1 w 0")), [(1, 5)]),
    ("trf-round-count", ("142 1", row(1, "2 w 1", "2 b 1"), row(2, "1 b 0", "1 w 0")), [(1, 5)]),
    ("trf-under-way", (A, B, "142   5"), [(3, 5)]),
    ("trf-under-way", ("142 9", row(1), row(2)), [(1, 5)]),
    (
        "trf-bad-points",
        (row(1, points="x"), row(2, points="1.55"), row(3, points="-1")),
        [(1, 81), (2, 81), (3, 81)],
    ),
    ("trf-points", (A.replace("1.0", "0.5"), B), [(1, 81)]),
    ("trf-points-unnamed", (row(1, "2 w 1", "", points="1.5"), row(2, "1 b 0", "0000 - Z")), [(1, 81)]),
    ("trf-points", (row(1, "2 w 1", "0000 - H", points="2.0"), row(2, "1 b 0")), [(1, 81)]),
    ("trf-points", (row(1, "2 w 1", points="0.0"), row(2, "1 b 0", "0000 - U")), [(1, 81)]),
    ("trf-player-count", ("062 3", A, B), [(1, 5)]),
    ("trf-player-count", ("062 3 (2)", A, B), [(1, 5)]),
    ("trf-bad-player-count", ("062 two", A, B), [(1, 5)]),
    ("trf-bad-player-count", ("062 2 (two)", A, B), [(1, 5)]),
    ("trf-bad-player-count", ("062 " + "2" * 5000, A, B), [(1, 5)]),
    ("trf-bad-day", ("042 06/26/2020", "052 25/09/13", "132 2020/02/30", A, B), [(1, 5), (2, 5), (3, 5)]),
    ("trf-bad-day", ("042 Junk 26, 2020", f"132{'':88}20/06/26  26/13/20", A, B), [(1, 5), (2, 102)]),
    ("trf-ends-before-start", ("042 2020/06/26", "052 2020/06/25", "132 2020/06/26", A, B), [(2, 5)]),
    (
        "trf-round-dated-twice",
        ("132 2020/06/26", f"132{'':88}20/06/26  20/06/27", "132 2020/06/28", A, B),
        [(3, 5)],
    ),
    ("trf-round-outside-event", ("042 2020/06/26", "132 20/06/25", A, B), [(2, 5)]),
    ("trf-round-outside-event", ("052 2020/06/26", f"132{'':98}20/06/27", A, B), [(2, 102)]),
    ("trf-bad-opponent", (row(1, "x w 1"), row(2, "-1 b 0")), [(1, 92), (2, 92)]),
    ("trf-no-opponent", (row(1, "0000 w 1"), row(2, "     =", "0000 w H")), [(1, 92), (2, 92), (2, 102)]),
    ("trf-no-opponent", (row(1, "", "     b  "),), [(1, 102)]),
    ("trf-bad-colour", (row(1, "2 x 1"), row(2, "1 b 0", "0000 s H")), [(1, 97), (2, 107)]),
    ("trf-no-colour", (row(1, "2 w 1"), row(2, "1 - 0")), [(2, 97)]),
    ("trf-no-colour", (row(1, "2   D"), row(2, "1   D")), [(1, 97), (2, 97)]),
    ("trf-bad-result", (row(1, "2 w X"), row(2, "1 b 0", "0000 - 5")), [(1, 99), (2, 109)]),
    ("trf-no-result", (row(1, "2 w  "), row(2, "1 b  ")), [(1, 99), (2, 99)]),
    ("trf-no-result", (row(1, "2 w  "), row(2, "1 b 0")), [(1, 99)]),
    ("trf-bye-with-opponent", (row(1, "2 w H"), row(2, "1 b u")), [(1, 99), (2, 99)]),
    ("trf-plays-self", (row(1, "1 w 1"), row(2, "2 - -")), [(1, 92), (2, 92)]),
    ("trf-no-such-opponent", (row(1, "3 w 1"), row(2, "0000 - U", "9999 b +")), [(1, 92), (2, 102)]),
    ("trf-missing-game", (row(1, "2 w 1"), row(2), row(3, "", "1 w =")), [(1, 102), (2, 92)]),
    ("trf-not-answered", (row(1, "2 w 1"), row(2, "3 w 1"), row(3, "2 b 0")), [(1, 92)]),
    ("trf-not-answered", (row(4, "5 w 1"), row(5, "0000 - U")), [(1, 92)]),
    (
        "trf-same-colour",
        (row(2, "1 w 1"), row(1, "2 w 0"), row(4, "3 b +"), row(3, "4 b -")),
        [(2, 97), (4, 97)],
    ),
    ("trf-results-clash", (row(1, "2 - +"), row(2, "1 - +")), [(2, 99)]),
]


class TestSettledDays:
    """Days that another record of the file settles."""

    def test_a_day_of_a_round_that_only_the_event_settles(self) -> None:
        days = f"132{'':88}11.25.02  11.26.02"
        report = read(written("042 25.02.2011", "052 26.02.2011", days, *GAME), "x")
        assert report.faults == ()
        assert report.games[0].played == date(2011, 2, 25)
        assert [(f.line, f.column, f.code) for f in report.remarks] == [(3, "92", "trf-day-by-event")]

    def test_a_day_that_stays_open(self) -> None:
        days = f"132{'':88}13.11.12  13.25.02"
        long_event = read(written("042 2012/11/01", "052 2025/12/31", days, *GAME), "x")
        no_event = read(written(f"132{'':88}11.25.02", *GAME), "x")
        assert addresses(long_event) == [(3, "102", "trf-bad-day")]
        assert addresses(no_event) == [(1, "92", "trf-bad-day")]

    def test_a_day_of_the_event_that_a_round_has_too(self) -> None:
        days = f"132{'':88}10.09.13  11.03.13"
        report = read(written("042 10.09.13", "052 11.03.13", days, *GAME), "x")
        assert (report.faults, report.event.starts, report.event.ends) == (
            (),
            date(2010, 9, 13),
            date(2011, 3, 13),
        )


def test_byes_as_older_programs_write_them() -> None:
    byes = row(1, "0000 - 1", "0000 - =", "0000 - 0", "2 w 1", points="2.5")
    report = read(written(byes, row(2, "", "", "", "1 b 0", points="0.0")), "x")
    assert report.faults == ()
    assert report.byes == ((1, 1, 2), (2, 1, 1))
    assert len(report.games) == 1


def test_a_ruler_that_counts_from_0() -> None:
    assert read(written("012 Cup", "0123456789" * 12, *GAME), "x").faults == ()


class TestFaults:
    @pytest.mark.parametrize(
        ("code", "lines", "places"), FAULTS, ids=[f"{n}-{f[0]}" for n, f in enumerate(FAULTS)]
    )
    def test_by_line_and_column(
        self, code: str, lines: tuple[str, ...], places: list[tuple[int, int]]
    ) -> None:
        assert addresses(read(written(*lines), "x.trf")) == [(line, str(at), code) for line, at in places]

    @pytest.mark.parametrize("results", ["11", "1=", "W0", "1L", "WD", "++", "00", "=0", "+0", "1-"])
    def test_results_that_do_not_fit(self, results: str) -> None:
        report = read(written(row(1, f"2 w {results[0]}"), row(2, f"1 b {results[-1]}")), "x")
        assert addresses(report) == [(2, "99", "trf-results-clash")]

    def test_no_players(self) -> None:
        for data in (b"", b"\n\n", b"012 Cup\n", b"\xef\xbb\xbf"):
            assert addresses(read(data, "x")) == [(0, "", "trf-no-players")]

    @pytest.mark.parametrize(
        "data",
        [b"###\n" * 450_000, b"\r" * 450_000, b"012 " + b"x" * (6 << 20)],
        ids=["lines", "CR", "bytes"],
    )
    def test_too_big(self, data: bytes) -> None:
        report = read(data, "x")
        assert [(f.line, f.column, f.code) for f in report.faults] == [(0, "", "trf-too-big")]
        assert report.players == ()

    def test_too_many_rounds_for_so_many_players(self) -> None:
        rows = [row(n) for n in range(1, 1102)]
        rows[7] += " " * (910 * 10) + "  0000 - H"
        report = read(written(*rows), "x")
        assert addresses(report) == [(0, "", "trf-too-big")]
        assert (len(report.players), report.games) == (1101, ())

    def test_not_more_faults_than_anyone_reads(self) -> None:
        assert len(read(b"xyz\n" * 30_000, "x").faults) == 10_000

    def test_no_letters(self) -> None:
        assert addresses(read(row(1, name="Müller\x90").encode("latin-1"), "x")) == [
            (1, "21", "trf-encoding")
        ]
        assert addresses(read(row(1, name="Mü•ler").encode("cp1252"), "x")) == [(1, "17", "trf-encoding")]
        cyrillic = (
            written(row(1, name="Смирнов Петр", title="g"), row(2, name="Волкова Анна"))
            .decode()
            .encode("cp1251")
        )
        assert addresses(read(cyrillic, "x")) == [(1, "15", "trf-encoding")]
        assert addresses(read(b"012 A\r\n022 b\x00", "x"))[1:] == [(2, "6", "trf-encoding")]
        japanese = written(*GAME).decode() + "\n012 藤原杯"
        assert addresses(read(japanese.encode("euc_jp"), "x"))[-1] == (4, "6", "trf-encoding")
        assert addresses(read(japanese.replace("\n", "\r").encode("euc_jp"), "x")) == [
            (4, "6", "trf-encoding")
        ]

    @pytest.mark.parametrize("name", ["FUJIWARA Yuto³", "A½ B", "¿C", "D×¹€‚"])
    def test_a_name_in_utf_8_may_have_any_sign(self, name: str) -> None:
        report = read(written(row(1, "2 w 1", name=name), GAME[1]), "x")
        assert (report.faults, report.players[0].name) == ((), name)

    @pytest.mark.parametrize(("name", "column"), [("MÃ¼ller", 16), ("JosÃ©", 18), ("GarcÃ\xada", 19)])
    def test_utf_8_encoded_twice(self, name: str, column: int) -> None:
        rows = written(row(1, "2 w 1", name=name), GAME[1])
        assert addresses(read(rows, "x")) == [(1, str(column), "trf-lost-letter")]
        assert (
            addresses(read(rows.decode().encode("cp1252") + b"\n### \xe9t\xe9", "x"))[0][2] == "trf-encoding"
        )

    def test_a_sign_of_a_guessed_encoding_that_no_name_has(self) -> None:
        mac = written("012 10 € cup", row(1, "2 w 1", name="García,"), GAME[1]).decode()
        for name, column in (("Garc’a‡,", 21), ("D×¹,", 17)):
            data = mac.replace("García,", name).encode("cp1252")
            assert addresses(read(data, "x"))[0] == (2, str(column), "trf-encoding")
        assert read(mac.encode("cp1252"), "x").faults == ()

    def test_a_letter_that_was_lost_before(self) -> None:
        report = read(written(row(1, "2 w 1", name="M\ufffdller"), GAME[1]), "x")
        assert addresses(report) == [(1, "16", "trf-lost-letter")]

    def test_every_code_has_a_case_and_a_sentence(self) -> None:
        codes = {code for code, _, _ in FAULTS} | {
            "trf-no-players",
            "trf-encoding",
            "trf-lost-letter",
            "trf-too-big",
            "trf-planned",
            "trf-comment",
            "trf-start-ranks-missing",
            "trf-day-by-event",
            "trf-short-time",
        }
        assert codes == {code for code in catalogue(AREA) if not code.startswith("trf-unwritable-")}

    def test_every_fault_can_be_said(self) -> None:
        reports = [read(written(*lines), "x") for _, lines, _ in FAULTS]
        reports += [read(b"", "x"), read(b"012 \x81\n", "x")]
        for fault in (fault for report in reports for fault in report.faults):
            for lang in LANGUAGES:
                sentence = say(AREA, fault.code, lang, **dict(fault.facts))
                assert "{" not in sentence
                assert len(sentence) > len(fault.code)

    def test_sentences_name_the_facts(self) -> None:
        (fault,) = read(written(row(1, "2 w 1"), row(2, "1 b =")), "x").faults
        assert say(AREA, fault.code, "en", **dict(fault.facts)).startswith(
            "Round 1: player 2 has the result =, player 1 (line 1) has 1, and these do not fit"
        )

    def test_in_the_order_of_the_lines(self) -> None:
        report = read(written("042 x", A.replace("1.0", "3.0"), B, "062 5", "XYZ"), "x")
        assert [fault.line for fault in report.faults] == [1, 2, 4, 5]
        assert all(fault.file == "x" for fault in report.faults)

    def test_the_number_of_players_may_stand_with_that_of_those_who_played(self) -> None:
        assert read(written("062 2 (1)", A, B), "x").faults == ()

    def test_a_fault_costs_only_its_own_game(self) -> None:
        report = read(written(row(1, "2 w 1", "2 w ="), row(2, "1 b 1", "1 b =")), "x")
        assert addresses(report) == [(2, "99", "trf-results-clash")]
        assert report.games == (ReportedGame(2, 1, 2, "1/2-1/2", None, 1),)

    def test_of_a_shifted_row_the_rest_is_not_held_against_others(self) -> None:
        rows = [row(1, "2 w 1", "3 b 0", "2 b 1"), row(2, "1 b 0", "0000 - Z", "1 w 0"), row(3, "", "1 w 1")]
        rows[0] = rows[0][:100] + " " + rows[0][100:]
        report = read(written(*rows), "x")
        assert addresses(report) == [(1, "106", "trf-misplaced")]
        assert [game.round for game in report.games] == [1]
        assert len(report.players) == 3

    def test_of_a_row_shifted_before_its_rounds_not_even_the_player_is_read(self) -> None:
        shifted = row(1, "2 w 1", "2 b 1", rating="1500", fide="24600", points="2.0").replace(
            "Player", "A Player"
        )
        report = read(written(shifted, row(2, "1 b 0", "1 w 0")), "x")
        assert addresses(report) == [(1, "53", "trf-misplaced")]
        assert [player.number for player in report.players] == [2]
        assert report.event.rounds == 2


class TestRounds:
    @pytest.mark.parametrize(
        ("one", "two", "expected"),
        [
            ("2 w 1", "1 b 0", (1, 2, "1-0")),
            ("2 b 1", "1 w 0", (2, 1, "0-1")),
            ("2 W =", "1 B =", (1, 2, "1/2-1/2")),
            ("2 w W", "1 b L", (1, 2, "u1-0")),
            ("2 b d", "1 w d", (2, 1, "u1/2-1/2")),
            ("2 b w", "1 w l", (2, 1, "u0-1")),
            ("2 w +", "1 b -", (1, 2, "+/-")),
            ("2 - +", "1 w -", (2, 1, "-/+")),
            ("2 b -", "1 - -", (2, 1, "-/-")),
            ("2 - +", "1 - -", (1, 2, "+/-")),
            ("2   -", "1   +", (1, 2, "-/+")),
            ("2   -", "1 - -", (1, 2, "-/-")),
        ],
    )
    def test_pairs(self, one: str, two: str, expected: tuple[int, int, str]) -> None:
        report = read(written(row(1, one), row(2, two)), "x")
        assert report.faults == ()
        assert [(g.white, g.black, g.result, g.line) for g in report.games] == [(*expected, expected[0])]

    @pytest.mark.parametrize(
        "bye",
        [
            *("0000 - H", "0000 - f", "   0 - u", "0000   Z", "0000 - +", "0000 - -", "0000 -  "),
            *("     -", "     -  ", "     U"),
        ],
    )
    def test_byes_are_no_games(self, bye: str) -> None:
        report = read(written(row(1, bye)), "x")
        assert (report.faults, report.games, report.event.rounds) == ((), (), 1)

    @pytest.mark.parametrize("number", ["1", "   1", "1   ", "0001", " 1  ", "01"])
    def test_numbers_may_be_padded(self, number: str) -> None:
        one = row(1, "2 w 1").replace("001    1", f"001 {number:4}")
        two = row(2, "1 b 0").replace("   1 b", f"{number:4} b")
        report = read(written(one, two), "x")
        assert (report.faults, len(report.games)) == ((), 1)

    def test_blank_rounds_at_the_end_do_not_count(self) -> None:
        report = read(written(*(line + " " * 35 for line in GAME)), "x")
        assert (report.event.rounds, report.faults) == (1, ())
        assert read(written(row(1), row(2)), "x").event.rounds == 0

    def test_an_event_under_way_has_the_rounds_that_142_says(self) -> None:
        report = read(written("142 9", "XXR 9", *GAME), "x")
        assert (report.event.rounds, len(report.games), report.remarks) == (9, 1, ())
        assert [(f.code, dict(f.facts)) for f in report.faults] == [
            ("trf-under-way", {"text": "9", "rounds": "1"})
        ]

    def test_a_shifted_row_does_not_make_an_event_one_under_way(self) -> None:
        report = read(written("142 2", "XXR 3", A[:85] + "x" * 20 + A[85:], B), "x")
        assert [(f.line, f.code) for f in report.faults] == [(3, "trf-misplaced")]
        assert report.remarks == ()

    @pytest.mark.parametrize("plan", ["XXR 1", "XXR 0", "XXR", "XXR x", "XXR " + "9" * 5000])
    def test_a_plan_that_says_nothing_of_more_rounds(self, plan: str) -> None:
        report = read(written(plan, *GAME), "x")
        assert (report.event.rounds, report.faults, report.remarks) == (1, (), ())

    def test_a_plan_of_more_rounds_is_a_remark(self) -> None:
        report = read(written("XXR 9", *GAME), "x")
        assert (report.event.rounds, report.faults) == (1, ())
        (remark,) = report.remarks
        assert remark[:4] == ("x", 1, "5", "trf-planned")
        sentence = say(AREA, remark.code, "en", **dict(remark.facts))
        assert sentence.startswith(
            "The pairing program planned 9 rounds (XXR), but the players' lines end after"
        )

    def test_a_start_rank_that_nobody_has_is_a_remark(self) -> None:
        report = read(written(row(1, "5 w 1"), row(5, "1 b 0"), row(7, "0000 - U")), "x")
        assert addresses(report) == []
        (remark,) = report.remarks
        assert say(AREA, remark.code, "en", **dict(remark.facts)).startswith(
            "Nobody has the start ranks 2, 3, 4, 6;"
        )

    def test_what_comments_say_is_a_remark(self) -> None:
        comments = ["### Round 3 was", "# repeated", "###", "### SSSS sTTT NNNN BB/BB 1111 1 1", "###001 x"]
        report = read(written(*comments, *GAME), "x")
        said = [(found.line, dict(found.facts)["text"]) for found in report.remarks]
        assert said == [(1, "Round 3 was"), (2, "repeated"), (5, "001 x")]
        assert len(read(written(*["### again"] * 5000, *GAME), "x").remarks) == 20
        (remark,) = read(written("# " + "x" * 5000, *GAME), "x").remarks
        assert dict(remark.facts)["text"] == "x" * 200

    @pytest.mark.parametrize("cell", ["0000 w +", "     b -", "0000 W -"])
    def test_a_teams_forfeit_names_no_opponent(self, cell: str) -> None:
        report = read(written(row(1, cell, points="1.0" if "+" in cell else "0.0")), "x")
        assert (report.faults, report.games) == ((), ())

    def test_an_opponent_beyond_the_last_row_is_not_the_last_row(self) -> None:
        report = read(written(row(1, "9 w 1"), row(2, "1 b 0")), "x")
        assert addresses(report) == [(1, "92", "trf-no-such-opponent"), (2, "92", "trf-not-answered")]
        assert report.games == ()

    def test_a_late_entry(self) -> None:
        report = read(written(row(1, "0000 - U", "2 w 1"), row(2, "", "1 b 0")), "x")
        assert (report.faults, [game.round for game in report.games]) == ((), [2])


class TestPoints:
    @pytest.mark.parametrize(
        "record",
        ["XXS W=3 D=1.0 PAB=3", "xxs", "BBW  3.0", "162  W 3.0    D 1.0    P 3.0", "162  P 3.0    W 3.0"],
    )
    def test_other_values(self, record: str) -> None:
        lines = (row(1, "2 w 1", "0000 - U", points="6.0"), row(2, "1 b 0", "0000 - Z", points="0.0"))
        records = (record, *(["BBD  1.0"] if record[0] == "B" else []))
        report = read(written(*lines, *(r for r in records if r != "xxs")), "x")
        assert bool(report.faults) == (record == "xxs")

    def test_codes_of_their_own(self) -> None:
        record = "XXS WW=1 BW=1.1 WD=.5 BD=0.6 WL=0.1 BL=.2 ZPB=0.3 HPB=0.4 FPB=0.8 PAB=.7 FW=0.9 FL=0.1"
        one = ("2 w 1", "2 b =", "2 w 0", "2 b 1", "2 w -", "0000 - H", "0000 - U", "", "0000 - F")
        two = ("1 b 0", "1 w =", "1 b 1", "1 w 0", "1 b +", "0000 - Z", "     -", "", "0000 - H")
        lines = (row(1, *one, points="5.1"), row(2, *two, points="3.9"))
        assert read(written(*lines, record), "x").faults == ()

    @pytest.mark.parametrize(
        "record", ["XXS WW=x", "XXS ONE=1", "BBW", "162  Q 1.0", "299 H      1.5      1    1"]
    )
    def test_values_that_cannot_be_read_end_the_check(self, record: str) -> None:
        lines = (A.replace("1.0", "7.0"), B)
        assert addresses(read(written(*lines, record), "x")) == []
        assert addresses(read(written(*lines), "x")) == [(1, "81", "trf-points")]

    def test_team_points_leave_the_players_alone(self) -> None:
        lines = (A.replace("1.0", "7.0"), B, "299 +  2.0  2.5   1    1")
        assert addresses(read(written(*lines), "x")) == [(1, "81", "trf-points")]

    @pytest.mark.parametrize("points", ["1", "1.0", "01.0", "1,0", "1.00", "1."])
    def test_ways_to_write_one_point(self, points: str) -> None:
        report = read(written(row(1, "2 w 1", points=points), B), "x")
        assert bool(report.faults) == (points == "1.")


class TestDays:
    @pytest.mark.parametrize(
        "text",
        [
            *(
                "2025/10/12",
                "2025-10-12",
                "2025.10.12",
                " 2025/10/12 ",
                "12/10/2025",
                "12.10.2025",
                "12. 10. 2025",
            ),
            *("Oct 12, 2025", "October 12, 2025", "12 Oct 2025", "12. October 2025", "oct 12 2025"),
        ],
    )
    def test_of_the_event(self, text: str) -> None:
        report = read(written(f"042 {text}", *GAME), "x")
        assert (report.event.starts, report.faults) == (date(2025, 10, 12), ())

    @pytest.mark.parametrize(
        "text",
        ["1978/00/00", "1978", "1978/05/00", "1978.00.00", "00.00.1978", "0000/00/00", "", "    /  /", "0"],
    )
    def test_of_birth_not_known_whole(self, text: str) -> None:
        report = read(written(row(1, born=text)), "x")
        assert (report.players[0].birth_date, report.faults) == (None, ())

    @pytest.mark.parametrize("text", ["1969.12.06", "1969/12/06", "06.12.1969", "1969-12-6"])
    def test_of_birth(self, text: str) -> None:
        assert read(written(row(1, born=text)), "x").players[0].birth_date == date(1969, 12, 6)

    @pytest.mark.parametrize(
        "line", ["132 2024/01/15", f"132{'':88}24/01/15", f"132{'':88}2024/01/15", "132 24.01.15"]
    )
    def test_of_a_round(self, line: str) -> None:
        report = read(written("132", line, *GAME), "x")
        assert (report.games[0].played, report.faults) == (date(2024, 1, 15), ())

    def test_of_some_rounds_only(self) -> None:
        rows = (row(1, "2 w 1", "2 b 1"), row(2, "1 b 0", "1 w 0"))
        report = read(written(f"132{'':98}24/01/15", *rows), "x")
        assert [game.played for game in report.games] == [None, date(2024, 1, 15)]


class TestLines:
    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_ends(self, end: str) -> None:
        report = read(written("012 Cup", *GAME, "XYZ", end=end), "x")
        assert (report.event.name, len(report.games)) == ("Cup", 1)
        assert addresses(report) == [(4, "1", "trf-unknown-record")]

    def test_other_separators_end_no_line(self) -> None:
        report = read(written("012 A\u2028B\x0bC\x85D", *GAME), "x")
        assert report.event.name == "A\u2028B\x0bC\x85D"
        assert addresses(report) == [(1, "10", "trf-lost-letter")]

    @pytest.mark.parametrize(
        ("encoding", "name"),
        [
            ("utf-8", "Müller, Jörg 山田"),
            ("utf-8-sig", "山田"),
            ("latin-1", "Müller"),
            ("cp1252", "Šimek, O’Neil"),
            ("cp932", "山田"),
            ("utf-16", "山田"),
        ],
    )
    def test_letters_count_as_one_column(self, encoding: str, name: str) -> None:
        data = "\r\n".join((f"012 {name}", row(1, "2 w 1", name=name), B)).encode(encoding)
        report = read(data, "x")
        assert (recognise(data), report.event.name, report.players[0].name) == ("trf", name, name)
        assert report.faults == ()

    def test_a_zip_is_none_though_the_report_in_it_is_not_pressed(self) -> None:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as folder:
            folder.writestr("cup.trf", written("012 Cup", *GAME))
        assert recognise(packed.getvalue()) is None

    def test_what_carries_nothing_to_rate_is_passed_over(self) -> None:
        known = "013 072 082 092 112 142 152 172 182 192 202 212 222 240 250 260 299 300 310 320 330 352 362 801 802"
        lines = [f"{number} 1" for number in known.split()]
        lines += [
            "",
            "   ",
            "### a comment",
            "XXR 9",
            "XXC white1",
            "XXZ 1 2",
            "BBZ  0.0",
            "BBX",
            "DAT 1 ID:USCF",
        ]
        assert addresses(read(written(*lines, *GAME), "x")) == []

    def test_pictures_of_the_columns_are_passed_over(self) -> None:
        lines = ["1234567890" * 23, "".join(f"{n:10}" for n in range(1, 24)), "1234567890123"]
        lines += ["DDD SSSS sTTT NNNN", "CCC SSS NNN", "III TT NNNNN"]
        assert addresses(read(written(*lines, *GAME), "x")) == []
        wrong = ["1234567890" * 2 + "2", f"{1:10}{3:10}", "123456789"]
        assert [fault.line for fault in read(written(*wrong, *GAME), "x").faults] == [1, 2, 3]

    def test_an_end_of_file_mark_is_dropped(self) -> None:
        assert read(written(*GAME) + b"\x1a", "x").faults == ()

    def test_time_control(self) -> None:
        assert read(written("122 90 min", "222 5400+30", *GAME), "x").event.time_control == "90 min"
        event = read(written("122", "222 5400+30", *GAME), "x").event
        assert (event.time_control, event.base_minutes, event.increment_seconds) == ("5400+30", 90, 30)
        short = read(written("222 60+30", *GAME), "x")
        assert [(f.line, f.column, f.code) for f in short.remarks] == [(1, "5", "trf-short-time")]
        assert short.event.base_minutes is None
        unequal = read(written("222 W300-B240", *GAME), "x").event
        assert (unequal.time_control, unequal.base_minutes, unequal.increment_seconds) == (
            "W300-B240",
            None,
            None,
        )


class TestNationalRecords:
    LINE = f"JPN    2 w    {'Yamada, Hanako':33} 1500 JPN {'N00123':>11} 1990/01/01"

    def test_number_and_name(self) -> None:
        for lines in ((self.LINE, A, row(2, "1 b 0", name="")), (A, row(2, "1 b 0", name=""), self.LINE)):
            report = read(written(*lines), "x")
            assert report.faults == ()
            player = {p.number: p for p in report.players}[2]
            assert (player.national_id, player.name, player.rating) == ("N00123", "Yamada, Hanako", None)
            assert (player.national_rating, player.name_native) == (1500, "")

    def test_the_name_of_001_stands_beside_the_native_one(self) -> None:
        for name, native in (("山田　花子", "山田　花子"), ("Player", ""), ("", "")):
            line = self.LINE.replace(f"{'Yamada, Hanako':33}", f"{name:33}")
            player = read(written(A, B, line), "x").players[1]
            assert (player.name, player.name_native, player.national_id) == ("Player", native, "N00123")

    def test_an_unrated_player_of_the_federation(self) -> None:
        for rating in ("   0", "    ", "0000"):
            report = read(written(A, B, self.LINE.replace("1500", rating)), "x")
            assert (report.faults, report.players[1].national_rating) == ((), None)

    def test_two_records_may_add_to_each_other(self) -> None:
        number, rating = f"JPN    2 {'':48}  N00123", f"JPN    2 {'':38} 1500"
        player = read(written(A, B, number, rating), "x").players[1]
        assert (player.national_id, player.national_rating) == ("N00123", 1500)

    def test_the_same_number_twice(self) -> None:
        assert read(written(A, B, self.LINE, self.LINE.replace("JPN ", "FRA ", 1)), "x").faults == ()


class Outcome(NamedTuple):
    """What White's and Black's rows say, their scores in tenths, and the ledger's result."""

    white: str
    black: str
    scores: tuple[int, int]
    result: str


OUTCOMES = [
    Outcome(" w 1", " b 0", (10, 0), "1-0"),
    Outcome(" w 0", " b 1", (0, 10), "0-1"),
    Outcome(" w =", " b =", (5, 5), "1/2-1/2"),
    Outcome(" w W", " b L", (10, 0), "u1-0"),
    Outcome(" W d", " B d", (5, 5), "u1/2-1/2"),
    Outcome(" w l", " b w", (0, 10), "u0-1"),
    Outcome(" w +", " b -", (10, 0), "+/-"),
    Outcome(" - -", " b +", (0, 10), "-/+"),
    Outcome(" w -", " - -", (0, 0), "-/-"),
]
BYES = {
    "0000 - U": 10,
    "0000 - F": 10,
    "     - H": 5,
    "0000 - Z": 0,
    "0000   -": 0,
    "0000 - +": 10,
    " " * 8: 0,
}


@dataclass
class Event:
    """A made-up event: what is written, and what must be read."""

    players: list[ReportedPlayer]
    cells: dict[int, list[str]] = field(default_factory=dict)
    tenths: Counter[int] = field(default_factory=Counter)
    games: list[ReportedGame] = field(default_factory=list)

    def bytes(self, end: str) -> bytes:
        lines = ["012 Cup", f"062 {len(self.players):03}", "", "042 2025/03/01", "132 25/03/01"]
        return written(*lines, *map(self._row, self.players), end=end)

    def _row(self, p: ReportedPlayer) -> str:
        born = p.birth_date.strftime("%Y/%m/%d") if p.birth_date else "1980/00/00"
        rating, points = f"{p.rating or 0:04}", f"{self.tenths[p.number] / 10:.1f}"
        about = {"rating": rating, "fed": p.federation, "fide": p.fide_id, "sex": p.sex, "born": born}
        return row(p.number, points=points, name=p.name, **about) + "".join(self.cells[p.number])


FIRST_LINE = 6
NAMES = st.text("abcXYZ ,.'-éß山", min_size=1, max_size=33).map(str.strip).filter(bool)


@st.composite
def events(draw: st.DrawFn) -> Event:
    numbers = draw(st.lists(st.integers(1, 9999), min_size=1, max_size=9, unique=True))
    players = [
        ReportedPlayer(
            number,
            draw(NAMES),
            draw(st.sampled_from(["", str(10_000 + number)])),
            "",
            draw(st.none() | st.integers(1, 2900)),
            draw(st.sampled_from(["", "JPN"])),
            draw(st.sampled_from(["", "m", "w"])),
            draw(st.none() | st.dates(date(1900, 1, 1), date(2020, 1, 1))),
            FIRST_LINE + index,
        )
        for index, number in enumerate(numbers)
    ]
    event = Event(players, {number: [] for number in numbers})
    for number in range(1, draw(st.integers(0, 5)) + 1):
        _draw_round(draw, event, number)
    return event


def _draw_round(draw: st.DrawFn, event: Event, number: int) -> None:
    order = draw(st.permutations(list(event.cells)))
    pairs = draw(st.integers(0, len(order) // 2))
    lines = {player.number: player.line for player in event.players}
    games = []
    for white, black in zip(order[:pairs], order[pairs : 2 * pairs], strict=True):
        outcome = draw(st.sampled_from(OUTCOMES))
        event.cells[white].append(f"  {black:4}{outcome.white}")
        event.cells[black].append(f"  {black and white:04}{outcome.black}")
        event.tenths.update({white: outcome.scores[0], black: outcome.scores[1]})
        played = date(2025, 3, 1) if number == 1 else None
        games.append(ReportedGame(number, white, black, outcome.result, played, lines[white]))
    for idle in order[2 * pairs :]:
        bye = draw(st.sampled_from(list(BYES)))
        event.cells[idle].append("  " + bye)
        event.tenths[idle] += BYES[bye]
    event.games += sorted(games, key=lambda game: min(game.white, game.black))


class TestMadeUpEvents:
    @settings(max_examples=examples(300))
    @given(events(), st.sampled_from(["\n", "\r\n", "\r"]))
    def test_are_read_back(self, event: Event, end: str) -> None:
        report = read(event.bytes(end), "x")
        assert report.faults == ()
        assert list(report.players) == event.players
        assert list(report.games) == event.games
        filled = [n for cells in event.cells.values() for n, cell in enumerate(cells, 1) if cell.strip()]
        assert report.event.rounds == max(filled, default=0)

    @settings(max_examples=examples(300))
    @given(events(), st.data())
    def test_a_changed_result_never_passes(self, event: Event, data: st.DataObject) -> None:
        """Whatever single result is put for another, the rows or the points contradict it."""
        lines = event.bytes("\n").decode().split("\n")
        places = [
            (n, at)
            for n, line in enumerate(lines)
            for at in range(98, len(line), 10)
            if line.startswith("001") and line[at - 7 : at - 3].strip(" 0")
        ]
        if places:
            n, at = data.draw(st.sampled_from(places))
            old = lines[n][at]
            new = data.draw(st.sampled_from([c for c in "10=WDL+-HZ x" if c not in old.upper()]))
            lines[n] = lines[n][:at] + new + lines[n][at + 1 :]
            assert read("\n".join(lines).encode(), "x").faults


KEYS = [
    "001 ",
    "001    1 ",
    f"001    1{'':83}",
    f"001    2{'':83}",
    "012 ",
    "042 ",
    "062 ",
    "132 ",
    f"132{'':88}",
]
KEYS += ["162 ", "299 ", "XXS ", "BBW ", "JPN    1 ", ""]


class TestAnyBytes:
    @settings(max_examples=examples(500))
    @given(st.binary(max_size=400))
    def test_never_raise(self, data: bytes) -> None:
        assert isinstance(read(data, "x"), Report)

    @settings(max_examples=examples(500))
    @given(
        st.lists(
            st.tuples(st.sampled_from(KEYS), st.text("019 -=+/.:wbHUZWx\t½é山\x85\0", max_size=110)),
            max_size=5,
        )
    )
    def test_never_raise_after_a_record_number(self, lines: list[tuple[str, str]]) -> None:
        report = read("\n".join(map("".join, lines)).encode(), "x")
        for fault in report.faults:
            for lang in LANGUAGES:
                assert say(AREA, fault.code, lang, **dict(fault.facts))

    @needs_data
    @settings(max_examples=examples(300))
    @given(st.data())
    def test_mutated_real_reports_never_raise(self, data: st.DataObject) -> None:
        source = bytearray(data.draw(st.sampled_from(REAL)).read_bytes()[:12_000])
        for _ in range(data.draw(st.integers(1, 8))):
            at = data.draw(st.integers(0, len(source) - 1))
            size = data.draw(st.integers(0, 12))
            source[at : at + size] = data.draw(st.binary(max_size=12))
        report = read(bytes(source), "x")
        lines = len(re.split(b"\r\n|\r|\n", bytes(source)))
        assert all(0 <= fault.line <= lines for fault in report.faults)
        assert [fault.line for fault in report.faults] == sorted(fault.line for fault in report.faults)
