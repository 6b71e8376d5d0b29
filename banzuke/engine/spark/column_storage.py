"""Columns kept as Parquet on a storage that every machine of a cluster sees, whole or not at all."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np
import pyarrow as pa
from pyarrow import parquet as pq

from banzuke.columnar.batch_columns import Games, Register, State, Waiting
from banzuke.columnar.parted_batches import Events

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from banzuke.columnar.batch_columns import Flags

FIDE_SPEEDS = ("fide_standard", "fide_rapid", "fide_blitz")
SPANS = ("span_from", "span_to", "span_event")


def unfinished(path: Path) -> Path:
    """A name beside the path for what is to become it by a rename; nobody else writes to it."""
    return path.with_name(f".{path.name}.{os.getpid()}.{uuid4().hex}")


def put(path: Path, columns: Mapping[str, Any]) -> None:
    """Columns of one length as a file; whoever puts it again puts the same."""
    part = unfinished(path)
    pq.write_table(pa.table(dict(columns)), part)
    part.replace(path)


def get(path: Path) -> dict[str, Any]:
    """The columns of a file as arrays, or as a tuple where they are texts."""
    return {name: _array(column) for name, column in _columns(pq.read_table(path, memory_map=True))}


def _columns(table: pa.Table) -> Iterable[tuple[str, Any]]:
    return zip(table.column_names, table.columns, strict=True)


def _array(column: Any) -> Any:
    if pa.types.is_string(column.type):
        return tuple(column.to_pylist())
    # One's own copy: kernels are compiled anew for arrays that cannot be written.
    return np.array(column.to_numpy())


def put_ratings(path: Path, state: State) -> None:
    """The standings but for the games on file, a row for each speed and player."""
    columns = state._asdict()
    del columns["waiting"]
    put(path, {name: column.ravel() for name, column in columns.items()})


def get_ratings(path: Path, speeds: int, waiting: Waiting) -> State:
    """The standings with those games on file."""
    return State(**{name: column.reshape(speeds, -1) for name, column in get(path).items()}, waiting=waiting)


def put_waiting(path: Path, waiting: Waiting) -> None:
    """Games on file."""
    put(path, waiting._asdict())


def get_waiting(path: Path) -> Waiting:
    """Games on file."""
    return Waiting(**get(path))


def put_counts(path: Path, counts: Counter[str]) -> None:
    """How many there are of each word."""
    words = pa.array(list(counts), pa.string())
    put(path, {"word": words, "count": pa.array(list(counts.values()), pa.int64())})


def get_counts(path: Path) -> Counter[str]:
    """How many there are of each word."""
    columns = get(path)
    return Counter(dict(zip(columns["word"], columns["count"].tolist(), strict=True)))


def put_register(folder: Path, register: Register) -> None:
    """The register as a new folder of two tables."""
    part = unfinished(folder)
    part.mkdir(parents=True)
    fide = dict(zip(FIDE_SPEEDS, register.fide, strict=True))
    spans = np.diff(register.span_first)
    put(part / "players.parquet", {"born": register.born} | fide | {"spans": spans})
    put(part / "spans.parquet", {name: getattr(register, name) for name in SPANS})
    part.rename(folder)


def get_register(folder: Path) -> Register:
    """The register of a folder."""
    players, spans = get(folder / "players.parquet"), get(folder / "spans.parquet")
    first = np.concatenate([np.zeros(1, np.int64), np.cumsum(players["spans"])])
    fide = np.array([players[name] for name in FIDE_SPEEDS], np.int32)
    return Register(players["born"], fide, first, *(spans[name] for name in SPANS))


def put_events(path: Path, events: Events, ids: list[str]) -> None:
    """What an edition says of a window's events, and their ids."""
    put(path, events._asdict() | {"event_id": pa.array(ids, pa.string())})


def get_events(path: Path) -> tuple[Events, tuple[str, ...]]:
    """What an edition says of a window's events, and their ids."""
    columns = get(path)
    ids = columns.pop("event_id")
    return Events(**columns), ids


def get_tallied(paths: Iterable[Path], shape: tuple[int, ...]) -> Flags:
    """Who plays, by speed and player, in one of the files at least."""
    found = np.zeros(shape, np.bool_)
    for path in paths:
        found |= get(path)["tallied"].reshape(shape)
    return found


def games_of(table: pa.Table) -> Games:
    """Games from a row group."""
    return Games(**{name: _array(column) for name, column in _columns(table)})
