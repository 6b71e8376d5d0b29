"""Tables in the sheets of a file, found by their headings, and what is wrong with the headings.

A hidden sheet is read only where no sheet that is shown has the headings; one with headings alone only where
none has rows below them.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from banzuke.core.fault import Fault, fault
from banzuke.formats.files.spreadsheet import HEADING_ROWS, Sheet, column_letter
from banzuke.formats.files.text import plain_heading, some_names

T = TypeVar("T")


class FoundTable(NamedTuple):
    """A sheet with the row (from 0) of its headings; `others` are further tables of the kind."""

    sheet: Sheet
    row: int
    others: "tuple[FoundTable, ...]" = ()

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
    return found[0]._replace(others=tuple(found[1:])) if found else None


def shown(found: list[T], sheet_of: Callable[[T], Sheet]) -> list[T]:
    """What stands in sheets that are shown; all of it where none is."""
    return [each for each in found if not sheet_of(each).is_hidden] or found


def sheets_alike(
    file: str, tables: Sequence[FoundTable], meanings: Callable[[list[str]], Collection[str]]
) -> list[Fault]:
    """A fault where several tables with rows have the columns of the first, by what their headings mean."""
    wanted = set(meanings(tables[0].headings))
    same = [table for table in tables if set(meanings(table.headings)) == wanted and any(table.rows())]
    names = some_names(table.sheet.name for table in same)
    return [fault(file, 0, "", "sheet-alike", sheets=names)] if len(same) > 1 else []


def columns_of(cells: Iterable[str], key_of: Callable[[str], str]) -> dict[str, list[int]]:
    """The columns (from 0) by what their heading means; those without a meaning are left out."""
    columns: dict[str, list[int]] = {}
    for at, cell in enumerate(cells):
        if cell and (key := key_of(cell)):
            columns.setdefault(key, []).append(at)
    return columns


def places_of(columns: Mapping[str, list[int]], called: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """The columns (from 0) by what they hold: of several headings for the same the first one called so."""
    found = {name: next((word for word in words if word in columns), "") for name, words in called.items()}
    return {name: columns[word][0] for name, word in found.items() if word}


def headings_twice(
    file: str, line: int, cells: Sequence[str], columns: Mapping[str, list[int]], sheet: str = ""
) -> list[Fault]:
    """A fault for everything that several columns are for; `sheet` goes before the column's letter."""
    found = []
    for places in columns.values():
        if len(places) > 1:
            letters = [column_letter(at) for at in places]
            column = f"{sheet}!{letters[1]}" if sheet else letters[1]
            is_same = len({plain_heading(cells[at]) for at in places}) == 1
            facts = {"columns": some_names(letters)}
            if is_same:
                facts["heading"] = some_names([cells[places[0]]])
            else:
                facts["headings"] = some_names(cells[at] for at in places)
            code = "sheet-heading-twice" if is_same else "sheet-headings-alike"
            found.append(fault(file, line, column, code, **facts))
    return found
