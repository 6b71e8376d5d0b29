"""Streams of a Go pool's feed: what they send, from which number, to how many, and when they end."""

from __future__ import annotations

import asyncio
import json
import threading
from types import SimpleNamespace

import pytest
from office.live_pool import game, go_pool, play

from banzuke.api.live import feed_events
from banzuke.api.live.feed_events import FIRST, FeedEvent, FeedRequest, FeedResponse
from banzuke.server.gate import feed_streams
from banzuke.server.gate.feed_streams import COMMENT, FeedStreams
from banzuke.server.gate.request_threads import CrowdedError
from banzuke.server.gate.wsgi_calls import Answer, answer_of

POOL = SimpleNamespace(pk=7)
ANSWER = Answer(200, [], b"")


class Client:
    """The server's side of a stream: what was sent, until the client goes."""

    def __init__(self, *, takes=True):
        self.sent = []
        self.gone = asyncio.Event()
        self.came = asyncio.Event()
        self._takes = takes

    def response_stream(self, _status, _headers):
        return self

    async def send_bytes(self, data):
        if not self._takes:
            await asyncio.sleep(60)
        if self.gone.is_set():
            raise RuntimeError
        self.sent.append(data)
        self.came.set()

    async def client_disconnect(self):
        await self.gone.wait()

    async def until(self, *numbers):
        """Wait until exactly these changes have come."""
        async with asyncio.timeout(20):
            while self.numbers() != list(numbers):
                self.came.clear()
                assert self.numbers() == list(numbers)[: len(self.numbers())]
                await self.came.wait()

    def numbers(self):
        lines = b"".join(self.sent).decode().splitlines()
        return [int(line.removeprefix("id: ")) for line in lines if line.startswith("id: ")]


class Feed:
    """A feed of changes 1, 2, ... of which the even ones are of `aoi`; it may fail."""

    def __init__(self, monkeypatch, newest=0):
        self.newest = newest
        self.fails = False
        self.read = []
        monkeypatch.setattr(feed_streams, "close_old_connections", lambda: None)
        monkeypatch.setattr(feed_streams, "newest_number", lambda _: self.newest)
        monkeypatch.setattr(feed_streams, "has_news", lambda _, last: self.newest > last)
        monkeypatch.setattr(feed_streams, "events_after", self.events_after)
        monkeypatch.setattr(feed_streams, "STEP", 0.01)
        monkeypatch.setattr(feed_streams, "AFTER_FAILURE", 0.01)

    def events_after(self, _pool, after, player=""):
        self.read.append((threading.current_thread().name, after))
        if self.fails:
            raise OSError
        numbers = [n for n in range(after + 1, self.newest + 1) if not player or n % 2 == 0]
        return [
            FeedEvent(n, ("kei", "mio" if n % 2 else "aoi"), f"id: {n}\ndata: {{}}\n\n".encode())
            for n in numbers[: feed_streams.PAGE]
        ]


@pytest.fixture
def feed(monkeypatch):
    return Feed(monkeypatch)


def asked(after=0, player="", who="1.2.3.4", has_key=False):
    return FeedRequest(POOL, after, player, who, has_key)


def run(act):
    """An act with the streams of a process."""

    async def within():
        streams = FeedStreams(asyncio.get_running_loop())
        await act(streams)
        await streams._looking.run(lambda: None)  # what it still looked for has ended

    asyncio.run(within())


async def until(check):
    """Wait until something holds."""
    async with asyncio.timeout(20):
        while not check():  # noqa: ASYNC110  # nobody tells of it
            await asyncio.sleep(0.01)


def begin(streams, client, request=None):
    return asyncio.ensure_future(streams.send(request or asked(), ANSWER, client))


class TestEvents:
    def test_what_there_is_then_what_comes(self, feed):
        async def act(streams):
            feed.newest = 3
            client = Client()
            task = begin(streams, client, asked(after=1))
            await client.until(2, 3)
            assert client.sent[0] == FIRST
            feed.newest = 5
            await client.until(2, 3, 4, 5)
            client.gone.set()
            await task

        run(act)

    def test_more_than_is_read_at_once(self, feed, monkeypatch):
        monkeypatch.setattr(feed_streams, "PAGE", 2)

        async def act(streams):
            feed.newest = 5
            client = Client()
            task = begin(streams, client)
            await client.until(1, 2, 3, 4, 5)
            feed.newest = 12
            await client.until(*range(1, 13))
            client.gone.set()
            await task

        run(act)

    def test_of_one_player(self, feed):
        async def act(streams):
            feed.newest = 3
            client = Client()
            task = begin(streams, client, asked(player="aoi"))
            await client.until(2)
            feed.newest = 6
            await client.until(2, 4, 6)
            client.gone.set()
            await task

        run(act)

    def test_one_look_serves_all_streams(self, feed):
        async def act(streams):
            clients = [Client() for _ in range(10)]
            tasks = [begin(streams, client) for client in clients]
            await until(lambda: all(client.sent for client in clients))
            feed.read.clear()
            feed.newest = 2
            for client in clients:
                await client.until(1, 2)
            assert feed.read == [("feed-look-0", 0)]
            for client in clients:
                client.gone.set()
            await asyncio.gather(*tasks)
            assert not streams._watches
            assert not streams._tasks

        run(act)

    def test_who_is_slower_than_what_is_kept_reads_it_anew(self, feed, monkeypatch):
        monkeypatch.setattr(feed_streams, "KEPT", 2)

        async def act(streams):
            slow, quick = Client(), Client()
            tasks = [begin(streams, slow), begin(streams, quick)]
            await until(lambda: slow.sent and quick.sent)
            free = asyncio.Event()
            send = slow.send_bytes

            async def waiting(data):
                await send(data)
                await free.wait()

            slow.send_bytes = waiting
            for newest in (1, 4, 8, 12):
                feed.newest = newest
                await quick.until(*range(1, newest + 1))
            assert slow.numbers() == [1]
            free.set()
            await slow.until(*range(1, 13))
            slow.gone.set()
            quick.gone.set()
            await asyncio.gather(*tasks)

        run(act)

    def test_a_comment_after_long_silence(self, feed, monkeypatch):
        monkeypatch.setattr(feed_streams, "HEARTBEAT", 0.02)

        async def act(streams):
            client = Client()
            task = begin(streams, client)
            await until(lambda: client.sent[-2:] == [COMMENT, COMMENT])
            client.gone.set()
            await task

        run(act)

    def test_a_comment_though_others_change_all_the_time(self, feed, monkeypatch):
        monkeypatch.setattr(feed_streams, "HEARTBEAT", 0.1)

        async def act(streams):
            client = Client()
            task = begin(streams, client, asked(player="nobody"))
            async with asyncio.timeout(20):
                while client.sent[-2:] != [COMMENT, COMMENT]:
                    feed.newest += 1
                    await asyncio.sleep(0.005)
            client.gone.set()
            await task

        run(act)

    def test_strangers_who_read_keep_nobody_with_a_key_waiting(self, feed, monkeypatch):
        free, read = threading.Event(), feed.events_after

        def slowly(pool, after, player=""):
            if threading.current_thread().name.startswith("feed-read-0"):
                free.wait(20)
            return read(pool, after, player)

        monkeypatch.setattr(feed_streams, "events_after", slowly)

        async def act(streams):
            feed.newest = 3
            stranger, server = Client(), Client()
            tasks = [begin(streams, stranger), begin(streams, server, asked(has_key=True))]
            await server.until(1, 2, 3)
            assert stranger.numbers() == []
            free.set()
            await stranger.until(1, 2, 3)
            for client in (stranger, server):
                client.gone.set()
            await asyncio.gather(*tasks)

        run(act)


class TestEnds:
    def test_who_takes_nothing(self, feed, monkeypatch):
        monkeypatch.setattr(feed_streams, "TAKES_WITHIN", 0.02)
        run(lambda streams: asyncio.wait_for(streams.send(asked(), ANSWER, Client(takes=False)), 20))

    def test_all_when_the_process_stops(self, feed):
        async def act(streams):
            clients = [Client() for _ in range(3)]
            tasks = [begin(streams, client) for client in clients]
            await until(lambda: all(client.sent for client in clients))
            streams.end_all()
            await asyncio.wait_for(asyncio.gather(*tasks), 20)

        run(act)

    def test_when_what_was_missed_cannot_be_read(self, feed):
        async def act(streams):
            feed.newest, feed.fails = 3, True
            await asyncio.wait_for(streams.send(asked(), ANSWER, Client()), 20)

        run(act)

    def test_not_when_the_database_is_away_for_a_while(self, feed):
        async def act(streams):
            client = Client()
            task = begin(streams, client)
            await until(lambda: client.sent)
            feed.newest, feed.fails = 2, True
            await until(lambda: len(feed.read) >= 3)
            feed.fails = False
            await client.until(1, 2)
            client.gone.set()
            await task

        run(act)


class TestHowMany:
    @pytest.mark.parametrize(
        ("most", "others", "asking"),
        [
            ({"MOST": 2}, {"has_key": True, "who": "a"}, {"has_key": True, "who": "b"}),
            ({"MOST_WITHOUT_KEY": 2}, {"who": "::1"}, {"who": "::2"}),
            ({"MOST_OF_ADDRESS": 2}, {}, {}),
        ],
    )
    def test_one_too_many(self, feed, monkeypatch, most, others, asking):
        for name, value in most.items():
            monkeypatch.setattr(feed_streams, name, value)

        async def act(streams):
            clients = [Client() for _ in range(2)]
            tasks = [begin(streams, client, asked(**others)) for client in clients]
            await asyncio.sleep(0)
            with pytest.raises(CrowdedError):
                await streams.send(asked(**asking), ANSWER, Client())
            for client in clients:
                client.gone.set()
            await asyncio.gather(*tasks)
            after = Client()
            after.gone.set()
            await streams.send(asked(**asking), ANSWER, after)

        run(act)

    def test_a_key_has_a_place_beside_all_without_one(self, feed, monkeypatch):
        monkeypatch.setattr(feed_streams, "MOST_OF_ADDRESS", 1)

        async def act(streams):
            clients = [Client(), Client(), Client()]
            tasks = [
                begin(streams, client, asked(has_key=has_key))
                for client, has_key in zip(clients, (False, True, True), strict=True)
            ]
            await until(lambda: all(client.sent for client in clients))
            for client in clients:
                client.gone.set()
            await asyncio.gather(*tasks)

        run(act)


class TestAnswers:
    @pytest.fixture
    def pool(self, db):
        pool = go_pool(("aoi", "2d+", 14_900, 300), ("kei", "3d", 15_300, 59), ("mio", "4k"))
        play(pool, game("G1", 1, "aoi", "kei", "W", 0, 7), game("G2", 2, "mio", "kei", "B"))
        play(pool, game("G0", 0, "aoi", "kei", "B", 0, 7))
        return pool

    def events(self, client, **asked):
        headers = asked.pop("headers", {})
        answer = client.get("/api/v1/pools/go/changes/stream", asked, headers=headers)
        assert (answer.status_code, answer["Content-Type"]) == (200, feed_events.TYPE)
        assert answer["Cache-Control"] == "no-store"
        told = b"".join(answer.streaming_content).decode()
        assert told.startswith(FIRST.decode())
        blocks = told.removeprefix(FIRST.decode()).split("\n\n")[:-1]
        pairs = [block.split("\n") for block in blocks]
        return [(int(number[4:]), json.loads(data[6:])) for number, data in pairs]

    def test_each_event_is_the_change_that_is_polled(self, client, pool):
        polled = client.get("/api/v1/pools/go/changes").json()["changes"]
        assert len(polled) > 3
        assert self.events(client) == [(each["number"], each) for each in polled]

    def test_after_a_number(self, client, pool):
        every = self.events(client)
        second = every[1][0]
        assert self.events(client, after=second) == every[2:]
        resumed = {"Last-Event-ID": str(second)}
        assert self.events(client, after=0, headers=resumed) == every[2:]
        assert self.events(client, after=2**63 - 1) == []

    def test_of_one_player(self, client, pool):
        every = self.events(client)
        of_mio = [each for each in every if "mio" in (each[1]["black"]["player"], each[1]["white"]["player"])]
        assert 0 < len(of_mio) < len(every)
        assert self.events(client, player="mio") == of_mio
        assert client.get("/api/v1/pools/go/changes/stream", {"player": "nobody"}).status_code == 404

    @pytest.mark.parametrize("wrong", ["-1", "x", "", str(2**63)])
    def test_what_is_no_number(self, client, pool, wrong):
        address = "/api/v1/pools/go/changes/stream"
        assert client.get(address, {"after": wrong}).status_code == 422
        assert client.get(address, headers={"Last-Event-ID": wrong}).status_code == 422

    def test_head(self, client, pool):
        answer = client.head("/api/v1/pools/go/changes/stream")
        assert (answer.status_code, answer["Content-Type"]) == (200, feed_events.TYPE)
        assert answer.content == b""

    def test_the_gate_takes_the_stream_from_it(self, rf, pool):
        def application(environ, start):
            start("200 OK", [])
            return FeedResponse(asked(after=4))

        answer = answer_of(application, rf.get("/").environ, rf.get("/").environ["wsgi.input"])
        assert (answer.feed, answer.body) == (asked(after=4), b"")
