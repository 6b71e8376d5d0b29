"""Pictures of the pages of a served demo, for whoever changes their looks.

    python bench/screens.py FOLDER [--only PART ...] [--ways en-desktop-light ja-phone-dark ...]

It serves `banzuke demo --serve`, sends in a report, rehearses a list and notes an inquiry as administrator,
and writes `FOLDER/<page>.<language>-<width>-<scheme>.png` of whole pages. It needs Playwright and Chromium.
"""

from __future__ import annotations

import argparse
import itertools
import json
import shutil
import socket
import subprocess
import sys
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from playwright.sync_api import sync_playwright

from banzuke.ledger.folder import read_chess_ledger
from banzuke.server.demo_present import present_demo

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = read_chess_ledger(ROOT / "examples" / "japan")
#: The list that the demo's office publishes next.
COMING = present_demo(EXAMPLE, datetime.now(UTC).date()).coming.name
WIDTHS = {"desktop": (1200, 900), "phone": (375, 800)}
PUBLIC = {
    "pools": "/",
    "pool": "/japan/",
    "lists": "/japan/lists/",
    "list": "/japan/lists/2025-03/standard/",
    "list-go": "/go-server/lists/current/",
    "list-club": "/hakodate/lists/current/",
    "comparison": "/japan/lists/2025-03/compare/2024-06/",
    "clubs": "/japan/lists/2025-03/standard/clubs/",
    "player": "/japan/players/J004/",
    "player-go": "/go-server/players/harukaze/",
    "working": "/japan/players/J004/2025-02/standard/",
    "events": "/japan/events/",
    "event": "/japan/events/2024-05-golden/",
    "rules": "/japan/rules/",
    "book": "/japan/rules/jcf-2024/",
    "difference": "/japan/rules/ncs-2022/jcf-2024/",
    "calculators": "/japan/calculators/",
    "calculator": "/japan/calculators/change/",
    "statistics": "/japan/statistics/",
    "sign-in": "/accounts/login/",
    "missing": "/japan/players/nobody/",
}
OFFICE = {
    "desk": "/office/",
    "new-pool": "/office/new/",
    "users": "/office/users/",
    "user": "/office/users/1/",
    "keys": "/office/keys/",
    "journal": "/office/journal/",
    "settings": "/office/settings/",
    "second-factor": "/accounts/2fa/",
    "pool-settings": "/office/japan/settings/",
    "inbox": "/office/japan/inbox/",
    "send": "/office/japan/inbox/send/",
    "form": "/office/japan/inbox/form/",
    "form-games": "/office/japan/inbox/form/?kind=games",
    "report": "/office/japan/inbox/1/",
    "register": "/office/japan/register/",
    "member": "/office/japan/register/members/J004/",
    "member-change": "/office/japan/register/members/J004/change/",
    "merge": "/office/japan/register/members/J004/merge/",
    "members-send": "/office/japan/register/send/",
    "newcomers": "/office/japan/register/newcomers/",
    "clubs": "/office/japan/register/clubs/",
    "sanctions": "/office/japan/register/events/",
    "sanction-new": "/office/japan/register/events/new/",
    "qualified": "/office/japan/register/qualified/",
    "seeds": "/office/japan/register/seeds/",
    "start-list": "/office/japan/register/start-list/",
    "files": "/office/japan/register/files/",
    "fees": "/office/japan/fees/",
    "fees-window": "/office/japan/fees/2024-07/",
    "invoices": "/office/japan/fees/invoices/",
    "board": "/office/japan/board/",
    "rehearsal": f"/office/japan/board/rehearsals/{COMING}/",
    "rehearsal-rows": f"/office/japan/board/rehearsals/{COMING}/rows/",
    "published": "/office/japan/board/lists/",
    "inquiries": "/office/japan/board/inquiries/",
    "inquiry": "/office/japan/board/inquiries/1/",
    "find": "/office/japan/board/inquiries/1/find/?q=hayashi",
    "revisions": "/office/japan/board/revisions/",
}


class Demo(NamedTuple):
    """A demo that is served: its address, its administrator and the password."""

    address: str
    user: str
    password: str


@contextmanager
def demo() -> Iterator[Demo]:
    """Serve the demo on a free port until the block ends."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    banzuke = str(Path(sys.executable).with_name("banzuke"))
    command = [banzuke, "demo", "--serve", "--format", "json", "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as server:
        try:
            yield _opened(server)
        finally:
            server.terminate()


def _opened(server: subprocess.Popen[str]) -> Demo:
    """What the server says once it answers: one JSON object."""
    said = ""
    for line in server.stdout or ():
        said += line
        if line.startswith("}"):
            break
    told = json.loads(said)
    boss = next(user for user in told["users"] if user["role"] == "administrator")
    return Demo(told["address"].rstrip("/"), boss["name"], boss["password"])


def signed_in(browser: Browser, served: Demo) -> dict[str, Any]:
    """The cookies of the administrator, after some work on the pool of Japan."""
    context = browser.new_context(base_url=served.address, locale="en-GB")
    page = context.new_page()
    page.goto("/accounts/login/")
    page.fill("[name=login]", served.user)
    page.fill("[name=password]", served.password)
    page.click("main button")
    page.goto("/office/japan/inbox/send/")
    page.set_input_files("[type=file]", ROOT / "examples" / "hinoki-spring.trf")
    page.click("main button:has-text('Send')")
    page.goto("/office/japan/board/inquiries/")
    page.fill("[name=asked_by]", "GOTO Makoto")
    page.fill("[name=about]", "Round 2 was a draw.")
    page.click("main button")
    page.goto("/office/japan/board/")
    if page.locator("button:has-text('Rehearse the whole list')").count():
        page.click("button:has-text('Rehearse the whole list')")
        page.wait_for_url("**/rehearsals/**")
    state: dict[str, Any] = context.storage_state()  # type: ignore[assignment]
    context.close()
    return state


def contexts(
    browser: Browser, served: Demo, ways: list[str], state: Any
) -> Iterator[tuple[str, BrowserContext]]:
    """A way to look at pages (language, width, scheme), and a context for it."""
    for lang, (width, size), scheme in itertools.product(("en", "ja"), WIDTHS.items(), ("light", "dark")):
        way = f"{lang}-{width}-{scheme}"
        if not ways or way in ways:
            yield (
                way,
                browser.new_context(
                    base_url=served.address,
                    locale={"en": "en-GB", "ja": "ja-JP"}[lang],
                    viewport={"width": size[0], "height": size[1]},
                    color_scheme="dark" if scheme == "dark" else "light",
                    storage_state=state,
                ),
            )


def shoot(context: BrowserContext, way: str, pages: dict[str, str], folder: Path, only: list[str]) -> None:
    page = context.new_page()
    for name, address in pages.items():
        if not only or any(part in name for part in only):
            answer = page.goto(address)
            page.wait_for_load_state("networkidle")
            page.screenshot(path=folder / f"{name}.{way}.png", full_page=True)
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            status = answer.status if answer else 0
            print(f"{name:16} {way:20} {status}{'  too wide by ' + str(wide) if wide > 0 else ''}")
    context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", default=[], help="pages with one of these in their names")
    parser.add_argument("--ways", nargs="*", default=[], help="language-width-scheme; without it all eight")
    said = parser.parse_args()
    said.folder.mkdir(parents=True, exist_ok=True)
    with demo() as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        state = signed_in(browser, served)
        for pages, cookies in ((PUBLIC, None), (OFFICE, state)):
            for way, context in contexts(browser, served, said.ways, cookies):
                shoot(context, way, pages, said.folder, said.only)


if __name__ == "__main__":
    main()
