"""Moments, states and lines as the live tables keep them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import orjson

from banzuke.core.go_facts import GoLine, GoState

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
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


def state_cells(state: GoState) -> list[Any]:
    """A state as JSON keeps it."""
    kind, rank, half, points, rated_games, wins_in_bc, record, last_two = state
    return [kind, rank, half, points, rated_games, wins_in_bc, record, last_two]


def state_of(cells: list[Any]) -> GoState:
    """The state of such cells."""
    *plain, record, last_two = cells
    return GoState._make((*plain, tuple(map(tuple, record)), tuple(last_two)))


def state_text(state: GoState) -> str:
    """A state as text; equal states have equal texts."""
    return _text(state_cells(state))


def state_from(text: str) -> GoState:
    """The state of such a text."""
    return state_of(orjson.loads(text))


def line_text(line: GoLine) -> str:
    """One side of a game as text, the states before and after it last."""
    cells = [line.difference, line.upper, line.won, line.points, line.verdict, line.clause]
    return _text([*cells, state_cells(line.before), state_cells(line.after)])


def texts_of(lines: tuple[GoLine, GoLine]) -> tuple[str, str]:
    """Both sides of a game as text."""
    return line_text(lines[0]), line_text(lines[1])


def before(line: str) -> GoState:
    """The state before the game of a line's text."""
    return state_of(orjson.loads(line)[-2])


def after(line: str) -> GoState:
    """The state after the game of a line's text."""
    return state_of(orjson.loads(line)[-1])


def lines_from(black: str, white: str, black_line: str, white_line: str) -> tuple[GoLine, GoLine]:
    """Both lines of a game of those two players, by their texts."""
    blacks, whites = orjson.loads(black_line), orjson.loads(white_line)
    came, met = state_of(blacks[-2]), state_of(whites[-2])
    return _line(blacks, black, white, came, met), _line(whites, white, black, met, came)


def _line(cells: list[Any], player: str, opponent: str, came: GoState, met: GoState) -> GoLine:
    difference, upper, won, points, verdict, clause, _, left = cells
    return GoLine(
        player, opponent, came, met, difference, upper, won, points, verdict, clause, state_of(left)
    )


def _text(cells: list[Any]) -> str:
    return orjson.dumps(cells).decode()
