"""Variants beside each other: who moves and by how much, distribution, inflation, first ratings, verdicts.

The first variant given is the one that the others are compared with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from banzuke.columnar.batch_columns import VERDICTS
from banzuke.engine.columnar.chess_reader import read_columns
from banzuke.lab.sheets import sheet_of
from banzuke.lab.variant_run import KEPT, found_of, frame_of, run_variant
from banzuke.lab.variants import variants_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from banzuke.lab.parallel_runs import Findings
    from banzuke.lab.sheets import Cell, Sheet
    from banzuke.lab.true_expectation import Floats
    from banzuke.lab.variant_run import Frame
    from banzuke.ledger.reforms import Reform

    Row = tuple[Cell, ...]
    Own = dict[str, Floats]

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
FIRST_DISTRIBUTION = ("variant", "speed", "rating_from", "players", "earned")
VERDICT_COUNTS = ("variant", "verdict", "lines", "share")


def compare(
    folder: Path,
    books: Sequence[str],
    settings: Sequence[str],
    until: str | None = None,
    reforms: Sequence[Reform] = (),
    **how: Any,
) -> list[Sheet]:
    """The ledger of a folder under the variants that `variants_of` makes: all sheets of the comparison.

    `how` is `variant_run.found_of`'s. Raises RefusedError, UnknownListError for an `until` that is none,
    OSError.
    """
    columns = read_columns(folder)
    frame, variants = frame_of(columns, until), variants_of(columns.pool, books, settings, reforms)
    games = len(columns.games.round)
    return compared(frame, found_of(run_variant, folder, games, variants, until, **how))


def compared(frame: Frame, found: Mapping[str, Findings]) -> list[Sheet]:
    """All sheets of a comparison, from what is kept of each variant, by its name."""
    return [
        moved_sheet(frame, found),
        movers_sheet(frame, found),
        spread_sheet(frame, found),
        distribution_sheet(frame, found),
        inflation_sheet(frame, found),
        list_means_sheet(frame, found),
        first_ratings_sheet(frame, found),
        first_distribution_sheet(frame, found),
        verdicts_sheet(found),
    ]


def _own(findings: Findings, kept: str) -> Own:
    """The columns of what is kept, by name."""
    names = KEPT[kept]
    return dict(zip(names, findings[kept].reshape(-1, len(names)).T, strict=True))


def _by_speed(frame: Frame, findings: Findings, kept: str) -> Iterator[tuple[str, Own]]:
    """The rows of each speed that has some, with its name."""
    own = _own(findings, kept)
    for place, speed in enumerate(frame.speeds):
        chosen = own["speed"] == place
        if chosen.any():
            yield speed, {name: column[chosen] for name, column in own.items()}


def _cell(value: float) -> Cell:
    """A figure as a table has it: a whole number where it is one, blank where it is none."""
    if np.isnan(value):
        return None
    return int(value) if value == int(value) else float(value)


def _mean(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def ranks(rating: Floats) -> Floats:
    """Each one's rank: one more than how many stand higher; equals share it."""
    return (1 + len(rating) - np.searchsorted(np.sort(rating), rating, side="right")).astype(np.float64)


def _dense(frame: Frame, findings: Findings, speed: int) -> Floats:
    """Rating, games and rank at a speed, a column for every player; not a number for who has none."""
    own = _own(findings, "final")
    chosen = own["speed"] == speed
    found = np.full((3, len(frame.player_ids)), np.nan)
    rating = own["rating"][chosen]
    found[:, own["player"][chosen].astype(np.int64)] = rating, own["games"][chosen], ranks(rating)
    return found


def _beside(frame: Frame, found: Mapping[str, Findings]) -> Iterator[tuple[str, str, Floats, Floats]]:
    """Each variant but the first, a speed, and rating, games and rank with the first and with it."""
    (_, first), *others = found.items()
    for name, findings in others:
        for place, speed in enumerate(frame.speeds):
            base, own = (_dense(frame, each, place) for each in (first, findings))
            if not np.isnan([base[0], own[0]]).all():
                yield name, speed, base, own


def moved_sheet(frame: Frame, found: Mapping[str, Findings]) -> Sheet:
    """How many end elsewhere than with the first variant, how far, and who is rated by one of them only."""
    rows: list[Row] = []
    for name, speed, base, own in _beside(frame, found):
        had, has = ~np.isnan(base[0]), ~np.isnan(own[0])
        difference = (own[0] - base[0])[had & has]
        moved, alone = int(np.count_nonzero(difference)), (int((has & ~had).sum()), int((had & ~has).sum()))
        rows.append((name, speed, len(difference), moved, *_distances(difference), *alone))
    return sheet_of("moved", "compared-moved", MOVED, rows)


def _distances(difference: Floats) -> Row:
    """Of differences: the share that is none, mean, mean size, median, the furthest down and up."""
    if not len(difference):
        return (None,) * 6
    share, size = float((difference != 0).mean()), float(np.abs(difference).mean())
    furthest = min(0, int(difference.min())), max(0, int(difference.max()))
    return share, float(difference.mean()), size, float(np.median(difference)), *furthest


def movers_sheet(frame: Frame, found: Mapping[str, Findings]) -> Sheet:
    """Every player whose rating or games differ from those with the first variant, the furthest first."""
    rows: list[Row] = []
    for name, speed, base, own in _beside(frame, found):
        difference = own[0] - base[0]
        is_other = ~((own[:2] == base[:2]) | (np.isnan(own[:2]) & np.isnan(base[:2]))).all(0)
        players = np.flatnonzero(is_other)
        order = np.lexsort((players, -np.abs(np.nan_to_num(difference[players]))))
        for player in players[order].tolist():
            (r0, g0, k0), (r1, g1, k1) = base[:, player], own[:, player]
            figures = (r0, r1, r1 - r0, g0, g1, k0, k1, k0 - k1)
            who = frame.player_ids[player], frame.names[player]
            rows.append((name, speed, *who, *(_cell(value) for value in figures)))
    return sheet_of("movers", "compared-movers", MOVERS, rows)


def spread_sheet(frame: Frame, found: Mapping[str, Findings]) -> Sheet:
    """The final ratings of each variant: mean, standard deviation, quartiles."""
    rows: list[Row] = []
    for name, findings in found.items():
        for speed, own in _by_speed(frame, findings, "final"):
            rating = own["rating"]
            quartiles = np.percentile(rating, (0, 25, 50, 75, 100)).tolist()
            rows.append((name, speed, len(rating), float(rating.mean()), float(rating.std()), *quartiles))
    return sheet_of("spread", "compared-spread", SPREAD, rows)


def distribution_sheet(frame: Frame, found: Mapping[str, Findings]) -> Sheet:
    """How many end in each hundred."""
    rows: list[Row] = []
    for name, findings in found.items():
        for speed, own in _by_speed(frame, findings, "final"):
            steps, counts = np.unique(own["rating"] // STEP * STEP, return_counts=True)
            cells = zip(steps.astype(int).tolist(), counts.tolist(), strict=True)
            rows.extend((name, speed, step, count, count / len(own["rating"])) for step, count in cells)
    return sheet_of("distribution", "compared-distribution", DISTRIBUTION, rows)


def inflation_sheet(frame: Frame, found: Mapping[str, Findings]) -> Sheet:
    """Year by year: the mean of all listed, and how far those moved who are listed at both ends.

    `drift` is the mean change of who is listed both before the year's first list and after its last,
    `drift_played` that of those of them who played; newcomers (`entered`) are in neither.
    """
    rows: list[Row] = []
    for name, findings in found.items():
        for speed, own in _by_speed(frame, findings, "years"):
            for _, *figures in zip(*own.values(), strict=True):
                counts = [int(value) for value in (*figures[0:2], *figures[3::2])]
                means = [_mean(value) for value in figures[2::2]]
                pairs = [cell for pair in zip(counts[1:], means, strict=True) for cell in pair]
                rows.append((name, speed, counts[0], *pairs))
    return sheet_of("inflation", "compared-inflation", ("variant", *KEPT["years"]), rows)


def list_means_sheet(frame: Frame, found: Mapping[str, Findings]) -> Sheet:
    """List by list: how many are listed, and their mean."""
    rows: list[Row] = []
    for name, findings in found.items():
        for speed, own in _by_speed(frame, findings, "lists"):
            cells = zip(own["list"].tolist(), own["listed"].tolist(), own["mean"].tolist(), strict=True)
            rows.extend((name, speed, frame.lists[int(at)], int(listed), mean) for at, listed, mean in cells)
    return sheet_of("list_means", "compared-list-means", LIST_MEANS, rows)


def first_ratings_sheet(frame: Frame, found: Mapping[str, Findings]) -> Sheet:
    """Year by year: how many got a first rating, how many of these by games, and at what rating."""
    rows: list[Row] = []
    for name, findings in found.items():
        for speed, own in _by_speed(frame, findings, "firsts"):
            for year in np.unique(own["year"]):
                chosen = own["year"] == year
                rating, earned = own["rating"][chosen], int(own["earned"][chosen].sum())
                quartiles = np.percentile(rating, (25, 50, 75)).tolist()
                rows.append((name, speed, int(year), len(rating), earned, float(rating.mean()), *quartiles))
    return sheet_of("first_ratings", "compared-first-ratings", FIRST_RATINGS, rows)


def first_distribution_sheet(frame: Frame, found: Mapping[str, Findings]) -> Sheet:
    """How many first ratings were in each hundred, and how many of these by games."""
    rows: list[Row] = []
    for name, findings in found.items():
        for speed, own in _by_speed(frame, findings, "firsts"):
            steps, place = np.unique(own["rating"] // STEP * STEP, return_inverse=True)
            counts, earned = np.bincount(place), np.bincount(place, own["earned"])
            cells = zip(steps.tolist(), counts.tolist(), earned.tolist(), strict=True)
            rows.extend((name, speed, *(int(value) for value in cell)) for cell in cells)
    return sheet_of("first_distribution", "compared-first-distribution", FIRST_DISTRIBUTION, rows)


def verdicts_sheet(found: Mapping[str, Findings]) -> Sheet:
    """How many sides of games each variant rates, and why it does not rate the others."""
    rows: list[Row] = []
    for name, findings in found.items():
        counts, total = findings["verdicts"], findings["verdicts"][:, 1].sum()
        rows.extend((name, VERDICTS[int(code)], int(lines), float(lines / total)) for code, lines in counts)
    return sheet_of("verdicts", "compared-verdicts", VERDICT_COUNTS, rows)
