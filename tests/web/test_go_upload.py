"""A zip of games of Go, uploaded in a browser: each game's verdict before it is taken, in both languages."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import pytest
from served_office import serve

pytestmark = pytest.mark.slow

expect = pytest.importorskip("playwright.sync_api", reason="no browser tests without Playwright").expect

FILLING = """
from pathlib import Path
from web.small_office import user
from banzuke.database.ledger_folders import enter_folder
pool = enter_folder("go", Path({examples!r}) / "go-server", "test")
user("officer", pool, name="ren")
"""
EXAMPLES = str(Path(__file__).parents[2] / "examples")
ADDRESS = "/office/go/inbox/"


def zipped(games):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        rows = ["file,ended,room"]
        for number, (black, white, result, room) in enumerate(games, 1):
            said = f"(;GM[1]FF[4]SZ[19]KM[6.5]PB[{black}]PW[{white}]RE[{result}];B[aa];W[bb])"
            packed.writestr(f"対局/g{number}.sgf", said)
            rows.append(f"g{number},2026-02-{number:02}T21:00:00+09:00,{room}")
        packed.writestr("table.csv", "\n".join(rows))
    return {"name": "games.zip", "mimeType": "application/zip", "buffer": stream.getvalue()}


def pictured(page, name):
    """A picture of the whole page, where a folder for pictures is named."""
    if folder := os.environ.get("BANZUKE_PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


@pytest.fixture(scope="module")
def browsed(browser, tmp_path_factory):
    with serve(tmp_path_factory.mktemp("go"), FILLING.format(examples=EXAMPLES)) as office:
        yield office, browser


GAMES = [
    ("momiji_go", "hoshikuzu", "B+R", ""),
    ("hoshikuzu", "momiji_go", "W+2.5", "free"),
    ("aosagi", "donguri", "B+R", ""),
]


def test_a_zip_of_games_from_the_upload_to_the_standings(browsed):
    office, browser = browsed
    page = office.page(browser, "ren", locale="en-US", extra_http_headers={"Accept-Language": "en"})
    page.goto(ADDRESS + "send/")
    page.set_input_files("input[type=file]", zipped(GAMES))
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Games to be added: 3; of these, 1 count for at least one side.")).to_be_visible()
    rows = page.locator("table", has_text="What the rules say").locator("tbody tr")
    expect(rows).to_have_count(6)
    expect(rows.nth(0)).to_contain_text("→ ")
    expect(rows.nth(2)).to_contain_text("Not rated in this room.")
    expect(rows.nth(2)).to_contain_text("PN 1(5)")
    expect(page.get_by_text("List 2026-03 with this report in it")).to_be_visible()
    pictured(page, "go-report-en")
    japanese = office.page(browser, "ren", extra_http_headers={"Accept-Language": "ja"})
    japanese.goto(page.url)
    expect(japanese.get_by_text("この対局室は対象外。").first).to_be_visible()
    pictured(japanese, "go-report-ja")
    narrow = office.page(browser, "ren", viewport={"width": 375, "height": 800})
    narrow.goto(page.url)
    assert narrow.evaluate("document.documentElement.scrollWidth") <= 375
    pictured(narrow, "go-report-narrow")
    page.get_by_role("button", name="Accept", exact=True).click()
    page.goto(page.url)
    expect(page.get_by_text("Yes, its games are rated")).to_be_visible()
    pictured(page, "go-accepted-en")
    page.goto("/api/v1/pools/go/players/aosagi/games")
    expect(page.locator("body")).to_contain_text("g3")


def test_the_same_games_again_are_shown_as_such(browsed):
    office, browser = browsed
    page = office.page(browser, "ren", locale="en-US", extra_http_headers={"Accept-Language": "en"})
    page.goto(ADDRESS + "send/")
    page.set_input_files("input[type=file]", zipped([*GAMES, ("kitanohoshi", "hoshikuzu", "W+R", "")]))
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Games to be added: 1")).to_be_visible()
    expect(page.get_by_text("not added again: 3.")).to_be_visible()
    expect(page.get_by_text("already in the ledger", exact=True)).to_have_count(3)
    pictured(page, "go-again-en")


def test_a_trap_is_refused_in_a_sentence(browsed):
    office, browser = browsed
    page = office.page(browser, "ren", locale="en-US", extra_http_headers={"Accept-Language": "en"})
    inner = zipped(GAMES)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        packed.writestr("inner.zip", inner["buffer"])
    page.goto(ADDRESS + "send/")
    page.set_input_files("input[type=file]", inner | {"buffer": stream.getvalue()})
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("inner.zip is a zip within the zip")).to_be_visible()
