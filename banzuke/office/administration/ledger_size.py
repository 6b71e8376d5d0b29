"""A ledger folder as somebody sent it, read to its end without a database: a process of its own can do it."""

from pathlib import Path

from banzuke.ledger.folder import read_ledger


def read_through(folder: Path) -> None:
    """Read all of a ledger and forget it. Raises RefusedError for one that does not check."""
    read_ledger(folder)
