"""A ledger under variants of its rules, each rated in a process or on a machine of its own, and compared.

The first variant is the one that the others are compared with.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from platform import node
from typing import NamedTuple

from banzuke.core.fault import RefusedError, fault
from banzuke.engine.columnar.chess_reader import ChessColumns
from banzuke.engine.columnar.go_reader import GoColumns
from banzuke.engine.columnar.readable_lists import read_any
from banzuke.engine.finished_parts import digest_of_ledger
from banzuke.engine.go_history import moment
from banzuke.engine.history import list_names
from banzuke.engine.parallel_runs import Findings, Spread, run_all
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.lab import chess_comparison, chess_histories, go_comparison, go_histories
from banzuke.lab.sheets import Sheet
from banzuke.lab.variants import Variant, pool_of, variants_of
from banzuke.ledger.pool_rules import Pool
from banzuke.ledger.reforms import Reform

#: Below so many games for all variants together, processes take longer to start than to work; a game that the
#: readable engine rates counts as so many.
FEWEST_GAMES, READABLE = 10_000_000, 100


class Question(NamedTuple):
    """What is asked of a ledger: with which books, settings and reforms, up to which list.

    `kept` is the folder for finished parts (None: none is kept), `published` a file of results by rating gap,
    `spread` a way to have variants and pools rated elsewhere than in processes of this machine. `fide` is a
    rating list of FIDE.
    """

    books: Sequence[str] = ()
    settings: Sequence[str] = ()
    reforms: Sequence[Reform] = ()
    until: str | None = None
    kept: Path | None = None
    published: Path | None = None
    spread: Spread | None = None
    fide: Path | None = None

    def variants_of(self, pool: Pool) -> list[Variant]:
        """The variants of a pool that are asked for. Raises RefusedError as `variants_of` does."""
        return variants_of(pool, self.books, self.settings, self.reforms)


def compare(
    folder: Path, question: Question, progress: Progress = no_progress, processes: int | None = None
) -> list[Sheet]:
    """The ledger of a folder under the variants that are asked for: all sheets of the comparison.

    Raises RefusedError, UnknownListError for an `until` that is no list (of Go: no moment), OSError.
    """
    columns = read_any(folder)
    _ = (moment if isinstance(columns, GoColumns) else partial(list_names, columns))(question.until)
    variants = question.variants_of(columns.pool)
    found = run_variants(folder, columns, variants, question, progress, processes=processes)
    if isinstance(columns, GoColumns):
        return go_comparison.comparison_sheets(columns, found)
    return chess_comparison.comparison_sheets(columns, found)


@dataclass(frozen=True, slots=True)
class Job:
    """A variant to be rated; what it finds is decided by the ledger's content, whatever folder it lies in."""

    folder: Path = field(repr=False)
    digest: str
    variant: Variant
    until: str | None


def run_variant(job: Job) -> Findings:
    """The findings of a ledger rated by a variant; for processes and machines of their own.

    Raises RefusedError for a ledger that does not check, UnknownListError for an `until` that is none.
    """
    columns = read_once(job.folder, job.digest)
    if isinstance(columns, GoColumns):
        return go_histories.findings(columns, job.variant, job.until)
    lists = chess_histories.rated_lists(columns, job.variant, job.until)
    return chess_histories.findings(lists, columns.pool.speeds)


def run_variants(
    folder: Path,
    columns: ChessColumns | GoColumns,
    variants: Sequence[Variant],
    question: Question,
    progress: Progress,
    *,
    is_readable: bool = False,
    processes: int | None = None,
    task: Callable[[Job], Findings] = run_variant,
) -> dict[str, Findings]:
    """The findings of each variant of a ledger, by the variant's name, as `task` finds them.

    Little work is done in this process, unless `processes` says otherwise; `is_readable` says that the task
    rates by the readable engine.
    """
    by_readable = [is_readable or pool_of(columns.pool, each).book_without_twin for each in variants]
    if len(columns.games[0]) * sum(READABLE if each else 1 for each in by_readable) < FEWEST_GAMES:
        processes = processes or 1
    digest = digest_of_ledger(folder)
    jobs = [Job(folder.resolve(), digest, variant, question.until) for variant in variants]
    found = run_all(task, jobs, question.kept, processes, progress, question.spread)
    return {variant.name: each for variant, each in zip(variants, found, strict=True)}


@lru_cache(maxsize=1)
def read_once(folder: Path, digest: str) -> ChessColumns | GoColumns:
    """The ledger, read once a process.

    Raises RefusedError where the folder has another ledger, or none, as that of another machine may.
    """
    if not folder.is_dir():
        raise RefusedError([fault(str(folder), 0, "", "lab-ledger-missing", host=node())])
    if digest_of_ledger(folder) != digest:
        raise RefusedError([fault(str(folder), 0, "", "lab-ledger-other", host=node())])
    return read_any(folder)
