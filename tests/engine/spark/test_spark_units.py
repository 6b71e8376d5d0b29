"""Units of work, cut anywhere, come to what a window's games come to at once."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from engine.columnar.test_columnar_run import with_settings
from engine.test_properties import EVENTS, PLAYERS, SEEDS, ledger_of, write
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples

from banzuke.columnar.batch_columns import Register, nothing_waits
from banzuke.columnar.partitioned_batches import seats_of
from banzuke.columnar.twin import partitioned_book
from banzuke.engine.columnar.adjusted_columns import adjust
from banzuke.engine.columnar.chess_reader import read_columns
from banzuke.engine.columnar.columnar_history import history
from banzuke.engine.columnar.result_columns import change_table, verdicts_of
from banzuke.engine.history import list_names
from banzuke.engine.spark import array_files, work_units
from banzuke.engine.spark.ledger_preparation import prepare, prepared
from banzuke.table_writer.coded_columns import csv_blocks

if TYPE_CHECKING:
    from collections import Counter

    from banzuke.columnar.batch_columns import State
    from banzuke.columnar.partitioned_batches import Sums

pytestmark = pytest.mark.slow


def added_up(work: work_units.Work, before: State) -> tuple[State, Sums, Counter[str]]:
    """What games are rated on, and the sums; the last unit is done first, which makes no difference."""
    numbers = list(work.units)
    for unit in numbers[::-1]:
        work_units.decide_unit(work, unit)
    seats = seats_of(work_units.find_players(work))
    register = Register(**array_files.load(work.prepared.register(work.window.register)))
    edition = partitioned_book(work.book, work.settings)
    now = edition.standing(before, register, seats)
    array_files.save_state(work.standing, now._replace(waiting=nothing_waits()))
    for unit in numbers[::-1]:
        work_units.add_up_unit(work, unit)
    return now, *work_units.sum_units(work, seats)


def same(one: State, other: State) -> bool:
    pairs = [*zip(one[:-1], other[:-1], strict=True), *zip(one.waiting, other.waiting, strict=True)]
    return all(np.array_equal(*pair) for pair in pairs)


@pytest.mark.parametrize("book", ["ncs", "jcf", "japan"])
@settings(max_examples=examples(12))
@given(seed=SEEDS, players=PLAYERS, events=EVENTS, row_group=st.integers(1, 9))
def test_units_cut_anywhere(book, seed, players, events, row_group):
    rng = random.Random(seed)
    ledger = with_settings(ledger_of(book, seed, players, events), rng)
    with tempfile.TemporaryDirectory() as place:
        columns = read_columns(write(ledger, Path(place) / "ledger"))
        names = list_names(columns, None)
        prepare(columns, names, Path(place) / "ready", row_group)
        ready = prepared(Path(place) / "ready")
        assert [window.name for window in ready.windows] == names
        for window, made in zip(ready.windows, history(columns, names), strict=True):
            cuts = range(window.first + 1, window.last)
            bounds = (window.first, *sorted(rng.sample(cuts, rng.randint(0, len(cuts)))), window.last)
            folder = Path(place) / window.name
            folder.mkdir()
            rules = made.edition.book.name, made.edition.settings
            work, edition = work_units.Work(ready, window, *rules, folder, bounds), partitioned_book(*rules)
            before = made.rated.before
            before = edition.opened(before, opens_edition=window.opens_edition)
            now, sums, verdicts = added_up(work, before)
            after = edition.close(before, now, sums, made.rated.batch.closes)
            after, adjusted = adjust(after, made.edition.book, window.of_list)
            assert same(after, made.rated.after)
            assert [each.adjustment_id for each in adjusted] == [each.adjustment_id for each in made.adjusted]
            parts = b"".join(work.changes(unit).read_bytes() for unit in work.units)
            assert parts == b"".join(map(bytes, csv_blocks(change_table(made, columns.player_ids))))
            assert verdicts == verdicts_of(made.rated.lines.verdict)
