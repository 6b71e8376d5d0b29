"""Variants of a pool's rules: another book for the whole history, other settings, other constants.

Only the laboratory overrides a constant. A variant keeps the ledger: who played whom, and when.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from datetime import date
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from banzuke.columnar.twin import twin_of
from banzuke.core.fault import Fault, RefusedError, fault, refuse_any
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import ChessBook
from banzuke.lab import go_constants
from banzuke.lab.go_constants import GO
from banzuke.ledger.pool_rules import EditionInForce, Pool
from banzuke.rulebooks.pandanet.ranks import default_zone

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from banzuke.core.rulebook import RuleBook

    Value = int | bool

#: The variant that rates as pool.toml says, and that the others are compared with.
AS_IT_IS = "pool"
#: So many variants are rated at most; a mistyped range would ask for more.
MOST_VARIANTS = 1000
#: No constant is below nothing, or of more digits than this one.
LARGEST = 9999
TRUTHS = {"true": True, "false": False}


class Override(NamedTuple):
    """A constant or a setting of a book at another value."""

    book: str
    name: str
    value: Value

    def __str__(self) -> str:
        value = str(self.value).lower() if isinstance(self.value, bool) else self.value
        return f"{self.name}={value}"


@dataclass(frozen=True, slots=True)
class Variant:
    """How a history is rated: by one book from its first day (blank: as the pool is), with overrides."""

    book: str = ""
    overrides: tuple[Override, ...] = ()

    @property
    def name(self) -> str:
        """What it is called in tables: `jcf-2024 k_normal=30`; the book, too, where values differ."""
        values = {(each.name, each.value) for each in self.overrides}
        names = [name for name, _ in values]
        told = [f"{each.book}:{each}" if names.count(each.name) > 1 else str(each) for each in self.overrides]
        return " ".join([self.book or AS_IT_IS, *dict.fromkeys(told)])


def variants_of(pool: Pool, books: Sequence[str], settings: Sequence[str]) -> list[Variant]:
    """The variants that `--books` and `--set` ask for: the pool as it is, each book, each with overrides.

    A setting is `[BOOK:]NAME=VALUE`, a value a whole number, `true`, `false`, or a range `10..40:5`; ranges
    are run through in every combination. Without books the pool's own are overridden. Raises RefusedError
    for what is no book of the pool's kind, no name of a book, no value, or set twice.
    """
    faults: list[Fault] = []
    for name in books:
        if name not in BOOKS or BOOKS[name].family is not pool.family:
            known = ", ".join(book.name for book in BOOKS.values() if book.family is pool.family)
            faults.append(fault("--books", 0, name, "lab-book", known=known))
    refuse_any(faults)
    subjects = [(name, [name]) for name in dict.fromkeys(books)]
    subjects = subjects or [("", list(dict.fromkeys(edition.book.name for edition in pool.editions)))]
    asked = [
        _asked(text, [name for _, names in subjects for name in names], pool, faults) for text in settings
    ]
    faults += _twice(settings, asked)
    refuse_any(faults)
    found = [Variant(), *(Variant(name) for name, _ in subjects if name)]
    chosen = [(name, _concerned(asked, own)) for name, own in subjects]
    count = len(found) + sum(prod(map(len, values)) for _, values in chosen if values)
    if count > MOST_VARIANTS:
        raise RefusedError([fault("--set", 0, "", "lab-many", count=count, most=MOST_VARIANTS)])
    for name, values in chosen:
        found += [Variant(name, overrides) for overrides in _combined(values)]
    for variant in found:
        go_constants.zone(_values_of(variant, GO))
    return list(dict.fromkeys(found))


def other_books(pool: Pool) -> list[str]:
    """The books that can rate the pool's history otherwise than it is rated: those of its kind."""
    books = [name for name, book in BOOKS.items() if book.family is pool.family]
    return books if len(pool.editions) > 1 else [name for name in books if name != pool.editions[0].book.name]


def _twice(settings: Sequence[str], asked: Sequence[Sequence[Sequence[Override]]]) -> list[Fault]:
    """The settings that set what one before them sets already."""
    before: set[tuple[str, str]] = set()
    faults = []
    for text, values in zip(settings, asked, strict=True):
        own = {(override.book, override.name) for same in values for override in same}
        faults += [
            fault("--set", 0, text, "lab-twice", name=name, book=book) for book, name in sorted(before & own)
        ]
        before |= own
    return faults


def _concerned(
    asked: Sequence[Sequence[Sequence[Override]]], books: Sequence[str]
) -> list[list[tuple[Override, ...]]]:
    """Of the values asked for, those that concern these books."""
    concerned = [
        [kept for kept in (tuple(o for o in same if o.book in books) for same in values) if kept]
        for values in asked
    ]
    return [values for values in concerned if values]


def _combined(chosen: Sequence[Sequence[tuple[Override, ...]]]) -> list[tuple[Override, ...]]:
    """Every combination of those values; none where there are none."""
    if not chosen:
        return []
    return [tuple(override for same in combination for override in same) for combination in product(*chosen)]


def _asked(text: str, books: Sequence[str], pool: Pool, faults: list[Fault]) -> list[tuple[Override, ...]]:
    """What one `--set` asks for: of each of its values, the override of every book that has the name."""
    scoped, _, value = text.partition("=")
    book, _, constant = scoped.rpartition(":")
    name = constant.strip().lower().replace(".", "_").replace("-", "_")
    among = [each for each in books if book in ("", each)]
    known = {each: constants(pool, each) for each in among}
    having = [each for each in among if name in known[each]]
    if not having:
        said = "; ".join(f"{each}: {_listed(values)}" for each, values in known.items())
        faults.append(fault("--set", 0, text, "lab-constant", known=said or ", ".join(books)))
        return []
    is_flag = isinstance(known[having[0]][name], bool)
    values = _values(value.strip(), is_flag=is_flag)
    if not values:
        faults.append(fault("--set", 0, text, "lab-value", largest=LARGEST))
    if GO in having and name in go_constants.BOUNDS and values:
        least, most = go_constants.BOUNDS[name]
        if not least <= min(values) <= max(values) <= most:
            faults.append(fault("--set", 0, text, "lab-bounds", name=name, least=least, most=most))
    return [tuple(Override(each, name, taken) for each in having) for taken in values]


def _listed(values: Mapping[str, Value]) -> str:
    return ", ".join(str(Override("", name, value)) for name, value in values.items())


def _values(text: str, *, is_flag: bool) -> list[Value]:
    """The values of a setting; none where the text is none."""
    if is_flag:
        return [TRUTHS[text]] if text in TRUTHS else []
    first, _, rest = text.partition("..")
    last, _, step = rest.partition(":")
    numbers = [_number(cell) for cell in (first, last or first, step or "1")]
    if None in numbers or (".." in text and not last) or (":" in text and not step):
        return []
    low, high, by = (int(number or 0) for number in numbers)
    if by < 1 or high < low:
        return []
    return list(range(low, high + 1, by)[: MOST_VARIANTS + 1])


def _number(text: str) -> int | None:
    """A whole number that a constant can be."""
    digits = text.strip()
    is_whole = digits.isascii() and digits.isdecimal() and len(digits) <= len(str(LARGEST))
    return int(digits) if is_whole else None


def _values_of(variant: Variant, book: str) -> dict[str, Value]:
    """What a variant overrides of a book."""
    return {override.name: override.value for override in variant.overrides if override.book == book}


def constants(pool: Pool, name: str) -> dict[str, Value]:
    """The constants and settings of a book that may be overridden, with their present values."""
    settings = _settings(pool, BOOKS[name])
    numbers = go_constants.NUMBERS if name == GO else _own(name)._asdict()
    return dict(numbers) | {each.name: getattr(settings, each.name) for each in fields(settings)}


def _own(name: str) -> Any:
    """The numbers of a book as its fast twin takes them."""
    book = BOOKS[name]
    if not isinstance(book, ChessBook):
        raise TypeError(name)
    return twin_of(book).figures(book)


def _settings(pool: Pool, book: RuleBook) -> Any:
    """The settings of a book as the pool last has them, or its own."""
    found = [edition.settings for edition in pool.editions if edition.book is book]
    return found[-1] if found else book.settings()


def pool_of(pool: Pool, variant: Variant) -> Pool:
    """The pool with the editions and settings of a variant."""
    editions: Iterable[EditionInForce] = pool.editions
    if variant.book:
        book = BOOKS[variant.book]
        editions = [EditionInForce(book, date.min, _settings(pool, book), "", default_zone())]
    return Pool(pool.name, tuple(_overridden(edition, variant) for edition in editions))


def _overridden(edition: EditionInForce, variant: Variant) -> EditionInForce:
    """The edition with those of the overrides that are settings of its book."""
    known = {each.name for each in fields(edition.settings)}
    own = {name: value for name, value in _values_of(variant, edition.book.name).items() if name in known}
    zone = go_constants.zone(_values_of(variant, GO)) or edition.zone
    return edition._replace(settings=replace(edition.settings, **own), zone=zone)


def figures(variant: Variant) -> dict[str, Any]:
    """The overridden numbers of a variant by book, as the fast twins take them."""
    books = dict.fromkeys(override.book for override in variant.overrides)
    changed = {book: _figures(book, _values_of(variant, book)) for book in books}
    return {book: found for book, found in changed.items() if found is not None}


def _figures(book: str, values: Mapping[str, Value]) -> Any:
    """A book's numbers with those values; None where no number of it is among them."""
    if book == GO:
        return go_constants.figures(values) if values else None
    present = _own(book)
    own = {name: value for name, value in values.items() if name in present._fields}
    return present._replace(**own) if own else None
