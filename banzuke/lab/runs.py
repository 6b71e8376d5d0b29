"""Runs of the laboratory side by side: each by itself in a process, what is finished kept, the rest resumed.

A run's findings are numbers by name, in arrays; NaN where there is none. A finished run is kept under a name
made of all that decides it, so that a run asked again, with other ones or after an interruption, is read.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import signal
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import special

from banzuke.lab.tables import sheet_of
from banzuke.office.new_file import write_whole
from banzuke.office.rating_run import silent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from banzuke.lab.tables import Cell, Note, Sheet
    from banzuke.lab.truth import Floats
    from banzuke.office.rating_run import Progress

    Findings = dict[str, Floats]

#: How sure an interval is.
CONFIDENCE = 0.95


class Estimate(NamedTuple):
    """A mean over runs, and the interval that holds the true one 95 times in 100; NaN where unknown."""

    mean: float
    low: float
    high: float

    @property
    def cells(self) -> tuple[float | None, ...]:
        """The three as a table has them: None where unknown."""
        return tuple(None if np.isnan(value) else float(value) for value in self)


def estimate(values: Floats) -> Estimate:
    """The mean over runs with Student's interval; runs without a value do not count."""
    known = values[~np.isnan(values)]
    if not len(known):
        return Estimate(np.nan, np.nan, np.nan)
    mean = float(known.mean())
    if len(known) == 1:
        return Estimate(mean, np.nan, np.nan)
    reach = special.stdtrit(len(known) - 1, (1 + CONFIDENCE) / 2) * known.std(ddof=1) / len(known) ** 0.5
    return Estimate(mean, mean - reach, mean + reach)


class Part(NamedTuple):
    """One sheet of an answer: its name, and its columns and rows but for that of the variant.

    `rows` takes the findings of a variant, each with the runs as its first axis.
    """

    name: str
    columns: tuple[str, ...]
    rows: Callable[[Findings], Iterator[tuple[Cell, ...]]]


def sheets(
    task: Callable[[Any], Findings],
    jobs: Mapping[str, Sequence[Any]],
    parts: Sequence[Part],
    notes: tuple[Note, ...],
    *,
    kept: Path | None = None,
    processes: int | None = None,
    progress: Progress = silent,
) -> list[Sheet]:
    """The sheets of those parts, from the runs of each variant by its name.

    `task`, `kept`, `processes`, `progress` are those of `run_all`.
    """
    found = iter(run_all(task, [job for own in jobs.values() for job in own], kept, processes, progress))
    stacked = {name: _stacked([next(found) for _ in own]) for name, own in jobs.items()}
    return [
        sheet_of(
            f"simulated_{part.name}",
            f"simulated-{part.name}",
            ("variant", *part.columns),
            [(name, *row) for name, findings in stacked.items() for row in part.rows(findings)],
            notes,
        )
        for part in parts
    ]


def _stacked(found: Sequence[Findings]) -> Findings:
    """The findings of several runs, each with the runs before its other axes."""
    return {name: np.stack([findings[name] for findings in found]) for name in found[0]}


def run_all(
    task: Callable[[Any], Findings],
    jobs: Sequence[Any],
    kept: Path | None = None,
    processes: int | None = None,
    progress: Progress = silent,
) -> list[Findings]:
    """What the task finds for each job, in their order.

    `task` is a function of a module; a job says by its `repr` all that decides what is found. With the folder
    `kept`, made where missing, finished runs are read from it and put there one by one; an interruption
    loses those under way. `processes` is as many as there are cores, unless said. `progress(done, all, "")`
    is called after each run. Raises OSError, and what the task raises.
    """
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
    found = {place: _read(kept, task, job) for place, job in enumerate(jobs)}
    done = {place: findings for place, findings in found.items() if findings is not None}
    due = [place for place in found if place not in done]
    progress(len(done), len(jobs), "")
    for place, findings in _side_by_side(task, jobs, due, processes or os.cpu_count() or 1):
        done[place] = findings
        _keep(kept, task, jobs[place], findings)
        progress(len(done), len(jobs), "")
    return [done[place] for place in range(len(jobs))]


def _side_by_side(
    task: Callable[[Any], Findings], jobs: Sequence[Any], due: Sequence[int], processes: int
) -> Any:
    """The findings of the jobs due with their places, as they come; in this process where one is enough."""
    if min(processes, len(due)) <= 1:
        yield from ((place, task(jobs[place])) for place in due)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(processes, len(due)), context, initializer=_left_to_parent) as pool:
        places = {pool.submit(task, jobs[place]): place for place in due}
        try:
            for future in as_completed(places):
                yield places[future], future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _left_to_parent() -> None:
    """An interruption from the keyboard is the parent's to answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _place(kept: Path, task: Callable[[Any], Findings], job: Any) -> Path:
    decides = repr((version("banzuke"), task.__module__, task.__qualname__, job))
    return kept / f"{hashlib.sha256(decides.encode()).hexdigest()[:32]}.json"


def _read(kept: Path | None, task: Callable[[Any], Findings], job: Any) -> Findings | None:
    if kept is None or not (path := _place(kept, task, job)).exists():
        return None
    return {name: np.array(values, np.float64) for name, values in json.loads(path.read_bytes()).items()}


def _keep(kept: Path | None, task: Callable[[Any], Findings], job: Any, findings: Findings) -> None:
    if kept is not None:
        plain = {name: values.tolist() for name, values in findings.items()}
        write_whole(_place(kept, task, job), json.dumps(plain).encode())
