"""What the readable engine rates, as columns, is what the fast twins give; and books without one have lists."""

from __future__ import annotations

from contextlib import suppress

import pytest
from engine.columnar.test_columnar_run import EXAMPLES, SMALL
from engine.columnar.wild_ledgers import POOLS, wild_ledger
from engine.test_properties import Ledger, write

from banzuke.core.fault import RefusedError
from banzuke.engine.columnar.chess_reader import columns_of
from banzuke.engine.columnar.columnar_history import history
from banzuke.engine.columnar.readable_lists import any_history, ledger_of, readable_lists
from banzuke.engine.history import history as readable_history
from banzuke.engine.history import list_names
from banzuke.ledger.folder import read_ledger


def told(made):
    """All that columns tell of a list, each line with its clause in place of a number."""
    rated, lines = made.rated, made.rated.lines
    states = [
        [field.tolist() for field in (*state[:3], state.earned)] for state in (rated.before, rated.after)
    ]
    columns = {name: column.tolist() for name, column in lines._asdict().items()}
    columns["clause"] = [rated.clauses[at] for at in columns["clause"]]
    batch = rated.batch
    days = [
        batch.games.played[first:last].tolist() for first, last in zip(batch.first, batch.last, strict=True)
    ]
    return made.edition, batch.name, batch.published, batch.events, days, states, rated.speeds, columns


def assert_as_the_twins(ledger):
    columns = columns_of(ledger)
    names = list_names(columns, None)
    for ours, twins in zip(readable_lists(columns, names), history(columns, names), strict=True):
        assert told(ours) == told(twins)


@pytest.mark.parametrize("folder", [each for each in EXAMPLES + SMALL if "go" not in each.name])
def test_lists_in_columns_are_those_of_the_twins(folder):
    assert_as_the_twins(read_ledger(folder))


@pytest.mark.parametrize("book", sorted(POOLS))
def test_of_wild_ledgers_too(book, tmp_path):
    read = 0
    for seed in range(30):
        folder = write(wild_ledger(book, seed), tmp_path / str(seed))
        with suppress(RefusedError):
            assert_as_the_twins(read_ledger(folder))
            read += 1
    assert read > 4


ICU = """name = "Ireland"
[[edition]]
rulebook = "icu"
from = 2000-01-01
"""


def test_a_book_without_a_twin_has_its_lists_in_columns(tmp_path):
    folder = write(
        Ledger(
            ICU,
            {
                "players": [
                    {"player_id": p, "name": p, "birth_date": "1970-01-01", "joined": "1990-01-01"}
                    for p in "AB"
                ],
                "events": [{"event_id": "E", "name": "E", "starts": "2024-05-01", "ends": "2024-05-01"}],
                "games": [{"event_id": "E", "round": "1", "white": "A", "black": "B", "result": "1-0"}],
                "standings": [{"player_id": p, "rating": "1500", "games": "30"} for p in "AB"],
            },
        ),
        tmp_path / "ledger",
    )
    columns = columns_of(read_ledger(folder))
    (made,) = any_history(columns, list_names(columns, None))
    (found,) = readable_history(read_ledger(folder), ["E"])
    assert ledger_of(columns).games == read_ledger(folder).games
    assert made.rated.after.value.tolist() == [[1512, 1488]]
    lines = found.outcome.events[0].lines
    assert made.rated.lines.change.tolist() == [line.change for line in lines] == [1200, -1200]
    assert made.rated.lines.k.tolist() == [24, 24]
