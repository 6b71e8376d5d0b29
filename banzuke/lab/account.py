"""The points account of a pool by its rules and by others; `soundness` stands on the same findings."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from banzuke.core.fault import RefusedError, fault
from banzuke.core.gc_pause import uncollected
from banzuke.engine.columnar.account_columns import COLUMNS, account_columns
from banzuke.engine.columnar.account_sums import GROUPS, TOTALS, YEARS, group_rows, total_rows, year_rows
from banzuke.engine.columnar.chess_reader import ChessColumns
from banzuke.engine.columnar.go_reader import GoColumns
from banzuke.engine.columnar.readable_lists import ledger_of, read_any
from banzuke.engine.history import history, list_names
from banzuke.engine.parallel_runs import Findings
from banzuke.engine.points_account import POINT
from banzuke.engine.rating_run import Progress
from banzuke.lab.chess_histories import parts_of_ledger
from banzuke.lab.comparison import Job, Question, read_once, run_variants
from banzuke.lab.forecasts import expect_ahead
from banzuke.lab.prediction import AGE_GROUPS, AGES
from banzuke.lab.sheets import Cell, Sheet, named_sheet

Row = Sequence[Cell]


class AccountTables(NamedTuple):
    """A ledger, and the tables of COLUMNS by variant; players and speeds by their places."""

    columns: ChessColumns
    tables: Mapping[str, Findings]

    def sheet(self, name: str, rows: Callable[[Findings], Iterable[Row]]) -> Sheet:
        """The rows of every variant, each of which begins with the place of a speed."""
        speeds = self.columns.pool.speeds
        every = ((variant, *row) for variant, tables in self.tables.items() for row in rows(tables))
        named = ((variant, speeds[int(speed or 0)], *row) for variant, speed, *row in every)
        return named_sheet(name, named)


def find_account(folder: Path, question: Question, progress: Progress) -> AccountTables:
    """What the readable engine finds by each of the variants that are asked for.

    Raises RefusedError for a ledger of Go and as `variants_of` does, UnknownListError, OSError.
    """
    columns = read_any(folder)
    if isinstance(columns, GoColumns):
        raise RefusedError([fault(str(folder), 0, "", "not-chess")])
    list_names(columns, question.until)
    variants = question.variants_of(columns.pool)
    how: Any = {"is_readable": True, "task": keep_account}
    return AccountTables(columns, run_variants(folder, columns, variants, question, progress, **how))


def keep_account(job: Job) -> Findings:
    """The tables of a ledger rated by a variant; for processes and machines of their own."""
    columns, parts = read_once(job.folder, job.digest), list[Findings]()
    if isinstance(columns, ChessColumns):
        for part, names, speeds in parts_of_ledger(columns, job.variant, job.until):
            places = {theirs: columns.pool.speeds.index(own) for own, theirs in speeds.items()}
            with uncollected():
                lists = history(ledger_of(part), names)
                parts.append(account_columns(lists, places, columns.player_numbers, expect_ahead))
    return {name: np.concatenate([part[name] for part in parts]) for name in COLUMNS}


def account_sheets(found: AccountTables) -> list[Sheet]:
    """The account of each variant: by part, by year, by group and year."""
    by_group = partial(group_rows, ages=AGES, age_names=AGE_GROUPS)
    return [
        found.sheet("account", partial(_in_points, total_rows, len(TOTALS))),
        found.sheet("account_years", partial(_in_points, year_rows, YEARS.index("points_before") + 1)),
        found.sheet("account_groups", partial(_in_points, by_group, GROUPS.index("games") + 2)),
    ]


def _in_points(rows: Callable[[Findings], Iterable[Row]], first: int, tables: Findings) -> Iterable[Row]:
    """Rows with points for hundredths from a column on."""
    return ([*row[:first], *(int(cell or 0) / POINT for cell in row[first:])] for row in rows(tables))
