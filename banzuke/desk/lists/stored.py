"""Calculations as JSON, and back without loss: records become objects with the names of their fields."""

from __future__ import annotations

from datetime import date
from typing import Any

from banzuke.core.rating import Calculation, FirstGame, FirstWorking, Rating
from banzuke.office.account import Figures


def stored(figures: Figures) -> dict[str, Any]:
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


def restored(plain: dict[str, Any]) -> Figures:
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
