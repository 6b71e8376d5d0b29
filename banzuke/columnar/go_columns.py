"""What a Go pool is in columns of integers: games, declarations, states, lines.

Players go by number: their place among all ids in the order of code points. Moments are microseconds since
1970 (UTC); komi is in half points, differences are in 24ths of a rank, as in `core.go_facts`; what is blank
is `batch_columns.MISSING`. A rank is a number too: a certified one its half rank, a provisional one
HALF_RANKS more, then the beginners' class, then the professionals' as they are written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from banzuke.core.go_facts import (
    BEGINNER,
    BEGINNERS,
    BLACK,
    CERTIFIED,
    DRAW,
    HALF_RANKS,
    PROFESSIONAL,
    PROVISIONAL,
    RANK_NAMES,
    VOID,
    WHITE,
    GoState,
    Zone,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from banzuke.columnar.batch_columns import Flags, Int8s, Int32s, Int64s

Int16s = NDArray[np.int16]
Rows = NDArray[np.void]

#: Results and sides of games by their code; that of a room is its place in ROOMS.
RESULTS = (BLACK, WHITE, DRAW, VOID)
SIDES = ("", "black", "white")
BLACK_WON, WHITE_WON = RESULTS.index(BLACK), RESULTS.index(WHITE)

#: Ranks from this number on have no half rank: the beginners' class, and professionals.
IN_BC = 2 * HALF_RANKS

#: A promotion line that nobody reaches, and the size of a line that anybody is past.
NO_LINE = 2**31 - 1

#: A player: `unrated` has a bit for each of the last two finished games, 1 where it was not rated (the last
#: one's is 1, the one's before 2); `on_record` games of a provisional player, with `score` half points.
PLAYER = np.dtype(
    [
        ("points", np.int32),
        ("rated_games", np.int32),
        ("rank", np.int16),
        ("on_record", np.int16),
        ("score", np.int16),
        ("wins_in_bc", np.int8),
        ("unrated", np.int8),
    ]
)


#: An edition's border-zone table by half rank, and the moment from which it is in force.
ZONE = np.dtype(
    [
        ("since", np.int64),
        ("up", np.int32, HALF_RANKS),
        ("down", np.int32, HALF_RANKS),
        ("start", np.int32, HALF_RANKS),
    ]
)

#: A side of a game: its rank before and after it, whole points moved, `judgement` a code of
#: the twin's judgements; the size of d, `upper` and `won` as in `core.go_facts.GoLine`. Blanks are MISSING.
LINE = np.dtype(
    [(name, np.int32) for name in ("rank", "difference", "upper", "won", "points", "judgement", "rank_after")]
)


class GoGames(NamedTuple):
    """Games, a row each; `robot` and `fault` are codes of SIDES."""

    ended: Int64s
    black: Int32s
    white: Int32s
    result: Int8s
    handicap: Int8s
    komi: Int16s
    board: Int8s
    moves: Int32s
    room: Int8s
    pair: Flags
    robot: Int8s
    fault: Int8s

    def between(self, first: int, last: int) -> GoGames:
        """The games from row `first` until row `last`."""
        columns: list[Any] = [column[first:last] for column in self]
        return GoGames(*columns)


#: The types of the columns of games, in their order.
GAME_TYPES: tuple[Any, ...] = (
    np.int64, np.int32, np.int32, np.int8, np.int8, np.int16, np.int8, np.int32, np.int8, np.bool_, np.int8,
    np.int8,
)  # fmt: skip


class GoDeclarations(NamedTuple):
    """Provisional ranks declared later, a row each, ordered by moment and player."""

    at: Int64s
    player: Int32s
    half: Int32s

    def between(self, first: int, last: int) -> GoDeclarations:
        """The declarations from row `first` until row `last`."""
        columns: list[Any] = [column[first:last] for column in self]
        return GoDeclarations(*columns)


class GoStates(NamedTuple):
    """The players' states, a PLAYER each, which change as games are rated.

    `evens[player]` are the ranks of even strength of the games on the player's record, in 24ths.
    """

    players: Rows
    evens: Int16s


class GoRated(NamedTuple):
    """A LINE for each side of each game, Black's first (None if not asked for); declarations ignored."""

    lines: Rows | None
    ignored: int


class GoGame(NamedTuple):
    """What is asked of one of the games."""

    result: int
    handicap: int
    komi: int
    board: int
    moves: int
    room: int
    pair: bool
    robot: int
    fault: int


def rank_words(states: Sequence[GoState]) -> tuple[str, ...]:
    """The ranks by number, with those that the professionals among the players have."""
    professional = sorted({state.rank for state in states if state.kind == PROFESSIONAL})
    return (*RANK_NAMES, *(f"{name}?" for name in RANK_NAMES), BEGINNERS, *professional)


def states_of(states: Sequence[GoState], words: Sequence[str], longest_record: int) -> GoStates:
    """The states of all players, in the order of their numbers; `words` are the ranks by number."""
    professional = {word: number for number, word in enumerate(words) if number > IN_BC}
    players = [_player(state, _rank(state, professional)) for state in states]
    evens = np.zeros((len(states), longest_record), np.int16)
    for number, state in enumerate(states):
        if state.record:
            evens[number, : len(state.record)] = [even for even, _ in state.record]
    return GoStates(np.array(players, PLAYER), evens)


def _player(state: GoState, rank: int) -> tuple[int, ...]:
    """A state as a PLAYER."""
    score = sum(won for _, won in state.record)
    unrated = sum(1 << age for age, rated in enumerate(reversed(state.last_two)) if not rated)
    return (
        state.points or 0, state.rated_games, rank, len(state.record), score, state.wins_in_bc, unrated
    )  # fmt: skip


def _rank(state: GoState, professional: dict[str, int]) -> int:
    """The number of a state's rank."""
    return {
        CERTIFIED: state.half or 0,
        PROVISIONAL: HALF_RANKS + (state.half or 0),
        BEGINNER: IN_BC,
        PROFESSIONAL: professional.get(state.rank, IN_BC),
    }[state.kind]


def zones_of(zones: Sequence[Zone], since: Sequence[int]) -> Rows:
    """A ZONE for each of the editions in order, in force from that moment on (the first one always)."""
    rows = [
        (moment, [NO_LINE if line is None else line for line in zone.up], zone.down, zone.start)
        for zone, moment in zip(zones, since, strict=True)
    ]
    return np.array(rows, ZONE)
