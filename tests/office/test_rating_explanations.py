"""A working told from what is stored is the one told from the ledger, sentence by sentence."""

from __future__ import annotations

import pytest
from office.published_office import CHESS, CHIEF, TODAY, after, inquiry, names, published

from banzuke.database.book_reader import read_book
from banzuke.database.models import RatingList
from banzuke.engine.go_windows import last_moment
from banzuke.explanations import chess_rating, go_rank
from banzuke.explanations.explanation import UnknownPlayerError
from banzuke.office.lists.corrections import carry_out
from banzuke.office.lists.list_index import current_lists
from banzuke.office.pages.rating_explanations import explain_rating
from banzuke.words import LANGUAGES

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", CHESS)
@pytest.mark.slow
def test_of_every_player_list_and_revision(name):
    pool = published(name)
    carry_out(inquiry(pool, after(pool, names(pool)[0], 10)), CHIEF, "wrong result", TODAY)
    for found in RatingList.objects.filter(pool=pool):
        ledger = read_book(pool, found.entry_id)
        for number, player in enumerate(sorted({player.player_id for player in ledger.players})):
            for lang in LANGUAGES if number % 8 == 0 else ("en",):
                told = chess_rating.explain(ledger, player, found.name, lang)
                assert explain_rating(found, player, None, lang) == told


@pytest.mark.slow
def test_of_a_go_server_s_players_with_the_month_s_games():
    pool = published("go-server")
    ledger, found = read_book(pool), current_lists(pool).get()
    until = last_moment(found.closes).isoformat()
    for player in ledger.players:
        games = found.lines.filter(player_id=player.player_id).count()
        for lang in LANGUAGES:
            told = go_rank.explain(ledger, player.player_id, until, lang, games)
            stored = explain_rating(found, player.player_id, None, lang)
            assert (stored.sections, stored.book) == (told.sections, told.book)


def test_one_speed_alone():
    pool = published("japan")
    found = current_lists(pool).first()
    player = found.workings.filter(speed="standard").first().player_id
    whole = explain_rating(found, player, None, "en")
    alone = explain_rating(found, player, "standard", "en")
    assert len(alone.sections) == 1
    assert alone.sections[0] in whole.sections


def test_somebody_who_is_nobody():
    found = current_lists(published("japan")).first()
    with pytest.raises(UnknownPlayerError):
        explain_rating(found, "NOBODY", None, "en")


def test_the_ledger_is_not_rated_and_the_queries_are_few(django_assert_max_num_queries):
    found = current_lists(published("japan")).first()
    player = found.workings.first().player_id
    with django_assert_max_num_queries(16):
        explain_rating(found, player, "standard", "en")


@pytest.mark.parametrize("name", [pytest.param("japan", marks=pytest.mark.slow), "hakodate"])
def test_no_birth_date_and_no_age_is_told_or_stored(name):
    pool = published(name)
    ledger = read_book(pool)
    born = {str(player.birth_date) for player in ledger.players if player.birth_date}
    for found in current_lists(pool):
        for working in found.workings.all():
            said = str(working.calculation) + str(explain_rating(found, working.player_id, None, "en"))
            assert not [day for day in born if day in said]
