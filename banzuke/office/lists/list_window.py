"""A list's window: its days, what places an event in it, and what the coming list takes, not yet rated."""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from banzuke.core import facts
from banzuke.core.rulebook import Family
from banzuke.database.book_reader import rules_of
from banzuke.office.fact_rows import standing_rows
from banzuke.rulebooks.fide import fide_2024
from banzuke.rulebooks.jcf import ncs_2022

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from banzuke.core.month import Month
    from banzuke.database import models
    from banzuke.office.lists.publishing import Coming


class InWindow(NamedTuple):
    """An event, how many games it has, and how many players."""

    row: models.Event
    games: int
    players: int


def closes(month: Month, family: Family) -> date:
    """The last day of the window of a month's list."""
    if family is Family.GO:
        return month.first_day - timedelta(days=1)
    return fide_2024.window_closes(month) if family is Family.FIDE else ncs_2022.window_closes(month)


def opens(month: Month, family: Family) -> date:
    """The first day of the window of a month's list."""
    return closes(month.plus(-1), family) + timedelta(days=1)


def placing(family: Family) -> tuple[str, Callable[[date], Month]]:
    """Which day of an event decides its month's list, and how."""
    return ("ends", fide_2024.list_of) if family is Family.FIDE else ("reported", ncs_2022.list_of)


def in_window(pool: models.Pool, coming: Coming) -> list[InWindow]:
    """The events of the coming list, in the order of their days; a Go server has none."""
    rows = standing_rows(pool, facts.Event)
    if coming.opens is None:
        rows = rows.filter(event_id=coming.name)
    else:
        column, _ = placing(rules_of(pool).family)
        rows = rows.filter(**{f"{column}__range": (coming.opens, coming.closes)})
    return _counted(pool, list(rows.order_by("starts", "event_id")))


def _counted(pool: models.Pool, rows: list[models.Event]) -> list[InWindow]:
    games: dict[str, int] = defaultdict(int)
    players: dict[str, set[str]] = defaultdict(set)
    standing = standing_rows(pool, facts.Game).filter(event_id__in=[row.event_id for row in rows])
    for event, white, black in standing.values_list("event_id", "white", "black"):
        games[event] += 1
        players[event] |= {white, black}
    return [InWindow(row, games[row.event_id], len(players[row.event_id])) for row in rows]
