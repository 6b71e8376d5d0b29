"""The ranking of a Go server as it stands now, a page at a time.

A page begins beside a player of the one before, by the index of rungs, on a rung by strength; nothing is
skipped.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Count, Q

from banzuke.database.models import LiveStanding
from banzuke.engine.go_ranking import rung_of
from banzuke.office import player_search
from banzuke.office.live import name_index
from banzuke.office.live.live_codec import NEVER, moment_of, state_from
from banzuke.office.live.synchronisation import up_to_date
from banzuke.office.public_names import by_id_only, go_people

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from banzuke.core.go_facts import GoState
    from banzuke.database.models import Pool
    from banzuke.office.public_names import Person

PAGE = 100
#: So many places are counted player by player; the places after them are counted once in so many seconds.
COUNTED, SECONDS = 20_000, 600


class RankingQuery(NamedTuple):
    """Which part of the ranking is wanted: who comes after a player, or before one, or the last.

    Where something was `typed`, only of those whose names or ids begin so.
    """

    typed: str = ""
    after: str = ""
    before: str = ""
    last: bool = False


class RankingRow(NamedTuple):
    """A player on the ranking; `last_at` is when the player last played or declared a rank, None: never."""

    person: Person
    place: int
    state: GoState
    last_at: datetime | None


class Page(NamedTuple):
    """The players of a page in order, and whether others come before and after them."""

    rows: list[RankingRow]
    has_before: bool
    has_after: bool


def page(pool: Pool, asked: RankingQuery, now: datetime) -> Page:
    """A page of the ranking, as asked; beside nobody of that id, the first or the last.

    Raises NotLiveError.
    """
    up_to_date(pool)
    every = LiveStanding.objects.filter(pool=pool)
    rows = every
    if asked.typed:
        name_index.index_next(pool)
        rows = player_search.found(every, pool, asked.typed, by_id_only(pool))
    beside = asked.after or asked.before
    at = every.filter(player_id=beside).first() if beside else None
    goes_back = bool(asked.before) or asked.last
    found = _from(rows, at, PAGE + 1, goes_back=goes_back)
    has_more, found = len(found) > PAGE, found[:PAGE]
    if goes_back:
        return Page(_rows(pool, found[::-1], now), has_more, at is not None)
    return Page(_rows(pool, found, now), at is not None, has_more)


def _from(
    rows: QuerySet[LiveStanding], at: LiveStanding | None, count: int, *, goes_back: bool
) -> list[LiveStanding]:
    """The first rows from a player on, in runs that each follow the index; backwards from its end."""
    order = ("rung", "strength", "-player_id") if goes_back else ("-rung", "-strength", "player_id")
    ordered = rows.order_by(*order)
    if at is None:
        return list(ordered[:count])
    id_way, way = ("lt", "gt") if goes_back else ("gt", "lt")
    found: list[LiveStanding] = []
    for run in (
        Q(rung=at.rung, strength=at.strength, **{f"player_id__{id_way}": at.player_id}),
        Q(rung=at.rung, **{f"strength__{way}": at.strength}),
        Q(**{f"rung__{way}": at.rung}),
    ):
        found += ordered.filter(run)[: count - len(found)]
    return found


def _rows(pool: Pool, rows: Sequence[LiveStanding], now: datetime) -> list[RankingRow]:
    ids = [row.player_id for row in rows]
    named = go_people(pool, ids)
    place = places(pool, {row.strength for row in rows}, now)
    return [
        RankingRow(
            named[row.player_id],
            place[row.strength],
            state_from(row.state),
            None if row.at == NEVER else moment_of(row.at),
        )
        for row in rows
    ]


# Places. Who has the same strength shares the place.


class _Counts(NamedTuple):
    """Strengths from the weakest on, and how many players have at least each; at the end, nobody."""

    strengths: list[int]
    at_least: list[int]

    def place(self, strength: int) -> int:
        """The place after all who are stronger."""
        return self.at_least[bisect_right(self.strengths, strength)] + 1


#: All of a pool that has more than is counted player by player, of this stretch of time.
_known: dict[int, tuple[int, _Counts]] = {}


def place(pool: Pool, strength: int, now: datetime) -> int:
    """The place of who has that strength: exact as far as `COUNTED`, later as of ten minutes ago."""
    return places(pool, {strength}, now)[strength]


def places(pool: Pool, strengths: Collection[int], now: datetime) -> dict[int, int]:
    """The places of those who have these strengths."""
    weakest, period = min(strengths, default=0), int(now.timestamp()) // SECONDS
    since, known = _known.get(pool.pk, (None, _Counts([], [0])))
    if since == period and known.place(weakest) > COUNTED:
        return {each: known.place(each) for each in strengths}
    here = rung_of(weakest)
    before = Q(rung__gt=here) | Q(rung=here, strength__gt=weakest)
    stronger = LiveStanding.objects.filter(before, pool=pool)
    count = stronger.order_by("-rung")[: COUNTED + 1].count()
    if count <= COUNTED and len(strengths) == 1:
        return dict.fromkeys(strengths, count + 1)
    counts = _counts(stronger) if count <= COUNTED else _of_all(pool, period)
    return {each: counts.place(each) for each in strengths}


def _of_all(pool: Pool, period: int) -> _Counts:
    counts = _counts(LiveStanding.objects.filter(pool=pool))
    _known[pool.pk] = period, counts
    return counts


def _counts(rows: QuerySet[LiveStanding]) -> _Counts:
    groups = list(rows.order_by("strength").values_list("strength").annotate(count=Count("strength")))
    at_least = list(accumulate((count for _, count in reversed(groups)), initial=0))
    return _Counts([strength for strength, _ in groups], at_least[::-1])
