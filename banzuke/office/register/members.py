"""A pool's members: who stands in the register, what the office keeps of him beside it, adding, changing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import transaction
from django.db.models import Max, QuerySet

from banzuke.core import facts
from banzuke.database import models
from banzuke.database.book_reader import rules_of
from banzuke.database.book_writer import Act, add_facts, open_entry
from banzuke.engine import rule_warnings
from banzuke.office.fact_rows import TABLES, record_of, replace, standing_rows, with_more_of
from banzuke.office.journal import note
from banzuke.office.lists.change_day import day_of_change

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from banzuke.core.fault import Fault
    from banzuke.office.journal import Actor

ADD, CHANGE = "add-member", "change-member"


class ContactDetails(NamedTuple):
    """What the office keeps of a member beside the register (`Contact`); never public."""

    kana: str = ""
    address: str = ""
    email: str = ""
    by_id_only: bool = False


class TakenIdError(Exception):
    """An id that a member has, or once had."""


class UnknownMemberError(Exception):
    """An id that no member of the register has."""


def find(pool: models.Pool, player_id: str) -> models.Player:
    """The member's standing row. Raises UnknownMemberError."""
    row = standing_rows(pool, facts.Player).filter(player_id=player_id).last()
    if row is None:
        raise UnknownMemberError(player_id)
    found: models.Player = row
    return found


def contact_of(pool: models.Pool, player_id: str) -> ContactDetails:
    """What the office keeps of a member beside the register; all blank where nothing was ever said."""
    return contacts_of(pool, [player_id]).get(player_id, ContactDetails())


def contacts_of(pool: models.Pool, player_ids: Iterable[str] | QuerySet[Any]) -> dict[str, ContactDetails]:
    """The same of many members; those of whom nothing was said are left out."""
    said = models.Contact.objects.filter(pool=pool, player_id__in=player_ids)
    last = said.order_by().values("player_id").annotate(last=Max("pk")).values("last")
    rows = models.Contact.objects.filter(pk__in=last)
    return {row.player_id: ContactDetails(row.kana, row.address, row.email, row.by_id_only) for row in rows}


def add(pool: models.Pool, member: facts.Player, said: ContactDetails, actor: Actor, why: str = "") -> None:
    """Take somebody into the register. Raises TakenIdError."""
    with transaction.atomic():
        entry = open_entry(pool, Act(actor.name, ADD, why))
        if models.Player.objects.filter(pool=pool, player_id=member.player_id).exists():
            raise TakenIdError(member.player_id)
        add_facts(entry, TABLES[facts.Player], [member])
        store_contact(entry, member.player_id, said)
        note(actor, ADD, pool, member=member.player_id, entry=entry.pk)


def change(
    pool: models.Pool, member: facts.Player, said: ContactDetails, actor: Actor, why: str, today: date
) -> tuple[str, ...]:
    """Change what the register and the office have of a member; gives the names of the fields that change.

    Where nothing changes, nothing is written. Raises UnknownMemberError.
    """
    with transaction.atomic():
        entry = open_entry(pool, Act(actor.name, CHANGE, why))
        row = find(pool, member.player_id)
        old = record_of(row, facts.Player)
        changed = _differing(old, with_more_of(row, member)._replace(added=old.added, struck=old.struck))
        if changed:
            replace(entry, row, member, day_of_change(pool, today))
        beside = _differing(contact_of(pool, member.player_id), said)
        if beside:
            store_contact(entry, member.player_id, said)
        if changed or beside:
            fields = [*changed, *beside]
            note(actor, CHANGE, pool, member=member.player_id, fields=fields, why=why, entry=entry.pk)
        else:
            transaction.set_rollback(True)
    return (*changed, *beside)


def _differing(old: Any, new: Any) -> tuple[str, ...]:
    return tuple(name for name in old._fields if getattr(old, name) != getattr(new, name))


def store_contact(entry: models.Entry, player_id: str, said: ContactDetails) -> None:
    """Write down what the office keeps of a member, if there is anything to say or to take back."""
    if said != contact_of(entry.pool, player_id):
        models.Contact.objects.create(entry=entry, pool=entry.pool, player_id=player_id, **said._asdict())


def name_warnings(pool: models.Pool, member: facts.Player) -> list[Fault]:
    """What the rules say of how the name is written."""
    return rule_warnings.name_warnings(rules_of(pool), member)


def namesakes(pool: models.Pool, member: facts.Player) -> list[models.Player]:
    """Standing members with another id but the same name, kanji name or FIDE id: perhaps the same person."""
    same = {"name": member.name, "name_native": member.name_native, "fide_id": member.fide_id}
    others = standing_rows(pool, facts.Player).exclude(player_id=member.player_id)
    found = {row.pk: row for key, value in same.items() if value for row in others.filter(**{key: value})}
    return list(found.values())


def memberships(pool: models.Pool, player_id: str) -> QuerySet[models.Membership]:
    """His standing memberships, the last to end first."""
    return standing_rows(pool, facts.Membership).filter(player_id=player_id).order_by("-valid_to", "-pk")


def annual_until(pool: models.Pool, player_ids: Iterable[str]) -> dict[str, date]:
    """The last day of each member's annual memberships; who never had one is left out."""
    rows = standing_rows(pool, facts.Membership).filter(player_id__in=player_ids, kind=facts.ANNUAL)
    last = rows.order_by().values("player_id").annotate(until=Max("valid_to"))
    return {found["player_id"]: found["until"] for found in last}


def is_member_on(rows: Iterable[models.Membership], day: date) -> bool:
    """Whether one of the annual memberships covers the day."""
    return any(row.kind == facts.ANNUAL and row.valid_from <= day <= row.valid_to for row in rows)
