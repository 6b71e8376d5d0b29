"""The columns that a rule book adds to a table (`core.facts.More`), as the database keeps them: plain JSON.

Days and decimals are objects that say what they are: `{"$date": "2024-05-01"}`, `{"$decimal": "12.50"}`.
What a calculation keeps (`core.rating.Calculation.more`) may hold tables and rows, too.
"""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from banzuke.core.facts import NO_MORE, More


def more_to_json(more: Mapping[str, Any]) -> dict[str, Any] | None:
    """The cells as JSON; None where there are none."""
    return {name: _plain(cell) for name, cell in more.items()} or None


def _plain(cell: Any) -> Any:
    match cell:
        case date():
            return {"$date": cell.isoformat()}
        case Decimal():
            return {"$decimal": str(cell)}
        case dict():
            return {name: _plain(each) for name, each in cell.items()}
        case list() | tuple():
            return [_plain(each) for each in cell]
    return cell


def more_from_json(plain: Mapping[str, Any] | None) -> More:
    """The cells that were kept."""
    return More({name: _cell(cell) for name, cell in plain.items()}) if plain else NO_MORE


def _cell(plain: Any) -> Any:
    match plain:
        case {"$date": day}:
            return date.fromisoformat(day)
        case {"$decimal": digits}:
            return Decimal(digits)
        case dict():
            return {name: _cell(each) for name, each in plain.items()}
        case list():
            return [_cell(each) for each in plain]
    return plain
