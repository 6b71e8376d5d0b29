"""The officer's desk in a real browser: what is decided stays in view, keys, one click, without a script."""

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
user("officer", pool, name="officer")
sender = Sender(Actor("kato"), None, "C01", "upload")
sent = Path({str(ROOT / "examples" / "hinoki-spring.trf")!r}).read_bytes()
misspelt = sent.replace(b"ITO Kenta", b"ITO Kent ").replace(b"GOTO Makoto", b"GOTO Makot ")
receive(pool, [("a.trf", sent)], {{"speed": "standard"}}, sender)
receive(pool, [("b.trf", misspelt.replace(b"Hinoki Spring", b"Hinoki Summer"))], {{"speed": "standard"}}, sender)
"""
TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
SCROLLS = (0, 600, 1200)


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    with serve(tmp_path_factory.mktemp("office"), FILLING) as served:
        yield served


@pytest.mark.parametrize("window", [PHONE, DESKTOP])
def test_what_is_decided_stays_in_view_without_a_script(office, browser, window):
    page = office.page(browser, "officer", viewport=window, java_script_enabled=False)
    page.goto("/office/japan/inbox/1/")
    page.get_by_role("link", name="Show every player before and after").click()
    changes, accept = (
        page.get_by_role("table", name="with this report in it"),
        page.get_by_role("button", name="Accept"),
    )
    expect(changes).to_be_visible()
    for down in SCROLLS:
        page.mouse.wheel(0, down)
        expect(accept).to_be_in_viewport(ratio=1)
        for name in ("Hold", "Send back", "Refuse"):
            expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(("window", "scheme"), [(PHONE, "dark"), (DESKTOP, "light")])
def test_the_desk_is_clean(office, browser, window, scheme):
    page = office.page(browser, "officer", viewport=window, color_scheme=scheme)
    for address in ("", "2/"):
        page.goto(f"/office/japan/inbox/{address}")
        found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
        assert not page.evaluate(TOO_WIDE)


def test_keys_and_one_click(office, browser):
    page = office.page(browser, "officer", viewport=DESKTOP, locale="en-US")
    page.goto("/office/japan/inbox/")
    expect(page.get_by_text("Keys on this page")).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.get_by_role("link", name="Hinoki Summer Match")).to_be_focused()
    page.keyboard.press("k")
    page.keyboard.press("a")
    expect(page.get_by_role("checkbox", name="Choose report 1")).to_be_checked()
    expect(page.get_by_role("button", name="Accept the chosen")).to_be_focused()
    page.keyboard.press("Shift+?")
    expect(page.get_by_text("show these keys")).to_be_visible()
    page.get_by_role("link", name="Hinoki Summer Match").click()
    expect(page.get_by_text("Keys on this page")).to_be_visible()
    page.keyboard.press("j")
    expect(page.locator("[name=who-0-3][value=J008]")).to_be_focused()
    page.get_by_role("button", name="Take all 2 likely members").click()
    expect(page.get_by_role("table", name="with this report in it")).to_be_visible()
    page.keyboard.press("a")
    expect(page.get_by_role("button", name="Accept")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("is accepted and in the ledger")
