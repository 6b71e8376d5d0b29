"""Arrays as files on a storage that every machine of a cluster sees, each file whole or not there at all."""

import os
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np

from banzuke.columnar.batch_columns import State, Waiting


def unfinished(path: Path) -> Path:
    """A name beside the path for a file that is renamed to it when it is whole; nobody else writes to it."""
    return path.with_name(f".{path.name}.{os.getpid()}.{uuid4().hex}")


def save(path: Path, **arrays: Any) -> None:
    """Arrays by name as one file; saving it again writes the same."""
    part = unfinished(path)
    with part.open("wb") as stream:
        np.savez(stream, **arrays)
    part.replace(path)


def load(path: Path) -> dict[str, Any]:
    """The arrays of a file by name."""
    with np.load(path) as arrays:
        return dict(arrays)


def save_state(path: Path, state: State) -> None:
    """The standings with the games on file."""
    waiting = {f"waiting_{name}": column for name, column in state.waiting._asdict().items()}
    ratings = state._asdict()
    del ratings["waiting"]
    save(path, **ratings, **waiting)


def load_state(path: Path) -> State:
    """The standings with the games on file."""
    arrays = load(path)
    waiting = Waiting(**{name: arrays.pop(f"waiting_{name}") for name in Waiting._fields})
    return State(**arrays, waiting=waiting)
