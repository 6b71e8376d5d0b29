"""A Go ledger played into an office that is really served, and its feed read: over HTTP on loopback."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from datetime import datetime
from queue import Queue
from threading import Thread
from typing import IO

import pytest
from command_runs import COMMAND, EXAMPLES, banzuke, no_traceback
from office.live_service import POOL, Service
from web.served_office import Served, serve

from banzuke.client.api_client import ApiClient, parse_pool_address
from banzuke.ledger.folder import read_ledger

#: They need an office that is served, with six pools.
pytestmark = pytest.mark.slow
LEDGER = EXAMPLES / "go-server"
PATIENCE = 60
#: Pools as the ledger opens; each but the first is for one test.
POOLS = ("replayed", "at-once", "changed", "interrupted", "annulled", "followed")
FILLING = f"""
from pathlib import Path
from banzuke.database.ledger_folders import enter_folder
for pool in {POOLS}:
    enter_folder(pool, Path({str(LEDGER)!r}), "test", with_games=False)
bare = Path({{bare!r}})
bare.mkdir()
for name in ("pool.toml", "players.csv", "games.csv"):
    lines = Path({str(LEDGER)!r}, name).read_text().splitlines(keepends=True)
    (bare / name).write_text("".join(lines[:1] if name.endswith("csv") else lines))
enter_folder("bare", bare, "test")
enter_folder("chess", Path({str(EXAMPLES / "japan")!r}), "test")
"""


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    """An office with pools as they open, one that opens with nothing, and one of chess."""
    home = tmp_path_factory.mktemp("office")
    with serve(home, FILLING.format(bare=str(home / "bare"))) as served:
        yield served


@pytest.fixture(scope="module")
def keys(office: Served) -> list[str]:
    """A server's key, and one that only reads."""
    return [office.key("games"), office.key("read")]


@pytest.fixture
def replay(office, keys, monkeypatch):
    """The command against the office's pool of that name, with the server's key."""
    monkeypatch.setenv("BANZUKE_KEY", keys[0])

    def run(pool, *words, address=office.address, lang="en"):
        return banzuke("replay", LEDGER, "--against", address, "--pool", pool, *words, lang=lang)

    return run


def started(office, keys, *words):
    """A command in a process of its own."""
    env = office.environment | {"BANZUKE_KEY": keys[0], "BANZUKE_LANG": "en"}
    command = [*COMMAND, *map(str, words)]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


class TestReplay:
    def test_everything_is_as_rated_and_once_more(self, replay):
        ran = replay("replayed", "--batch", "50", "--format", "json")
        assert ran.json == {"pool": "replayed", "players": 25, "games": 405, "differences": []}
        assert ran.status == 0
        again = replay("replayed", lang="ja")
        assert (again.status, again.err) == (0, "")
        assert "対局405、プレイヤー25" in again.out

    def test_several_at_once(self, replay):
        ran = replay("at-once", "--batch", "7", "--clients", "5")
        assert (ran.status, ran.err) == (0, "")
        assert ran.out == (
            "at-once: 405 games of 25 players; every line and every standing is that of `banzuke rate`.\n"
        )

    def test_what_differs_is_told(self, office, keys, replay):
        assert replay("changed").status == 0
        server = ApiClient(parse_pool_address(office.address, "changed"), keys[0])
        last = read_ledger(LEDGER).games[-1]
        assert last.result in ("B", "W")
        server.post("void", {"game_id": last.game_id, "why": "a test"})
        server.post("players", {"player_id": "guest", "name": "guest", "declared": "5k"})
        guest = {"black": "guest", "white": last.white, "result": "B", "komi": "6.5", "moves": 100}
        ended = {"game_id": "X1", "ended": "2026-03-01T12:00:00+09:00"}
        server.post("games", ended | guest)
        ran = replay("changed", "--format", "json")
        assert ran.status == 1
        found = {(each["game"], each["player"], each["column"]): each for each in ran.json["differences"]}
        verdict = found[last.game_id, last.black, "verdict"]
        assert (verdict["ledger"] != "not:result", verdict["office"]) == (True, "not:result")
        assert found["X1", "", "game_id"]["office"] == "X1"
        assert found["X1", "", "game_id"]["ledger"] is None
        told = replay("changed")
        assert told.status == 1
        assert told.lines[0].endswith(f"figures that differ from `banzuke rate`: {len(found)}")
        assert any(line.split()[:1] == ["X1"] for line in told.lines)

    def test_interrupted_it_goes_on_when_it_is_run_again(self, office, keys, replay):
        words = ["replay", LEDGER, "--against", office.address, "--pool", "interrupted", "--batch", "1"]
        process = started(office, keys, *words)
        feed = ApiClient(parse_pool_address(office.address, "interrupted"), keys[0])
        until = time.monotonic() + PATIENCE
        while not feed.get("changes", after=0)["changes"] and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        assert "Traceback" not in process.stderr.read()
        assert 0 < len(feed.get("changes", after=0)["changes"]) < 405
        assert replay("interrupted").status == 0
        assert len(feed.get("changes", after=0)["changes"]) == 405

    @pytest.mark.parametrize(
        ("pool", "said"),
        [
            ("nobody", "has no Go pool 'nobody'"),
            ("chess", "has no Go pool 'chess'"),
            ("bare", "import-ledger LEDGER --pool bare --without-games"),
        ],
    )
    def test_a_pool_into_which_it_cannot_be_played(self, replay, pool, said):
        ran = replay(pool)
        assert (ran.status, ran.out) == (2, "")
        assert said in no_traceback(ran)

    def test_who_may(self, replay, keys, tmp_path, monkeypatch):
        (tmp_path / "key").write_text(f"{keys[1]}\n")
        ran = replay("bare", "--key-file", tmp_path / "key")
        assert ran.status == 2
        monkeypatch.setenv("BANZUKE_KEY", "bzk_wrong")
        assert "does not open 'replayed' to this key (401" in replay("replayed").err
        monkeypatch.setenv("BANZUKE_KEY", "")
        assert "needs a key" in replay("replayed").err
        with_file = replay("replayed", "--key-file", tmp_path / "key")
        assert (with_file.status, "to this key (403" in with_file.err) == (2, True)

    @pytest.mark.parametrize("key", [b"bzk_a\nb", "bzk_ä".encode(), b"\x80\xfe\x00", b"bzk_a b", b""])
    def test_what_is_no_key_is_not_shown(self, replay, tmp_path, key):
        (tmp_path / "key").write_bytes(key)
        ran = replay("bare", "--key-file", tmp_path / "key")
        assert ran.status == 2
        assert "holds is no key" in no_traceback(ran)
        assert "bzk_a" not in ran.err

    @pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
    def test_a_key_as_a_shell_of_windows_writes_it(self, replay, keys, tmp_path, encoding):
        (tmp_path / "key").write_bytes(f"{keys[1]}\r\n".encode(encoding))
        assert "to this key (403" in replay("replayed", "--key-file", tmp_path / "key").err

    @pytest.mark.parametrize(
        "address",
        [
            "127.0.0.1:1",
            "ftp://127.0.0.1",
            "http://",
            "http://a:b",
            "http://a..b",
            "http://a/東京",
            "http://a/b c",
        ],
    )
    def test_no_address(self, replay, address):
        ran = replay("replayed", address=address)
        assert (ran.status, ran.err[: len(address) + 2]) == (2, f"'{address}'")

    def test_nobody_there(self, replay):
        ran = replay("replayed", address="http://127.0.0.1:1")
        assert (ran.status, ran.out) == (1, "")
        assert "Nobody answers at http://127.0.0.1:1 (" in no_traceback(ran)

    def test_only_go(self, office, keys, monkeypatch):
        monkeypatch.setenv("BANZUKE_KEY", keys[0])
        ran = banzuke("replay", EXAMPLES / "japan", "--against", office.address, "--pool", "replayed")
        assert (ran.status, "chess pool's ledger" in ran.err) == (2, True)


class TestTail:
    @pytest.fixture
    def address(self, office, replay):
        assert replay("replayed").status == 0
        return f"{office.address}/replayed"

    def test_a_line_a_game(self, address):
        ran = banzuke("tail", address)
        assert (ran.status, ran.err, len(ran.lines)) == (0, "", 405)
        number, day, at, game, *sides = ran.lines[0].split()
        assert number.isdecimal()
        assert game == "G0001"
        assert datetime.fromisoformat(f"{day} {at}") == read_ledger(LEDGER).games[0].ended
        assert " ".join(sides) == (
            "B tetsubin 2k -78 = 12122 (PN 3(1)) W kitanohoshi 1d +78 = 13878 (PN 3(1))"
        )
        promoted = [line for line in ran.lines if " → " in line]
        assert "B harukaze 14k+ → 14k -100 = 2590 (PN 3(1))" in promoted[0]
        assert "黒 tetsubin" in banzuke("tail", address, lang="ja").lines[0]

    def test_objects_for_programs_from_a_number_on(self, address):
        first, second, *_ = map(json.loads, banzuke("tail", address, "--format", "json").lines)
        ran = banzuke("tail", address, "--after", first["number"], "--format", "json")
        assert json.loads(ran.lines[0]) == second
        assert len(ran.lines) == 404

    def test_why_a_game_did_not_count_and_that_it_was_rated_again(self, office, keys, replay):
        assert replay("annulled").status == 0
        server = ApiClient(parse_pool_address(office.address, "annulled"), keys[0])
        games = server.get("changes", after=0)["changes"]
        assert server.post("void", {"game_id": games[5]["game"], "why": "a test"})["game"]
        ran = banzuke("tail", f"{office.address}/annulled/", "--after", games[-1]["number"])
        assert ran.lines[0].endswith("again")
        assert ran.lines[0].count("(not:result, PN") == 2

    def test_it_follows_and_ends_on_ctrl_c(self, office, keys):
        process = started(office, keys, "tail", f"{office.address}/followed", "--follow")
        server = ApiClient(parse_pool_address(office.address, "followed"), keys[0])
        server.post("players", {"player_id": "late guest", "name": "guest", "declared": "9k"})
        sides = {"black": "late guest", "white": "tetsubin", "result": "B", "komi": "6.5", "moves": 90}
        for number in (1, 2):
            server.post("games", {"game_id": f"Y{number}", "ended": f"2026-01-0{number}T12:00:00Z"} | sides)
            assert f"  Y{number}  B late guest 9k? " in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        assert "Traceback" not in process.stderr.read()

    def test_a_reader_who_has_enough(self, office, keys, address):
        process = started(office, keys, "tail", address)
        assert "G0001" in process.stdout.readline()
        process.stdout.close()
        assert (process.wait(PATIENCE), process.stderr.read()) == (0, "")

    def test_nobody_there(self, address):
        assert "Nobody answers" in banzuke("tail", "http://127.0.0.1:1/replayed").err
        ran = banzuke("tail", "replayed")
        assert (ran.status, "not the address of an office" in ran.err) == (2, True)
        assert banzuke("tail", f"{address}s").status == 2


def drained(printed: IO[str]) -> Queue[str]:
    """The lines that a program prints, taken as they come: one whose pipe is full stands still."""
    lines: Queue[str] = Queue()
    Thread(target=lambda: [lines.put(line) for line in printed], daemon=True).start()
    return lines


def test_an_office_that_goes_away_is_waited_for(tmp_path):
    """Replayed and followed while it is killed and comes again."""
    service = Service(tmp_path)
    service.open(LEDGER)
    service.start()
    try:
        address = f"http://127.0.0.1:{service.port}"
        office = Served(address, service.environment)
        following = started(
            office, [service.key], "tail", f"{address}/{POOL}", "--follow", "--format", "json"
        )
        replaying = started(
            office, [service.key], "replay", LEDGER, "--against", address, "--pool", POOL, "--batch", "2"
        )
        followed = drained(following.stdout)
        lines = [followed.get(timeout=PATIENCE)]
        for _ in range(2):
            service.kill()
            assert "does not answer" in following.stderr.readline()
            service.start()
            lines.append(followed.get(timeout=PATIENCE))
        assert replaying.wait(PATIENCE) == 0, replaying.stderr.read()
        lines += [followed.get(timeout=PATIENCE) for _ in range(405 - len(lines))]
        assert [json.loads(line)["game"] for line in lines] == sorted(f"G{n:04}" for n in range(1, 406))
        following.send_signal(signal.SIGINT)
        assert following.wait(PATIENCE) == 130
    finally:
        service.stop()
