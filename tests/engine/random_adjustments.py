"""Adjustments for made ledgers: of lists that are made and of some that are not, struck and added on any day."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

Row = dict[str, str]

#: Ids whose order by code points is not that of a dictionary.
IDS = ("A2", "A10", "a1", "あ", "Z")
DECISIONS = ("Board, item 3", 'General meeting, "reform"', "理事会 第3号")


def adjustment_rows(rng: random.Random, lists: Sequence[str], speeds: Sequence[str]) -> list[Row]:
    """None for most ledgers; else one to four, of the lists named, some of them twice of one list."""
    if not lists or rng.random() < 0.5:
        return []
    ids = rng.sample(IDS, rng.randrange(1, 5))
    return [row for name in ids for row in _rows_of(rng, _row(rng, name, rng.choice(lists), speeds))]


def _row(rng: random.Random, name: str, of: str, speeds: Sequence[str]) -> Row:
    return {
        "adjustment_id": name,
        "list": of,
        "speed": rng.choice(("", *speeds)),
        "points": random_map(rng),
        "decision": rng.choice(DECISIONS),
        "added": "",
        "struck": "",
    }


def random_map(rng: random.Random) -> str:
    """A map of two nodes or more: with steep parts, level parts, and none that moves anything."""
    olds = sorted(rng.sample(range(2700), rng.randrange(2, 6)))
    if rng.random() < 0.1:
        return " ".join(f"{old}:{old}" for old in olds)
    news = sorted(min(olds[-1], max(0, old + rng.choice((-300, -50, -1, 0, 7, 150, 400)))) for old in olds)
    return " ".join(f"{old}:{new}" for old, new in zip(olds, [*news[:-1], olds[-1]], strict=True))


def _rows_of(rng: random.Random, row: Row) -> list[Row]:
    """The row as it is; or struck, or added, or struck and another one in its place."""
    day = _published(row["list"]) + timedelta(days=rng.choice((0, 30, 89, 90, 91, 200)))
    kind = rng.random()
    if kind < 0.6:
        return [row]
    if kind < 0.7:
        return [row | {"added": str(day)}]
    if kind < 0.8:
        return [row | {"struck": str(day)}]
    return [row | {"struck": str(day)}, row | {"points": random_map(rng), "added": str(day)}]


def _published(name: str) -> date:
    """The day of a monthly list; any day for a list that is an event's."""
    try:
        return date.fromisoformat(f"{name}-01")
    except ValueError:
        return date(2024, 6, 1)
