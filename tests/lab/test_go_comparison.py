"""A Go server's rules beside others: as the readable rule book with those constants, and where it is known."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from synthetic_ledgers import go_game, go_ledger

from banzuke.columnar.twin import twin_of
from banzuke.core.derived_books import reform_book
from banzuke.core.fault import RefusedError
from banzuke.core.go_facts import CERTIFIED, HALF_OF, PROVISIONAL, RANK_NAMES
from banzuke.core.numbers import numbers_in, numbers_of
from banzuke.core.registry import BOOKS
from banzuke.engine import go_history
from banzuke.engine.columnar.go_reader import columns_of
from banzuke.engine.history import UnknownListError
from banzuke.lab.comparison import Question, compare
from banzuke.lab.go_comparison import comparison_sheets
from banzuke.lab.go_histories import findings, open_history
from banzuke.lab.go_simulation import measure
from banzuke.lab.simulation import Job
from banzuke.lab.synthetic_go_pools import GoPool, rules_of
from banzuke.lab.variants import Variant, pool_of, variants_alone, variants_of
from banzuke.ledger.folder import read_ledger
from banzuke.rulebooks.pandanet import pandanet
from banzuke.rulebooks.pandanet.ranks import default_zone, value

SERVER = Path(__file__).parents[2] / "examples" / "go-server"
BOOK = BOOKS["pandanet"]
FIGURES = twin_of(BOOK).figures(BOOK)
#: What --set says.
CHANGED = {
    "the table": ["lower.wins.1=150", "lower.wins.2=180"],
    "multipliers": ["multipliers.0.until=90", "multipliers.0.tenths=40", "later_multiplier=5"],
    "certification": ["certifying_games=8", "review_every=3", "most_expected=70"],
    "the widest": ["widest_ranks=1"],
    "border zone": ["zone_slack=350"],
    "komi": ["even_komi=15"],
    "the bonus": ["bonus_below=1", "flat=90"],
}
#: Numbers for which the loops are compiled anew.
COMPILES = ("certification", "the widest")


def rows_of(sheets, name):
    (sheet,) = [sheet for sheet in sheets if sheet.name == name]
    return [dict(zip(sheet.columns, row, strict=True)) for row in sheet.rows]


def read_by_hand(variant):
    """The example by the readable engine and a variant of its book: everybody's state, all lines with years."""
    ledger = read_ledger(SERVER)
    ledger = replace(ledger, pool=pool_of(ledger.pool, variant))
    run = go_history.opening(ledger)
    lines = [
        (game.game.ended.astimezone(UTC).year, line)
        for game in go_history.history(ledger, run, None)
        for line in (game.black, game.white)
    ]
    return run.states, lines


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in COMPILES)) for name in CHANGED]
)
def test_a_variant_is_what_the_readable_book_makes_of_those_numbers(name):
    settings = CHANGED[name]
    sheets = compare(SERVER, Question(settings=settings))
    as_it_is, changed = variants_of(read_ledger(SERVER).pool, [], settings)
    before, _ = read_by_hand(as_it_is)
    after, lines = read_by_hand(changed)
    found = {row["player_id"]: row for row in rows_of(sheets, "movers_ranks")}
    told = {player: _told(before[player], after[player]) for player in before}
    assert found
    assert {player: _row(row) for player, row in found.items()} == {
        player: row for player, row in told.items() if row[0::2] != row[1::2]
    }
    own = changed.name
    verdicts = {row["verdict"]: row["lines"] for row in rows_of(sheets, "verdicts") if row["variant"] == own}
    assert verdicts == dict(Counter(line.verdict for _, line in lines))
    _check_years(rows_of(sheets, "inflation_ranks"), own, lines)
    _check_certified(rows_of(sheets, "certified"), own, lines)
    ranks = {
        row["rank"]: row["players"] for row in rows_of(sheets, "distribution_ranks") if row["variant"] == own
    }
    held = Counter(state.rank for state in after.values() if state.kind == CERTIFIED)
    assert {rank: players for rank, players in ranks.items() if players} == dict(held)


def _told(*states):
    """Ranks, points and rated games of a player, by the pool's rules and by others."""
    points = (state.points if state.kind == CERTIFIED else None for state in states)
    return (*(state.rank for state in states), *points, *(state.rated_games for state in states))


def _row(row):
    names = ("rank_before", "rank", "points_before", "points", "games_before", "games")
    return tuple(row[name] for name in names)


def _check_years(rows, variant, lines):
    for row in rows:
        if row["variant"] == variant:
            own = [line for year, line in lines if year == row["year"]]
            certified = [line for line in own if line.before.kind == line.after.kind == CERTIFIED]
            assert row["rated"] == sum(line.verdict == pandanet.RATED for line in own)
            assert row["up"] == sum(line.after.half > line.before.half for line in certified)
            assert row["down"] == sum(line.after.half < line.before.half for line in certified)


def _check_certified(rows, variant, lines):
    found = {row["year"]: row for row in rows if row["variant"] == variant}
    firsts = [
        (year, line)
        for year, line in lines
        if (line.before.kind, line.after.kind) == (PROVISIONAL, CERTIFIED)
    ]
    assert set(found) == {year for year, _ in firsts}
    for year, row in found.items():
        own = [line for of, line in firsts if of == year]
        assert row["players"] == len(own)
        assert row["mean"] == pytest.approx(np.mean([value(line.after.half) / 24 for line in own]))
        off = [(line.after.half - line.before.half) / 2 for line in own]
        assert (row["corrected"], row["corrected_size"]) == pytest.approx(
            (np.mean(off), np.mean(np.abs(off)))
        )


def test_where_points_stand_still_nobody_moves():
    still = ["multipliers_0_tenths=0", "multipliers_1_tenths=0", "later_multiplier=0", "flat=0"]
    ledger = read_ledger(SERVER)
    columns = columns_of(ledger)
    variant = variants_of(ledger.pool, [], still)[1]
    certified = {row.player_id: (row.rank, row.points) for row in ledger.standings if row.rank in HALF_OF}
    final = findings(columns, variant)["final"]
    ended = {
        columns.player_ids[int(player)]: (RANK_NAMES[int(rank)], points)
        for player, rank, points, _ in final
        if rank < len(RANK_NAMES)
    }
    assert certified.items() <= ended.items()


# Two players of 5k who have nothing but each other: the first wins twice in 2024 and once in 2025.

TWO = go_ledger(
    {"A": "5k", "B": "5k"},
    [
        go_game(1, datetime(2024, 5, 1, tzinfo=UTC), "B", "A", "W"),
        go_game(2, datetime(2024, 12, 31, 23, 59, tzinfo=UTC), "B", "A", "W"),
        go_game(3, datetime(2025, 1, 1, tzinfo=UTC), "B", "A", "W"),
    ],
)


def sheets_of(ledger, settings, until=None):
    columns = columns_of(ledger)
    variants = variants_of(ledger.pool, [], settings)
    found = {variant.name: findings(columns, variant, until) for variant in variants}
    return comparison_sheets(columns, found)


def test_a_year_by_hand():
    """100 points an even game, 92 for the upper side by half a rank: 9800 + 200 is 5k+, 9800 - 200 is still 5k."""
    first, second = rows_of(sheets_of(TWO, []), "inflation_ranks")
    assert first == {
        "variant": "pool", "year": 2024, "certified_before": 2, "mean_before": -4.0, "certified": 2,
        "mean": -3.75, "played": 2, "drift": 0.25, "drift_low": None, "drift_high": None, "clusters": 3,
        "drift_points": 0.0, "entered": 0, "mean_entered": None, "rated": 4, "up": 1, "down": 0,
    }  # fmt: skip
    assert (second["year"], second["mean_before"], second["drift"], second["up"]) == (2025, -3.75, 0.0, 0)


def test_who_moves_and_by_how_many_ranks():
    """Ten times as many points: 1000 part them to 4k+ and 6k, 680 to 3k and 7k, the third game is not rated."""
    sheets = sheets_of(TWO, ["later.multiplier=100"])
    rows = [tuple(row.values())[1:] for row in rows_of(sheets, "movers_ranks")]
    assert rows == [
        ("B", "5k", "7k", -4.0, -6.0, -2.0, 9508, 8120, 203, 202),
        ("A", "5k+", "3k", -3.5, -2.0, 1.5, 10092, 11480, 203, 202),
    ]
    (moved,) = rows_of(sheets, "moved_ranks")
    assert {name: cell for name, cell in moved.items() if not name.endswith(("_low", "_high"))} == {
        "variant": "pool later_multiplier=100", "players": 2, "moved": 2, "share": 1.0, "mean": -0.25,
        "mean_size": 1.75, "down_most": -2.0, "up_most": 1.5, "mean_points": 0.0, "only_here": 0,
        "only_there": 0,
    }  # fmt: skip
    by = {row["by_ranks"]: row["players"] for row in rows_of(sheets, "moved_by")}
    assert by == {-2.0: 1, 1.5: 1}
    held = [row["rank"] for row in rows_of(sheets, "distribution_ranks") if row["players"]]
    assert held == ["5k", "5k+", "7k", "3k"]


def test_until_a_moment():
    columns = columns_of(TWO)
    assert findings(columns, Variant(), "2024-12-31T23:59:00+00:00")["final"][0].tolist() == [
        0, HALF_OF["5k+"], 10000, 202,
    ]  # fmt: skip
    assert findings(columns, Variant(), "2024-12-31T23:58:59+00:00")["final"][0].tolist() == [
        0, HALF_OF["5k"], 9900, 201,
    ]  # fmt: skip
    with pytest.raises(UnknownListError):
        compare(SERVER, Question(until="spring"))


def test_no_games_by_then():
    sheets = sheets_of(TWO, ["flat=60"], "2024-01-01T00:00:00+00:00")
    (moved,) = rows_of(sheets, "moved_ranks")
    assert (moved["players"], moved["moved"]) == (2, 0)
    assert [rows_of(sheets, name) for name in ("inflation_ranks", "certified", "verdicts")] == [[], [], []]


@pytest.mark.parametrize(
    ("points", "seated"), [(9800, 4900), (9795, 4895), (9899, 4999), (9900, 4999), (9501, 4601), (9401, 4601)]
)
def test_with_another_border_zone_everybody_opens_at_the_rank_of_before(points, seated):
    """5k is from 9400 to 10000 and starts at 9800; at half the width above 4600, to 5000, starting at 4900."""
    ledger = go_ledger({"A": "5k"}, [])
    ledger = replace(ledger, standings=[ledger.standings[0]._replace(points=points)])
    variant = variants_of(ledger.pool, [], ["zone_width=200", "zone_slack=200", "zone_start=100"])[-1]
    player = open_history(columns_of(ledger), variant).states.players[0]
    assert (player["rank"], player["points"]) == (HALF_OF["5k"], seated)


# Names and values


def test_every_number_of_the_book_has_a_name_and_a_value():
    known = {name: number.value for name, number in numbers_of(BOOK).items()}
    assert known["lower_wins_0"] == 100
    assert (known["multipliers_1_until"], known["multipliers_1_tenths"]) == (100, 12)
    assert known["zone_width"] == 400
    unchanged = [f"{name}={number}" for name, number in known.items()]
    (edition,) = pool_of(TWO.pool, variants_of(TWO.pool, [], unchanged)[1]).editions
    assert twin_of(edition.book).figures(edition.book) == FIGURES
    assert edition.zone == default_zone()


@pytest.mark.parametrize(
    ("setting", "code"),
    [
        ("widest_ranks=4", "lab-bounds"),
        ("board_size=100", "lab-bounds"),
        ("certifying_games=0..5", "lab-bounds"),
        ("zone_slack=0", "lab-bounds"),
        ("zone_width=200", "reform-broken"),
        ("K.normal=20", "lab-constant"),
        ("lower_wins_7=1", "lab-constant"),
    ],
)
def test_what_cannot_be_tried(setting, code):
    with pytest.raises(RefusedError) as error:
        variants_of(TWO.pool, [], [setting])
    assert [fault.code for fault in error.value.faults] == [code]


def test_made_pools_take_the_same_settings():
    plain, changed = variants_alone(["pandanet"], ["later.multiplier=5", "zone_slack=300"])
    assert (plain.name, changed.name) == ("pandanet", "pandanet later_multiplier=5 zone_slack=300")
    assert (rules_of(plain).figures, rules_of(plain).zone) == (FIGURES, default_zone())
    assert rules_of(changed).figures == twin_of(BOOK).figures(reform_book(BOOK, {"later_multiplier": 5}))
    assert rules_of(changed).zone == default_zone(slack=300)


def test_made_games_are_as_long_and_as_wide_as_the_numbers_ask():
    """Else none would be rated, and nobody ever certified."""
    _, longer = variants_alone(["pandanet"], ["least_moves=400", "board_size=13"])
    found = measure(Job(GoPool(players=50, years=1), longer, 1))
    assert not np.isnan(found["certification_error"]).any()


def test_every_number_of_the_book_can_be_tried():
    assert [name for name, each in BOOK.parameters.items() if not list(numbers_in(each))] == []
