"""banzuke new: a ledger to fill in, by every rule book, and what fills it."""

from __future__ import annotations

import pytest
from command_runs import EXAMPLES, banzuke, no_traceback
from languages import IN_TURN

from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import ChessBook
from banzuke.ledger.folder import read_ledger

REPORT = EXAMPLES / "hinoki-spring.trf"
CHESS = [name for name, book in BOOKS.items() if isinstance(book, ChessBook)]


def new(folder, book="fide-2024", *more, lang="en"):
    return banzuke("new", folder, "--book", book, "--from", "2025-01-01", *more, lang=lang)


@pytest.mark.parametrize("lang", IN_TURN)
@pytest.mark.parametrize("book", BOOKS)
def test_every_book_has_a_ledger_that_checks_and_is_rated(tmp_path, book, lang):
    folder = tmp_path / "my club"
    made = new(folder, book, lang=lang)
    assert (made.status, made.err) == (0, "")
    assert f"banzuke check '{folder}'" in made.out
    edition = read_ledger(folder).pool.editions[0]
    assert (edition.book.name, edition.start.isoformat()) == (book, "2025-01-01")
    assert banzuke("check", folder).status == 0
    assert banzuke("rate", folder, "--out", tmp_path / "out").status == 0


@pytest.mark.parametrize("book", BOOKS)
def test_the_settings_that_it_shows_are_the_books_own(tmp_path, book):
    new(tmp_path / "a", book)
    pool = tmp_path / "a" / "pool.toml"
    before = read_ledger(tmp_path / "a").pool.editions[0].settings
    head, _, settings = pool.read_text("utf-8").partition("# [edition.settings]")
    if settings:
        pool.write_text(head + "[edition.settings]" + settings.replace("\n# ", "\n"), "utf-8")
    assert read_ledger(tmp_path / "a").pool.editions[0].settings == before


@pytest.mark.parametrize("book", CHESS)
def test_reports_and_members_go_into_it_at_once(tmp_path, book):
    folder = tmp_path / "club"
    new(folder, book)
    (tmp_path / "members.csv").write_text("player_id,name,birth_date\nM1,ONO Aya,2001-05-05\n", "utf-8")
    assert banzuke("register", tmp_path / "members.csv", "--into", folder, "--yes").status == 0
    words = ("import", REPORT, "--into", folder, "--reported", "2025-05-02", "--add-players")
    ran = banzuke(*words, *(["--speed", "standard"] if any(BOOKS[book].speeds) else []))
    assert (ran.status, no_traceback(ran)) == (0, "")
    ledger = read_ledger(folder)
    assert (len(ledger.players), len(ledger.events)) == (7, 1)


def test_games_of_go_go_into_it_at_once(tmp_path):
    folder = tmp_path / "go"
    new(folder, "pandanet")
    game = "(;GM[1]SZ[19]PB[a]BR[5k]PW[b]WR[4k]KM[6.5]RE[B+R]" + ";B[aa];W[bb]" * 50 + ")"
    (tmp_path / "g.sgf").write_text(game, "utf-8")
    (tmp_path / "g.csv").write_text("file,ended\ng.sgf,2025-02-01T10:00:00+09:00\n", "utf-8")
    ran = banzuke("import", tmp_path / "g.sgf", tmp_path / "g.csv", "--into", folder, "--add-players")
    assert (ran.status, ran.err) == (0, "")
    assert [player.player_id for player in read_ledger(folder).players] == ["a", "b"]


def test_the_name_is_the_folders_or_as_given(tmp_path):
    new(tmp_path / "club")
    new(tmp_path / "other", "fide-2024", "--name", 'The "A" Club')
    names = [read_ledger(tmp_path / folder).pool.name for folder in ("club", "other")]
    assert names == ["club", 'The "A" Club']


def test_an_empty_folder_is_filled(tmp_path):
    (tmp_path / "club").mkdir()
    assert new(tmp_path / "club").status == 0
    assert sorted(path.name for path in (tmp_path / "club").iterdir()) == [
        "events.csv", "games.csv", "players.csv", "pool.toml", "standings.csv",
    ]  # fmt: skip


def test_for_programs(tmp_path):
    assert new(tmp_path / "club", "hakodate", "--format", "json").json == {
        "folder": str(tmp_path / "club"),
        "book": "hakodate",
        "from": "2025-01-01",
        "files": ["pool.toml", "players.csv", "events.csv", "games.csv", "standings.csv"],
    }


class TestRefusals:
    def test_a_folder_that_holds_anything(self, tmp_path):
        (tmp_path / "notes.txt").write_text("mine")
        ran = new(tmp_path)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.endswith("is there and is not an empty folder. Name a new one. Nothing was written.\n")
        assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]

    def test_a_file(self, tmp_path):
        (tmp_path / "club").write_text("mine")
        assert new(tmp_path / "club").status == 2
        assert (tmp_path / "club").read_text() == "mine"

    def test_a_book_that_is_none(self, tmp_path):
        ran = new(tmp_path / "club", "elo")
        assert (ran.status, ran.out) == (2, "")
        assert ran.err == f"There is no rule book 'elo'. Rule books: {', '.join(BOOKS)}.\n"
        assert not (tmp_path / "club").exists()

    @pytest.mark.parametrize("about", [("--name", " "), ("--from", "1000-01-01"), ("--from", "soon")])
    def test_a_name_and_days_that_no_pool_has(self, tmp_path, about):
        ran = new(tmp_path / "club", "fide-2024", *about)
        assert (ran.status, ran.out) == (2, "")
        assert no_traceback(ran)
        assert not list(tmp_path.iterdir())
