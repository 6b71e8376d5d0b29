"""What is stored of a list, as the records it was made of: lines; calculations, as JSON without loss."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from banzuke.core.rating import Calculation, Coefficient, FirstGame, FirstWorking, Line, Rating
from banzuke.core.sentences import Figures

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
    calculation: dict[str, Any] = _plain(figures.calculation)
    others = {name: list(v) if isinstance(v, tuple) else v for name, v in figures._asdict().items()}
    del others["calculation"]
    return calculation | others


def _plain(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        return {name: _plain(field) for name, field in value._asdict().items()}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value.isoformat() if isinstance(value, date) else value


def working_from_json(plain: dict[str, Any]) -> Figures:
    """The figures that were stored."""
    others = {name: plain[name] for name in Figures._fields if name != "calculation"}
    fields = {name: plain[name] for name in Calculation._fields}
    fields |= {name: Rating(**plain[name]) for name in ("before", "entered", "after")}
    if fields["first"] is not None:
        fields["first"] = _first(fields["first"])
    return Figures(Calculation(**fields), **(others | {"on_file": tuple(others["on_file"])}))


def _first(plain: dict[str, Any]) -> FirstWorking:
    games = tuple(
        FirstGame(**(game | {"played": date.fromisoformat(game["played"])})) for game in plain["games"]
    )
    return FirstWorking(**(plain | {"games": games, "mean": tuple(plain["mean"])}))
