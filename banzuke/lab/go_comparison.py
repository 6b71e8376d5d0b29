"""Variants of a Go server's rules beside each other: sheets of their findings (`go_histories`).

Differences and means are in ranks (the mean of 1d is 1, of 1k 0, of 5k -4).
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

import numpy as np

from banzuke.columnar.go_columns import rank_words
from banzuke.columnar.twin import twin_of
from banzuke.core.go_facts import HALF_RANKS, RANK_NAMES
from banzuke.engine.columnar.go_reader import GoColumns
from banzuke.engine.parallel_runs import Findings
from banzuke.lab import chess_comparison
from banzuke.lab.chess_comparison import Found, Row
from banzuke.lab.go_histories import COLUMNS
from banzuke.lab.sheets import Sheet, figure, named_sheet
from banzuke.lab.synthetic_go_pools import VALUES
from banzuke.lab.true_expectation import Floats
from banzuke.ledger.pool_rules import go_book


class Standing(NamedTuple):
    """Everybody as a variant leaves them, by player: the number of the rank, points, rated games.

    `value` are the ranks of who is certified, in ranks (1 for 1d, 0 for 1k); NaN of the others.
    """

    rank: Floats
    points: Floats
    games: Floats
    value: Floats


def comparison_sheets(columns: GoColumns, found: Found) -> list[Sheet]:
    """All sheets of a comparison, from what is kept of each variant of a ledger, by its name."""
    verdicts = [verdict for verdict, _ in twin_of(go_book(columns.pool.editions[0])).judgements]
    tables: Mapping[str, Iterable[Row]] = {
        "moved_ranks": _moved_rows(found),
        "moved_by": _moved_by_rows(found),
        "movers_ranks": _mover_rows(columns, found),
        "distribution_ranks": _rank_rows(found),
        "inflation_ranks": _year_rows(found),
        "certified": _certified_rows(found),
        "verdicts": chess_comparison.verdict_rows(verdicts, found),
    }
    return [named_sheet(*table) for table in tables.items()]


def _standing(findings: Findings) -> Standing:
    _, rank, points, games = chess_comparison.columns_of(findings, "final", COLUMNS).values()
    half = np.minimum(rank, HALF_RANKS).astype(np.int64)
    return Standing(rank, points, games, np.append(VALUES[:HALF_RANKS], np.nan)[half])


def _pairs(found: Found) -> Iterator[tuple[str, Standing, Standing]]:
    """Each variant but the first, how the first leaves everybody, and how it does."""
    (_, first), *others = found.items()
    base = _standing(first)
    for name, findings in others:
        yield name, base, _standing(findings)


def _moved_rows(found: Found) -> Iterator[Row]:
    """How many end at another rank than with the first variant, how far, who is certified by one only."""
    for name, base, own in _pairs(found):
        points = (own.points - base.points)[~np.isnan(own.value - base.value)]
        yield name, *chess_comparison.distance_cells(base.value, own.value, float), _mean(points)


def _moved_by_rows(found: Found) -> Iterator[Row]:
    """How many move by how many ranks."""
    for name, base, own in _pairs(found):
        ranks = own.value - base.value
        steps, counts = np.unique(ranks[~np.isnan(ranks)], return_counts=True)
        for step, count in zip(steps.tolist(), counts.tolist(), strict=True):
            yield name, step, count, count / counts.sum()


def _mover_rows(columns: GoColumns, found: Found) -> Iterator[Row]:
    """Everybody whose rank, points or games are others than with the first variant, the furthest first."""
    words = rank_words(columns.opening)

    def cells(rank: float, points: float, games: float, value: float) -> Row:
        return words[int(rank)], figure(value), None if np.isnan(value) else int(points), int(games)

    for name, base, own in _pairs(found):
        ranks, points = own.value - base.value, own.points - base.points
        is_other = np.any([mine != theirs for mine, theirs in zip(own[:3], base[:3], strict=True)], axis=0)
        players = np.flatnonzero(is_other)
        order = np.lexsort((players, -np.abs(points[players]), -np.abs(np.nan_to_num(ranks[players]))))
        for player in players[order].tolist():
            pairs = zip(*(cells(*(each[player] for each in of)) for of in (base, own)), strict=True)
            both = list(chain(*pairs))
            yield name, columns.player_ids[player], *both[:4], figure(ranks[player]), *both[4:]


def _rank_rows(found: Found) -> Iterator[Row]:
    """How many end certified at each rank, from the lowest to the highest that any variant has."""
    held = {name: _standing(findings).rank.astype(np.int64) for name, findings in found.items()}
    counts_of = [np.bincount(rank[rank < HALF_RANKS], minlength=HALF_RANKS) for rank in held.values()]
    ranks = np.flatnonzero(np.sum(counts_of, axis=0))
    for name, counts in zip(held, counts_of, strict=True):
        for half in range(ranks.min(), ranks.max() + 1) if len(ranks) else ():
            yield name, RANK_NAMES[half], int(counts[half]), float(counts[half] / max(1, counts.sum()))


def _year_rows(found: Found) -> Iterator[Row]:
    """Year by year: how many are certified, their mean rank, how far those moved who were throughout."""
    for name, findings in found.items():
        yield from (
            (name, *cells)
            for cells in chess_comparison.year_cells(chess_comparison.columns_of(findings, "years", COLUMNS))
        )


def _certified_rows(found: Found) -> Iterator[Row]:
    """Year by year: how many are certified for the first time, at which rank, how far from what they had."""
    for name, findings in found.items():
        own = chess_comparison.columns_of(findings, "firsts", COLUMNS)
        for year in np.unique(own["year"]):
            chosen = own["year"] == year
            half, thought = (VALUES[own[column][chosen].astype(np.int64)] for column in ("half", "thought"))
            quartiles, off = chess_comparison.quartile_cells(half), half - thought
            yield name, int(year), len(half), *quartiles, _mean(off), _mean(np.abs(off))


def _mean(values: Floats) -> float | None:
    return float(values.mean()) if len(values) else None
