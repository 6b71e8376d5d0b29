"""An office that cannot write or read just now says so, to whoever runs it, and shows nobody its insides."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
import sys
import threading
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.models import Session
from django.db import Error, OperationalError, connection, transaction
from django.http import HttpResponse
from django.template.loader import get_template
from django.test import Client, RequestFactory
from migrated_office import migrated
from office.live_pool import game, go_pool
from small_office import PASSWORD, client, small_pool, user

from banzuke.core.go_facts import GoGame
from banzuke.database.book_writer import Act, add_facts, new_entry
from banzuke.database.models import Job
from banzuke.database.outages import Outage, outage_of
from banzuke.office.fact_rows import TABLES
from banzuke.office.jobs import job_queue
from banzuke.office.journal import Actor
from banzuke.server import worker
from banzuke.web.accounts.sessions import OfficeSessionMiddleware, SessionStore

#: Where the small office of the tests is.
TESTS = [str(Path(__file__).parents[1]), str(Path(__file__).parent)]
SAID = {"full": "its disk is full", "read-only": "cannot be written to"}
#: An office whose database file is opened for reading only (root can write to whatever file there is), or may
#: not grow.
CLOSED = """
import sys
from banzuke.server.office_opening import open_office
open_office()
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.db import connection, OperationalError
from django.test import Client
from django.utils.timezone import now
get_user_model().objects.create_user("aoi", password="correct horse 12")
sys.path[:0] = sys.argv[2:]
from small_office import client, small_pool
small_pool("japan")
reader = client("administrator")
session = reader.session
session["banzuke-used"] = int(now().timestamp()) - 120
session.save()
connection.close()
if sys.argv[1] == "read-only":
    connection.settings_dict["NAME"] = f"file:{settings.HOME}/office.db?mode=ro"
else:
    connection.cursor().execute("PRAGMA max_page_count = 1")  # no more pages than there are
    try:
        for number in range(10_000):
            Session.objects.create(pk=f"{number:032}", session_data="x" * 40, expire_date=now())
    except OperationalError:
        pass
browser = Client(SERVER_NAME="localhost", raise_request_exception=False)
page, health = browser.get("/"), browser.get("/healthz")
reader.raise_request_exception = False
read = [reader.get(f"/office/{where}", SERVER_NAME="localhost").status_code for where in ("", "japan/inbox/", "journal/")]
signed = browser.post("/accounts/login/", {"login": "aoi", "password": "correct horse 12"})
print(page.status_code, health.json()["database"], health.json()["writing"], signed.status_code, *read)
print(signed.text)
"""


@contextmanager
def read_only():
    """The database of the tests as one that may only be read."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            connection.cursor().execute("SET TRANSACTION READ ONLY")
            yield
        else:
            connection.connection.execute("PRAGMA query_only = ON")
            try:
                yield
            finally:
                connection.connection.execute("PRAGMA query_only = OFF")


@pytest.mark.slow
@pytest.mark.parametrize(("why", "writing"), [("full", "ok"), ("read-only", "failed")])
def test_signing_in_where_nothing_can_be_written(why, writing, tmp_path):
    env = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    done = subprocess.run(
        [sys.executable, "-c", CLOSED, why, *TESTS],
        env=env | {"BANZUKE_HOME": str(migrated(tmp_path))},
        capture_output=True,
        text=True,
        check=True,
    )
    first, _, page = done.stdout.partition("\n")
    assert first == f"200 ok {writing} 503 200 200 200"
    assert SAID[why] in page
    assert not any(inside in page for inside in ("Traceback", "Error", "File ", "aoi", str(tmp_path)))
    assert Outage(why).said in done.stderr


@pytest.mark.django_db
def test_a_database_that_may_only_be_read(caplog):
    somebody = user(name="aoi")
    somebody.set_password(PASSWORD)
    somebody.save()
    browser = Client(raise_request_exception=False)
    with read_only():
        answer = browser.post("/accounts/login/", {"login": "aoi", "password": PASSWORD})
    assert answer.status_code == 503
    assert SAID["read-only"] in answer.text
    assert Outage.READ_ONLY.said in [record.getMessage() for record in caplog.records]
    with read_only():
        health = browser.get("/healthz")
    assert (health.status_code, health.json()["database"], health.json()["writing"]) == (503, "ok", "failed")
    assert browser.get("/healthz").json()["writing"] == "ok"


@pytest.mark.django_db
def test_standings_that_are_behind_cannot_be_brought_up_to_date():
    """As on a replica, of a pool into which an officer has entered a game since somebody read the standings."""
    pool = go_pool(("aoi", "2d"), ("kei", "2d"))
    browser = Client(raise_request_exception=False)
    where = f"/api/v1/pools/{pool.slug}/players/aoi"
    assert browser.get(where).status_code == 200
    with read_only():
        assert browser.get(where).status_code == 200
    with new_entry(pool, Act("officer", "report")) as entry:
        add_facts(entry, TABLES[GoGame], [game("g", 0, "aoi", "kei", "B")])
    with read_only():
        assert browser.get(where).status_code == 503
    assert browser.get(where).json()["live"]["rated_games"] == 0
    with read_only():
        assert browser.get(where).status_code == 200


@pytest.mark.django_db
def test_who_is_signed_in_reads_all_the_same():
    """The first request after a minute, which notes that the session is used, and pages that change it."""
    browser = signed_in_a_while_ago()
    with read_only():
        for where in ("/office/", "/office/japan/inbox/", "/office/journal/", "/accounts/2fa/totp/activate/"):
            assert browser.get(where).status_code == 200, where
        answer = browser.post("/i18n/setlang/", {"language": "ja"})
        assert answer.status_code == 302, "nothing is stored"


def signed_in_a_while_ago():
    small_pool("japan")
    browser = client("administrator")
    browser.raise_request_exception = False
    browser.get("/office/")
    session = browser.session
    session["banzuke-used"] -= 120
    session.save()
    return browser


@pytest.mark.django_db
def test_a_session_that_cannot_be_stored_is_said_where_something_was_to_be_done():
    request = RequestFactory().post("/")
    request.session = SessionStore(client().session.session_key)
    request.session["a"] = "b"
    with read_only(), pytest.raises(Error):
        OfficeSessionMiddleware(lambda _: None).process_response(request, HttpResponse())
    Session.objects.all().delete()
    with pytest.raises(SessionInterrupted):
        OfficeSessionMiddleware(lambda _: None).process_response(request, HttpResponse())


@pytest.mark.django_db
def test_the_api_says_it_as_a_problem(monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    small_pool("japan")
    monkeypatch.setattr("banzuke.api.lists.list_index.latest_list", full)
    answer = Client(raise_request_exception=False).get("/api/v1/pools")
    assert (answer.status_code, answer["Content-Type"]) == (503, "application/problem+json")
    assert answer.json()["detail"] == Outage.FULL.said


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="a worker has no transaction around it, a test has")
def test_a_worker_waits_for_a_database_that_fails(tmp_path, settings, monkeypatch, caplog):
    settings.HOME = tmp_path
    monkeypatch.setattr(worker, "PATIENCE", 0.1)
    left = job_queue.start("due", None, {}, Actor("officer"))
    Job.objects.update(state=Job.State.RUNNING)
    stopped = threading.Event()

    class Mended(threading.Event):
        """Waited for once, the database is mended; then the worker is to stop."""

        def wait(self, timeout=None):
            if threading.current_thread() is not threading.main_thread():
                return stopped.wait(timeout)  # who sends to webhooks
            assert timeout == worker.PATIENCE
            refusing.close()
            stopped.set()
            self.wait = stopped.wait
            return False

    with ExitStack() as refusing:
        refusing.enter_context(read_only())
        worker._work(Mended(), os.getppid())
    left.refresh_from_db()
    assert left.state == Job.State.INTERRUPTED
    assert [record.getMessage() for record in caplog.records] == [Outage.READ_ONLY.said]


@pytest.mark.parametrize("why", Outage)
def test_each_page_says_it_in_both_languages(why):
    text = get_template("503.html").render({"why": why.value})
    others = [get_template("503.html").render({"why": other.value}) for other in Outage if other is not why]
    assert text not in others
    assert '<div lang="ja"><h2>' in text


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (OSError(errno.ENOSPC, "full"), Outage.FULL),
        (OSError(errno.EROFS, "read only"), Outage.READ_ONLY),
        (FileNotFoundError(errno.ENOENT, "none"), None),
        (ValueError("no"), None),
        (Error("of the program"), None),
        (None, None),
    ],
)
def test_what_is_the_disks_fault(error, why):
    assert outage_of(error) is why


@pytest.mark.parametrize(
    ("state", "why"),
    [("40P01", Outage.BUSY), ("55P03", Outage.BUSY), ("53100", Outage.FULL), ("23505", None)],
)
def test_what_postgresql_says(state, why):
    error = Error("")
    error.__cause__ = type("Said", (Exception,), {"sqlstate": state})()
    assert outage_of(error) is why


def test_a_database_that_is_not_there(tmp_path):
    try:
        sqlite3.connect(f"file:{tmp_path}/office.db?mode=ro", uri=True)
    except sqlite3.Error as cause:
        error = OperationalError("no")
        error.__cause__ = cause
    assert outage_of(error) is Outage.AWAY


def test_a_postgresql_that_is_not_there():
    psycopg = pytest.importorskip("psycopg")
    try:
        psycopg.connect("host=127.0.0.1 port=1 dbname=office connect_timeout=2")
    except psycopg.Error as cause:
        error = OperationalError("no")
        error.__cause__ = cause
    assert outage_of(error) is Outage.AWAY
