"""Who stands before whom on a Go server's ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from banzuke.core.go import BEGINNER, CERTIFIED, PROFESSIONAL, PROVISIONAL

if TYPE_CHECKING:
    from banzuke.core.go import GoState

#: Whatever the rank, who stands after whom: from the last.
KINDS = (PROFESSIONAL, BEGINNER, PROVISIONAL, CERTIFIED)
#: More than any points that a ledger holds, and the points of a half rank apart.
_MOST_POINTS = 10**12
_HALF = 10**13


def strength(state: GoState) -> int:
    """A number that is the greater the further before others a player stands.

    The certified by rank and points, the provisional by rank, the beginners by wins; professionals last.
    """
    kind = KINDS.index(state.kind) * 1_000
    if state.kind == BEGINNER:
        return kind * _HALF + state.wins_in_bc
    within = _MOST_POINTS + (state.points or 0) if state.kind == CERTIFIED else 0
    return (kind + (state.half or 0)) * _HALF + within
