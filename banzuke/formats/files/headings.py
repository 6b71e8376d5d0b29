"""Tables in the sheets of a file, found by their headings, and what is wrong with the headings.

A hidden sheet is read only where no sheet that is shown has the headings; one with headings alone only where
none has rows below them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from banzuke.core.fault import Fault, fault
from banzuke.formats.files.spreadsheet import HEADING_ROWS, Sheet, column_letter

T = TypeVar("T")


class FoundTable(NamedTuple):
    """A sheet with the row (from 0) of its headings; `others` are the sheets that have such a table, too."""

    sheet: Sheet
    row: int
    others: tuple[str, ...] = ()

    @property
    def line(self) -> int:
        """The line of the headings."""
        return self.sheet.lines[self.row]

    @property
    def headings(self) -> list[str]:
        """The cells of the headings."""
        return self.sheet.rows[self.row]

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """The rows below the headings that are not blank, with their lines."""
        return self.sheet.below(self.row + 1)


def find_table(sheets: Iterable[Sheet], is_heading: Callable[[list[str]], bool]) -> FoundTable | None:
    """The table to be read; None where no sheet has the headings in its first rows."""
    found = []
    for sheet in sheets:
        row = next((at for at, cells in enumerate(sheet.rows[:HEADING_ROWS]) if is_heading(cells)), None)
        if row is not None:
            found.append(FoundTable(sheet, row))
    found = shown(found, lambda table: table.sheet)
    found = [table for table in found if any(table.rows())] or found[:1]
    return found[0]._replace(others=tuple(table.sheet.name for table in found[1:])) if found else None


def shown(found: list[T], sheet_of: Callable[[T], Sheet]) -> list[T]:
    """What stands in sheets that are shown; all of it where none is."""
    return [each for each in found if not sheet_of(each).is_hidden] or found


def columns_of(cells: Iterable[str], key_of: Callable[[str], str]) -> dict[str, list[int]]:
    """The columns (from 0) by what their heading means; those without a meaning are left out."""
    columns: dict[str, list[int]] = {}
    for at, cell in enumerate(cells):
        if cell and (key := key_of(cell)):
            columns.setdefault(key, []).append(at)
    return columns


def headings_twice(
    file: str, line: int, cells: Sequence[str], columns: Mapping[str, list[int]], sheet: str = ""
) -> list[Fault]:
    """A fault for every heading that several columns have; `sheet` goes before the column's letter."""
    found = []
    for places in columns.values():
        if len(places) > 1:
            letters = [column_letter(at) for at in places]
            column = f"{sheet}!{letters[1]}" if sheet else letters[1]
            facts = {"heading": cells[places[0]], "columns": ", ".join(letters)}
            found.append(fault(file, line, column, "sheet-heading-twice", **facts))
    return found
