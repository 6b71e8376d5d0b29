"""The figures of a published list: counted from its rows and lines."""

from __future__ import annotations

from banzuke.office.lists.list_rows import LineRow, Row
from banzuke.office.lists.list_statistics import statistics_of, sum_gaps


def row(player, rating, *, active=True, change=0, written=""):
    return Row(
        "", 1, player, player, "", "", "", "", active, rating, 10, change, rating, "rated", None, written
    )


def line(player, opponent, own, other, score, expected, verdict="rated", round_=1):
    return LineRow(
        *(0, "", "E", round_, player, opponent, score, own, other, None, expected, 20, "", "", 0, verdict, "")
    )


GAME = [line("A", "B", 1600, 1500, 2, 64), line("B", "A", 1500, 1600, 0, 36)]


def test_players_active_and_their_sum():
    found = statistics_of([row("A", 1600), row("B", 1500, active=False), row("C", 1499, change=None)], [])
    assert (found.players, found.active, found.active_sum, found.first) == (3, 2, 3099, 1)
    assert found.distribution == {"1600": 1, "1500": 1, "1400": 1}


def test_ranks_are_steps_of_their_own():
    assert statistics_of([row("A", 100, written="5k"), row("B", None, written="BC")], []).distribution == {
        "5k": 1,
        "BC": 1,
    }


def test_a_game_is_counted_once_and_its_gap_from_the_higher_side():
    found = statistics_of([], GAME)
    assert found.games == 1
    assert found.gaps == {"100": [1, 2, 64]}


def test_a_gap_beyond_the_last_is_the_last():
    assert statistics_of([], [line("A", "B", 2600, 1500, 1, 92)]).gaps == {"400": [1, 1, 92]}


def test_of_equals_both_are_asked():
    lines = [line("A", "B", 1500, 1500, 2, 50), line("B", "A", 1500, 1500, 0, 50)]
    assert statistics_of([], lines).gaps == {"0": [2, 2, 100]}


def test_games_that_did_not_count_are_left_out_and_first_ones_have_no_gap():
    forfeit = line("A", "B", 1600, 1500, None, None, "forfeit")
    first = line("C", "A", None, 1600, 2, None, "first", round_=2)
    found = statistics_of([], [forfeit, first])
    assert (found.games, found.gaps) == (1, {})


def test_lists_are_added_up():
    one, other = (
        statistics_of([], GAME)._asdict(),
        statistics_of([], [*GAME, line("D", "E", 1600, 1600, 1, 50)])._asdict(),
    )
    assert sum_gaps([one, other]) == {0: [1, 1, 50], 100: [2, 4, 128]}
