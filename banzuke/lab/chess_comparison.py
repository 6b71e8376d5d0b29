"""Variants of a chess pool's rules beside each other: sheets of their findings (`chess_histories`)."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from banzuke.columnar.batch_columns import VERDICTS
from banzuke.lab.chess_histories import COLUMNS, Legend
from banzuke.lab.parallel_runs import Findings
from banzuke.lab.sheets import Cell, Sheet, figure, sheet_of
from banzuke.lab.true_expectation import Floats

Row = tuple[Cell, ...]
#: The findings of each variant, by its name.
Found = Mapping[str, Findings]

#: Ratings are counted by steps so wide.
STEP = 100

MOVED = (
    "variant", "speed", "players", "moved", "share", "mean", "mean_size", "median", "down_most", "up_most",
    "only_here", "only_there",
)  # fmt: skip
MOVERS = (
    "variant", "speed", "player_id", "name", "rating_before", "rating", "difference", "games_before", "games",
    "rank_before", "rank", "climbed",
)  # fmt: skip
SPREAD = ("variant", "speed", "players", "mean", "spread", "lowest", "q1", "median", "q3", "highest")
DISTRIBUTION = ("variant", "speed", "rating_from", "players", "share")
LIST_MEANS = ("variant", "speed", "list", "listed", "mean")
FIRST_RATINGS = ("variant", "speed", "year", "players", "earned", "mean", "q1", "median", "q3")
FIRST_STEPS = ("variant", "speed", "rating_from", "players", "earned")
VERDICT_COUNTS = ("variant", "verdict", "lines", "share")


def comparison_sheets(legend: Legend, found: Found) -> list[Sheet]:
    """All sheets of a comparison."""
    years = ("variant", *COLUMNS["years"])
    return [
        sheet_of("moved", "compared-moved", MOVED, _moved_rows(legend, found)),
        sheet_of("movers", "compared-movers", MOVERS, _mover_rows(legend, found)),
        sheet_of("spread", "compared-spread", SPREAD, _spread_rows(legend, found)),
        sheet_of("distribution", "compared-distribution", DISTRIBUTION, _distribution_rows(legend, found)),
        sheet_of("inflation", "compared-inflation", years, _year_rows(legend, found)),
        sheet_of("list_means", "compared-list-means", LIST_MEANS, _list_rows(legend, found)),
        sheet_of("first_ratings", "compared-first-ratings", FIRST_RATINGS, _first_rows(legend, found)),
        sheet_of(
            "first_distribution", "compared-first-distribution", FIRST_STEPS, _first_step_rows(legend, found)
        ),
        sheet_of("verdicts", "compared-verdicts", VERDICT_COUNTS, verdict_rows(VERDICTS, found)),
    ]


def columns_of(rows: Floats, names: Sequence[str]) -> dict[str, Floats]:
    """The columns of some findings, by name."""
    return dict(zip(names, rows.reshape(-1, len(names)).T, strict=True))


def _by_speed(legend: Legend, found: Found, name: str) -> Iterator[tuple[str, str, dict[str, Floats]]]:
    """Each variant and each speed of which it has such findings, with their columns."""
    for variant, findings in found.items():
        own = columns_of(findings[name], COLUMNS[name])
        for place, speed in enumerate(legend.speeds):
            chosen = own["speed"] == place
            if chosen.any():
                yield variant, speed, {column: values[chosen] for column, values in own.items()}


def ranks(rating: Floats) -> Floats:
    """Each one's rank: one more than how many stand higher; equals share it."""
    return (1 + len(rating) - np.searchsorted(np.sort(rating), rating, side="right")).astype(np.float64)


def _standing(legend: Legend, findings: Findings, speed: int) -> Floats:
    """Rating, games and rank at a speed, a column for every player; not a number for who has none."""
    own = columns_of(findings["final"], COLUMNS["final"])
    chosen = own["speed"] == speed
    standing = np.full((3, len(legend.player_ids)), np.nan)
    rating = own["rating"][chosen]
    standing[:, own["player"][chosen].astype(np.int64)] = rating, own["games"][chosen], ranks(rating)
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
        had, has = ~np.isnan(base[0]), ~np.isnan(own[0])
        difference = (own[0] - base[0])[had & has]
        alone = int((has & ~had).sum()), int((had & ~has).sum())
        moved = int(np.count_nonzero(difference))
        yield name, speed, len(difference), moved, *_distances(difference), *alone


def _distances(difference: Floats) -> Row:
    """Of differences: the share that is not 0, mean, mean size, median, the furthest down and up."""
    if not len(difference):
        return (None,) * 6
    share, size = float((difference != 0).mean()), float(np.abs(difference).mean())
    furthest = min(0, int(difference.min())), max(0, int(difference.max()))
    return share, float(difference.mean()), size, float(np.median(difference)), *furthest


def _mover_rows(legend: Legend, found: Found) -> Iterator[Row]:
    """Every player whose rating or games differ from those with the first variant, the furthest first."""
    for name, speed, base, own in _pairs(legend, found):
        difference = own[0] - base[0]
        is_other = ~((own[:2] == base[:2]) | (np.isnan(own[:2]) & np.isnan(base[:2]))).all(0)
        players = np.flatnonzero(is_other)
        order = np.lexsort((players, -np.abs(np.nan_to_num(difference[players]))))
        for player in players[order].tolist():
            (r0, g0, k0), (r1, g1, k1) = base[:, player], own[:, player]
            figures = (r0, r1, r1 - r0, g0, g1, k0, k1, k0 - k1)
            whole = (None if np.isnan(value) else int(value) for value in figures)
            yield name, speed, legend.player_ids[player], legend.names[player], *whole


def _spread_rows(legend: Legend, found: Found) -> Iterator[Row]:
    """The final ratings of each variant: mean, standard deviation, quartiles."""
    for name, speed, own in _by_speed(legend, found, "final"):
        rating = own["rating"]
        quartiles = np.percentile(rating, (0, 25, 50, 75, 100)).tolist()
        yield name, speed, len(rating), float(rating.mean()), float(rating.std()), *quartiles


def _distribution_rows(legend: Legend, found: Found) -> Iterator[Row]:
    """How many end in each hundred."""
    for name, speed, own in _by_speed(legend, found, "final"):
        steps, counts = np.unique(own["rating"] // STEP * STEP, return_counts=True)
        for step, count in zip(steps.astype(int).tolist(), counts.tolist(), strict=True):
            yield name, speed, step, count, count / len(own["rating"])


def _year_rows(legend: Legend, found: Found) -> Iterator[Row]:
    """Year by year: the mean of all listed, and how far those moved who are listed at both ends.

    `drift` is the mean change of who is listed both before the year's first list and after its last,
    `drift_played` that of those of them who played; newcomers (`entered`) are in neither.
    """
    for name, speed, own in _by_speed(legend, found, "years"):
        del own["speed"]
        yield from ((name, speed, *cells) for cells in year_cells(own))


def year_cells(own: Mapping[str, Floats]) -> Iterator[Row]:
    """Rows of a table by year: figures where the column's name says so, else whole numbers."""
    for row in zip(*own.values(), strict=True):
        cells = zip(own, row, strict=True)
        yield tuple(figure(cell) if of.startswith(("mean", "drift")) else int(cell) for of, cell in cells)


def _list_rows(legend: Legend, found: Found) -> Iterator[Row]:
    """List by list: how many are listed, and their mean."""
    for name, speed, own in _by_speed(legend, found, "lists"):
        for at, listed, mean in zip(
            *(own[each].tolist() for each in ("list", "listed", "mean")), strict=True
        ):
            yield name, speed, str(found[name]["names"][int(at)]), int(listed), mean


def _first_rows(legend: Legend, found: Found) -> Iterator[Row]:
    """Year by year: how many got a first rating, how many of these by games, and at what rating."""
    for name, speed, own in _by_speed(legend, found, "firsts"):
        for year in np.unique(own["year"]):
            chosen = own["year"] == year
            rating, earned = own["rating"][chosen], int(own["earned"][chosen].sum())
            quartiles = np.percentile(rating, (25, 50, 75)).tolist()
            yield name, speed, int(year), len(rating), earned, float(rating.mean()), *quartiles


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
        total = sum(counts.values())
        yield from ((name, verdict, lines, lines / total) for verdict, lines in counts.items())
