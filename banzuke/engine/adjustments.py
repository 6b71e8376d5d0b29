"""Adjustments of a pool carried out: on every rating of the list that they name, after its games."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from banzuke.core.adjustments import adjusted_rating, read_map
from banzuke.core.facts import Adjustment
from banzuke.core.rating import Rating, Ratings, Standings
from banzuke.core.rulebook import ChessBook


class AdjustedRating(NamedTuple):
    """A player's state at a speed before an adjustment and after it, moved or not."""

    adjustment: Adjustment
    speed: str
    player: str
    before: Rating
    after: Rating


def adjust(
    standings: Standings, book: ChessBook, adjustments: Sequence[Adjustment]
) -> tuple[Standings, Sequence[AdjustedRating]]:
    """The standings after the adjustments of a list, one after another, and every rating that they were for.

    The ratings stand by adjustment, player and speed. The standings given are left as they were.
    """
    if not adjustments:
        return standings, ()
    ratings: Ratings = {speed: dict(of_speed) for speed, of_speed in standings.ratings.items()}
    found: list[AdjustedRating] = []
    for adjustment in adjustments:
        done = list(_adjusted(ratings, book, adjustment))
        for each in done:
            ratings[each.speed][each.player] = each.after
        found += done
    return Standings(ratings, standings.waiting), found


def _adjusted(ratings: Ratings, book: ChessBook, adjustment: Adjustment) -> Iterable[AdjustedRating]:
    """Every rating that an adjustment is for, players by id, speeds in the book's order."""
    nodes = read_map(adjustment.points)
    speeds = [speed for speed in book.speeds if adjustment.speed in ("", speed)]
    of_speeds = [(speed, ratings.get(speed, {})) for speed in speeds]
    for player in sorted({player for _, of_speed in of_speeds for player in of_speed}):
        for speed, of_speed in of_speeds:
            before = of_speed.get(player)
            if before is not None and before.value is not None:
                after = adjusted_rating(book, nodes, before)
                yield AdjustedRating(adjustment, speed, player, before, after)
