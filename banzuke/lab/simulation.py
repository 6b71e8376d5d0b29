"""Synthetic pools of known strength, rated by every variant of rule books: estimates over several pools.

Every variant rates the same pools, and what is told of each is a mean over them with its interval.
`chess_simulation` and `go_simulation` say what is measured.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from banzuke.lab.intervals import estimate
from banzuke.lab.parallel_runs import Findings, run_all
from banzuke.lab.sheets import Cell, Sheet, note, sheet_of
from banzuke.lab.synthetic_chess_pools import ChessPool
from banzuke.lab.synthetic_go_pools import GoPool
from banzuke.lab.variants import Variant


class Job(NamedTuple):
    """One pool to be made and rated: a `ChessPool` or a `GoPool`."""

    pool: Any
    variant: Variant
    seed: int


class SheetPlan(NamedTuple):
    """One sheet of a simulation: its name, and its columns and rows but for that of the variant.

    `rows` takes the findings of a variant, each with the runs as its first axis.
    """

    name: str
    columns: tuple[str, ...]
    rows: Callable[[Findings], Iterator[tuple[Cell, ...]]]


class Measurement(NamedTuple):
    """What is measured in a run, and the sheets that show it."""

    measure: Callable[[Any], Findings]
    plans: Sequence[SheetPlan]


def simulate(
    measurement: Measurement,
    pool: ChessPool | GoPool,
    variants: Sequence[Variant],
    seeds: int,
    *,
    first_seed: int = 0,
    **how: Any,
) -> list[Sheet]:
    """Pools of that kind rated by every variant: the sheets of the measurement.

    The luck of each pool is that of a seed, from `first_seed` on; `how` is `parallel_runs.run_all`'s.
    """
    jobs = [Job(pool, variant, first_seed + seed) for variant in variants for seed in range(seeds)]
    found = run_all(measurement.measure, jobs, **how)
    by_variant = {
        variant.name: _stack(found[at * seeds : (at + 1) * seeds]) for at, variant in enumerate(variants)
    }
    notes = (note("simulated-pools", seeds=seeds, players=pool.players, years=pool.years),)
    return [
        sheet_of(
            f"simulated_{plan.name}",
            f"simulated-{plan.name}",
            ("variant", *plan.columns),
            [(name, *row) for name, findings in by_variant.items() for row in plan.rows(findings)],
            notes,
        )
        for plan in measurement.plans
    ]


def _stack(found: Sequence[Findings]) -> Findings:
    """The findings of several runs, each with the runs before its other axes."""
    return {name: np.stack([findings[name] for findings in found]) for name in found[0]}


def estimates(found: Findings, names: Sequence[str], *place: int) -> Iterator[Cell]:
    """Of each of these findings the mean over all runs at that place, with its interval."""
    at: Any = slice(None), *place
    return chain.from_iterable(estimate(found[name][at]) for name in names)


def mean(values: NDArray[Any]) -> float:
    """The mean; not a number where there is nothing."""
    return float(values.mean()) if len(values) else np.nan
