"""How much of what could be tried is tried: all of it in the slow tier, by hand.

Of the examples that a property asks for, `pytest` tries a twentieth, `.ci/run` a fifth (`--hypothesis-profile
fifth`), and `pytest -m slow` all. Slow tests that go through hundreds of pages ask for some of them in `.ci/run`.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")
#: By tier: the examples of a property that asks for no number. Each other number is scaled alike.
FULL, FIFTH, BRIEF = 100, 20, 5
#: A property that asks for a few examples only is still tried on as many.
LEAST = 3

for _profile, _count in (("full", FULL), ("fifth", FIFTH), ("brief", BRIEF)):
    # A busy machine is slow to draw and slow to try; that says nothing of the property.
    settings.register_profile(
        _profile, max_examples=_count, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )


def examples(full: int) -> int:
    """The number of examples in this run, of a property that is tried on `full` in the slow tier."""
    return min(full, max(LEAST, full * settings().max_examples // FULL))


def is_whole() -> bool:
    """Whether this run tries all there is: any but that of `.ci/run`."""
    return settings().max_examples != FIFTH


def some_of(cases: Iterable[T], first: int = 0) -> Iterator[T]:
    """All of the cases in a run that tries all there is; else every third, beginning with the `first`."""
    return islice(cases, None) if is_whole() else islice(cases, first % 3, None, 3)
