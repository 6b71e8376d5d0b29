"""Which numbers of a rule book predict best, one list ahead: each is tried by itself at several values.

Of a number's values those are as good as the best that lose no more than one standard error beyond it
(Breiman, Friedman, Olshen, Stone, "Classification and regression trees", 1984), or too little to matter. Of
these the one nearest to the book's own is chosen. So it is, too, for each part of the history by the parts
before it: what that choice loses was not known to it.

Another value is said to predict better where its difference is no chance among all values of all numbers, and
that of the choice by the parts before is none among all numbers. The scale of the table is tried on forecasts
alone. There the errors of ratings look like a wider scale, so others are compared with what errors explain
(`calibration`): what fits best as far as errors may widen the printed one.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from banzuke.columnar.twin import twin_of
from banzuke.core.rulebook import ChessBook
from banzuke.engine.columnar.readable_lists import read_any
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.lab.calibration import SCALES, calibrate, noise_notes, scale_rows
from banzuke.lab.comparison import READABLE, run_variants
from banzuke.lab.finished_parts import digest_of_ledger
from banzuke.lab.fit_values import (
    SCALE_TIMES,
    TABLE_SCALE,
    Grid,
    Subject,
    expectations,
    grid_of,
    shown,
    subject_of,
)
from banzuke.lab.forecast_scores import losses, parts_of
from banzuke.lab.forecasts import Forecasts
from banzuke.lab.intervals import CONFIDENCE, Clusters, Intervals, adjust_chances, clusters_of, mean_intervals
from banzuke.lab.overrides import AS_PRINTED, Value
from banzuke.lab.parallel_runs import Findings, Spread
from banzuke.lab.prediction import forecasts_of, load_or_make
from banzuke.lab.sheets import Cell, Sheet, figure, note, sheet_of, with_ends
from banzuke.lab.true_expectation import Floats, Ints, expectation_of
from banzuke.lab.variants import Variant, pool_of
from banzuke.words import LANGUAGES

Row = tuple[Cell, ...]
#: What variants expect of games, by their names; what they lose in each game of the history (without those
#: that cannot rate the ledger).
Expect = Callable[[Sequence[Variant]], dict[str, Findings]]
Lost = Callable[[Sequence[Variant]], dict[str, Floats]]

#: A difference in log loss below the first is little, be it chance or not; one beyond the second is much.
LITTLE, MUCH = 0.001, 0.005
#: A value that forecasts nothing of a game says one half.
UNKNOWN = 0.5
NAMED = ("number", *(f"label_{lang}" for lang in LANGUAGES))
FIT = (
    *NAMED, "value", "best", "as_good", *with_ends("log_loss"), "clusters", "chance", *with_ends("by_choice"),
    "chance_by_choice", "finding",
)  # fmt: skip
VALUES = (*NAMED, "tried", "is_own", "is_as_good", *with_ends("log_loss"), "clusters", "chance")
TOGETHER = ("fifth", "changes", "games", *with_ends("log_loss"), "clusters")
#: What is found of a number: another value predicts better; others predict worse; none could gain much; the
#: games do not tell; none has an effect.
BETTER, RIGHT, HARDLY, OPEN, NOTHING = FINDINGS = ("better", "right", "hardly", "open", "nothing")
#: Which part of the history is meant: all but the first, or what comes.
ALL_LATER, FROM_NOW = "later", "from-now"


class Tried(NamedTuple):
    """A number's values in their order, and what each loses: a row a value, a column a game.

    `own` is the row of the value that the others are compared with.
    """

    name: str
    values: Sequence[Value]
    own: int
    loss: Floats

    @property
    def less(self) -> Floats:
        """What each loses less what its own value does."""
        less: Floats = self.loss - self.loss[self.own]
        return less


class Judged(NamedTuple):
    """What is found of a number.

    `less` is each value's loss less that of its own, `good` which are as good as the best; `chosen` the row
    that is chosen for each part of the history by those before it, `later` what that loses less; `last` the
    row that is chosen by the whole history.
    """

    tried: Tried
    less: Intervals
    good: Any
    chosen: Mapping[int, int]
    later: Intervals
    last: int

    @property
    def best(self) -> int:
        """The row of what loses least; of several the nearest to its own."""
        mean = self.less.mean[:, 0]
        return int(np.lexsort((np.abs(np.arange(len(mean)) - self.tried.own), mean))[0])


class History(NamedTuple):
    """The games that are forecast, what hangs together, and the part of the history that each is in."""

    games: Forecasts
    clusters: Clusters
    parts: Ints

    @property
    def later(self) -> list[int]:
        """The parts that have parts before them."""
        found: list[int] = np.unique(self.parts)[1:].tolist()
        return found


def fit(
    folder: Path,
    books: Sequence[str],
    settings: Sequence[str],
    until: str | None = None,
    *,
    kept: Path | None = None,
    progress: Progress = no_progress,
    spread: Spread | None = None,
) -> tuple[Subject, list[Sheet]]:
    """What is fitted, and the sheets: numbers, values, what choosing would have gained, the scale.

    The last book of the pool, or the one that is named, rates the whole history. Settings are as
    `variants_of` takes them, or names alone; without any, all numbers are tried that forecasts may depend on.
    What a value forecasts is kept in the folder `kept`. Raises RefusedError, UnknownListError for an `until`
    that is no list, OSError.
    """
    columns = read_any(folder)
    subject = subject_of(columns.pool, books)
    grid = grid_of(subject, settings)
    progress(0, 1, subject.book.name)
    key = (Forecasts._fields, digest_of_ledger(folder), until)
    base = load_or_make(kept, key, Forecasts, subject.own, lambda: forecasts_of(columns, until, subject.own))
    each_counts = READABLE if pool_of(columns.pool, subject.own).book_without_twin else 1

    def expect(variants: Sequence[Variant]) -> dict[str, Findings]:
        work = len(base.of) * len(variants) * each_counts
        return run_variants(
            folder, work, variants, until, task=expectations, kept=kept, progress=progress, spread=spread
        )

    return subject, fit_sheets(subject, grid, base, expect)


def fit_sheets(subject: Subject, grid: Grid, base: Forecasts, expect: Expect) -> list[Sheet]:
    """The sheets, from what the book's own numbers forecast, and what it expects at others."""
    games = base.take(~np.isnan(base.expected))
    if not len(games.of):
        return []
    history = History(games, clusters_of(games.event, games.white, games.black), parts_of(games.place))

    def lost(variants: Sequence[Variant]) -> dict[str, Floats]:
        found = expect(variants)
        return {name: _loss(games, *each.values()) for name, each in found.items() if len(each["of"])}

    tried = list(_numbers_tried(subject, grid, games, lost))
    scale_sheets = list[Sheet]()
    if TABLE_SCALE in grid and isinstance(subject.book, ChessBook):
        scale_sheets = _try_scales(subject.own.name, subject.book, grid[TABLE_SCALE], history, tried)
    if not tried:
        return []
    judged = judge_all(tried, history)
    together = _together_rows(subject, judged, history, lost)
    return [
        *_sheets(subject, judged, history),
        sheet_of("fit_together", "fitted-together", TOGETHER, together),
        *scale_sheets,
    ]


# What is tried


def _loss(games: Forecasts, of: Ints, expected: Floats) -> Floats:
    """What those expectations lose in the games, each found by its number."""
    at = np.minimum(np.searchsorted(of, games.of), len(of) - 1)
    known = np.where(of[at] == games.of, expected[at], np.nan)
    return losses(np.nan_to_num(known, nan=UNKNOWN), games.score).log


def _numbers_tried(subject: Subject, grid: Grid, games: Forecasts, lost: Lost) -> Iterator[Tried]:
    """Each number at its values, as far as the ledger can be rated with them."""
    grid = {name: values for name, values in grid.items() if name != TABLE_SCALE}
    variants = {(name, value): subject.at({name: value}) for name in grid for value in grid[name]}
    found, base = lost(list(variants.values())), losses(games.expected, games.score).log
    for name, values in grid.items():
        own, by_value = subject.value_of(name), {}
        for value in values:
            if (loss := found.get(variants[name, value].name)) is not None:
                by_value[value] = loss
        by_value[own] = base
        known = list(by_value)
        if isinstance(own, int) and AS_PRINTED.get(name) != own:
            known.sort()
        yield Tried(name, known, known.index(own), np.stack([by_value[value] for value in known]))


def _try_scales(
    name: str, book: ChessBook, scales: Sequence[Value], history: History, tried: list[Tried]
) -> list[Sheet]:
    """Add the scale of the table to what is tried; the sheet of the one that fits best."""
    games, curve = history.games, expectation_of(book)
    table = twin_of(book).table if book.twin else None
    found = calibrate({name: games}, history.clusters, table or curve)
    rows = list(scale_rows(found))
    cells = dict(zip(SCALES, rows[0], strict=True)) if rows else {}
    printed, noise, fitted = (cells.get(name) for name in ("scale_table", "scale_noise", "scale"))
    if not (isinstance(printed, float) and isinstance(noise, float) and isinstance(fitted, float)):
        return []
    explained = min(max(fitted, printed), max(noise, printed))
    usual = [round(printed * by, -1) for by in SCALE_TIMES]
    values = sorted({round(float(each)) for each in (*(scales or usual), printed, explained)})
    leads = (np.rint(np.nan_to_num(games.lead) * printed / value) for value in values)
    loss = np.stack([losses(curve(lead), games.score).log for lead in leads])
    tried.append(Tried(TABLE_SCALE, values, values.index(round(explained)), loss))
    return [sheet_of("scales", "predicted-scales", SCALES, rows, noise_notes(found))]


# What is found


def judge_all(tried: Sequence[Tried], history: History) -> list[Judged]:
    """What is found of each number, among all their values that have an effect."""
    among = max(1, sum(len(each.values) - 1 for each in tried if each.less.any()))
    cuts = {part: np.flatnonzero(history.parts < part) for part in history.later}
    known = {part: (rows, history.clusters.take(rows)) for part, rows in cuts.items()}
    later = np.flatnonzero(history.parts > history.parts.min())
    judged = []
    for each in tried:
        chosen = {part: choose_nearest(each, *known[part])[0] for part in known}
        last, good = choose_nearest(each, np.arange(each.loss.shape[1]), history.clusters)
        row = np.array([chosen.get(part, each.own) for part in range(int(history.parts.max()) + 1)])
        less, of_choice = each.less, row[history.parts]
        gained = less[of_choice[later], later]
        judged.append(
            Judged(
                each,
                mean_intervals(less, history.clusters, among=among),
                good,
                chosen,
                mean_intervals(gained, history.clusters.take(later)),
                last,
            )
        )
    return judged


def choose_nearest(tried: Tried, rows: Ints, clusters: Clusters) -> tuple[int, Any]:
    """By some games: of the values that are as good as the best the nearest to its own; which these are."""
    if not tried.less.any():
        return tried.own, np.ones(len(tried.values), np.bool_)
    loss = tried.loss[:, rows]
    found = mean_intervals(loss - loss[loss.mean(1).argmin()], clusters)
    good = ~(found.mean[:, 0] > np.fmax(found.error[:, 0], LITTLE))
    distance = np.abs(np.arange(len(good)) - tried.own) + np.where(good, 0, len(good))
    return int(np.lexsort((found.mean[:, 0], distance))[0]), good


def finding_of(judged: Judged, chances: Floats, chance_by_choice: float) -> str:
    """What is found of a number; `chances` are those of its values among all, and so is the other."""
    best, own, mean = judged.best, judged.tried.own, judged.less.mean[:, 0]
    if not judged.tried.less.any():
        return NOTHING
    is_sure = chances[best] < 1 - CONFIDENCE and chance_by_choice < 1 - CONFIDENCE
    if best != own and is_sure and judged.later.mean[0, 0] < 0:
        return BETTER
    if judged.good[own] and ((chances < 1 - CONFIDENCE) & (mean >= LITTLE)).any():
        return RIGHT
    low = judged.less.low[:, 0]
    return HARDLY if (np.delete(low, own) > -MUCH).all() else OPEN


def _sheets(subject: Subject, judged: Sequence[Judged], history: History) -> Iterator[Sheet]:
    """The sheet of numbers, the most urgent first, and that of their values."""
    sizes = [len(each.tried.values) for each in judged]
    every = np.concatenate([each.less.chance[:, 0] for each in judged])
    chances = np.split(adjust_chances(every), np.cumsum(sizes)[:-1])
    by_choice = adjust_chances(np.array([each.later.chance[0, 0] for each in judged]))
    found = [finding_of(*each) for each in zip(judged, chances, by_choice, strict=True)]
    order = sorted(
        range(len(judged)), key=lambda at: (FINDINGS.index(found[at]), judged[at].less.mean[:, 0].min())
    )
    rows, values = list[Row](), list[Row]()
    for at in order:
        name, own = judged[at].tried.name, judged[at]
        named = name, *(subject.label(name, lang) for lang in LANGUAGES)
        texts = [shown(name, value) for value in own.tried.values]
        good = ", ".join(text for text, is_good in zip(texts, own.good, strict=True) if is_good)
        chance = [figure(each) for each in chances[at]]
        of_best = (texts[own.tried.own], texts[own.best], good, *own.less.row(own.best), chance[own.best])
        rows.append((*named, *of_best, *own.later.row(0)[:3], figure(by_choice[at]), found[at]))
        for place, text in enumerate(texts):
            is_own = place == own.tried.own
            values.append((*named, text, is_own, bool(own.good[place]), *own.less.row(place), chance[place]))
    games, tried = f"{len(history.games.of):,}", sum(sizes) - len(sizes)
    notes = (note("fitted-numbers", games=games, tried=tried),)
    yield sheet_of("fit", "fitted-best", FIT, rows, notes)
    yield sheet_of("fit_values", "fitted-values", VALUES, values)


def _together_rows(subject: Subject, judged: Sequence[Judged], history: History, lost: Lost) -> Iterator[Row]:
    """For each part of history all numbers at once, as the parts before chose them; these parts as one."""

    def changes(part: int | None) -> dict[str, Value]:
        rows = [(each.tried, each.last if part is None else each.chosen[part]) for each in judged]
        return {
            tried.name: tried.values[row]
            for tried, row in rows
            if row != tried.own and tried.name != TABLE_SCALE
        }

    def text(changed: Mapping[str, Value]) -> str:
        return ", ".join(f"{name}={value}" for name, value in changed.items())

    chosen = {part: changes(part) for part in history.later}
    variants = {part: subject.at(changed) for part, changed in chosen.items() if changed}
    found = lost(list(dict.fromkeys(variants.values()))) if variants else {}
    base = losses(history.games.expected, history.games.score).log
    less = np.zeros(len(base))
    for part, changed in chosen.items():
        rows = np.flatnonzero(history.parts == part)
        less[rows] = (found.get(variants[part].name, base) - base)[rows] if changed else 0
        gained = mean_intervals(less[rows], history.clusters.take(rows))
        yield str(part + 1), text(changed), len(rows), *gained.cells(0)
    later = np.flatnonzero(history.parts > history.parts.min())
    yield ALL_LATER, "", len(later), *mean_intervals(less[later], history.clusters.take(later)).cells(0)
    yield FROM_NOW, text(changes(None)), None, None, None, None, None
