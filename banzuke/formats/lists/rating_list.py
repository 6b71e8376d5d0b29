"""A list as it leaves the house: the ratings of a pool or the ranking of a Go server, and its table of cells.

Every file of a list holds the same table under the same keys: a row a player, the ratings of all speeds side
by side. What that leaves open is settled so:

- The key of a speed's column is `standard_rating`, `rapid_games` ...; a club has no speeds: `rating`.
- A column `birth_date` is there where somebody has one, `..._qualified` where the rule book says who is.
"""

from collections.abc import Iterator
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import ChessBook


class SpeedRating(NamedTuple):
    """A player's rating at one speed: what a row of lists.csv says, numbers in whole points."""

    rating: int
    games: int
    change: int | None = None
    peak: int | None = None
    status: str = "rated"
    qualified: bool | None = None


class ListedPlayer(NamedTuple):
    """A player of a rating list; `ratings` go with the list's speeds, None where there is none."""

    player_id: str
    ratings: tuple[SpeedRating | None, ...]
    name: str = ""
    name_native: str = ""
    sex: str = ""
    club: str = ""
    fide_id: str = ""
    birth_date: date | None = None


class RatingList(NamedTuple):
    """A rating list: `name` is its month (`2025-03`) or a club's event, `rulebook` the book that made it."""

    pool: str
    name: str
    rulebook: str
    speeds: tuple[str, ...]
    players: tuple[ListedPlayer, ...]
    preliminary_until: date | None = None
    checkpoint: str = ""

    @property
    def has_fide_ids(self) -> bool:
        """Whether the players' ids and ratings are FIDE's."""
        book = BOOKS.get(self.rulebook)
        return isinstance(book, ChessBook) and book.has_fide_ids


class RankedPlayer(NamedTuple):
    """A player of a Go ranking; only a certified one has a place and points."""

    place: int | None
    player_id: str
    name: str
    rank: str
    points: int | None
    rated_games: int


class Ranking(NamedTuple):
    """A Go server's ranking; `name` is the time of which it is, ISO."""

    pool: str
    name: str
    rulebook: str
    players: tuple[RankedPlayer, ...]
    preliminary_until: date | None = None
    checkpoint: str = ""


class Kind(StrEnum):
    """What the cells of a column are."""

    TEXT = "text"
    NUMBER = "number"
    CHANGE = "change"
    FLAG = "flag"
    DAY = "day"


class Column(NamedTuple):
    """A column by its key, which is the same in every file and language."""

    key: str
    kind: Kind


AnyList = RatingList | Ranking
Value = str | int | bool | date | None

#: What a list says of itself, in every file but CSV; and the last day of one that is preliminary.
ABOUT = ("pool", "list", "rulebook")
PRELIMINARY = "preliminary_until"
BIRTH_DATE, QUALIFIED = "birth_date", "qualified"
_KINDS = {
    str: Kind.TEXT,
    int: Kind.NUMBER,
    int | None: Kind.NUMBER,
    bool | None: Kind.FLAG,
    date | None: Kind.DAY,
}


def _kinds(record: type) -> dict[str, Kind]:
    """The kind of each column, by the type of the record's field."""
    return {key: _KINDS[kind] for key, kind in record.__annotations__.items() if kind in _KINDS}


#: The columns of a player, of the rating at each speed, and of a ranking.
PERSON = _kinds(ListedPlayer)
MEASURES = _kinds(SpeedRating) | {"change": Kind.CHANGE}
RANKED = _kinds(RankedPlayer)


def statuses() -> tuple[str, ...]:
    """The words that the installed rule books have beside a rating."""
    chess_books = (book for book in BOOKS.values() if isinstance(book, ChessBook))
    return tuple(dict.fromkeys(status for book in chess_books for status in book.columns.statuses))


def measure_key(speed: str, measure: str) -> str:
    """The key of a speed's column."""
    return f"{speed}_{measure}" if speed else measure


def columns(listed: AnyList) -> tuple[Column, ...]:
    """The columns of a list, in their order."""
    if isinstance(listed, Ranking):
        return tuple(Column(*item) for item in RANKED.items())
    of_speeds = [(speed, measure) for speed in listed.speeds for measure in _measures(listed)]
    return (
        *(Column(key, PERSON[key]) for key in _person(listed)),
        *(Column(measure_key(speed, measure), MEASURES[measure]) for speed, measure in of_speeds),
    )


def rows(listed: AnyList) -> Iterator[tuple[Value, ...]]:
    """A row of values for each player, as the columns stand."""
    if isinstance(listed, Ranking):
        yield from listed.players
        return
    person, measures = _person(listed), _measures(listed)
    for player in listed.players:
        cells: list[Value] = [getattr(player, key) for key in person]
        for rating in player.ratings:
            cells += [None if rating is None else getattr(rating, measure) for measure in measures]
        yield tuple(cells)


def list_facts(listed: AnyList) -> dict[str, str]:
    """What the list says of itself, by key."""
    found = dict(zip(ABOUT, listed[:3], strict=True))
    until = listed.preliminary_until
    return found | {PRELIMINARY: until.isoformat()} if until else found


def _person(listed: RatingList) -> list[str]:
    has_birth_dates = any(player.birth_date is not None for player in listed.players)
    return [key for key in PERSON if key != BIRTH_DATE or has_birth_dates]


def _measures(listed: RatingList) -> list[str]:
    ratings = (rating for player in listed.players for rating in player.ratings if rating is not None)
    is_qualifying = any(rating.qualified is not None for rating in ratings)
    return [measure for measure in MEASURES if measure != QUALIFIED or is_qualifying]
