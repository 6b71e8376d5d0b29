"""What is true of a game between two strengths: the expectation that synthetic results are drawn from.

An expectation becomes chances of a win, a draw and a loss with a share of draws: that share at even strength,
less as one side is stronger, and never so many that a loss would have a chance below zero.
"""

import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from banzuke.columnar.twin import twin_of
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import Calculator, ChessBook, RuleBook

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Truth = Callable[[Floats], Floats]

#: Points by which ten to one is expected.
SCALE = 400
#: A book without a twin is asked for the expectation against this rating, so far from it at most, of somebody
#: whose rating rests on so many games (or whose K is that); expectations are hundredths.
MIDDLE, FURTHEST, GAMES, PER_CENT = 1500, 1400, 100, 100
#: A point in natural units.
NATURAL = math.log(10) / SCALE


def logistic(lead: Floats) -> Floats:
    """The expected score, so many points ahead, by the logistic curve."""
    with np.errstate(over="ignore"):  # nothing is expected of one who is so far behind
        return np.asarray(1 / (1 + 10 ** (-lead / SCALE)))


def doubt_factor(variance: Any) -> Any:
    """By how much a gap counts less where a rating has such a variance (Glickman's g, 1999)."""
    return 1 / np.sqrt(1 + 3 * variance * (NATURAL / np.pi) ** 2)


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


def expectation_of(book: ChessBook) -> Truth:
    """What a book expects of one so many points ahead: by its fast twin, else by its calculator."""
    if book.twin:
        return partial(twin_of(book).expected, twin_of(book).figures(book))
    return partial(_calculated, book.calculator)


def _calculated(calculator: Calculator, lead: Floats) -> Floats:
    """By what a draw is rated at, to hundredths; of more than `FURTHEST` as of that."""
    gaps, place = np.unique(np.clip(np.rint(lead), -FURTHEST, FURTHEST), return_inverse=True)
    of_gaps = [
        np.nan if np.isnan(gap) else calculator.change(MIDDLE + int(gap), MIDDLE, 1, GAMES).expected or 0
        for gap in gaps.tolist()
    ]
    return np.array(of_gaps, np.float64)[place] / PER_CENT


def table(lead: Floats) -> Floats:
    """The expected score, so many points ahead, by that table; leads are rounded to whole points."""
    return printed_table()(np.rint(lead))


TRUTHS: dict[str, Truth] = {"logistic": logistic, "table": table}


def draw_chance(expected: Floats, draws: float | Floats) -> Floats:
    """The chance of a draw: `draws` where the expectation is one half, none where it is certain."""
    return np.asarray(2 * draws * np.minimum(expected, 1 - expected))


def half_points(rng: np.random.Generator, expected: Floats, draws: float | Floats) -> Ints:
    """Scores of the side whose expectation is given, in half points, drawn."""
    drawn, luck = draw_chance(expected, draws), rng.random(len(expected))
    return (luck < expected - drawn / 2).astype(np.int64) + (luck < expected + drawn / 2)
