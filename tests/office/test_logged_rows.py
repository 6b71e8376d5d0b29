"""Rows of closed tables bound into the log: every table, once a day, and whatever is changed in them is found."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from office.opened_tables import opened
from office.published_office import CHIEF, EXAMPLES, TODAY, after, example, inquiry, names, published

from banzuke.database import models
from banzuke.office.erasure.erasing import erase
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.journal import note
from banzuke.office.lists.corrections import dismiss
from banzuke.office.lists.publishing import publish
from banzuke.office.transparency import logged_rows
from banzuke.office.transparency.log_verification import verify_log
from banzuke.office.transparency.logged_rows import changed_rows, closed_models, log_new_rows
from banzuke.transparency.log_entries import RecordsEntry, read_entry

pytestmark = pytest.mark.django_db
TRF = EXAMPLES / "hinoki-spring.trf"


@pytest.fixture
def japan():
    pool = published("japan")
    receive(pool, [("a.trf", TRF.read_bytes())], {}, Sender(CHIEF, None, "C01", "upload"))
    dismiss(inquiry(pool, after(pool, names(pool)[3], 1)), CHIEF, "no")
    note(CHIEF, "sign-in")
    return pool


@pytest.fixture
def next_day(monkeypatch):
    """A day after the last entry, each time."""
    days = iter(range(2, 28))

    class Clock(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime(2099, 1, next(days), tzinfo=UTC)

    monkeypatch.setattr(logged_rows, "datetime", Clock)


def found():
    return [(each.file, each.code) for each in changed_rows()]


def test_every_row_of_a_closed_table_is_in_a_hash(japan):
    entry = log_new_rows()
    assert isinstance(read_entry(entry.body.encode()), RecordsEntry)
    tables = models.LoggedRows.objects.get().tables
    for name, model in closed_models().items():
        numbers = set(model.objects.values_list("pk", flat=True))
        told = {
            number
            for first, last in tables.get(name, {"rows": []})["rows"]
            for number in range(first, last + 1)
        }
        in_lists = numbers - told
        if in_lists:  # what was entered before the last list
            entries = model.objects.filter(pk__in=in_lists)
            last = japan.lists.order_by("-number").first().entry_id
            key = "pk" if name == "entry" else "entry_id"
            assert set(entries.values_list(key, flat=True)) <= set(range(last + 1)), name
    assert {"journalentry", "reportstep", "reportfile", "inquirystep", "ratinglist", "pool"} <= tables.keys()
    assert found() == []
    assert verify_log().faults == []


def test_once_a_day_what_is_new(japan, next_day):
    log_new_rows()
    assert log_new_rows() is None  # nothing new
    last = note(CHIEF, "sign-in").pk
    log_new_rows()
    first, second = models.LoggedRows.objects.order_by("pk")
    assert second.tables.keys() == {"journalentry"}
    assert second.tables["journalentry"]["rows"] == [[last, last]]
    secrets = {table["secret"] for each in (first, second) for table in each.tables.values()}
    assert len(secrets) == len(first.tables) + 1


def test_not_twice_on_one_day(japan):
    assert log_new_rows()
    note(CHIEF, "sign-in")
    assert log_new_rows() is None


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("journalentry", {"who": "nobody"}),
        ("journalentry", {"what": {"other": 1}}),
        ("reportstep", {"author": "nobody"}),
        ("reportfile", {"sha256": "0" * 64}),
        ("inquirystep", {"why": "another reason"}),
        ("ratinglist", {"why": "another reason"}),
        ("pool", {"slug": "other"}),
    ],
)
def test_what_was_changed_is_found(japan, table, change):
    log_new_rows()
    with opened():
        model = closed_models()[table]
        model.objects.filter(pk=model.objects.last().pk).update(**change)
    assert found() == [(f"book_{table}", "log-rows-changed")]


def test_what_was_taken_out_is_found(japan):
    log_new_rows()
    with opened():
        models.JournalEntry.objects.order_by("pk").last().delete()
    assert found() == [("book_journalentry", "log-rows-changed")]


def test_facts_that_no_list_rests_on_are_in_it(japan):
    """A game entered after the last list, which is in no hash of a list yet."""
    pool = example("hakodate")
    publish(pool, names(pool)[0], CHIEF, TODAY)
    entry = models.Entry.objects.create(pool=pool, at=datetime.now(UTC), author="x", act="add")
    row = models.Game.objects.filter(pool=pool).first()
    row.pk, row.entry = None, entry
    row.save(force_insert=True)
    log_new_rows()
    assert models.LoggedRows.objects.get().tables["game"]["rows"] == [[row.pk, row.pk]]
    with opened():
        models.Game.objects.filter(pk=row.pk).update(result="1/2-1/2")
    assert found() == [("book_game", "log-rows-changed")]


def test_which_rows_they_are_cannot_be_told_otherwise(japan):
    log_new_rows()
    models.LoggedRows.objects.update(tables={})
    assert found() == [("book_loggedrows", "log-rows-missing")]
    models.LoggedRows.objects.all().delete()
    assert found() == [("book_loggedrows", "log-rows-missing")]


def test_a_row_that_comes_late(japan, next_day):
    """On PostgreSQL an act that takes long has its number before, and its row after, those of others."""
    early = note(CHIEF, "sign-in")
    note(CHIEF, "sign-in")
    with opened():
        models.JournalEntry.objects.filter(pk=early.pk).delete()
    log_new_rows()
    early.save(force_insert=True)
    assert found() == []
    log_new_rows()
    assert models.LoggedRows.objects.last().tables["journalentry"]["rows"] == [[early.pk, early.pk]]
    assert found() == []


def test_an_erasure_makes_them_anew(next_day, settings, tmp_path):
    settings.HOME = tmp_path
    japan = published("japan")
    log_new_rows()
    erase(japan, "J004", CHIEF)
    first, second = models.LoggedRows.objects.order_by("pk")
    assert "secret" not in first.tables["journalentry"]
    assert "secret" in first.tables["pool"]
    assert second.tables["journalentry"]["rows"] == [[1, models.JournalEntry.objects.latest("pk").pk]]
    assert found() == []
    with opened():
        models.JournalEntry.objects.update(who="nobody")
    assert found() == [("book_journalentry", "log-rows-changed")]


def test_what_was_logged_is_read_once(next_day, settings, tmp_path):
    """However many entries have tables without a secret."""
    settings.HOME = tmp_path
    japan = published("japan")

    def readings():
        with CaptureQueriesContext(connection) as asked:
            assert found() == []
        return sum("book_loggedrows" in query["sql"] for query in asked.captured_queries)

    log_new_rows()
    assert readings() == 1
    for _ in range(2):
        note(CHIEF, "sign-in")
        log_new_rows()
    erase(japan, "J004", CHIEF)
    tables = [told for each in models.LoggedRows.objects.all() for told in each.tables.values()]
    assert sum("secret" not in told for told in tables) > 3
    assert readings() == 1


def test_an_erasure_makes_nothing_anew_that_was_changed_before(next_day, settings, tmp_path):
    settings.HOME = tmp_path
    japan = published("japan")
    log_new_rows()
    with opened():
        models.JournalEntry.objects.update(who="nobody")
    erase(japan, "J004", CHIEF)
    assert found() == [("book_journalentry", "log-rows-changed")]


def test_no_secret_is_taken_out_past_the_office(next_day, settings, tmp_path):
    """Neither the worker nor an erasure covers such rows again."""
    settings.HOME = tmp_path
    japan = published("japan")
    log_new_rows()
    logged = models.LoggedRows.objects.get()
    del logged.tables["journalentry"]["secret"]
    logged.save()
    missing = [("book_loggedrows", "log-rows-missing")]
    assert found() == missing
    note(CHIEF, "sign-in")
    log_new_rows()
    assert found() == missing
    erase(japan, "J004", CHIEF)
    assert found() == missing


def test_a_column_that_comes_later_changes_nothing(japan, monkeypatch):
    log_new_rows()
    with (
        connection.schema_editor() if connection.vendor == "postgresql" else opened(),
        connection.cursor() as cursor,
    ):
        cursor.execute("ALTER TABLE book_journalentry ADD COLUMN later text")
    assert found() == []
