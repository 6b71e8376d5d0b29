"""Why the office does not do something, as values; `words/office.toml` has the sentences by their codes."""

import re
from typing import ClassVar

from banzuke.core.fault import Fault
from banzuke.engine.history import UnknownListError
from banzuke.office.page_words import fact_text, page_line
from banzuke.words import Language, act_text, day_text, say


class NotDoneError(Exception):
    """An act that was not done; nothing was changed. `facts` are those of its sentence.

    `code` is the class's name as the catalogue has it: already-published of `AlreadyPublishedError`.
    """

    code: ClassVar[str]

    def __init_subclass__(cls) -> None:
        words = re.findall("[A-Z][a-z]+", cls.__name__.removesuffix("Error"))
        cls.code = "-".join(words).lower()

    def __init__(self, **facts: object) -> None:
        super().__init__(f"{self.code}: {facts}")
        self.facts = facts

    def sentence(self, lang: Language) -> str:
        """What happened, and what an officer can do."""
        told = {name: day_text(fact_text(name, str(fact), lang), lang) for name, fact in self.facts.items()}
        return say("office", self.code, lang, **told)


def refusal_sentence(refusal: NotDoneError | UnknownListError, lang: Language) -> str:
    """Why an act was not done; a list that the pool does not have is told by the engine."""
    if isinstance(refusal, NotDoneError):
        return refusal.sentence(lang)
    return say("office", "unknown-list", lang, list=refusal.name, known=refusal.known)


class AlreadyPublishedError(NotDoneError):
    """The list is published: `list`, `author`, `at`."""


class ListTakenError(NotDoneError):
    """An event cannot be moved to the list, or not any more: `list`."""


class RulesChangedError(NotDoneError):
    """The rules of the pool were changed by somebody else meanwhile."""


class PastHourError(NotDoneError):
    """The hour at which a list is to be published is over."""


class AlreadyPlannedError(NotDoneError):
    """A publication of the pool is planned already: `list`."""


class NothingPlannedError(NotDoneError):
    """The planned publication is under way, over or cancelled."""


class OfficerGoneError(NotDoneError):
    """Who planned the publication may not publish any more: `author`."""


class NotPublishedError(NotDoneError):
    """There is no such published list: `typed`, `known`."""


class WindowOpenError(NotDoneError):
    """The list's window has not closed: `list`, `closes`."""


class PreliminaryDayError(NotDoneError):
    """A list was to be preliminary until a day that is over: `day`."""


class NotPreliminaryError(NotDoneError):
    """The list is final, or was never preliminary: `list`."""


class MovedOnError(NotDoneError):
    """Something was entered into the book since it was looked at: `entry`, `act`, `author`."""

    def sentence(self, lang: Language) -> str:
        """What was entered, by whom, in words."""
        return say("office", self.code, lang, **self.facts | {"act": act_text(str(self.facts["act"]), lang)})


class RevisionsDueError(NotDoneError):
    """Published lists are no longer what the book makes: `lists`."""


class NothingToDoError(NotDoneError):
    """There is nothing to publish or to revise."""


class InquiryClosedError(NotDoneError):
    """The inquiry was closed meanwhile: `author`, `at`."""


class TooManyObjectionsError(NotDoneError):
    """As many objections came from an address, or in all, as the office takes in a day: `most`."""


class SameObjectionError(NotDoneError):
    """The same was written from the same address today: `inquiry`."""


class AppealClosedError(NotDoneError):
    """The decision cannot be appealed: there is none, it was appealed once, or its days are over."""


class NotWithdrawnError(NotDoneError):
    """The inquiry cannot be withdrawn (any more): it is closed, or upheld."""


class AppealOfficerError(NotDoneError):
    """An appeal is decided by another officer than the one who decided first: `author`."""


class AlreadyAskedError(NotDoneError):
    """The club was asked already, and has not answered: `club`."""


class AlreadyAnsweredError(NotDoneError):
    """The club's answer is there: `author`, `at`."""


class EmptyDraftError(NotDoneError):
    """The inquiry's draft changes nothing."""


class StaleDraftError(NotDoneError):
    """A row that the draft strikes does not stand any more: `table`."""


class AlreadyDraftedError(NotDoneError):
    """The draft already strikes or changes the row."""


class DraftChangedError(NotDoneError):
    """The draft is not any more what somebody looked at."""


class FaultyDraftError(NotDoneError):
    """The corrected ledger would be refused, for these faults."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__()
        self.faults = faults

    def sentence(self, lang: Language) -> str:
        """The first faults."""
        return say("office", self.code, lang, faults=" ".join(page_line(f, lang) for f in self.faults[:5]))


class InquiryDayError(NotDoneError):
    """The inquiry bears a day that has not come: `day`."""


class DayNotWaitingError(NotDoneError):
    """The inquiry has no earlier day that waits for a second officer."""


class SameOfficerError(NotDoneError):
    """Who recorded the inquiry confirms its earlier day: `asked`, `day` that counts."""


class ReportClosedError(NotDoneError):
    """The report was decided on meanwhile: `report`, `state`, `author`, `at`."""


class ReportChangedError(NotDoneError):
    """Something was added to the report since it was looked at."""


class ReportNotReadyError(NotDoneError):
    """Something of the report has to be settled before it can be entered: `report`, `problems` (how many)."""


class BirthDatesError(NotDoneError):
    """The report gives birth dates and is not accepted together with others: `report`."""


class NotAcceptedError(NotDoneError):
    """The report's acceptance is taken back already, or it never was: `report`, `state`, `author`, `at`."""


class ReportPublishedError(NotDoneError):
    """A published list has an event of the report: `report`, `list`."""


class CorrectedSinceError(NotDoneError):
    """An event of the report was corrected so late that its list would know it still: `report`."""


class RatedAtOnceError(NotDoneError):
    """The games of the report are rated one by one, and annulled so: `report`."""


class NotCorrectedError(NotDoneError):
    """No inquiry of that number has corrected anything: `inquiry`."""


class NotAnnulledError(NotDoneError):
    """The game is not annulled (any more): `game`."""


class AnnulmentPublishedError(NotDoneError):
    """A published ranking is made without the annulled game: `game`, `list`."""


class SpanError(NotDoneError):
    """A membership, registration or event that ends before it begins: `starts`, `ends`."""


class EventNotInBookError(NotDoneError):
    """A one-event membership of an event whose report has not come: `event`."""


class NotedPaymentError(NotDoneError):
    """The same payment was noted since the page was made: `number` of the invoice."""


class HeldRegistrationError(NotDoneError):
    """A club's registration of these days that stands already: `starts`, `ends`."""


class HeldMembershipError(NotDoneError):
    """A membership that the member has already: `member`."""


class UnknownEventError(NotDoneError):
    """An event that is neither in the book nor applied for: `event`."""


class TakenClubError(NotDoneError):
    """A club's id that was given before: `club`."""


class UnknownClubError(NotDoneError):
    """A club that the pool does not have: `club`."""


class StruckRegistrationError(NotDoneError):
    """A club's registration that was corrected meanwhile: `club`."""


class OpeningsPublishedError(NotDoneError):
    """Starting ratings are entered and changed before the first list alone: `list`."""


class UnknownAdjustmentError(NotDoneError):
    """No adjustment of that id stands: `adjustment`."""


class TakenAdjustmentError(NotDoneError):
    """An adjustment of that id was entered before: `adjustment`."""


class FrozenAdjustmentError(NotDoneError):
    """No correction of today can change the list: `list`."""


class FrozenListError(NotDoneError):
    """A published list that cannot be changed any more would be made by a reform's numbers: `list`."""


class ReformClosedError(NotDoneError):
    """The reform is announced, in force or withdrawn."""


class ReformChangedError(NotDoneError):
    """The draft is not any more what somebody looked at."""


class NothingToRehearseError(NotDoneError):
    """No list of the pool can show what the reform would do."""


class NotRehearsedError(NotDoneError):
    """A decision on a draft that was not rehearsed."""


class NotDecidedError(NotDoneError):
    """A signature on a draft about which no decision is noted."""


class NotSignedError(NotDoneError):
    """A second officer has not signed the draft, as it was decided."""


class DraftersOwnError(NotDoneError):
    """Who drafted a reform signs it: `author`."""


class ReformDayError(NotDoneError):
    """The first day of the reform is over: `day`."""


class DecisionDayError(NotDoneError):
    """A decision of a day to come: `day`."""


class NotAnnouncedError(NotDoneError):
    """The reform is not announced, its first day has not come, or it is in force or withdrawn."""


class UnknownOpeningError(NotDoneError):
    """A starting rating that does not stand (any more)."""


class OutdatedError(NotDoneError):
    """The book was changed since what is to be done was looked at."""


def refuse_outdated(seen: str, now: str, refusal: type[NotDoneError] = OutdatedError) -> None:
    """See that what a page showed (`seen`; blank: the act is of no page) still stands. Raises `refusal`."""
    if seen not in ("", now):
        raise refusal


class NoFileError(NotDoneError):
    """A file that does not wait (any more): it was taken over, put away or fetched, or waited too long."""


class NoLaboratoryError(NotDoneError):
    """The extra `lab` is not installed."""


class WaiverError(NotDoneError):
    """Who is no chief officer waives a fee or lateness, or takes that back."""


class NoReasonError(NotDoneError):
    """A report is not held, sent back or refused without a reason."""


class NobodyToEraseError(NotDoneError):
    """No member has, or had, the id: `player`."""


class AlreadyErasedError(NotDoneError):
    """The person of the id is erased: `player`."""


class ErasureWaitsError(NotDoneError):
    """Something that names the person is not decided on: `player`, `reports`, `inquiries`."""


class ErasureChangesListError(NotDoneError):
    """A published list would be another one: `list`, `revision`."""


class ErasedMemberError(NotDoneError):
    """The id is of a person who was erased; nothing is entered about them: `player`."""
