"""An office of an earlier version opens, its lists verify, and it goes on.

`old/office.zip` is a backup that a program of before the schedules wrote: pools of each built-in rule book with their lists
published, lists of the Japanese pool corrected, and an invoice partly paid. Nobody signed it.
"""

from __future__ import annotations

import json
import zipfile
from datetime import date
from pathlib import Path

import pytest
from django.core.management import call_command
from office.published_office import CHIEF, TODAY

from banzuke.database.models import Inquiry, Invoice, LogEntry, Pool, RatingList
from banzuke.office.administration.backup_restore import restore
from banzuke.office.fees.invoices import note_payment, state_of
from banzuke.office.jobs import late_lists
from banzuke.office.lists import coming_list, corrections
from banzuke.office.lists.list_index import current_lists
from banzuke.office.lists.office_verification import verify_office
from banzuke.office.lists.verification import verify
from banzuke.office.transparency.log_checkpoints import signed_log
from banzuke.office.transparency.logged_rows import log_new_rows
from banzuke.office.transparency.office_log import read_log
from banzuke.transparency.log_entries import ListEntry

OLD = Path(__file__).parent / "old" / "office.zip"
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("either_engine")]


def lists_in_backup():
    with zipfile.ZipFile(OLD) as archive:
        columns = {t["name"]: t["columns"] for t in json.loads(archive.read("manifest.json"))["tables"]}
        lines = archive.read("book.ratinglist.jsonl").splitlines()
    return [dict(zip(columns["book.ratinglist"], json.loads(line), strict=True)) for line in lines]


def test_every_list_verifies():
    restore(OLD, CHIEF, is_foreign=True)
    assert {(each.pk, each.sha256) for each in RatingList.objects.all()} == {
        (each["id"], each["sha256"]) for each in lists_in_backup()
    }
    assert RatingList.objects.filter(revision=1).exists()
    assert set(RatingList.objects.values_list("rulebook", flat=True)) == {
        "ncs-2022", "jcf-2024", "fide-2024", "hakodate", "pandanet",
    }  # fmt: skip
    for each in RatingList.objects.select_related("pool"):
        assert verify(each.pool, each.name, each.revision).is_good, each


def test_it_goes_on():
    restore(OLD, CHIEF, is_foreign=True)
    japan = Pool.objects.get(slug="japan")
    assert coming_list.find_coming_list(japan, TODAY)[:2] == ("2025-06", date(2025, 4, 21))
    assert corrections.due_revisions(japan).lists == []
    waiting = Inquiry.objects.get(pool=japan, state=Inquiry.State.OPEN)
    assert (waiting.recorded_on, waiting.needs_confirmation) == (None, False)
    assert waiting.counted_day == waiting.day  # as it was when it was entered
    for pool in Pool.objects.all():
        if current_lists(pool).exists():
            assert corrections.due_revisions(pool).lists == []
    invoice = Invoice.objects.get()
    note_payment(invoice, state_of(invoice).open, date(2024, 6, 26), "", CHIEF, date(2024, 6, 26))
    assert state_of(invoice).open == 0


def test_tables_and_migrations_are_those_of_the_models():
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)


@pytest.mark.slow
def test_its_lists_come_into_the_log_and_verify(settings, tmp_path):
    """It is from before there was a log: the worker enters each list, and from then on it is held to them."""
    settings.HOME = tmp_path
    restore(OLD, CHIEF, is_foreign=True)
    assert not LogEntry.objects.exists()
    for _ in range(RatingList.objects.count() + 1):
        if not late_lists.enter_late_lists():
            break
    entries = [entry for _, entry in read_log() if isinstance(entry, ListEntry)]
    assert len(entries) == RatingList.objects.count()
    assert all(entry.late for entry in entries)
    log_new_rows()
    assert signed_log().size == LogEntry.objects.count()
    found = verify_office()
    assert (found.faults, found.bad) == ([], [])
    assert found.good == RatingList.objects.count()
