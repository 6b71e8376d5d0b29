"""What is stored, as the API tells it: hundredths as decimals, no name of who is shown by id only."""

from typing import Any

from banzuke.core.decimals import decimal, two_decimals
from banzuke.database.models import Line, ListRow, RatingList
from banzuke.engine.result_rows import SCORE, ranks
from banzuke.formats.events.event_table import EventRow
from banzuke.office.public_names import Person, person

#: The columns that say something of who is shown by id only.
_TELLING = ("club_id", "sex", "group")


def list_of(published: RatingList) -> dict[str, Any]:
    """A published list."""
    columns = ("number", "revision", "day", "closes", "rulebook", "sha256", "published_at", "why")
    return {"list": published.name} | {name: getattr(published, name) for name in columns}


def person_of(who: Person) -> dict[str, Any]:
    """A player as the public may know them."""
    return {"player": who.player_id, "name": who.name, "name_native": who.name_native}


def row_of(row: ListRow, hidden: frozenset[str]) -> dict[str, Any]:
    """A row of a list."""
    about = {name.removesuffix("_id"): getattr(row, name) for name in _TELLING}
    if row.player_id in hidden:
        about = dict.fromkeys(about, "")
    columns = ("speed", "place", "rating", "written", "games", "change", "peak", "status", "active")
    return (
        person_of(person(row.player_id, row.name, row.name_native, hidden))
        | about
        | {name: getattr(row, name) for name in columns}
    )


def line_of(line: Line, *, is_go: bool) -> dict[str, Any]:
    """A line; of Go with d in ranks, as `3/2`."""
    columns = ("speed", "round", "own", "k", "k_why", "k_clause", "verdict", "clause")
    of_go = ("rank", "opponent_rank", "rank_after")
    difference = line.difference
    return {name: getattr(line, name) for name in (*columns, *of_go)} | {
        "event": line.event_id,
        "player": line.player_id,
        "opponent": line.opponent_id,
        "score": SCORE[line.score] or None,
        "opponent_rating": line.opponent,
        "difference": ranks(difference) if is_go and difference is not None else difference,
        "expected": None if line.expected is None else two_decimals(line.expected),
        "change": None if line.change is None else decimal(line.change),
    }


def lines_of(published: RatingList, lines: Any) -> list[dict[str, Any]]:
    """Lines of a list."""
    is_go = published.is_go
    return [line_of(line, is_go=is_go) for line in lines]


def crosstable_row(row: EventRow) -> dict[str, Any]:
    """A row of a crosstable; points as decimals."""
    return {
        "number": row.number,
        "player": row.player_id,
        "name": row.name,
        "name_native": row.name_native,
        "before": row.before,
        "after": row.after,
        "points": halves(row.points),
        "scored": halves(row.scored),
        "rated": row.rated,
        "expected": None if row.expected is None else two_decimals(row.expected),
        "change": None if row.change is None else decimal(row.change),
        "cells": [None if cell is None else cell.text for cell in row.cells],
    }


def halves(half_points: int) -> str:
    """Half points as a decimal: 3 is `1.5`."""
    return decimal(50 * half_points)
