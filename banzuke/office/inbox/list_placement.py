"""Into which list a reported event goes, and what happens where that list is published already."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Q

from banzuke.core import facts
from banzuke.core.month import parse_month
from banzuke.core.rulebook import Family
from banzuke.database.models import RatingList
from banzuke.office.fact_rows import last_struck
from banzuke.office.lists import go_rankings
from banzuke.office.lists.change_day import day_of_change
from banzuke.office.lists.list_window import placing
from banzuke.rulebooks.jcf import ncs_2022

if TYPE_CHECKING:
    from collections.abc import Iterable

    from banzuke.core.facts import Event
    from banzuke.core.go_facts import GoGame
    from banzuke.database.models import Pool

#: It waits for its list; it changes published lists; its list is past changing, or before the first one.
COMING, CORRECTION, FROZEN, BEFORE = "coming", "correction", "frozen", "before"


class Placement(NamedTuple):
    """The list that an event belongs to, what happens, the day its entry carries, the lists it changes."""

    list: str
    kind: str
    added: date | None = None
    revised: tuple[str, ...] = ()


def list_of(family: Family, event: Event) -> str:
    """The name of the list that takes an event of a chess pool."""
    if family is Family.CLUB:
        return event.event_id
    column, month = placing(family)
    return str(month(getattr(event, column)))


def published(pool: Pool) -> list[str]:
    """The names of the published lists, from the first on."""
    lists = RatingList.objects.filter(pool=pool, revision=0).order_by("day", "number")
    return list(lists.values_list("name", flat=True))


def placed(pool: Pool, family: Family, event: Event, events: Iterable[Event], today: date) -> Placement:
    """Where an event goes that is accepted today; `events` are those of the book."""
    names, of = published(pool), list_of(family, event)
    if family is Family.CLUB:
        place = (event.ends, event.event_id)
        after = {other.event_id for other in events if (other.ends, other.event_id) > place}
        later = tuple(name for name in names if name in after)
    else:
        later = tuple(name for name in names if name >= of)
        if later and of < names[0]:
            return Placement(of, BEFORE)
    added = max(day_of_change(pool, today) if later else date.min, _struck(pool, event.event_id))
    if family is Family.MONTH and added >= ncs_2022.knows_until(parse_month(of).first_day):
        return Placement(of, FROZEN, added)
    return Placement(of, CORRECTION if later else COMING, None if added == date.min else added, later)


def _struck(pool: Pool, event_id: str) -> date:
    """The day on which what was of an earlier event of that id was struck last: one reported anew follows."""
    of_it = Q(event_id=event_id)
    return last_struck(pool, {facts.Event: of_it, facts.Game: of_it, facts.Membership: of_it})


def placed_games(pool: Pool, games: Iterable[GoGame]) -> Placement | None:
    """Where games of Go go: into the ranking that holds the first one's end; None for no games."""
    first = min((game.ended for game in games), default=None)
    if first is None:
        return None
    of = str(go_rankings.list_of(first))
    names = published(pool)
    later = tuple(name for name in names if name >= of)
    if later and of < names[0]:
        return Placement(of, BEFORE)
    return Placement(of, CORRECTION if later else COMING, None, later)
