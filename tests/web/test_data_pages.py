"""The page Data; and the public ledger of a list at its address: its tag, and the answer while it is made."""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from datetime import date

import lxml.html
import pytest
from django.conf import settings
from django.test import Client
from published_pools import published_pool
from small_office import visitor

from banzuke.database.models import OfficeSettings
from banzuke.office.administration.deprecations import LEAST, Deprecation
from banzuke.office.lists import list_index
from banzuke.office.pages import public_ledgers
from banzuke.transparency import list_records
from banzuke.web.public import data_pages
from banzuke.web.public.data_changes import DATA_CHANGES

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setattr(settings, "HOME", tmp_path)


@pytest.fixture
def japan():
    return published_pool()


def page(lang="en"):
    answer = visitor(lang).get("/data/")
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def structured(html):
    (block,) = lxml.html.fromstring(html).xpath('//head/script[@type="application/ld+json"]')
    return json.loads(block.text)


class TestThePage:
    def test_it_leads_to_every_file_of_each_pools_newest_list(self, japan):
        links = lxml.html.fromstring(page()).xpath("//main//table//a/@href")
        newest = list_index.latest_list(japan).name
        files = [link for link in links if "?revision=0" in link]
        assert [link.rpartition("/")[2].partition("?")[0] for link in files] == [
            f"{newest}.csv", f"{newest}.json", "record.json", "content.csv", "people.csv", "ledger.zip",
        ]  # fmt: skip
        assert [visitor().get(link, follow=True).status_code for link in links] == [200] * len(links)

    def test_it_says_the_licence_or_that_there_is_none(self, japan):
        assert "The office has not said what may be done with its data." in page()
        assert "license" not in structured(page())
        OfficeSettings.objects.create(licence="CC-BY-4.0", contact="data@office.example")
        assert '<a rel="license" href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>' in page()
        assert structured(page())["license"] == "https://creativecommons.org/licenses/by/4.0/"

    def test_whom_to_ask_where_there_is_no_licence(self):
        OfficeSettings.objects.create(contact="data@office.example")
        assert "mailto:data@office.example" in page()

    def test_it_says_how_to_name_a_list_and_how_to_make_it_again(self, japan):
        newest = list_index.latest_list(japan)
        assert newest.sha256 in page()
        assert f"<code>banzuke verify http://testserver/japan/lists/{newest.name}/</code>" in page()

    def test_it_promises_how_long_addresses_live_and_says_what_goes(self, monkeypatch):
        assert f"stays for at least {LEAST} years" in page()
        assert f"少なくとも{LEAST}年間" in page("ja")
        assert "Nothing is on its way out at present." in page()
        goes = Deprecation(re.compile("/api/v1/pools"), date(2026, 4, 1), date(2028, 10, 1), "/api/v2/pools")
        monkeypatch.setattr(data_pages, "DEPRECATED", (goes,))
        assert (
            "<td><code>/api/v1/pools</code></td><td>2028-10-01</td><td><code>/api/v2/pools</code></td>"
            in page()
        )

    def test_it_says_what_changed_with_the_versions_that_there_are(self):
        versions = {}
        for change in reversed(DATA_CHANGES):
            versions |= change.versions
        assert versions == {"record.json": list_records.VERSION, "ledger.zip": public_ledgers.VERSION}
        assert [each.day for each in DATA_CHANGES] == sorted(
            (each.day for each in DATA_CHANGES), reverse=True
        )
        assert "2026年11月25日" in page("ja")

    def test_for_machines_it_is_a_catalog_of_data_sets(self, japan):
        found = structured(page())
        (pool,) = found["dataset"]
        assert (found["@type"], pool["@type"]) == ("DataCatalog", "Dataset")
        assert pool["dateModified"].startswith(str(list_index.latest_list(japan).published_at.date()))
        (file,) = pool["distribution"]
        answer = visitor().get(file["contentUrl"].removeprefix("http://testserver"))
        assert answer["Content-Type"] == file["encodingFormat"] == "application/zip"

    def test_it_is_sent_again_only_when_something_changed(self, japan):
        tag = visitor().get("/data/")["ETag"]
        assert visitor().get("/data/", headers={"if-none-match": tag}).status_code == 304
        OfficeSettings.objects.create(licence="CC-BY-4.0")
        assert visitor().get("/data/", headers={"if-none-match": tag}).status_code == 200

    def test_every_page_leads_to_it(self):
        for lang, name in (("en", "Data"), ("ja", "データ")):
            assert f'<a href="/data/">{name}</a>' in visitor(lang).get("/").content.decode()


class TestTheLedger:
    address = "/japan/lists/2025-03/ledger.zip"

    def test_it_is_a_zip_with_a_marker_and_its_tag_is_its_hash(self, japan):
        answer = Client().get(self.address)
        assert answer["Content-Type"] == "application/zip"
        assert "japan-2025-03-r0-ledger.zip" in answer["Content-Disposition"]
        assert answer["ETag"] == f'"{hashlib.sha256(answer.content).hexdigest()}"'
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            assert {"README.txt", "pool.toml", "players.csv", "games.csv"} <= set(archive.namelist())
        unchanged = Client().get(self.address, headers={"If-None-Match": answer["ETag"]})
        assert (unchanged.status_code, unchanged.content) == (304, b"")

    def test_no_such_list_and_no_such_revision(self, japan):
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
