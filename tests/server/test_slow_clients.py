"""An office served for real, among clients that are slow and while its database is locked."""

from __future__ import annotations

import json
import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext

import pytest
from office import live_service
from postgresql_server import postgresql
from server.hostile_clients import UNFINISHED, asked, closed_after, locked, unfinished, unread

pytestmark = pytest.mark.slow
#: Seconds within which everybody else is answered, also on a machine with much else to do; and how many are slow.
SOON, CLIENTS = 2, 40


@contextmanager
def served(home, server=None):
    service = live_service.Service(home, server.migrated() if server else "")
    live_service.made_ledger(home / "opening", 20, random.Random(1))
    service.environment |= {"TMPDIR": str(home), "BANZUKE_HOSTS": "localhost"}
    service.open(home / "opening")
    service.start()
    try:
        yield service
    finally:
        service.stop()


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    with served(tmp_path_factory.mktemp("office")) as service:
        yield service


def check_others(office, posts=True):
    """The others are answered, and soon."""
    for path in ("/healthz", "/", "/static/banzuke/banzuke.css", "/api/v1/pools"):
        answer = asked(office.port, path)
        assert (path, answer.status, answer.seconds < SOON) == (path, 200, True)
    if posts:
        answer = asked(office.port, "/accounts/login/", b"login=a")
        assert (answer.status, answer.seconds < SOON) == (403, True)  # it comes without its page's word


@pytest.mark.parametrize("kind", UNFINISHED)
def test_who_sends_slowly_keeps_nobody_waiting_and_is_cut_off(office, kind):
    with unfinished(office.port, kind, CLIENTS) as clients:
        check_others(office)
        assert closed_after(clients[0], 20) < 12


def test_who_reads_slowly_keeps_nobody_waiting(office):
    with unread(office.port, CLIENTS):
        check_others(office)


def test_what_nobody_may_send_is_not_kept(office):
    before = {path.name for path in office.home.iterdir()}
    answer = asked(office.port, "/accounts/login/", b"", **{"Content-Length": str(551 << 20)})
    assert answer.status == 413
    assert {path.name for path in office.home.iterdir()} <= before | {"counts.db-wal", "counts.db-shm"}
    for key, kind in (("bzk_00000000_wrong", "wrong-key"), ("", "no-key")):
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        answer = asked(office.port, "/api/v1/pools/go/games", b" " * 124_091, **headers)
        assert (answer.status, kind.encode() in answer.body) == (401, True)
    chunked = asked(office.port, "/accounts/login/", iter([b"x" * 1000]))
    assert chunked.status == 411


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_while_the_database_is_locked_who_writes_is_told_so_and_others_read(office, tmp_path, database):
    with postgresql() if database == "postgresql" else nullcontext() as server:  # noqa: SIM117
        with served(tmp_path, server) if server else nullcontext(office) as service:
            key = {"Authorization": f"Bearer {service.key}", "Content-Type": "application/json"}
            games = live_service.made_games([20] * 20, 30, random.Random(2))

            def post(what, body):
                return asked(service.port, f"/api/v1/pools/go/{what}", json.dumps(body).encode(), **key)

            newcomers = [{"player_id": f"n{number}", "name": "x", "declared": "7k"} for number in range(30)]
            with locked(service), ThreadPoolExecutor(30) as many:
                asking = [many.submit(post, "games", game) for game in games[::2]]
                asking += [many.submit(post, "players", newcomer) for newcomer in newcomers[::2]]
                check_others(service, posts=False)
                answers = [each.result() for each in asking]
            assert {(each.status, each.headers["retry-after"]) for each in answers} == {(503, "5")}
            assert max(each.seconds for each in answers) < 5.5
            assert {post("games", game).status for game in games} == {200}
