"""The record of a list and its files at their addresses: with them alone each list is made again."""

from __future__ import annotations

import hashlib
import json
import shutil
from datetime import date, timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from office.opened_tables import opened
from office.published_office import CHIEF, TODAY, after, example, inquiry, names, published
from office.test_old_office import OLD
from public_downloads import HOST, ClientDownloads, assert_verified, downloaded, findings
from published_pools import hide, published_pool

from banzuke.client.public_lists import download_list
from banzuke.core import facts
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import GoBook
from banzuke.database import models
from banzuke.ledger.folder import write_ledger
from banzuke.office.administration.backup_restore import restore
from banzuke.office.administration.office_settings import change_settings
from banzuke.office.erasure.erasing import erase
from banzuke.office.fact_rows import standing_rows
from banzuke.office.jobs import late_lists
from banzuke.office.lists import corrections, preliminary_lists
from banzuke.office.lists.list_index import latest_list
from banzuke.office.lists.publishing import publish
from banzuke.office.pages import list_records, public_ledgers
from banzuke.office.pages.kept_files import kept_files
from banzuke.office.register import player_merge
from banzuke.testing import random_ledgers
from banzuke.transparency.list_records import read_record

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = ["japan", "hakodate", "us-championship-2025", "go-server"]
POOL = 'name = "A pool"\n[[edition]]\nrulebook = "{book}"\nfrom = 2020-01-01\n'
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setattr(settings, "HOME", tmp_path)


def get(address, status=200, **headers):
    answer = Client().get(address, headers=headers)
    assert answer.status_code == status, (address, answer.content)
    return answer


class TestEachListIsVerified:
    @pytest.mark.parametrize("name", [pytest.param("japan", marks=pytest.mark.slow), *EXAMPLES[1:]])
    def test_the_newest_of_each_example(self, name):
        found = findings(latest_list(published(name)))
        assert all(each.is_good for each in found.values())
        assert len(found) == 7

    @pytest.mark.slow
    @pytest.mark.parametrize("name", EXAMPLES)
    def test_all_of_each_example(self, name):
        assert_verified(published(name))

    @pytest.mark.slow
    def test_revisions_of_lists_and_who_is_shown_by_id_only(self):
        pool = published("japan", 5)
        corrections.carry_out(inquiry(pool, after(pool, "2024-08", 20)), CHIEF, "a slip", TODAY)
        hide(pool, "J004")
        assert pool.lists.filter(revision=1).exists()
        assert_verified(pool)

    def test_preliminary_lists_and_when_they_are_final(self):
        pool = example("japan")
        publish(pool, names(pool)[0], CHIEF, TODAY, preliminary_until=date(2030, 1, 9))
        assert_verified(pool)
        corrections.carry_out(inquiry(pool, after(pool, names(pool)[0], 1)), CHIEF, "a slip", TODAY)
        preliminary_lists.make_due_lists_final(date(2030, 1, 10))
        assert pool.lists.count() == 2
        assert_verified(pool)

    @pytest.mark.slow
    def test_two_entries_put_together(self):
        pool = published("japan", 3)
        player_merge.merge(pool, "J001", "J030", CHIEF, "the same person", date(2024, 12, 1))
        assert_verified(pool)
        publish(pool, names(pool)[5], CHIEF, TODAY)
        assert_verified(pool)

    @pytest.mark.slow
    @pytest.mark.parametrize("book", BOOKS)
    @pytest.mark.parametrize("seed", [1, 2])
    def test_all_of_a_random_pool_of_each_book(self, tmp_path, book, seed):
        make = random_ledgers.go_ledger if isinstance(BOOKS[book], GoBook) else random_ledgers.chess_ledger
        ledger = make(BOOKS[book], seed)
        write_ledger(ledger, {"pool.toml": POOL.format(book=book)}, tmp_path / "ledger")
        pool = published_pool(slug=book, folder=tmp_path / "ledger")
        for player in ledger.players[::3]:
            hide(pool, player.player_id)
        assert pool.lists.exists()
        assert_verified(pool)

    @pytest.mark.slow
    def test_lists_of_an_office_of_before(self):
        restore(OLD, CHIEF, is_foreign=True)
        first = models.RatingList.objects.earliest("pk")
        answer = get(f"/{first.pool.slug}/lists/{first.name}/record.json", 503)
        assert answer["Retry-After"] == "15"
        while late_lists.enter_late_lists():
            pass
        for pool in models.Pool.objects.all():
            assert_verified(pool)


def test_a_list_published_again_after_a_backup_was_restored_is_kept_elsewhere():
    published("japan", 1)
    last = models.RatingList.objects.latest("pk")
    again = models.RatingList(pk=last.pk, published_at=last.published_at + timedelta(microseconds=1))
    assert kept_files(last) == kept_files(models.RatingList.objects.get(pk=last.pk)) != kept_files(again)


class TestAfterAnErasure:
    @pytest.mark.slow
    def test_every_list_is_verified_and_the_name_is_in_no_file(self):
        pool = published("japan", 5)
        name = standing_rows(pool, facts.Player).get(player_id="J004").name
        before = {each: downloaded(each) for each in pool.lists.all()}
        assert any(name.encode() in one.files["table"] for one in before.values())
        erase(pool, "J004", CHIEF)
        for each in before:
            shutil.rmtree(kept_files(each))  # as after the transaction
        for each in pool.lists.all():
            now = downloaded(each)
            assert now.files["content"] == before[each].files["content"]
            assert not any(name.encode() in data for data in now.files.values())
        assert_verified(pool)

    def test_a_changed_name_of_an_event_is_found(self):
        pool = published("hakodate")
        last = latest_list(pool)
        with opened():
            models.Event.objects.filter(pool=pool).update(name="Another")
        found = findings(last)
        assert not found["tree-other"].is_good


class TestTheRecord:
    address = "/japan/lists/2025-03/record.json"

    def test_its_files_have_the_hashes_and_sizes_that_it_says(self):
        published("japan")
        answer = get(self.address)
        assert answer["Content-Type"] == "application/json"
        record = read_record(answer.content)
        assert (record.pool, record.list, record.revision) == ("japan", "2025-03", 0)
        assert {each.address for each in record.files.values()} == {
            "content.csv?revision=0", "people.csv?revision=0", "ledger.zip?revision=0", "../2025-03.csv?revision=0",
        }  # fmt: skip
        assert record.log.address == "../../../log/"
        public = downloaded(models.RatingList.objects.get(name="2025-03"))
        for name, file in record.files.items():
            data = public.files[name]
            assert (len(data), hashlib.sha256(data).hexdigest()) == (file.bytes, file.sha256)

    def test_it_is_sent_again_only_when_it_changed(self):
        pool = published("japan")
        tag = get(self.address)["ETag"]
        assert get(self.address, 304, **{"if-none-match": tag}).content == b""
        hide(pool, "J004")
        assert get(self.address, **{"if-none-match": tag})["ETag"] != tag

    def test_it_names_the_licence(self):
        published("japan")
        assert read_record(get(self.address).content).licence == ""
        change_settings(models.OfficeSettings(licence="CC-BY-4.0"), CHIEF)
        assert read_record(get(self.address).content).licence == "CC-BY-4.0"

    def test_beside_the_page_of_a_speed_and_of_the_current_list_one_is_led_to_it(self):
        pool = published("japan")
        newest = latest_list(pool).name
        for address, wanted in (
            ("/japan/lists/2025-03/standard/record.json", self.address),
            ("/japan/lists/2025-03/rapid/record.json?revision=0&sort=name", f"{self.address}?revision=0"),
            ("/japan/lists/current/record.json", f"/japan/lists/{newest}/record.json"),
            ("/japan/lists/current/standard/record.json", f"/japan/lists/{newest}/record.json"),
        ):
            assert get(address, 302)["Location"] == wanted
        public = download_list(
            f"{HOST}/japan/lists/2025-03/standard/?sort=name#files", None, ClientDownloads()
        )
        assert public.record.list == "2025-03"

    @pytest.mark.parametrize(
        "address",
        [
            "/japan/lists/2031-03/record.json",
            "/japan/lists/2025-03/record.json?revision=7",
            "/japan/lists/2025-03/blitz/record.json",
            "/japan/lists/2025-03/people.csv?revision=x",
        ],
    )
    def test_what_there_is_not(self, address):
        published("japan")
        get(address, 404)

    def test_nothing_is_made_twice(self, monkeypatch):
        published("japan")
        first = get(self.address).content
        people = get("/japan/lists/2025-03/people.csv").content

        def fail(*_):
            raise AssertionError("made again")

        monkeypatch.setattr(list_records, "split_content", fail)
        monkeypatch.setattr(public_ledgers, "make_ledger", fail)
        assert get(self.address).content == first
        assert get("/japan/lists/2025-03/people.csv").content == people

    def test_while_the_ledger_is_made_one_is_told_to_ask_again(self, monkeypatch):
        published("japan")
        monkeypatch.setattr(public_ledgers, "AT_ONCE", 3)
        monkeypatch.setattr(public_ledgers, "_failed", set())
        assert get(self.address, 503)["Retry-After"] == "15"
        while public_ledgers.make_wanted_ledger():
            pass
        get(self.address)

    def test_where_the_log_cannot_be_signed_the_reason_is_said(self):
        published("japan")
        get(self.address)
        with opened():
            models.LogEntry.objects.order_by("-number").first().delete()
        assert "entries now" in get(self.address, 503).content.decode()

    def test_the_document_tells_of_each_of_its_fields(self):
        published("japan")
        found = json.loads(get(self.address).content)
        for document in ("record.md", "ja/record.md"):
            text = (DOCS / document).read_text("utf-8")
            assert [name for name in found if f"`{name}`" not in text] == []
