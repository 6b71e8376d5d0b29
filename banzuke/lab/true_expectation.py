"""What is true of a game between two strengths: the expectation that a made pool's results are drawn from.

An expectation becomes chances of a win, a draw and a loss with a share of draws: that share at even strength,
less as one side is stronger, and never so many that a loss would have a chance below zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from banzuke.rulebooks.fide import tables as fide_tables

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Truth = Callable[[Floats], Floats]

#: Points by which ten to one is expected.
SCALE = 400

_BOUNDS = np.array(fide_tables.UPPER_BOUNDS, np.float64) + 0.5


def logistic(lead: Floats) -> Floats:
    """The expected score, so many points ahead, by the logistic curve."""
    expected: Floats = 1 / (1 + 10 ** (-lead / SCALE))
    return expected


def table(lead: Floats) -> Floats:
    """The expected score, so many points ahead, by FIDE's table 8.1.2, without its limit of 400."""
    beyond_half = np.searchsorted(_BOUNDS, np.abs(lead)) / 100
    expected: Floats = 0.5 + np.sign(lead) * beyond_half
    return expected


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
