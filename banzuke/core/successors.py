"""A successor edition that keeps the clauses of an edition and changes its numbers."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from threading import RLock
from typing import TYPE_CHECKING, Any

from banzuke.core.parameters import changed_parameters, read_parameters

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable
    from types import ModuleType

    from banzuke.core.rulebook import RuleBook

_LOCK = RLock()


def successor(books: ModuleType, predecessor: str, folder: Traversable, name: str, **changes: Any) -> Any:
    """The book that a module of books has by the name `predecessor`, at other numbers, under another name.

    `folder` holds `<name>.parameters.toml` and `<name>.words.toml`, `name` with underscores: `jcf_2026`. The
    modules beside that of the books are built anew with these numbers, so that every clause takes them;
    `changes` are fields of the rule book that are not numbers: a calendar, other examples, a function. Raises
    LookupError where the module has no such book.
    """
    source = name.replace("-", "_")
    parameters = read_parameters(folder, source)
    own = _book_of(books, predecessor).parameters
    numbers = {key: parameter.value for key, parameter in parameters.items() if key in own}
    with _LOCK, _built_anew(books.__name__), changed_parameters({own.source: numbers}):
        fresh = _book_of(import_module(books.__name__), predecessor)
    words = folder.joinpath(f"{source}.words.toml")
    return replace(fresh, **{"name": name, "parameters": parameters, "words": words, **changes})


def _book_of(module: ModuleType, name: str) -> RuleBook:
    for book in module.BOOKS:
        if book.name == name:
            found: RuleBook = book
            return found
    raise LookupError(f"{module.__name__} has no book {name}")


@contextmanager
def _built_anew(module: str) -> Iterator[None]:
    """While it lasts, a module and those beside it are imported anew; afterwards they are what they were."""
    package = sys.modules[module.rpartition(".")[0]]
    own = package.__dict__.copy()
    beside = [name for name in sys.modules if name.startswith(f"{package.__name__}.")]
    before = {name: sys.modules.pop(name) for name in beside}
    for name in beside:
        package.__dict__.pop(name.rpartition(".")[2], None)
    try:
        yield
    finally:
        for name in [name for name in sys.modules if name.startswith(f"{package.__name__}.")]:
            del sys.modules[name]
        sys.modules.update(before)
        package.__dict__.clear()
        package.__dict__.update(own)
