"""Synthetic pools of known strength, rated by every variant of rule books: estimates over several pools.

Every variant rates the same pools, and what is told of each is a mean over them with its interval.
`chess_simulation` and `go_simulation` say what is measured.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from banzuke.lab.intervals import estimate
from banzuke.lab.parallel_runs import Findings, run_all
from banzuke.lab.sheets import Cell, Sheet, note, sheet_of, with_ends
from banzuke.lab.synthetic_chess_pools import ChessPool
from banzuke.lab.synthetic_go_pools import GoPool
from banzuke.lab.true_expectation import Floats
from banzuke.lab.variants import Variant

#: Years from the opening list on, more than are ever simulated.
YEARS = range(10_000)


class Job(NamedTuple):
    """One pool to be made and rated: a `ChessPool` or a `GoPool`."""

    pool: Any
    variant: Variant
    seed: int


class SheetPlan(NamedTuple):
    """One sheet of a simulation.

    `places` are the columns that say what a row is of, each with what stands there: an axis of the findings
    each. `figures` are the others: the finding `<sheet>_<column>`, and how it is told from its values in all
    runs. Rows of no players are left out.
    """

    name: str
    places: Mapping[str, Sequence[Cell]]
    figures: Mapping[str, Callable[[Floats], tuple[Cell, ...]]]


#: What is measured in a run, and the sheets that show it.
Measurement = tuple[Callable[[Job], Findings], Sequence[SheetPlan]]


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
    measure, plans = measurement
    found = run_all(measure, jobs, **how)
    by_variant = [(each.name, found[at * seeds : (at + 1) * seeds]) for at, each in enumerate(variants)]
    notes = (note("simulated-pools", seeds=seeds, players=pool.players, years=pool.years),)
    sheets = []
    for plan in plans:
        figures = chain(
            *(with_ends(name) if how is estimate else [name] for name, how in plan.figures.items())
        )
        rows = [(name, *row) for name, runs in by_variant for row in _rows(plan, runs)]
        name = f"simulated_{plan.name}", f"simulated-{plan.name}"
        sheets.append(sheet_of(*name, ("variant", *plan.places, *figures), rows, notes))
    return sheets


def _rows(plan: SheetPlan, runs: Sequence[Findings]) -> Iterator[tuple[Cell, ...]]:
    found = {name: np.stack([run[f"{plan.name}_{name}"] for run in runs]) for name in plan.figures}
    for at in np.ndindex(next(iter(found.values())).shape[1:]):
        cells = {name: tell(found[name][:, *at]) for name, tell in plan.figures.items()}
        if cells.get("players") != (0,):
            places = zip(plan.places.values(), at, strict=True)
            yield *(cells_of[place] for cells_of, place in places), *chain(*cells.values())


def mean_alone(values: Floats) -> tuple[Cell, ...]:
    """The mean, without an interval."""
    return estimate(values)[:1]


def total(values: NDArray[Any]) -> tuple[Cell, ...]:
    """How many there are in all runs."""
    return (int(values.sum()),)


def mean(values: NDArray[Any]) -> float:
    """The mean; not a number where there is nothing."""
    return float(values.mean()) if len(values) else np.nan
