"""The fast twin of `rulebooks.fide.fide_2024`: a list over columns, in the order of that module.

What is asked once an event or once a list is the readable book's own function.
"""

from datetime import MINYEAR, date
from typing import NamedTuple

import numpy as np
from numba import njit

from banzuke.columnar.batch_columns import (
    BLACK_SCORES,
    FIRST,
    MISSING,
    RATED,
    VERDICTS,
    WHITE_SCORES,
    Batch,
    Flags,
    Games,
    Int32s,
    Int64s,
    Lines,
    Rated,
    State,
    Waiting,
    lines_for,
)
from banzuke.columnar.kernels import limited, rounded, write_line
from banzuke.columnar.twin import ChessTwin, Rules, figures_by_name
from banzuke.core.facts import EXCLUDE, SPEEDS, Event
from banzuke.core.month import months_later
from banzuke.core.rulebook import ChessBook
from banzuke.rulebooks.fide.columnar.event_sides_twin import (
    EventColumns,
    Sides,
    Tallies,
    in_force,
    put_on_file,
    verdict_of,
)
from banzuke.rulebooks.fide.columnar.table_arrays import DP, PD, expected, expected_share, percentage

#: No rating is so high.
BEYOND_ANY_RATING = 2**31 - 1


class Figures(NamedTuple):
    """The numbers of the book, each by the name of its constant there."""

    first_games: int
    first_months: int
    floor: int
    drawn_with: int
    drawn_games: int
    highest_first: int
    real_difference_from: int
    limit: int
    k_normal: int
    k_new: int
    k_junior: int
    k_reached: int
    new_games: int
    junior_age: int
    junior_rating: int
    reached_rating: int
    k_times_games: int


class GamesOnFile(NamedTuple):
    """The games on file that count for a first rating, by speed and player; `points` are half points."""

    games: Int64s
    points: Int64s
    opponents: Int64s


def rate(rules: Rules, state: State, batch: Batch, *, with_lines: bool = True) -> Rated:
    """A month's events rated by FIDE's rules; the standings given are left as they were."""
    figures: Figures = rules.figures
    speeds = tuple(map(rules.book.for_twin["speed_of"], batch.events))
    events = _events_of(batch, speeds, rules)
    tallies = _empty_tallies(state.value.shape)
    sides = _sides_of(batch, events, tallies, figures)
    lines = lines_for(batch.last - batch.first) if with_lines else None
    _add_up(figures, PD, events, batch.games, sides, tallies, lines)
    rows = put_on_file(state.waiting, batch, events, sides, tallies)
    after = _close_list(state, batch, tallies, rows, figures)
    return Rated(batch, state, after, speeds, _clauses(rules.book), lines)


def _clauses(of: ChessBook) -> tuple[str, ...]:
    """The clauses of all verdicts by their codes, at standard, then at rapid, then at blitz."""
    clause_at_speed = of.for_twin["clause_at_speed"]
    return tuple(
        clause_at_speed(of.verdicts.get(verdict, ""), speed) for speed in SPEEDS for verdict in VERDICTS
    )


def _events_of(batch: Batch, speeds: tuple[str, ...], rules: Rules) -> EventColumns:
    events, figures = batch.events, rules.figures
    real = [_counts_real(event, speed, rules) for event, speed in zip(events, speeds, strict=True)]
    return EventColumns(
        number=batch.event_ids,
        speed=np.array([SPEEDS.index(speed) for speed in speeds], np.int8),
        excluded=np.array([event.ruling == EXCLUDE for event in events], np.bool_),
        starts=np.array([event.starts.toordinal() for event in events], np.int32),
        junior_since=np.array([_junior_since(event, figures) for event in events], np.int32),
        real_from=np.where(np.array(real, np.bool_), figures.real_difference_from, BEYOND_ANY_RATING).astype(
            np.int32
        ),
        first=batch.first,
        last=batch.last,
        at=2 * np.concatenate((np.zeros(1, np.int64), np.cumsum(batch.last - batch.first)))[:-1],
    )


def _counts_real(event: Event, speed: str, rules: Rules) -> bool:
    """FIDE 8.3.1: whether high ratings have their real differences in the event; asked of the book."""
    own = rules.book.parameters.whole("real_difference_from")
    difference = rules.book.parameters.whole("limit") + 1
    counted = rules.book.for_twin["difference_counted"](
        own, own - difference, speed, event.starts, rules.settings
    )
    return bool(counted == difference)


def _junior_since(event: Event, figures: Figures) -> int:
    """FIDE 8.3.3: the first birthday of those who are juniors in the year in which the event began."""
    return date(max(MINYEAR, event.starts.year - figures.junior_age), 1, 1).toordinal()


def _empty_tallies(shape: tuple[int, ...]) -> Tallies:
    counts = [np.zeros(shape, np.int32) for _ in range(4)]
    return Tallies(counts[0], np.zeros(shape, np.int64), *counts[1:])


def _sides_of(batch: Batch, events: EventColumns, tallies: Tallies, figures: Figures) -> Sides:
    """FIDE 7.1: every event seen through the list in force on its first day."""
    count = 2 * int((batch.last - batch.first).sum())
    sides = Sides(np.empty(count, np.int32), np.empty(count, np.int8), np.full(count, MISSING, np.int32))
    places: dict[int, list[int]] = {}
    for place, state in enumerate(batch.in_force):
        places.setdefault(id(state), []).append(place)
    for seen in places.values():
        state, born = batch.in_force[seen[0]], batch.register.born
        _fill_sides(figures, np.array(seen, np.int64), events, batch.games, born, state, sides, tallies)
    return sides


@njit(cache=True)
def _coefficient(figures: Figures, state: State, speed: int, player: int, is_young: bool) -> int:
    """FIDE 8.3.3, in the order: reached 2400, junior, new, normal."""
    peak = state.peak[speed, player]
    if state.value[speed, player] == MISSING:
        peak = max(peak, state.value[0, player])
    if peak >= figures.reached_rating:
        return figures.k_reached
    if is_young and peak < figures.junior_rating:
        return figures.k_junior
    return figures.k_new if state.games[speed, player] < figures.new_games else figures.k_normal


@njit(cache=True)
def _fill_sides(
    figures: Figures,
    places: Int64s,
    events: EventColumns,
    games: Games,
    born: Int32s,
    state: State,
    sides: Sides,
    tallies: Tallies,
) -> None:
    """Both sides of every game of those events; who has how many games of each kind."""
    for place in places:
        speed, at = events.speed[place], events.at[place]
        for row in range(events.first[place], events.last[place]):
            excluded = events.excluded[place] or games.excluded[row]
            score = WHITE_SCORES[games.result[row]]
            white, black = games.white[row], games.black[row]
            ratings = (in_force(state.value, speed, white), in_force(state.value, speed, black))
            for side in range(2):
                player = black if side else white
                verdict = verdict_of(excluded, score, ratings[side], ratings[1 - side])
                if verdict == RATED:
                    is_young = born[player] >= events.junior_since[place]
                    sides.k[at] = _coefficient(figures, state, speed, player, is_young)
                    tallies.rated[speed, player] += 1
                elif verdict == FIRST:
                    tallies.fresh[speed, player] += 1
                sides.own[at], sides.verdict[at] = ratings[side], verdict
                at += 1


@njit(cache=True)
def _change(score: int, percent: int, k: int) -> int:
    """FIDE 8.3.2: hundredths of a point, from half points, the expectation and K."""
    return (50 * score - percent) * k


@njit(cache=True)
def _add_up(
    figures: Figures,
    pd: Int32s,
    events: EventColumns,
    games: Games,
    sides: Sides,
    tallies: Tallies,
    lines: Lines | None,
) -> None:
    """FIDE 8.3.1, 8.3.2: the change of every rated side, and its line if lines are asked for."""
    for place in range(len(events.first)):
        speed, at = events.speed[place], events.at[place]
        for row in range(events.first[place], events.last[place]):
            for side in range(2):
                player, opponent = games.white[row], games.black[row]
                score = int(WHITE_SCORES[games.result[row]])
                if side:
                    player, opponent = opponent, player
                    score = int(BLACK_SCORES[games.result[row]])
                own, other, k = int(sides.own[at]), int(sides.own[at ^ 1]), int(sides.k[at])
                difference = percent = change = MISSING
                if sides.verdict[at] == RATED:
                    rated = tallies.rated[speed, player]
                    if k * rated > figures.k_times_games:
                        k = figures.k_times_games // rated
                    difference = own - other
                    if own < events.real_from[place]:
                        difference = limited(difference, figures.limit)
                    percent = expected(pd, difference)
                    change = _change(score, percent, k)
                    tallies.total[speed, player] += change
                    tallies.held[speed, player] = max(tallies.held[speed, player], own)
                if lines is not None:
                    verdict = int(sides.verdict[at])
                    clause = speed * len(VERDICTS) + verdict
                    who, line = (player, opponent, own, other), (difference, percent, k, change)
                    write_line(lines, at, games.round[row], who, score, line, verdict, clause)
                at += 1


def _close_list(state: State, batch: Batch, tallies: Tallies, rows: Waiting, figures: Figures) -> State:
    """FIDE 8.3.4: the sums, added to the latest ratings; first ratings; who leaves the list."""
    shape = state.value.shape
    since = months_later(batch.published, -figures.first_months).toordinal()
    on_file = GamesOnFile(*(np.zeros(shape, np.int64) for _ in GamesOnFile._fields))
    _count_on_file(rows, since, on_file)
    plain = (state.value.copy(), state.games.copy(), state.peak.copy(), state.earned.copy())
    after, waits = State(*plain, rows), np.ones(shape, np.bool_)
    _close_players(figures, DP, state, tallies, on_file, after, waits)
    going_on = waits[rows.speed, rows.player]
    return after._replace(waiting=Waiting._make(column[going_on] for column in rows))


@njit(cache=True)
def _count_on_file(rows: Waiting, since: int, on_file: GamesOnFile) -> None:
    """FIDE 7.1.4: the games on file that were played after the day `since`."""
    for row in range(len(rows.player)):
        if rows.played[row] > since and rows.opponent_rating[row] != MISSING:
            speed, player = rows.speed[row], rows.player[row]
            on_file.games[speed, player] += 1
            on_file.points[speed, player] += rows.score[row]
            on_file.opponents[speed, player] += rows.opponent_rating[row]


@njit(cache=True)
def _first_rating(figures: Figures, dp: Int32s, games: int, points: int, opponents: int) -> int:
    """FIDE 8.2.2, 8.2.3: the first rating that the games on file give; MISSING if none."""
    if games < figures.first_games:
        return MISSING
    count = games + figures.drawn_games
    total = opponents + figures.drawn_with * figures.drawn_games
    added = dp[percentage(points + figures.drawn_games, count)]
    rating = rounded(total + added * count, count)
    return MISSING if rating < figures.floor else min(figures.highest_first, rating)


@njit(cache=True)
def _close_players(
    figures: Figures,
    dp: Int32s,
    before: State,
    tallies: Tallies,
    on_file: GamesOnFile,
    after: State,
    waits: Flags,
) -> None:
    """The new standings of those who played; whose games `waits` says false leave the file."""
    for speed in range(before.value.shape[0]):
        for player in range(before.value.shape[1]):
            at = speed, player
            rated, fresh, held = tallies.rated[at], tallies.fresh[at], tallies.held[at]
            was, latest = before.value[at], in_force(before.value, speed, player)
            if rated == 0 and fresh == 0:
                continue
            if latest != MISSING and (rated or was != MISSING):
                value = latest + rounded(tallies.total[at], 100)
                held = max(before.peak[at], held)
                is_listed = value >= figures.floor
                after.value[at] = value if is_listed else MISSING
                after.peak[at] = max(held, value) if is_listed else held
                after.games[at] += rated + fresh
                waits[at] = False
            else:
                first = MISSING
                if tallies.kept[at]:
                    counted = on_file.games[at], on_file.points[at], on_file.opponents[at]
                    first = _first_rating(figures, dp, *counted)
                after.value[at], after.earned[at] = first, first != MISSING
                after.peak[at] = max(before.peak[at], first, held or MISSING)
                after.games[at] += tallies.kept[at] + rated
                waits[at] = first == MISSING


TWIN = ChessTwin(
    rate=rate,
    figures=figures_by_name(Figures),
    expected=lambda figures, gap: expected_share(gap, figures.limit),
    statuses=("rated",),
    status=lambda _book, rows: np.zeros(len(rows.player), np.int32),
    unrated_on_file=False,
    table=expected_share,
    visitors="opening",
    earns_first=False,
)
