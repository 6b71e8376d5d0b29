"""The columns that a rule book adds to a table (`core.facts.More`), as the database keeps them: plain JSON.

Days and decimals are objects that say what they are: `{"$date": "2024-05-01"}`, `{"$decimal": "12.50"}`.
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
    if isinstance(cell, date):
        return {"$date": cell.isoformat()}
    return {"$decimal": str(cell)} if isinstance(cell, Decimal) else cell


def more_from_json(plain: Mapping[str, Any] | None) -> More:
    """The cells that were kept."""
    return More({name: _cell(cell) for name, cell in plain.items()}) if plain else NO_MORE


def _cell(plain: Any) -> Any:
    if not isinstance(plain, dict):
        return plain
    return date.fromisoformat(plain["$date"]) if "$date" in plain else Decimal(plain["$decimal"])
