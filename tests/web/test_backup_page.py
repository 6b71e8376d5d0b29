"""A backup from the browser: made by the worker, fetched once by whoever asked for it."""

from __future__ import annotations

import io
import json
import time
import zipfile

import pytest
from web.small_office import client, small_pool

from banzuke.database.models import JournalEntry
from banzuke.office.administration import backup, uploads
from banzuke.office.jobs import job_queue

pytestmark = pytest.mark.django_db
PAGE, FETCH = "/office/backup/", "/office/backup/fetch/"


@pytest.fixture
def boss():
    return client("administrator")


def made(boss):
    """A backup, made; the job's page leads to where it is fetched."""
    where = boss.post(PAGE)["Location"]
    job = job_queue.work_off()
    assert (job.kind, job.state) == ("backup", "done")
    assert boss.get(where)["Location"] == PAGE
    return job


def test_it_is_fetched_once_and_journalled(boss):
    small_pool()
    assert "Download the backup" not in boss.get(PAGE).content.decode()
    job = made(boss)
    assert "Download the backup" in boss.get(PAGE).content.decode()
    answer = boss.post(FETCH)
    assert "attachment" in answer["Content-Disposition"]
    assert answer["Cache-Control"] == "no-store"
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        tables = {
            table["name"]: table["rows"] for table in json.loads(archive.read("manifest.json"))["tables"]
        }
    assert sum(tables.values()) == job.result["rows"]
    assert tables["book.pool"] == 1
    again = boss.post(FETCH, follow=True).content.decode()
    assert "is no longer here" in again
    assert "Make a new one." in again
    acts = list(JournalEntry.objects.filter(act__contains="backup").values_list("act", flat=True))
    assert sorted(acts) == ["backup", "fetch-backup"]


def test_nobody_elses(boss):
    made(boss)
    other = client("administrator", club_id="x")
    assert "Download the backup" not in other.get(PAGE).content.decode()
    other.post(FETCH)
    assert "Download the backup" in boss.get(PAGE).content.decode()


def test_one_that_was_cleared_away_is_not_offered(boss):
    uploads.drop(made(boss).result["file"])
    assert "Download the backup" not in boss.get(PAGE).content.decode()


def test_chiefs_make_none(boss):
    chief = client("chief", small_pool())
    assert chief.post(PAGE).status_code == 403
    assert chief.post(FETCH).status_code == 403


def test_it_waits_a_day(boss, monkeypatch):
    word = made(boss).result["file"]
    path = uploads.find(word)
    later = time.time() + uploads.WAITS + 1
    monkeypatch.setattr(uploads.time, "time", lambda: later)
    assert "is no longer here" in boss.post(FETCH, follow=True).content.decode()
    uploads.clear_old_files()
    assert not path.parent.exists()


def test_a_fetch_that_cannot_be_journalled_takes_nothing_away(boss, monkeypatch):
    word = made(boss).result["file"]
    with monkeypatch.context() as broken:
        broken.setattr(backup, "note", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            boss.post(FETCH)
    assert uploads.find(word)
    assert boss.post(FETCH).status_code == 200
