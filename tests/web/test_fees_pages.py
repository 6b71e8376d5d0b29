"""The pages of fees, as officer, chief and a club's reporter, in both languages."""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory
from lxml import html
from machine_parts import needs_font
from published_pools import published_pool
from small_office import client, small_pool

sys.path.insert(0, str(Path(__file__).parents[1] / "office"))
from fee_pool import GAMES, fee_pool

from banzuke.core import facts
from banzuke.database.book_writer import Act, add_facts, new_entry
from banzuke.database.models import Invoice, OfficeSettings, Payment, Role
from banzuke.formats import pdf_fonts
from banzuke.office.fact_rows import TABLES, standing_rows, strike
from banzuke.office.fees import invoices
from banzuke.office.fees.dues import find_window
from banzuke.office.journal import Actor
from banzuke.web.fees import invoice_pages as pages
from banzuke.web.pending_work import fees_work

pytestmark = pytest.mark.django_db

WINDOW = "/office/ncs/fees/2024-07/"


@pytest.fixture
def pool():
    return fee_pool()


@pytest.fixture
def officer(pool):
    return client("officer", pool)


def made_invoice(who, club="C2"):
    answer = who.post(f"{WINDOW}invoices/", {"club": club})
    assert answer.status_code == 302
    return answer.url


def text(answer):
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


class TestTheWindow:
    def test_what_each_club_owes(self, officer):
        page = text(officer.get(WINDOW))
        lead = page.partition('<p class="lead">')[2]
        assert lead.startswith("Here you see what each club owes for its events in list 2024-07, make the")
        assert "1,800 yen are owed" in page
        assert "Reports of 2024-05-21 to 2024-06-20." in page
        assert "Invoice 800 yen" in page
        assert "Invoice 1,000 yen" in page
        assert page.count("not paid</span>") == 4
        assert "no list for its time control" in page
        assert "Waive" not in page

    def test_in_japanese(self, pool):
        page = text(client("officer", pool, lang="ja").get(WINDOW))
        assert "2024年7月リストの更新料" in page
        assert "請求書を作り、入金を記録するページです。" in page
        assert "1,800円" in page
        assert "未払い" in page

    def test_only_the_reporter_s_own_club(self, pool):
        page = text(client("reporter", pool, "C1").get(WINDOW))
        assert "Hinoki" in page
        assert "Kawabe" not in page
        assert "Here you see what your club owes for its events in list 2024-07, and the invoices." in page
        assert "<button>" not in page.partition("<main")[2]
        assert "Invoice 800" not in page

    @pytest.mark.parametrize("window", ["2024-04", "2099-01", "soon", "2024-13"])
    def test_that_is_none(self, officer, window):
        assert officer.get(f"/office/ncs/fees/{window}/").status_code == 404

    def test_the_first_page_is_the_window_paid_for_this_month(self, officer):
        answer = officer.get("/office/ncs/fees/")
        assert "Nothing was reported in this window" in text(answer)
        assert answer.context["of"].name > "2024-07"

    def test_where_the_rules_in_force_have_no_fee_any_more_it_says_so(self, officer):
        said = "The rules in force since 2024-10-01 have no event fee. List 2024-10 was the last with fees."
        assert said not in text(officer.get("/office/ncs/fees/"))
        japan = published_pool()
        page = text(client("chief", japan).get("/office/japan/fees/"))
        assert said in page

    @pytest.mark.parametrize("kind", ["hakodate", "fide", "go"])
    def test_a_pool_without_fees_says_so(self, kind):
        page = text(client("officer", small_pool(kind)).get(f"/office/{kind}/fees/"))
        assert "have no fees" in page
        assert "<form" not in page.partition("<main")[2]


class TestInvoicesAndPayments:
    def test_made_shown_paid(self, pool, officer):
        OfficeSettings.objects.create(address="Rating Office\n1-2-3 Example, Tokyo")
        url = made_invoice(officer)
        page = text(officer.get(url))
        assert "Invoice No. 1" in page
        assert "To Kawabe: <strong>1,000 yen</strong>" in page
        assert "1-2-3 Example, Tokyo" in page
        assert "2024-06-30" in page
        answer = officer.post(
            f"{url}payments/", {"amount": "1000", "day": "2024-06-28", "note": "bank"}, follow=True
        )
        assert "The payment was recorded." in text(answer)
        assert "settled" in text(answer)
        assert {row.paid.isoformat() for row in standing_rows(pool, facts.Event).exclude(paid=None)} == {
            "2024-06-28"
        }
        assert "paid 2024-06-28" in text(officer.get(WINDOW))
        assert "settled" in text(officer.get("/office/ncs/fees/invoices/"))

    def test_in_japanese(self, pool):
        url = made_invoice(client("officer", pool))
        page = text(client("chief", pool, lang="ja").get(url))
        assert "請求書 第1号" in page
        assert "Kawabe 御中" in page
        assert "2024年6月30日" in page

    def test_twice_is_told(self, officer):
        made_invoice(officer)
        answer = officer.post(f"{WINDOW}invoices/", {"club": "C2"}, follow=True)
        assert "There is nothing to invoice" in text(answer)
        assert Invoice.objects.count() == 1

    @pytest.mark.parametrize(
        ("said", "answer"),
        [
            ({"amount": "0", "day": "2024-06-28"}, "Enter the amount."),
            ({"amount": "100", "day": "2999-01-01"}, "That day has not come yet"),
            ({"amount": "-1", "day": "2024-06-28"}, "This would undo more than was paid."),
            ({"amount": "", "day": ""}, "This field is required."),
            ({"amount": "99999999999999999999", "day": "2024-06-28"}, "less than or equal"),
        ],
    )
    def test_payments_that_are_none(self, officer, said, answer):
        url = made_invoice(officer)
        assert answer in text(officer.post(f"{url}payments/", said))
        assert "Nothing was paid yet." in text(officer.get(url))

    def test_a_payment_sent_twice_is_one(self, officer):
        url = made_invoice(officer)
        known = officer.get(url).context["form"].initial["known"]
        sent = {"amount": "500", "day": "2024-06-28", "note": "bank", "known": str(known)}
        officer.post(f"{url}payments/", sent)
        answer = officer.post(f"{url}payments/", sent, follow=True)
        assert "Nothing was recorded twice" in text(answer)
        assert Payment.objects.count() == 1
        sent["known"] = str(answer.context["form"].initial["known"])
        assert "The payment was recorded." in text(officer.post(f"{url}payments/", sent, follow=True))
        assert Payment.objects.count() == 2

    def test_a_reporter_sees_one_club_only(self, pool, officer):
        mine, other = made_invoice(officer, "C1"), made_invoice(officer, "C2")
        who = client("reporter", pool, "C1")
        page = text(who.get(mine))
        assert "To Hinoki" in page
        assert "Record a payment" not in page
        assert who.get(other).status_code == 404
        assert who.get(f"{other}invoice.pdf").status_code == 404
        assert who.post(f"{mine}payments/", {"amount": "800", "day": "2024-06-28"}).status_code == 403
        assert who.post(f"{WINDOW}invoices/", {"club": "C1"}).status_code == 403
        assert "No. 2" not in text(who.get("/office/ncs/fees/invoices/"))

    @pytest.mark.parametrize(
        ("lang", "name"), [("en", "invoice-ncs-1-en.pdf"), ("ja", "invoice-ncs-1-ja.pdf")]
    )
    @needs_font
    def test_as_pdf(self, pool, lang, name):
        pytest.importorskip("typst")
        who = client("officer", pool, lang=lang)
        answer = who.get(f"{made_invoice(who)}invoice.pdf")
        assert b"".join(answer.streaming_content).startswith(b"%PDF")
        assert name in answer["Content-Disposition"]

    def test_without_a_font_the_page_prints(self, pool, monkeypatch):
        pytest.importorskip("typst")
        monkeypatch.setattr(pdf_fonts, "families", frozenset)
        who = client("officer", pool, lang="ja")
        assert "ここではPDFを作れません" in text(who.get(f"{made_invoice(who)}invoice.pdf", follow=True))

    def test_without_typst_the_page_prints(self, officer, monkeypatch):
        url = made_invoice(officer)
        monkeypatch.setitem(sys.modules, "typst", None)
        answer = officer.get(f"{url}invoice.pdf", follow=True)
        assert "No PDF can be made here" in text(answer)
        monkeypatch.setattr(pages, "find_spec", lambda _: None)
        assert "This page prints as an invoice." in text(officer.get(url))


class TestLessIsDue:
    """The last game of two players was annulled after the club had paid for the others."""

    @pytest.fixture
    def url(self, pool):
        me, day = Actor("officer"), date(2024, 6, 22)
        made = invoices.create_invoice(pool, find_window(pool, "2024-07"), "C1", me, day)
        invoices.note_payment(made, 400, day, "", me, day)
        with new_entry(pool, Act("officer", "correct")) as entry:
            for row in standing_rows(pool, facts.Game).filter(event_id="open").exclude(white="A", black="B"):
                strike(entry, facts.Game, row.pk, date(2024, 6, 25))
        return f"/office/ncs/fees/invoices/{made.number}/"

    @pytest.mark.parametrize(
        ("lang", "button"), [("en", "Count its events as paid"), ("ja", "大会・例会を支払済みにする")]
    )
    def test_an_officer_counts_the_events_as_paid(self, pool, url, lang, button):
        who = client("officer", pool, lang=lang)
        assert button in text(who.get(url))
        page = text(who.post(f"{url}settlement/", follow=True))
        assert button not in page
        assert standing_rows(pool, facts.Event).get(event_id="open").paid == date(2024, 6, 22)

    @pytest.mark.parametrize(
        ("lang", "button"), [("en", "Count its events as not paid"), ("ja", "大会・例会を未払いにする")]
    )
    def test_or_as_not_paid_where_they_are_due_again(self, pool, url, lang, button):
        who = client("officer", pool, lang=lang)
        assert button not in text(who.post(f"{url}settlement/", follow=True))
        with new_entry(pool, Act("officer", "correct")) as entry:
            add_facts(entry, TABLES[facts.Game], GAMES["open"][1:])
        assert button in text(who.get(url))
        assert button not in text(who.post(f"{url}settlement/", follow=True))
        assert standing_rows(pool, facts.Event).get(event_id="open").paid is None

    def test_not_where_something_else_is_open_by_then(self, pool, url):
        who = client("officer", pool)
        (form,) = [one for one in html.document_fromstring(text(who.get(url))).forms if "open" in one.fields]
        with new_entry(pool, Act("officer", "correct")) as entry:
            add_facts(entry, TABLES[facts.Game], GAMES["open"][1:])
        assert "Look at it again" in text(who.post(f"{url}settlement/", dict(form.fields), follow=True))
        assert standing_rows(pool, facts.Event).get(event_id="open").paid is None

    def test_it_is_told(self, pool, officer, url, monkeypatch):
        assert "nothing open, to be settled" in text(officer.get(WINDOW))
        monkeypatch.setattr("banzuke.web.pending_work.localdate", lambda: date(2024, 6, 20))
        request = RequestFactory().get("/")
        request.user = Role.objects.get(kind="officer").user
        assert [each.count for each in fees_work(request, pool)] == [0, 1]

    def test_not_by_a_reporter(self, pool, url):
        who = client("reporter", pool, "C1")
        assert "Count its events as paid" not in text(who.get(url))
        assert who.post(f"{url}settlement/").status_code == 403


class TestWaivers:
    URL = "/office/ncs/fees/waivers/open/"

    def test_by_the_chief_with_a_reason(self, pool):
        who = client("chief", pool)
        assert "Waive" in text(who.get(WINDOW))
        assert "Waive the fee" in text(who.get(self.URL))
        assert "This field is required." in text(who.post(self.URL, {"why": " "}))
        assert "The fee is waived." in text(who.post(self.URL, {"why": "the hall burnt down"}, follow=True))
        assert standing_rows(pool, facts.Event).get(event_id="open").ruling == "waive-fee"
        assert "Cancel the waiver of the fee" in text(who.get(self.URL))
        assert "The waiver was cancelled" in text(who.post(self.URL, {"why": "no"}, follow=True))
        assert standing_rows(pool, facts.Event).get(event_id="open").ruling == ""

    def test_not_by_an_officer(self, officer):
        assert officer.get(self.URL).status_code == 403
        assert officer.post(self.URL, {"why": "x"}).status_code == 403

    def test_of_an_excluded_event_is_told(self, pool):
        who = client("chief", pool)
        standing = standing_rows(pool, facts.Event)
        who.post(self.URL, {"why": "a gift"})
        assert standing.get(event_id="open").ruling == "waive-fee"
        assert who.get("/office/ncs/fees/waivers/unknown/").status_code == 404


class TestWaiting:
    def test_is_nothing_for_pools_without_fees(self):
        pool = small_pool("hakodate")
        request = RequestFactory().get("/")
        request.user = AnonymousUser()
        assert fees_work(request, pool) == []

    def test_what_is_to_be_invoiced_and_paid(self, pool, officer, settings, monkeypatch):
        monkeypatch.setattr(
            "banzuke.web.pending_work.localdate", lambda: __import__("datetime").date(2024, 6, 25)
        )
        request = RequestFactory().get("/")
        request.user = Role.objects.get(kind="officer").user
        assert [(each.count, each.url) for each in fees_work(request, pool)] == [(0, WINDOW), (2, WINDOW)]
        made_invoice(officer)
        assert [each.count for each in fees_work(request, pool)] == [1, 1]
