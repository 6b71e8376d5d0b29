"""The fast twin of `rulebooks.pandanet` and `pandanet_ranks`: games in columns, one after another.

Each kernel bears the name of the readable function that it equals. None holds a number of the rule book: they
are handed the tables of `pandanet_tables`. All kernels stand in this file, for a compiled one is kept as long
as its own file is not changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from numba import njit

from banzuke.bulk.columns import MISSING
from banzuke.bulk.go_columns import BLACK_WON, FIRST_UNRATED_ROOM, IN_BC, WHITE_WON, lines_for
from banzuke.bulk.pandanet_tables import FIGURES, tables_of
from banzuke.core.go import HALF_RANKS
from banzuke.rulebooks import pandanet

if TYPE_CHECKING:
    from banzuke.bulk.go_columns import GoDeclarations, GoGames, GoLines, GoStates, Zones
    from banzuke.bulk.pandanet_tables import Figures, Tables


#: Reasons why a game is not rated.
REASONS = (
    "board", "moves", "room", "pair", "robot", "professional", "result", "beginner", "provisional",
    "difference",
)  # fmt: skip

#: What a game is for a side, verdict and clause, by code; the first stands for none of them.
JUDGEMENTS = (
    ("", ""),
    *((pandanet.NOT + why, pandanet.CLAUSES[why]) for why in REASONS),
    (pandanet.NOT + "beginner", pandanet.WIN_IN_BC),
    (pandanet.RATED, pandanet.POINTS_MOVE),
    (pandanet.RATED, pandanet.ON_RECORD),
    (pandanet.BONUS, pandanet.BEAT_UNCERTIFIED),
    (pandanet.FAULT, pandanet.NO_GREETING),
    (pandanet.FAULT, pandanet.NO_MOVE),
)
(
    NONE, BOARD, MOVES, ROOM, PAIR, ROBOT, PROFESSIONAL, RESULT, BEGINNER, PROVISIONAL, DIFFERENCE,
    WIN_IN_BC, POINTS_MOVE, ON_RECORD, BONUS, NO_GREETING, NO_MOVE,
) = range(len(JUDGEMENTS))  # fmt: skip

#: Both of the last two games not rated.
BOTH_UNRATED = 0b11


class Rated(NamedTuple):
    """Every line (None if not asked for), and how many declarations were ignored."""

    lines: GoLines | None
    ignored: int


def rate(
    states: GoStates,
    games: GoGames,
    declarations: GoDeclarations,
    zones: Zones,
    figures: Figures = FIGURES,
    *,
    with_lines: bool = True,
) -> Rated:
    """Games, in order, and the declarations of that stretch of time; `states` becomes the states after them.

    A history may be rated in stretches. A declaration at the very time of a game's end comes before it; those
    after the last game are taken too.
    """
    lines = lines_for(len(games.ended) if with_lines else 0)
    ignored = _history(games, declarations, zones, tables_of(figures), states, lines, with_lines)
    return Rated(lines if with_lines else None, ignored)


@njit(cache=True)
def _history(
    games: GoGames,
    declarations: GoDeclarations,
    zones: Zones,
    tables: Tables,
    states: GoStates,
    lines: GoLines,
    with_lines: bool,
) -> int:
    """As `office.go_history.history`; gives the number of declarations that were ignored."""
    said = ignored = zone = 0
    for game in range(len(games.ended)):
        ended = games.ended[game]
        while said < len(declarations.at) and declarations.at[said] <= ended:
            ignored += not _declared(states.players[declarations.player[said]], declarations.half[said])
            said += 1
        while zone + 1 < len(zones.since) and zones.since[zone + 1] <= ended:
            zone += 1
        _rate(games, game, zone, zones, tables, states, lines, with_lines)
    while said < len(declarations.at):
        ignored += not _declared(states.players[declarations.player[said]], declarations.half[said])
        said += 1
    return ignored


# A game


@njit(cache=True)
def _rate(
    games: GoGames,
    game: int,
    zone: int,
    zones: Zones,
    tables: Tables,
    states: GoStates,
    lines: GoLines,
    with_lines: bool,
) -> None:
    """PN 0(2): both sides, each by its own and the other's rank as they were before the game."""
    black, white = games.black[game], games.white[game]
    ranks = (states.players[black].rank, states.players[white].rank)
    d = _difference_counted(games, game, ranks[0], ranks[1], tables)
    why = _excluded(games, game, ranks[0], ranks[1], tables)
    fault = NONE
    if games.fault[game]:
        fault = NO_GREETING if games.moves[game] else NO_MOVE
    result = games.result[game]
    for is_white in range(2):
        number = white if is_white else black
        side, evens = states.players[number], states.evens[number]
        lead = d if is_white or d == MISSING else -d
        won = result == (WHITE_WON if is_white else BLACK_WON)
        judgement, points = _judged(
            side, evens, ranks[1 - is_white], lead, won, why, fault, zone, zones, tables
        )
        is_unrated = judgement not in (POINTS_MOVE, ON_RECORD)
        side.unrated = ((side.unrated << 1) | is_unrated) & BOTH_UNRATED
        if with_lines:
            row = 2 * game + is_white
            lines.rank[row], lines.rank_after[row] = ranks[is_white], side.rank
            lines.judgement[row], lines.points[row] = judgement, points
            if lead != MISSING:
                lines.difference[row] = abs(lead)
                if lead:
                    lines.upper[row] = lead > 0
            if result in (BLACK_WON, WHITE_WON):
                lines.won[row] = won


@njit(cache=True)
def _judged(
    side: Any,
    evens: Any,
    other: int,
    lead: int,
    won: bool,
    why: int,
    fault: int,
    zone: int,
    zones: Zones,
    tables: Tables,
) -> tuple[int, int]:
    """What the game is for this side, and the points moved; the side becomes what it is after it.

    `other` is the opponent's rank, `lead` d as this side sees it, above zero where it is the upper side.
    """
    if why:
        return why, MISSING
    if fault:
        return _fault_points(side, lead, won, fault, zone, zones, tables)
    why = _not_rated(side.rank, other, lead, tables)
    if not why:
        return _rated(side, evens, lead, won, zone, zones, tables)
    if won and side.rank == IN_BC:
        _won_in_bc(side, zone, zones, tables)
        return WIN_IN_BC, MISSING
    if won and _has_bonus(side, other, lead, tables):
        _moved(side, side.points + tables.flat, zone, zones)
        return BONUS, tables.flat
    return why, MISSING


# 1) Rated games


@njit(cache=True)
def _excluded(games: GoGames, game: int, black: int, white: int, tables: Tables) -> int:
    """PN 1(5), 7(1)."""
    if games.board[game] != tables.board_size:
        return BOARD
    if games.moves[game] < tables.least_moves and not games.fault[game]:
        return MOVES
    if games.room[game] >= FIRST_UNRATED_ROOM:
        return ROOM
    if games.pair[game]:
        return PAIR
    if games.robot[game]:
        return ROBOT
    if black > IN_BC or white > IN_BC:
        return PROFESSIONAL
    return NONE if games.result[game] in (BLACK_WON, WHITE_WON) else RESULT


@njit(cache=True)
def _not_rated(side: int, other: int, lead: int, tables: Tables) -> int:
    """PN 1(5)."""
    if IN_BC in (side, other):
        return BEGINNER
    if other >= HALF_RANKS:
        return PROVISIONAL
    return DIFFERENCE if _is_too_far(lead, tables) else NONE


@njit(cache=True)
def _is_too_far(lead: int, tables: Tables) -> bool:
    return lead == MISSING or abs(lead) > tables.widest


# 3) Points


@njit(cache=True)
def _difference_counted(games: GoGames, game: int, black: int, white: int, tables: Tables) -> int:
    """PN 3(2); MISSING unless both have a rank."""
    if black >= IN_BC or white >= IN_BC:
        return MISSING
    lead = tables.value[white % HALF_RANKS] - tables.value[black % HALF_RANKS]
    return lead - (tables.worth[games.handicap[game]] - games.komi[game])


@njit(cache=True)
def _points_moved(lead: int, won: bool, number: int, tables: Tables) -> int:
    """PN 3(1), 3(6): the points by which a certified side's game moves it."""
    step = 0
    while step < len(tables.last_game) and number > tables.last_game[step]:
        step += 1
    size = tables.points[step, int(won == (lead > 0)), abs(lead)]
    return size if won else -size


@njit(cache=True)
def _rated(
    side: Any, evens: Any, lead: int, won: bool, zone: int, zones: Zones, tables: Tables
) -> tuple[int, int]:
    """PN 0(2): points for a certified side, a game on record for a provisional one."""
    side.rated_games += 1
    if side.rank < HALF_RANKS:
        points = _points_moved(lead, won, side.rated_games, tables)
        _moved(side, side.points + points, zone, zones)
        return POINTS_MOVE, points
    evens[side.on_record] = tables.value[side.rank - HALF_RANKS] - lead
    side.on_record += 1
    side.score += 2 * won
    _reviewed(side, evens, zone, zones, tables)
    return ON_RECORD, MISSING


# 4) Border zone


@njit(cache=True)
def _moved(side: Any, points: int, zone: int, zones: Zones) -> None:
    """PN 4(1), 5(3)."""
    half = side.rank
    while True:
        if points >= zones.up[zone, half]:
            half += 1
        elif points > zones.down[zone, half]:
            side.rank, side.points = half, points
            return
        elif half == 0:
            side.rank, side.points, side.wins_in_bc = IN_BC, 0, 0
            return
        else:
            half -= 1


@njit(cache=True)
def _certified(side: Any, half: int, zone: int, zones: Zones) -> None:
    side.rank, side.points = half, zones.start[zone, half]
    side.wins_in_bc = side.on_record = side.score = 0


# 5) Beginners' class


@njit(cache=True)
def _won_in_bc(side: Any, zone: int, zones: Zones, tables: Tables) -> None:
    """PN 5(2)."""
    if side.wins_in_bc + 1 < tables.bc_wins:
        side.wins_in_bc += 1
    elif side.rated_games >= tables.certifying_games:
        _certified(side, 0, zone, zones)
    else:
        side.rank, side.wins_in_bc = HALF_RANKS, 0


# 6) Certification


@njit(cache=True)
def _declared(side: Any, half: int) -> bool:
    """PN 6(3): whether the declaration was taken."""
    if not HALF_RANKS <= side.rank < IN_BC:
        return False
    side.rank = HALF_RANKS + half
    return True


@njit(cache=True)
def _reviewed(side: Any, evens: Any, zone: int, zones: Zones, tables: Tables) -> None:
    """PN 0(2), 6(2)."""
    games = side.on_record
    if games == tables.certifying_games:
        half = _certified_rank(side, evens, 1, tables)
        _certified(side, half, zone, zones)
        side.rated_games = games
    elif games % tables.review_every == 0:
        side.rank = HALF_RANKS + _certified_rank(side, evens, 2, tables)


@njit(cache=True)
def _certified_rank(side: Any, evens: Any, step: int, tables: Tables) -> int:
    """PN 6(1), 6(2); of two equally near the first that is as near to the present one is the lower."""
    present, record = side.rank - HALF_RANKS, evens[: side.on_record]
    lowest, highest = record.min() - tables.widest, record.max() + tables.widest
    nearest, least, least_away = present, MISSING, 0
    for half in range(0, HALF_RANKS, step):
        if lowest <= tables.value[half] <= highest:
            total = 0
            for even in record:
                total += tables.expected[tables.middle + tables.value[half] - even]
            distance, away = abs(total - side.score * tables.half_point), abs(half - present)
            if least == MISSING or distance < least or (distance == least and away < least_away):
                nearest, least, least_away = half, distance, away
    return nearest


# 7) Games that are rated in another way


@njit(cache=True)
def _has_bonus(side: Any, other: int, lead: int, tables: Tables) -> bool:
    """PN 7(2)c, 7(2)d, 7(2)e."""
    if side.rank >= HALF_RANKS or side.unrated == BOTH_UNRATED:
        return False
    if other == IN_BC:
        return bool(side.rank < tables.too_strong_for_bc)
    return not _is_too_far(lead, tables)


@njit(cache=True)
def _fault_points(
    side: Any, lead: int, won: bool, fault: int, zone: int, zones: Zones, tables: Tables
) -> tuple[int, int]:
    """PN 7(2)a, 7(2)b."""
    if lead != MISSING and _is_too_far(lead, tables):
        return DIFFERENCE, MISSING
    if side.rank >= HALF_RANKS:
        return fault, MISSING
    points = tables.flat if won else -tables.flat
    _moved(side, side.points + points, zone, zones)
    return fault, points
