"""Waiving an event's fee, and taking that back: a ruling on the event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from banzuke.core import facts
from banzuke.core.facts import ACCEPT_LATE, INCLUDE, WAIVE_FEE
from banzuke.database.book_writer import Act, open_entry
from banzuke.office.fact_rows import record_of, replace, standing_rows, with_values
from banzuke.office.fees import dues, invoices
from banzuke.office.journal import note
from banzuke.office.lists.change_day import day_of_change

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from banzuke.database.models import Event, Pool
    from banzuke.office.journal import Actor

WAIVED, TAKEN_BACK = "waive-fee", "fee-not-waived"
#: What a ruling becomes when the fee is waived: `include` lifts both lateness and the fee.
WAIVING: Mapping[str, str] = {"": WAIVE_FEE, ACCEPT_LATE: INCLUDE}
DEMANDING: Mapping[str, str] = {after: before for before, after in WAIVING.items()}


class NothingToWaiveError(Exception):
    """The event is excluded, unknown, or its fee is as it should become."""


def waive(pool: Pool, event_id: str, actor: Actor, why: str, today: date) -> None:
    """Waive the fee of an event; an invoice on which nothing is left open is then paid.

    Raises NothingToWaiveError.
    """
    with transaction.atomic():
        row = _ruled(pool, event_id, WAIVING, Act(actor.name, WAIVED, why), today)
        note(actor, WAIVED, pool, event=event_id, why=why)
        of = dues.window_of(pool, row)
        if of is not None:
            invoices.settle(pool, of, row.organiser, actor, today)


def demand(pool: Pool, event_id: str, actor: Actor, why: str, today: date) -> None:
    """Take the waiver of an event's fee back. Raises NothingToWaiveError."""
    with transaction.atomic():
        _ruled(pool, event_id, DEMANDING, Act(actor.name, TAKEN_BACK, why), today)
        note(actor, TAKEN_BACK, pool, event=event_id, why=why)


def _ruled(pool: Pool, event_id: str, becomes: Mapping[str, str], act: Act, today: date) -> Event:
    """The event's row before its ruling became another."""
    entry = open_entry(pool, act)
    row: Event | None = standing_rows(pool, facts.Event).filter(event_id=event_id).last()
    if row is None or row.ruling not in becomes:
        raise NothingToWaiveError(event_id)
    replace(
        entry,
        row,
        with_values(record_of(row, facts.Event), ruling=becomes[row.ruling]),
        day_of_change(pool, today),
    )
    return row
