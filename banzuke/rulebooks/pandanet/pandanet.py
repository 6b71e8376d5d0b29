"""Pandanet: what a game on a Go server does, for each side by itself (sections 1, 7 of its page).

A batch is one game, in order of its end. Ranks, terms, points and how ranks move are in
`ranks`. `PN 1(5)` and the like are the register's numbers for the page's paragraphs;
`[reading: ...]` names a decision where it is silent.
"""

from dataclasses import dataclass

from banzuke.core.calendar import EachGame
from banzuke.core.clause_register import PURPOSE, SERVER, ClauseRegister
from banzuke.core.go_endings import Ending, FirstMinute
from banzuke.core.go_facts import (
    BEGINNER,
    BLACK,
    CERTIFIED,
    DRAW,
    PROFESSIONAL,
    PROVISIONAL,
    VOID,
    WHITE,
    GoGame,
    GoLine,
    GoState,
    GoTerms,
    Zone,
    rank_name,
)
from banzuke.rulebooks.pandanet.ranks import (
    PARAMETERS,
    WIDEST,
    add_win_in_bc,
    certified_rank,
    declared_state,
    difference_counted,
    expectation,
    lower_wins,
    move_rank,
    multiplier,
    newcomer_state,
    opening_state,
    points_moved,
    regular_terms,
    review_rank,
    table_points,
    value,
    worth,
)

BOARD_SIZE, LEAST_MOVES = PARAMETERS.whole("board_size"), PARAMETERS.whole("least_moves")
UNRATED_ROOMS = ("free", "practice", "monthly")

FLAT = PARAMETERS.whole("flat")
BONUS_BELOW = PARAMETERS.whole("bonus_below")

# Verdicts; `not:` stands before the code of why not.
RATED, BONUS, FAULT, NOT = "rated", "bonus", "fault", "not:"
# Clauses by which points or ranks move, or a game goes on record.
POINTS_MOVE, WIN_IN_BC, ON_RECORD = "PN 3(1)", "PN 5(2)", "PN 6(1)"
NO_GREETING, NO_MOVE, BEAT_UNCERTIFIED = "PN 7(2)a", "PN 7(2)b", "PN 7(2)c"
CLAUSES = {
    "board": "PN 1(5)a",
    "moves": "PN 1(5)b",
    "professional": "PN 1(5)c",
    "beginner": "PN 1(5)d",
    "difference": "PN 1(5)e",
    "room": "PN 1(5)f",
    "pair": "PN 1(5)g",
    "robot": "PN 7(1)a",
    "provisional": "PN 1(5)",
    "result": "PN 2(3)",
}


_WON = (BLACK, WHITE)
#: What a server's reasons go with. Who resigns, runs out of time or is disconnected before anybody has moved
#: has made no first move (PN 7(2)b); after that, such a game is rated as any other.
ENDINGS = {
    "score": Ending((*_WON, DRAW)),
    "resignation": Ending(_WON, FirstMinute.UNMOVED),
    "time": Ending(_WON, FirstMinute.UNMOVED),
    "disconnection": Ending((*_WON, VOID), FirstMinute.UNMOVED),
    "decision": Ending((*_WON, DRAW, VOID)),
    "no-greeting": Ending(_WON, FirstMinute.ALWAYS),
    "no-first-move": Ending(_WON, FirstMinute.NO_MOVE),
    "adjourned": Ending((VOID,)),
    "cancelled": Ending((VOID,)),
}

#: Every game is rated as it ends; a ranking is published a month.
CALENDAR = EachGame()


@dataclass(frozen=True, slots=True)
class Settings:
    """An operator rules by the border-zone table; nothing else can be set."""


# 1) Rated games


def exclusion(game: GoGame, black: GoState, white: GoState) -> str:
    """PN 1(5), 7(1): the first reason why the game is rated for neither side; blank if none."""
    if game.board != BOARD_SIZE:
        return "board"
    if game.moves < LEAST_MOVES and not game.fault:
        return "moves"
    if game.room in UNRATED_ROOMS:
        return "room"
    if game.pair:
        return "pair"
    if game.robot:
        return "robot"
    if PROFESSIONAL in (black.kind, white.kind):
        return "professional"
    return "result" if game.result in (DRAW, VOID) else ""


def reason_unrated(side: GoState, opponent: GoState, difference: int | None) -> str:
    """PN 1(5): why a game that is not excluded is not rated for this side; blank if it is.

    [reading: exactly-three]
    """
    if BEGINNER in (side.kind, opponent.kind):
        return "beginner"
    if opponent.kind == PROVISIONAL:
        return "provisional"
    return "difference" if difference is None or difference > WIDEST else ""


# 7) Games that are rated in another way


def has_bonus(side: GoState, opponent: GoState, difference: int | None) -> bool:
    """PN 7(2)c, 7(2)d, 7(2)e: whether a certified side's win over an uncertified one gains 50.

    [reading: last-two-games]
    """
    if side.kind != CERTIFIED or side.half is None or side.last_two == (False, False):
        return False
    if opponent.kind == BEGINNER:
        return side.half < BONUS_BELOW
    return difference is not None and difference <= WIDEST


# A game


def rate(game: GoGame, black: GoState, white: GoState, zone: Zone) -> tuple[GoLine, GoLine]:
    """A finished game, from both sides: Black's line and White's, each with the state after it."""
    d = difference_counted(game, black, white)
    why = exclusion(game, black, white)
    return (
        _side(game, game.black, game.white, black, white, None if d is None else -d, BLACK, why, zone),
        _side(game, game.white, game.black, white, black, d, WHITE, why, zone),
    )


def _side(
    game: GoGame,
    player: str,
    opponent: str,
    side: GoState,
    other: GoState,
    lead: int | None,
    colour: str,
    why: str,
    zone: Zone,
) -> GoLine:
    """One side's line; `lead` is d as this side sees it, above zero where it is the upper side."""
    won = None if game.result in (DRAW, VOID) else game.result == colour
    verdict, clause, points, after = _judge(game, side, other, lead, won is True, why, zone)
    after = GoState(*after[:-1], (*side.last_two[-1:], verdict == RATED))
    size, upper = (None if lead is None else abs(lead)), (lead > 0 if lead else None)
    return GoLine(player, opponent, side, other, size, upper, won, points, verdict, clause, after)


def _judge(
    game: GoGame, side: GoState, other: GoState, lead: int | None, won: bool, why: str, zone: Zone
) -> tuple[str, str, int | None, GoState]:
    """What the game is for this side: verdict, clause, points moved, and the state after it."""
    if why:
        return NOT + why, CLAUSES[why], None, side
    size = None if lead is None else abs(lead)
    if game.fault:
        return fault_points(game, side, size, won, zone)
    why = reason_unrated(side, other, size)
    if not why and lead is not None:
        return _rate_for_side(side, lead, won, zone)
    if won and side.kind == BEGINNER:
        return NOT + why, WIN_IN_BC, None, add_win_in_bc(side, zone)
    if won and has_bonus(side, other, size):
        return BONUS, BEAT_UNCERTIFIED, FLAT, move_rank(side, (side.points or 0) + FLAT, zone)
    return NOT + why, CLAUSES[why], None, side


def fault_points(
    game: GoGame, side: GoState, size: int | None, won: bool, zone: Zone
) -> tuple[str, str, int | None, GoState]:
    """PN 7(2)a, 7(2)b: 50 for a fault in the first minute, where the side is certified.

    [reading: faults-and-exclusions]
    """
    if size is not None and size > WIDEST:
        return NOT + "difference", CLAUSES["difference"], None, side
    clause = NO_GREETING if game.moves else NO_MOVE
    if side.kind != CERTIFIED:
        return FAULT, clause, None, side
    points = FLAT if won else -FLAT
    return FAULT, clause, points, move_rank(side, (side.points or 0) + points, zone)


def _rate_for_side(side: GoState, lead: int, won: bool, zone: Zone) -> tuple[str, str, int | None, GoState]:
    """PN 0(2): a rated game: points for a certified side, a game on record for a provisional one."""
    number = side.rated_games + 1
    if side.kind == CERTIFIED:
        size = points_moved(abs(lead), upper_won=won == (lead > 0), game_number=number)
        points = size if won else -size
        state = GoState(CERTIFIED, side.rank, side.half, side.points, number, 0, (), side.last_two)
        return RATED, POINTS_MOVE, points, move_rank(state, (side.points or 0) + points, zone)
    game = (value(side.half or 0) - lead, 2 * won)
    state = side._replace(rated_games=number, record=(*side.record, game))
    return RATED, ON_RECORD, None, review_rank(state, zone)


# Terms of a game to come


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def terms(white: int, black: int, stones: int | None, komi: int | None, game_number: int) -> GoTerms:
    """PN 2(2), 3(1), 3(2): terms of two half ranks, regular ones (the stronger takes White) and given ones.

    What is not given is regular, or even where Black is the stronger.
    """
    regular = regular_terms(abs(white - black))
    usual = regular if white >= black else regular_terms(0)
    given = (usual[0] if stones is None else stones, usual[1] if komi is None else komi)
    d = value(white) - value(black) - worth(*given)
    sides = {
        upper: (
            points_moved(abs(d), upper_won=upper, game_number=game_number),
            -points_moved(abs(d), upper_won=not upper, game_number=game_number),
        )
        for upper in (True, False)
        if abs(d) <= WIDEST
    }
    return GoTerms(regular, _sign(white - black), given, abs(d), _sign(d), sides.get(d > 0), sides.get(d < 0))


REGISTER: ClauseRegister = {
    "PN 0(1)": PURPOSE,
    "PN 0(2)": (rate, review_rank),
    "PN 1(1)": (newcomer_state,),
    "PN 1(2)": (newcomer_state, review_rank),
    "PN 1(3)": (value, opening_state),
    "PN 1(4)": (rank_name,),
    "PN 1(5)": (exclusion, reason_unrated),
    "PN 1(5)a": (exclusion,),
    "PN 1(5)b": (exclusion,),
    "PN 1(5)c": (exclusion,),
    "PN 1(5)d": (reason_unrated,),
    "PN 1(5)e": (reason_unrated,),
    "PN 1(5)f": (exclusion,),
    "PN 1(5)g": (exclusion,),
    "PN 2(1)": (regular_terms,),
    "PN 2(2)": (regular_terms, terms),
    "PN 2(3)": (rate, exclusion),
    "PN 2(4)": (points_moved,),
    "PN 3(1)": (lower_wins, table_points, points_moved),
    "PN 3(2)": (worth, difference_counted),
    "PN 3(3)": (difference_counted,),
    "PN 3(4)": (worth, lower_wins),
    "PN 3(5)": (difference_counted,),
    "PN 3(6)": (multiplier, points_moved),
    "PN 4(1)": (move_rank,),
    "PN 4(2)": SERVER,
    "PN 5(1)": (newcomer_state, opening_state),
    "PN 5(2)": (add_win_in_bc,),
    "PN 5(3)": (move_rank,),
    "PN 6(1)": (expectation, certified_rank),
    "PN 6(2)": (review_rank, certified_rank),
    "PN 6(3)": (declared_state,),
    "PN 7(1)": (exclusion,),
    "PN 7(1)a": (exclusion,),
    "PN 7(1)b": (reason_unrated,),
    "PN 7(1)c": (exclusion,),
    "PN 7(1)d": (exclusion,),
    "PN 7(1)e": (exclusion,),
    "PN 7(1)f": (exclusion,),
    "PN 7(1)g": (exclusion,),
    "PN 7(2)": (rate,),
    "PN 7(2)a": (fault_points,),
    "PN 7(2)b": (fault_points,),
    "PN 7(2)c": (has_bonus,),
    "PN 7(2)d": (has_bonus,),
    "PN 7(2)e": (has_bonus,),
}
