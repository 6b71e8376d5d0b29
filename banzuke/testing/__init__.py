"""The kit for a rule book: `check(book)` tries everything that every book must hold.

A stranger's test suite needs no more than this:

    from banzuke.testing import check

    def test_the_book():
        check(BOOK)
"""

from banzuke.core.rulebook import RuleBook
from banzuke.testing.book_checks import CHECKS, Result, results

__all__ = ["CHECKS", "BookFailed", "Result", "check", "results"]


class BookFailed(AssertionError):  # noqa: N818 - what a test says that fails
    """What a book does not hold, a line for each."""


def check(book: RuleBook, ledgers: int = 20) -> None:
    """Try everything that a rule book must hold, on so many made-up ledgers.

    Raises BookFailed with a line for each thing that does not hold.
    """
    failed = [f"{result.check}: {wrong}" for result in results(book, ledgers) for wrong in result.wrong]
    if failed:
        raise BookFailed("\n".join([book.name, *failed]))
