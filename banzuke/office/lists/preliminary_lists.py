"""Preliminary lists: how long a list is one, and how it becomes final, by itself after its day or by hand.

A list stays preliminary through its revisions. It becomes final whatever inquiries are open: what these lead
to comes as revisions, as of any list.
"""

from datetime import UTC, date, datetime
from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from banzuke.database.models import FinalList, Inquiry, Pool, PreliminaryList, RatingList
from banzuke.office.journal import Actor, note
from banzuke.office.lists.list_index import revisions_of
from banzuke.office.refusals import NotPreliminaryError
from banzuke.office.transparency.office_log import append

#: The act in the journal and in the office's log, and who did it where nobody did.
FINAL = "final"
BY_ITSELF = Actor("office")


class FirstAndLast(NamedTuple):
    """A list that was preliminary: its first revision, and the one that became final."""

    first: RatingList
    last: RatingList

    @property
    def has_changed(self) -> bool:
        """Whether it was revised in between."""
        return self.first != self.last


def preliminary_of(pool: Pool) -> QuerySet[PreliminaryList]:
    """The pool's lists that are preliminary still, the first to become final first."""
    rows = PreliminaryList.objects.filter(list__pool=pool, list__final=None)
    return rows.select_related("list").order_by("until", "list__number")


def days_of(pool: Pool) -> dict[str, date]:
    """By the names of the pool's preliminary lists the last day on which each is one."""
    return dict(preliminary_of(pool).values_list("list__name", "until"))


def until_of(published: RatingList) -> date | None:
    """The last day on which the list is preliminary; None: it is final."""
    return days_of(published.pool).get(published.name)


def was_preliminary(published: RatingList) -> PreliminaryList | None:
    """That the list was published as preliminary, whatever it is now; None: it was not."""
    rows = PreliminaryList.objects.filter(list__pool=published.pool, list__name=published.name)
    return rows.select_related("list__final__last").first()


def final_of(preliminary: PreliminaryList | None) -> FinalList | None:
    """How the list became final; None: it is preliminary still, or never was."""
    found: FinalList | None = getattr(preliminary.list, "final", None) if preliminary else None
    return found


def last_finals(pool: Pool, most: int) -> list[FinalList]:
    """The pool's lists that became final last, the newest first."""
    rows = FinalList.objects.filter(list__pool=pool).select_related("list", "last")
    return list(rows.order_by("-pk")[:most])


def open_inquiries(pool: Pool) -> QuerySet[Inquiry]:
    """The inquiries that are not decided, in the order in which they came."""
    return Inquiry.objects.filter(pool=pool, state=Inquiry.State.OPEN).order_by("day", "pk")


def make_final(pool: Pool, name: str, actor: Actor) -> FinalList:
    """Make a preliminary list final by hand, on whatever day. Raises NotPreliminaryError."""
    found = preliminary_of(pool).filter(list__name=name).first()
    made = found and _become_final(found, actor, actor.name)
    if not made:
        raise NotPreliminaryError(list=name)
    return made


def make_due_lists_final(today: date) -> int:
    """Make final what is preliminary until a day that is over; how many lists did become final here."""
    due = PreliminaryList.objects.filter(until__lt=today, list__final=None).select_related("list__pool")
    return sum(_become_final(found, BY_ITSELF, "") is not None for found in due.order_by("pk"))


def _become_final(found: PreliminaryList, actor: Actor, author: str) -> FinalList | None:
    """The list becomes final; None where another worker or officer was first."""
    first = found.list
    pool = first.pool
    try:
        with transaction.atomic():
            Pool.objects.select_for_update().get(pk=pool.pk)  # no revision comes in between
            last = revisions_of(pool, first.name).last() or first
            made = FinalList.objects.create(
                list=first,
                last=last,
                at=datetime.now(UTC),
                author=author,
                open=open_inquiries(pool).count(),
            )
            note(actor, FINAL, pool, lists=[first.name])
            append(FINAL, {"pool": pool.slug, "list": first.name, "revision": last.revision})
    except IntegrityError:
        return None
    return made
