"""A ledger without anything private, on which its published lists come out as they are.

It has the events of those lists and their adjustments, who played in them or had a starting rating, and of
what is private only stand-ins (`public_players`, `public_memberships`). What decides no rating is left blank:
persons in charge, the days on which an event was applied for and notified. A fee's day is the day of the
report, where the fee was paid in time.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date
from itertools import chain

from banzuke.core.facts import Event, Game, Membership
from banzuke.engine.history import Plans
from banzuke.engine.public_ledger.public_memberships import PublicMemberships
from banzuke.engine.public_ledger.public_players import PublicPlayers
from banzuke.engine.public_ledger.published_events import PublishedEvent, published_events
from banzuke.ledger.folder import ChessLedger, GoLedger, Ledger


def public_ledger(ledger: Ledger, hidden: Collection[str], names: Sequence[str]) -> Ledger:
    """The ledger as the public may have it, to the last of the lists of those names (the pool's, in order).

    `hidden` are the ids of those who are shown by id only.
    """
    if isinstance(ledger, GoLedger):
        return _of_go(ledger, hidden, names)
    return _of_chess(ledger, hidden, names)


def _of_chess(ledger: ChessLedger, hidden: Collection[str], names: Sequence[str]) -> ChessLedger:
    players, memberships, plans = PublicPlayers(ledger, hidden), PublicMemberships(), Plans(ledger)
    games: dict[str, dict[Game, None]] = defaultdict(dict)
    paid: dict[int, date | None] = {}
    for published in published_events(ledger, names):
        players.note(published)
        memberships.note(published)
        games[published.event.event_id].update(dict.fromkeys(published.games))
        paid[id(published.event)] = _paid(published)
    clubs = {club.club_id for club in ledger.clubs}
    events = [_event(event, paid.get(id(event)), clubs) for event in _events(ledger, names, paid)]
    playing = {player for game in chain.from_iterable(games.values()) for player in (game.white, game.black)}
    wanted = playing | {row.player_id for row in ledger.standings}
    return replace(
        ledger,
        players=list(players.rows(wanted)),
        memberships=list[Membership](memberships.rows()),
        events=events,
        games={event.event_id: list(games[event.event_id]) for event in events},
        adjustments=[row for name in names for row in plans.adjustments(name)],
    )


def _events(ledger: ChessLedger, names: Sequence[str], published: Collection[int]) -> Iterable[Event]:
    """The events of the lists, and those struck by which their windows are counted."""
    if ledger.pool.schedule.is_by_event:
        return [event for event in ledger.events if id(event) in published]
    of_lists, window_of = set(names), ledger.pool.schedule.window_of
    return [event for event in ledger.events if window_of(event).name in of_lists]


def _event(event: Event, paid: date | None, clubs: Collection[str]) -> Event:
    organiser = event.organiser if event.organiser in clubs else ""
    return replace(
        event, organiser=organiser, responsible="", reporter="", applied=None, notified=None, paid=paid
    )


def _paid(published: PublishedEvent) -> date | None:
    """The day of the report in place of the day of payment; blank where the answer is the same without it."""
    event, fees = published.event, published.book.fees
    if event.paid is None or fees is None:
        return None
    unpaid = [
        fees.is_unpaid(replace(event, paid=day), published.published, published.edition.settings)
        for day in (event.paid, None, event.reported)
    ]
    if unpaid[0] == unpaid[1]:
        return None
    return event.reported if unpaid[0] == unpaid[2] else event.paid


def _of_go(ledger: GoLedger, hidden: Collection[str], names: Sequence[str]) -> GoLedger:
    """A server's ledger to the end of the last list, without those who came later."""
    closes = ledger.pool.schedule.window_named(names[-1]).closes if names else date.min
    games = [game for game in ledger.games if game.ended.astimezone(UTC).date() <= closes]
    declarations = [row for row in ledger.declarations if row.at.astimezone(UTC).date() <= closes]
    there = {player for game in games for player in (game.black, game.white)}
    there |= {row.player_id for row in declarations} | {row.player_id for row in ledger.standings}
    ever = {player for game in ledger.games for player in (game.black, game.white)}
    ever |= {row.player_id for row in ledger.declarations}
    players = [
        player._replace(name=player.player_id) if player.player_id in hidden else player
        for player in ledger.players
        if player.player_id in there or player.player_id not in ever
    ]
    return replace(ledger, players=players, games=games, declarations=declarations)
