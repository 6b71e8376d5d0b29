"""The history of a chess ledger rated by a variant of its rules, and its findings, by which variants compare.

Findings are small: numbers by name, a row for each rating at the end, each first rating, each list and each
year. Speeds, lists and players are numbers there: their places in the ledger's columns, or in `names`.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from banzuke.columnar.batch_columns import MISSING, VERDICTS, Flags, Int32s, Lines, Rated, State
from banzuke.columnar.twin import installed_twin
from banzuke.core.facts import Adjustment
from banzuke.core.rulebook import ChessBook
from banzuke.engine.columnar.chess_reader import ChessColumns
from banzuke.engine.columnar.columnar_history import RatedColumns
from banzuke.engine.columnar.crossed_lists import (
    Part,
    closing_day,
    crossed_lists,
    crossed_parts,
    lists_opened,
)
from banzuke.engine.columnar.readable_lists import any_history
from banzuke.engine.history import list_names
from banzuke.engine.parallel_runs import Findings
from banzuke.lab.intervals import FEWEST, clusters_of, estimate, mean_intervals, student_quantile
from banzuke.lab.overrides import with_adjustment
from banzuke.lab.sheets import header_of
from banzuke.lab.true_expectation import Floats, Ints
from banzuke.lab.variants import Variant, is_crossed, pool_of
from banzuke.ledger.pool_rules import Pool, chess_book

FindingRow = tuple[float | None, ...]

#: Changes in lines are hundredths of a point.
HUNDREDTHS = 100
#: The columns of the findings, by name.
COLUMNS = {
    "final": ("speed", "player", "rating", "games", "k"),
    "firsts": ("speed", "list", "year", "player", "rating", "earned"),
    "lists": header_of("list_means")[1:],
    "years": header_of("inflation")[1:],
    "verdicts": ("verdict", "lines"),
}


def rated_lists(columns: ChessColumns, variant: Variant, until: str | None = None) -> Iterator[RatedColumns]:
    """The lists of a ledger as a variant rates them, one after another.

    Where a variant's lists have other names, those are taken that open until the list `until` closes. Raises
    UnknownListError for an `until` that is none of the ledger's lists.
    """
    parts = list(parts_of_ledger(columns, variant, until))
    crossed = is_crossed(columns.pool, variant)
    return crossed_lists(columns, parts) if crossed else any_history(*parts[0][:2])


def parts_of_ledger(columns: ChessColumns, variant: Variant, until: str | None) -> Iterator[Part]:
    """The ledger as a variant rates it: whole, or each speed by itself. Raises as `rated_lists` does."""
    pool, names = pool_of(columns.pool, variant), list_names(columns, until)
    day, own = closing_day(columns, until), [edition.book.calendar for edition in columns.pool.editions]
    if is_crossed(columns.pool, variant):
        parts = [(part, lists_opened(part, day), speeds) for part, speeds in crossed_parts(columns, pool)]
    else:
        changed = columns._replace(pool=pool)
        if all(edition.book.calendar in own for edition in pool.editions):
            names = list_names(changed, until)
        else:
            names = lists_opened(changed, day)
            changed = changed._replace(adjustments=list(_moved(columns, pool, names)))
        parts = [(changed, names, {speed: speed for speed in pool.speeds})]
    for part, names, speeds in parts:
        yield with_adjustment(part, names, variant.adjustment), names, speeds


def _moved(columns: ChessColumns, pool: Pool, names: Sequence[str]) -> Iterator[Adjustment]:
    """The pool's adjustments, each of the first of those lists that is published with its own, or later."""
    for each in columns.adjustments:
        day = columns.pool.schedule.window_named(each.list).published
        later = (name for name in names if pool.schedule.window_named(name).published >= day)
        yield each._replace(list=next(later, ""))


class Moves(NamedTuple):
    """Games: their speed and event, and White's and Black's numbers, K and changes."""

    speed: Any
    event: Any
    players: Any
    k: Any
    change: Any


def findings(lists: Iterable[RatedColumns], speeds: Sequence[str]) -> Findings:
    """The findings of lists: arrays of the columns in COLUMNS; `names` are the names of the lists.

    `speeds` are the pool's. A first rating is earned by games, or taken over.
    """
    rows: dict[str, list[FindingRow]] = {name: [] for name in COLUMNS}
    years: dict[int, tuple[State, State, list[Moves]]] = {}
    verdicts, names = np.zeros(len(VERDICTS), np.int64), list[str]()
    for place, (edition, rated, *_) in enumerate(lists):
        before, after, year = rated.before, rated.after, rated.batch.published.year
        names.append(rated.batch.name)
        opened, _, moves = years.get(year, (before, after, []))
        years[year] = opened, after, moves
        twin = installed_twin(chess_book(edition))
        earned = after.earned | (twin is None or twin.earns_first)
        for speed, player in np.argwhere((after.value != MISSING) & (before.value == MISSING)).tolist():
            first = after.value[speed, player], earned[speed, player]
            rows["firsts"].append((speed, place, year, player, *first))
        for speed, value in enumerate(after.value):
            if len(listed := value[value != MISSING]):
                mean = estimate(listed.astype(np.float64), FEWEST)
                rows["lists"].append((speed, place, len(listed), *mean))
        if rated.lines is not None:
            verdicts += np.bincount(rated.lines.verdict, minlength=len(VERDICTS))
            moves.append(_moves(rated, rated.lines, speeds))
    if names:
        rows["final"] = list(_final_rows(after, chain(*(each[2] for each in years.values()))))
    rows["years"] = [row for year, each in years.items() for row in _year_rows(year, *each)]
    rows["verdicts"] = [row for row in enumerate(verdicts.tolist()) if row[1]]
    found = {name: np.array(rows[name], np.float64).reshape(-1, len(COLUMNS[name])) for name in COLUMNS}
    return {**found, "names": np.array(names, np.str_)}


def takes_over(book: ChessBook) -> str:
    """How the book takes players who are rated elsewhere, as `ChessTwin.visitors` has it."""
    if (twin := installed_twin(book)) is not None:
        return twin.visitors
    return "register" if book.starts_from_fide else "unrated"


def _moves(rated: Rated, lines: Lines, speeds: Sequence[str]) -> Moves:
    speed = np.array([speeds.index(name) if name in speeds else -1 for name in rated.speeds], np.int64)
    event = lines.event[::2]
    change = np.where(lines.change == MISSING, 0, lines.change) / HUNDREDTHS
    sides = (column.reshape(-1, 2).T for column in (lines.player, lines.k, change))
    return Moves(speed[event], rated.batch.event_ids[event], *sides)


def _final_rows(state: State, moves: Iterable[Moves]) -> Iterator[FindingRow]:
    """Every rating, by speed, then by player, and the last K by which it changed."""
    k = np.full(state.value.shape, np.nan)
    for own in moves:
        side, game = np.nonzero((own.k != MISSING) & (own.speed >= 0))
        k[own.speed[game], own.players[side, game]] = own.k[side, game]
    for at in np.argwhere(state.value != MISSING).tolist():
        yield *at, state.value[*at], state.games[*at], k[*at]


def _year_rows(year: int, before: State, after: State, moves: Sequence[Moves]) -> Iterator[FindingRow]:
    """A year at each speed: those listed before and after it; of those at both ends, those who played."""
    joined = (np.concatenate(columns, axis=-1) for columns in zip(*moves, strict=True))
    speeds, events, players, _, change = joined if moves else Moves(*np.zeros((5, 2, 0), np.int64))
    for speed, (old, new) in enumerate(zip(before.value, after.value, strict=True)):
        was, is_now = old != MISSING, new != MISSING
        played = was & is_now & (after.games[speed] > before.games[speed])
        if is_now.any():
            ends = *count_mean(old, was), *count_mean(new, is_now)
            own = np.flatnonzero(speeds == speed)
            drift = drift_cells(new - old, played, events[own], players[:, own], change[:, own])
            yield speed, year, *ends, *drift, *count_mean(new, is_now & ~was)


def drift_cells(
    changes: Int32s | Floats, played: Flags, events: Any, sides: Any, moves: Any
) -> tuple[int, float, float, float, float]:
    """How many players played, their mean change with its interval, and what that rests on.

    `sides` and `moves` are the two players of each game, and by how much it moved them: what one who played
    wins from another cancels. What no game moved (a floor, rounding) is each player's own. A floor may lift
    three players far and nobody else: then the doubt itself is little known, and rests on as many clusters as
    Satterthwaite's degrees of freedom (1946) say, those of what no game moved by its kurtosis.
    """
    count, mean = count_mean(changes, played)
    who = np.flatnonzero(played)
    rest = (changes - np.bincount(sides.ravel(), moves.ravel(), len(played)))[who]
    moved = np.append((moves * played[sides]).sum(0), rest)
    own = np.arange(len(who))
    clusters = clusters_of(
        np.append(events, own + events.max(initial=0) + 1),
        np.append(sides[0], who),
        np.append(sides[1], own + len(played)),
    )
    found = mean_intervals(moved * (len(moved) / max(1, count)), clusters)
    error, worth = float(found.error[0, 0]), float(found.clusters[0, 0])
    worth = min(worth, _worth_of_sum(error**2, worth, rest))
    reach = float(student_quantile(np.array(worth))) * error
    return count, mean, mean - reach, mean + reach, worth


def _worth_of_sum(variance: float, clusters: float, rest: Floats | Ints) -> float:
    """How many clusters a variance is worth: a part is that of the mean of `rest`, the others are so many.

    A variance of n values has the freedom 2 / (its own variance over its square), which is 2 n / (kurtosis -
    1): n - 1 or so of normal values, twice as many as there are of a few equal ones among many zeros.
    """
    squares = (rest - rest.mean()) ** 2 if len(rest) else rest
    own = float(squares.sum())
    doubt = float((squares**2).sum()) - own**2 / max(1, len(rest))
    if not variance or doubt <= 0:
        return clusters
    of_rest = own / len(rest) ** 2
    unsure = max(0.0, variance - of_rest) ** 2 / max(1.0, clusters - 1) + of_rest**2 * doubt / (2 * own**2)
    return 1 + variance**2 / unsure


def count_mean(values: Int32s | Floats, chosen: Flags) -> tuple[int, float]:
    """How many are chosen, and their mean; not a number where there are none."""
    mean = float(values[chosen].mean(dtype=np.float64)) if chosen.any() else np.nan
    return int(np.count_nonzero(chosen)), mean
