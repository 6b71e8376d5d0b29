"""A pool's lists: those that its book makes, and those that were published."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, QuerySet

from banzuke.database.book_reader import book_named, rules_of
from banzuke.database.models import Pool, RatingList
from banzuke.engine.history import list_names
from banzuke.engine.rating_run import no_progress
from banzuke.ledger.folder import GoLedger, Ledger
from banzuke.office.lists.chess_lists import FROM_THE_FIRST, Start, chess_lists
from banzuke.office.lists.go_rankings import FROM_THE_OPENING, GoStart, go_lists, go_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from banzuke.engine.rating_run import Progress
    from banzuke.ledger.pool_rules import EditionInForce
    from banzuke.office.lists.list_rows import Made

#: The name by which the newest list is asked for.
CURRENT = "current"


def names_of(ledger: Ledger, until: str | None = None) -> list[str]:
    """The lists that a ledger makes, in order, to `until`. Raises UnknownListError for what is none."""
    return go_names(ledger, until) if isinstance(ledger, GoLedger) else list_names(ledger, until)


def make_lists(
    ledger: Ledger,
    names: Sequence[str] | None = None,
    progress: Progress = no_progress,
    start: Start | GoStart | None = None,
) -> Iterator[Made]:
    """The lists of those names (a leading run of `names_of`; None: all), made one after another.

    `start`, one of the pool's own kind, leaves out the first ones.
    """
    if isinstance(ledger, GoLedger):
        return go_lists(ledger, names, progress, start if isinstance(start, GoStart) else FROM_THE_OPENING)
    return chess_lists(ledger, names, progress, start if isinstance(start, Start) else FROM_THE_FIRST)


def current(pool: Pool) -> QuerySet[RatingList]:
    """The latest revision of each published list, newest list first."""
    later = RatingList.objects.filter(pool=pool, name=OuterRef("name"), revision__gt=OuterRef("revision"))
    return pool.lists.filter(~Exists(later)).order_by("-closes", "-name")


def latest(pool: Pool) -> RatingList | None:
    """The newest published list; None before the first."""
    return current(pool).first()


def revisions(pool: Pool, name: str) -> QuerySet[RatingList]:
    """Every revision of a list, from the first."""
    return pool.lists.filter(name=name).order_by("revision")


def find(pool: Pool, name: str, revision: int | None = None) -> RatingList | None:
    """A revision of a list (None: its latest); `CURRENT` is the newest list. None where there is none."""
    if name == CURRENT:
        return latest(pool)
    found = revisions(pool, name)
    return found.last() if revision is None else found.filter(revision=revision).first()


def known_until(published: RatingList) -> date | None:
    """The first day whose changes a list no longer knew; None for one that knew whatever was entered.

    Raises MissingBookError where its rule book is not installed.
    """
    days = book_named(published.rulebook).calendar.correction_days
    return None if days is None else published.day + timedelta(days=days)


def edition_of(published: RatingList) -> EditionInForce:
    """The edition that made a published list, with its settings and tables as they were then."""
    return rules_of(published.pool, published.entry_id).edition_on(published.in_force_from)
