"""The book in the database: what goes in comes out, by whom and when, and nothing is ever changed."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from django.db import IntegrityError, connection, transaction

from banzuke.core.facts import Game, Player
from banzuke.core.fault import RefusedError
from banzuke.database import models
from banzuke.database.book_reader import MODELS, columns_of, read_book, rules_from, rules_of
from banzuke.database.book_writer import Act, add_facts, add_files, open_entry
from banzuke.database.ledger_folders import enter_folder, write_folder
from banzuke.engine.rating_run import rate_ledger
from banzuke.ledger.folder import read_ledger
from banzuke.ledger.pool_files import is_plain_name
from banzuke.ledger.schema import BYES, CHESS, GO

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LEDGERS = ["japan", "hakodate", "go-server", "us-championship-2025"]
TABLES = {table.name: table for table in CHESS}
ME = Act("officer", "report", "a test")

pytestmark = pytest.mark.django_db


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


class TestLedgerFolders:
    @pytest.mark.parametrize("name", LEDGERS)
    def test_come_out_as_they_went_in(self, tmp_path, name):
        pool = enter_folder(name, EXAMPLES / name, "officer")
        assert read_book(pool) == read_ledger(EXAMPLES / name)
        write_folder(pool, tmp_path / "out")
        assert read_ledger(tmp_path / "out") == read_ledger(EXAMPLES / name)
        write_folder(enter_folder("again", tmp_path / "out", "officer"), tmp_path / "second")
        assert contents(tmp_path / "second") == contents(tmp_path / "out")

    @pytest.mark.parametrize("name", LEDGERS)
    def test_rate_the_same(self, tmp_path, name):
        write_folder(enter_folder(name, EXAMPLES / name, "officer"), tmp_path / "out")
        rate_ledger(read_ledger(tmp_path / "out"), tmp_path / "one")
        rate_ledger(read_ledger(EXAMPLES / name), tmp_path / "other")
        assert contents(tmp_path / "one") == contents(tmp_path / "other")

    @pytest.mark.parametrize("kind", ["japan", "hakodate", "fide", "go"])
    def test_the_small_ones_too(self, ledger_folder, kind):
        folder = ledger_folder(kind)
        assert read_book(enter_folder(kind, folder, "officer")) == read_ledger(folder)

    def test_the_cases_too(self, shared):
        folders = [path.parent for path in sorted((shared / "cases").rglob("pool.toml"))]
        assert folders
        for number, folder in enumerate(folders):
            assert read_book(enter_folder(f"case-{number}", folder, "officer")) == read_ledger(folder)

    def test_that_do_not_check_leave_nothing(self, ledger_folder):
        folder = ledger_folder("japan")
        (folder / "players.csv").write_text("player_id\n", "utf-8")
        with pytest.raises(RefusedError):
            enter_folder("broken", folder, "officer")
        assert not models.Pool.objects.exists()

    def test_of_a_name_that_is_taken(self):
        enter_folder("japan", EXAMPLES / "japan", "officer")
        before = models.Game.objects.count()
        with pytest.raises(IntegrityError):
            enter_folder("japan", EXAMPLES / "japan", "officer")
        assert models.Game.objects.count() == before

    def test_do_not_mix(self):
        pools = [enter_folder(name, EXAMPLES / name, "officer") for name in LEDGERS]
        assert [read_book(pool) == read_ledger(EXAMPLES / pool.slug) for pool in pools] == [True] * 4


class TestEntries:
    def test_say_by_whom_and_what(self):
        entry = enter_folder("japan", EXAMPLES / "japan", "officer").entries.get()
        assert (entry.author, entry.act, entry.why) == ("officer", "import-ledger", "")
        assert entry.at.utcoffset() is not None

    def test_the_book_can_be_read_as_of_each(self):
        pool = enter_folder("japan", EXAMPLES / "japan", "officer")
        first, before = pool.entries.get(), read_book(pool)
        with transaction.atomic():
            entry = open_entry(pool, ME)
            add_facts(entry, TABLES["players"], [Player("J900", "ONO Aya", birth_date=date(2012, 2, 29))])
        assert read_book(pool, first.pk) == before
        assert read_book(pool).players == [
            *before.players,
            Player("J900", "ONO Aya", birth_date=date(2012, 2, 29)),
        ]

    def test_rules_as_of_an_entry(self):
        pool = enter_folder("japan", EXAMPLES / "japan", "officer")
        first = pool.entries.get().pk
        text = (EXAMPLES / "japan" / "pool.toml").read_text("utf-8")
        with transaction.atomic():
            entry = open_entry(pool, Act("officer", "settings"))
            later = text.replace("Example Chess Federation", "Another Name")
            models.PoolFile.objects.create(entry=entry, name="pool.toml", text=later)
        assert [read_book(pool, until).pool.name for until in (first, entry.pk, None)] == [
            "Example Chess Federation",
            "Another Name",
            "Another Name",
        ]

    def test_an_entry_that_fails_leaves_nothing(self):
        pool = enter_folder("japan", EXAMPLES / "japan", "officer")
        before = read_book(pool)

        def failing():
            with transaction.atomic():
                entry = open_entry(pool, ME)
                add_facts(entry, TABLES["games"], [Game("2025-01-newyear", 99, "J001", "J002", "1-0")])
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            failing()
        assert (read_book(pool), pool.entries.count()) == (before, 1)

    def test_strikes_stand_beside_the_facts(self):
        pool = enter_folder("japan", EXAMPLES / "japan", "officer")
        ledger = read_ledger(EXAMPLES / "japan")
        struck = [game for games in ledger.games.values() for game in games if game.struck]
        rows = models.Strike.objects.filter(pool=pool, table="games")
        assert sorted(rows.values_list("day", flat=True)) == sorted(game.struck for game in struck)


@pytest.mark.django_db
@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="a way of PostgreSQL")
def test_cursors_are_planned_to_be_read_whole():
    with connection.cursor() as cursor:
        cursor.execute("SHOW cursor_tuple_fraction")
        assert cursor.fetchone() == ("1",)


class TestModels:
    @pytest.mark.parametrize("table", [*CHESS, BYES, *GO], ids=lambda table: table.record.__name__)
    def test_have_the_columns_of_the_ledger(self, table):
        fields = {field.name for field in MODELS[table.record]._meta.fields} - {"id", "entry", "pool"}
        assert fields == set(columns_of(table))

    def test_need_no_migration(self):
        from django.core.management import call_command

        call_command("makemigrations", "--check", "--dry-run", verbosity=0)


class TestFilesOfTheRules:
    """Texts of the rules have plain names, so that nothing is written where it should not be."""

    WRONG = (
        "../evil.toml", "/tmp/evil.toml", "..", ".toml", ".hidden.toml", "a/b.toml", "a\\b.toml", "c:x.toml", "x.txt", "",
        "nul\0.toml", "tab\t.toml", "rtl\u202e.toml", "zero\u200b.toml", "e\u0301.toml", " x.toml", "x.toml ", "x.toml/.",
        f"{'n' * 96}.toml", "．．/x.toml",
    )  # fmt: skip

    def test_plain_names_are_taken(self):
        plain = ("pool.toml", "k32.toml", "border-zone-2025-01-01.toml", "境界の表.toml", "a b.toml")
        assert [name for name in plain if not is_plain_name(name)] == []
        assert [name for name in self.WRONG if is_plain_name(name)] == []

    @pytest.mark.parametrize("name", ["../evil.toml", "x.txt"])
    def test_another_name_is_refused_when_it_comes_and_when_it_is_read(self, ledger_folder, tmp_path, name):
        pool = enter_folder("japan", ledger_folder("japan"), "officer")
        entry = open_entry(pool, ME)
        with pytest.raises(RefusedError) as refused:
            add_files(entry, {name: "x = 1\n"})
        assert [fault.code for fault in refused.value.faults] == ["pool-file-name"]
        models.PoolFile.objects.create(entry=entry, name=name, text="x = 1\n")  # somebody with the database
        for read in (rules_of, read_book, lambda of: write_folder(of, tmp_path / "out")):
            with pytest.raises(RefusedError) as refused:
                read(pool)
            assert [fault.code for fault in refused.value.faults] == ["pool-file-name"]
        assert not (tmp_path / "out").exists()

    def test_rules_are_read_without_a_file(self, ledger_folder, monkeypatch):
        """Not even for a moment: a page of anybody reads them."""
        files = {path.name: path.read_text("utf-8") for path in ledger_folder("go").glob("*.toml")}
        monkeypatch.setattr(Path, "write_text", None)
        monkeypatch.setattr(Path, "open", None)
        assert rules_from(files).is_go
