"""The little calculators: the rule books' own functions, asked for one game or one player."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from banzuke.core.decimals import decimal, two_decimals
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import ChessBook, GoBook, RuleBook
from banzuke.core.worked import games_against
from banzuke.engine.result_rows import ranks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from banzuke.core.go_facts import GoTerms
    from banzuke.core.rating import FirstWorking
    from banzuke.core.rulebook import Change

Book = TypeVar("Book", bound=RuleBook)


def chess_books() -> list[ChessBook]:
    """The installed books that rate chess, in the order of the registry."""
    return [book for book in BOOKS.values() if isinstance(book, ChessBook)]


def performance_books() -> list[ChessBook]:
    """Those of them that print a performance."""
    return [book for book in chess_books() if book.calculator.performance]


def go_books() -> list[GoBook]:
    """The installed books that rate Go, in the order of the registry."""
    return [book for book in BOOKS.values() if isinstance(book, GoBook)]


def _chosen(name: str | None, books: Sequence[Book]) -> Book:
    """The book of that name; None: the first. Raises LookupError where there is no such book."""
    for book in books:
        if name in (None, book.name):
            return book
    raise LookupError(f"no rule book {name or ''} answers this; these do: {', '.join(b.name for b in books)}")


def change_facts(change: Change) -> dict[str, object]:
    """A change as JSON gives it."""
    return {
        "difference": change.difference,
        "expected": None if change.expected is None else two_decimals(change.expected),
        "change": None if change.hundredths is None else decimal(change.hundredths),
        "clause": change.clause,
    }


def change(name: str, own: int, opponent: int | None, score: int, k: int) -> Change:
    """The change of one game by that book; `opponent` None: unrated, `score` in half points.

    Raises LookupError for a name that no book of chess has, as the functions below.
    """
    return _chosen(name, chess_books()).calculator.change(own, opponent, score, k)


class EventToCome(NamedTuple):
    """What an event would bring: each game's change, their sum in hundredths, the shift, the new rating."""

    games: list[Change]
    total: int
    shift: int
    new: int


def event_to_come(name: str, own: int, k: int, games: Sequence[tuple[int | None, int]]) -> EventToCome:
    """An event by that book for a rated player; games as (opponent's rating or None, half points)."""
    calculator = _chosen(name, chess_books()).calculator
    changes = [calculator.change(own, opponent, score, k) for opponent, score in games]
    total = sum(found.hundredths or 0 for found in changes)
    return EventToCome(changes, total, *calculator.new_rating(own, total))


def first_rating(name: str, opponents: Sequence[int | None], points: int) -> FirstWorking:
    """The first rating from so many half points against those opponents (None: unrated)."""
    return _chosen(name, chess_books()).calculator.first(games_against(opponents, points))


def performance(opponents: Sequence[int], points: int, name: str | None = None) -> FirstWorking:
    """The performance against those opponents by that book; None: by the first that prints one."""
    found = _chosen(name, performance_books()).calculator.performance
    assert found is not None  # by performance_books
    return found(opponents, points)


def go_terms(
    white: int, black: int, stones: int | None, komi: int | None, game_number: int, name: str | None = None
) -> GoTerms:
    """Terms of two half ranks (komi in half points) by that book; None: by the first that rates Go."""
    return _chosen(name, go_books()).terms(white, black, stones, komi, game_number)


def terms_facts(terms: GoTerms) -> dict[str, object]:
    """Terms as JSON gives them; komi in points."""
    return {
        "regular": {"stones": terms.regular[0], "komi": decimal(50 * terms.regular[1])},
        "given": {"stones": terms.given[0], "komi": decimal(50 * terms.given[1])},
        "difference": ranks(terms.difference),
        "upper": {1: "white", -1: "black", 0: None}[terms.upper],
        "white": _moves(terms.white),
        "black": _moves(terms.black),
    }


def _moves(side: tuple[int, int] | None) -> dict[str, int] | None:
    return None if side is None else {"win": side[0], "loss": side[1]}
