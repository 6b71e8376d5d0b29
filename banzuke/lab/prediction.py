"""One list ahead: how well each rule book foretells results, beside other rating systems on the same games.

Every model is judged on the games that all of them foretell. What is foretold by a model is kept, so that an
interrupted run goes on where it was.
"""

from __future__ import annotations

import hashlib
import io
import zlib
from contextlib import suppress
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING
from zipfile import BadZipFile

import numpy as np

from banzuke.columnar.batch_columns import MISSING
from banzuke.engine.columnar.chess_reader import read_columns
from banzuke.engine.columnar.columnar_history import opening
from banzuke.engine.output_file import write_whole
from banzuke.engine.rating_run import silent
from banzuke.lab.forecast_scores import FEWEST_EVENTS, losses, means
from banzuke.lab.forecasts import Foretold, ages, foretold
from banzuke.lab.peer_systems import MOST_FITTED, PEERS, peer_expects, peers_for
from banzuke.lab.sheets import note, sheet_of
from banzuke.lab.true_expectation import SCALE, printed_table
from banzuke.lab.variant_run import digest_of, rated_lists
from banzuke.lab.variants import other_books, variants_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from banzuke.columnar.batch_columns import Int32s
    from banzuke.engine.columnar.chess_reader import ChessColumns
    from banzuke.engine.rating_run import Progress
    from banzuke.lab.sheets import Cell, Sheet
    from banzuke.lab.true_expectation import Floats, Ints
    from banzuke.lab.variants import Variant
    from banzuke.ledger.reforms import Reform

    Models = Mapping[str, Foretold]
    Row = tuple[Cell, ...]

#: Gaps are counted by steps so wide.
STEP = 100
#: Where age groups begin, in years on 1 January, and what they are called.
AGES = (13, 19, 30, 50, 65)
AGE_GROUPS = ("0-12", "13-18", "19-29", "30-49", "50-64", "65-", "unknown")

MEASURES = ("log_loss", "brier", "accuracy")
MEASURED = tuple(f"{measure}{end}" for measure in MEASURES for end in ("", "_low", "_high"))
SCORES = ("variant", "foretold", "games", *MEASURED)
DIFFERENCES = ("variant", "games", *MEASURED)
CALIBRATION = (
    "variant", "gap_from", "gap_to", "games", "wins", "draws", "losses", "table", "counted", "scored", "low",
    "high",
)  # fmt: skip
BY_GROUP = ("variant", "group", "sides", "expected", "scored", "low", "high", *MEASURED)


def predict(
    folder: Path,
    books: Sequence[str],
    settings: Sequence[str],
    until: str | None = None,
    reforms: Sequence[Reform] = (),
    *,
    kept: Path | None = None,
    progress: Progress = silent,
) -> list[Sheet]:
    """How well the variants that `variants_of` makes, and the peers, foretell the games of a ledger.

    Where nothing is asked for, every book that could rate the pool is a variant. `kept` and `progress` are
    those of `models_of`. Raises RefusedError, UnknownListError for an `until` that is none, OSError.
    """
    columns = read_columns(folder)
    asked = books if books or settings or reforms else other_books(columns.pool)
    variants = variants_of(columns.pool, asked, settings, reforms)
    own, peers = partial(_of_variant, columns, until), partial(_of_peer, columns)
    return judged(models_of(variants, own, peers, kept_under(folder, until), kept, progress))


def models_of(
    variants: Sequence[Variant],
    of_variant: Callable[[Variant], Foretold],
    of_peer: Callable[[str, Foretold], Foretold],
    key: str,
    kept: Path | None,
    progress: Progress,
) -> dict[str, Foretold]:
    """What each variant foretells, and each peer of the games that the first one has.

    What was kept under `key` is read. `progress(done, all, model)` is called before each model.
    """
    models: dict[str, Foretold] = {}
    total = len(variants) + len(PEERS)
    for variant in variants:
        progress(len(models), total, variant.name)
        models[variant.name] = _resumed(kept, (key, variant), partial(of_variant, variant))
    first = next(iter(models.values()))
    for peer in peers_for(first):
        progress(len(models), total, peer)
        models[peer] = _resumed(kept, (key, peer), partial(of_peer, peer, first))
    progress(total, total, "")
    return models


def _of_variant(columns: ChessColumns, until: str | None, variant: Variant) -> Foretold:
    """What a variant foretells of all games that were played."""
    lists = rated_lists(columns, variant, until)
    return foretold(lists, columns.pool.speeds, len(columns.player_ids))


def _of_peer(columns: ChessColumns, peer: str, games: Foretold) -> Foretold:
    """What a peer foretells of those games."""
    rows = opening(columns).value
    openings = [{p: float(row[p]) for p in np.flatnonzero(row != MISSING).tolist()} for row in rows]
    return by_peer(peer, games, openings)


def by_peer(
    peer: str, games: Foretold, openings: Sequence[Mapping[int, float]], a_step: float = 1
) -> Foretold:
    """The games as a peer foretells them; its gap is that which its expectation stands for.

    A gap is counted in steps of so many Elo points; `openings` is that of `peer_systems.peer_expects`.
    """
    expected = peer_expects(peer, games, openings)
    sure = np.clip(expected, np.finfo(float).eps, 1 - np.finfo(float).eps)
    return games._replace(expected=expected, gap=SCALE * np.log10(sure / (1 - sure)) / a_step)


def kept_under(folder: Path, until: str | None) -> str:
    """What decides, besides the model, what is foretold of a ledger."""
    return repr((version("banzuke"), Foretold._fields, digest_of(folder), until))


def _resumed(kept: Path | None, decides: object, make: Callable[[], Foretold]) -> Foretold:
    """What was kept under a name made of all that decides it; where nothing sound was, made now."""
    if kept is None:
        return make()
    path = kept / f"{hashlib.sha256(repr(decides).encode()).hexdigest()[:32]}.npz"
    if path.exists():
        with suppress(ValueError, EOFError, BadZipFile, zlib.error), np.load(path) as arrays:
            return Foretold(**arrays)
    found, stream = make(), io.BytesIO()
    np.savez_compressed(stream, **found._asdict())
    kept.mkdir(parents=True, exist_ok=True)
    write_whole(path, stream.getvalue())
    return found


def judged(models: Models) -> list[Sheet]:
    """All sheets, from what each model foretells; the first is what the others are compared with."""
    shared = common(models)
    games, events = how_many(shared)
    notes = (
        note("predicted-games", games=f"{games:,}", events=f"{events:,}", fewest=FEWEST_EVENTS),
        note("predicted-draws"),
        *([] if "whole-history" in models else [note("predicted-too-many", most=f"{MOST_FITTED:,}")]),
    )
    return [
        sheet_of("scores", "predicted-scores", SCORES, score_rows(models, shared), notes),
        sheet_of(
            "score_differences", "predicted-differences", DIFFERENCES, difference_rows(shared), notes[:1]
        ),
        sheet_of("calibration", "predicted-calibration", CALIBRATION, _calibration_rows(shared), notes[:1]),
        sheet_of("by_age", "predicted-by-age", BY_GROUP, _group_rows(shared, _age_groups), notes[:1]),
        sheet_of("by_k", "predicted-by-k", BY_GROUP, _group_rows(shared, _k_groups), notes[:1]),
    ]


def common(models: Models) -> dict[str, Foretold]:
    """Of each model the games that all foretell, in one order."""
    known = {name: games.take(~np.isnan(games.expected)) for name, games in models.items()}
    shared: Ints | None = None
    for games in known.values():
        shared = games.of if shared is None else np.intersect1d(shared, games.of, assume_unique=True)
    return {name: _in_order(games, shared) for name, games in known.items() if shared is not None}


def how_many(shared: Models) -> tuple[int, int]:
    """How many games all foretell, and how many events these are of."""
    games = next(iter(shared.values()))
    return len(games.of), len(np.unique(games.event))


def _in_order(games: Foretold, of: Ints) -> Foretold:
    order = np.argsort(games.of)
    return games.take(order[np.searchsorted(games.of[order], of)])


def _cells(*columns: Floats) -> list[Row]:
    """Rows of those columns; blank where there is no number."""
    return [
        tuple(None if np.isnan(value) else float(value) for value in row)
        for row in zip(*columns, strict=True)
    ]


def measured(found: Sequence[Floats], events: Int32s, groups: Ints, count: int) -> list[Row]:
    """Mean, low and high of each measure, a row for each group."""
    return _cells(*(column for values in found for column in means(values, events, groups, count)))


def _all(games: Foretold) -> Ints:
    return np.zeros(len(games.of), np.int64)


def score_rows(models: Models, shared: Models) -> Iterator[Row]:
    """How well each model foretells the games that all do; how many it foretells itself."""
    for name, games in shared.items():
        told = int(np.count_nonzero(~np.isnan(models[name].expected)))
        (row,) = measured(losses(games.expected, games.score), games.event, _all(games), 1)
        yield name, told, len(games.of), *row


def difference_rows(shared: Models) -> Iterator[Row]:
    """Each model's losses less those of the first, game by game."""
    (_, first), *others = shared.items()
    base = losses(first.expected, first.score)
    for name, games in others:
        own = losses(games.expected, games.score)
        less = [mine - theirs for mine, theirs in zip(own, base, strict=True)]
        (row,) = measured(less, games.event, _all(games), 1)
        yield name, len(games.of), *row


def _calibration_rows(shared: Models) -> Iterator[Row]:
    """By gap, seen from the higher rated side (White, where they are equal)."""
    table = printed_table()
    for name, games in shared.items():
        is_white = games.gap >= 0
        gap = np.abs(games.gap)
        score = np.where(is_white, games.score, 1 - games.score)
        expected = np.where(is_white, games.expected, 1 - games.expected)
        group = (gap // STEP).astype(np.int64)
        count = int(group.max(initial=-1)) + 1
        rows = measured([table(gap), expected, score], games.event, group, count)
        results = np.stack([np.bincount(group[score == s], minlength=count) for s in (1, 0.5, 0)]).T
        for step, (row, ends) in enumerate(zip(rows, results.tolist(), strict=True)):
            if sum(ends):
                gaps = step * STEP, (step + 1) * STEP
                yield name, *gaps, sum(ends), *ends, row[0], row[3], *row[6:9]


def _group_rows(shared: Models, grouped: Callable[[Foretold], tuple[Ints, Sequence[str]]]) -> Iterator[Row]:
    """By a group of each side; a game has two sides, each with its own expectation and score."""
    for name, games in shared.items():
        groups, names = grouped(games)
        score, expected = (np.concatenate([each, 1 - each]) for each in (games.score, games.expected))
        chosen = groups >= 0
        events = np.concatenate([games.event, games.event])[chosen]
        found = [values[chosen] for values in (expected, score, *losses(expected, score))]
        rows = measured(found, events, groups[chosen], len(names))
        sizes = np.bincount(groups[chosen], minlength=len(names)).tolist()
        for group, size, row in zip(names, sizes, rows, strict=True):
            if size:
                yield name, group, size, row[0], *row[3:]


def _age_groups(games: Foretold) -> tuple[Ints, Sequence[str]]:
    """The age group of White in each game, then of Black."""
    age = ages(games).ravel()
    groups = np.searchsorted(AGES, np.nan_to_num(age), side="right")
    return np.where(np.isnan(age), len(AGES) + 1, groups), AGE_GROUPS


def _k_groups(games: Foretold) -> tuple[Ints, Sequence[str]]:
    """By the K that White's rating changes by, then Black's; -1 where a side is not rated."""
    k = games.k.ravel()
    found = np.unique(k[k != MISSING])
    return np.where(k == MISSING, -1, np.searchsorted(found, k)), [str(value) for value in found.tolist()]
