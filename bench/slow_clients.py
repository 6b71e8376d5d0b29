"""Slow clients and a locked database against an office that is served: how long does everybody else wait?

    python bench/slow_clients.py [--clients 1000] [--database sqlite|postgresql]

An office of its own in a temporary folder. Slow are those who begin a body, a body for the API, headers, or
nothing at all, and those who read nothing of what they asked for; then the database is locked while 100
requests want to write. Printed are the slowest of ten answers of each kind to others, and when a slow client
is cut off.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from office import live_service
from postgresql_server import postgresql
from server.hostile_clients import UNFINISHED, asked, closed_after, locked, unfinished, unread

PATHS = ("/healthz", "/", "/static/banzuke/banzuke.css", "/api/v1/pools")
WRITERS = 100


def tell(what: str, port: int) -> None:
    """The slowest of ten answers to others."""
    found = {path: [asked(port, path) for _ in range(10)] for path in PATHS}
    assert {answer.status for answers in found.values() for answer in answers} == {200}
    cells = [f"{max(answer.seconds for answer in answers):.2f}" for answers in found.values()]
    print("|", what, "|", " | ".join(cells), "|", flush=True)


def attack(service: live_service.Service, clients: int) -> None:
    """Everything, one after the other."""
    print("| seconds |", " | ".join(PATHS), "|\n|---|---|---|---|---|")
    tell("nobody else", service.port)
    for kind in UNFINISHED:
        with unfinished(service.port, kind, clients) as slow:
            tell(f"{clients} × begun: {kind}", service.port)
            print(f"cut off after {closed_after(slow[0], 30):.1f} s")
    with unread(service.port, clients):
        tell(f"{clients} × unread", service.port)
    key = {"Authorization": f"Bearer {service.key}", "Content-Type": "application/json"}
    games = live_service.made_games([20] * 20, WRITERS, random.Random(2))
    with locked(service), ThreadPoolExecutor(WRITERS) as many:
        bodies = [json.dumps(game).encode() for game in games]
        asking = [many.submit(asked, service.port, "/api/v1/pools/go/games", body, **key) for body in bodies]
        tell(f"{WRITERS} writers, database locked", service.port)
        answers = [each.result() for each in asking]
    statuses = sorted({answer.status for answer in answers})
    print(f"writers: {statuses}, the slowest after {max(answer.seconds for answer in answers):.1f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=1_000)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    given = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 2 * given.clients + 1_000), hard))
    with (
        tempfile.TemporaryDirectory(prefix="banzuke-slow-") as folder,
        postgresql() if given.database == "postgresql" else nullcontext() as server,
    ):
        service = live_service.Service(Path(folder), server.migrated() if server else "")
        live_service.made_ledger(Path(folder) / "opening", 20, random.Random(1))
        service.open(Path(folder) / "opening")
        service.start()
        try:
            attack(service, given.clients)
        finally:
            service.stop()


if __name__ == "__main__":
    main()
