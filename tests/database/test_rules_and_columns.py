"""What a rule book adds, and what pool.toml names, goes into the book and comes out again."""

from __future__ import annotations

import csv
from contextlib import suppress
from dataclasses import replace
from datetime import date

import pytest
from django.db import transaction
from office.published_office import CHIEF, TODAY

from banzuke.core import facts
from banzuke.core.fault import RefusedError
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import ExtraColumn, ListColumn
from banzuke.database.book_reader import read_book, rules_of
from banzuke.database.ledger_folders import enter_folder, write_folder
from banzuke.database.models import ListRow, Pool
from banzuke.ledger.folder import read_ledger
from banzuke.office.administration import backup, backup_restore, pools
from banzuke.office.fact_rows import standing_rows
from banzuke.office.lists import correction_drafts, corrections, publishing, verification
from banzuke.office.lists.list_index import names_of
from banzuke.office.register import members

pytestmark = pytest.mark.django_db
REFORM = """name = "K 32 for new players"
from = 2024-10-01
[set]
"jcf.k_new" = 32
[signed]
by = ["Sato", "Suzuki"]
on = 2024-09-01
"""
COLUMNS = {
    "players": (ExtraColumn("grade", "text"), ExtraColumn("born_in", "count")),
    "events": (ExtraColumn("weight", "decimal"),),
    "standings": (ExtraColumn("fixed", "flag"), ExtraColumn("best", "rating"), ExtraColumn("since", "date")),
}
BOOK = replace(
    BOOKS["hakodate"], name="club-with-grades", columns=replace(BOOKS["hakodate"].columns, ledger=COLUMNS)
)


@pytest.fixture
def reform_book(ledger_folder):
    """A pool of which the second edition has a reform."""
    folder = ledger_folder("japan")
    with (folder / "pool.toml").open("a", encoding="utf-8") as rules:
        rules.write('reform = "k32.toml"\n')
    (folder / "k32.toml").write_text(REFORM, "utf-8")
    assert read_ledger(folder).pool.editions[-1].reform
    return folder


class TestReforms:
    def test_are_entered_with_their_file(self, reform_book, tmp_path):
        pool = enter_folder("japan", reform_book, "officer")
        assert read_book(pool) == read_ledger(reform_book)
        write_folder(pool, tmp_path / "out")
        assert (tmp_path / "out/k32.toml").read_text("utf-8") == REFORM

    def test_are_not_entered_before_they_are_signed(self, reform_book):
        """Of the folder alone, which is rated without a clock, nothing can be said against the day."""
        for name, day in (("pool.toml", "2199-06-01"), ("k32.toml", "2199-06-01")):
            text = (reform_book / name).read_text("utf-8")
            text = text.replace("2024-10-01", day).replace("2024-09-01", "2199-05-01")
            (reform_book / name).write_text(text, "utf-8")
        assert read_ledger(reform_book).pool.editions[1].reform.signed.on == date(2199, 5, 1)
        with pytest.raises(RefusedError) as refused:
            enter_folder("japan", reform_book, "officer")
        assert [(f.file, f.column, f.code) for f in refused.value.faults] == [
            ("k32.toml", "signed", "reform-signed-ahead")
        ]
        assert not Pool.objects.exists()

    def test_stay_when_the_rules_are_changed(self, reform_book):
        pool = enter_folder("japan", reform_book, "officer")
        before = rules_of(pool)
        pools.change_rules(pool, "Renamed", pools.editions(pool), CHIEF, "the name", {})
        assert rules_of(pool) == replace(before, name="Renamed")


def add_column(path, name, *cells):
    """A column more in a CSV file, with its first cells."""
    header, *rows = list(csv.reader(path.open(encoding="utf-8", newline="")))
    cells += ("",) * (len(rows) - len(cells))
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows(
            [[*header, name], *([*row, cell] for row, cell in zip(rows, cells, strict=True))]
        )


@pytest.fixture
def folder(ledger_folder, install_books):
    """A club's ledger, of a book with columns of its own."""
    install_books(BOOK)
    folder = ledger_folder("hakodate")
    rules = (folder / "pool.toml").read_text("utf-8")
    (folder / "pool.toml").write_text(rules.replace('"hakodate"', f'"{BOOK.name}"'), "utf-8")
    add_column(folder / "players.csv", "grade", "first")
    add_column(folder / "players.csv", "born_in", "", "1990")
    add_column(folder / "events.csv", "weight", "12.50")
    player = read_ledger(folder).players[0].player_id
    opening = f"player_id,rating,games,fixed,best,since\n{player},1500,30,1,1600,2020-02-29\n"
    (folder / "standings.csv").write_text(opening, "utf-8")
    return folder


class TestAddedColumns:
    def test_come_out_as_they_went_in(self, folder, tmp_path):
        ledger = read_ledger(folder)
        assert ledger.standings[0].more == {"fixed": True, "best": 1600, "since": date(2020, 2, 29)}
        pool = enter_folder("club", folder, "officer")
        assert read_book(pool) == ledger
        write_folder(pool, tmp_path / "out")
        assert read_ledger(tmp_path / "out") == ledger

    def test_those_of_lists_are_stored_hashed_and_verified(self, folder, install_books):
        added = (ListColumn("half", "count", lambda rating, _: (rating.value or 0) // 2),)
        install_books(replace(BOOK, columns=replace(BOOK.columns, lists=added)))
        pool = enter_folder("club", folder, "officer")
        last = names_of(read_book(pool))[-1]
        publishing.publish(pool, last, CHIEF, TODAY)
        rows = ListRow.objects.filter(list__pool=pool)
        assert {row.more["half"] - row.rating // 2 for row in rows} == {0}
        assert verification.verify(pool, last).is_good
        install_books(
            replace(BOOK, columns=replace(BOOK.columns, lists=(added[0]._replace(cell=lambda *_: 7),)))
        )
        assert not verification.verify(pool, last).is_good

    def test_come_back_from_a_backup(self, folder, tmp_path):
        with suppress(ZeroDivisionError), transaction.atomic():
            enter_folder("club", folder, "officer")
            backup.back_up(tmp_path / "office.zip", CHIEF)
            raise ZeroDivisionError
        backup_restore.restore(tmp_path / "office.zip", CHIEF)
        assert read_book(Pool.objects.get()) == read_ledger(folder)

    def test_stay_when_a_member_is_changed(self, folder):
        pool = enter_folder("club", folder, "officer")
        first = read_book(pool).players[0]
        renamed = facts.Player(first.player_id, "OTHER Name")
        assert "more" not in members.change(pool, renamed, members.ContactDetails(), CHIEF, "why", TODAY)
        (row,) = standing_rows(pool, facts.Player).filter(player_id=first.player_id)
        assert (row.name, row.more) == ("OTHER Name", {"grade": "first"})

    def test_stay_when_an_event_is_corrected(self, folder):
        pool = enter_folder("club", folder, "officer")
        publishing.publish(pool, names_of(read_book(pool))[-1], CHIEF, TODAY)
        event = read_book(pool).events[0]
        inquiry = corrections.open_inquiry(pool, TODAY, "A. Member", "the place", CHIEF)
        (row,) = standing_rows(pool, facts.Event).filter(event_id=event.event_id)
        correction_drafts.draft_change(inquiry, "events", row.pk, place="Elsewhere")
        assert corrections.preview(inquiry, TODAY).faults == []
        corrections.carry_out(inquiry, CHIEF, "the place", TODAY)
        (row,) = standing_rows(pool, facts.Event).filter(event_id=event.event_id)
        assert (row.place, row.more) == ("Elsewhere", {"weight": {"$decimal": "12.50"}})
