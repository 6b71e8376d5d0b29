"""New tables of a ledger: tried on a copy, checked as a whole, and only then put in place."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banzuke.ledger.folder import read_ledger, replace_tables
from banzuke.ledger.interrupt_guard import uninterrupted
from banzuke.ledger.schema import tables_of

if TYPE_CHECKING:
    from banzuke.ledger.pool_rules import Pool


def put_in_place(folder: Path, pool: Pool, tables: dict[str, list[Any]]) -> None:
    """Replace the tables (by name) of the pool's ledger in the folder: all of them or, on a fault, none.

    Whoever calls it holds the ledger's lock. Raises RefusedError for a ledger that would not check.
    """
    schema = tables_of(pool)
    with tempfile.TemporaryDirectory() as copy:
        trial = Path(copy) / "ledger"
        trial.mkdir()
        for path in folder.iterdir():
            if path.is_file() and not path.name.startswith("."):  # results kept in a folder are no part of it
                shutil.copy(path, trial)
        replace_tables(trial, tables, schema)
        read_ledger(trial)
    with uninterrupted():
        replace_tables(folder, tables, schema)
