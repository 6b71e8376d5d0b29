"""What adjustments of the pool did to a rating, in sentences: the decision, the map, rounding and floor."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise

from banzuke.core.adjustments import mapped, read_map
from banzuke.core.decimals import with_decimals
from banzuke.core.sentences import AdjustmentStep, Statement

#: So many decimals of a figure on a line are shown beyond those that the book carries on.
FINER = 2


def adjustment_statements(steps: Iterable[AdjustmentStep]) -> Iterator[Statement]:
    """What each adjustment made of a rating, and how."""
    for step in steps:
        facts = {"decision": step.decision, "before": step.before, "after": step.after}
        if step.before == step.after:
            yield Statement("adjusted-stays", "", facts)
        else:
            yield Statement("adjusted", "", facts)
            yield from _working(step)


def _working(step: AdjustmentStep) -> Iterator[Statement]:
    """Where on the map the rating lies, and what rounding and a floor made of the figure there."""
    nodes, before = read_map(step.points), Fraction(step.before)
    places = len(step.before.partition(".")[2])
    exact, rounded = mapped(nodes, before), with_decimals(mapped(nodes, before), places)
    written = _short(with_decimals(exact, places + FINER))
    if before < nodes[0].old:
        shift = f"{nodes[0].new - nodes[0].old:+}"
        yield Statement("adjusted-below", "", {"old": nodes[0].old, "shift": shift})
    for low, high in pairwise(nodes):
        if low.old < before < high.old:
            line = {"low": low.old, "low_new": low.new, "high": high.old, "high_new": high.new}
            key = "adjusted-line-exact" if Fraction(rounded) == exact else "adjusted-line"
            yield Statement(key, "", line | {"before": step.before, "exact": written, "after": rounded})
    if step.after != rounded:
        yield Statement("adjusted-floored", "", {"exact": rounded, "after": step.after})


def _short(decimals: str) -> str:
    """Without zeros at the end."""
    return decimals.rstrip("0").rstrip(".")
