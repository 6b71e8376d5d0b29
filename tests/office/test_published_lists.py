"""Published lists are what `banzuke rate` makes of the exported ledger, cell by cell, corrections included."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

import pytest
from django.db import transaction
from engine.test_history import JCF, A, B, event, ledger
from office.published_office import (
    CHESS,
    CHIEF,
    EXAMPLES,
    TODAY,
    after,
    changes_csv,
    file_rows,
    go_changes_csv,
    go_standings_csv,
    inquiry,
    lists_csv,
    names,
    published,
)

from banzuke.core.facts import Opening, Player
from banzuke.core.go_facts import GoGame, GoPlayer
from banzuke.database.book_reader import read_book
from banzuke.database.book_writer import Act, add_facts, open_entry
from banzuke.database.ledger_folders import enter_folder, write_folder
from banzuke.database.models import Line, ListFigures, ListRow, NameWord, Working
from banzuke.engine import result_rows
from banzuke.engine.go_windows import last_moment
from banzuke.engine.list_content import ContentHash
from banzuke.engine.rating_run import rate_ledger
from banzuke.ledger.folder import read_ledger
from banzuke.office.fact_rows import TABLES
from banzuke.office.lists.corrections import carry_out
from banzuke.office.lists.list_index import current_lists, make_lists
from banzuke.office.lists.publishing import publish

pytestmark = pytest.mark.django_db


def rated(pool, folder, until=None):
    """The folder with the result files of the pool's exported ledger."""
    write_folder(pool, folder / "ledger")
    rate_ledger(read_ledger(folder / "ledger"), folder / "out", until)
    return folder / "out"


@pytest.mark.parametrize("name", CHESS)
def test_the_published_lists_are_those_of_the_exported_ledger(name, tmp_path):
    pool = published(name)
    files = rated(pool, tmp_path)
    assert lists_csv(pool) == file_rows(files / "lists.csv")
    assert changes_csv(pool) == file_rows(files / "changes.csv")


@pytest.mark.parametrize("name", CHESS)
def test_so_they_are_after_a_correction(name, tmp_path):
    pool = published(name)
    before = lists_csv(pool), changes_csv(pool)
    carry_out(inquiry(pool, after(pool, names(pool)[0], 30)), CHIEF, "wrong result", TODAY)
    files = rated(pool, tmp_path)
    assert lists_csv(pool) == file_rows(files / "lists.csv") != before[0]
    assert changes_csv(pool) == file_rows(files / "changes.csv") != before[1]


def rated_to(ranking, ledger, folder):
    """The folder with the result files of a ledger to the last moment of a published ranking."""
    rate_ledger(ledger, folder / ranking.name, last_moment(ranking.closes).isoformat())
    return folder / ranking.name


def test_the_rankings_of_a_go_server_are_those_of_its_ledger(tmp_path):
    """Each of them, though the book goes on; but for who was first seen after it."""
    pool = published("go-server")
    first = current_lists(pool).get()
    with transaction.atomic():
        entry = open_entry(pool, Act("clerk", "games"))
        add_facts(entry, TABLES[GoPlayer], [GoPlayer("late", "Late", "3k")])
        games = [
            GoGame(f"L{black}", datetime.combine(day, time(12), UTC), black, "donguri", "B", 0, 13, 19, 200)
            for black, day in (("aosagi", first.day), ("late", first.day + timedelta(days=40)))
        ]
        add_facts(entry, TABLES[GoGame], games)
    publish(pool, names(pool)[-1], CHIEF, TODAY)
    rankings = list(current_lists(pool).order_by("closes"))
    assert len(rankings) == 3
    write_folder(pool, tmp_path / "ledger")
    ledger = read_ledger(tmp_path / "ledger")
    for ranking in rankings:
        files = rated_to(ranking, ledger, tmp_path)
        come = ranking is rankings[-1]
        assert go_standings_csv(ranking) == [
            row for row in file_rows(files / "standings.csv") if come or row[0] != "late"
        ]
    assert go_changes_csv(pool) == file_rows(files / "changes.csv")
    assert ["late" in {row[0] for row in go_standings_csv(each)} for each in rankings] == [False, False, True]


def test_a_go_server_s_rankings_are_made_in_stretches_as_in_one_go():
    ledger = read_ledger(EXAMPLES / "go-server")
    months = [ledger.games[0].ended + timedelta(days=31 * n) for n in range(4)]
    spread = [
        game._replace(ended=months[place * 4 // len(ledger.games)].astimezone(UTC) + timedelta(seconds=place))
        for place, game in enumerate(sorted(ledger.games, key=lambda game: (game.ended, game.game_id)))
    ]
    ledger = type(ledger)(ledger.pool, ledger.players, spread, ledger.declarations, ledger.standings)
    lists = list(make_lists(ledger))
    assert len(lists) == 4
    assert sum(len(made.lines) for made in lists) == 2 * len(spread)
    whole = type(ledger)(
        ledger.pool,
        ledger.players,
        [
            game._replace(ended=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=n))
            for n, game in enumerate(spread)
        ],
        [],
        ledger.standings,
    )
    alone = type(ledger)(ledger.pool, ledger.players, spread, [], ledger.standings)
    (one,) = make_lists(whole)
    assert list(make_lists(alone))[-1].rows == one.rows


class TestRows:
    def test_players_of_equal_rating_share_their_place(self):
        pool = published("japan")
        rows = list(current_lists(pool).first().rows.filter(speed="standard").order_by("place", "player_id"))
        ratings = [row.rating for row in rows]
        assert ratings == sorted(ratings, reverse=True)
        assert [row.place for row in rows] == [1 + ratings.index(rating) for rating in ratings]

    def test_everything_of_a_list_is_stored_with_it(self):
        pool = published("japan")
        for found in current_lists(pool):
            assert found.rows.count() == ListRow.objects.filter(list=found).count() > 0
        assert Line.objects.filter(list__pool=pool).exists()
        assert Working.objects.filter(list__pool=pool).exists()
        assert NameWord.objects.filter(pool=pool).exists()
        speeds = current_lists(pool).first().rows.order_by().values_list("speed", flat=True).distinct()
        assert set(
            ListFigures.objects.filter(list=current_lists(pool).first()).values_list("speed", flat=True)
        ) == set(speeds)

    def test_a_hash_is_of_the_content_and_of_the_position(self):
        pool = published("hakodate")
        found = current_lists(pool).first()
        (made,) = [made for made in make_lists(read_book(pool)) if made.name == found.name]
        assert made.content_sha256(found.entry_id) == found.sha256
        assert made.content_sha256(found.entry_id + 1) != found.sha256


@pytest.mark.slow
def test_an_example_is_published_list_by_list_as_at_once():
    one, other = published("japan"), None
    rows = lists_csv(one), changes_csv(one)
    other = enter_folder("japan-2", EXAMPLES / "japan", "test")
    for name in names(other):
        publish(other, name, CHIEF, TODAY)
    assert (lists_csv(other), changes_csv(other)) == rows
    assert [found.number for found in current_lists(other).order_by("number")] == list(
        range(1, len(names(other)) + 1)
    )


def test_the_list_after_a_raised_floor_is_hashed_as_it_is_written():
    """JCF begins at 1000: who had 700 and plays nowhere moves in its first list, and no more in its second."""
    events = [event("E", "2024-11-10"), event("F", "2024-12-10")]
    games, players = {"E": ["A 1-0 B"], "F": ["A 1-0 B"]}, [Player(one, one) for one in "ABC"]
    of = ledger([JCF], events, games, [A, B, Opening("C", 700, 30, "standard")], players=players)
    lists = list(make_lists(of))
    assert [row.change for made in lists for row in made.rows if row.player_id == "C"] == [300, 0]
    for made in lists:
        alone = ContentHash(made.name, made.edition)
        alone.add([result_rows.LISTS, *result_rows.list_rows(made._rated)])
        alone.add([result_rows.CHANGES, *result_rows.change_rows(made._rated)])
        assert made.content_sha256(7) == alone.sha256(7)
