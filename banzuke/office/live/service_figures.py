"""How the live service of a Go pool performs, and what it refused: for those who run the server.

Recent games are counted as far as `MOST`: a server with millions of games a day has its figures as fast.
"""

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Exists

from banzuke.core.fault import Fault
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Entry, GoGame, LiveGame, LivePool, LiveRefusal, LiveStanding, Pool
from banzuke.ledger.pool_rules import EditionInForce
from banzuke.office.erased_ids import id_now
from banzuke.office.live.game_queue import QueueFigures, queue_figures
from banzuke.office.live.live_codec import micros, moment_of
from banzuke.office.live.rated_games import earlier_rows
from banzuke.office.live.submission_queue import GAMES

# What programs sent and was refused


#: So many are kept of a pool.
KEPT_REFUSALS = 100
MOST = 100_000
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
#: Of how many of the last games delays are shown, and how many of the last refusals.
LAST_GAMES, LAST_REFUSALS = 1_000, 20
#: Of a hundred delays, the last but one.
_HIGH = 99


class Refusal(NamedTuple):
    """A sending that was refused: when, whose, with which status, and the first of its faults."""

    at: datetime
    author: str
    status: int
    fault: Fault


def note_refusal(pool: Pool, author: str, status: int, fault: Fault) -> None:
    """Keep a refusal by the first of its faults, and let go of what is too old; no erased id is kept."""
    facts: dict[str, Any] = dict(fault.facts)
    if fault.code == "erased-player":
        facts["id"] = id_now(pool, str(facts["id"]))
    stored = [*fault[1:-1], facts]
    LiveRefusal.objects.create(pool=pool, at=datetime.now(UTC), author=author, status=status, fault=stored)
    oldest = (
        LiveRefusal.objects.filter(pool=pool).order_by("-pk")[KEPT_REFUSALS : KEPT_REFUSALS + 1].values("pk")
    )
    LiveRefusal.objects.filter(pool=pool, pk__lte=oldest).delete()


def last_refusals(pool: Pool, most: int) -> list[Refusal]:
    """The last refusals, the newest first."""
    rows = LiveRefusal.objects.filter(pool=pool).order_by("-pk")[:most]
    return [
        Refusal(row.at, row.author, row.status, Fault("", line, column, code, tuple(facts.items())))
        for row in rows
        for line, column, code, facts in [row.fault]
    ]


# Figures


class Recent(NamedTuple):
    """How many games ended in the last minute, hour and day; `MOST` stands for as many or more.

    `minutes` are those of the last hour, the oldest first, each with its games.
    """

    minute: int
    hour: int
    day: int
    minutes: list[tuple[datetime, int]]


class Delays(NamedTuple):
    """From the end of a game to its being rated, over the last games that the server sent."""

    games: int
    middle: timedelta
    high: timedelta
    longest: timedelta


class ServiceFigures(NamedTuple):
    """How the service performs. `waiting` counts entries of the book that the live standings do not hold yet.

    `edition` has the border-zone table in force, its source blank for the project's own.
    """

    recent: Recent
    delays: Delays | None
    waiting: int
    refusals: list[Refusal]
    players: int
    games: int
    edition: EditionInForce
    queue: QueueFigures


def figures(pool: Pool, now: datetime) -> ServiceFigures:
    """The figures of a Go pool's live service."""
    live = LivePool.objects.filter(pool=pool).values_list("entry", flat=True).first() or 0
    return ServiceFigures(
        _recent(pool, now),
        _delays(pool),
        Entry.objects.filter(pool=pool, pk__gt=live).count(),
        last_refusals(pool, LAST_REFUSALS),
        LiveStanding.objects.filter(pool=pool).count(),
        GoGame.objects.filter(pool=pool).count(),
        rules_of(pool).edition_at(now),
        queue_figures(pool.slug, MOST, LAST_REFUSALS),
    )


def _recent(pool: Pool, now: datetime) -> Recent:
    games = LiveGame.objects.filter(pool=pool, stands=True).order_by("-at")
    in_a_day = games.filter(at__gte=micros(now - DAY))[:MOST].count()
    ends = list(games.filter(at__gte=micros(now - HOUR)).values_list("at", flat=True)[:MOST])
    minute, first = MINUTE // timedelta(microseconds=1), micros(now - HOUR)
    counted = Counter((at - first) // minute for at in ends)
    minutes = [(now - HOUR + each * MINUTE, counted[each]) for each in range(HOUR // MINUTE)]
    return Recent(sum(at >= micros(now - MINUTE) for at in ends), len(ends), in_a_day, minutes)


def _delays(pool: Pool) -> Delays | None:
    """The delays of games that were rated for the first time, as the server sent them."""
    last = LiveGame.objects.filter(pool=pool).order_by("-pk").values("pk")[:LAST_GAMES]
    sent = LiveGame.objects.filter(
        ~Exists(earlier_rows(pool)), pk__in=list(last.values_list("pk", flat=True)), entry__act=GAMES
    )
    delays = sorted(rated - moment_of(at) for rated, at in sent.values_list("entry__at", "at"))
    if not delays:
        return None
    count = len(delays)
    return Delays(count, delays[count // 2], delays[count * _HIGH // 100], delays[-1])
