"""A real office for browser tests: a server of its own, with a folder of its own, and Chromium to look at it.

`live_server` would empty the tables between tests, which the book refuses.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import time
import urllib.error
import urllib.request
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from migrated_office import migrated
from processes import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = shutil.which("chromium")
#: How long a server may take to answer for the first time, in seconds.
PATIENCE = 60
#: Runs what it is sent, each piece by itself, in one interpreter: to start one and open the office takes a second.
_BESIDE = """
import contextlib, io, json, sys, traceback
from banzuke.server.office_opening import open_office
open_office()
from django.db import connections
for line in sys.stdin:
    printed, went_wrong = io.StringIO(), ""
    try:
        with contextlib.redirect_stdout(printed):
            exec(json.loads(line), {"__name__": "__main__"})
    except BaseException:
        went_wrong = traceback.format_exc()
    connections.close_all()
    print(json.dumps([printed.getvalue(), went_wrong]), flush=True)
"""
_SIGN_IN = """
from django.conf import settings
from django.contrib.auth import get_user_model, HASH_SESSION_KEY, SESSION_KEY, BACKEND_SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
user = get_user_model().objects.get(username={name!r})
session = SessionStore()
session[SESSION_KEY] = str(user.pk)
session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[-1]
session[HASH_SESSION_KEY] = user.get_session_auth_hash()
session.create()
print(session.session_key)
"""

_KEY = """
from django.contrib.auth.models import User
from banzuke.office.administration import api_keys as keys
from banzuke.office.journal import Actor
from banzuke.database.models import Role
user = User.objects.first()
Role.objects.get_or_create(user=user, pool=None, kind=Role.Kind.OFFICER)
print(keys.make_key("a program", user, None, {scopes!r}, None, Actor("administrator")).text)
"""
#: An office without a user leads everybody to making its first officer.
_KEEPER = """
from django.contrib.auth import get_user_model
if not get_user_model().objects.exists():
    get_user_model().objects.create_user("keeper")
"""


class Served:
    """An office that is being served: its address (`http://127.0.0.1:40001`) and its environment."""

    def __init__(self, address: str, environment: dict[str, str]) -> None:
        self.address = address
        self.environment = environment
        self._beside: subprocess.Popen[str] | None = None

    def run(self, source: str) -> str:
        """Run Python in the office (Django set up, `web.made_office` importable); what it printed."""
        if self._beside is None:
            self._beside = subprocess.Popen(
                [sys.executable, "-c", _BESIDE],
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        assert self._beside.stdin
        assert self._beside.stdout
        self._beside.stdin.write(json.dumps(textwrap.dedent(source)) + "\n")
        self._beside.stdin.flush()
        printed, went_wrong = json.loads(self._beside.stdout.readline())
        assert not went_wrong, went_wrong
        return str(printed).strip()

    def close(self) -> None:
        """End the interpreter beside the office."""
        if self._beside is not None:
            self._beside.communicate()
            self._beside = None

    def key(self, *scopes: str) -> str:
        """A new key of the office's first user, an officer of all pools."""
        return self.run(_KEY.format(scopes=scopes))

    def page(self, browser: Browser, user: str | None = None, **how: object) -> Page:
        """A page of a new visitor, signed in as that user (None: the public); `how` as for a context."""
        context = browser.new_context(base_url=self.address, **how)
        if user is not None:
            key = self.run(_SIGN_IN.format(name=user))
            context.add_cookies([{"name": "sessionid", "value": key, "url": self.address}])
        return context.new_page()


@contextmanager
def serve(home: Path, filling: str = "", **environment: str) -> Iterator[Served]:
    """Serve an office in that folder, filled by running Python there first, until the block ends."""
    if not (home / "office.db").exists():
        migrated(home)
    port = free_port()
    env = {
        **os.environ,
        "BANZUKE_HOME": str(home),
        "DJANGO_SETTINGS_MODULE": "banzuke.server.settings",
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")]),
        **environment,
    }
    env.pop("DATABASE_URL", None)
    served = Served(f"http://127.0.0.1:{port}", env)
    command = [sys.executable, "-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1"]
    with closing(served), (home / "server.log").open("wb") as log:
        served.run(textwrap.dedent(filling) + _KEEPER)
        server = subprocess.Popen(
            [*command, "--port", str(port), "banzuke.server.wsgi:application"],
            env=env,
            stdout=log,
            stderr=log,
        )
        try:
            _wait_for(served, server, home / "server.log")
            yield served
        finally:
            server.terminate()
            server.wait(PATIENCE)


@contextmanager
def opened(home: Path, *words: str) -> Iterator[dict[str, Any]]:
    """`banzuke serve` (or those words) in a folder of its own until the block ends: what it says of itself."""
    env = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "BANZUKE_HOSTS")}
    env |= {"BANZUKE_HOME": str(home), "TMPDIR": str(home)}
    command = [sys.executable, "-c", "from banzuke.cli.app import main; main()", *(words or ("serve",))]
    command += ["--port", str(free_port()), "--format", "json"]
    migrated(home)
    with (home / "server.log").open("w") as log:
        server = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            said = ""
            while not said.endswith("\n}\n"):
                line = server.stdout.readline() if server.stdout else ""
                assert line, (home / "server.log").read_text()
                said += line
            yield json.loads(said)
        finally:
            server.terminate()
            server.wait(PATIENCE)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's Chromium; the test is skipped where there is none."""
    sync = pytest.importorskip("playwright.sync_api", reason="no browser tests without Playwright")
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    with sync.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"], env={**os.environ, "LANGUAGE": "en_US"}
        )
        yield browser
        browser.close()


def _wait_for(served: Served, server: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until the server answers whatever it is asked."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and server.poll() is None:
        try:
            urllib.request.urlopen(f"{served.address}/static/nothing", timeout=5)
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
        else:
            return
    errors = re.sub(r"\s*\n\s*", " | ", log.read_text("utf-8", "replace")[-2000:])
    pytest.fail(f"the server does not answer: {errors}")
