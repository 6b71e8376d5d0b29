"""Where an event stands, as pages show it: in a word with its mark, and in a sentence."""

from typing import NamedTuple

from django.utils.timezone import localdate

from banzuke.office.event_progress import EventProgress, State
from banzuke.office.progress_sentences import label, sentence
from banzuke.web.shortcuts import page_language

#: The marks of the states: something good, something to look at, or something wrong.
_MARKS = {
    State.APPLIED: "warn",
    State.GRANTED: "good",
    State.REPORTED: "warn",
    State.HELD: "warn",
    State.RETURNED: "bad",
    State.ACCEPTED: "good",
    State.RATED: "good",
    State.DECLINED: "bad",
    State.CANCELLED: "bad",
    State.REFUSED: "bad",
    State.WITHDRAWN: "",
    State.STRUCK: "bad",
}


class EventStanding(NamedTuple):
    """An event's state as pages show it: a word, how it is marked, and the sentence."""

    label: str
    mark: str
    sentence: str


def standing(progress: EventProgress) -> EventStanding:
    """Where an event stands, in the page's language."""
    lang, today = page_language(), localdate()
    mark = "warn" if progress.awaits_report(today) else _MARKS[progress.state]
    return EventStanding(label(progress, lang, today), mark, sentence(progress, lang, today))
