"""What a player's ratings in a list rest on: values that a ledger's history gives, and stored copies too."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from banzuke.core.rating import UNRATED, Calculation, FirstGame, Line
from banzuke.core.sentences import Figures, Part, Side
from banzuke.ledger.pool_rules import EditionInForce, chess_book

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

    from banzuke.core.facts import Event
    from banzuke.engine.history import RatedList
    from banzuke.ledger.folder import ChessLedger


class Account(NamedTuple):
    """All that is told of a player's list; `names` are (Latin, native) by id, `events` names by id."""

    player: str
    list_name: str
    edition: EditionInForce
    names: Mapping[str, tuple[str, str]]
    events: Mapping[str, str]
    parts: list[Part]


def account(ledger: ChessLedger, rated: RatedList, player: str, last: Mapping[str, str]) -> Account:
    """A player's account of a list; `last` gives the last list with lines of the player by speed."""
    names = {p.player_id: (p.name, p.name_native) for p in ledger.players}
    events = {event.event_id: event.name for event in ledger.events}
    settings = rated.edition.settings
    parts = []
    for speed in dict.fromkeys(("", *ledger.pool.speeds)):
        sides = list(_sides(rated, player, speed))
        parts.append(Part(speed, sides, figures(rated, speed, player), last.get(speed, ""), settings))
    return Account(player, rated.batch.name, rated.edition, names, events, parts)


def _sides(rated: RatedList, player: str, speed: str) -> Iterator[Side]:
    for lines in rated.outcome.events:
        if lines.speed == speed:
            for line in lines.lines:
                if line.player == player:
                    yield Side(lines.event, line, _day(rated, lines.event, line))


def _day(rated: RatedList, event: Event, line: Line) -> date:
    """The day the line's game was played."""
    pair = {line.player, line.opponent}
    entry = next(e for e in rated.batch.entries if e.event is event)
    game = next(g for g in entry.games if g.round == line.round and {g.white, g.black} == pair)
    return game.played or event.starts


def figures(rated: RatedList, speed: str, player: str) -> Figures:
    """What one speed of a player's list rests on."""
    outcome = rated.outcome
    found = outcome.calculations.get(speed, {}).get(player)
    before = rated.before.get(speed, {}).get(player, UNRATED)
    after = outcome.standings.of(speed, player)
    calculation = found or Calculation(player, before, before, "", 0, 0, False, None, after)
    on_file = calculation.first.games if calculation.first else _waiting(rated, speed, player)
    return Figures(
        calculation,
        found is not None,
        rated.batch.opens_edition and chess_book(rated.edition).raises_to_floor,
        _taken_over(rated, calculation),
        tuple(dict.fromkeys(game.event_id for game in on_file)),
    )


def _waiting(rated: RatedList, speed: str, player: str) -> tuple[FirstGame, ...]:
    return rated.outcome.standings.waiting.get(speed, {}).get(player, ())


def _taken_over(rated: RatedList, calculation: Calculation) -> int | None:
    """The inherited rating as it is where it comes from; None: nothing was inherited."""
    if not calculation.source:
        return None
    member = rated.batch.register.players[calculation.player]
    found: int | None = getattr(member, calculation.source.replace("-", "_"), calculation.entered.value)
    return found
