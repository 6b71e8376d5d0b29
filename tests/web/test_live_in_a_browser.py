"""A Go server's pages in a real browser: a player's curve and games, the adviser, the page that reads itself anew."""

from __future__ import annotations

import pytest
from served_office import serve

pytestmark = pytest.mark.slow

expect = pytest.importorskip("playwright.sync_api", reason="no browser tests without Playwright").expect
Axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe-core").Axe

FILLING = """
from pathlib import Path
from banzuke.database.ledger_folders import enter_folder
from web.small_office import user
user("administrator")
enter_folder("go", Path({example!r}), "test")
"""
PLAYER = "/go/players/momiji_go/"
PAGES = [
    "/go/",
    "/go/ranking/",
    "/go/ranking/?q=qqqq",
    PLAYER,
    f"{PLAYER}?counted=no",
    "/go/players/hinata/",
    "/go/calculators/terms/",
    "/go/calculators/terms/?white=yuzuki&black=momiji_go&komi=-3.5",
    "/go/calculators/terms/?white=t&black=nobody",
    "/office/go/live/",
    "/office/go/live/annul/",
    "/office/go/live/annul/?game=G0383",
]
SAID = {
    "en": {
        "up": "366 more points (at 14400)",
        "origin": "The real server does not publish its table, so Banzuke uses its own.",
        "why": "Not rated, drawn or void.",
        "uncounted": "Not counted",
        "white": "White: a player's id or name, or a rank",
        "black": "Black: a player's id or name, or a rank",
        "calculate": "Calculate",
        "takes": "momiji_go 1d+ takes White, yuzuki 1k+ takes Black.",
        "reverse": "White gives Black 5.5 points: reverse komi.",
        "opponent": "Opponent (id, name or rank)",
        "adviser": "Show handicap and komi",
    },
    "ja": {
        "up": "あと366点（14400点）",
        "origin": "実際のサーバーの表は公開されていないため、Banzuke独自の表を使っています。",
        "why": "勝敗がつかなかったため対象外。",
        "uncounted": "対象外の対局",
        "white": "白：プレイヤーのIDか名前、または段級位",
        "black": "黒：プレイヤーのIDか名前、または段級位",
        "calculate": "計算する",
        "takes": "momiji_go 1d+が白番、yuzuki 1k+が黒番です。",
        "reverse": "白が黒に5.5目を出します（逆コミ）。",
        "opponent": "相手（ID・氏名・段級位）",
        "adviser": "手合割を見る",
    },
}
#: How many of a hundred pixels of the curve have the colour of the band between the lines.
BAND = """() => { const canvas = document.querySelector(".plot canvas");
    const all = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    const band = getComputedStyle(document.documentElement).getPropertyValue("--band").trim();
    let found = 0;
    for (let at = 0; at < all.length; at += 4) {
        const hex = "#" + [0, 1, 2].map(i => all[at + i].toString(16).padStart(2, "0")).join("");
        if (all[at + 3] === 255 && hex === band) found += 1;
    }
    return 400 * found / all.length }"""


@pytest.fixture(scope="module")
def office(browser, tmp_path_factory):
    from published_pools import EXAMPLES

    with serve(
        tmp_path_factory.mktemp("office"), FILLING.format(example=str(EXAMPLES / "go-server"))
    ) as served:
        yield served


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_player_reads_the_place_and_which_games_counted(office, browser, lang):
    said, page = SAID[lang], office.page(browser, locale=lang)
    errors = heard(page)
    page.goto(PLAYER)
    expect(page.locator("dl.figures")).to_contain_text(said["up"])
    expect(page.locator("main")).to_contain_text(said["origin"])
    page.wait_for_selector("figure.chart .plot canvas")
    assert page.evaluate(BAND) > 30
    page.locator(".plot").focus()
    page.keyboard.press("End")
    expect(page.locator("output.reading")).to_contain_text("14034")
    expect(page.locator("ol.games > li")).to_have_count(12)
    page.get_by_role("link", name=said["uncounted"], exact=True).click()
    expect(page.locator("ol.games > li").first).to_contain_text(said["why"])
    assert page.locator("ol.games > li").count() < 5
    for game in page.locator("ol.games > li").all():
        assert game.locator("dl.why dd").count() == 2
        assert game.locator("dl.why a.clause").count() == 2
    assert errors == []


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_adviser_says_who_gives_komi(office, browser, lang):
    said, page = SAID[lang], office.page(browser, locale=lang)
    page.goto(PLAYER)
    page.get_by_label(said["opponent"]).fill("yuz")
    page.get_by_role("button", name=said["adviser"]).click()
    expect(page.locator(".answer .lead")).to_contain_text(said["takes"])
    expect(page.locator(".answer figure.board")).to_contain_text(said["reverse"])
    expect(page.locator(".answer figure.board svg .arrow")).to_be_visible()
    page.get_by_label(said["white"]).fill("momiji_go")
    page.get_by_label(said["black"]).fill("1d+")
    page.get_by_role("button", name=said["calculate"]).click()
    expect(page.locator(".answer figure.board")).not_to_contain_text(said["reverse"])
    expect(page.locator(".answer tbody tr")).to_have_count(2)


def test_without_scripts(office, browser):
    page = office.page(browser, java_script_enabled=False)
    page.goto(PLAYER)
    assert page.locator("figure.chart table tbody tr").count() == 22
    page.goto("/go/ranking/")
    page.get_by_label("Name or id").fill("momi")
    page.get_by_role("button", name="Show").click()
    assert page.locator("#ranking tbody tr").count() == 1


@pytest.mark.parametrize(("lang", "width", "scheme"), [("ja", 375, "dark"), ("en", 1200, "light")])
@pytest.mark.slow
def test_nothing_is_in_anybodys_way(office, browser, lang, width, scheme):
    page = office.page(
        browser, "administrator", viewport={"width": width, "height": 900}, locale=lang, color_scheme=scheme
    )
    errors = heard(page)
    for address in PAGES:
        page.goto(address)
        found = Axe().run(page).response["violations"]
        serious = [
            (one["id"], one["nodes"][0]["html"][:200])
            for one in found
            if one["impact"] in ("serious", "critical")
        ]
        assert serious == [], address
        wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        assert not wide, address
    assert errors == []


@pytest.mark.slow
def test_the_service_page_outlives_its_office(office, browser):
    """It reads itself anew, says nothing wrong while nobody answers, and goes on when somebody does."""
    page = office.page(browser, "administrator")
    errors = heard(page)
    page.clock.install()
    page.goto("/office/go/live/")
    drawn = page.locator("#now canvas").element_handle()
    assert drawn is not None
    with page.expect_response("**/office/go/live/"):
        page.clock.run_for(11_000)
    expect(page.locator("#now canvas")).to_be_visible()
    page.context.set_offline(True)
    page.clock.run_for(30_000)
    expect(page.locator("#now dl.figures")).to_be_visible()
    page.context.set_offline(False)
    with page.expect_response("**/office/go/live/"):
        page.clock.run_for(11_000)
    assert errors == []


def heard(page) -> list[str]:
    """What scripts complain of, from now on."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    return errors
