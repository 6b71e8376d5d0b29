"""Where a Go player stands now: rank, points, how far the lines are, what comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from banzuke.core.go_facts import CERTIFIED
from banzuke.database.models import LiveStanding
from banzuke.engine.go_ranking import strength
from banzuke.ledger.pool_rules import go_book
from banzuke.office.live import live_ranking, queries
from banzuke.office.live.live_codec import NEVER, moment_of
from banzuke.office.live.synchronisation import up_to_date
from banzuke.office.public_names import go_people
from banzuke.office.raw_sql import Statements

if TYPE_CHECKING:
    from datetime import datetime

    from banzuke.core.go_facts import GoProspects, GoState, Zone
    from banzuke.database.models import Pool
    from banzuke.office.public_names import Person


class Lines(NamedTuple):
    """The promotion line (None for 9d+) and the demotion line of a certified player, and the points to each.

    `source` is the file of the operator's border-zone table; blank: the project's own.
    """

    up: int | None
    to_up: int | None
    down: int
    to_down: int
    source: str


class Standing(NamedTuple):
    """A player now, and what comes next; `last_at` is the last game or declaration, None: there was none."""

    person: Person
    state: GoState
    lines: Lines | None
    prospects: GoProspects
    place: int
    last_at: datetime | None


def standing(pool: Pool, player_id: str, now: datetime) -> Standing | None:
    """Where a player stands; None for nobody of that id. Raises NotLiveError."""
    rules = up_to_date(pool)
    seat = queries.ask_seats(Statements(), pool.pk, [player_id])().get(player_id)
    if seat is None:
        return None
    state, at = seat.state, seat.place.at
    edition = rules.edition_at(now)
    return Standing(
        go_people(pool, [player_id])[player_id],
        state,
        lines_of(state, edition.zone),
        go_book(edition).prospects(state),
        live_ranking.place(pool, strength(state), now),
        None if at == NEVER else moment_of(at),
    )


def has_player(pool: Pool, player_id: str) -> bool:
    """Whether a Go pool has a player of that id, even one without a game."""
    return LiveStanding.objects.filter(pool=pool, player_id=player_id).exists()


def lines_of(state: GoState, zone: Zone) -> Lines | None:
    """The lines of a certified player's rank; None for all others."""
    if state.kind != CERTIFIED or state.half is None or state.points is None:
        return None
    up, down, points = zone.up[state.half], zone.down[state.half], state.points
    return Lines(up, None if up is None else up - points, down, points - down, zone.source)
