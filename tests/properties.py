"""How many examples a property is tried on: a few each time, all of them in the slow tier.

`pytest` tries a twentieth of what a property asks for; `pytest -m slow` tries all, and runs every property.
"""

from __future__ import annotations

from hypothesis import settings

#: By tier: the examples of a property that asks for no number. Each other number is scaled alike.
FULL, BRIEF = 100, 5
#: A property that asks for a few examples only is still tried on as many.
LEAST = 3

settings.register_profile("full", max_examples=FULL)
settings.register_profile("brief", max_examples=BRIEF)


def examples(full: int) -> int:
    """The number of examples in this run, of a property that is tried on `full` in the slow tier."""
    return min(full, max(LEAST, full * settings().max_examples // FULL))
