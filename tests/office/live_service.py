"""A Go server's office served for real, to be loaded, killed and looked at.

live_service.py open FOLDER       a pool of what the folder's ledger has but games, and a key, which is printed
live_service.py session FOLDER    a new administrator who is signed in; the session is printed
live_service.py zone FOLDER       a job that brings the folder's zone.toml into force, or an interrupted one again;
                                  its state is printed
live_service.py look FOLDER       the live standings and lines, written as `banzuke rate` writes its files; it
                                  prints how often a game was rated again
"""

from __future__ import annotations

import csv
import filecmp
import http.client
import json
import os
import random
import signal
import subprocess
import sys
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import SimpleNamespace

from migrated_office import migrated
from processes import children_of, free_port, is_running

from banzuke.core.go_facts import RANK_NAMES

POOL = "go"
PATIENCE = 120
COMMAND = (sys.executable, "-m", "banzuke.cli.app")
ROOT = Path(__file__).parents[2]
#: Where Python finds the office and, for this file as a script, what tests share.
SEARCHED = os.pathsep.join(map(str, (ROOT, ROOT / "tests")))
FIRST = datetime(2026, 1, 1, 12, tzinfo=timezone(timedelta(hours=9)))
HALVES, KYU = 52, 17
POOL_TOML = 'name = "Go server"\n[[edition]]\nrulebook = "pandanet"\nfrom = 2005-04-01\n'
JSON = {"Content-Type": "application/json"}


class Service:
    """`banzuke serve` in a folder, on SQLite or the database of an address; always on the same port."""

    def __init__(self, home: Path, database_url: str = "") -> None:
        self.home = home
        self.environment = os.environ | {"BANZUKE_HOME": str(home), "PYTHONPATH": SEARCHED}
        self.environment["DATABASE_URL"] = database_url
        if not (database_url or (home / "office.db").exists()):
            migrated(home)
        self.port = free_port()
        self.key = ""
        self.rated_again = 0
        self._process: subprocess.Popen[str] | None = None

    def run(self, *words: object) -> str:
        """A command, or a Python file, run beside the office: what it printed."""
        start = [sys.executable] if str(words[0]).endswith(".py") else COMMAND
        command = [*start, *map(str, words)]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def open(self, ledger: Path) -> None:
        """Make the pool and a key."""
        self.key = self.run(__file__, "open", ledger)

    def start(self) -> None:
        """Serve; returns when the office answers."""
        command = [*COMMAND, "serve", "--port", str(self.port)]
        with (self.home / "served.log").open("a") as log:
            self._process = subprocess.Popen(
                command, env=self.environment, stdout=log, stderr=log, text=True, start_new_session=True
            )
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                asked(self.port, "GET", "/healthz", b"", {})
            except (OSError, http.client.HTTPException):
                assert self._process.poll() is None, (self.home / "served.log").read_text()[-2000:]
                time.sleep(0.1)
            else:
                return
        raise TimeoutError

    def has_ended(self) -> bool:
        """Whether the command has ended: it does when one that answers dies twice within seconds."""
        return self._process is None or self._process.poll() is not None

    def processes(self) -> list[int]:
        """The command's process, that which serves pages, those that answer, the writer of games, the worker."""
        assert self._process is not None
        found = [self._process.pid]
        for pid in found:
            found += children_of(pid)
        return found

    def answering(self) -> list[int]:
        """The processes that answer."""
        assert self._process is not None
        return [below for child in children_of(self._process.pid) for below in children_of(child)]

    def pages(self) -> int:
        """The process that serves pages: the first that the command has started."""
        assert self._process is not None
        return children_of(self._process.pid)[0]

    def writers(self) -> list[int]:
        """The process that writes games; none in the pause before it is started again."""
        assert self._process is not None
        return [pid for pid in children_of(self._process.pid) if _runs(pid, b"banzuke.server.game_writer")]

    def workers(self) -> list[int]:
        """The worker of long acts; none in the pause before it is started again."""
        assert self._process is not None
        return [pid for pid in children_of(self._process.pid) if _runs(pid, b"banzuke.server.worker")]

    def kill(self) -> None:
        """End the whole office by SIGKILL."""
        assert self._process is not None
        pids = self.processes()
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self._process.wait(PATIENCE)
        while any(map(is_running, pids)):
            time.sleep(0.01)

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait(PATIENCE)

    def is_whole(self, folder: Path) -> dict[str, bool]:
        """Whether what stands live is what `banzuke rate` makes of the ledger that is taken out, to the byte."""
        self.run("export-ledger", POOL, folder / "ledger")
        self.run("rate", folder / "ledger", "--out", folder / "rated")
        (folder / "live").mkdir()
        self.rated_again = int(self.run(__file__, "look", folder / "live"))
        names = ("standings.csv", "changes.csv")
        return {
            name: filecmp.cmp(folder / "live" / name, folder / "rated" / name, shallow=False)
            for name in names
        }


def _runs(pid: int, module: bytes) -> bool:
    """Whether a process runs that module."""
    try:
        return module in Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return False


def asked(port: int, method: str, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
    """An answer's status and text, on a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def made_ledger(folder: Path, players: int, rng: random.Random) -> list[int]:
    """A ledger without games: certified players, some provisional, beginners and professionals.

    Gives the half rank near which each plays.
    """
    folder.mkdir(parents=True)
    halves = [min(HALVES - 1, max(0, round(rng.gauss(22, 10)))) for _ in range(players)]
    named, standing = [], []
    for number, half in enumerate(halves):
        player, kind = name_of(number), rng.random()
        if kind < 0.8:
            games = rng.choice((20, 40, 90, 300))
            standing.append((player, rank_of(half), 400 * half + rng.randrange(400), games, 0))
        declared = "BC" if 0.8 <= kind < 0.84 else "3p" if kind > 0.99 else rank_of(half & ~1)
        named.append((player, player, declared, int(kind > 0.99)))
    (folder / "pool.toml").write_text(POOL_TOML)
    _write(folder / "players.csv", ("player_id", "name", "declared", "professional"), named)
    _write(folder / "standings.csv", ("player_id", "rank", "points", "rated_games", "wins_in_bc"), standing)
    columns = ("game_id", "ended", "black", "white", "result", "handicap", "komi", "board", "moves")
    _write(folder / "games.csv", columns, [])
    return halves


def _write(path: Path, header: tuple[str, ...], rows: list[tuple[object, ...]]) -> None:
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def made_folder(folder: Path, players: int, games: int, seed: int) -> Path:
    """A ledger folder with so many games."""
    rng = random.Random(seed)
    halves = made_ledger(folder, players, rng)
    rows = made_games(halves, games, rng)
    columns = ("room", "fault")
    header = [name for name in rows[0] if name not in (*columns, "reason")] + list(columns)
    with (folder / "games.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, header, restval="", extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return folder


def border_zone(step):
    """A border zone whose ranks are so many points apart."""
    return "\n".join(
        f'[[rank]]\nrank = "{rank}"\ndown = {step * half - step // 2}\nstart = {step * half + step // 10}\n'
        + (f"up = {step * half + step}\n" if rank != "9d+" else "")
        for half, rank in enumerate(RANK_NAMES)
    )


def name_of(number: int) -> str:
    return f"P{number:06}"


def rank_of(half: int) -> str:
    whole, plus = divmod(half, 2)
    return (f"{KYU - whole}k" if whole < KYU else f"{whole - KYU + 1}d") + "+" * plus


def made_games(halves: list[int], count: int, rng: random.Random, first: int = 0) -> list[dict[str, object]]:
    """Games a second apart; few play much (the cube of chance), mostly against about as strong ones."""
    by_rank = sorted(range(len(halves)), key=halves.__getitem__)
    shuffled = rng.sample(range(len(halves)), len(halves))
    return [_game(first + number, halves, by_rank, shuffled, rng) for number in range(count)]


def _game(
    number: int, halves: list[int], by_rank: list[int], shuffled: list[int], rng: random.Random
) -> dict[str, object]:
    at = shuffled[int(len(halves) * rng.random() ** 3)]
    beside = at
    while beside == at:
        beside = min(len(halves) - 1, max(0, round(rng.gauss(at, len(halves) / 20))))
    one, other = by_rank[at], by_rank[beside]
    game: dict[str, object] = {
        "game_id": f"G{number:07}",
        "ended": (FIRST + timedelta(seconds=number)).isoformat(),
        "black": name_of(one),
        "white": name_of(other),
        "result": rng.choice("BBBBBBBBBBWWWWWWWWWW") if rng.random() < 0.99 else "draw",
        "handicap": rng.choice((0, 0, 0, 0, 2, 3)),
        "komi": rng.choice(("6.5", "6.5", "0.5", "-5.5")),
        "board": 19 if rng.random() < 0.98 else 9,
        "moves": rng.randrange(20, 300),
    }
    if rng.random() < 0.03:
        game["room"] = "free"
    if rng.random() < 0.02 and game["result"] in ("B", "W"):
        game["fault"] = "white" if game["result"] == "B" else "black"
        game["reason"] = "no-greeting"
    return game


def head(path: str, key: str, size: int) -> bytes:
    """The head of a request that posts so many bytes, on a connection that is kept."""
    lines = (
        f"POST {path} HTTP/1.1",
        "Host: 127.0.0.1",
        f"Authorization: Bearer {key}",
        "Content-Type: application/json",
        f"Content-Length: {size}",
        "",
        "",
    )
    return "\r\n".join(lines).encode()


def request_of(games: object, key: str) -> bytes:
    """A request that posts games (one, or a list), made beforehand."""
    body = json.dumps(games).encode()
    return head(f"/api/v1/pools/{POOL}/games", key, len(body)) + body


def open_pool(folder: Path) -> None:
    from banzuke.server.office_opening import open_office

    open_office()
    from django.contrib.auth.models import User

    from banzuke.database.ledger_folders import enter_folder
    from banzuke.database.models import Role
    from banzuke.office.administration import api_keys
    from banzuke.office.journal import Actor

    enter_folder(POOL, folder, "test", with_games=False)
    user = User.objects.create_user("server")
    Role.objects.create(user=user, kind=Role.Kind.OFFICER)
    sys.stdout.write(api_keys.make_key("server", user, None, ["games"], None, Actor("server")).text)


def session(_folder: Path) -> None:
    from banzuke.server.office_opening import open_office

    open_office()
    from django.contrib.auth.models import User
    from django.test import Client

    from banzuke.database.models import Role

    user = User.objects.create_user("boss")
    Role.objects.create(user=user, kind=Role.Kind.ADMINISTRATOR)
    client = Client()
    client.force_login(user)
    sys.stdout.write(client.cookies["sessionid"].value)


def zone(folder: Path) -> None:
    """A job for another border zone, started once, and again where it was interrupted."""
    from banzuke.server.office_opening import open_office

    open_office()
    from banzuke.database.models import Job, Pool
    from banzuke.office.administration import pools
    from banzuke.office.jobs import job_queue
    from banzuke.office.journal import Actor

    pool, job = Pool.objects.get(slug=POOL), Job.objects.filter(kind="rules").last()
    if job is None:
        files = {
            "pool.toml": f'{POOL_TOML}border_zone = "zone.toml"\n',
            "zone.toml": (folder / "zone.toml").read_text(),
        }
        wanted = {"files": files, "why": "another zone", "seen": pools.last_file(pool)}
        job = job_queue.start("rules", pool, wanted, Actor("chief"))
    job_queue.restart(job)
    job.refresh_from_db()
    sys.stdout.write(job.state)


def look(folder: Path) -> None:
    """The live tables as standings.csv and changes.csv."""
    from banzuke.server.office_opening import open_office

    open_office()
    from banzuke.database.models import GoGame, LiveGame, LiveStanding, Pool
    from banzuke.engine import result_rows
    from banzuke.engine.go_history import RatedGame
    from banzuke.office.live.live_codec import lines_from, state_from

    pool = Pool.objects.get(slug=POOL)
    rows = LiveStanding.objects.filter(pool=pool).values_list("player_id", "state").iterator()
    standings = sorted(result_rows.go_standing_row(player, state_from(state)) for player, state in rows)
    _write(folder / "standings.csv", result_rows.GO_STANDINGS, standings)
    kept = LiveGame.objects.filter(pool=pool, stands=True)
    games = list(kept.values_list("at", "game_id", "black", "white", "black_line", "white_line"))
    assert len({game[1] for game in games}) == len(games) == GoGame.objects.filter(pool=pool).count()
    told = (RatedGame(SimpleNamespace(game_id=game[1]), *lines_from(*game[2:])) for game in sorted(games))
    lines = [line for rated in told for line in result_rows.go_change_rows(rated)]
    _write(folder / "changes.csv", result_rows.GO_CHANGES, lines)
    sys.stdout.write(str(LiveGame.objects.filter(pool=pool, stands=False).count()))


if __name__ == "__main__":
    act, where = sys.argv[1:]
    {"open": open_pool, "session": session, "zone": zone, "look": look}[act](Path(where))
