"""What tests of several folders share: the tiers, databases, the shared data, small good ledgers to break."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import properties  # noqa: F401 - registers the profiles
import pytest
from hypothesis import settings
from migrated_office import migrated_database
from postgresql_server import BINARIES, Postgresql, postgresql
from web.served_office import chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SMALL_LEDGERS = Path(__file__).parent / "ledger" / "small"
#: What `-m` says in the tier that is run where nothing is said (pyproject.toml).
FAST = "not slow"
#: Files that take minutes: begun last, they would keep one process waiting for the other. The last of them needs
#: no database: in the fast tier one process works on it while the other migrates.
LONGEST = (
    *("test_on_postgresql.py", "test_spark_run.py", "test_spark_lab.py", "test_whole_month.py"),
    *(
        "test_accessibility.py",
        "test_interrupted_acts.py",
        "test_live_faults.py",
        "test_lab_command.py",
        "test_every_link.py",
        "test_crossed_books.py",
    ),
)

#: Modules that keep what they read of pools: in a test's database the numbers begin anew.
KEEPING = ("go_rules._known_rules", "robots._known", "erased_players._known", "recent_lines._by_pool")

#: What pytest-django does before every test, and the mark of the tests that want it; None: no test does.
PREPARATIONS = {
    "_django_db_marker": "django_db",
    "_django_isolate_apps": "django_isolate_apps",
    "_django_set_urlconf": "urls",
    "_template_string_if_invalid_marker": "ignore_template_errors",
    "_django_clear_site_cache": None,
    "_django_setup_unittest": None,
    "_live_server_helper": None,
}


def pytest_runtest_teardown():
    """A process forgets the pools of the test's database."""
    for module, _, name in (each.partition(".") for each in KEEPING):
        if loaded := sys.modules.get(f"banzuke.office.live.{module}"):
            setattr(loaded, name, type(getattr(loaded, name))())


def pytest_configure(config):
    """Properties are tried on few examples in the fast tier; Ctrl-C is heard even in the background.

    A shell ignores it for what it starts in the background, and so would all that tests start and interrupt.
    """
    settings.load_profile("brief" if config.option.markexpr == FAST else "full")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.disable()


def pytest_collection_finish(session):
    """What collection made stays to the end: to look through it again and again took a quarter of the time."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """In the slow tier every property runs once more, on all its examples; the longest files come first."""
    for item in items:
        if config.option.markexpr != FAST and getattr(item.function, "is_hypothesis_test", False):
            item.add_marker("slow")
        item.fixturenames[:] = [name for name in item.fixturenames if _is_wanted(name, item)]
    items.sort(key=lambda item: item.path.name not in LONGEST)


def _is_wanted(name, item):
    """To make what no test uses took a millisecond for each of them."""
    mark = PREPARATIONS.get(name, "")
    return mark == "" or (mark is not None and item.get_closest_marker(mark) is not None)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(request):
    """The tests' database in memory starts from the migrated one: there is nothing left to migrate."""
    from django.db import connections

    connection = connections["default"]
    if connection.vendor != "sqlite":
        yield
        return
    name = connection.creation._get_test_db_name()
    with (
        closing(sqlite3.connect(name, uri=True)) as memory,
        closing(sqlite3.connect(migrated_database())) as made,
    ):
        made.backup(memory)
        yield


@pytest.fixture(scope="session", autouse=True)
def office_with_an_officer():
    """Pages are tested as of an office that has somebody: one without leads everybody to `/office/first/`."""
    from banzuke.web.accounts.middleware import FirstOfficerMiddleware

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FirstOfficerMiddleware, "has_officer", True)
        yield


@pytest.fixture(scope="session", autouse=True)
def checkpoint_of_a_process():
    """Tests that run side by side share the office's folder, and each begins with a log of its own."""
    from banzuke.office.transparency import log_checkpoints

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log_checkpoints, "FILE", f"log-checkpoint-{os.getpid()}")
        patch.setattr(log_checkpoints, "LOCK_FILE", f"log-checkpoint-lock-{os.getpid()}")
        yield


def pytest_runtest_setup(item):
    """What another test signed of its log does not bind this one."""
    checkpoints = sys.modules.get("banzuke.office.transparency.log_checkpoints")
    if checkpoints is not None:
        checkpoints.kept_path().unlink(missing_ok=True)


@pytest.fixture(scope="session", autouse=True)
def static_files_read_once():
    """Every test client makes the middleware anew, which reads all static files: a tenth of a second each time."""
    from whitenoise.middleware import WhiteNoiseMiddleware

    read, files = WhiteNoiseMiddleware.add_files_from_finders, {}

    def add_files(middleware):
        if not files:
            read(middleware)
            files.update(middleware.files)
        middleware.files.update(files)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", add_files)
        yield


@pytest.fixture
def install_books(monkeypatch):
    """Install rule books of `sample_books` (or any others) for a test: `install_books(SUNDAY_2026)`."""
    from sample_books import install

    return lambda *books: install(monkeypatch, *books)


@pytest.fixture
def shared() -> Path:
    """The folder of shared cases and data beside the project."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not (folder / "data").is_dir():
        pytest.skip(f"needs the shared folder of real files beside the project: there is no {folder}")
    return folder


@pytest.fixture
def ledger_folder(tmp_path):
    """A maker of small good ledgers: `ledger_folder("japan")`, `"hakodate"`, `"fide"` or `"go"`."""

    def make(kind: str, name: str = "ledger") -> Path:
        return Path(shutil.copytree(SMALL_LEDGERS / kind, tmp_path / name))

    return make


@pytest.fixture(scope="session")
def started_browser():
    """Chromium, started once a process."""
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def browser(started_browser: Browser):
    """Chromium, with nothing open in it; to be asked for before a server that it is to look at."""
    yield started_browser
    for context in started_browser.contexts:
        context.close()


@pytest.fixture(scope="session")
def postgresql_server():
    """A PostgreSQL on loopback, for all tests that want a database on it."""
    if not BINARIES:
        pytest.skip("PostgreSQL is not installed (initdb)")
    with postgresql(is_durable=False) as server:
        yield server


@pytest.fixture
def database_url(postgresql_server: Postgresql):
    """The address of a PostgreSQL database of its own, migrated."""
    return postgresql_server.migrated()
