"""A ledger prepared for many machines: its games once, in the order of the lists that take them.

Corrections are applied here: a game that was struck in time, or had entered an earlier list, is not among the
list's rows. A row group never has games of two lists.
"""

import json
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import parquet as pq

from banzuke.columnar.batch_columns import Batch, Games, Register
from banzuke.columnar.partitioned_batches import ENTERS, EventColumns, PartitionedBook
from banzuke.columnar.twin import partitioned_book
from banzuke.core.facts import Adjustment
from banzuke.engine.columnar.chess_reader import ChessColumns
from banzuke.engine.columnar.columnar_history import RunningHistory, batches
from banzuke.engine.spark import array_files

#: Games of a row group: units of work are whole ones, so a window has as many at the most.
ROW_GROUP = 1 << 17
PLAN = "plan.json"
#: Quick to write and to read: five bytes a game become seven.
PLAIN: dict[str, Any] = {"compression": "LZ4", "use_dictionary": False, "write_statistics": False}


class Window(NamedTuple):
    """A list and what it is made from: the row groups `first` until `last`, a register by its number.

    `closes` is the window's last day, `published` the day of the list. `adjustments` are those of the list,
    each as its id, its speed and its map, in the order in which they are carried out.
    """

    name: str
    published: str
    closes: str
    opens_edition: bool
    register: int
    first: int
    last: int
    adjustments: tuple[tuple[str, str, str], ...]

    @property
    def of_list(self) -> list[Adjustment]:
        """The adjustments of the list, as far as they are carried out."""
        return [Adjustment(name, self.name, points, "", speed) for name, speed, points in self.adjustments]


class Prepared(NamedTuple):
    """A ledger made ready in a folder; `speeds` and `players` say how large its standings are."""

    folder: Path
    speeds: int
    players: int
    row_group: int
    windows: tuple[Window, ...]

    @property
    def shape(self) -> tuple[int, int]:
        """That of the standings."""
        return self.speeds, self.players

    @property
    def games(self) -> Path:
        """The games of all windows."""
        return self.folder / "games.parquet"

    @property
    def ids(self) -> Path:
        """The players' ids by number."""
        return self.folder / "ids.npz"

    @property
    def opening(self) -> Path:
        """The ratings that the pool opens with."""
        return self.folder / "opening.npz"

    def register(self, number: int) -> Path:
        """A register."""
        return self.folder / f"register-{number}.npz"

    def events(self, window: Window) -> Path:
        """The events of a window."""
        return self.folder / "events" / f"{window.name}.npz"


def prepared(folder: Path) -> Prepared | None:
    """What was made ready there; None if that was not brought to its end, or its plan is damaged."""
    try:
        plan: dict[str, Any] = json.loads((folder / PLAN).read_text(encoding="utf-8"))
        plan["windows"] = tuple(Window(*window) for window in plan["windows"])
        return Prepared(folder, **plan)
    except (FileNotFoundError, KeyError, TypeError, ValueError):
        return None


def prepare(columns: ChessColumns, names: list[str], folder: Path, row_group: int = ROW_GROUP) -> Prepared:
    """The lists of those names made ready in a folder, made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "events").mkdir(parents=True)
    running = RunningHistory(columns)
    speeds, players = running.state.value.shape
    made = Prepared(folder, speeds, players, row_group, ())
    array_files.save_state(made.opening, running.state)
    array_files.save(made.ids, player_id=np.array(columns.player_ids, np.str_))
    windows = []
    with pq.ParquetWriter(made.games, _schema(columns.games), **PLAIN) as writer:
        preparing = _Preparing(made, running, writer)
        for in_force, batch in batches(running, names):
            windows.append(preparing.window(partitioned_book(in_force.book.name, in_force.settings), batch))
    made = made._replace(windows=tuple(windows))
    plan = made._asdict()
    del plan["folder"]
    part = array_files.unfinished(folder / PLAN)
    part.write_text(json.dumps(plan), encoding="utf-8")
    part.rename(folder / PLAN)
    return made


def _schema(games: Games) -> pa.Schema:
    return pa.schema([(name, pa.from_numpy_dtype(of.dtype)) for name, of in games._asdict().items()])


class _Preparing:
    """Windows written one after another."""

    def __init__(self, made: Prepared, running: RunningHistory, writer: pq.ParquetWriter) -> None:
        self._made = made
        self._past = running
        self._writer = writer
        self._groups = 0
        self._registers = 0
        self._register: Register | None = None

    def window(self, edition: PartitionedBook, batch: Batch) -> Window:
        """A batch written down, and where it is."""
        batch = _gathered(batch)
        events = edition.events_of(batch)
        self._note(edition, events, batch)
        first = self._groups
        self._write(batch.games)
        window = Window(
            batch.name,
            str(batch.published),
            str(batch.closes),
            batch.opens_edition,
            self._number(batch.register),
            first,
            self._groups,
            tuple(
                (adjustment.adjustment_id, adjustment.speed, adjustment.points)
                for adjustment in self._past.plans.adjustments(batch.name)
            ),
        )
        ids = np.array([event.event_id for event in batch.events], np.str_)
        array_files.save(self._made.events(window), **events._asdict(), event_id=ids)
        return window

    def _note(self, edition: PartitionedBook, events: EventColumns, batch: Batch) -> None:
        """Games that enter are not taken again, where an event was reported anew."""
        selection = self._past.selection
        if not selection.has_repeated_events:
            return
        enters = edition.decide(events, batch, self._made.shape).why == ENTERS
        event = np.repeat(events.number, batch.last - batch.first)
        games = batch.games
        selection.add_entered(event[enters], games.round[enters], games.white[enters], games.black[enters])

    def _write(self, games: Games) -> None:
        """The games in row groups."""
        for start in range(0, len(games.round), self._made.row_group):
            rows = slice(start, start + self._made.row_group)
            table = pa.table({name: column[rows] for name, column in games._asdict().items()})
            self._writer.write_table(table, row_group_size=self._made.row_group)
            self._groups += 1

    def _number(self, register: Register) -> int:
        """The register's number; it is written when it is another than before."""
        if register is not self._register:
            self._register = register
            self._registers += 1
            array_files.save(self._made.register(self._registers), **register._asdict())
        return self._registers


def _gathered(batch: Batch) -> Batch:
    """The batch with its own games alone, those of its events one after another."""
    lengths = batch.last - batch.first
    last = np.cumsum(lengths)
    first = last - lengths
    rows = np.arange(lengths.sum()) + np.repeat(batch.first - first, lengths)
    games = type(batch.games)(*(column[rows] for column in batch.games))
    return batch._replace(games=games, first=first, last=last)
