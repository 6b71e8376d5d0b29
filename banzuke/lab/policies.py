"""What may be tried of any chess book beside its numbers: weekly lists, a largest change, an adjustment.

`calendar=weekly` makes a list every Monday; `most_change=60` lets nobody's rating change by more in a list;
`adjustment=1000:1400,2000:2000` adjusts all ratings of the first list (`core.adjustments`).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from banzuke.core.adjustments import MapError, read_map
from banzuke.core.calendar import ByEnd, ByReport, EachWeek
from banzuke.core.facts import Adjustment
from banzuke.core.fault import Fault, fault
from banzuke.core.rating import Outcome, Rating, Ratings, RatingScale, Standings
from banzuke.core.rulebook import ChessBook, RuleBook

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from banzuke.core.batch import Batch
    from banzuke.engine.columnar.chess_reader import ChessColumns

CALENDAR, MOST_CHANGE, ADJUSTMENT = "calendar", "most_change", "adjustment"
WEEKLY = "weekly"
#: What a book has by itself: its own lists, any change, no adjustment.
AS_PRINTED: dict[str, int | str] = {CALENDAR: "", MOST_CHANGE: 0, ADJUSTMENT: ""}


def policies_of(book: RuleBook) -> dict[str, int | str]:
    """The policies that may be tried of a book, at what they are."""
    if not isinstance(book, ChessBook):
        return {}
    has_windows = isinstance(book.calendar, ByReport | ByEnd)
    return {name: value for name, value in AS_PRINTED.items() if has_windows or name != CALENDAR}


def map_faults(text: str, word: str) -> list[Fault]:
    """The faults of an adjustment's map."""
    try:
        read_map(_map(word))
    except MapError as error:
        return [fault("--set", 0, text, error.code, **error.facts)]
    return []


def _map(word: str) -> str:
    """A map as a ledger writes it; in `--set` commas may stand between its nodes."""
    return " ".join(word.replace(",", " ").split())


def book_with(book: RuleBook, values: Mapping[str, Any]) -> RuleBook:
    """The book under those policies."""
    if not isinstance(book, ChessBook):
        return book
    if values.get(CALENDAR):
        calendar: Any = book.calendar
        before = calendar.before if isinstance(calendar, ByEnd) else 1
        book = replace(book, calendar=EachWeek(before, calendar.correction_days, calendar.column))
    if most := values.get(MOST_CHANGE):
        book = replace(book, twin=None, rate=partial(_rate_within, book.rate, book.scale, most))
    return book


def _rate_within(
    rate: Callable[..., Outcome], scale: RatingScale, most: int, standings: Standings, batch: Batch,
    settings: Any,
) -> Outcome:  # fmt: skip
    """A batch rated, no rating of those who played changed by more than so many points."""
    outcome = rate(standings, batch, settings)
    ratings: Ratings = {speed: dict(of_speed) for speed, of_speed in outcome.standings.ratings.items()}
    for speed, calculations in outcome.calculations.items():
        for player in calculations:
            before, after = standings.of(speed, player), outcome.standings.of(speed, player)
            if before.value is not None and after.value is not None:
                ratings[speed][player] = _within(scale, most, before, after)
    return outcome._replace(standings=Standings(ratings, outcome.standings.waiting))


def _within(scale: RatingScale, most: int, before: Rating, after: Rating) -> Rating:
    old, new = scale.read(before), scale.read(after)
    if abs(new - old) <= most:
        return after
    held = scale.write(after, old + (most if new > old else -most))
    return held._replace(peak=after.peak and max(before.peak or 0, held.value or 0))


def with_adjustment(columns: ChessColumns, names: Sequence[str], word: object) -> ChessColumns:
    """The ledger with an adjustment of the first of its lists; as it is where there is none to try."""
    if not word or not names:
        return columns
    tried = Adjustment("tried", names[0], _map(str(word)), "")
    return columns._replace(adjustments=[*columns.adjustments, tried])
