"""Days as files write them: `2025/10/12`, `28. 07. 2005`, `Jun 26, 2020`, `2025年9月13日`; never a guess."""

from __future__ import annotations

import re
from datetime import date

_DAYS = (
    re.compile(r"(?P<y>\d{4}) *(?P<by>[-/.]) *(?P<m>\d\d?) *(?P=by) *(?P<d>\d\d?)", re.ASCII),
    re.compile(r"(?P<d>\d\d?) *(?P<by>[-/.]) *(?P<m>\d\d?) *(?P=by) *(?P<y>\d{4})", re.ASCII),
    re.compile(r"(?P<m>[A-Za-z]{3,9})\.? +(?P<d>\d\d?),? +(?P<y>\d{4})", re.ASCII),
    re.compile(r"(?P<d>\d\d?)\.? +(?P<m>[A-Za-z]{3,9})\.?,? +(?P<y>\d{4})", re.ASCII),
    re.compile(r"(?P<y>\d{4})年 *(?P<m>\d\d?)月 *(?P<d>\d\d?)日", re.ASCII),
)
#: A day of this century without its hundreds, `25/09/13`.
SHORT_DAY = re.compile(r"(?P<y>\d\d)(?P<by>[-/.])(?P<m>\d\d)(?P=by)(?P<d>\d\d)", re.ASCII)
#: A day of which only the year is known, or nothing: `1978/00/00`.
VAGUE_DAY = re.compile(r"\d{4}([-/.](\d|0\d|1[0-2])?([-/.]0{0,2})?)?|([0 ]{0,2}[-/.]){2}\d{4}|[0 /.-]*")
_MONTHS = "january february march april may june july august september october november december"
_MONTH_NUMBERS = {name[:end]: n for n, name in enumerate(_MONTHS.split(), 1) for end in (3, None)}


def day_of(text: str, *more: re.Pattern[str]) -> date | None:
    """Find the day that a text names; None if it names none, or may name more than one.

    `more` are ways to write a day that a format has besides, with the groups `y`, `m` and `d`.
    """
    for pattern in _DAYS + more:
        if found := pattern.fullmatch(text):
            year, month = f"20{found['y']}"[-4:], found["m"].lower()
            try:
                return date(int(year), _MONTH_NUMBERS.get(month) or int(month), int(found["d"]))
            except ValueError:
                return None
    return None
