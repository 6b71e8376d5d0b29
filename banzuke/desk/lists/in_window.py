"""What the coming list takes, as the book has it, before any rating: events, games, players."""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from banzuke.book.reading import last_entry, rules_of
from banzuke.core import facts
from banzuke.core.month import parse_month
from banzuke.desk.rows import standing_rows
from banzuke.rulebooks import Family, fide_2024, ncs_2022

if TYPE_CHECKING:
    from datetime import date

    from banzuke.book import models
    from banzuke.desk.lists.publishing import Coming


class InWindow(NamedTuple):
    """An event, how many games it has, and how many players."""

    row: models.Event
    games: int
    players: int


def opens(pool: models.Pool, coming: Coming) -> date | None:
    """The first day of the window; None for a club's event, which is its own window."""
    family = rules_of(pool, last_entry(pool)).family
    if family is Family.CLUB:
        return None
    before = parse_month(coming.name).plus(-1)
    if family is Family.GO:
        return before.first_day
    closed: date = (fide_2024 if family is Family.FIDE else ncs_2022).window_closes(before)
    return closed + timedelta(days=1)


def in_window(pool: models.Pool, coming: Coming) -> list[InWindow]:
    """The events of the coming list, in the order of their days; a Go server has none."""
    rows, first = standing_rows(pool, facts.Event), opens(pool, coming)
    if first is None:
        rows = rows.filter(event_id=coming.name)
    else:
        family = rules_of(pool, last_entry(pool)).family
        column = "ends" if family is Family.FIDE else "reported"
        rows = rows.filter(**{f"{column}__range": (first, coming.closes)})
    return _counted(pool, list(rows.order_by("starts", "event_id")))


def _counted(pool: models.Pool, rows: list[models.Event]) -> list[InWindow]:
    games: dict[str, int] = defaultdict(int)
    players: dict[str, set[str]] = defaultdict(set)
    standing = standing_rows(pool, facts.Game).filter(event_id__in=[row.event_id for row in rows])
    for event, white, black in standing.values_list("event_id", "white", "black"):
        games[event] += 1
        players[event] |= {white, black}
    return [InWindow(row, games[row.event_id], len(players[row.event_id])) for row in rows]
