"""How many requests a second an office answers to several visitors at once, and how long each waits.

    python bench/load.py [--clients 8] [--seconds 5]

The office is that of `pages.py` (its other options as there), served as `banzuke serve` does. Visitors are
threads of this program on the same machine, each with a kept connection: the figures are of both together.
Answers that the API's limits refuse (429) are counted by themselves.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from pages import PATIENCE, Known, known, served

if TYPE_CHECKING:
    from collections.abc import Callable


class Counted(NamedTuple):
    """The milliseconds of the answers that were given, and how many requests were refused or failed."""

    times: list[float]
    refused: int
    failed: int


def kinds(rng: random.Random, of: Known) -> dict[str, Callable[[], str]]:
    """For each kind of request, a maker of addresses."""
    words = ("sato", "suz", "tanaka", "佐藤", "鈴木大", "yuto", "さとう")
    ratings = f"/bench/lists/{of.last}/standard/"
    rows = "/api/v1/pools/bench/lists/current/rows"
    return {
        "list page": lambda: ratings,
        "search": lambda: f"{ratings}?q={quote(rng.choice(words))}",
        "player page": lambda: f"/bench/players/{rng.choice(of.active)}/",
        "working": lambda: f"/bench/players/{rng.choice(of.active)}/{of.last}/standard/",
        "API list": lambda: f"{rows}?after={rng.choice(of.players)}",
        "API player": lambda: f"/api/v1/pools/bench/players/{rng.choice(of.active)}",
    }


def visit(port: int, make: Callable[[], str], key: str, until: float, counted: list[Counted]) -> None:
    """Ask one after another until the time is over."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    times, refused, failed = [], 0, 0
    while time.monotonic() < until:
        address = make()
        headers = {"Authorization": f"Bearer {key}"} if address.startswith("/api/") else {}
        started = time.perf_counter()
        connection.request("GET", address, headers=headers)
        answer = connection.getresponse()
        answer.read()
        if answer.status == http.client.OK:
            times.append(1000 * (time.perf_counter() - started))
        elif answer.status == http.client.TOO_MANY_REQUESTS:
            refused += 1
        else:
            failed += 1
    counted.append(Counted(times, refused, failed))


def measured(port: int, make: Callable[[], str], key: str, clients: int, seconds: float) -> Counted:
    counted: list[Counted] = []
    until = time.monotonic() + seconds
    visitors = [
        threading.Thread(target=visit, args=(port, make, key, until, counted)) for _ in range(clients)
    ]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    times = sorted(each for one in counted for each in one.times)
    return Counted(times, sum(one.refused for one in counted), sum(one.failed for one in counted))


def report(clients: int, seconds: float, players: int) -> None:
    rng = random.Random(3)
    found, key = known(rng, players), new_key()
    print(f"{clients} visitors, {seconds:g} s each\n")
    print("| request | a second | median ms | 99 % ms | refused | failed |\n|---|---|---|---|---|---|")
    with served() as port:
        for kind, make in kinds(rng, found).items():
            measured(port, make, key, clients, 1)  # both processes have answered once
            times, refused, failed = measured(port, make, key, clients, seconds)
            worst = statistics.quantiles(times, n=100, method="inclusive")[98]
            rate = len(times) / seconds
            figures = f"{rate:.0f} | {statistics.median(times):.0f} | {worst:.0f} | {refused} | {failed}"
            print(f"| {kind} | {figures} |", flush=True)


def new_key() -> str:
    """A key for reading, of the office's first user."""
    from django.contrib.auth.models import User

    from banzuke.database.models import Role
    from banzuke.office.administration import api_keys
    from banzuke.office.journal import Actor

    user = User.objects.order_by("pk").first() or User.objects.create_user("bench")
    Role.objects.get_or_create(user=user, pool=None, kind=Role.Kind.OFFICER)
    return api_keys.make_key("load", user, None, ["read"], None, Actor("bench")).text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in (("players", 20_000), ("games", 150_000), ("windows", 3), ("clients", 8)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = asked.keep or Path(folder)
        os.environ["BANZUKE_HOME"] = str(home)
        from banzuke.server.office_opening import open_office

        open_office()
        if not (home / "filled").exists():
            from big_office import fill

            fill(asked.players, asked.games, asked.windows)
            (home / "filled").touch()
        report(asked.clients, asked.seconds, asked.players)


if __name__ == "__main__":
    main()
