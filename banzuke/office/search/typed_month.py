"""A month or a year as people type it.

`2025-05`, `2025/5`, `202505`, `May 2025`, `2025年5月`, `令和7年5月`, `2025`.
"""

import re
from calendar import monthrange
from datetime import date
from typing import NamedTuple
from unicodedata import normalize

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NUMBERS = re.compile(r"(\d{4})(?:\s*[-/.年]\s*|\s+)(\d{1,2})(?:\s*月)?(?:\s*[-/.]?\s*(\d{1,2})\s*日?)?")
_TOGETHER = re.compile(r"(\d{4})(\d{2})")
_ERA = re.compile(r"(?:令和|r)\s*(\d{1,2}|元)\s*[年.]\s*(\d{1,2})\s*月?")
_NAMED = re.compile(r"([a-z]{3,9})\.?\s*(\d{4})|(\d{4})\s*([a-z]{3,9})\.?")
_YEAR = re.compile(r"(\d{4})\s*年?")
#: The year before the first of the era.
_BEFORE_ERA = 2018


class Month(NamedTuple):
    """A month; the whole year where `month` is None."""

    year: int
    month: int | None

    @property
    def first(self) -> date:
        """Its first day."""
        return date(self.year, self.month or 1, 1)

    @property
    def last(self) -> date:
        """Its last day."""
        month = self.month or 12
        return date(self.year, month, monthrange(self.year, month)[1])


def month_of(typed: str) -> Month | None:
    """The month, or the year, that was typed and nothing else; None for other things."""
    text = normalize("NFKC", typed).casefold().strip()
    for read in (_read_numbers, _read_era, _read_named, _read_year):
        found = read(text)
        if found is not None:
            return found if 1 <= found.year <= date.max.year and 1 <= (found.month or 1) <= 12 else None  # noqa: PLR2004
    return None


def _read_numbers(text: str) -> Month | None:
    found = _NUMBERS.fullmatch(text) or _TOGETHER.fullmatch(text)
    return Month(int(found[1]), int(found[2])) if found else None


def _read_era(text: str) -> Month | None:
    found = _ERA.fullmatch(text)
    if not found:
        return None
    return Month(_BEFORE_ERA + (1 if found[1] == "元" else int(found[1])), int(found[2]))


def _read_named(text: str) -> Month | None:
    found = _NAMED.fullmatch(text)
    if not found:
        return None
    word, year = found[1] or found[4], found[2] or found[3]
    name = word[:3]
    full = date(1, _MONTHS.index(name) + 1, 1).strftime("%B").casefold() if name in _MONTHS else ""
    return Month(int(year), _MONTHS.index(name) + 1) if full.startswith(word) or word == "sept" else None


def _read_year(text: str) -> Month | None:
    found = _YEAR.fullmatch(text)
    return Month(int(found[1]), None) if found else None
