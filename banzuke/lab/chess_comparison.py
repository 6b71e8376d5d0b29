"""Variants of a chess pool's rules beside each other: sheets of their findings (`chess_histories`)."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain

import numpy as np
from scipy.stats import rankdata

from banzuke.columnar.batch_columns import VERDICTS
from banzuke.engine.columnar.chess_reader import ChessColumns
from banzuke.engine.parallel_runs import Findings
from banzuke.lab.chess_histories import COLUMNS
from banzuke.lab.intervals import FEWEST, each_alone, estimate, share_intervals
from banzuke.lab.sheets import Cell, Sheet, figure, named_sheet
from banzuke.lab.true_expectation import NATURAL, Floats

Row = tuple[Cell, ...]
#: The findings of each variant, by its name.
Found = Mapping[str, Findings]
#: The columns of some findings (at one speed), by name.
OfSpeed = dict[str, Floats]

#: Ratings are counted by steps so wide.
STEP = 100


def comparison_sheets(columns: ChessColumns, found: Found) -> list[Sheet]:
    """All sheets of a comparison, from a ledger and what is found of each variant."""
    pairs, of_speeds = list(_pairs(columns, found)), partial(_rows_of_speeds, columns.pool.speeds, found)
    moved = ((*named, *distance_cells(base[0], own[0], int)) for *named, base, own in pairs)
    tables: Mapping[str, Iterable[Row]] = {
        "moved": moved,
        "movers": _mover_rows(columns, pairs),
        "spread": of_speeds("final", _spread),
        "distribution": of_speeds("final", _distribution),
        "inflation": of_speeds("years", year_cells),
        "list_means": _list_rows(found, of_speeds("lists", year_cells)),
        "first_ratings": of_speeds("firsts", _firsts),
        "first_distribution": of_speeds("firsts", _first_steps),
        "verdicts": verdict_rows(VERDICTS, found),
    }
    return [named_sheet(*table) for table in tables.items()]


def columns_of(findings: Findings, name: str, columns: Mapping[str, Sequence[str]]) -> OfSpeed:
    """The columns of some findings, by name."""
    return dict(zip(columns[name], findings[name].reshape(-1, len(columns[name])).T, strict=True))


def _rows_of_speeds(
    speeds: Sequence[str], found: Found, name: str, cells: Callable[[OfSpeed], Iterable[Row]]
) -> Iterator[Row]:
    """The cells that are made of such findings of each variant at each speed, with their names."""
    for variant, findings in found.items():
        own = columns_of(findings, name, COLUMNS)
        for place, speed in enumerate(speeds):
            chosen = own["speed"] == place
            if chosen.any():
                of_speed = {column: values[chosen] for column, values in own.items()}
                yield from ((variant, speed, *row) for row in cells(of_speed))


def _standing(count: int, findings: Findings, speed: int) -> Floats:
    """Rating, games, rank (shared by equals) and K at a speed, a column a player; NaN for who has none."""
    own = columns_of(findings, "final", COLUMNS)
    own = {name: values[own["speed"] == speed] for name, values in own.items()}
    standing = np.full((4, count), np.nan)
    rank = rankdata(-own["rating"], "min")
    standing[:, own["player"].astype(int)] = own["rating"], own["games"], rank, own["k"]
    return standing


def _pairs(columns: ChessColumns, found: Found) -> Iterator[tuple[str, str, Floats, Floats]]:
    """Each variant but the first, a speed, and everybody's standing by the first and by it."""
    (_, first), *others = found.items()
    for name, findings in others:
        for place, speed in enumerate(columns.pool.speeds):
            base, own = (_standing(len(columns.player_ids), each, place) for each in (first, findings))
            if not np.isnan([base[0], own[0]]).all():
                yield name, speed, base, own


def distance_cells(base: Floats, own: Floats, kind: type[int | float]) -> Row:
    """How far players move, and how many have a figure by one variant only; NaN where there is none."""
    had, has = ~np.isnan(base), ~np.isnan(own)
    difference = (own - base)[had & has]
    share = share_intervals((difference != 0).astype(np.float64), each_alone(len(difference)))
    means = (estimate(values, FEWEST) for values in (difference, np.abs(difference)))
    furthest = kind(difference.min(initial=0)), kind(difference.max(initial=0))
    alone = int((has & ~had).sum()), int((had & ~has).sum())
    moved = int(np.count_nonzero(difference))
    return len(difference), moved, *share.cells()[:3], *chain(*means), *furthest, *alone


def _mover_rows(columns: ChessColumns, pairs: Iterable[tuple[str, str, Floats, Floats]]) -> Iterator[Row]:
    """Every player whose rating or games differ from those with the first variant, the furthest first."""
    names = {player.player_id: player.name for player in columns.players}
    for variant, speed, base, own in pairs:
        is_other = ~((own[:2] == base[:2]) | (np.isnan(own[:2]) & np.isnan(base[:2]))).all(0)
        players = np.flatnonzero(is_other)
        order = np.lexsort((players, -np.abs(np.nan_to_num((own[0] - base[0])[players]))))
        for player in players[order].tolist():
            (r0, g0, at0, _), (r1, g1, at1, k) = base[:, player], own[:, player]
            figures = (r0, r1, r1 - r0, g0, g1, at0, at1, at0 - at1)
            whole = [None if np.isnan(value) else int(value) for value in figures]
            error, player_id = figure(math.sqrt(k / (2 * NATURAL))), columns.player_ids[player]
            yield variant, speed, player_id, names.get(player_id, ""), *whole[:3], error, *whole[3:]


def _spread(own: OfSpeed) -> Iterator[Row]:
    """The final ratings: mean, standard deviation, quartiles."""
    rating = own["rating"]
    quartiles = np.percentile(rating, (0, 25, 50, 75, 100)).tolist()
    yield len(rating), float(rating.mean()), float(rating.std()), *quartiles


def _distribution(own: OfSpeed) -> Iterator[Row]:
    """How many end in each hundred."""
    for step, count in zip(*np.unique(own["rating"] // STEP * STEP, return_counts=True), strict=True):
        yield int(step), int(count), float(count / len(own["rating"]))


def year_cells(own: OfSpeed) -> Iterator[Row]:
    """Rows by year or list, of one speed: figures where the column's name says so, else whole numbers."""
    names = [name for name in own if name != "speed"]
    for row in zip(*(own[name] for name in names), strict=True):
        cells = zip(names, row, strict=True)
        yield tuple(figure(cell) if of.startswith(("mean", "drift")) else int(cell) for of, cell in cells)


def _list_rows(found: Found, rows: Iterable[Row]) -> Iterator[Row]:
    """List by list, now by their names: how many are listed, and their mean."""
    for variant, speed, place, *cells in rows:
        yield variant, speed, str(found[str(variant)]["names"][int(place or 0)]), *cells


def quartile_cells(values: Floats) -> Row:
    """A mean with its interval, and the quartiles."""
    return *estimate(values, FEWEST), *np.percentile(values, (25, 50, 75)).tolist()


def _firsts(own: OfSpeed) -> Iterator[Row]:
    """Year by year: how many got a first rating, how many of these by games, and at what rating."""
    for year in np.unique(own["year"]):
        rating, earned = (own[column][own["year"] == year] for column in ("rating", "earned"))
        yield int(year), len(rating), int(earned.sum()), *quartile_cells(rating)


def _first_steps(own: OfSpeed) -> Iterator[Row]:
    """How many first ratings were in each hundred, and how many of these by games."""
    steps, place = np.unique(own["rating"] // STEP * STEP, return_inverse=True)
    for row in zip(steps, np.bincount(place), np.bincount(place, own["earned"]), strict=True):
        yield tuple(map(int, row))


def verdict_rows(verdicts: Sequence[str], found: Found) -> Iterator[Row]:
    """How many sides of games each variant rates, and why it does not rate the others."""
    for name, findings in found.items():
        counts: dict[str, int] = {}
        for code, lines in findings["verdicts"].astype(int).tolist():
            counts[verdicts[code]] = counts.get(verdicts[code], 0) + lines
        for verdict, lines in counts.items():
            yield name, verdict, lines, lines / sum(counts.values())
