"""Before a game of two Go players: the regular terms, and what given ones would win and lose each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from banzuke.core.go_facts import BLACK, WHITE, GoGame
from banzuke.office.live import queries
from banzuke.office.live.freshness import up_to_date
from banzuke.office.raw_sql import Statements
from banzuke.rulebooks.pandanet import pandanet
from banzuke.rulebooks.pandanet.ranks import regular_terms

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from banzuke.core.go_facts import GoLine, GoState, Zone
    from banzuke.database.models import Pool


class SamePlayerError(Exception):
    """Nobody plays himself."""


class NoSuchPlayerError(Exception):
    """The pool has no player of that id."""

    def __init__(self, player: str) -> None:
        super().__init__(player)
        self.player = player


class Stones(NamedTuple):
    """Who takes which colour, stones, and komi in half points, as Black gives it."""

    black: str
    white: str
    stones: int
    komi: int

    @property
    def is_reverse(self) -> bool:
        """Whether White gives the komi."""
        return self.komi < 0


class Outcome(NamedTuple):
    """What a result does for both."""

    black: GoLine
    white: GoLine


class Terms(NamedTuple):
    """Terms of a game. `regular` is None where one of them has no rank; the stronger takes White.

    `difference` is the size of d in 24ths with the given terms, None without ranks; `upper` is the player who
    is the upper side with them, blank for neither.
    """

    black: GoState
    white: GoState
    regular: Stones | None
    given: Stones
    difference: int | None
    upper: str
    if_black_wins: Outcome
    if_white_wins: Outcome


def terms(
    pool: Pool, black: str, white: str, now: datetime, stones: int | None = None, komi: int | None = None
) -> Terms:
    """The terms of two players, and what a game on given ones would do if it ended now.

    What is not given is regular; it is even where Black, as asked, is the stronger, or one has no rank.
    Raises NotLiveError, SamePlayerError and NoSuchPlayerError.
    """
    zone = up_to_date(pool).edition_at(now).zone
    if black == white:
        raise SamePlayerError
    return between(black, white, _states(pool, black, white), zone, now, stones, komi)


def between(
    black: str,
    white: str,
    states: Mapping[str, GoState],
    zone: Zone,
    now: datetime,
    stones: int | None,
    komi: int | None,
) -> Terms:
    """The terms of two who have those states; what is not given as `terms` has it."""
    regular = _regular(black, white, states)
    usual = regular if regular and regular.white == white else Stones(black, white, *regular_terms(0))
    given = Stones(
        black, white, usual.stones if stones is None else stones, usual.komi if komi is None else komi
    )
    if_black_wins, if_white_wins = (
        Outcome(*pandanet.rate(game, states[black], states[white], zone))
        for game in (_game(given, result, now) for result in (BLACK, WHITE))
    )
    line = if_white_wins.white
    upper = "" if line.upper is None else white if line.upper else black
    return Terms(
        states[black], states[white], regular, given, line.difference, upper, if_black_wins, if_white_wins
    )


def _states(pool: Pool, *players: str) -> dict[str, GoState]:
    seats = queries.ask_seats(Statements(), pool.pk, players)()
    states = {player: seat.state for player, seat in seats.items()}
    for player in players:
        if player not in states:
            raise NoSuchPlayerError(player)
    return states


def _regular(black: str, white: str, states: Mapping[str, GoState]) -> Stones | None:
    """PN 2(1), 2(2): the stronger takes White; of two equal ones, who was said to."""
    halves = {player: state.half for player, state in states.items()}
    of_black, of_white = halves[black], halves[white]
    if of_black is None or of_white is None:
        return None
    stones, komi = regular_terms(abs(of_white - of_black))
    return Stones(black, white, stones, komi) if of_white >= of_black else Stones(white, black, stones, komi)


def _game(given: Stones, result: str, now: datetime) -> GoGame:
    """A game of the usual kind on those terms, with a result."""
    size, moves = pandanet.BOARD_SIZE, pandanet.LEAST_MOVES
    return GoGame("", now, given.black, given.white, result, given.stones, given.komi, size, moves)
