"""An event's crosstable as the text table that clubs in the United States know: two lines a player.

The first line has place, name, points and a cell for each round: `W`, `L` or `D` with the opponent's place,
`X` or `F` for a game won or lost by forfeit, `B` or `H` for a bye of a point or half a point, `U` for a round
without either. The second has the id, the ratings before and after, and the colours.
"""

from collections.abc import Iterator

from banzuke.core.decimals import halves
from banzuke.formats.events.event_table import EventRow, EventTable, RoundCell

_LETTERS = {"1": "W", "½": "D", "0": "L", "+": "X", "-": "F"}
_BYES = {"1": "B", "½": "H"}
_COLOURS = {"w": "W", "b": "B"}
#: So many characters have the place, the points and a round; the name has at least so many.
_PLACE, _POINTS, _ROUND, _NAME = 5, 5, 5, 31


def write(event: EventTable) -> bytes:
    """The table, UTF-8 with LF."""
    width = max([_NAME, *(len(text) for row in event.rows for text in (_name(row), _ratings(row)))])
    lines = [event.name, " ".join(dict.fromkeys((event.starts.isoformat(), event.ends.isoformat())))]
    rule = "-" * len(_line("", "", "", ["" for _ in event.rounds], width))
    lines += [rule, *_head(event, width), rule]
    for row in event.rows:
        lines += [*_row(row, width), rule]
    return "".join(f"{line}\n" for line in lines).encode()


def _head(event: EventTable, width: int) -> Iterator[str]:
    yield _line("Place", "Name", "Total", ["Round" for _ in event.rounds], width)
    numbers = [f"{number:^{_ROUND}}" for number in event.rounds]
    yield _line("", "ID / R: before -> after", "Pts", numbers, width)


def _row(row: EventRow, width: int) -> Iterator[str]:
    points = f"{halves(row.points)}.0" if row.points % 2 == 0 else halves(row.points)
    yield _line(str(row.number), _name(row), points, [_result(cell) for cell in row.cells], width)
    yield _line("", _ratings(row), "", [_colour(cell) for cell in row.cells], width)


def _line(place: str, name: str, points: str, rounds: list[str], width: int) -> str:
    """The columns between bars."""
    cells = [f"{cell:{_ROUND}}" for cell in rounds]
    return "|".join((f"{place:>{_PLACE}} ", f" {name:{width}} ", f"{points:{_POINTS}}", *cells, ""))


def _name(row: EventRow) -> str:
    return (row.name or row.player_id).replace("|", "/")  # a bar ends a column


def _ratings(row: EventRow) -> str:
    before, after = ("Unrated" if rating is None else str(rating) for rating in (row.before, row.after))
    return f"{row.player_id} / R: {before} -> {after}"


def _result(cell: RoundCell | None) -> str:
    """`W  12`, or `B`, `H` or `U` alone."""
    if cell is None:
        return "U"
    if cell.is_bye:
        return _BYES[cell.result]
    return f"{_LETTERS[cell.result]}{cell.opponent:>{_ROUND - 1}}"


def _colour(cell: RoundCell | None) -> str:
    """The colour of a game that was played."""
    return "" if cell is None or cell.is_bye or cell.result in "+-" else _COLOURS[cell.colour]
