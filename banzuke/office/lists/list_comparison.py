"""Two published lists compared at a speed: who came, who left, and who moved how far.

Ratings move in points; Go ranks in half ranks. What was compared is kept for a while: lists never change.
"""

from collections import Counter
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from banzuke.core.go_facts import HALF_OF
from banzuke.database.models import RatingList

#: So many comparisons are kept at once by each process.
KEPT = 8
#: To compare two lists of so many players takes about a second.
LONGEST = 100_000


class Movement(NamedTuple):
    """A player of both lists, with the rating (Go: the half rank) in each."""

    player_id: str
    before: int
    after: int

    @property
    def size(self) -> int:
        """How far up; below zero: down."""
        return self.after - self.before


class Comparison(NamedTuple):
    """What became of the earlier list's players, and who is new in the later one.

    `moved` has whoever moved, the highest rise first and the deepest fall last; `came` and `left` are ids in
    the order of the places; `stayed` counts the others.
    """

    came: list[str]
    left: list[str]
    moved: list[Movement]
    stayed: int

    @property
    def sizes(self) -> Counter[int]:
        """How many players moved how far; those who stayed moved by 0."""
        return Counter({0: self.stayed}) + Counter(each.size for each in self.moved)


def in_order(one: RatingList, other: RatingList) -> tuple[RatingList, RatingList]:
    """Two lists of a pool, the earlier first; of the revisions of one, the one published first."""
    first, second = sorted((one, other), key=attrgetter("closes", "name", "number"))
    return first, second


def compare_lists(earlier: RatingList, later: RatingList, speed: str) -> Comparison:
    """What is different in the later one: two queries the first time, then none."""
    return _compared(_Key(earlier, speed), _Key(later, speed))


class _Key:
    """A list at a speed, equal to itself as long as its content is."""

    def __init__(self, published: RatingList, speed: str) -> None:
        self.published = published
        self.speed = speed
        self._known_by = (published.pk, published.published_at, published.sha256, speed)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self._known_by == other._known_by

    def __hash__(self) -> int:
        return hash(self._known_by)


@lru_cache(maxsize=KEPT)
def _compared(earlier: _Key, later: _Key) -> Comparison:
    before, after = _players_of(earlier), _players_of(later)
    moved = []
    for player, (_, value) in before.items():
        _, now = after.get(player, _NOT_LISTED)
        if value != now and value is not None and now is not None:
            moved.append(Movement(player, value, now))
    moved.sort(key=lambda each: (each.before - each.after, each.player_id))
    came, left = _only_in(after, before), _only_in(before, after)
    return Comparison(came, left, moved, len(before) - len(left) - len(moved))


#: A player's place and value in a list.
_Listed = tuple[int, int | None]
_NOT_LISTED: _Listed = (0, None)


def _only_in(these: dict[str, _Listed], others: dict[str, _Listed]) -> list[str]:
    return sorted(these.keys() - others.keys(), key=lambda player: (these[player][0], player))


def _players_of(key: _Key) -> dict[str, _Listed]:
    """The players of a list by id; Go players have a value as far as amateurs' ranks go."""
    rows = key.published.rows.filter(speed=key.speed).order_by()
    if key.published.is_go:
        written = rows.values_list("player_id", "place", "written")
        return {player: (place, HALF_OF.get(rank.rstrip("?"))) for player, place, rank in written}
    rated = rows.values_list("player_id", "place", "rating")
    return {player: (place, rating) for player, place, rating in rated}


def is_too_long(published: RatingList, speed: str) -> bool:
    """Whether a list has more players than are compared while somebody waits."""
    counted = published.figures.filter(speed=speed).values_list("figures__players", flat=True)
    return any(players > LONGEST for players in counted if players)
