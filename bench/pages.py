"""How long the public pages of a big office take: the median and the 99th percentile, asked one by one.

    python bench/pages.py [--players 20000] [--games 150000] [--windows 3] [--requests 40] [--keep FOLDER]

It fills an office of its own (SQLite in a temporary folder, or the empty database of DATABASE_URL), serves it
as `banzuke serve` does, and asks over one connection on loopback: what is printed is from the request's first
byte to the answer's last. `--keep` keeps the office in a folder, and takes one that is there as it is.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 60


class Known(NamedTuple):
    """What addresses are made of: players, those with games in the last list, events, two lists."""

    players: list[str]
    active: list[str]
    events: list[str]
    first: str
    last: str


def known(rng: random.Random, players: int) -> Known:
    from banzuke.database.models import Line, Pool
    from banzuke.office.lists import list_index

    current = list(list_index.current_lists(Pool.objects.get(slug="bench")))
    first, latest = current[-1], current[0]
    lines = list(Line.objects.filter(list=latest).values_list("player_id", "event_id")[:20_000])
    ids = [f"N{rng.randrange(players * 19 // 20):06}" for _ in range(1_000)]
    events = sorted({event for _, event in lines})
    return Known(ids, rng.sample([player for player, _ in lines], 500), events, first.name, latest.name)


def addresses(rng: random.Random, of: Known, players: int) -> dict[str, Iterator[str]]:
    """For each kind of page, its addresses without end."""
    ratings = f"/bench/lists/{of.last}/standard/"

    def lists(**asked: object) -> str:
        return ratings + "?" + "&".join(f"{key}={quote(str(value))}" for key, value in asked.items())

    def club() -> str:
        return f"C{rng.randrange(300):03}"

    def player() -> str:
        return rng.choice(of.players)

    def typed(*words: str) -> Iterator[str]:
        return without_end(lambda: lists(q=rng.choice(words)))

    def searched(*words: str) -> Iterator[str]:
        return without_end(lambda: f"/bench/search/?q={quote(rng.choice(words))}")

    by_column = {
        f"list by {column}": without_end(lambda column=column: lists(sort=column, after=player()))
        for column in ("-rating", "name", "-change", "club", "-games", "-peak", "change")
    }
    return {
        "pool": without_end(lambda: "/bench/"),
        "list": without_end(lambda: ratings),
        **by_column,
        "list, deep": without_end(lambda: lists(after=player())),
        "list, last page": without_end(lambda: lists(last=1)),
        "list, from a place": without_end(lambda: lists(place=rng.randrange(players))),
        "list of a club": without_end(lambda: lists(club=club())),
        "list of a club by change": without_end(lambda: lists(club=club(), sort="-change")),
        "juniors": without_end(lambda: lists(group="junior", after=player())),
        "women, senior, inactive": without_end(lambda: lists(sex="f", group="senior", active="no")),
        "juniors by name": without_end(lambda: lists(group="junior", sort="name", after=player())),
        "search, a letter": typed("s", "k", "t", "m"),
        "search, two letters": typed("sa", "su", "ka", "yo"),
        "search, a family name": typed("sato", "suzuki", "tanaka", "yoshida"),
        "search, both names": typed("sato taka", "yuto suz", "Tanaka Keiko", "sakura kobayashi"),
        "search, kana": typed("さとう", "スズキ", "たなか ひろ"),
        "search, kanji": typed("佐藤", "鈴木大", "咲良", "田中 浩"),
        "search, an id": without_end(lambda: lists(q=player())),
        "search, nobody": typed("qqqq", "zzzz zz", "龘龘"),
        "search by name": without_end(lambda: lists(q="ka", sort="name")),
        "clubs": without_end(lambda: f"{ratings}clubs/"),
        "comparison": without_end(lambda: f"/bench/lists/{of.last}/compare/{of.first}/"),
        "comparison, deep": without_end(
            lambda: f"/bench/lists/{of.last}/compare/{of.first}/?page={rng.randrange(1, 9)}&sort=most"
        ),
        "statistics": without_end(lambda: "/bench/statistics/"),
        "all that is called so": searched("sato", "Tanaka Keiko", "佐藤", "さとう たか", "s", "2020"),
        "all that is nearly so": searched(
            "suzki", "tanaka kieko", "yoshda", "佐藤大", "kobayasi yuki", "satto"
        ),
        "player": without_end(lambda: f"/bench/players/{player()}/"),
        "player with games": without_end(lambda: f"/bench/players/{rng.choice(of.active)}/"),
        "working": without_end(lambda: f"/bench/players/{rng.choice(of.active)}/{of.last}/standard/"),
        "event": without_end(lambda: f"/bench/events/{rng.choice(of.events)}/"),
        "events": without_end(lambda: "/bench/events/"),
    }


def without_end(make: Callable[[], str]) -> Iterator[str]:
    while True:
        yield make()


@contextmanager
def served() -> Iterator[int]:
    """The port of the office, served as `banzuke serve` does."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "banzuke.cli.app", "serve", "--port", str(port)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
    )
    try:
        wait_for(port)
        yield port
    finally:
        server.terminate()
        server.wait(PATIENCE)


def wait_for(port: int) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            get(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE), "/healthz")
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise TimeoutError


def get(connection: http.client.HTTPConnection, address: str) -> int:
    connection.request("GET", address, headers={"Accept-Language": "en"})
    answer = connection.getresponse()
    size = len(answer.read())
    if answer.status != http.client.OK:
        raise SystemExit(f"{address}: {answer.status}")
    return size


def measured(connection: http.client.HTTPConnection, asked: Iterator[str], requests: int) -> list[float]:
    """Milliseconds of each request, the first ones left out."""
    times = []
    for _ in range(requests + 3):
        address = next(asked)
        started = time.perf_counter()
        get(connection, address)
        times.append(1000 * (time.perf_counter() - started))
    return times[3:]


def report(players: int, requests: int) -> None:
    rng = random.Random(3)
    found = known(rng, players)
    print("| page | median ms | 99 % ms |\n|---|---|---|")
    with served() as port:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        for kind, asked in addresses(rng, found, players).items():
            times = measured(connection, asked, requests)
            worst = statistics.quantiles(times, n=100, method="inclusive")[98]
            print(f"| {kind} | {statistics.median(times):.0f} | {worst:.0f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in (("players", 20_000), ("games", 150_000), ("windows", 3), ("requests", 40)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = asked.keep or Path(folder)
        os.environ["BANZUKE_HOME"] = str(home)
        is_filled = (home / "filled").exists()
        from banzuke.server.office_opening import open_office

        open_office()
        if not is_filled:
            from big_office import fill

            fill(asked.players, asked.games, asked.windows)
            (home / "filled").touch()
        report(asked.players, asked.requests)


if __name__ == "__main__":
    main()
