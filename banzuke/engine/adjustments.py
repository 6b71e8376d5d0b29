"""Adjustments of a pool carried out: on every rating of the list that they name, after its games."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
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


@dataclass(frozen=True)
class AdjustedRatings:
    """What the adjustments of a list were for, by adjustment, player and speed; no rows where it has none."""

    rows: Sequence[AdjustedRating] = ()

    @cached_property
    def _of_player(self) -> Mapping[tuple[str, str], list[AdjustedRating]]:
        found: dict[tuple[str, str], list[AdjustedRating]] = {}
        for row in self.rows:
            found.setdefault((row.speed, row.player), []).append(row)
        return found

    def of(self, speed: str, player: str) -> Sequence[AdjustedRating]:
        """A player's at a speed, one after another."""
        return self._of_player.get((speed, player), ())

    def moved(self, speed: str) -> set[str]:
        """The players whose rating at a speed they moved."""
        return {row.player for row in self.rows if row.speed == speed and row.after is not row.before}


NOT_ADJUSTED = AdjustedRatings()


def adjust(
    standings: Standings, book: ChessBook, adjustments: Sequence[Adjustment]
) -> tuple[Standings, AdjustedRatings]:
    """The standings after the adjustments of a list, one after another, and every rating that they were for.

    The standings given are left as they were.
    """
    if not adjustments:
        return standings, NOT_ADJUSTED
    ratings: Ratings = {speed: dict(of_speed) for speed, of_speed in standings.ratings.items()}
    rows: list[AdjustedRating] = []
    for adjustment in adjustments:
        done = list(_adjusted(ratings, book, adjustment))
        for each in done:
            ratings[each.speed][each.player] = each.after
        rows += done
    return Standings(ratings, standings.waiting), AdjustedRatings(rows)


def _adjusted(ratings: Ratings, book: ChessBook, adjustment: Adjustment) -> Iterator[AdjustedRating]:
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
