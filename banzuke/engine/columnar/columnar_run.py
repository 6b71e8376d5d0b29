"""Rate a whole ledger by the fast twins and write the contract's files: whole, or not at all."""

from collections import Counter
from datetime import datetime
from pathlib import Path

import numpy as np

from banzuke.core.fault import Fault, RefusedError, fault
from banzuke.engine import go_history
from banzuke.engine.columnar.chess_reader import ChessColumns, read_columns
from banzuke.engine.columnar.columnar_history import history
from banzuke.engine.columnar.go_columnar_history import RunningGoHistory
from banzuke.engine.columnar.go_reader import GoColumns, read_go
from banzuke.engine.columnar.result_columns import (
    adjusted_tables,
    change_table,
    go_change_table,
    go_standing_table,
    list_table,
    verdicts_of,
)
from banzuke.engine.columnar.result_files import chess_files, go_files
from banzuke.engine.history import list_names
from banzuke.engine.rating_run import Progress, Summary, no_progress, staging_folder
from banzuke.engine.result_rows import LISTS, list_header
from banzuke.ledger.folder import read_ledger
from banzuke.ledger.pool_rules import FILE, read_pool

#: Games of Go rated and written at a time.
STRETCH = 1 << 15


def read(folder: Path) -> ChessColumns | GoColumns:
    """The ledger of a folder in columns. Raises RefusedError as `read_ledger` does.

    A pool is refused, too, that the fast twins cannot rate.
    """
    faults: list[Fault] = []
    pool = read_pool(folder, faults)
    if pool is None:
        read_ledger(folder)  # which says what is wrong with it
    without = pool and pool.book_without_twin
    if without:
        raise RefusedError([fault(FILE, 0, "edition", "columnar-twin", book=without.name)])
    return read_go(folder) if pool and pool.is_go else read_columns(folder)


def rate_columnar(
    columns: ChessColumns | GoColumns,
    out: Path,
    until: str | None = None,
    *,
    as_parquet: bool = False,
    progress: Progress = no_progress,
) -> Summary:
    """As `rating_run.rate_ledger`, by the fast twins: the same files, byte for byte."""
    if isinstance(columns, GoColumns):
        at = go_history.moment(until)
        with staging_folder(out) as stage:
            return _rate_go(columns, stage, at, progress, as_parquet=as_parquet)
    names = list_names(columns, until)
    with staging_folder(out) as stage:
        return _rate_chess(columns, names, stage, progress, as_parquet=as_parquet)


def _rate_chess(
    columns: ChessColumns, names: list[str], stage: Path, progress: Progress, *, as_parquet: bool
) -> Summary:
    verdicts: Counter[str] = Counter()
    more = list_header(columns.pool.editions)[len(LISTS) :]
    with chess_files(stage, columns.pool, as_parquet=as_parquet) as files:
        for number, made in enumerate(history(columns, names)):
            progress(number, len(names), made.rated.batch.name)
            files.append("changes", change_table(made, columns.player_ids))
            files.append("lists", list_table(made, columns.player_ids, more))
            for table in adjusted_tables(made, columns.player_ids):
                files.append("adjusted", table)
            if made.rated.lines is not None:
                verdicts += verdicts_of(made.rated.lines.verdict)
    progress(len(names), len(names), "")
    return Summary(names, verdicts.total(), verdicts, 0)


def _rate_go(
    columns: GoColumns, stage: Path, until: datetime | None, progress: Progress, *, as_parquet: bool
) -> Summary:
    """Games in stretches; `progress` is called between them."""
    running, all_games = RunningGoHistory(columns), len(columns.games.ended)
    verdicts: Counter[str] = Counter()
    games, declarations = running.rows_until(until)
    declared, ignored = columns.declarations.at, 0
    with go_files(stage, as_parquet=as_parquet) as files:
        for first in range(0, max(games, 1), STRETCH):
            last = min(first + STRETCH, games)
            if last > first:
                progress(first, all_games, columns.game_ids[first].as_py())
            # A declaration after the last game is in the last stretch.
            ends = columns.games.ended[last - 1 : last]
            until_row = declarations if last == games else int(np.searchsorted(declared, ends, "right")[0])
            stretch, rated = running.rate(last, until_row)
            ignored += rated.ignored
            if rated.lines is not None and len(rated.lines):
                verdicts += verdicts_of(rated.lines["judgement"], running.verdicts)
                files.append("changes", go_change_table(running, stretch, rated.lines))
        files.append("standings", go_standing_table(running))
    progress(all_games, all_games, "")
    return Summary([], verdicts.total(), verdicts, ignored)
