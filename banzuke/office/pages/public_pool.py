"""What the parts of a public page ask of a pool, asked once a page."""

from typing import NamedTuple

from banzuke.database.book_reader import MissingBookError, rules_of
from banzuke.database.models import Pool, RatingList
from banzuke.ledger.pool_rules import Pool as Rules
from banzuke.office.lists import list_index
from banzuke.office.public_names import by_id_only


class PublicPool(NamedTuple):
    """A pool: its rules (None: a book is not installed), current lists, and who is shown by id only.

    The lists are by their numbers in the database, the newest first.
    """

    pool: Pool
    rules: Rules | None
    lists: dict[int, RatingList]
    hidden: frozenset[str]


def public_pool(pool: Pool) -> PublicPool:
    """A pool as it is now."""
    try:
        rules = rules_of(pool)
    except MissingBookError:
        rules = None
    lists = {published.pk: published for published in list_index.current_lists(pool)}
    return PublicPool(pool, rules, lists, by_id_only(pool))
