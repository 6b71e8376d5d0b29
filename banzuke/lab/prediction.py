"""One list ahead: how well each rule book forecasts results, beside other rating systems on the same games.

Every model is judged on the games that all of them forecast. What a model forecasts is kept, so that an
interrupted run goes on where it was. In Go, a game on the regular terms for its players' ranks ought to be
even: there the gap is what handicap and komi leave.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from banzuke.columnar.batch_columns import MISSING, Int32s
from banzuke.engine.columnar.chess_reader import ChessColumns
from banzuke.engine.columnar.columnar_history import opening
from banzuke.engine.columnar.go_reader import GoColumns
from banzuke.engine.columnar.readable_lists import read_any
from banzuke.engine.go_history import moment
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.lab.chess_histories import rated_lists
from banzuke.lab.finished_parts import digest_of_ledger, load_part, store_part
from banzuke.lab.forecast_scores import FEWEST_EVENTS, losses, means
from banzuke.lab.forecasts import Forecasts, ages, forecast_lists
from banzuke.lab.go_forecasts import elo_of_a_rank, forecast_go, go_openings
from banzuke.lab.peer_systems import MOST_FITTED, PEERS, peer_expects, peers_for
from banzuke.lab.sheets import Cell, Sheet, figure, note, sheet_of, with_ends
from banzuke.lab.true_expectation import SCALE, Floats, Ints, Truth, printed_table
from banzuke.lab.variants import Variant, other_books, variants_of
from banzuke.ledger.pool_rules import go_book
from banzuke.ledger.reforms import Reform

Models = Mapping[str, Forecasts]
Row = tuple[Cell, ...]

#: Gaps of ratings are counted by steps so wide, gaps of ranks by half ranks.
STEP, STEPS_A_RANK = 100, 2
#: Where age groups begin, in years on 1 January, and what they are called.
AGES = (13, 19, 30, 50, 65)
AGE_GROUPS = ("0-12", "13-18", "19-29", "30-49", "50-64", "65-", "unknown")

MEASURED = with_ends("log_loss", "brier", "accuracy")
SCORES = ("variant", "foretold", "games", *MEASURED)
DIFFERENCES = ("variant", "games", *MEASURED)
CALIBRATION = (
    "variant", "gap_from", "gap_to", "games", "wins", "draws", "losses", "table", "counted", "scored", "low",
    "high",
)  # fmt: skip
CALIBRATION_RANKS = (
    "variant", "ranks_from", "ranks_to", "games", "wins", "losses", "counted", "scored", "low", "high",
)  # fmt: skip
BY_GROUP = ("variant", "group", "sides", "expected", "scored", "low", "high", *MEASURED)
BY_STONES = ("variant", "stones", "games", "expected", "scored", "low", "high")


def predict(
    folder: Path,
    books: Sequence[str],
    settings: Sequence[str],
    until: str | None = None,
    reforms: Sequence[Reform] = (),
    *,
    kept: Path | None = None,
    progress: Progress = no_progress,
) -> list[Sheet]:
    """How well the variants that `variants_of` makes, and the peers, forecast the games of a ledger.

    Where nothing is asked for, every book that could rate a pool of chess is a variant. What each model
    forecasts is kept in the folder `kept`; `progress(done, all, model)` is called before each. Raises
    RefusedError, UnknownListError for an `until` that is no list (of Go: no moment), OSError.
    """
    columns = read_any(folder)
    if isinstance(columns, GoColumns):
        moment(until)
    elif not (books or settings or reforms):
        books = other_books(columns.pool)
    variants = variants_of(columns.pool, books, settings, reforms)
    key = (Forecasts._fields, digest_of_ledger(folder), until)
    return score_sheets(
        columns, _run_models(columns, variants, until, partial(_load_or_make, kept, key), progress)
    )


def _run_models(
    columns: ChessColumns | GoColumns,
    variants: Sequence[Variant],
    until: str | None,
    keep: Callable[[object, Callable[[], Forecasts]], Forecasts],
    progress: Progress,
) -> dict[str, Forecasts]:
    """What each variant forecasts, and each peer of the games that the first one has."""
    models: dict[str, Forecasts] = {}
    total = len(variants) + len(PEERS)
    for variant in variants:
        progress(len(models), total, variant.name)
        models[variant.name] = keep(variant, partial(_by_variant, columns, until, variant))
    first = next(iter(models.values()))
    for peer in peers_for(first):
        progress(len(models), total, peer)
        models[peer] = keep(peer, partial(_by_peer, columns, peer, first))
    progress(total, total, "")
    return models


def _by_variant(columns: ChessColumns | GoColumns, until: str | None, variant: Variant) -> Forecasts:
    """What a variant forecasts of all games that were played."""
    if isinstance(columns, GoColumns):
        return forecast_go(columns, variant, until)
    lists = rated_lists(columns, variant, until)
    return forecast_lists(lists, columns.pool.speeds, len(columns.player_ids))


def _by_peer(columns: ChessColumns | GoColumns, peer: str, games: Forecasts) -> Forecasts:
    """What a peer forecasts of those games; its gap is that which its expectation stands for.

    A gap is counted in Elo points, of Go in ranks.
    """
    if isinstance(columns, GoColumns):
        a_step = elo_of_a_rank(go_book(columns.pool.editions[0]))
        openings = [go_openings(columns, a_step)]
    else:
        a_step, rows = 1.0, opening(columns).value
        openings = [{p: float(row[p]) for p in np.flatnonzero(row != MISSING).tolist()} for row in rows]
    expected = peer_expects(peer, games, openings)
    sure = np.clip(expected, np.finfo(float).eps, 1 - np.finfo(float).eps)
    return games._replace(expected=expected, gap=SCALE * np.log10(sure / (1 - sure)) / a_step)


def _load_or_make(kept: Path | None, key: object, model: object, make: Callable[[], Forecasts]) -> Forecasts:
    """The kept forecasts of a model for this key; made now if none is kept, or its file is damaged."""
    arrays = load_part(kept, (key, model))
    if arrays is not None:
        return Forecasts(**arrays)
    made = make()
    store_part(kept, (key, model), made._asdict())
    return made


def score_sheets(columns: ChessColumns | GoColumns, models: Models) -> list[Sheet]:
    """All sheets, from what each model forecasts; the first is what the others are compared with."""
    shared = shared_games(models)
    first = next(iter(shared.values()))
    games, events = len(first.of), len(np.unique(first.event))
    if isinstance(columns, GoColumns):
        points = round(elo_of_a_rank(go_book(columns.pool.editions[0])))
        of_games = note("predicted-games-go", games=f"{games:,}", weeks=events, fewest=FEWEST_EVENTS)
        notes = [of_games, note("predicted-go", points=points)]
    else:
        of_games = note("predicted-games", games=f"{games:,}", events=f"{events:,}", fewest=FEWEST_EVENTS)
        notes = [of_games, note("predicted-draws")]
    if "whole-history" not in models:
        notes.append(note("predicted-too-many", most=f"{MOST_FITTED:,}"))
    sheets = [
        sheet_of("scores", "predicted-scores", SCORES, _score_rows(models, shared), tuple(notes)),
        sheet_of("score_differences", "predicted-differences", DIFFERENCES, _difference_rows(shared)),
        *(_go_sheets(columns, shared) if isinstance(columns, GoColumns) else _chess_sheets(columns, shared)),
    ]
    return [sheets[0], *(replace(sheet, notes=(of_games,)) for sheet in sheets[1:])]


def _chess_sheets(columns: ChessColumns, shared: Models) -> Iterator[Sheet]:
    table = printed_table(edition.book for edition in reversed(columns.pool.editions))
    yield sheet_of("calibration", "predicted-calibration", CALIBRATION, _calibration_rows(shared, table))
    yield sheet_of("by_age", "predicted-by-age", BY_GROUP, _group_rows(shared, _age_groups))
    yield sheet_of("by_k", "predicted-by-k", BY_GROUP, _group_rows(shared, _k_groups))


def _go_sheets(columns: GoColumns, shared: Models) -> Iterator[Sheet]:
    name, title = "calibration_ranks", "predicted-calibration-ranks"
    yield sheet_of(name, title, CALIBRATION_RANKS, _rank_calibration_rows(shared))
    yield sheet_of("by_stones", "predicted-by-stones", BY_STONES, _stones_rows(columns, shared))


def shared_games(models: Models) -> dict[str, Forecasts]:
    """Of each model the games that all forecast, in one order."""
    known = {name: games.take(~np.isnan(games.expected)) for name, games in models.items()}
    shared: Ints | None = None
    for games in known.values():
        shared = games.of if shared is None else np.intersect1d(shared, games.of, assume_unique=True)
    return {name: _in_order(games, shared) for name, games in known.items() if shared is not None}


def _in_order(games: Forecasts, of: Ints) -> Forecasts:
    order = np.argsort(games.of)
    return games.take(order[np.searchsorted(games.of[order], of)])


def _mean_rows(values: Sequence[Floats], events: Int32s, groups: Ints, count: int) -> list[Row]:
    """Mean, low and high of each of the values, a row for each group; blank where there is no number."""
    columns = [column for each in values for column in means(each, events, groups, count)]
    return [tuple(figure(value) for value in row) for row in zip(*columns, strict=True)]


def _group_means(
    values: Sequence[Floats], events: Int32s, groups: Ints, least: int = 0
) -> Iterator[tuple[int, int, Row]]:
    """Each group that is not empty, of `least` or more: its number, its size and its row of means."""
    sizes = np.bincount(groups, minlength=least).tolist()
    rows = _mean_rows(values, events, groups, len(sizes))
    return (found for found in zip(range(len(sizes)), sizes, rows, strict=True) if found[1])


def _means(games: Forecasts, values: Sequence[Floats]) -> Row:
    """The same of all games together."""
    (row,) = _mean_rows(values, games.event, np.zeros(len(games.of), np.int64), 1)
    return row


def _score_rows(models: Models, shared: Models) -> Iterator[Row]:
    """How well each model forecasts the games that all do; how many it forecasts itself."""
    for name, games in shared.items():
        forecast = int(np.count_nonzero(~np.isnan(models[name].expected)))
        yield name, forecast, len(games.of), *_means(games, losses(games.expected, games.score))


def _difference_rows(shared: Models) -> Iterator[Row]:
    """Each model's losses less those of the first, game by game."""
    (_, first), *others = shared.items()
    base = losses(first.expected, first.score)
    for name, games in others:
        own = losses(games.expected, games.score)
        less = [mine - theirs for mine, theirs in zip(own, base, strict=True)]
        yield name, len(games.of), *_means(games, less)


def _from_the_side_ahead(games: Forecasts) -> tuple[Floats, Floats, Floats]:
    """Gap, expectation and score, seen from the side ahead (White's, where neither is)."""
    is_white = games.gap >= 0
    expected = np.where(is_white, games.expected, 1 - games.expected)
    return np.abs(games.gap), expected, np.where(is_white, games.score, 1 - games.score)


def _calibration_rows(shared: Models, table: Truth) -> Iterator[Row]:
    """By gap, seen from the higher rated side, beside what a printed table expects."""
    for name, games in shared.items():
        gap, expected, score = _from_the_side_ahead(games)
        group = (gap // STEP).astype(np.int64)
        results = [np.bincount(group, score == s).astype(int).tolist() for s in (1, 0.5, 0)]
        for step, size, row in _group_means([table(gap), expected, score], games.event, group):
            ends = [of_result[step] for of_result in results]
            yield name, step * STEP, (step + 1) * STEP, size, *ends, row[0], row[3], *row[6:9]


def _rank_calibration_rows(shared: Models) -> Iterator[Row]:
    """By gap, seen from the side that the terms leave ahead."""
    for name, games in shared.items():
        gap, expected, score = _from_the_side_ahead(games)
        group = np.ceil(gap * STEPS_A_RANK).astype(np.int64)
        wins = np.bincount(group, score).astype(int).tolist()
        for step, size, row in _group_means([expected, score], games.event, group):
            gaps = max(0, step - 1) / STEPS_A_RANK, step / STEPS_A_RANK
            yield name, *gaps, size, wins[step], size - wins[step], row[0], *row[3:6]


def _stones_rows(columns: GoColumns, shared: Models) -> Iterator[Row]:
    """By handicap stones, from the side of White, who gives them."""
    for name, games in shared.items():
        stones = columns.games.handicap[games.of.astype(np.int64)].astype(np.int64)
        for handicap, size, row in _group_means([games.expected, games.score], games.event, stones):
            yield name, handicap, size, row[0], *row[3:6]


def _group_rows(shared: Models, grouped: Callable[[Forecasts], tuple[Ints, Sequence[str]]]) -> Iterator[Row]:
    """By a group of each side; a game has two sides, each with its own expectation and score."""
    for name, games in shared.items():
        groups, names = grouped(games)
        score, expected = (np.concatenate([each, 1 - each]) for each in (games.score, games.expected))
        chosen = groups >= 0
        events = np.concatenate([games.event, games.event])[chosen]
        found = [values[chosen] for values in (expected, score, *losses(expected, score))]
        for group, size, row in _group_means(found, events, groups[chosen], len(names)):
            yield name, names[group], size, row[0], *row[3:]


def _age_groups(games: Forecasts) -> tuple[Ints, Sequence[str]]:
    """The age group of White in each game, then of Black."""
    age = ages(games).ravel()
    groups = np.searchsorted(AGES, np.nan_to_num(age), side="right")
    return np.where(np.isnan(age), len(AGES) + 1, groups), AGE_GROUPS


def _k_groups(games: Forecasts) -> tuple[Ints, Sequence[str]]:
    """By the K that White's rating changes by, then Black's; -1 where a side is not rated."""
    k = games.k.ravel()
    found = np.unique(k[k != MISSING])
    return np.where(k == MISSING, -1, np.searchsorted(found, k)), [str(value) for value in found.tolist()]
