"""The points account: what made each change of a rating, by hand, and that it adds up on whatever ledger."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from engine.columnar.wild_ledgers import POOLS, wild_ledger
from engine.test_properties import FEW, SEEDS, write
from hypothesis import given
from lab.synthetic_ledgers import chess_ledger as small_ledger
from lab.synthetic_ledgers import event

from banzuke.core.facts import Game, Opening
from banzuke.core.fault import RefusedError
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import ChessBook
from banzuke.engine.history import history, list_names
from banzuke.engine.points_account import GAMES, PARTS, PointsAccount, parts_of_list
from banzuke.ledger.folder import read_ledger
from banzuke.testing.random_ledgers import chess_ledger

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CHESS = [name for name, book in BOOKS.items() if isinstance(book, ChessBook)]


def account_of(ledger):
    account = PointsAccount()
    for rated in history(ledger, list_names(ledger, None)):
        account.enter(rated)
    return account


def assert_it_adds_up(ledger):
    """Every player's parts are the change of the rating, and all together that of the pool, in every year."""
    account = account_of(ledger)
    changes, won = {}, {}
    for (speed, year, _), own in account.years.items():
        parts = {name: amount for name, amount in own.parts.items() if name != GAMES}
        assert set(parts) <= set(PARTS)
        assert sum(parts.values()) == own.after - own.before
        changes[speed, year] = changes.get((speed, year), 0) + own.after - own.before
        won[speed, year] = won.get((speed, year), 0) + parts.get("won", 0)
    if not any(edition.book.rates_on_list_in_force for edition in ledger.pool.editions):
        assert not any(own.parts.get("other") for own in account.years.values())
    for key, (_, before, _, after) in account.pools.items():
        assert changes.get(key, 0) == after - before
    assert not any(won.values())
    return account


@pytest.mark.parametrize("book", CHESS)
@FEW
@given(seed=SEEDS)
def test_it_adds_up_by_every_book(book, seed):
    assert_it_adds_up(chess_ledger(BOOKS[book], seed, players=10, events=8))


@pytest.mark.parametrize("pool", sorted(POOLS))
@FEW
@given(seed=SEEDS)
def test_it_adds_up_with_corrections_and_editions(pool, seed):
    with tempfile.TemporaryDirectory() as place:
        try:
            ledger = read_ledger(write(wild_ledger(pool, seed), Path(place) / "ledger"))
        except RefusedError:
            return
        assert_it_adds_up(ledger)


@pytest.mark.parametrize("example", ["japan", "hakodate", "us-championship-2025"])
def test_it_adds_up_in_every_example_and_nothing_is_left(example):
    account = assert_it_adds_up(read_ledger(EXAMPLES / example))
    assert not any(own.parts.get("other") for own in account.years.values())


# By hand


def parts_of_one_event(ratings, *games, book="jcf-2024", people=(), standings=()):
    """What a player's change of one event was made of, without what is nothing; games as `A 1-0 B`."""
    day = date(2025, 5, 5)
    made = [
        Game("E", number, *(game.split()[at] for at in (0, 2, 1))) for number, game in enumerate(games, 1)
    ]
    ledger = small_ledger(ratings, [event("E", day)], {"E": made}, book)
    known = {player.player_id: player for player in (*ledger.players, *people)}
    own = {row.player_id: row for row in (*ledger.standings, *standings)}
    ledger = replace(
        ledger,
        players=sorted(known.values()),
        standings=[row._replace(speed=ledger.pool.speeds[0]) for row in own.values() if row.rating],
        memberships=[ledger.memberships[0]._replace(player_id=player) for player in known],
    )
    (rated,) = history(ledger, list_names(ledger, None))
    return {
        player: {name: amount for name, amount in parts.items() if amount}
        for (_, player), parts in parts_of_list(rated).items()
    }


def junior(player):
    return small_ledger({player: 1}, [], {}).players[0]._replace(birth_date=date(2010, 1, 1))


def test_between_equal_k_what_one_wins_the_other_loses():
    found = parts_of_one_event({"A": 1600, "B": 1600}, "A 1-0 B")
    assert found == {"A": {"won": 1000, "games": 1}, "B": {"won": -1000, "games": 1}}


def test_a_juniors_k_makes_points_half_on_each_side():
    found = parts_of_one_event({"A": 1600, "J": 1600}, "J 1-0 A", people=[junior("J")])
    assert found["J"] == {"won": 1500, "juniors": 500, "games": 1}
    assert found["A"] == {"won": -1500, "juniors": 500, "games": 1}


def test_new_players_are_told_from_juniors():
    new = Opening("N", 1600, 12, "standard", None, earned=True)
    found = parts_of_one_event({"A": 1600, "N": 1600}, "A 1-0 N", standings=[new])
    assert found["N"] == {"won": -1500, "new_players": -500, "games": 1}


def test_the_floor_holds_up_and_rounding_is_by_itself():
    found = parts_of_one_event({"A": 1030, "B": 1003}, "A 1-0 B")
    assert found["A"] == {"won": 920, "rounding": -20, "games": 1}
    assert found["B"] == {"won": -920, "rounding": 20, "floor": 600, "games": 1}


def test_a_first_rating_and_one_taken_over():
    fide = junior("F")._replace(birth_date=None, fide_standard=1700)
    found = parts_of_one_event({"A": 1600, "F": 0}, "A 1/2-1/2 F", people=[fide])
    assert found["F"] == {
        "taken_over": 170_000,
        "won": -420,
        "new_players": -140,
        "rounding": -40,
        "games": 1,
    }
    assert found["A"] == {"won": 420, "new_players": -140, "rounding": 20, "games": 1}
    games = [f"U {'1-0' if at % 2 else '0-1'} {opponent}" for at, opponent in enumerate("ABCDEF")]
    found = parts_of_one_event({**dict.fromkeys("ABCDEF", 1500), "U": 0}, *games)
    assert found["U"] == {"newcomers": 150_000, "games": 6}
    assert found["A"] == {"games": 1}


def test_against_an_unrated_player_one_side_is_rated():
    found = parts_of_one_event({"A": 1600, "U": 0}, "A 1-0 U", book="ncs-2022")
    assert found["A"] == {"one_sided": 160, "rounding": 40, "games": 1}


def test_a_provisional_rating_moves_by_its_own_formula():
    new = Opening("N", 1400, 4, "", None, earned=True)
    found = parts_of_one_event({"A": 1500, "N": 1400}, "N 1-0 A", book="hakodate", standings=[new])
    assert found["N"] == {"one_sided": 10_000, "games": 1}
    assert found["A"] == {"one_sided": -2000, "games": 1}
