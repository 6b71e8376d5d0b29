"""Figures of a published list for the statistics page, counted once when it is published.

Counts are of players and games; sums are exact whole numbers: ratings in points, scores in half points,
expectations in hundredths of a point.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from banzuke.core.rating import FIRST, RATED
from banzuke.office.lists.list_rows import LineRow, Row

#: The width of a column of the distribution, and of a rating gap, in points; gaps from the last on are one.
STEP, GAP, LAST_GAP = 100, 50, 400


class ListStatistics(NamedTuple):
    """One speed of a list.

    `distribution` maps the lowest rating of each step (for Go, the rank) to its players; `gaps` the lowest
    of each rating gap to [games, half points of the higher rated, their expectation in hundredths].
    """

    players: int
    active: int
    active_sum: int
    games: int
    first: int
    distribution: dict[str, int]
    gaps: dict[str, list[int]]


def statistics_of(rows: Iterable[Row], lines: Iterable[LineRow]) -> ListStatistics:
    """The figures of one speed's rows and lines, in O(rows + lines)."""
    listed, played = list(rows), list(lines)
    active = [row for row in listed if row.active]
    counted = [line for line in played if line.verdict == RATED]
    return ListStatistics(
        players=len(listed),
        active=len(active),
        active_sum=sum(row.rating or 0 for row in active),
        games=_games(played),
        first=sum(1 for row in listed if row.change is None and row.rating is not None),
        distribution=dict(Counter(_step(row) for row in listed)),
        gaps=_gaps(counted),
    )


def _games(lines: list[LineRow]) -> int:
    """The games of which at least one side counted."""
    pairs = {
        (line.event_id, line.round, *sorted((line.player_id, line.opponent_id)))
        for line in lines
        if line.verdict in (RATED, FIRST)
    }
    return len(pairs)


def _step(row: Row) -> str:
    return row.written or str((row.rating or 0) // STEP * STEP)


def _gaps(lines: list[LineRow]) -> dict[str, list[int]]:
    """By rating gap, seen from the higher rated side; of equals each is asked once, as is the table."""
    found: dict[str, list[int]] = {}
    for line in lines:
        if line.own is None or line.opponent is None or line.expected is None or line.own < line.opponent:
            continue
        gap = min((line.own - line.opponent) // GAP * GAP, LAST_GAP)
        sums = found.setdefault(str(gap), [0, 0, 0])
        sums[0] += 1
        sums[1] += line.score or 0
        sums[2] += line.expected
    return found


def sum_gaps(all_figures: Iterable[Mapping[str, Any]]) -> dict[int, list[int]]:
    """The gaps of several lists together, in order of the gap."""
    total: dict[int, list[int]] = {}
    for one in all_figures:
        for gap, sums in one["gaps"].items():
            have = total.setdefault(int(gap), [0, 0, 0])
            total[int(gap)] = [a + b for a, b in zip(have, sums, strict=True)]
    return dict(sorted(total.items()))
