"""What results are worth in a TRF report, to hold the points of its rows against the results.

The standard values stand unless a record gives others: XXS, 162, BBW BBD BBL BBZ BBF BBU. Nothing is held
against anything if one of these cannot be read, or if a 299 record awards points to individuals.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from operator import add

_TENTHS = re.compile(r"(?=.)(\d{0,6})(?:[.,](\d)0*)?", re.ASCII)
_WORTH = re.compile(r"(?<![A-Za-z])([A-Za-z]++) *+=? *+([\d.,]+)", re.ASCII)
# In tenths of a point, by the names of the XXS record; `PAB?`: until PAB is given.
_STANDARD = dict.fromkeys(("WW", "BW", "FPB", "FW", "PAB?"), 10) | dict.fromkeys(("WD", "BD", "HPB"), 5)
_STANDARD |= dict.fromkeys(("WL", "BL", "ZPB", "FL"), 0)
_XXS: dict[str, tuple[str, ...]] = {name: (name,) for name in (*_STANDARD, "PAB")}
_XXS |= {"W": ("WW", "BW", "FW", "FPB"), "D": ("WD", "BD", "HPB"), "L": ("WL", "BL")}
_162 = _XXS | {"W": (*_XXS["W"], "PAB?"), "A": ("ZPB", "FL"), "P": ("PAB",), "X": ()}
_BB = {f"BB{n[0]}": _162 | {"Z": ("ZPB",), "F": ("FL",), "U": ("PAB",)} for n in "WDLZFU"}
#: The records that give values, each with what its names mean.
DIALECTS: dict[str, dict[str, tuple[str, ...]]] = {"XXS": _XXS, "162": _162, "299": {}, **_BB}
_NAMES = {colour + result: "FW" if result == "+" else "FL" for colour in "wb-" for result in "+-"}
_NAMES |= {c + r: c.upper() + n for c in "wb" for r, n in zip("1=0WDL", "WDLWDL", strict=True)}
_NAMES |= {"-H": "HPB", "-F": "FPB", "-U": "PAB", "-Z": "ZPB", "- ": "ZPB"}
_UNKNOWN, _LONGEST = -(10**9), 1000


@lru_cache(maxsize=4096)
def parse_tenths(text: str) -> int | None:
    """Read a score such as `11.5` in tenths of a point; None if it is none."""
    found = _TENTHS.fullmatch(text)
    return int(found[1] or 0) * 10 + int(found[2] or 0) if found else None


class Points:
    """The values that the records give, and then the sums of the rows, in tenths of a point."""

    def __init__(self) -> None:
        self._worth: dict[str, int] | None = _STANDARD.copy()
        self._sums: list[int] = []

    def take(self, record: str, text: str) -> None:
        """Take a record that gives values; one that cannot be read ends the check."""
        if record == "299" and text[7:11].strip():
            return  # it awards points to teams
        words, dialect = text[2 if record[:2] == "BB" else 3 :], DIALECTS[record]
        values = [(name.upper(), parse_tenths(value)) for name, value in _WORTH.findall(words[:_LONGEST])]
        if (
            len(words) > _LONGEST
            or _WORTH.sub("", words).strip()
            or not all(n in dialect and v is not None for n, v in values)
        ):
            self._worth = None
        elif self._worth is not None:
            self._worth |= {name: v for n, v in values if v is not None for name in dialect[n]}

    def sums(self, rounds: Iterable[Iterable[str]], rows: int) -> list[int] | None:
        """Each row's points by the kinds of its rounds; below 0 with an unknown kind, None: no check."""
        if self._worth is None:
            return None
        worth = {"PAB": self._worth["PAB?"]} | self._worth
        scores = defaultdict(lambda: _UNKNOWN, {kind: worth[name] for kind, name in _NAMES.items()})
        total = [0] * rows
        for kinds in rounds:
            total = list(map(add, total, map(scores.__getitem__, kinds)))
        return total
