"""Variants of a Go server's rules beside each other: ranks, their distribution, inflation, certification.

The first variant given is the one that the others are compared with. Differences and means are in ranks (the
mean of 1d is 1, of 1k 0, of 5k -4).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from banzuke.columnar.go_columns import rank_words
from banzuke.columnar.twin import twin_of
from banzuke.core.go_facts import HALF_RANKS, RANK_NAMES
from banzuke.engine.columnar.go_reader import read_go
from banzuke.engine.go_history import moment
from banzuke.lab.go_variant_run import KEPT, run_variant
from banzuke.lab.sheets import sheet_of
from banzuke.lab.synthetic_go_pools import VALUES
from banzuke.lab.variant_run import found_of
from banzuke.lab.variants import variants_of
from banzuke.ledger.pool_rules import go_book

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from banzuke.columnar.batch_columns import Flags
    from banzuke.lab.parallel_runs import Findings
    from banzuke.lab.sheets import Cell, Sheet
    from banzuke.lab.true_expectation import Floats, Ints
    from banzuke.ledger.reforms import Reform

    Row = tuple[Cell, ...]
    Own = dict[str, Floats]

MOVED = (
    "variant", "players", "moved", "share", "mean", "mean_size", "down_most", "up_most", "mean_points",
    "only_here", "only_there",
)  # fmt: skip
MOVED_BY = ("variant", "by_ranks", "players", "share")
MOVERS = (
    "variant", "player_id", "rank_before", "rank", "value_before", "value", "by_ranks", "points_before",
    "points", "games_before", "games",
)  # fmt: skip
DISTRIBUTION = ("variant", "rank", "players", "share")
CERTIFIED = ("variant", "year", "players", "mean", "q1", "median", "q3", "corrected", "corrected_size")
VERDICT_COUNTS = ("variant", "verdict", "lines", "share")


class Frame(NamedTuple):
    """What the numbers in findings stand for: players, ranks as they are written, verdicts."""

    player_ids: Sequence[str]
    ranks: Sequence[str]
    verdicts: Sequence[str]


class Standing(NamedTuple):
    """Everybody as a variant leaves him, by player: the number of his rank, his points, his rated games."""

    rank: Floats
    points: Floats
    games: Floats

    @property
    def is_certified(self) -> Flags:
        """Who is certified."""
        return self.rank < HALF_RANKS


def compare_go(
    folder: Path,
    books: Sequence[str],
    settings: Sequence[str],
    until: str | None = None,
    reforms: Sequence[Reform] = (),
    **how: Any,
) -> list[Sheet]:
    """As `comparison.compare`, for the ledger of a Go server.

    Raises RefusedError, UnknownListError for an `until` that is no moment, OSError.
    """
    columns = read_go(folder)
    moment(until)
    variants = variants_of(columns.pool, books, settings, reforms)
    found = found_of(run_variant, folder, len(columns.games.ended), variants, until, **how)
    verdicts = [verdict for verdict, _ in twin_of(go_book(columns.pool.editions[0])).judgements]
    return compared(Frame(columns.player_ids, rank_words(columns.opening), verdicts), found)


def compared(frame: Frame, found: Mapping[str, Findings]) -> list[Sheet]:
    """All sheets of a comparison, from what is kept of each variant, by its name."""
    return [
        sheet_of("moved_ranks", "compared-moved-ranks", MOVED, _moved_rows(found)),
        sheet_of("moved_by", "compared-moved-by", MOVED_BY, _moved_by_rows(found)),
        sheet_of("movers_ranks", "compared-movers", MOVERS, _mover_rows(frame, found)),
        sheet_of("distribution_ranks", "compared-distribution-ranks", DISTRIBUTION, _rank_rows(found)),
        sheet_of("inflation_ranks", "compared-inflation", ("variant", *KEPT["years"]), _year_rows(found)),
        sheet_of("certified", "compared-certified", CERTIFIED, _certified_rows(found)),
        sheet_of("verdicts", "compared-verdicts", VERDICT_COUNTS, _verdict_rows(frame, found)),
    ]


def _own(findings: Findings, kept: str) -> Own:
    """The columns of what is kept, by name."""
    names = KEPT[kept]
    return dict(zip(names, findings[kept].reshape(-1, len(names)).T, strict=True))


def _standing(findings: Findings) -> Standing:
    own = _own(findings, "final")
    return Standing(own["rank"], own["points"], own["games"])


def _beside(found: Mapping[str, Findings]) -> Iterator[tuple[str, Standing, Standing]]:
    """Each variant but the first, how it leaves everybody, and how the first does."""
    (_, first), *others = found.items()
    base = _standing(first)
    for name, findings in others:
        yield name, base, _standing(findings)


def _by_ranks(base: Standing, own: Standing) -> Floats:
    """How many ranks higher everybody ends; not a number unless certified by both."""
    both = base.is_certified & own.is_certified
    return np.where(both, (own.rank - base.rank) / 2, np.nan)


def _moved_rows(found: Mapping[str, Findings]) -> Iterator[Row]:
    """How many end at another rank than with the first variant, how far, who is certified by one only."""
    for name, base, own in _beside(found):
        ranks = _by_ranks(base, own)
        both = ~np.isnan(ranks)
        moved, points = ranks[both], (own.points - base.points)[both]
        alone = (
            int((own.is_certified & ~base.is_certified).sum()),
            int((base.is_certified & ~own.is_certified).sum()),
        )
        count = int(np.count_nonzero(moved))
        yield name, len(moved), count, *_distances(moved), _mean(points), *alone


def _distances(moved: Floats) -> Row:
    """Of moves: the share that is not 0, mean, mean size, the furthest down and up."""
    if not len(moved):
        return (None,) * 5
    furthest = min(0.0, float(moved.min())), max(0.0, float(moved.max()))
    return float((moved != 0).mean()), _mean(moved), _mean(np.abs(moved)), *furthest


def _moved_by_rows(found: Mapping[str, Findings]) -> Iterator[Row]:
    """How many move by how many ranks."""
    for name, base, own in _beside(found):
        ranks = _by_ranks(base, own)
        steps, counts = np.unique(ranks[~np.isnan(ranks)], return_counts=True)
        for step, count in zip(steps.tolist(), counts.tolist(), strict=True):
            yield name, step, count, count / counts.sum()


def _mover_rows(frame: Frame, found: Mapping[str, Findings]) -> Iterator[Row]:
    """Everybody whose rank, points or games are others than with the first variant, the furthest first."""
    for name, base, own in _beside(found):
        ranks, points = _by_ranks(base, own), own.points - base.points
        is_other = np.any([mine != theirs for mine, theirs in zip(own, base, strict=True)], axis=0)
        players = np.flatnonzero(is_other)
        order = np.lexsort((players, -np.abs(points[players]), -np.abs(np.nan_to_num(ranks[players]))))
        for player in players[order].tolist():
            written = (frame.ranks[int(each.rank[player])] for each in (base, own))
            by = None if np.isnan(ranks[player]) else float(ranks[player])
            values = (_value(each, player) for each in (base, own))
            stood = (_points(each, player) for each in (base, own))
            games = (int(each.games[player]) for each in (base, own))
            yield name, frame.player_ids[player], *written, *values, by, *stood, *games


def _value(standing: Standing, player: int) -> float | None:
    """The rank of who is certified, in ranks: 1 for 1d, 0 for 1k."""
    return float(VALUES[int(standing.rank[player])]) if standing.is_certified[player] else None


def _points(standing: Standing, player: int) -> int | None:
    """The points of who is certified."""
    return int(standing.points[player]) if standing.is_certified[player] else None


def _rank_rows(found: Mapping[str, Findings]) -> Iterator[Row]:
    """How many end certified at each rank, from the lowest to the highest that any variant has."""
    held = {name: _held(findings) for name, findings in found.items()}
    ranks = np.flatnonzero(np.sum(list(held.values()), axis=0))
    for name, counts in held.items():
        for half in range(ranks.min(), ranks.max() + 1) if len(ranks) else ():
            yield name, RANK_NAMES[half], int(counts[half]), float(counts[half] / max(1, counts.sum()))


def _held(findings: Findings) -> Ints:
    rank = _own(findings, "final")["rank"].astype(np.int64)
    held: Ints = np.bincount(rank[rank < HALF_RANKS], minlength=HALF_RANKS)
    return held


def _year_rows(found: Mapping[str, Findings]) -> Iterator[Row]:
    """Year by year: how many are certified, their mean rank, how far those moved who were throughout."""
    for name, findings in found.items():
        own = _own(findings, "years")
        for row in zip(*own.values(), strict=True):
            yield name, *(_year_cell(column, value) for column, value in zip(own, row, strict=True))


def _year_cell(column: str, value: float) -> Cell:
    """A mean, or a whole number."""
    if column.startswith(("mean", "drift")):
        return None if np.isnan(value) else float(value)
    return int(value)


def _certified_rows(found: Mapping[str, Findings]) -> Iterator[Row]:
    """Year by year: how many are certified for the first time, at which rank, how far from what they had."""
    for name, findings in found.items():
        own = _own(findings, "firsts")
        for year in np.unique(own["year"]):
            chosen = own["year"] == year
            half, thought = (VALUES[own[column][chosen].astype(np.int64)] for column in ("half", "thought"))
            quartiles = np.percentile(half, (25, 50, 75)).tolist()
            off = half - thought
            yield name, int(year), len(half), _mean(half), *quartiles, _mean(off), _mean(np.abs(off))


def _verdict_rows(frame: Frame, found: Mapping[str, Findings]) -> Iterator[Row]:
    """How many sides of games each variant rates, and why it does not rate the others."""
    for name, findings in found.items():
        own = _own(findings, "verdicts")
        counts: dict[str, int] = {}
        for code, lines in zip(own["judgement"].tolist(), own["lines"].tolist(), strict=True):
            verdict = frame.verdicts[int(code)]
            counts[verdict] = counts.get(verdict, 0) + int(lines)
        total = sum(counts.values())
        yield from ((name, verdict, lines, lines / total) for verdict, lines in counts.items())


def _mean(values: Floats) -> float | None:
    return float(values.mean()) if len(values) else None
