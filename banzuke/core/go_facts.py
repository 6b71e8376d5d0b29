"""What a ledger holds of a Go pool, a player's state, and a line for each side of each game.

Ranks are half ranks counted from 17k (0, 17k+ is 1, ... 9d+ is 51); differences between ranks
are in 24ths of a rank, the worth of half a point of komi; komi is in half points.
"""

from datetime import datetime
from typing import NamedTuple

#: What a game's result is, and the rooms that it may have been played in (blank: not known).
BLACK, WHITE, DRAW, VOID = "B", "W", "draw", "void"
ROOMS = ("", "rated", "free", "practice", "monthly")

LOWEST_KYU, HIGHEST_DAN = 17, 9
HALF_RANKS = 2 * (LOWEST_KYU + HIGHEST_DAN)
#: Differences of ranks are counted in 24ths of a rank.
TWENTYFOURTHS = 24
BEGINNERS = "BC"

CERTIFIED, PROVISIONAL, BEGINNER, PROFESSIONAL = "certified", "provisional", "beginner", "professional"


def rank_name(half: int) -> str:
    """A half rank as the server writes it: `17k`, `1k+`, `1d`, ... `9d+`."""
    whole, plus = divmod(half, 2)
    name = f"{LOWEST_KYU - whole}k" if whole < LOWEST_KYU else f"{whole - LOWEST_KYU + 1}d"
    return name + "+" * plus


RANK_NAMES = tuple(rank_name(half) for half in range(HALF_RANKS))
HALF_OF = {name: half for half, name in enumerate(RANK_NAMES)}


class GoPlayer(NamedTuple):
    """A player; `declared` is the rank on joining (`5k`, `BC`, or a professional's `3p`)."""

    player_id: str
    name: str
    declared: str
    professional: bool = False


class GoGame(NamedTuple):
    """A finished game; `komi` is what Black gives, in half points (negative: White gives)."""

    game_id: str
    ended: datetime
    black: str
    white: str
    result: str
    handicap: int
    komi: int
    board: int
    moves: int
    room: str = ""
    pair: bool | None = None
    robot: str = ""
    fault: str = ""


class Declaration(NamedTuple):
    """A provisional rank that a player declared at a moment."""

    player_id: str
    at: datetime
    rank: str


class GoOpening(NamedTuple):
    """A player's state when the pool opens: certified, with points, or of the beginners' class."""

    player_id: str
    rank: str
    rated_games: int
    points: int | None = None
    wins_in_bc: int | None = None


class GoState(NamedTuple):
    """A player's state between two games.

    `half` is the half rank (None for beginners and professionals); `record` holds a provisional
    player's rated games as (rank of even strength in 24ths, half points); `last_two` whether the
    last finished games, two at most, were rated.
    """

    kind: str
    rank: str
    half: int | None
    points: int | None
    rated_games: int
    wins_in_bc: int
    record: tuple[tuple[int, int], ...] = ()
    last_two: tuple[bool, ...] = ()


class GoLine(NamedTuple):
    """One side of one game; `difference` is the size of d in 24ths, `points` whole points."""

    player: str
    opponent: str
    before: GoState
    opponent_before: GoState
    difference: int | None
    upper: bool | None
    won: bool | None
    points: int | None
    verdict: str
    clause: str
    after: GoState


class GoTerms(NamedTuple):
    """Regular and given terms (stones, komi in half points); d in 24ths and what a win and a loss move.

    `stronger` and `upper`: 1 White, -1 Black, 0 nobody. `white` and `black` are (win, loss) in points, None
    where the game would not be rated.
    """

    regular: tuple[int, int]
    stronger: int
    given: tuple[int, int]
    difference: int
    upper: int
    white: tuple[int, int] | None
    black: tuple[int, int] | None


class GoProspects(NamedTuple):
    """What comes next for a player; None where it does not concern them.

    `number` is that of the next rated game, `multiplier` by how many tenths its points are multiplied.
    `to_certification` counts rated games, `to_lowest_rank` wins of the beginners' class.
    """

    number: int | None
    multiplier: int | None
    to_certification: int | None
    to_lowest_rank: int | None


class Zone(NamedTuple):
    """A border-zone table, by half rank.

    `up` is the promotion line (None for 9d+), `down` the demotion line, `start` the points on
    certification; `source` is blank for the project's own table.
    """

    up: tuple[int | None, ...]
    down: tuple[int, ...]
    start: tuple[int, ...]
    source: str


#: For what has no border zone: a book of chess.
NO_ZONE = Zone((), (), (), "")
