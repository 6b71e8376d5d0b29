"""Taking back that a report was accepted: nothing is left of it in any list, and it waits again."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from random import Random

import pytest
from office.random_office import AnyOrder
from office.test_inbox import OFFICER, SAID, TODAY, hinoki, taken
from repeated import entered_pool

from banzuke.core import facts
from banzuke.database import models
from banzuke.database.book_reader import read_book
from banzuke.exchange.player_identities import NEW, Decision
from banzuke.office.fact_rows import record_of, standing_rows
from banzuke.office.inbox import acceptance_undo, reports
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.inbox.review import review_report
from banzuke.office.journal import Actor
from banzuke.office.lists.coming_list import find_coming_list
from banzuke.office.lists.list_index import make_lists
from banzuke.office.lists.publishing import publish
from banzuke.office.refusals import NoReasonError, NotAcceptedError, ReportPublishedError
from banzuke.office.register import members

pytestmark = pytest.mark.django_db
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

NAMES = (
    *("FUJIWARA Yuto", "YAMAMOTO Itsuki", "ITO Kenta"),
    *("GOTO Makoto", "NAKAYAMA Hiroshi", "HAYASHI Haruto"),
)


@pytest.fixture
def japan():
    return entered_pool("japan", EXAMPLES / "japan", "test")


def list_bytes(pool):
    """The hash of every list's bytes but the position that it is made from."""
    return [(made.name, made.content_sha256(0)) for made in make_lists(read_book(pool))]


def with_a_newcomer(pool):
    report = taken(pool, hinoki(GOTO_Makoto="ZZZZ Yyyy"))
    reports.decide(report, [Decision("hinoki-spring.trf", 4, "ZZZZ Yyyy", NEW)], OFFICER)
    return report


def take_back(report):
    return acceptance_undo.take_back(report, OFFICER, "the wrong file")


def accepted_and_taken_back(pool):
    report = with_a_newcomer(pool)
    reports.accept(report, OFFICER, TODAY)
    return report, take_back(report)


class TestTakingBack:
    def test_the_lists_are_those_of_before_and_the_report_waits_with_its_decisions(self, japan):
        before = list_bytes(japan)
        report, step = accepted_and_taken_back(japan)
        assert list_bytes(japan) == before
        report.refresh_from_db()
        assert (report.state, step.entry.act, step.entry.why) == (
            "waiting", "take-back-report", "the wrong file",
        )  # fmt: skip
        noted = models.JournalEntry.objects.get(act="take-back-report").what
        assert (noted["events"], noted["struck"]) == (["2025-04-26-hinoki-spring-match"], ["J036"])
        assert review_report(report, TODAY).is_ready

    def test_accepted_again_it_has_the_same_event(self, japan):
        report, _ = accepted_and_taken_back(japan)
        reports.accept(report, OFFICER, TODAY)
        event = standing_rows(japan, facts.Event).get(event_id="2025-04-26-hinoki-spring-match")
        assert (event.added, standing_rows(japan, facts.Game).filter(event_id=event.event_id).count()) == (
            None,
            15,
        )
        publish(japan, "2025-06", OFFICER, date(2025, 6, 2))

    def test_what_was_changed_since_goes_too(self, japan):
        before = list_bytes(japan)
        report = taken(japan)
        entry = reports.accept(report, OFFICER, TODAY).entry
        row = models.Event.objects.get(entry=entry)
        wanted = facts.Membership("J001", facts.ONE_EVENT, row.starts, row.ends, row.event_id)
        members.add_membership(japan, wanted, OFFICER, TODAY)
        take_back(report)
        assert list_bytes(japan) == before

    def test_a_newcomer_whom_somebody_has_completed_stays_and_is_that_member(self, japan):
        report = with_a_newcomer(japan)
        reports.accept(report, OFFICER, TODAY)
        row = members.find(japan, "J036")
        native = record_of(row, facts.Player)._replace(name_native="名")
        members.change(japan, native, members.ContactDetails(), OFFICER, "", TODAY)
        take_back(report)
        assert members.find(japan, "J036").name_native == "名"
        review = review_report(report, TODAY)
        assert (review.added, [m.player_id for m in review.events[0].matches][3]) == ([], "J036")

    def test_of_two_newcomers_with_one_name_nobody_is_taken_for_the_other(self, japan):
        report = with_a_newcomer(japan)
        step = reports.accept(report, OFFICER, TODAY)
        namesake = models.Player.objects.get(entry=step.entry, player_id="J036")
        namesake.pk, namesake.player_id = None, "J999"
        namesake.save(force_insert=True)
        native = record_of(members.find(japan, "J036"), facts.Player)._replace(name_native="名")
        members.change(japan, native, members.ContactDetails(), OFFICER, "", TODAY)
        take_back(report)
        assert members.find(japan, "J036").name_native == "名"
        assert not models.ReportDecision.objects.filter(report=report, player_id="J036").exists()

    def test_of_two_officers_one_takes_it_back(self, japan):
        report, _ = accepted_and_taken_back(japan)
        with pytest.raises(NotAcceptedError) as told:
            acceptance_undo.take_back(report, Actor("another"), "too")
        assert "officer" in told.value.sentence("en")
        assert models.Entry.objects.filter(act="take-back-report").count() == 1

    def test_it_wants_a_reason(self, japan):
        report = taken(japan)
        reports.accept(report, OFFICER, TODAY)
        with pytest.raises(NoReasonError):
            acceptance_undo.take_back(report, OFFICER, " ")

    def test_not_once_a_list_has_it(self, japan):
        report = taken(japan)
        reports.accept(report, OFFICER, TODAY)
        publish(japan, "2025-05", OFFICER, date(2025, 6, 2))
        assert acceptance_undo.why_not(report) is None
        publish(japan, "2025-06", OFFICER, date(2025, 6, 2))
        with pytest.raises(ReportPublishedError) as told:
            take_back(report)
        assert told.value.facts["list"] == "2025-06"
        assert "照会" in told.value.sentence("ja")

    def test_a_list_that_is_being_published_is_made_again_without_it(self, japan, monkeypatch):
        report = taken(japan)
        reports.accept(report, OFFICER, TODAY)
        back, seen = [take_back], []

        def progress(done, of, what):
            seen.append(what)
            while back:
                back.pop()(report)

        lists = publish(japan, "2025-06", OFFICER, date(2025, 6, 2), progress=progress)
        assert not models.Line.objects.filter(
            list__in=lists, event_id="2025-04-26-hinoki-spring-match"
        ).exists()

    def test_the_first_list_is_not_that_of_what_was_taken_back(self):
        pool = AnyOrder(Random(0)).pool
        report = receive(
            pool, hinoki(), SAID | {"organiser": "C0", "applied": None}, Sender(OFFICER, None, "", "upload")
        )
        who = [(n, name, NEW) for n, name in enumerate(NAMES, 1)]
        reports.decide(report, [Decision("hinoki-spring.trf", *one) for one in who], OFFICER)
        reports.accept(report, OFFICER, TODAY)
        assert find_coming_list(pool, date(2026, 2, 1)).name == "2025-06"
        take_back(report)
        assert find_coming_list(pool, date(2026, 2, 1)).name == "2026-03"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_done_and_taken_back_is_as_never_done(seed):
    """Whatever an office did before: an acceptance and its undoing leave every list's bytes as they were."""
    office = AnyOrder(Random(seed))
    tried = 0
    for _ in range(25):
        office.does_something()
        for report in models.Report.objects.filter(pool=office.pool, state="waiting"):
            if not review_report(report, office.today).is_ready:
                continue
            before = list_bytes(office.pool)
            reports.accept(report, OFFICER, office.today)
            if acceptance_undo.why_not(report) is None:
                take_back(report)
                tried += 1
                assert list_bytes(office.pool) == before, office.told
            break
    office.is_sound()
    assert tried
