"""A made pool like a ledger: figures measured on the ledger, and a pool that shows the same when measured.

Each figure has one number of the pool that moves it. Pools are made, rated by the ledger's own book and
measured in the same way, and their numbers are moved until the figures agree: what biases a figure (late
ratings, noise, a short history) biases both alike. Games and ratings of the first speed are measured.
"""

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib.resources import files
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from banzuke.columnar.batch_columns import MISSING
from banzuke.core.fault import RefusedError, fault
from banzuke.engine.columnar.chess_reader import ChessColumns
from banzuke.engine.columnar.columnar_history import RatedColumns, opening
from banzuke.engine.columnar.go_reader import GoColumns
from banzuke.engine.columnar.readable_lists import any_history, read_any
from banzuke.engine.finished_parts import digest_of_ledger, load_part, store_part
from banzuke.engine.history import list_names
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.lab.calibration import fit_slope
from banzuke.lab.forecasts import Forecasts, forecast_lists
from banzuke.lab.sheets import Sheet, figure, named_sheet, note
from banzuke.lab.synthetic_chess_pools import AGES, GROWN, YEAR, ChessPool, made_ledger
from banzuke.lab.true_expectation import Floats, Ints
from banzuke.ledger.pool_rules import Pool

#: The figures in their order, each by the name of its number in a pool.
FIGURES = tomllib.loads(files(__package__).joinpath("fitted_figures.toml").read_text("utf-8"))
NAMES, GROWTH = tuple(FIGURES), tuple(f"growth_{age}" for age in AGES)
#: A pool that is measured has so many players (fewer if the book has no fast twin), and years within these.
PLAYERS, FEW_PLAYERS, YEARS = 1000, 300, (3, 8)
#: Numbers are moved in so many rounds, each with another pool and less far than the one before; then so many
#: pools are measured to show how alike they are.
ROUNDS, PACE, SHOWN = 16, 0.8, 4
#: Opponents are of a like strength in sections of so many players at least, more where there are more rounds.
LEAST_SECTION = 8
#: A figure rests on so many at least, and on so large a share of birth years; else its number is assumed.
FEWEST, KNOWN = 30, 0.5
#: The ends within which numbers stay, where none are told.
BOUNDS = (("from", -np.inf), ("to", np.inf))
#: More than any year, so that player and year make one number.
YEARLY = 10_000
#: Figures by name, each with how many it rests on.
Found = dict[str, tuple[float, int]]


class Fit(NamedTuple):
    """The figures of a ledger (`measure_figures`), those of made pools like it (a row each), the numbers."""

    ledger: Floats
    made: Floats
    numbers: Floats


def measure_figures(columns: ChessColumns) -> Floats:
    """The figures of a ledger, rated by its own books (NaN: it cannot be told), and how many each rests on.

    Two rows in the order of NAMES.
    """
    ends: dict[int, Any] = {}
    lists = _watch(any_history(columns, list_names(columns, None)), ends)
    games = forecast_lists(lists, columns.pool.speeds, len(columns.player_ids))
    games = games.take(games.speed == 0)
    found: Found = dict.fromkeys(NAMES, (np.nan, 0))
    if len(games.of):
        opened = opening(columns).value[0] != MISSING
        found |= _of_games(games) | _of_events(columns, games) | _of_players(columns, games, ends, opened)
    return np.array([found[name] for name in NAMES], np.float64).T


def _watch(lists: Iterable[RatedColumns], ends: dict[int, Any]) -> Iterator[RatedColumns]:
    """The same lists; the last ratings of each year are put into `ends`."""
    for made in lists:
        ends[made.rated.batch.published.year] = made.rated.after.value[0]
        yield made


def _both(games: Forecasts) -> Ints:
    return np.concatenate([games.white, games.black]).astype(np.int64)


def _of_games(games: Forecasts) -> Found:
    """How far results follow ratings; White's advantage; draws at even strength, and by level."""
    known = games.take(~np.isnan(games.gap))
    count, slope = len(known.of), fit_slope(known.gap, known.score)
    chance = 1 / (1 + np.exp(np.nan_to_num(-slope * known.gap)))  # nothing follows from gaps that are all 0
    steep = slope * (chance * (1 - chance)).sum()
    even, level = 2 * np.minimum(chance, 1 - chance), known.rating.mean(axis=0)
    above = (level - level.sum() / max(count, 1)) / 100
    draws, rise = np.linalg.lstsq(np.stack([even, even * above], 1), known.score == 1 / 2, rcond=None)[0]
    found = {
        "scale": np.log(10) / slope if slope > 0 else np.nan,
        "colour": (known.score - chance).sum() / steep if steep else np.nan,
        "mixing": ((known.gap**2).sum() / max(count, 1)) ** 0.5,
        "draws": draws,
        "draws_rise": rise,
    }
    return {name: (float(value), count) for name, value in found.items()}


def _of_events(columns: ChessColumns, games: Forecasts) -> Found:
    """How often players play, how many games then, in events of what size."""
    months, ids = np.zeros(len(columns.event_ids), np.int64), len(columns.player_ids)
    for event in columns.events:
        months[columns.event_numbers[event.event_id]] = event.ends.year * YEAR + event.ends.month
    both, most = _both(games), int(months.max()) + 1
    player, month = np.divmod(np.unique(both * most + np.tile(months[games.event], 2)), most)
    starts = np.flatnonzero(np.diff(player, prepend=-1))
    spans = np.maximum.reduceat(month, starts) - np.minimum.reduceat(month, starts) + 1
    size = np.bincount(np.unique(np.tile(games.event, 2).astype(np.int64) * ids + both) // ids)
    return {
        "active": (len(player) / float(spans.sum()), len(starts)),
        "rounds": (len(both) / len(player), len(games.of)),
        "event_size": (float((size**2).sum() / size.sum()), int(np.count_nonzero(size))),
    }


def _of_players(columns: ChessColumns, games: Forecasts, ends: dict[int, Any], opened: Any) -> Found:
    """Strength and its spread, who comes and goes, the young, growth by age; by player and year of play."""
    player, year = np.divmod(np.unique(_both(games) * YEARLY + np.tile(games.year, 2)), YEARLY)
    value, years = np.stack([ends[each] for each in sorted(ends)]), np.array(sorted(ends))
    rating = value[np.clip(np.searchsorted(years, year, "right") - 1, 0, None), player].astype(np.float64)
    is_rated = rating != MISSING
    rating[~is_rated] = np.nan
    born = np.full(len(columns.player_ids), np.nan)
    for each in columns.players:
        born[columns.player_numbers[each.player_id]] = each.birth_date.year if each.birth_date else np.nan
    age, is_first = year - born[player], np.diff(player, prepend=-1) != 0
    is_new = is_first & ~opened[player] & (year > year.min() + 1)
    is_last = np.append(is_first[1:], True)
    young, known = age < GROWN, ~np.isnan(age)
    again = np.flatnonzero((np.diff(player) == 0) & (np.diff(year) == 1)) + 1
    change, band = rating[again] - rating[again - 1], np.searchsorted(AGES, age[again], "right") - 1
    found = {
        "strength": _mean(rating),
        "spread": (float(np.nanstd(rating)) if is_rated.any() else np.nan, int(is_first.sum())),
        "arriving": _mean(is_new[year > year.min() + 1]),
        "leaving": _mean(is_last[year < year.max() - 1]),
        "newcomers_behind": _behind(rating, ~young & ~is_new, ~young & is_new),
    }
    if known.mean() < KNOWN:
        return found
    return found | {
        "juniors": _mean(young[known]),
        "junior_newcomers": _mean(young[known & is_new]),
        "behind": _behind(rating, known & ~young, young),
        **{name: _mean(change[known[again] & (band == place)]) for place, name in enumerate(GROWTH)},
    }


def _mean(values: Any) -> tuple[float, int]:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else np.nan, len(known)


def _behind(rating: Floats, ahead: Any, behind: Any) -> tuple[float, int]:
    mean, count = _mean(rating[behind])
    return _mean(rating[ahead])[0] - mean, count


def fit_folder(
    folder: Path, seed: int, kept: Path | None = None, progress: Progress = no_progress
) -> tuple[Pool, Fit]:
    """The pool of a ledger and the fit to it, kept as a finished part. Raises RefusedError, also for Go."""
    columns = read_any(folder)
    if isinstance(columns, GoColumns):
        raise RefusedError([fault("--like", 0, str(folder), "lab-like-go")])
    decides = Fit._fields, NAMES, digest_of_ledger(folder), seed
    if (part := load_part(kept, decides, __name__)) is None:
        part = fit_pool(columns, seed, progress)._asdict()
        store_part(kept, decides, __name__, part)
    return columns.pool, Fit(**part)


def fit_pool(columns: ChessColumns, seed: int, progress: Progress = no_progress) -> Fit:
    """The fit of made pools to a ledger; `progress(done, all, "")` is called before each is made.

    Raises RefusedError for a ledger on which nothing can be measured.
    """
    edition, own = columns.pool.editions[-1], measure_figures(columns)
    if not is_fitted(own).any():
        raise RefusedError([fault("--like", 0, "", "lab-like-little", least=FEWEST)])
    ends = [event.ends.year for event in columns.events]
    years = int(np.clip(max(ends, default=0) - min(ends, default=0) + 1, *YEARS))
    pool = ChessPool(PLAYERS if edition.book.twin else FEW_PLAYERS, years, visiting=0)
    pool = replace(pool, ageing=tuple(pool.growth * (age < GROWN) for age in AGES))
    fitted = is_fitted(own)
    numbers = np.where(fitted & (np.array(NAMES) != "mixing"), own[0], _numbers_of(pool))
    shown = []
    for number in range(ROUNDS + SHOWN):
        progress(number, ROUNDS + SHOWN, "")
        made = measure_figures(made_ledger(pool_of(pool, numbers), edition, seed + number)[1])
        shown.append(made[0])
        if number < ROUNDS:
            moved = _moved(numbers, own[0], made[0], PACE / (1 + number / 4))
            numbers = _as_at_near_ages(np.where(fitted & is_fitted(made), moved, numbers), fitted)
    return Fit(own, np.stack(shown[ROUNDS:]), numbers)


def _as_at_near_ages(numbers: Floats, fitted: Any) -> Floats:
    """With the growth at ages of which nothing can be told as at the nearest of the others."""
    ages, known = np.isin(NAMES, GROWTH), np.isin(NAMES, GROWTH) & fitted
    if known.any():
        nearest = np.abs(np.flatnonzero(ages)[:, None] - np.flatnonzero(known)).argmin(axis=1)
        numbers[ages] = numbers[known][nearest]
    return numbers


def is_fitted(figures: Floats) -> Any:
    """Which figures rest on enough to move their numbers."""
    return (figures[1] >= FEWEST) & ~np.isnan(figures[0])


def _moved(numbers: Floats, wanted: Floats, shown: Floats, pace: float) -> Floats:
    """The numbers moved towards what their figures should be."""
    how = np.array([each["moves"] for each in FIGURES.values()])
    steps = np.where(how == "by-twice-the-difference", 2 * pace, pace) * (wanted - shown)
    factors = np.clip(np.maximum(wanted, 1e-3) / np.maximum(shown, 1e-3), 1 / 2, 2) ** pace
    moved = np.where(how == "in-proportion", numbers * factors, numbers + steps)
    low, high = ([each.get(end, off) for each in FIGURES.values()] for end, off in BOUNDS)
    return np.clip(moved, low, high)


def _numbers_of(pool: ChessPool) -> Floats:
    growth = dict(zip(GROWTH, pool.ageing, strict=True))
    return np.array([growth[name] if name in growth else getattr(pool, name) for name in NAMES], np.float64)


def pool_of(pool: ChessPool, numbers: Floats) -> ChessPool:
    """The pool with those numbers; its events hold no more players than half of those who play in a month."""
    found: dict[str, Any] = dict(zip(NAMES, numbers.tolist(), strict=True))
    ageing = tuple(found.pop(name) for name in GROWTH)
    most = max(FIGURES["event_size"]["from"], int(pool.players * found["active"] / 2))
    found |= {"event_size": min(round(found["event_size"]), most), "ageing": ageing}
    return replace(pool, **found, section=max(LEAST_SECTION, 2 * int(ceil(found["rounds"]) / 2 + 1)))


def fitted_sheet(fit: Fit) -> Sheet:
    """The figures of a ledger beside those of made pools like it, and the numbers that make these."""
    sources = np.where(is_fitted(fit.ledger), [each["rests_on"] for each in FIGURES.values()], "assumed")
    shown = fit.ledger[0], fit.made.mean(axis=0), fit.made.std(axis=0, ddof=1), fit.numbers
    rows = [
        (name, *map(figure, values), str(source), int(count))
        for name, *values, source, count in zip(NAMES, *shown, sources, fit.ledger[1], strict=True)
    ]
    return named_sheet("fitted", rows, (note("fitted-assumed", drift=ChessPool().drift),))
