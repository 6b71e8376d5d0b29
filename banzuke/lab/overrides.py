"""What `--set` asks for: numbers, settings and policies of rule books at other values.

Of any chess book beside its numbers: `calendar=weekly` makes a list every Monday; `most_change=60` lets
nobody's rating change by more in a list; `adjustment=1000:1400,2000:2000` adjusts all ratings of the first
list (`core.adjustments`).
"""

from __future__ import annotations

import re
from dataclasses import fields
from typing import TYPE_CHECKING, Any, NamedTuple

from banzuke.core.adjustments import MapError, read_map
from banzuke.core.calendar import ByEnd, ByReport
from banzuke.core.derived_books import limited_book, weekly_book
from banzuke.core.facts import Adjustment
from banzuke.core.fault import Fault, fault
from banzuke.core.numbers import Number, numbers_of
from banzuke.core.parameters import LARGEST
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import ChessBook, RuleBook

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from banzuke.engine.columnar.chess_reader import ChessColumns
    from banzuke.ledger.pool_rules import Pool

Value = int | bool | str | tuple[Any, ...]
#: What may be overridden, at what it is: a number of the book, a setting or a policy.
Known = Number | int | bool | str

#: So many variants are rated at most; a mistyped range would ask for more.
MOST_VARIANTS = 1000
_NUMBER = rf"\s*(-?[0-9]{{1,{len(str(LARGEST))}}})\s*"
#: A whole number, a range, a range with a step: `20`, `10..40`, `10..40:5`.
RANGE = re.compile(rf"{_NUMBER}(?:\.\.{_NUMBER}(?::{_NUMBER})?)?")
TRUTHS = {"true": True, "false": False}
CALENDAR, MOST_CHANGE, ADJUSTMENT = "calendar", "most_change", "adjustment"
WEEKLY = "weekly"
#: What a book has by itself: its own lists, any change, no adjustment.
AS_PRINTED: dict[str, int | str] = {CALENDAR: "", MOST_CHANGE: 0, ADJUSTMENT: ""}


class Override(NamedTuple):
    """A number, a whole row of numbers or a setting of a book at another value."""

    book: str
    name: str
    value: Value

    def __str__(self) -> str:
        value = str(self.value).lower() if isinstance(self.value, bool) else self.value
        return f"{self.name}={value}"


def repetitions(settings: Sequence[str], choices: Sequence[Sequence[Sequence[Override]]]) -> list[Fault]:
    """The settings that set what one before them sets already."""
    before: set[tuple[str, str]] = set()
    faults = []
    for text, values in zip(settings, choices, strict=True):
        own = {(override.book, override.name) for same in values for override in same}
        faults += [
            fault("--set", 0, text, "lab-twice", name=name, book=book) for book, name in sorted(before & own)
        ]
        before |= own
    return faults


def choices_of(
    text: str, books: Sequence[str], pool: Pool, faults: list[Fault]
) -> list[tuple[Override, ...]]:
    """What one `--set` asks for: of each of its values, the override of every book that has the name."""
    book, name, value = split_setting(text)
    known = {each: known_values(pool, BOOKS[each]) for each in books if book in ("", each)}
    having = [each for each, names in known.items() if name in names]
    if not having:
        listed = "; ".join(
            f"{each}: {', '.join(str(Override('', of, _value_of(now))) for of, now in names.items())}"
            for each, names in known.items()
        )
        faults.append(fault("--set", 0, text, "lab-constant", known=listed or ", ".join(books)))
        return []
    values = _parsed(value, known[having[0]][name])
    if not values:
        faults.append(fault("--set", 0, text, "lab-value", largest=LARGEST))
    for each in having:
        faults += out_of_bounds("--set", text, known[each][name], values)
        faults += _not_chosen(text, name, BOOKS[each], values)
    return [tuple(Override(each, name, taken) for each in having) for taken in values]


def split_setting(text: str) -> tuple[str, str, str]:
    """The book of a setting (blank: every book), the name, the value (blank where there is none)."""
    scoped, _, value = text.partition("=")
    book, _, number = scoped.rpartition(":")
    return book, number.strip().lower().replace(".", "_").replace("-", "_"), value


def _parsed(text: str, known: Known) -> Sequence[int | bool | str]:
    """The values that a setting asks for, by what it is; none where the text is no such value."""
    if isinstance(known, bool):
        return [TRUTHS[text.strip()]] if text.strip() in TRUTHS else []
    return [text.strip()] if isinstance(known, str) else whole_numbers(text)


def _not_chosen(text: str, name: str, book: RuleBook, values: Sequence[int | bool | str]) -> list[Fault]:
    """A fault for values that are none of those that a setting or a policy can take."""
    if name == ADJUSTMENT:
        try:
            read_map(_map(str(values[0])))
        except MapError as error:
            return [fault("--set", 0, text, error.code, **error.facts)]
        return []
    if name == MOST_CHANGE and any(int(value) < 0 for value in values):
        return [fault("--set", 0, text, "lab-value", largest=LARGEST)]
    choices = {each.name: each.metadata.get("choices") for each in fields(book.settings)}
    allowed = (WEEKLY,) if name == CALENDAR else choices.get(name)
    if not allowed or all(value in allowed for value in values):
        return []
    return [fault("--set", 0, text, "lab-choice", known=", ".join(map(str, allowed)))]


def known_values(pool: Pool, book: RuleBook) -> dict[str, Known]:
    """The numbers, settings and policies of a book that may be overridden, with their present values."""
    settings = settings_of(pool, book)
    own = {each.name: getattr(settings, each.name) for each in fields(settings)}
    return {**numbers_of(book), **own, **policies_of(book)}


def _value_of(known: Known) -> int | bool | str:
    return known.value if isinstance(known, Number) else known


def out_of_bounds(file: str, column: str, number: Known, values: Sequence[Any]) -> list[Fault]:
    """A fault for values that a number cannot be tried at."""
    if not isinstance(number, Number) or not values:
        return []
    least, most = number.bounds
    if least <= min(values) <= max(values) <= most:
        return []
    code = "lab-bounds" if number.is_bounded else "lab-value"
    return [fault(file, 0, column, code, name=number.name, least=least, most=most, largest=LARGEST)]


def whole_numbers(text: str) -> list[int | bool]:
    """The whole numbers of a setting; none where the text is none."""
    if not (found := RANGE.fullmatch(text)):
        return []
    low, high, by = int(found[1]), int(found[2] or found[1]), int(found[3] or 1)
    return list(range(low, high + 1, by)[: MOST_VARIANTS + 1]) if by > 0 else []


def settings_of(pool: Pool, book: RuleBook) -> Any:
    """The settings of a book as the pool last has them, or its own."""
    found = [edition.settings for edition in pool.editions if edition.book.name == book.name]
    return found[-1] if found else book.settings()


# Policies


def policies_of(book: RuleBook) -> dict[str, int | str]:
    """The policies that may be tried of a book, at what they are."""
    if not isinstance(book, ChessBook):
        return {}
    has_windows = isinstance(book.calendar, ByReport | ByEnd)
    return {name: value for name, value in AS_PRINTED.items() if has_windows or name != CALENDAR}


def _map(word: str) -> str:
    """A map as a ledger writes it; in `--set` commas may stand between its nodes."""
    return " ".join(word.replace(",", " ").split())


def book_with(book: RuleBook, values: Mapping[str, Any]) -> RuleBook:
    """The book under those policies."""
    if isinstance(book, ChessBook) and values.get(CALENDAR):
        book = weekly_book(book)
    if isinstance(book, ChessBook) and (most := values.get(MOST_CHANGE)):
        book = limited_book(book, most)
    return book


def with_adjustment(columns: ChessColumns, names: Sequence[str], word: object) -> ChessColumns:
    """The ledger with an adjustment of the first of its lists; as it is where there is none to try.

    `word` is a map, or a map and the speed that it is for.
    """
    if not word or not names:
        return columns
    points, speed = word if isinstance(word, tuple) else (word, "")
    tried = Adjustment("tried", names[0], _map(str(points)), "", speed)
    return columns._replace(adjustments=[*columns.adjustments, tried])
