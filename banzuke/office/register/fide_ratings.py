"""First FIDE ratings of the register's members, taken over from a FIDE list once somebody has looked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import transaction

from banzuke.core import facts
from banzuke.database.book_reader import read_register
from banzuke.database.book_writer import Act, open_entry
from banzuke.database.models import Game
from banzuke.exchange.fide_lookup import compare_ratings
from banzuke.office.fact_rows import record_of, replace_all, standing_rows
from banzuke.office.journal import note
from banzuke.office.lists.change_day import day_of_change

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import date
    from pathlib import Path

    from banzuke.database.models import Pool
    from banzuke.exchange.fide_lookup import Progress, RatingMatch
    from banzuke.formats.fide.fide_player import Speed
    from banzuke.office.journal import Actor

TAKE_OVER = "take-fide-ratings"
_RATINGS = ("fide_standard", "fide_rapid", "fide_blitz")


class Taken(NamedTuple):
    """How many members got ratings, and how many were changed since they were looked at and got none."""

    taken: int
    changed_since: int


def look(pool: Pool, path: Path, speed: Speed | None, progress: Progress) -> dict[str, Any]:
    """What a list says of the members who never had FIDE ratings, as plain JSON; nothing is written.

    `taken` are those who would get some, `doubtful` those whose FIDE id has another's name in the list;
    `unrated`, `missing` and `left` (they have some) are counted. Raises RefusedError for a list with faults.
    """
    found = compare_ratings(read_register(pool), path, speed, progress)
    numbers = dict(standing_rows(pool, facts.Player).values_list("player_id", "pk"))
    playing = _playing(pool) if found.taken or found.doubtful else set()
    return {
        "taken": [_told(taken, numbers, playing) for taken in found.taken],
        "doubtful": [_told(taken, numbers, playing) for taken in found.doubtful],
        "unrated": len(found.unrated),
        "missing": len(found.missing),
        "left": len(found.left),
    }


def _playing(pool: Pool) -> set[str]:
    games = Game.objects.filter(pool=pool).order_by()
    return {player for side in ("white", "black") for player in games.values_list(side, flat=True).distinct()}


def _told(taken: RatingMatch, numbers: dict[str, int], playing: Collection[str]) -> dict[str, Any]:
    player, listed = taken.player, taken.listed
    return {
        "row": numbers[player.player_id],
        "player_id": player.player_id,
        "name": player.name,
        "fide_id": listed.fide_id,
        "listed": listed.name,
        "fide_standard": listed.standard,
        "fide_rapid": listed.rapid,
        "fide_blitz": listed.blitz,
        "has_games": player.player_id in playing,
    }


def take_over(pool: Pool, wanted: Iterable[dict[str, Any]], actor: Actor, today: date) -> Taken:
    """Give members what `look` told of them; who was changed since is left as he is."""
    ratings = {told["row"]: {name: told[name] for name in _RATINGS} for told in wanted}
    with transaction.atomic():
        entry = open_entry(pool, Act(actor.name, TAKE_OVER))
        rows = [row for row in standing_rows(pool, facts.Player).iterator() if row.pk in ratings]
        pairs = [(row, record_of(row, facts.Player)._replace(**ratings[row.pk])) for row in rows]
        if pairs:
            replace_all(entry, facts.Player, pairs, day_of_change(pool, today))
            note(actor, TAKE_OVER, pool, changed=len(pairs), entry=entry.pk)
        else:
            transaction.set_rollback(True)
    return Taken(len(pairs), len(ratings) - len(pairs))
