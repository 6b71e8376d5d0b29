"""The ledger folder: read whole or refused with all its faults, and written without loss."""

import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from banzuke.core.facts import Adjustment, Club, Event, Game, Membership, Opening, Player
from banzuke.core.fault import MOST_FAULTS, Fault, RefusedError, fault
from banzuke.core.gc_pause import uncollected
from banzuke.core.go_facts import Declaration, GoGame, GoOpening, GoPlayer
from banzuke.ledger import parquet
from banzuke.ledger.checks import check_chess, check_go
from banzuke.ledger.csv_table import is_special, read_csv, write_csv
from banzuke.ledger.pool_files import FolderFiles, PoolFiles, TextFiles
from banzuke.ledger.pool_rules import Pool, read_pool
from banzuke.ledger.records import Rows, by_event
from banzuke.ledger.schema import Table, tables_of

#: A cell or a name is shown as far as this in a fault.
LONGEST = 300
WIDE_BLANK = "\u3000"


#: What a new table may be used for: its owner writes, others read.
NEW_FILE = 0o644
#: Those of the folder of a new ledger: as the user wants it, or the owner's only.
FOLDER, PRIVATE_FOLDER = 0o777, 0o700


@dataclass(frozen=True, slots=True)
class ChessLedger:
    """A chess pool's whole memory; `games` maps an event id to its games."""

    pool: Pool
    players: list[Player]
    clubs: list[Club]
    memberships: list[Membership]
    events: list[Event]
    games: dict[str, list[Game]]
    standings: list[Opening]
    adjustments: list[Adjustment] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class GoLedger:
    """A Go pool's whole memory; games in the order of the file."""

    pool: Pool
    players: list[GoPlayer]
    games: list[GoGame]
    declarations: list[Declaration]
    standings: list[GoOpening]


Ledger = ChessLedger | GoLedger


def read_ledger(folder: Path) -> Ledger:
    """The ledger of a folder.

    Raises RefusedError with all its faults (at most 100), each with file, line and column.
    """
    faults: list[Fault] = []
    try:
        names = {path.name for path in folder.iterdir()}
    except (OSError, ValueError):  # ValueError: a name that no folder can have
        raise _refusal([fault(str(folder), 0, "", "no-folder")]) from None
    pool = read_pool(folder, faults)
    if pool is None:
        raise _refusal(faults)
    faults += tables_of_chess(names, pool)
    with uncollected():
        tables = {table.name: read_table(folder, names, table, faults) for table in tables_of(pool)}
        (check_go if pool.is_go else check_chess)(pool, tables, faults)
    if faults:
        places = {name: place for place, name in enumerate(tables)}
        raise _refusal(sorted(faults, key=lambda f: (places.get(f.file.rpartition(".")[0], -1), f.line)))
    return ledger_of(pool, {name: rows.records for name, rows in tables.items()})


def read_chess_ledger(folder: Path) -> ChessLedger:
    """The ledger of a chess pool. Raises RefusedError as `read_ledger` does, and for a Go pool."""
    ledger = read_ledger(folder)
    if isinstance(ledger, GoLedger):
        raise RefusedError([fault(str(folder), 0, "", "not-chess")])
    return ledger


def read_go_ledger(folder: Path) -> GoLedger:
    """The ledger of a Go pool. Raises RefusedError as `read_ledger` does, and for a chess pool."""
    ledger = read_ledger(folder)
    if isinstance(ledger, ChessLedger):
        raise RefusedError([fault(str(folder), 0, "", "not-go")])
    return ledger


def _refusal(faults: list[Fault]) -> RefusedError:
    """The first faults, made fit to be printed on a line each."""
    return RefusedError(
        [
            f._replace(
                file=_printable(f.file),
                column=_printable(f.column)[:LONGEST],
                facts=tuple((name, _shorten(_printable(fact))) for name, fact in f.facts),
            )
            for f in faults[:MOST_FAULTS]
        ]
    )


def _printable(text: str) -> str:
    """The text with its controls and other invisible characters as escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == WIDE_BLANK else ascii(c)[1:-1] for c in text)


def _shorten(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def read_table(folder: Path, names: set[str], table: Table, faults: list[Fault]) -> Rows:
    """The rows of a table, from CSV or Parquet; `names` are those in the folder, `faults` grows."""
    as_csv, as_parquet = f"{table.name}.csv", f"{table.name}.parquet"
    if names >= {as_csv, as_parquet}:
        faults.append(fault(as_parquet, 0, "", "two-files", other=as_csv))
    elif as_csv in names and is_special(folder / as_csv):
        faults.append(fault(as_csv, 0, "", "not-a-file"))
    elif as_csv in names:
        return read_csv(folder / as_csv, table, faults)
    elif as_parquet in names and is_special(folder / as_parquet):
        faults.append(fault(as_parquet, 0, "", "not-a-file"))
    elif as_parquet in names:
        return parquet.read(folder / as_parquet, table, faults)
    elif not table.optional_file:
        columns, others = ", ".join(table.columns), files_like(table, names)
        if others:
            facts = {"other": ", ".join(others), "wanted": as_csv, "columns": columns}
            faults.append(fault(as_csv, 0, "", "missing-file-like", **facts))
        else:
            faults.append(fault(as_csv, 0, "", "missing-file", columns=columns))
    else:
        return Rows(as_csv)
    return Rows(as_csv, is_whole=False)


def tables_of_chess(names: Iterable[str], pool: Pool) -> list[Fault]:
    """A fault for a table among the names that decides ratings of chess, in a pool of Go."""
    files = ("adjustments.csv", "adjustments.parquet") if pool.is_go else ()
    return [fault(name, 0, "", "go-adjustments") for name in files if name in names]


def files_like(table: Table, names: Iterable[str]) -> list[str]:
    """Files among the names that are called as the table, but are not read: `players.xlsx`, `Players.csv`."""
    read = (f"{table.name}.csv", f"{table.name}.parquet")
    return sorted(name for name in names if name.partition(".")[0].lower() == table.name and name not in read)


def unread_files(folder: Path, pool: Pool) -> list[Fault]:
    """A warning for each file that is called as a table, but is not read."""
    names = {path.name for path in folder.iterdir()}
    return [
        fault(name, 0, "", "warn-unread", wanted=f"{table.name}.csv")
        for table in tables_of(pool)
        for name in files_like(table, names)
    ]


def ledger_of(pool: Pool, tables: dict[str, list[Any]]) -> Ledger:
    """The ledger with those records, by table."""
    if pool.is_go:
        return GoLedger(pool, **tables)
    lists = {name: records for name, records in tables.items() if name != "games"}
    return ChessLedger(pool, games=by_event(tables["games"]), **lists)


def records_of(ledger: Ledger, table: Table) -> list[Any]:
    """The records of one of the ledger's tables, in the order in which they are written."""
    if isinstance(ledger, ChessLedger) and table.name == "games":
        return [game for games in ledger.games.values() for game in games]
    records: list[Any] = getattr(ledger, table.name)
    return records


def replace_tables(
    folder: Path, tables: dict[str, list[Any]], schema: tuple[Table, ...], mode: int = NEW_FILE
) -> None:
    """Write tables (by name) of a ledger folder anew as CSV: all of them or, on a fault, none.

    Every file is written beside the old one first; then they are put in place. A Parquet file of
    a table that was written goes: a table is one file. `mode` is a new file's.
    """
    staged: list[tuple[Path, Path]] = []
    try:
        for table in schema:
            if table.name in tables:
                target = (folder / f"{table.name}.csv").resolve()
                handle, name = tempfile.mkstemp(prefix=f".{table.name}.", suffix=".part", dir=target.parent)
                staged.append((Path(name), target))
                with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
                    write_csv(stream, table, tables[table.name])
        for part, target in staged:
            part.chmod(target.stat().st_mode if target.exists() else mode)
            part.replace(target)
            (folder / target.name).with_suffix(".parquet").unlink(missing_ok=True)
    finally:
        for part, _ in staged:
            part.unlink(missing_ok=True)


def write_ledger(
    ledger: Ledger,
    source: Path | Mapping[str, str],
    folder: Path,
    *,
    as_parquet: bool = False,
    mode: int = NEW_FILE,
) -> None:
    """Write a ledger as a new folder, its pool.toml and the files that it names from `source`.

    `source` is a folder, or texts by their files' names; `mode` is what others may do with the files and,
    by it, with the folder. The tables are CSV files, or Parquet (extra `bulk`).

    Raises FileExistsError where the folder is there already; nothing is left of a folder that
    could not be written whole.
    """
    folder.mkdir(FOLDER if mode == NEW_FILE else PRIVATE_FOLDER, parents=True)
    try:
        files = FolderFiles(source) if isinstance(source, Path) else TextFiles(source)
        _write_files(ledger, files, folder, mode)
        if as_parquet:
            _convert(folder, tables_of(ledger.pool))
    except BaseException:
        shutil.rmtree(folder)
        raise


def _convert(folder: Path, schema: tuple[Table, ...]) -> None:
    for table in schema:
        path = folder / f"{table.name}.csv"
        if path.exists():
            whole = frozenset(name for name, kind in table.columns.items() if kind.is_whole)
            parquet.convert(path, whole)


def _write_files(ledger: Ledger, source: PoolFiles, folder: Path, mode: int) -> None:
    schema = tables_of(ledger.pool)
    for name in ledger.pool.files:
        path = folder / name
        path.touch(mode)
        path.write_bytes(source.data(name))
    tables = {table.name: records_of(ledger, table) for table in schema}
    present = {name: rows for name, rows in tables.items() if rows}
    required = {table.name: tables[table.name] for table in schema if not table.optional_file}
    replace_tables(folder, present | required, schema, mode)
