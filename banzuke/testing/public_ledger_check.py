"""The check that a public ledger gives the same lists: a book must say what it asks of private facts."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import groupby

from banzuke.core.rulebook import RuleBook
from banzuke.engine.history import list_names
from banzuke.engine.public_ledger.public_ledger import public_ledger
from banzuke.engine.public_ledger.public_players import PublicPlayers
from banzuke.engine.public_ledger.published_events import published_events
from banzuke.ledger.folder import ChessLedger, Ledger

#: The days on which it is tried whether a clause comes back to an answer: more than two in each year.
DAYS = [date(1930, 1, 1) + timedelta(days=151 * number) for number in range(240)]


def public_rows(ledger: Ledger) -> Ledger:
    """The public ledger to the last list, in which every other player is shown by id only."""
    hidden = {player.player_id for player in ledger.players[::2]}
    return public_ledger(ledger, hidden, _names(ledger))


def _names(ledger: Ledger) -> Sequence[str]:
    if isinstance(ledger, ChessLedger):
        return list_names(ledger, None)
    window_on = ledger.pool.schedule.window_on
    return [window_on(max(game.ended.date() for game in ledger.games) + timedelta(days=31)).name]


def answers_in_order(_book: RuleBook, ledger: Ledger) -> Iterator[str]:
    """A clause that goes by a private day never comes back, with a later day, to an earlier day's answer."""
    if not isinstance(ledger, ChessLedger):
        return
    players = PublicPlayers(ledger, ())
    for published in published_events(ledger, list_names(ledger, None)):
        players.note(published)
    for column, clause, asked in players.questions():
        answers = [answer for answer, _ in groupby(clause.answer(day, asked) for day in DAYS)]
        if len(answers) > len(set(answers)):
            yield f"{column}: the answers to {asked} come back with later days: {answers}"
