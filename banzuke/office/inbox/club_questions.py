"""What the club that sent a report has to answer: what neither its files, the application nor the club say.

`review` is one for the club (`review.review_for_club`): nothing here hangs on who the players are.
"""

from typing import NamedTuple

from banzuke.formats.report_form.form_layout import EVENT_FIELDS
from banzuke.office.inbox.problems import BLOCKS, Problem, asked_fields
from banzuke.office.inbox.review_findings import EventReview, Review

#: The fields of an event that its club can say.
_OF_CLUB = frozenset(field.name for field in EVENT_FIELDS) | {"speed"}


class Questions(NamedTuple):
    """What is asked: fields of the events that are missing, and the problems that hold the report up."""

    fields: tuple[str, ...]
    problems: tuple[Problem, ...]

    @property
    def number(self) -> int:
        """How many questions there are."""
        return len(self.fields) + len(self.problems)


def questions(review: Review) -> Questions:
    """The questions to the club."""
    asked = [name for problem in review.problems for name in _fields_of(problem)]
    fields = tuple(name for name in dict.fromkeys(asked) if _is_missing(review.events, name))
    others = [
        one for one in review.problems if one.weight == BLOCKS and not set(_fields_of(one)) & set(fields)
    ]
    return Questions(fields, tuple(others))


def _fields_of(problem: Problem) -> list[str]:
    """The fields of an event that a problem asks the club for."""
    return [name for name in asked_fields(problem) if name in _OF_CLUB]


def _is_missing(events: list[EventReview], name: str) -> bool:
    """Whether one of the events lacks the field."""
    return any(name in event.known.fields and event.known.fields[name].value is None for event in events)
