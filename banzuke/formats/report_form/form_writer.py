"""Writes the report form: empty, with a list of members to look up, or filled with a report.

Every text is written as text: what begins with `=` is no formula. The only formulas are the form's own
checks and look-ups. Cells that are not for filling in are locked, without a password.
"""

import io
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, NamedTuple

import xlsxwriter
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from banzuke.formats.files.spreadsheet import column_letter
from banzuke.formats.report import Report, ReportedEvent, ReportedGame, ReportedPlayer
from banzuke.formats.report_form import form_layout as form
from banzuke.formats.report_form.form_layout import CHECKS, EVENT, GAMES, PLAYERS, TABS, Field, Label
from banzuke.formats.workbook import FIRST_DAY

EMPTY = Report(ReportedEvent(), (), ())

#: The first rows of data, counted from 1; in the tables the headings stand right above them.
EVENT_ROW, TABLE_ROW, MEMBER_ROW = 4, 5, 2
_A4, _TEXT, _NUMBER, _DAY = 9, "@", "0", "yyyy-mm-dd"
_LAST_DAY = date(2199, 12, 31)
_WIDTHS = {"text": 26, "id": 14, "day": 13, "number": 11}
_MEMBER_LABELS = tuple(column.label for column in form.PLAYER_COLUMNS[1:4])
#: The columns (from 0) of the games: those to fill in, and the names looked up for the numbers beside.
_GAME_PLACES = (0, 1, 2, 4, 5)
_GAME_LABELS = {3: form.WHITE_NAME, 6: form.BLACK_NAME}


class Member(NamedTuple):
    """A member whom the form can look up."""

    national_id: str
    name: str
    name_native: str


def write_form(
    report: Report = EMPTY, *, players: int = 100, games: int = 500, members: Sequence[Member] = ()
) -> bytes:
    """Give the form as an XLSX workbook, with rows for that many players and games, or for the report's.

    What the report says is filled in, as far as the form asks for it. With `members` there is a sheet
    of them, and a player's names appear when the id is typed.
    """
    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True}) as book:
        rows = (max(players, len(report.players)), max(games, len(report.games)))
        writer = _Writer(book, *rows, members)
        writer.event(report.event)
        writer.players(report.players)
        writer.games(report.games)
        writer.members()
    return stream.getvalue()


def _first_of(*faults: tuple[str, str], good: str = f'"{form.GOOD}"') -> str:
    """A formula that says the first of the faults (condition, key of `CHECKS`) that is there."""
    formula = good
    for condition, code in reversed(faults):
        formula = f'IF({condition},"{CHECKS[code].text}",{formula})'
    return "=" + formula


def _one_of(cell: str, choice: str) -> str:
    """A condition: the cell is what the drop-down offers."""
    return "OR(" + ",".join(f'{cell}="{label.text}"' for label in form.CHOICES[choice].values()) + ")"


def _cell_value(field: Field, value: Any) -> Any:
    """What stands in a cell for a record's value; None for nothing."""
    if value is None or value == "":
        return None
    if field.kind in form.CHOICES:
        key = str(int(value)) if isinstance(value, bool) else value
        return form.CHOICES[field.kind][key].text
    return int(value) if field.kind == "number" else value


class _Writer:
    """The workbook in the making: formats, the ranges that formulas name, and one method a sheet."""

    def __init__(
        self, book: xlsxwriter.Workbook, players: int, games: int, members: Sequence[Member]
    ) -> None:
        self.book, self.list = book, members
        self.counts = {PLAYERS: players, GAMES: games}
        self.title = book.add_format({"bold": True, "font_size": 14})
        self.head = book.add_format(
            {"bold": True, "bg_color": "#DCE6F1", "border": 1, "text_wrap": True, "valign": "vcenter"}
        )
        self.grey = book.add_format({"italic": True, "font_color": "#808080", "num_format": _TEXT})
        self.looked_up = book.add_format({"font_color": "#404040", "bottom": 4})
        self.state = book.add_format({"bold": True, "border": 1})
        self.bad = book.add_format({"font_color": "#C00000", "bold": True})
        self.good = book.add_format({"font_color": "#006100"})
        self.inputs = {kind: self._input(kind) for kind in (*_WIDTHS, *form.CHOICES)}

    def _input(self, kind: str) -> Format:
        code = {"number": _NUMBER, "day": _DAY}.get(kind, _TEXT)
        style = {"locked": False, "bg_color": "#FFFDE7", "border": 1, "border_color": "#BFBFBF"}
        return self.book.add_format(style | {"num_format": code})

    def _sheet(self, name: str, title: str, above: int, *, landscape: bool) -> Worksheet:
        """A sheet with its title, frozen and repeated in print above its first row of data."""
        sheet = self.book.add_worksheet(TABS[name])
        sheet.write_string(0, 0, title, self.title)
        sheet.freeze_panes(above, 0)
        sheet.repeat_rows(0, above - 1)
        sheet.protect("", {"format_columns": True, "format_rows": True})
        sheet.set_paper(_A4)
        sheet.fit_to_pages(1, 0)
        sheet.set_footer("&L&A&R&P / &N")
        if landscape:
            sheet.set_landscape()
        return sheet

    def _range(self, name: str, letter: str, until: str = "") -> str:
        """The data of a column, or of columns, of a table."""
        last = TABLE_ROW + self.counts[name] - 1
        return f"'{TABS[name]}'!${letter}${TABLE_ROW}:${until or letter}${last}"

    def _write_input(self, sheet: Worksheet, row: int, column: int, field: Field, value: Any) -> None:
        """Write a value (row and column from 0) into a cell that is for filling in."""
        style, shown = self.inputs[field.kind], _cell_value(field, value)
        if shown is None:
            sheet.write_blank(row, column, None, style)
        elif isinstance(shown, int):
            sheet.write_number(row, column, shown, style)
        elif isinstance(shown, date) and shown >= FIRST_DAY:
            sheet.write_datetime(row, column, shown, style)
        else:
            sheet.write_string(row, column, str(shown), style)

    def _validate(self, sheet: Worksheet, first: int, last: int, column: int, field: Field) -> None:
        """Drop-downs, days and whole numbers, with a word of help; texts may be anything."""
        if field.kind in form.CHOICES:
            choices = [label.text for label in form.CHOICES[field.kind].values()]
            rule: dict[str, Any] = {"validate": "list", "source": choices}
        elif field.kind == "day":
            rule = {"validate": "date", "criteria": "between", "minimum": FIRST_DAY, "maximum": _LAST_DAY}
        elif field.kind == "number":
            rule = {"validate": "integer", "criteria": "between", "minimum": 0, "maximum": field.most}
        else:
            rule = {"validate": "any"}
        rule["input_message"] = f"{field.label.text}\n例 / e.g. {field.example}\n{field.clause}".strip()
        sheet.data_validation(first, column, last, column, rule)

    def _check(self, sheet: Worksheet, row: int, column: int, formula: str) -> None:
        """Write a formula whose value is left to be calculated when the form is opened."""
        sheet.write_formula(row, column, formula, self.looked_up, "")

    def _colour(self, sheet: Worksheet, first: int, last: int, column: int) -> None:
        """Show what is good in green and the rest in red."""
        for criteria, style in (("begins with", self.good), ("not containing", self.bad)):
            rule = {"type": "text", "criteria": criteria, "value": form.GOOD, "format": style}
            sheet.conditional_format(first, column, last, column, rule)

    def event(self, event: ReportedEvent) -> None:
        """Write the event: one field a row, and above them whether the form is ready to send."""
        sheet = self._sheet(EVENT, form.TITLE, EVENT_ROW - 1, landscape=False)
        for column, width in enumerate((34, 38, 34, 30, 22)):
            sheet.set_column(column, column, width)
        words = [Label("項目", "Field"), Label("記入欄", "Entry"), form.CHECK]
        words += [Label("例", "Example"), Label("根拠", "Clause")]
        sheet.write_row(EVENT_ROW - 2, 0, [label.text for label in words], self.head)
        values = event._asdict()
        for row, field in enumerate(form.EVENT_FIELDS, EVENT_ROW - 1):
            sheet.write_string(row, 0, field.label.text, self.head)
            self._write_input(sheet, row, 1, field, values[field.name])
            self._validate(sheet, row, row, 1, field)
            self._check(sheet, row, 2, self._event_check(field, f"$B${row + 1}"))
            sheet.write_string(row, 3, field.example, self.grey)
            sheet.write_string(row, 4, field.clause, self.grey)
        last = EVENT_ROW + len(form.EVENT_FIELDS) - 1
        self._colour(sheet, EVENT_ROW - 1, last - 1, 2)
        sheet.write_formula(1, 0, self._total(f"$C${EVENT_ROW}:$C${last}"), self.state, "")

    def _event_check(self, field: Field, cell: str) -> str:
        blank = f'TRIM({cell})=""'
        faults: list[tuple[str, str]] = []
        if field.kind in form.CHOICES:
            faults = [(f"NOT({_one_of(cell, field.kind)})", "choose")]
        elif field.kind in ("day", "number"):
            faults = [(f"NOT(ISNUMBER({cell}))", "no-day" if field.kind == "day" else "no-number")]
        if field.name == "ends":
            faults.append((f"{cell}<{self._event_cell('starts')}", "backwards"))
        if field.name in form.REQUIRED:
            return _first_of((blank, "fill"), *faults)
        return f'=IF({blank},"",{_first_of(*faults)[1:]})'

    def _event_cell(self, name: str) -> str:
        row = next(n for n, field in enumerate(form.EVENT_FIELDS, EVENT_ROW) if field.name == name)
        return f"'{TABS[EVENT]}'!$B${row}"

    def _total(self, fields: str) -> str:
        """Say whether all checks are good, or how many are not."""
        checks = (fields, self._range(PLAYERS, "H"), self._range(GAMES, "H"))
        bad = "+".join(f'SUMPRODUCT(({cells}<>"")*({cells}<>"{form.GOOD}"))' for cells in checks)
        no_games = CHECKS["no-games"].text
        rest = f'IF(COUNTIF({checks[2]},"{form.GOOD}")=0,"{no_games}","{form.READY}")'
        return f'=IF({bad}>0,"直すところ / To correct: "&({bad}),{rest})'

    def _table(self, name: str, title: str, labels: Sequence[Label]) -> Worksheet:
        """A table without its rows: title, an example in grey, headings, widths, the check's colours."""
        sheet = self._sheet(name, title, TABLE_ROW - 1, landscape=True)
        for column, label in enumerate(labels):
            sheet.write_string(TABLE_ROW - 2, column, label.text, self.head)
        sheet.set_row(TABLE_ROW - 2, 32)
        sheet.set_column(len(labels) - 1, len(labels) - 1, 46)
        self._colour(sheet, TABLE_ROW - 1, TABLE_ROW + self.counts[name] - 2, len(labels) - 1)
        return sheet

    def _columns(self, sheet: Worksheet, name: str, columns: Iterable[tuple[int, Field]]) -> None:
        """Widths, examples and what may be entered in the columns (from 0) of a table."""
        for column, field in columns:
            sheet.set_column(column, column, _WIDTHS.get(field.kind, 12))
            sheet.write_string(TABLE_ROW - 3, column, field.example, self.grey)
            last = TABLE_ROW + self.counts[name] - 2
            self._validate(sheet, TABLE_ROW - 1, last, column, field)

    def players(self, players: Sequence[ReportedPlayer]) -> None:
        """Write the players; rows that are free have numbers already."""
        labels = [*(field.label for field in form.PLAYER_COLUMNS), form.CHECK]
        sheet = self._table(
            PLAYERS, "選手：一人一行。例は灰色の行 / Players: one a row; an example in grey", labels
        )
        self._columns(sheet, PLAYERS, enumerate(form.PLAYER_COLUMNS))
        free = max((player.number for player in players), default=0) + 1
        for index in range(self.counts[PLAYERS]):
            player = players[index] if index < len(players) else None
            row = TABLE_ROW - 1 + index
            for column, field in enumerate(form.PLAYER_COLUMNS):
                self._write_input(sheet, row, column, field, getattr(player, field.name, None))
            if player is None:
                sheet.write_number(row, 0, free + index - len(players), self.inputs["number"])
                self._look_up(sheet, row)
            self._check(sheet, row, len(form.PLAYER_COLUMNS), self._player_check(row + 1))

    def _look_up(self, sheet: Worksheet, row: int) -> None:
        """The names of a member whose id is typed; whoever types over them is right."""
        if self.list:
            cells = f"'{TABS['members']}'!$A${MEMBER_ROW}:$C${MEMBER_ROW + len(self.list) - 1}"
            for column in (2, 3):
                found = f'IFERROR(VLOOKUP($B{row + 1},{cells},{column},FALSE)&"","")'
                formula = f'=IF($B{row + 1}="","",{found})'
                sheet.write_formula(row, column, formula, self.inputs["text"], "")

    def _player_check(self, row: int) -> str:
        number, national_id, name = f"A{row}", f"B{row}", f"C{row}"
        ids = self._range(PLAYERS, "B")
        blank = "&".join(f"TRIM({letter}{row})" for letter in "BCDEFG")
        faults = (
            (f"NOT(ISNUMBER({number}))", "no-number"),
            (f"COUNTIF({self._range(PLAYERS, 'A')},{number})>1", "number-twice"),
            (f'AND({national_id}<>"",SUMPRODUCT(--({ids}={national_id}))>1)', "id-twice"),
            (f'TRIM({name})=""', "nameless"),
            (f'ISNUMBER(FIND(",",{name}))', "comma"),
            (f'AND(E{row}<>"",NOT(ISNUMBER(E{row})))', "no-day"),
            (f'AND({national_id}="",OR(TRIM(D{row})="",E{row}=""))', "newcomer"),
        )
        return f'=IF({blank}="","",{_first_of(*faults)[1:]})'

    def games(self, games: Sequence[ReportedGame]) -> None:
        """Write the games; the players' names stand beside their numbers."""
        fields = dict(zip(_GAME_PLACES, form.GAME_COLUMNS, strict=True))
        labels = _GAME_LABELS | {column: field.label for column, field in fields.items()} | {7: form.CHECK}
        sheet = self._table(
            GAMES, "対局：一局一行 / Games: one a row", [labels[column] for column in sorted(labels)]
        )
        self._columns(sheet, GAMES, fields.items())
        for column in _GAME_LABELS:
            sheet.set_column(column, column, _WIDTHS["text"])
        for index in range(self.counts[GAMES]):
            game = games[index] if index < len(games) else None
            row = TABLE_ROW - 1 + index
            for column, field in fields.items():
                self._write_input(sheet, row, column, field, getattr(game, field.name, None))
            for column in _GAME_LABELS:
                self._check(sheet, row, column, self._name_of(f"{column_letter(column - 1)}{row + 1}"))
            self._check(sheet, row, 7, self._game_check(row + 1))

    def _name_of(self, cell: str) -> str:
        players = self._range(PLAYERS, "A", "C")
        return f'=IF({cell}="","",IFERROR(VLOOKUP({cell},{players},3,FALSE)&"",""))'

    def _game_check(self, row: int) -> str:
        number, day, white, result, black = (f"{letter}{row}" for letter in "ABCEF")
        starts, ends = self._event_cell("starts"), self._event_cell("ends")
        rounds, whites, blacks = (self._range(GAMES, letter) for letter in "ACF")

        def seats(player: str) -> str:
            return "+".join(f"COUNTIFS({rounds},{number},{side},{player})" for side in (whites, blacks))

        def nobody(player: str) -> str:
            named = f'{self._range(PLAYERS, "A")},{player},{self._range(PLAYERS, "C")},"?*"'
            return f"COUNTIFS({named})=0"

        faults = (
            (f"NOT(ISNUMBER({number}))", "no-number"),
            (f'AND({day}="",{starts}<>{ends})', "day-missing"),
            (f'AND({day}<>"",NOT(ISNUMBER({day})))', "no-day"),
            (f'AND({day}<>"",OR({day}<{starts},{day}>{ends}))', "outside"),
            (nobody(white), "no-white"),
            (nobody(black), "no-black"),
            (f"{white}={black}", "self"),
            (f"{seats(white)}>1", "white-twice"),
            (f"{seats(black)}>1", "black-twice"),
            (f"NOT({_one_of(result, form.RESULT)})", "no-result"),
        )
        blank = f"{number}&{day}&{white}&{result}&{black}"
        return f'=IF({blank}="","",{_first_of(*faults)[1:]})'

    def members(self) -> None:
        """Write the members' list, if there is one, for looking up only."""
        if not self.list:
            return
        sheet = self._sheet("members", "", 1, landscape=False)
        sheet.write_row(0, 0, [label.text for label in _MEMBER_LABELS], self.head)
        sheet.set_column(0, 2, _WIDTHS["text"])
        sheet.autofilter(0, 0, len(self.list), 2)
        for row, member in enumerate(self.list, MEMBER_ROW - 1):
            for column, text in enumerate(member):
                sheet.write_string(row, column, text, self.looked_up)
