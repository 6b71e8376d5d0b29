"""What is expected of a game knows nothing of how it ends, nor of what else its event brings."""

from __future__ import annotations

import numpy as np
import pytest
from lab.test_crossed_books import CHESS, ledger

from banzuke.core.registry import BOOKS
from banzuke.engine.columnar.account_columns import COLUMNS, account_columns
from banzuke.engine.columnar.chess_reader import read_columns
from banzuke.engine.columnar.columnar_history import history
from banzuke.engine.columnar.readable_lists import ledger_of, readable_lists
from banzuke.engine.history import history as readable_history
from banzuke.engine.history import list_names
from banzuke.lab.forecasts import expect_ahead, forecast_lists
from banzuke.lab.true_expectation import expectation_of

LAST = "E09"
OTHERWISE = {"1-0": "0-1", "0-1": "1-0", "1/2-1/2": "1-0"}


@pytest.fixture(params=CHESS)
def both(request, tmp_path):
    """A ledger of each book, and the same with other results in the last event; the book."""
    book = BOOKS[request.param]
    speeds = tuple(speed for speed in book.speeds if speed)[:1] or ("standard",)
    folders = [ledger(tmp_path / name, request.param, speeds=speeds) for name in ("one", "other")]
    games = folders[1] / "games.csv"
    lines = games.read_text("utf-8").splitlines()
    for at, line in enumerate(lines):
        start, result = line.rsplit(",", 1)
        if line.startswith(LAST):
            lines[at] = f"{start},{OTHERWISE[result]}"
    games.write_text("\n".join(lines) + "\n", "utf-8")
    return [read_columns(folder) for folder in folders], book


@pytest.mark.parametrize("rate", [history, readable_lists])
def test_a_forecast_does_not_change_with_the_results(both, rate):
    columns, _ = both
    one, other = (
        forecast_lists(rate(each, list_names(each, None)), each.pool.speeds, len(each.player_ids))
        for each in columns
    )
    assert (one.score != other.score).sum() >= 30
    assert one.lead.tolist() == other.lead.tolist()
    assert one.expected.tolist() == other.expected.tolist()


def sides_of(columns):
    lists = readable_history(ledger_of(columns), list_names(columns, None))
    speeds = {speed: at for at, speed in enumerate(columns.pool.speeds)}
    rows = account_columns(lists, speeds, columns.player_numbers, expect_ahead)["sides"]
    return dict(zip(COLUMNS["sides"], rows.T, strict=True))


def test_nor_does_what_residuals_stand_on(both):
    columns, book = both
    one, other = map(sides_of, columns)
    assert (one["score"] != other["score"]).any()
    assert one["expected"].tolist() == other["expected"].tolist()
    assert one["expected"] == pytest.approx(expectation_of(book)(one["own"] - one["other"]), abs=0.005)
    assert len(np.unique(one["expected"])) > 5
