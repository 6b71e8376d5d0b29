"""What a Go server sends over HTTP: taken whole or not at all, answered for both sides, harmless if repeated."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.db import OperationalError
from django.test import Client
from office.live_pool import START, go_pool

from banzuke.api.auth import SERVER_LIMIT, ProcessLimit
from banzuke.client.ledger_replay import event_posts
from banzuke.core import go_facts as records
from banzuke.database.book_reader import read_book
from banzuke.database.book_writer import Act, open_entry
from banzuke.database.ledger_folders import enter_folder
from banzuke.database.models import Entry, GoGame, LiveGame, LiveRefusal, LiveStanding, OfficeSettings, Role
from banzuke.engine.go_history import history, opening
from banzuke.office.administration import api_keys
from banzuke.office.fact_rows import strike_all
from banzuke.office.journal import Actor
from banzuke.office.live import moment_limits, service_figures
from banzuke.office.live.live_codec import state_from

CLERK = Actor("clerk")
ADDRESS = "/api/v1/pools/go"


def sent_game(game_id, minute, black, white, result, **more):
    """A game as a program sends it, so many minutes after the start."""
    ended = (START + timedelta(minutes=minute)).isoformat()
    plain = {"handicap": 0, "komi": "6.5", "moves": 200}
    who = {"game_id": game_id, "ended": ended, "black": black, "white": white, "result": result}
    return who | plain | more


@pytest.fixture
def make(db, django_user_model):
    """A maker of a server with its pool: `make(("aoi", "2d+", 14_900, 300), ...)` gives what sends to it."""
    cache.clear()
    SERVER_LIMIT.clear()

    def made(*players, **words):
        pool = go_pool(*players, **words)
        user = django_user_model.objects.create_user("igs")
        Role.objects.create(user=user, kind=Role.Kind.OFFICER)
        headers = {
            "authorization": f"Bearer {api_keys.make_key('igs', user, pool, ['games'], None, CLERK).text}"
        }
        client = Client()

        def send(what, body, status=200):
            data = body if isinstance(body, str | bytes) else json.dumps(body)
            answer = client.post(f"{ADDRESS}/{what}", data, "application/json", headers=headers)
            assert answer.status_code == status, answer.content
            kind = "application/json" if status == 200 else "application/problem+json"
            assert answer["Content-Type"].split(";")[0] == kind
            return answer.json()

        send.pool, send.user, send.headers = pool, user, headers
        return send

    return made


def points(answer):
    """Points moved for Black and White."""
    game = answer["games"][0]
    return game["black"]["points"], game["white"]["points"]


def verdicts(answer):
    game = answer["games"][0]
    return game["black"]["verdict"], game["white"]["verdict"]


def equals_batch(pool):
    """Whether the live standings are those of the book rated as a whole."""
    ledger = read_book(pool)
    run = opening(ledger)
    list(history(ledger, run, None))
    seats = LiveStanding.objects.filter(pool=pool)
    return {seat.player_id: state_from(seat.state) for seat in seats} == run.states


class TestWorkedExamples:
    """The rule page's examples, over HTTP."""

    def test_2_both_1d_plus(self, make):
        send = make(("won", "1d+", 14_200, 29), ("lost", "1d+", 14_200, 300))
        answer = send("games", sent_game("G", 1, "lost", "won", "W"))
        assert points(answer) == (-100, 150)
        side = answer["games"][0]["white"]
        assert side == {
            "player": "won", "rank_before": "1d+", "rank_after": "1d+", "rank_changed": False,
            "points_before": 14_200, "points_after": 14_350, "points": 150, "verdict": "rated",
            "clause": "PN 3(1)", "difference": "0", "upper": None, "won": True, "rated_games": 30,
        }  # fmt: skip

    @pytest.mark.parametrize(
        ("result", "komi", "games", "moved"),
        [
            ("W", "6.5", 300, (-92, 92)),
            ("B", "6.5", 300, (108, -108)),
            ("W", 3.5, 300, (-96, 96)),
            ("B", "3.5", 300, (104, -104)),
            ("W", "3.5", 59, (-115, 115)),
        ],
    )
    def test_3_and_4_half_a_rank_and_the_komi_slide(self, make, result, komi, games, moved):
        send = make(("aoi", "2d+", 14_900, games), ("kei", "3d", 15_300, games))
        assert points(send("games", sent_game("G", 1, "aoi", "kei", result, komi=komi))) == moved

    @pytest.mark.parametrize(("result", "moved"), [("B", (78, -78)), ("W", (-122, 122))])
    def test_5_black_is_the_upper_side(self, make, result, moved):
        send = make(("ren", "2k", 12_200, 300), ("sho", "1k", 12_900, 300))
        answer = send("games", sent_game("G", 1, "ren", "sho", result, handicap=3, komi="0.5"))
        assert points(answer) == moved
        assert answer["games"][0]["black"]["upper"] is True

    def test_1_beyond_three_ranks_is_not_rated(self, make):
        send = make(("two", "2d+", 14_900, 300), ("low", "2k", 12_200, 300))
        even = sent_game("G1", 1, "low", "two", "W", komi="0.5")
        assert verdicts(send("games", even)) == ("rated", "rated")
        wide = send("games", sent_game("G2", 2, "low", "two", "W", komi="6.5"))
        assert verdicts(wide) == ("not:difference", "not:difference")
        assert wide["games"][0]["black"]["clause"] == "PN 1(5)e"

    def test_6_bonus_and_provisional(self, make):
        send = make(("five", "5k", 9_700, 300), ("four", "4k"))
        lost = send("games", sent_game("G1", 1, "four", "five", "B"))
        assert (points(lost), verdicts(lost)) == ((None, None), ("rated", "not:provisional"))
        won = send("games", sent_game("G2", 2, "four", "five", "W"))
        assert (points(won), verdicts(won)) == ((None, 50), ("rated", "bonus"))
        assert won["games"][0]["black"]["rated_games"] == 2

    def test_6_beginners(self, make):
        send = make(("star", "9k+", 6_200, 300), ("nine", "9k", 6_600, 300), ("bc", "BC"))
        assert verdicts(send("games", sent_game("G1", 1, "bc", "star", "W"))) == (
            "not:beginner",
            "not:beginner",
        )
        assert points(send("games", sent_game("G2", 2, "bc", "nine", "W"))) == (None, 50)
        send("games", sent_game("G3", 3, "bc", "nine", "W", board=9))
        spent = send("games", sent_game("G4", 4, "bc", "nine", "W"))
        assert verdicts(spent) == ("not:beginner", "not:beginner")

    def test_7_the_border_zone(self, make):
        send = make(("low", "14k+", 2_790, 300), ("other", "14k+", 2_900, 300))
        ranks = []
        for number, result in enumerate("WWB"):
            won = send("games", sent_game(f"G{number}", number, "low", "other", result, komi="6.5"))
            side = won["games"][0]["black"]
            ranks.append((side["points_after"], side["rank_after"], side["rank_changed"]))
        assert ranks[0] == (2_690, "14k+", False)
        assert ranks[1] == (2_590, "14k", True)
        assert ranks[2][1:] == ("14k", False)

    @pytest.mark.parametrize(
        ("more", "why"),
        [
            ({"board": 13}, "board"),
            ({"moves": 1}, "moves"),
            ({"room": "free"}, "room"),
            ({"room": "practice"}, "room"),
            ({"room": "monthly"}, "room"),
            ({"pair": True}, "pair"),
            ({"robot": "white"}, "robot"),
            ({"result": "draw"}, "result"),
            ({"result": "void"}, "result"),
        ],
    )
    def test_what_is_rated_for_nobody(self, make, more, why):
        send = make(("aoi", "1d", 13_800, 300), ("kei", "1d", 13_800, 300))
        answer = send("games", sent_game("G", 1, "aoi", "kei", "B") | more)
        assert (verdicts(answer), points(answer)) == ((f"not:{why}",) * 2, (None, None))

    def test_a_professional(self, make):
        send = make(("aoi", "1d", 13_800, 300), ("pro", "3p"))
        assert verdicts(send("games", sent_game("G", 1, "aoi", "pro", "B"))) == ("not:professional",) * 2

    @pytest.mark.parametrize(("moves", "clause"), [(5, "PN 7(2)a"), (0, "PN 7(2)b")])
    def test_a_fault_in_the_first_minute(self, make, moves, clause):
        send = make(("aoi", "1d", 13_800, 30), ("kei", "1d", 13_800, 30))
        game = sent_game("G", 1, "aoi", "kei", "W", fault="black", moves=moves, reason="no-greeting")
        answer = send("games", game)
        assert (points(answer), verdicts(answer)) == ((-50, 50), ("fault", "fault"))
        assert answer["games"][0]["white"]["clause"] == clause
        assert answer["games"][0]["white"]["rated_games"] == 30

    def test_five_wins_lead_out_of_the_beginners_class_and_twenty_games_to_certification(self, make):
        send = make(("bc", "BC"), ("bc2", "BC"), ("cert", "17k", 100, 300))
        for number in range(5):
            answer = send("games", sent_game(f"B{number}", number, "bc", "bc2", "B"))
        assert answer["games"][0]["black"]["rank_after"] == "17k?"
        for number in range(20):
            answer = send("games", sent_game(f"C{number}", 10 + number, "bc", "cert", "BW"[number % 2]))
        side = answer["games"][0]["black"]
        assert (side["rank_before"][-1], side["rated_games"]) == ("?", 20)
        assert (side["rank_after"][-1] != "?", side["points_after"] is not None) == (True, True)
        assert equals_batch(send.pool)


TWO = (("aoi", "1d", 13_800, 300), ("kei", "1d", 13_800, 300))


class TestTaking:
    def test_a_batch_in_any_order_is_answered_in_its_own(self, make):
        send = make(*TWO)
        answer = send("games", [sent_game("B", 2, "aoi", "kei", "B"), sent_game("A", 1, "aoi", "kei", "W")])
        assert [(game["game"], game["is_new"]) for game in answer["games"]] == [("B", True), ("A", True)]
        second, first = answer["games"]
        assert first["number"] < second["number"]
        assert first["black"]["points_after"] == second["black"]["points_before"] == 13_700
        assert Entry.objects.filter(pool=send.pool).latest("pk").author == "igs"

    def test_again_is_answered_as_it_stands(self, make):
        send = make(*TWO)
        game = sent_game("A", 2, "aoi", "kei", "B")
        first = send("games", game)
        again = send("games", [game, game])
        assert again["games"] == [first["games"][0] | {"is_new": False}] * 2
        assert (GoGame.objects.count(), LiveGame.objects.count()) == (1, 1)
        other_zone = game | {"ended": "2026-01-01T21:02:00+09:00"}
        assert send("games", other_zone)["games"][0]["is_new"] is False

    def test_the_same_id_of_another_game_is_a_conflict(self, make):
        send = make(*TWO)
        send("games", sent_game("A", 2, "aoi", "kei", "B"))
        found = send(
            "games", [sent_game("N", 3, "aoi", "kei", "B"), sent_game("A", 2, "aoi", "kei", "W")], 409
        )
        assert found["errors"] == [
            {
                "where": "1.game_id",
                "message": "The office has another game under the id A; send the same game again, or this one"
                " under an id of its own.",
                "code": "other-game",
            }
        ]
        assert not GoGame.objects.filter(game_id="N").exists()
        refusal = LiveRefusal.objects.get()
        assert (refusal.author, refusal.status, refusal.fault[2]) == ("igs", 409, "other-game")
        twice = [sent_game("Z", 3, "aoi", "kei", "B"), sent_game("Z", 3, "aoi", "kei", "W")]
        assert send("games", twice, 409)["errors"][0]["where"] == "1.game_id"

    def test_a_refusal_is_told_though_it_cannot_be_noted(self, make, monkeypatch, caplog):
        def full(*_):
            raise OperationalError("database or disk is full")

        send = make(*TWO)
        monkeypatch.setattr(service_figures, "note_refusal", full)
        found = send("games", sent_game("A", 2, "aoi", "nobody", "B"), 422)
        assert [each["code"] for each in found["errors"]] == ["unknown-player"]
        assert "A refusal was not noted" in caplog.text

    def test_all_or_nothing(self, make):
        send = make(*TWO)
        batch = [
            sent_game("A", 1, "aoi", "kei", "B"),
            sent_game("B", 2, "aoi", "ghost", "B"),
            sent_game("C", 3, "aoi", "aoi", "B"),
            sent_game("D", 4, "aoi", "kei", "B", fault="black", moves=0),
            sent_game("E", 4, "aoi", "kei", "B") | {"ended": "1999-01-01T00:00:00Z"},
        ]
        found = send("games", batch, 422)
        where = [error["where"] for error in found["errors"]]
        assert where == ["1.white", "2.white", "3.fault", "4.ended"]
        assert not GoGame.objects.exists()
        assert equals_batch(send.pool)

    def test_one_that_comes_late_is_rated_at_its_place(self, make):
        send = make(("aoi", "1d", 13_800, 49), ("kei", "1d", 13_800, 300))
        later = send("games", sent_game("B", 2, "aoi", "kei", "B"))
        assert later["games"][0]["black"]["points"] == 150
        first = send("games", sent_game("A", 1, "aoi", "kei", "B"))
        assert first["games"][0]["black"]["points"] == 150
        assert send("games", sent_game("B", 2, "aoi", "kei", "B"))["games"][0]["black"]["points"] == 120
        assert equals_batch(send.pool)

    def test_the_answer_to_a_late_game_says_what_stands_now_and_whom_it_moved(self, make):
        send = make(("aoi", "14k+", 2_790, 300), ("kei", "14k", 2_750, 300), ("ume", "14k", 2_600, 300))
        on_time = send("games", sent_game("C", 9, "kei", "ume", "B"))
        played = on_time["games"][0]
        assert (on_time["players"], on_time["rated_again"]) == ([], [])
        assert played["black_now"]["points"] == played["black"]["points_after"]
        # with one more win before, kei had another rank when the two met
        late = send("games", sent_game("A", 5, "aoi", "kei", "W"))
        game, (again,), (other,) = late["games"][0], late["rated_again"], late["players"]
        assert again["game"] == "C"
        assert again["black"]["rank_before"] != played["black"]["rank_before"]
        assert game["black_now"]["points"] == game["black"]["points_after"]
        assert game["white_now"]["points"] == again["black"]["points_after"] != game["white"]["points_after"]
        assert other == {"player": "ume", "before": played["white_now"], "after": other["after"]}
        assert other["after"]["points"] == again["white"]["points_after"] != played["white_now"]["points"]
        assert send("games", sent_game("C", 9, "kei", "ume", "B"))["games"][0]["white_now"] == other["after"]
        assert equals_batch(send.pool)

    def test_how_far_back(self, make):
        send = make(*TWO)
        OfficeSettings.objects.create(late_hours=1)
        send("games", sent_game("A", 120, "aoi", "kei", "B"))
        send("games", sent_game("B", 60, "aoi", "kei", "B"))
        found = send("games", sent_game("C", 59, "aoi", "kei", "B"), 409)
        assert found["errors"][0]["where"] == "0.ended"
        assert "before 2026-01-01T13:00:00+00:00" in found["errors"][0]["message"]
        send("declarations", {"player_id": "aoi", "at": START.isoformat(), "rank": "1k"}, 409)
        OfficeSettings.objects.update(late_hours=None)
        send("games", sent_game("C", 59, "aoi", "kei", "B"))
        OfficeSettings.objects.update(late_hours=1)
        send("void", {"game_id": "C"}, 409)
        assert send("games", sent_game("C", 59, "aoi", "kei", "B"))["games"][0]["is_new"] is False

    def test_a_game_that_ends_in_the_future_is_refused(self, make):
        send = make(*TWO)
        ahead = [(datetime.now(UTC) + timedelta(minutes=minutes)).isoformat() for minutes in (4, 7)]
        game = sent_game("A", 0, "aoi", "kei", "B")
        found = send("games", game | {"ended": ahead[1]}, 422)
        assert found["errors"][0]["where"] == "0.ended"
        assert "Check the clock" in found["errors"][0]["message"]
        send("games", [sent_game("B", 1, "aoi", "kei", "B"), game | {"ended": "2199-01-01T00:00:00Z"}], 422)
        send("games", game | {"ended": ahead[0]})
        assert list(LiveGame.objects.values_list("game_id", flat=True)) == ["A"]

    @pytest.mark.parametrize("game_id", ["A\u200b", "A ", "\u202eA", "\u0410"])
    def test_an_id_that_looks_like_another_is_refused(self, make, game_id):
        send = make(*TWO)
        send("games", sent_game(game_id, 1, "aoi", "kei", "B"), 422)
        send("players", {"player_id": game_id, "name": "Aoi", "declared": "1k"}, 422)

    def test_a_game_in_the_future_of_an_earlier_release_does_not_shut_out_the_others(self, make, monkeypatch):
        send = make(*TWO)
        OfficeSettings.objects.create(late_hours=24)
        with monkeypatch.context() as then:
            then.setattr(moment_limits, "MOST_AHEAD", timedelta(days=100_000))
            send("games", sent_game("A", 0, "aoi", "kei", "B") | {"ended": "2199-01-01T00:00:00Z"})
        send("games", sent_game("B", 0, "aoi", "kei", "B"), 409)
        send("games", sent_game("C", 0, "aoi", "kei", "B") | {"ended": datetime.now(UTC).isoformat()})
        assert equals_batch(send.pool)

    def test_struck_by_an_inquiry(self, make):
        send = make(*TWO)
        send("games", sent_game("A", 1, "aoi", "kei", "B"))
        entry = open_entry(send.pool, Act("officer", "inquiry"))
        strike_all(entry, records.GoGame, GoGame.objects.all(), START.date())
        found = send("games", sent_game("A", 1, "aoi", "kei", "B"), 409)
        assert "struck" in found["errors"][0]["message"]
        assert LiveStanding.objects.get(player_id="aoi").state.startswith('["certified","1d",34,13800,300')

    def test_ids_as_people_make_them(self, make):
        send = make(("井山", "1d", 13_800, 300), ("O'Neil; --", "1d", 13_800, 300))
        answer = send("games", sent_game("対局/1 ?#%", 1, "井山", "O'Neil; --", "B"))
        assert points(answer) == (100, -100)


class TestBodies:
    @pytest.mark.parametrize(
        ("change", "where"),
        [
            ({"game_id": ""}, "game_id"),
            ({"game_id": " \u3000"}, "game_id"),
            ({"game_id": "x" * 101}, "game_id"),
            ({"game_id": 7}, "game_id"),
            ({"game_id": "a\u0000b"}, "game_id"),
            ({"ended": "2026-01-01T12:00:00"}, "ended"),
            ({"ended": "2026-02-29T12:00:00Z"}, "ended"),
            ({"ended": 1_767_225_600}, "ended"),
            ({"result": "b"}, "result"),
            ({"handicap": 10}, "handicap"),
            ({"handicap": "2"}, "handicap"),
            ({"komi": "6.4"}, "komi"),
            ({"komi": True}, "komi"),
            ({"komi": None}, "komi"),
            ({"board": 0}, "board"),
            ({"moves": -1}, "moves"),
            ({"room": "lobby"}, "room"),
            ({"pair": 1}, "pair"),
            ({"fault": "both"}, "fault"),
            ({"reason": "bored"}, "reason"),
            ({"handikap": 2}, "handikap"),
        ],
    )
    def test_what_is_no_game(self, make, change, where):
        send = make(*TWO)
        found = send("games", sent_game("A", 1, "aoi", "kei", "B") | change, 422)
        assert [error["where"] for error in found["errors"]] == [f"0.{where}"]
        assert all(error["code"] for error in found["errors"])
        found = send("games", [sent_game("B", 1, "aoi", "kei", "B") | change], 422)
        assert found["errors"][0]["where"] == f"0.{where}"

    @pytest.mark.parametrize("body", ["", "[", "[]", "7", "null", "{}", '"a"', b"\xff", "[[]]"])
    def test_what_is_no_body(self, make, body):
        send = make(*TWO)
        answer = Client().post(f"{ADDRESS}/games", body, "application/json", headers=send.headers)
        assert answer.status_code in {400, 422}
        assert answer["Content-Type"] == "application/problem+json"

    def test_too_much(self, make):
        send = make(*TWO)
        many = [sent_game(f"G{number}", number, "aoi", "kei", "B") for number in range(1_001)]
        send("games", many, 422)
        send("games", many[:1_000])
        send("games", json.dumps({"x": "y" * 3_000_000}), 413)

    def test_too_often(self, monkeypatch):
        now = 1_000_000_020.0
        monkeypatch.setattr("time.time", lambda: now)
        limit = ProcessLimit(2, 60, of_keys=True)
        request = type("Request", (), {"auth": type("Server", (), {"prefix": "abcd"})})
        assert [limit.allow_request(request) for _ in range(3)] == [True, True, False]
        assert limit.count("other")
        assert limit.wait() == 60
        now += 59
        assert not limit.allow_request(request)
        now += 1
        assert [limit.allow_request(request) for _ in range(3)] == [True, True, False]

    def test_a_pool_of_chess(self, make):
        send = make(*TWO)
        japan = enter_folder("japan", Path(__file__).parents[2] / "examples" / "japan", "clerk")
        key = api_keys.make_key("x", send.user, japan, ["games"], None, CLERK).text
        answer = Client().post(
            "/api/v1/pools/japan/games",
            json.dumps(sent_game("A", 1, "aoi", "kei", "B")),
            "application/json",
            headers={"authorization": f"Bearer {key}"},
        )
        assert (answer.status_code, answer.json()["title"]) == (404, "Not Found")
        assert "chess" in answer.json()["detail"]


class TestPlayers:
    def test_a_newcomer(self, make):
        send = make(*TWO)
        mio = {"player_id": "mio", "name": "澪", "declared": "4k"}
        found = send("players", mio)
        assert found == {
            "player": "mio", "rank": "4k?", "kind": "provisional", "points": None, "rated_games": 0,
            "wins_in_bc": 0, "name": "澪", "robot": False, "is_new": True,
        }  # fmt: skip
        assert send("players", mio) == found | {"is_new": False}
        send("games", sent_game("A", 1, "mio", "aoi", "B", handicap=4))
        assert send("players", mio)["rated_games"] == 1
        assert send("players", mio | {"declared": "5k"}, 409)["errors"][0]["where"] == "0.player_id"

    @pytest.mark.parametrize("declared", ["4k+", "18k", "10d", "0k", "", "4K", None])
    def test_no_rank(self, make, declared):
        send = make(*TWO)
        send("players", {"player_id": "mio", "name": "Mio", "declared": declared}, 422)

    @pytest.mark.parametrize("blank", ["player_id", "name"])
    def test_nobody_of_spaces(self, make, blank):
        """A ledger's table would not have such a player."""
        mio = {"player_id": "mio", "name": "Mio", "declared": "4k"}
        make(*TWO)("players", mio | {blank: " \u3000"}, 422)

    def test_a_declaration(self, make):
        send = make(*TWO, ("mio", "4k"))
        at = START.isoformat()
        found = send("declarations", {"player_id": "mio", "at": at, "rank": "2k"})
        assert (found["counts"], found["rank"]) == (True, "2k?")
        assert send("declarations", {"player_id": "mio", "at": at, "rank": "2k"}) == found
        send("declarations", {"player_id": "mio", "at": at, "rank": "3k"}, 409)
        send("declarations", {"player_id": "ghost", "at": at, "rank": "3k"}, 422)
        ignored = send("declarations", {"player_id": "aoi", "at": at, "rank": "3k"})
        assert (ignored["counts"], ignored["rank"]) == (False, "1d")
        assert equals_batch(send.pool)

    def test_a_declaration_from_before_the_games(self, make):
        send = make(*TWO, ("mio", "4k"))
        send("games", sent_game("A", 1, "mio", "aoi", "B", handicap=3))
        send("declarations", {"player_id": "mio", "at": START.isoformat(), "rank": "9k"})
        again = send("games", sent_game("A", 1, "mio", "aoi", "B", handicap=3))
        assert again["games"][0]["black"]["rank_before"] == "9k?"
        assert equals_batch(send.pool)


class TestReason:
    """Why a game ended is turned into `result` and `fault`; the ledger has no column for it."""

    @pytest.mark.parametrize(
        ("game", "fault", "verdict"),
        [
            ({"reason": "score"}, "", "rated"),
            ({"reason": "resignation"}, "", "rated"),
            ({"reason": "time"}, "", "rated"),
            ({"reason": "disconnection"}, "", "rated"),
            ({"reason": "decision"}, "", "rated"),
            ({"reason": "score", "result": "draw"}, "", "not:result"),
            ({"reason": "disconnection", "result": "void"}, "", "not:result"),
            ({"reason": "adjourned", "result": "void"}, "", "not:result"),
            ({"reason": "cancelled", "result": "void"}, "", "not:result"),
            ({"reason": "no-greeting"}, "black", "fault"),
            ({"reason": "no-greeting", "result": "B"}, "white", "fault"),
            ({"reason": "no-greeting", "fault": "black"}, "black", "fault"),
            ({"reason": "no-first-move", "moves": 1, "result": "B"}, "white", "fault"),
            ({"reason": "resignation", "moves": 0}, "black", "fault"),
            ({"reason": "disconnection", "moves": 0}, "black", "fault"),
            ({"reason": "disconnection", "moves": 0, "result": "void"}, "", "not:moves"),
            ({"reason": "resignation", "moves": 1}, "", "not:moves"),
            ({"reason": "resignation", "moves": 1, "fault": "black"}, "black", "fault"),
            ({"moves": 1, "fault": "black"}, "black", "fault"),
            ({"moves": 1}, "", "not:moves"),
        ],
    )
    def test_what_each_makes_of_a_game(self, make, game, fault, verdict):
        send = make(*TWO)
        sent = sent_game("G", 1, "aoi", "kei", "W") | game
        answer = send("games", sent)
        assert verdicts(answer) == (verdict, verdict)
        assert GoGame.objects.get().fault == fault
        again = send("games", sent)
        assert [one["is_new"] for one in again["games"]] == [False]
        assert again["games"][0] | {"is_new": True} == answer["games"][0]
        assert equals_batch(send.pool)

    @pytest.mark.parametrize(
        ("game", "where", "code"),
        [
            ({"fault": "black"}, "fault", "fault-moves"),
            ({"fault": "black", "moves": 2}, "fault", "fault-moves"),
            ({"fault": "black", "reason": "resignation"}, "fault", "reason-fault"),
            ({"fault": "white", "reason": "no-greeting"}, "fault", "reason-fault"),
            ({"fault": "white", "reason": "resignation", "moves": 0}, "fault", "reason-fault"),
            ({"fault": "black", "reason": "score", "moves": 0}, "fault", "reason-fault"),
            ({"fault": "white", "moves": 0}, "fault", "fault-winner"),
            ({"reason": "no-first-move"}, "reason", "reason-moves"),
            ({"reason": "adjourned"}, "reason", "reason-result"),
            ({"reason": "no-greeting", "result": "void"}, "reason", "reason-result"),
            ({"reason": "time", "result": "draw"}, "reason", "reason-result"),
            ({"reason": "score", "result": "void"}, "reason", "reason-result"),
        ],
    )
    def test_what_does_not_go_together(self, make, game, where, code):
        send = make(*TWO)
        good = sent_game("A", 1, "aoi", "kei", "W")
        found = send("games", [good, sent_game("G", 2, "aoi", "kei", "W") | game], 422)
        assert [(one["where"], one["code"]) for one in found["errors"]] == [(f"1.{where}", code)]
        assert not GoGame.objects.exists()

    @pytest.mark.parametrize("moves", [0, 1, 2, 211])
    def test_a_ledger_with_faults_is_played_into_an_office(self, make, moves):
        """It does not say why they ended."""
        send = make(*TWO)
        game = records.GoGame("G", START, "aoi", "kei", "W", 0, 13, 19, moves, fault="black")
        for post in event_posts(SimpleNamespace(declarations=[], games=[game]), 1):
            send(post.path, post.body)
        stored = read_book(send.pool).games[0]
        assert stored == game

    def test_a_fault_that_is_in_the_ledger_is_not_questioned(self, make):
        """It came with a ledger, or before faults were questioned; another game of its id is a conflict."""
        send = make(*TWO)
        there = sent_game("G", 1, "aoi", "kei", "W", fault="black")
        first = send("games", there | {"reason": "no-greeting"})["games"][0]
        assert send("games", there)["games"][0] | {"is_new": True} == first
        assert send("games", there | {"moves": 60}, 409)["errors"][0]["code"] == "other-game"
        assert send("games", there | {"game_id": "H"}, 422)["errors"][0]["code"] == "fault-moves"

    def test_a_questioned_fault_says_what_to_send(self, make):
        send = make(*TWO)
        found = send("games", sent_game("G", 1, "aoi", "kei", "W", fault="black", moves=211), 422)
        message = found["errors"][0]["message"]
        assert all(
            word in message for word in ("211", "2 is a played game", "PN 1(5)b", "no-greeting", "blank")
        )


class TestRanksThatChange:
    def test_terms_that_were_regular_before_are_named(self, make):
        """Black goes up from 2d to 2d+ while a game on the terms of one rank is played."""
        send = make(("aoi", "2d", 14_750, 300), ("mio", "3d", 15_400, 300), ("ren", "2d", 14_500, 300))
        up = sent_game("up", 1, "aoi", "ren", "B")
        game = sent_game("G", 30, "aoi", "mio", "B", komi="-5.5", handicap=0)
        first, second = send("games", [up, game])["games"]
        assert (first["regular_before"], first["black"]["rank_after"]) == (None, "2d+")
        assert second["regular_before"] == {"black": "2d", "white": "3d"}
        assert (second["black"]["points"], second["handicap"], second["komi"]) == (92, 0, "-5.5")
        assert send("games", game)["games"][0]["regular_before"] == second["regular_before"]
        asked = Client().get(f"{ADDRESS}/games/G").json()
        assert asked["regular_before"] == second["regular_before"]
        rows = Client().get(f"{ADDRESS}/players/mio/games").json()["games"]
        assert rows[0]["regular_before"] == second["regular_before"]
        more = [sent_game(f"M{number}", 40 + number, "mio", "ren", "draw") for number in range(20)]
        many = send("games", [game, *more])["games"]
        assert [one["regular_before"] for one in many] == [None] * 21, "of so many it is not looked up"
        late = send("games", sent_game("late", 0, "aoi", "ren", "W"))
        assert late["rated_again"]
        assert Client().get(f"{ADDRESS}/games/G").json()["regular_before"] is None, "Black was 2d at the end"


class TestAnnulment:
    def test_what_it_touched_is_rated_again_and_told(self, make):
        send = make(("aoi", "1d", 13_800, 49), ("kei", "1d", 13_800, 300), ("ren", "1d", 13_800, 300))
        send("games", sent_game("A", 1, "aoi", "kei", "B"))
        send("games", sent_game("B", 2, "aoi", "kei", "B"))
        send("games", sent_game("C", 3, "kei", "ren", "B"))
        found = send("void", {"game_id": "A", "why": "the server stopped"})
        assert [game["game"] for game in found["rated_again"]] == ["A", "B", "C"]
        assert found["rated_again"][0]["black"]["verdict"] == "not:result"
        assert found["rated_again"][1]["black"]["points"] == 150
        changed = {
            each["player"]: (each["before"]["points"], each["after"]["points"]) for each in found["players"]
        }
        assert changed == {"aoi": (14_070, 13_950), "kei": (13_700, 13_800)}
        entry = Entry.objects.filter(pool=send.pool).latest("pk")
        assert (entry.author, entry.act, entry.why) == ("igs", "game-void", "the server stopped")
        assert equals_batch(send.pool)

    def test_again_it_changes_nothing(self, make):
        send = make(*TWO)
        send("games", sent_game("A", 1, "aoi", "kei", "B"))
        send("void", {"game_id": "A"})
        entries = Entry.objects.count()
        assert send("void", {"game_id": "A"}) == {"game": "A", "players": [], "rated_again": []}
        assert Entry.objects.count() == entries
        assert (
            send("games", sent_game("A", 1, "aoi", "kei", "B"))["games"][0]["black"]["verdict"]
            == "not:result"
        )
        send("games", sent_game("A", 1, "aoi", "kei", "B", moves=3), 409)

    def test_a_fault_annulled_counts_no_more(self, make):
        send = make(*TWO)
        send("games", sent_game("A", 1, "aoi", "kei", "W", reason="no-greeting"))
        found = send("void", {"game_id": "A"})
        assert found["players"][0]["after"]["points"] == 13_800
        assert equals_batch(send.pool)

    def test_no_such_game(self, make):
        found = make(*TWO)("void", {"game_id": "A"}, 404)
        (error,) = found["errors"]
        assert error == {
            "where": "0.game_id",
            "message": "There is no game A in the pool.",
            "code": "unknown-game",
        }
