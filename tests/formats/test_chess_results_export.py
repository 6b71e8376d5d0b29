"""Exports of Chess-Results: the real one against counts from its text, workbooks and CSV in many languages."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from pathlib import Path

import pytest
import xlsxwriter
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples

from banzuke.formats.chess_results import page_reader
from banzuke.formats.chess_results.export_reader import looks_like, read
from banzuke.formats.report import Report, ReportedGame, ReportedPlayer
from banzuke.formats.trf import trf_reader

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "chessresults"
REAL = DATA / "seniorschack_stockholm_km_2026_after_r4_export.csv"
needs_data = pytest.mark.skipif(
    not REAL.exists(), reason=f"needs the shared folder of real files beside the project: there is no {DATA}"
)

Rows = list[list[object]]


def workbook(*sheets: Rows) -> bytes:
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream) as book:
        for rows in sheets:
            sheet = book.add_worksheet()
            for at, row in enumerate(rows):
                sheet.write_row(at, 0, row)
    return stream.getvalue()


def comma_separated(rows: Rows, by: str = ",", encoding: str = "utf-8") -> bytes:
    lines = [by.join(f'"{cell}"' if by in str(cell) else str(cell) for cell in row) for row in rows]
    return ("\r\n".join(lines) + "\r\n").encode(encoding)


def export(
    heading: list[object], *rows: list[object], title: str = "Final Ranking crosstable after 2 Rounds"
) -> Rows:
    """The layout of an export; the headings stand in row 5."""
    return [
        ["From the Tournament-Database of Chess-Results https://chess-results.com"],
        ["Spring Cup 2026 "],
        ["Last update 13.02.2026 18:17:32"],
        [title],
        heading,
        *rows,
        [],
        ["You find all details to this tournament under  https://chess-results.com/tnr1316880.aspx?lan=1"],
        ["Chess-Tournament-Results-Server: Chess-Results"],
    ]


HEADING: list[object] = ["Rk.", "", "Name", "Rtg", "FED", "1.Rd", "2.Rd", "Pts. ", "TB1"]
ROWS: list[list[object]] = [
    [1, "", "Strömbäck Henrik ", 2020, "SWE", "  3w1", "  2b½", "1,5", 3],
    [2, "WFM", "Berg Susanna ", 1904, "SWE", "   -½", "  1w½", 1, "2,5"],
    [3, "", "Ålgars Olle ", 0, "SWE", "  1b0", "-0", 0, 1],
]
GAMES = (ReportedGame(1, 1, 3, "1-0", None, 6), ReportedGame(2, 2, 1, "1/2-1/2", None, 7))


def addresses(report: Report) -> list[tuple[int, str, str]]:
    return [(fault.line, fault.column, fault.code) for fault in report.faults]


@needs_data
class TestTheRealExport:
    """73 games and 23 pairings without a result stand in 192 cells; 8 rounds are without a game."""

    def test_counts(self) -> None:
        report = read(REAL.read_bytes(), REAL.name)
        assert (len(report.players), report.event.rounds, report.event.source) == (40, 5, "tnr1316880")
        assert report.event.name == "Seniorschack Stockholm KM Klassiskt 2026"
        results = Counter(game.result for game in report.games)
        assert (results["1-0"], results["0-1"], results["1/2-1/2"], results["-/+"]) == (33, 23, 16, 1)
        assert len(report.games) == 73
        assert report.players[0] == ReportedPlayer(
            1, "Strömbäck Henrik", rating=2020, federation="SWE", line=6
        )

    def test_it_is_under_way(self) -> None:
        report = read(REAL.read_bytes(), REAL.name)
        assert addresses(report) == [
            *[
                (5, "", "cr-not-final"),
                (28, "2.Rd", "crosstable-no-result"),
                (9, "3.Rd", "crosstable-no-result"),
            ],
            *[
                (38, "4.Rd", "crosstable-no-result"),
                (6, "5.Rd", "crosstable-no-result"),
                (0, "", "cr-under-way"),
            ],
        ]
        assert dict(report.faults[-1].facts) == {"count": "23", "rounds": "2, 3, 4, 5"}

    def test_it_is_recognised_by_this_reader_only(self) -> None:
        data = REAL.read_bytes()
        assert [form.looks_like(data) for form in (page_reader, trf_reader)] == [False, False]
        assert looks_like(data)

    @settings(max_examples=examples(60))
    @given(st.data())
    def test_mutated_it_never_raises(self, data: st.DataObject) -> None:
        source = bytearray(REAL.read_bytes())
        for _ in range(data.draw(st.integers(1, 8))):
            at = data.draw(st.integers(0, len(source) - 1))
            source[at : at + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=9))
        assert isinstance(read(bytes(source), "x"), Report)
        assert looks_like(bytes(source)) in (True, False)


class TestFiles:
    @pytest.mark.parametrize(
        "data",
        [
            workbook(export(HEADING, *ROWS)),
            comma_separated(export(HEADING, *ROWS)),
            comma_separated(export(HEADING, *ROWS), encoding="utf-8-sig"),
            comma_separated(export(HEADING, *ROWS), ";", "cp1252"),
            comma_separated(export(HEADING, *ROWS), "\t", "utf-16"),
        ],
        ids=["xlsx", "csv", "bom", "cp1252", "utf-16"],
    )
    def test_of_each_kind_read_alike(self, data: bytes) -> None:
        report = read(data, "x")
        assert (report.faults, report.remarks, report.games, report.part) == ((), (), GAMES, None)
        assert [(p.name, p.rating, p.line) for p in report.players] == [
            *[("Strömbäck Henrik", 2020, 6), ("Berg Susanna", 1904, 7), ("Ålgars Olle", None, 8)]
        ]
        assert (report.event.name, report.event.source) == ("Spring Cup 2026", "tnr1316880")
        assert looks_like(data)

    def test_in_japanese_from_excel(self) -> None:
        heading: list[object] = ["順位", "氏名", "レーティング", "第１回戦", "第２回戦", "得点"]
        rows: Rows = [
            ["１", "山田 花子", "１５００", "２w１", "−１", "２"],
            ["２", "佐藤 一郎", "", "１b０", "－０", "０"],
        ]
        data = comma_separated(export(heading, *rows, title="最終順位 2回戦終了"), encoding="cp932")
        report = read(data, "x")
        assert (report.faults, report.remarks) == ((), ())
        assert [(p.name, p.rating) for p in report.players] == [("山田 花子", 1500), ("佐藤 一郎", None)]
        assert report.games == (ReportedGame(1, 1, 2, "1-0", None, 6),)

    def test_lines_below_a_cell_that_runs_over_several(self) -> None:
        data = comma_separated(export(HEADING, *ROWS)).replace(b"Spring Cup 2026 ", b'"Spring Cup\n2026"')
        assert [player.line for player in read(data, "x").players] == [7, 8, 9]

    @pytest.mark.parametrize(
        ("heading", "title", "letters"),
        [
            ("Rg.||Name|Elo|Land|1.Rd|2.Rd|Pkt.|Wtg1", "Endtabelle nach 2 Runden", "ws"),
            (
                "Rk.||Nombre|Elo|FED|1.Rd|2.Rd|Pts.|Des 1",
                "Cuadro cruzado por clasificación final después de 2 rondas",
                "wb",
            ),
            ("Rg.||Nom|Elo|Pays|1.Rd|2.Rd|Pts.|Dép1", "Classement final après 2 rondes", "wb"),
            ("Rk.||Nome|Elo|FED|1.Rd|2.Rd|Pts.|Des 1", "Classificação final após 2 rodadas", "bp"),
            ("Pos.||Nome|Elo|FED|1.Tur|2.Tur|Punti|BH", "Classifica finale dopo 2 turni", "bn"),
            ("Poř.||Jméno|Elo|FED|1. kolo|2. kolo|Body|BH", "Konečné pořadí po 2 kolech", "wb"),
            ("M.||Nazwisko i imię|Elo|Kraj|1.Rd|2.Rd|Pkt.|BH", "Końcowy wynik po 2 rundach", "wb"),
            ("М.||Имя|Рейт.|ФЕД|1.Тур|2.Тур|Очки|Доп1", "Итоговая таблица после 2 туров", "бч"),
            ("Sıra||İsim|Rtg|Ülke|1.Tur|2.Tur|Puan|BH", "Nihai sıralama 2 tur sonra", "wb"),
            ("Hely||Név|Élő|Ország|1.f|2.f|Pont|BH", "Végeredmény 2 forduló után", "vs"),
            ("Rk.||Naam|Rating|FED|Rd.1|Rd.2|Punten|TB1", "Eindstand na 2 ronden", "wb"),
        ],
    )
    def test_in_many_languages(self, heading: str, title: str, letters: str) -> None:
        white, black = letters
        swapped = [
            [str(c).replace("w", "W").replace("b", black).replace("W", white) for c in row[5:7]]
            for row in ROWS
        ]
        rows = [row[:5] + cells + row[7:] for row, cells in zip(ROWS, swapped, strict=True)]
        report = read(workbook(export([*heading.split("|")], *rows, title=title)), "x")
        assert (report.faults, report.remarks, report.games) == ((), (), GAMES)
        assert report.players[1].rating == 1904
        assert report.players[1].federation == "SWE"

    def test_a_wrong_point_is_named_by_row_and_heading(self) -> None:
        rows = [ROWS[0], [*ROWS[1][:7], "1,5", "2"], ROWS[2]]
        report = read(workbook(export(HEADING, *rows)), "x")
        assert addresses(report) == [(7, "Pts.", "crosstable-points")]
        assert dict(report.faults[0].facts) == {"player": "2", "said": "1,5", "sum": "1"}

    def test_details_stand_in_one_cell_or_two(self) -> None:
        rows = export(HEADING, *ROWS)
        rows[3:3] = [["Organizer(s) : Spring Club"], ["Chief Arbiter", "IA Rossi"], ["Number of rounds : 2"]]
        report = read(workbook(rows), "x")
        assert report.faults == ()
        assert (report.event.organiser, report.event.responsible, report.event.rounds) == (
            "Spring Club",
            "IA Rossi",
            2,
        )

    def test_pairings_of_all_rounds(self) -> None:
        heading: list[object] = ["Bo.", "Ном.", "Рейт", "", "White", "Результат", "", "Black", "Рейт", "Ном."]
        rows: Rows = [
            ["Из турнирной базы данных Chess-Results https://chess-results.com"],
            ["Кубок"],
            ["1. Тур on 2026/06/18 в 10:00"],
            heading,
            [1, 1, 1500, "", "Алиса", "1 - 0", "", "Боря", 1200, 2],
            [2, 3, 1400, "", "Вера", 1, "", "bye", "", ""],
            ["2. Тур on 2026/06/18 в 10:15"],
            heading,
            [1, 3, 1400, "", "Вера", "½ - ½", "", "Алиса", 1500, 1],
        ]
        report = read(workbook(rows), "x")
        assert (report.faults, report.part, report.event.name) == ((), frozenset({1, 2}), "Кубок")
        assert [(g.round, g.white, g.black, g.result, g.line) for g in report.games] == [
            *[(1, 1, 2, "1-0", 5), (2, 3, 1, "1/2-1/2", 9)]
        ]
        assert looks_like(workbook(rows))

    def test_a_word_for_nobody_in_any_language(self) -> None:
        heading: list[object] = ["Bo.", "Nr", "Białe", "Wynik", "Czarne", "Nr"]
        rows: Rows = [["Runda 1 dnia 2026/06/18"], heading, [1, 1, "Ada", "1 - 0", "Ewa", 2]]
        report = read(workbook([*rows, [2, 3, "Ola", "½", "niekojarzony", ""]]), "x")
        assert (report.faults, len(report.players), len(report.games)) == ((), 3, 1)

    def test_where_nobody_has_a_number_a_result_of_one_side_is_no_game(self) -> None:
        heading: list[object] = ["Bo.", "Białe", "Wynik", "Czarne"]
        rows: Rows = [["Runda 1 dnia 2026/06/18"], heading, [1, "Ada", "1 - 0", "Ewa"]]
        report = read(workbook([*rows, [2, "Ola", "½", "niekojarzony"]]), "x")
        assert [(f.line, f.column, f.code) for f in report.faults] == [(4, "Wynik", "cr-bad-result")]
        assert [(g.white, g.black, g.result) for g in report.games] == [(1, 2, "1-0")]

    @pytest.mark.parametrize("heading", ["N°Inic.", "Başl.No", "Ст.ном", "Rajtszám"])
    def test_start_numbers_under_an_unknown_heading(self, heading: str) -> None:
        rows: Rows = [["Pos.", heading, "", "Name", "1.Rd", "Pts."]]
        rows += [[1, 3, "", "Ada", "1w1", 1], [2, 2, "", "Ewa", "-½", "0,5"], [3, 1, "", "Ola", "3b0", 0]]
        report = read(workbook(rows), "x")
        assert (report.faults, [g[:4] for g in report.games]) == ((), [(1, 3, 1, "1-0")])

    def test_sheets_of_one_workbook_are_pages_of_one_event(self) -> None:
        players: Rows = [["Spring Cup 2026"], ["No.", "Name", "FideID", "FED", "Rtg"]]
        players += [
            [1, "Strömbäck, Henrik", 1700001, "SWE", 2020],
            [2, "Berg, Susanna", 1700002, "SWE", 1904],
        ]
        report = read(workbook(export(HEADING, *ROWS), players, [["notes"]]), "x")
        assert (report.faults, report.part, report.games) == ((), None, GAMES)
        assert [(p.name, p.fide_id) for p in report.players] == [
            *[("Strömbäck, Henrik", "1700001"), ("Berg, Susanna", "1700002"), ("Ålgars Olle", "")]
        ]


WIDE = b"No.,Name," + b",".join(b"%d.Rd" % n for n in range(1, 400))


class TestWhatItIsNot:
    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"PK\x03\x04 broken",
            b"012 Cup\n001    1 m",
            b'[Event "Cup"]\n[Site "https://chess-results.com"]',
            b"<html>chess-results",
            b"ID_No;Name;Sex;Fed;Rtg_Nat\n1;Abe;w;JPN;1500\n",
            b"id,name,rating\n1,Abe,1500\n",
            b"White Point,White ID,White,Result,Black\n1,2,Abe,1-0,Ito\n",
            workbook([["id", "name", "rating"], [1, "Abe", 1500]]),
            comma_separated([["会員番号", "氏名", "連盟"], ["1", "山田", "JPN"]], encoding="cp932"),
        ],
    )
    def test_other_files_are_not_claimed(self, data: bytes) -> None:
        assert not looks_like(data)

    def test_a_table_with_rounds_is_claimed_without_the_servers_name(self) -> None:
        rows = [HEADING, *ROWS]
        assert looks_like(comma_separated(rows))
        assert looks_like(workbook(rows))

    @pytest.mark.slow
    def test_a_zip_bomb_is_refused(self) -> None:
        stream = io.BytesIO()
        packed = zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED)
        with packed, packed.open("xl/sharedStrings.xml", "w", force_zip64=True) as member:
            for _ in range(600):
                member.write(b" " * (1 << 20))
        report = read(stream.getvalue(), "x")
        assert addresses(report) == [(0, "", "sheet-too-large")]
        assert not looks_like(stream.getvalue())

    @pytest.mark.parametrize(
        ("data", "code"),
        [
            (b"", "cr-no-table"),
            (b"\0", "sheet-no-text"),
            (b"PK\x03\x04 broken", "sheet-broken"),
            (workbook([["nothing"]]), "cr-no-table"),
            (b"a,b,c\n" * 30_000, "cr-too-large"),
            (b"x" * 4_000_001, "cr-too-large"),
            (WIDE + b"\n1,a,b\n" * 2000, "cr-too-large"),
        ],
    )
    def test_are_refused(self, data: bytes, code: str) -> None:
        assert [fault.code for fault in read(data, "x").faults] == [code]

    @settings(max_examples=examples(200))
    @given(st.binary(max_size=300))
    def test_any_bytes_never_raise(self, data: bytes) -> None:
        for start in (b"", b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
            assert isinstance(read(start + data, "x"), Report)
            assert looks_like(start + data) in (True, False)
