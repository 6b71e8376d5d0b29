"""A pool's lists: those that its book makes, and those that were published."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import date, timedelta
from operator import attrgetter

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from banzuke.database.book_reader import book_named, rules_of
from banzuke.database.models import Pool, RatingList
from banzuke.engine.go_windows import go_names
from banzuke.engine.history import list_names
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.ledger.cells import LATEST_YEAR
from banzuke.ledger.folder import GoLedger, Ledger
from banzuke.ledger.list_schedule import Schedule
from banzuke.ledger.pool_rules import EditionInForce
from banzuke.office.lists.chess_lists import chess_lists
from banzuke.office.lists.go_rankings import go_lists
from banzuke.office.lists.list_rows import FROM_THE_FIRST, CalculatedList, ListStart

#: The name by which the newest list is asked for.
CURRENT = "current"


def names_of(ledger: Ledger, until: str | None = None) -> list[str]:
    """The lists that a ledger makes, in order, to `until`. Raises UnknownListError for what is none."""
    return go_names(ledger, until) if isinstance(ledger, GoLedger) else list_names(ledger, until)


def names_up_to(ledger: Ledger, asked: Iterable[str]) -> list[str]:
    """The lists that a ledger makes, in order, to the last of those asked for.

    That one may come after the last list with events. Names that are no list of the ledger count for nothing.
    """
    wanted = set(asked)
    names = names_of(ledger, _last(ledger.pool.schedule, wanted))
    last = max((place for place, name in enumerate(names) if name in wanted), default=-1)
    return names[: last + 1]


def _last(schedule: Schedule, names: Iterable[str]) -> str | None:
    """Of those names the last list's by its window; None where none has a window."""
    windows = []
    for name in () if schedule.is_by_event else names:
        with suppress(ValueError, OverflowError):
            windows.append(schedule.window_named(name))
    known = (window for window in windows if window.published.year <= LATEST_YEAR)
    found = max(known, key=attrgetter("closes"), default=None)
    return found and found.name


def make_lists(
    ledger: Ledger,
    names: Sequence[str] | None = None,
    progress: Progress = no_progress,
    start: ListStart = FROM_THE_FIRST,
) -> Iterator[CalculatedList]:
    """The lists of those names (a leading run of `names_of`; None: all), made one after another.

    `start`, one of the pool's own kind, leaves out the first ones.
    """
    if isinstance(ledger, GoLedger):
        return go_lists(ledger, names, progress, start)
    return chess_lists(ledger, names, progress, start)


def current_lists(pool: Pool) -> QuerySet[RatingList]:
    """The latest revision of each published list, newest list first."""
    later = RatingList.objects.filter(pool=pool, name=OuterRef("name"), revision__gt=OuterRef("revision"))
    return pool.lists.filter(~Exists(later)).order_by("-closes", "-name")


def latest_list(pool: Pool) -> RatingList | None:
    """The newest published list; None before the first."""
    return current_lists(pool).first()


def list_before(published: RatingList) -> RatingList | None:
    """The list before this one as it is now; None for the first."""
    earlier = Q(closes__lt=published.closes) | Q(closes=published.closes, name__lt=published.name)
    return current_lists(published.pool).filter(earlier).first()


def revisions_of(pool: Pool, name: str) -> QuerySet[RatingList]:
    """Every revision of a list, from the first; `CURRENT` is the newest list."""
    wanted = Subquery(current_lists(pool).values("name")[:1]) if name == CURRENT else name
    return pool.lists.filter(name=wanted).order_by("revision")


def all_revisions(pool: Pool, names: Collection[str]) -> dict[str, list[RatingList]]:
    """Every revision of those lists by their names, from the last back."""
    found: dict[str, list[RatingList]] = {name: [] for name in names}
    for each in pool.lists.filter(name__in=names).order_by("-revision"):
        found[each.name].append(each)
    return found


def find_list(pool: Pool, name: str, revision: int | None = None) -> RatingList | None:
    """A revision of a list (None: its latest); `CURRENT` is the newest list. None where there is none."""
    if name == CURRENT:
        return latest_list(pool)
    found = revisions_of(pool, name)
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
