"""A club's events as its desk shows them: steps and things to do, each with its words and its page."""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from banzuke.database.models import Pool
from banzuke.office.club_desk import ClubDesk, DeskEvent, Step, Todo
from banzuke.office.event_progress import OPEN, State
from banzuke.office.inbox.problems import field_label, problem_text
from banzuke.web.event_standing import standing
from banzuke.web.shortcuts import page_language
from banzuke.web.templatetags.banzuke import yen
from banzuke.web.templatetags.ratings import list_of_name

#: The states of which the club reads the reason.
_EXPLAINED = (State.HELD, State.RETURNED, State.REFUSED, State.DECLINED, State.CANCELLED)


class StepView(NamedTuple):
    """A step: its words, its page (blank: there is none yet), whether it is done, and whether it is next."""

    text: str
    url: str
    is_done: bool
    is_next: bool


class TodoView(NamedTuple):
    """Something to do: what, the words of its button, where; `details` are what of it stands below."""

    text: str
    button: str
    url: str
    details: tuple[str, ...] = ()


class EventView(NamedTuple):
    """An event on the desk."""

    name: str
    starts: date | None
    ends: date | None
    url: str
    label: str
    mark: str
    sentence: str
    why: str
    steps: list[StepView]
    todos: list[TodoView]
    links: list[tuple[str, str]]
    is_over: bool


def event_views(pool: Pool, desk: ClubDesk, today: date) -> list[EventView]:
    """The events of a desk."""
    return [_event(pool, event, today) for event in desk.events]


def _event(pool: Pool, event: DeskEvent, today: date) -> EventView:
    progress = event.progress
    urls = _Addresses(pool, event, today)
    steps = [_step(urls, step, event) for step in event.steps]
    return EventView(
        progress.name or _("without a name"),
        progress.starts,
        progress.ends,
        urls.event(),
        *standing(progress),
        progress.why if progress.state in _EXPLAINED else "",
        steps,
        list(urls.todos(event.todos)),
        list(urls.links()),
        event.is_over,
    )


def _step(urls: "_Addresses", step: Step, event: DeskEvent) -> StepView:
    """A step; one that is neither done nor next has no page yet."""
    is_done, is_next = step in event.done, step is event.next
    text, url = urls.of_step(step)
    return StepView(text, url if is_done or is_next else "", is_done, is_next)


class _Addresses:
    """The pages of one event of the club."""

    def __init__(self, pool: Pool, event: DeskEvent, today: date) -> None:
        self._pool = pool
        self._event = event
        self._today = today
        self._progress = event.progress

    def _page(self, name: str, **words: object) -> str:
        return reverse(name, kwargs={"slug": self._pool.slug, **words})

    def _of_event(self, name: str) -> str:
        """A page that begins with what the application says."""
        number = self._progress.sanction
        return f"{self._page(name)}?event={number}" if number else self._page(name)

    def application(self) -> str:
        """The application's page."""
        number = self._progress.sanction
        return self._page("register-event", number=number) if number else ""

    def report(self) -> str:
        """The report's page; that of the event where the office brought it."""
        number = self._progress.report
        return self._page("inbox-report", number=number) if number else self._public()

    def _public(self) -> str:
        is_in_book = self._progress.state in (State.ACCEPTED, State.RATED) and self._progress.event_id
        return self._page("public-event", event=self._progress.event_id) if is_in_book else ""

    def event(self) -> str:
        """The page that says most of it now."""
        return self._public() or self.report() or self.application()

    def invoice(self) -> str:
        """The invoice's page, or the fees of its list."""
        if self._event.invoice is not None:
            return self._page("fees-invoice", number=self._event.invoice.invoice.number)
        return self._page("fees")

    def of_step(self, step: Step) -> tuple[str, str]:
        """A step's words and its page."""
        listed = self._progress.list
        named = {"list": "" if self._progress.has_own_list else list_of_name(listed)}
        accepted = _("Accepted, in list %(list)s") % named if named["list"] else _("Accepted")
        rated = _("Rated in list %(list)s") % named if named["list"] else _("Rated in a list")
        has_report = self._progress.report is not None
        return {
            Step.APPLY: (_("Apply"), self.application()),
            Step.GRANT: (_("Granted"), self.application()),
            Step.REPORT: (_("Report"), self.report() if has_report else self._of_event("inbox-send")),
            Step.QUESTIONS: (_("Questions"), f"{self.report()}#questions" if has_report else ""),
            Step.ACCEPT: (accepted, self.report() if listed else ""),
            Step.RATE: (rated, self._public()),
            Step.INVOICE: (_("Invoice"), self.invoice() if listed else ""),
        }[step]

    def todos(self, todos: Iterable[Todo]) -> Iterator[TodoView]:
        """What is to be done, each with its button."""
        for todo in todos:
            yield getattr(self, f"_{todo.name.lower()}")()

    def _start_list(self) -> TodoView:
        text = _("Make the start list with ratings for your pairing program.")
        return TodoView(text, _("Start list"), self._of_event("register-start-list"))

    def _report(self) -> TodoView:
        is_over = self._progress.awaits_report(self._today)
        text = (
            _("The event is over; send the report.")
            if is_over
            else _("Send the report when the event is over.")
        )
        return TodoView(text, _("Send the report"), self._of_event("inbox-send"))

    def _answer(self) -> TodoView:
        asked, lang = self._event.asked, page_language()
        fields = [field_label(name, lang) for name in asked.fields] if asked else []
        details = [*fields, *(problem_text(one, lang) for one in (asked.problems if asked else ()))]
        count = self._progress.questions or 0
        text = ngettext("Something is missing.", "%(count)s things are missing.", count)
        return TodoView(
            text % {"count": count},
            _("Answer the questions"),
            f"{self.report()}#questions",
            tuple(details[:5]),
        )

    def _held(self) -> TodoView:
        return TodoView(_("The office asks:"), _("Answer the questions"), f"{self.report()}#questions")

    def _correct(self) -> TodoView:
        text = _("The report was sent back to be corrected:")
        return TodoView(text, _("Correct it and send it again"), self.report())

    def _newcomers(self) -> TodoView:
        count = len(self._event.newcomers)
        text = ngettext(
            "A newcomer’s details are incomplete.",
            "The details of %(count)s newcomers are incomplete.",
            count,
        )
        return TodoView(text % {"count": count}, _("Complete newcomers"), self._page("club-newcomers"))

    def _pay(self) -> TodoView:
        state = self._event.invoice
        amount = yen(state.open) if state else ""
        return TodoView(
            _("An invoice is to be paid: %(yen)s.") % {"yen": amount}, _("Invoice"), self.invoice()
        )

    def links(self) -> Iterator[tuple[str, str]]:
        """What else the club may use for the event now: words and address."""
        progress = self._progress
        if progress.state is State.GRANTED:
            is_to_come = progress.starts is not None and progress.starts > self._today
            if not is_to_come:
                yield _("Start list"), self._of_event("register-start-list")
            yield _("Blank report form (XLSX)"), self._of_event("inbox-blank-form")
            yield _("Fill in a report"), self._of_event("inbox-form")
            if is_to_come:
                yield _("Send the report"), self._of_event("inbox-send")
            yield _("Cancel the event"), f"{self.application()}#cancel"
        elif progress.state in OPEN and progress.report:
            yield _("Report %(number)s") % {"number": progress.report}, self.report()
