"""Games of Go that stand in a ledger twice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from banzuke.engine.repeated_games import repeated_game_warnings
from banzuke.ledger.folder import GoLedger, read_chess_ledger, read_go_ledger

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def ledger() -> GoLedger:
    return read_go_ledger(EXAMPLES / "go-server")


def test_a_game_under_two_ids(ledger: GoLedger) -> None:
    first, second = ledger.games[:2]
    copies = [first._replace(game_id="COPY1"), second._replace(black=second.white, white=second.black)]
    (found,) = repeated_game_warnings(replace(ledger, games=[*ledger.games, *copies]))
    assert (found.file, found.column, found.code, dict(found.facts)) == (
        "games.csv",
        "COPY1",
        "warn-game-twice",
        {"first": first.game_id},
    )


def test_games_that_stand_once(ledger: GoLedger) -> None:
    assert repeated_game_warnings(ledger) == []
    assert repeated_game_warnings(read_chess_ledger(EXAMPLES / "japan")) == []
