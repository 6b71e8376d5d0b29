"""The numbers of a rule book, read once from its `*.parameters.toml`: value, clause, unit, and what each is.

A number stands in that file alone; the rule module takes it from here into a constant.
"""

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any, Literal

#: The largest value that may be tried of a number whose file sets no bound.
LARGEST = 9999
#: Numbers at other values, by book, while a book is built for a reform.
_CHANGED: ContextVar[Mapping[str, Mapping[str, Any]]] = ContextVar("_CHANGED", default=MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number of a book, a row of numbers or a day: its clause, its unit, what it is called.

    Other values may be tried from `least` to `most`; beyond them the book means nothing. Where each entry of
    a row is a row, `columns` are the names of its places.
    """

    name: str
    value: Any
    clause: str
    unit: str
    en: str
    ja: str
    least: int = 0
    most: int | None = None
    columns: tuple[str, ...] = ()

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the largest value that may be tried."""
        return self.least, LARGEST if self.most is None else self.most

    def label(self, lang: Literal["en", "ja"]) -> str:
        """What it is called in that language."""
        return self.ja if lang == "ja" else self.en


class Parameters(dict[str, Parameter]):
    """The parameters of one book by name, in the order of its document; `source` begins their file's name."""

    def __init__(self, source: str, parameters: Mapping[str, Parameter]) -> None:
        super().__init__(parameters)
        self.source = source

    def whole(self, name: str) -> int:
        """A whole number. Raises KeyError for a name that the book does not have."""
        value = self[name].value
        if not isinstance(value, int):
            raise TypeError(name)
        return value

    def day(self, name: str) -> date:
        """A day. Raises KeyError for a name that the book does not have."""
        value = self[name].value
        if not isinstance(value, date):
            raise TypeError(name)
        return value

    def row(self, name: str) -> tuple[Any, ...]:
        """A row of numbers, rows within it as tuples, too."""
        return tuple(tuple(each) if isinstance(each, list) else each for each in self[name].value)


def read_parameters(folder: Traversable, book: str) -> Parameters:
    """The parameters of `folder/<book>.parameters.toml`, `book` with underscores: `jcf_2024`."""
    tables = tomllib.loads(folder.joinpath(f"{book}.parameters.toml").read_text("utf-8"))
    changed = _CHANGED.get().get(book, {})
    return Parameters(
        book,
        {
            name: Parameter(
                name,
                changed.get(name, table["value"]),
                table["clause"],
                table.get("unit", ""),
                table["en"],
                table["ja"],
                table.get("least", 0),
                table.get("most"),
                tuple(table.get("columns", ())),
            )
            for name, table in tables.items()
        },
    )


@contextmanager
def changed_parameters(changes: Mapping[str, Mapping[str, Any]]) -> Iterator[None]:
    """While it lasts, books that are read have these numbers, by book (`jcf_2024`) and name."""
    token = _CHANGED.set(changes)
    try:
        yield
    finally:
        _CHANGED.reset(token)
