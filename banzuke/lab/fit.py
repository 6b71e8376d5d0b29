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
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from banzuke.columnar.twin import twin_of
from banzuke.core.rulebook import ChessBook
from banzuke.engine.columnar.readable_lists import read_any
from banzuke.engine.finished_parts import digest_of_ledger
from banzuke.engine.parallel_runs import Findings
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.lab.calibration import calibrate, noise_notes, scale_rows
from banzuke.lab.comparison import Question, run_variants
from banzuke.lab.fit_values import TABLE_SCALE, Grid, Subject, expectations, grid_of, shown, subject_of
from banzuke.lab.forecasts import PARTS, Forecasts, losses, parts_of
from banzuke.lab.intervals import Clusters, Intervals, adjust_chances, clusters_of, mean_intervals
from banzuke.lab.overrides import AS_PRINTED, Value
from banzuke.lab.prediction import forecasts_of, load_or_make
from banzuke.lab.sheets import CONFIDENCE, Cell, Sheet, figure, header_of, named_sheet, note
from banzuke.lab.true_expectation import Floats, Ints, expectation_of
from banzuke.lab.variants import Variant
from banzuke.words import LANGUAGES

Row = tuple[Cell, ...]
#: What variants expect of games, by their names; what they lose in each game of the history (without those
#: that cannot rate the ledger).
Expect = Callable[[Sequence[Variant]], dict[str, Findings]]
Lost = Callable[[Sequence[Variant]], dict[str, Floats]]

#: A difference in log loss below the first is little, be it chance or not; one beyond the second is much.
LITTLE, MUCH = 0.001, 0.005
#: The scale of the table is tried at so many times its value.
SCALE_TIMES = (0.75, 1.25, 1.5, 1.75, 2)
#: A value that forecasts nothing of a game says one half.
UNKNOWN = 0.5
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
        return np.asarray(self.loss - self.loss[self.own])


class Judged(NamedTuple):
    """What is found of a number.

    `less` is each value's loss less that of its own, `good` which are as good as the best; `chosen` the row
    that is chosen for each part of the history by those before it (of `PARTS`: by the whole history), `later`
    what that loses less.
    """

    tried: Tried
    less: Intervals
    good: Any
    chosen: Mapping[int, int]
    later: Intervals

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
        return [*map(int, np.unique(self.parts)[1:])]

    def mean_in(self, parts: Sequence[int], less: Floats, **how: Any) -> tuple[int, Intervals]:
        """How many games of some parts there are, and the mean of differences in them."""
        rows = np.flatnonzero(np.isin(self.parts, parts))
        return len(rows), mean_intervals(less[..., rows], self.clusters.take(rows), **how)


def fit(folder: Path, question: Question, progress: Progress = no_progress) -> tuple[Subject, list[Sheet]]:
    """What is fitted, and the sheets: numbers, values, what choosing would have gained, the scale.

    The last book of the pool, or the one that is named, rates the whole history. Settings are as
    `variants_of` takes them, or names alone; without any, all numbers are tried that forecasts may depend on.
    What a value forecasts is kept. Raises RefusedError, UnknownListError for an `until` that is no list,
    OSError.
    """
    columns, until = read_any(folder), question.until
    subject = subject_of(columns.pool, question.books)
    grid = grid_of(subject, question.settings)
    progress(0, 1, subject.book.name)
    key = (Forecasts._fields, digest_of_ledger(folder), until)
    base = load_or_make(
        question.kept, key, Forecasts, subject.own, partial(forecasts_of, columns, until, subject.own)
    )
    how: Any = {"question": question, "progress": progress, "task": expectations}
    return subject, fit_sheets(subject, grid, base, partial(run_variants, folder, columns, **how))


def fit_sheets(subject: Subject, grid: Grid, base: Forecasts, expect: Expect) -> list[Sheet]:
    """The sheets, from what the book's own numbers forecast, and what it expects at others."""
    games = base.take(~np.isnan(base.expected))
    if not len(games.of):
        return []
    history = History(games, clusters_of(games.event, games.white, games.black), parts_of(games.place))

    def lost(variants: Sequence[Variant]) -> dict[str, Floats]:
        found = expect(variants)
        return {name: _loss(games, *each.values()) for name, each in found.items() if len(each["of"])}

    tried, scale_sheets = list(_numbers_tried(subject, grid, games, lost)), list[Sheet]()
    if TABLE_SCALE in grid and isinstance(subject.book, ChessBook):
        scale_sheets = _try_scales(subject.own.name, subject.book, grid[TABLE_SCALE], history, tried)
    if not tried:
        return []
    judged = judge_all(tried, history)
    together = _together_rows(subject, judged, history, lost)
    return [*_sheets(subject, judged, history), named_sheet("fit_together", together), *scale_sheets]


def _loss(games: Forecasts, of: Ints, expected: Floats) -> Floats:
    """What those expectations lose in the games, each found by its number."""
    at = np.minimum(np.searchsorted(of, games.of), len(of) - 1)
    known = np.where(of[at] == games.of, expected[at], np.nan)
    return losses(np.nan_to_num(known, nan=UNKNOWN), games.score).log


def _numbers_tried(subject: Subject, grid: Grid, games: Forecasts, lost: Lost) -> Iterator[Tried]:
    """Each number at its values, as far as the ledger can be rated with them."""
    numbers = [name for name in grid if name != TABLE_SCALE]
    variants = {name: {value: subject.at({name: value}) for value in grid[name]} for name in numbers}
    found = lost([variant for own in variants.values() for variant in own.values()])
    base = losses(games.expected, games.score).log
    for name, at in variants.items():
        own = subject.value_of(name)
        by_value = {value: found[each.name] for value, each in at.items() if each.name in found} | {own: base}
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
    cells = dict(zip(header_of("scales"), rows[0], strict=True)) if rows else {}
    printed, noise, fitted = (cells.get(name) for name in ("scale_table", "scale_noise", "scale"))
    if not (isinstance(printed, float) and isinstance(noise, float) and isinstance(fitted, float)):
        return []
    explained = min(max(fitted, printed), max(noise, printed))
    usual = [round(printed * by, -1) for by in SCALE_TIMES]
    values = sorted({round(float(each)) for each in (*(scales or usual), printed, explained)})
    leads = (np.rint(np.nan_to_num(games.lead) * printed / value) for value in values)
    loss = np.stack([losses(curve(lead), games.score).log for lead in leads])
    tried.append(Tried(TABLE_SCALE, values, values.index(round(explained)), loss))
    return [named_sheet("scales", rows, noise_notes(found))]


def judge_all(tried: Sequence[Tried], history: History) -> list[Judged]:
    """What is found of each number, among all their values that have an effect."""
    among = max(1, sum(len(each.values) - 1 for each in tried if each.less.any()))
    cuts = {part: np.flatnonzero(history.parts < part) for part in (*history.later, PARTS)}
    known = {part: (rows, history.clusters.take(rows)) for part, rows in cuts.items()}
    judged = []
    for each in tried:
        choices = {part: choose_nearest(each, *before) for part, before in known.items()}
        chosen = {part: row for part, (row, _) in choices.items()}
        row = np.array([chosen.get(part, each.own) for part in range(PARTS)])[history.parts]
        _, later = history.mean_in(history.later, each.less[row, np.arange(len(row))])
        less = mean_intervals(each.less, history.clusters, among=among)
        judged.append(Judged(each, less, choices[PARTS][1], chosen, later))
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
    is_sure = chances < 1 - CONFIDENCE
    is_chosen = chance_by_choice < 1 - CONFIDENCE and judged.later.mean[0, 0] < 0
    if best != own and is_sure[best] and is_chosen:
        return BETTER
    if judged.good[own] and (is_sure & (mean >= LITTLE)).any():
        return RIGHT
    return HARDLY if (np.delete(judged.less.low[:, 0], own) > -MUCH).all() else OPEN


def _sheets(subject: Subject, judged: Sequence[Judged], history: History) -> Iterator[Sheet]:
    """The sheet of numbers, the most urgent first, and that of their values."""
    ends = np.cumsum([len(each.tried.values) for each in judged])
    chances = adjust_chances(np.concatenate([each.less.chance[:, 0] for each in judged]))
    by_choice = adjust_chances(np.array([each.later.chance[0, 0] for each in judged])).tolist()
    found = list(zip(judged, np.split(chances, ends[:-1]), by_choice, strict=True))
    found.sort(key=lambda each: (FINDINGS.index(finding_of(*each)), each[0].less.mean.min()))
    rows, values = list[Row](), list[Row]()
    for own, chance, chance_by_choice in found:
        name, less, best = own.tried.name, own.less, own.best
        named = name, *(subject.label(name, lang) for lang in LANGUAGES)
        texts = [shown(name, value) for value in own.tried.values]
        good = ", ".join(text for text, is_good in zip(texts, own.good, strict=True) if is_good)
        of_best = texts[own.tried.own], texts[best], good, *less.cells(0, best), figure(chance[best])
        of_choice = *own.later.cells()[:3], figure(chance_by_choice)
        rows.append((*named, *of_best, *of_choice, finding_of(own, chance, chance_by_choice)))
        for at, text in enumerate(texts):
            is_own, is_good = at == own.tried.own, bool(own.good[at])
            values.append((*named, text, is_own, is_good, *less.cells(0, at), figure(chance[at])))
    notes = note("fitted-numbers", games=f"{len(history.games.of):,}", tried=len(values) - len(rows))
    yield named_sheet("fit", rows, (notes,))
    yield named_sheet("fit_values", values)


def _together_rows(subject: Subject, judged: Sequence[Judged], history: History, lost: Lost) -> Iterator[Row]:
    """For each part of history all numbers at once, as the parts before chose them; these parts as one."""
    chosen = {
        part: {
            each.tried.name: each.tried.values[each.chosen[part]]
            for each in judged
            if each.chosen[part] != each.tried.own and each.tried.name != TABLE_SCALE
        }
        for part in (*history.later, PARTS)
    }
    texts = {
        part: ", ".join(f"{name}={value}" for name, value in own.items()) for part, own in chosen.items()
    }
    variants = {part: subject.at(chosen[part]) for part in history.later if chosen[part]}
    found = lost(list(dict.fromkeys(variants.values()))) if variants else {}
    base = losses(history.games.expected, history.games.score).log
    less = np.zeros(len(base))
    for part, variant in variants.items():
        less += np.where(history.parts == part, found.get(variant.name, base) - base, 0)
    for part in history.later:
        games, gained = history.mean_in([part], less)
        yield str(part + 1), texts[part], games, *gained.cells()
    games, gained = history.mean_in(history.later, less)
    yield ALL_LATER, "", games, *gained.cells()
    yield FROM_NOW, texts[PARTS], *[None] * len(header_of("fit_together")[2:])
