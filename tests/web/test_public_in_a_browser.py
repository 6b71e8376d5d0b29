"""Public pages in a real browser: the list is found as one types, with scripts and without."""

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
"""
LIST = "/japan/lists/2025-05/standard/"


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def office(browser, tmp_path_factory):
    with serve(tmp_path_factory.mktemp("office"), FILLING) as served:
        yield served


def test_the_list_follows_what_is_typed(office, browser):
    page = office.page(browser)
    page.goto(LIST)
    field = page.get_by_label("Name or id")
    field.press_sequentially("山本", delay=20)
    rows = page.locator("#ratings tbody tr")
    expect(rows).to_have_count(1)
    assert "YAMAMOTO Itsuki" in page.locator("#ratings tbody").inner_text()
    assert page.evaluate("document.activeElement.id") == "q"
    assert "q=%E5%B1%B1%E6%9C%AC" in page.url
    field.fill("")
    expect(rows).to_have_count(34)
    page.get_by_text("Filters").click()
    page.get_by_label("Age group").select_option("junior")
    expect(rows).not_to_have_count(34)
    page.get_by_role("link", name="Change").click()
    page.wait_for_url("**sort=-change**")
    assert "group=junior" in page.url
    assert page.locator("th[aria-sort=descending]").inner_text().startswith("Change")


def test_without_scripts(office, browser):
    page = office.page(browser, java_script_enabled=False)
    page.goto(LIST)
    page.get_by_label("Name or id").fill("itsuki yama")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#ratings tbody tr")).to_have_count(1)
    page.goto("/japan/players/J004/")
    assert page.locator("figure table tbody tr").count() == 12


def test_a_player_has_curves(office, browser):
    page = office.page(browser)
    page.goto("/japan/players/J004/")
    page.wait_for_selector("figure.chart .plot canvas")


@pytest.mark.parametrize(("language", "width"), [("ja", 375), ("en", 1200)])
def test_nothing_is_in_anybodys_way(office, browser, width, language):
    page = office.page(browser, viewport={"width": width, "height": 900}, locale=language)
    addresses = ["/", "/japan/", "/japan/lists/", LIST, f"{LIST}?q=qqqq", "/japan/players/J004/"]
    addresses += ["/japan/players/J004/2025-04/standard/", "/japan/events/", "/japan/events/2025-01-newyear/"]
    for address in addresses:
        page.goto(address)
        found = Axe().run(page).response["violations"]
        serious = [one["id"] for one in found if one["impact"] in ("serious", "critical")]
        assert serious == [], address
        wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        assert not wide, address
