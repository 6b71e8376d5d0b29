"""Players under two ids who share a name: remarked, with what tells them apart."""

from __future__ import annotations

from datetime import date

import pytest

from banzuke.core.facts import Player
from banzuke.engine.namesakes import namesake_warnings
from banzuke.words import fault_line

BORN = (date(1990, 5, 5), date(2001, 1, 2))


def said(*players, among=None):
    """The names and players of the remarks."""
    return [(dict(f.facts)["name"], dict(f.facts)["players"]) for f in namesake_warnings(players, among)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Maja Holm", "Maja Holm"),
        ("Holm, Maja", "maja  HOLM"),
        ("佐藤 花", "佐藤　花"),
        ("佐藤花", "佐藤 花"),
        ("ＳＡＴＯ Hana", "Sato Hana"),
    ],
)
def test_names_that_are_the_same_to_people(one, other):
    assert said(Player("A2", one), Player("A6", other)) == [(other, "A2, A6")]


def test_the_line_in_both_languages():
    (remark,) = namesake_warnings([Player("A2", "Maja Holm"), Player("A6", "Maja Holm")])
    assert fault_line(remark, "en") == (
        "players.csv: A6: The name 'Maja Holm' stands under more than one id: A2, A6. "
        "If that is one person, keep one id; two persons may share a name."
    )
    assert fault_line(remark, "ja") == (
        "players.csv: A6: 「Maja Holm」という名前に複数のIDがあります：A2, A6。"
        "同一人物ならIDを一つにしてください。同姓同名の別人ならそのままでかまいません。"
    )


def test_birth_dates_and_clubs_where_they_differ():
    players = [Player("A", "X Y", birth_date=BORN[0], club_id="C"), Player("B", "X Y", club_id="C")]
    assert said(*players) == [("X Y", "A (1990-05-05), B")]
    assert said(players[0], players[1]._replace(birth_date=BORN[1], club_id="D")) == [
        ("X Y", "A (1990-05-05, C), B (2001-01-02, D)")
    ]
    assert said(players[0], players[0]._replace(player_id="B")) == [("X Y", "A, B")]


def test_native_names_tell_apart_and_join():
    hana, other = Player("A", "SATO Hana", "佐藤 花"), Player("B", "SATO Hana", "佐藤 華")
    assert said(hana, other) == []
    assert said(hana, other._replace(name_native="")) == [("SATO Hana", "A, B")]
    assert said(hana, Player("B", "SATOH Hana", "佐藤　花")) == [("SATOH Hana", "A, B")]
    assert said(hana, Player("B", "佐藤花")) == [("佐藤花", "A, B")]


def test_rows_of_one_id_and_struck_ones_share_nothing():
    rows = [
        Player("A", "X", struck=BORN[0]),
        Player("A", "X", added=BORN[0]),
        Player("B", "X", struck=BORN[1]),
    ]
    assert said(*rows) == []


def test_only_those_that_are_asked_about():
    players = [Player("A", "X"), Player("B", "X"), Player("C", "Y"), Player("D", "Y")]
    assert said(*players, among=["D"]) == [("Y", "C, D")]


def test_many_of_one_name():
    (found,) = said(*(Player(f"N{n}", "X") for n in range(8)))
    assert found == ("X", "N0, N1, N2, N3, N4, ...")
