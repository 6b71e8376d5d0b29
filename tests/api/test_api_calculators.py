"""The calculators by the API: the rule books' own figures, and what they refuse."""

from __future__ import annotations

from dataclasses import replace

import pytest

from banzuke.core import registry
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import Change, EventForecast


def test_a_change(api):
    asked = {"rulebook": "ncs-2022", "own": 1500, "opponent": "1600", "score": "1", "k": 20}
    assert api("/calculators/change", **asked).json() == {
        "difference": -100, "expected": "0.36", "change": "12.8", "clause": "NCS 5(1)",
    }  # fmt: skip


def test_against_the_unrated(api):
    asked = {"own": 1500, "opponent": "UR", "score": "1", "k": 20}
    assert api("/calculators/change", rulebook="jcf-2024", **asked).json()["change"] is None


def test_an_event_to_come(api):
    asked = {"rulebook": "ncs-2022", "own": 1500, "games": ["1600:1", "UR:0.5"], "k": 20}
    found = api("/calculators/event", **asked).json()
    assert [game["change"] for game in found["games"]] == ["12.8", "-8.4"]
    assert (found["total"], found["shift"], found["new"]) == ("4.4", 4, 1504)


def test_an_event_of_a_club(api):
    asked = {"rulebook": "hakodate", "own": 1500, "games": ["1600:1"]}
    assert api("/calculators/event", **asked).status_code == 200


@pytest.fixture
def by_games(monkeypatch):
    """A book that asks how many games the own rating rests on, and rates an event as a whole."""
    club = BOOKS["hakodate"]
    calculator = replace(
        club.calculator,
        asks="games",
        change=lambda own, opponent, score, games: Change(own - opponent, None, 100 * games, "HCC R9"),
        event=lambda own, games, _: EventForecast(
            [Change(None, None, None, "HCC R9")], 250, 3, own + games, 50
        ),
    )
    monkeypatch.setitem(registry.BOOKS._found, "hakodate", (replace(club, calculator=calculator), None))
    return {"rulebook": "hakodate", "own": 1500}


def test_a_book_that_asks_for_the_number_of_games(api, by_games):
    game = by_games | {"opponent": "1600", "score": "1"}
    assert api("/calculators/change", **game, own_games=12).json()["change"] == "12"
    found = api("/calculators/event", **by_games, own_games=12, games=["1600:1"]).json()
    assert (found["total"], found["shift"], found["new"], found["bonus"]) == ("2.5", 3, 1512, "0.5")


def test_what_such_a_book_refuses(api, by_games):
    game = by_games | {"opponent": "1600", "score": "1"}
    for asked in ({}, {"k": 20}, {"k": 20, "own_games": 5}):
        answer = api("/calculators/change", **game, **asked)
        assert answer.status_code == 422
        assert "`own_games` is needed" in answer.json()["detail"]
    other = game | {"rulebook": "ncs-2022", "own_games": 5}
    assert "`own_games` has no place" in api("/calculators/change", **other).json()["detail"]


def test_the_others_have_no_bonus(api):
    asked = {"rulebook": "hakodate", "own": 1500, "games": ["1600:1"]}
    assert set(api("/calculators/event", **asked).json()) == {"games", "total", "shift", "new"}


def test_a_first_rating(api):
    asked = {"rulebook": "ncs-2022", "games": ["1600:1", "1500:1", "1700:0.5"]}
    found = api("/calculators/first", **asked).json()
    assert (found["rating"], found["why"], found["mean"], found["p"]) == (None, "too-few", "1600", "0.83")


def test_a_performance(api):
    found = api("/calculators/performance", games=["1600:1", "1500:0.5"]).json()
    assert (found["rating"], found["mean"], found["added"]) == (1743, "1550", 193)


def test_go_terms(api):
    found = api("/calculators/go", white="3d", black="1d").json()
    assert found["regular"] == {"handicap": 2, "stones": 2, "komi": "-5.5"}
    assert found["white"] == {"win": 100, "loss": -100}


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        ("change", {"rulebook": "ncs-2022", "own": 1500, "opponent": "1600", "score": "1"}),
        ("change", {"rulebook": "hakodate", "own": 1500, "opponent": "1600", "score": "1", "k": 20}),
        ("change", {"rulebook": "pandanet", "own": 1500, "opponent": "1600", "score": "1", "k": 20}),
        ("change", {"rulebook": "ncs-2022", "own": 10000, "opponent": "1600", "score": "1", "k": 20}),
        ("change", {"rulebook": "ncs-2022", "own": 1500, "opponent": "ur", "score": "1", "k": 20}),
        ("event", {"rulebook": "ncs-2022", "own": 1500, "games": ["1600"], "k": 20}),
        ("event", {"rulebook": "ncs-2022", "own": 1500, "games": ["1600:1"] * 101, "k": 1}),
        ("event", {"rulebook": "ncs-2022", "own": 1500, "games": ["1600:1"]}),
        ("first", {"rulebook": "ncs-2022", "games": ["1600:0.3"]}),
        ("first", {"rulebook": "ncs-2022"}),
        ("performance", {"games": ["UR:1"]}),
        ("go", {"white": "3d", "black": "99d"}),
        ("go", {"white": "3d", "black": "1d", "komi": "six"}),
    ],
)
def test_what_cannot_be_calculated(api, address, asked):
    answer = api(f"/calculators/{address}", **asked)
    assert (answer.status_code, answer["Content-Type"]) == (422, "application/problem+json")
    assert answer.json()["status"] == 422


def test_a_book_that_is_not_installed_is_named_with_those_that_are(api):
    asked = {"rulebook": "icu-1999", "own": 1500, "opponent": "1600", "score": "1", "k": 20}
    answer = api("/calculators/change", **asked)
    assert (answer.status_code, answer["Content-Type"]) == (422, "application/problem+json")
    [error] = answer.json()["errors"]
    assert error["where"].endswith("rulebook")
    assert "ncs-2022, " in error["message"]
