"""A reform in a real browser: from the sliders to the public page by two officers, on a phone, by keyboard."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from served_office import serve

pytestmark = pytest.mark.slow

expect = pytest.importorskip("playwright.sync_api", reason="no browser tests without Playwright").expect
Axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe-core").Axe

FILLING = """
from datetime import date
from pathlib import Path
from banzuke.database.book_reader import read_book
from banzuke.database.ledger_folders import enter_folder
from banzuke.office.journal import Actor
from banzuke.office.lists.list_index import names_of
from banzuke.office.lists.publishing import publish
from web.small_office import user
pool = enter_folder("japan", Path({example!r}), "test")
publish(pool, names_of(read_book(pool))[-1], Actor("test"), date(2030, 1, 1))
user("officer", pool, name="officer")
user("chief", pool, name="chief")
"""
HERE, PUBLIC = "/office/japan/reforms/1/", "/japan/reforms/1/"
#: Where a screenshot of each page is kept, if somebody wants to look.
PICTURES = os.environ.get("BANZUKE_PICTURES")
PHONE = {"viewport": {"width": 375, "height": 900}}


@pytest.fixture(scope="module")
def office(browser, tmp_path_factory):
    from published_pools import EXAMPLES

    with serve(tmp_path_factory.mktemp("office"), FILLING.format(example=str(EXAMPLES / "japan"))) as served:
        yield served


def wrong_with(looked_at, name) -> list[str]:
    """What axe-core finds serious or critical, and whether the page is wider than its window."""
    if PICTURES:
        looked_at.screenshot(path=str(Path(PICTURES) / f"{name}.png"), full_page=True)
    looked_at.locator("details").evaluate_all("all => all.forEach(it => it.open = true)")
    found = Axe().run(looked_at).response["violations"]
    wrong = [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found]
    is_wide = looked_at.evaluate("document.documentElement.scrollWidth > innerWidth")
    return [*wrong, *(["too wide"] if is_wide else [])]


def press(page, name):
    """Reach a button by the keyboard alone, press it, and wait for the page that comes."""
    page.get_by_role("button", name=name, exact=True).focus()
    with page.expect_navigation():
        page.keyboard.press("Enter")


def test_two_officers_lead_a_reform_from_the_sliders_to_the_public(office, browser):
    officer, chief = office.page(browser, "officer", **PHONE), office.page(browser, "chief", locale="ja")
    officer.goto("/office/japan/lab/what-would-change/?player=J003")
    officer.get_by_label("K, normal").fill("30")
    officer.get_by_role("link", name="Draft this as a reform").click()
    expect(officer.get_by_label("The reform", exact=True)).to_have_value(
        officer.get_by_label("The reform", exact=True).input_value()
    )
    assert '"jcf.k_normal" = 30' in officer.get_by_label("The reform", exact=True).input_value()
    assert wrong_with(officer, "reform-new") == []
    press(officer, "Keep the draft")
    press(officer, "Rehearse it")
    expect(officer.get_by_role("heading", name="Who moves most")).to_be_visible()
    assert wrong_with(officer, "reform-rehearsed") == []
    officer.get_by_label("Decision", exact=True).fill("Board, item 3")
    officer.get_by_label("Link to the minutes").fill("https://example.org/minutes")
    press(officer, "Note the decision")
    expect(officer.get_by_text("You drafted this reform. Another officer signs it.")).to_be_visible()
    chief.goto(HERE)
    press(chief, "改定案に署名する")
    press(chief, "改定を告知する")
    assert wrong_with(chief, "reform-announced") == []
    reader = office.page(browser, **PHONE, locale="ja", color_scheme="dark")
    reader.goto(PUBLIC)
    expect(reader.get_by_text("Board, item 3")).to_be_visible()
    assert wrong_with(reader, "reform-public") == []
    reader.goto("/japan/reforms/")
    assert wrong_with(reader, "reforms-public") == []
