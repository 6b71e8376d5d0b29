"""A player of a Go server is erased: a number takes the place of the id, and all else stays as it is."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.db import connection
from live_pool import KEY, START, game, go_pool, play
from published_office import CHIEF, erase, names, published
from test_erasure import everything

from banzuke.core.fault import RefusedError
from banzuke.core.go_facts import Declaration, GoPlayer
from banzuke.database import guards
from banzuke.database.book_reader import files_of, read_book
from banzuke.database.models import Erasure, GoGame, JournalEntry, LiveGame, LiveRefusal, LiveStanding
from banzuke.engine.go_history import history, opening
from banzuke.ledger.folder import read_ledger, write_ledger
from banzuke.office import noted_ids
from banzuke.office.erased_ids import hash_of_id
from banzuke.office.erasure.erasing import erase_noted, erasures_of_person, note_again
from banzuke.office.erasure.erasure_plan import plan_erasure
from banzuke.office.journal import note
from banzuke.office.lists.office_verification import verify_office
from banzuke.office.live import accounts, pool_events
from banzuke.office.live.live_codec import state_from
from banzuke.office.live.live_verification import differing_standings
from banzuke.office.live.submission_queue import send
from banzuke.office.refusals import AlreadyErasedError, NobodyToEraseError
from banzuke.office.transparency.logged_rows import log_new_rows

pytestmark = pytest.mark.django_db
#: A nickname that nothing else has in it, and the number that takes its place.
GONE, NUMBER = "zqkitsune", "00000001"


@pytest.fixture
def pool(settings, tmp_path):
    """A pool in which a player has left traces wherever one may."""
    settings.HOME = tmp_path
    made = go_pool((GONE, "1d", 13_800, 300), ("kei", "1d", 13_800, 300), ("17", "1d", 13_800, 300))
    play(
        made,
        game("g1", 1, GONE, "kei", "B"),
        game("g2", 2, "17", GONE, "W"),
        game("g3", 3, "kei", "17", "B"),
    )
    accounts.rename_player(made, GONE, "Zqfox Old", f"not {GONE} any more", CHIEF)
    accounts.mark_robot(made, GONE, True, "", CHIEF)
    accounts.mark_robot(made, GONE, False, "", CHIEF)
    pool_events.add_declaration(made, Declaration(GONE, START + timedelta(hours=1), "3k"), KEY)
    pool_events.annul_game(made, "g2", f"{GONE} left", CHIEF)
    note(CHIEF, "dismiss", made, member=GONE, why="Zqfox old was not there")
    fault = [1, "black", "unknown-player", {"id": GONE}]
    LiveRefusal.objects.create(pool=made, at=made.entries.first().at, author="igs", status=422, fault=fault)
    return made


def lines(pool):
    rows = LiveGame.objects.filter(pool=pool).order_by("pk")
    return list(rows.values_list("game_id", "at", "black_line", "white_line", "stands"))


def codes(error):
    return {each.code for each in error.value.faults}


class TestTheNumber:
    def test_no_name_and_no_id_is_left_and_everything_verifies(self, pool):
        log_new_rows()
        assert verify_office().is_good
        assert GONE in everything()
        done = erase(pool, GONE)
        assert done.ids == (NUMBER,)
        after = everything().lower()
        assert [word for word in (GONE, "zqfox") if word in after] == []
        assert GONE not in noted_ids.path().read_text("utf-8")
        found = verify_office()
        assert (found.faults, found.bad) == ([], [])
        assert guards.gaps() == []

    def test_games_and_figures_of_all_stay(self, pool):
        before, stood = lines(pool), dict(LiveStanding.objects.values_list("player_id", "state"))
        erase(pool, GONE)
        assert lines(pool) == before
        now = dict(LiveStanding.objects.values_list("player_id", "state"))
        assert now == {NUMBER if player == GONE else player: state for player, state in stood.items()}
        assert differing_standings(pool) == []

    def test_the_exported_ledger_rates_the_same(self, pool, tmp_path):
        erase(pool, GONE)
        write_ledger(read_book(pool), files_of(pool), tmp_path / "out")
        assert all(GONE not in path.read_text("utf-8") for path in (tmp_path / "out").iterdir())
        ledger = read_ledger(tmp_path / "out")
        run = opening(ledger)
        list(history(ledger, run, None))
        assert run.states == {each.player_id: state_from(each.state) for each in LiveStanding.objects.all()}

    def test_other_players_go_on(self, pool):
        erase(pool, GONE)
        play(pool, game("g4", 4, "kei", "17", "B"), game("g0", 0, "kei", "17", "W"))
        assert differing_standings(pool) == []

    def test_the_next_one_has_the_next_number(self, pool):
        accounts.add_players(pool, [accounts.Newcomer(GoPlayer("00000002", "", "3k"))], KEY)
        erase(pool, GONE)
        assert erase(pool, "kei").ids == ("00000003",)

    def test_an_id_that_is_a_number_stays(self, pool):
        assert erase(pool, "17").ids == ("17",)
        with pytest.raises(RefusedError) as refused:
            send(pool, [game("g9", 9, "17", "kei", "B")], KEY)
        assert codes(refused) == {"erased-player"}

    @pytest.mark.slow
    def test_where_rankings_are_published_the_id_stays(self, settings, tmp_path):
        settings.HOME = tmp_path
        of_lists = published("go-server")
        player = read_book(of_lists).players[0].player_id
        assert names(of_lists)
        assert erase(of_lists, player).ids == (player,)
        assert (verify_office().faults, verify_office().bad) == ([], [])


class TestNothingIsEntered:
    @pytest.mark.parametrize("player", [GONE, NUMBER])
    def test_no_game_declaration_name_or_newcomer(self, pool, player):
        erase(pool, GONE)
        before = pool.entries.count()
        newcomer = accounts.Newcomer(GoPlayer(player, "Zqfox Old", "1d"))
        for act in (
            lambda: send(pool, [game("g9", 9, player, "kei", "B"), game("g8", 8, "kei", "17", "B")], KEY),
            lambda: pool_events.add_declaration(pool, Declaration(player, START, "3k"), KEY),
            lambda: accounts.add_players(pool, [newcomer], KEY),
            lambda: accounts.rename_player(pool, player, "Again", "", CHIEF),
            lambda: accounts.mark_robot(pool, player, True, "", CHIEF),
        ):
            with pytest.raises(RefusedError) as refused:
                act()
            assert codes(refused) == {"erased-player"}
        assert pool.entries.count() == before

    def test_a_game_of_before_sent_again_is_refused_by_the_old_id(self, pool):
        erase(pool, GONE)
        with pytest.raises(RefusedError) as refused:
            send(pool, [game("g1", 1, GONE, "kei", "B")], KEY)
        assert codes(refused) == {"erased-player"}
        assert [each.is_new for each in send(pool, [game("g3", 3, "kei", "17", "B")], KEY).games] == [False]

    def test_a_game_can_still_be_annulled(self, pool):
        erase(pool, GONE)
        pool_events.annul_game(pool, "g1", "a mistake", CHIEF)
        assert differing_standings(pool) == []

    def test_twice_is_once(self, pool):
        erase(pool, GONE)
        for player in (GONE, NUMBER):
            with pytest.raises(AlreadyErasedError):
                erase(pool, player)
        with pytest.raises(NobodyToEraseError):
            erase(pool, "nobody")
        assert Erasure.objects.count() == 1

    def test_what_was_cut_short_is_noted_by_the_old_id(self, pool):
        erase(pool, GONE)
        noted = noted_ids.path().read_text("utf-8")
        noted_ids.path().unlink()
        for _ in range(2):
            note_again(erasures_of_person(pool, GONE))
        assert noted_ids.path().read_text("utf-8") == noted


class TestOlderBackup:
    def test_whoever_comes_back_gets_the_same_number(self, pool):
        erase(pool, "kei")
        erase(pool, GONE)
        numbers = [noted.player for noted in noted_ids.noted_ids()]
        assert (numbers, erase_noted(CHIEF)) == ([NUMBER, "00000002"], 0)
        older = go_pool(("kei", "1d"), (GONE, "1d"), slug="older")
        text = noted_ids.path().read_text("utf-8")
        assert GONE not in text
        first, second = (json.loads(line) for line in text.splitlines())
        rows = [
            [older.slug, row[1], row[2], hash_of_id(older, was)]
            for row, was in ((first, "kei"), (second, GONE))
        ]
        noted_ids.path().write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        assert {each.code for each in verify_office().faults} >= {"erasure-undone"}
        assert erase_noted(CHIEF) == 2
        assert sorted(LiveStanding.objects.filter(pool=older).values_list("player_id", flat=True)) in (
            [],
            [NUMBER, "00000002"],
        )
        assert {each.player_id for each in read_book(older).players} == {NUMBER, "00000002"}


class TestWords:
    @pytest.mark.parametrize(
        "nickname",
        [
            *("why", "x.*"),
            *(
                pytest.param(each, marks=pytest.mark.slow)
                for each in ("game", "black", "member", "aoi", "葵", "a-b")
            ),
        ],
    )
    def test_a_nickname_that_is_another_word_spoils_nothing(self, settings, tmp_path, nickname, client):
        settings.HOME = tmp_path
        pool = go_pool((nickname, "1d", 13_800, 300), ("kei", "1d", 13_800, 300))
        play(pool, game("g1", 1, nickname, "kei", "B"))
        pool_events.annul_game(pool, "g1", "other-game of the-member", CHIEF)
        assert erase(pool, nickname).ids == (NUMBER,)
        noted = JournalEntry.objects.get(act="game-void")
        assert set(noted.what) == {"game", "why"}
        assert GoGame.objects.get().black == NUMBER
        assert (verify_office().faults, verify_office().bad) == ([], [])
        assert client.get(f"/go/players/{NUMBER}/").status_code == 200
        assert client.get("/go/ranking/").status_code == 200


def test_the_plan_says_the_number_and_writes_nothing(pool):
    before = pool.entries.count()
    plan = plan_erasure(pool, GONE)
    assert (plan.number, plan.games, pool.entries.count()) == (NUMBER, 2, before)
    assert connection.in_atomic_block
