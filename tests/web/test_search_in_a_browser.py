"""The search in a real browser: by its key, as one types, and without scripts."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from web.served_office import serve

FILLING = """
from web.small_office import user
from web.published_pools import published_pool
user("administrator")
published_pool()
published_pool("hakodate")
"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def office(browser, tmp_path_factory):
    with serve(tmp_path_factory.mktemp("office"), FILLING) as served:
        yield served


def test_by_the_key_and_as_one_types(office, browser):
    page = office.page(browser)
    page.goto("/japan/events/")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "site-q"
    page.keyboard.type("murata mitsru", delay=10)
    suggested = page.locator("#suggested .found li")
    expect(suggested).to_have_count(1)
    assert "MURATA Mitsuru" in suggested.inner_text()
    expect(page.locator("#suggested-count")).to_have_text("1 found")
    page.keyboard.press("Escape")
    expect(suggested).to_have_count(0)
    page.keyboard.press("/")
    page.keyboard.press("Enter")
    page.wait_for_url("**/japan/search/?q=**")
    field = page.locator("#q")
    field.fill("")
    field.press_sequentially("村田", delay=20)
    expect(page.locator("#found .found li")).to_have_count(1)
    page.locator("#found .found a").click()
    page.wait_for_url("**/japan/players/J013/")


def test_without_scripts(office, browser):
    page = office.page(browser, java_script_enabled=False)
    page.goto("/japan/players/J004/")
    page.locator("#site-q").fill("suzki")
    page.get_by_role("button", name="Search").click()
    assert "SUZUKI Daiki" in page.locator("#found").inner_text()
    page.get_by_role("link", name="All pools").click()
    assert "SUZUKI Daiki" in page.locator("#found").inner_text()


@pytest.mark.parametrize(("language", "width"), [("ja", 375), ("en", 1200)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_in_anybodys_way(office, browser, width, language, scheme):
    page = office.page(
        browser, viewport={"width": width, "height": 900}, locale=language, color_scheme=scheme
    )
    for address in ("/search/?q=hinoki", "/japan/search/?q=takasa+ren", "/japan/clubs/C01/", "/japan/"):
        page.goto(address)
        if address == "/japan/":
            page.locator("#site-q").press_sequentially("ta", delay=10)
            page.wait_for_selector("#suggested .found li")
        found = Axe().run(page).response["violations"]
        assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == [], address
        wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        assert not wide, address
