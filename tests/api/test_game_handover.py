"""Games handed over to the process that writes them, and what happens where that is not there, or ends."""

from __future__ import annotations

import json
import threading
from multiprocessing.connection import Listener

import pytest

from banzuke.api.live import game_handover
from banzuke.api.live.game_handover import hand_over, write_games
from banzuke.core.fault import RefusedError
from banzuke.database.models import Pool
from banzuke.database.outages import BusyError

POOL = Pool(pk=7, slug="go")
BODY = b'{"name": "\xe5\x9b\xb2\n"}'


@pytest.fixture(autouse=True)
def own(settings, tmp_path):
    """Each test has an address, and a connection, of its own."""
    settings.GAME_WRITER = str(tmp_path / "games")
    game_handover._own.line = None


@pytest.fixture
def writer(settings, monkeypatch):
    """A writer that takes games as it is told, in a thread; `writer(take)`."""

    def begin(take):
        monkeypatch.setattr(game_handover, "take", take)
        monkeypatch.setattr(game_handover, "close_old_connections", lambda: None)
        monkeypatch.setattr(game_handover, "wait_no_more", lambda: None)
        threading.Thread(target=write_games, args=(settings.GAME_WRITER,), daemon=True).start()
        while not _is_there(settings.GAME_WRITER):
            pass

    return begin


def _is_there(address):
    try:
        game_handover.Client(address, "AF_UNIX").close()
    except OSError:
        return False
    return True


def failing(error):
    def take(*_):
        raise error

    return take


def test_what_is_taken_is_answered(writer):
    writer(lambda pool, user, body: json.dumps([pool.pk, pool.slug, user, body.decode()]).encode())
    for user in ("igs", "囲碁"):
        assert json.loads(hand_over(POOL, user, BODY)) == [7, "go", user, BODY.decode()]


def test_much_at_once(writer):
    writer(lambda pool, user, body: body * 2)
    assert hand_over(POOL, "igs", b"x" * 2_000_000) == b"x" * 4_000_000


@pytest.mark.parametrize(
    "error", [RefusedError([]), ValueError(), RuntimeError()], ids=lambda error: type(error).__name__
)
def test_what_is_not_taken_is_left_to_whoever_has_it(writer, error):
    writer(failing(error))
    assert hand_over(POOL, "igs", BODY) is None
    assert hand_over(POOL, "igs", BODY) is None


def test_a_database_that_is_busy(writer):
    writer(failing(BusyError()))
    for _ in range(2):
        with pytest.raises(BusyError):
            hand_over(POOL, "igs", BODY)


def test_there_is_no_writer(settings):
    with pytest.raises(ConnectionError):
        hand_over(POOL, "igs", BODY)
    settings.GAME_WRITER = ""
    with pytest.raises(ConnectionError):
        hand_over(POOL, "igs", BODY)


def test_a_writer_that_ends_and_comes_again(settings):
    ended = threading.Event()

    def end_at_once():
        with Listener(settings.GAME_WRITER, "AF_UNIX") as listener, listener.accept() as line:
            line.recv_bytes()
        ended.set()

    def answer():
        with Listener(settings.GAME_WRITER, "AF_UNIX") as listener:
            ended.set()
            with listener.accept() as line:
                line.recv_bytes()
                line.send_bytes(b"\0taken")

    threading.Thread(target=end_at_once).start()
    while not _is_listening(settings.GAME_WRITER):
        pass
    with pytest.raises(ConnectionError):
        hand_over(POOL, "igs", BODY)
    assert ended.wait(10)
    ended.clear()
    threading.Thread(target=answer).start()
    assert ended.wait(10)
    assert hand_over(POOL, "igs", BODY) == b"taken"


def _is_listening(address):
    try:
        game_handover._own.line = game_handover.Client(address, "AF_UNIX")
    except OSError:
        return False
    return True


def test_a_writer_that_does_not_answer(settings, monkeypatch):
    monkeypatch.setattr(game_handover, "PATIENCE", 0.05)
    with Listener(settings.GAME_WRITER, "AF_UNIX"), pytest.raises(BusyError):
        hand_over(POOL, "igs", BODY)
    assert game_handover._own.line is None
