"""The process in which strangers' files are read: `python -m banzuke.office.reading_process NUMBER`.

It is small, has the readers loaded, and makes a copy of itself for each file, which is ready in milliseconds
and has limits: what a file asks beyond them ends the copy, nothing else. The number is that of a socket from
the process that serves pages or works off jobs; each message on it has the limits and brings the channel on
which the copy is told what to read and answers (`bounded_reading`). When that process ends, all of these do.

A copy has no connection to the database, knows no setting, and can write nothing into a file. The system
measures its time: an alarm ends it, whatever the reader is doing.
"""

import gc
import importlib
import logging
import os
import pickle
import resource
import signal
import socket
import struct
import sys
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from banzuke.core.fault import RefusedError

#: How limits are written: the seconds, the mebibytes, those of the answer.
LIMITS = struct.Struct("!III")
#: The kinds of answers.
ANSWER, PROGRESS, REFUSED, BROKEN, TOO_LARGE = "answer", "progress", "refused", "broken", "too-large"
#: What the readers need is loaded once, before the first file comes.
READERS = (
    "banzuke.office.inbox.report_contents",
    "banzuke.exchange.fide_lookup",
    "banzuke.office.register.starting_rating_table",
    "banzuke.formats.member_register",
)
_MIB = 1 << 20
#: So many lines of the traceback are told of a reader that broke.
_PLACES = 10


def main() -> None:
    """Make copies until the process at the other end of the socket is gone."""
    control = socket.socket(fileno=int(sys.argv[1]))
    signal.pthread_sigmask(signal.SIG_SETMASK, ())  # whatever the thread that started this one held back
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system clears ended copies away
    logging.disable()  # readers of others write there what they find odd in a file
    for name in READERS:
        importlib.import_module(name)
    gc.freeze()
    while True:
        message, channels, _, _ = socket.recv_fds(control, LIMITS.size, 1)
        if not message:
            os.killpg(0, signal.SIGKILL)  # the copies, and itself
        with suppress(OSError):  # no room for another process: the channel ends without an answer
            if os.fork() == 0:
                control.close()
                _read_one(Connection(channels[0]), *LIMITS.unpack(message))
        os.close(channels[0])


def _read_one(channel: Connection, seconds: int, mebibytes: int, answer: int) -> None:
    """Read what the channel says, within the limits, answer on it, and end this process."""
    try:
        _limit(seconds, mebibytes)
        channel.send_bytes(_answer(channel, answer * _MIB))
    finally:
        os._exit(0)


def _limit(seconds: int, mebibytes: int) -> None:
    """From now on: so much time by the clock and of the processor, so much memory, no file, no core dump."""
    signal.alarm(seconds)
    limits = {
        resource.RLIMIT_CPU: seconds + 1,
        resource.RLIMIT_AS: mebibytes * _MIB,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
    }
    for kind, most in limits.items():
        hard = resource.getrlimit(kind)[1]
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(kind, (allowed, allowed))
        except ValueError:
            if sys.platform == "linux":  # others may not be able to limit memory
                raise


def _answer(channel: Connection, most: int) -> bytes:
    """What the reader gives, or why there is nothing; an answer that is too large is none."""
    try:
        read, given, tells = pickle.loads(channel.recv_bytes())  # noqa: S301  # from the office
        if tells:
            given = (*given, lambda *far: channel.send_bytes(_packed(PROGRESS, far)))
        answer = _packed(ANSWER, read(*given))
    except RefusedError as refused:
        return _packed(REFUSED, refused.faults)
    except MemoryError:
        return _packed(TOO_LARGE, None)
    except BaseException as error:  # noqa: BLE001  # a panic of a compiled part is none of Exception's
        place = "".join(traceback.format_tb(error.__traceback__)[-_PLACES:])
        return _packed(BROKEN, f"{type(error).__name__}\n{place}")  # not its text, which may hold names
    return answer if len(answer) <= most else _packed(TOO_LARGE, None)


def _packed(kind: str, what: Any) -> bytes:
    return pickle.dumps((kind, what), pickle.HIGHEST_PROTOCOL)


if __name__ == "__main__":
    main()
