"""A Go pool's history: declarations and games in the order of time, each game rated as it ended."""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from banzuke.core.go_facts import Declaration, GoGame, GoLine, GoState
from banzuke.engine.history import UnknownListError
from banzuke.ledger.cells import MOMENT, CellError
from banzuke.ledger.folder import GoLedger
from banzuke.ledger.pool_rules import Pool, go_book

States = dict[str, "GoState"]


class RatedGame(NamedTuple):
    """A game with the lines of both sides, Black's first."""

    game: GoGame
    black: GoLine
    white: GoLine


class GoRun(NamedTuple):
    """What a run leaves: every player's state, and the declarations that were ignored."""

    states: States
    ignored: list[Declaration]


def moment(until: str | None) -> datetime | None:
    """The ISO time to which a run goes; raises UnknownListError for another text."""
    if until is None:
        return None
    try:
        at: datetime = MOMENT.read(until)
    except CellError:
        raise UnknownListError(until, "2025-03-01T12:00:00+09:00") from None
    return at


def opening(ledger: GoLedger) -> GoRun:
    """The states before the first game."""
    book = go_book(ledger.pool.editions[0])
    states = {player.player_id: book.entered(player) for player in ledger.players}
    states.update((row.player_id, book.reopened(row)) for row in ledger.standings)
    return GoRun(states, [])


def games_until(ledger: GoLedger, until: datetime | None, after: datetime | None = None) -> list[GoGame]:
    """The games in order of their end, then id; those that end at `until` are in, those at `after` not."""
    games = [game for game in ledger.games if _is_within(game.ended, until, after)]
    return sorted(games, key=lambda game: (game.ended, game.game_id))


def _is_within(at: datetime, until: datetime | None, after: datetime | None) -> bool:
    return (until is None or at <= until) and (after is None or at > after)


def history(
    ledger: GoLedger, run: GoRun, until: datetime | None, after: datetime | None = None
) -> Iterator[RatedGame]:
    """Every game rated, in order; `run` holds the states as they stand after each.

    A declaration at the very time of a game's end comes before it. A history may be made in stretches: with
    `after`, the moment to which the run has come, it goes on from there.
    """
    pending = sorted(
        (d for d in ledger.declarations if _is_within(d.at, until, after)),
        key=lambda d: (d.at, d.player_id),
    )
    pending.reverse()
    states, pool = run.states, ledger.pool
    for game in games_until(ledger, until, after):
        while pending and pending[-1].at <= game.ended:
            _declare(pool, run, pending.pop())
        edition = pool.edition_at(game.ended)
        black, white = go_book(edition).rate(game, states[game.black], states[game.white], edition.zone)
        states[game.black], states[game.white] = black.after, white.after
        yield RatedGame(game, black, white)
    while pending:
        _declare(pool, run, pending.pop())


def _declare(pool: Pool, run: GoRun, declaration: Declaration) -> None:
    book = go_book(pool.edition_at(declaration.at))
    state = book.declared(run.states[declaration.player_id], declaration)
    if state is None:
        run.ignored.append(declaration)
    else:
        run.states[declaration.player_id] = state


def ignored_declarations(ledger: GoLedger) -> list[Declaration]:
    """The declarations of a ledger that change nothing, in the order of time."""
    if not ledger.declarations:
        return []
    run = opening(ledger)
    for _ in history(ledger, run, max(declaration.at for declaration in ledger.declarations)):
        pass
    return run.ignored
