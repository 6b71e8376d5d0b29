"""How well a Go server's rules foretell its games: by the gap that handicap and komi leave, and by handicap.

A game on the regular terms for its players' ranks ought to be even. Every model is judged on the games that
all of them foretell; see `predict`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from banzuke.engine.columnar.go_reader import read_go
from banzuke.engine.go_history import moment
from banzuke.engine.rating_run import silent
from banzuke.lab.forecast_scores import FEWEST_EVENTS
from banzuke.lab.go_forecasts import elo_of_a_rank, foretold_go, openings, stones
from banzuke.lab.peer_systems import MOST_FITTED
from banzuke.lab.prediction import (
    DIFFERENCES,
    SCORES,
    by_peer,
    common,
    difference_rows,
    how_many,
    kept_under,
    measured,
    models_of,
    score_rows,
)
from banzuke.lab.sheets import note, sheet_of
from banzuke.lab.variants import variants_of
from banzuke.ledger.pool_rules import go_book

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from banzuke.engine.columnar.go_reader import GoColumns
    from banzuke.engine.rating_run import Progress
    from banzuke.lab.prediction import Models, Row
    from banzuke.lab.sheets import Sheet
    from banzuke.ledger.reforms import Reform

#: Gaps are counted by half ranks.
STEPS_A_RANK = 2

CALIBRATION = (
    "variant",
    "ranks_from",
    "ranks_to",
    "games",
    "wins",
    "losses",
    "counted",
    "scored",
    "low",
    "high",
)
BY_STONES = ("variant", "stones", "games", "expected", "scored", "low", "high")


def predict_go(
    folder: Path,
    books: Sequence[str],
    settings: Sequence[str],
    until: str | None = None,
    reforms: Sequence[Reform] = (),
    *,
    kept: Path | None = None,
    progress: Progress = silent,
) -> list[Sheet]:
    """How well the variants that `variants_of` makes, and the peers, foretell the games of a Go ledger.

    `kept` and `progress` are those of `prediction.models_of`. Raises RefusedError, UnknownListError for an
    `until` that is no moment, OSError.
    """
    columns = read_go(folder)
    moment(until)
    variants = variants_of(columns.pool, books, settings, reforms)
    own = partial(foretold_go, columns, until=until)
    a_rank = elo_of_a_rank(go_book(columns.pool.editions[0]))
    peers = partial(by_peer, openings=[openings(columns, a_rank)], a_step=a_rank)
    return judged(columns, models_of(variants, own, peers, kept_under(folder, until), kept, progress))


def judged(columns: GoColumns, models: Models) -> list[Sheet]:
    """All sheets, from what each model foretells; the first is what the others are compared with."""
    shared = common(models)
    games, weeks = how_many(shared)
    notes = (
        note("predicted-games-go", games=f"{games:,}", weeks=weeks, fewest=FEWEST_EVENTS),
        note("predicted-go", points=round(elo_of_a_rank(go_book(columns.pool.editions[0])))),
        *([] if "whole-history" in models else [note("predicted-too-many", most=f"{MOST_FITTED:,}")]),
    )
    return [
        sheet_of("scores", "predicted-scores", SCORES, score_rows(models, shared), notes),
        sheet_of(
            "score_differences", "predicted-differences", DIFFERENCES, difference_rows(shared), notes[:1]
        ),
        sheet_of(
            "calibration_ranks",
            "predicted-calibration-ranks",
            CALIBRATION,
            _calibration_rows(shared),
            notes[:1],
        ),
        sheet_of("by_stones", "predicted-by-stones", BY_STONES, _stones_rows(columns, shared), notes[:1]),
    ]


def _calibration_rows(shared: Models) -> Iterator[Row]:
    """By gap, seen from the side that the terms leave ahead; where they leave nobody, from White's."""
    for name, games in shared.items():
        is_white = games.gap >= 0
        score = np.where(is_white, games.score, 1 - games.score)
        expected = np.where(is_white, games.expected, 1 - games.expected)
        group = np.ceil(np.abs(games.gap) * STEPS_A_RANK).astype(np.int64)
        count = int(group.max(initial=-1)) + 1
        rows = measured([expected, score], games.event, group, count)
        wins, sizes = (np.bincount(group, weights, count).astype(int) for weights in (score, None))
        for step, row in enumerate(rows):
            if sizes[step]:
                gaps = max(0, step - 1) / STEPS_A_RANK, step / STEPS_A_RANK
                won = int(wins[step])
                yield name, *gaps, int(sizes[step]), won, int(sizes[step]) - won, row[0], *row[3:6]


def _stones_rows(columns: GoColumns, shared: Models) -> Iterator[Row]:
    """By handicap stones, from the side of White, who gives them."""
    for name, games in shared.items():
        given = stones(columns, games)
        count = int(given.max(initial=-1)) + 1
        rows = measured([games.expected, games.score], games.event, given, count)
        sizes = np.bincount(given, minlength=count).tolist()
        for handicap, (size, row) in enumerate(zip(sizes, rows, strict=True)):
            if size:
                yield name, handicap, size, row[0], *row[3:6]
