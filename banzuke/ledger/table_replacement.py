"""New tables of a ledger: tried on a copy, checked as a whole, and only then put in place."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banzuke.ledger.folder import read_ledger, replace_tables
from banzuke.ledger.interrupt_guard import uninterrupted

if TYPE_CHECKING:
    from banzuke.ledger.schema import Table


def put_in_place(folder: Path, tables: dict[str, list[Any]], schema: tuple[Table, ...]) -> None:
    """Replace the tables (by name) of the ledger in the folder: all of them or, on a fault, none.

    Whoever calls it holds the ledger's lock. Raises RefusedError for a ledger that would not check.
    """
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
