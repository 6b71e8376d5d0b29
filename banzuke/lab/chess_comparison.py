"""Variants of a chess pool's rules beside each other: sheets of their findings (`chess_histories`)."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import numpy as np
from scipy.stats import rankdata

from banzuke.columnar.batch_columns import VERDICTS
from banzuke.lab.chess_histories import COLUMNS, Legend
from banzuke.lab.intervals import FEWEST, each_alone, estimate, share_intervals
from banzuke.lab.parallel_runs import Findings
from banzuke.lab.sheets import Cell, Sheet, figure, sheet_of, with_ends
from banzuke.lab.true_expectation import NATURAL, Floats

Row = tuple[Cell, ...]
#: The findings of each variant, by its name.
Found = Mapping[str, Findings]

#: Ratings are counted by steps so wide.
STEP = 100

#: How far players move, with intervals, and how many are rated by one set of rules only.
DISTANCES = (
    "players", "moved", *with_ends("share", "mean", "mean_size"), "down_most", "up_most", "only_here",
    "only_there",
)  # fmt: skip
#: A mean with its interval, and the quartiles.
QUARTILES = (*with_ends("mean"), "q1", "median", "q3")
MOVED = ("variant", "speed", *DISTANCES)
MOVERS = (
    "variant", "speed", "player_id", "name", "rating_before", "rating", "difference", "error", "games_before",
    "games", "rank_before", "rank", "climbed",
)  # fmt: skip
SPREAD = ("variant", "speed", "players", "mean", "spread", "lowest", "q1", "median", "q3", "highest")
DISTRIBUTION = ("variant", "speed", "rating_from", "players", "share")
LIST_MEANS = ("variant", "speed", "list", "listed", *with_ends("mean"))
FIRST_RATINGS = ("variant", "speed", "year", "players", "earned", *QUARTILES)
FIRST_STEPS = ("variant", "speed", "rating_from", "players", "earned")
VERDICT_COUNTS = ("variant", "verdict", "lines", "share")


def comparison_sheets(legend: Legend, found: Found) -> list[Sheet]:
    """All sheets of a comparison."""
    tables = {
        "moved": (MOVED, _moved_rows(legend, found)),
        "movers": (MOVERS, _mover_rows(legend, found)),
        "spread": (SPREAD, _spread_rows(legend, found)),
        "distribution": (DISTRIBUTION, _distribution_rows(legend, found)),
        "inflation": (("variant", *COLUMNS["years"]), _year_rows(legend, found)),
        "list_means": (LIST_MEANS, _list_rows(legend, found)),
        "first_ratings": (FIRST_RATINGS, _first_rows(legend, found)),
        "first_distribution": (FIRST_STEPS, _first_step_rows(legend, found)),
        "verdicts": (VERDICT_COUNTS, verdict_rows(VERDICTS, found)),
    }
    return [sheet_of(name, f"compared-{name.replace('_', '-')}", *table) for name, table in tables.items()]


def columns_of(findings: Findings, name: str, columns: Mapping[str, Sequence[str]]) -> dict[str, Floats]:
    """The columns of some findings, by name."""
    return dict(zip(columns[name], findings[name].reshape(-1, len(columns[name])).T, strict=True))


def _by_speed(legend: Legend, found: Found, name: str) -> Iterator[tuple[str, str, dict[str, Floats]]]:
    """Each variant and each speed of which it has such findings, with their columns."""
    for variant, findings in found.items():
        own = columns_of(findings, name, COLUMNS)
        for place, speed in enumerate(legend.speeds):
            chosen = own["speed"] == place
            if chosen.any():
                yield variant, speed, {column: values[chosen] for column, values in own.items()}


def _standing(legend: Legend, findings: Findings, speed: int) -> Floats:
    """Rating, games, rank (shared by equals) and K at a speed, a column a player; NaN for who has none."""
    own = columns_of(findings, "final", COLUMNS)
    player, rating, games, k = (
        own[name][own["speed"] == speed] for name in ("player", "rating", "games", "k")
    )
    standing = np.full((4, len(legend.player_ids)), np.nan)
    standing[:, player.astype(np.int64)] = rating, games, rankdata(-rating, "min"), k
    return standing


def _pairs(legend: Legend, found: Found) -> Iterator[tuple[str, str, Floats, Floats]]:
    """Each variant but the first, a speed, and everybody's standing by the first and by it."""
    (_, first), *others = found.items()
    for name, findings in others:
        for place, speed in enumerate(legend.speeds):
            base, own = (_standing(legend, each, place) for each in (first, findings))
            if not np.isnan([base[0], own[0]]).all():
                yield name, speed, base, own


def _moved_rows(legend: Legend, found: Found) -> Iterator[Row]:
    """How many end elsewhere than with the first variant, how far, and who is rated by one of them only."""
    for name, speed, base, own in _pairs(legend, found):
        yield name, speed, *distance_cells(base[0], own[0], int)


def distance_cells(base: Floats, own: Floats, kind: type[int | float]) -> Row:
    """The cells of DISTANCES, from everybody's figure by two variants; NaN where there is none."""
    had, has = ~np.isnan(base), ~np.isnan(own)
    difference = (own - base)[had & has]
    share = share_intervals((difference != 0).astype(np.float64), each_alone(len(difference)))
    means = (estimate(values, FEWEST) for values in (difference, np.abs(difference)))
    furthest = kind(difference.min(initial=0)), kind(difference.max(initial=0))
    alone = int((has & ~had).sum()), int((had & ~has).sum())
    moved = int(np.count_nonzero(difference))
    return len(difference), moved, *share.cells()[:3], *chain(*means), *furthest, *alone


def _mover_rows(legend: Legend, found: Found) -> Iterator[Row]:
    """Every player whose rating or games differ from those with the first variant, the furthest first."""
    for name, speed, base, own in _pairs(legend, found):
        is_other = ~((own[:2] == base[:2]) | (np.isnan(own[:2]) & np.isnan(base[:2]))).all(0)
        players = np.flatnonzero(is_other)
        order = np.lexsort((players, -np.abs(np.nan_to_num((own[0] - base[0])[players]))))
        for player in players[order].tolist():
            (r0, g0, at0, _), (r1, g1, at1, k) = base[:, player], own[:, player]
            figures = (r0, r1, r1 - r0, g0, g1, at0, at1, at0 - at1)
            whole = [None if np.isnan(value) else int(value) for value in figures]
            error = figure(math.sqrt(k / (2 * NATURAL)))
            yield name, speed, legend.player_ids[player], legend.names[player], *whole[:3], error, *whole[3:]


def _spread_rows(legend: Legend, found: Found) -> Iterator[Row]:
    """The final ratings of each variant: mean, standard deviation, quartiles."""
    for name, speed, own in _by_speed(legend, found, "final"):
        rating = own["rating"]
        quartiles = np.percentile(rating, (0, 25, 50, 75, 100)).tolist()
        yield name, speed, len(rating), float(rating.mean()), float(rating.std()), *quartiles


def _distribution_rows(legend: Legend, found: Found) -> Iterator[Row]:
    """How many end in each hundred."""
    for name, speed, own in _by_speed(legend, found, "final"):
        for step, count in zip(*np.unique(own["rating"] // STEP * STEP, return_counts=True), strict=True):
            yield name, speed, int(step), int(count), float(count / len(own["rating"]))


def _year_rows(legend: Legend, found: Found) -> Iterator[Row]:
    """Year by year: the mean of all listed, and the mean change of those who stayed and played (`drift`)."""
    for name, speed, own in _by_speed(legend, found, "years"):
        del own["speed"]
        yield from ((name, speed, *cells) for cells in year_cells(own))


def year_cells(own: Mapping[str, Floats]) -> Iterator[Row]:
    """Rows of a table by year: figures where the column's name says so, else whole numbers."""
    for row in zip(*own.values(), strict=True):
        cells = zip(own, row, strict=True)
        yield tuple(figure(cell) if of.startswith(("mean", "drift")) else int(cell) for of, cell in cells)


def quartile_cells(values: Floats) -> Row:
    """The cells of QUARTILES."""
    return *estimate(values, FEWEST), *np.percentile(values, (25, 50, 75)).tolist()


def _list_rows(legend: Legend, found: Found) -> Iterator[Row]:
    """List by list: how many are listed, and their mean."""
    for name, speed, own in _by_speed(legend, found, "lists"):
        for _, at, listed, *mean in zip(*own.values(), strict=True):
            yield name, speed, str(found[name]["names"][int(at)]), int(listed), *map(figure, mean)


def _first_rows(legend: Legend, found: Found) -> Iterator[Row]:
    """Year by year: how many got a first rating, how many of these by games, and at what rating."""
    for name, speed, own in _by_speed(legend, found, "firsts"):
        for year in np.unique(own["year"]):
            rating, earned = (own[column][own["year"] == year] for column in ("rating", "earned"))
            yield name, speed, int(year), len(rating), int(earned.sum()), *quartile_cells(rating)


def _first_step_rows(legend: Legend, found: Found) -> Iterator[Row]:
    """How many first ratings were in each hundred, and how many of these by games."""
    for name, speed, own in _by_speed(legend, found, "firsts"):
        steps, place = np.unique(own["rating"] // STEP * STEP, return_inverse=True)
        for row in zip(steps, np.bincount(place), np.bincount(place, own["earned"]), strict=True):
            yield name, speed, *map(int, row)


def verdict_rows(verdicts: Sequence[str], found: Found) -> Iterator[Row]:
    """How many sides of games each variant rates, and why it does not rate the others."""
    for name, findings in found.items():
        counts: dict[str, int] = {}
        for code, lines in findings["verdicts"].astype(int).tolist():
            counts[verdicts[code]] = counts.get(verdicts[code], 0) + lines
        for verdict, lines in counts.items():
            yield name, verdict, lines, lines / sum(counts.values())
