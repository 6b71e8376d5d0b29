"""In which figures two makings of a list differ: for everybody on it, and for every game in it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from django.db.models import Manager

from banzuke.database.models import RatingList
from banzuke.office.lists.list_rows import CalculatedList, LineRow, Row

#: What identifies a row, and a line.
ROW_KEY = ("player_id", "speed")
LINE_KEY = ("event_id", "round", "player_id", "opponent_id")
#: The figures of a row that belong to a list's content (the rest says how it is shown), and those of a line.
ROW_FIGURES = ("rating", "games", "change", "peak", "status", "qualified", "written", "wins_in_bc")
LINE_FIGURES = (
    "speed", "score", "own", "opponent", "difference", "expected", "k", "change", "verdict", "clause",
    "rank", "opponent_rank", "rank_after", "upper",
)  # fmt: skip


#: So many stored rows are fetched at once.
CHUNK = 10_000

Values = dict[tuple[Any, ...], tuple[Any, ...]]


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
    figures: Sequence[Figure]


class LineDifference(NamedTuple):
    """A game's line that differs; `before` and `after` are the changes in hundredths of a point."""

    list: str
    event_id: str
    round: int
    player: str
    opponent: str
    before: int | None
    after: int | None
    figures: Sequence[Figure]


def row_differences(
    published: RatingList, made: CalculatedList, columns: Sequence[str] = ROW_FIGURES
) -> Iterator[Difference]:
    """The rows in which a published list and the one made again differ."""
    before = _stored(published.rows, ROW_KEY, columns)
    after = _made(made.rows, ROW_KEY, columns)
    keys = _differing(before, after)
    players = {player for player, _ in keys}
    names = dict(published.rows.filter(player_id__in=players).values_list("player_id", "name"))
    names.update((row.player_id, row.name) for row in made.rows if row.player_id in players)
    for player, speed in keys:
        old, new = (dict(zip(columns, of.get((player, speed), ()), strict=False)) for of in (before, after))
        rating = old.get("rating"), new.get("rating")
        yield Difference(published.name, speed, player, names[player], *rating, _figures(old, new, columns))


def line_differences(
    published: RatingList, made: CalculatedList, columns: Sequence[str] = LINE_FIGURES
) -> Iterator[LineDifference]:
    """The lines in which they differ."""
    before = _stored(published.lines, LINE_KEY, columns)
    after = _made(made.lines, LINE_KEY, columns)
    for key in _differing(before, after):
        old, new = (dict(zip(columns, of.get(key, ()), strict=False)) for of in (before, after))
        change = old.get("change"), new.get("change")
        yield LineDifference._make((published.name, *key, *change, _figures(old, new, columns)))


def _stored(rows: Manager[Any], key: Sequence[str], columns: Sequence[str]) -> Values:
    """The stored figures by their key."""
    found = rows.order_by().values_list(*key, *columns).iterator(chunk_size=CHUNK)
    return {row[: len(key)]: row[len(key) :] for row in found}


def _made(rows: Iterable[Row | LineRow], key: Sequence[str], columns: Sequence[str]) -> Values:
    """The figures of rows that were made, by their key."""
    key_of, figures_of = attrgetter(*key), attrgetter(*columns)
    return {key_of(row): figures_of(row) for row in rows}


def _differing(before: Values, after: Values) -> list[tuple[Any, ...]]:
    return sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))


def _figures(old: Mapping[str, Any], new: Mapping[str, Any], columns: Sequence[str]) -> list[Figure]:
    pairs = (Figure(name, old.get(name), new.get(name)) for name in columns)
    return [figure for figure in pairs if figure.before != figure.after]
