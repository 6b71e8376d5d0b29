"""The desk, opening a pool in the browser, and changing how it is rated."""

from __future__ import annotations

import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import URLResolver, get_resolver
from small_office import LEDGERS, client, small_pool

from banzuke.core.registry import BOOKS
from banzuke.database.book_reader import last_entry, read_book, rules_of
from banzuke.database.models import JournalEntry, Pool, PoolFile
from banzuke.office.administration import pools
from banzuke.office.administration.pools import RESERVED

pytestmark = pytest.mark.django_db
NEW = {"slug": "north", "name": 'The "North"', "rulebook": "ncs-2022", "start": "2024-01-01"}


def zipped(kind, prefix=""):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as out:
        for path in (LEDGERS / kind).iterdir():
            out.write(path, prefix + path.name)
    data.seek(0)
    data.name = "ledger.zip"
    return data


class TestNewPool:
    def test_an_empty_pool_with_its_book(self):
        answer = client("administrator").post("/office/new/", NEW)
        assert (answer.status_code, answer["Location"]) == (302, "/office/")
        pool = Pool.objects.get(slug="north")
        rules = rules_of(pool, last_entry(pool))
        assert (rules.name, [e.book.name for e in rules.editions]) == ('The "North"', ["ncs-2022"])
        assert JournalEntry.objects.get(pool=pool).act == "new-pool"

    @pytest.mark.parametrize("prefix", ["", "ledger/"])
    def test_from_a_ledger_as_zip(self, prefix):
        said = {"slug": "small", "ledger": zipped("japan", prefix)}
        assert client("administrator").post("/office/new/", said).status_code == 302
        book = read_book(Pool.objects.get(slug="small"))
        assert [player.player_id for player in book.players] == ["A", "B", "C"]

    @pytest.mark.parametrize("slug", [*sorted(RESERVED), "Office", "japan", "JAPAN"])
    def test_a_word_that_is_taken(self, slug):
        small_pool("japan")
        answer = client("administrator").post("/office/new/", NEW | {"slug": slug})
        assert answer.context["form"].errors["slug"] == ["This name is already used."]
        assert Pool.objects.count() == 1

    @pytest.mark.parametrize("step", ["toml_of", "read_bounded"])
    def test_a_word_that_another_one_took_a_moment_ago(self, monkeypatch, step):
        said = NEW if step == "toml_of" else {"slug": "small", "ledger": zipped("japan", "")}
        go_on = getattr(pools, step)

        def another_is_faster(*about):
            Pool.objects.create(slug=said["slug"])
            return go_on(*about)

        monkeypatch.setattr(pools, step, another_is_faster)
        answer = client("administrator").post("/office/new/", said)
        assert answer.context["form"].errors["slug"] == ["This name is already used."]

    def test_a_zip_that_is_no_ledger(self):
        said = {"slug": "bad", "ledger": io.BytesIO(b"PK no zip")}
        answer = client("administrator").post("/office/new/", said)
        assert "pool.toml" in answer.context["form"].non_field_errors()[0]
        assert not Pool.objects.exists()

    def test_what_is_missing_is_said(self):
        answer = client("administrator").post("/office/new/", {"slug": "north"})
        assert sorted(answer.context["form"].errors) == ["name", "rulebook", "start"]

    def test_no_pool_hides_a_page(self):
        words = {
            str(each.pattern).split("/")[0]
            for each in get_resolver().url_patterns
            if isinstance(each, URLResolver) and str(each.pattern)
        }
        words |= {
            str(page.pattern).split("/")[0]
            for each in get_resolver().url_patterns
            if isinstance(each, URLResolver) and not str(each.pattern)
            for page in each.url_patterns
        }
        assert {word for word in words if word and "<" not in word} <= RESERVED


class TestRules:
    def said(self, **more):
        return {
            "name": "Small Federation",
            "why": "decided by the board",
            "edition-1-start": "2022-09-01",
            "edition-2-start": "2024-10-01",
            "edition-1-rate_against_unrated": "on",
            "edition-1-k_shared": "on",
            "edition-1-undeclared_by_time": "on",
            "edition-1-unrated_games_fill_first": "on",
        } | more

    def test_a_setting_is_changed_as_a_new_entry(self):
        pool = small_pool("japan")
        before = last_entry(pool)
        answer = client("chief", pool).post("/office/japan/settings/", self.said())
        assert answer.status_code == 302
        entry = pool.entries.last()
        assert (entry.act, entry.why, entry.author) == (
            "rules-changed",
            "decided by the board",
            "chief-japan",
        )
        assert "fee_required = false" in PoolFile.objects.get(entry=entry).text
        first = rules_of(pool, last_entry(pool)).editions[0].settings
        assert (first.fee_required, first.k_shared) == (False, True)
        assert rules_of(pool, before).editions[0].settings.fee_required

    def test_an_edition_more_and_one_less(self):
        pool = small_pool("japan")
        said = self.said(
            **{"edition-2-remove": "on", "added-rulebook": "jcf-2024", "added-start": "2025-01-01"}
        )
        client("chief", pool).post("/office/japan/settings/", said)
        rules = rules_of(pool, last_entry(pool))
        assert [(e.book.name, str(e.start)) for e in rules.editions] == [
            ("ncs-2022", "2022-09-01"),
            ("jcf-2024", "2025-01-01"),
        ]

    def test_a_book_of_another_series_is_not_to_be_chosen(self):
        pool = small_pool("japan")
        said = self.said(**{"added-rulebook": "fide-2024", "added-start": "2025-01-01"})
        added = client("chief", pool).post("/office/japan/settings/", said).context["forms"].added
        offered = {name for name, _ in added.fields["rulebook"].choices}
        assert offered == {"", *(name for name, book in BOOKS.items() if book.series == "japan")}
        assert "fide-2024" in added.errors["rulebook"][0]
        assert pool.entries.count() == 1

    def test_an_officer_reads_and_does_not_change(self):
        pool = small_pool("japan")
        officer = client("officer", pool)
        assert "<button>Change" not in officer.get("/office/japan/settings/").content.decode()
        assert officer.post("/office/japan/settings/", self.said()).status_code == 403

    def test_a_border_zone_table_is_a_small_file(self):
        """It is read in the process that serves pages."""
        pool = small_pool("go")
        table = SimpleUploadedFile("zone.toml", b"#" * 20_001)
        said = {"name": "Go", "why": "x", "edition-1-start": "2020-01-01", "edition-1-border_zone": table}
        answer = client("chief", pool).post("/office/go/settings/", said)
        assert "too large" in answer.context["forms"].editions[0].errors["border_zone"][0]
        assert pool.entries.count() == 1


class TestDesk:
    def test_only_the_pools_of_ones_roles(self):
        japan, go = small_pool("japan"), small_pool("go")
        desk = client("officer", japan).get("/office/")
        assert [corner.pool for corner in desk.context["corners"]] == [japan]
        desk = client("administrator").get("/office/")
        assert [corner.pool for corner in desk.context["corners"]] == [go, japan]

    def test_a_stranger_signs_in_first(self, client):
        answer = client.get("/office/")
        assert (answer.status_code, answer["Location"].partition("?")[2]) == (302, "next=/office/")

    @pytest.mark.parametrize(
        ("kind", "book", "places"),
        [
            ("japan", "jcf-2024", ["register/clubs", "register/send", "inbox", "register/openings", "board"]),
            ("fide", "fide-2024", ["register/send", "inbox", "register/openings", "board"]),
            ("go", "pandanet", ["inbox", "register/openings", "board"]),
        ],
    )
    def test_the_way_to_the_first_list(self, kind, book, places):
        boss = client("administrator")
        said = {"slug": "mine", "name": "Mine", "rulebook": book, "start": "2024-10-01"}
        boss.post("/office/new/", said)
        small_pool(kind)
        steps = {corner.pool.slug: corner.steps for corner in boss.get("/office/").context["corners"]}
        assert [step.url for step in steps["mine"]] == [f"/office/mine/{place}/" for place in places]
        assert not any(step.is_done for step in steps["mine"])
        done = [step.is_done for step in steps[kind]]
        openings = kind != "fide"
        assert done == [*[True] * (len(places) - 2), openings, False]
        for step in steps["mine"]:
            assert boss.get(step.url).status_code == 200
