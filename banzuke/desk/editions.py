"""The edition that made a published list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from banzuke.book.reading import rules_of

if TYPE_CHECKING:
    from banzuke.book.models import RatingList
    from banzuke.ledger.pool import EditionInForce


def edition_of(published: RatingList) -> EditionInForce:
    """The edition that made the list, with its settings and tables as they were then."""
    rules = rules_of(published.pool, published.entry_id)
    return next(edition for edition in rules.editions if edition.start == published.in_force_from)
