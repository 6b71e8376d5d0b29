"""The fast twin of `pandanet` and `ranks`: games in columns, one after another.

Each compiled function bears the name of the readable one that it equals. None holds a number of the rule
book: they are handed the tables of `lookup_tables`.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from banzuke.columnar.batch_columns import MISSING
from banzuke.columnar.go_columns import (
    BLACK_WON,
    IN_BC,
    LINE,
    WHITE_WON,
    GoDeclarations,
    GoGame,
    GoGames,
    GoRated,
    GoStates,
    Rows,
)
from banzuke.columnar.twin import GoForecasts, GoTwin
from banzuke.core.go_facts import HALF_RANKS, ROOMS
from banzuke.rulebooks.pandanet import pandanet
from banzuke.rulebooks.pandanet.columnar.lookup_tables import tables_of
from banzuke.rulebooks.pandanet.ranks import HALF_RANK, RANK

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

#: The codes of the rooms whose games are not rated begin here.
FIRST_UNRATED_ROOM = min(map(ROOMS.index, pandanet.UNRATED_ROOMS))

#: Both of the last two games not rated.
BOTH_UNRATED = 0b11


def rate(
    states: GoStates,
    games: GoGames,
    declarations: GoDeclarations,
    zones: Rows,
    figures: Rows,
    *,
    with_lines: bool = True,
) -> GoRated:
    """Games, in order, and the declarations of that stretch of time; `states` becomes the states after them.

    A history may be rated in stretches. A declaration at the very time of a game's end comes before it; those
    after the last game are taken too.
    """
    lines = np.empty(2 * len(games.ended) if with_lines else 0, LINE)
    records = states.evens.view([("evens", np.int16, states.evens.shape[1])])[:, 0]
    ignored = _rate_history(games, declarations, zones, figures, states.players, records, lines)
    return GoRated(lines if with_lines else None, ignored)


@njit(cache=True)
def _rate_history(
    games: GoGames,
    declarations: GoDeclarations,
    zones: Rows,
    tables: Rows,
    players: Rows,
    records: Rows,
    lines: Rows,
) -> int:
    """As `engine.go_history.history`; gives the number of declarations that were ignored.

    Columns are taken out of their tuple once, for each time costs more than a game.
    """
    ended, black, white, result, handicap, komi, board, moves, room, pair, robot, fault = games
    at, who, half = declarations
    table, declared, ignored, edition = tables[0], 0, 0, 0
    for row in range(len(ended)):
        while declared < len(at) and at[declared] <= ended[row]:
            ignored += not _declare(players[who[declared]], half[declared])
            declared += 1
        while edition + 1 < len(zones) and zones[edition + 1].since <= ended[row]:
            edition += 1
        game = GoGame(
            result[row], handicap[row], komi[row], board[row], moves[row], room[row], pair[row], robot[row],
            fault[row],
        )  # fmt: skip
        one, other, zone = players[black[row]], players[white[row]], zones[edition]
        ranks = (one.rank, other.rank)
        lead = _difference_counted(game, ranks[0], ranks[1], table)
        why = _exclusion(game, ranks[0], ranks[1], table)
        behind = lead if lead == MISSING else -lead
        of_black = _side(game, one, records[black[row]], ranks[1], behind, BLACK_WON, why, zone, table)
        of_white = _side(game, other, records[white[row]], ranks[0], lead, WHITE_WON, why, zone, table)
        if len(lines):
            _write_line(lines[2 * row], game, ranks[0], behind, BLACK_WON, of_black, one.rank)
            _write_line(lines[2 * row + 1], game, ranks[1], lead, WHITE_WON, of_white, other.rank)
    for late in range(declared, len(at)):
        ignored += not _declare(players[who[late]], half[late])
    return ignored


# A game


@njit(cache=True)
def _side(
    game: GoGame, side: Any, record: Any, other: int, lead: int, win: int, why: int, zone: Any, table: Any
) -> tuple[int, int]:
    """What a game is for one side, and the points moved; the side becomes what it is after it.

    `other` is the opponent's rank before it, `lead` d as this side sees it, above zero where it is the upper
    side; `win` the result that is its win.
    """
    judgement, points = _judge(game, side, record, other, lead, game.result == win, why, zone, table)
    is_unrated = judgement not in (POINTS_MOVE, ON_RECORD)
    side.unrated = ((side.unrated << 1) | is_unrated) & BOTH_UNRATED
    return judgement, points


@njit(cache=True)
def _judge(
    game: GoGame, side: Any, record: Any, other: int, lead: int, won: bool, why: int, zone: Any, table: Any
) -> tuple[int, int]:
    """As `pandanet._judge`."""
    if why:
        return why, MISSING
    if game.fault:
        return _fault_points(game, side, lead, won, zone, table)
    why = _reason_unrated(side.rank, other, lead, table)
    if not why:
        return _rate_for_side(side, record, lead, won, zone, table)
    if won and side.rank == IN_BC:
        _add_win_in_bc(side, zone, table)
        return WIN_IN_BC, MISSING
    if won and _has_bonus(side, other, lead, table):
        _move_rank(side, side.points + table.flat, zone)
        return BONUS, table.flat
    return why, MISSING


@njit(cache=True)
def _write_line(
    line: Any, game: GoGame, rank: int, lead: int, win: int, judged: tuple[int, int], after: int
) -> None:
    """A side's line."""
    line.rank, line.rank_after = rank, after
    line.judgement, line.points = judged
    line.difference = lead if lead == MISSING else abs(lead)
    line.upper = MISSING if lead in (MISSING, 0) else lead > 0
    line.won = game.result == win if game.result in (BLACK_WON, WHITE_WON) else MISSING


# 1) Rated games


@njit(cache=True)
def _exclusion(game: GoGame, black: int, white: int, table: Any) -> int:
    """PN 1(5), 7(1)."""
    if game.board != table.board_size:
        return BOARD
    if game.moves < table.least_moves and not game.fault:
        return MOVES
    if game.room >= FIRST_UNRATED_ROOM:
        return ROOM
    if game.pair:
        return PAIR
    if game.robot:
        return ROBOT
    if black > IN_BC or white > IN_BC:
        return PROFESSIONAL
    return NONE if game.result in (BLACK_WON, WHITE_WON) else RESULT


@njit(cache=True)
def _reason_unrated(side: int, other: int, lead: int, table: Any) -> int:
    """PN 1(5)."""
    if IN_BC in (side, other):
        return BEGINNER
    if other >= HALF_RANKS:
        return PROVISIONAL
    return DIFFERENCE if _is_too_far(lead, table) else NONE


@njit(cache=True)
def _is_too_far(lead: int, table: Any) -> bool:
    return lead == MISSING or abs(lead) > table.widest


# 3) Points


@njit(cache=True)
def _difference_counted(game: GoGame, black: int, white: int, table: Any) -> int:
    """PN 3(2); MISSING unless both have a rank."""
    if black >= IN_BC or white >= IN_BC:
        return MISSING
    lead = table.value[white % HALF_RANKS] - table.value[black % HALF_RANKS]
    return int(lead - (table.worth[game.handicap] - game.komi))


@njit(cache=True)
def _points_moved(lead: int, won: bool, number: int, table: Any) -> int:
    """PN 3(1), 3(6): the points by which a certified side's game moves it."""
    step = 0
    while step < len(table.last_game) and number > table.last_game[step]:
        step += 1
    size = int(table.points[step, int(won == (lead > 0)), abs(lead)])
    return size if won else -size


@njit(cache=True)
def _rate_for_side(side: Any, record: Any, lead: int, won: bool, zone: Any, table: Any) -> tuple[int, int]:
    """PN 0(2): points for a certified side, a game on record for a provisional one."""
    side.rated_games += 1
    if side.rank < HALF_RANKS:
        points = _points_moved(lead, won, side.rated_games, table)
        _move_rank(side, side.points + points, zone)
        return POINTS_MOVE, points
    record.evens[side.on_record] = table.value[side.rank - HALF_RANKS] - lead
    side.on_record += 1
    side.score += 2 * won
    _review_rank(side, record, zone, table)
    return ON_RECORD, MISSING


# 4) Border zone


@njit(cache=True)
def _move_rank(side: Any, points: int, zone: Any) -> None:
    """PN 4(1), 5(3)."""
    half = side.rank
    while True:
        if points >= zone.up[half]:
            half += 1
        elif points > zone.down[half]:
            side.rank, side.points = half, points
            return
        elif half == 0:
            side.rank, side.points, side.wins_in_bc = IN_BC, 0, 0
            return
        else:
            half -= 1


@njit(cache=True)
def _certified(side: Any, half: int, zone: Any) -> None:
    side.rank, side.points = half, zone.start[half]
    side.wins_in_bc = side.on_record = side.score = 0


# 5) Beginners' class


@njit(cache=True)
def _add_win_in_bc(side: Any, zone: Any, table: Any) -> None:
    """PN 5(2)."""
    if side.wins_in_bc + 1 < table.bc_wins:
        side.wins_in_bc += 1
    elif side.rated_games >= table.certifying_games:
        _certified(side, 0, zone)
    else:
        side.rank, side.wins_in_bc = HALF_RANKS, 0


# 6) Certification


@njit(cache=True)
def _declare(side: Any, half: int) -> bool:
    """PN 6(3): whether the declaration was taken."""
    if not HALF_RANKS <= side.rank < IN_BC:
        return False
    side.rank = HALF_RANKS + half
    return True


@njit(cache=True)
def _review_rank(side: Any, record: Any, zone: Any, table: Any) -> None:
    """PN 0(2), 6(2)."""
    games = side.on_record
    if games == table.certifying_games:
        half = _certified_rank(side, record, 1, table)
        _certified(side, half, zone)
        side.rated_games = games
    elif games % table.review_every == 0:
        side.rank = HALF_RANKS + _certified_rank(side, record, 2, table)


@njit(cache=True)
def _certified_rank(side: Any, record: Any, step: int, table: Any) -> int:
    """PN 6(1), 6(2); of two equally near the first that is as near to the present one is the lower."""
    present = int(side.rank) - HALF_RANKS
    lowest = highest = record.evens[0]
    for game in range(1, side.on_record):
        lowest, highest = min(lowest, record.evens[game]), max(highest, record.evens[game])
    nearest, least, least_away = present, MISSING, 0
    for half in range(0, HALF_RANKS, step):
        if lowest - table.widest <= table.value[half] <= highest + table.widest:
            total = 0
            for game in range(side.on_record):
                total += table.expected[table.middle + table.value[half] - record.evens[game]]
            distance, away = abs(total - side.score * table.half_point), abs(half - present)
            if least == MISSING or distance < least or (distance == least and away < least_away):
                nearest, least, least_away = half, distance, away
    return nearest


# 7) Games that are rated in another way


@njit(cache=True)
def _has_bonus(side: Any, other: int, lead: int, table: Any) -> bool:
    """PN 7(2)c, 7(2)d, 7(2)e."""
    if side.rank >= HALF_RANKS or side.unrated == BOTH_UNRATED:
        return False
    if other == IN_BC:
        return bool(side.rank < table.bonus_below)
    return not _is_too_far(lead, table)


@njit(cache=True)
def _fault_points(game: GoGame, side: Any, lead: int, won: bool, zone: Any, table: Any) -> tuple[int, int]:
    """PN 7(2)a, 7(2)b."""
    if lead != MISSING and _is_too_far(lead, table):
        return DIFFERENCE, MISSING
    clause = NO_GREETING if game.moves else NO_MOVE
    if side.rank >= HALF_RANKS:
        return clause, MISSING
    points = table.flat if won else -table.flat
    _move_rank(side, side.points + points, zone)
    return clause, points


# What the laboratory asks


def _expected(figures: Rows, lead: NDArray[Any]) -> NDArray[Any]:
    """PN 3(1), 6(1): the share at which points stand still, so many 24ths of a rank ahead."""
    (table,) = figures
    reach = int(table["middle"])
    shares = table["expected"] / (table["both_wins"] * HALF_RANK)
    found: NDArray[Any] = np.interp(lead, np.arange(-reach, reach + 1), shares)
    return found


def _worth(figures: Rows, stones: NDArray[Any], komi: NDArray[Any]) -> NDArray[Any]:
    """PN 3(2), 3(4): 24ths of a rank."""
    found: NDArray[Any] = figures["worth"][0][stones] - komi
    return found


TWIN = GoTwin(
    rate=rate,
    figures=tables_of,
    judgements=JUDGEMENTS,
    longest_record=lambda figures: int(figures["certifying_games"][0]),
    forecasts=GoForecasts(
        units=RANK,
        expected=_expected,
        worth=_worth,
        rated=(POINTS_MOVE, ON_RECORD),
        unplayed=(*range(BOARD, RESULT + 1), NO_GREETING, NO_MOVE),
        form=lambda figures: (int(figures["board_size"][0]), int(figures["least_moves"][0])),
    ),
)
