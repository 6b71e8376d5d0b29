"""An adjustment of a whole pool: a map of old ratings to new ones, in straight lines between nodes.

`1000:1400 2000:2000` is one: between its nodes a rating becomes the value on the line, below the first it
moves by as much as the first node does, above the last it stays.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from banzuke.core.rounding import rounded

if TYPE_CHECKING:
    from banzuke.core.rating import Rating
    from banzuke.core.rulebook import ChessBook

#: How a map is written: two nodes or more, one blank between.
WRITTEN = re.compile(r"[0-9]+:[0-9]+(?: [0-9]+:[0-9]+)+", re.ASCII)
#: The longest number of a node.
MOST_DIGITS = 5


class Node(NamedTuple):
    """A rating, and what the map makes of it."""

    old: int
    new: int


class MapError(ValueError):
    """A text that is no map: why not, by the code of a fault, with its facts."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


@lru_cache(maxsize=256)
def read_map(points: str) -> tuple[Node, ...]:
    """The nodes of a map as a ledger writes it. Raises MapError."""
    if not WRITTEN.fullmatch(points):
        raise MapError("points-form", value=points)
    texts = [tuple(node.split(":")) for node in points.split(" ")]
    for number in (number for node in texts for number in node):
        if len(number) > MOST_DIGITS:
            raise MapError("points-large", value=number, most=10**MOST_DIGITS - 1)
    nodes = tuple(Node(int(old), int(new)) for old, new in texts)
    for before, after in pairwise(nodes):
        if after.old <= before.old:
            raise MapError("points-old", value=_text(after), before=_text(before))
        if after.new < before.new:
            raise MapError("points-new", value=_text(after), before=_text(before))
    last = nodes[-1]
    if last.old != last.new:
        raise MapError("points-last", value=_text(last), wanted=f"{last.old}:{last.old}")
    return nodes


def _text(node: Node) -> str:
    return f"{node.old}:{node.new}"


def mapped(nodes: tuple[Node, ...], figure: Fraction) -> Fraction:
    """What the map makes of a rating, exactly."""
    first, last = nodes[0], nodes[-1]
    if figure <= first.old:
        return figure + first.new - first.old
    if figure >= last.old:
        return figure
    low, high = next((low, high) for low, high in pairwise(nodes) if figure <= high.old)
    return low.new + (figure - low.old) * Fraction(high.new - low.new, high.old - low.old)


def adjusted_figure(book: ChessBook, nodes: tuple[Node, ...], figure: Fraction) -> Fraction:
    """What the map makes of a rating, rounded as the book carries its ratings on; without its floor."""
    exact, unit = mapped(nodes, figure), 10**book.scale.places
    return Fraction(rounded(exact.numerator * unit, exact.denominator), unit)


def adjusted_rating(book: ChessBook, nodes: tuple[Node, ...], rating: Rating) -> Rating:
    """The state of a rated player after an adjustment, not below the book's floor; a higher one is a peak.

    A rating that does not move stays the same object.
    """
    before = book.scale.read(rating)
    after = adjusted_figure(book, nodes, before)
    if book.floor is not None:
        after = max(after, Fraction(book.floor(rating)))
    if after == before:
        return rating
    moved = book.scale.write(rating, after)
    is_peak = moved.games >= book.peak_from_games and (moved.peak is None or moved.peak < (moved.value or 0))
    return moved._replace(peak=moved.value) if is_peak else moved
