"""Variants beside each other, where it is known by construction what must come out."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from synthetic_pool import STANDING_STILL, made_pool

from banzuke.core.fault import RefusedError
from banzuke.engine.columnar.chess_reader import read_columns
from banzuke.engine.finished_parts import digest_of_ledger
from banzuke.engine.history import UnknownListError
from banzuke.engine.rating_run import rate_ledger
from banzuke.lab.chess_comparison import comparison_sheets
from banzuke.lab.chess_histories import COLUMNS, drift_cells, findings, rated_lists
from banzuke.lab.comparison import Job, Question, compare, run_variant
from banzuke.lab.variants import Variant
from banzuke.ledger.folder import read_ledger

EXAMPLES = Path(__file__).parents[2] / "examples"


def rows_of(sheets, name):
    (sheet,) = [sheet for sheet in sheets if sheet.name == name]
    return [dict(zip(sheet.columns, row, strict=True)) for row in sheet.rows]


@pytest.fixture(scope="module")
def pool(tmp_path_factory):
    return made_pool(tmp_path_factory.mktemp("made") / "pool", events=20)


def test_a_book_beside_itself_moves_nobody(pool):
    sheets = compare(pool, Question(books=["jcf-2024"]))
    assert [(row["moved"], row["only_here"], row["only_there"]) for row in rows_of(sheets, "moved")] == [
        (0, 0, 0)
    ]
    assert rows_of(sheets, "movers") == []
    one, other = (
        [{**row, "variant": ""} for row in rows_of(sheets, "spread") if row["variant"] == name]
        for name in ("pool", "jcf-2024")
    )
    assert one == other


def test_where_nobody_moves_the_lists_are_those_that_the_pool_opened_with(pool):
    sheets = compare(pool, Question(settings=STANDING_STILL))
    still = "pool k_normal=0 k_new=0 k_junior=0 k_reached=0"
    opened = {row["player_id"]: int(row["rating"]) for row in csv.DictReader((pool / "standings.csv").open())}
    moved = [row for row in rows_of(sheets, "movers") if row["variant"] == still]
    assert {row["player_id"]: row["rating"] for row in moved}.items() <= opened.items()
    assert len(moved) > 50  # the pool's own rules moved nearly everybody away from there
    drifts = {row["drift"] for row in rows_of(sheets, "inflation") if row["variant"] == still}
    assert drifts == {0.0}


def test_movers_and_ranks_are_those_of_the_readable_engines_lists(tmp_path):
    folder = EXAMPLES / "japan"
    sheets = compare(folder, Question(books=["ncs-2022"]))
    rate_ledger(read_ledger(folder), tmp_path / "pool")
    other = tmp_path / "ncs"
    shutil.copytree(folder, other)
    (other / "pool.toml").write_text(
        'name = "x"\n[[edition]]\nrulebook = "ncs-2022"\nfrom = 2000-01-01\n', "utf-8"
    )
    rate_ledger(read_ledger(other), tmp_path / "out")
    base, own = (last_list(tmp_path / name / "lists.csv") for name in ("pool", "out"))
    found = {(row["speed"], row["player_id"]): row for row in rows_of(sheets, "movers")}
    assert found
    assert set(found) == {key for key in {*base, *own} if base.get(key) != own.get(key)}
    for key, row in found.items():
        assert (row["rating_before"], row["games_before"]) == base.get(key, (None, None))
        assert (row["rating"], row["games"]) == own.get(key, (None, None))
        higher = [
            rating
            for (speed, _), (rating, _) in own.items()
            if speed == key[0] and rating > (row["rating"] or 0)
        ]
        assert row["rank"] == (None if row["rating"] is None else 1 + len(higher))


def last_list(path):
    rows = list(csv.DictReader(path.open(encoding="utf-8")))
    last = rows[-1]["list"]
    return {
        (row["speed"], row["player_id"]): (int(row["rating"]), int(row["games"]))
        for row in rows
        if row["list"] == last
    }


def test_verdicts_and_means_are_those_of_the_readable_engines_files(tmp_path):
    folder = EXAMPLES / "japan"
    sheets = compare(folder, Question())
    summary = rate_ledger(read_ledger(folder), tmp_path / "out")
    assert {row["verdict"]: row["lines"] for row in rows_of(sheets, "verdicts")} == dict(summary.verdicts)
    lists = list(csv.DictReader((tmp_path / "out" / "lists.csv").open(encoding="utf-8")))
    for row in rows_of(sheets, "list_means"):
        ratings = [int(r["rating"]) for r in lists if (r["list"], r["speed"]) == (row["list"], row["speed"])]
        assert (row["listed"], row["mean"]) == (len(ratings), pytest.approx(np.mean(ratings)))
    firsts = [row for row in lists if row["change"] == ""]
    opened = (
        list(csv.DictReader((folder / "standings.csv").open())) if (folder / "standings.csv").exists() else []
    )
    listed_before = {(row["player_id"], row["speed"]) for row in opened}
    new = {(r["player_id"], r["speed"]) for r in firsts} - listed_before
    assert sum(row["players"] for row in rows_of(sheets, "first_ratings")) == len(new)
    assert sum(row["players"] for row in rows_of(sheets, "first_distribution")) == len(new)


def test_points_that_players_win_from_each_other_leave_no_doubt_about_a_drift():
    """Twenty events; in each, A wins 5 points from B, and C about 8 from somebody who is not counted."""
    event, sides = np.repeat(np.arange(20), 2), np.array([[0, 2] * 20, [1, 3] * 20])
    played = np.array([True, True, False, False])
    moves = np.where(sides % 2, -5.0, 5.0) * (sides < 2)
    closed = drift_cells(np.array([100.0, -100, 0, 0]), played, event, sides, moves)
    assert closed[:2] == (2, 0.0)
    assert closed[2:4] == (pytest.approx(0), pytest.approx(0))
    wins = np.where(np.arange(40) % 2, np.random.default_rng(2).normal(8, 2, 40), 0)
    moves[0] += wins
    changes, played = np.array([100.0, -100, wins.sum(), 0]), np.array([True, True, True, False])
    count, drift, low, high, clusters = drift_cells(changes, played, event, sides, moves)
    assert (count, drift) == (3, pytest.approx(wins.sum() / 3))
    assert low < drift < high
    assert clusters < 16


def test_what_no_game_moved_is_in_doubt_from_player_to_player():
    """Thirty players without a change by games, of whom a floor lifts every third by 60."""
    event, sides = np.arange(30), np.arange(60).reshape(2, 30) % 30
    changes, played = np.where(np.arange(30) % 3, 0.0, 60.0), np.ones(30, np.bool_)
    count, drift, low, high, _ = drift_cells(changes, played, event, sides, np.zeros((2, 30)))
    assert (count, drift) == (30, 20.0)
    assert high - low == pytest.approx(2 * 2.045 * changes.std() / 30**0.5, rel=0.15)


def test_a_drift_by_a_floor_that_lifts_three_of_many_is_worth_few_clusters():
    """150 players in 60 events; a floor lifts three far. What games moved alone is worth the events."""
    rng, played = np.random.default_rng(4), np.ones(150, np.bool_)
    event, sides = np.repeat(np.arange(60), 20), rng.integers(0, 75, (2, 1200)) + np.array([[0], [75]])
    moves = rng.normal(0, 5, (2, 1200))
    won = np.bincount(sides.ravel(), moves.ravel(), 150)
    *_, by_games = drift_cells(won, played, event, sides, moves)
    *_, rounded = drift_cells(np.rint(won), played, event, sides, moves)
    *_, by_floor = drift_cells(won + 300.0 * (np.arange(150) < 3), played, event, sides, moves)
    assert by_games == pytest.approx(rounded, abs=1)
    assert by_games > 60
    assert 4 < by_floor < 16


def test_drift_tells_who_stayed_from_who_came(pool):
    """Everybody listed rises by 25, and three come in at 1000: the mean falls, the drift is 25."""
    columns = read_columns(pool)
    made, *_ = rated_lists(columns, Variant())
    first = made.rated
    value = first.before.value
    is_listed = value[0] > 0
    before = first.before._replace(value=np.where(np.arange(60) < 57, value, -(2**31)).astype(np.int32))
    after = first.before._replace(value=np.where(np.arange(60) < 57, value + 25, 1000).astype(np.int32))
    after.value[1] = before.value[1]
    games = before.games + (np.arange(60) < 30)  # thirty of them played
    after = after._replace(games=games.astype(np.int32))
    found = findings([made._replace(rated=first._replace(before=before, after=after))], columns.pool.speeds)
    sheets = comparison_sheets(columns, {"pool": found})
    (row,) = rows_of(sheets, "inflation")
    assert is_listed.all()
    assert (row["played"], row["drift"], row["entered"], row["mean_entered"]) == (30, 25.0, 3, 1000.0)
    assert row["mean"] == pytest.approx((57 * (row["mean_before"] + 25) + 3000) / 60)
    (new,) = rows_of(sheets, "first_ratings")
    assert (new["players"], new["earned"], new["median"]) == (3, 0, 1000.0)


def test_a_higher_opening_is_carried_through(tmp_path):
    """No rule of the book looks at a rating between 1100 and 2100 as such: opened 100 higher, all end 100 higher."""
    low = made_pool(tmp_path / "low", events=6)
    high = made_pool(tmp_path / "high", events=6, opening=lambda strength: strength + 100)
    found = {}
    for name, folder in (("low", low), ("high", high)):
        columns = read_columns(folder)
        found[name] = findings(rated_lists(columns, Variant()), columns.pool.speeds)
    sheets = comparison_sheets(read_columns(low), found)
    (moved,) = rows_of(sheets, "moved")
    assert (moved["players"], moved["mean"], moved["mean_size"], moved["down_most"], moved["up_most"]) == (
        60, 100.0, 100.0, 0, 100,
    )  # fmt: skip
    assert all(row["climbed"] == 0 for row in rows_of(sheets, "movers"))


def final_ratings(*ratings):
    """The findings of a history of which only the last ratings are known."""
    final = [(0, player, rating, 9, 20) for player, rating in enumerate(ratings)]
    blank = {name: np.zeros((0, len(columns))) for name, columns in COLUMNS.items()}
    return blank | {"final": np.array(final, np.float64)}


def test_equals_share_a_rank():
    columns = SimpleNamespace(pool=SimpleNamespace(speeds=("standard",)), player_ids="ABCD", players=())
    found = {"pool": final_ratings(1400, 1500, 1600, 1300), "other": final_ratings(1500, 1600, 1500, 1400)}
    rows = rows_of(comparison_sheets(columns, found), "movers")
    ranks = {row["player_id"]: (row["rank_before"], row["rank"]) for row in rows}
    assert ranks == {"A": (3, 2), "B": (2, 1), "C": (1, 2), "D": (4, 4)}


def test_what_is_finished_is_kept_and_read(pool, tmp_path):
    kept, seen = tmp_path / "kept", []
    sheets = compare(pool, Question(books=["jcf-2024"], settings=["k_new=30..40:10"], kept=kept))
    files = {path.name: path.stat().st_mtime_ns for path in kept.iterdir()}
    assert len(files) == 4  # the pool, the book, the book with two values
    again = compare(
        pool,
        Question(books=["jcf-2024"], settings=["k_new=30..40:10"], kept=kept),
        progress=lambda *told: seen.append(told),
    )
    assert again == sheets
    assert seen == [(4, 4, "")]
    compare(pool, Question(books=["jcf-2024"], settings=["k_new=30..50:10"], kept=kept))
    assert len(list(kept.iterdir())) == 5
    assert {path.name: path.stat().st_mtime_ns for path in kept.iterdir() if path.name in files} == files


def test_another_ledger_is_not_taken_for_this_one(pool, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(pool, other)
    assert digest_of_ledger(other) == digest_of_ledger(pool)
    with (other / "games.csv").open("a") as stream:
        stream.write("E019,10,M000,M001,1-0\n")
    jobs = [Job(folder, digest_of_ledger(folder), Variant(), None) for folder in (pool, other)]
    assert repr(jobs[0]) != repr(jobs[1])
    one, two = (run_variant(job) for job in jobs)
    assert two["verdicts"].sum() > one["verdicts"].sum()


@pytest.mark.slow
def test_processes_find_what_this_process_finds(pool):
    alone = compare(pool, Question(settings=["k_normal=10..20:10"]))
    assert compare(pool, Question(settings=["k_normal=10..20:10"]), processes=2) == alone


def test_what_is_no_list_of_the_ledger_and_no_book_of_chess(pool):
    with pytest.raises(UnknownListError):
        compare(pool, Question(until="spring"))
    with pytest.raises(RefusedError):
        compare(pool, Question(books=["pandanet"]))
