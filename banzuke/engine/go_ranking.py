"""The order of the players on a Go server's ranking."""

from banzuke.core.go_facts import BEGINNER, CERTIFIED, PROFESSIONAL, PROVISIONAL, GoState

#: The kinds of players, from the last on the ranking to the first.
KINDS = (PROFESSIONAL, BEGINNER, PROVISIONAL, CERTIFIED)
#: More than any points that a ledger holds, and the points of a half rank apart.
_MOST_POINTS = 10**12
_HALF = 10**13


def rung(state: GoState) -> int:
    """The place by kind and half rank alone: a greater number stands before a smaller one."""
    has_rank = state.kind in (CERTIFIED, PROVISIONAL)
    return KINDS.index(state.kind) * 1_000 + ((state.half or 0) if has_rank else 0)


def strength(state: GoState) -> int:
    """The place on the ranking: a greater number stands before a smaller one.

    The certified by rank and points, the provisional by rank, the beginners by wins; professionals last.
    """
    within = state.wins_in_bc if state.kind == BEGINNER else _MOST_POINTS + (state.points or 0)
    return rung(state) * _HALF + within


def rung_of(strength: int) -> int:
    """The place by kind and half rank of a player with that strength."""
    return strength // _HALF
