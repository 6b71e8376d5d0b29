"""Every page for everybody: by axe-core in light and dark, on a phone, by keyboard, in both languages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest
from served_office import serve
from small_office import PASSWORD

pytestmark = pytest.mark.slow

PageError = pytest.importorskip("playwright.sync_api", reason="no browser tests without Playwright").Error
Axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe-core").Axe

#: The office of the test of access, with an address for every page; Django's own admin is not ours.
FILLING = f"""
import json, os, sys
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parent)!r})
from address_list import VISITORS, address, filled, walked
from small_office import user
from test_access import expected
world = filled()
boss = user("administrator", name="administrator")
boss.set_password({PASSWORD!r})
boss.save()
found = [
    (name, page.name, address(page, world))
    for page in walked()
    for name in ["public" if page.row["who"] == "public" else "administrator"]
    if not page.row.get("post") and not page.name.startswith("admin:")
    if expected(page, name, VISITORS[name]) == "page"
]
(Path(os.environ["BANZUKE_HOME"]) / "addresses.json").write_text(json.dumps(found))
"""
PHONE = 375
#: Pages that are looked at in Japanese too.
IN_JAPANESE = {
    *(
        "public-calendar",
        "club",
        "public-pool",
        "public-list-speed",
        "public-player",
        "public-working-speed",
        "public-event",
    ),
    "data",
    *("reading-book", "reading-calculator", "reading-statistics", "desk", "inbox", "inbox-form"),
    *("inbox-report", "register-member", "fees-window", "board", "board-rehearsal", "board-inquiry"),
}
SERIOUS = {"resultTypes": ["violations"]}
COLOURS = {"runOnly": ["color-contrast"], "resultTypes": ["violations"]}
#: What the keyboard cannot reach of what can be used; and fields that say nothing of what they are for.
OUT_OF_REACH = """() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
    .filter(it => it.type !== "hidden" && !it.disabled && it.checkVisibility({visibilityProperty: true}))
    .filter(it => { it.focus(); return document.activeElement !== it || it.tabIndex < 0 })
    .map(it => it.outerHTML.slice(0, 200))"""
#: What makes a page wider than its window, the innermost first.
TOO_WIDE = """() => [...document.querySelectorAll("main *, header *")]
    .filter(it => it.getBoundingClientRect().right > innerWidth + 1 && !it.closest(".scroll, .u-wrap, .sr"))
    .map(it => it.outerHTML.slice(0, 120)).at(-1)"""
NAMES = """() => [...document.querySelectorAll("main [name]")]
    .filter(it => it.type !== "hidden").map(it => it.name)"""
SKIP_LINK = """() => { const it = document.querySelector("a[href], button, input");
    return it.className === "skip" && document.querySelector(it.hash) !== null }"""


class Seen(NamedTuple):
    """A page that was walked: its name, its address, what is wrong with it."""

    name: str
    address: str
    wrong: list[str]


@pytest.fixture(scope="module")
def office(browser, tmp_path_factory):
    home = tmp_path_factory.mktemp("office")
    with serve(home, FILLING) as served:
        yield served, json.loads((home / "addresses.json").read_text())


def sign_in(served, browser, **how):
    """A page of the administrator, who came in by the door."""
    page = served.page(browser, **how)
    page.goto("/accounts/login/")
    page.locator("[name=login]").fill("administrator")
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("main button").click()
    page.wait_for_url("**/office/")
    return page


@pytest.mark.parametrize("visitor", ["public", "administrator"])
@pytest.mark.slow
def test_every_page(office, browser, visitor):
    served, addresses = office
    page = served.page(browser) if visitor == "public" else sign_in(served, browser)
    seen = [look_at(page, name, address) for who, name, address in addresses if who == visitor]
    html = [one for one in seen if one is not None]
    assert len(html) > (15 if visitor == "public" else 40)
    assert {one.name for one in html if one.wrong} == set(), [one for one in html if one.wrong]


def look_at(page, name, address) -> Seen | None:
    """A page in a window of a desk, then of a phone, light and dark; None for a file."""
    page.set_viewport_size({"width": 1200, "height": 900})
    page.emulate_media(color_scheme="light")
    if not is_page(page, address):
        return None
    wrong = violations(page, SERIOUS)
    wrong += [] if page.evaluate(SKIP_LINK) else ["no skip link"]
    wrong += [f"out of reach: {it}" for it in page.evaluate(OUT_OF_REACH)]
    page.emulate_media(color_scheme="dark")
    wrong += [f"dark: {it}" for it in violations(page, COLOURS)]
    page.set_viewport_size({"width": PHONE, "height": 800})
    return Seen(name, address, wrong + too_wide(page))


def too_wide(page) -> list[str]:
    """What is wider than the window, once charts have had the time to be drawn anew."""
    try:
        page.wait_for_function("document.documentElement.scrollWidth <= innerWidth", timeout=3000)
    except PageError:
        return [f"too wide: {page.evaluate(TOO_WIDE)}"]
    return []


def is_page(page, address) -> bool:
    """Whether there is a page at that address, neither a file nor a part of a page nor the way to another."""
    try:
        answer = page.goto(address)
    except PageError as error:
        if "Download is starting" not in str(error):
            raise
        return False
    assert answer.status == 200, address
    is_whole = answer.headers["content-type"].startswith("text/html") and "<html" in answer.text()
    return is_whole and answer.request.redirected_from is None


def violations(page, options) -> list[str]:
    """What axe-core finds serious or critical, with the first place."""
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:200]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


def test_in_japanese(office, browser):
    served, addresses = office
    page = sign_in(served, browser, locale="ja-JP", viewport={"width": PHONE, "height": 800})
    wrong = []
    for _, name, address in dict.fromkeys(map(tuple, addresses)):
        if name in IN_JAPANESE:
            page.goto(address)
            wrong += [f"{name}: {it}" for it in violations(page, SERIOUS)]
            wrong += [f"{name}: {it}" for it in too_wide(page)]
    assert wrong == []


def test_the_tab_key_walks_through_a_form(office, browser):
    served, _ = office
    page = sign_in(served, browser)
    page.goto("/office/japan/inbox/form/")
    asked = list(dict.fromkeys(page.evaluate(NAMES)))
    met = []
    while len(met) < len(asked):
        page.keyboard.press("Tab")
        name = page.evaluate("document.activeElement.closest('main') && (document.activeElement.name || '')")
        assert name is not None or not met, f"after {met[-1:]} the keyboard leaves the form"
        if name and name not in met:
            met.append(name)
    assert met == asked
