"""Days, results and time controls as files write them.

Days are `2025/10/12`, `28. 07. 2005`, `Jun 26, 2020`, `2025年9月13日`. Where the year is last the day is
first: `03/04/2025` is 3 April, and `12/31/2025` no day. As some put the month first, tables of games tell
what was read, unless another of their days can only be read so. Results may have whatever dashes, halves and
blanks people and programs use. Time controls are coded as in TRF26 (record 222) and PGN: `5400+30`,
`40/6000+30:900+30`, seconds.

A period of a time control is `S` or `S+I`, before it `M/` where it ends after M moves. What ratings need is
the time for 60 moves, one base and one increment. So minutes are given only where every period but the last
ends after so many moves that the last begins before move 60, all have one increment, and the base is of whole
minutes. A last period of so many moves starts again, and White's time may differ from Black's: no minutes for
either.
"""

import re
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from itertools import islice

from banzuke.core.facts import SCORES
from banzuke.core.fault import Fault, fault
from banzuke.formats.files.text import plain, plain_dashes

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


def parse_day(text: str, *more: re.Pattern[str]) -> date | None:
    """Find the day that a text names; None if it names none.

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


_TIME_OF_DAY = re.compile(r"[T ](\d\d?:\d\d(?::\d\d(?:\.\d{1,9})?)?)\Z", re.ASCII)


@lru_cache(maxsize=4096)
def part_moment(cell: str) -> tuple[str, str]:
    """What stands in a cell before its time of day, and that as `09:05:00`; blank for midnight or none."""
    text = plain(cell)
    found = _TIME_OF_DAY.search(text)
    if not found:
        return text, ""
    hour, *rest = found[1].split(":")
    time = ":".join((hour.zfill(2), *rest, "00")[:3])
    return text[: found.start()], time if time.strip("0:.") else ""


_DAY_MONTH = re.compile(r"(\d\d?) *([-/]) *(\d\d?) *\2 *\d{4}", re.ASCII)
_MONTHS_OF_YEAR = 12


def day_order_remarks(file: str, cells: Iterable[str]) -> list[Fault]:
    """A remark on the first day of a table that may have its month first; none where another cannot."""
    found = [parts for cell in cells if (parts := _DAY_MONTH.fullmatch(part_moment(cell)[0]))]
    if any(int(parts[1]) > _MONTHS_OF_YEAR for parts in found):
        return []
    doubtful = ((parts[0], parse_day(parts[0])) for parts in found if int(parts[1]) != int(parts[3]))
    read = ((text, day, day.replace(month=day.day, day=day.month)) for text, day in doubtful if day)
    return [
        fault(file, 0, "", "sheet-day-order", text=text, day=day, other=other)
        for text, day, other in islice(read, 1)
    ]


_HALF = re.compile(r"1⁄2|1/2|0[.,]50*(?!\d)")


def plain_marks(cell: str) -> str:
    """A cell in plain letters, every kind of half as `=`, every dash as `-`."""
    return _HALF.sub("=", plain_dashes(cell)).lower()


_RESULTS = {plain_marks(result): result for result in SCORES}
_RESULTS |= {"=": "1/2-1/2", "+-": "+/-", "-+": "-/+", "--": "-/-"}
_RESULTS |= {"+--": "+/-", "--+": "-/+", "---": "-/-"}


def parse_result(cell: str) -> str | None:
    """The ledger's result in a cell such as `1 - 0`, `½:½`, `+--`, `u0-1`; None if it is none."""
    return _RESULTS.get(plain_marks(cell).replace(" ", "").replace(":", "-"))


_PERIOD = re.compile(r"(?:([1-9]\d?)/)?(\d{1,6})(?:\+(\d{1,4}))?", re.ASCII)
_MOVES, _MOST_PERIODS, _MOST_WORDS = 60, 5, 100
_SHORTEST = 3  # minutes


def parse_time_control(format_time_control: str) -> tuple[int, int] | None:
    """The base in minutes and the increment in seconds; None if the code does not say them plainly."""
    parts = format_time_control.split(":", _MOST_PERIODS)
    found = [period for part in parts if (period := _PERIOD.fullmatch(part))]
    if len(found) < len(parts) or [part for part in found if not part[1]] != found[-1:]:
        return None
    increments = {int(period[3] or 0) for period in found}
    base, rest = divmod(sum(int(period[2]) for period in found), 60)
    before_last = sum(int(period[1]) for period in found[:-1])
    return (base, increments.pop()) if len(increments) == 1 and not rest and before_last < _MOVES else None


def parse_minutes(format_time_control: str) -> tuple[int | None, int | None]:
    """Base and increment, unless they are so short that minutes may have been meant (`60+30`)."""
    base, increment = parse_time_control(format_time_control) or (0, 0)
    return (base, increment) if base >= _SHORTEST else (None, None)


def may_mean_minutes(format_time_control: str) -> bool:
    """Whether a code is of one period for the whole game that is too short in seconds."""
    period = _PERIOD.fullmatch(format_time_control)
    return period is not None and not period[1] and int(period[2]) < 60 * _SHORTEST


_WORDS = re.compile(
    r"(?:(?:standard|classical|rapid|blitz|time control|持ち?時間|各|一人)[ :]*)*"
    r"(?P<base>[1-9][0-9]{0,2}) ?(?:min(?:ute[ns]?|utos|uti|s)?\.?|m|['′’´]|分)"
    r"(?: ?(?:for the (?:whole |entire )?game|per player|each))?"
    r"(?P<by> ?(?:\+|and|with|plus|und|mit|y|e|et|&) ?(?:1手)?|[ 、,]*1手)?"
    r"(?:(?P<increment>[0-9]{1,3}) ?(?P<unit>sec(?:onds?|s|ondes)?\.?|sek(?:unden)?\.?|seg(?:undos?)?\.?|s"
    r"|''|’’|′′|[\"″”]|秒)?(?P<each>(?: ?(?:bonus|bônus|bonificación|increment[os]?|incremento|inc\.?"
    r"|fischer|each move|(?:per|a|each|/|pro|por|par) ?(?:move|mv|zug|jugada|lance|mossa|coup|手)"
    r"|(?:starting )?from (?:the )?(?:1st |first )?move(?: 1| one)?|加算|フィッシャー|1手))*))?"
    r"(?P<alone> ?(?:k\.?o\.?|sudden death|切れ負け))?",
    re.IGNORECASE,
)


#: Hours before minutes or an increment (`1h30 + 30s`, `1時間30分+30秒`), and minutes as clubs of the United
#: States write them (`G/90;+30`).
_HOURS = re.compile(
    r"(?<![0-9])([1-9]) ?(?:h(?:ours?|rs?\.?)?|時間) ?(?:and )?"
    r"(?:([0-5]?[0-9])(?: ?(?:min(?:utes?)?\.?|m|分))?(?= ?(?:\+|[、,]?1手|$))|(?= ?(?:\+|[、,]?1手)))",
    re.IGNORECASE,
)
_GAME_IN = re.compile(r"g/([1-9][0-9]{0,2})[; ]+\+ ?([0-9]{1,3})", re.IGNORECASE)


def _in_minutes(words: str) -> str:
    """The words with hours as minutes, and a game in so many minutes as such."""
    found = _GAME_IN.fullmatch(words)
    if found:
        return f"{found[1]} min + {found[2]} sec"
    return _HOURS.sub(lambda time: f"{60 * int(time[1]) + int(time[2] or 0)} min", words)


def parse_time_words(text: str) -> tuple[int, int] | None:
    """The base in minutes and the increment in seconds of words such as `45 min + 15s Bonus`, `90分+30秒`.

    None where they say anything else besides, such as a second period or byoyomi.
    """
    found = _WORDS.fullmatch(_in_minutes(plain(text))) if len(text) <= _MOST_WORDS else None
    if not found or bool(found["by"]) != bool(found["increment"]) or (found["increment"] and found["alone"]):
        return None
    if found["increment"] and not (found["unit"] or found["each"]):
        return None
    if found["by"] and "+" not in found["by"] and "手" in found["by"] and "加算" not in found["each"]:
        return None
    return int(found["base"]), int(found["increment"] or 0)


def format_time_control(base_minutes: int, increment_seconds: int) -> str:
    """The code of one period for the whole game."""
    return f"{60 * base_minutes}" + (f"+{increment_seconds}" if increment_seconds else "")
