"""Units of work: some of a window's row groups, decided and added up on one of many machines.

A unit reads its own games, rates them on the standings that the driver has written, and writes its lines and
its integer sums as files. A unit that is done again writes the same files.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pyarrow import Table
from pyarrow import parquet as pq

from banzuke.columnar.batch_columns import Batch, Flags, Games, Register, Waiting, nothing_waits
from banzuke.columnar.partitioned_batches import EventColumns, Seats, Sums
from banzuke.columnar.twin import partitioned_book
from banzuke.engine.columnar.result_columns import line_table, verdicts_of
from banzuke.engine.spark import array_files
from banzuke.engine.spark.ledger_preparation import Prepared, Window
from banzuke.table_writer.coded_columns import csv_blocks

#: Games that a unit has in memory at a time, in whole row groups.
GAMES_AT_ONCE = 1 << 20


class Work(NamedTuple):
    """What every unit of a window needs to know: `folder` takes its files, `bounds` divide the row groups.

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
        return self.folder / "standing.npz"

    def players(self, unit: int) -> Path:
        """Who plays in the games of a unit that enter."""
        return self.folder / f"players-{unit}.npz"

    def fresh(self, unit: int) -> Path:
        """A unit's new games for first ratings."""
        return self.folder / f"fresh-{unit}.npz"

    def sums(self, unit: int) -> Path:
        """A unit's sums: places in the standings, hundredths of points, games counted; lines by verdict."""
        return self.folder / f"sums-{unit}.npz"

    def changes(self, unit: int) -> Path:
        """A unit's rows of changes.csv."""
        return changes_of(self.folder, unit)


def changes_of(folder: Path, unit: int) -> Path:
    """Where a unit writes its rows of changes.csv."""
    return folder / f"changes-{unit}.csv"


class _Group(NamedTuple):
    """Games of some row groups as a batch, what the edition says of their events, and these events' ids."""

    batch: Batch
    events: EventColumns
    ids: tuple[str, ...]


def decide_unit(work: Work, unit: int) -> None:
    """Write who plays in the unit's games that enter."""
    edition = partitioned_book(work.book, work.settings)
    plays = np.zeros(work.prepared.shape, np.bool_)
    for group in _groups(work, unit):
        plays[edition.decide(group.events, group.batch, work.prepared.shape).seats] = True
    array_files.save(work.players(unit), plays=plays)


def find_players(work: Work) -> Flags:
    """By speed and player, who plays in one of the window's games that enter."""
    found = np.zeros(work.prepared.shape, np.bool_)
    for unit in work.units:
        found |= array_files.load(work.players(unit))["plays"]
    return found


def add_up_unit(work: Work, unit: int) -> None:
    """Write the unit's sums, its lines, how many have which verdict, and its new games for first ratings."""
    edition = partitioned_book(work.book, work.settings)
    shape, ids = work.prepared.shape, _player_ids(work.prepared.ids)
    now = array_files.load_state(work.standing)
    total, counted = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    verdicts, fresh = Counter[str](), [nothing_waits()]
    part = array_files.unfinished(work.changes(unit))
    with part.open("wb") as changes:
        for group in _groups(work, unit):
            decided = edition.decide(group.events, group.batch, shape)
            sums, lines = edition.add_up(group.events, group.batch, decided, now, with_lines=True)
            total[sums.seats] += sums.total
            counted[sums.seats] += sums.counted
            fresh.append(sums.fresh)
            if lines is not None:
                verdicts += verdicts_of(lines.verdict)
                events = edition.speeds_of(group.events), group.ids
                table = line_table(work.window.name, lines, events, edition.clauses, ids)
                changes.writelines(csv_blocks(table))
    part.replace(work.changes(unit))
    array_files.save(work.fresh(unit), **_joined(fresh)._asdict())
    place = np.flatnonzero((total != 0) | (counted != 0))
    array_files.save(
        work.sums(unit),
        place=place,
        total=total.ravel()[place],
        counted=counted.ravel()[place],
        verdicts=np.array(list(verdicts), np.str_),
        lines=np.array(list(verdicts.values()), np.int64),
    )


def sum_units(work: Work, seats: Seats) -> tuple[Sums, Counter[str]]:
    """The sums of all units for the players of the window, and its lines by verdict.

    Five million rows take 0.3 s so; through Java, grouped and summed by Spark, they took 11 s on two cores.
    """
    total, counted = (np.zeros(work.prepared.shape, kind) for kind in (np.int64, np.int32))
    verdicts = Counter[str]()
    for unit in work.units:
        found = array_files.load(work.sums(unit))
        total.reshape(-1)[found["place"]] += found["total"]
        counted.reshape(-1)[found["place"]] += found["counted"].astype(np.int32)
        verdicts += Counter(dict(zip(found["verdicts"].tolist(), found["lines"].tolist(), strict=True)))
    fresh = _joined([Waiting(**array_files.load(work.fresh(unit))) for unit in work.units])
    return Sums(seats, total[seats], counted[seats], fresh), verdicts


def _joined(parts: list[Waiting]) -> Waiting:
    """Games on file, one part after another."""
    columns: Any = zip(*parts, strict=True)
    return Waiting(*map(np.concatenate, columns))


def _groups(work: Work, unit: int) -> Iterator[_Group]:
    """The row groups of a unit, some at a time."""
    window, prepared = work.window, work.prepared
    register = _register(prepared.register(window.register))
    columns = array_files.load(prepared.events(window))
    ids = tuple(columns.pop("event_id").tolist())
    events = EventColumns(**columns)
    at_once = max(1, GAMES_AT_ONCE // prepared.row_group)
    first, last = work.bounds[unit : unit + 2]
    with pq.ParquetFile(prepared.games) as file:
        for number in range(first, last, at_once):
            games = _games(file.read_row_groups(range(number, min(number + at_once, last))))
            start = (number - window.first) * prepared.row_group
            touched, own = _touched(events, start, len(games.round))
            batch = Batch(
                window.name, date.fromisoformat(window.published), date.fromisoformat(window.closes), (),
                own.number, own.first, own.last, games, register, window.opens_edition, (), (),
            )  # fmt: skip
            yield _Group(batch, own, ids[touched])


def _games(table: Table) -> Games:
    """The games of row groups; copies, as kernels are compiled anew for arrays that cannot be written."""
    return Games(*(np.array(table[name].to_numpy()) for name in Games._fields))


def _touched(events: EventColumns, start: int, games: int) -> tuple[slice, EventColumns]:
    """Which events have some of the games from `start` on, and these, as far as they have them."""
    first = int(np.searchsorted(events.last, start, side="right"))
    touched = slice(first, int(np.searchsorted(events.first, start + games, side="left")))
    own = EventColumns(**{name: column[touched] for name, column in events._asdict().items()})
    return touched, own._replace(
        first=np.maximum(own.first - start, 0), last=np.minimum(own.last - start, games)
    )


@lru_cache(maxsize=1)
def _register(path: Path) -> Register:
    """A register, read once by a process for the windows that follow each other with it."""
    return Register(**array_files.load(path))


@lru_cache(maxsize=1)
def _player_ids(path: Path) -> tuple[str, ...]:
    """The players' ids, read once by a process."""
    return tuple(array_files.load(path)["player_id"].tolist())
