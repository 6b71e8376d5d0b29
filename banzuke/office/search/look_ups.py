"""Looking things up for a form: the member, event, club or game that is meant by what an officer types.

What is typed is an id, or words of a name in any script. Where several are meant, nothing is taken: the form
shows them to choose from.
"""

from collections.abc import Callable, Sequence
from datetime import date
from enum import StrEnum
from functools import partial
from typing import NamedTuple

from banzuke.core import facts, go_facts
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Event, GoPlayer, Player, Pool, Sanction
from banzuke.database.two_names import name_here
from banzuke.exchange.name_likeness import spelt_words
from banzuke.office.fact_rows import standing_rows
from banzuke.office.player_search import bearers
from banzuke.office.register import clubs
from banzuke.office.register.members import find_by_name, search_members
from banzuke.office.search.event_words import slips_in
from banzuke.office.search.found_clubs import find_clubs
from banzuke.office.search.found_events import find_events
from banzuke.office.search.search_index import find_unindexed

#: So many are offered.
MOST = 8
_NOT_PLAYED = (Sanction.State.REFUSED, Sanction.State.CANCELLED)
#: Longer than any id with its name: what stands after it is not read.
LONGEST = 200
#: An id of more words than that is found alone, without a name after it.
MOST_WORDS = 8


class LookUpKind(StrEnum):
    """What is looked up."""

    MEMBER = "member"
    EVENT = "event"
    CLUB = "club"


class LookUpOffer(NamedTuple):
    """One of what was found: its id, its name, and what tells it from others, of an event its first day."""

    id: str
    name: str
    about: str = ""
    day: date | None = None

    @property
    def text(self) -> str:
        """As it stands in a field: the id comes first."""
        return f"{self.id} {self.name}".strip()


class LookUpResult(NamedTuple):
    """The id that is meant (blank: not one alone), else what may be."""

    id: str
    offers: Sequence[LookUpOffer] = ()


def offers(kind: LookUpKind, pool: Pool, typed: str) -> list[LookUpOffer]:
    """What is meant by what was typed, so many at most; nothing for a blank."""
    typed = " ".join(typed[:LONGEST].split())
    return _FINDERS[kind](pool, typed)[:MOST] if typed else []


def beginnings(typed: str) -> list[str]:
    """What the words of a field begin with, the longest first: an id may have blanks, a name may follow."""
    words = typed.split()
    return [" ".join(words[:count]) for count in range(min(len(words), MOST_WORDS), 0, -1)]


def look_up(kind: LookUpKind, pool: Pool, typed: str) -> LookUpResult:
    """The one that is meant: by its id, an offer as it stands in the field, or a whole name of it alone."""
    typed = " ".join(typed[:LONGEST].split())
    if _KNOWS[kind](pool, typed):
        return LookUpResult(typed)
    found = offers(kind, pool, typed)
    for first in filter(partial(_KNOWS[kind], pool), beginnings(typed)):
        if (first, typed) in {(one.id, one.text) for one in (*found, *offers(kind, pool, first))}:
            return LookUpResult(first)
    named = _ids_of_name(kind, pool, typed, found)
    return LookUpResult(named[0]) if len(named) == 1 else LookUpResult("", found)


def _ids_of_name(kind: LookUpKind, pool: Pool, typed: str, found: Sequence[LookUpOffer]) -> list[str]:
    """The ids of those whose whole name this is."""
    if kind is LookUpKind.MEMBER and not rules_of(pool).is_go:
        return [row.player_id for row in find_by_name(pool, typed)]
    return [one.id for one in found if spelt_words(one.name) == spelt_words(typed)]


def _members(pool: Pool, typed: str) -> list[LookUpOffer]:
    if rules_of(pool).is_go:
        ids = bearers(pool, typed).values_list("player_id", flat=True)[:MOST]
        handles = standing_rows(pool, go_facts.GoPlayer).filter(player_id__in=[typed, *ids])
        return [LookUpOffer(player_id, name) for player_id, name in handles.values_list("player_id", "name")]
    rows, names = search_members(pool, typed)[:MOST], clubs.names(pool)
    return [
        LookUpOffer(row.player_id, row.name, " ".join(part for part in _about(row, names) if part))
        for row in rows
    ]


def _about(row: Player, names: dict[str, str]) -> tuple[str, ...]:
    born = str(row.birth_date.year) if row.birth_date else ""
    return row.name_native, born, names.get(row.club_id, row.club_id)


def _events(pool: Pool, typed: str) -> list[LookUpOffer]:
    """Events of the book, and those that are applied for and not refused or cancelled."""
    found = find_events(pool, typed, MOST, find_unindexed(pool).events)
    offered = {row.event_id: _event(row) for row in (*found.exact, *found.near)}
    words = spelt_words(typed)
    for one in Sanction.objects.filter(pool=pool).exclude(state__in=_NOT_PLAYED).order_by("-pk"):
        if slips_in(words, (one.name, one.name_native or "", one.event_id)) == 0:
            offered.setdefault(one.event_id, _event(one))
    return list(offered.values())


def _event(row: Event | Sanction) -> LookUpOffer:
    return LookUpOffer(row.event_id, name_here(row.name, row.name_native), "", row.starts)


def _clubs(pool: Pool, typed: str) -> list[LookUpOffer]:
    return [LookUpOffer(one.club_id, one.name) for one in find_clubs(clubs.both_names(pool), typed, MOST)]


def _knows_member(pool: Pool, player_id: str) -> bool:
    if rules_of(pool).is_go:
        return GoPlayer.objects.filter(pool=pool, player_id=player_id).exists()
    return standing_rows(pool, facts.Player).filter(player_id=player_id).exists()


def _knows_event(pool: Pool, event_id: str) -> bool:
    in_book = standing_rows(pool, facts.Event).filter(event_id=event_id).exists()
    return in_book or Sanction.objects.filter(pool=pool, event_id=event_id).exists()


_FINDERS: dict[LookUpKind, Callable[[Pool, str], list[LookUpOffer]]] = {
    LookUpKind.MEMBER: _members, LookUpKind.EVENT: _events, LookUpKind.CLUB: _clubs,
}  # fmt: skip
_KNOWS: dict[LookUpKind, Callable[[Pool, str], bool]] = {
    LookUpKind.MEMBER: _knows_member, LookUpKind.EVENT: _knows_event,
    LookUpKind.CLUB: lambda pool, club_id: club_id in clubs.names(pool),
}  # fmt: skip
