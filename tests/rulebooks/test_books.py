"""The rule books that are installed, and what their calendars make of days."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banzuke.core.calendar import ByEnd, ByReport, EachEvent, EachGame
from banzuke.core.rating import UNRATED
from banzuke.core.registry import BOOKS, GROUP, BookError, books_of
from banzuke.core.rulebook import ChessBook
from banzuke.engine.history import history, list_names
from banzuke.explanations.rule_pages import clauses, title
from banzuke.ledger.folder import read_ledger
from banzuke.testing.book_checks import words


@pytest.mark.parametrize(
    ("name", "prefix", "series", "speeds", "calendar"),
    [
        ("ncs-2022", "NCS", "japan", ("standard", "rapid"), ByReport(20, 90)),
        ("jcf-2024", "JCF", "japan", ("standard", "rapid"), ByReport(20, 90)),
        ("fide-2024", "FIDE", "fide", ("standard", "rapid", "blitz"), ByEnd(3, late_column="fide_list")),
        ("hakodate", "HCC", "hakodate", ("",), EachEvent()),
        ("pandanet", "PN", "pandanet", ("",), EachGame()),
    ],
)
def test_a_book(name, prefix, series, speeds, calendar):
    book = BOOKS[name]
    assert (book.name, book.prefix, book.series, book.speeds, book.calendar) == (
        name, prefix, series, speeds, calendar,
    )  # fmt: skip


@pytest.mark.parametrize("name", BOOKS)
def test_examples(name):
    book = BOOKS[name]
    for worked in book.examples:
        assert worked.run() == worked.must_give
        assert worked.clause in book.register


class TestWindows:
    @pytest.mark.parametrize(
        ("reported", "name", "closes"),
        [
            ("2024-09-20", "2024-10", "2024-09-20"),
            ("2024-09-21", "2024-11", "2024-10-20"),
            ("2024-12-21", "2025-02", "2025-01-20"),
        ],
    )
    def test_by_report(self, reported, name, closes):
        window = BOOKS["jcf-2024"].calendar.window_on(date.fromisoformat(reported))
        assert (window.name, window.closes) == (name, date.fromisoformat(closes))

    @pytest.mark.parametrize(
        ("ends", "name", "closes"),
        [("2025-10-25", "2025-11", "2025-10-29"), ("2025-10-30", "2025-12", "2025-11-28")],
    )
    def test_by_end(self, ends, name, closes):
        window = BOOKS["fide-2024"].calendar.window_on(date.fromisoformat(ends))
        assert (window.name, window.closes) == (name, date.fromisoformat(closes))

    def test_of_games(self):
        window = BOOKS["pandanet"].calendar.window_on(date(2024, 2, 29))
        assert (window.name, window.opens, window.closes) == ("2024-03", date(2024, 2, 1), date(2024, 2, 29))

    @pytest.mark.parametrize(
        "calendar", [ByReport(20, 90), ByReport(15, None), ByEnd(3), EachGame()], ids=repr
    )
    @given(day=st.dates(date(1900, 1, 1), date(2200, 1, 1)))
    def test_follow_each_other_without_a_gap(self, calendar, day):
        window = calendar.window_on(day)
        assert window.opens <= day <= window.closes < window.published
        assert calendar.window_named(window.name) == window
        assert calendar.window_on(window.closes + timedelta(days=1)).opens == window.closes + timedelta(
            days=1
        )

    @pytest.mark.parametrize("name", ["", "2025", "2025-13", "March", "2025-3"])
    def test_no_list(self, name):
        with pytest.raises(ValueError):  # noqa: PT011 - any words
            BOOKS["jcf-2024"].calendar.window_named(name)


class TestCoefficient:
    """K of the next game is the K by which the game is rated."""

    @pytest.mark.parametrize("name", ["japan", "us-championship-2025", "hakodate"])
    def test_is_that_of_every_rated_line(self, name):
        ledger = read_ledger(Path(__file__).resolve().parents[2] / "examples" / name)
        asked = 0
        for rated in history(ledger, list_names(ledger, None)):
            book, settings = rated.edition.book, rated.edition.settings
            for lines in rated.outcome.events:
                for line in lines.lines:
                    if line.verdict != "rated":
                        continue
                    own = self.state(rated, lines.speed, line.player)
                    other = self.state(rated, {"standard": "rapid"}.get(lines.speed, "standard"), line.player)
                    player = rated.batch.register.players[line.player]
                    year = lines.event.starts.year
                    assert book.coefficient(own, other, player, year, settings) == line.k
                    asked += 1
        assert asked > 60

    def state(self, rated, speed, player):
        """What the player's games at the speed were rated on."""
        found = rated.outcome.calculations.get(speed, {}).get(player)
        return found.entered if found else rated.before.get(speed, {}).get(player, UNRATED)


class TestWhatIsNoBook:
    def point(self, text):
        return EntryPoint("stranger", text, GROUP)

    def test_a_module_that_does_not_load(self):
        with pytest.raises(BookError, match=r"stranger = no.such.module:BOOKS: ModuleNotFoundError"):
            books_of(self.point("no.such.module:BOOKS"))

    def test_what_is_no_value_of_a_book(self):
        with pytest.raises(BookError, match="is no rule book"):
            books_of(self.point("banzuke.core.rounding:rounded"))

    def test_a_list_of_books_is_as_good_as_a_tuple(self, monkeypatch):
        monkeypatch.setattr("banzuke.core.rounding.BOOKS", [BOOKS["jcf-2024"]], raising=False)
        assert books_of(self.point("banzuke.core.rounding:BOOKS")) == (BOOKS["jcf-2024"],)

    @pytest.mark.parametrize("hook", ["sentences", "calculator", "checks", "coefficient", "rate", "columns"])
    def test_a_hook_that_is_missing(self, hook, monkeypatch):
        lacking = replace(BOOKS["jcf-2024"], **{hook: None})
        monkeypatch.setattr("banzuke.core.rounding.BOOKS", lacking, raising=False)
        with pytest.raises(BookError, match=f"jcf-2024: {hook} is missing"):
            books_of(self.point("banzuke.core.rounding:BOOKS"))

    def test_a_sentence_hook_that_is_missing(self, monkeypatch):
        told = replace(BOOKS["jcf-2024"].sentences, after=None)
        lacking = replace(BOOKS["jcf-2024"], sentences=told)
        monkeypatch.setattr("banzuke.core.rounding.BOOKS", lacking, raising=False)
        with pytest.raises(BookError, match=r"jcf-2024: sentences\.after is missing"):
            books_of(self.point("banzuke.core.rounding:BOOKS"))

    def test_a_field_that_its_author_left_out(self):
        with pytest.raises(TypeError, match="sentences"):
            ChessBook(name="x")


def test_an_edition_may_have_few_words_of_its_own(tmp_path):
    (tmp_path / "own.toml").write_text(
        '[clauses."HCC R4"]\nen = "Other words."\nja = "別の言葉。"\n', "utf-8"
    )
    club = BOOKS["hakodate"]
    edition = replace(club, name="club-2", words=tmp_path / "own.toml", words_from=club.words)
    texts = dict(clauses(edition, "en"))
    assert texts.pop("HCC R4") == "Other words."
    assert texts.items() <= dict(clauses(club, "en")).items()
    assert title(edition, "ja") == title(club, "ja")
    assert list(words(edition)) == []
