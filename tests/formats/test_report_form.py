"""The report form: written and read back, as people fill it in, and with every fault by its address."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
import zipfile
from datetime import date, datetime, time
from functools import cache

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples
from python_calamine import CalamineWorkbook

from banzuke.core.facts import SCORES
from banzuke.formats.report import Report, ReportedEvent, ReportedGame, ReportedPlayer
from banzuke.formats.report_form import form_layout as form
from banzuke.formats.report_form.form_reader import looks_like, read
from banzuke.formats.report_form.form_writer import Member, write_form
from banzuke.words import LANGUAGES, catalogue, fault_text

SOFFICE = shutil.which("soffice")
DAY, NEXT = date(2025, 4, 26), date(2025, 4, 27)
EVENT = ReportedEvent(
    name="ひのき春季大会",
    place="函館市民会館",
    organiser="ひのきチェスクラブ",
    responsible="佐藤 恵子",
    form="tournament",
    speed="standard",
    base_minutes=90,
    increment_seconds=30,
    fide_rated=False,
    starts=DAY,
    ends=NEXT,
    nonmembers=0,
    rounds=2,
)
PLAYERS = (
    ReportedPlayer(1, "SATO Keiko", "7000001", "N001", name_native="佐藤 恵子", sex="w"),
    ReportedPlayer(2, "ITO Ken", "", "N002"),
    ReportedPlayer(3, "MORI Kazuya", birth_date=date(2012, 3, 4), name_native="森 和也"),
)
GAMES = (
    ReportedGame(1, 1, 2, "1-0", DAY),
    ReportedGame(2, 3, 1, "1/2-1/2", NEXT),
)
FULL = Report(EVENT, PLAYERS, GAMES)


def unplaced(report: Report) -> Report:
    """The report without the rows from which it was read."""
    return report._replace(
        players=tuple(player._replace(line=0) for player in report.players),
        games=tuple(game._replace(line=0) for game in report.games),
    )


def filled(*cells: tuple[str, object], form_of: Report = FULL) -> bytes:
    """A form of the report, then changed as a person does: `("games!C5", 7)`."""
    book = openpyxl.load_workbook(io.BytesIO(write_form(form_of, players=8, games=8)))
    for address, value in cells:
        name, _, cell = address.partition("!")
        book[form.TABS[name]][cell] = value
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def copied(name: str, state: str = "visible", title: str | None = None) -> bytes:
    """A form with a copy of a sheet, as Excel calls it or with another title; the copy lacks the last row."""
    book = openpyxl.load_workbook(io.BytesIO(write_form(FULL, players=8, games=8)))
    copy = book.copy_worksheet(book[form.TABS[name]])
    copy.title = title or f"{form.TABS[name]} (2)"
    copy.sheet_state = state
    copy.delete_rows(6)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def faults(data: bytes) -> list[tuple[int, str, str]]:
    return [(fault.line, fault.column, fault.code) for fault in read(data, "f.xlsx").faults]


def texts(*, required: bool = False):
    letters = st.sampled_from("=+@-'\"; 佐藤é&<_x") | st.characters(exclude_categories=["C", "Z"])
    words = st.text(letters, min_size=int(required), max_size=8)
    return words.map(str.strip).filter(lambda word: bool(word) or not required)


@st.composite
def events(draw):
    starts, ends = sorted(draw(st.tuples(*[st.dates(date(1901, 1, 1), date(2199, 12, 31))] * 2)))
    return ReportedEvent(
        **{
            name: draw(texts())
            for name in ("name", "place", "organiser", "responsible", "reporter", "time_control")
        },
        form=draw(st.sampled_from(["", "tournament", "meeting"])),
        speed=draw(st.sampled_from(["", "standard", "rapid", "blitz"])),
        base_minutes=draw(st.none() | st.integers(0, form.MOST_MINUTES)),
        increment_seconds=draw(st.none() | st.integers(0, form.MOST_SECONDS)),
        fide_rated=draw(st.none() | st.booleans()),
        nonmembers=draw(st.none() | st.integers(0, form.MOST_NONMEMBERS)),
        starts=draw(st.sampled_from([None, starts])),
        ends=draw(st.sampled_from([None, ends])),
    )


@st.composite
def reports(draw):
    """What the form can hold: distinct ids, and nobody twice in a round."""
    event = draw(events())
    numbers = draw(st.lists(st.integers(0, form.MOST_NUMBER), min_size=2, max_size=6, unique=True))
    players = [
        ReportedPlayer(
            number,
            draw(texts(required=True)),
            draw(st.sampled_from(["", f"70{n}"])),
            draw(st.sampled_from(["", f"N0{n}"])),
            sex=draw(st.sampled_from(["", "m", "w"])),
            birth_date=draw(st.none() | st.dates(date(1850, 1, 1), date(2199, 1, 1))),
            name_native=draw(texts()),
        )
        for n, number in enumerate(numbers)
    ]
    rounds = draw(st.lists(st.integers(1, form.MOST_NUMBER), max_size=5, unique=True))
    games = []
    for number in sorted(rounds):
        white, black, *_ = draw(st.permutations(numbers))
        inside = st.dates(event.starts or date(1901, 1, 1), event.ends or date(2199, 12, 31))
        games.append(
            ReportedGame(number, white, black, draw(st.sampled_from(list(SCORES))), draw(st.none() | inside))
        )
    return Report(event._replace(rounds=max(rounds, default=0)), tuple(players), tuple(games))


class TestRoundTrip:
    @settings(max_examples=examples(25))
    @given(reports())
    def test_what_is_written_is_read(self, report):
        data = write_form(report, players=3, games=2)
        assert unplaced(read(data, "f.xlsx")) == report
        assert looks_like(data)

    def test_rows_are_those_of_the_sheet(self):
        report = read(write_form(FULL, players=4, games=4), "f.xlsx")
        assert [player.line for player in report.players] == [5, 6, 7]
        assert [game.line for game in report.games] == [5, 6]

    def test_what_begins_as_a_formula_is_a_text(self):
        event = ReportedEvent(name="=1+1", place="@SUM(A1)", organiser="+1", starts=DAY, ends=DAY)
        players = (ReportedPlayer(1, '=HYPERLINK("http://x","y")'), ReportedPlayer(2, "-2"))
        report = Report(event, players, ())
        data = write_form(report, players=3, games=3)
        assert unplaced(read(data, "f.xlsx")) == report
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            sheets = [packed.read(name).decode() for name in packed.namelist() if "/sheet" in name]
        written = {formula for sheet in sheets for formula in re.findall("<f>(.*?)</f>", sheet)}
        assert written
        assert not [formula for formula in written if "1+1" in formula or "HYPERLINK" in formula]

    @pytest.mark.slow
    def test_a_free_row_has_the_next_number_and_is_no_player(self):
        data = write_form(Report(EVENT, (ReportedPlayer(7, "A B"),), ()), players=3)
        rows = CalamineWorkbook.from_object(io.BytesIO(data)).get_sheet_by_name("選手 players").to_python()
        assert [row[0] for row in rows[4:]] == [7, 8, 9]
        assert len(read(data, "f.xlsx").players) == 1


@cache
def empty_form():
    """The form with one member, as another program reads it."""
    return openpyxl.load_workbook(io.BytesIO(write_form(members=[Member("N001", "SATO Keiko", "佐藤 恵子")])))


class TestForm:
    """What the empty form is like, seen by another program's reader."""

    def test_sheets(self):
        assert empty_form().sheetnames == list(form.TABS.values())
        without_members = openpyxl.load_workbook(io.BytesIO(write_form(players=3, games=3)))
        assert without_members.sheetnames == list(form.TABS.values())[:3]

    def test_asks_for_what_the_rules_require(self):
        clauses = " ".join(
            field.clause
            for fields in (form.EVENT_FIELDS, form.PLAYER_COLUMNS, form.GAME_COLUMNS)
            for field in fields
        )
        for clause in ("NCS 4(1)a", "NCS 4(1)b", "NCS 4(1)c", "NCS 4(5)"):
            assert clause in clauses
        for clause in ("JCF 4(3)a", "JCF 4(3)b", "JCF 4(3)c", "JCF 4(3)d"):
            assert clause in clauses
        assert {field.name for field in form.EVENT_FIELDS} >= form.REQUIRED
        named = {field.name for field in form.EVENT_FIELDS if re.search(r"4\(1\)|4\(3\)", field.clause)}
        assert named == form.REQUIRED | {"increment_seconds"}

    def test_every_heading_stands_in_both_languages(self):
        for name, row in (("event", 3), ("players", 4), ("games", 4)):
            headings = [cell.value for cell in empty_form()[form.TABS[name]][row]]
            assert all(re.fullmatch(r".*[ぁ-んァ-ヶ一-龠].* / [A-Z].*", heading) for heading in headings), (
                headings
            )
        labels = [cell.value for cell in empty_form()["大会 event"]["A"][3:]]
        assert labels == [field.label.text for field in form.EVENT_FIELDS]

    def test_only_what_is_filled_in_is_unlocked(self):
        players, games = empty_form()["選手 players"], empty_form()["対局 games"]
        assert all(sheet.protection.sheet and not sheet.protection.password for sheet in empty_form())
        assert [not cell.protection.locked for cell in players[5]] == [True] * 7 + [False]
        assert [not cell.protection.locked for cell in games[504]] == [
            *[True] * 3,
            False,
            True,
            True,
            False,
            False,
        ]
        assert all(cell.protection.locked for row in (*players["1:4"], *games["1:4"]) for cell in row)

    def test_headings_stay_in_sight_and_in_print(self):
        assert [sheet.freeze_panes for sheet in empty_form()] == ["A4", "A5", "A5", "A2"]
        assert empty_form()["対局 games"].print_title_rows == "$1:$4"
        assert all(sheet.page_setup.paperSize == 9 for sheet in empty_form())

    def test_drop_downs_days_and_numbers(self):
        rules = {
            str(rule.sqref): (rule.type, rule.formula1)
            for rule in empty_form()["対局 games"].data_validations.dataValidation
        }
        assert rules["E5:E504"] == ("list", '"' + ",".join(SCORES) + '"')
        assert rules["A5:A504"][0] == rules["C5:C504"][0] == rules["F5:F504"][0] == "whole"
        assert rules["B5:B504"][0] == "date"
        event = {str(r.sqref): r.formula1 for r in empty_form()["大会 event"].data_validations.dataValidation}
        assert event["B5"] == '"大会 / tournament,例会 / meeting"'
        assert event["B16"] == '"はい / yes,いいえ / no"'

    def test_a_result_stays_a_text(self):
        assert empty_form()["対局 games"]["E5"].number_format == "@"

    def test_has_as_many_rows_as_asked_for_or_needed(self):
        book = openpyxl.load_workbook(io.BytesIO(write_form(FULL, players=1, games=4)))
        assert (book["選手 players"].max_row, book["対局 games"].max_row) == (7, 8)


class TestFilledInByPeople:
    def test_days_and_numbers_as_texts(self):
        data = filled(
            ("event!B6", "２０２５年４月２６日"),
            ("event!B7", "27.4.2025"),
            ("event!B12", "９０"),
            ("games!A5", "１ "),
            ("games!B5", "2025/4/26"),
            ("games!B6", datetime.combine(NEXT, time())),
            ("games!C5", "1"),
            ("games!F5", "２"),
            ("players!G5", "7000001 "),
            ("players!E7", "2012年3月4日"),
        )
        assert unplaced(read(data, "f.xlsx")) == FULL

    def test_choices_in_one_language(self):
        data = filled(
            ("event!B5", "例会"), ("event!B15", "Rapid"), ("event!B16", " YES"), ("players!F5", "男")
        )
        report = read(data, "f.xlsx")
        assert (report.event.form, report.event.speed, report.event.fide_rated) == ("meeting", "rapid", True)
        assert report.players[0].sex == "m"
        assert report.faults == ()

    def test_blank_rows_between_and_blanks_in_cells(self):
        book = openpyxl.load_workbook(io.BytesIO(write_form(FULL, players=8, games=8)))
        sheet = book["対局 games"]
        for column in "ABCEF":
            sheet[f"{column}9"] = sheet[f"{column}6"].value
            sheet[f"{column}6"] = "  " if column == "A" else "　"
        stream = io.BytesIO()
        book.save(stream)
        report = read(stream.getvalue(), "f.xlsx")
        assert unplaced(report) == FULL
        assert [game.line for game in report.games] == [5, 9]

    def test_an_event_of_which_little_is_said(self):
        data = filled(*((f"event!B{row}", None) for row in range(4, 18)))
        report = read(data, "f.xlsx")
        assert report.event == ReportedEvent(rounds=2)
        assert report.faults == ()

    def test_what_the_form_works_out_itself_is_not_read(self):
        data = filled(
            ("games!D5", "Somebody Else"), ("games!H5", "wrong"), ("event!C4", "wrong"), ("event!A2", "x")
        )
        assert unplaced(read(data, "f.xlsx")) == FULL

    @pytest.mark.parametrize("name", ["event", "players", "games"])
    def test_a_hidden_copy_of_a_sheet_is_not_read(self, name):
        assert unplaced(read(copied(name, "hidden"), "f.xlsx")) == FULL

    def test_a_day_with_a_time_of_day(self):
        data = filled(("games!B5", datetime.combine(DAY, time(18, 30))))
        assert unplaced(read(data, "f.xlsx")) == FULL

    def test_a_day_that_may_have_the_month_first(self):
        (remark,) = read(filled(("games!B5", "05/04/2025")), "f.xlsx").remarks
        assert (remark.code, dict(remark.facts)["other"]) == ("sheet-day-order", "2025-05-04")
        assert read(filled(("players!E7", "05/04/2001")), "f.xlsx").remarks == ()

    def test_columns_moved_and_tabs_in_one_language(self):
        book = openpyxl.load_workbook(io.BytesIO(write_form(FULL, players=4, games=4)))
        sheet = book["対局 games"]
        sheet.insert_cols(1)
        sheet.title = "games"
        book["選手 players"].title = "選手"
        stream = io.BytesIO()
        book.save(stream)
        assert unplaced(read(stream.getvalue(), "f.xlsx")) == FULL


class TestFaults:
    @pytest.mark.parametrize(
        ("cells", "found"),
        [
            ([("event!B6", "春")], [(6, "event!B", "form-bad-day")]),
            ([("event!B7", date(2025, 4, 25))], [(7, "event!B", "form-ends-before-start")]),
            ([("event!B12", "90分")], [(12, "event!B", "form-bad-number")]),
            ([("event!B12", 90.5)], [(12, "event!B", "form-bad-number")]),
            ([("event!B17", "１" * 5000)], [(17, "event!B", "form-bad-number")]),
            ([("event!B15", "slow")], [(15, "event!B", "form-bad-choice")]),
            ([("players!A6", 1)], [(6, "players!A", "form-number-twice")]),
            ([("players!A6", None)], [(6, "players!A", "form-blank")]),
            ([("players!A6", "x")], [(6, "players!A", "form-bad-number")]),
            ([("players!B6", "N001")], [(6, "players!B", "form-id-twice")]),
            ([("players!G6", "7000001")], [(6, "players!G", "form-id-twice")]),
            ([("players!G6", "12a")], [(6, "players!G", "form-bad-number")]),
            ([("players!F8", "m")], [(8, "players!C", "form-nameless")]),
            ([("players!E7", "2012")], [(7, "players!E", "form-bad-day")]),
            ([("games!A5", 0)], [(5, "games!A", "form-bad-number")]),
            ([("games!A5", None)], [(5, "games!A", "form-blank")]),
            ([("games!E5", None)], [(5, "games!E", "form-blank")]),
            ([("games!E5", datetime.combine(DAY, time()))], [(5, "games!E", "form-bad-result")]),
            ([("games!C5", 9)], [(5, "games!C", "form-no-such-player")]),
            ([("games!C5", 8), ("games!F5", 9)], [(5, f"games!{c}", "form-no-such-player") for c in "CF"]),
            ([("games!F5", 1)], [(5, "games!F", "form-plays-self")]),
            ([("games!A6", 1)], [(6, "games!F", "form-twice-in-round")]),
            ([("games!B5", date(2025, 4, 28))], [(5, "games!B", "form-outside-event")]),
            ([("games!B5", date(2025, 4, 25))], [(5, "games!B", "form-outside-event")]),
            ([("players!A4", "x"), ("players!B4", "y")], [(4, "players", "form-no-column")]),
            ([("games!I4", "白 番号"), ("games!I5", 3)], [(4, "games!I", "sheet-headings-alike")]),
            ([("event!A20", "Event"), ("event!B20", "秋季大会")], [(20, "event!A", "form-field-twice")]),
        ],
    )
    def test_by_address(self, cells, found):
        assert faults(filled(*cells)) == found

    def test_all_at_once(self):
        data = filled(("event!B12", "x"), ("players!E5", "x"), ("games!E5", "x"), ("games!C6", 9))
        assert [code for _, _, code in faults(data)] == [
            "form-bad-number",
            "form-bad-day",
            "form-bad-result",
            "form-no-such-player",
        ]

    def test_the_results_to_choose_from_are_said_once(self):
        (found,) = read(filled(("games!E5", "x")), "f.xlsx").faults
        assert dict(found.facts)["choices"].split(", ")[:3] == ["1-0", "1/2-1/2", "0-1"]

    @pytest.mark.parametrize("name", ["event", "players", "games"])
    @pytest.mark.parametrize("title", [None, "{} copy"])
    def test_a_sheet_twice(self, name, title):
        title = title and title.format(name)
        (found,) = read(copied(name, title=title), "f.xlsx").faults
        sheet = form.TABS[name]
        assert found.code == "form-sheet-twice"
        assert dict(found.facts) == {"sheet": sheet, "sheets": f"{sheet}, {title or f'{sheet} (2)'}"}
        assert all("{" not in fault_text(found, lang) for lang in LANGUAGES)

    def test_a_clash_leaves_out_both_games(self):
        report = read(filled(("games!A6", 1)), "f.xlsx")
        assert report.games == ()
        assert dict(report.faults[0].facts) == {"number": "1", "round": "1", "first": "5"}

    @pytest.mark.slow
    def test_a_missing_sheet(self):
        book = openpyxl.load_workbook(io.BytesIO(write_form(FULL)))
        del book["選手 players"]
        stream = io.BytesIO()
        book.save(stream)
        assert faults(stream.getvalue()) == [(0, "", "form-no-sheet")]

    @pytest.mark.slow
    def test_an_empty_form(self):
        assert faults(write_form()) == [(0, "", "form-empty")]

    def test_no_workbook(self):
        assert faults(b"PK\x03\x04 and no more") == [(0, "", "sheet-broken")]
        assert faults(b"no,form") == [(0, "", "form-no-sheet")] * 3

    @pytest.mark.slow
    def test_every_sentence_has_its_facts(self):
        table = catalogue("faults/report_form")
        said = {}
        for case in [p for mark in self.test_by_address.pytestmark for p in mark.args[1]]:
            said |= {fault.code: fault for fault in read(filled(*case[0]), "f.xlsx").faults}
        assert set(table) - set(said) == {"form-no-sheet", "form-sheet-twice", "form-empty"}
        for fault in said.values():
            assert all("{" not in fault_text(fault, lang) for lang in LANGUAGES)


class TestAnyBytes:
    @pytest.mark.parametrize("cell", ["A1048576", "XFD1048576"])
    def test_a_cell_at_the_end_of_the_world(self, cell):
        """Beyond what the form can hold it is a workbook of blanks: refused, not read through."""
        assert [code for _, _, code in faults(filled((f"games!{cell}", "x")))] == ["sheet-too-large"]

    def test_of_endless_faults_a_thousand_are_told(self):
        book = openpyxl.load_workbook(io.BytesIO(write_form(FULL, players=4, games=4)))
        for row in range(10, 3000):
            book["対局 games"].cell(row, 1, "x")
        stream = io.BytesIO()
        book.save(stream)
        assert 1000 <= len(faults(stream.getvalue())) < 1010

    FORM = write_form(FULL, players=4, games=4)

    def test_other_files_are_not_claimed(self, shared):
        for path in shared.rglob("*.*"):
            assert not looks_like(path.read_bytes()), path

    def test_other_workbooks_are_not_claimed(self):
        stream = io.BytesIO()
        openpyxl.Workbook().save(stream)
        assert not looks_like(stream.getvalue())

    def test_a_day_beyond_all_calendars(self):
        assert faults(filled(("players!E5", -1e17))) == [(0, "", "sheet-broken")]

    @given(st.binary(max_size=400))
    def test_noise(self, noise):
        for data in (noise, b"PK\x03\x04" + noise, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + noise):
            looks_like(data)
            assert read(data, "f").faults

    @settings(max_examples=examples(150))
    @given(st.integers(0, len(FORM) - 1), st.binary(min_size=1, max_size=4))
    def test_damaged_forms(self, at, noise):
        data = self.FORM[:at] + noise + self.FORM[at + len(noise) :]
        looks_like(data)
        read(data, "f")

    @settings(max_examples=examples(60))
    @given(st.data())
    def test_odd_cells(self, data):
        """Whatever stands in the cells, a game that is given is sound."""
        odd = st.one_of(
            st.none(),
            st.integers(-3, 9),
            st.floats(allow_nan=False, allow_infinity=False),
            st.booleans(),
            st.dates(date(1901, 1, 1)),
            st.text(st.characters(exclude_categories=["C"]), max_size=6),
            st.sampled_from(["1-0", "１", "1e5", "=1", "²", "٣"]),
        )
        cells = [
            (f"{sheet}!{column}{row}", data.draw(odd))
            for sheet, columns in (("players", "ABCDEFG"), ("games", "ABCEF"))
            for row in (5, 6)
            for column in data.draw(st.sets(st.sampled_from(columns), max_size=3))
        ]
        report = read(filled(*((at, v if v != "=1" else "x") for at, v in cells)), "f.xlsx")
        numbers = {player.number for player in report.players}
        seats = [(game.round, number) for game in report.games for number in (game.white, game.black)]
        assert {number for _, number in seats} <= numbers
        assert len(seats) == len(set(seats))
        assert all(game.result in SCORES and game.round > 0 for game in report.games)


@pytest.mark.slow
@pytest.mark.skipif(SOFFICE is None, reason="LibreOffice (soffice) is not installed")
class TestInASpreadsheet:
    """LibreOffice opens the form, calculates its checks, and saves it in other kinds of file."""

    def converted(self, folder, data: bytes, kind: str) -> list:
        (folder / "form.xlsx").write_bytes(data)
        profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
        words = [SOFFICE, profile, "--headless", "--convert-to", kind, "--outdir", str(folder / "out")]
        subprocess.run([*words, str(folder / "form.xlsx")], check=True, capture_output=True, timeout=120)
        return sorted((folder / "out").iterdir())

    def tables(self, folder, data: bytes) -> dict[str, list[list[str]]]:
        kind = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1"
        paths = self.converted(folder, data, kind)
        return {path.stem.split()[-1]: list(csv.reader(path.open(encoding="utf-8"))) for path in paths}

    def test_a_good_form_is_ready(self, tmp_path):
        tables = self.tables(tmp_path, write_form(FULL, players=6, games=6))
        assert tables["event"][1][0] == form.READY
        assert [row[2] for row in tables["event"][3:]] == ["OK"] * 7 + ["", "OK", "OK", "", "OK", "OK", "OK"]
        assert [row[7] for row in tables["players"][4:]] == ["OK"] * 3 + [""] * 3
        assert [(row[3], row[6], row[7]) for row in tables["games"][4:7]] == [
            ("SATO Keiko", "ITO Ken", "OK"),
            ("MORI Kazuya", "SATO Keiko", "OK"),
            ("", "", ""),
        ]

    def test_an_empty_form_is_not(self, tmp_path):
        tables = self.tables(tmp_path, write_form(players=3, games=3))
        assert tables["event"][1][0] == f"直すところ / To correct: {len(form.REQUIRED)}"
        assert {row[2] for row in tables["event"][3:]} == {"記入してください / Please fill in", ""}

    def test_without_games_it_is_not_either(self, tmp_path):
        tables = self.tables(tmp_path, write_form(Report(EVENT, PLAYERS, ()), players=3, games=3))
        assert tables["event"][1][0] == "対局がありません / No games yet"

    def test_mistakes_are_named_where_they_are(self, tmp_path):
        players = (
            *PLAYERS,
            ReportedPlayer(4, "UEDA, Mei", "", "N004"),
            ReportedPlayer(5, "ABE Jun", "", "N002"),
            ReportedPlayer(6, "KATO Yu"),
            ReportedPlayer(6, "OTA Rei", "", "N006"),
            ReportedPlayer(7, "", "", "N007"),
        )
        games = (
            ReportedGame(1, 1, 3, "1-0", DAY),
            ReportedGame(1, 4, 1, "0-1", DAY),
            ReportedGame(2, 3, 3, "1-0", DAY),
            ReportedGame(2, 4, 9, "1-0", DAY),
            ReportedGame(3, 1, 3, "+/-", date(2025, 4, 28)),
            ReportedGame(4, 1, 3, "", DAY),
            ReportedGame(5, 1, 3, "u0-1"),
            ReportedGame(6, 3, 1, "-/-", NEXT),
        )
        event = EVENT._replace(starts=NEXT, ends=DAY, place="", base_minutes=None)
        tables = self.tables(tmp_path, write_form(Report(EVENT, players, games), players=9, games=9))
        assert [row[7].split(" / ")[-1] for row in tables["players"][4:]] == [
            "OK",
            "Member ID used twice",
            "OK",
            "No comma in a name",
            "Member ID used twice",
            "Number used twice",
            "Number used twice",
            "Name missing",
            "",
        ]
        assert [row[7].split(" / ")[-1] for row in tables["games"][4:]] == [
            "White plays twice in this round",
            "Black plays twice in this round",
            "White and Black are the same",
            "Black is not among the players",
            "Outside the event's days",
            "Choose a result",
            "Day missing",
            "OK",
            "",
        ]
        assert tables["event"][1][0] == "直すところ / To correct: 13"
        shutil.rmtree(tmp_path / "out")
        tables = self.tables(tmp_path, write_form(Report(event, PLAYERS[2:], ()), players=1, games=1))
        said = {row[0].split(" / ")[-1]: row[2].split(" / ")[-1] for row in tables["event"][3:]}
        assert said["Last day"] == "Before the first day"
        assert said["Place"] == said["Base time (minutes)"] == "Please fill in"

    def test_a_newcomer_without_an_id_needs_kanji_and_birth_date(self, tmp_path):
        players = (
            ReportedPlayer(1, "ABE Jun"),
            ReportedPlayer(2, "ABE Jun", name_native="阿部 純"),
            PLAYERS[2],
        )
        tables = self.tables(tmp_path, write_form(Report(EVENT, players, ()), players=3, games=1))
        newcomer = "IDのない人は漢字氏名と生年月日も / Without an ID: kanji name and birth date too"
        assert [row[7] for row in tables["players"][4:]] == [newcomer, newcomer, "OK"]

    def test_an_id_finds_the_member(self, tmp_path):
        data = write_form(
            players=3, games=1, members=[Member("N1", "A B", ""), Member("N001", "SATO Keiko", "佐藤 恵子")]
        )
        book = openpyxl.load_workbook(io.BytesIO(data))
        book["選手 players"]["B5"] = "N001"
        book["選手 players"]["B6"] = "N009"
        stream = io.BytesIO()
        book.save(stream)
        (path,) = self.converted(tmp_path, stream.getvalue(), "xlsx")
        players = read(path.read_bytes(), "f.xlsx").players
        assert [(p.national_id, p.name, p.name_native) for p in players] == [
            ("N001", "SATO Keiko", "佐藤 恵子"),
            ("N009", "", ""),
        ]

    def test_saved_by_it_the_form_is_still_the_form(self, tmp_path):
        (path,) = self.converted(tmp_path, write_form(FULL, players=4, games=4), "xlsx")
        assert looks_like(path.read_bytes())
        assert unplaced(read(path.read_bytes(), path.name)) == FULL

    @pytest.mark.parametrize("kind", ["ods", "xls"])
    def test_saved_in_another_kind_of_file_it_is_refused_with_the_way_out(self, tmp_path, kind):
        (path,) = self.converted(tmp_path, write_form(FULL, players=4, games=4), kind)
        assert faults(path.read_bytes()) == [(0, "", "sheet-not-xlsx")]
