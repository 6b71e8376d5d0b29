"""The points account of a history, and its games between rated players, as columns of numbers."""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from banzuke.core.rating import RATED
from banzuke.engine.history import RatedList
from banzuke.engine.points_account import GAMES, PARTS, POINT, PointsAccount

#: The tables: a player's year at a speed; a year of the pool; a side of a game between two that are rated.
#: Points are hundredths there, scores and expectations shares of a game.
COLUMNS = {
    "points": ("speed", "year", "player", "age", GAMES, "before", "after", *PARTS),
    "pools": ("speed", "year", "listed_before", "points_before", "listed", "points"),
    "sides": (
        "speed", "year", "event", "player", "opponent", "score", "expected", "own", "other", "rests_on",
        "change",
    ),
}  # fmt: skip
AGE_UNKNOWN = -1


def account_columns(
    lists: Iterable[RatedList], speeds: Mapping[str, int], players: Mapping[str, int]
) -> dict[str, NDArray[np.float64]]:
    """The rows of each table of COLUMNS at those speeds; speeds and players stand there by these numbers."""
    account, events, sides = PointsAccount(), dict[str, int](), list[tuple[float, ...]]()
    for rated in lists:
        account.enter(rated)
        sides += _sides(rated, speeds, players, events)
    points = sorted(
        (
            speeds[speed], year, players[player], AGE_UNKNOWN if own.age is None else own.age,
            own.parts.get(GAMES, 0), own.before, own.after, *(own.parts.get(part, 0) for part in PARTS),
        )
        for (speed, year, player), own in account.years.items()
        if speed in speeds
    )  # fmt: skip
    pools = sorted(
        (speeds[speed], year, *size) for (speed, year), size in account.pools.items() if speed in speeds
    )
    rows = {"points": points, "pools": pools, "sides": sides}
    return {name: np.array(rows[name], np.float64).reshape(-1, len(COLUMNS[name])) for name in COLUMNS}


def _sides(
    rated: RatedList, speeds: Mapping[str, int], players: Mapping[str, int], events: dict[str, int]
) -> Iterator[tuple[float, ...]]:
    """Each side of each game between two that are rated."""
    for event in (each for each in rated.outcome.events if each.speed in speeds):
        before = rated.before.get(event.speed, {})
        number = events.setdefault(event.event.event_id, len(events))
        for line in event.lines:
            if line.verdict == RATED and None not in (line.score, line.own, line.opponent_rating):
                expected = np.nan if line.expected is None else line.expected / POINT
                games = before[line.player].games if line.player in before else 0
                yield (
                    speeds[event.speed], rated.batch.published.year, number, players[line.player],
                    players[line.opponent], (line.score or 0) / 2, expected, line.own or 0,
                    line.opponent_rating or 0, games, line.change or 0,
                )  # fmt: skip
