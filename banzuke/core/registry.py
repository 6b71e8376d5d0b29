"""The rule books that are installed, found through the entry points of the group `banzuke.rulebooks`.

An entry point names a book or a tuple of books: `jcf = "banzuke.rulebooks.jcf:BOOKS"`. A package installed
beside this one adds its books the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib.metadata import entry_points

from banzuke.core.rulebook import RuleBook

GROUP = "banzuke.rulebooks"


class BookError(Exception):
    """A package's entry point is no rule book, or names a book that another one names too."""


class _Books(Mapping[str, RuleBook]):
    """Every installed book by name; read at the first look."""

    @cached_property
    def _found(self) -> dict[str, RuleBook]:
        found: dict[str, RuleBook] = {}
        for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
            loaded = point.load()
            for book in loaded if isinstance(loaded, tuple) else (loaded,):
                if not isinstance(book, RuleBook):
                    raise BookError(f"{point.name} = {point.value}: {book!r} is no rule book")
                if book.name in found:
                    raise BookError(f"{point.name} = {point.value}: there is a book {book.name} already")
                found[book.name] = book
        return found

    def __getitem__(self, name: str) -> RuleBook:
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


#: The installed rule books by name.
BOOKS: Mapping[str, RuleBook] = _Books()
