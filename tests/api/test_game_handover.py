"""Games handed over to the process that writes them, and what happens where that is not there, or ends."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import subprocess
import sys
import threading
import time
from http import HTTPStatus
from pathlib import Path
from struct import Struct

import pytest

from banzuke.api.auth import SERVER_LIMIT
from banzuke.api.live.game_handover import (
    BUSY,
    NOT_PLAIN,
    MessageReader,
    PostedGames,
    Verdict,
    WriterAnswer,
    message,
)
from banzuke.server import game_writer
from banzuke.server.game_writer import GameWriter
from banzuke.server.gate import known_keys, posted_games
from banzuke.server.gate.bodies import TurnedAwayError
from banzuke.server.gate.known_keys import KnownKeys
from banzuke.server.gate.posted_games import PostedGamesQueue
from banzuke.server.gate.request_threads import CrowdedError, Places
from banzuke.server.gate.turned_away import answer_to

GAMES = PostedGames("go", "bzk_key", '{"name": "囲碁\n"}'.encode())


@pytest.fixture(autouse=True)
def address(settings, tmp_path):
    """Each test has an address of its own."""
    settings.GAME_WRITER = str(tmp_path / "games")
    return settings.GAME_WRITER


def new_queue(opens_pool=lambda games: games.pool != "none"):
    """What a process has to hand games over; `opens_pool` says which keys open a pool."""
    loop = asyncio.get_running_loop()
    return PostedGamesQueue(KnownKeys(opens_pool, loop), loop)


def hand_over(*posts):
    """What each of the posts, made together by one process, is answered: text, None, or the error."""

    async def run():
        queue = new_queue()
        return await asyncio.gather(*(queue.hand_over(each) for each in posts), return_exceptions=True)

    return asyncio.run(run())


def begin(address, take, wanted_part=1.0):
    """A writer in threads that takes games as it is told."""
    writer = GameWriter(take, wanted_part)
    threading.Thread(target=writer.serve, args=(address,), daemon=True).start()
    for _ in range(1000):
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as line:
            line.connect(address)
            return
        time.sleep(0.01)
    raise AssertionError


def echo(posts):
    return [
        WriterAnswer(Verdict.TAKEN, json.dumps([*each[:2], each.body.decode()]).encode()) for each in posts
    ]


class TestMessages:
    def test_they_come_in_any_pieces(self):
        sent = [(1, b""), (2**40, b"x" * 1000), (3, b"\n\0")]
        data = b"".join(message(*each) for each in sent)
        for size in (1, 5, 12, 13, len(data)):
            reader = MessageReader()
            parts = [data[at : at + size] for at in range(0, len(data), size)]
            assert [each for part in parts for each in reader.add(part)] == sent

    def test_one_that_nobody_looks_at_does_not_come_again(self):
        reader = MessageReader()
        reader.add(message(1, b"a") + message(2, b"b"))
        assert reader.add(message(3, b"c")) == [(3, b"c")]

    def test_what_is_said_is_what_was_meant(self):
        assert PostedGames.from_bytes(GAMES.to_bytes()) == GAMES
        for answer in (NOT_PLAIN, BUSY, WriterAnswer(Verdict.TAKEN, b"{}")):
            assert WriterAnswer.from_bytes(answer.to_bytes()) == answer


def test_what_is_taken_is_answered(address):
    begin(address, echo)
    for _ in range(2):
        [text] = hand_over(GAMES)
        assert json.loads(text) == ["go", "bzk_key", GAMES.body.decode()]


def test_each_gets_its_own_answer(address):
    begin(address, echo)
    posts = [PostedGames(f"pool{number % 3}", "k", str(number).encode()) for number in range(200)]
    answers = hand_over(*posts)
    assert [json.loads(each)[2] for each in answers] == [str(number) for number in range(200)]


def test_those_that_wait_are_taken_together(address):
    sizes, first = [], threading.Event()

    def take(posts):
        sizes.append(len(posts))
        if len(sizes) == 1:
            first.wait(10)
        return echo(posts)

    begin(address, take)
    threading.Timer(0.3, first.set).start()
    assert None not in hand_over(*[GAMES] * 50)
    assert sum(sizes) == 50
    assert len(sizes) <= 3


def test_one_that_comes_alone_does_not_wait_for_as_many_as_last_time(address, monkeypatch):
    monkeypatch.setattr(game_writer, "MOST_PATIENCE", 0.2)
    sizes = []

    def take(posts):
        sizes.append(len(posts))
        time.sleep(0.1)
        return echo(posts)

    begin(address, take)
    for many in (50, 1, 50, 1, 1):
        assert None not in hand_over(*[GAMES] * many)
    assert sum(sizes) == 103
    assert sizes[-2:] == [1, 1]


@pytest.mark.parametrize(("wanted_part", "sizes"), [(1.0, [4, 4]), (0.5, [4, 2, 2])])
def test_it_waits_for_a_part_of_as_many_as_last_time(monkeypatch, wanted_part, sizes):
    monkeypatch.setattr(game_writer, "PART_OF_LAST", 1_000)
    monkeypatch.setattr(game_writer, "MOST_PATIENCE", 20)
    near, far = socket.socketpair()
    taken, came = [], threading.Semaphore(0)

    def take(posts):
        time.sleep(0.05)
        taken.append(len(posts))
        came.release()
        return echo(posts)

    with near, far:
        post = game_writer.Post(game_writer.PagesLine(near), 1, GAMES)
        inbox = game_writer.PoolInbox(take, wanted_part)
        inbox.add([post] * 4)
        assert came.acquire(timeout=10)
        time.sleep(0.2)  # by now it waits again
        inbox.add([post] * 2)
        assert came.acquire(timeout=0.5) == (wanted_part < 1)
        inbox.add([post] * 2)
        assert came.acquire(timeout=10)
        assert taken == sizes


def test_a_pool_that_is_slow_keeps_no_other_waiting(address):
    let = threading.Event()

    def take(posts):
        if posts[0].pool == "slow":
            let.wait(10)
        else:
            let.set()
        return echo(posts)

    begin(address, take)
    assert None not in hand_over(GAMES._replace(pool="slow"), GAMES)


class TestKeys:
    def test_a_stranger_does_not_use_up_the_limit_of_a_key_by_its_first_part(self, address, monkeypatch):
        monkeypatch.setattr(SERVER_LIMIT, "most", 2)
        SERVER_LIMIT.clear()
        begin(address, echo)
        good = PostedGames("go", "bzk_prefix_secret", b"1")
        strangers = [good._replace(key="bzk_prefix_guessed")] * 5

        async def run():
            queue = new_queue(lambda games: games.key == good.key)
            return [await queue.hand_over(each) for each in (*strangers, good, good, good)]

        assert [answer is not None for answer in asyncio.run(run())] == [False] * 5 + [True, True, False]

    def test_one_that_opens_nothing_is_not_handed_over(self, address):
        asked = []

        def take(posts):
            asked.append(posts[0].pool)
            return echo(posts)

        begin(address, take)
        said = hand_over(*[GAMES._replace(pool="none")] * 5, GAMES)
        assert [each is None for each in said] == [True] * 5 + [False]
        assert asked == ["go"]

    def test_strangers_take_no_place_of_a_pool(self, address, monkeypatch):
        monkeypatch.setattr(posted_games, "MOST_OF_POOL", 1)
        monkeypatch.setattr(posted_games, "MOST_BYTES", len(GAMES.body))
        monkeypatch.setattr(known_keys, "KEY_LOOKUPS", Places(1, 2, 2.0))
        begin(address, echo)
        let, looked = threading.Event(), threading.Event()

        def opens_pool(games):
            if games != GAMES:
                looked.set()
                let.wait(10)
            return games == GAMES

        async def run():
            queue = new_queue(opens_pool)
            assert await queue.hand_over(GAMES)
            strangers = [
                asyncio.ensure_future(queue.hand_over(GAMES._replace(key=f"{number}"))) for number in range(5)
            ]
            await asyncio.to_thread(looked.wait, 10)
            assert await queue.hand_over(GAMES), "whose key is known does not wait for strangers"
            let.set()
            return await asyncio.gather(*strangers, return_exceptions=True)

        said = asyncio.run(run())
        assert [each is None or type(each) for each in said] == [True] * 3 + [CrowdedError] * 2

    def test_strangers_keep_out_nobody_whose_key_is_to_be_looked_up_again(self, address, monkeypatch):
        monkeypatch.setattr(known_keys, "KEY_LOOKUPS", Places(1, 0, 2.0))
        begin(address, echo)
        let, looked = threading.Event(), threading.Event()

        def opens_pool(games):
            if games != GAMES:
                looked.set()
                let.wait(10)
            return games == GAMES

        async def run():
            queue = new_queue(opens_pool)
            monkeypatch.setattr(known_keys, "REMEMBERED", -1)
            assert await queue.hand_over(GAMES)
            stranger = asyncio.ensure_future(queue.hand_over(GAMES._replace(key="wrong")))
            await asyncio.to_thread(looked.wait, 10)
            assert await queue.hand_over(GAMES)
            let.set()
            assert await stranger is None

        asyncio.run(run())

    def test_of_those_who_wait_with_one_key_only_so_many_bytes_are_kept(self, address, monkeypatch):
        monkeypatch.setattr(known_keys, "MOST_BYTES", 2 * len(GAMES.body))
        begin(address, echo)
        said = hand_over(*[GAMES._replace(pool="none")] * 4)
        assert [type(each) for each in said] == [type(None)] * 2 + [CrowdedError] * 2

    def test_one_is_looked_up_once_in_a_while(self, address, monkeypatch):
        begin(address, echo)
        looked = []

        def opens_pool(games):
            looked.append(games.key)
            return games == GAMES

        async def run():
            queue = new_queue(opens_pool)
            for _ in range(2):
                assert None not in await asyncio.gather(queue.hand_over(GAMES), queue.hand_over(GAMES))
            assert len(looked) == 1
            monkeypatch.setattr(known_keys, "REMEMBERED", -1)
            for _ in range(2):
                assert await queue.hand_over(GAMES._replace(key="wrong")) is None
            assert len(looked) == 3, "a key that opens nothing may open it the next time"
            queue._keys._until.clear()
            for _ in range(2):
                assert await queue.hand_over(GAMES)
            assert len(looked) == 5, "it is looked up again when its time is over"

        asyncio.run(run())


def test_a_pool_that_is_not_answered_leaves_the_line_to_others(address, monkeypatch):
    monkeypatch.setattr(posted_games, "ANSWERS_WITHIN", 0.5)
    let = threading.Event()

    def take(posts):
        if posts[0].pool == "slow":
            let.wait(10)
        return echo(posts)

    begin(address, take)

    async def run():
        queue = new_queue()
        slow = asyncio.ensure_future(queue.hand_over(GAMES._replace(pool="slow")))
        await asyncio.sleep(0.3)
        assert await queue.hand_over(GAMES) is not None
        connection = queue._connection
        said = await asyncio.gather(slow, return_exceptions=True)
        assert await queue.hand_over(GAMES) is not None
        assert queue._connection is connection
        return said

    [error] = asyncio.run(run())
    let.set()
    assert (type(error), error.why) == (TurnedAwayError, "unanswered")


def test_games_of_a_process_that_is_gone_are_left(address):
    asked, let = [], threading.Event()

    def take(posts):
        asked.append([each.body for each in posts])
        let.wait(10)
        return echo(posts)

    begin(address, take)
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(address)
        for body in (b"1", b"2"):
            line.sendall(message(1, GAMES._replace(body=body).to_bytes()))
            time.sleep(0.2)
    time.sleep(0.2)
    let.set()
    assert None not in hand_over(GAMES._replace(body=b"3"))
    assert asked == [[b"1"], [b"3"]]


def test_a_process_that_does_not_take_its_answers_is_left(address, monkeypatch):
    monkeypatch.setattr(game_writer, "TAKES_WITHIN", Struct("ll").pack(0, 300_000))
    asked = []

    def take(posts):
        asked.extend(each.body for each in posts)
        return [WriterAnswer(Verdict.TAKEN, b"x" * 4_000_000) for _ in posts]

    begin(address, take)
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(address)
        line.settimeout(10)
        line.sendall(message(1, GAMES._replace(body=b"1").to_bytes()))
        until = time.monotonic() + 10
        while not asked and time.monotonic() < until:
            time.sleep(0.01)
        assert hand_over(GAMES._replace(body=b"2")) == [b"x" * 4_000_000]
        with contextlib.suppress(BrokenPipeError):
            line.sendall(message(2, GAMES._replace(body=b"3").to_bytes()))
        came = 0
        while part := line.recv(1 << 20):
            came += len(part)
        assert came < 4_000_000
    assert asked == [b"1", b"2"]


def test_a_line_that_ends_within_a_message(address):
    asked = []

    def take(posts):
        asked.append([each.body for each in posts])
        return echo(posts)

    begin(address, take)
    whole = message(1, GAMES._replace(body=b"1").to_bytes())
    for size in (5, len(whole) - 1):
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(address)
            line.sendall(whole[:size])
    assert None not in hand_over(GAMES._replace(body=b"2"))
    assert asked == [[b"2"]]


@pytest.mark.parametrize("size", [5, 13])
def test_an_answer_that_ends_half_way_is_none(address, size):
    def answer_by_half(listening):
        with listening, listening.accept()[0] as line:
            line.recv(1000)
            line.sendall(message(1, WriterAnswer(Verdict.TAKEN, b"{}").to_bytes())[:size])

    listening = socket.socket(socket.AF_UNIX)
    listening.bind(address)
    listening.listen()
    threading.Thread(target=answer_by_half, args=(listening,)).start()
    assert hand_over(GAMES) == [None]


def test_much_at_once(address):
    begin(address, lambda posts: [WriterAnswer(Verdict.TAKEN, each.body * 2) for each in posts])
    assert hand_over(GAMES._replace(body=b"x" * 2_000_000)) == [b"x" * 4_000_000]


def test_what_is_not_plain_is_left_to_the_address_itself(address):
    begin(address, lambda posts: [NOT_PLAIN] * len(posts))
    assert hand_over(GAMES) == [None]


def test_a_database_that_is_busy(address):
    begin(address, lambda posts: [BUSY] * len(posts))
    [said] = hand_over(GAMES)
    assert isinstance(said, TurnedAwayError)
    assert (said.status, said.why) == (503, "busy")


def test_who_came_meanwhile_does_not_wait_for_a_busy_database_again(address):
    asked = []

    def take(posts):
        asked.append(len(posts))
        time.sleep(0.3)
        return [BUSY] * len(posts)

    begin(address, take)

    async def run():
        queue = new_queue()
        one = asyncio.ensure_future(queue.hand_over(GAMES))
        await asyncio.sleep(0.1)
        return await asyncio.gather(one, queue.hand_over(GAMES), return_exceptions=True)

    assert [type(each) for each in asyncio.run(run())] == [TurnedAwayError] * 2
    assert asked == [1]


def test_there_is_no_writer(settings):
    assert hand_over(GAMES) == [None]
    settings.GAME_WRITER = ""
    assert hand_over(GAMES) == [None]


def test_a_writer_that_ends_and_comes_again(address):
    """Whoever it had leaves it to the address itself; the next goes to the new one."""

    def end_at_once(listening):
        with listening, listening.accept()[0] as line:
            line.recv(1)

    listening = socket.socket(socket.AF_UNIX)
    listening.bind(address)
    listening.listen()
    threading.Thread(target=end_at_once, args=(listening,)).start()

    async def run():
        queue = new_queue()
        first = await queue.hand_over(GAMES)
        await asyncio.to_thread(begin_anew)
        return first, await queue.hand_over(GAMES)

    def begin_anew():
        begin(address, echo)

    first, second = asyncio.run(run())
    assert first is None
    assert second is not None


def test_a_writer_that_does_not_answer(address, monkeypatch):
    monkeypatch.setattr(posted_games, "ANSWERS_WITHIN", 0.05)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        [error] = hand_over(GAMES)
    assert isinstance(error, TurnedAwayError)
    assert (error.status, error.why) == (503, "unanswered")
    answer = answer_to(error, "/api/v1/pools/go/games")
    assert "Retry-After" in dict(answer.headers)
    assert "may have been taken" in json.loads(answer.body)["detail"]


def test_a_page_for_who_got_no_answer_speaks_both_languages():
    page = answer_to(TurnedAwayError(HTTPStatus.SERVICE_UNAVAILABLE, "unanswered"), "/").body.decode()
    assert "may have been taken" in page
    assert "受け付けられている可能性があります" in page


@pytest.mark.parametrize("bound", ["MOST_OF_POOL", "MOST_BYTES"])
def test_so_many_may_wait(address, monkeypatch, bound):
    monkeypatch.setattr(posted_games, bound, 2 if bound == "MOST_OF_POOL" else 2 * len(GAMES.body))
    begin(address, echo)
    said = hand_over(*[GAMES] * 5)
    assert [isinstance(each, CrowdedError) for each in said] == [False, False, True, True, True]


@pytest.mark.parametrize("is_heard", [True, False])
def test_an_error_that_nobody_expects_ends_the_writer(address, is_heard):
    """Libraries in Rust raise what is no Exception; a thread that ends of it would leave its pool waiting."""
    script = """
import sys
from banzuke.server.game_writer import GameWriter, end_with_any_thread
from banzuke.server.log_format import print_places_only

def take(posts):
    raise BaseException("1999-12-31")

print_places_only()
end_with_any_thread()
GameWriter(take, 1.0).serve(sys.argv[1])
"""
    writer = subprocess.Popen([sys.executable, "-c", script, address], stderr=subprocess.PIPE, text=True)
    try:
        until = time.monotonic() + 20
        while not Path(address).exists() and time.monotonic() < until:
            time.sleep(0.02)
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(address)
            if not is_heard:
                writer.stderr.close()
            line.sendall(message(1, GAMES.to_bytes()))
            writer.wait(20)
        shown = writer.stderr.read() if is_heard else "in take"
    finally:
        writer.kill()
        writer.stderr.close()
    assert writer.returncode == 1
    assert "in take" in shown
    assert "1999" not in shown
