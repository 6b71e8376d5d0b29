"""A rule book at other numbers: its modules are built anew and read their numbers when they are."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from importlib import import_module
from threading import RLock
from typing import TYPE_CHECKING, Any

from banzuke.core.parameters import changed_parameters
from banzuke.core.registry import BookError, books_of, entry_point_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from banzuke.core.rulebook import RuleBook

_LOCK = RLock()
_BUILT: dict[tuple[str, str], RuleBook] = {}


def reformed(book: RuleBook, changes: Mapping[str, Any]) -> RuleBook:
    """The book with other values of its parameters, by name; built once for the same changes.

    All modules of the folder that the book's entry point names are built anew. Raises KeyError for a name
    that the book's parameters do not have, BookError for a number that its modules did not take.
    """
    for name in changes:
        _ = book.parameters[name]
    key = (book.name, repr(sorted(changes.items())))
    with _LOCK:
        if key not in _BUILT:
            _BUILT[key] = _rebuilt(book, changes)
        return _BUILT[key]


def _rebuilt(book: RuleBook, changes: Mapping[str, Any]) -> RuleBook:
    point = entry_point_of(book.name)
    module = import_module(point.module)
    with _afresh(module.__package__ or point.module), changed_parameters({book.parameters.source: changes}):
        fresh = next(each for each in books_of(point) if each.name == book.name)
    for name, value in changes.items():
        if fresh.parameters[name].value != value:
            raise BookError(f"{book.name}: {name} is not read by a module of {module.__package__}")
    return fresh


@contextmanager
def _afresh(package: str) -> Iterator[None]:
    """While it lasts, the modules of a package are imported anew; afterwards they are what they were."""
    before = {name: sys.modules.pop(name) for name in _modules_of(package)}
    try:
        yield
    finally:
        for name in _modules_of(package):
            del sys.modules[name]
        sys.modules.update(before)
        above, _, last = package.rpartition(".")
        if above and package in before:
            setattr(sys.modules[above], last, before[package])


def _modules_of(package: str) -> list[str]:
    return [name for name in sys.modules if name == package or name.startswith(f"{package}.")]
