"""In which figures two makings of a list differ: for everybody on it, and for every game in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from banzuke.desk.made import LineRow, Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from banzuke.book.models import RatingList
    from banzuke.desk.made import Made

#: The figures of a row that belong to a list's content (the rest says how it is shown), and those of a line.
ROW_FIGURES = ("rating", "games", "change", "peak", "status", "qualified", "written", "wins_in_bc")
LINE_FIGURES = (
    "speed", "score", "own", "opponent", "difference", "expected", "k", "change", "verdict", "clause",
    "rank", "opponent_rank", "rank_after", "upper",
)  # fmt: skip


class Figure(NamedTuple):
    """One figure that differs; None: there is none."""

    name: str
    before: Any
    after: Any


class Difference(NamedTuple):
    """A player's row that differs; `before` and `after` are the ratings, `figures` all that differs."""

    list: str
    speed: str
    player: str
    name: str
    before: int | None
    after: int | None
    figures: list[Figure]


class LineDifference(NamedTuple):
    """A game's line that differs; `before` and `after` are the changes in hundredths of a point."""

    list: str
    event_id: str
    round: int
    player: str
    opponent: str
    before: int | None
    after: int | None
    figures: list[Figure]


def rows_of(published: RatingList) -> list[Row]:
    """The rows that are stored of a list."""
    rows = published.rows.order_by("pk").values_list(*Row._fields)
    return [Row(*row) for row in rows.iterator(chunk_size=10_000)]


def lines_of(published: RatingList) -> list[LineRow]:
    """The lines that are stored of a list."""
    lines = published.lines.order_by("position").values_list(*LineRow._fields)
    return [LineRow(*line) for line in lines.iterator(chunk_size=10_000)]


def row_differences(
    published: RatingList, made: Made, columns: Sequence[str] = ROW_FIGURES
) -> Iterator[Difference]:
    """The rows in which a published list and one made anew differ, as they stand in the new one."""
    before = {(row.speed, row.player_id): row for row in rows_of(published)}
    after = {(row.speed, row.player_id): row for row in made.rows}
    for key in sorted(before.keys() | after.keys(), key=lambda key: (key[1], key[0])):
        old, new = before.get(key), after.get(key)
        figures = _figures(old, new, columns)
        if figures:
            row: Any = new or old
            rating = old and old.rating, new and new.rating
            yield Difference(published.name, row.speed, row.player_id, row.name, *rating, figures)


def line_differences(
    published: RatingList, made: Made, columns: Sequence[str] = LINE_FIGURES
) -> Iterator[LineDifference]:
    """The lines in which they differ."""
    before, after = _by_side(lines_of(published)), _by_side(made.lines)
    for key in sorted(before.keys() | after.keys()):
        old, new = before.get(key), after.get(key)
        figures = _figures(old, new, columns)
        if figures:
            change = old and old.change, new and new.change
            yield LineDifference(published.name, *key, *change, figures)


def _by_side(lines: Iterable[LineRow]) -> dict[tuple[str, int, str, str], LineRow]:
    return {(line.event_id, line.round, line.player_id, line.opponent_id): line for line in lines}


def _figures(old: Row | LineRow | None, new: Row | LineRow | None, columns: Sequence[str]) -> list[Figure]:
    if old == new:
        return []
    pairs = ((name, getattr(old, name, None), getattr(new, name, None)) for name in columns)
    return [Figure(*pair) for pair in pairs if pair[1] != pair[2]]
