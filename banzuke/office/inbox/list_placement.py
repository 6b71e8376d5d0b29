"""Into which list a reported event goes, and what happens where that list is published already."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Q

from banzuke.core import facts
from banzuke.core.rulebook import ChessBook
from banzuke.database.models import RatingList
from banzuke.office.fact_rows import last_struck
from banzuke.office.lists.change_day import day_of_change
from banzuke.office.lists.go_rankings import day_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from banzuke.core.calendar import Window
    from banzuke.core.facts import Event
    from banzuke.core.go_facts import GoGame
    from banzuke.database.models import Pool
    from banzuke.ledger.pool_rules import EditionInForce
    from banzuke.ledger.pool_rules import Pool as Rules

#: It waits for its list; it changes published lists; its list is past changing, or before the first one.
COMING, CORRECTION, FROZEN, BEFORE = "coming", "correction", "frozen", "before"


class Placement(NamedTuple):
    """The list that an event belongs to, what happens, the day its entry carries, the lists it changes.

    `clause` is the one by which a frozen list stays as it is.
    """

    list: str
    kind: str
    added: date | None = None
    revised: tuple[str, ...] = ()
    clause: str = ""


def published(pool: Pool) -> dict[str, date]:
    """The published lists, from the first on: the day on which the window of each closed, by its name."""
    lists = RatingList.objects.filter(pool=pool, revision=0).order_by("day", "number")
    return dict(lists.values_list("name", "closes"))


def placement_of(pool: Pool, rules: Rules, event: Event, events: Iterable[Event], today: date) -> Placement:
    """Where an event goes that is accepted today; `events` are those of the book."""
    lists, schedule = published(pool), rules.schedule
    window = schedule.window_of(event)
    if schedule.is_by_event:
        place = (event.ends, event.event_id)
        after = {other.event_id for other in events if (other.ends, other.event_id) > place}
        later = tuple(name for name in lists if name in after)
    else:
        later = _from(lists, window)
        if later and _is_before(lists, window):
            return Placement(window.name, BEFORE)
    added = max(day_of_change(pool, today) if later else date.min, _struck(pool, event.event_id))
    known = schedule.known_until(window)
    if known is not None and added >= known:
        return Placement(window.name, FROZEN, added, clause=_inquiry_clause(schedule.edition_of(window)))
    kind = CORRECTION if later else COMING
    return Placement(window.name, kind, None if added == date.min else added, later)


def _inquiry_clause(edition: EditionInForce | None) -> str:
    """The clause that says until when a list may be changed."""
    return edition.book.cites.get("inquiry", "") if edition and isinstance(edition.book, ChessBook) else ""


def _from(lists: dict[str, date], window: Window) -> tuple[str, ...]:
    """The published lists from that window on."""
    return tuple(name for name, closes in lists.items() if closes >= window.closes)


def _is_before(lists: dict[str, date], window: Window) -> bool:
    """Whether the window closes before those of all published lists."""
    return window.closes < min(lists.values())


def _struck(pool: Pool, event_id: str) -> date:
    """The day on which what was of an earlier event of that id was struck last: one reported anew follows."""
    of_it = Q(event_id=event_id)
    return last_struck(pool, {facts.Event: of_it, facts.Game: of_it, facts.Membership: of_it})


def placement_of_games(pool: Pool, rules: Rules, games: Iterable[GoGame]) -> Placement | None:
    """Where games of Go go: into the ranking that holds the first one's end; None for no games."""
    first = min((game.ended for game in games), default=None)
    if first is None:
        return None
    lists, window = published(pool), rules.schedule.window_on(day_of(first))
    later = _from(lists, window)
    if later and _is_before(lists, window):
        return Placement(window.name, BEFORE)
    return Placement(window.name, CORRECTION if later else COMING, None, later)
