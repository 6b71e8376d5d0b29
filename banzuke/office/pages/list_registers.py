"""The register as a published list knew it, of some players."""

from typing import Any

from django.db.models import Q

from banzuke.core import facts
from banzuke.core.batch import Register
from banzuke.database.book_reader import read_table
from banzuke.database.models import RatingList
from banzuke.engine.history import register_with
from banzuke.ledger.records import standing_records
from banzuke.office.fact_rows import TABLES
from banzuke.office.lists.list_index import known_until


def register_of_players(published: RatingList, players: set[str]) -> Register:
    """Those players with their memberships; for nobody the database is not asked.

    Raises MissingBookError where the list's rule book is not installed.
    """
    if not players:
        return register_with({}, ())
    known = {player.player_id: player for player in _standing(published, facts.Player, players)}
    return register_with(known, _standing(published, facts.Membership, players))


def _standing(published: RatingList, record: Any, players: set[str]) -> list[Any]:
    rows = read_table(published.pool, TABLES[record], published.entry_id, Q(player_id__in=players))
    return standing_records(rows, known_until(published))
