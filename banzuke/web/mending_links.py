"""The links from what is wrong to the page that mends it, for each place that `office/mending.py` knows."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from django.urls import reverse

from banzuke.database.models import Event, Pool, ReportStep
from banzuke.office.mending import MendingPlace, MendingTarget
from banzuke.web.shortcuts import page_language
from banzuke.words import say

#: The parts of a report's page, by their ids there.
_PARTS = {MendingPlace.GAMES: "games", MendingPlace.RULING: "ruling", MendingPlace.WHO: "who"}
#: Places that are one page of a pool.
_PAGES = {
    MendingPlace.SEND: "inbox-send",
    MendingPlace.EVENTS: "public-events",
    MendingPlace.NEW: "register-new",
    MendingPlace.OPENINGS: "register-openings",
    MendingPlace.MEMBERS_FILE: "register-send",
    MendingPlace.FIDE: "register-fide",
    MendingPlace.START_LIST: "register-start-list",
    MendingPlace.LISTS: "board-revisions",
    MendingPlace.BOARD: "board",
    MendingPlace.SETTINGS: "accounts-pool-settings",
    MendingPlace.LIVE: "live",
    MendingPlace.LABORATORY: "lab",
}
#: Places that are a member's page.
_OF_MEMBERS = {
    MendingPlace.MEMBER: "register-change",
    MendingPlace.MEMBERSHIP: "register-add-membership",
    MendingPlace.MERGE: "register-merge",
}
#: What a club can mend.
_OF_CLUBS = frozenset(
    (MendingPlace.FIELD, MendingPlace.FILE, MendingPlace.SEND, MendingPlace.PAGE, MendingPlace.NEWCOMERS)
)


class MendingLink(NamedTuple):
    """A link and its words; without an address only the words."""

    address: str
    text: str


class ShownReport(NamedTuple):
    """The report on whose page something is wrong: its files by name, and what of it the page has.

    `fields` are the fields of the form by the event's number, `newcomers` the ids that are no members yet.
    """

    number: int
    files: Mapping[str, int]
    fields: Collection[str]
    newcomers: Collection[str]
    event: int = 0


class MendingLinks:
    """The links of a page of a pool, for an officer or for a club; `report` is that of a report's page."""

    def __init__(self, pool: Pool, report: ShownReport | None = None, *, is_officer: bool = True) -> None:
        self._pool, self._report, self._is_officer = pool, report, is_officer
        self._reports: dict[str, int] = {}

    def find_reports(self, events: Collection[str]) -> None:
        """Look up the reports of events of the ledger, all at once."""
        rows = Event.objects.filter(pool=self._pool, event_id__in=events)
        entries = dict(rows.values_list("entry", "event_id"))
        steps = ReportStep.objects.filter(entry__in=entries)
        self._reports = {entries[entry]: report for entry, report in steps.values_list("entry", "report")}

    def link(self, target: MendingTarget | None) -> MendingLink | None:
        """The link to where something is mended; None for what no page mends."""
        if target is None:
            return None
        lang = page_language()
        if not self._is_officer and target.place not in _OF_CLUBS:
            return MendingLink("", say("mending", "office", lang))
        if target.place is MendingPlace.NEWCOMERS and self._report:
            return MendingLink("", say("mending", "newcomers-later", lang))
        address = self._address(target)
        if not address and not self._is_officer:
            return MendingLink("", say("mending", "office", lang))
        is_unreported = target.place is MendingPlace.EVENT and target.of not in self._reports
        key = "event-inquiry" if is_unreported else target.place.value
        return MendingLink(address, say("mending", key, lang)) if address else None

    def _address(self, target: MendingTarget) -> str:
        place, of = target
        report = self._report
        if place in _PAGES:
            return self._page(_PAGES[place])
        if place in _OF_MEMBERS and of and not (report and of in report.newcomers):
            return self._page(_OF_MEMBERS[place], player_id=of)
        if place is MendingPlace.NEWCOMERS:
            return self._page("register-newcomers" if self._is_officer else "club-newcomers")
        if place is MendingPlace.CLUB:
            return self._page("register-club", club_id=of) if of else self._page("register-clubs")
        if place is MendingPlace.EVENT:
            number = self._reports.get(of)
            return self._page("inbox-report", number=number) if number else self._page("board-inquiries")
        if place is MendingPlace.FEES:
            return self._page("fees-window", window=of)
        if place is MendingPlace.COLUMNS:
            return "?columns"
        return self._in_report(place, of, report) if report else ""

    def _in_report(self, place: MendingPlace, of: str, report: ShownReport) -> str:
        """A part of the report's page, or another one."""
        if place is MendingPlace.REPORT:
            return self._page("inbox-report", number=of)
        if place is MendingPlace.FIELD:
            return f"#id_e{report.event}-{of}" if of in report.fields else self._decision()
        if place is MendingPlace.FILE:
            number = report.files.get(of)
            return self._page("inbox-file", number=report.number, file=number) if number else self._decision()
        if place is MendingPlace.PAGE:
            return "#page"
        if place is MendingPlace.DECISION:
            return self._decision()
        return f"#{_PARTS.get(place, 'who')}-{report.event}"

    def _decision(self) -> str:
        return "#why" if self._is_officer else ""

    def _page(self, name: str, **words: object) -> str:
        return reverse(name, kwargs={"slug": self._pool.slug, **words})
