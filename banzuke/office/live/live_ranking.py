"""The ranking of a Go server as it stands now, a page at a time.

A page begins after the last player of the page before, or ends before its first one. Players are ordered by
rung, and on one rung by strength, so that none is skipped.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from itertools import accumulate
from typing import NamedTuple

from django.db.models import Q, QuerySet

from banzuke.core.go_facts import GoState
from banzuke.database.models import GoPlayer, LiveStanding, NameWord, Pool
from banzuke.database.write_turns import short_turn
from banzuke.engine.go_ranking import rung_of
from banzuke.office import player_search
from banzuke.office.live.live_codec import NEVER, moment_of, state_from
from banzuke.office.live.live_pool import synchronise
from banzuke.office.public_names import Person, by_id_only, go_people
from banzuke.office.raw_sql import Statements

PAGE = 100
#: So many places are counted player by player at each question. Those after them are counted at once for all,
#: once in so many seconds; of more than so many players (`MANY`), which takes longer, in so many.
COUNTED, SECONDS = 500, 10
MANY, SECONDS_OF_MANY = 20_000, 600
#: How many players are made findable at a time, and how many while others wait to write.
INDEXED_AT_ONCE, INDEXED_AT_A_TURN = 5_000, 500
#: The act by which a player is given another name.
RENAMED = "rename-player"


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


class RankingPage(NamedTuple):
    """The players of a page in order, and whether others come before and after them."""

    rows: list[RankingRow]
    has_before: bool
    has_after: bool


def page(pool: Pool, query: RankingQuery, now: datetime) -> RankingPage:
    """The page of the ranking that is wanted.

    If `after` or `before` is no player, the first or the last page.
    Raises NotLiveError.
    """
    synchronise(pool)
    every = LiveStanding.objects.filter(pool=pool)
    rows = every
    if query.typed:
        index_names(pool, INDEXED_AT_ONCE)
        rows = player_search.find_rows(every, pool, query.typed, by_id_only(pool))
    beside = query.after or query.before
    at = every.filter(player_id=beside).first() if beside else None
    goes_back = bool(query.before) or query.last
    found = _from(rows, at, PAGE + 1, goes_back=goes_back)
    has_more, found = len(found) > PAGE, found[:PAGE]
    if goes_back:
        return RankingPage(_rows(pool, found[::-1], now), has_more, at is not None)
    return RankingPage(_rows(pool, found, now), at is not None, has_more)


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


#: All of a pool that has more than is counted player by player, and until when they are taken for true.
_known: dict[int, tuple[datetime, _Counts]] = {}
_STRONGER = (
    "SELECT strength FROM book_livestanding WHERE pool_id = %s "
    "AND rung >= %s AND (rung > %s OR strength > %s) ORDER BY rung DESC LIMIT %s"
)
_EVERY = "SELECT strength FROM book_livestanding WHERE pool_id = %s"


def places(pool: Pool, strengths: Collection[int], now: datetime) -> dict[int, int]:
    """The places of these strengths: exact as far as `COUNTED`, beyond as they were some seconds ago."""
    weakest = min(strengths, default=0)
    until, known = _known.get(pool.pk, (now, _Counts([], [0])))
    if now < until and known.place(weakest) > COUNTED:
        return {each: known.place(each) for each in strengths}
    run, rung = Statements().repeat, rung_of(weakest)
    stronger = run(_STRONGER, [pool.pk, rung, rung, weakest, COUNTED + 1]).fetchall()
    if len(stronger) <= COUNTED:
        counts = _counts(stronger)
    else:
        every = run(_EVERY, [pool.pk]).fetchall()
        counts = _counts(every)
        seconds = SECONDS if len(every) <= MANY else SECONDS_OF_MANY
        _known[pool.pk] = now + timedelta(seconds=seconds), counts
    return {each: counts.place(each) for each in strengths}


def _counts(rows: Iterable[tuple[int]]) -> _Counts:
    counted = sorted(Counter(strength for (strength,) in rows).items())
    at_least = list(accumulate((count for _, count in reversed(counted)), initial=0))
    return _Counts([strength for strength, _ in counted], at_least[::-1])


# Names. Players are found by name from the moment they come, before any list has them. They become findable
# in the order in which they came: the last who is divides them from those who are not.


def index_names(pool: Pool, most: int | None = None) -> None:
    """Make the players findable who are not yet; with `most` only so many, those who came first."""
    first = _newcomers(pool).filter(pk__gt=_last_indexed(pool)).first()
    if first is None:
        return
    waiting = GoPlayer.objects.filter(pool=pool, pk__gte=first.pk).order_by("pk")[:most]
    named = waiting.values_list("player_id", "name").iterator(chunk_size=INDEXED_AT_ONCE)
    player_search.index_players(pool, ((player, name, "") for player, name in named))


def index_all_names(pool: Pool) -> None:
    """Make all players findable, a few at a time: who else writes has a turn in between."""
    while _newcomers(pool).filter(pk__gt=_last_indexed(pool)).exists():
        with short_turn():
            index_names(pool, INDEXED_AT_A_TURN)


def index_new_name(pool: Pool, player_id: str, name: str) -> None:
    """Make a player findable by another name; who is not yet by the first one will be by both."""
    if NameWord.objects.filter(pool=pool, player_id=player_id).exists():
        player_search.index_players(pool, [(player_id, name, "")])


def _newcomers(pool: Pool) -> QuerySet[GoPlayer]:
    """The rows by which players came, in that order, without those by which they were renamed."""
    return GoPlayer.objects.filter(pool=pool).exclude(entry__act=RENAMED).order_by("pk")


def _last_indexed(pool: Pool) -> int:
    """The number of the last player who can be found by name, by binary search."""
    players = _newcomers(pool)
    newest = players.last()
    if newest is None or _is_findable(newest):
        return newest.pk if newest else 0
    return bisect_left(
        range(newest.pk), True, key=lambda number: not _is_findable(players.filter(pk__gt=number)[0])
    )


def _is_findable(player: GoPlayer) -> bool:
    return NameWord.objects.filter(pool=player.pool_id, player_id=player.player_id).exists()
