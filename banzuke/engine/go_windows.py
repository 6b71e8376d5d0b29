"""The windows of a Go server's rankings: each has what ended until it closed.

A window's days are days in UTC, by which the server's editions go too.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from operator import attrgetter

from banzuke.core.calendar import DAY, Window
from banzuke.engine.go_history import games_until
from banzuke.engine.history import UnknownListError
from banzuke.ledger.folder import GoLedger


def day_of(moment: datetime) -> date:
    """The day that decides which ranking holds what ended at that moment."""
    return moment.astimezone(UTC).date()


def last_moment(closes: date) -> datetime:
    """The last moment that a ranking holds whose window closes on that day."""
    return datetime.combine(closes + DAY, time(), UTC) - timedelta(microseconds=1)


def go_names(ledger: GoLedger, until: str | None) -> list[str]:
    """The rankings that the server's games make. Raises UnknownListError for an `until` that is none."""
    if not ledger.games:
        return []
    schedule, moments = ledger.pool.schedule, [game.ended for game in ledger.games]
    first, last = (schedule.window_on(day_of(moment)) for moment in (min(moments), max(moments)))
    try:
        last = last if until is None else schedule.window_named(until)
    except (ValueError, OverflowError):
        raise UnknownListError(str(until), last.name) from None
    return [window.name for window in schedule.windows(first, last)]


def by_window(ledger: GoLedger, windows: Sequence[Window]) -> list[GoLedger]:
    """The ledger with the games of each of those windows, so that no game is looked at for every one."""
    games, found, first = games_until(ledger, None), [], 0
    for window in windows:
        last = bisect_right(games, last_moment(window.closes), key=attrgetter("ended"))
        found.append(replace(ledger, games=games[first:last]))
        first = last
    return found


def first_seen(ledger: GoLedger) -> dict[str, datetime]:
    """When each player was first seen; without those who were there when the server opened, or never seen.

    Who comes later is not on the rankings of before, so that those published stay as they are.
    """
    moments = [(player, game.ended) for game in ledger.games for player in (game.black, game.white)]
    moments += [(declaration.player_id, declaration.at) for declaration in ledger.declarations]
    opened = opening_players(ledger)
    firsts: dict[str, datetime] = {}
    for player, moment in moments:
        if player not in opened:
            firsts[player] = min(moment, firsts.get(player, moment))
    return firsts


def opening_players(ledger: GoLedger) -> set[str]:
    """Who was there when the server opened."""
    return {row.player_id for row in ledger.standings}
