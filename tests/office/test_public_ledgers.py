"""The public ledger of each published list: zipped, kept, and enough to make the list again to the byte."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime

import pytest
from django.conf import settings
from office.published_office import CHIEF, TODAY, after, example, inquiry, names, published

from banzuke.database.models import Contact, Entry, Job, Player, RatingList
from banzuke.ledger.folder import read_ledger
from banzuke.office.lists.corrections import carry_out
from banzuke.office.lists.list_index import make_lists, names_up_to
from banzuke.office.lists.publishing import publish
from banzuke.office.pages import public_ledgers
from banzuke.office.pages.public_ledgers import (
    kept_ledger,
    ledger_of,
    make_wanted_ledger,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setattr(settings, "HOME", tmp_path)
    monkeypatch.setattr(public_ledgers, "_failed", set())
    return tmp_path


def unpacked(published, folder):
    with zipfile.ZipFile(ledger_of(published).path) as archive:
        archive.extractall(folder)
    return read_ledger(folder)


def hide(pool, player):
    entry = Entry.objects.create(pool=pool, at=datetime.now(UTC), act="contact", author="test")
    Contact.objects.create(pool=pool, entry=entry, player_id=player, by_id_only=True)


def assert_made_again(each, folder):
    ledger = unpacked(each, folder)
    *_, made = make_lists(ledger, names_up_to(ledger, {each.name}))
    assert made.name == each.name
    assert made.content_sha256(each.entry_id) == each.sha256


@pytest.mark.parametrize("name", ["japan", "hakodate", "us-championship-2025", "go-server"])
def test_each_list_is_made_again_from_its_public_ledger(name, tmp_path):
    pool = published(name)
    for each in pool.lists.all():
        assert_made_again(each, tmp_path / str(each.pk))


def test_revisions_are_made_again_too(tmp_path):
    pool = published("japan")
    found = inquiry(pool, after(pool, "2024-08", 20), result="1/2-1/2")
    carry_out(found, CHIEF, "a slip", TODAY)
    revised = [each for each in pool.lists.all() if each.revision]
    assert revised
    for each in pool.lists.all():
        assert_made_again(each, tmp_path / str(each.pk))


def test_the_same_bytes_each_time_and_others_when_somebody_is_hidden(tmp_path):
    pool = published("japan")
    each = pool.lists.last()
    first = ledger_of(each)
    data = first.path.read_bytes()
    assert ledger_of(each) == first
    first.path.unlink()
    assert kept_ledger(each) is None
    assert ledger_of(each).path.read_bytes() == data
    member = Player.objects.filter(pool=pool).exclude(name_native="").first()
    hide(pool, member.player_id)
    assert kept_ledger(each) is None
    hidden = ledger_of(each)
    assert hidden.sha256 != first.sha256
    assert not first.path.exists()
    (row,) = [p for p in unpacked(each, tmp_path / "hidden").players if p.player_id == member.player_id]
    assert (row.name, row.name_native, row.club_id) == (member.player_id, "", "")
    assert_made_again(each, tmp_path / "again")


def test_no_true_birth_date_is_in_it():
    pool = published("japan")
    born = {day.isoformat() for day in Player.objects.filter(pool=pool).values_list("birth_date", flat=True)}
    with zipfile.ZipFile(io.BytesIO(ledger_of(pool.lists.last()).path.read_bytes())) as archive:
        assert archive.infolist()[0].date_time == (1980, 1, 1, 0, 0, 0)
        everything = b"".join(map(archive.read, archive.namelist())).decode()
    assert not [day for day in born if not day.endswith("-07-01") and f",{day}," in everything]


class TestOfALargePool:
    @pytest.fixture(autouse=True)
    def large(self, monkeypatch):
        monkeypatch.setattr(public_ledgers, "AT_ONCE", 3)

    def test_the_worker_makes_what_was_asked_for_first_and_then_the_newest(self):
        pool = published("japan")
        first, newest = pool.lists.order_by("number").first(), pool.lists.order_by("closes").last()
        assert ledger_of(first) is None
        assert make_wanted_ledger()
        assert ledger_of(first) is not None
        assert kept_ledger(newest) is None
        while make_wanted_ledger():
            pass
        assert kept_ledger(newest) is not None
        assert [each.pk for each in pool.lists.all() if kept_ledger(each)] == [first.pk, newest.pk]

    def test_jobs_go_first(self):
        pool = published("japan")
        Job.objects.create(kind="due", pool=pool, wanted={}, author="x", where="x", at="2025-01-01T00:00Z")
        assert not make_wanted_ledger()

    def test_one_that_cannot_be_made_does_not_stop_the_others(self, monkeypatch):
        pool = published("japan")
        newest = pool.lists.order_by("closes").last()
        others = published("hakodate")
        real = public_ledgers.files_of

        def files_of(of, entry):
            if of == pool:
                raise LookupError(entry)
            return real(of, entry)

        monkeypatch.setattr(public_ledgers, "files_of", files_of)
        for _ in range(4):
            make_wanted_ledger()
        assert kept_ledger(newest) is None
        assert kept_ledger(others.lists.order_by("-closes", "-name").first())


def test_a_list_of_before_is_made_of_the_book_of_before(tmp_path):
    pool = example("hakodate")
    wanted = names(pool)
    publish(pool, wanted[1], CHIEF, TODAY)
    publish(pool, wanted[-1], CHIEF, TODAY)
    for each in RatingList.objects.filter(pool=pool):
        assert_made_again(each, tmp_path / str(each.pk))
        assert {e.event_id for e in read_ledger(tmp_path / str(each.pk)).events} == set(
            wanted[: wanted.index(each.name) + 1]
        )
