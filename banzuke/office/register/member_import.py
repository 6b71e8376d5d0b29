"""A register of members sent as a file: which column is what, what it would change, and taking it over."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from django.db import transaction

from banzuke.core import facts
from banzuke.core.fault import RefusedError, refuse_any
from banzuke.database import models
from banzuke.database.book_reader import last_entry, read_register
from banzuke.database.book_writer import Act, add_facts, open_entry
from banzuke.database.models.facts import CHARS
from banzuke.exchange.register_import import Plan, Register, changed_fields, own_columns, plan_for_ledger
from banzuke.formats.member_register import headings, read, table
from banzuke.office.fact_rows import TABLES, record_of, replace_all, standing_rows
from banzuke.office.journal import note
from banzuke.office.lists.change_day import day_of_addition, day_of_change
from banzuke.office.refusals import NoFileError, OutdatedError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from banzuke.core.fault import Fault
    from banzuke.office.journal import Actor

SEND, TAKE_OVER, PUT_AWAY = "send-register", "import-members", "put-away-register"
#: The largest file that is looked at: 20,000 members take 2 MB.
MOST_BYTES = 20 * 1024 * 1024


class Preview(NamedTuple):
    """What a register would do, the headings not read, and the book's position it was planned for."""

    plan: Plan
    unread: tuple[str, ...]
    position: int


def send(pool: models.Pool, name: str, data: bytes, actor: Actor) -> models.RegisterFile:
    """Keep a register until it is taken over; its columns are those said for the same headings before.

    Raises RefusedError for a file in which no headings are found.
    """
    faults: list[Fault] = []
    sheet = table(data, name, faults)
    if sheet is None:
        raise RefusedError(faults)
    found = headings(sheet)
    with transaction.atomic():
        note(actor, SEND, pool, file=name[:CHARS])
        return models.RegisterFile.objects.create(
            pool=pool,
            at=datetime.now(UTC),
            author=actor.name,
            name=name[:CHARS],
            data=data,
            headings=found,
            columns=remembered(pool, found),
        )


def remembered(pool: models.Pool, found: list[str]) -> dict[str, str] | None:
    """The heading of each field as it was last said for these headings; None if it was not."""
    own = own_columns(found)
    if own is not None:
        return own
    said = models.RegisterFile.objects.filter(pool=pool, headings=found, columns__isnull=False).order_by(
        "-pk"
    )
    last = said.first()
    return None if last is None else last.columns


def say_columns(sent: models.RegisterFile, columns: Mapping[str, str], valid_from: date | None) -> None:
    """Which heading each field has, and the first day of memberships of which only the last is said."""
    sent.columns, sent.valid_from = dict(columns), valid_from
    sent.save(update_fields=["columns", "valid_from"])


def preview(sent: models.RegisterFile) -> Preview:
    """What the register would do; nothing is written.

    Raises RefusedError with the register's faults, NoFileError where it was taken over or put away.
    """
    register, position = _register(sent), last_entry(sent.pool)
    plan = plan_for_ledger(read_register(sent.pool, position), register)
    unread = [name for name in register.headings if name and name not in register.columns.values()]
    return Preview(plan, tuple(unread), position)


def _register(sent: models.RegisterFile) -> Register:
    if sent.data is None or sent.columns is None:
        raise NoFileError
    members, faults = read(bytes(sent.data), sent.name, sent.columns)
    refuse_any(faults)
    return Register(sent.name, sent.headings, sent.columns, members, sent.valid_from)


def take_over(sent: models.RegisterFile, position: int, actor: Actor, today: date) -> Plan:
    """Do what was planned for that position of the book, all of it or nothing.

    Raises OutdatedError where the book has moved on, and what `preview` raises.
    """
    seen = preview(sent)
    if seen.position != position:
        raise OutdatedError
    with transaction.atomic():
        entry = open_entry(sent.pool, Act(actor.name, TAKE_OVER, sent.name))
        if sent.pool.entries.exclude(pk=entry.pk).latest("pk").pk != position:
            raise OutdatedError
        _carry_out(entry, seen.plan, today)
        _drop(sent)
        counts = {name: len(getattr(seen.plan, name)) for name in ("added", "changes", "memberships")}
        note(actor, TAKE_OVER, sent.pool, file=sent.name, entry=entry.pk, **counts)
    return seen.plan


def put_away(sent: models.RegisterFile, actor: Actor) -> None:
    """Drop a file that is not taken over; what its columns are stays known."""
    with transaction.atomic():
        _drop(sent)
        note(actor, PUT_AWAY, sent.pool, file=sent.name)


def _drop(sent: models.RegisterFile) -> None:
    sent.data = None
    sent.save(update_fields=["data"])


def _carry_out(entry: models.Entry, plan: Plan, today: date) -> None:
    pool, changes = entry.pool, changed_fields(plan)
    changed = [
        (row, record_of(row, facts.Player)._replace(**changes[row.player_id]))
        for row in standing_rows(pool, facts.Player).iterator()
        if row.player_id in changes
    ]
    replace_all(entry, facts.Player, changed, day_of_change(pool, today))
    add_facts(entry, TABLES[facts.Player], plan.added)
    starts = {row.valid_from for row in plan.memberships}
    days = {start: day_of_addition(pool, start, today) for start in starts}
    added = [row._replace(added=days[row.valid_from]) for row in plan.memberships]
    add_facts(entry, TABLES[facts.Membership], added)
