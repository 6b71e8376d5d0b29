"""Runs side by side: each by itself in a process, what is finished kept, the rest resumed.

A run's findings are numbers by name, in arrays; NaN where there is none. A finished run is kept
(`finished_parts`), so that a run asked again, with other ones or after an interruption, is read.
"""

import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from banzuke.engine.finished_parts import load_part, store_part
from banzuke.engine.rating_run import Progress, no_progress

Findings = dict[str, NDArray[Any]]
Task = Callable[[Any], Findings]
#: The findings of jobs with their places, as they come; a way to have jobs done elsewhere.
Coming = Generator[tuple[int, Findings], None, None]
Spread = Callable[[Task, Sequence[Any]], Coming]


def run_all(
    task: Task,
    jobs: Sequence[Any],
    kept: Path | None = None,
    processes: int | None = None,
    progress: Progress = no_progress,
    spread: Spread | None = None,
) -> list[Findings]:
    """What the task finds for each job, in their order.

    `task` is a function of a module; a job says by its `repr` all that decides what is found. With the folder
    `kept`, made where missing, finished runs are read from it and put there one by one; an interruption
    loses those under way. `processes` is as many as there are cores, unless said; `spread` does the jobs
    elsewhere. `progress(done, all, "")` is called after each run. Raises OSError, and what the task raises.
    """
    decides = [(task.__module__, task.__qualname__, job) for job in jobs]
    found = enumerate(load_part(kept, each, task.__module__) for each in decides)
    done = {place: findings for place, findings in found if findings is not None}
    due = [place for place in range(len(jobs)) if place not in done]
    progress(len(done), len(jobs), "")
    way = spread or partial(_side_by_side, processes or os.cpu_count() or 1)
    with closing(way(task, [jobs[place] for place in due])) as coming:
        for number, findings in coming:
            done[due[number]] = findings
            store_part(kept, decides[due[number]], task.__module__, findings)
            progress(len(done), len(jobs), "")
    return [done[place] for place in range(len(jobs))]


def _side_by_side(processes: int, task: Task, jobs: Sequence[Any]) -> Coming:
    """The jobs in so many processes; in this one where one is enough."""
    if min(processes, len(jobs)) <= 1:
        yield from enumerate(map(task, jobs))
        return
    context, others = multiprocessing.get_context("spawn"), set(multiprocessing.active_children())
    with ProcessPoolExecutor(min(processes, len(jobs)), context) as pool:
        # an interruption from the keyboard is this process's to answer, not those' begun meanwhile
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            places = {pool.submit(task, job): place for place, job in enumerate(jobs)}
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        try:
            for future in as_completed(places):
                yield places[future], future.result()
        except BaseException:  # whatever waits ends with the processes; cancelled too, it would be a fault
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()
            raise
