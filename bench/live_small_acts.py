"""The small acts of an office while a Go server sends games: how long does a game wait for each of them?

    python bench/live_small_acts.py [--database sqlite|postgresql|both] [--games 30000] [--players 3000]
                                    [--other 30000] [--rate 50] [--seconds 5] [--only ACT] [--home FOLDER]

For each database: an office of its own with a pool of so many games, served as `banzuke serve` does. Four
clients send single games, so many a second in all, each a second after the one before. Meanwhile the office
does one act after another, by its pages and commands: nothing (for so many seconds), a new name of the pool,
the office's settings, annulling a game, a newcomer, publishing a list, verifying everything, taking the
ledger out, importing another pool of `--other` games, and another border zone, by which all games are rated
again. For each act it prints how long it took, the longest wait of a game from when
it was first sent until it was saved, how many answers were 503, and the longest wait of `/healthz` and of a
public page. At the end the live standings are compared with the book.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import re
import secrets
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import nullcontext
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from office import live_service
from postgresql_server import postgresql

if TYPE_CHECKING:
    from collections.abc import Callable

CLIENTS = 4
#: Seconds after an act in which games still count for it, until a game that was not taken is sent again, and
#: between two looks at a page.
AFTER, AGAIN, LOOK = 1.0, 0.2, 0.25
#: So many games are sent at most.
MOST = 100_000
#: The pool's games are of January; those that are sent begin in February, so many seconds later.
FEBRUARY = 32 * 24 * 60 * 60
READ = ("/healthz", f"/{live_service.POOL}/ranking/")


class Wait(NamedTuple):
    """When a request was first sent, and how many seconds passed until it was answered well."""

    begun: float
    seconds: float


class Load:
    """Games that are sent at a steady rate, and pages that are looked at meanwhile."""

    def __init__(self, service: live_service.Service, games: list[dict[str, object]], rate: float) -> None:
        self._service = service
        self._games = iter(games)
        self._pause = CLIENTS / rate
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self.posts: list[Wait] = []
        self.looks: dict[str, list[Wait]] = {path: [] for path in READ}
        self.answers: Counter[int] = Counter()
        self._threads = [threading.Thread(target=self._post, args=(number,)) for number in range(CLIENTS)]
        self._threads += [threading.Thread(target=self._look, args=(path,)) for path in READ]

    def __enter__(self) -> Self:
        for each in self._threads:
            each.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for each in self._threads:
            each.join()

    def _post(self, number: int) -> None:
        headers = live_service.JSON | {"Authorization": f"Bearer {self._service.key}"}
        path = f"/api/v1/pools/{live_service.POOL}/games"
        due = time.monotonic() + number * self._pause / CLIENTS
        while not self._stop.wait(max(0.0, due - time.monotonic())):
            with self._lock:
                body = json.dumps(next(self._games)).encode()
            begun, status = time.monotonic(), 0
            while status != 200:
                status, _ = live_service.asked(self._service.port, "POST", path, body, headers)
                self.answers[status] += 1
                if status != 200 and self._stop.wait(AGAIN):
                    return
            self.posts.append(Wait(begun, time.monotonic() - begun))
            due = max(due + self._pause, time.monotonic())

    def _look(self, path: str) -> None:
        while not self._stop.wait(LOOK):
            begun = time.monotonic()
            live_service.asked(self._service.port, "GET", path, b"", {})
            self.looks[path].append(Wait(begun, time.monotonic() - begun))


class _Form(HTMLParser):
    """The fields of the page's form that has a certain field, as a browser would send them."""

    def __init__(self, field: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self._wanted = field
        self._now: dict[str, str] | None = None
        self._list = self._area = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        name, kind = given.get("name") or "", given.get("type")
        if tag == "form":
            self._now = {}
        elif self._now is None:
            return
        elif tag == "input" and name and kind not in ("file", "submit"):
            if kind not in ("checkbox", "radio") or "checked" in given:
                self._now[name] = given.get("value") or ("on" if kind == "checkbox" else "")
        elif tag == "select":
            self._list = name
        elif tag == "option" and (self._list not in self._now or "selected" in given):
            self._now[self._list] = given.get("value") or ""
        elif tag == "textarea":
            self._area = name
            self._now[name] = ""

    def handle_data(self, data: str) -> None:
        if self._now is not None and self._area:
            self._now[self._area] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self._area = ""
        if tag == "form" and self._now is not None:
            if self._wanted in self._now:
                self.fields = self._now
            self._now = None


class Chief:
    """Somebody who is signed in, and acts by the pages."""

    def __init__(self, service: live_service.Service) -> None:
        self._port = service.port
        self._token = secrets.token_hex(16)
        session = service.run(live_service.__file__, "session", service.home)
        self._headers = {"Cookie": f"sessionid={session}; csrftoken={self._token}", "Accept-Language": "en"}

    def get(self, path: str) -> str:
        """A page."""
        return live_service.asked(self._port, "GET", path, b"", self._headers)[1].decode()

    def post(self, path: str, file: tuple[str, str] | None = None, **fields: str) -> str:
        """Send the page's form with other values, and a file where a field takes one; where it leads."""
        form = _Form(next(iter(fields)))
        form.feed(self.get(path))
        sent = form.fields | fields | {"csrfmiddlewaretoken": self._token}
        kind, body = "application/x-www-form-urlencoded", urlencode(sent).encode()
        if file is not None:
            kind, body = _multipart(sent, *file)
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=live_service.PATIENCE)
        connection.request("POST", path, body, self._headers | {"Content-Type": kind})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        if answer.status != 302:
            said = re.findall(r'class="errorlist[^>]*>(.*?)</ul>', text, re.DOTALL)
            raise SystemExit(f"{path}: {answer.status} {said or text[:2000]}")
        return answer.headers["Location"]


def _multipart(fields: dict[str, str], name: str, text: str) -> tuple[str, bytes]:
    mark = secrets.token_hex(16)
    head = 'Content-Disposition: form-data; name="{}"'
    parts = [(head.format(key), value) for key, value in fields.items()]
    parts.append((f'{head.format(name)}; filename="{name}.toml"', text))
    body = "".join(f"--{mark}\r\n{above}\r\n\r\n{below}\r\n" for above, below in parts)
    return f"multipart/form-data; boundary={mark}", f"{body}--{mark}--\r\n".encode()


def acts_of(
    service: live_service.Service, home: Path, other: Path, seconds: float
) -> dict[str, Callable[[], object]]:
    """The acts by name, in order."""
    chief, pool = Chief(service), live_service.POOL
    rules = f"/office/{pool}/settings/"
    newcomer = json.dumps({"player_id": "newcomer", "name": "Newcomer", "declared": "3k"}).encode()
    headers = live_service.JSON | {"Authorization": f"Bearer {service.key}"}

    def other_zone() -> None:
        job = chief.post(
            rules, ("edition-1-border_zone", live_service.border_zone(380)), name="Go", why="another zone"
        )
        while "/jobs/" in job and (page := chief.get(job)):
            if "interrupted" in page or "was not done" in page:
                raise SystemExit(page)
            time.sleep(LOOK)

    return {
        "nothing": lambda: time.sleep(seconds),
        "name": lambda: chief.post(rules, name="Renamed", why="another name"),
        "settings": lambda: chief.post("/office/settings/", late_hours="72"),
        "annul": lambda: chief.post(f"/office/{pool}/live/annul/", game="G0000010", why="a mistake"),
        "register": lambda: live_service.asked(
            service.port, "POST", f"/api/v1/pools/{pool}/players", newcomer, headers
        ),
        "publish": lambda: service.run("publish", pool, "2026-02"),
        "verify": lambda: service.run("verify", "--all"),
        "export": lambda: service.run("export-ledger", pool, home / "taken-out"),
        "import": lambda: service.run("import-ledger", other, "--pool", "other"),
        "zone": other_zone,
    }


def report(service: live_service.Service, home: Path, given: argparse.Namespace) -> None:
    """Do every act under load, and print how long games and pages waited."""
    rng = random.Random(given.seed)
    ledger = live_service.made_folder(home / "ledger", given.players, given.games, given.seed)
    other = live_service.made_folder(home / "other", given.players, given.other, given.seed + 1)
    service.run("import-ledger", ledger, "--pool", live_service.POOL)
    service.key = service.run("key", "--scope", "games", "--pool", live_service.POOL)
    halves = live_service.made_ledger(home / "again", given.players, random.Random(given.seed))
    games = live_service.made_games(halves, MOST, rng, first=FEBRUARY)
    service.start()
    try:
        with Load(service, games, given.rate) as load:
            time.sleep(AFTER)
            print("| act | seconds | games | longest wait of a game, ms | 503 | of `/healthz` | of a page |")
            print("|---|---|---|---|---|---|---|")
            for name, act in acts_of(service, home, other, given.seconds).items():
                if given.only in (None, name):
                    _measure(load, name, act)
        service.run("verify", "--all")
    finally:
        service.stop()


def _measure(load: Load, name: str, act: Callable[[], object]) -> None:
    busy, begun = load.answers[503], time.monotonic()
    act()
    took = time.monotonic() - begun
    time.sleep(AFTER)
    waits = [[each for each in found if each.begun >= begun] for found in (load.posts, *load.looks.values())]
    longest = [f"{1000 * max((each.seconds for each in found), default=0):.0f}" for found in waits]
    cells = [name, f"{took:.1f}", str(len(waits[0])), longest[0], str(load.answers[503] - busy), *longest[1:]]
    print(f"| {' | '.join(cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="both")
    for option, default in (("games", 30_000), ("players", 3_000), ("other", 30_000), ("seed", 1)):
        parser.add_argument(f"--{option}", type=int, default=default)
    for option, amount in (("rate", 50.0), ("seconds", 5.0)):
        parser.add_argument(f"--{option}", type=float, default=amount)
    parser.add_argument("--only")
    parser.add_argument("--home", type=Path)
    given = parser.parse_args()
    for name in ("sqlite", "postgresql") if given.database == "both" else (given.database,):
        with (
            tempfile.TemporaryDirectory(dir=given.home, prefix="banzuke-small-acts-") as folder,
            postgresql() if name == "postgresql" else nullcontext() as server,
        ):
            home = Path(folder)
            (home / "office").mkdir(0o700)
            service = live_service.Service(home / "office", server.migrated() if server else "")
            print(f"\n{name}: a pool of {given.games} games, {given.rate:.0f} more a second\n", flush=True)
            report(service, home, given)


if __name__ == "__main__":
    main()
