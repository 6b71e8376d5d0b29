"""The points account of a history, and its games between rated players, as columns of numbers."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from banzuke.core.rating import RATED
from banzuke.core.rulebook import ChessBook
from banzuke.engine.history import RatedList
from banzuke.engine.points_account import GAMES, PARTS, POINT, PointsAccount
from banzuke.ledger.pool_rules import chess_book

Floats = NDArray[np.float64]
#: What sides are expected to score by a book, from their leads in the list and what their lines expect on
#: these (NaN: nothing, or on other ratings than the list's).
Expects = Callable[[ChessBook, Floats, Floats], Floats]

#: The tables: a player's year at a speed; a year of the pool; a side of a game between two that are rated.
#: Points are hundredths there, scores and expectations shares of a game. What is expected of a side stands on
#: the ratings before the list: whatever the event's results have moved would explain them too well.
COLUMNS = {
    "points": ("speed", "year", "player", "age", GAMES, "before", "after", *PARTS),
    "pools": ("speed", "year", "listed_before", "points_before", "listed", "points"),
    "sides": (
        "speed", "year", "event", "player", "opponent", "score", "expected", "own", "other", "rests_on",
        "change",
    ),
}  # fmt: skip
EXPECTED, OWN, OTHER = (COLUMNS["sides"].index(name) for name in ("expected", "own", "other"))
AGE_UNKNOWN = -1


def account_columns(
    lists: Iterable[RatedList], speeds: Mapping[str, int], players: Mapping[str, int], expects: Expects
) -> dict[str, Floats]:
    """The rows of each table of COLUMNS at those speeds; speeds and players stand there by these numbers."""
    account, events, sides = PointsAccount(), dict[str, int](), list[Floats]()
    for rated in lists:
        account.enter(rated)
        own = _table("sides", _sides(rated, speeds, players, events))
        lead = own[:, OWN] - own[:, OTHER]
        own[:, EXPECTED] = expects(chess_book(rated.edition), lead, own[:, EXPECTED])
        sides.append(own)
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
    whole = np.concatenate([_table("sides", ()), *sides])
    return {"points": _table("points", points), "pools": _table("pools", pools), "sides": whole}


def _table(name: str, rows: Iterable[Sequence[float]]) -> Floats:
    return np.array([*rows], np.float64).reshape(-1, len(COLUMNS[name]))


def _sides(
    rated: RatedList, speeds: Mapping[str, int], players: Mapping[str, int], events: dict[str, int]
) -> Iterator[tuple[float, ...]]:
    """Each side of each game between two that are rated; `expected` as the line has it on these ratings."""
    for event in (each for each in rated.outcome.events if each.speed in speeds):
        before = rated.before.get(event.speed, {})
        number = events.setdefault(event.event.event_id, len(events))
        for line in event.lines:
            if line.verdict == RATED and None not in (line.score, line.own, line.opponent_rating):
                is_told = line.expected is not None and line.difference is not None
                expected = (line.expected or 0) / POINT if is_told else np.nan
                games = before[line.player].games if line.player in before else 0
                yield (
                    speeds[event.speed], rated.batch.published.year, number, players[line.player],
                    players[line.opponent], (line.score or 0) / 2, expected, line.own or 0,
                    line.opponent_rating or 0, games, line.change or 0,
                )  # fmt: skip
