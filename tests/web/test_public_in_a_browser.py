"""Public pages in a real browser: the list is found as one types, with scripts and without."""

from __future__ import annotations

import re

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
published_pool("go-server")
published_pool("us-championship-2025")
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
    errors = []
    page.on("pageerror", lambda error: errors.append(f"{page.url}: {error}"))
    page.on(
        "console", lambda said: errors.append(f"{page.url}: {said.text}") if said.type == "error" else None
    )
    addresses = ["/", "/japan/", "/japan/lists/", LIST, f"{LIST}?q=qqqq", "/japan/players/J004/"]
    addresses += ["/japan/players/J004/2025-04/standard/", "/japan/events/", "/japan/events/2025-01-newyear/"]
    addresses += [f"{LIST}?group=junior", f"{LIST}clubs/", "/japan/lists/2025-05/compare/2024-06/"]
    addresses += ["/japan/statistics/", "/hakodate/lists/2025-12-evening/compare/2025-05-five/", "/hakodate/"]
    addresses += ["/go-server/lists/current/", "/go-server/statistics/", "/hakodate/statistics/"]
    for address in addresses:
        page.goto(address)
        found = Axe().run(page).response["violations"]
        serious = [one["id"] for one in found if one["impact"] in ("serious", "critical")]
        assert serious == [], address
        wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        assert not wide, address
    assert errors == []


@pytest.mark.parametrize("width", [390, 1280])
def test_a_list_shows_what_matters_without_scrolling(office, browser, width):
    """Place, rating, name and change are on the screen, and the heading stays."""
    page = office.page(browser, viewport={"width": width, "height": 800})
    page.goto(LIST)
    for cell in ("td:nth-child(1)", ".rating", ".name", ".change"):
        box = page.locator(f"#ratings tbody tr:first-child {cell}").first.bounding_box()
        assert box, cell
        assert box["x"] >= 0, cell
        assert box["x"] + box["width"] <= width, cell
    page.locator("#ratings tbody tr").nth(25).scroll_into_view_if_needed()
    heading = page.locator("#ratings thead th").first
    assert 0 <= heading.bounding_box()["y"] < 800
    assert page.locator("#ratings .beside").first.is_visible() == (width == 390)


def test_what_is_copied_has_nothing_twice(office, browser):
    page = office.page(browser, permissions=["clipboard-read", "clipboard-write"])
    page.goto("/japan/lists/2025-05/compare/2024-06/")
    page.locator("button[data-copy=movements]").click()
    lines = page.evaluate("navigator.clipboard.readText()").split("\n")
    assert lines[1].split("\t")[2] == "WATANABE Rin J014"
    assert len({line.count("\t") for line in lines}) == 1


def test_charts_say_what_they_count_and_more_than_one_day(office, browser):
    page = office.page(browser, viewport={"width": 390, "height": 800})
    page.add_init_script("""
        window.drawn = [];
        const fill = CanvasRenderingContext2D.prototype.fillText;
        CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
            window.drawn.push(text); return fill.call(this, text, ...more); };
    """)
    page.goto("/japan/statistics/")
    page.wait_for_selector("figure.chart .plot canvas")
    page.wait_for_function("window.drawn.includes('Players, games')")
    drawn = page.evaluate("window.drawn")
    assert "Rating" in drawn
    assert len({text for text in drawn if re.fullmatch(r"\d{4}-\d\d", text)}) >= 3
    assert not [text for text in drawn if re.fullmatch(r"\d+\.\d+", text)]


#: What of a table is cut off or squeezed: boxes that scroll, cells over one another, captions of one letter a line.
OUT_OF_SHAPE = """() => [...document.querySelectorAll(".scroll, .stacked td, .stacked caption:not(.sr)")]
    .filter(it => it.checkVisibility() && (it.scrollWidth > it.clientWidth + 1 && it.clientWidth > 0
        || it.localName === "caption" && it.clientWidth < 100))
    .map(it => it.outerHTML.slice(0, 120))"""

#: Names of one word that stand in two lines.
BROKEN_NAMES = """() => [...document.querySelectorAll(".narrows .name a")].map(it => [it, it.textContent.trim()])
    .filter(([it, text]) => it.getClientRects().length > 1 && !/\\s/.test(text)).map(([it, text]) => text)"""


@pytest.mark.parametrize(
    "address",
    [
        "/japan/players/J004/2025-02/standard/",
        "/japan/rules/",
        "/japan/rules/jcf-2024/",
        "/japan/rules/ncs-2022/jcf-2024/",
        "/go-server/ranking/",
    ],
)
def test_a_table_fits_a_phone_without_scrolling(office, browser, address):
    page = office.page(browser, viewport={"width": 390, "height": 800})
    page.goto(address)
    assert page.locator("main table").count() > 0
    assert page.evaluate(OUT_OF_SHAPE) == []
    assert page.evaluate(BROKEN_NAMES) == []


def test_a_crosstable_of_many_rounds_fits_a_window(office, browser):
    page = office.page(browser, viewport={"width": 1280, "height": 800})
    page.goto("/us-championship-2025/events/USCH2025/")
    table = page.locator(".cross").bounding_box()
    assert table["x"] + table["width"] <= 1280 - 16


def test_a_players_name_stays_in_sight_on_a_phone(office, browser):
    page = office.page(browser, viewport={"width": 390, "height": 800})
    page.goto("/japan/players/J004/")
    page.locator("#opponents").scroll_into_view_if_needed()
    assert 0 <= page.get_by_role("heading", level=1).bounding_box()["y"] < 10
    assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


@pytest.mark.parametrize("address", ["/japan/players/J004/", LIST, "/japan/events/2025-01-newyear/"])
def test_on_paper_there_is_what_was_looked_for_in_black(office, browser, address):
    """No navigation, nothing to press; rows are not torn; the dark page, too, is printed on white."""
    page = office.page(browser, viewport={"width": 1280, "height": 800}, color_scheme="dark")
    page.goto(address)
    page.emulate_media(media="print")
    assert page.get_by_role("heading", level=1).is_visible()
    for unwanted in (
        "header nav",
        ".search",
        ".reader",
        "nav.tabs",
        "nav.ways",
        "button",
        "input",
        "summary",
        ".foot",
    ):
        assert page.locator(f"{unwanted}:visible").count() == 0, unwanted
    style = "element => { const s = getComputedStyle(element); return [s.color, s.backgroundColor, s.breakInside]; }"
    colour, _, torn = page.locator("tbody tr").first.evaluate(style)
    assert (colour, torn) == ("rgb(0, 0, 0)", "avoid")
    assert page.locator("body").evaluate(style)[1] == "rgb(255, 255, 255)"
    assert page.pdf(format="A4").startswith(b"%PDF")
