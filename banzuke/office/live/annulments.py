"""Annulling a game in the office, and what came of it: who stands elsewhere for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import transaction
from django.db.models import Max, Subquery

from banzuke.database.models import GoVoid, LiveGame
from banzuke.office.journal import note
from banzuke.office.live.live_codec import after
from banzuke.office.live.player_games import PlayedGame, games_at
from banzuke.office.live.pool_events import void
from banzuke.office.live.queries import Place
from banzuke.office.live.rated_feed import earlier_rows
from banzuke.office.live.synchronisation import up_to_date
from banzuke.office.public_names import registered

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet

    from banzuke.core.go_facts import GoState
    from banzuke.database.models import Entry, Pool
    from banzuke.office.journal import Actor
    from banzuke.office.public_names import Person


#: So many are told by name, and so many first cells of a state: those that people read.
SHOWN, TOLD = 200, 6


class StateChange(NamedTuple):
    """A player's state after the last game that was rated again, as it had been and as it is now."""

    person: Person
    before: GoState
    now: GoState


class Annulment(NamedTuple):
    """That a game was annulled, under which entry; how many games were rated again; whom it moved.

    `others` are more who were moved, less than these.
    """

    entry: Entry
    games: int
    moved: list[StateChange]
    others: int


def find_game(pool: Pool, game_id: str) -> PlayedGame | None:
    """A game of the pool as it stands; None where there is none of that id. Raises NotLiveError."""
    up_to_date(pool)
    games = games_at(pool, [Place(0, game_id)])
    return games[0] if games else None


def annul(pool: Pool, game_id: str, why: str, actor: Actor) -> None:
    """Annul a game, whenever it was played; one that is annulled already stays so. Raises RefusedError."""
    with transaction.atomic():
        is_new = not GoVoid.objects.filter(pool=pool, game_id=game_id).exists()
        void(pool, game_id, actor.name, why, is_officer=True)
        if is_new:
            note(actor, "game-void", pool, game=game_id, why=why)


def annulment_of(pool: Pool, game_id: str) -> Annulment | None:
    """What came of annulling a game; None unless it was."""
    fact = GoVoid.objects.filter(pool=pool, game_id=game_id).select_related("entry").first()
    if fact is None:
        return None
    rows = list(_rated_again(pool, fact.entry))
    moved = _state_changes(rows)
    people = registered(pool, (player for player, *_ in moved[:SHOWN]))
    shown = [StateChange(people[player], before, now) for player, before, now in moved[:SHOWN]]
    return Annulment(fact.entry, len(rows), shown, len(moved) - len(shown))


def _rated_again(pool: Pool, entry: Entry) -> QuerySet[LiveGame]:
    """The games as they were rated under an entry, in order; `was` is the number of what had told of them."""
    last = earlier_rows(pool).order_by().values("game_id").annotate(last=Max("pk")).values("last")
    return LiveGame.objects.filter(entry=entry).annotate(was=Subquery(last)).order_by("at", "game_id")


def _state_changes(rows: Iterable[Any]) -> list[tuple[str, GoState, GoState]]:
    """Whose state is another after the last of those games; those whose points moved most come first."""
    were = LiveGame.objects.in_bulk([row.was for row in rows if row.was])
    states: dict[str, tuple[GoState, GoState]] = {}
    for row in rows:
        if row.was:
            was = were[row.was]
            states[row.black] = after(was.black_line), after(row.black_line)
            states[row.white] = after(was.white_line), after(row.white_line)
    moved = [(player, *both) for player, both in states.items() if both[0][:TOLD] != both[1][:TOLD]]
    return sorted(moved, key=lambda one: (-abs((one[1].points or 0) - (one[2].points or 0)), one[0]))
