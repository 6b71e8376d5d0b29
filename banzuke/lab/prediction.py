"""One list ahead: how well each rule book forecasts results, beside other rating systems on the same games.

Every model is judged on the games that all of them forecast. What a model forecasts is kept, so that an
interrupted run goes on where it was. In Go, a game on the regular terms for its players' ranks ought to be
even: there the gap is what handicap and komi leave.

That a model is better than the pool's own rules is claimed where two things hold: its difference is no chance
among as many as were tried, and so is that of choosing, for each part of the history, by the parts before.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial, reduce
from pathlib import Path
from typing import TypeVar

import numpy as np

from banzuke.columnar.batch_columns import MISSING
from banzuke.engine.columnar.chess_reader import ChessColumns
from banzuke.engine.columnar.go_reader import GoColumns
from banzuke.engine.columnar.readable_lists import read_any
from banzuke.engine.finished_parts import digest_of_ledger, load_part, store_part
from banzuke.engine.go_history import moment
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.lab.calibration import calibrate, calibration_sheets, curve_of, from_the_side_ahead
from banzuke.lab.chess_histories import rated_lists
from banzuke.lab.comparison import Question
from banzuke.lab.forecasts import (
    PARTS,
    Forecasts,
    ages,
    choose_by_losses,
    forecast_lists,
    loss_intervals,
    losses,
    parts_of,
    sum_parts,
)
from banzuke.lab.go_forecasts import elo_of_a_rank, forecast_go
from banzuke.lab.intervals import Clusters, adjust_chances, clusters_of, mean_intervals, share_intervals
from banzuke.lab.peer_systems import PEERS, Peer, peer_expects
from banzuke.lab.sheets import Cell, Sheet, figure, named_sheet, note
from banzuke.lab.true_expectation import SCALE, Floats, Ints, printed_table
from banzuke.lab.variants import Variant, other_books
from banzuke.ledger.pool_rules import go_book

Models = Mapping[str, Forecasts]
Row = tuple[Cell, ...]
Part = TypeVar("Part", Forecasts, Peer)

#: Gaps of ratings are counted by steps so wide, gaps of ranks by half ranks.
STEP, STEPS_A_RANK = 100, 2
#: Where age groups begin, in years on 1 January, and what they are called.
AGES = (13, 19, 30, 50, 65)
AGE_GROUPS = ("0-12", "13-18", "19-29", "30-49", "50-64", "65-", "unknown")

#: The row of the model that is chosen by the games before; which games are meant.
BY_CHOICE, ALL, BOTH_RATED, ONE_UNRATED = "by-choice", "all", "rated", "unrated"


def predict(folder: Path, question: Question, progress: Progress = no_progress) -> list[Sheet]:
    """How well the variants that are asked for, and the peers, forecast the games of a ledger.

    Where nothing is asked for, every book that could rate a pool of chess is a variant. What each model
    forecasts is kept; `progress(done, all, model)` is called before each. Raises RefusedError,
    UnknownListError for an `until` that is no list (of Go: no moment), OSError.
    """
    columns, until = read_any(folder), question.until
    if isinstance(columns, GoColumns):
        moment(until)
    elif not (question.books or question.settings or question.reforms):
        question = question._replace(books=other_books(columns.pool, columns.events))
    variants = question.variants_of(columns.pool)
    keep = partial(load_or_make, question.kept, (Forecasts._fields, digest_of_ledger(folder), until))
    models: dict[str, Forecasts] = {}
    total = len(variants) + len(PEERS)
    for variant in variants:
        progress(len(models), total, variant.name)
        models[variant.name] = keep(Forecasts, variant, partial(forecasts_of, columns, until, variant))
    first, numbers = models[variants[0].name], {}
    for name in PEERS:
        progress(len(models), total, name)
        peer = keep(Peer, (name, variants[0]), partial(peer_expects, name, first))
        models[name], numbers[name] = _as_forecasts(columns, peer.expected, first), peer.numbers.tolist()
    progress(total, total, "")
    return score_sheets(columns, models, numbers)


def forecasts_of(columns: ChessColumns | GoColumns, until: str | None, variant: Variant) -> Forecasts:
    """What a variant forecasts of all games that were played."""
    if isinstance(columns, GoColumns):
        return forecast_go(columns, variant, until)
    lists = rated_lists(columns, variant, until)
    return forecast_lists(lists, columns.pool.speeds, len(columns.player_ids))


def _as_forecasts(columns: ChessColumns | GoColumns, expected: Floats, games: Forecasts) -> Forecasts:
    """Those games as a peer expects them; its gap is that which its expectation stands for.

    A gap is counted in Elo points, of Go in ranks.
    """
    a_step = elo_of_a_rank(go_book(columns.pool.editions[0])) if isinstance(columns, GoColumns) else 1.0
    sure = np.clip(expected, np.finfo(float).eps, 1 - np.finfo(float).eps)
    gap = np.where(np.isnan(games.gap), np.nan, SCALE * np.log10(sure / (1 - sure)) / a_step)
    return games._replace(expected=expected, gap=gap)


def load_or_make(
    kept: Path | None, key: object, kind: type[Part], decides: object, make: Callable[[], Part]
) -> Part:
    """The kept part for this key; made now if none is kept, or its file is damaged."""
    arrays = load_part(kept, (key, decides), __name__)
    if arrays is not None:
        return kind(**arrays)
    made = make()
    store_part(kept, (key, decides), __name__, made._asdict())
    return made


def score_sheets(
    columns: ChessColumns | GoColumns, models: Models, numbers: Mapping[str, Sequence[int]] | None = None
) -> list[Sheet]:
    """All sheets, from what each model forecasts; the first is what the others are compared with.

    `numbers` are those of the peers (`peer_systems.Peer`).
    """
    shared = shared_games(models)
    first = next(iter(shared.values()))
    clusters = clusters_of(first.event, first.white, first.black)
    games, events = f"{len(first.of):,}", f"{len(np.unique(first.event)):,}"
    if isinstance(columns, GoColumns):
        points = round(elo_of_a_rank(go_book(columns.pool.editions[0])))
        notes = [note("predicted-games-go", games=games, weeks=events), note("predicted-go", points=points)]
        sheets = _go_sheets(columns, shared, clusters)
    else:
        notes = [note("predicted-games", games=games, events=events), note("predicted-draws")]
        sheets = _chess_sheets(columns, shared, clusters)
    for name, own in (numbers or {}).items():
        notes.append(note(f"predicted-{name}", **dict(zip(("one", "other"), own, strict=False))))
    scores = named_sheet("scores", _score_rows(models, shared, clusters), tuple(notes))
    differences = named_sheet("score_differences", _difference_rows(shared, clusters))
    return [scores, differences, *sheets]


def _chess_sheets(columns: ChessColumns, shared: Models, clusters: Clusters) -> Iterator[Sheet]:
    table = printed_table(edition.book for edition in reversed(columns.pool.editions))
    found = calibrate(shared, clusters, table)
    yield from calibration_sheets(found, lambda gap: gap // STEP, lambda at: (at * STEP, (at + 1) * STEP))
    for name, groups in (("by_age", _age_groups), ("by_k", _k_groups)):
        yield named_sheet(name, _group_rows(shared, clusters, groups))


def _go_sheets(columns: GoColumns, shared: Models, clusters: Clusters) -> Iterator[Sheet]:
    def stones(games: Forecasts) -> tuple[Ints, Sequence[Cell]]:
        given = columns.games.handicap[games.of].astype(np.int64)
        return given, range(int(given.max(initial=0)) + 1)

    def ends(step: int) -> tuple[float, float]:
        return max(0, step - 1) / STEPS_A_RANK, step / STEPS_A_RANK

    own = next(iter(shared.values()))
    found = calibrate(shared, clusters, curve_of(*from_the_side_ahead(own)[:2]))
    yield from calibration_sheets(found, lambda gap: np.ceil(gap * STEPS_A_RANK), ends, "ranks")
    yield named_sheet("by_stones", _group_rows(shared, clusters, stones))


def shared_games(models: Models) -> dict[str, Forecasts]:
    """Of each model the games that all forecast, in one order."""
    known = {name: games.take(~np.isnan(games.expected)) for name, games in models.items()}
    shared = reduce(partial(np.intersect1d, assume_unique=True), (games.of for games in known.values()))
    orders = {name: np.argsort(games.of) for name, games in known.items()}
    return {
        name: games.take(orders[name][np.searchsorted(games.of, shared, sorter=orders[name])])
        for name, games in known.items()
    }


def _among(games: Forecasts) -> Iterator[tuple[str, Ints]]:
    """All games; where some have an unrated side, these apart."""
    is_unrated = np.isnan(games.gap)
    yield ALL, np.arange(len(games.of))
    if is_unrated.any():
        yield BOTH_RATED, np.flatnonzero(~is_unrated)
        yield ONE_UNRATED, np.flatnonzero(is_unrated)


def _score_rows(models: Models, shared: Models, clusters: Clusters) -> Iterator[Row]:
    """How well each model forecasts the games that all do; how many it forecasts itself."""
    first = next(iter(shared.values()))
    for name, games in shared.items():
        forecast = int(np.count_nonzero(~np.isnan(models[name].expected)))
        for among, rows in _among(first):
            found = loss_intervals(losses(games.expected[rows], games.score[rows]), clusters.take(rows))
            yield name, among, forecast, len(rows), *found.cells()


def _difference_rows(shared: Models, clusters: Clusters) -> list[Row]:
    """Each model's losses less those of the first, game by game; last those of the choice by earlier games.

    `chance` is that of the difference in log loss, among as many as were tried.
    """
    first, lost = next(iter(shared.values())), [losses(own.expected, own.score) for own in shared.values()]
    less = np.subtract(lost, lost[0])  # by model, measure and game
    rows = list[Row]()
    for among, own in _among(first):
        found = [mean_intervals(each[:, own], clusters.take(own)) for each in less[1:]]
        chances = adjust_chances(np.array([each.chance[0, 0] for each in found])).tolist()
        for name, each, chance in zip(list(shared)[1:], found, chances, strict=True):
            rows.append((name, among, len(own), *each.cells(), figure(chance)))
    if rows:
        parts = parts_of(first.place)
        choice = choose_by_losses(np.array([sum_parts(each[0], parts) for each in less]))[parts]
        later = np.flatnonzero(parts > parts.min(initial=PARTS))
        chosen = mean_intervals(less[choice[later], :, later].T, clusters.take(later))
        rows.append((BY_CHOICE, ALL, len(later), *chosen.cells(), figure(chosen.chance[0, 0])))
    return rows


def _group_rows(
    shared: Models, clusters: Clusters, grouped: Callable[[Forecasts], tuple[Ints, Sequence[Cell]]]
) -> Iterator[Row]:
    """By a group of each game, from White's side, or of each side: a game then has two, White's first."""
    for name, games in shared.items():
        groups, names = grouped(games)
        rows = np.flatnonzero(groups >= 0)
        score, expected = (np.concatenate([each, 1 - each])[rows] for each in (games.score, games.expected))
        own, group = clusters.take(rows % max(1, len(games.of))), groups[rows]
        scored = share_intervals(score, own, group, len(names), expected)
        lost = loss_intervals(losses(expected, score), own, group, len(names))
        means = mean_intervals(expected, own, group, len(names)).mean[0].tolist()
        for place, sides in zip(*np.unique(group, return_counts=True), strict=True):
            ends = scored.cells(place)[:3]
            yield name, names[place], int(sides), means[place], *ends, *lost.cells(place)


def _age_groups(games: Forecasts) -> tuple[Ints, Sequence[str]]:
    """The age group of White in each game, then of Black."""
    return np.searchsorted((*AGES, np.inf), ages(games).ravel(), side="right"), AGE_GROUPS


def _k_groups(games: Forecasts) -> tuple[Ints, Sequence[str]]:
    """By the K that White's rating changes by, then Black's; -1 where a side is not rated."""
    k = games.k.ravel()
    found = np.unique(k[k != MISSING])
    return np.where(k == MISSING, -1, np.searchsorted(found, k)), [*map(str, found.tolist())]
