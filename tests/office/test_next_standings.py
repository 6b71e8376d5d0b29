"""Other rules come into force beside games that come, late and annulled ones too: nothing is ever wrong."""

from __future__ import annotations

import random
from contextlib import contextmanager

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from live_pool import game, go_pool, play, ranks_before_of_ledger
from office.live_service import border_zone
from properties import examples
from test_live_rating import PLAYERS, Office, acts, declared, openings

from banzuke.core import go_facts
from banzuke.core.fault import RefusedError
from banzuke.core.registry import BOOKS
from banzuke.database.book_reader import read_book, rules_of
from banzuke.database.models import LiveGame, NextGame, NextPool, NextStanding
from banzuke.office.administration import pools
from banzuke.office.administration.pools import Edition, change_rules, editions
from banzuke.office.journal import Actor
from banzuke.office.live import live_pool, next_standings, submission_queue
from banzuke.office.live.earlier_ranks import GameWithLines, find_ranks_before
from banzuke.office.live.live_tables import LiveTables
from banzuke.office.live.live_verification import differing_standings
from banzuke.office.live.rated_games import changes_after
from banzuke.office.refusals import RulesChangedError

pytestmark = pytest.mark.django_db
CHIEF = Actor("chief")
STEPS = ("rate_book", "take_some_in", "exchange")


def change_zone(pool, step, why="another zone"):
    name = f"zone-{step}.toml"
    wanted = [each._replace(border_zone=name) for each in editions(pool)]
    change_rules(pool, "Go", wanted, CHIEF, why, {name: border_zone(step)})


@contextmanager
def beside(patched, act):
    """Within it `act` is called before each step of bringing rules into force, and each time lines are told."""
    for name in STEPS:
        patched.setattr(next_standings._NextStandings, name, _after(act, name))
    tell = next_standings._tell_some
    patched.setattr(next_standings, "_tell_some", lambda pool: (act("tell"), tell(pool))[1])
    yield


def _after(act, name):
    step = getattr(next_standings._NextStandings, name)

    def called(self, *words):
        act(name)
        return step(self, *words)

    return called


def told(pool):
    """Both lines of each game as the last row of the feed has them."""
    return {
        row.game_id: (row.stands, row.black_line, row.white_line)
        for row in LiveGame.objects.filter(pool=pool).order_by("pk")
    }


class Busy(Office):
    """An office whose server does not look at what it is answered."""

    def send(self, sent):
        try:
            submission_queue.send(self.pool, sent, "server")
        except RefusedError:
            return
        self.games |= {each.game_id: each for each in sent}

    def check(self):
        live_pool.synchronise(self.pool)
        assert differing_standings(self.pool) == []


@given(
    st.lists(declared, min_size=PLAYERS, max_size=PLAYERS),
    openings(),
    st.lists(acts, min_size=3, max_size=15),
    st.lists(st.lists(acts, max_size=3), min_size=12, max_size=12),
    st.sampled_from([200, 300, 1000]),
)
@settings(max_examples=examples(40), suppress_health_check=[HealthCheck.too_slow])
def test_whatever_comes_meanwhile_the_standings_are_those_of_the_batch(
    ranks, opened, before, meanwhile, step
):
    office = Busy(ranks, [row for row in opened if ranks[int(row.player_id[1:])] != "3p"])
    for act, said in before:
        getattr(office, act)(said)
    coming = iter(meanwhile)

    def act(_):
        for what, said in next(coming, ()):
            getattr(office, what)(said)
        office.check()

    with pytest.MonkeyPatch.context() as patched:
        for name, few in (("GAMES_AT_ONCE", 2), ("AT_A_TURN", 2), ("OUT_AT_A_TURN", 2), ("PAUSE", 0)):
            patched.setattr(next_standings, name, few)
        with beside(patched, act):
            change_zone(office.pool, step)
    Office.check(office)
    office.check()
    assert rules_of(office.pool).editions[0].zone.source == f"zone-{step}.toml"
    assert not any(model.objects.exists() for model in (NextGame, NextPool, NextStanding))
    assert {key for key, (stands, *_) in told(office.pool).items() if stands} == set(office.standing())


@pytest.fixture
def pool():
    found = go_pool(("aoi", "1k", 13_000, 300), ("kei", "1k", 13_000, 300), ("ume", "1k", 13_000, 300))
    play(found, *(game(f"g{number}", number, "aoi", "kei", "BW"[number % 2]) for number in range(5)))
    return found


class _PowerCutError(Exception):
    pass


def cut(patched, name, calls):
    """The process is killed when a step is begun for that time."""

    def act(step):
        nonlocal calls
        calls -= step == name
        if calls == 0:
            raise _PowerCutError

    return beside(patched, act)


@pytest.mark.parametrize(("name", "calls"), [("rate_book", 1), ("take_some_in", 1), ("exchange", 1)])
def test_a_kill_before_the_exchange_leaves_everything_as_it_was(pool, monkeypatch, name, calls):
    before, feed = read_book(pool), told(pool)
    with monkeypatch.context() as patched, cut(patched, name, calls), pytest.raises(_PowerCutError):
        change_zone(pool, 1000)
    assert (read_book(pool), told(pool)) == (before, feed)
    play(pool, game("late", 1, "ume", "kei", "B"), game("next", 9, "ume", "kei", "B"))
    assert differing_standings(pool) == []
    next_standings.tell_waiting_lines(60)
    change_zone(pool, 1000)
    assert differing_standings(pool) == []
    assert not NextPool.objects.exists()


@pytest.mark.parametrize("calls", [2, 3, 4])
def test_a_kill_after_it_leaves_the_feed_to_the_worker(pool, monkeypatch, calls):
    last = LiveGame.objects.latest("pk").pk
    monkeypatch.setattr(next_standings, "AT_A_TURN", 2)
    with monkeypatch.context() as patched, cut(patched, "tell", calls), pytest.raises(_PowerCutError):
        change_zone(pool, 1000)
    assert rules_of(pool).editions[0].zone.source == "zone-1000.toml"
    assert differing_standings(pool) == []
    play(pool, game("late", 1, "ume", "kei", "B"), game("next", 9, "ume", "kei", "B"))
    assert differing_standings(pool) == []
    next_standings.tell_waiting_lines(0)
    assert NextPool.objects.exists()  # the worker has other things to do, too
    next_standings.tell_waiting_lines(60)
    assert differing_standings(pool) == []
    assert not any(model.objects.exists() for model in (NextGame, NextPool, NextStanding))
    again = [each for each in changes_after(pool, last, 100) if each.is_again]
    assert {each.game_id for each in again} == {f"g{number}" for number in range(5)}
    assert all(stands for stands, *_ in told(pool).values())


def test_lines_that_are_the_same_are_not_told_again(pool):
    numbers = set(LiveGame.objects.values_list("pk", flat=True))
    own = rules_of(pool).editions[0].zone
    rows = zip(go_facts.RANK_NAMES, own.down, own.start, own.up, strict=True)
    same = "\n".join(
        f'[[rank]]\nrank = "{rank}"\ndown = {down}\nstart = {start}\n'
        + ("" if up is None else f"up = {up}\n")
        for rank, down, start, up in rows
    )
    wanted = [each._replace(border_zone="same.toml") for each in editions(pool)]
    change_rules(pool, "Go", wanted, CHIEF, "why", {"same.toml": same})
    assert set(LiveGame.objects.values_list("pk", flat=True)) == numbers


def test_of_two_who_change_the_rules_the_second_is_refused(pool, monkeypatch):
    def other(name):
        if name == "exchange" and not done:
            done.append(name)
            change_rules(pool, "Renamed", editions(pool), CHIEF, "a name", {})

    done = []
    with monkeypatch.context() as patched, beside(patched, other), pytest.raises(RulesChangedError):
        change_zone(pool, 1000)
    assert rules_of(pool).name == "Renamed"
    assert differing_standings(pool) == []


def test_where_an_id_is_erased_meanwhile_rating_begins_again(pool, monkeypatch):
    begun = []

    def erase(name):
        begun.append(name)
        if name == "exchange" and begun.count(name) == 1:
            NextPool.objects.all().delete()

    with monkeypatch.context() as patched, beside(patched, erase):
        change_zone(pool, 1000)
    assert begun.count("rate_book") == 2
    assert differing_standings(pool) == []


def test_what_was_seen_of_the_rules_counts(pool):
    seen = pools.last_file(pool)
    change_rules(pool, "Renamed", editions(pool), CHIEF, "a name", {})
    with pytest.raises(RulesChangedError):
        pools.enter_rules(pool, {"pool.toml": "name = 'x'"}, CHIEF, "why", seen)
    with pytest.raises(RefusedError):
        change_rules(pool, "Go", [Edition("ncs-2022", editions(pool)[0].start, {})], CHIEF, "why", {})


def test_while_lines_are_told_earlier_ranks_are_by_the_new_rules(monkeypatch):
    pool = go_pool(("aoi", "2d", 14_750, 300), ("kei", "2d", 14_500, 300), ("mio", "3d", 15_400, 300))
    rng, book, steps = random.Random(1), BOOKS["pandanet"], []
    players = ["aoi", "kei", "mio"]
    play(
        pool,
        *(
            game(
                f"g{number:02}",
                number,
                *rng.sample(players, 2),
                rng.choice("BW"),
                *book.regular_terms(rng.randrange(3)),
            )
            for number in range(60)
        ),
    )

    def compare(step):
        if step == "tell":
            steps.append((ranks_before_in(pool), ranks_before_of_ledger(pool)))

    monkeypatch.setattr(next_standings, "AT_A_TURN", 20)
    old = ranks_before_in(pool)
    with monkeypatch.context() as patched, beside(patched, compare):
        change_zone(pool, 200)
    assert all(found == expected for found, expected in steps)
    assert sum(found != old for found, _ in steps) > 1, "they are others while some lines are not told yet"


def ranks_before_in(pool):
    """The earlier ranks by which games' terms were regular, as the live tables tell them."""
    ids = LiveGame.objects.filter(pool=pool, stands=True).values_list("game_id", flat=True)
    stored = LiveTables(pool).games_by_id(ids)
    return find_ranks_before(pool, [GameWithLines(each.game, each.lines) for each in stored.values()])
