"""Whatever lists the fast twins pass, those made after them are the ones made without them, in every part."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from random import Random

import pytest
from engine.columnar.test_columnar_run import EXAMPLES, SMALL, with_settings
from engine.test_properties import CHESS, EVENTS, PLAYERS, SEEDS, ledger_of, write
from hypothesis import given, settings
from properties import examples
from random_office import AnyOrder

from banzuke.database.book_reader import read_book
from banzuke.engine.history import history
from banzuke.ledger import written_text
from banzuke.ledger.folder import ChessLedger, read_ledger
from banzuke.office.lists import fast_forward
from banzuke.office.lists.list_index import make_lists, names_of
from banzuke.office.lists.list_rows import FROM_THE_FIRST
from banzuke.office.lists.recompute import recompute

OTHERS = [folder for folder in (*EXAMPLES, *SMALL) if not folder.name.startswith("go")]


@pytest.fixture
def every_pool(monkeypatch):
    monkeypatch.setattr(fast_forward, "FROM_GAMES", 0)


def told(made):
    """All of a list that is stored, and its hash."""
    workings = list(made.workings)
    return made.name, made.day, made.closes, made.edition, made.rows, made.lines, workings, hash_of(made)


def hash_of(made):
    return made.content_sha256(7)


def assert_made_from_any_start(ledger):
    names = names_of(ledger)
    lists = list(make_lists(ledger))
    whole = [told(made) for made in lists]
    for most in range(1, len(names) + 1):
        start = fast_forward.start_after(ledger, names, most)
        assert start.passed == most
        assert start.played == lists[most - 1]._played
        assert [told(made) for made in make_lists(ledger, names, start=start)] == whole[most:]
    return whole


def assert_known_by_their_hashes(ledger, whole):
    """The twins' content of every list has the hash of the list; where one does not stay, it ends."""
    names, found = names_of(ledger), []
    for last in (None, *names[len(names) // 2 :][:1]):
        found.clear()

        def stays(name, content, last=last):
            found.append((name, content.sha256(7)))
            return name != last

        start = fast_forward.start_after(ledger, names, len(names), stays=stays)
        count = len(names) if last is None else names.index(last)
        assert start.passed == count
        assert found == [(each[0], each[-1]) for each in whole[: count + 1]]
        assert [told(made) for made in make_lists(ledger, names, start=start)] == whole[count:]


@pytest.mark.usefixtures("every_pool")
class TestStarts:
    @pytest.mark.parametrize("folder", OTHERS, ids=lambda path: f"{path.parent.name}-{path.name}")
    def test_the_examples(self, folder):
        ledger = read_ledger(folder)
        assert isinstance(ledger, ChessLedger)
        assert_known_by_their_hashes(ledger, assert_made_from_any_start(ledger))

    @pytest.mark.parametrize("folder", OTHERS, ids=lambda path: f"{path.parent.name}-{path.name}")
    def test_progress_is_told_list_by_list(self, folder):
        ledger = read_ledger(folder)
        names, calls = names_of(ledger), []

        def progress(*said):
            calls.append(said)

        start = fast_forward.start_after(ledger, names, len(names) - 1, progress)
        list(make_lists(ledger, names, progress, start))
        assert calls == [*((n, len(names), name) for n, name in enumerate(names)), (len(names),) * 2 + ("",)]

    @pytest.mark.parametrize("folder", OTHERS, ids=lambda path: f"{path.parent.name}-{path.name}")
    def test_rated_lists_follow_the_passed_ones(self, folder):
        ledger = read_ledger(folder)
        names = names_of(ledger)
        whole = [rated.outcome.calculations for rated in history(ledger, names)]
        for passed in range(len(names)):
            found = fast_forward.rated_after(ledger, names, passed)
            assert [rated.outcome.calculations for rated in found] == whole[passed:]


@pytest.mark.parametrize("book", CHESS)
@settings(max_examples=examples(10))
@given(seed=SEEDS, players=PLAYERS, events=EVENTS)
def test_random_ledgers(book, seed, players, events):
    made = with_settings(ledger_of(book, seed, players, events), Random(seed))
    with tempfile.TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patch:
        patch.setattr(fast_forward, "FROM_GAMES", 0)
        ledger = read_ledger(write(made, Path(place) / "ledger"))
        assert_known_by_their_hashes(ledger, assert_made_from_any_start(ledger))


@pytest.mark.usefixtures("every_pool")
@pytest.mark.parametrize("letter", ["\u2028", "\u2029"])
def test_ids_with_a_letter_that_ends_lines_elsewhere(letter, tmp_path, monkeypatch):
    """No ledger that is read today has them; an office may hold them from before."""
    monkeypatch.setattr(written_text, "is_unseen", lambda _sign: False)
    made = ledger_of("japan", 7, 5, 5)
    renamed = {
        name: [{column: cell.replace("P", f"P{letter}") for column, cell in row.items()} for row in rows]
        for name, rows in made.tables.items()
    }
    ledger = read_ledger(write(made.with_tables(**renamed), tmp_path / "ledger"))
    whole = assert_made_from_any_start(ledger)
    assert any(row.player_id.startswith(f"P{letter}") for made in whole for row in made[4])
    assert_known_by_their_hashes(ledger, whole)


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("seed", [4, 30, 404])
def test_an_office_in_which_anything_happened(seed, monkeypatch):
    """What is due and what is new is the same by both, while an office with the twins goes on; so it ends well."""
    monkeypatch.setattr(fast_forward, "FROM_GAMES", 0)
    office, passed = AnyOrder(Random(seed)), 0
    for number in range(90):
        office.does_something()
        if number % 6 == 5:
            found = _anew(office.pool)
            with monkeypatch.context() as patch:
                patch.setattr(fast_forward, "FROM_GAMES", sys.maxsize)
                assert _anew(office.pool) == found
            passed += bool(office.pool.lists.exists())
    office.agrees()
    assert passed


def _anew(pool):
    found = recompute(pool, read_book(pool))
    due = [(each.published.pk, told(each.made)) for each in found.due]
    return [told(made) for made in found.fresh], due


class TestWhoIsServed:
    def test_pools_with_so_many_games(self, monkeypatch):
        ledger = read_ledger(EXAMPLES[0].parent / "japan")
        games = sum(map(len, ledger.games.values()))
        monkeypatch.setattr(fast_forward, "FROM_GAMES", games)
        assert fast_forward.serves(ledger)
        monkeypatch.setattr(fast_forward, "FROM_GAMES", games + 1)
        assert not fast_forward.serves(ledger)
        assert fast_forward.start_after(ledger, names_of(ledger), 2) is FROM_THE_FIRST
        assert len(list(fast_forward.rated_after(ledger, names_of(ledger), 2))) == len(names_of(ledger))

    @pytest.mark.usefixtures("every_pool")
    def test_none_where_the_extra_is_missing(self, monkeypatch):
        monkeypatch.setattr(fast_forward, "PARTS", ("numpy", "a_package_that_is_not_there"))
        assert not fast_forward.serves(read_ledger(EXAMPLES[0].parent / "japan"))
