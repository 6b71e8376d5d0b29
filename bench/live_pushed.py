"""The feed pushed by an office that is killed many times: streams and a webhook end with exactly the feed.

    python bench/live_pushed.py [--times 30] [--database sqlite|postgresql|both] [--seed 1]

While clients post, the worker, the writer of games, the whole office, a process that answers or (PostgreSQL)
the database is ended by SIGKILL, so many times. The receiver of the webhook fails at times, and at times
takes a message without an answer. Two streams begin again after the last number that they have.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from office.pushed_kills import Pushed
from postgresql_server import postgresql
from webhook_receiver import Receiver

FAULTS = ("worker", "writer", "office", "answering", "worker", "database")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="both")
    for option, default in (("times", 30), ("seed", 1)):
        parser.add_argument(f"--{option}", type=int, default=default)
    asked = parser.parse_args()
    for name in ("sqlite", "postgresql") if asked.database == "both" else (asked.database,):
        rng = random.Random(asked.seed)
        known = [each for each in FAULTS if name == "postgresql" or each != "database"]
        with (
            tempfile.TemporaryDirectory(prefix="banzuke-live-pushed-") as folder,
            postgresql() if name == "postgresql" else nullcontext() as server,
            Receiver() as receiver,
        ):
            receiver.answers = [
                rng.choice((200, 200, 200, 200, 200, 200, 500, 0)) for _ in range(asked.times)
            ]
            begun = time.monotonic()
            pushed = Pushed(Path(folder), server, receiver, rng)
            try:
                pushed.run((rng.choice(known) for _ in range(asked.times)), between=30, seed=asked.seed)
            finally:
                pushed.service.stop()
            pushed.check()
            streams = ", ".join(f"begun {stream.begun} times" for stream in pushed.streams)
            print(
                f"{name}: {asked.times} kills in {time.monotonic() - begun:.0f} s; "
                f"{len(pushed.feed)} changes; streams {streams}; {len(receiver.posted)} messages; "
                f"{receiver.doubled} changes came twice to the webhook and were passed over; nothing lost",
                flush=True,
            )


if __name__ == "__main__":
    main()
