"""Synthetic pools of known strength, rated by every variant of rule books: estimates over several pools.

Every variant rates the same pools, and what is told of each is a mean over them with its interval.
`chess_simulation` and `go_simulation` say what is measured.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from banzuke.engine.parallel_runs import Findings, run_all
from banzuke.lab.intervals import estimate
from banzuke.lab.sheets import SHEETS, Cell, Sheet, named_sheet, note
from banzuke.lab.synthetic_chess_pools import ChessPool
from banzuke.lab.synthetic_go_pools import GoPool
from banzuke.lab.variants import Variant

#: Years from the opening list on, more than are ever simulated.
YEARS = range(10_000)


class Job(NamedTuple):
    """One pool to be made and rated: a `ChessPool` or a `GoPool`."""

    pool: Any
    variant: Variant
    seed: int


#: What is measured in a run; the sheets that show it, each with what stands in the columns that say of what a
#: row is: an axis of the findings each. The other columns are findings: `<sheet>_<column>`.
Measurement = tuple[Callable[[Job], Findings], Mapping[str, Sequence[Sequence[Cell]]]]
#: What is counted in all runs; of others the mean is told.
COUNTED = "newcomers"


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
    measure, shown = measurement
    found = run_all(measure, jobs, **how)
    by_variant = [(each.name, found[at * seeds : (at + 1) * seeds]) for at, each in enumerate(variants)]
    notes = (note("simulated-pools", seeds=seeds, players=pool.players, years=pool.years),)
    sheets = []
    for name, places in shown.items():
        rows = [(variant, *row) for variant, runs in by_variant for row in _rows(name, places, runs)]
        sheets.append(named_sheet(f"simulated_{name}", rows, notes))
    return sheets


def _rows(
    sheet: str, places: Sequence[Sequence[Cell]], runs: Sequence[Findings]
) -> Iterator[tuple[Cell, ...]]:
    """The rows of a sheet without those of no players."""
    figures = SHEETS[f"simulated_{sheet}"]["columns"][1 + len(places) :]
    found = {name: np.stack([run[f"{sheet}_{name.removesuffix('±')}"] for run in runs]) for name in figures}
    for at in np.ndindex(next(iter(found.values())).shape[1:]):
        cells = {name: _cells(name, values[:, *at]) for name, values in found.items()}
        if cells.get("players") != (0,):
            named = (of[place] for of, place in zip(places, at, strict=True))
            yield *named, *chain(*cells.values())


def _cells(name: str, values: NDArray[Any]) -> tuple[Cell, ...]:
    """How a figure is told from its values in all runs: an estimate with its interval, others without."""
    if name == COUNTED:
        return (int(values.sum()),)
    return estimate(values)[: 3 if name.endswith("±") else 1]


def mean(values: NDArray[Any]) -> float:
    """The mean; not a number where there is nothing."""
    return float(values.mean()) if len(values) else np.nan
