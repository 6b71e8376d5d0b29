"""A Go server's pool as the API tells it now: terms, players, their games, the feed."""

from __future__ import annotations

from datetime import date

import pytest
from office.live_pool import KEY, START, game, go_pool, play

from banzuke.core.go_facts import Declaration, GoPlayer
from banzuke.database.book_reader import read_book
from banzuke.database.book_writer import Act, open_entry
from banzuke.database.models import Contact, Role
from banzuke.engine.go_history import history, opening
from banzuke.engine.result_rows import go_change_rows, go_standing_row
from banzuke.office.administration import api_keys
from banzuke.office.journal import Actor
from banzuke.office.lists.list_index import names_of
from banzuke.office.lists.publishing import publish
from banzuke.office.live import accounts, pool_events

CLERK = Actor("clerk")


@pytest.fixture
def ask(api):
    """Asks of the pool `go`, which has no list: the answer's JSON, of whatever status."""

    def asked(address, **words):
        return api(f"/pools/go/{address}", **words).json()

    return asked


@pytest.fixture
def server(db):
    """A pool of five players who have played a little."""
    pool = go_pool(
        ("aoi", "2d+", 14_900, 300),
        ("kei", "3d", 15_300, 59),
        ("mio", "4k"),
        ("ren", "BC"),
        ("sho", "3p"),
    )
    play(
        pool,
        game("G1", 1, "aoi", "kei", "W", 0, 7),
        game("G2", 2, "mio", "aoi", "W", 5, 1),
        game("G3", 3, "ren", "mio", "B"),
    )
    return pool


class TestTerms:
    def test_regular_ones_and_what_each_would_win_or_lose(self, ask, server):
        """Example 3, in the standings after the games."""
        found = ask("terms", black="aoi", white="kei")
        assert found["black"] == {"player": "aoi", "name": "Aoi", "rank": "2d+"}
        regular = {"black": "aoi", "white": "kei", "handicap": 0, "komi": "0.5", "is_reverse": False}
        assert found["regular"] == found["given"] == regular
        assert (found["difference"], found["upper"]) == ("0", None)
        won = found["if_white_wins"]
        assert (won["black"]["points"], won["white"]["points"]) == (-100, 120)
        assert won["white"] == {
            "player": "kei", "rank_before": "3d", "rank_after": "3d", "rank_changed": False,
            "points_before": 15_415, "points_after": 15_535, "points": 120, "verdict": "rated",
            "clause": "PN 3(1)", "difference": "0", "upper": None, "won": True, "rated_games": 61,
        }  # fmt: skip

    def test_given_ones(self, ask, server):
        """Example 4: a quarter of a rank."""
        found = ask("terms", black="aoi", white="kei", handicap=0, komi="3.5")
        assert (found["difference"], found["upper"]) == ("1/4", "kei")
        points = [found[result]["black"]["points"] for result in ("if_white_wins", "if_black_wins")]
        assert points == [-96, 104]
        assert found["given"]["komi"] == "3.5"

    def test_reverse_komi_is_said(self, ask, server):
        for player in (GoPlayer("one", "One", "1d"), GoPlayer("two", "Two", "3d")):
            accounts.add_players(server, [accounts.Newcomer(player)], KEY)
        found = ask("terms", black="one", white="two")
        given = {"black": "one", "white": "two", "handicap": 2, "komi": "-5.5", "is_reverse": True}
        assert found["given"] == given
        found = ask("terms", black="two", white="one")
        assert found["regular"] == given
        assert found["given"] == {
            "black": "two", "white": "one", "handicap": 0, "komi": "6.5", "is_reverse": False,
        }  # fmt: skip

    def test_who_has_no_rank(self, ask, server):
        found = ask("terms", black="ren", white="sho")
        assert (found["regular"], found["difference"], found["upper"]) == (None, None, None)
        assert found["if_black_wins"]["black"]["verdict"] == "not:professional"

    def test_a_bonus(self, ask, server):
        won = ask("terms", black="mio", white="kei", handicap=5, komi="0.5")["if_white_wins"]
        assert (won["white"]["verdict"], won["white"]["points"]) == ("bonus", 50)
        assert (won["black"]["verdict"], won["black"]["points"]) == ("rated", None)

    def test_who_is_not_there(self, api, server):
        answer = api("/pools/go/terms", black="aoi", white="nobody")
        assert answer.status_code == 404
        assert answer.json()["detail"] == "The pool has no player nobody."
        assert api("/pools/go/terms", black="aoi", white="aoi").status_code == 422
        assert api("/pools/go/terms", black="aoi").status_code == 422
        assert api("/pools/go/terms", black="aoi", white="kei", handicap=10).status_code == 422
        assert api("/pools/go/terms", black="aoi", white="kei", komi="6.4").status_code == 422


class TestPlayer:
    def test_who_is_on_no_list_yet(self, ask, server):
        found = ask("players/aoi")
        live = found.pop("live")
        assert found == {"player": "aoi", "name": "Aoi", "name_native": "", "ratings": []}
        assert live["zone"] == {
            "up": 15_200, "to_up": 346, "down": 14_600, "to_down": 254, "table": "",
            "origin": "The real server does not publish its table, so Banzuke uses its own.",
        }  # fmt: skip
        assert live["last_at"] == "2026-01-01T12:02:00Z"
        assert (live["kind"], live["rank"], live["number"], live["multiplier"]) == (
            "certified",
            "2d+",
            302,
            "1",
        )
        assert (live["place"], live["to_certification"], live["to_17k"]) == (2, None, None)

    def test_in_japanese(self, ask, server):
        assert ask("players/aoi", lang="ja")["live"]["zone"]["origin"].startswith(
            "実際のサーバーの表は公開されていないため"
        )

    def test_who_is_not_certified(self, ask, server):
        mio, ren, sho = (ask(f"players/{player}")["live"] for player in ("mio", "ren", "sho"))
        assert (mio["kind"], mio["rank"], mio["points"], mio["zone"]) == ("provisional", "4k?", None, None)
        assert (mio["number"], mio["multiplier"]) == (None, None)
        assert (ren["kind"], ren["wins_in_bc"], ren["to_17k"]) == ("beginner", 1, 4)
        assert (sho["kind"], sho["rank"], sho["last_at"]) == ("professional", "3p", None)

    def test_on_a_list_too(self, ask, server):
        publish(server, names_of(read_book(server))[-1], CLERK, date(2026, 3, 1))
        found = ask("players/aoi")
        assert [each["list"] for each in found["ratings"]] == ["2026-02"]
        assert found["live"]["points"] == found["ratings"][0]["row"]["rating"]

    def test_a_pool_of_chess_has_none(self, api, office):
        assert api("/pools/japan/players/J004").json()["live"] is None

    def test_nobody(self, api, server):
        assert api("/pools/go/players/nobody").status_code == 404

    def test_a_declaration_and_a_newcomer(self, ask, server):
        accounts.add_players(server, [accounts.Newcomer(GoPlayer("yui", "Yui", "10k"))], KEY)
        pool_events.add_declaration(server, Declaration("yui", START, "8k"), KEY)
        assert ask("players/yui")["live"]["rank"] == "8k?"

    @pytest.mark.parametrize(("player_id", "written"), [("a/b~", "a~2Fb~7E"), (".", "~2E"), ("..", "~2E~2E")])
    def test_an_id_that_an_address_cannot_have(self, ask, server, player_id, written):
        accounts.add_players(server, [accounts.Newcomer(GoPlayer(player_id, "Yui", "10k"))], KEY)
        assert ask(f"players/{written}")["player"] == player_id

    def test_a_robot(self, ask, server):
        assert not ask("players/aoi")["live"]["robot"]
        accounts.mark_robot(server, "aoi", True, "", CLERK)
        assert ask("players/aoi")["live"]["robot"]
        accounts.mark_robot(server, "aoi", False, "", CLERK)
        assert not ask("players/aoi")["live"]["robot"]

    def test_who_is_shown_by_id_only(self, ask, server):
        entry = open_entry(server, Act("clerk", "contact"))
        Contact.objects.create(entry=entry, pool=server, player_id="aoi", by_id_only=True)
        assert ask("players/aoi")["name"] == ""
        assert ask("players/aoi/games")["name"] == ""
        assert ask("terms", black="aoi", white="kei")["black"]["name"] == ""


class TestGames:
    def test_the_newest_first(self, ask, server):
        found = ask("players/aoi/games")
        assert [each["game"] for each in found["games"]] == ["G2", "G1"]
        assert (found["player"], found["name"], found["next"]) == ("aoi", "Aoi", None)
        first = found["games"][1]
        told = {
            name: first[name] for name in ("ended", "result", "handicap", "komi", "board", "moves", "room")
        }
        assert told == {
            "ended": "2026-01-01T12:01:00Z", "result": "W", "handicap": 0, "komi": "3.5", "board": 19,
            "moves": 200, "room": "",
        }  # fmt: skip
        assert (first["black"]["points"], first["white"]["points"]) == (-96, 115)

    def test_pages(self, ask, api, server):
        found = ask("players/aoi/games", limit=1)
        assert (found["games"][0]["game"], found["next"]) == ("G2", "G2")
        found = ask("players/aoi/games", limit=1, after="G2")
        assert (found["games"][0]["game"], found["next"]) == ("G1", None)
        assert api("/pools/go/players/aoi/games", after="G9").status_code == 404

    def test_who_never_played_and_nobody(self, ask, api, server):
        assert ask("players/sho/games")["games"] == []
        assert api("/pools/go/players/nobody/games").status_code == 404


class TestOneGame:
    def test_it_is_as_its_players_games_have_it(self, ask, api, server):
        assert ask("games/G2") == ask("players/aoi/games")["games"][0]
        assert api("/pools/go/games/G9").status_code == 404
        assert api("/pools/japan/games/G1").status_code == 404

    @pytest.mark.parametrize(
        ("game_id", "written"), [("2026/7 ~", "2026~2F7%20~7E"), (".", "~2E"), ("..", "~2E~2E")]
    )
    def test_an_id_that_an_address_cannot_have(self, ask, server, game_id, written):
        play(server, game(game_id, 4, "aoi", "kei", "B"))
        assert ask(f"games/{written}")["game"] == game_id

    def test_annulled(self, ask, server):
        pool_events.void_game(server, "G1", KEY, "")
        assert ask("games/G1")["result"] == "void"


class TestChanges:
    def test_the_result_is_the_one_that_stands(self, ask, server):
        assert [each["result"] for each in ask("changes")["changes"]] == ["W", "W", "B"]
        pool_events.void_game(server, "G1", KEY, "")
        found = [(each["game"], each["result"]) for each in ask("changes")["changes"]]
        assert found == [("G1", "void"), ("G2", "W"), ("G3", "B"), ("G1", "void"), ("G2", "W")]

    def test_the_terms_of_a_game_are_those_that_it_has(self, ask, server):
        rows = ask("changes")["changes"]
        terms = [(row["handicap"], row["komi"]) for row in rows]
        assert terms == [(0, "3.5"), (5, "0.5"), (0, "6.5")]
        games = [ask(f"games/{row['game']}") for row in rows]
        assert [(game["handicap"], game["komi"]) for game in games] == terms

    def test_a_program_that_polls_has_everything_once(self, ask, server):
        first = ask("changes", limit=2)
        assert [each["game"] for each in first["changes"]] == ["G1", "G2"]
        second = ask("changes", after=first["next"], limit=2)
        assert [each["game"] for each in second["changes"]] == ["G3"]
        assert ask("changes", after=second["next"]) == {"changes": [], "next": second["next"]}
        play(server, game("G4", 4, "aoi", "kei", "B"))
        assert [each["game"] for each in ask("changes", after=second["next"])["changes"]] == ["G4"]

    def test_what_is_rated_again(self, ask, server):
        before = ask("changes")
        pool_events.void_game(server, "G1", KEY, "")
        again = ask("changes", after=before["next"])["changes"]
        assert [(each["game"], each["is_again"]) for each in again] == [("G1", True), ("G2", True)]
        assert again[0]["black"]["verdict"] == "not:result"
        assert again[-1]["number"] > before["next"]

    def test_nothing_yet(self, ask, db):
        go_pool(("one", "5k"))
        assert ask("changes") == {"changes": [], "next": 0}

    def test_beyond_what_a_database_counts(self, api, server):
        assert api("/pools/go/changes", after=2**63).status_code == 422
        assert api("/pools/go/changes", after=2**63 - 1).json()["changes"] == []


@pytest.mark.parametrize("address", ["terms?black=J001&white=J004", "players/J004/games", "changes"])
def test_a_pool_of_chess(api, office, address):
    answer = api(f"/pools/japan/{address}")
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert "chess" in answer.json()["detail"]


def test_an_answer_that_has_not_changed(api, server):
    for address in ("players/aoi", "players/aoi/games", "changes", "terms?black=aoi&white=kei"):
        tag = api(f"/pools/go/{address}")["ETag"]
        assert api(f"/pools/go/{address}", headers={"if-none-match": tag}).status_code == 304
    play(server, game("G4", 4, "aoi", "kei", "B"))
    for address in ("players/aoi", "players/aoi/games", "changes", "terms?black=aoi&white=kei"):
        assert api(f"/pools/go/{address}").status_code == 200


def test_a_servers_own_key_reads_too(api, office, server):
    Role.objects.create(user=office.users["officer"], pool=server, kind=Role.Kind.OFFICER)
    made = api_keys.make_key("server", office.users["officer"], server, ["games"], None, CLERK)
    headers = {"authorization": f"Bearer {made.text}"}
    for address in ("players/aoi", "players/aoi/games", "changes", "terms?black=aoi&white=kei"):
        assert api(f"/pools/go/{address}", headers=headers).status_code == 200


@pytest.mark.slow
def test_the_example_server_is_told_as_it_is_rated(api, office):
    """Every line and every standing, from the feed and players, as `banzuke rate` gives them."""
    ledger = read_book(office.pools["go-server"])
    run = opening(ledger)
    rated = [row for each in history(ledger, run, None) for row in go_change_rows(each)]
    told, after = [], 0
    while True:
        answer = api("/pools/go-server/changes", after=after, limit=1000).json()
        if not answer["changes"]:
            break
        after = answer["next"]
        told += [row for each in answer["changes"] for row in _rows(each)]
    assert told == rated
    for player, state in run.states.items():
        live = api(f"/pools/go-server/players/{player}").json()["live"]
        names = ("rank", "points", "rated_games", "wins_in_bc")
        assert (player, *(live[name] for name in names)) == go_standing_row(player, state)


def _rows(change):
    sides = (change["black"], change["white"])
    for side, other in (sides, sides[::-1]):
        flags = (None if side[name] is None else int(side[name]) for name in ("upper", "won"))
        yield (
            change["game"], side["player"], other["player"], side["rank_before"], other["rank_before"],
            side["difference"], *flags, side["points"], side["verdict"], side["rank_after"], side["clause"],
        )  # fmt: skip
