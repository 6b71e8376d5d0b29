"""What became of an objection, for whoever wrote it: step by step, without the club's words."""

from datetime import datetime
from operator import attrgetter
from typing import NamedTuple

from banzuke.database.models import InquiryStep, Objection, RatingList
from banzuke.office.pages.event_lists import note_event_names

RECEIVED, ASKED, ANSWERED = "received", "asked", "answered"


class WriterStep(NamedTuple):
    """A step: what happened and when; why and by which clause it was decided, and the revisions it led to."""

    what: str
    at: datetime
    clause: str = ""
    why: str = ""
    lists: tuple[RatingList, ...] = ()


def steps_of(objection: Objection) -> list[WriterStep]:
    """The steps so far, in order."""
    inquiry = objection.inquiry
    found = [WriterStep(RECEIVED, objection.received_at)]
    for question in inquiry.questions.all():
        found.append(WriterStep(ASKED, question.asked_at))
        if question.answered_at is not None:
            found.append(WriterStep(ANSWERED, question.answered_at))
    found += [_decided(objection, step) for step in inquiry.steps.all()]
    return sorted(found, key=attrgetter("at"))


def _decided(objection: Objection, step: InquiryStep) -> WriterStep:
    lists = _revisions(objection, step.entry_id) if step.entry_id else []
    note_event_names(lists)
    return WriterStep(step.state, step.at, step.clause, step.why, tuple(lists))


def _revisions(objection: Objection, entry: int) -> list[RatingList]:
    """The revisions that came of an entry; of an annulment the first of the list that was made after it."""
    revisions = objection.inquiry.pool.lists.filter(revision__gt=0)
    if objection.list is not None and objection.list.is_go:
        later = revisions.filter(name=objection.list.name, entry__gte=entry)
        return list(later.order_by("revision")[:1])
    return list(revisions.filter(entry=entry).order_by("number"))
