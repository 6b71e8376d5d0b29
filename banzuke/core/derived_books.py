"""A rule book at other numbers: for a reform that is tried, or as a successor edition; under other policies.

A book's modules read its numbers when they are imported. Here they are imported again, with other numbers.
"""

import sys
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.resources.abc import Traversable
from threading import RLock
from types import ModuleType
from typing import Any

from banzuke.core.batch import Batch
from banzuke.core.calendar import ByEnd, ByReport, EachWeek
from banzuke.core.parameters import changed_parameters, read_parameters
from banzuke.core.rating import Outcome, Rating, Ratings, RatingScale, Standings
from banzuke.core.registry import BookError, books_of, entry_point_of
from banzuke.core.rulebook import ChessBook, RuleBook

#: So many books at other numbers are kept for the next time.
MOST_KEPT = 256
_LOCK = RLock()
_KEPT: OrderedDict[tuple[str, str], RuleBook] = OrderedDict()


def reform_book(book: RuleBook, changes: Mapping[str, Any]) -> RuleBook:
    """The book with other values of its parameters, by name.

    All modules of the folder that the book's entry point names are imported again. A book is kept: asked for
    again with the same changes soon, it is the same object. Raises KeyError for a name that the book's
    parameters do not have, BookError for a number that its modules do not read.
    """
    for name in changes:
        _ = book.parameters[name]
    key = (book.name, repr(sorted(changes.items())))
    with _LOCK:
        if key not in _KEPT:
            _KEPT[key] = _reimport(book, changes)
        _KEPT.move_to_end(key)
        if len(_KEPT) > MOST_KEPT:
            _KEPT.popitem(last=False)
        return _KEPT[key]


def _reimport(book: RuleBook, changes: Mapping[str, Any]) -> RuleBook:
    point = entry_point_of(book.name)
    module = import_module(point.module)
    package = module.__package__ or point.module
    with _imported_again(package, itself=True), changed_parameters({book.parameters.source: changes}):
        fresh = _book_named(books_of(point), book.name)
    for name, value in changes.items():
        if fresh.parameters[name].value != value:
            raise BookError(f"{book.name}: {name} is not read by a module of {module.__package__}")
    return fresh


def successor(books: ModuleType, predecessor: str, folder: Traversable, name: str, **changes: Any) -> Any:
    """The book that a module of books has by the name `predecessor`, at other numbers, under another name.

    `folder` holds `<name>.parameters.toml` and `<name>.words.toml`, `name` with underscores: `jcf_2026`. The
    modules beside that of the books are imported again with these numbers, so that every clause takes them;
    `changes` are fields of the rule book that are not numbers: a calendar, other examples, a function. Raises
    LookupError where the module has no such book.
    """
    source = name.replace("-", "_")
    parameters = read_parameters(folder, source)
    own = _book_named(books.BOOKS, predecessor).parameters
    numbers = {key: parameter.value for key, parameter in parameters.items() if key in own}
    package = books.__name__.rpartition(".")[0]
    with _LOCK, _imported_again(package, itself=False), changed_parameters({own.source: numbers}):
        fresh = _book_named(import_module(books.__name__).BOOKS, predecessor)
    words = folder.joinpath(f"{source}.words.toml")
    return replace(fresh, **{"name": name, "parameters": parameters, "words": words, **changes})


def weekly_book(book: ChessBook) -> ChessBook:
    """A book with lists of windows with a list every Monday instead; of reports until the day before."""
    calendar = book.calendar
    if isinstance(calendar, ByEnd):
        return replace(book, calendar=EachWeek(calendar.before, calendar.correction_days, calendar.column))
    if isinstance(calendar, ByReport):
        return replace(book, calendar=EachWeek(1, calendar.correction_days, calendar.column))
    raise TypeError(book.name)


def limited_book(book: ChessBook, most: int) -> ChessBook:
    """A book by which a list changes nobody's rating by more than so many points; without a fast twin."""
    return replace(book, twin=None, rate=partial(_rate_within, book, most))


def _rate_within(book: ChessBook, most: int, standings: Standings, batch: Batch, settings: Any) -> Outcome:
    outcome = book.rate(standings, batch, settings)
    ratings: Ratings = {speed: dict(of_speed) for speed, of_speed in outcome.standings.ratings.items()}
    for speed, calculations in outcome.calculations.items():
        for player in calculations:
            before, after = standings.of(speed, player), outcome.standings.of(speed, player)
            if before.value is not None and after.value is not None:
                ratings[speed][player] = _within(book.scale, most, before, after)
    return outcome._replace(standings=Standings(ratings, outcome.standings.waiting))


def _within(scale: RatingScale, most: int, before: Rating, after: Rating) -> Rating:
    old, new = scale.read(before), scale.read(after)
    if abs(new - old) <= most:
        return after
    held = scale.write(after, old + (most if new > old else -most))
    return held._replace(peak=after.peak and max(before.peak or 0, held.value or 0))


def _book_named(books: Sequence[RuleBook], name: str) -> RuleBook:
    for book in books:
        if book.name == name:
            return book
    raise LookupError(f"there is no book {name}")


@contextmanager
def _imported_again(package: str, *, itself: bool) -> Iterator[None]:
    """Within it, the modules of a package (and it `itself`) are imported again; then all is as before."""
    parent = package.rpartition(".")[0] if itself else package
    attributes = vars(sys.modules[parent]) if parent else {}
    attributes_before = attributes.copy()
    before = _unload(package, attributes, itself=itself)
    try:
        yield
    finally:
        _unload(package, attributes, itself=itself)
        sys.modules.update(before)
        attributes.update(attributes_before)


def _unload(package: str, attributes: dict[str, Any], *, itself: bool) -> dict[str, ModuleType]:
    """Take the modules out of those that are loaded, and out of the attributes of the package around them."""
    names = [n for n in sys.modules if n.startswith(f"{package}.") or (itself and n == package)]
    outermost = package.count(".") + (0 if itself else 1)
    for name in names:
        if name.count(".") == outermost:
            attributes.pop(name.rpartition(".")[2], None)
    return {name: sys.modules.pop(name) for name in names}
