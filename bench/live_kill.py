"""An office killed many times under a Go server's load: no game lost, none twice, and everything right.

    python bench/live_kill.py [--times 200] [--database sqlite|postgresql|both] [--players 2000] [--seed 1]

While clients post (games out of order, twice, by two at once, answers cut off), the whole office, the process
that serves pages, one of those that answer or the writer of games is ended by SIGKILL, so many times; after
every tenth PostgreSQL is stopped at once and started again, too. Clients ask again until they have their
answer. In the end every game that was answered is in the ledger, once, and standings and lines are those of
`banzuke rate`.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from office import live_service
from office.faulty_load import Load, kill, restart
from postgresql_server import postgresql

from banzuke.ledger.folder import read_ledger

if TYPE_CHECKING:
    from postgresql_server import Postgresql

FAULTS = ("office", "writer", "pages", "answering", "writer", "answering")
RESTARTED = 10
#: Games that are answered between two faults, at the most.
BETWEEN = 300


def faulted(home: Path, server: Postgresql | None, times: int, players: int, seed: int) -> bool:
    """Kill, look, count; whether everything was right."""
    rng = random.Random(seed)
    (home / "office").mkdir(0o700)
    halves = live_service.made_ledger(home / "opening", players, rng)
    service = live_service.Service(home / "office", server.migrated() if server else "")
    service.open(home / "opening")
    service.start()
    load = Load(service, halves, seed)
    load.start()
    try:
        done = _killed(service, server, load, times, rng)
    finally:
        load.stop()
        service.stop()
    print(dict(done), dict(load.counts), flush=True)
    return _is_right(home, service, load)


def _killed(
    service: live_service.Service, server: Postgresql | None, load: Load, times: int, rng: random.Random
) -> Counter[str]:
    done: Counter[str] = Counter()
    for number in range(1, times + 1):
        load.wait_for(rng.randint(1, BETWEEN))
        if load.wrong:
            break
        what = FAULTS[number % len(FAULTS)]
        kill(service, what, rng)
        done[what] += 1
        if server is not None and number % RESTARTED == 0:
            load.wait_for(rng.randint(1, BETWEEN))
            restart(server)
            done["database"] += 1
        if number % 20 == 0:
            print(f"{number} kills, {len(load.answered)} games", flush=True)
    load.wait_for(BETWEEN)
    return done


def _is_right(home: Path, service: live_service.Service, load: Load) -> bool:
    (home / "compared").mkdir()
    equal = service.is_whole(home / "compared")
    games = [game.game_id for game in read_ledger(home / "compared" / "ledger").games]
    lost, twice = len(load.answered - set(games)), len(games) - len(set(games))
    print(f"{len(games)} games; lost: {lost}, twice: {twice}, wrong answers: {load.wrong}, equal: {equal}")
    return not (lost or twice or load.wrong) and all(equal.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="both")
    for option, default in (("times", 200), ("players", 2_000), ("seed", 1)):
        parser.add_argument(f"--{option}", type=int, default=default)
    asked = parser.parse_args()
    wanted = ("sqlite", "postgresql") if asked.database == "both" else (asked.database,)
    good = True
    for name in wanted:
        print(f"{name}:", flush=True)
        with (
            tempfile.TemporaryDirectory(prefix="banzuke-live-kill-") as folder,
            postgresql() if name == "postgresql" else nullcontext() as server,
        ):
            good &= faulted(Path(folder), server, asked.times, asked.players, asked.seed)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
