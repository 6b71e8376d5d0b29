"""How the state of an event is marked on pages: as something good, to look at, or wrong."""

from datetime import date

from banzuke.office.event_progress import EventProgress, State

_MARKS = {
    State.APPLIED: "warn",
    State.GRANTED: "good",
    State.REPORTED: "warn",
    State.HELD: "warn",
    State.RETURNED: "bad",
    State.ACCEPTED: "good",
    State.RATED: "good",
    State.DECLINED: "bad",
    State.REFUSED: "bad",
    State.WITHDRAWN: "",
    State.STRUCK: "bad",
}


def mark(progress: EventProgress, today: date) -> str:
    """The mark of an event; one that was played and is not reported waits for something."""
    is_over = progress.ends is not None and progress.ends < today
    return "warn" if progress.state is State.GRANTED and is_over else _MARKS[progress.state]
