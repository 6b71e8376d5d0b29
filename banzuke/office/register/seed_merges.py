"""The seeds (NCS 4(8)) of two entries that are put together, or taken apart again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from banzuke.database.models import Merge, Seed

if TYPE_CHECKING:
    from banzuke.database.models import Entry, Pool


def move(entry: Entry, kept: str, merged: str) -> None:
    """The kept entry is seeded past what the other was; where both were, as it was itself."""
    of_kept, of_merged = standing(entry.pool, kept), standing(entry.pool, merged)
    for event_id, kind in of_merged.items():
        if event_id not in of_kept:
            _note(entry, event_id, kept, kind)
        _note(entry, event_id, merged, "")


def move_back(entry: Entry, made: Merge) -> None:
    """What a merge moved goes back, unless somebody has said otherwise of it since."""
    for row in Seed.objects.filter(entry=made.entry_id).order_by("pk"):
        said = Seed.objects.filter(pool=entry.pool, event_id=row.event_id, player_id=row.player_id)
        if said.latest("pk") == row:
            before = said.exclude(pk=row.pk).order_by("pk").last()
            _note(entry, row.event_id, row.player_id, before.kind if before else "")


def standing(pool: Pool, player_id: str) -> dict[str, str]:
    """The kind of seed by the events that a player is seeded past."""
    said = Seed.objects.filter(pool=pool, player_id=player_id).order_by("pk")
    last = dict(said.values_list("event_id", "kind"))
    return {event_id: kind for event_id, kind in last.items() if kind}


def _note(entry: Entry, event_id: str, player_id: str, kind: str) -> None:
    Seed.objects.create(entry=entry, pool=entry.pool, event_id=event_id, player_id=player_id, kind=kind)
