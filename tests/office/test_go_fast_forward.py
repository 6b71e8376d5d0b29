"""Whatever rankings the fast twin passes, those made after them are the ones made without it, in every part."""

from __future__ import annotations

import sys
import tempfile
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from engine.columnar.test_columnar_run import EXAMPLES, SMALL
from engine.columnar.test_go_run import server
from engine.test_properties import PLAYERS, SEEDS
from hypothesis import given, settings
from hypothesis import strategies as st
from office.test_fast_forward import assert_known_by_their_hashes, told
from properties import examples

from banzuke.core.go_facts import Declaration, GoGame, GoPlayer, rank_name
from banzuke.database import models
from banzuke.database.book_reader import read_book
from banzuke.database.book_writer import Act, add_facts, enter_ledger, open_entry
from banzuke.engine import go_history
from banzuke.engine.go_windows import day_of, last_moment
from banzuke.ledger.folder import read_go_ledger, read_ledger
from banzuke.office.fact_rows import TABLES
from banzuke.office.journal import Actor
from banzuke.office.lists import corrections, fast_forward, publishing, rehearsal, verification
from banzuke.office.lists.list_index import current_lists, make_lists, names_of
from banzuke.office.lists.list_rows import FROM_THE_FIRST
from banzuke.office.lists.recompute import recompute
from banzuke.office.refusals import NothingToDoError

SERVERS = [folder for folder in (*EXAMPLES, *SMALL) if folder.name.startswith("go")]
FIRST = datetime(2025, 1, 1, tzinfo=UTC)
A_MOMENT = timedelta(microseconds=1)
TODAY = date(2040, 1, 1)
CHIEF = Actor("chief")
POOL_TOML = """name = "Go server"
[[edition]]
rulebook = "pandanet"
from = 2005-04-01
[[edition]]
rulebook = "pandanet"
from = 2025-06-01
"""


@pytest.fixture
def every_pool(monkeypatch):
    monkeypatch.setattr(fast_forward, "FROM_GAMES", 0)


def server_over_months(folder, mind, players, games, editions=1):
    """A random server's ledger, with some games and declarations at the very end or beginning of a month."""
    ledger = read_go_ledger(server(folder, mind.randrange(2**32), players, games, editions=editions))
    pace = mind.choice((1, 6, 30))

    def moved(at):
        later = FIRST + pace * (at - FIRST)
        end = last_moment(ledger.pool.schedule.window_on(day_of(later)).closes)
        return mind.choice((*[later] * 8, end, end + A_MOMENT))

    return replace(
        ledger,
        games=[game._replace(ended=moved(game.ended)) for game in ledger.games],
        declarations=[each._replace(at=moved(each.at)) for each in ledger.declarations],
    )


def assert_made_from_any_start(ledger):
    names = names_of(ledger)
    lists = list(make_lists(ledger))
    whole = [told(made) for made in lists]
    for most in range(1, len(names) + 1):
        start = fast_forward.start_after(ledger, names, most)
        assert start.passed == most
        assert (start.played, start.games) == (lists[most - 1].played, lists[most - 1].so_far)
        assert [told(made) for made in make_lists(ledger, names, start=start)] == whole[most:]
    return whole


def by_both(look):
    """What is seen with the twin, which is what is seen without it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fast_forward, "FROM_GAMES", 0)
        found = look()
        patch.setattr(fast_forward, "FROM_GAMES", sys.maxsize)
        assert look() == found
    return found


@pytest.mark.usefixtures("every_pool")
class TestStarts:
    @pytest.mark.parametrize("folder", SERVERS, ids=lambda path: f"{path.parent.name}-{path.name}")
    def test_the_examples(self, folder):
        ledger = read_ledger(folder)
        whole = assert_made_from_any_start(ledger)
        if len(whole) > 1:
            assert_known_by_their_hashes(ledger, whole)

    def test_progress_is_told_ranking_by_ranking(self, tmp_path):
        ledger = server_over_months(tmp_path / "server", Random(3), 6, 80)
        names, calls = names_of(ledger), []

        def progress(*said):
            calls.append(said)

        start = fast_forward.start_after(ledger, names, len(names) - 1, progress)
        list(make_lists(ledger, names, progress, start))
        assert len(names) > 2
        assert calls == [*((n, len(names), name) for n, name in enumerate(names)), (len(names),) * 2 + ("",)]


@settings(max_examples=examples(40))
@given(seed=SEEDS, players=PLAYERS, games=st.integers(0, 200), editions=st.integers(1, 3))
def test_random_servers(seed, players, games, editions):
    with tempfile.TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patch:
        patch.setattr(fast_forward, "FROM_GAMES", 0)
        ledger = server_over_months(Path(place) / "server", Random(seed), players, games, editions)
        whole = assert_made_from_any_start(ledger)
        if whole:
            assert_known_by_their_hashes(ledger, whole)


@settings(max_examples=examples(40))
@given(seed=SEEDS, players=PLAYERS, games=st.integers(0, 200))
def test_declarations_that_change_nothing(seed, players, games):
    with tempfile.TemporaryDirectory() as place:
        mind = Random(seed)
        ledger = server_over_months(Path(place) / "server", mind, players, games)
        moments = [FIRST, *(game.ended for game in ledger.games)]
        more = [
            Declaration(mind.choice(ledger.players).player_id, mind.choice(moments), rank_name(number))
            for number in range(20)
        ]
        ledger = replace(ledger, declarations=[*ledger.declarations, *more])
    run = go_history.opening(ledger)
    list(go_history.history(ledger, run, None))
    assert by_both(lambda: fast_forward.ignored_declarations(ledger)) == run.ignored


# An office


class AnyServer:
    """A server's office, and somebody (`random.Random`) who does whatever comes to mind."""

    def __init__(self, mind, folder):
        ledger = server_over_months(folder, mind, 8, 120)
        self.mind, self.number = mind, 0
        self.pool = enter_ledger("server", ledger, {"pool.toml": POOL_TOML}, Act("test", "import-ledger"))

    def does_something(self):
        self.mind.choice(
            (self.plays, self.plays, self.annuls, self.strikes, self.declares, self.publishes, self.revises)
        )()

    def plays(self):
        """Games of any time, the most of them late; sometimes of somebody who has only come."""
        players = list(models.GoPlayer.objects.filter(pool=self.pool).values_list("player_id", flat=True))
        entry, games = self._entry(), []
        if self.mind.random() < 0.3:
            players.append(f"new{entry.pk}")
            add_facts(entry, TABLES[GoPlayer], [GoPlayer(players[-1], "New", "5k")])
        for _ in range(self.mind.randint(1, 6)):
            self.number += 1
            two = {players[-1], *self.mind.sample(players, 2)}
            black, white, *_ = self.mind.sample(sorted(two), len(two))
            games.append(
                GoGame(
                    f"L{self.number:03}", self._moment(), black, white, self.mind.choice("BW"), 0, 13, 19, 200
                )
            )
        add_facts(entry, TABLES[GoGame], games)

    def annuls(self):
        voided = models.GoVoid.objects.filter(pool=self.pool).values_list("game_id", flat=True)
        games = models.GoGame.objects.filter(pool=self.pool).exclude(game_id__in=list(voided))
        game = self.mind.choice(list(games))
        models.GoVoid.objects.create(pool=self.pool, entry=self._entry(), game_id=game.game_id)

    def strikes(self):
        struck = models.Strike.objects.filter(pool=self.pool).values_list("row", flat=True)
        game = self.mind.choice(
            list(models.GoGame.objects.filter(pool=self.pool).exclude(pk__in=list(struck)))
        )
        models.Strike.objects.create(
            entry=self._entry(), pool=self.pool, table="games", row=game.pk, day=date(2030, 1, 1)
        )

    def declares(self):
        player = self.mind.choice(list(models.GoPlayer.objects.filter(pool=self.pool)))
        declared = Declaration(player.player_id, self._moment(), rank_name(2 * self.mind.randrange(26)))
        add_facts(self._entry(), TABLES[Declaration], [declared])

    def publishes(self):
        """The next rankings, some at once, after the revisions that are due."""
        self.revises()
        names = names_of(read_book(self.pool))
        waiting = (
            names[names.index(current_lists(self.pool)[0].name) + 1 :] if current_lists(self.pool) else names
        )
        if waiting:
            publishing.publish(self.pool, self.mind.choice(waiting[:3]), CHIEF, TODAY)

    def revises(self):
        with suppress(NothingToDoError):
            corrections.revise(self.pool, CHIEF, "late")

    def _entry(self):
        return open_entry(self.pool, Act("test", "any"))

    def _moment(self):
        games = [datetime.fromisoformat(at) for at in self._ended()]
        return self.mind.choice(games) + timedelta(minutes=self.mind.choice((0, 1, 10_000, 60_000)))

    def _ended(self):
        return models.GoGame.objects.filter(pool=self.pool).order_by("pk").values_list("ended", flat=True)


def anew(pool):
    found = recompute(pool, read_book(pool))
    due = [(each.published.pk, told(each.made)) for each in found.due]
    return [told(made) for made in found.fresh], due


def rehearsed(pool):
    ledger = read_book(pool)
    name = names_of(ledger)[-1]
    found = recompute(pool, ledger, name)
    due = [(each.published.pk, told(each.made)) for each in found.due]
    return rehearsal.rehearse(pool, name, TODAY), told(found.wanted), due


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("seed", [5, 50, 505])
def test_an_office_in_which_anything_happened(seed, monkeypatch, tmp_path):
    """What is due, new, rehearsed, verified is the same by both, while an office with the twin goes on."""
    monkeypatch.setattr(fast_forward, "FROM_GAMES", 0)
    office = AnyServer(Random(seed), tmp_path / "server")
    office.publishes()
    dues = 0
    for number in range(40):
        office.does_something()
        if number % 4 == 3:
            _, due = by_both(lambda: anew(office.pool))
            dues += bool(due)
            by_both(lambda: rehearsed(office.pool))
            by_both(lambda: corrections.due_revisions(office.pool))
    office.revises()
    assert dues
    assert anew(office.pool)[1] == []
    for revision in office.pool.lists.all():
        found = by_both(
            lambda revision=revision: verification.verify(office.pool, revision.name, revision.revision)
        )
        assert found.is_good


class TestWhoIsServed:
    def test_servers_with_so_many_games(self, monkeypatch):
        ledger = read_ledger(EXAMPLES[0].parent / "go-server")
        monkeypatch.setattr(fast_forward, "FROM_GAMES", len(ledger.games))
        assert fast_forward.serves(ledger)
        monkeypatch.setattr(fast_forward, "FROM_GAMES", len(ledger.games) + 1)
        assert not fast_forward.serves(ledger)
        assert fast_forward.start_after(ledger, names_of(ledger), 1) is FROM_THE_FIRST
