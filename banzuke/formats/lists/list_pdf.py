"""The printed list as PDF, set by Typst (extra `pdf`) with a Japanese font of this machine.

The texts go to Typst as data and are never read as its markup; the template reads no file and nothing from
outside. The players stand in the list's order. Left out are columns in which nobody has anything, a status
that all have alike, and the birth dates. It has no tags, which would make it 17 times as large; who needs
the list read aloud has the other formats.
"""

import json
from collections.abc import Mapping
from importlib.resources import files
from itertools import groupby
from typing import Any

from banzuke.core.facts import SPEEDS
from banzuke.formats.lists.rating_list import (
    BIRTH_DATE,
    AnyList,
    Column,
    Kind,
    ListedPlayer,
    RankedPlayer,
    RatingList,
    Value,
    columns,
    rows,
)
from banzuke.formats.pdf_fonts import fonts

_MOST_UPRIGHT = 9
_PLACE = Column("no", Kind.NUMBER)


def write(listed: AnyList, wording: Mapping[str, str]) -> bytes:
    """The list as a PDF.

    `wording` has the short heading of each column's key and of `no`, the speeds' names (`speed-standard`
    ...), and `lang`, `title`, `subtitle`, `book` and `note`. Raises NoFontError, and ModuleNotFoundError
    without the extra `pdf`.
    """
    import typst

    data = _data(listed, wording)
    text = json.dumps(data | fonts(data), ensure_ascii=False)
    template = files(__package__).joinpath("list_pdf.typ").read_bytes()
    return typst.compile(template, format="pdf", sys_inputs={"data": text}, timestamp=0, pdf_tags=False)


def _data(listed: AnyList, wording: Mapping[str, str]) -> dict[str, Any]:
    """What the template prints."""
    named, table = _printed_table(listed)
    heads = [_head(column, wording) for column in named]
    speeds = groupby(heads, key=lambda head: head["speed"])
    return {
        "pool": listed.pool,
        **{key: wording[key] for key in ("lang", "title", "subtitle", "book", "note")},
        "columns": heads,
        "speeds": [{"name": name, "span": len(list(group))} for name, group in speeds],
        "rows": [
            [_cell_text(cell, column, wording) for cell, column in zip(row, named, strict=True)]
            for row in table
        ],
        "flipped": len(heads) > _MOST_UPRIGHT,
        "checkpoint": listed.checkpoint,
        "keep": wording["keep-checkpoint"] if listed.checkpoint else "",
    }


def _printed_table(listed: AnyList) -> tuple[list[Column], list[list[Value]]]:
    """The columns that are printed, places first, and their cells."""
    named, table = list(columns(listed)), [list(row) for row in rows(listed)]
    if isinstance(listed, RatingList):
        named.insert(0, _PLACE)
        table = [[place, *row] for place, row in zip(_places(listed), table, strict=True)]
    is_one_status = len({status for player in listed.players for status in _statuses(player)}) <= 1
    kept = [
        at
        for at, column in enumerate(named)
        if (column.key == "player_id" or any(row[at] not in ("", None) for row in table))
        and column.key != BIRTH_DATE
        and not (is_one_status and column.key.endswith("status"))
    ]
    return [named[at] for at in kept], [[row[at] for at in kept] for row in table]


def _statuses(player: ListedPlayer | RankedPlayer) -> list[str]:
    ratings = player.ratings if isinstance(player, ListedPlayer) else ()
    return [rating.status for rating in ratings if rating is not None]


def _places(listed: RatingList) -> list[int | None]:
    """Each player's place at the list's first speed; equal ratings share one."""
    values = [player.ratings[0].rating if player.ratings[0] else None for player in listed.players]
    ranked = sorted((value for value in values if value is not None), reverse=True)
    first: dict[int, int] = {}
    for place, value in enumerate(ranked, 1):
        first.setdefault(value, place)
    return [None if value is None else first[value] for value in values]


def _head(column: Column, wording: Mapping[str, str]) -> dict[str, Any]:
    speed = next((speed for speed in SPEEDS if column.key.startswith(f"{speed}_")), "")
    return {
        "heading": wording[column.key.removeprefix(f"{speed}_")],
        "speed": wording[f"speed-{speed}"] if speed else "",
        "kind": column.kind,
        "right": column.kind in (Kind.NUMBER, Kind.CHANGE),
        "wide": column.key in ("name", "name_native", "club"),
    }


def _cell_text(value: Value, column: Column, wording: Mapping[str, str]) -> str:
    """A cell as it is printed: `↑+12`, `↓−8`, a status in the reader's language."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "○" if value else "–"
    if not isinstance(value, int):
        text = str(value)
        return wording.get(text, text) if column.key.endswith("status") else text
    if column.kind is not Kind.CHANGE:
        return str(value).replace("-", "−")
    return f"↑+{value}" if value > 0 else f"↓−{-value}" if value < 0 else "±0"
