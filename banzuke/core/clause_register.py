"""Who answers a clause: functions of the rule book, or somebody who is not a program."""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any


class Answer(Enum):
    """Who answers a clause that no function carries out."""

    OFFICER = "officer"
    ORGANISER = "organiser"
    ARBITER = "arbiter"
    PURPOSE = "purpose"
    NOTICE = "notice"
    OFFICE = "office"
    SERVER = "server"


OFFICER, ORGANISER, ARBITER = Answer.OFFICER, Answer.ORGANISER, Answer.ARBITER
PURPOSE, NOTICE, OFFICE, SERVER = Answer.PURPOSE, Answer.NOTICE, Answer.OFFICE, Answer.SERVER

#: The functions that carry a clause out, or who answers it.
Answered = tuple[Callable[..., Any], ...] | Answer
ClauseRegister = Mapping[str, Answered]
