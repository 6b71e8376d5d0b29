"""In a real browser: what is wrong leads to where it is mended; a wide sheet, asked about once, is taken."""

from __future__ import annotations

from pathlib import Path

import pytest
from served_office import serve

pytestmark = pytest.mark.slow

expect = pytest.importorskip("playwright.sync_api", reason="no browser tests without Playwright").expect
Axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe-core").Axe
ROOT = Path(__file__).resolve().parents[2]
FILLING = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from pathlib import Path
from small_office import user
from banzuke.database.ledger_folders import enter_folder
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.journal import Actor
pool = enter_folder("japan", Path({str(ROOT / "examples" / "japan")!r}), "test")
officer = user("officer", pool, name="officer")
report = Path({str(ROOT / "examples" / "hinoki-spring.trf")!r}).read_bytes()
receive(pool, [("hinoki-spring.trf", report)], {{"speed": "standard"}}, Sender(Actor("officer"), officer, "C01", ""))
"""
WIDE = "会員番号,ローマ字,Standard,Heft\n" + "".join(f"N{n},NEW Person{n},1600,{n}\n" for n in range(1, 36))
TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    with serve(tmp_path_factory.mktemp("office"), FILLING) as served:
        yield served


def clean(page):
    """Nothing wrong by axe, nothing beside the window, in light and dark."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
    assert not page.evaluate(TOO_WIDE)


def test_a_problem_leads_to_its_field(office, browser):
    page = office.page(browser, "officer", viewport={"width": 390, "height": 844}, locale="en-US")
    page.goto("/office/japan/inbox/1/")
    lacks = page.get_by_role("listitem").filter(has_text="The report lacks: Number of non-members")
    lacks.get_by_role("link", name="Enter it").click()
    expect(page.locator(":target")).to_be_visible()
    expect(page.locator(":target")).to_have_attribute("name", "e0-nonmembers")
    clean(page)


@pytest.mark.parametrize("locale", ["en-US", "ja-JP"])
def test_a_wide_sheet(office, browser, tmp_path, locale):
    table = tmp_path / "wide.csv"
    table.write_text(WIDE.replace("Heft", f"Heft {locale}"), "utf-8")
    page = office.page(browser, "officer", viewport={"width": 390, "height": 844}, locale=locale)
    page.goto("/office/japan/register/send/")
    page.locator("[name=file]").set_input_files(table)
    page.locator("main form button").first.click()
    clean(page)
    page.get_by_label(f"Heft {locale}").select_option("-")
    page.locator("[name=every_games]").fill("30")
    page.locator("main form button").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("wide.csv")
    expect(page.locator("main")).to_contain_text("1600")
    clean(page)
