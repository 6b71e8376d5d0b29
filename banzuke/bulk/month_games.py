"""The loops over games of a month in columns, compiled: who enters, what each side moves, what is on file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from banzuke.bulk.columns import (
    AGAINST_UNRATED,
    FEE,
    FIRST,
    FORFEIT,
    LATE,
    MEMBER,
    MISSING,
    RATED,
    RULING,
    SPEED,
)
from banzuke.bulk.days import year_of
from banzuke.bulk.tables import expected, limited, rounded

if TYPE_CHECKING:
    from banzuke.bulk.columns import Flags, Games, Int8s, Int32s, Int64s, Lines, Register, Waiting
    from banzuke.bulk.month import Decided, Events, OnFile

#: In the place of a verdict: the game enters.
ENTERS = -1
#: Years of play are told apart up to this one.
YEARS = 10_000
#: What is at hand of a player, side by side in memory: looked up twice a game.
DESK = 4
OWN, K, TOTAL, COUNTED = range(DESK)


@njit(cache=True)
def members_throughout(register: Register, first: int, last: int) -> Flags:
    """Who has one annual membership from the first day to the last."""
    found = np.zeros(len(register.born), np.bool_)
    for player in range(len(found)):
        for span in range(register.span_first[player], register.span_first[player + 1]):
            is_whole = register.span_from[span] <= first and last <= register.span_to[span]
            found[player] |= is_whole and register.span_event[span] < 0
    return found


@njit(cache=True)
def decide_games(
    events: Events,
    games: Games,
    register: Register,
    always: Flags,
    events_have_members: bool,
    scores: Int32s,
    decided: Decided,
) -> None:
    """Why each game does not enter, into `decided`, with who plays in one that does, and when."""
    at = last = 0
    for event in range(len(events.first)):
        speed = events.speed[event]
        for game in range(events.first[event], events.last[event]):
            day = games.played[game] or events.starts[event]
            white, black = games.white[game], games.black[game]
            why = ENTERS
            if events.excluded[event] or games.excluded[game]:
                why = RULING
            elif speed < 0:
                why = SPEED
            elif day < events.oldest[event]:
                why = LATE
            elif events.unpaid[event]:
                why = FEE
            elif not (
                (always[white] or _is_member(register, white, events.number[event], day, events_have_members))
                and (
                    always[black]
                    or _is_member(register, black, events.number[event], day, events_have_members)
                )
            ):
                why = MEMBER
            elif scores[games.result[game]] == MISSING:
                why = FORFEIT
            else:
                decided.tallied[speed, white] = decided.tallied[speed, black] = True
                if day != last:
                    decided.years[year_of(day)], last = True, day
            decided.why[at] = why
            at += 1


@njit(cache=True)
def _is_member(register: Register, player: int, event: int, day: int, events_have_members: bool) -> bool:
    """Whether one of the player's spans holds the day: an annual one, or one of this very event."""
    for span in range(register.span_first[player], register.span_first[player + 1]):
        of_event = register.span_event[span]
        if register.span_from[span] <= day <= register.span_to[span] and (
            of_event < 0 or (events_have_members and of_event == event)
        ):
            return True
    return False


@njit(cache=True)
def unrated_sides(value: Int32s, why: Int8s, games: Games, events: Events) -> int:
    """How many sides of games that enter are unrated."""
    rows = at = 0
    for event in range(len(events.first)):
        speed = events.speed[event]
        for game in range(events.first[event], events.last[event]):
            if why[at] == ENTERS:
                rows += value[speed, games.white[game]] == MISSING
                rows += value[speed, games.black[game]] == MISSING
            at += 1
    return rows


@njit(cache=True)
def add_up_games(
    events: Events,
    games: Games,
    why: Int8s,
    value: Int32s,
    desk: Int64s,
    places: Int32s,
    scores: tuple[Int32s, Int32s],
    pd: Int32s,
    rules: tuple[int, bool, bool],
    fresh: Waiting,
    lines: Lines,
) -> None:
    """Every side: what it moves into `desk`, unrated ones' games into `fresh`, lines where there is room."""
    row = at = year = last = 0
    for event in range(len(events.first)):
        speed, starts = events.speed[event], events.starts[event]
        for game in range(events.first[event], events.last[event]):
            day = games.played[game] or starts
            is_in = why[at] == ENTERS
            if is_in and day != last:
                year, last = places[year_of(day)], day
            for side in range(2):
                mine, theirs = games.white[game], games.black[game]
                if side:
                    mine, theirs = theirs, mine
                score = scores[side][games.result[game]]
                if is_in:
                    line = _side(desk[year, speed], pd, rules, mine, theirs, score)
                    if line[0] == MISSING:
                        fresh.speed[row], fresh.player[row] = speed, mine
                        fresh.event[row], fresh.round[row] = events.number[event], games.round[game]
                        fresh.played[row], fresh.opponent[row] = day, theirs
                        fresh.opponent_rating[row], fresh.score[row] = line[1], score
                        row += 1
                else:
                    line = _left_out(value, speed, mine, theirs, why[at])
                if len(lines.event):
                    _note(lines, 2 * at + side, event, games.round[game], mine, theirs, score, line)
            at += 1


#: Of a line: own rating, opponent's, difference, expectation, K, change, and the verdict.
_Figures = tuple[int, int, int, int, int, int, int]


@njit(cache=True)
def _left_out(value: Int32s, speed: int, mine: int, theirs: int, why: int) -> _Figures:
    """A side of a game that does not enter; it shows the ratings all the same."""
    own = value[speed, mine] if speed >= 0 else MISSING
    other = value[speed, theirs] if speed >= 0 else MISSING
    return own, other, MISSING, MISSING, MISSING, MISSING, why


@njit(cache=True)
def _side(
    desk: Int64s, pd: Int32s, rules: tuple[int, bool, bool], mine: int, theirs: int, score: int
) -> _Figures:
    """A side of a game that enters; what it moves is added to its player's sum."""
    limit, rates_against_unrated, unrated_pair_waits = rules
    own, other = desk[mine, OWN], desk[theirs, OWN]
    if own == MISSING:
        desk[mine, COUNTED] += other != MISSING
        verdict = FIRST if other != MISSING or unrated_pair_waits else AGAINST_UNRATED
        return own, other, MISSING, MISSING, MISSING, MISSING, verdict
    if other == MISSING and not rates_against_unrated:
        return own, other, MISSING, MISSING, MISSING, MISSING, AGAINST_UNRATED
    difference = limit if other == MISSING else limited(own - other, limit)
    percent, k = expected(pd, difference), desk[mine, K]
    change = (50 * score - percent) * k
    desk[mine, TOTAL] += change
    desk[mine, COUNTED] += 1
    return own, other, difference, percent, k, change, RATED


@njit(cache=True)
def _note(
    lines: Lines, at: int, event: int, round_: int, mine: int, theirs: int, score: int, line: _Figures
) -> None:
    """One line; its clause is that of its verdict."""
    own, other, difference, percent, k, change, verdict = line
    lines.event[at], lines.round[at], lines.player[at], lines.opponent[at] = event, round_, mine, theirs
    lines.score[at], lines.own[at], lines.opponent_rating[at] = score, own, other
    lines.difference[at], lines.expected[at], lines.k[at], lines.change[at] = difference, percent, k, change
    lines.verdict[at] = lines.clause[at] = verdict


@njit(cache=True)
def add_up_on_file(rows: Waiting, oldest: int, on_file: OnFile) -> None:
    """The games on file of the day `oldest` and later, added up by speed and player."""
    for row in range(len(rows.player)):
        speed, player = rows.speed[row], rows.player[row]
        if rows.played[row] < oldest:
            continue
        if rows.opponent_rating[row] == MISSING:
            on_file.unrated[speed, player] += 1
            on_file.unrated_points[speed, player] += rows.score[row]
        else:
            on_file.rated[speed, player] += 1
            on_file.points[speed, player] += rows.score[row]
            on_file.opponents[speed, player] += rows.opponent_rating[row]


@njit(cache=True)
def new_ratings(floor: int, tallied: Flags, total: Int64s, value: Int32s, peak: Int32s) -> None:
    """NCS 5(2), JCF 5(2): the rounded sums added, none below the floor; the highest ever kept."""
    for speed in range(value.shape[0]):
        for player in range(value.shape[1]):
            if tallied[speed, player] and value[speed, player] != MISSING:
                new = max(floor, value[speed, player] + rounded(total[speed, player], 100))
                value[speed, player], peak[speed, player] = new, max(peak[speed, player], new)
