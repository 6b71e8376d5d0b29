"""Which entries of one person are put together: what was said last of two of them counts."""

from collections.abc import Iterable, Mapping

from django.db.models import Q, QuerySet

from banzuke.database.models import Merge, Pool


def standing_merges(pool: Pool, *player_ids: str) -> list[Merge]:
    """The merges that were not undone; with ids, those that concern them."""
    rows = Merge.objects.filter(pool=pool).select_related("entry")
    if player_ids:
        rows = rows.filter(Q(kept__in=player_ids) | Q(merged__in=player_ids))
    return _standing(rows)


def undone_merges(pool: Pool) -> list[Merge]:
    """The merges that were undone."""
    made, standing = Merge.objects.filter(pool=pool), {row.pk for row in standing_merges(pool)}
    return [row for row in made.order_by("pk") if not row.undone and row.pk not in standing]


def kept_id(pool: Pool, player_id: str) -> str:
    """The id that a player's entry is kept under: the player's own, unless it was merged into another."""
    passed: set[str] = set()
    while player_id not in passed:
        passed.add(player_id)
        merges = _standing(Merge.objects.filter(pool=pool, merged=player_id))
        player_id = next((merge.kept for merge in merges), player_id)
    return player_id


def kept_ids(pool: Pool, player_ids: Iterable[str]) -> dict[str, str]:
    """For those of the ids that were put together with another, the id that is kept in the end."""
    asked = set(player_ids)
    into: dict[str, str] = {}
    reached = asked
    while reached:
        merges = _standing(Merge.objects.filter(pool=pool, merged__in=reached))
        into |= {merge.merged: merge.kept for merge in merges}
        reached = {merge.kept for merge in merges} - into.keys()
    return {each: _end_of(each, into) for each in asked & into.keys()}


def _end_of(player_id: str, into: Mapping[str, str]) -> str:
    passed: set[str] = set()
    while player_id in into and player_id not in passed:
        passed.add(player_id)
        player_id = into[player_id]
    return player_id


def merged_into(pool: Pool, player_ids: Iterable[str]) -> set[str]:
    """The ids of the entries that were put together with those, directly or by way of others."""
    merges = _standing(Merge.objects.filter(pool=pool))
    found: set[str] = set()
    reached = set(player_ids)
    while reached:
        reached = {merge.merged for merge in merges if merge.kept in reached} - found
        found |= reached
    return found


def _standing(rows: QuerySet[Merge]) -> list[Merge]:
    last = {(row.kept, row.merged): row for row in rows.order_by("pk")}
    return [row for row in last.values() if not row.undone]
