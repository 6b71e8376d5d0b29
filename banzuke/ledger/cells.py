"""What one cell of a ledger's table may hold: text to value and back, without loss.

A kind reads a non-blank cell and raises `CellError` with the code of the fault and its facts;
it writes what it has read so that reading it again gives the same value.
"""

import re
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Any, NamedTuple, TypeVar

from banzuke.core.adjustments import MapError, read_map
from banzuke.core.decimals import halves
from banzuke.core.facts import SCORES
from banzuke.core.go_facts import BEGINNERS, HALF_OF

#: Years in which events are believed: a slip of the pen must not make a thousand years of lists.
EARLIEST_YEAR, LATEST_YEAR = 1850, 2199

WHOLE = re.compile(r"-?[0-9]{1,9}", re.ASCII)
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
DECIMAL_NUMBER = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,9})?", re.ASCII)
DECIMAL_RATING = re.compile(r"[0-9]{1,4}(\.[0-9]{1,4})?", re.ASCII)
HALVES = re.compile(r"(-?)([0-9]{1,4})(?:\.([05])0*)?", re.ASCII)
PROFESSIONAL_RANK = re.compile(r"[1-9]p", re.ASCII)

Day = TypeVar("Day", bound=date)


class CellError(ValueError):
    """A cell that does not hold what its column holds."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


class Kind(NamedTuple):
    """How a column's cells are read and written; `blank` is what an empty cell reads as.

    In Parquet a column of whole numbers (`is_whole`) is int64, any other one strings.
    """

    read: Callable[[str], Any]
    write: Callable[[Any], str] = str
    blank: Any = None
    is_whole: bool = False


def _kind_of_test(code: str, is_good: Callable[[str], object], value_of: Callable[[str], Any] = str) -> Kind:
    """Cells that pass a test; any other is a fault of that code."""

    def read(cell: str) -> Any:
        if not is_good(cell):
            raise CellError(code, value=cell)
        return value_of(cell)

    return Kind(read)


def _day(cell: str) -> date:
    try:
        if DAY.fullmatch(cell):
            return date.fromisoformat(cell)
    except ValueError:
        pass
    raise CellError("cell-date", value=cell)


def _event_day(cell: str) -> date:
    return _in_believed_year(cell, _day(cell))


def _moment(cell: str) -> datetime:
    try:
        moment = datetime.fromisoformat(cell)
    except ValueError:
        raise CellError("cell-moment", value=cell) from None
    if moment.tzinfo is None or "T" not in cell.upper().replace(" ", "T"):
        raise CellError("cell-moment", value=cell)
    return _in_believed_year(cell, moment)


def _in_believed_year(cell: str, day: Day) -> Day:
    if not EARLIEST_YEAR <= day.year <= LATEST_YEAR:
        raise CellError("cell-year", value=cell, low=EARLIEST_YEAR, high=LATEST_YEAR)
    return day


def whole(low: int, high: int) -> Kind:
    """Whole numbers within bounds, both included."""

    def read(cell: str) -> int:
        if not WHOLE.fullmatch(cell):
            raise CellError("cell-whole", value=cell, low=low, high=high)
        if not low <= int(cell) <= high:
            raise CellError("cell-range", value=cell, low=low, high=high)
        return int(cell)

    return Kind(read, is_whole=True)


def one_of(*words: str, unnamed: tuple[str, ...] = ()) -> Kind:
    """One of the words; `unnamed` ones are read, too: whether they may stand here is asked later."""

    def read(cell: str) -> str:
        if cell not in words + unnamed:
            raise CellError("cell-word", value=cell, words=", ".join(words))
        return cell

    return Kind(read, blank="")


def _halves(cell: str) -> int:
    match = HALVES.fullmatch(cell)
    if not match:
        raise CellError("cell-komi", value=cell)
    sign, whole_part, half = match.groups()
    size = 2 * int(whole_part) + (half == "5")
    return -size if sign else size


def _is_whole_rank(cell: str) -> bool:
    return cell in HALF_OF and not cell.endswith("+")


def _is_declared_rank(cell: str) -> bool:
    return cell == BEGINNERS or bool(PROFESSIONAL_RANK.fullmatch(cell)) or _is_whole_rank(cell)


#: Ratings that a player may have: what lies beyond is a slip of the pen.
LOWEST_RATING, HIGHEST_RATING = 0, 4000


def _rating(cell: str) -> int:
    if not WHOLE.fullmatch(cell) or not LOWEST_RATING <= int(cell) <= HIGHEST_RATING:
        raise CellError("cell-rating", value=cell, low=LOWEST_RATING, high=HIGHEST_RATING)
    return int(cell)


def _decimal_rating(cell: str) -> Decimal:
    if not DECIMAL_RATING.fullmatch(cell) or not LOWEST_RATING <= Decimal(cell) <= HIGHEST_RATING:
        raise CellError("cell-decimal-rating", value=cell, low=LOWEST_RATING, high=HIGHEST_RATING)
    return Decimal(cell)


def _map(cell: str) -> str:
    """The map of an adjustment, as it is written."""
    try:
        read_map(cell)
    except MapError as error:
        raise CellError(error.code, **error.facts) from None
    return cell


DATE = Kind(_day, date.isoformat)
EVENT_DAY = Kind(_event_day, date.isoformat)
MOMENT = Kind(_moment, datetime.isoformat)
FLAG = Kind(_kind_of_test("cell-flag", ("0", "1").__contains__, "1".__eq__).read, lambda flag: str(int(flag)))
COUNT = whole(0, 999_999_999)
RATING = Kind(_rating, is_whole=True)
WITH_DECIMALS = Kind(_decimal_rating)
DECIMAL = _kind_of_test("cell-decimal", DECIMAL_NUMBER.fullmatch, Decimal)
RESULT = one_of(*SCORES)
KOMI = Kind(_halves, halves)
MAP = Kind(_map, blank="")
BYE_POINTS = Kind(lambda cell: {"1": 2, "0.5": 1}[one_of("1", "0.5").read(cell)], halves)
HANDICAP = _kind_of_test("cell-handicap", tuple("0123456789").__contains__, int)._replace(is_whole=True)
DECLARED = _kind_of_test("cell-declared", _is_declared_rank)
WHOLE_RANK = _kind_of_test("cell-rank", _is_whole_rank)
CERTIFIED_RANK = _kind_of_test("cell-certified", lambda cell: cell in HALF_OF or cell == BEGINNERS)
