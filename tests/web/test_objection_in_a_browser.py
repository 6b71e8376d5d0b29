"""An objection in a real browser: from a phone to the club, to a decision, to a revision, to a final list."""

from __future__ import annotations

from pathlib import Path

import pytest
from properties import is_whole
from served_office import serve

pytestmark = pytest.mark.slow

expect = pytest.importorskip("playwright.sync_api", reason="no browser tests without Playwright").expect
Axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe-core").Axe
FILLING = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from office_in_time import fill
fill()
"""
TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
GAME = "round 2: FUJIWARA Yuto – YAMAMOTO Itsuki (½)"


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    with serve(tmp_path_factory.mktemp("office"), FILLING) as served:
        yield served


def look(page, name):
    """Nothing wrong by axe and nothing beside the window, by hand in the dark, too; `name` says where we are."""
    for scheme in ("light", "dark") if is_whole() else ("light",):
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
        assert [(name, one["id"], one["nodes"][0]["html"]) for one in found] == []
    assert not page.evaluate(TOO_WIDE), name


class Players:
    """Who takes part, each in a browser of their own, in one language."""

    def __init__(self, office, browser):
        self.player = office.page(browser, None, viewport=PHONE, locale="en-US", has_touch=True)
        self.club = office.page(browser, "kato", viewport=PHONE, locale="en-US")
        self.officer = office.page(browser, "officer", viewport=DESKTOP, locale="en-US")
        self.chief = office.page(browser, "chief", viewport=DESKTOP, locale="en-US")


def write(page):
    """Find the game on a phone, say that it is wrong; the address of the inquiry's page."""
    page.goto("/japan/players/J001/")
    page.get_by_role("link", name="How this rating came about").first.click()
    look(page, "explanation")
    page.get_by_role("link", name="wrong? YAMAMOTO Itsuki").click()
    expect(page.get_by_role("radio", name=GAME)).to_be_checked()
    look(page, "form")
    page.get_by_label("What would be right").select_option("FUJIWARA Yuto won")
    page.get_by_label("What is wrong, and how you know").fill("Black resigned. Both signed the score sheet.")
    page.get_by_label("Your name").fill("A. Watanabe")
    page.get_by_role("button", name="Send it to the office").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Inquiry 1")
    expect(page.get_by_text("received", exact=True)).to_be_visible()
    look(page, "received")
    return page.url


def ask_the_club(page):
    page.goto("/office/")
    page.get_by_role("link", name="Open inquiries").click()
    look(page, "inquiries")
    page.get_by_role("link", name="Inquiry 1").click()
    for heading in ("As rated", "As reported", "What the club says"):
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
    with page.expect_download() as file:
        page.get_by_role("link", name="hinoki-match.trf").click()
    assert b"YAMAMOTO" in Path(file.value.path()).read_bytes()
    page.get_by_text("Ask a club").click()
    expect(page.get_by_label("Club", exact=True)).to_have_value("C01")
    page.get_by_label("Question to the club").fill("What does the score sheet of round 2 say?")
    look(page, "inquiry")
    page.get_by_role("button", name="Ask the club").click()
    expect(page.get_by_text("The club has not answered yet.")).to_be_visible()


def answer(page):
    page.goto("/office/")
    page.get_by_role("link", name="The office has 1 question to you.").click()
    expect(page.get_by_text("Hinoki Match · " + GAME)).to_be_visible()
    expect(page.get_by_text("A. Watanabe")).to_have_count(0)
    look(page, "question")
    page.get_by_label("Your club's answer").fill("1-0. Our report has a slip.")
    page.get_by_role("button", name="Answer").click()
    expect(page.get_by_text("The office has your answer.")).to_be_visible()
    look(page, "answered")


def uphold(page):
    page.goto("/office/japan/board/inquiries/1/")
    expect(page.get_by_text("1-0. Our report has a slip.")).to_be_visible()
    look(page, "decision")
    page.get_by_text("Uphold the inquiry").click()
    form = page.locator("details[open]")
    expect(form.get_by_label("Clause")).to_have_value("JCF 7(3)")
    form.get_by_label("Reason").fill("The score sheet and the club say so.")
    look(page, "uphold")
    form.get_by_role("button", name="Uphold it").click()
    expect(page.get_by_text("The draft has the change that was proposed")).to_be_visible()
    expect(page.locator("#main")).to_contain_text("1/2-1/2 → 1-0")
    look(page, "draft")


def carry_out(page):
    page.get_by_label("Reason").first.fill("Round 2 of the Hinoki Match was won, not drawn.")
    page.get_by_role("button", name="Correct and publish the revisions").click()
    expect(page.get_by_text("Revised:")).to_be_visible()
    look(page, "carried out")


def test_from_a_phone_to_a_revision(office, browser):
    by = Players(office, browser)
    secret = write(by.player)
    ask_the_club(by.officer)
    by.player.goto(secret)
    expect(by.player.get_by_text("with the club")).to_be_visible()
    look(by.player, "with the club")
    answer(by.club)
    by.player.goto(secret)
    expect(by.player.get_by_text("the club has answered")).to_be_visible()
    uphold(by.chief)
    by.player.goto(secret)
    expect(by.player.get_by_text("decided: you are right")).to_be_visible()
    expect(by.player.get_by_role("link", name="JCF 7(3)")).to_be_visible()
    look(by.player, "upheld")
    carry_out(by.chief)
    by.player.goto(secret)
    look(by.player, "done")
    by.player.get_by_role("link", name="revision 1").click()
    expect(by.player.get_by_text("Round 2 of the Hinoki Match was won, not drawn.").first).to_be_visible()
    expect(by.player.get_by_text("1 objection received: 1 upheld")).to_be_visible()
    look(by.player, "list")
    by.player.get_by_role("link", name="1 objection received").click()
    expect(by.player.get_by_role("table", name="Objections by list")).to_be_visible()
    look(by.player, "numbers")
    by.chief.goto("/office/japan/board/")
    look(by.chief, "board")
    by.chief.get_by_role("button", name="final now").click()
    by.player.get_by_role("table", name="Objections by list").get_by_role("link").click()
    expect(by.player.get_by_text("Preliminary until")).to_have_count(0)
    by.player.get_by_role("link", name="This list was preliminary").click()
    expect(by.player.get_by_text("In between it was revised once.")).to_be_visible()
    look(by.player, "final")


def test_in_japanese_by_the_keyboard_alone_and_without_scripts(office, browser):
    """What programs fill in is never reached; every other field is, in the order in which it is read."""
    page = office.page(browser, None, viewport=PHONE, locale="ja-JP", java_script_enabled=False)
    page.goto("/japan/players/J008/")
    page.get_by_role("link", name="誤り？").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("誤りを知らせる")
    page.get_by_role("radio").first.focus()
    reached = ["game"]
    for pressed, typed in (1, ""), (4, ""), (0, "棋譜があります。"), (0, "伊藤"):
        for _ in range(pressed):
            page.keyboard.press("ArrowDown")
        page.keyboard.type(typed)
        page.keyboard.press("Tab")
        reached.append(page.locator("*:focus").get_attribute("name") or page.locator("*:focus").inner_text())
    assert reached == ["game", "change", "about", "who", "事務局へ送る"]
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("照会")
    expect(page.get_by_text("申し出の内容：先後（白黒）が逆")).to_be_visible()
    expect(page.get_by_text("受け付けました")).to_be_visible()
