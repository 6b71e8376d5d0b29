"""The events of a chess ledger that its published lists took, and who played in each of them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from banzuke.core.batch import Register
from banzuke.core.facts import Event, Game
from banzuke.core.rulebook import ChessBook
from banzuke.engine.history import Registers, register_of
from banzuke.ledger.folder import ChessLedger
from banzuke.ledger.pool_rules import EditionInForce, chess_book
from banzuke.ledger.records import standing_records


class PublishedEvent(NamedTuple):
    """An event as one list took it: its edition, the list's day, and what that list could know.

    `known` is the day before which inquiries must be made (`date.max`: whatever was not struck), `games` are
    those that stand for the list.
    """

    event: Event
    edition: EditionInForce
    published: date
    known: date
    register: Register
    games: list[Game]

    @property
    def book(self) -> ChessBook:
        """The edition's book."""
        return chess_book(self.edition)

    def games_by_player(self) -> Mapping[str, list[Game]]:
        """The games of each player."""
        found: dict[str, list[Game]] = defaultdict(list)
        for game in self.games:
            found[game.white].append(game)
            found[game.black].append(game)
        return found


def published_events(ledger: ChessLedger, names: Sequence[str]) -> Iterator[PublishedEvent]:
    """The events that stand for the lists of those names, in the order in which they are rated."""
    schedule, by_list = ledger.pool.schedule, defaultdict[str, list[Event]](list)
    for event in ledger.events:
        by_list[schedule.window_of(event).name].append(event)
    registers: Registers[Register] = Registers(
        ledger.players, ledger.memberships, lambda players, of: register_of(ledger, players, of)
    )
    for name in names:
        of_list = by_list[name]
        if not of_list:
            continue
        window = schedule.window_of(of_list[0])
        edition = schedule.edition_of(window)
        if edition is None:
            raise LookupError(name)
        until = schedule.known_until(window)
        for event in sorted(standing_records(of_list, until), key=lambda event: (event.ends, event.event_id)):
            games = standing_records(ledger.games.get(event.event_id, ()), until)
            known = date.max if until is None else until
            yield PublishedEvent(event, edition, window.published, known, registers.known(until), games)
