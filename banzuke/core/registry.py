"""The rule books that are installed, found through the entry points of the group `banzuke.rulebooks`.

An entry point names a book, or a tuple or list of books: `jcf = "banzuke.rulebooks.jcf:BOOKS"`. A package
installed beside this one adds its books the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points

from banzuke.core.calendar import EachEvent
from banzuke.core.facts import SPEEDS, Event, Opening, Player
from banzuke.core.rulebook import EXACT_RATING, ChessBook, Columns, Fees, RuleBook, Worked

GROUP = "banzuke.rulebooks"

NAME = re.compile("[A-Za-z0-9-]+")
#: What is never empty in a book; a book of Go has no verdicts.
NEVER_BLANK = ("name", "prefix", "series", "speeds", "parameters", "verdicts", "cites")

#: What values of these types are called.
TYPE_NAMES = {str: "text", Mapping: "a table of names and values"}

#: The tables to which a book may add columns, with the columns that are there.
TABLES = {
    "players": frozenset(Player._fields),
    "events": frozenset(field.name for field in fields(Event)),
    "standings": frozenset(Opening._fields),
}


class BookError(Exception):
    """An entry point is no rule book, one that lacks something, or one that another names too.

    `package` is the installed package that has the entry point; blank where none is to blame.
    """

    def __init__(self, what: str, package: str = "") -> None:
        super().__init__(what)
        self.package = package


class _Books(Mapping[str, RuleBook]):
    """Every installed book by name; read at the first look."""

    @cached_property
    def _found(self) -> dict[str, tuple[RuleBook, EntryPoint]]:
        found: dict[str, tuple[RuleBook, EntryPoint]] = {}
        for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
            for book in books_of(point):
                if book.name in found:
                    raise _error(point, f"there is a book {book.name} already")
                found[book.name] = (book, point)
        return found

    def __getitem__(self, name: str) -> RuleBook:
        return self._found[name][0]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def entry_point_of(self, name: str) -> EntryPoint:
        """The entry point that names the book."""
        return self._found[name][1]


def books_of(point: EntryPoint) -> tuple[RuleBook, ...]:
    """The books that an entry point names. Raises BookError for what is no book, or lacks something."""
    try:
        loaded = point.load()
    except (Exception, SystemExit) as error:
        raise _error(point, f"{type(error).__name__}: {error}") from error
    books = tuple(loaded) if isinstance(loaded, (tuple, list)) else (loaded,)
    for book in books:
        if not isinstance(book, RuleBook):
            raise _error(point, f"a value of the type {type(book).__name__} is no rule book")
        if wrong := faults_of(book):
            raise _error(point, f"{book.name}: {'; '.join(wrong)}")
    return books


def _error(point: EntryPoint, what: str) -> BookError:
    return BookError(f"{point.name} = {point.value}: {what}", point.dist.name if point.dist else "")


def faults_of(book: RuleBook) -> list[str]:
    """What a book lacks or contradicts, in words for its author; nothing of it shows first when it rates."""
    wrong = [f"{name} is missing" for name in _missing(book, "")]
    wrong += [f"{name} must be a function" for name in _not_callable(book, "")]
    filled = {name: getattr(book, name) for name in NEVER_BLANK if hasattr(book, name)}
    wrong += [f"{name} is blank" for name, value in filled.items() if value is not None and not value]
    wrong = wrong or list(_unfit(book))
    if isinstance(book, ChessBook) and not wrong:
        if book.rates_on_list_in_force and isinstance(book.calendar, EachEvent):
            wrong.append("rates_on_list_in_force needs lists of windows, not a list for each event")
        for table, columns in book.columns.ledger.items():
            if table not in TABLES:
                wrong.append(f"columns.ledger: {table} takes no columns; {', '.join(TABLES)} do")
            elif taken := TABLES[table] & {column.name for column in columns if column != EXACT_RATING}:
                wrong.append(f"columns.ledger: {table} has {', '.join(sorted(taken))} already")
    return wrong


def _unfit(book: RuleBook) -> Iterator[str]:
    """The values that are there, but are not of the kind that they must be."""
    if not (isinstance(book.name, str) and NAME.fullmatch(book.name)):
        yield f"name must be letters, digits and hyphens, not {book.name!r}"
    speeds = ("", *SPEEDS)
    if not (isinstance(book.speeds, tuple) and all(speed in speeds for speed in book.speeds)):
        yield f'speeds must be a tuple of {", ".join(SPEEDS)}, or ("",), not {book.speeds!r}'
    columns = getattr(book, "columns", None)
    if columns is not None and not isinstance(columns, Columns):
        yield f"columns must be Columns, not {type(columns).__name__}"
    yield from _unfit_settings(book.settings)
    yield from _unfit_examples(book.examples)
    yield from _unfit_fees(getattr(book, "fees", None))


def _unfit_settings(settings: object) -> Iterator[str]:
    """What is no frozen dataclass, and settings that `pool.toml` cannot give another value."""
    if not (isinstance(settings, type) and is_dataclass(settings) and _is_frozen(settings)):
        yield f"settings must be a frozen dataclass, not {settings!r}"
        return
    for setting in fields(settings):
        if setting.default is MISSING:
            yield f"settings.{setting.name} must have a default"
        elif "choices" in setting.metadata:
            if setting.default not in setting.metadata["choices"]:
                yield f"settings.{setting.name} must be one of its choices, not {setting.default!r}"
        elif not isinstance(setting.default, int):
            yield (
                f"settings.{setting.name} must be true, false or a whole number, or have choices, "
                f"not {setting.default!r}"
            )


def _is_frozen(of: type) -> bool:
    return bool(getattr(of, "__dataclass_params__").frozen)  # noqa: B009 - it is not among what types have


def _unfit_examples(examples: object) -> Iterator[str]:
    if not isinstance(examples, tuple):
        yield f"examples must be a tuple of Worked, not {type(examples).__name__}"
        return
    for number, example in enumerate(examples):
        if not isinstance(example, Worked):
            yield f"examples[{number}] must be Worked, not {type(example).__name__}"
            continue
        values = example._asdict()
        for name, kind in (("clause", str), ("kind", str), ("facts", Mapping), ("must_give", str)):
            if not isinstance(values[name], kind):
                yield f"examples[{number}].{name} must be {TYPE_NAMES[kind]}, not {values[name]!r}"
        if not callable(values["run"]):
            yield f"examples[{number}].run must be a function"


def _unfit_fees(fees: object) -> Iterator[str]:
    if fees is None:
        return
    if not isinstance(fees, Fees):
        yield f"fees must be Fees, not {type(fees).__name__}"
        return
    if type(fees.amount) is not int or fees.amount < 0:
        yield f"fees.amount must be a whole number from 0 on, not {fees.amount!r}"
    for name in ("clause", "unpaid_clause"):
        if not isinstance(getattr(fees, name), str):
            yield f"fees.{name} must be {TYPE_NAMES[str]}, not {getattr(fees, name)!r}"


def _missing(value: object, where: str) -> Iterator[str]:
    """The fields that are None, though this is neither their default nor among what they may be."""
    for field, held in _fields_of(value):
        if held is None and field.default is not None and not str(field.type).endswith("| None"):
            yield f"{where}{field.name}"
        yield from _missing(held, f"{where}{field.name}.")


def _not_callable(value: object, where: str) -> Iterator[str]:
    for field, held in _fields_of(value):
        if str(field.type).startswith("Callable") and held is not None and not callable(held):
            yield f"{where}{field.name}"
        yield from _not_callable(held, f"{where}{field.name}.")


def _fields_of(value: object) -> Iterator[tuple[Field[object], object]]:
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield field, getattr(value, field.name)


_BOOKS = _Books()
#: The installed rule books by name.
BOOKS: Mapping[str, RuleBook] = _BOOKS
entry_point_of = _BOOKS.entry_point_of
