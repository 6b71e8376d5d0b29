"""What is true of a game between two strengths: the expectation that synthetic results are drawn from.

An expectation becomes chances of a win, a draw and a loss with a share of draws: that share at even strength,
less as one side is stronger, and never so many that a loss would have a chance below zero.
"""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from banzuke.columnar.twin import twin_of
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import ChessBook, RuleBook

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Truth = Callable[[Floats], Floats]

#: Points by which ten to one is expected.
SCALE = 400


def logistic(lead: Floats) -> Floats:
    """The expected score, so many points ahead, by the logistic curve."""
    expected: Floats = 1 / (1 + 10 ** (-lead / SCALE))
    return expected


def printed_table(books: Iterable[RuleBook] = ()) -> Truth:
    """The table of expectations that rule books print, without a limit; parts of a point do not count.

    It is that of the first of these books that prints one; where none does, that of the first installed book.
    Raises LookupError where no book prints one.
    """
    for book in (*books, *BOOKS.values()):
        printed = twin_of(book).table if isinstance(book, ChessBook) and book.twin else None
        if printed is not None:
            return printed
    raise LookupError("no installed rule book prints a table of expectations")


def table(lead: Floats) -> Floats:
    """The expected score, so many points ahead, by that table; leads are rounded to whole points."""
    return printed_table()(np.rint(lead))


TRUTHS: dict[str, Truth] = {"logistic": logistic, "table": table}


def draw_chance(expected: Floats, draws: float) -> Floats:
    """The chance of a draw: `draws` where the expectation is one half, none where it is certain."""
    chance: Floats = 2 * draws * np.minimum(expected, 1 - expected)
    return chance


def half_points(rng: np.random.Generator, expected: Floats, draws: float) -> NDArray[np.int64]:
    """Scores of the side whose expectation is given, in half points, drawn."""
    drawn, luck = draw_chance(expected, draws), rng.random(len(expected))
    scores: NDArray[np.int64] = (luck < expected - drawn / 2).astype(np.int64) + (luck < expected + drawn / 2)
    return scores
