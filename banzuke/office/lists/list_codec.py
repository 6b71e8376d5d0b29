"""What is stored of a list, as the records it was made of: lines; calculations, as JSON without loss."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from banzuke.core.rating import Coefficient, Line
from banzuke.core.sentences import Figures
from banzuke.office.json_codec import from_json, to_objects

if TYPE_CHECKING:
    from collections.abc import Sequence

#: The columns of a stored line that make a line again: its own, the K with its reason and clause.
LINE_COLUMNS = (
    "round", "player_id", "opponent_id", "score", "own", "opponent", "difference", "expected",
    "k", "k_why", "k_clause", "change", "verdict", "clause",
)  # fmt: skip


def line_of(columns: Sequence[Any]) -> Line:
    """The line whose `LINE_COLUMNS` those are."""
    *side, k, why, clause, change, verdict, line_clause = columns
    coefficient = None if k is None else Coefficient(k, why, clause)
    return Line._make((*side, coefficient, change, verdict, line_clause))


def working_to_json(figures: Figures) -> dict[str, Any]:
    """What a speed of a list rests on: the calculation's fields, and beside them the others."""
    others: dict[str, Any] = to_objects(figures)
    calculation: dict[str, Any] = others.pop("calculation")
    return calculation | others


def working_from_json(plain: dict[str, Any]) -> Figures:
    """The figures that were stored."""
    return from_json(Figures, plain | {"calculation": plain})
