"""Two officers on one page: what the second sends from a page out of date is refused, and nothing is stored."""

from __future__ import annotations

import dataclasses
from datetime import date

import pytest
from lxml import html
from published_pools import EXAMPLES
from repeated import entered_pool
from small_office import client, small_pool
from test_inbox_pages import decide, told, upload

from banzuke.core import facts
from banzuke.database.book_reader import rules_of
from banzuke.database.book_writer import Act, new_entry
from banzuke.database.models import Contact, Inquiry, Job, RatingList, Report
from banzuke.office.administration import pools
from banzuke.office.fact_rows import record_of, replace, standing_rows
from banzuke.office.jobs import job_queue, pool_size
from banzuke.office.journal import Actor
from banzuke.office.lists import correction_drafts, corrections, publishing
from banzuke.office.register import members
from banzuke.office.register.members import ContactDetails

pytestmark = pytest.mark.django_db
ME, TODAY, BOARD = Actor("test"), date(2025, 3, 1), "/office/japan/board/"


def sent_from(page, having):
    """What a browser would send of the page's form with that field, if nothing were typed."""
    forms = html.document_fromstring(page.content.decode()).forms
    (form,) = [each for each in forms if having in each.fields]
    return {name: value for name, value in form.form_values() if name != "csrfmiddlewaretoken"}


class TestAMember:
    PAGE = "/office/japan/register/members/A/change/"

    def test_the_other_officers_changes_stay(self):
        japan = small_pool("japan")
        officer, row = client("officer", japan), members.find(japan, "A")
        old = sent_from(officer.get(self.PAGE), "birth_date")
        new = record_of(row, facts.Player)._replace(birth_date=date(1991, 1, 1))
        said = ContactDetails(email="a@example.org", by_id_only=True)
        members.change(japan, new, said, ME, "", TODAY)
        answer = officer.post(self.PAGE, old | {"name": "ABE Jiro"}, follow=True)
        assert answer.redirect_chain == [(self.PAGE, 302)]
        assert told(answer) == ["The ledger has changed since this was shown. Look at it again."]
        now = members.find(japan, "A")
        assert (now.name, now.birth_date, members.contact_of(japan, "A")) == (
            row.name,
            date(1991, 1, 1),
            said,
        )
        officer.post(self.PAGE, sent_from(officer.get(self.PAGE), "birth_date") | {"name": "ABE Jiro"})
        assert members.find(japan, "A").name == "ABE Jiro"
        assert members.contact_of(japan, "A") == said

    def test_a_contact_alone_was_changed(self):
        japan = small_pool("japan")
        officer, row = client("officer", japan), members.find(japan, "A")
        old = sent_from(officer.get(self.PAGE), "birth_date")
        members.change(japan, record_of(row, facts.Player), ContactDetails(by_id_only=True), ME, "", TODAY)
        officer.post(self.PAGE, old)
        assert members.contact_of(japan, "A").by_id_only

    def test_pressed_twice_it_is_no_other_change(self):
        """An address that a browser sent with its own ends of lines is no other one, either."""
        japan = small_pool("japan")
        officer = client("officer", japan)
        row = record_of(members.find(japan, "A"), facts.Player)
        members.change(japan, row, ContactDetails(address="1-2\r\nTokyo"), ME, "", TODAY)
        count, page = Contact.objects.count(), officer.get(self.PAGE)
        new = sent_from(page, "birth_date") | {"name": "ABE Jiro"}
        assert "changed" not in " ".join(told(officer.post(self.PAGE, new, follow=True)))
        (said,) = told(officer.post(self.PAGE, new, follow=True))
        assert "Nothing was different" in said
        assert Contact.objects.count() == count


class TestRules:
    PAGE = "/office/japan/settings/"

    def test_an_old_page_does_not_move_editions(self):
        pool = small_pool("japan")
        chief, first, second = client("chief", pool), *pools.editions(pool)
        old = sent_from(chief.get(self.PAGE), "why") | {"why": "the name"}
        assert old["edition-1-start"] == first.start.isoformat()
        pools.change_rules(pool, "Japan", [second], ME, "one less", {})
        answer = chief.post(self.PAGE, old, follow=True)
        assert "The rules of the pool were changed by somebody else meanwhile" in told(answer)[0]
        assert pools.editions(pool) == [second]
        chief.post(self.PAGE, sent_from(chief.get(self.PAGE), "why") | {"why": "the name", "name": "Nippon"})
        assert rules_of(pool).name == "Nippon"
        assert pools.editions(pool) == [second]


class TestAReport:
    @pytest.mark.parametrize("act", ["save", "hold", "accept"])
    def test_what_the_club_answers_meanwhile_stays(self, act):
        japan = entered_pool("japan", EXAMPLES / "japan", "test")
        officer, reporter = client("officer", japan), client("reporter", japan, "C01")
        upload(reporter)
        report = Report.objects.get()
        old = sent_from(officer.get(f"/office/japan/inbox/{report.pk}/"), "e0-place")
        decide(reporter, report, "save", **{"e0-place": "Kyoto"})
        answer = decide(officer, report, act, **(old | {"why": "late"}))
        assert "The report has changed since this page was shown" in told(answer)[0]
        report.refresh_from_db()
        assert report.state == Report.State.WAITING
        assert report.said.count() == 2  # what was sent with it, and the answer
        fresh = sent_from(officer.get(f"/office/japan/inbox/{report.pk}/"), "e0-place")
        assert fresh["e0-place"] == "Kyoto"
        decide(officer, report, "hold", **(fresh | {"why": "late"}))
        report.refresh_from_db()
        assert report.state == Report.State.HELD

    def test_what_an_officer_enters_meanwhile_stays(self):
        japan = entered_pool("japan", EXAMPLES / "japan", "test")
        officer, reporter = client("officer", japan), client("reporter", japan, "C01")
        upload(reporter)
        report = Report.objects.get()
        page = f"/office/japan/inbox/{report.pk}/"
        old = sent_from(reporter.get(page), "e0-place")
        decide(officer, report, "save", **{"who-0-4": "other", "who-0-4-id": "J006"})
        assert sent_from(reporter.get(page), "e0-place") == old  # a club learns nothing of decisions
        decide(officer, report, "save", **{"e0-place": "Kyoto"})
        answer = decide(reporter, report, "save", **old)
        assert "The report has changed since this page was shown" in told(answer)[0]
        assert sent_from(reporter.get(page), "e0-place")["e0-place"] == "Kyoto"


class TestACorrection:
    @pytest.fixture
    def pool(self):
        pool = small_pool("japan")
        publishing.publish(pool, "2024-07", ME, date(2026, 1, 1))
        return pool

    def drafted(self, pool, games=1):
        inquiry = corrections.open_inquiry(pool, date(2024, 6, 25), "A", "a result", ME)
        for game in standing_rows(pool, facts.Game).order_by("pk")[:games]:
            correction_drafts.draft_strike(inquiry, "games", game.pk)
        return inquiry

    def carry_out(self, chief, old):
        return chief.post(f"{BOARD}inquiries/{Inquiry.objects.get().pk}/carry-out/", old, follow=True)

    @pytest.mark.parametrize("by_job", [False, True])
    def test_changes_that_the_chief_did_not_see_are_not_published(self, pool, by_job, monkeypatch):
        chief, inquiry = client("chief", pool), self.drafted(pool)
        old = sent_from(chief.get(f"{BOARD}inquiries/{inquiry.pk}/"), "carry-why") | {"carry-why": "so"}
        if by_job:
            monkeypatch.setattr(pool_size, "AT_ONCE", 0)
            self.carry_out(chief, old)
        other = standing_rows(pool, facts.Game).order_by("pk")[1]
        correction_drafts.draft_strike(inquiry, "games", other.pk)
        if by_job:
            assert job_queue.work_off().state == Job.State.FAILED
            said = Job.objects.get().result["refused"]["en"]
        else:
            (said,) = told(self.carry_out(chief, old))
        assert said == "Somebody changed the draft meanwhile; nothing was done. Look at it again."
        assert Inquiry.objects.get().state == Inquiry.State.OPEN
        assert not RatingList.objects.filter(revision=1).exists()

    def test_nor_what_came_into_the_book(self, pool):
        chief, inquiry = client("chief", pool), self.drafted(pool)
        page = f"{BOARD}inquiries/{inquiry.pk}/"
        old = sent_from(chief.get(page), "carry-why") | {"carry-why": "so"}
        members.add(pool, facts.Player("NEW", "NEW Person"), ContactDetails(), ME)
        (said,) = told(self.carry_out(chief, old))
        assert said == "The ledger has changed since this was shown. Look at it again."
        fresh = sent_from(chief.get(page), "carry-why") | {"carry-why": "so"}
        self.carry_out(chief, fresh)
        assert Inquiry.objects.get().state == Inquiry.State.CORRECTED
        (said,) = told(self.carry_out(chief, fresh))  # a double click
        assert "The inquiry was closed by chief-japan" in said

    def test_nor_what_came_while_the_preview_was_made(self, pool, monkeypatch):
        """Without script the preview is a page with the form: it was made before the form was."""
        chief, inquiry = client("chief", pool), self.drafted(pool)
        page, made = f"{BOARD}inquiries/{inquiry.pk}/", corrections.preview

        def preview(*of, **how):
            found = made(*of, **how)
            members.add(pool, facts.Player("NEW", "NEW Person"), ContactDetails(), ME)
            return found

        monkeypatch.setattr(corrections, "preview", preview)
        old = sent_from(chief.get(f"{page}preview/"), "carry-why") | {"carry-why": "so"}
        (said,) = told(self.carry_out(chief, old))
        assert said == "The ledger has changed since this was shown. Look at it again."

    def test_nor_other_revisions_than_were_shown(self, pool):
        chief, event = client("chief", pool), standing_rows(pool, facts.Event).get(event_id="E1")
        with new_entry(pool, Act("test", "late")) as entry:
            waived = dataclasses.replace(record_of(event, facts.Event), ruling="waive-fee")
            replace(entry, event, waived, date(2024, 8, 1))
        page = f"{BOARD}revisions/"
        old = sent_from(chief.get(page), "why") | {"why": "waived"}
        members.add(pool, facts.Player("NEW", "NEW Person"), ContactDetails(), ME)
        (said,) = told(chief.post(f"{page}publish/", old, follow=True))
        assert said == "The ledger has changed since this was shown. Look at it again."
        assert not RatingList.objects.filter(revision=1).exists()
        chief.post(f"{page}publish/", sent_from(chief.get(page), "why") | {"why": "waived"})
        assert RatingList.objects.filter(revision=1).exists()


class TestARehearsal:
    @pytest.mark.parametrize("when", ["now", "later"])
    def test_another_officers_newer_one_is_not_published_unseen(self, when):
        pool = small_pool("japan")
        chief, page = client("chief", pool), f"{BOARD}rehearsals/2024-07/publish/"
        again = f"{BOARD}rehearsals/2024-07/again/"
        chief.post(again)
        said = {"confirm": "2024-07", "when": when, "hour": "2099-01-01T09:00"}
        old = sent_from(chief.get(page), "position") | said
        members.add(pool, facts.Player("NEW", "NEW Person"), ContactDetails(), ME)
        client("officer", pool).post(again)
        (refused,) = told(chief.post(page, old, follow=True))
        assert "The ledger has changed: entry" in refused
        assert not RatingList.objects.exists()
        assert not pool.planned_publications.exists()
        chief.post(page, sent_from(chief.get(page), "position") | said)
        assert RatingList.objects.exists() is (when == "now")
        assert pool.planned_publications.exists() is (when == "later")
