"""An event's crosstable as an XLSX workbook: numbers as numbers, texts as texts, the cells as `12w1`."""

from collections.abc import Iterator, Mapping

from banzuke.formats.events.event_table import EventRow, EventTable
from banzuke.formats.events.standings_table import StandingsRow, StandingsTable
from banzuke.formats.workbook import Workbook

#: The title and what there is to say of the event stand above the headings; number, id and name stay in view.
_HEAD_ROW, _FROZEN = 3, 3
_BEFORE = ("number", "id", "name", "before")
_AFTER = ("points", "scored", "rated", "expected", "change", "bonus", "after")
_KINDS = {
    "id": "text",
    "name": "text",
    "points": "points",
    "scored": "points",
    "expected": "expected",
    "change": "exact",
    "bonus": "exact",
}
_STANDINGS = {"rank": "number", "number": "number", "name": "text", "points": "points"}
_HALF, _HUNDREDTH = 2, 100


def write(event: EventTable, wording: Mapping[str, str], standings: StandingsTable | None = None) -> bytes:
    """The workbook; `wording` has the headings (`event-name` ...), `lang`, `facts` and `event-legend`.

    Standings are a second sheet, with their words (`standings-title` ...). Raises TooLargeError for what a
    sheet cannot hold.
    """
    book = Workbook(event.name, event.event_id)
    sheet = book.sheet(wording["sheet-event"], landscape=True)
    book.put(sheet, 0, 0, event.name, "strong")
    book.put(sheet, 1, 0, wording["facts"], "grey")
    table = [list(_cells(row, wording["lang"], has_bonus=event.has_bonus)) for row in event.rows]
    book.table(sheet, _HEAD_ROW, list(_columns(event, wording)), table, frozen_columns=_FROZEN)
    book.put(sheet, _HEAD_ROW + len(table) + 2, 0, wording["event-legend"], "grey")
    if standings is not None:
        _put_standings(book, event.name, standings, wording)
    return book.data()


def _put_standings(book: Workbook, title: str, table: StandingsTable, wording: Mapping[str, str]) -> None:
    sheet = book.sheet(wording["standings-title"], landscape=True)
    book.put(sheet, 0, 0, title, "strong")
    book.put(sheet, 1, 0, wording["standings-note"], "grey")
    heads = [(wording[f"standings-{key}"], kind) for key, kind in _STANDINGS.items()]
    heads += [(code, "figure") for code in table.codes]
    rows = [_standings_cells(row, wording["lang"]) for row in table.rows]
    book.table(sheet, _HEAD_ROW, heads, rows, frozen_columns=_FROZEN)
    book.put(sheet, _HEAD_ROW + len(rows) + 2, 0, wording["standings-legend"], "grey")


def _standings_cells(row: StandingsRow, lang: str) -> list[object]:
    native = row.name_native if lang == "ja" else ""
    who = row.rank, row.number, native or row.name, row.points / _HALF
    return [*who, *(None if value is None else float(value) for value in row.values)]


def _columns(event: EventTable, wording: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The heading and the kind of each column."""
    for key in _BEFORE:
        is_fide = key == "id" and event.has_fide_ids
        yield wording["fide_id" if is_fide else f"event-{key}"], _KINDS.get(key, "number")
    for number in event.rounds:
        yield wording["event-round"].format(round=number), "text"
    for key in _AFTER:
        if key != "bonus" or event.has_bonus:
            yield wording[f"event-{key}"], _KINDS.get(key, "number")


def _cells(row: EventRow, lang: str, *, has_bonus: bool) -> Iterator[object]:
    native = row.name_native if lang == "ja" else ""
    yield from (row.number, row.player_id, native or row.name, row.before)
    yield from ("" if cell is None else cell.text for cell in row.cells)
    yield from (row.points / _HALF, row.scored / _HALF if row.rated else None, row.rated)
    yield None if row.expected is None else row.expected / _HUNDREDTH
    for change in (row.change, row.bonus) if has_bonus else (row.change,):
        yield None if change is None else change / _HUNDREDTH
    yield row.after
