"""Names in two languages of pools, clubs and events: from the ledger to the pages and back."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from django.utils.translation import override

from banzuke.core import facts
from banzuke.database.book_reader import files_of, read_book
from banzuke.database.ledger_folders import enter_folder
from banzuke.ledger.folder import read_ledger, write_ledger
from banzuke.office.administration import pools
from banzuke.office.fact_rows import standing_rows
from banzuke.office.journal import Actor
from banzuke.office.register import clubs, event_applications
from banzuke.office.search.office_search import Most, search_pool
from banzuke.office.search.search_index import index_pool

pytestmark = pytest.mark.django_db

SMALL = Path(__file__).parents[1] / "ledger" / "small" / "japan"
BOSS = Actor("boss")


def add_column(path: Path, name: str, cells: list[str]) -> None:
    header, *rows = path.read_text("utf-8").splitlines()
    lines = [f"{header},{name}", *(f"{row},{cell}" for row, cell in zip(rows, cells, strict=True))]
    path.write_text("\n".join(lines) + "\n", "utf-8")


@pytest.fixture
def folder(tmp_path) -> Path:
    """The small ledger, with Japanese names of its pool, its club and an event, and with a title."""
    write_ledger(read_ledger(SMALL), SMALL, tmp_path / "in")
    add_column(tmp_path / "in" / "clubs.csv", "name_native", ["小さなクラブ"])
    count = len((tmp_path / "in" / "events.csv").read_text("utf-8").splitlines()) - 1
    add_column(tmp_path / "in" / "events.csv", "name_native", ["六月大会", *[""] * (count - 1)])
    count = len((tmp_path / "in" / "players.csv").read_text("utf-8").splitlines()) - 1
    add_column(tmp_path / "in" / "players.csv", "title", ["WIM", *[""] * (count - 1)])
    rules = tmp_path / "in" / "pool.toml"
    rules.write_text('name_native = "小さな連盟"\n' + rules.read_text("utf-8"), "utf-8")
    return tmp_path / "in"


def test_a_ledger_without_such_names_is_written_as_before(tmp_path):
    write_ledger(read_ledger(SMALL), SMALL, tmp_path / "out")
    for name in ("clubs", "events", "players"):
        header = (tmp_path / "out" / f"{name}.csv").read_text("utf-8").splitlines()[0].split(",")
        assert not {"title", "title_from"} & set(header)
        assert ("name_native" in header) == (name == "players")


def test_from_the_ledger_into_the_book_and_back(folder, tmp_path):
    ledger, pool = read_ledger(folder), enter_folder("small", folder, "boss")
    assert (ledger.pool.name_native, ledger.clubs[0].name_native) == ("小さな連盟", "小さなクラブ")
    assert (ledger.events[0].name_native, ledger.players[0].title) == ("六月大会", "WIM")
    assert read_book(pool) == ledger
    write_ledger(read_book(pool), files_of(pool), tmp_path / "out")
    assert read_ledger(tmp_path / "out") == ledger
    assert (tmp_path / "out" / "events.csv").read_text("utf-8").startswith("event_id,name,name_native,")


def test_called_by_the_language_of_the_reader(folder):
    pool = enter_folder("small", folder, "boss")
    event = standing_rows(pool, facts.Event).get(event_id="E1")
    for lang, of_pool, of_club in (
        ("ja", "小さな連盟", "小さなクラブ"),
        ("en", "Small Federation", "Small Club"),
    ):
        with override(lang):
            assert (pool.name, clubs.names(pool)["C1"]) == (of_pool, of_club)
            assert clubs.clubs(pool)[0].name == of_club
    assert (event.name, event.name_native) == ("Open, June", "六月大会")


def test_without_a_japanese_name_the_other_is_read():
    pool = enter_folder("small", SMALL, "boss")
    with override("ja"):
        assert (pool.name, clubs.names(pool)["C1"]) == ("Small Federation", "Small Club")


@pytest.mark.parametrize("is_indexed", [True, False])
@pytest.mark.parametrize("typed", ["六月", "June"])
def test_a_search_finds_both(folder, typed, is_indexed):
    pool = enter_folder("small", folder, "boss")
    if is_indexed:
        index_pool(pool, 1000)
    found = search_pool(pool, typed, Most(5, 5))
    assert [event.event_id for event in found.events.exact] == ["E1"]


def test_a_search_finds_clubs_by_both():
    pool = enter_folder("small", SMALL, "boss")
    club = facts.Club("C9", "Hinoki", "club", date(2024, 1, 1), date(2025, 1, 1), "ひのき会")
    clubs.register(pool, club, BOSS)
    for typed in ("Hinoki", "ひのき会"):
        assert [one.club_id for one in search_pool(pool, typed, Most(5, 5)).clubs] == ["C9"], typed


def test_the_rules_keep_the_pools_names():
    pool = enter_folder("small", SMALL, "boss")
    pools.change_rules(pool, "Small", pools.editions(pool), BOSS, "names", {}, "小")
    changed = type(pool).objects.get(pk=pool.pk)
    assert changed.names == ("Small", "小")


def test_an_application_hands_its_name_to_the_report():
    pool = enter_folder("small", SMALL, "boss")
    days = {"starts": date(2025, 4, 5), "ends": date(2025, 4, 6), "applied": date(2025, 3, 1)}
    asked = event_applications.apply(
        pool, {"name": "Spring Open", "name_native": "春の大会", "organiser": "C1", **days}, BOSS
    )
    event_applications.decide(pool, asked.pk, BOSS, "", grant=True)
    about = event_applications.AboutEvent(name="春の大会", starts=days["starts"], ends=days["ends"])
    assert event_applications.granted_fields(pool, about)["name_native"] == "春の大会"
