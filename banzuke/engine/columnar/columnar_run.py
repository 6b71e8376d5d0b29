"""Rate a whole ledger by the fast twins and write the contract's files: whole, or not at all."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from banzuke.core.rulebook import Family
from banzuke.engine import go_history
from banzuke.engine.columnar.chess_reader import read_columns
from banzuke.engine.columnar.columnar_history import history
from banzuke.engine.columnar.go_reader import GoColumns, read_go
from banzuke.engine.columnar.go_run import rate_go
from banzuke.engine.columnar.result_columns import change_table, list_table, verdicts_of
from banzuke.engine.columnar.result_files import chess_sheets
from banzuke.engine.history import list_names
from banzuke.engine.rating_run import Summary, silent, staged
from banzuke.ledger.folder import read_ledger
from banzuke.ledger.pool_rules import read_pool

if TYPE_CHECKING:
    from pathlib import Path

    from banzuke.core.fault import Fault
    from banzuke.engine.columnar.chess_reader import ChessColumns
    from banzuke.engine.rating_run import Progress


def read(folder: Path) -> ChessColumns | GoColumns:
    """The ledger of a folder in columns. Raises RefusedError as `read_ledger` does."""
    faults: list[Fault] = []
    pool = read_pool(folder, faults)
    if pool is None:
        read_ledger(folder)  # which says what is wrong with it
    return read_go(folder) if pool and pool.family is Family.GO else read_columns(folder)


def rate_columnar(
    columns: ChessColumns | GoColumns,
    out: Path,
    until: str | None = None,
    *,
    as_parquet: bool = False,
    progress: Progress = silent,
) -> Summary:
    """As `rating_run.rate_ledger`, by the fast twins: the same files, byte for byte."""
    if isinstance(columns, GoColumns):
        go_history.moment(until)
        with staged(out) as stage:
            return rate_go(columns, stage, until, progress, as_parquet=as_parquet)
    names = list_names(columns, until)
    with staged(out) as stage:
        return _rate_chess(columns, names, stage, progress, as_parquet=as_parquet)


def _rate_chess(
    columns: ChessColumns, names: list[str], stage: Path, progress: Progress, *, as_parquet: bool
) -> Summary:
    verdicts: Counter[str] = Counter()
    with chess_sheets(stage, as_parquet=as_parquet) as sheets:
        for number, made in enumerate(history(columns, names)):
            progress(number, len(names), made.rated.batch.name)
            sheets.append("changes", change_table(made, columns.player_ids))
            sheets.append("lists", list_table(made, columns.player_ids))
            if made.rated.lines is not None:
                verdicts += verdicts_of(made.rated.lines)
    progress(len(names), len(names), "")
    return Summary(names, verdicts.total(), verdicts, 0)
