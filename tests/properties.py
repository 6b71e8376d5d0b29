"""How many examples a property is tried on: a few each time, all of them in the slow tier.

`pytest` tries a twentieth of what a property asks for, `.ci/run` a fifth (`--hypothesis-profile fifth`), and
`pytest -m slow` all.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings

#: By tier: the examples of a property that asks for no number. Each other number is scaled alike.
FULL, FIFTH, BRIEF = 100, 20, 5
#: A property that asks for a few examples only is still tried on as many.
LEAST = 3

#: A busy machine is slow to draw; that says nothing of the property.
_ANY_SPEED = [HealthCheck.too_slow]
settings.register_profile("full", max_examples=FULL, suppress_health_check=_ANY_SPEED)
settings.register_profile("fifth", max_examples=FIFTH, suppress_health_check=_ANY_SPEED)
settings.register_profile("brief", max_examples=BRIEF, suppress_health_check=_ANY_SPEED)


def examples(full: int) -> int:
    """The number of examples in this run, of a property that is tried on `full` in the slow tier."""
    return min(full, max(LEAST, full * settings().max_examples // FULL))
