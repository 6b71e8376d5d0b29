"""What the API answers of a Go server's pool as it stands now. Differences are in ranks, as `3/2`."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from ninja import Schema

from banzuke.core.go import GoLine
from banzuke.office.results import ranks


class Side(Schema):
    """What a game did for one side: by which clause, its rank and points before and after, the points moved.

    `difference` is d with the terms counted (None where a side has no rank), `upper` and `won` None for
    neither; `rated_games` after the game.
    """

    player: str
    rank_before: str
    rank_after: str
    rank_changed: bool
    points_before: int | None
    points_after: int | None
    points: int | None
    verdict: str
    clause: str
    difference: str | None
    upper: bool | None
    won: bool | None
    rated_games: int


class TakenGame(Schema):
    """A game that the office has: `number` is its place in the feed; `is_new` unless it was there already."""

    game: str
    is_new: bool
    number: int
    black: Side
    white: Side


class TakenGames(Schema):
    """Games as they were sent."""

    games: Sequence[TakenGame]


class ChangedGame(Schema):
    """A game that was rated; `is_again`: after it had been rated otherwise before."""

    number: int
    game: str
    ended: datetime
    is_again: bool
    black: Side
    white: Side


class Changes(Schema):
    """Games in the order in which they were rated; `next` is what to give as `after` the next time."""

    changes: Sequence[ChangedGame]
    next: int


def side_of(line: GoLine) -> dict[str, Any]:
    """One side of a game."""
    return {
        "player": line.player,
        "rank_before": line.before.rank,
        "rank_after": line.after.rank,
        "rank_changed": line.before.rank != line.after.rank,
        "points_before": line.before.points,
        "points_after": line.after.points,
        "points": line.points,
        "verdict": line.verdict,
        "clause": line.clause,
        "difference": None if line.difference is None else ranks(line.difference),
        "upper": line.upper,
        "won": line.won,
        "rated_games": line.after.rated_games,
    }
