"""Elo, Glicko and whole-history rating: what they expect, beside their printed formulas; how they are tuned."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import whr

from banzuke.engine.columnar.chess_reader import read_columns
from banzuke.engine.columnar.go_reader import read_go
from banzuke.lab import peer_systems
from banzuke.lab.chess_histories import rated_lists
from banzuke.lab.forecasts import Forecasts, forecast_lists, losses, no_games
from banzuke.lab.go_forecasts import forecast_go
from banzuke.lab.peer_systems import PEERS, begin, peer_expects
from banzuke.lab.variants import Variant

EXAMPLES = Path(__file__).parents[2] / "examples"
LN = math.log(10) / 400


def course(lists, ratings, deviations=None):
    """Lists of games (White, Black, score, points ahead by the terms), a day each; ratings by player."""
    rows = [(place, *game[:3]) for place, games in enumerate(lists) for game in games]
    games = games_of(rows)
    ahead = np.array([float(game[3]) for games in lists for game in games])
    known = games._replace(ahead=ahead, day=games.place)
    bounds = np.cumsum([0, *map(len, lists)])
    settled = np.array(deviations or [math.nan] * len(ratings), np.float64)
    return known, bounds, np.array(ratings, np.float64), settled


def games_of(rows):
    """Forecasts of games: list, White, Black, score; nobody known, or at the rating given."""
    blank = no_games()._asdict()
    size = len(rows)
    columns = {name: np.zeros((*each.shape[:-1], size), each.dtype) for name, each in blank.items()}
    place, white, black, score = (np.array(column) for column in zip(*rows, strict=True))
    columns |= {
        "place": place, "day": place * 30, "white": white, "black": black, "score": score.astype(float),
        "counted": np.ones(size, np.bool_), "rating": np.full((2, size), math.nan),
        "newcomer": np.full(size, 1500.0), "of": np.arange(size),
    }  # fmt: skip
    return Forecasts(**columns)


def chess_forecasts(example):
    columns = read_columns(EXAMPLES / example)
    return forecast_lists(rated_lists(columns, Variant()), columns.pool.speeds, len(columns.player_ids))


def test_elo_forecasts_a_list_before_it_learns_it_game_by_game():
    lists = [[(0, 1, 1, 0), (1, 0, 0.5, 0)], [(0, 1, 0, 0)]]
    first, second, third = peer_systems._elo(*course(lists, [1500, 1500]), 20.0, 40.0).tolist()
    assert (first, second) == (0.5, 0.5)
    lead = 40.0  # 40 x 1/2 to each side
    lead -= 2 * 40 * (1 / (1 + 10 ** (-lead / 400)) - 0.5)
    assert third == pytest.approx(1 / (1 + 10 ** (-lead / 400)))


def test_elo_has_another_k_after_thirty_games():
    lists = [[(0, 1, 1, 0)] * 30, [(0, 1, 1, 0)], [(0, 1, 1, 0)]]
    before, after = peer_systems._elo(*course(lists, [1500, 1500]), 0.0, 40.0).tolist()[-2:]
    assert before == after > 0.5


def test_elo_with_a_handicap_moves_by_what_the_terms_left_to_expect():
    lists = [[(0, 1, 1, -200)], [(0, 1, 1, 0)]]
    before, after = peer_systems._elo(*course(lists, [1700, 1500]), 20.0, 20.0).tolist()
    assert before == 0.5
    assert after == pytest.approx(1 / (1 + 10 ** (-220 / 400)))


def glicko_of_the_paper(player, opponents):
    """Rating and deviation after games against (rating, deviation, score), by Glickman's formulas of 1999."""
    rating, deviation = player
    known = pull = 0.0
    for other, doubt, score in opponents:
        less = 1 / math.sqrt(1 + 3 * (LN * doubt / math.pi) ** 2)
        chance = 1 / (1 + 10 ** (-less * (rating - other) / 400))
        known += LN**2 * less**2 * chance * (1 - chance)
        pull += LN * less * (score - chance)
    variance = 1 / (1 / deviation**2 + known)
    return rating + variance * pull, math.sqrt(variance)


def test_glicko_is_that_of_the_printed_example():
    """1500 with a deviation of 200 beats 1400/30, loses to 1550/100 and to 1700/300: 1464 and 151.4."""
    people = [(1500, 200), (1400, 30), (1550, 100), (1700, 300), (1500, 50)]
    after = glicko_of_the_paper(people[0], [(*people[n], score) for n, score in ((1, 1), (2, 0), (3, 0))])
    assert after == pytest.approx((1464.1, 151.4), abs=0.1)
    lists = [[(0, 1, 1, 0), (2, 0, 1, 0), (0, 3, 0, 0)], [(0, 4, 1, 0)]]
    ratings, deviations = zip(*people, strict=True)
    expected = peer_systems._glicko(*course(lists, ratings, deviations), 0.0, 350.0)[-1]
    less = 1 / math.sqrt(1 + 3 * LN**2 * (after[1] ** 2 + 50**2) / math.pi**2)
    assert expected == pytest.approx(1 / (1 + 10 ** (-less * (after[0] - 1500) / 400)))


def test_a_glicko_deviation_grows_by_the_day_and_a_newcomers_is_larger():
    lists = [[(0, 1, 1, 0)], [(2, 3, 1, 0)], [(2, 3, 1, 0)]]
    still, grown = (
        peer_systems._glicko(*course(lists, [1600, 1500] * 2, [50] * 4), each, 350.0) for each in (0.0, 900.0)
    )
    assert still[0] == grown[0]
    assert 0.5 < grown[1] < still[1]
    new = peer_systems._glicko(*course(lists, [1600, 1500] * 2), 0.0, 350.0)
    assert 0.5 < new[0] < still[0]


def test_whole_history_rating_is_the_packages_from_where_players_began():
    lists = [[(0, 1, 1, 0), (1, 0, 0, 0), (0, 1, 0.5, 0)], [(0, 1, 1, 0)]]
    base = whr.Base(w2=14)
    base.create_games([["0", "1", "B", 0, 0.0], ["1", "0", "W", 0, 0.0], ["0", "1", "D", 0, 0.0]])
    base.iterate(10)
    lead = base.ratings_for_player("0")[-1][1] - base.ratings_for_player("1")[-1][1]
    first, *_, last = peer_systems._whole_history(*course(lists, [1500, 1500]), 1.0).tolist()
    assert (first, last) == (0.5, pytest.approx(1 / (1 + 10 ** (-lead / 400))))
    ahead = peer_systems._whole_history(*course(lists, [1700, 1500]), 1.0).tolist()
    assert ahead[0] == pytest.approx(1 / (1 + 10 ** (-200 / 400)))
    assert ahead[-1] > last
    assert (
        peer_systems._whole_history(*course(lists, [1500, 1500]), 2.0).tolist()[-1] == 0.5
    )  # not fitted yet


def test_whole_history_learns_less_from_a_win_with_a_handicap():
    even, given = (
        peer_systems._whole_history(*course([[(0, 1, 1, ahead)], [(0, 1, 1, 0)]], [0, 0]), 1.0)[-1]
        for ahead in (0, 300)
    )
    assert 0.5 < given < even


@pytest.mark.parametrize("peer", PEERS)
@pytest.mark.parametrize("example", ["japan", "go-server"])
def test_peers_foretell_a_list_from_the_lists_before_it_alone(peer, example):
    games = (
        chess_forecasts(example)
        if example == "japan"
        else forecast_go(read_go(EXAMPLES / example), Variant())
    )
    whole = peer_expects(peer, games).expected
    last, first = games.place == games.place.max(), games.place == games.place.min()
    later = games._replace(score=np.where(last, 1 - games.score, games.score))
    assert peer_expects(peer, later).expected.tolist() == whole.tolist()
    earlier = games._replace(score=np.where(first, 1 - games.score, games.score))
    assert peer_expects(peer, earlier).expected.tolist() != whole.tolist()


def test_everybody_begins_where_the_pools_rules_had_them():
    games = games_of([(0, 0, 1, 1.0), (0, 2, 0, 0.5), (1, 3, 0, 0.0)])
    rating = np.array([[1800.0, math.nan, math.nan], [1600.0, 1850.0, 1810.0]])
    rated = games._replace(rating=rating, newcomer=np.array([1200.0, 1300.0, 1400.0]))
    bounds, begins, deviation = begin(rated)
    assert bounds.tolist() == [0, 2, 3]
    assert begins.tolist() == [1800.0, 1600.0, 1300.0, 1400.0]
    assert np.isnan(deviation).tolist() == [False, False, True, True]
    assert begin(games._replace(newcomer=np.full(3, math.nan)))[1].tolist() == [1500.0] * 4


@pytest.mark.parametrize("k", [10, 40])
def test_elo_ends_with_the_k_that_the_games_were_made_with(k):
    """Strengths that jump by every result with this K, so that an Elo of this K knows them exactly."""
    random, strength, rows = np.random.default_rng(k), np.full(40, 1500.0), []
    for place in range(150):
        order = random.permutation(40)
        for white, black in zip(order[::2].tolist(), order[1::2].tolist(), strict=True):
            chance = 1 / (1 + 10 ** ((strength[black] - strength[white]) / 400))
            score = float(random.random() < chance)
            rows.append((place, white, black, score))
            strength[white] += k * (score - chance)
            strength[black] -= k * (score - chance)
    games = games_of(rows)
    found = peer_expects("elo", games)
    assert found.numbers[0] in {10: (10, 15), 40: (32, 40)}[k]
    default = peer_systems._elo(games, *begin(games), 20.0, 40.0)
    late = games.place >= 60
    assert (
        losses(found.expected, games.score).log[late].mean() < losses(default, games.score).log[late].mean()
    )
    untouched = games.place < 30  # the first of five parts has FIDE's numbers
    assert found.expected[untouched].tolist() == default[untouched].tolist()


def test_whole_history_is_fitted_as_often_as_time_allows(monkeypatch):
    games = games_of([(place, 0, 1, 1.0) for place in range(6)])
    assert peer_expects("whole-history", games).numbers.tolist() == [1]
    monkeypatch.setattr(peer_systems, "MOST_FITTED", 20)
    seldom = peer_expects("whole-history", games)
    assert seldom.numbers.tolist() == [3]  # 6 games by 7 bounds, of 20
    assert seldom.expected.tolist() == pytest.approx([0.5] * 3 + [seldom.expected[3]] * 3)
    assert seldom.expected[3] > 0.5


def test_curves_of_whole_history_that_run_away_are_fitted_afresh(monkeypatch):
    """The package's own fit, but that the first one made gives no numbers, as it does in large pools."""
    made = []

    class Runaway(whr.Base):
        def __init__(self, **how):
            super().__init__(**how)
            made.append(self)

        def ratings_for_player(self, name):
            return [[0, math.nan, 0.0]] if self is made[0] else super().ratings_for_player(name)

    lists = [[(0, 1, 1, 0)], [(0, 1, 1, 0)], [(0, 1, 1, 0)]]
    sound = peer_systems._whole_history(*course(lists, [1500, 1500]), 1.0).tolist()
    monkeypatch.setattr(whr, "Base", Runaway)
    found = peer_systems._whole_history(*course(lists, [1500, 1500]), 1.0).tolist()
    assert found == pytest.approx(sound, abs=0.01)
    assert len(made) == 2
