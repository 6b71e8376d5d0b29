"""The rows that a report brings, as they would be entered today; and the ledger with them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from banzuke.ledger.records import by_event

if TYPE_CHECKING:
    from datetime import date

    from banzuke.core.facts import Event, Game
    from banzuke.ledger.folder import ChessLedger
    from banzuke.office.inbox.review_findings import Review


def with_day(examined: Review) -> tuple[list[Event], list[Game]]:
    """The events and games of a report, with the day of who changes published lists."""
    events, games = [], []
    for looked in examined.events:
        if looked.event is not None:
            added: date | None = looked.placement.added if looked.placement else None
            events.append(replace(looked.event, added=added))
            games += [game._replace(added=added) for game in looked.games]
    return events, games


def ledger_with(ledger: ChessLedger, examined: Review) -> ChessLedger:
    """A chess pool's ledger, as of the position at which the report was looked at, with the report in it."""
    events, games = with_day(examined)
    return replace(
        ledger,
        players=ledger.players + examined.added,
        memberships=[*ledger.memberships, *examined.memberships],
        events=ledger.events + events,
        games=_together(ledger.games, by_event(games)),
    )


def _together(games: dict[str, list[Game]], more: dict[str, list[Game]]) -> dict[str, list[Game]]:
    """Games by event with more of them; an event may have had others, struck before it was reported anew."""
    return games | {event: games.get(event, []) + added for event, added in more.items()}
