"""Annulling a game in the office, and what came of it: who stands elsewhere for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.db import transaction
from django.db.models import Max, OuterRef, Subquery

from banzuke.book.models import GoVoid, LiveGame
from banzuke.desk.journal import note
from banzuke.desk.live.played import Played, told
from banzuke.desk.live.reading import up_to_date
from banzuke.desk.live.tables import Place
from banzuke.desk.live.taking import void
from banzuke.desk.live.written import after
from banzuke.desk.public_names import registered

if TYPE_CHECKING:
    from banzuke.book.models import Entry, Pool
    from banzuke.core.go import GoState
    from banzuke.desk.journal import Actor
    from banzuke.desk.public_names import Person


class Moved(NamedTuple):
    """A player after the last of his games that were rated again, as it had been and as it is now."""

    person: Person
    before: GoState
    now: GoState


class Annulled(NamedTuple):
    """That a game was annulled, under which entry; how many games were rated again; whom it moved."""

    entry: Entry
    games: int
    moved: list[Moved]


def found(pool: Pool, game_id: str) -> Played | None:
    """A game of the pool as it stands; None where there is none of that id. Raises NotLiveError."""
    up_to_date(pool)
    games = told(pool, [Place(0, game_id)])
    return games[0] if games else None


def annul(pool: Pool, game_id: str, why: str, actor: Actor) -> None:
    """Annul a game, whenever it was played; one that is annulled already stays so. Raises RefusedError."""
    with transaction.atomic():
        is_new = not GoVoid.objects.filter(pool=pool, game_id=game_id).exists()
        void(pool, game_id, actor.name, why, is_officer=True)
        if is_new:
            note(actor, "game-void", pool, game=game_id, why=why)


def annulled(pool: Pool, game_id: str) -> Annulled | None:
    """What came of annulling a game; None unless it was."""
    fact = GoVoid.objects.filter(pool=pool, game_id=game_id).select_related("entry").first()
    if fact is None:
        return None
    before = LiveGame.objects.filter(pool=pool, game_id=OuterRef("game_id"), pk__lt=OuterRef("pk"))
    last = before.order_by().values("game_id").annotate(last=Max("pk")).values("last")
    rows = list(
        LiveGame.objects.filter(entry=fact.entry).annotate(was=Subquery(last)).order_by("at", "game_id")
    )
    were = LiveGame.objects.in_bulk([row.was for row in rows if row.was])
    moved: dict[str, tuple[GoState, GoState]] = {}
    for row in rows:
        if row.was:
            was = were[row.was]
            moved[row.black] = after(was.black_line), after(row.black_line)
            moved[row.white] = after(was.white_line), after(row.white_line)
    people = registered(pool, moved)
    differing = [
        Moved(people[player], *states) for player, states in sorted(moved.items()) if states[0] != states[1]
    ]
    return Annulled(fact.entry, len(rows), differing)
