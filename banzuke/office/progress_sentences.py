"""Where an event stands, in a sentence and in a word: for pages, programs and mails alike."""

from datetime import date

from django.utils.timezone import localtime

from banzuke.office.event_progress import EventProgress, State, Turn
from banzuke.words import Language, day_text, list_title, say


def sentence(progress: EventProgress, lang: Language, today: date) -> str:
    """Whether the event is rated, and why not yet; nothing in it is private."""
    since = localtime(progress.since).date() if progress.since else None
    facts = {
        "since": since or "–",
        "closes": progress.closes or "–",
        "list": progress.list,
        "questions": progress.questions or 0,
    }
    told = {name: day_text(str(fact), lang) for name, fact in facts.items() if name != "list"}
    return say("progress", _key(progress, today), lang, **told, list=list_title(progress.list, lang))


def label(progress: EventProgress, lang: Language, today: date) -> str:
    """The state in a word or two."""
    return say("progress", f"label-{_state(progress, today)}", lang)


def _state(progress: EventProgress, today: date) -> str:
    return "granted-played" if progress.awaits_report(today) else str(progress.state)


def _key(progress: EventProgress, today: date) -> str:
    state = progress.state
    if state is State.REPORTED:
        return "reported-questions" if progress.questions else "reported"
    if state is State.HELD:
        if not progress.club_id:
            return "held"
        return "held-office" if progress.turn is Turn.OFFICE else "held-club"
    if state is State.RATED:
        return "rated-own" if progress.has_own_list else "rated"
    if state is State.ACCEPTED:
        return _key_of_accepted(progress, today)
    return _state(progress, today)


def _key_of_accepted(progress: EventProgress, today: date) -> str:
    if progress.published is not None:
        return "accepted-published"
    if progress.has_own_list:
        return "accepted-own"
    if progress.closes is None:
        return "accepted-games"
    return "accepted-closed" if progress.closes < today else "accepted"
