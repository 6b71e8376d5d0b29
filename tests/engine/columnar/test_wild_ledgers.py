"""Whatever a chess ledger holds, the columnar engine writes the readable one's files, or refuses it as that does."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from engine.columnar.test_columnar_run import both
from engine.columnar.wild_ledgers import POOLS, wild_ledger
from engine.test_properties import FEW, SEEDS, write
from hypothesis import given
from hypothesis import strategies as st

from banzuke.core.fault import RefusedError
from banzuke.engine.columnar.columnar_run import read
from banzuke.engine.history import list_names
from banzuke.ledger.folder import read_ledger, write_ledger


def refused(reading, folder: Path):
    """The ledger, or why it is refused."""
    try:
        return reading(folder), []
    except RefusedError as refusal:
        return None, refusal.faults


@pytest.mark.parametrize("book", sorted(POOLS))
@FEW
@given(seed=SEEDS, in_parquet=st.booleans(), as_parquet=st.booleans(), cut=st.floats(0, 1))
def test_wild_ledgers(book, seed, in_parquet, as_parquet, cut):
    with tempfile.TemporaryDirectory() as place:
        folder = write(wild_ledger(book, seed), Path(place) / "ledger")
        ledger, faults = refused(read_ledger, folder)
        assert refused(read, folder)[1] == faults
        if ledger is None:
            return
        if in_parquet:
            write_ledger(ledger, folder, Path(place) / "columns", as_parquet=True)
            folder = Path(place) / "columns"
        names = list_names(ledger, None)
        until = names[int(cut * (len(names) - 1))] if names else None
        readable, columnar = both(folder, until, as_parquet=as_parquet)
        assert columnar == readable
