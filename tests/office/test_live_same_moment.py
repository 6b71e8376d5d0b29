"""Live standings where games share a moment, a sending, or their numbers with games of chess."""

from __future__ import annotations

from datetime import date

import pytest
from django.db import transaction
from live_pool import START, game, go_pool, play
from random_office import any_pool

from banzuke.core.go_facts import Declaration, GoGame
from banzuke.database.book_reader import read_book
from banzuke.database.book_writer import Act, add_facts, open_entry
from banzuke.database.models import GoGame as GameRow
from banzuke.database.models import LiveGame, LiveStanding, Strike
from banzuke.engine.go_history import history, opening
from banzuke.engine.go_ranking import rung
from banzuke.office.fact_rows import TABLES
from banzuke.office.live import game_rating, submission_queue
from banzuke.office.live.live_codec import state_from, texts_of
from banzuke.office.live.live_pool import lock_current_pool
from banzuke.office.live.whole_standings import rebuild

pytestmark = pytest.mark.django_db
FOUR = [(player, "1k", 13_000, 300) for player in ("aoi", "kei", "rin", "sho")]


def equals_batch(pool):
    ledger = read_book(pool)
    rated = {each.game.game_id: texts_of(each[1:]) for each in history(ledger, opening(ledger), None)}
    rows = LiveGame.objects.filter(pool=pool, stands=True)
    return {row.game_id: (row.black_line, row.white_line) for row in rows} == rated


def test_a_late_game_of_a_moment_with_others_reaches_all_that_come_after(monkeypatch):
    """As many games as are read at once come from its moment on, one of that moment before it."""
    monkeypatch.setattr(game_rating, "MOST_READ", 4)
    monkeypatch.setattr(game_rating, "READ_FOR_EACH", 1)
    pool = go_pool(*FOUR)
    play(pool, game("a", 0, "rin", "sho", "B"), *[game(f"g{n}", n, "aoi", "kei", "B") for n in range(1, 9)])
    play(pool, game("b", 0, "aoi", "rin", "W"))
    assert equals_batch(pool)


def test_what_an_inquiry_struck_of_chess_strikes_no_game_of_go():
    pool, chess = go_pool(*FOUR), any_pool()
    play(pool, game("a", 0, "aoi", "kei", "B"))
    with transaction.atomic():
        entry = open_entry(chess, Act("officer", "inquiry"))
        row = GameRow.objects.get().pk
        Strike.objects.create(entry=entry, pool=chess, table="games", row=row, day=date(2026, 1, 1))
    with lock_current_pool(pool) as held:
        rebuild(held, held.locked.last)
    assert equals_batch(pool)


def test_who_declared_a_rank_and_played_past_the_service_stands_on_its_rung():
    pool = go_pool(*FOUR, ("new", "5k"))
    play(pool, game("a", 0, "aoi", "kei", "B"))
    with transaction.atomic():
        entry = open_entry(pool, Act("officer", "report"))
        add_facts(entry, TABLES[Declaration], [Declaration("new", START, "1d")])
        add_facts(entry, TABLES[GoGame], [game("b", 1, "new", "kei", "B")])
    with lock_current_pool(pool):
        pass
    seat = LiveStanding.objects.get(pool=pool, player_id="new")
    assert state_from(seat.state).rank == "1d?"
    assert seat.rung == rung(state_from(seat.state))


def test_a_game_is_new_once(monkeypatch):
    """Twice in one sending, and in another that waits beside it."""
    pool = go_pool(*FOUR)
    twice, once = [game("a", 0, "aoi", "kei", "B")] * 2, [game("a", 0, "aoi", "kei", "B")]
    waiting = submission_queue.Submission(once, "other")
    monkeypatch.setattr(submission_queue, "_queues", {})
    queue = submission_queue._queues.setdefault(pool.pk, submission_queue._Queue())
    together = queue.next_together
    monkeypatch.setattr(queue, "next_together", lambda: [*together(), waiting])
    assert [each.is_new for each in submission_queue.send(pool, twice, "server").games] == [True, False]
    assert [each.is_new for each in waiting.result.games] == [False]


def test_a_late_game_names_whom_it_moved_though_another_sending_has_them_too(monkeypatch):
    """Two sendings in one transaction: each is told of the other players that its own games moved."""
    pool = go_pool(
        ("aoi", "14k+", 2_790, 300),
        ("kei", "14k", 2_750, 300),
        ("ume", "14k", 2_600, 300),
        ("new", "14k", 2_600, 300),
    )
    submission_queue.send(pool, [game("c", 9, "kei", "ume", "B", komi=13)], "server")
    late = [game("a", 5, "aoi", "kei", "W", komi=13)]
    waiting = submission_queue.Submission([game("d", 12, "ume", "new", "B", komi=13)], "other")
    monkeypatch.setattr(submission_queue, "_queues", {})
    queue = submission_queue._queues.setdefault(pool.pk, submission_queue._Queue())
    together = queue.next_together
    monkeypatch.setattr(queue, "next_together", lambda: [*together(), waiting])
    effect = submission_queue.send(pool, late, "server").effect
    assert [each.game.game_id for each in effect.rated_again] == ["c"]
    assert set(effect.states) == {"ume"}
    assert waiting.result.effect == submission_queue.NO_EFFECT
