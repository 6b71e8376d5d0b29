"""The laboratory's report in a real browser: in the office and as a file; dark, on a phone, on paper, copied."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from served_office import serve

from banzuke.lab.report_page import Report, page
from banzuke.lab.sheets import note, sheet_of

pytestmark = pytest.mark.slow

expect = pytest.importorskip("playwright.sync_api", reason="no browser tests without Playwright").expect
Axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe-core").Axe

FILLING = """
from pathlib import Path
from banzuke.database.ledger_folders import enter_folder
from banzuke.database.models import Pool
from banzuke.office.jobs import job_queue as queue
from banzuke.office.journal import Actor
from web.small_office import user
user("administrator")
pool = enter_folder("japan", Path({example!r}), "test")
for question, books in (("compare", ["jcf-2024"]), ("predict", []), ("anomalies", [])):
    wanted = {{"question": question, "books": books, "settings": []}}
    queue.run(queue.start("laboratory", pool, wanted, Actor("test")))
"""
LAB = "/office/japan/lab/"
PAGES = [LAB, f"{LAB}compare/", f"{LAB}predict/", f"{LAB}anomalies/"]
#: Where a screenshot of each page is kept, if somebody wants to look.
PICTURES = os.environ.get("BANZUKE_PICTURES")


@pytest.fixture(scope="module")
def office(browser, tmp_path_factory):
    from published_pools import EXAMPLES

    filling = FILLING.format(example=str(EXAMPLES / "japan"))
    with serve(tmp_path_factory.mktemp("office"), filling) as served:
        yield served


def wrong_with(looked_at) -> list[str]:
    """What axe-core finds serious or critical, and whether the page is wider than its window."""
    looked_at.locator("details").evaluate_all("all => all.forEach(it => it.open = true)")
    found = Axe().run(looked_at).response["violations"]
    wrong = [
        f"{one['id']}: {one['nodes'][0]['html'][:200]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
    is_wide = looked_at.evaluate(
        "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    )
    return [*wrong, *(["too wide"] if is_wide else [])]


def picture(looked_at, name):
    if PICTURES:
        looked_at.screenshot(path=str(Path(PICTURES) / f"{name}.png"), full_page=True)


@pytest.mark.parametrize(("width", "scheme", "lang"), [(375, "dark", "ja"), (1200, "light", "en")])
@pytest.mark.slow
def test_nothing_is_in_anybodys_way(office, browser, width, scheme, lang):
    seen = office.page(
        browser, "administrator", viewport={"width": width, "height": 900}, locale=lang, color_scheme=scheme
    )
    errors: list[str] = []
    seen.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    seen.on("pageerror", lambda error: errors.append(str(error)))
    for address in PAGES:
        seen.goto(address)
        picture(seen, f"{address.strip('/').replace('/', '-')}-{width}")
        assert wrong_with(seen) == [], address
    assert errors == []


def test_an_officer_saves_a_report_that_needs_nothing_else(office, browser, tmp_path):
    seen = office.page(browser, "administrator")
    seen.goto(f"{LAB}compare/")
    with seen.expect_download() as download:
        seen.get_by_role("link", name="Save as one file").click()
    download.value.save_as(tmp_path / "report.html")
    context = browser.new_context(offline=True, viewport={"width": 375, "height": 900}, color_scheme="dark")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    alone, asked, errors = context.new_page(), [], []
    alone.on("request", lambda request: asked.append(request.url))
    alone.on("console", lambda said: errors.append(said.text))
    alone.goto((tmp_path / "report.html").as_uri())
    assert alone.locator("figure svg").count() > 10
    background = "getComputedStyle(document.body).backgroundColor"
    assert alone.evaluate(background) == "rgb(22, 21, 19)"
    assert wrong_with(alone) == []
    alone.locator("#moved button[data-copy]").click()
    expect(alone.locator("#moved button[data-copy]")).to_have_text("Copied")
    copied = alone.evaluate("navigator.clipboard.readText()").splitlines()
    assert copied[0].split("\t")[:3] == ["rules", "speed", "players"]
    assert copied[1].split("\t")[:2] == ["jcf-2024", "standard"]
    assert len(asked) == 1, asked
    assert errors == []


def test_on_paper_it_is_black_on_white_without_buttons(browser, tmp_path):
    header = ("variant", "speed", "name", "rating_before", "rating")
    sheet = sheet_of("movers", "compared-movers", header, [("a", "", "B", 1, 2)])
    report = Report(note("title-compare", pool="x"), note("lead-compare-alone"), (), (), [sheet])
    (tmp_path / "report.html").write_bytes(page(report, "en"))
    printed = browser.new_page(color_scheme="dark")
    printed.goto((tmp_path / "report.html").as_uri())
    printed.emulate_media(media="print")
    assert printed.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    expect(printed.locator("figure svg").first).to_be_visible()
    for button in printed.locator("button").all():
        expect(button).not_to_be_visible()
