"""What was typed into a form is not lost: by leaving, by a wrong value, by a session that ends; then it is gone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from served_office import serve

pytestmark = pytest.mark.slow

expect = pytest.importorskip("playwright.sync_api", reason="no browser tests without Playwright").expect
ROOT = Path(__file__).resolve().parents[2]
FILLING = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from pathlib import Path
from small_office import PASSWORD, user
from banzuke.database.ledger_folders import enter_folder
pool = enter_folder("japan", Path({str(ROOT / "examples" / "japan")!r}), "test")
for name in ("officer", "other"):
    made = user("officer", pool, name=name)
    made.set_password(PASSWORD)
    made.save()
"""
PASSWORD = "kanban musume 88"
NEW, FORM = "/office/japan/register/new/", "/office/japan/inbox/form/?kind=crosstable"
START_LIST = "/office/japan/register/start-list/"
KEPT = "JSON.stringify({...sessionStorage})"
AGAIN = "What you had typed is filled in again."
SHOTS = os.environ.get("BANZUKE_SHOTS", "")


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    with serve(tmp_path_factory.mktemp("office"), FILLING) as served:
        yield served


@pytest.fixture
def page(office, browser):
    made = office.page(browser, "officer", locale="en-US", viewport={"width": 1280, "height": 900})
    made.context.set_default_timeout(8_000)
    made.on("dialog", lambda dialog: dialog.accept())
    yield made
    made.context.close()


def drafts(page):
    return page.evaluate(
        "Object.keys(sessionStorage).filter((key) => key.startsWith('banzuke-draft:')).length"
    )


def sign_in(page, name):
    page.locator("[name=login]").fill(name)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()


def test_a_page_that_was_left_has_it_again_until_it_is_discarded(page):
    page.goto(NEW)
    page.locator("main [name=name]").fill("ABE Jun")
    page.goto("/office/")
    page.goto(NEW)
    expect(page.get_by_text(AGAIN)).to_be_visible()
    expect(page.locator("main [name=name]")).to_have_value("ABE Jun")
    page.get_by_role("button", name="Discard it").click()
    expect(page.locator("main [name=name]")).to_have_value("")
    page.goto(NEW)
    expect(page.get_by_text(AGAIN)).to_have_count(0)


def test_leaving_is_warned_of(page):
    page.goto(NEW)
    asked = []
    page.on("dialog", lambda dialog: asked.append(dialog.type))
    page.locator("main [name=name]").click()
    page.keyboard.type("ABE Jun")
    page.goto("/office/")
    assert asked == ["beforeunload"]


def test_what_has_arrived_is_kept_no_more(page):
    page.goto(NEW)
    page.locator("main [name=name]").fill("NEW Somebody")
    page.get_by_role("button", name="Add to the register").click()
    expect(page.get_by_text("Added to the register.")).to_be_visible()
    assert drafts(page) == 0
    page.goto(NEW)
    expect(page.get_by_text(AGAIN)).to_have_count(0)


def test_entrants_of_a_start_list_are_kept_until_they_are_shown(page):
    page.goto(START_LIST)
    page.locator("main [name=entrants]").fill("FUJIWARA Yuto")
    page.goto("/office/")
    page.goto(START_LIST)
    expect(page.get_by_text(AGAIN)).to_be_visible()
    page.locator("main [name=name]").fill("Open")
    page.locator("main [name=federation]").select_option("JPN")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("main [name=entrants]")).to_have_value("J001")
    expect(page.get_by_text(AGAIN)).to_have_count(0)
    assert drafts(page) == 0


def test_a_wrong_value_loses_nothing(page):
    page.goto(NEW)
    page.locator("main [name=name]").fill("WRONG Id")
    page.locator("main [name=player_id]").fill("J001")
    page.get_by_role("button", name="Add to the register").click()
    expect(page.get_by_text("This id is already used.")).to_be_visible()
    page.goto("/office/")
    page.goto(NEW)
    expect(page.locator("main [name=name]")).to_have_value("WRONG Id")


def test_a_crosstable_is_there_after_signing_in_again(page):
    page.goto(FORM)
    page.locator("[name=player-1]").fill("J001")
    page.locator("[name=r-1-2]").press("1")
    page.wait_for_timeout(800)  # until members were looked for
    page.context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.get_by_text("What you have sent is not lost")).to_be_visible()
    sign_in(page, "officer")
    expect(page.get_by_role("button", name="Send it now")).to_be_visible()
    page.get_by_role("link", name="Look at the page first").click()
    expect(page.get_by_text(AGAIN)).to_be_visible()
    assert [page.locator(f"[name={name}]").input_value() for name in ("player-1", "r-1-2", "r-2-1")] == [
        "J001",
        "1",
        "0",
    ]


def test_signing_out_leaves_nothing_in_any_tab(page):
    page.goto(NEW)
    beside = page.context.new_page()
    beside.goto(FORM)
    beside.locator("[name=player-1]").fill("J001")
    page.locator("main [name=name]").fill("ABE Jun")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    assert "ABE Jun" not in page.evaluate(KEPT)
    beside.wait_for_timeout(500)
    assert "J001" not in beside.evaluate(KEPT)


def test_another_user_gets_nothing_of_it(page):
    page.goto(NEW)
    page.locator("main [name=name]").fill("ABE Jun")
    page.context.clear_cookies(name="sessionid")
    page.goto("/accounts/login/")
    sign_in(page, "other")
    page.goto(NEW)
    expect(page.get_by_text(AGAIN)).to_have_count(0)
    assert "ABE Jun" not in page.evaluate(KEPT)
