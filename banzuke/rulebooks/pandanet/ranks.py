"""Pandanet: ranks, handicaps, points and how ranks move, in the order of the server's page (1-6).

`PN 3(4)` and the like are the register's numbers for the page's paragraphs; `[reading: ...]`
names a decision where it is silent. What a game does for each side is in `pandanet`. The
border-zone table and the formula of certification are this project's own.
"""

from functools import cache
from importlib.resources import files

from banzuke.core.go_facts import (
    BEGINNER,
    BEGINNERS,
    CERTIFIED,
    HALF_OF,
    HALF_RANKS,
    LOWEST_KYU,
    PROFESSIONAL,
    PROVISIONAL,
    RANK_NAMES,
    Declaration,
    GoGame,
    GoOpening,
    GoPlayer,
    GoProspects,
    GoState,
    Zone,
)
from banzuke.core.parameters import read_parameters
from banzuke.core.rounding import rounded

PARAMETERS = read_parameters(files(__package__), "pandanet")
_number = PARAMETERS.whole

#: 24ths in a half rank and in a rank: half a point of komi is a 24th of a rank (PN 3(4)).
HALF_RANK, RANK = 12, 24

#: Komi in half points, as Black gives it: even games, a half rank, a whole rank (White gives).
EVEN_KOMI, HALF_RANK_KOMI = _number("even_komi"), _number("half_rank_komi")
WHOLE_RANK_KOMI = _number("whole_rank_komi")
MOST_STONES = _number("most_stones")

#: Points of the lower side's win at d = 0, 1/2, 1, ... 3; the upper side's are the rest to 200.
LOWER_WINS: tuple[int, ...] = PARAMETERS.row("lower_wins")
BOTH_WINS = _number("both_wins")
WIDEST = _number("widest_ranks") * RANK

CERTIFYING_GAMES, REVIEW_EVERY = _number("certifying_games"), _number("review_every")

#: Up to that many rated games points are multiplied by so many tenths; later by 10 tenths.
MULTIPLIERS: tuple[tuple[int, int], ...] = PARAMETERS.row("multipliers")
LATER_MULTIPLIER = _number("later_multiplier")

BC_WINS = _number("bc_wins")

ZONE_WIDTH, ZONE_SLACK, ZONE_START = _number("zone_width"), _number("zone_slack"), _number("zone_start")
if ZONE_START >= ZONE_WIDTH:
    raise ValueError(f"zone_start = {ZONE_START} >= zone_width = {ZONE_WIDTH}")

BEYOND_TABLE_A_RANK, MOST_EXPECTED = _number("beyond_table_a_rank"), _number("most_expected")


# 1) Ranks


def newcomer_state(player: GoPlayer) -> GoState:
    """PN 1(1), 1(2), 5(1): a newcomer, by the declared rank."""
    if player.professional or player.declared.endswith("p"):
        return GoState(PROFESSIONAL, player.declared, None, None, 0, 0)
    if player.declared == BEGINNERS:
        return _beginner(0)
    return _provisional(HALF_OF[player.declared], 0, ())


def opening_state(opening: GoOpening) -> GoState:
    """PN 1(3), 5(1): a player as the pool's opening state has them."""
    if opening.rank == BEGINNERS:
        return _beginner(opening.rated_games)._replace(wins_in_bc=opening.wins_in_bc or 0)
    return _certified(HALF_OF[opening.rank], opening.points or 0, opening.rated_games)


def _certified(half: int, points: int, rated_games: int) -> GoState:
    return GoState(CERTIFIED, RANK_NAMES[half], half, points, rated_games, 0)


def _provisional(half: int, rated_games: int, record: tuple[tuple[int, int], ...]) -> GoState:
    return GoState(PROVISIONAL, RANK_NAMES[half] + "?", half, None, rated_games, 0, record)


def _beginner(rated_games: int) -> GoState:
    return GoState(BEGINNER, BEGINNERS, None, None, rated_games, 0)


def value(half: int) -> int:
    """PN 1(3): the rank's value in 24ths: nd is n ranks, nk is 1 - n, `+` half a rank more."""
    return HALF_RANK * half - RANK * (LOWEST_KYU - 1)


# 2) Handicaps


def regular_terms(halves: int) -> tuple[int, int]:
    """PN 2(1), 2(2): stones and komi (in half points, given by Black) for so many half ranks."""
    if halves == 0:
        return 0, EVEN_KOMI
    stones, komi = (halves + 1) // 2, HALF_RANK_KOMI if halves % 2 else WHOLE_RANK_KOMI
    if stones > MOST_STONES:
        stones, komi = MOST_STONES, WHOLE_RANK_KOMI
    return (0 if stones == 1 else stones), komi


# 3) Points


def worth(stones: int, komi: int) -> int:
    """PN 3(2), 3(4): what the terms are worth to Black, in 24ths of a rank."""
    return RANK * (max(stones, 1) - 1) + EVEN_KOMI - komi


def difference_counted(game: GoGame, black: GoState, white: GoState) -> int | None:
    """PN 3(2): White's rank less Black's and the terms, in 24ths; None unless both have one.

    The ranks are those when the game ends. Below zero Black counts as the upper side (PN 3(5)).
    [reading: ranks-at-the-end]
    """
    if black.half is None or white.half is None:
        return None
    return value(white.half) - value(black.half) - worth(game.handicap, game.komi)


def lower_wins(difference: int) -> int:
    """PN 3(1), 3(4): 12ths of a point that a win of the lower side moves.

    Between two columns of the table in proportion; `difference` in 24ths, at most 3 ranks.
    """
    column, rest = divmod(difference, HALF_RANK)
    here = LOWER_WINS[column]
    there = LOWER_WINS[column + 1] if rest else here
    return here * HALF_RANK + (there - here) * rest


def table_points(difference: int, *, upper_won: bool) -> int:
    """PN 3(1): 12ths of a point that the game moves before the multiplier."""
    lower = lower_wins(difference)
    return BOTH_WINS * HALF_RANK - lower if upper_won else lower


def points_moved(difference: int, *, upper_won: bool, game_number: int) -> int:
    """PN 3(1), 3(6): points of a rated game, for the side whose rated game it is by number.

    Rounded once, after the multiplier. [reading: multiplier-counts-this-game] [reading: one-rounding]
    """
    return _times(difference, upper_won, multiplier(game_number))


@cache
def _times(difference: int, upper_won: bool, tenths: int) -> int:
    """Points of the table times the multiplier, rounded; a few hundred cases in all."""
    return rounded(table_points(difference, upper_won=upper_won) * tenths, 10 * HALF_RANK)


def multiplier(game_number: int) -> int:
    """PN 3(6): tenths by which points are multiplied."""
    for last, tenths in MULTIPLIERS:
        if game_number <= last:
            return tenths
    return LATER_MULTIPLIER


def prospects(state: GoState) -> GoProspects:
    """PN 3(6), 5(2), 6(2): the next game's multiplier, games to certification, wins to 17k."""
    is_certified, number = state.kind == CERTIFIED, state.rated_games + 1
    return GoProspects(
        number if is_certified else None,
        multiplier(number) if is_certified else None,
        CERTIFYING_GAMES - len(state.record) if state.kind == PROVISIONAL else None,
        BC_WINS - state.wins_in_bc if state.kind == BEGINNER else None,
    )


# 4) Border zone


def default_zone(width: int = ZONE_WIDTH, slack: int = ZONE_SLACK, start: int = ZONE_START) -> Zone:
    """PN 4(2): this project's own table, for the server's is not in the document."""
    halves = range(HALF_RANKS)
    up = tuple((i + 1) * width if i + 1 < HALF_RANKS else None for i in halves)
    down = tuple(i * width - slack for i in halves)
    return Zone(up, down, tuple(i * width + start for i in halves), "")


def move_rank(state: GoState, points: int, zone: Zone) -> GoState:
    """PN 4(1), 5(3): a certified player with new points, moved until the rank stands."""
    half = state.half or 0
    while True:
        promotion = zone.up[half]
        if promotion is not None and points >= promotion:
            half += 1
        elif points > zone.down[half]:
            return GoState(
                CERTIFIED, RANK_NAMES[half], half, points, state.rated_games, 0, (), state.last_two
            )
        elif half == 0:
            return _beginner(state.rated_games)
        else:
            half -= 1


# 5) Beginners' class


def add_win_in_bc(state: GoState, zone: Zone) -> GoState:
    """PN 5(2): one more win; the fifth leads to 17k, certified for who was so before."""
    if state.wins_in_bc + 1 < BC_WINS:
        return state._replace(wins_in_bc=state.wins_in_bc + 1)
    if state.rated_games >= CERTIFYING_GAMES:
        return _certified(0, zone.start[0], state.rated_games)
    return _provisional(0, state.rated_games, state.record)


# 6) Certification


def declared_state(state: GoState, declaration: Declaration) -> GoState | None:
    """PN 6(3): a provisional player's own declaration; None where it is ignored."""
    if state.kind != PROVISIONAL:
        return None
    half = HALF_OF[declaration.rank]
    return state._replace(half=half, rank=RANK_NAMES[half] + "?")


@cache
def expectation(lead: int) -> int:
    """PN 6(1): expected score, in 2400ths, so many 24ths above even strength.

    Half the lower side's points; .04 a rank beyond the table, at most .98.
    [reading: certification-formula]
    """
    size = abs(lead)
    unit = BOTH_WINS * HALF_RANK // 100
    if size <= WIDEST:
        expected = lower_wins(size)
    else:
        beyond = BEYOND_TABLE_A_RANK * unit * (size - WIDEST) // RANK
        expected = min(lower_wins(WIDEST) + beyond, MOST_EXPECTED * unit)
    return expected if lead >= 0 else BOTH_WINS * HALF_RANK - expected


def certified_rank(record: tuple[tuple[int, int], ...], present: int, step: int) -> int:
    """PN 6(1), 6(2): the half rank whose expected total is nearest the score.

    `step` 2 looks at whole ranks, 1 at halves; of two equally near, the nearer to the present
    one, then the lower. [reading: certification-formula]
    """
    evens = [even for even, _ in record]
    score = sum(points for _, points in record) * BOTH_WINS * HALF_RANK // 2
    lowest, highest = min(evens) - WIDEST, max(evens) + WIDEST

    def distance(half: int) -> tuple[int, int, int]:
        rank = value(half)
        total = sum(expectation(rank - even) for even in evens)
        return abs(total - score), abs(half - present), half

    reach = (half for half in range(0, HALF_RANKS, step) if lowest <= value(half) <= highest)
    return min(reach, key=distance)


def review_rank(state: GoState, zone: Zone) -> GoState:
    """PN 0(2), 6(2): after 5, 10 and 15 rated games a new provisional rank, after 20 certified."""
    games, present = len(state.record), state.half or 0
    if games == CERTIFYING_GAMES:
        half = certified_rank(state.record, present, 1)
        return _certified(half, zone.start[half], games)
    if games % REVIEW_EVERY == 0:
        half = certified_rank(state.record, present, 2)
        return state._replace(half=half, rank=RANK_NAMES[half] + "?")
    return state
