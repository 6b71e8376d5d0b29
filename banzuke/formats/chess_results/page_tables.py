"""The tables of a Chess-Results page or export: found among its rows by their headings, of which kind, whose.

A page is rows of cells in the order of the document, whether it was saved as HTML or exported to a sheet.
Players stand in the rows of a crosstable, or of the starting rank.
"""

import re
from datetime import date
from typing import NamedTuple

from banzuke.core.fault import Fault, fault
from banzuke.formats.chess_results.footnotes import split_mark
from banzuke.formats.chess_results.headings import column_of, round_of
from banzuke.formats.files.text import plain, whole_number
from banzuke.formats.notation import VAGUE_DAY, parse_day
from banzuke.formats.report import MOST_FIDE_ID, MOST_RATING, ReportedPlayer

SWISS, ROUND_ROBIN, PAIRINGS, PLAYERS = "swiss", "round-robin", "pairings", "players"
#: The most columns, rows, and cells of results that a page of an event has.
MOST_COLUMNS, MOST_ROWS, MOST_CELLS = 2000, 20_000, 100_000
#: The most letters of a cell that are read.
MOST_LETTERS = 1000
_LEAST_COLUMNS = 3
_CELL_OF_PAIR = re.compile(r"([1-9][0-9]{0,2})([ab]?)")


class Row(NamedTuple):
    """A row: its line in the file, its cells, the start numbers in the cells' links (0: none), its table."""

    line: int
    cells: tuple[str, ...]
    links: tuple[int, ...] = ()
    table: int = 0

    def cell(self, index: int) -> str:
        """A cell by its place from 0; blank if there is none."""
        return self.cells[index] if 0 <= index < len(self.cells) else ""

    def link(self, index: int) -> int:
        """The start number in a cell's link; 0 if there is none."""
        return self.links[index] if 0 <= index < len(self.links) else 0

    def alone(self) -> str:
        """The text of a row that says one thing only (a title, a note); blank if it says more, or nothing."""
        values = {cell for cell in self.cells if cell}
        text = values.pop() if len(values) == 1 else ""
        return "" if whole_number(text) is not None else text


class Layout(NamedTuple):
    """What stands where in a table: its kind, the columns by what they hold, those of rounds or opponents."""

    kind: str
    columns: dict[str, int]
    numbers: tuple[int, ...] = ()
    results: tuple[int, ...] = ()
    rounds: tuple[int, ...] = ()


class Table(NamedTuple):
    """A table: its headings, its layout, its rows, and the title nearest above it."""

    heading: Row
    layout: Layout
    rows: list[Row]
    title: str

    def heading_of(self, index: int) -> str:
        """The heading over a column, as written."""
        return plain(self.heading.cell(index))


def find_tables(rows: list[Row]) -> list[Table]:
    """Every table of a page, in order; a row that says one thing only is none of a table's."""
    found: list[Table] = []
    title = ""
    for row in rows:
        if text := row.alone():
            title = text
        elif layout := layout_of(row.cells):
            found.append(Table(row, layout, [], title))
        elif found and row.table == found[-1].heading.table and any(row.cells):
            found[-1].rows.append(row)
    return found


def layout_of(cells: tuple[str, ...]) -> Layout | None:
    """The layout that a row of headings gives; None if it is no such row."""
    if not _LEAST_COLUMNS <= len(cells) <= MOST_COLUMNS:
        return None
    kinds = [column_of(cell) for cell in cells]
    return _pairings(kinds) or _crosstable(cells, kinds)


def _pairings(kinds: list[str]) -> Layout | None:
    """The layout of pairings: White, the result, Black; or two names with the result between them."""
    if "result" not in kinds:
        return None
    result = kinds.index("result")
    white = [i for i, kind in enumerate(kinds[:result]) if kind in ("white", "name")]
    black = [i for i, kind in enumerate(kinds) if i > result and kind in ("black", "name")]
    if not white or not black:
        return None
    columns = {"result": result, "white": white[-1], "black": black[0]}
    numbers = [i for i, kind in enumerate(kinds) if kind == "number"]
    left, right = [i for i in numbers if i < result], [i for i in numbers if i > result]
    if left and right:  # a single one is the board's
        columns |= {"white-number": left[-1], "black-number": right[0]}
    for kind in ("rating", "international", "federation"):
        at = [i for i, found in enumerate(kinds) if found == kind]
        sides = [i for i in at if i < result], [i for i in at if i > result]
        if sides[0] and sides[1]:
            columns |= {f"white-{kind}": sides[0][-1], f"black-{kind}": sides[1][0]}
    return Layout(PAIRINGS, columns)


def _crosstable(cells: tuple[str, ...], kinds: list[str]) -> Layout | None:
    """The layout of a crosstable or of a list of players, which have a number and a name."""
    if "name" not in kinds:
        return None
    name = kinds.index("name")
    columns = {kind: kinds.index(kind) for kind in dict.fromkeys(kinds) if kind}
    known = [i for i in range(name) if kinds[i] in ("number", "rank")]
    numbers = (*known, *(i for i in range(name) if cells[i] and not kinds[i]))
    rounds = [(i, number) for i, cell in enumerate(cells) if i > name and (number := round_of(cell))]
    if rounds:
        return Layout(SWISS, columns, numbers or (0,), *zip(*rounds, strict=True))
    if opponents := _opponents(cells, name):
        return Layout(ROUND_ROBIN, columns, numbers or (0,), opponents)
    if "number" in columns and set(columns) & {
        "rating",
        "international",
        "national",
        "federation",
        "fide_id",
    }:
        return Layout(PLAYERS, columns, (columns["number"],))
    return None


def _opponents(cells: tuple[str, ...], name: int) -> tuple[int, ...]:
    """The columns headed `1` `2` `3` ..., or `1a` `1b` `2a` `2b` ..., right of the name, if there are two."""
    found: list[int] = []
    expected = [("1", ""), ("1", "a")]
    for index, cell in enumerate(cells):
        heading = _CELL_OF_PAIR.fullmatch(plain(cell).lower())
        if index > name and heading and heading.groups() in expected:
            found.append(index)
            number, cycle = int(heading[1]), heading[2]
            expected = [(str(number), "b")] if cycle == "a" else [(str(number + 1), "a" if cycle else "")]
        elif found:
            break
    return tuple(found) if len(found) > 1 else ()


#: The largest start number.
MOST_NUMBER = 99_999
_SEXES = {"": "", "m": "m", "w": "w", "f": "w", "м": "m", "ж": "w", "k": "w"}


def players_of(
    table: Table, column: int, file: str, faults: list[Fault]
) -> dict[int, tuple[ReportedPlayer, Row]]:
    """The players by the numbers in a column, each with the row; rows without one are noted and left out.

    In a list of players the start number is that in the name's link, where it has one: the lists of team
    events count their rows.
    """
    found: dict[int, tuple[ReportedPlayer, Row]] = {}
    heading = table.heading_of(column)
    for row in table.rows:
        linked = row.link(table.layout.columns["name"]) if table.layout.kind == PLAYERS else 0
        number = linked or whole_number(row.cell(column), MOST_NUMBER)
        reader = _RowReader(table, row, file, faults)
        if not number:
            text, name = row.cell(column), reader.name()
            faults.append(fault(file, row.line, heading, "cr-bad-number", text=text, name=name))
        elif number in found:
            facts = {"number": number, "name": reader.name(), "other": found[number][0].name}
            faults.append(fault(file, row.line, heading, "cr-number-twice", **facts))
        else:
            found[number] = reader.player(number), row
    return found


class _RowReader(NamedTuple):
    """Reads the cells of a row by what their columns hold; what cannot be read is noted."""

    table: Table
    row: Row
    file: str
    faults: list[Fault]

    def name(self) -> str:
        return split_mark(self.row.cell(self.table.layout.columns["name"]))[0]

    def text(self, kind: str) -> str:
        return plain(self.row.cell(self.table.layout.columns.get(kind, -1)))

    def note(self, kind: str, code: str, **facts: object) -> None:
        heading = self.table.heading_of(self.table.layout.columns[kind])
        self.faults.append(fault(self.file, self.row.line, heading, code, **facts))

    def player(self, number: int) -> ReportedPlayer:
        if not self.name():
            self.note("name", "cr-nameless", number=number)
        rating, international, national = (
            self.number(kind, "cr-bad-rating", MOST_RATING) or None
            for kind in ("rating", "international", "national")
        )
        national_id = self.text("national_id")
        return ReportedPlayer(
            number,
            self.name(),
            fide_id=str(self.number("fide_id", "cr-bad-fide-id", MOST_FIDE_ID) or ""),
            national_id="" if national_id in ("0", "-") else national_id,
            rating=international or rating,
            federation=self.text("federation"),
            sex=self.sex(),
            birth_date=self.birth_date(),
            line=self.row.line,
            national_rating=national,
        )

    def number(self, kind: str, code: str, most: int) -> int:
        """The whole number in a cell; 0 if it is blank, or (noted) none."""
        text = self.text(kind)
        number = whole_number(text, most) if text not in ("", "-") else 0
        if number is None:
            self.note(kind, code, text=text, name=self.name())
        return number or 0

    def sex(self) -> str:
        sex = _SEXES.get(self.text("sex").lower())
        if sex is None:
            self.note("sex", "cr-bad-sex", text=self.text("sex"), name=self.name())
        return sex or ""

    def birth_date(self) -> date | None:
        text = self.text("birth")
        day = parse_day(text)
        if day is None and not VAGUE_DAY.fullmatch(text):
            self.note("birth", "cr-bad-birth-date", text=text, name=self.name())
        return day
