"""A preview says what the rehearsal says once its report is accepted, from whatever it is rated."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import transaction
from published_office import EXAMPLES, example, names
from repeated import repeated

from banzuke.core import facts
from banzuke.core.month import parse_month
from banzuke.database.book_writer import Act, add_facts, open_entry
from banzuke.exchange.player_identities import NEW, Decision
from banzuke.office.fact_rows import TABLES, replace, standing_rows
from banzuke.office.inbox import report_preview, reports
from banzuke.office.inbox.event_fields import JOINED
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.inbox.report_preview import preview
from banzuke.office.inbox.review import review_report
from banzuke.office.journal import Actor
from banzuke.office.lists import correction_drafts, corrections, fast_forward
from banzuke.office.lists.publishing import publish
from banzuke.office.lists.rehearsal import rehearse
from banzuke.rulebooks.jcf.ncs_2022 import CALENDAR

OFFICER = Actor("officer")
HINOKI = (EXAMPLES / "hinoki-spring.trf").read_text()
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("either_engine")]


@pytest.fixture(autouse=True)
def _nothing_kept():
    report_preview._cache.clear()
    yield
    report_preview._cache.clear()


class Office:
    """The example's lists published to the one of that place; reports that go into the next one."""

    def __init__(self, until):
        self.pool = repeated(("preview", until, fast_forward.FROM_GAMES), lambda: self.published(until))
        self.coming = parse_month(names(self.pool)[until]).plus(1)
        self.today = CALENDAR.window_named(str(self.coming)).closes - timedelta(days=3)

    @staticmethod
    def published(until):
        pool = example("japan")
        publish(pool, names(pool)[until], OFFICER, date(2030, 1, 1))
        return pool

    def report(self, number=1, day=None, **changed):
        day = day or self.today
        text = HINOKI.replace("Hinoki Spring Match", f"Cup {number}")
        for written in ("25/04/26", "25/04/27"):
            text = text.replace(written, f"{day:%y/%m/%d}")
        text = text.replace("2025/04/26", f"{day:%Y/%m/%d}").replace("2025/04/27", f"{day:%Y/%m/%d}")
        for old, new in changed.items():
            text = text.replace(old.replace("_", " "), new.ljust(len(old)))
        said = {
            "speed": "standard",
            "reported": day,
            "paid": day,
            "organiser": "F01",
            "starts": day,
            "ends": day,
        }
        sender = Sender(OFFICER, None, "", "upload")
        return receive(self.pool, [(f"{number}.trf", text.encode())], said, sender)

    def accepted(self, report):
        reports.accept(report, OFFICER, self.today)

    def agrees(self, report, *, from_published):
        """The preview, from what was published or from the whole book, is what the rehearsal then says."""
        used = report_preview.find_cached_standings(self.pool, review_report(report, self.today))
        assert (used is not None) is from_published
        (shown,) = preview(report, self.today)
        report_preview._cache.clear()
        assert preview(report, self.today) == [shown]
        with transaction.atomic():
            self.accepted(report)
            rows = rehearse(self.pool, shown.name, self.today).rows
            transaction.set_rollback(True)
        listed = {(row.player_id, row.speed): str(row.rating) for row in rows}
        assert {(c.player_id, c.speed): c.after for c in shown.changes if c.after} == {
            key: rating
            for key, rating in listed.items()
            if key in {(c.player_id, c.speed) for c in shown.changes}
        }
        assert any(change.before != change.after for change in shown.changes)
        return shown


@pytest.mark.parametrize("until", [0, 4, -1, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 8))])
def test_the_first_is_rated_from_the_whole_book_and_the_next_from_the_published_list(until):
    office = Office(until)
    report = office.report()
    office.agrees(report, from_published=False)
    office.agrees(report, from_published=True)


def test_what_is_accepted_meanwhile_is_in_it():
    office = Office(3)
    report, other = office.report(1), office.report(2)
    before = office.agrees(report, from_published=False)
    office.accepted(other)
    assert office.agrees(report, from_published=True) != before


def test_the_list_published_next_is_what_the_one_after_begins_with():
    office = Office(3)
    preview(office.report(1), office.today)
    office.accepted(office.report(2))
    office.today = CALENDAR.window_named(str(office.coming)).closes + timedelta(days=12)
    publish(office.pool, str(office.coming), OFFICER, office.today)
    report = office.report(3)
    office.agrees(report, from_published=False)
    office.agrees(report, from_published=True)


def corrected(office):
    asked = corrections.open_inquiry(office.pool, office.today, "A. Member", "", OFFICER)
    row = standing_rows(office.pool, facts.Game).filter(result="1-0").order_by("-pk").first()
    correction_drafts.draft_change(asked, "games", row.pk, result="0-1")
    corrections.carry_out(asked, OFFICER, "", office.today)


def born_otherwise(office):
    row = standing_rows(office.pool, facts.Player).get(player_id="J001")
    entry = open_entry(office.pool, Act("officer", "change"))
    added = facts.Player(row.player_id, row.name, row.name_native, date(2015, 1, 1))
    replace(entry, row, added, office.today)


def member_before(office):
    entry = open_entry(office.pool, Act("officer", "join"))
    row = facts.Membership("J001", facts.ANNUAL, date(2020, 1, 1), date(2020, 12, 31))
    add_facts(entry, TABLES[facts.Membership], [row])


def reported_before(office):
    entry = open_entry(office.pool, Act("officer", "report"))
    day = date(2024, 1, 10)
    add_facts(
        entry, TABLES[facts.Event], [facts.Event("old", "Old", day, day, day, speed="standard", paid=day)]
    )
    add_facts(entry, TABLES[facts.Game], [facts.Game("old", 1, "J001", "J003", "1-0")])


def game_added(office):
    first = standing_rows(office.pool, facts.Event).first()
    entry = open_entry(office.pool, Act("officer", "add"))
    add_facts(entry, TABLES[facts.Game], [facts.Game(first.event_id, 99, "J001", "J003", "1-0")])


@pytest.mark.parametrize("act", [corrected, born_otherwise, member_before, reported_before, game_added])
@pytest.mark.slow
def test_what_may_change_a_published_list_is_rated_from_the_whole_book(act):
    office = Office(-1)
    report = office.report()
    preview(report, office.today)
    act(office)
    office.agrees(report, from_published=False)


def test_members_of_now_leave_the_published_lists_as_they_are():
    office = Office(-1)
    report = office.report(1)
    preview(report, office.today)
    newcomer = office.report(2, FUJIWARA_Yuto="WHO Knows")
    (one,) = review_report(newcomer, office.today).undecided
    reports.decide(newcomer, [Decision("2.trf", one.reported.number, one.reported.name, NEW)], OFFICER)
    reports.set_fields(newcomer, {JOINED: True}, OFFICER)
    office.agrees(newcomer, from_published=True)
    preview(report, office.today)
    office.accepted(newcomer)
    office.agrees(report, from_published=True)


def test_a_report_that_corrects_a_published_list_is_rated_from_the_whole_book():
    office = Office(-1)
    preview(office.report(1), office.today)
    late = office.report(2, CALENDAR.window_named(str(office.coming.plus(-1))).closes - timedelta(days=1))
    assert report_preview.find_cached_standings(office.pool, review_report(late, office.today)) is None
    preview(late, office.today)
    office.agrees(office.report(1), from_published=True)
