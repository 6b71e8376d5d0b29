"""The office served for real: started, asked over HTTP, stopped by a signal, nothing left behind."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path

import pytest
from command_runs import COMMAND, outside
from migrated_office import migrated
from processes import children_of, free_port, is_running

from banzuke.database.models import Job
from banzuke.office.jobs import job_queue
from banzuke.office.journal import Actor
from banzuke.server import processes, worker

PATIENCE = 120


@contextmanager
def served(*words, home, **environment):
    """The command with what it said of itself; at the end its process."""
    env = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "BANZUKE_HOSTS")}
    env |= {"BANZUKE_HOME": str(home), "TMPDIR": str(home)} | environment
    command = [*COMMAND, *words, "--port", str(free_port()), "--format", "json"]
    if words[0] == "serve" and home.exists():  # else the first start is the test
        migrated(home)
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        said = ""
        while not said.endswith("\n}\n"):
            line = process.stdout.readline()
            assert line, process.stderr.read()
            said += line
        yield json.loads(said), process
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(PATIENCE)


def descendants(pid) -> list[int]:
    found = children_of(pid)
    return found + [below for child in found for below in children_of(child)]


def wait_until_gone(pids):
    wait_until(lambda: not any(map(is_running, pids)))


def wait_until(holds):
    until = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < until:
        time.sleep(0.2)
    assert holds()


def health(said):
    """What /healthz tells, whatever its status."""
    try:
        return json.load(urllib.request.urlopen(f"{said['address']}healthz"))
    except urllib.error.HTTPError as answer:
        return json.load(answer)


class TestServe:
    @pytest.mark.slow
    @pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
    def test_it_opens_and_closes(self, tmp_path, how):
        with served("serve", home=tmp_path) as (said, process):
            first = urllib.request.urlopen(said["address"])
            assert first.url == f"{said['address']}office/first/"
            health = json.load(urllib.request.urlopen(f"{said['address']}healthz"))
            assert health == {
                "database": "ok",
                "disk": "ok",
                "writing": "ok",
                "migrations": "ok",
                "jobs": "ok",
            }
            assert (tmp_path / "first-officer-code").read_text() == said["first_officer_code"]
            parts = children_of(process.pid)
            assert len(parts) == 3  # pages, the writer of games, the worker
            process.send_signal(how)
            assert process.wait(PATIENCE) == 0
            assert not any(is_running(part) for part in parts)
        assert (tmp_path / "office.db").exists()

    @pytest.mark.slow
    def test_pages_that_die_close_the_rest(self, tmp_path):
        with served("serve", home=tmp_path) as (_said, process):
            parts = children_of(process.pid)
            os.kill(parts[0], signal.SIGKILL)
            assert process.wait(PATIENCE) == 1
            assert "granian" in process.stderr.read()
            assert not is_running(parts[1])

    @pytest.mark.slow
    def test_a_worker_that_dies_is_started_again(self, tmp_path):
        with served("serve", home=tmp_path) as (said, process):
            pages, _writer, first = children_of(process.pid)
            os.kill(first, signal.SIGKILL)
            wait_until(lambda: "worker_restarts" in health(said) and health(said)["jobs"] == "ok")
            assert health(said)["worker_restarts"] == 1
            again, _writer, second = children_of(process.pid)
            assert (again, is_running(second)) == (pages, True)
            assert second != first
            os.kill(second, signal.SIGKILL)  # it is stopped in the pause before the next start, too
            wait_until(lambda: health(said)["jobs"] == "failed")
            process.terminate()
            assert process.wait(PATIENCE) == 0
            assert process.stderr.read().count("started again") == 2
            wait_until_gone([pages])

    @pytest.mark.slow
    def test_a_writer_of_games_that_dies_is_started_again(self, tmp_path):
        with served("serve", "--workers", "2", home=tmp_path) as (_said, process):
            pages, first, worker_ = children_of(process.pid)
            assert len(children_of(pages)) == 2
            os.kill(first, signal.SIGKILL)
            wait_until(lambda: len({pages, first, worker_} | {*children_of(process.pid)}) == 4)
            process.terminate()
            assert process.wait(PATIENCE) == 0
            assert "The writer of games has ended by itself." in process.stderr.read()

    @pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process cannot end with its parent")
    @pytest.mark.parametrize("killed", ["office", "pages"])
    @pytest.mark.slow
    def test_what_is_killed_leaves_nothing_behind(self, tmp_path, killed):
        with served("serve", home=tmp_path) as (said, process):
            below = descendants(process.pid)
            assert len(below) == 3 + processes.WORKERS
            os.kill(process.pid if killed == "office" else below[0], signal.SIGKILL)
            process.wait(PATIENCE)
            wait_until_gone(below)
            where = urllib.parse.urlsplit(said["address"])
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection((where.hostname, where.port))

    @pytest.mark.parametrize("name", ["tmp", "t" * 100])
    def test_a_temporary_folder_of_whatever_name(self, name, monkeypatch):
        with tempfile.TemporaryDirectory() as above:
            folder = Path(above, name)
            folder.mkdir()
            monkeypatch.setattr(tempfile, "tempdir", str(folder))
            with processes._folder_of_socket() as made, socket.socket(socket.AF_UNIX) as listening:
                listening.bind(f"{made}/games")
                assert Path(made).stat().st_mode & 0o777 == 0o700
                assert (Path(made).parent == folder) == (name == "tmp")
            assert not Path(made).exists()

    def test_a_port_that_is_taken(self, tmp_path):
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            port = other.getsockname()[1]
            ran = outside("serve", "--port", str(port), BANZUKE_HOME=str(tmp_path), BANZUKE_LANG="en")
        assert (ran.status, ran.out) == (2, "")
        assert f"port {port} (Address already in use)" in ran.err

    @pytest.mark.parametrize("words", [["serve"], ["demo", "--serve"]])
    def test_beyond_this_machine_it_wants_its_names(self, tmp_path, words):
        ran = outside(
            *words, "--host", "0.0.0.0", BANZUKE_HOME=str(tmp_path), BANZUKE_HOSTS="", BANZUKE_LANG="en"
        )
        assert ran.status == 2
        assert "BANZUKE_HOSTS" in ran.err
        assert not any(tmp_path.iterdir())

    @pytest.mark.parametrize(
        ("tls", "hosts", "address"),
        [
            ("1", "ratings.example.org www.example.org", "https://ratings.example.org/"),
            ("1", ".example.org ratings.example.org", "https://ratings.example.org/"),
            ("1", "", "http://127.0.0.1:8000/"),
            ("", "ratings.example.org", "http://127.0.0.1:8000/"),
        ],
    )
    def test_behind_a_proxy_the_address_is_the_public_one(self, tls, hosts, address, monkeypatch):
        monkeypatch.setenv("BANZUKE_TLS", tls)
        monkeypatch.setenv("BANZUKE_HOSTS", hosts)
        assert processes.public_address("127.0.0.1", 8000) == address

    @pytest.mark.slow
    def test_behind_a_proxy_the_first_administrator_is_told_the_public_address(self, tmp_path):
        with served("serve", home=tmp_path, BANZUKE_TLS="1", BANZUKE_HOSTS="ratings.example.org") as (
            said,
            _,
        ):
            assert said["address"] == "https://ratings.example.org/"
            assert said["listening"].startswith("http://127.0.0.1:")

    @pytest.mark.slow
    def test_by_its_name(self, tmp_path):
        with served("serve", "--host", "0.0.0.0", home=tmp_path, BANZUKE_HOSTS="ratings.example") as (
            said,
            _process,
        ):
            port = urllib.parse.urlsplit(said["address"]).port
            assert said["address"] == f"http://ratings.example:{port}/"
            there = urllib.request.Request(
                f"http://127.0.0.1:{port}/healthz", headers={"Host": "ratings.example"}
            )
            assert urllib.request.urlopen(there).status == 200
            other = urllib.request.Request(f"http://127.0.0.1:{port}/", headers={"Host": "elsewhere.example"})
            with pytest.raises(urllib.error.HTTPError, match="400"):
                urllib.request.urlopen(other)

    @pytest.mark.slow
    def test_the_folder_is_its_owners_alone(self, tmp_path):
        with served("serve", home=tmp_path / "office", BANZUKE_LANG="en") as (_said, process):
            assert (tmp_path / "office").stat().st_mode & 0o777 == 0o700
        first = process.stderr.read().partition("\n")[0]
        assert first == f"A new office: making its database in {tmp_path / 'office'} ..."


@pytest.mark.django_db
def test_a_worker_waits_while_another_is_at_work(tmp_path, settings):
    settings.HOME = tmp_path
    job = job_queue.start("due", None, {}, Actor("officer"))
    Job.objects.update(state=Job.State.RUNNING)
    stopped = threading.Event()
    stopped.set()
    with (tmp_path / "worker-lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        worker._work(stopped, os.getppid())
        job.refresh_from_db()
        assert job.state == Job.State.RUNNING
    worker._work(stopped, os.getppid())
    job.refresh_from_db()
    assert job.state == Job.State.INTERRUPTED


@pytest.mark.slow
class TestDemo:
    def test_an_office_with_the_examples_is_served_and_gone(self, tmp_path):
        with served("demo", "--serve", home=tmp_path) as (said, process):
            [office] = tmp_path.glob("banzuke-demo-office-*")
            for pool in ("japan", "hakodate", "go-server", "us-championship-2025"):
                assert urllib.request.urlopen(f"{said['address']}{pool}/lists/").status == 200
            assert [user["name"] for user in said["users"]] == [
                "reporter",
                "officer",
                "chief",
                "administrator",
            ]
            for user in said["users"]:
                browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar := CookieJar()))
                browser.open(f"{said['address']}accounts/login/")
                token = next(cookie.value for cookie in jar if cookie.name == "csrftoken")
                form = {"login": user["name"], "password": user["password"], "csrfmiddlewaretoken": token}
                page = browser.open(
                    f"{said['address']}accounts/login/", urllib.parse.urlencode(form).encode()
                )
                desk = "office/japan/club/" if user["name"] == "reporter" else "office/"
                assert page.url == f"{said['address']}{desk}"
            process.terminate()
            assert process.wait(PATIENCE) == 0
            assert not office.exists()
        assert not (tmp_path / "office.db").exists()
