"""What `lab fit` tries: values of a rule book's numbers, each number by itself; what each value forecasts."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import numpy as np

from banzuke.core.fault import Fault, RefusedError, fault, refuse_any
from banzuke.core.numbers import Number
from banzuke.core.parameters import LARGEST
from banzuke.core.registry import BookError
from banzuke.core.rulebook import ChessBook, RuleBook
from banzuke.engine.columnar.chess_reader import ChessColumns
from banzuke.engine.columnar.go_reader import GoColumns
from banzuke.engine.parallel_runs import Findings
from banzuke.lab import overrides
from banzuke.lab.comparison import Job, read_once
from banzuke.lab.forecasts import no_games
from banzuke.lab.overrides import Override, Value
from banzuke.lab.prediction import forecasts_of
from banzuke.lab.variants import Variant, as_in_pool, pool_of, variants_of
from banzuke.ledger.pool_rules import Pool
from banzuke.words import Language, catalogue, say

Grid = dict[str, list[Value]]

#: The scale of the table as if it were a number of the book: the gap for odds of ten to one.
TABLE_SCALE = "table_scale"
#: A number is tried at so many times its value; at fewer of them by the readable engine, which takes longer.
TIMES, FEW_TIMES = (0.5, 0.75, 1.5, 2), (0.5, 1.5)
POLICIES: Mapping[str, tuple[Value, ...]] = {
    overrides.MOST_CHANGE: (30, 60, 100),
    overrides.CALENDAR: (overrides.WEEKLY,),
}
#: Units of numbers that say when something is played, reported or paid, which forecasts are no judge of.
OF_OFFICES = ("minutes", "days", "day of the month", "yen")


class Subject(NamedTuple):
    """A pool, the book that rates all of it (as a variant), and what may be tried, at its values."""

    pool: Pool
    own: Variant
    book: RuleBook
    known: Mapping[str, overrides.Known]

    def value_of(self, name: str) -> Value:
        """The value that a number has now."""
        each = self.known[name]
        return each.value if isinstance(each, Number) else each

    def at(self, values: Mapping[str, Value]) -> Variant:
        """The book with some numbers at other values."""
        kept = [each for each in self.own.overrides if each.name not in values]
        tried = [Override(self.book.name, name, value) for name, value in values.items()]
        return replace(self.own, overrides=(*kept, *tried))

    def label(self, name: str, lang: Language) -> str:
        """What a number is called in a language; the name of one that has no words."""
        each = self.known.get(name)
        if isinstance(each, Number) and not each.place:
            return each.parameter.label(lang)
        return say("lab", f"number-{name}", lang) if f"number-{name}" in catalogue("lab") else name


def subject_of(pool: Pool, books: Sequence[str]) -> Subject:
    """The book named, else the pool's last one, with the pool's settings. Raises RefusedError."""
    if len(books) > 1:
        raise RefusedError([fault("--books", 0, books[1], "lab-fit-one")])
    variants_of(pool, books, ())
    last = pool.editions[-1].book.name
    is_whole = len(pool.editions) == 1 and list(books) in ([], [last])
    own = Variant() if is_whole else as_in_pool([Variant(books[0] if books else last)], pool)[0]
    rated = pool_of(pool, own)
    book = rated.editions[-1].book
    return Subject(pool, own, book, overrides.known_values(rated, book))


def grid_of(subject: Subject, settings: Sequence[str]) -> Grid:
    """The other values of each number that are tried. Raises RefusedError as `variants_of` does."""
    if not settings:
        usual = {name: _usual(subject, name) for name in subject.known if _is_of_play(subject.known[name])}
        found = {name: [v for v in values if _can_be(subject, name, v)] for name, values in usual.items()}
        return {TABLE_SCALE: [], **{name: values for name, values in found.items() if values}}
    grid, faults, asked = Grid(), list[Fault](), dict[str, list[tuple[Override, ...]]]()
    for text in settings:
        _, name, written = overrides.split_setting(text)
        if name == TABLE_SCALE and isinstance(subject.book, ChessBook):
            scales = overrides.whole_numbers(written)
            grid[name] = list(scales)
            if written and not (scales and min(scales) > 0):
                faults.append(fault("--set", 0, text, "lab-value", largest=LARGEST))
        elif not written and name in subject.known:
            grid[name] = _usual(subject, name)
        else:
            asked[text] = overrides.choices_of(text, [subject.book.name], subject.pool, faults)
    refuse_any(faults + overrides.repetitions(list(asked), list(asked.values())))
    for (each,) in chain(*asked.values()):
        values = grid.setdefault(each.name, [])
        if each.value != subject.value_of(each.name):
            values.append(each.value)
    for name in grid.keys() - {TABLE_SCALE}:
        for value in grid[name]:
            pool_of(subject.pool, subject.at({name: value}))
    return grid


def _is_of_play(each: overrides.Known) -> bool:
    """Whether a number may be what forecasts depend on; entries of rows are tried only if asked for."""
    return not isinstance(each, Number) or not (each.place or each.parameter.unit in OF_OFFICES)


def _usual(subject: Subject, name: str) -> list[Value]:
    """The values that a number is tried at if nobody says which."""
    each = subject.known[name]
    if not isinstance(each, Number):
        return [value for value in POLICIES.get(name, ()) if value != each]
    times = FEW_TIMES if subject.book.twin is None else TIMES
    return sorted({int(np.clip(round(each.value * by), *each.bounds)) for by in times} - {each.value})


def _can_be(subject: Subject, name: str, value: Value) -> bool:
    """Whether the book can be built with that value."""
    with suppress(RefusedError):
        return bool(pool_of(subject.pool, subject.at({name: value})).editions)
    return False


def shown(name: str, value: Value) -> str:
    """A value as tables have it; a dash for what a book has by itself."""
    return "–" if overrides.AS_PRINTED.get(name) == value else str(value)


def expectations(job: Job) -> Findings:
    """`expected_by` for processes and machines of their own; raises RefusedError without the ledger."""
    return expected_by(read_once(job.folder, job.digest), job.until, job.variant)


def expected_by(columns: ChessColumns | GoColumns, until: str | None, variant: Variant) -> Findings:
    """What a variant expects of each game, by the games' numbers; nothing where it cannot rate the ledger."""
    games = no_games()
    with suppress(RefusedError, ArithmeticError, BookError, LookupError, TypeError, ValueError):
        games = forecasts_of(columns, until, variant)
    order = np.argsort(games.of)
    return {"of": games.of[order], "expected": games.expected[order]}
