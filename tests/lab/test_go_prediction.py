"""What a Go server's rules foretell, by gap and by handicap, where it is known; handicaps with the peers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from synthetic_ledgers import go_game, go_ledger

from banzuke.core.registry import BOOKS
from banzuke.engine import go_history
from banzuke.engine.columnar.go_reader import columns_of, read_go
from banzuke.engine.history import UnknownListError
from banzuke.lab.comparison import Question
from banzuke.lab.go_forecasts import OF_1K, elo_of_a_rank, forecast_go, go_openings
from banzuke.lab.peer_systems import PEERS, peer_expects
from banzuke.lab.prediction import predict, score_sheets
from banzuke.lab.variants import Variant, variants_of
from banzuke.ledger.folder import read_ledger
from banzuke.rulebooks.pandanet.ranks import expectation, regular_terms, value, worth

SERVER = Path(__file__).parents[2] / "examples" / "go-server"
START = datetime(2026, 1, 5, 12, tzinfo=UTC)  # a Monday
A_RANK = elo_of_a_rank(BOOKS["pandanet"])
NOT_PLAYED_OUT = {
    f"not:{why}" for why in ("board", "moves", "room", "pair", "robot", "professional", "result")
}


def rows_of(sheets, name):
    (sheet,) = [sheet for sheet in sheets if sheet.name == name]
    return [dict(zip(sheet.columns, row, strict=True)) for row in sheet.rows]


def own(sheets, name, variant="pool"):
    return [row for row in rows_of(sheets, name) if row["variant"] == variant]


def once(black, white, results, stones, komi, weeks=1):
    """Games of pairs that meet once, White's wins marked W, a day for each, over so many weeks."""
    ranks, games = {}, []
    for number, result in enumerate(results):
        pair = f"b{number:03}", f"w{number:03}"
        ranks |= dict(zip(pair, (black, white), strict=True))
        at = START + timedelta(days=7 * (number % weeks), minutes=number)
        games.append(go_game(number, at, *pair, result, 200, stones, komi))
    return go_ledger(ranks, games)


def sheets_of(ledger, settings=()):
    columns = columns_of(ledger)
    return score_sheets(
        columns,
        {each.name: forecast_go(columns, each) for each in variants_of(ledger.pool, [], settings)},
    )


def test_the_games_and_expectations_are_those_of_the_readable_book():
    columns, ledger = read_go(SERVER), read_ledger(SERVER)
    games = forecast_go(columns, Variant())
    told = []
    for rated in go_history.history(ledger, go_history.opening(ledger), None):
        line = rated.white
        known = line.difference is not None and line.won is not None
        if known and not {rated.black.verdict, line.verdict} & {*NOT_PLAYED_OUT, "fault"}:
            lead = -line.difference if line.upper is False else line.difference
            counted = "rated" in (rated.black.verdict, line.verdict)
            told.append((rated.game.game_id, line.won, lead / 24, expectation(lead) / 2400, counted))
    ids = [columns.game_ids[int(row)].as_py() for row in games.of]
    found = zip(ids, games.score == 1, games.gap, games.expected, games.counted.astype(bool), strict=True)
    assert [tuple(row) for row in found] == told
    assert len(told) > 300


def test_a_game_on_the_regular_terms_ought_to_be_even():
    stones, komi = regular_terms(4)
    sheets = sheets_of(once("5k", "3k", "WWWWWWBBBB", stones, komi))
    (row,) = own(sheets, "calibration_ranks")
    assert row == {
        "variant": "pool", "ranks_from": 0.0, "ranks_to": 0.0, "games": 10, "wins": 6, "draws": 0,
        "losses": 4, "table": 0.5, "noise": 0.5, "counted": 0.5, "scored": 0.6, "low": None, "high": None,
        "clusters": 1,
    }  # fmt: skip
    (row,) = own(sheets, "by_stones")
    assert (row["stones"], row["games"], row["expected"], row["scored"]) == (2, 10, 0.5, 0.6)


@pytest.mark.parametrize(("black", "white"), [("5k", "4k"), ("4k", "5k")])
def test_a_gap_is_seen_from_the_side_that_is_ahead(black, white):
    """A rank apart on even terms: .58 by the points of the table, 84 of 200 for the upper side's win."""
    ahead = "W" if white == "4k" else "B"
    behind = "B" if ahead == "W" else "W"
    (row,) = own(sheets_of(once(black, white, ahead * 7 + behind, 0, 13)), "calibration_ranks")
    assert (row["ranks_from"], row["ranks_to"], row["wins"], row["losses"]) == (0.5, 1.0, 7, 1)
    assert (row["counted"], row["scored"]) == (pytest.approx(0.58), 7 / 8)


def test_another_table_expects_otherwise():
    sheets = sheets_of(once("5k", "4k", "WWWB", 0, 13), ["lower.wins.2=150"])
    (row,) = own(sheets, "calibration_ranks", "pool lower_wins_2=150")
    assert (row["counted"], row["scored"]) == (0.75, 0.75)
    pool, other = rows_of(sheets, "scores")
    assert (pool["brier"], other["brier"]) == pytest.approx(
        ((3 * 0.42**2 + 0.58**2) / 4, (3 * 0.25**2 + 0.75**2) / 4)
    )
    less, chosen = rows_of(sheets, "score_differences")
    assert less["brier"] == pytest.approx(other["brier"] - pool["brier"])
    assert (chosen["variant"], chosen["games"]) == ("by-choice", 0)  # one week has no games before it


def test_intervals_are_drawn_by_weeks():
    """Seven weeks of two games, one of them won: every draw of weeks has one half."""
    (row,) = own(sheets_of(once("5k", "5k", "W" * 7 + "B" * 7, 0, 13, weeks=7)), "calibration_ranks")
    assert (row["scored"], row["low"], row["high"]) == (0.5, 0.5, 0.5)
    (row,) = own(sheets_of(once("5k", "5k", "WB" * 7, 0, 13, weeks=7)), "calibration_ranks")
    assert row["low"] <= 0.5 <= row["high"]


def test_no_game_is_foretold_of_who_has_no_rank_or_ended_by_a_fault():
    games = [go_game(n, START + timedelta(minutes=n), "a", "b") for n in range(3)]
    games[1] = games[1]._replace(fault="white", moves=0)
    games[2] = games[2]._replace(room="free")
    ledger = go_ledger({"a": "5k", "b": "5k"}, games)
    assert forecast_go(columns_of(ledger), Variant()).of.tolist() == [0]
    assert [row["games"] for row in rows_of(sheets_of(go_ledger({}, [])), "scores")] == [0]


def test_until_a_moment():
    until = "2026-01-10T00:00:00+09:00"
    (row, *_) = rows_of(predict(SERVER, Question(until=until)), "scores")
    assert 0 < row["games"] < 352
    with pytest.raises(UnknownListError):
        predict(SERVER, Question(until="spring"))


def test_what_is_finished_is_kept_and_read(tmp_path):
    seen = []
    sheets = predict(SERVER, Question(kept=tmp_path), progress=lambda *told: seen.append(told))
    assert [what for _, _, what in seen] == ["pool", "elo", "glicko", "whole-history", ""]
    files = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert len(files) == 4
    assert predict(SERVER, Question(kept=tmp_path)) == sheets
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == files


# Peers


def test_peers_begin_with_the_ranks_and_count_the_terms_by_the_same_measure():
    stones, komi = regular_terms(4)
    columns = columns_of(once("5k", "3k", "W", stones, komi))
    games = forecast_go(columns, Variant())
    assert go_openings(columns, A_RANK).tolist() == pytest.approx([OF_1K - 4 * A_RANK, OF_1K - 2 * A_RANK])
    assert games.ahead.tolist() == pytest.approx([-worth(stones, komi) / 24 * A_RANK])
    assert pytest.approx(0.58) == 1 / (1 + 10 ** (-A_RANK / 400))
    assert value(0) == -16 * 24  # 17k
    for peer in PEERS:
        assert peer_expects(peer, games).expected.tolist() == pytest.approx([0.5])
