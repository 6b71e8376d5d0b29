"""The public ledger of a list at its address: the file, its tag, and the answer while it is made."""

from __future__ import annotations

import hashlib
import io
import zipfile

import pytest
from django.conf import settings
from django.test import Client
from published_pools import published_pool

from banzuke.office.pages import public_ledgers

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setattr(settings, "HOME", tmp_path)


@pytest.fixture
def japan():
    return published_pool()


class TestTheLedger:
    address = "/japan/lists/2025-03/ledger.zip"

    def test_it_is_a_zip_with_a_marker_and_its_tag_is_its_hash(self, japan):
        assert japan.slug == "japan"
        answer = Client().get(self.address)
        assert answer["Content-Type"] == "application/zip"
        assert "japan-2025-03-r0-ledger.zip" in answer["Content-Disposition"]
        assert answer["ETag"] == f'"{hashlib.sha256(answer.content).hexdigest()}"'
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            assert {"README.txt", "pool.toml", "players.csv", "games.csv"} <= set(archive.namelist())
        unchanged = Client().get(self.address, headers={"If-None-Match": answer["ETag"]})
        assert (unchanged.status_code, unchanged.content) == (304, b"")

    def test_no_such_list_and_no_such_revision(self, japan):
        assert japan.slug == "japan"
        for wrong in (
            "/japan/lists/2031-03/ledger.zip",
            f"{self.address}?revision=9",
            f"{self.address}?revision=x",
        ):
            assert Client().get(wrong).status_code == 404

    def test_while_it_is_made_one_is_told_to_ask_again(self, japan, monkeypatch):
        monkeypatch.setattr(public_ledgers, "AT_ONCE", 3)
        answer = Client().get(self.address, headers={"Accept-Language": "ja"})
        assert (answer.status_code, answer["Retry-After"]) == (503, "15")
        assert answer.content.decode().startswith("このファイルは作成中です。")
        while public_ledgers.make_wanted_ledger():
            pass
        assert Client().get(self.address).status_code == 200
        assert japan.lists.count() > 1
