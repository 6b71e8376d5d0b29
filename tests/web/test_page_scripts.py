"""The scripts of the pages in a real browser, under the policy that the office sends."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="no browser tests without Playwright").expect
pytestmark = pytest.mark.slow

PIXELS = "it => it.toDataURL()"

STATIC = Path(__file__).parents[2] / "banzuke" / "web" / "static" / "banzuke"

PAGE = """<!doctype html><html lang="en"><head><title>t</title>
<link rel="stylesheet" href="/banzuke.css"><link rel="stylesheet" href="/vendor/uPlot.min.css">
<script src="/vendor/uPlot.iife.min.js" defer></script><script src="/chart.js" defer></script>
<script src="/copy.js" defer></script></head><body><main>
<figure class="chart" data-chart><figcaption>Ratings</figcaption><details open><summary>As a table</summary>
<table id="t"><thead><tr><th>List</th><th>Standard</th><th>Rapid</th><th data-line="dashed">Master</th>
<th data-skip>Remark</th></tr></thead><tbody>
<tr><th>2025-03</th><td>1520</td><td>1490</td><td>1600</td><td>=1+1</td></tr>
<tr><th>2025-02</th><td>−4</td><td></td><td>1600</td><td>a<span class="sr">unseen</span>  b</td></tr>
<tr><th>2025-01</th><td>+12</td><td>0</td><td>1600</td><td>-x</td></tr>
</tbody></table></details></figure>
<figure class="chart" data-chart data-draw="bars"><figcaption>Without details</figcaption><div class="scroll">
<table><thead><tr><th>x</th><th>y</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr><tr><td>2</td><td>3</td></tr>
</tbody></table></div></figure>
<button type="button" data-copy="t" data-copied="Copied" hidden>Copy</button>
<figure class="chart" data-chart data-draw="bars"><figcaption>One row</figcaption>
<table><thead><tr><th>x</th><th>y</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table></figure>
</main></body></html>"""


class Handler(SimpleHTTPRequestHandler):
    """The static files, and the page at `/`."""

    def do_GET(self):
        if self.path != "/":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Security-Policy", "default-src 'self'")
        self.end_headers()
        self.wfile.write(PAGE.encode())

    def log_message(self, *args):
        """Say nothing."""


@pytest.fixture(scope="module")
def address():
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(STATIC)))
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture
def page(browser, address):
    """The page, in a browser that has complained of nothing by the end."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    shown = context.new_page()
    said = []
    shown.on("console", lambda line: said.append(line.text))
    shown.on("pageerror", lambda error: said.append(str(error)))
    shown.goto(address)
    yield shown
    context.close()
    assert [line for line in said if "favicon" not in line and "404" not in line] == []


def test_a_table_becomes_curves_and_steps_back(page):
    assert page.locator("figure").first.locator("canvas").count() == 1
    assert page.locator("details").first.get_attribute("open") is None
    assert page.locator(".reading").first.inner_text().split("\n") == ["Standard", "Rapid", "Master"]


def test_curves_are_read_by_the_arrow_keys_in_the_order_of_time(page):
    plot = page.locator(".plot").first
    plot.focus()
    read = []
    for key in ("ArrowRight", "ArrowRight", "End", "ArrowRight", "ArrowLeft", "Home"):
        plot.press(key)
        read.append(" ".join(page.locator(".reading").first.inner_text().split()))
    january, february = "2025-01 Standard 12 Rapid 0 Master 1600", "2025-02 Standard −4 Rapid Master 1600"
    march = "2025-03 Standard 1520 Rapid 1490 Master 1600"
    assert read == [january, february, march, march, february, january]


def test_curves_are_named_and_reached_by_keyboard(page):
    plot = page.locator(".plot").first
    assert plot.get_attribute("role") == "img"
    assert plot.get_attribute("aria-label") == "Ratings"
    assert plot.get_attribute("tabindex") == "0"


def test_curves_follow_the_width_of_the_page_and_the_readers_theme(page):
    page.set_viewport_size({"width": 375, "height": 700})
    curves = page.locator("canvas").first
    expect(curves).to_have_js_property("width", page.locator(".plot").first.evaluate("it => it.clientWidth"))
    ink = "getComputedStyle(document.body).color"
    light, colours = curves.evaluate(PIXELS), page.evaluate(ink)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(ink) != colours
    for _ in range(100):  # until the browser has told the page
        if curves.evaluate(PIXELS) != light:
            return
        page.wait_for_timeout(50)
    pytest.fail("the curves keep the colours of the other theme")


def test_one_row_is_no_curve(page):
    assert page.locator("figure").last.locator("canvas").count() == 0


def test_a_table_may_stay_in_sight_below_its_columns(page):
    assert page.locator("figure").nth(1).locator("canvas").count() == 1
    assert page.locator("figure").nth(1).locator("table").is_visible()


def test_a_table_is_copied_for_a_spreadsheet(page):
    button = page.locator("button[data-copy]")
    button.click()
    expect(button).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == (
        "List\tStandard\tRapid\tMaster\tRemark\n"
        "2025-03\t1520\t1490\t1600\t'=1+1\n"
        "2025-02\t-4\t\t1600\ta b\n"
        "2025-01\t+12\t0\t1600\t'-x"
    )


def test_without_scripts_the_table_is_open_and_nothing_offers_what_does_not_work(browser, address):
    context = browser.new_context(java_script_enabled=False)
    shown = context.new_page()
    shown.goto(address)
    assert shown.locator("#t").is_visible()
    assert not shown.locator("button[data-copy]").is_visible()
    context.close()
