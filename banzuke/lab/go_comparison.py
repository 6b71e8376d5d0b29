"""Variants of a Go server's rules beside each other: sheets of their findings (`go_histories`).

Differences and means are in ranks (the mean of 1d is 1, of 1k 0, of 5k -4).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from banzuke.columnar.batch_columns import Flags
from banzuke.columnar.go_columns import rank_words
from banzuke.columnar.twin import twin_of
from banzuke.core.go_facts import HALF_RANKS, RANK_NAMES
from banzuke.engine.columnar.go_reader import GoColumns
from banzuke.lab.chess_comparison import (
    DISTANCES,
    VERDICT_COUNTS,
    Found,
    Row,
    columns_of,
    distance_cells,
    verdict_rows,
    year_cells,
)
from banzuke.lab.go_histories import COLUMNS
from banzuke.lab.intervals import FEWEST, estimate
from banzuke.lab.parallel_runs import Findings
from banzuke.lab.sheets import Sheet, figure, sheet_of, with_ends
from banzuke.lab.synthetic_go_pools import VALUES
from banzuke.lab.true_expectation import Floats, Ints
from banzuke.ledger.pool_rules import go_book

MOVED = ("variant", *DISTANCES, "mean_points")
MOVED_BY = ("variant", "by_ranks", "players", "share")
MOVERS = (
    "variant", "player_id", "rank_before", "rank", "value_before", "value", "by_ranks", "points_before",
    "points", "games_before", "games",
)  # fmt: skip
DISTRIBUTION = ("variant", "rank", "players", "share")
CERTIFIED = (
    "variant", "year", "players", *with_ends("mean"), "q1", "median", "q3", "corrected", "corrected_size",
)  # fmt: skip


class Legend(NamedTuple):
    """What the numbers in findings stand for: players, ranks as they are written, verdicts."""

    player_ids: Sequence[str]
    ranks: Sequence[str]
    verdicts: Sequence[str]


class Standing(NamedTuple):
    """Everybody as a variant leaves them, by player: the number of the rank, points, rated games."""

    rank: Floats
    points: Floats
    games: Floats

    @property
    def is_certified(self) -> Flags:
        """Who is certified."""
        return self.rank < HALF_RANKS

    @property
    def value(self) -> Floats:
        """The ranks of who is certified, in ranks (1 for 1d, 0 for 1k); NaN of the others."""
        half = np.where(self.is_certified, self.rank, 0).astype(np.int64)
        return np.where(self.is_certified, VALUES[half], np.nan)


def legend_of(columns: GoColumns) -> Legend:
    """The legend of a ledger."""
    verdicts = [verdict for verdict, _ in twin_of(go_book(columns.pool.editions[0])).judgements]
    return Legend(columns.player_ids, rank_words(columns.opening), verdicts)


def comparison_sheets(legend: Legend, found: Found) -> list[Sheet]:
    """All sheets of a comparison, from what is kept of each variant, by its name."""
    return [
        sheet_of("moved_ranks", "compared-moved-ranks", MOVED, _moved_rows(found)),
        sheet_of("moved_by", "compared-moved-by", MOVED_BY, _moved_by_rows(found)),
        sheet_of("movers_ranks", "compared-movers", MOVERS, _mover_rows(legend, found)),
        sheet_of("distribution_ranks", "compared-distribution-ranks", DISTRIBUTION, _rank_rows(found)),
        sheet_of("inflation_ranks", "compared-inflation", ("variant", *COLUMNS["years"]), _year_rows(found)),
        sheet_of("certified", "compared-certified", CERTIFIED, _certified_rows(found)),
        sheet_of("verdicts", "compared-verdicts", VERDICT_COUNTS, verdict_rows(legend.verdicts, found)),
    ]


def _standing(findings: Findings) -> Standing:
    own = columns_of(findings["final"], COLUMNS["final"])
    return Standing(own["rank"], own["points"], own["games"])


def _pairs(found: Found) -> Iterator[tuple[str, Standing, Standing]]:
    """Each variant but the first, how it leaves everybody, and how the first does."""
    (_, first), *others = found.items()
    base = _standing(first)
    for name, findings in others:
        yield name, base, _standing(findings)


def _moved_rows(found: Found) -> Iterator[Row]:
    """How many end at another rank than with the first variant, how far, who is certified by one only."""
    for name, base, own in _pairs(found):
        both = base.is_certified & own.is_certified
        points = _mean((own.points - base.points)[both])
        yield name, *distance_cells(base.value, own.value, float), points


def _moved_by_rows(found: Found) -> Iterator[Row]:
    """How many move by how many ranks."""
    for name, base, own in _pairs(found):
        ranks = own.value - base.value
        steps, counts = np.unique(ranks[~np.isnan(ranks)], return_counts=True)
        for step, count in zip(steps.tolist(), counts.tolist(), strict=True):
            yield name, step, count, count / counts.sum()


def _mover_rows(legend: Legend, found: Found) -> Iterator[Row]:
    """Everybody whose rank, points or games are others than with the first variant, the furthest first."""
    for name, base, own in _pairs(found):
        ranks, points = own.value - base.value, own.points - base.points
        is_other = np.any([mine != theirs for mine, theirs in zip(own, base, strict=True)], axis=0)
        players = np.flatnonzero(is_other)
        order = np.lexsort((players, -np.abs(points[players]), -np.abs(np.nan_to_num(ranks[players]))))
        for player in players[order].tolist():
            written = (legend.ranks[int(each.rank[player])] for each in (base, own))
            by = figure(ranks[player])
            values = (figure(each.value[player]) for each in (base, own))
            stood = (_points(each, player) for each in (base, own))
            games = (int(each.games[player]) for each in (base, own))
            yield name, legend.player_ids[player], *written, *values, by, *stood, *games


def _points(standing: Standing, player: int) -> int | None:
    """The points of who is certified."""
    return int(standing.points[player]) if standing.is_certified[player] else None


def _rank_rows(found: Found) -> Iterator[Row]:
    """How many end certified at each rank, from the lowest to the highest that any variant has."""
    counts_of = {name: _count_ranks(findings) for name, findings in found.items()}
    ranks = np.flatnonzero(np.sum(list(counts_of.values()), axis=0))
    for name, counts in counts_of.items():
        for half in range(ranks.min(), ranks.max() + 1) if len(ranks) else ():
            yield name, RANK_NAMES[half], int(counts[half]), float(counts[half] / max(1, counts.sum()))


def _count_ranks(findings: Findings) -> Ints:
    rank = _standing(findings).rank.astype(np.int64)
    held: Ints = np.bincount(rank[rank < HALF_RANKS], minlength=HALF_RANKS)
    return held


def _year_rows(found: Found) -> Iterator[Row]:
    """Year by year: how many are certified, their mean rank, how far those moved who were throughout."""
    for name, findings in found.items():
        own = columns_of(findings["years"], COLUMNS["years"])
        yield from ((name, *cells) for cells in year_cells(own))


def _certified_rows(found: Found) -> Iterator[Row]:
    """Year by year: how many are certified for the first time, at which rank, how far from what they had."""
    for name, findings in found.items():
        own = columns_of(findings["firsts"], COLUMNS["firsts"])
        for year in np.unique(own["year"]):
            chosen = own["year"] == year
            half, thought = (VALUES[own[column][chosen].astype(np.int64)] for column in ("half", "thought"))
            quartiles = np.percentile(half, (25, 50, 75)).tolist()
            off = half - thought
            mean = estimate(half, FEWEST)
            yield name, int(year), len(half), *mean, *quartiles, _mean(off), _mean(np.abs(off))


def _mean(values: Floats) -> float | None:
    return float(values.mean()) if len(values) else None
