"""A pool opened from a Go ledger folder: all of it with its standings, or nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from banzuke.database import book_writer
from banzuke.database.book_reader import last_entry, read_book
from banzuke.database.models import Entry, GoGame, LivePool, NameWord, Pool
from banzuke.ledger.folder import read_ledger
from banzuke.office.administration import pools
from banzuke.office.administration.pools import TakenError, open_from_folder
from banzuke.office.live.live_verification import differing_standings

pytestmark = pytest.mark.django_db
FOLDER = Path(__file__).parents[2] / "examples" / "go-server"


class _PowerCutError(Exception):
    pass


@pytest.mark.parametrize("at_once", [1, book_writer.CHUNK])
def test_it_comes_with_its_standings(monkeypatch, at_once):
    monkeypatch.setattr(book_writer, "CHUNK", at_once)
    pool = open_from_folder("go", FOLDER, "clerk")
    assert LivePool.objects.get(pool=pool).entry == last_entry(pool)
    assert differing_standings(pool) == []
    assert read_book(pool) == read_ledger(FOLDER)
    assert NameWord.objects.filter(pool=pool).exists()


def test_nothing_stays_of_one_that_fails(monkeypatch):
    def fail(*_):
        raise _PowerCutError

    with monkeypatch.context() as patch:
        patch.setattr(pools, "open_standings", fail)
        with pytest.raises(_PowerCutError):
            open_from_folder("go", FOLDER, "clerk")
    assert not any(model.objects.exists() for model in (Pool, Entry, GoGame))
    assert differing_standings(open_from_folder("go", FOLDER, "clerk")) == []


def test_a_word_is_taken_once():
    open_from_folder("go", FOLDER, "clerk", with_games=False)
    with pytest.raises(TakenError):
        open_from_folder("go", FOLDER, "clerk")
