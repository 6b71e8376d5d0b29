"""A pool's clubs with their yearly registration: each year is a row of its own (clubs.csv)."""

from collections.abc import Iterable
from datetime import date
from operator import itemgetter
from typing import NamedTuple

from django.db.models import Count

from banzuke.core import facts
from banzuke.database.book_writer import Act, add_facts, new_entry
from banzuke.database.models import Club, Entry, Pool
from banzuke.database.two_names import name_here, names_here
from banzuke.office.fact_rows import TABLES, record_of, replace, standing_rows
from banzuke.office.journal import Actor, note
from banzuke.office.lists.coming_list import day_of_change
from banzuke.office.refusals import (
    HeldRegistrationError,
    SpanError,
    StruckRegistrationError,
    TakenClubError,
    UnknownClubError,
)

REGISTER, RENEW, CORRECT = "register-club", "renew-club", "correct-club"


class RegisteredClub(NamedTuple):
    """A club as it is registered last, all its registrations, and how many members name it."""

    row: Club
    rows: tuple[Club, ...]
    members: int

    @property
    def name(self) -> str:
        """What it is called in the language in force."""
        return name_here(self.row.name, self.row.name_native)

    def stands_on(self, day: date) -> bool:
        """Whether it is registered on the day."""
        return any(row.valid_from <= day <= row.valid_to for row in self.rows)


def clubs(pool: Pool) -> list[RegisteredClub]:
    """All clubs, by name."""
    by_id: dict[str, list[Club]] = {}
    for row in standing_rows(pool, facts.Club):
        by_id.setdefault(row.club_id, []).append(row)
    counted = standing_rows(pool, facts.Player).order_by().values("club_id").annotate(members=Count("pk"))
    counts = {found["club_id"]: found["members"] for found in counted}
    found = [RegisteredClub(_latest(rows), tuple(rows), counts.get(i, 0)) for i, rows in by_id.items()]
    return sorted(found, key=lambda club: (club.name, club.row.club_id))


def _latest(rows: Iterable[Club]) -> Club:
    return max(rows, key=lambda row: (row.valid_to, row.pk))


def names(pool: Pool) -> dict[str, str]:
    """The names of the clubs by id, as they are registered last."""
    return names_here(standing_rows(pool, facts.Club).order_by("valid_to", "pk"), "club_id")


def both_names(pool: Pool) -> dict[str, tuple[str, str]]:
    """The names of the clubs by id, in Latin letters and in Japanese (blank: none)."""
    rows = standing_rows(pool, facts.Club).order_by("valid_to", "pk")
    named = rows.values_list("club_id", "name", "name_native")
    return {club_id: (name, native or "") for club_id, name, native in named}


def homes(pool: Pool) -> dict[str, str]:
    """The names of all clubs but federations, by id, in the order of the names."""
    rows = standing_rows(pool, facts.Club).exclude(kind=facts.FEDERATION).order_by("valid_to", "pk")
    found = names_here(rows, "club_id")
    return dict(sorted(found.items(), key=itemgetter(1)))


def lapsed_clubs(pool: Pool, today: date) -> list[RegisteredClub]:
    """The clubs that are not registered today and will not be later."""
    return [club for club in clubs(pool) if club.row.valid_to < today]


def register(pool: Pool, club: facts.Club, actor: Actor) -> None:
    """Register a club for the first time. Raises TakenClubError, SpanError."""
    with new_entry(pool, Act(actor.name, REGISTER)) as entry:
        if Club.objects.filter(pool=pool, club_id=club.club_id).exists():
            raise TakenClubError(club=club.club_id)
        _add(entry, club)
        note(actor, REGISTER, pool, club=club.club_id, entry=entry.pk)


def renew(pool: Pool, club_id: str, valid_from: date, valid_to: date, actor: Actor) -> None:
    """Register a club for a further span, under the name it has.

    Raises UnknownClubError, SpanError, HeldRegistrationError.
    """
    with new_entry(pool, Act(actor.name, RENEW)) as entry:
        rows = list(standing_rows(pool, facts.Club).filter(club_id=club_id))
        if not rows:
            raise UnknownClubError(club=club_id)
        if any((row.valid_from, row.valid_to) == (valid_from, valid_to) for row in rows):
            raise HeldRegistrationError(starts=valid_from, ends=valid_to)
        last: facts.Club = record_of(_latest(rows), facts.Club)
        _add(entry, last._replace(valid_from=valid_from, valid_to=valid_to))
        note(actor, RENEW, pool, club=club_id, until=valid_to.isoformat(), entry=entry.pk)


def correct(pool: Pool, number: int, club: facts.Club, actor: Actor, why: str, today: date) -> None:
    """Put another registration in the place of one (its row's number).

    Raises StruckRegistrationError for one that no longer stands, and SpanError.
    """
    with new_entry(pool, Act(actor.name, CORRECT, why)) as entry:
        row = standing_rows(pool, facts.Club).filter(pk=number, club_id=club.club_id).first()
        if row is None:
            raise StruckRegistrationError(club=club.club_id)
        _check_span(club)
        replace(entry, row, club, day_of_change(pool, today))
        note(actor, CORRECT, pool, club=club.club_id, why=why, entry=entry.pk)


def _add(entry: Entry, club: facts.Club) -> None:
    _check_span(club)
    add_facts(entry, TABLES[facts.Club], [club])


def _check_span(club: facts.Club) -> None:
    if club.valid_to < club.valid_from:
        raise SpanError(starts=club.valid_from, ends=club.valid_to)
