"""The books that many machines can rate by: those whose batches are rated part by part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from banzuke.columnar.twin import rules_of, twin_of
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import ChessBook

if TYPE_CHECKING:
    from banzuke.columnar.parted_batches import PartedBook
    from banzuke.core.rulebook import RuleBook


def is_parted(book: RuleBook) -> bool:
    """Whether parts of the book's batches may be rated apart."""
    return isinstance(book, ChessBook) and twin_of(book).parted is not None


def parted_book(name: str, settings: Any) -> PartedBook:
    """What rates the parts of batches by the book of that name, with those settings. Raises TypeError."""
    book = BOOKS[name]
    parted = twin_of(book).parted if isinstance(book, ChessBook) else None
    if parted is None or not isinstance(book, ChessBook):
        raise TypeError(name)
    return parted(rules_of(book, settings))
