"""Who may what: those who qualify by a list, those seeded past a qualifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.db import transaction
from django.db.models import Max, QuerySet

from banzuke.core import facts
from banzuke.core.facts import STANDARD
from banzuke.database import models
from banzuke.database.book_writer import Act, open_entry
from banzuke.office.fact_rows import standing_rows
from banzuke.office.journal import note
from banzuke.office.refusals import UnknownEventError
from banzuke.office.register import members

if TYPE_CHECKING:
    from banzuke.office.journal import Actor

SEED, UNSEED = "note-seed", "take-back-seed"


class SeededPlayer(NamedTuple):
    """Somebody seeded past a qualifier."""

    player_id: str
    name: str
    name_native: str
    kind: str


def qualified(listed: models.RatingList) -> QuerySet[models.ListRow]:
    """Those whose standard rating may be used for qualification, the highest first."""
    rows = models.ListRow.objects.filter(list=listed, speed=STANDARD, qualified=True)
    return rows.order_by("place", "player_id")


def seeds(pool: models.Pool, event_id: str) -> list[SeededPlayer]:
    """Who is seeded past a regional qualifier, national seeds first, then by id."""
    said = models.Seed.objects.filter(pool=pool, event_id=event_id)
    last = said.order_by().values("player_id").annotate(last=Max("pk")).values("last")
    kinds = {row.player_id: row.kind for row in models.Seed.objects.filter(pk__in=last) if row.kind}
    people = {p.player_id: p for p in standing_rows(pool, facts.Player).filter(player_id__in=kinds)}
    found = [
        SeededPlayer(i, p.name if p else i, p.name_native if p else "", kind)
        for i, kind in kinds.items()
        for p in [people.get(i)]
    ]
    return sorted(found, key=lambda seed: (seed.kind != models.Seed.Kind.NATIONAL, seed.player_id))


def seeded_events(pool: models.Pool) -> list[str]:
    """The events of which seeds were reported, the last first."""
    events = models.Seed.objects.filter(pool=pool).order_by().values("event_id").annotate(last=Max("pk"))
    return list(events.order_by("-last").values_list("event_id", flat=True))


def note_seed(
    pool: models.Pool, event_id: str, player_id: str, kind: models.Seed.Kind | None, actor: Actor
) -> None:
    """Write down a reported seed, or (None) take it back. Raises UnknownMemberError, UnknownEventError."""
    act = UNSEED if kind is None else SEED
    with transaction.atomic():
        entry = open_entry(pool, Act(actor.name, act))
        members.find(pool, player_id)
        if event_name(pool, event_id) is None:
            raise UnknownEventError(event=event_id)
        models.Seed.objects.create(
            entry=entry, pool=pool, event_id=event_id, player_id=player_id, kind=kind or ""
        )
        note(actor, act, pool, event=event_id, member=player_id, entry=entry.pk)


def event_name(pool: models.Pool, event_id: str) -> str | None:
    """The name of an event of the book, or of one applied for; None for neither."""
    row = standing_rows(pool, facts.Event).filter(event_id=event_id).last()
    asked = models.Sanction.objects.filter(pool=pool, event_id=event_id).last()
    found = row or asked
    return found.name if found else None
