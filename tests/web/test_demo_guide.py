"""A demo's guide: five steps with a click to be somebody else; no other office has it."""

from __future__ import annotations

from datetime import date

import pytest
from django.template.loader import render_to_string
from django.test import RequestFactory
from served_office import opened
from small_office import client, small_pool, user, visitor

from banzuke.office import demo
from banzuke.office.journal import Actor
from banzuke.office.register.event_applications import apply, decide

ACTS = ("/accounts/demo/as/chief/", "/accounts/demo/as/player/", "/accounts/demo/close/")
TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.fixture
def office(db, tmp_path, settings):
    """An office with a demo's users and an event whose report is to come."""
    settings.HOME = tmp_path
    pool = small_pool()
    for kind in ("reporter", "officer", "chief", "administrator"):
        user(kind, pool if kind == "reporter" else None, "C1" if kind == "reporter" else "", name=kind)
    days = {"starts": date(2025, 4, 5), "ends": date(2025, 4, 6), "applied": date(2025, 3, 1)}
    made = apply(pool, {"event_id": "", "name": "Spring Open", "organiser": "C1"} | days, Actor("demo"))
    decide(pool, made.pk, Actor("demo"), "", grant=True)
    return demo.Demo(pool.slug, made.pk, "2025-05", "P1", "spring.eml", "2025-04-07")


@pytest.fixture
def guided(office):
    demo.keep_demo(office, b"From: a@example.com\n")
    return office


def guide(browser, path="/"):
    html = browser.get(path).content.decode()
    return html.partition('<aside class="guide')[2].partition("</aside>")[0]


class TestAnOfficeThatIsNoDemo:
    def test_has_no_guide_and_lets_nobody_be_somebody_else(self, office):
        for browser in (visitor(), client("chief", small_pool("fide"))):
            for address in ACTS:
                assert browser.post(address).status_code == 404
            assert browser.get("/accounts/demo/report.eml").status_code == 404
            assert guide(browser) == ""
        assert "_auth_user_id" not in visitor().session

    def test_is_not_made_a_demo_by_what_a_visitor_sends(self, office):
        browser = visitor()
        browser.cookies["demo"] = "1"
        assert browser.post("/accounts/demo/as/chief/?demo=1", {"demo": "1"}).status_code == 404
        assert "_auth_user_id" not in browser.session


class TestADemo:
    def test_leads_from_the_report_to_sending_it(self, guided):
        browser = visitor()
        said = guide(browser)
        assert "step 1 of 5" in said
        assert "It was mailed on 2025-04-07, in time for list 2025-05." in said
        assert browser.get("/accounts/demo/report.eml").content == b"From: a@example.com\n"
        answer = browser.post("/accounts/demo/as/reporter/")
        assert answer["Location"] == "/office/japan/inbox/send/"
        said = guide(browser, answer["Location"])
        assert "step 2 of 5" in said
        assert "Go on as" not in said

    @pytest.mark.parametrize(
        ("path", "leads"),
        [
            ("/japan/", True),
            ("/office/japan/board/", False),
            ("/office/japan/board/rehearsals/2025-05/", False),
        ],
    )
    def test_leads_to_the_work_and_never_back_from_the_midst_of_it(self, path, leads):
        step = {"number": 3, "is_that": True, "role": "chief", "address": "/office/japan/board/"}
        html = render_to_string("web/demo_guide.html", {"guide": step, "request": RequestFactory().get(path)})
        assert ("Go there" in html) == leads

    def test_signs_in_by_a_click_of_its_own_page_alone(self, guided):
        strict = type(visitor())(enforce_csrf_checks=True)
        assert strict.post("/accounts/demo/as/chief/").status_code == 403
        assert visitor().get("/accounts/demo/as/chief/").status_code == 405
        assert visitor().post("/accounts/demo/as/administrator/").status_code == 404

    def test_the_player_is_nobody_who_is_signed_in(self, guided):
        browser = visitor()
        browser.post("/accounts/demo/as/chief/")
        assert "_auth_user_id" in browser.session
        assert browser.post("/accounts/demo/as/player/")["Location"] == "/japan/players/P1/"
        assert "_auth_user_id" not in browser.session

    def test_is_closed_and_shown_again_where_one_is(self, guided):
        browser = visitor()
        assert browser.post("/accounts/demo/close/", {"next": "/japan/"})["Location"] == "/japan/"
        assert guide(browser) == ""
        assert "Show the guide of the demo" in browser.get("/").content.decode()
        elsewhere = browser.post("/accounts/demo/close/", {"next": "//example.com/", "again": "1"})
        assert elsewhere["Location"] == "/"
        assert "step 1 of 5" in guide(browser)

    def test_is_in_japanese(self, guided):
        assert "2025年4月7日に送られたメールで、2025年5月のリストの締切に間に合っています。" in guide(
            visitor("ja")
        )

    def test_pages_are_sent_anew_for_the_guide_goes_on(self, guided):
        assert "ETag" not in visitor().get("/japan/").headers


@pytest.mark.slow
@pytest.mark.parametrize(("width", "script"), [(390, True), (1280, False)])
def test_a_visitor_plays_the_five_steps(browser, tmp_path, width, script):
    expect = pytest.importorskip("playwright.sync_api").expect
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe
    with opened(tmp_path, "demo", "--serve") as said:
        page = browser.new_context(
            viewport={"width": width, "height": 844}, locale="en-US", java_script_enabled=script
        ).new_page()
        page.goto(said["address"])
        if script:
            assert axe().run(page).response["violations"] == []
        with page.expect_download() as downloaded:
            page.get_by_role("link", name="Download the report").click()
        report = tmp_path / "hinoki-match.eml"
        downloaded.value.save_as(report)
        page.get_by_role("button", name="Go on as the club").click()
        page.locator("[name=files]").set_input_files(report)
        page.get_by_role("button", name="Send").click()
        page.get_by_role("button", name="Go on as the officer").click()
        page.get_by_role("button", name="Accept", exact=True).click()
        page.get_by_role("button", name="Go on as the chief officer").click()
        page.get_by_role("button", name="Rehearse the whole list").click()
        for _ in range(60):
            if page.get_by_role("link", name="Publish it").count():
                break
            page.wait_for_timeout(1000)
            page.reload()
        page.get_by_role("link", name="Publish it").click()
        page.get_by_role("checkbox").check()
        page.get_by_role("button", name="Publish 20").click()
        for _ in range(60):
            if page.get_by_role("button", name="Go on as the player").count():
                break
            page.wait_for_timeout(1000)
            page.reload()
        page.get_by_role("button", name="Go on as the player").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("FUJIWARA Yuto")
        expect(page.get_by_text("Hinoki Match").first).to_be_visible()
        if script:
            assert not page.evaluate(TOO_WIDE)
            assert axe().run(page).response["violations"] == []
