"""Breaking a ledger folder, and reading the lines of its refusal."""

from __future__ import annotations

import pytest

from banzuke.core.fault import RefusedError
from banzuke.ledger.folder import read_ledger
from banzuke.ledger.schema import CHESS
from banzuke.words import fault_line

COLUMNS = {table.name: ", ".join(table.columns) for table in CHESS}


def refusal(folder):
    """The faults of a folder that is refused."""
    with pytest.raises(RefusedError) as caught:
        read_ledger(folder)
    return caught.value.faults


def refused(folder, lang="en"):
    """The lines of the refusal."""
    return [fault_line(fault, lang) for fault in refusal(folder)]


def change(folder, file, old, new):
    """Put `new` for the one `old` in a file."""
    path = folder / file
    text = path.read_bytes().decode()
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
    path.write_bytes(text.replace(old, new).encode())


def rewrite(folder, file, text):
    """The file as a whole, from text or bytes."""
    (folder / file).write_bytes(text if isinstance(text, bytes) else text.encode())
