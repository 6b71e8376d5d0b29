"""A pool's members: found, added and changed; their memberships; newcomers and new ids.

Memberships that published lists may have used are changed as corrections.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from functools import reduce
from operator import and_
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Max, Q, QuerySet, TextField, Value
from django.db.models.functions import Concat, Replace

from banzuke.core import facts
from banzuke.database.book_reader import rules_of
from banzuke.database.book_writer import Act, add_facts, new_entry
from banzuke.database.models import Contact, Entry, Membership, Player, Pool, ReportStep
from banzuke.office import player_search
from banzuke.office.erased_ids import erased_ids, is_erased
from banzuke.office.fact_rows import TABLES, record_of, replace, standing_rows, strike_all, with_more_of
from banzuke.office.journal import Actor, note
from banzuke.office.lists.coming_list import day_of_addition, day_of_change
from banzuke.office.near_names import near_players, slips_between
from banzuke.office.refusals import (
    ErasedMemberError,
    EventNotInBookError,
    HeldMembershipError,
    SpanError,
    refuse_outdated,
)

ADD, CHANGE = "add-member", "change-member"
ADD_MEMBERSHIP, CORRECT_MEMBERSHIP = "add-membership", "correct-membership"
STRIKE_MEMBERSHIP = "strike-membership"
#: What the office wants of somebody new: the kanji name, the birth date, and where they are reached.
NATIVE_NAME, BIRTH_DATE, CONTACT = "name_native", "birth_date", "contact"
_NUMBERED = re.compile(r"(\D*)(\d{1,18})", re.ASCII)
#: More letters than anybody types; a database takes no search of any length.
LONGEST_SEARCH = 100
#: So many of the public index's bearers are asked for.
MOST_INDEXED = 500


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


class StruckMembershipError(Exception):
    """A membership that no longer stands."""


def find(pool: Pool, player_id: str) -> Player:
    """The member's standing row. Raises UnknownMemberError."""
    row: Player | None = standing_rows(pool, facts.Player).filter(player_id=player_id).last()
    if row is None:
        raise UnknownMemberError(player_id)
    return row


def contact_of(pool: Pool, player_id: str) -> ContactDetails:
    """What the office keeps of a member beside the register; all blank where nothing was ever said."""
    return contacts_of(pool, [player_id]).get(player_id, ContactDetails())


def contacts_of(pool: Pool, player_ids: Iterable[str] | QuerySet[Any]) -> dict[str, ContactDetails]:
    """The same of many members; those of whom nothing was said are left out."""
    said = Contact.objects.filter(pool=pool, player_id__in=player_ids)
    last = said.order_by().values("player_id").annotate(last=Max("pk")).values("last")
    rows = Contact.objects.filter(pk__in=last)
    return {row.player_id: details_of(row) for row in rows}


def last_rows(pool: Pool, player_id: str) -> str:
    """The last rows of a member and of the contact: by them a page knows whether it is out of date."""
    contact = Contact.objects.filter(pool=pool, player_id=player_id).aggregate(last=Max("pk"))["last"]
    return f"{find(pool, player_id).pk}-{contact or 0}"


def details_of(row: Contact) -> ContactDetails:
    """The details of a row."""
    lines = row.address.replace("\r\n", "\n")  # as browsers sent them
    return ContactDetails(row.kana, lines, row.email, row.by_id_only)


def add(pool: Pool, member: facts.Player, contact: ContactDetails, actor: Actor) -> None:
    """Take somebody into the register. Raises TakenIdError."""
    with new_entry(pool, Act(actor.name, ADD)) as entry:
        if Player.objects.filter(pool=pool, player_id=member.player_id).exists():
            raise TakenIdError(member.player_id)
        add_facts(entry, TABLES[facts.Player], [member])
        store_contact(entry, member.player_id, contact)
        note(actor, ADD, pool, member=member.player_id, entry=entry.pk)


def change(
    pool: Pool,
    member: facts.Player,
    contact: ContactDetails,
    actor: Actor,
    why: str,
    today: date,
    seen: str = "",
) -> tuple[str, ...]:
    """Change what the register and the office have of a member; gives the names of the fields that change.

    Where nothing changes, nothing is written. `seen` are the `last_rows` that the officer looked at. Raises
    UnknownMemberError, ErasedMemberError, and OutdatedError where the member was changed since.
    """
    with new_entry(pool, Act(actor.name, CHANGE, why)) as entry:
        return _change(entry, member, contact, actor, today, seen)


def _change(
    entry: Entry, member: facts.Player, contact: ContactDetails, actor: Actor, today: date, seen: str = ""
) -> tuple[str, ...]:
    """Write down what differs, with an entry that goes again where nothing does."""
    pool, player_id = entry.pool, member.player_id
    if is_erased(pool, player_id):
        raise ErasedMemberError(player=player_id)
    row = find(pool, player_id)
    old = record_of(row, facts.Player)
    changed = _differing(old, with_more_of(row, member)._replace(added=old.added, struck=old.struck))
    beside = _differing(contact_of(pool, player_id), contact)
    if not (changed or beside):
        transaction.set_rollback(True)
        return ()
    refuse_outdated(seen, last_rows(pool, player_id))
    if changed:
        replace(entry, row, member, day_of_change(pool, today))
    if beside:
        store_contact(entry, player_id, contact)
    fields = [*changed, *beside]
    note(actor, CHANGE, pool, member=player_id, fields=fields, why=entry.why, entry=entry.pk)
    return tuple(fields)


def _differing(old: Any, new: Any) -> tuple[str, ...]:
    return tuple(name for name in old._fields if getattr(old, name) != getattr(new, name))


def store_contact(entry: Entry, player_id: str, contact: ContactDetails) -> None:
    """Write down what the office keeps of a member, if there is anything to say or to take back."""
    if contact != contact_of(entry.pool, player_id):
        Contact.objects.create(entry=entry, pool=entry.pool, player_id=player_id, **contact._asdict())


def namesakes(pool: Pool, member: facts.Player) -> list[Player]:
    """Standing members with another id but the same name, kanji name or FIDE id: perhaps the same person."""
    same = {"name": member.name, "name_native": member.name_native, "fide_id": member.fide_id}
    others = standing_rows(pool, facts.Player).exclude(player_id=member.player_id)
    found = {row.pk: row for key, value in same.items() if value for row in others.filter(**{key: value})}
    return list(found.values())


def memberships(pool: Pool, player_id: str) -> QuerySet[Membership]:
    """A member's standing memberships, the last to end first."""
    return standing_rows(pool, facts.Membership).filter(player_id=player_id).order_by("-valid_to", "-pk")


def annual_until(pool: Pool, player_ids: Iterable[str]) -> dict[str, date]:
    """The last day of each member's annual memberships; who never had one is left out."""
    rows = standing_rows(pool, facts.Membership).filter(player_id__in=player_ids, kind=facts.ANNUAL)
    last = rows.order_by().values("player_id").annotate(until=Max("valid_to"))
    return {found["player_id"]: found["until"] for found in last}


def is_member_on(rows: Iterable[Membership], day: date) -> bool:
    """Whether one of the annual memberships covers the day."""
    return any(row.kind == facts.ANNUAL and row.valid_from <= day <= row.valid_to for row in rows)


def add_membership(pool: Pool, wanted: facts.Membership, actor: Actor, today: date) -> None:
    """A new membership.

    Raises UnknownMemberError, ErasedMemberError, EventNotInBookError, SpanError, HeldMembershipError.
    """
    with new_entry(pool, Act(actor.name, ADD_MEMBERSHIP)) as entry:
        _check_membership(pool, wanted)
        if is_erased(pool, wanted.player_id):
            raise ErasedMemberError(player=wanted.player_id)
        same = {name: getattr(wanted, name) for name in ("kind", "valid_from", "valid_to", "event_id")}
        if memberships(pool, wanted.player_id).filter(**same).exists():
            raise HeldMembershipError(member=wanted.player_id)
        added = day_of_addition(pool, wanted.valid_from, today)
        add_facts(entry, TABLES[facts.Membership], [wanted._replace(added=added)])
        note(actor, ADD_MEMBERSHIP, pool, member=wanted.player_id, kind=wanted.kind, entry=entry.pk)


def correct_membership(
    pool: Pool, number: int, wanted: facts.Membership, actor: Actor, why: str, today: date
) -> None:
    """Put another membership in the place of one: another first or last day, kind or event.

    Raises StruckMembershipError and what `add_membership` raises.
    """
    with new_entry(pool, Act(actor.name, CORRECT_MEMBERSHIP, why)) as entry:
        row = find_membership(pool, number)
        _check_membership(pool, wanted)
        replace(entry, row, wanted, day_of_change(pool, today))
        note(actor, CORRECT_MEMBERSHIP, pool, member=row.player_id, why=why, entry=entry.pk)


def strike_membership(pool: Pool, number: int, actor: Actor, why: str, today: date) -> None:
    """Take a membership back that never was. Raises StruckMembershipError."""
    with new_entry(pool, Act(actor.name, STRIKE_MEMBERSHIP, why)) as entry:
        row = find_membership(pool, number)
        strike_all(entry, facts.Membership, [row], day_of_change(pool, today))
        note(actor, STRIKE_MEMBERSHIP, pool, member=row.player_id, why=why, entry=entry.pk)


def find_membership(pool: Pool, number: int) -> Membership:
    """A standing membership by its row's number. Raises StruckMembershipError."""
    row: Membership | None = standing_rows(pool, facts.Membership).filter(pk=number).first()
    if row is None:
        raise StruckMembershipError(number)
    return row


def _check_membership(pool: Pool, wanted: facts.Membership) -> None:
    find(pool, wanted.player_id)
    if wanted.valid_to < wanted.valid_from:
        raise SpanError(starts=wanted.valid_from, ends=wanted.valid_to)
    is_known = standing_rows(pool, facts.Event).filter(event_id=wanted.event_id).exists()
    if wanted.kind == facts.ONE_EVENT and not is_known:
        raise EventNotInBookError(event=wanted.event_id)


class Newcomer(NamedTuple):
    """Somebody whom a report brought, and what is missing of them."""

    row: Player
    missing: tuple[str, ...]


def newcomers(pool: Pool, clubs: Collection[str] | None = None) -> list[Newcomer]:
    """Who came by a report (of those clubs) and is not complete yet, in the order of coming."""
    steps = ReportStep.objects.filter(report__pool=pool, entry__isnull=False)
    if clubs is not None:
        steps = steps.filter(report__club_id__in=clubs)
    brought = Player.objects.filter(pool=pool, entry__in=steps.values("entry")).values("player_id")
    brought = brought.exclude(player_id__in=erased_ids(pool))
    rows = list(standing_rows(pool, facts.Player).filter(player_id__in=brought))
    said = contacts_of(pool, brought)
    found = [Newcomer(row, _missing(row, said.get(row.player_id, ContactDetails()))) for row in rows]
    return [newcomer for newcomer in found if newcomer.missing]


def complete(
    pool: Pool, newcomer: Newcomer, said: Mapping[str, Any], actor: Actor, today: date
) -> tuple[str, ...]:
    """Fill in what is still missing of a newcomer, and nothing else; gives the names of the fields filled in.

    `said` has `name_native`, `birth_date` and `email` as far as they are known now.
    """
    known, player_id = {name: value for name, value in said.items() if value}, newcomer.row.player_id
    with new_entry(pool, Act(actor.name, CHANGE)) as entry:
        row, contact = find(pool, player_id), contact_of(pool, player_id)
        missing = _missing(row, contact)
        of_register = {name: known[name] for name in (NATIVE_NAME, BIRTH_DATE) if name in known}
        of_register = {name: value for name, value in of_register.items() if name in missing}
        if CONTACT in missing and "email" in known:
            contact = contact._replace(email=known["email"])
        record: facts.Player = record_of(row, facts.Player)
        return _change(entry, record._replace(**of_register), contact, actor, today)


def _missing(row: Player, contact: ContactDetails) -> tuple[str, ...]:
    has = {
        NATIVE_NAME: row.name_native,
        BIRTH_DATE: row.birth_date,
        CONTACT: contact.address or contact.email,
    }
    return tuple(name for name, value in has.items() if not value)


def new_ids(pool: Pool) -> Iterator[str]:
    """Ids for newcomers, in the manner of most of the pool's (`J012` after `J011`), else `P00001` and on.

    Ids of struck members are never given again. In a FIDE pool no id is made that looks like FIDE's.
    """
    taken = set(Player.objects.filter(pool=pool).values_list("player_id", flat=True))
    is_fide = rules_of(pool).has_fide_ids
    prefix, number, width = _last_id({known for known in taken if not (is_fide and known.isdecimal())})
    while True:
        number += 1
        if (player_id := f"{prefix}{number:0{width}}") not in taken:
            yield player_id


def _last_id(taken: set[str]) -> tuple[str, int, int]:
    """The letters of most of the ids, their highest number, and how many digits it has."""
    numbered = [(found[1], found[2]) for known in taken if (found := _NUMBERED.fullmatch(known))]
    if not numbered:
        return "P", 0, 5
    prefix = Counter(prefix for prefix, _ in numbered).most_common(1)[0][0]
    digits = [number for before, number in numbered if before == prefix]
    width = Counter(map(len, digits)).most_common(1)[0][0]
    return prefix, max(int(number) for number in digits if len(number) == width), width


def search_members(pool: Pool, typed: str) -> QuerySet[Player]:
    """The standing members meant by what was typed, by id; all where nothing was.

    Who is in the index is found in any script; others as they are written, in any case, with or without
    blanks, in any order of the words. Where nobody is meant, those are whose names are near.
    """
    rows: QuerySet[Player] = standing_rows(pool, facts.Player).order_by("player_id")
    typed = typed[:LONGEST_SEARCH]
    words = typed.replace("\u3000", " ").split()
    if not words:
        return rows
    kana = Contact.objects.filter(pool=pool, kana__icontains=" ".join(words)).values("player_id")
    rows = rows.annotate(written=_searched_text())
    meant = reduce(and_, (Q(written__icontains=word) for word in words))
    by_id = Q(player_id__icontains=typed.strip()) | Q(fide_id=typed.strip())
    indexed = set(player_search.bearers(pool, typed).values_list("player_id", flat=True)[:MOST_INDEXED])
    found = rows.filter(meant | by_id | Q(player_id__in=kana) | Q(player_id__in=indexed))
    return found if found.exists() else rows.filter(player_id__in=_near(pool, typed))


def _near(pool: Pool, typed: str) -> list[str]:
    """The ids of standing members whose names are near what was typed."""
    rows = standing_rows(pool, facts.Player).filter(player_id__in=near_players(pool, typed))
    return [row.player_id for row in rows if slips_between(typed, (row.name, row.name_native)) is not None]


def _searched_text() -> Concat:
    """Both names, and the kanji name without blanks."""
    text = TextField()
    blank, wide, nothing = (Value(letter, text) for letter in (" ", "\u3000", ""))
    kanji = Replace(Replace("name_native", blank, nothing), wide, nothing)
    return Concat("name", blank, "name_native", blank, kanji, output_field=text)


def find_by_name(pool: Pool, name: str) -> list[Player]:
    """The standing members whose name or kanji name this is, blanks and commas aside."""
    plain = _plain(name)
    if not plain:
        return []
    rows = search_members(pool, plain)[:MOST_INDEXED]
    return [row for row in rows if plain in (_plain(row.name), _plain(row.name_native))]


def _plain(name: str) -> str:
    return " ".join(name.replace(",", " ").replace("\u3000", " ").split()).casefold()
