"""Lists as XLSX workbooks for people: a sheet with the table, a sheet that says what it is; and back.

The headings are in the reader's language, as the `wording` given has them. The second sheet has each of them
with its key, and so a workbook in any language is read back; it also says pool, list and rule book. A
workbook that is not so is no list. Blanks at the ends of a text are dropped in reading.
"""

from collections.abc import Mapping, Sequence

from banzuke.core.fault import Fault
from banzuke.formats.files.spreadsheet import Sheet, column_letter, read_sheets
from banzuke.formats.lists.list_reader import Cells, parse_list
from banzuke.formats.lists.rating_list import (
    ABOUT,
    AnyList,
    Column,
    Value,
    columns,
    list_facts,
    rows,
    statuses,
)
from banzuke.formats.workbook import Workbook

#: The columns that stay in view: id and names, or place, id and name.
_FROZEN = 3
_SHEETS, _ABOUT_WIDTH = 2, 3


def write(listed: AnyList, wording: Mapping[str, str]) -> bytes:
    """The list as a workbook.

    `wording` has the heading of each column's key, the words for `pool`, `list`, `rulebook`, each status,
    `what`, `value` and `key`, the names of the sheets (`sheet-list`, `sheet-about`) and the `title`, each
    another. Raises TooLargeError for what a sheet cannot hold.
    """
    book = Workbook(wording["title"], listed.name)
    _write_table(book, listed, wording)
    _write_about(book, listed, wording)
    return book.data()


def _write_table(book: Workbook, listed: AnyList, wording: Mapping[str, str]) -> None:
    sheet = book.sheet(wording["sheet-list"], landscape=True)
    named = columns(listed)
    table = [_row_for_people(row, named, wording) for row in rows(listed)]
    headings = [(wording[column.key], column.kind) for column in named]
    book.table(sheet, 0, headings, table, frozen_columns=_FROZEN)
    last = max(len(table), 1)
    sheet.autofilter(0, 0, last, len(named) - 1)
    sheet.ignore_errors({"number_stored_as_text": f"A1:{column_letter(len(named) - 1)}{last + 1}"})


def _row_for_people(row: Sequence[Value], named: Sequence[Column], wording: Mapping[str, str]) -> list[Value]:
    """A row as people read it: the status in their language, a flag as the number that shows a ring."""
    cells: list[Value] = []
    for value, column in zip(row, named, strict=True):
        if isinstance(value, bool):
            cells.append(int(value))
        else:
            is_status = column.key.endswith("status") and value
            cells.append(wording.get(str(value), str(value)) if is_status else value)
    return cells


def _write_about(book: Workbook, listed: AnyList, wording: Mapping[str, str]) -> None:
    """Below the headings pool, list and rule book; then every column; then the words of a status."""
    sheet = book.sheet(wording["sheet-about"])
    facts = list_facts(listed)
    keys = [*facts, *(column.key for column in columns(listed)), *statuses()]
    table = [(wording.get(key, key), facts.get(key), key) for key in keys]
    headings = [(wording["what"], "text"), (wording["value"], "text"), (wording["key"], "grey")]
    book.table(sheet, 0, headings, table)


def read(data: bytes, file: str) -> tuple[AnyList | None, list[Fault]]:
    """The list in a workbook as written here, and every fault; raises nothing.

    The list is None, with a fault, where it is none.
    """
    faults: list[Fault] = []
    found = read_sheets(data, file, faults)
    return (None, faults) if faults else parse_list(_cells(found), file)


def _cells(found: Sequence[Sheet]) -> Cells | None:
    """The table under its keys; None where the sheets are not those of a list."""
    if len(found) != _SHEETS or not found[0].rows or any(len(row) != _ABOUT_WIDTH for row in found[1].rows):
        return None
    values = {key: (what, value) for what, value, key in found[1].rows[1:]}
    keys = {what: key for key, (what, _) in values.items()}
    header = [keys.get(heading, heading) for heading in found[0].rows[0]]
    status_of = {values[status][0]: status for status in statuses() if status in values}
    table = (
        (
            line,
            [
                status_of.get(cell, cell) if key.endswith("status") else cell
                for cell, key in zip(row, header, strict=False)
            ],
        )
        for line, row in enumerate(found[0].rows[1:], 2)
        if any(row)
    )
    return Cells({key: values[key][1] for key in ABOUT if key in values}, header, table)
