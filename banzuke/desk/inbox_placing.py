"""Into which list a reported event goes, and what happens where that list is published already."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from banzuke.book.models import RatingList
from banzuke.core.month import parse_month
from banzuke.desk import go_lists
from banzuke.desk.day_of_change import day_of_change
from banzuke.rulebooks import Family, fide_2024, ncs_2022

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from banzuke.book.models import Pool
    from banzuke.core.facts import Event
    from banzuke.core.go import GoGame

#: It waits for its list; it changes published lists; its list is published and past changing.
COMING, CORRECTION, FROZEN = "coming", "correction", "frozen"


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
    return str(fide_2024.list_of(event.ends) if family is Family.FIDE else ncs_2022.list_of(event.reported))


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
    if not later:
        return Placement(of, COMING)
    added = day_of_change(pool, today)
    if family is Family.MONTH and added >= ncs_2022.knows_until(parse_month(of).first_day):
        return Placement(of, FROZEN, added)
    return Placement(of, CORRECTION, added, later)


def placed_games(pool: Pool, games: Iterable[GoGame]) -> Placement | None:
    """Where games of Go go: into the ranking that holds the first one's end; None for no games."""
    first = min((game.ended for game in games), default=None)
    if first is None:
        return None
    of = str(go_lists.list_of(first))
    later = tuple(name for name in published(pool) if name >= of)
    return Placement(of, CORRECTION if later else COMING, None, later)
