"""The gate before the pages: what is taken in, how much, how slowly, and which threads answer."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import threading
import time
import weakref
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.test import RequestFactory
from django.urls import get_resolver
from web.small_office import client, small_pool, user

from banzuke.api.live import fast_path
from banzuke.office.administration import api_keys
from banzuke.office.journal import Actor
from banzuke.server.gate import bodies, gate
from banzuke.server.gate.bodies import MOST_OF_STRANGERS
from banzuke.server.gate.body_limits import STRANGER, Sender, sender_of
from banzuke.server.gate.gate import Gate
from banzuke.server.gate.request_threads import Places, RequestThreads
from banzuke.server.log_format import PlaceOnly
from banzuke.web import access

PAGE, API = "/accounts/login/", "/api/v1/pools/go/games"


class Protocol:
    """The server's side of a request: chunks that come one by one, then nothing for long, or the end."""

    def __init__(self, *chunks, ends=True):
        self._chunks = list(chunks)
        self._ends = ends
        self.sent = None

    async def __call__(self):
        return b"".join([chunk async for chunk in self])

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self._chunks:
            return self._chunks.pop(0)
        if not self._ends:
            await asyncio.sleep(60)
        raise StopAsyncIteration

    def response_bytes(self, status, headers, body):
        assert self.sent is None
        self.sent = SimpleNamespace(status=status, headers=dict(headers), body=body)

    def response_file(self, status, headers, path):
        with Path(path).open("rb") as file:
            self.response_bytes(status, [*headers, ("From", path)], file.read())


def request_to(path, method="POST", **headers):
    named = [(name.replace("_", "-").lower(), value) for name, value in headers.items()]
    return SimpleNamespace(
        proto="http",
        http_version="1.1",
        server="127.0.0.1:8000",
        client="[::1]:4711",
        scheme="http",
        method=method,
        path=path,
        query_string="",
        authority=None,
        headers=SimpleNamespace(items=lambda: [("host", "localhost"), *named]),
    )


def echo(environ, start):
    """An application that tells what it got."""
    start("200 OK", [("Name", threading.current_thread().name)])
    return [environ["wsgi.input"].read()]


def through(application, *requests, before=None):
    """What each of the requests, made together, is answered."""

    async def run():
        made = Gate(application)
        made.__rsgi_init__(asyncio.get_running_loop())
        if before is not None:
            await before(made)
        await asyncio.gather(*(made.__rsgi__(scope, protocol) for scope, protocol in requests))
        return [protocol.sent for _, protocol in requests]

    return asyncio.run(run())


def sent(path, *chunks, length=None, ends=True, application=echo, method="POST", **headers):
    size = sum(map(len, chunks)) if length is None else length
    scope = request_to(path, method, **{"content_length": str(size)} | headers)
    return through(application, (scope, Protocol(*chunks, ends=ends)))[0]


class TestBodies:
    def test_one_comes_whole(self):
        assert sent(PAGE, b"a=", b"b").body == b"a=b"
        assert sent("/", method="GET").body == b""

    def test_a_large_one_too(self, monkeypatch):
        monkeypatch.setattr(gate, "sender_of", lambda _: Sender("x", 10 << 20))
        parts = [bytes([number]) * 300_000 for number in range(8)]
        assert sent(PAGE, *parts, authorization="x").body == b"".join(parts)

    @pytest.mark.parametrize("length", [1000, MOST_OF_STRANGERS + 1])
    @pytest.mark.parametrize("path", [PAGE, API])
    def test_one_that_stops_on_the_way_is_given_up(self, monkeypatch, length, path):
        monkeypatch.setattr(bodies, "COMES_WITHIN", 0.05)
        monkeypatch.setattr(gate, "sender_of", lambda _: Sender("x", 10 << 20))
        got = sent(path, b"a", length=length, ends=False, authorization="x")
        assert (got.status, got.headers["Connection"]) == (408, "close")

    def test_one_that_trickles_is_given_up(self, monkeypatch):
        class Trickle(Protocol):
            async def __anext__(self):
                await asyncio.sleep(0.01)
                return b"a"

        monkeypatch.setattr(bodies, "COMES_WITHIN", 0.1)
        monkeypatch.setattr(gate, "sender_of", lambda _: Sender("x", 10 << 20))
        begun, slow = time.monotonic(), Trickle()
        [got] = through(echo, (request_to(PAGE, content_length="1000000", authorization="x"), slow))
        assert (got.status, time.monotonic() - begun < 2) == (408, True)

    @pytest.mark.parametrize("length", [1000, MOST_OF_STRANGERS + 1])
    def test_half_of_one_is_not_taken(self, monkeypatch, length):
        monkeypatch.setattr(gate, "sender_of", lambda _: Sender("x", 10 << 20))
        assert sent(PAGE, b"a=b", length=length, authorization="x").status == 400

    @pytest.mark.parametrize(
        "headers", [{"transfer_encoding": "chunked"}, {"transfer_encoding": "chunked", "content_length": "3"}]
    )
    def test_one_without_a_length_is_not_taken(self, headers):
        got = sent(API, b"a=b", **headers)
        assert (got.status, json.loads(got.body)["title"]) == (411, "Length Required")

    @pytest.mark.parametrize("length", ["-1", "1e3", "5,5", "٣", " "])
    def test_a_length_that_is_none(self, length):
        assert sent(PAGE, b"", content_length=length).status == 400

    @pytest.mark.parametrize("headers", [{}, {"cookie": "other=1"}])
    def test_nobody_sends_much_without_being_known(self, headers):
        class Unread(Protocol):
            async def __call__(self):
                raise AssertionError

            __anext__ = __call__

        for path in (PAGE, API, "/nothing"):
            scope = request_to(path, content_length=str(MOST_OF_STRANGERS + 1), **headers)
            [got] = through(echo, (scope, Unread()))
            assert got.status == 413

    @pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer wrong"}])
    @pytest.mark.parametrize(
        ("status", "answered"), [(401, 401), (429, 429), (404, 404), (422, 413), (400, 413)]
    )
    def test_a_program_without_a_good_key_hears_of_the_key_first(
        self, monkeypatch, headers, status, answered
    ):
        bodies_seen = []

        def refuse(environ, start):
            bodies_seen.append((environ["CONTENT_LENGTH"], environ["wsgi.input"].read()))
            start(f"{status} X", [("WWW-Authenticate", "Bearer")])
            return [b"{}"]

        monkeypatch.setattr(gate, "sender_of", lambda _: STRANGER)
        got = sent(API, length=MOST_OF_STRANGERS + 1, application=refuse, **headers)
        assert (got.status, got.headers["Connection"]) == (answered, "close")
        assert bodies_seen == [("0", b"")]

    def test_the_office_is_not_asked_about_too_much_from_whom_it_knows_nor_for_a_page(self, monkeypatch):
        def fail(*_):
            raise AssertionError

        monkeypatch.setattr(gate, "sender_of", lambda _: Sender("x", 100_000))
        for path, method in ((API, "POST"), (PAGE, "POST"), (API, "GET")):
            length = 100_001 if method == "POST" else MOST_OF_STRANGERS + 1
            headers = {"authorization": "x"} if path == API and method == "POST" else {}
            assert sent(path, length=length, application=fail, method=method, **headers).status == 413

    def test_it_is_said_in_both_languages(self):
        page = sent(PAGE, length=MOST_OF_STRANGERS + 1).body.decode()
        assert "sign in first" in page
        assert "ログインしてください" in page

    def test_only_so_many_large_ones_at_once(self, monkeypatch):
        async def many(made):
            made._large = gate.LARGE

        monkeypatch.setattr(gate, "sender_of", lambda _: Sender("x", 10 << 20))
        scope = request_to(PAGE, content_length="1000000", authorization="x")
        [got] = through(echo, (scope, Protocol()), before=many)
        assert (got.status, got.headers["Retry-After"]) == (503, "5")

    def test_one_sender_does_not_have_all_places_for_large_ones(self, monkeypatch):
        monkeypatch.setattr(gate, "ONE_SENDER", Places(4, 1, 0.1))
        monkeypatch.setattr(
            gate, "sender_of", lambda environ: Sender(environ["HTTP_AUTHORIZATION"], 10 << 20)
        )

        async def run():
            made = Gate(echo)
            made.__rsgi_init__(asyncio.get_running_loop())

            def ask(sender, *chunks, ends):
                protocol = Protocol(*chunks, ends=ends)
                scope = request_to(API, content_length="100000", authorization=sender)
                return protocol, asyncio.ensure_future(made.__rsgi__(scope, protocol))

            slow = [ask("slow", b"a" * 70_000, ends=False) for _ in range(6)]
            await asyncio.sleep(0.3)
            other, asked = ask("other", b"a" * 100_000, ends=True)
            await asked
            for _, each in slow:
                each.cancel()
            await asyncio.gather(*(each for _, each in slow), return_exceptions=True)
            return [protocol.sent and protocol.sent.status for protocol, _ in slow], other.sent.status, made

        statuses, other, made = asyncio.run(run())
        assert sorted(statuses, key=str) == [503] * 2 + [None] * 4
        assert other == 200
        assert not made._senders._requests

    def test_a_key_for_games_is_looked_up_with_those_of_small_sendings(self, monkeypatch, settings):
        def fail(_):
            raise AssertionError

        looked = []
        settings.ALLOWED_HOSTS = ["localhost"]
        monkeypatch.setattr(gate, "sender_of", fail)
        monkeypatch.setattr(gate.game_posts, "opens_pool", lambda games: looked.append(games.key) or True)
        monkeypatch.setattr(fast_path, "deprecation_of", lambda _: None)
        key = "bzk_00000000_x"
        requests = [
            (
                request_to(API, content_length="100000", authorization=f"{scheme} {key}"),
                Protocol(b"a" * 100_000),
            )
            for scheme in ("Bearer", "bearer")
        ]
        assert [got.status for got in through(echo, *requests)] == [200, 200]
        assert looked == [key]

    def test_a_header_cannot_stand_in_for_another(self):
        def tell(environ, start):
            start("200 OK", [])
            return [json.dumps([environ.get("HTTP_X_FORWARDED_FOR"), environ["REMOTE_ADDR"]]).encode()]

        scope = request_to("/", "GET")
        scope.headers = SimpleNamespace(items=lambda: [("x_forwarded_for", "10.0.0.1")])
        assert json.loads(through(tell, (scope, Protocol()))[0].body) == [None, "::1"]


class TestThreads:
    def test_who_reads_is_answered_while_all_who_write_wait(self, monkeypatch):
        monkeypatch.setattr(gate, "WRITERS", Places(2, 1, 0.2))
        wait = threading.Event()

        def stuck(environ, start):
            if environ["REQUEST_METHOD"] == "POST":
                wait.wait(10)
            return echo(environ, start)

        async def run():
            made = Gate(stuck)
            made.__rsgi_init__(asyncio.get_running_loop())
            writing = [Protocol() for _ in range(4)]
            doing = [asyncio.ensure_future(made.__rsgi__(request_to(API), each)) for each in writing]
            await asyncio.sleep(0.4)
            seen = [each.sent and each.sent.status for each in writing]
            others = [Protocol(), Protocol()]
            for path, each in zip(("/", "/healthz"), others, strict=True):
                await made.__rsgi__(request_to(path, "GET"), each)
            wait.set()
            await asyncio.gather(*doing)
            return seen, writing, others

        seen, writing, others = asyncio.run(run())
        assert seen == [None, None, 503, 503]  # one had to wait too long, for one there was no place to wait
        assert [each.sent.status for each in writing] == [200, 200, 503, 503]
        assert writing[2].sent.headers["Retry-After"] == "5"
        assert [each.sent.status for each in others] == [200, 200]

    def test_what_was_given_up_is_not_kept_until_a_thread_is_free(self):
        class Work:
            def __call__(self):
                raise AssertionError

        wait = threading.Event()

        async def run():
            threads = RequestThreads("few", Places(1, 3, 0.1), asyncio.get_running_loop())
            first = asyncio.ensure_future(threads.run(lambda: wait.wait(10)))
            works = [Work(), Work()]
            kept = [weakref.ref(each) for each in works]
            late, gone = [asyncio.ensure_future(threads.run(each)) for each in works]
            del works
            await asyncio.sleep(0)
            gone.cancel()
            await asyncio.gather(late, gone, return_exceptions=True)
            del late, gone
            await asyncio.sleep(0.01)  # the loop lets go of what it did last
            gc.collect()
            left = [each() for each in kept]
            wait.set()
            await first
            return left

        assert asyncio.run(run()) == [None, None]

    def test_a_slow_pool_does_not_have_all_threads(self, monkeypatch):
        monkeypatch.setattr(gate, "WRITERS", Places(4, 4, 5.0))
        monkeypatch.setattr(gate, "ONE_POOL", Places(2, 1, 0.2))
        wait = threading.Event()

        def stuck(environ, start):
            if "/go/" in environ["PATH_INFO"]:
                wait.wait(10)
            return echo(environ, start)

        async def run():
            made = Gate(stuck)
            made.__rsgi_init__(asyncio.get_running_loop())
            slow = [Protocol() for _ in range(4)]
            doing = [asyncio.ensure_future(made.__rsgi__(request_to(API), each)) for each in slow]
            await asyncio.sleep(0.05)
            at_once = [each.sent and each.sent.status for each in slow]
            others = [Protocol() for _ in range(3)]
            for path, each in zip(("/api/v1/pools/chess/games", PAGE, "/healthz"), others, strict=True):
                await made.__rsgi__(request_to(path, "GET" if path == "/healthz" else "POST"), each)
            await asyncio.sleep(0.3)
            later = [each.sent and each.sent.status for each in slow]
            wait.set()
            await asyncio.gather(*doing)
            return at_once, later, slow, others, made

        at_once, later, slow, others, made = asyncio.run(run())
        assert at_once == [None, None, None, 503]  # there was no place to wait
        assert later == [None, None, 503, 503]  # one had to wait too long
        assert slow[3].sent.headers["Retry-After"] == "5"
        assert [each.sent.status for each in others] == [200, 200, 200]
        assert not made._pools._requests

    def test_asking_for_health_often_is_answered_by_one_look(self):
        looks = []

        def look(environ, start):
            looks.append(environ["HTTP_HOST"])
            time.sleep(0.1)
            return echo(environ, start)

        asked = [(request_to("/healthz", "GET"), Protocol()) for _ in range(100)]
        assert [got.status for got in through(look, *asked)] == [200] * 100
        assert looks == ["localhost"]

    def test_who_goes_away_does_not_end_the_look_at_its_health(self):
        async def run():
            made = Gate(lambda *given: time.sleep(0.1) or echo(*given))
            made.__rsgi_init__(asyncio.get_running_loop())
            gone, stays = [asyncio.ensure_future(made._health()) for _ in range(2)]
            await asyncio.sleep(0)
            gone.cancel()
            return (await stays).status

        assert asyncio.run(run()) == 200

    def test_an_error_of_its_own_is_told_by_its_place_alone(self, caplog):
        def fail(*_):
            raise ValueError("born 1990")

        assert sent("/", method="GET", application=fail).status == 500
        [told] = caplog.records
        shown = PlaceOnly("%(message)s").format(told)
        assert shown.startswith("Error: /\n")
        assert shown.endswith("ValueError")

    def test_an_error_that_nobody_waits_for_too(self, caplog):
        async def run():
            loop = asyncio.get_running_loop()
            Gate(echo).__rsgi_init__(loop)
            loop.call_soon(int, "born 1990")
            await asyncio.sleep(0.01)

        asyncio.run(run())
        [told] = caplog.records
        shown = PlaceOnly("%(message)s").format(told)
        assert shown.startswith("Error in the event loop\n")
        assert "1990" not in shown

    def test_a_large_file_goes_out_from_the_disk(self, tmp_path):
        data = b"banzuke" * 200_000
        (tmp_path / "file").write_bytes(data)

        def with_file(environ, start):
            start("200 OK", [])
            return environ["wsgi.file_wrapper"]((tmp_path / "file").open("rb"), 4096)

        got = sent("/", method="GET", application=with_file)
        assert got.headers["From"].startswith("/dev/fd/")
        assert got.body == data
        (tmp_path / "file").write_bytes(b"small")
        got = sent("/", method="GET", application=with_file)
        assert (got.headers, got.body) == ({}, b"small")

    def test_one_that_the_server_does_not_send_is_closed(self, tmp_path, monkeypatch):
        class Failing(Protocol):
            def response_file(self, *_):
                raise RuntimeError

        (tmp_path / "file").write_bytes(b"banzuke" * 200_000)
        monkeypatch.setattr(gate, "SOON", 0)
        closed = []
        monkeypatch.setattr(gate, "os", SimpleNamespace(close=lambda number: closed.append(os.close(number))))

        def with_file(environ, start):
            start("200 OK", [])
            return environ["wsgi.file_wrapper"]((tmp_path / "file").open("rb"), 4096)

        [got] = through(with_file, (request_to("/", "GET"), Failing()))
        assert (got.status, closed) == (500, [None])


@pytest.mark.django_db
class TestLimits:
    def most(self, path, **headers):
        request = RequestFactory(headers=headers).post(path, b"", "text/plain")
        return sender_of(request.environ).most

    def cookie(self, signed_in):
        return {"cookie": f"sessionid={signed_in.session.session_key}"}

    def test_of_who_is_signed_in(self):
        pool = small_pool()
        reporter, nobody = client("reporter", pool, "C1"), client()
        send = f"/office/{pool.slug}/inbox/send/"
        assert self.most(send, **self.cookie(reporter)) == 61 << 20
        assert self.most("/accounts/login/", **self.cookie(reporter)) == 2_621_440
        assert self.most("/nothing/here", **self.cookie(reporter)) == MOST_OF_STRANGERS
        assert self.most(send, **self.cookie(nobody)) == MOST_OF_STRANGERS
        assert self.most(send, cookie="sessionid=invented") == MOST_OF_STRANGERS
        assert self.most(send) == MOST_OF_STRANGERS

    def test_of_an_officer_who_walked_away(self):
        officer = client("officer", small_pool())
        session = officer.session
        session["banzuke-used"] = 1
        session.save()
        assert self.most("/office/japan/inbox/send/", **self.cookie(officer)) == MOST_OF_STRANGERS

    def test_of_keys(self):
        pool = small_pool()
        made = [
            api_keys.make_key("a", user("officer", pool, name=scope), pool, [scope], None, Actor("a")).text
            for scope in ("reports", "read")
        ]
        reports, games = f"/api/v1/pools/{pool.slug}/reports", f"/api/v1/pools/{pool.slug}/games"
        found = [self.most(path, authorization=f"Bearer {key}") for key in made for path in (reports, games)]
        assert found == [61 << 20, 2_621_440, 2_621_440, 2_621_440]
        assert self.most(reports, authorization="Bearer bzk_00000000_x") == MOST_OF_STRANGERS
        assert self.most(reports, authorization=f"Basic {made[0]}") == MOST_OF_STRANGERS
        assert (
            self.most("/api/v1/pools/other/reports", authorization=f"Bearer {made[0]}") == MOST_OF_STRANGERS
        )

    def test_pages_that_take_files_say_how_much(self):
        found = {
            pattern.name: getattr(pattern.callback, access.MOST_SENT) >> 20
            for each in get_resolver().url_patterns
            for pattern in getattr(each, "url_patterns", [each])
            if hasattr(pattern.callback, access.MOST_SENT)
        }
        assert found == {
            "inbox-send": 61, "inbox-add": 61, "register-send": 21, "register-fide": 701,
            "register-openings-send": 21, "accounts-new-pool": 101,
        }  # fmt: skip
