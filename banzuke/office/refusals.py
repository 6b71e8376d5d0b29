"""Why the office does not do something, as values; the sentences are in `words/desk.toml` by their codes."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from banzuke.words import Language, act_text, fault_line, say

if TYPE_CHECKING:
    from banzuke.core.fault import Fault


class NotDoneError(Exception):
    """An act that was not done; nothing was changed. `facts` are those of its sentence."""

    code: ClassVar[str]

    def __init__(self, **facts: object) -> None:
        super().__init__(f"{self.code}: {facts}")
        self.facts = facts

    def sentence(self, lang: Language) -> str:
        """What happened, and what an officer can do."""
        return say("office", self.code, lang, **self.facts)


class AlreadyPublishedError(NotDoneError):
    """The list is published: `list`, `author`, `at`."""

    code = "already-published"


class NotPublishedError(NotDoneError):
    """There is no such published list: `list`, `known`."""

    code = "not-published"


class WindowOpenError(NotDoneError):
    """The list's window has not closed: `list`, `closes`."""

    code = "window-open"


class MovedOnError(NotDoneError):
    """Something was entered into the book since it was looked at: `entry`, `act`, `author`."""

    code = "moved-on"

    def sentence(self, lang: Language) -> str:
        """What was entered, by whom, in words."""
        return say("office", self.code, lang, **self.facts | {"act": act_text(str(self.facts["act"]), lang)})


class RevisionsDueError(NotDoneError):
    """Published lists are no longer what the book makes: `lists`."""

    code = "revisions-due"


class NothingToDoError(NotDoneError):
    """There is nothing to publish or to revise."""

    code = "nothing-to-do"


class NotOpenError(NotDoneError):
    """The inquiry was closed meanwhile: `author`, `at`."""

    code = "inquiry-closed"


class EmptyDraftError(NotDoneError):
    """The inquiry's draft changes nothing."""

    code = "empty-draft"


class StaleDraftError(NotDoneError):
    """A row that the draft strikes does not stand any more: `table`."""

    code = "stale-draft"


class FaultyDraftError(NotDoneError):
    """The corrected ledger would be refused, for these faults."""

    code = "faulty-draft"

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__()
        self.faults = faults

    def sentence(self, lang: Language) -> str:
        """The first faults."""
        return say("office", self.code, lang, faults=" ".join(fault_line(f, lang) for f in self.faults[:5]))


class FutureInquiryError(NotDoneError):
    """The inquiry bears a day that has not come: `day`."""

    code = "inquiry-day"


class ReportClosedError(NotDoneError):
    """The report was decided on meanwhile: `report`, `state`, `author`, `at`."""

    code = "report-closed"


class ReportNotReadyError(NotDoneError):
    """Something of the report has to be settled before it can be entered: `report`, `problems` (how many)."""

    code = "report-not-ready"


class SpanError(NotDoneError):
    """A membership, registration or event that ends before it begins: `starts`, `ends`."""

    code = "span"


class EventNotInBookError(NotDoneError):
    """A one-event membership of an event whose report has not come: `event`."""

    code = "event-not-in-book"


class UnknownEventError(NotDoneError):
    """An event that is neither in the book nor applied for: `event`."""

    code = "unknown-event"


class TakenClubError(NotDoneError):
    """A club's id that was given before: `club`."""

    code = "taken-club"


class UnknownClubError(NotDoneError):
    """A club that the pool does not have: `club`."""

    code = "unknown-club"


class StruckRegistrationError(NotDoneError):
    """A club's registration that was corrected meanwhile: `club`."""

    code = "struck-registration"


class OpeningsPublishedError(NotDoneError):
    """Starting ratings are entered and changed before the first list alone: `list`."""

    code = "openings-published"


class UnknownOpeningError(NotDoneError):
    """A starting rating that does not stand (any more)."""

    code = "unknown-opening"


class OutdatedError(NotDoneError):
    """The book was changed since what is to be done was looked at."""

    code = "outdated"


class NoFileError(NotDoneError):
    """A file that does not wait (any more): it was taken over, put away or fetched, or waited too long."""

    code = "no-file"


class NoLaboratoryError(NotDoneError):
    """The extra `lab` is not installed."""

    code = "no-laboratory"


class NoReasonError(NotDoneError):
    """A report is not held, sent back or refused without a reason."""

    code = "no-reason"
