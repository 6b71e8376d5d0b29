"""A successor edition that keeps the clauses of an edition and changes its numbers."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

from banzuke.core.parameters import changed_parameters, read_parameters
from banzuke.core.rulebook import RuleBook

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable
    from types import ModuleType

Book = TypeVar("Book", bound=RuleBook)

_LOCK = RLock()


def successor(edition: ModuleType, folder: Traversable, name: str, **changes: Any) -> Any:
    """The book of an edition's module at the numbers of another file, under another name.

    `folder` holds `<name>.parameters.toml` and `<name>.words.toml`, `name` with underscores: `jcf_2026`. The
    modules beside the edition's are built anew with these numbers, so that every clause takes them; `changes`
    are fields of the rule book that are not numbers: a calendar, other examples, the functions of a clause.
    """
    source = name.replace("-", "_")
    parameters = read_parameters(folder, source)
    book = edition.BOOK
    numbers = {key: parameter.value for key, parameter in parameters.items() if key in book.parameters}
    with _LOCK, _built_anew(edition.__name__), changed_parameters({book.parameters.source: numbers}):
        fresh = import_module(edition.__name__).BOOK
    return replace(
        fresh,
        **{
            "name": name,
            "parameters": parameters,
            "words": folder.joinpath(f"{source}.words.toml"),
            **changes,
        },
    )


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
