"""What a first rating still needs is what the rules then ask: with it there is a rating, with less there is none."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from banzuke.core.rating import UNRATED, FirstGame, PlayerState, Rating
from banzuke.core.registry import BOOKS
from banzuke.explanations.explanation import SentenceWriter
from banzuke.rulebooks.fide import fide_2024
from banzuke.rulebooks.jcf import jcf_2024, ncs_2022
from banzuke.words import LANGUAGES

TODAY = date(2026, 2, 28)
LIMITED = {"jcf-2024": jcf_2024.first_rating, "fide-2024": fide_2024.first_rating}


def games(*days, rating=1700, score=1):
    return tuple(FirstGame(f"E{n}", 1, day, f"P{n}", rating, score) for n, day in enumerate(days))


def prospects(name, on_file=(), rating=UNRATED, day=TODAY, speed="standard", **settings):
    book = BOOKS[name]
    found = list(book.prospects(PlayerState(speed, rating, on_file, day), book.settings(**settings)))
    for lang in LANGUAGES:
        for sentence in SentenceWriter(book, lang).sentences(found):
            assert "{" not in sentence.text
            assert sentence.clause in book.register
    return [(each.key, dict(each.facts)) for each in found]


@pytest.mark.parametrize("name", LIMITED)
@pytest.mark.parametrize("oldest", ["2024-02-29", "2024-03-01", "2024-12-31", "2025-08-31", "2026-02-28"])
def test_games_until_the_day_on_which_the_oldest_counts_no_more(name, oldest):
    on_file = games(date.fromisoformat(oldest), TODAY, TODAY)
    ((key, facts),) = prospects(name, on_file)
    assert (key, facts["have"], facts["more"] + facts["have"]) == (
        "need-games-until",
        3,
        facts["needed"],
    )
    until, first_rating = facts["until"], LIMITED[name]
    new = games(*[until] * facts["more"], score=2)
    assert first_rating(on_file + new, until).rating is not None
    assert first_rating(on_file + new[1:], until).rating is None
    assert first_rating(on_file + new, until + timedelta(days=1)).rating is None


@pytest.mark.parametrize("name", ["jcf-2024", "fide-2024"])
def test_games_that_do_not_count_are_not_counted(name):
    old, unrated = games(date(2020, 1, 1)), games(TODAY, rating=None)
    ((key, facts),) = prospects(name, old + unrated)
    assert (key, facts["have"]) == ("need-games", 0)


def test_jcf_asks_for_another_result():
    assert prospects("jcf-2024", games(*[TODAY] * 6, score=2)) == [("need-another-result", {})]
    assert prospects("jcf-2024", games(*[TODAY] * 6)) == [("need-next-game", {})]


def test_fide_leaves_a_first_event_without_points_out_and_asks_for_more_than_its_floor():
    ((_, facts),) = prospects("fide-2024", games(*[TODAY] * 4, score=0))
    assert facts["have"] == 3
    weak = games(*[TODAY] * 6, rating=1401, score=0)
    assert prospects("fide-2024", games(TODAY, score=1) + weak) == [("need-more-points", {"floor": 1400})]
    assert prospects("fide-2024", games(*[TODAY] * 5), speed="rapid") == [("need-next-game", {})]


@pytest.mark.parametrize(("fill", "have"), [(True, 2), (False, 1)])
def test_ncs_counts_games_against_unrated_players_as_its_setting_says(fill, have):
    on_file = games(TODAY) + games(TODAY, rating=None)
    ((key, facts),) = prospects("ncs-2022", on_file, unrated_games_fill_first=fill)
    assert key == ("need-games-of-any" if fill else "need-games")
    assert (facts["have"], facts["more"]) == (have, 4 - have)
    new = games(*[TODAY] * facts["more"])
    settings = ncs_2022.Settings(unrated_games_fill_first=fill)
    assert ncs_2022.first_rating(on_file + new, TODAY, settings).rating is not None
    assert ncs_2022.first_rating(on_file + new[1:], TODAY, settings).rating is None
    assert prospects("ncs-2022", on_file + new, unrated_games_fill_first=fill) == [("need-next-game", {})]


@pytest.mark.parametrize(("name", "established"), [("hakodate", 20), ("icu", 20), ("us-chess", 26)])
def test_books_that_rate_from_the_first_event_on(name, established):
    assert prospects(name, speed="") == [("need-event", {})]
    few, enough = (Rating(1500, games, 1500, earned=True) for games in (established - 1, established))
    assert prospects(name, rating=few, speed="") == [("need-established", {"more": 1})]
    assert prospects(name, rating=enough, speed="") == []


@pytest.mark.parametrize("name", ["jcf-2024", "ncs-2022", "fide-2024"])
def test_who_is_rated_needs_nothing(name):
    assert prospects(name, rating=Rating(1500, 3, 1500, earned=True)) == []
