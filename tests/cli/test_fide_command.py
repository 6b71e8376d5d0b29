"""banzuke fide: players found in a list, first ratings taken over, what is said and with which status."""

from __future__ import annotations

import pytest
from command_runs import banzuke, ledger, no_traceback

from banzuke.formats.fide.fide_player import FidePlayer
from banzuke.formats.fide.fide_text import write_txt
from banzuke.ledger.folder import read_ledger

LISTED = [
    FidePlayer(
        *("1503014", "Carlsen, Magnus", "NOR", "M", "GM", "", "", ""),
        *(2837, 9, 10, 2819, 0, 10, 2886, 12, 10, 1990, ""),
    ),
    FidePlayer("7000001", "Abe, Ichiro", "JPN", standard=1900, blitz=1750),
    FidePlayer("7000002", "Abe, Jiro", "JPN", flag="i"),
]
PLAYERS = """player_id,name,fide_id,fide_standard
A,ABE Ichiro,7000001,
B,BABA Jiro,1503014,
C,CHIBA Ken,7000009,
D,ABE Jiro,7000002,
E,ENDO Mai,1,2000
"""
EVENTS = "event_id,name,speed,starts,ends,reported\nE1,Open,standard,2025-01-05,2025-01-05,2025-01-06"

TAKEN = "A ABE Ichiro: FIDE ratings taken over (standard 1900, blitz 1750)."
REMEDY = "correct the id or the name."


@pytest.fixture
def listed(tmp_path):
    path = tmp_path / "players_list_foa.txt"
    path.write_bytes(b"".join(write_txt(LISTED, "")))
    return path


@pytest.fixture
def folder(tmp_path):
    games = "event_id,round,white,black,result\nE1,1,A,B,1-0"
    return ledger(tmp_path / "pool", "jcf-2024", "2024-10-01", players=PLAYERS, events=EVENTS, games=games)


def single(tmp_path, name):
    """A list of one speed."""
    lines = b"".join(write_txt([LISTED[1]], "")).decode().splitlines()
    path = tmp_path / name
    path.write_text(f"{lines[0][:113]}JAN25 Gms K\r\n{lines[1][:113]}1600  0   20\r\n", "ascii")
    return path


class TestFind:
    def test_players_stand_in_a_table(self, listed):
        ran = banzuke("fide", "find", listed, "magnus carlsen", 7000001)
        assert (ran.status, ran.err) == (0, "")
        cells = [line.split() for line in ran.lines if line.strip()]
        assert cells[0][:2] == ["FIDE", "id"]
        assert cells[2:] == [
            ["1503014", "Carlsen,", "Magnus", "NOR", "GM", "1990", "2837", "2819", "2886"],
            ["7000001", "Abe,", "Ichiro", "JPN", "1900", "1750"],
        ]

    def test_as_json(self, listed):
        ran = banzuke("fide", "find", listed, "Carlsen", "Nobody", "--format", "json")
        assert ran.status == 1
        assert ran.json == {
            "found": [
                {"wanted": "Carlsen", "players": [LISTED[0]._asdict()], "total": 1},
                {"wanted": "Nobody", "players": [], "total": 0},
            ],
            "faults": [],
        }

    def test_who_is_not_in_the_list_is_said(self, listed):
        ran = banzuke("fide", "find", listed, "Nobody")
        assert (ran.status, ran.out) == (1, "")
        assert ran.err == "'Nobody' is not in the list.\n"
        assert (
            banzuke("fide", "find", listed, "Nobody", lang="ja").err == "「Nobody」はリストにありません。\n"
        )

    def test_of_many_it_is_said_how_many(self, tmp_path):
        path = tmp_path / "list.txt"
        path.write_bytes(b"".join(write_txt([FidePlayer(str(n), "Lee, Bo") for n in range(1, 131)], "")))
        ran = banzuke("fide", "find", path, "Lee")
        assert ran.status == 0
        assert ran.err.startswith("'Lee': the first 100 of 130 players")

    def test_faults_of_the_list_are_said_after_what_was_found(self, listed):
        listed.write_bytes(listed.read_bytes() + b"x\r\n")
        ran = banzuke("fide", "find", listed, "7000001")
        assert ran.status == 2
        assert "Abe, Ichiro" in ran.out
        assert no_traceback(ran).startswith("players_list_foa.txt:5: 1: “x” is no id")
        as_json = banzuke("fide", "find", listed, "7000001", "--format", "json")
        assert (as_json.status, len(as_json.json["faults"])) == (2, 1)

    def test_the_speed_of_a_list_of_one(self, tmp_path):
        path = single(tmp_path, "list.txt")
        assert "say whether it is standard, rapid or blitz" in banzuke("fide", "find", path, "7000001").err
        for ran in (
            banzuke("fide", "find", path, "7000001", "--speed", "rapid", "--format", "json"),
            banzuke("fide", "find", single(tmp_path, "rapid_jan25frl.txt"), "7000001", "--format", "json"),
        ):
            [player] = ran.json["found"][0]["players"]
            assert (player["standard"], player["rapid"], player["blitz"]) == (None, 1600, None)

    def test_a_list_that_is_not_there(self, tmp_path):
        ran = banzuke("fide", "find", tmp_path / "none.txt", "x")
        assert ran.status == 2
        no_traceback(ran)


class TestTakeOver:
    def test_it_says_what_became_of_everyone(self, listed, folder):
        ran = banzuke("fide", "take-over", listed, "--into", folder)
        assert ran.status == 0
        assert ran.lines == [
            f"{TAKEN} There are games of this player in the ledger: lists made from them may change.",
            "Taken over: 1. Doubtful: 1, unrated: 1, not in the list: 1, left as they were: 1.",
        ]
        assert ran.err.splitlines() == [
            f"B BABA Jiro: not taken over, for FIDE id 1503014 is {LISTED[0].name} in the list; {REMEDY}",
            "D ABE Jiro: in the list without a rating.",
            "C CHIBA Ken: not in the list.",
        ]
        assert [p.fide_standard for p in read_ledger(folder).players] == [1900, None, None, None, 2000]

    def test_as_json(self, listed, folder):
        assert banzuke("fide", "take-over", listed, "--into", folder, "--format", "json").json == {
            "taken": [
                {"player_id": "A", "name": "ABE Ichiro", "standard": 1900, "blitz": 1750, "has_games": True}
            ],
            "doubtful": [
                {"player_id": "B", "name": "BABA Jiro", "fide_id": "1503014", "listed": "Carlsen, Magnus"}
            ],
            "unrated": [{"player_id": "D", "name": "ABE Jiro"}],
            "missing": [{"player_id": "C", "name": "CHIBA Ken"}],
            "left": [{"player_id": "E", "name": "ENDO Mai"}],
            "titled": [],
        }

    def test_players_without_games_are_taken_over_without_a_warning(self, listed, folder):
        (folder / "games.csv").write_text("event_id,round,white,black,result\n", "utf-8")
        ran = banzuke("fide", "take-over", listed, "--into", folder)
        assert ran.lines[0] == TAKEN

    @pytest.mark.parametrize("command", [["fide", "take-over"], ["import"]])
    def test_a_list_of_one_speed(self, tmp_path, folder, command):
        path = single(tmp_path, "list.txt")
        assert banzuke(*command, path, "--into", folder).status == 2
        assert banzuke(*command, path, "--into", folder, "--speed", "blitz").status == 0
        player = read_ledger(folder).players[0]
        assert (player.fide_standard, player.fide_rapid, player.fide_blitz) == (None, None, 1600)

    def test_a_list_with_faults_is_refused(self, listed, folder):
        listed.write_bytes(listed.read_bytes() + b"x\r\n")
        ran = banzuke("fide", "take-over", listed, "--into", folder)
        assert ran.status == 2
        assert "Nothing was written" in no_traceback(ran)
        assert (folder / "players.csv").read_text("utf-8") == PLAYERS
