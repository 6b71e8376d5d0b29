"""The calculators: which books have one, an event that is yet to come, and answers as JSON gives them."""

from collections.abc import Sequence

from banzuke.core.decimals import decimal, halves, two_decimals
from banzuke.core.go_facts import GoTerms
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import Calculator, Change, ChessBook, EventForecast, GoBook
from banzuke.engine.result_rows import ranks


def chess_books() -> list[ChessBook]:
    """The installed books that rate chess, in the order of the registry."""
    return [book for book in BOOKS.values() if isinstance(book, ChessBook)]


def performance_books() -> list[ChessBook]:
    """The installed books of chess that print a performance."""
    return [book for book in chess_books() if book.calculator.performance]


def go_books() -> list[GoBook]:
    """The installed books that rate Go, in the order of the registry."""
    return [book for book in BOOKS.values() if isinstance(book, GoBook)]


def change_facts(change: Change) -> dict[str, object]:
    """A change as JSON gives it."""
    return {
        "difference": change.difference,
        "expected": None if change.expected is None else two_decimals(change.expected),
        "change": None if change.hundredths is None else decimal(change.hundredths),
        "clause": change.clause,
    }


class KOrGamesError(ValueError):
    """K or a number of games is missing for a book that asks for it, or given to one that does not.

    `asks` is what the book asks.
    """

    def __init__(self, asks: str) -> None:
        super().__init__(asks)
        self.asks = asks


def k_or_games(calculator: Calculator, k: int | None, own_games: int | None) -> int:
    """What the calculator asks beside the ratings: K, the games, or 0 for nothing. Raises KOrGamesError."""
    given = {"k": k, "games": own_games}
    if {name for name, value in given.items() if value is not None} != {calculator.asks} - {"nothing"}:
        raise KOrGamesError(calculator.asks)
    return given.get(calculator.asks) or 0


def event_forecast(
    calculator: Calculator, own: int, given: int, games: Sequence[tuple[int | None, int]]
) -> EventForecast:
    """An event for a rated player; games as (opponent's rating or None for unrated, half points)."""
    if calculator.event:
        return calculator.event(own, given, games)
    changes = [calculator.change(own, opponent, score, given) for opponent, score in games]
    total = sum(change.hundredths or 0 for change in changes)
    return EventForecast(changes, total, *calculator.new_rating(own, total))


def terms_facts(terms: GoTerms) -> dict[str, object]:
    """Terms as JSON gives them; komi in points."""
    return {
        "regular": {"stones": terms.regular[0], "komi": halves(terms.regular[1])},
        "given": {"stones": terms.given[0], "komi": halves(terms.given[1])},
        "difference": ranks(terms.difference),
        "upper": {1: "white", -1: "black", 0: None}[terms.upper],
        "white": _moves(terms.white),
        "black": _moves(terms.black),
    }


def _moves(side: tuple[int, int] | None) -> dict[str, int] | None:
    return None if side is None else {"win": side[0], "loss": side[1]}
