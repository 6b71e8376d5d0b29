"""A history rated by a variant of its rules, and what is kept of it so that variants can be compared.

What is kept is small: numbers by name, a row for each rating at the end, each first rating, each list and
each year. Speeds, lists and players are numbers there: their places in `Frame`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import lru_cache
from platform import node
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from banzuke.columnar.batch_columns import MISSING, VERDICTS
from banzuke.columnar.twin import twin_of
from banzuke.core.fault import RefusedError, fault
from banzuke.engine.columnar.chess_reader import read_columns
from banzuke.engine.columnar.columnar_history import history
from banzuke.engine.history import list_names
from banzuke.lab.parallel_runs import run_all
from banzuke.lab.variants import Variant, pool_of
from banzuke.ledger.pool_rules import chess_book

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from banzuke.columnar.batch_columns import Flags, Int32s, Rated, State
    from banzuke.engine.columnar.chess_reader import ChessColumns
    from banzuke.engine.columnar.columnar_history import RatedColumns
    from banzuke.lab.parallel_runs import Findings, Task
    from banzuke.lab.true_expectation import Floats

#: Below so many games for all variants together, processes take longer to start than to work.
FEWEST_GAMES = 10_000_000
#: The columns of what is kept, by its name.
KEPT = {
    "final": ("speed", "player", "rating", "games"),
    "firsts": ("speed", "list", "year", "player", "rating", "earned"),
    "lists": ("speed", "list", "listed", "mean"),
    "years": (
        "speed", "year", "listed_before", "mean_before", "listed", "mean", "stayed", "drift", "played",
        "drift_played", "entered", "mean_entered",
    ),
    "verdicts": ("verdict", "lines"),
}  # fmt: skip


class Frame(NamedTuple):
    """What the numbers in findings stand for: speeds, lists, players (with their names), by their places."""

    speeds: Sequence[str]
    lists: Sequence[str]
    player_ids: Sequence[str]
    names: Sequence[str]


def frame_of(columns: ChessColumns, until: str | None = None) -> Frame:
    """The frame of a ledger. Raises UnknownListError for an `until` that is none of its lists."""
    names = {player.player_id: player.name for player in columns.players}
    of_all = [names.get(player, "") for player in columns.player_ids]
    return Frame(columns.pool.speeds, list_names(columns, until), columns.player_ids, of_all)


@dataclass(frozen=True, slots=True)
class Job:
    """A variant to be rated; what it finds is decided by the ledger's content, whatever folder it lies in."""

    folder: Path = field(repr=False)
    digest: str
    variant: Variant
    until: str | None


def digest_of(folder: Path) -> str:
    """SHA-256 over the names and bytes of a ledger's files."""
    found = hashlib.sha256()
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        with path.open("rb") as stream:
            content = hashlib.file_digest(stream, "sha256").hexdigest()
        found.update(f"{content} {path.name}\n".encode())
    return found.hexdigest()


def found_of(
    run: Task,
    folder: Path,
    games: int,
    variants: Sequence[Variant],
    until: str | None,
    *,
    processes: int | None = None,
    **how: Any,
) -> dict[str, Findings]:
    """What `run` keeps of each variant of a ledger of so many games, by the variant's name.

    `processes` and `how` are `parallel_runs.run_all`'s; small ledgers are rated in this process, unless it is
    said.
    """
    if processes is None and games * len(variants) < FEWEST_GAMES:
        processes = 1
    digest = digest_of(folder)
    jobs = [Job(folder.resolve(), digest, variant, until) for variant in variants]
    found = run_all(run, jobs, processes=processes, **how)
    return {variant.name: each for variant, each in zip(variants, found, strict=True)}


def run_variant(job: Job) -> Findings:
    """What is kept of a ledger rated by a variant; for processes and machines of their own.

    Raises RefusedError for a ledger that does not check, UnknownListError for an `until` that is none.
    """
    columns = _columns(job.folder, job.digest)
    return findings(columns, (each.rated for each in rated_lists(columns, job.variant, job.until)))


@lru_cache(maxsize=1)
def _columns(folder: Path, digest: str) -> ChessColumns:
    """The ledger, read once a process. Raises RefusedError where it is not the one of that digest."""
    see_that_it_is_the_same(folder, digest)
    return read_columns(folder)


def see_that_it_is_the_same(folder: Path, digest: str) -> None:
    """Raise RefusedError where the folder has another ledger, or none, as that of another machine may."""
    if not folder.is_dir():
        raise RefusedError([fault(str(folder), 0, "", "lab-ledger-missing", host=node())])
    if digest_of(folder) != digest:
        raise RefusedError([fault(str(folder), 0, "", "lab-ledger-other", host=node())])


def rated_lists(columns: ChessColumns, variant: Variant, until: str | None = None) -> Iterator[RatedColumns]:
    """The lists of a ledger as a variant rates them, one after another."""
    changed = columns._replace(pool=pool_of(columns.pool, variant))
    return history(changed, list_names(changed, until))


def findings(columns: ChessColumns, lists: Iterable[Rated]) -> Findings:
    """What is kept of those lists, each looked at once, with their lines: arrays of the columns in KEPT."""
    books = [chess_book(edition) for edition in columns.pool.editions]
    kept = _Kept(all_earned=any(twin_of(book).visitors == "unrated" for book in books))
    for place, rated in enumerate(lists):
        kept.take(place, rated)
    return kept.findings()


class _Kept:
    """What is kept of a history while it goes on."""

    def __init__(self, *, all_earned: bool) -> None:
        self._all_earned = all_earned
        self._firsts: list[tuple[float, ...]] = []
        self._lists: list[tuple[float, ...]] = []
        self._years: dict[int, tuple[State, State]] = {}
        self._verdicts = np.zeros(len(VERDICTS), np.int64)
        self._after: State | None = None

    def take(self, place: int, rated: Rated) -> None:
        """Look at one list, the one of that place."""
        self._after = rated.after
        year = rated.batch.published.year
        began, _ = self._years.get(year, (rated.before, rated.after))
        self._years[year] = (began, rated.after)
        self._firsts.extend(_first_rows(place, rated, all_earned=self._all_earned))
        self._lists.extend(_list_rows(place, rated.after))
        if rated.lines is not None:
            self._verdicts += np.bincount(rated.lines.verdict, minlength=len(VERDICTS))

    def findings(self) -> Findings:
        """What was kept."""
        rows: dict[str, Sequence[tuple[float, ...]]] = {
            "final": [] if self._after is None else list(_final_rows(self._after)),
            "firsts": self._firsts,
            "lists": self._lists,
            "years": [row for year, ends in self._years.items() for row in _year_rows(year, *ends)],
            "verdicts": [row for row in enumerate(self._verdicts.tolist()) if row[1]],
        }
        return {name: _array(rows[name], len(columns)) for name, columns in KEPT.items()}


def _array(rows: Sequence[tuple[float, ...]], width: int) -> Floats:
    return np.array(rows, np.float64).reshape(len(rows), width)


def _final_rows(state: State) -> Iterator[tuple[float, ...]]:
    """Every rating, by speed, then by player."""
    for speed, player in np.argwhere(state.value != MISSING).tolist():
        yield speed, player, int(state.value[speed, player]), int(state.games[speed, player])


def _first_rows(place: int, rated: Rated, *, all_earned: bool) -> Iterator[tuple[float, ...]]:
    """Who is listed for the first time, and whether by games or by a rating taken over.

    Where no book takes ratings over, it is always by games.
    """
    is_new = (rated.after.value != MISSING) & (rated.before.value == MISSING)
    for speed, player in np.argwhere(is_new).tolist():
        is_earned = all_earned or bool(rated.after.earned[speed, player])
        year, value = rated.batch.published.year, int(rated.after.value[speed, player])
        yield speed, place, year, player, value, is_earned


def _list_rows(place: int, after: State) -> Iterator[tuple[float, ...]]:
    """How many are listed at each speed, and their mean."""
    for speed, value in enumerate(after.value):
        is_listed = value != MISSING
        if is_listed.any():
            yield speed, place, *counted(value, is_listed)


def _year_rows(year: int, before: State, after: State) -> Iterator[tuple[float, ...]]:
    """A year at each speed: those listed before it and after it, and those at both ends by themselves."""
    for speed, (old, new) in enumerate(zip(before.value, after.value, strict=True)):
        was, is_now = old != MISSING, new != MISSING
        stayed = was & is_now
        played = stayed & (after.games[speed] > before.games[speed])
        if is_now.any():
            ends = *counted(old, was), *counted(new, is_now)
            drift = *counted(new - old, stayed), *counted(new - old, played)
            yield speed, year, *ends, *drift, *counted(new, is_now & ~was)


def counted(values: Int32s | Floats, chosen: Flags) -> tuple[int, float]:
    """How many are chosen, and their mean; not a number where there are none."""
    mean = float(values[chosen].mean(dtype=np.float64)) if chosen.any() else np.nan
    return int(np.count_nonzero(chosen)), mean
