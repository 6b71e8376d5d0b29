"""What became of objections, in numbers for everybody: of each list, and of a pool."""

from collections.abc import Iterable
from statistics import median_low
from typing import NamedTuple

from django.db.models import Max, Q, QuerySet
from django.utils.timezone import localdate

from banzuke.database.models import Inquiry, Objection, Pool, RatingList
from banzuke.office.lists.list_index import current_lists

State = Inquiry.State
_CLOSED = Q(inquiry__steps__state__in=[state for state in State if state != State.OPEN])


class ObjectionNumbers(NamedTuple):
    """How many came, and what became of them.

    `days` is the median from receipt to the end, of those that the office decided (None: none).
    """

    received: int
    upheld: int
    refused: int
    withdrawn: int
    open: int
    days: int | None


class NumbersOfList(NamedTuple):
    """The numbers of a list; None: of what no list has."""

    list: RatingList | None
    numbers: ObjectionNumbers


def numbers_of_list(published: RatingList) -> ObjectionNumbers:
    """The numbers of a list, in whichever revision it was looked at."""
    return _numbers(_objections(published.pool).filter(list__name=published.name))


def numbers_of_pool(pool: Pool) -> tuple[ObjectionNumbers, list[NumbersOfList]]:
    """The numbers of a pool, and of each list that has any, the newest first."""
    every = list(_objections(pool))
    by_name: dict[str, list[Objection]] = {}
    for one in every:
        by_name.setdefault(one.list.name if one.list else "", []).append(one)
    known = [one for one in current_lists(pool) if one.name in by_name]
    lists = [NumbersOfList(one, _numbers(by_name[one.name])) for one in known]
    if "" in by_name:
        lists.append(NumbersOfList(None, _numbers(by_name[""])))
    return _numbers(every), lists


def _objections(pool: Pool) -> QuerySet[Objection]:
    rows = Objection.objects.filter(inquiry__pool=pool).select_related("inquiry", "list")
    return rows.annotate(closed_at=Max("inquiry__steps__at", filter=_CLOSED))


def _numbers(objections: Iterable[Objection]) -> ObjectionNumbers:
    found = list(objections)
    states = [one.inquiry.state for one in found]
    days = [_days(one) for one in found if one.inquiry.state in (State.CORRECTED, State.DISMISSED)]
    return ObjectionNumbers(
        len(found),
        states.count(State.CORRECTED),
        states.count(State.DISMISSED),
        states.count(State.WITHDRAWN),
        states.count(State.OPEN),
        median_low(days) if days else None,
    )


def _days(objection: Objection) -> int:
    """The days from receipt to the last end."""
    closed = localdate(objection.closed_at)  # type: ignore[attr-defined]
    return (closed - localdate(objection.received_at)).days
