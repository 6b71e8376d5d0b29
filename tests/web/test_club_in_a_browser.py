"""A club's event in a real browser: applied for, granted, sent with other files at once, answered, accepted."""

from __future__ import annotations

from pathlib import Path

import pytest
from served_office import serve

pytestmark = pytest.mark.slow

expect = pytest.importorskip("playwright.sync_api", reason="no browser tests without Playwright").expect
Axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe-core").Axe
ROOT = Path(__file__).resolve().parents[2]
FILLING = f"""
from pathlib import Path
from small_office import user
from banzuke.database.ledger_folders import enter_folder
pool = enter_folder("japan", Path({str(ROOT / "examples" / "japan")!r}), "test")
user("reporter", pool, "C01", name="kato")
user("officer", pool, name="officer")
"""
TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
STEP = "section ol.steps [aria-current=step]"


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    with serve(tmp_path_factory.mktemp("office"), "import sys\nsys.path.insert(0, "
               f"{str(Path(__file__).parent)!r})\n" + FILLING) as served:  # fmt: skip
        yield served


def clean(page):
    """Nothing wrong by axe, nothing beside the window, in light and dark."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
    assert not page.evaluate(TOO_WIDE)


def test_a_clubs_event(office, browser, tmp_path):
    report = tmp_path / "hinoki.trf"
    text = (ROOT / "examples" / "hinoki-spring.trf").read_text()
    report.write_text(text.replace("122 90 min + 30 sec", "122 as always"))
    club, officer = (
        office.page(browser, name, viewport=size, locale="en-US")
        for name, size in (("kato", PHONE), ("officer", DESKTOP))
    )
    club.goto("/")
    club.get_by_role("link", name="Office", exact=True).click()
    expect(club.get_by_role("heading", name="My events")).to_be_visible()
    club.get_by_role("link", name="Apply for an event").click()
    for name, value in (
        ("name", "Hinoki Spring Match"),
        ("starts", "2025-04-26"),
        ("ends", "2025-04-27"),
        ("place", "Sapporo"),
        ("responsible", "OKADA Minoru"),
    ):
        club.locator(f"[name={name}]").fill(value)
    club.get_by_role("button", name="Apply").click()
    officer.goto("/office/")
    officer.get_by_role("link", name="Events applied for").click()
    officer.get_by_role("link", name="Hinoki Spring Match").click()
    officer.get_by_role("button", name="Grant").click()

    club.get_by_role("link", name="My events").click()
    expect(club.locator(STEP).first).to_have_text("Report")
    clean(club)
    club.locator("#files").set_input_files([report, ROOT / "README.md"])
    club.locator("form.drop button").click()
    expect(club.get_by_text("Received:")).to_be_visible()
    expect(club.get_by_text("Refused, nothing was kept:")).to_be_visible()
    clean(club)
    club.get_by_role("link", name="My events").click()
    expect(club.locator(STEP).first).to_have_text("Questions")
    club.get_by_role("link", name="Answer the questions").click()
    missing = club.get_by_role("group", name="Only this is missing")
    expect(missing.locator("input, select")).not_to_have_count(0)
    missing.get_by_label("Number of non-members").fill("0")
    if missing.get_by_label("Base time (minutes)").count():
        missing.get_by_label("Base time (minutes)").fill("90")
    missing.get_by_role("button", name="Save").click()
    expect(club.get_by_role("group", name="Only this is missing")).to_have_count(0)
    clean(club)

    officer.goto("/office/japan/inbox/")
    officer.get_by_role("link", name="Hinoki Spring Match").click()
    officer.get_by_role("button", name="Accept", exact=True).click()
    expect(officer.get_by_text("is accepted and in the ledger")).to_be_visible()
    club.get_by_role("link", name="My events").click()
    expect(club.locator(STEP).first).to_contain_text("Rated in list")
    clean(club)
    visitor = office.page(browser, None, viewport=PHONE, locale="ja-JP")
    visitor.goto("/japan/calendar/")
    expect(visitor.get_by_text("まだレーティングに算入されていません")).to_be_visible()
    clean(visitor)
