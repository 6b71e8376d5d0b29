"""Games that programs insert into the database, taken out of the queue into the book."""

from __future__ import annotations

import json
from contextlib import nullcontext
from datetime import timedelta

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction
from office.live_pool import START, game, go_pool, play
from web.small_office import small_pool

from banzuke.core.fault import RefusedError
from banzuke.core.go_facts import GoPlayer
from banzuke.database.book_reader import MissingBookError
from banzuke.database.models import (
    Entry,
    GoGame,
    JournalEntry,
    LiveGame,
    LiveStanding,
    OfficeSettings,
    QueuedGame,
)
from banzuke.database.outages import BusyError
from banzuke.office.journal import Actor
from banzuke.office.live import game_queue, submission_queue
from banzuke.office.live.accounts import Newcomer, add_players
from banzuke.office.live.game_queue import drop_refused, put_again, refused_rows, take_batch, waiting_pools
from banzuke.server import consumer
from banzuke.server.consumer import StopRequest, consume, read_game

pytestmark = pytest.mark.django_db
CLERK = Actor("clerk")
FIELDS = ("handicap", "board", "moves", "room", "pair", "robot", "fault")


def posted(one):
    """A game as it is posted to the API."""
    said = {name: getattr(one, name) for name in FIELDS}
    return said | {
        "game_id": one.game_id,
        "ended": one.ended.isoformat(),
        "black": one.black,
        "white": one.white,
        "result": one.result,
        "komi": one.komi / 2,
    }


def put(*games, pool="go"):
    """Rows as a program inserts them, by plain SQL: a game, or any other JSON."""
    with connection.cursor() as cursor:
        for one in games:
            text = (
                one if isinstance(one, str) else json.dumps(posted(one) if hasattr(one, "game_id") else one)
            )
            cursor.execute("INSERT INTO book_queuedgame (pool, game) VALUES (%s, %s)", [pool, text])


def duel(game_id, minute, result="B", black="one", white="two"):
    return game(game_id, minute, black, white, result)


def why(pools=()):
    """Which games were refused, with the code."""
    return {json.loads(row.game).get("game_id"): row.fault.code for row in refused_rows(pools)}


@pytest.fixture
def pool():
    return go_pool(("one", "5k", 9700, 300), ("two", "5k", 9700, 300), ("three", "4k"))


def standings(pool):
    return sorted(LiveStanding.objects.filter(pool=pool).values_list("player_id", "state"))


def test_the_games_stand_as_if_they_were_posted(pool):
    games = [duel(f"G{number}", number, "BW"[number % 2]) for number in (3, 1, 2, 5, 4)]
    other = go_pool(("one", "5k", 9700, 300), ("two", "5k", 9700, 300), ("three", "4k"), slug="posted")
    play(other, *games)
    put(*games)
    batch = take_batch("go", read_game)
    assert batch[:4] == ("go", 5, 0, 0)
    assert len(batch.waited) == 5
    assert standings(pool) == standings(other)
    assert not QueuedGame.objects.exists()
    assert waiting_pools() == []
    entry = Entry.objects.filter(pool=pool).latest("pk")
    assert (entry.act, entry.author.partition(":")[0]) == ("games", "queue")
    assert GoGame.objects.filter(entry=entry).count() == 5, "one entry for the batch"


def test_a_game_that_comes_again_changes_nothing(pool):
    put(duel("G1", 1), duel("G1", 1), duel("G2", 2))
    assert take_batch("go", read_game)[1:4] == (2, 1, 0)
    before = standings(pool)
    put(duel("G2", 2), duel("G1", 1))
    assert take_batch("go", read_game)[1:4] == (0, 2, 0)
    assert standings(pool) == before
    assert LiveGame.objects.count() == 2
    assert not QueuedGame.objects.exists()


def test_a_game_that_was_posted_counts_once_and_one_that_is_inserted_may_be_posted(pool):
    play(pool, duel("G1", 1))
    put(duel("G1", 1), duel("G2", 2))
    assert take_batch("go", read_game)[1:4] == (1, 1, 0)
    (answered,) = submission_queue.send(pool, [duel("G2", 2)], "server").games
    assert (answered.game_id, answered.is_new) == ("G2", False)
    assert LiveGame.objects.count() == 2


def test_another_game_of_an_id_is_refused(pool):
    put(duel("G1", 1), duel("G1", 1, "W"))
    assert take_batch("go", read_game)[1:4] == (1, 0, 1)
    put(duel("G1", 9))
    assert take_batch("go", read_game)[1:4] == (0, 0, 1)
    assert [row.fault.code for row in refused_rows()] == ["other-game"] * 2


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        [],
        None,
        '"G1"',
        "G1",
        "",
        "{",
        "[" * 2_000 + "]" * 2_000,
        '{"game_id": "\\ud800"}',
        '{"game_id": "\\u0000"}',
        '{"moves": ' + "9" * 999 + "}",
        7,
        [{"game_id": "G1"}],
        {"game_id": "G1", "x": 1},
        posted(duel("G 1\n", 1)),
        posted(duel("G1", 1)) | {"komi": 6.3},
        posted(duel("G1", 1)) | {"moves": "many"},
        posted(duel("G1", 1)) | {"ended": "2026-01-01T12:00:00"},
        posted(duel("G1", 1)) | {"black": "山" * 101},
        posted(duel("G1", 1)) | {"handicap": 1e300},
        posted(duel("G1", 1)) | {"reason": "of no kind"},
    ],
)
def test_what_is_no_game_is_refused_and_holds_nobody_up(pool, wrong):
    put(duel("G7", 1), wrong, duel("G8", 2))
    assert take_batch("go", read_game)[1:4] == (2, 0, 1)
    (row,) = refused_rows()
    assert row.fault.code == "queue-no-game"
    assert row.game == (wrong if isinstance(wrong, str) else json.dumps(wrong))


def test_every_kind_of_refusal(pool):
    small_pool("japan", "chess")
    put(duel("no such player", 1, white="nobody"), duel("itself", 1, white="one"))
    put(duel("in the future", 600_000 * 24))
    put(duel("of no pool", 1), pool="goo")
    put(duel("of chess", 1), pool="chess")
    put(duel("good", 1), duel("late", -60 * 48))
    OfficeSettings.objects.update_or_create(defaults={"late_hours": 24})
    play(pool, duel("first", 0))
    assert waiting_pools() == ["chess", "go", "goo"]
    for slug in waiting_pools():
        take_batch(slug, read_game)
    assert why() == {
        "no such player": "unknown-player",
        "itself": "self-play",
        "in the future": "future-game",
        "of no pool": "queue-no-pool",
        "of chess": "queue-not-go",
        "late": "too-late",
    }
    assert why(["goo"]) == {"of no pool": "queue-no-pool"}
    assert GoGame.objects.filter(game_id="good").exists()
    assert waiting_pools() == []


def test_refused_games_are_put_again_or_dropped(pool):
    put(duel("G1", 1, white="four"), duel("G2", 2, white="five"), duel("G3", 3, white="six"))
    assert take_batch("go", read_game).refused == 3
    add_players(pool, [Newcomer(GoPlayer("four", "Four", "5k", False))], "server")
    first, second, _ = sorted(row.number for row in refused_rows())
    assert put_again(["go"], [first], CLERK) == 1
    assert take_batch("go", read_game)[1:4] == (1, 0, 0)
    assert drop_refused([], [second], CLERK) == 1
    assert why() == {"G3": "unknown-player"}
    assert put_again(["other"], [], CLERK) == 0
    assert (put_again([], [], CLERK), take_batch("go", read_game).refused) == (1, 1)
    assert list(JournalEntry.objects.order_by("pk").values_list("act", "who")) == [
        ("queue-again", "clerk"),
        ("queue-drop", "clerk"),
        ("queue-again", "clerk"),
    ]


def test_only_what_was_refused_is_dropped(pool):
    put(duel("G1", 1))
    number = QueuedGame.objects.get().pk
    assert (drop_refused([], [number], CLERK), drop_refused(["go"], [], CLERK)) == (0, 0)
    assert QueuedGame.objects.exists()


def test_no_more_than_a_batch_is_taken_the_longest_waiting_first(pool):
    put(*(duel(f"G{number}", number) for number in range(5)))
    assert take_batch("go", read_game, 3).taken == 3
    assert sorted(GoGame.objects.values_list("game_id", flat=True)) == ["G0", "G1", "G2"]


def test_a_game_over_which_the_program_stumbles_is_refused_alone(pool, monkeypatch):
    faults = submission_queue.check_game

    def stumble(*args):
        if args[2].game_id == "G2":
            raise ZeroDivisionError("of this game")
        faults(*args)

    monkeypatch.setattr(submission_queue, "check_game", stumble)
    put(*(duel(f"G{number}", number) for number in range(5)))
    assert take_batch("go", read_game)[1:4] == (4, 0, 1)
    assert why() == {"G2": "queue-failed"}


@pytest.mark.parametrize("error", [OperationalError("gone"), KeyboardInterrupt(), MemoryError()])
def test_what_ends_a_batch_before_its_time_changes_nothing(pool, monkeypatch, error):
    put(duel("G1", 1), duel("G2", 2))
    settle = game_queue._settle

    def fail(*args):
        settle(*args)
        raise error

    monkeypatch.setattr(game_queue, "_settle", fail)
    with pytest.raises(type(error)):
        take_batch("go", read_game)
    assert not GoGame.objects.exists()
    assert QueuedGame.objects.filter(refused=None).count() == 2
    monkeypatch.undo()
    assert take_batch("go", read_game).taken == 2


def test_a_row_that_another_has_taken_meanwhile_is_left_alone(pool, monkeypatch):
    put(duel("G1", 1), duel("G2", 2))
    rows = game_queue._rows("go", 10)
    take_batch("go", read_game, 1)
    monkeypatch.setattr(game_queue, "_rows", lambda *_: rows)
    assert take_batch("go", read_game)[1:4] == (1, 0, 0)
    assert LiveGame.objects.count() == 2


def test_the_book_may_have_gone_on_meanwhile(pool):
    """What an officer entered past the service is rated before the games of the queue."""
    put(duel("G1", 1))
    take_batch("go", read_game)
    entry = Entry.objects.create(pool=pool, at=START, author="clerk", act="accept-report")
    GoGame.objects.create(pool=pool, entry=entry, **posted(duel("G2", 2)) | {"komi": 13})
    put(duel("G3", 3), duel("G0", 0))
    assert take_batch("go", read_game).taken == 2
    assert list(LiveGame.objects.filter(stands=True).order_by("at").values_list("game_id", flat=True)) == [
        "G0",
        "G1",
        "G2",
        "G3",
    ]


def test_a_game_that_is_too_long_is_not_even_inserted(pool):
    with pytest.raises(IntegrityError), transaction.atomic():
        put("G" * 4_001)
    put("G" * 4_000)


def test_a_fault_says_the_field(pool):
    with pytest.raises(RefusedError) as refused:
        read_game(pool, '{"game_id": "G1"}')
    (fault,) = refused.value.faults
    assert (fault.column, dict(fault.facts)["reason"]) == ("ended", "Field required")
    with pytest.raises(RefusedError):
        read_game(pool, "[" * 5_000)


class TestConsuming:
    def test_all_pools_or_some(self, pool):
        go_pool(("one", "5k"), ("two", "5k"), slug="other")
        put(duel("G1", 1))
        put(duel("G1", 1), pool="other")
        told = []
        consume(["other"], StopRequest(), told.append, once=True)
        assert [batch.pool for batch in told] == ["other"]
        consume([], StopRequest(), told.append, once=True)
        assert [batch.pool for batch in told] == ["other", "go"]

    def test_it_ends_after_the_batch(self, pool, monkeypatch):
        put(duel("G1", 1), duel("G2", 2))
        stop, told = StopRequest(), []

        def tell(batch):
            told.append(batch.taken)
            stop.ask()

        monkeypatch.setattr(consumer, "take_batch", lambda slug, read: take_batch(slug, read, 1))
        consume([], stop, tell)
        assert (told, QueuedGame.objects.count()) == ([1], 1)
        with pytest.raises(KeyboardInterrupt):
            stop.ask()

    def test_an_outage_is_told_once_and_waited_out(self, pool, monkeypatch):
        stop, told, outages = StopRequest(), [], []
        busy = BusyError("busy")

        def take(slug, read):
            if len(outages) + len(told) < 3:
                told.append("tried")
                raise busy
            stop.ask()
            return take_batch(slug, read)

        monkeypatch.setattr(consumer, "take_batch", take)
        monkeypatch.setattr(consumer, "PATIENCE", 0)
        monkeypatch.setattr(consumer.connection, "close", lambda: None)
        put(duel("G1", 1))
        done = []
        consume([], stop, done.append, outages.append)
        assert (outages, [batch.taken for batch in done]) == ([busy], [1])

    @pytest.mark.parametrize("stays_busy", [False, True])
    def test_once_takes_those_of_a_pool_that_was_busy_too(self, pool, monkeypatch, stays_busy):
        go_pool(("one", "5k"), ("two", "5k"), slug="a-first")
        put(duel("G1", 1), pool="a-first")
        put(duel("G1", 1))
        tried = []

        def take(slug, read):
            tried.append(slug)
            if slug == "a-first" and (stays_busy or len(tried) == 1):
                raise BusyError("busy")
            return take_batch(slug, read)

        monkeypatch.setattr(consumer, "take_batch", take)
        with pytest.raises(BusyError) if stays_busy else nullcontext():
            consume([], StopRequest(), lambda _: None, once=True)
        assert tried == ["a-first", "go", "a-first"]
        assert QueuedGame.objects.count() == stays_busy

    def test_a_pool_without_its_rule_book_waits_and_others_go_on(self, pool, monkeypatch, caplog):
        go_pool(("one", "5k"), ("two", "5k"), slug="a-first")
        put(duel("G1", 1), pool="a-first")
        put(duel("G1", 1))

        def take(slug, read):
            if slug == "a-first":
                raise MissingBookError(["gone"])
            return take_batch(slug, read)

        monkeypatch.setattr(consumer, "take_batch", take)
        told = []
        consume([], StopRequest(), told.append, once=True)
        assert [batch.pool for batch in told] == ["go"]
        assert QueuedGame.objects.get().refused is None

    def test_games_that_come_while_it_waits(self, pool, monkeypatch):
        stop, told = StopRequest(), []
        wait = consumer._wait

        def come(*args):
            if told:
                stop.ask()
            else:
                put(duel("G1", 1))
            wait(*args)

        monkeypatch.setattr(consumer, "_wait", come)
        consume([], stop, told.append)
        assert [batch.taken for batch in told] == [1]
        assert told[0].waited[0] < timedelta(minutes=1)
