"""Accounts of a Go server's players over HTTP: many newcomers at once, other names, robots."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from office.live_pool import START, go_pool

from banzuke.api.auth import SERVER_LIMIT
from banzuke.database.book_reader import files_of, read_book
from banzuke.database.models import Entry, GoPlayer, JournalEntry, LiveRefusal, LiveStanding, Role
from banzuke.engine.go_history import history, opening
from banzuke.ledger.folder import read_ledger, write_ledger
from banzuke.office.administration import api_keys
from banzuke.office.journal import Actor
from banzuke.office.live.live_codec import state_from
from banzuke.office.live.live_verification import differing_standings

V1 = "/api/v1/pools/go"
TWO = (("aoi", "1d", 13_800, 300), ("kei", "1d", 13_800, 300))


def newcomer(player, **more):
    return {"player_id": player, "name": player.title(), "declared": "3k"} | more


def sent_game(game_id, minute, black, white, result, **more):
    """A game as a program sends it, so many minutes after the start."""
    ended = (START + timedelta(minutes=minute)).isoformat()
    who = {"game_id": game_id, "ended": ended, "black": black, "white": white, "result": result}
    return who | {"komi": "6.5", "moves": 200} | more


@pytest.fixture
def send(db, django_user_model):
    """What sends to a pool of two players: `send(what, body, status)` gives the answer."""
    cache.clear()
    SERVER_LIMIT.clear()
    pool = go_pool(*TWO)
    user = django_user_model.objects.create_user("igs")
    Role.objects.create(user=user, kind=Role.Kind.OFFICER)
    key = api_keys.make_key("igs", user, pool, ["games"], None, Actor("clerk")).text
    headers = {"authorization": f"Bearer {key}"}

    def post(what, body, status=200):
        address = f"{V1}/{what}"
        answer = Client().post(address, json.dumps(body), "application/json", headers=headers)
        assert answer.status_code == status, answer.content
        return answer.json()

    post.pool = pool
    return post


def read(address, **words):
    answer = Client().get(f"{V1}/{address}", words)
    assert answer.status_code == 200, answer.content
    return answer.json()


class TestManyNewcomers:
    def test_all_are_taken_with_one_entry(self, send):
        before = Entry.objects.count()
        found = send("players", [newcomer("mio"), newcomer("ren", declared="BC")])["players"]
        assert [(each["player"], each["name"], each["rank"], each["is_new"]) for each in found] == [
            ("mio", "Mio", "3k?", True),
            ("ren", "Ren", "BC", True),
        ]
        assert Entry.objects.count() == before + 1
        send("games", sent_game("G", 1, "mio", "aoi", "B"))

    def test_sent_again_or_twice_at_once_nothing_is_doubled(self, send):
        first = send("players", [newcomer("mio"), newcomer("mio"), newcomer("ren")])["players"]
        assert [each["is_new"] for each in first] == [True, False, True]
        entries = Entry.objects.count()
        again = send("players", [newcomer("ren"), newcomer("mio")])["players"]
        assert [(each["player"], each["is_new"]) for each in again] == [("ren", False), ("mio", False)]
        assert (Entry.objects.count(), GoPlayer.objects.count()) == (entries, 4)

    def test_none_is_taken_where_one_is_wrong(self, send):
        wrong = [newcomer("mio"), newcomer("aoi", name="Somebody"), newcomer("mio", declared="5k")]
        found = send("players", wrong, 409)["errors"]
        assert [(each["where"], each["code"]) for each in found] == [
            ("1.player_id", "other-player"),
            ("2.player_id", "other-player"),
        ]
        found = send("players", [newcomer("mio"), newcomer("ren", declared="10d")], 422)["errors"]
        assert [each["where"] for each in found] == ["1.declared"]
        assert GoPlayer.objects.count() == 2

    def test_as_many_as_games(self, send):
        many = [newcomer(f"p{number}") for number in range(1_001)]
        send("players", many, 422)
        send("players", [], 422)
        assert len(send("players", many[:1_000])["players"]) == 1_000
        assert LiveStanding.objects.count() == 1_002


class TestRename:
    def test_pages_api_and_ledger_have_the_new_name(self, send, tmp_path):
        send("games", sent_game("G", 1, "aoi", "kei", "B"))
        before = dict(LiveStanding.objects.values_list("player_id", "state"))
        found = send("players/aoi/name", {"name": "葵", "why": "married"})
        assert (found["player"], found["name"], found["is_new"], found["rated_games"]) == (
            "aoi",
            "葵",
            True,
            301,
        )
        assert read("players/aoi")["name"] == "葵"
        assert read("terms", black="aoi", white="kei")["black"]["name"] == "葵"
        assert read("search", q="葵")["players"][0]["player"] == "aoi"
        page = Client().get("/go/players/aoi/").content.decode()
        assert "葵" in page
        assert "葵" in Client().get("/go/ranking/?q=葵").content.decode()
        players = {each.player_id: each.name for each in read_book(send.pool).players}
        assert players == {"aoi": "葵", "kei": "Kei"}
        write_ledger(read_book(send.pool), files_of(send.pool), tmp_path / "out")
        assert (tmp_path / "out/players.csv").read_text("utf-8").count("aoi") == 1
        assert dict(LiveStanding.objects.values_list("player_id", "state")) == before

    def test_who_when_and_why_are_kept(self, send):
        send("players/aoi/name", {"name": "Rin", "why": "married"})
        entry = Entry.objects.latest("pk")
        assert (entry.act, entry.author, entry.why) == ("rename-player", "igs", "married")
        assert list(GoPlayer.objects.filter(player_id="aoi").values_list("name", flat=True)) == ["Aoi", "Rin"]
        noted = JournalEntry.objects.get(act="rename-player")
        assert (noted.who, noted.what["member"], noted.what["entry"]) == ("igs", "aoi", entry.pk)

    def test_twice_the_same_is_once(self, send):
        send("players/aoi/name", {"name": "Rin"})
        entries = Entry.objects.count()
        assert send("players/aoi/name", {"name": "Rin"})["is_new"] is False
        assert (Entry.objects.count(), JournalEntry.objects.filter(act="rename-player").count()) == (
            entries,
            1,
        )

    def test_a_newcomer_sent_again_is_still_the_same(self, send):
        send("players", newcomer("mio"))
        send("players/mio/name", {"name": "Rin"})
        assert send("players", newcomer("mio"))["name"] == "Rin"
        send("players", newcomer("mio", name="Somebody"), 409)

    def test_another_name_and_back_again(self, send):
        for name in ("Rin", "Aoi", "Rin"):
            assert send("players/aoi/name", {"name": name})["is_new"] is True
        assert read("players/aoi")["name"] == "Rin"

    def test_games_after_it_rate_nothing_again(self, send):
        send("players/aoi/name", {"name": "Rin"})
        assert send("games", sent_game("G", 1, "aoi", "kei", "B"))["rated_again"] == []

    @pytest.mark.parametrize("name", ["", " ", "a\u0000b", "x" * 101, 5, None])
    def test_what_is_no_name(self, send, name):
        send("players/aoi/name", {"name": name}, 422)
        assert GoPlayer.objects.count() == 2

    def test_nobody(self, send):
        found = send("players/nobody/name", {"name": "Rin"}, 404)
        assert found["errors"][0]["code"] == "no-such-player"


class TestRobots:
    @pytest.fixture
    def bot(self, send):
        """What sends to the pool, which has a robot, too."""
        assert send("players", newcomer("bot", declared="1k", robot=True))["robot"] is True
        return send

    @pytest.mark.parametrize(("black", "white", "side"), [("bot", "aoi", "black"), ("aoi", "bot", "white")])
    def test_a_forgotten_flag_rates_no_game(self, bot, black, white, side):
        game = bot("games", sent_game("G", 1, black, white, "B"))["games"][0]
        assert {game[each]["verdict"] for each in ("black", "white")} == {"not:robot"}
        assert game["black"]["clause"] == "PN 7(1)a"
        assert read("games/G")["robot"] == side

    def test_the_exported_ledger_rates_the_same(self, bot, tmp_path):
        games = [("G1", "bot", "aoi"), ("G2", "kei", "bot"), ("G3", "aoi", "kei"), ("G0", "kei", "aoi")]
        for number, (game_id, black, white) in enumerate(games):
            bot("games", sent_game(game_id, 9 - number, black, white, "B"))
        folder = tmp_path / "out"
        write_ledger(read_book(bot.pool), files_of(bot.pool), folder)
        assert "robot" not in (folder / "players.csv").read_text("utf-8")
        run = opening(read_ledger(folder))
        list(history(read_ledger(folder), run, None))
        stands = {each.player_id: state_from(each.state) for each in LiveStanding.objects.all()}
        assert stands == run.states
        assert differing_standings(bot.pool) == []

    def test_the_same_game_with_or_without_the_flag(self, bot):
        game = sent_game("G", 1, "bot", "aoi", "B")
        first = bot("games", [game, game | {"robot": "black"}])["games"]
        assert [each["is_new"] for each in first] == [True, False]
        for again in (game, game | {"robot": "black"}):
            assert bot("games", again)["games"][0]["is_new"] is False
        assert bot("games", game | {"robot": "white"}, 409)["errors"][0]["code"] == "other-game"

    def test_a_game_of_before_the_player_was_a_robot(self, send):
        before, after = (sent_game(game_id, 1, "aoi", "kei", "B") for game_id in "AB")
        assert send("games", before)["games"][0]["black"]["verdict"] == "rated"
        found = send("players/kei/robot", {"robot": True, "why": "an engine"})
        assert (found["robot"], found["is_new"]) == (True, True)
        assert send("games", before)["games"][0]["is_new"] is False
        assert send("games", after)["games"][0]["black"]["verdict"] == "not:robot"
        assert send("players/kei/robot", {"robot": False})["robot"] is False
        assert send("games", after)["games"][0]["is_new"] is False
        third = sent_game("C", 1, "aoi", "kei", "B")
        assert send("games", third)["games"][0]["black"]["verdict"] == "rated"

    def test_twice_the_same_is_once(self, bot):
        entries = Entry.objects.count()
        assert bot("players", newcomer("bot", declared="1k", robot=True))["is_new"] is False
        assert bot("players/bot/robot", {"robot": True})["is_new"] is False
        assert Entry.objects.count() == entries
        found = bot("players", newcomer("bot", declared="1k"), 409)
        assert found["errors"][0]["code"] == "other-player"
        bot("players/bot/robot", {"robot": False})
        for robot in (True, False):  # as it came, and as it is now
            assert bot("players", newcomer("bot", declared="1k", robot=robot))["robot"] is False

    def test_terms_say_that_nothing_moves(self, bot):
        found = read("terms", black="aoi", white="bot")
        assert found["if_black_wins"]["black"]["verdict"] == "not:robot"
        assert found["regular"] is not None

    def test_only_games_of_robots_are_marked(self, bot):
        assert bot("games", sent_game("G", 1, "aoi", "kei", "B"))["games"][0]["black"]["verdict"] == "rated"
        assert read("games/G")["robot"] == ""

    def test_a_lone_flag_of_before_is_another_game(self, send):
        send("games", sent_game("G", 1, "aoi", "kei", "B", robot="black"))
        assert send("games", sent_game("G", 1, "aoi", "kei", "B"), 409)["errors"][0]["code"] == "other-game"


class TestErase:
    @pytest.fixture
    def chief(self, send, settings, tmp_path):
        """What sends for a chief officer."""
        settings.HOME = tmp_path
        Role.objects.update(kind=Role.Kind.CHIEF)
        return send

    def test_the_number_stands_in_every_answer(self, chief):
        chief("games", sent_game("G", 1, "aoi", "kei", "B"))
        before = read("games/G")
        found = chief("players/aoi/erase", {"confirm": "aoi"})
        assert (found["player"], found["rows"] > 2) == ("00000001", True)
        assert read("players/00000001")["live"]["rated_games"] == 301
        after = read("games/G")
        assert after["black"].pop("player") == "00000001"
        assert before["black"].pop("player") == "aoi"
        assert after == before
        assert read("changes", after=0)["changes"][0]["black"]["player"] == "00000001"
        assert Client().get(f"{V1}/players/aoi").status_code == 404

    def test_what_is_sent_under_the_old_id_is_refused(self, chief):
        chief("players/aoi/erase", {"confirm": "aoi"})
        game = sent_game("G", 1, "aoi", "kei", "B")
        for what, body in (
            ("games", game),
            ("games", [sent_game("H", 2, "kei", "aoi", "B"), game]),
            ("players", newcomer("aoi")),
            ("declarations", {"player_id": "aoi", "at": START.isoformat(), "rank": "1k"}),
            ("players/aoi/name", {"name": "Aoi"}),
            ("players/00000001/robot", {"robot": True}),
        ):
            assert {each["code"] for each in chief(what, body, 409)["errors"]} == {"erased-player"}
        assert chief("players/aoi/erase", {"confirm": "aoi"}, 409)["type"].endswith(":conflict")
        kept = [row.fault[-1]["id"] for row in LiveRefusal.objects.all()]
        assert set(kept) == {"00000001"}  # what was refused does not bring the old id back

    def test_only_by_a_chief_officer_who_says_the_id_once_more(self, send, chief):
        found = chief("players/aoi/erase", {"confirm": "kei"}, 422)["errors"]
        assert [(each["where"], each["code"]) for each in found] == [("0.confirm", "not-confirmed")]
        chief("players/nobody/erase", {"confirm": "nobody"}, 404)
        Role.objects.update(kind=Role.Kind.OFFICER)
        assert send("players/aoi/erase", {"confirm": "aoi"}, 403)["type"].endswith(":no-right")
        assert GoPlayer.objects.filter(player_id="aoi").exists()

    def test_a_large_pool_is_left_to_the_machine(self, chief, monkeypatch):
        chief("games", sent_game("G", 1, "aoi", "kei", "B"))
        monkeypatch.setattr("banzuke.office.jobs.pool_size.AT_ONCE", 0)
        assert "banzuke erase go aoi" in chief("players/aoi/erase", {"confirm": "aoi"}, 403)["detail"]
