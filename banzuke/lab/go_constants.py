"""The constants of the Go server's rule book, each a whole number by a name of its own, at other values.

A table is told entry by entry: `lower_wins_2` are the points of the lower side's win two half ranks behind,
`multiplier_1` the tenths by which points are multiplied until the rated game `multiplier_1_until`. `zone_...`
make the border-zone table that the book has for who gives none; they take the place of a pool's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from banzuke.core.fault import RefusedError, fault
from banzuke.core.registry import BOOKS
from banzuke.rulebooks.pandanet.columnar.lookup_tables import Figures, figures_of
from banzuke.rulebooks.pandanet.ranks import (
    BOTH_WINS,
    WIDEST,
    ZONE_SLACK,
    ZONE_START,
    ZONE_WIDTH,
    default_zone,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from banzuke.core.go_facts import Zone

GO = "pandanet"
#: The border-zone table's numbers, as `pandanet_ranks.default_zone` takes them.
ZONE = {"zone_width": ZONE_WIDTH, "zone_slack": ZONE_SLACK, "zone_start": ZONE_START}

#: The book's own numbers.
FIGURES = figures_of(BOOKS[GO])
_LOWER_WINS = {f"lower_wins_{halves}": points for halves, points in enumerate(FIGURES.lower_wins)}
_MULTIPLIERS = {
    name: number
    for step, (last, tenths) in enumerate(FIGURES.multipliers, 1)
    for name, number in ((f"multiplier_{step}_until", last), (f"multiplier_{step}", tenths))
}

#: All of them with the book's values.
NUMBERS: dict[str, int] = {
    name: number
    for name, number in (FIGURES._asdict() | _LOWER_WINS | _MULTIPLIERS | ZONE).items()
    if isinstance(number, int)
}

#: From where to where a constant may be set, where not every number is one: further the table ends, a record
#: has no game, a share is none, a rank cannot stand.
BOUNDS: dict[str, tuple[int, int]] = {
    **dict.fromkeys(_LOWER_WINS, (0, BOTH_WINS)),
    "board_size": (1, 99),
    "widest": (0, WIDEST),
    "bc_wins": (1, 100),
    "certifying_games": (1, 1000),
    "review_every": (1, 1000),
    "most_expected": (50, 100),
    "zone_width": (1, 9999),
    "zone_slack": (1, 9999),
}


def figures(values: Mapping[str, int]) -> Figures:
    """The book's figures with those values in place of its own."""
    known = {**NUMBERS, **values}
    plain = {name: known[name] for name in Figures._fields if name in known}
    steps = range(1, len(FIGURES.multipliers) + 1)
    return FIGURES._replace(
        worths=FIGURES.worths,
        lower_wins=tuple(known[name] for name in _LOWER_WINS),
        multipliers=tuple((known[f"multiplier_{step}_until"], known[f"multiplier_{step}"]) for step in steps),
        **plain,
    )


def zone(values: Mapping[str, int]) -> Zone | None:
    """The border-zone table with those values; None where none of them is about it.

    Raises RefusedError where the points to start with are not below the promotion line.
    """
    if not ZONE.keys() & values.keys():
        return None
    width, slack, start = ({**ZONE, **values}[name] for name in ZONE)
    if start >= width:
        raise RefusedError([fault("--set", 0, "zone_start", "lab-zone", start=start, width=width)])
    return default_zone(width, slack, start)
