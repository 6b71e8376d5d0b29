"""Moments, states and lines as the live tables store them."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import orjson

from banzuke.core.go_facts import GoLine, GoState

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class RankCells(NamedTuple):
    """The first cells of a state."""

    kind: str
    rank: str
    half: int | None


#: In microseconds.
_SECOND, _DAY = 1_000_000, 86_400_000_000
#: Before all moments: of who has only come.
NEVER = -(1 << 62)


def micros(moment: datetime) -> int:
    """Microseconds since 1970 in UTC, exactly."""
    since = moment - _EPOCH
    return since.days * _DAY + since.seconds * _SECOND + since.microseconds


def moment_of(at: int) -> datetime:
    """The moment of so many microseconds since 1970."""
    return _EPOCH + at * _MICROSECOND


def state_of(cells: list[Any]) -> GoState:
    """The state of a JSON array of its fields."""
    kind, rank, half, points, rated_games, wins_in_bc, record, last_two = cells
    record, last_two = tuple(map(tuple, record)), tuple(last_two)
    return GoState(kind, rank, half, points, rated_games, wins_in_bc, record, last_two)


def state_text(state: GoState) -> str:
    """A state as text; equal states have equal texts."""
    return orjson.dumps([*state]).decode()


def state_from(text: str) -> GoState:
    """The state of such a text."""
    return state_of(orjson.loads(text))


def line_text(line: GoLine) -> str:
    """One side of a game as text, the states before and after it last."""
    cells = [line.difference, line.upper, line.won, line.points, line.verdict, line.clause]
    return orjson.dumps([*cells, [*line.before], [*line.after]]).decode()


def texts_of(lines: tuple[GoLine, GoLine]) -> tuple[str, str]:
    """Both sides of a game as text."""
    return line_text(lines[0]), line_text(lines[1])


def state_before(line: str) -> GoState:
    """The state before the game of a line's text."""
    return state_of(orjson.loads(line)[-2])


def state_after(line: str) -> GoState:
    """The state after the game of a line's text."""
    return state_of(orjson.loads(line)[-1])


def ranks_in(line: str) -> tuple[RankCells, RankCells]:
    """Of a line's text what the states before and after have of the rank."""
    *_, before, after = orjson.loads(line)
    return RankCells(*before[:3]), RankCells(*after[:3])


def has_one_rank(lines: Iterable[str], state: GoState) -> bool:
    """Whether both states of each line's text have the rank of that one, which is seen without reading it."""
    cells = orjson.dumps(state[:3]).decode().removesuffix("]") + ","
    return all(text.count(cells) == 2 for text in lines)  # noqa: PLR2004  # before and after


def lines_from(black: str, white: str, black_line: str, white_line: str) -> tuple[GoLine, GoLine]:
    """Both lines of a game of those two players, by their texts."""
    blacks, whites = orjson.loads(black_line), orjson.loads(white_line)
    came, met = state_of(blacks[-2]), state_of(whites[-2])
    return (
        GoLine._make((black, white, came, met, *blacks[:-2], state_of(blacks[-1]))),
        GoLine._make((white, black, met, came, *whites[:-2], state_of(whites[-1]))),
    )
