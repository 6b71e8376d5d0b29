"""The columns of a TRF player's row, shared by national records: its fields, and where nothing may stand."""

from __future__ import annotations

import re
from operator import itemgetter

from banzuke.formats.trf.trf_rounds import FIRST, WIDTH

MOST_ROUNDS = 999
#: The place (from 0) behind the last round that a row may have.
END = FIRST + WIDTH * MOST_ROUNDS
#: A row's sex, name, rating, federation, number and day of birth, with their blanks.
fields_of = itemgetter(*(slice(*p) for p in ((9, 10), (14, 47), (48, 52), (53, 56), (57, 68), (69, 79))))
_GAPS = (3, 8, 13, 47, 52, 56, 68, 79, 84, 89, 90)
_STATIC = 89
_SOUND = re.compile(
    r".{3} .{4} .{4} .{33} .{4} .{3} .{11} .{10} .{4} .{4}(?:  .{4} . .)*+(?:  .{1,4}(?: .)?)?"
)


def misplaced(text: str) -> int | None:
    """Where (from 0) a row first has something in a column that must be blank."""
    if _SOUND.fullmatch(text.ljust(_STATIC)) and "\t" not in text and len(text) <= END:
        return None
    return next((i for i, c in enumerate(text) if c == "\t" or i == END or (c != " " and _is_gap(i))), None)


def _is_gap(place: int) -> bool:
    return place in _GAPS or (place >= FIRST and place % WIDTH in (5, 7, 9, 0))
