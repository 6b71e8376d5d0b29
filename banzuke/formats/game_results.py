"""Results of games as people and programs write them, whatever dashes, halves and blanks they use."""

from __future__ import annotations

import re

from banzuke.core.facts import SCORES
from banzuke.formats.files.text_encoding import dashed

_HALF = re.compile(r"1⁄2|1/2|0[.,]50*(?!\d)")


def marks(cell: str) -> str:
    """A cell in plain letters, every kind of half as `=`, every dash as `-`."""
    return _HALF.sub("=", dashed(cell)).lower()


_RESULTS = {marks(result): result for result in SCORES}
_RESULTS |= {"=": "1/2-1/2", "+-": "+/-", "-+": "-/+", "--": "-/-"}
_RESULTS |= {"+--": "+/-", "--+": "-/+", "---": "-/-"}


def result_of(cell: str) -> str | None:
    """The ledger's result in a cell such as `1 - 0`, `½:½`, `+--`, `u0-1`; None if it is none."""
    return _RESULTS.get(marks(cell).replace(" ", "").replace(":", "-"))
