"""Memberships: added, ended, corrected, struck; as corrections where published lists may have used them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from banzuke.core import facts
from banzuke.database.book_writer import Act, add_facts, open_entry
from banzuke.office.fact_rows import TABLES, replace, standing_rows, strike_all
from banzuke.office.journal import note
from banzuke.office.lists.change_day import day_of_addition, day_of_change
from banzuke.office.refusals import EventNotInBookError, SpanError
from banzuke.office.register import members

if TYPE_CHECKING:
    from datetime import date

    from banzuke.database.models import Membership, Pool
    from banzuke.office.journal import Actor

ADD, CORRECT, STRIKE = "add-membership", "correct-membership", "strike-membership"


class StruckMembershipError(Exception):
    """A membership that no longer stands."""


def add(pool: Pool, wanted: facts.Membership, actor: Actor, today: date) -> None:
    """A new membership. Raises UnknownMemberError, EventNotInBookError, SpanError."""
    with transaction.atomic():
        entry = open_entry(pool, Act(actor.name, ADD))
        _check(pool, wanted)
        added = day_of_addition(pool, wanted.valid_from, today)
        add_facts(entry, TABLES[facts.Membership], [wanted._replace(added=added)])
        note(actor, ADD, pool, member=wanted.player_id, kind=wanted.kind, entry=entry.pk)


def correct(pool: Pool, number: int, wanted: facts.Membership, actor: Actor, why: str, today: date) -> None:
    """Put another membership in the place of one: another first or last day, kind or event.

    Raises StruckMembershipError and what `add` raises.
    """
    with transaction.atomic():
        entry = open_entry(pool, Act(actor.name, CORRECT, why))
        row = find(pool, number)
        _check(pool, wanted)
        replace(entry, row, wanted, day_of_change(pool, today))
        note(actor, CORRECT, pool, member=row.player_id, why=why, entry=entry.pk)


def strike(pool: Pool, number: int, actor: Actor, why: str, today: date) -> None:
    """Take a membership back that never was. Raises StruckMembershipError."""
    with transaction.atomic():
        entry = open_entry(pool, Act(actor.name, STRIKE, why))
        row = find(pool, number)
        strike_all(entry, facts.Membership, [row], day_of_change(pool, today))
        note(actor, STRIKE, pool, member=row.player_id, why=why, entry=entry.pk)


def find(pool: Pool, number: int) -> Membership:
    """A standing membership by its row's number. Raises StruckMembershipError."""
    row = standing_rows(pool, facts.Membership).filter(pk=number).first()
    if row is None:
        raise StruckMembershipError(number)
    found: Membership = row
    return found


def _check(pool: Pool, wanted: facts.Membership) -> None:
    members.find(pool, wanted.player_id)
    if wanted.valid_to < wanted.valid_from:
        raise SpanError(starts=wanted.valid_from, ends=wanted.valid_to)
    is_known = standing_rows(pool, facts.Event).filter(event_id=wanted.event_id).exists()
    if wanted.kind == facts.ONE_EVENT and not is_known:
        raise EventNotInBookError(event=wanted.event_id)
