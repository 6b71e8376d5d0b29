"""Coded time controls, as TRF26 (record 222) and PGN write them: `5400+30`, `40/6000+30:900+30`, seconds.

A period is `S` or `S+I`, before it `M/` where it ends after M moves. What ratings need is the time for 60
moves, one base and one increment; so minutes are given only where every period but the last ends after so
many moves that the last begins before move 60, all have one increment, and the base is of whole minutes.
A last period of so many moves starts again, and White's time may differ from Black's: no minutes for either.
"""

from __future__ import annotations

import re

_PERIOD = re.compile(r"(?:([1-9]\d?)/)?(\d{1,6})(?:\+(\d{1,4}))?", re.ASCII)
_MOVES, _MOST_PERIODS = 60, 5


def minutes_of(coded: str) -> tuple[int, int] | None:
    """The base in minutes and the increment in seconds; None if the code does not say them plainly."""
    parts = coded.split(":", _MOST_PERIODS)
    found = [period for part in parts if (period := _PERIOD.fullmatch(part))]
    if len(found) < len(parts) or [part for part in found if not part[1]] != found[-1:]:
        return None
    increments = {int(period[3] or 0) for period in found}
    base, rest = divmod(sum(int(period[2]) for period in found), 60)
    before_last = sum(int(period[1]) for period in found[:-1])
    return (base, increments.pop()) if len(increments) == 1 and not rest and before_last < _MOVES else None


def coded(base_minutes: int, increment_seconds: int) -> str:
    """The code of one period for the whole game."""
    return f"{60 * base_minutes}" + (f"+{increment_seconds}" if increment_seconds else "")
