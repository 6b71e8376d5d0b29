"""A game of today for everybody of a ledger, rated by the engine: what pages say of the next game must be true."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from banzuke.core.facts import ANNUAL, Event, Game, Membership
from banzuke.engine.history import history, list_names

TODAY = date(2030, 1, 1)


def rated_today(ledger, games, today=TODAY):
    """The lines of an event of today at every speed, everybody being a member, by speed and player."""
    speeds = ledger.pool.speeds
    paid = today - timedelta(days=31)
    events = [
        Event(f"T{speed}", "Today", today, today, today, speed=speed, paid=paid, applied=paid)
        for speed in speeds
    ]
    everybody = [Membership(player.player_id, ANNUAL, today, today) for player in ledger.players]
    # joining counts from the first membership of all
    spans = [] if ledger.pool.editions[0].book.coefficient_on else everybody
    played = {
        event.event_id: [Game(event.event_id, n, *pair, "1-0") for n, pair in enumerate(games, 1)]
        for event in events
    }
    with_today = replace(
        ledger,
        events=[*ledger.events, *events],
        games=ledger.games | played,
        memberships=[*ledger.memberships, *spans],
    )
    return {
        (lines.speed, line.player): line
        for rated in history(with_today, list_names(with_today, None))
        for lines in rated.outcome.events
        if lines.event.name == "Today"
        for line in lines.lines
    }
