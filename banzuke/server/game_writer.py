"""The process that writes games, beside the pages: `python -m banzuke.server.game_writer ADDRESS`.

Each pool has a thread, which takes its games that wait into one transaction, or a few if there are very many.
It may be killed at any time: nothing is answered before it is committed, and the process that handed a game
over then writes it.
"""

import os
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import ceil
from pathlib import Path
from struct import Struct
from time import perf_counter
from typing import NamedTuple

import django

from banzuke.api.live.game_handover import (
    BLOCK,
    BUSY,
    MessageReader,
    PostedGames,
    Verdict,
    WriterAnswer,
    message,
)
from banzuke.server.log_format import print_places_only
from banzuke.server.office_folder import keep_private
from banzuke.server.request_process import prepare_for_requests

#: How many processes may be about to connect.
BACKLOG = 128
#: How long to wait for more posts: as a part of the last transaction's time, and at most (seconds).
PART_OF_LAST, MOST_PATIENCE = 0.5, 0.005
#: For how many, as a part of how many were taken last. SQLite works in this process: while it stores one
#: half, the other half is read and answered. PostgreSQL works beside it, and fewer transactions are better.
WANTED_ON_SQLITE, WANTED_ON_POSTGRESQL = 0.5, 1.0
#: Two seconds (as C has them), within which a process that serves pages takes its answers.
TAKES_WITHIN = Struct("ll").pack(2, 0)

#: What becomes of games that were posted into one pool.
TakeTogether = Callable[[Sequence[PostedGames]], list[WriterAnswer]]


class PagesLine:
    """The connection to one process that serves pages."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._sending = threading.Lock()
        self.is_gone = False
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, TAKES_WITHIN)

    def send(self, data: bytes) -> None:
        """Send messages; a process that is gone wants none, and one that takes none is left."""
        try:
            with self._sending:
                self._line.sendall(data)
        except OSError:
            self.is_gone = True
            with suppress(OSError):
                self._line.shutdown(socket.SHUT_RDWR)


class Post(NamedTuple):
    """Games that wait: whose they are, and the number of their message."""

    line: PagesLine
    number: int
    games: PostedGames


class PoolInbox:
    """The posts of one pool, and the thread that takes them."""

    def __init__(self, take: TakeTogether, wanted_part: float) -> None:
        self._take = take
        self._wanted_part = wanted_part
        self._came = threading.Condition()
        self._waiting: list[Post] = []
        self._wanted = 1
        self._last, self._took = 1, 0.0
        threading.Thread(target=self._work, daemon=True).start()

    def add(self, posts: Sequence[Post]) -> None:
        """Some more wait."""
        with self._came:
            self._waiting += posts
            if len(self._waiting) >= self._wanted:
                self._came.notify()

    def _next_together(self) -> list[Post]:
        """Those who wait.

        Programs that were just answered usually send again at once. So wait a short time, a part of what the
        last transaction took, until a part of as many wait as last time: then more go into one transaction.
        """
        with self._came:
            self._wait_until_waiting(1)
            wanted = ceil(self._last * self._wanted_part)
            self._wait_until_waiting(wanted, min(self._took * PART_OF_LAST, MOST_PATIENCE))
            together, self._waiting = self._waiting, []
        return [post for post in together if not post.line.is_gone]

    def _wait_until_waiting(self, posts: int, patience: float | None = None) -> None:
        """Until so many wait, or that many seconds are over; woken once, as each time costs."""
        self._wanted = posts
        self._came.wait_for(lambda: len(self._waiting) >= posts, patience)

    def _work(self) -> None:
        while True:
            together = self._next_together()
            if not together:
                continue
            begun = perf_counter()
            answers = self._take([post.games for post in together])
            self._last, self._took = len(together), perf_counter() - begun
            _send_answers(together, answers)
            if any(each.verdict is Verdict.BUSY for each in answers):
                self._give_up()

    def _give_up(self) -> None:
        """Who came meanwhile has waited for the same database, and does not wait for it as long again."""
        with self._came:
            together, self._waiting = self._waiting, []
        _send_answers(together, [BUSY] * len(together))


def _send_answers(posts: Sequence[Post], answers: Sequence[WriterAnswer]) -> None:
    """Each process gets its answers at once."""
    messages_for: dict[PagesLine, list[bytes]] = {}
    for post, answer in zip(posts, answers, strict=True):
        messages_for.setdefault(post.line, []).append(message(post.number, answer.to_bytes()))
    for line, messages in messages_for.items():
        line.send(b"".join(messages))


class GameWriter:
    """Takes the games of all pools that those who serve pages hand over, once a key has opened the pool.

    `wanted_part`: for how many posts a pool's thread waits, as a part of how many it took last.
    """

    def __init__(self, take: TakeTogether, wanted_part: float) -> None:
        self._take = take
        self._wanted_part = wanted_part
        self._inboxes: dict[str, PoolInbox] = {}
        self._opening = threading.Lock()

    def serve(self, address: str) -> None:
        """Take what is handed over at that address, without end; a writer of before may have left it."""
        Path(address).unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(address)
            listening.listen(BACKLOG)
            while True:
                line, _ = listening.accept()
                threading.Thread(target=self._read, args=(line,), daemon=True).start()

    def _read(self, line: socket.socket) -> None:
        """Take what a process that serves pages sends, until that ends."""
        back, reader = PagesLine(line), MessageReader()
        with line, suppress(OSError):
            while data := line.recv(BLOCK):
                posts: dict[str, list[Post]] = {}
                for number, sent in reader.add(data):
                    games = PostedGames.from_bytes(sent)
                    posts.setdefault(games.pool, []).append(Post(back, number, games))
                for pool, some in posts.items():
                    self._inbox(pool).add(some)
        back.is_gone = True

    def _inbox(self, pool: str) -> PoolInbox:
        with self._opening:
            if pool not in self._inboxes:
                self._inboxes[pool] = PoolInbox(self._take, self._wanted_part)
            return self._inboxes[pool]


def end_with_any_thread() -> None:
    """From now on an error that ends a thread is shown and ends the process, which is then started again.

    Else the games of that thread's pool would wait in vain.
    """
    show = threading.excepthook

    def end(failure: threading.ExceptHookArgs) -> None:
        try:
            show(failure)
            sys.stderr.flush()
        finally:
            os._exit(1)

    threading.excepthook = end


def main() -> None:
    """Write games until SIGTERM, or until the process that started this one is gone."""
    print_places_only()
    end_with_any_thread()
    keep_private()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "banzuke.server.settings")
    django.setup()
    from banzuke.api.live.game_posts import take_together
    from banzuke.office.raw_sql import is_postgresql

    prepare_for_requests()
    wanted_part = WANTED_ON_POSTGRESQL if is_postgresql() else WANTED_ON_SQLITE
    GameWriter(take_together, wanted_part).serve(sys.argv[1])


if __name__ == "__main__":
    main()
