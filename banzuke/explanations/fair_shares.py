"""The share that each of several changes has in what all of them change together: Shapley's value (1953).

A change's share is the mean of what it adds, over all orders in which the changes may be made one after
another. The shares add up to the whole.
"""

import random
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import factorial
from typing import NamedTuple

from banzuke.core.rounding import rounded

#: So many changes are tried in all combinations; of more, orders are drawn, from that seed.
MOST_EXACT, FEWEST_DRAWN, SEED = 6, 2, 1953

#: What a figure is with these of the changes, by their numbers.
Figure = Callable[[frozenset[int]], int]


class Shares(NamedTuple):
    """The shares in order, and the square of each one's standard error; no errors where nothing was drawn."""

    shares: tuple[Fraction, ...]
    variances: tuple[Fraction, ...] = ()


def shares_of(changes: int, figure: Figure, most_figures: int = 2**MOST_EXACT) -> Shares:
    """The shares of so many changes.

    All combinations are tried where they are no more than `most_figures`; else orders are drawn, each with
    its reverse, until so many figures were asked for.
    """
    known = cache(figure)
    if 2**changes <= most_figures:
        return Shares(tuple(_exact_share(changes, at, known) for at in range(changes)))
    asked: set[frozenset[int]] = set()
    dice, drawn = random.Random(SEED), list[tuple[Fraction, ...]]()  # noqa: S311 - no secret
    while len(drawn) < FEWEST_DRAWN or len(asked) < most_figures:
        order = dice.sample(range(changes), changes)
        both = [_added(each, known, asked) for each in (order, order[::-1])]
        drawn.append(tuple(Fraction(sum(pair), 2) for pair in zip(*both, strict=True)))
    means = tuple(_mean(column) for column in zip(*drawn, strict=True))
    return Shares(means, tuple(map(_variance_of_mean, zip(*drawn, strict=True))))


def _exact_share(changes: int, own: int, figure: Figure) -> Fraction:
    others = [at for at in range(changes) if at != own]
    share = Fraction()
    for size in range(changes):
        weight = Fraction(factorial(size) * factorial(changes - 1 - size), factorial(changes))
        added = (
            figure(frozenset((*each, own))) - figure(frozenset(each)) for each in combinations(others, size)
        )
        share += weight * sum(added)
    return share


def _added(order: Iterable[int], figure: Figure, asked: set[frozenset[int]]) -> tuple[int, ...]:
    """What each change adds when they are made in that order, by the change's number."""
    made, before, added = frozenset[int](), figure(frozenset()), dict[int, int]()
    for at in order:
        made |= {at}
        asked.add(made)
        after = figure(made)
        added[at], before = after - before, after
    return tuple(added[at] for at in sorted(added))


def _mean(values: Iterable[Fraction]) -> Fraction:
    own = list(values)
    return sum(own, Fraction()) / len(own)


def _variance_of_mean(values: Iterable[Fraction]) -> Fraction:
    own = list(values)
    mean = _mean(own)
    return sum(((value - mean) ** 2 for value in own), Fraction()) / (len(own) * (len(own) - 1))


def hundredths_of(shares: Iterable[Fraction]) -> list[int]:
    """The shares in hundredths, so rounded that they add up as the shares do where that is a whole number."""
    total, before, found = Fraction(), 0, list[int]()
    for share in shares:
        total += 100 * share
        now = rounded(total.numerator, total.denominator)
        found.append(now - before)
        before = now
    return found
