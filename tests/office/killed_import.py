"""An office in which imports are killed at every turn, and again while their rows are taken out: a program."""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from contextlib import contextmanager
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "examples" / "go-server"


def main():
    from banzuke.server.office_opening import open_office

    open_office()
    from django.db import connection

    from banzuke.database import book_writer, write_turns
    from banzuke.office.administration import hidden_pools
    from banzuke.office.live import whole_standings

    book_writer.CHUNK = whole_standings.GAMES_AT_ONCE = hidden_pools.OUT_AT_A_TURN = int(sys.argv[1])
    write_turns.PAUSE = 0
    if connection.vendor == "sqlite":
        killed_at_every_turn()
        beside_another()
    else:
        killed_at_the_end()


def killed_at_every_turn():
    """Before and after the end of each turn, until all of it is there."""
    from banzuke.database.guards import gaps
    from banzuke.database.models import Entry, GoGame, HiddenPool, LiveGame, Pool
    from banzuke.office.administration.hidden_pools import remove_abandoned_pools

    tables = (Pool.with_hidden, HiddenPool.objects, Entry.objects, GoGame.objects, LiveGame.objects)
    number, after = 1, False
    while True:
        assert is_killed(child(lambda: (die_at(number, after=after), imported("go"))))  # noqa: B023
        if Pool.objects.exists():
            break
        is_killed(child(lambda: (die_at(number, after=not after), remove_abandoned_pools())))  # noqa: B023
        assert not gaps()
        remove_abandoned_pools()
        assert not any(table.exists() for table in tables)
        assert not gaps()
        number, after = number + after, not after
    assert number > 5
    assert after
    is_whole("go")


def killed_at_the_end():
    """Where all is one turn."""
    from banzuke.database.models import Entry, GoGame, LiveGame, Pool
    from banzuke.office.administration import pools

    def shown(_):
        os.kill(os.getpid(), signal.SIGKILL)

    assert is_killed(child(lambda: (setattr(pools, "show_pool", shown), imported("go"))))
    assert not any(
        table.exists() for table in (Pool.with_hidden, Entry.objects, GoGame.objects, LiveGame.objects)
    )
    imported("go")
    is_whole("go")


def beside_another():
    """While an import goes on, its rows stay, its word is taken, and another import comes in."""
    from banzuke.database.models import HiddenPool, Pool
    from banzuke.office.administration import hidden_pools
    from banzuke.office.administration.pools import TakenError

    reader, writer = os.pipe()
    slow = child(lambda: (wait_after_a_turn(reader), imported("slow")))
    until = time.monotonic() + 60
    while not HiddenPool.objects.exists() and time.monotonic() < until:
        time.sleep(0.01)
    hidden_pools.remove_abandoned_pools()
    assert HiddenPool.objects.exists()
    try:
        imported("slow")
    except TakenError:
        pass
    else:
        raise AssertionError("a word twice")
    imported("quick")
    assert not Pool.objects.filter(slug="slow").exists()
    os.write(writer, b"go on")
    assert not is_killed(slow)
    is_whole("slow")
    is_whole("quick")


def child(act):
    """The number of a process that does an act."""
    from django.db import connections

    connections.close_all()
    number = os.fork()
    if not number:
        try:
            act()
        except BaseException:  # noqa: BLE001  # a process that was forked has nothing else to end
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    return number


def is_killed(child):
    """Whether a process was killed, when it has ended; it has no error of its own."""
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, -signal.SIGKILL), status
    return status != 0


def die_at(number, *, after):
    """Be killed at a turn, before its transaction ends or after it."""
    from banzuke.office.administration import hidden_pools

    count, turn = 0, hidden_pools._turn

    @contextmanager
    def counted():
        nonlocal count
        count += 1
        with turn():
            yield
            if count == number and not after:
                os.kill(os.getpid(), signal.SIGKILL)
        if count == number:
            os.kill(os.getpid(), signal.SIGKILL)

    hidden_pools._turn = counted


def wait_after_a_turn(reader):
    """Go on after the first turn of an import when there is something to read."""
    from banzuke.office.administration import hidden_pools

    turn = hidden_pools._turn

    @contextmanager
    def patient():
        with turn():
            yield
        os.read(reader, 5)
        hidden_pools._turn = turn

    hidden_pools._turn = patient


def imported(name):
    from banzuke.office.administration.pools import open_from_folder

    return open_from_folder(name, FOLDER, "clerk")


def is_whole(name):
    from banzuke.database.book_reader import read_book
    from banzuke.database.models import Pool
    from banzuke.ledger.folder import read_ledger
    from banzuke.office.live.live_verification import differing_standings

    pool = Pool.objects.get(slug=name)
    assert read_book(pool) == read_ledger(FOLDER)
    assert differing_standings(pool) == []


if __name__ == "__main__":
    main()
