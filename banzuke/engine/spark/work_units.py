"""Units of work: some of a window's row groups, decided and added up on one of many machines.

A unit reads its own games, rates them on the standings that the driver laid down, and leaves its lines and
its integer sums as files. One that is done again leaves the same files.
"""

from __future__ import annotations

from collections import Counter
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import parquet as pq

from banzuke.columnar.batch_columns import Batch, Waiting, nothing_waits
from banzuke.columnar.parted_batches import Decided, Events, PartedBook
from banzuke.engine.columnar.result_columns import line_table, verdicts_of
from banzuke.engine.spark import column_storage
from banzuke.engine.spark.parted_books import parted_book
from banzuke.table_writer.coded_columns import csv_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

    from banzuke.columnar.batch_columns import Lines, Register, State
    from banzuke.engine.spark.ledger_preparation import Prepared, Window

#: Games that a unit has in memory at a time, in whole row groups.
GAMES_AT_ONCE = 1 << 20
FINISHED = "unit long"


class Work(NamedTuple):
    """What every unit of a window is told; `folder` takes what they leave, `bounds` part the row groups.

    Unit i has the row groups `bounds[i]` until `bounds[i + 1]`.
    """

    prepared: Prepared
    window: Window
    book: str
    settings: Any
    folder: Path
    bounds: tuple[int, ...]

    @property
    def units(self) -> range:
        """The units by number."""
        return range(len(self.bounds) - 1)

    @property
    def standing(self) -> Path:
        """What games are rated on."""
        return self.folder / "standing.parquet"

    def tallied(self, unit: int) -> Path:
        """Who plays in the games of a unit that enter."""
        return self.folder / f"tallied-{unit}.parquet"

    def fresh(self, unit: int) -> Path:
        """A unit's new games for first ratings."""
        return self.folder / f"fresh-{unit}.parquet"

    def sums(self, unit: int) -> Path:
        """A unit's sums: places in the standings, speed by speed, hundredths of points, games counted."""
        return self.folder / f"sums-{unit}.parquet"

    def verdicts(self, unit: int) -> Path:
        """How many lines of a unit have which verdict."""
        return self.folder / f"verdicts-{unit}.parquet"

    def changes(self, unit: int) -> Path:
        """A unit's rows of changes.csv."""
        return changes_of(self.folder, unit)


def changes_of(folder: Path, unit: int) -> Path:
    """Where a unit leaves its rows of changes.csv."""
    return folder / f"changes-{unit}.csv"


class _Group(NamedTuple):
    """Games of some row groups as a batch, what the edition says of their events, and these events' ids."""

    batch: Batch
    events: Events
    ids: tuple[str, ...]


def decide_units(work: Work, units: list[int]) -> Iterator[pa.RecordBatch]:
    """Who plays in the games that enter, as a file of each unit."""
    edition = parted_book(work.book, work.settings)
    for unit in units:
        tallied = np.zeros(work.prepared.shape, np.bool_)
        for group in _groups(work, unit):
            tallied[_decided(work, edition, group).seats] = True
        column_storage.put(work.tallied(unit), {"tallied": tallied.ravel()})
        yield pa.RecordBatch.from_pydict({"unit": np.array([unit])})


def add_up_units(work: Work, units: list[int]) -> Iterator[pa.RecordBatch]:
    """The sums of each unit, its lines, their verdicts and its new games for first ratings, as files."""
    edition = parted_book(work.book, work.settings)
    now = column_storage.get_ratings(work.standing, work.prepared.shape[0], nothing_waits())
    for unit in units:
        sums = _Sums(work, edition)
        part = column_storage.unfinished(work.changes(unit))
        with part.open("wb") as changes:
            for group in _groups(work, unit):
                sums.add(group, now, changes)
        part.replace(work.changes(unit))
        column_storage.put_waiting(work.fresh(unit), sums.fresh)
        column_storage.put_counts(work.verdicts(unit), sums.verdicts)
        column_storage.put(work.sums(unit), sums.moved())
        yield pa.RecordBatch.from_pydict({"unit": np.array([unit])})


def _decided(work: Work, edition: PartedBook, group: _Group) -> Decided:
    return edition.decide(group.events, group.batch, work.prepared.shape)


class _Sums:
    """What a unit's games come to: sums by speed and player, lines by verdict, games for first ratings."""

    def __init__(self, work: Work, edition: PartedBook) -> None:
        self._work = work
        self._edition = edition
        self._ids = _player_ids(work.prepared.ids)
        self._total = np.zeros(work.prepared.shape, np.int64)
        self._counted = np.zeros(work.prepared.shape, np.int64)
        self.verdicts = Counter[str]()
        self._fresh = [nothing_waits()]

    def add(self, group: _Group, now: State, changes: BinaryIO) -> None:
        """Some games more; its rows of changes.csv are written."""
        decided = _decided(self._work, self._edition, group)
        sums, lines = self._edition.add_up(group.events, group.batch, decided, now, with_lines=True)
        self._total[sums.seats] += sums.total
        self._counted[sums.seats] += sums.counted
        self._fresh.append(sums.fresh)
        if lines is not None:
            self.verdicts += verdicts_of(lines.verdict)
            self._write(group, lines, changes)

    def _write(self, group: _Group, lines: Lines, changes: BinaryIO) -> None:
        clauses, events = self._edition.clauses, (self._edition.speeds_of(group.events), group.ids)
        table = line_table(self._work.window.name, lines, events, clauses, self._ids)
        changes.writelines(csv_blocks(table))

    @property
    def fresh(self) -> Waiting:
        """The new games for first ratings."""
        return joined(self._fresh)

    def moved(self) -> dict[str, Any]:
        """The sums that are not 0."""
        total, counted = self._total.ravel(), self._counted.ravel()
        place = np.flatnonzero((total != 0) | (counted != 0))
        return {"place": place, "total": total[place], "counted": counted[place]}


def joined(parts: list[Waiting]) -> Waiting:
    """Games on file, one part after another."""
    columns: Any = zip(*parts, strict=True)
    return Waiting(*map(np.concatenate, columns))


def _groups(work: Work, unit: int) -> Iterator[_Group]:
    """The row groups of a unit, some at a time."""
    window, prepared = work.window, work.prepared
    register = _register(prepared.register(window.register))
    events, ids = column_storage.get_events(prepared.events(window))
    at_once = max(1, GAMES_AT_ONCE // prepared.row_group)
    first, last = work.bounds[unit : unit + 2]
    with pq.ParquetFile(prepared.games) as file:
        for number in range(first, last, at_once):
            games = column_storage.games_of(file.read_row_groups(range(number, min(number + at_once, last))))
            start = (number - window.first) * prepared.row_group
            touched, own = _touched(events, start, len(games.round))
            batch = Batch(
                window.name, date.fromisoformat(window.published), date.fromisoformat(window.closes), (),
                own.number, own.first, own.last, games, register, window.opens_edition, (),
            )  # fmt: skip
            yield _Group(batch, own, ids[touched])


def _touched(events: Events, start: int, games: int) -> tuple[slice, Events]:
    """Which events have some of the games from `start` on, and these, as far as they have them."""
    first = int(np.searchsorted(events.last, start, side="right"))
    touched = slice(first, int(np.searchsorted(events.first, start + games, side="left")))
    own = Events(**{name: column[touched] for name, column in events._asdict().items()})
    return touched, own._replace(
        first=np.maximum(own.first - start, 0), last=np.minimum(own.last - start, games)
    )


@lru_cache(maxsize=1)
def _register(folder: Path) -> Register:
    """A register, read once by a process for the windows that follow each other with it."""
    return column_storage.get_register(folder)


@lru_cache(maxsize=1)
def _player_ids(path: Path) -> tuple[str, ...]:
    """The players' ids, read once by a process."""
    ids: tuple[str, ...] = column_storage.get(path)["player_id"]
    return ids
