"""Games handed over to the one process that writes them for all processes that serve pages.

So the games of all of them go into common transactions, and no page that is being made keeps a game waiting.
They go over a Unix socket, `settings.GAME_WRITER`; where there is none, each process writes itself.
"""

import logging
import threading
from enum import IntEnum
from multiprocessing.connection import Client, Connection, Listener

import orjson
from django.conf import settings
from django.db import close_old_connections

from banzuke.api.live.game_posts import NOT_TAKEN, take
from banzuke.database.models import Pool
from banzuke.database.outages import BusyError, Outage, outage_of
from banzuke.database.patience import wait_no_more

#: Seconds within which the writer answers: it gives up on a database that is busy long before.
PATIENCE = 20
#: How many processes may be about to connect.
BACKLOG = 128
_log = logging.getLogger(__name__)
_own = threading.local()


class _Verdict(IntEnum):
    """The first byte of an answer: taken, with what is answered; not plain; others write for too long."""

    TAKEN = 0
    NOT_PLAIN = 1
    BUSY = 2


def hand_over(pool: Pool, user: str, body: bytes) -> bytes | None:
    """The answer to games that the writer has put on the disk; None where they are not plain.

    Raises ConnectionError where there is no writer, or it has ended: whoever sends the games again, or writes
    them, enters none twice. Raises BusyError.
    """
    line = _line()
    try:
        line.send_bytes(orjson.dumps([pool.pk, pool.slug, user]) + b"\n" + body)
        said = line.recv_bytes() if line.poll(PATIENCE) else None
    except (OSError, EOFError) as error:
        _hang_up(line)
        raise ConnectionError from error
    if said is None:
        _hang_up(line)
    if said is None or said[0] == _Verdict.BUSY:
        raise BusyError
    return said[1:] if said[0] == _Verdict.TAKEN else None


def _line() -> Connection:
    """The connection of this thread to the writer. Raises ConnectionError."""
    line: Connection | None = getattr(_own, "line", None)
    if line is None:
        if not settings.GAME_WRITER:
            raise ConnectionError
        try:
            line = _own.line = Client(settings.GAME_WRITER, "AF_UNIX")
        except OSError as error:
            raise ConnectionError from error
    return line


def _hang_up(line: Connection) -> None:
    """The next time another connection is made."""
    _own.line = None
    line.close()


def write_games(address: str) -> None:
    """Be the writer: take what is handed over at that address, without end."""
    with Listener(address, "AF_UNIX", BACKLOG) as listener:
        while True:
            line = listener.accept()
            threading.Thread(target=_answer_all, args=(line,), daemon=True).start()


def _answer_all(line: Connection) -> None:
    """Answer one thread of a process that serves pages, until that ends."""
    with line:
        try:
            while True:
                about, _, body = line.recv_bytes().partition(b"\n")
                number, slug, user = orjson.loads(about)
                verdict, text = _answer(Pool(pk=number, slug=slug), user, body)
                line.send_bytes(bytes([verdict]) + text)
        except (EOFError, OSError):
            return


def _answer(pool: Pool, user: str, body: bytes) -> tuple[_Verdict, bytes]:
    """What is not taken here is taken or refused by whoever handed it over."""
    try:
        close_old_connections()
        return _Verdict.TAKEN, take(pool, user, body)
    except NOT_TAKEN:
        return _Verdict.NOT_PLAIN, b""
    except Exception as error:  # noqa: BLE001  # who handed them over meets it again, or no longer meets it
        if outage_of(error) is Outage.BUSY:
            wait_no_more()
            return _Verdict.BUSY, b""
        _log.warning("Games are left to the process that handed them over, as this failed.", exc_info=True)
        return _Verdict.NOT_PLAIN, b""
