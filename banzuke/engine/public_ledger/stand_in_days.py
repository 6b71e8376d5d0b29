"""Stand-ins for days that are private: other days to which a rule book's clauses give the same answers.

A clause's answers change on a few days only. For each question that was asked of a day, the days around it
with the same answer are found by halving; what all of them have in common is where the stand-in may be.
"""

from collections.abc import Hashable, Iterable
from datetime import date

from banzuke.core.calendar import DAY
from banzuke.core.private_facts import DayClause
from banzuke.ledger.cells import EARLIEST_YEAR, LATEST_YEAR

#: The first and the last day that a ledger may have, and the first that a stand-in is, where possible.
EARLIEST, LATEST, FIRST = date(EARLIEST_YEAR, 1, 1), date(LATEST_YEAR, 12, 31), date(1900, 1, 1)
#: The month of stand-ins, where that is possible.
JULY = 7

#: What was asked: a book's clause, if it is one for days, and what it took.
Question = tuple[DayClause | None, Hashable]
Span = tuple[date, date]


class StandInDays:
    """Stand-ins for days; the days with one answer are looked for once."""

    def __init__(self) -> None:
        self._spans: dict[tuple[Question, Hashable], Span] = {}

    def stand_in(self, true: date, asked: Iterable[Question]) -> date:
        """Of all dates YYYY-07-01 with the answers of the true day, the earliest from 1900 on.

        Where there is none, the earliest first day of a month; else the earliest day.
        """
        first, last = EARLIEST, LATEST
        for question in asked:
            earliest, latest = self._span(true, question)
            first, last = max(first, earliest), min(last, latest)
        return _in(max(first, FIRST) if last >= FIRST else first, last)

    def _span(self, true: date, question: Question) -> Span:
        """The first and the last day with the true day's answer."""
        answer = _answer(true, question)
        key = (question, answer)
        if key not in self._spans:
            self._spans[key] = (
                _end(true, EARLIEST, question, answer),
                _end(true, LATEST, question, answer),
            )
        return self._spans[key]


def _answer(day: date, question: Question) -> Hashable:
    """What a book's clause makes of a day; a day without a clause is public only as itself."""
    clause, asked = question
    return day if clause is None else clause.answer(day, asked)


def _end(true: date, limit: date, question: Question, answer: Hashable) -> date:
    """The day furthest from the true one, towards the limit, with the answer."""
    if _answer(limit, question) == answer:
        return limit
    same, other = true.toordinal(), limit.toordinal()
    while abs(same - other) > 1:
        middle = (same + other) // 2
        if _answer(date.fromordinal(middle), question) == answer:
            same = middle
        else:
            other = middle
    return date.fromordinal(same)


def _in(first: date, last: date) -> date:
    """The stand-in among the days from one to another, both included."""
    july = date(first.year + (first > date(first.year, JULY, 1)), JULY, 1)
    if july <= last:
        return july
    month = first if first.day == 1 else _next_month(first)
    return month if month <= last else first


def _next_month(day: date) -> date:
    """The first day of the month after that day's."""
    while day.day != 1:
        day += DAY
    return day
