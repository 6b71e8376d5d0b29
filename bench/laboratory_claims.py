"""Whether the laboratory's intervals hold the truth as often as they say, and whether it claims too much.

    python bench/laboratory_claims.py [--runs 400] [--pools 100] [--only means,pools,...] [--seed 1]

Made data, whose truth is known. Each line says in how many of the runs an interval held the truth, or a
better model was claimed where all are equally good. Intervals of 95 % should hold it in 93 to 97 % of the
runs from 16 events on; a claim should be made in 3 % of the runs at most. A share of 400 runs has a deviation
of 1.1 %.

`means` and `shares`: events of 8 to 30 players out of a pool in which some play far more than others; values
depend on event and players. `claims`: differences in loss of so many models that all are 0 in truth; a sweep
has three dimensions, as one of K has. `pools`: invented chess players, rated by a rule book; the truth is the
mean of all pools, by the same rules, and players of all strengths are drawn anew for each. Nobody opens below
the floor of the book: it would lift a few by hundreds of points on the first list, which is no chance of the
games. `fits`: what `lab fit` says of such pools where the table is true, where
its scale is 600, and where K is 5. A claim is false if the value it names does not lose less in the mean of
all pools.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from banzuke.core.rating import UNRATED
from banzuke.core.registry import BOOKS
from banzuke.engine.columnar.account_columns import account_columns
from banzuke.engine.columnar.readable_lists import ledger_of
from banzuke.engine.history import history, list_names
from banzuke.lab.account import AccountTables
from banzuke.lab.calibration import calibrate, calibration_rows, scale_rows
from banzuke.lab.chess_histories import COLUMNS, findings, rated_lists
from banzuke.lab.fit import BETTER, fit_sheets
from banzuke.lab.fit_values import expected_by, grid_of, subject_of
from banzuke.lab.forecasts import (
    PARTS,
    choose_by_losses,
    expect_ahead,
    forecast_lists,
    loss_intervals,
    losses,
    parts_of,
    sum_parts,
)
from banzuke.lab.intervals import adjust_chances, clusters_of, mean_intervals, share_intervals
from banzuke.lab.overrides import Override
from banzuke.lab.prediction import forecasts_of
from banzuke.lab.soundness import soundness_sheets
from banzuke.lab.synthetic_chess_pools import ChessPool, made_ledger
from banzuke.lab.true_expectation import printed_table
from banzuke.lab.variants import Variant, edition_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from numpy.random import Generator
    from numpy.typing import NDArray

    from banzuke.engine.columnar.chess_reader import ChessColumns
    from banzuke.engine.parallel_runs import Findings
    from banzuke.lab.intervals import Clusters
    from banzuke.lab.overrides import Value
    from banzuke.lab.sheets import Sheet

    Cells = dict[str, Any]

#: Deviations of what all games of an event have in common, and all of a player; a game's own is 1.
TOGETHER = {"nothing": (0.0, 0.0), "events": (0.3, 0.0), "players": (0.0, 0.3), "both": (0.3, 0.3)}
EVENTS, LEVELS = (8, 16, 24, 60), (0.55, 0.8, 0.95)
BOOK, OTHER = "jcf-2024", Variant("jcf-2024", (Override("jcf-2024", "k_normal", 30),))
DRIFT = ("drift", "drift_low", "drift_high")
POOL = ChessPool(players=150, years=3, visiting=0, truth="table")


class Tally(NamedTuple):
    """How often something was so, and how often at most and at least it should be."""

    name: str
    hits: int
    runs: int
    least: float = 0.93
    most: float = 0.97


class Schedule(NamedTuple):
    """Games: their event and two players."""

    event: NDArray[np.int64]
    one: NDArray[np.int64]
    other: NDArray[np.int64]

    @property
    def clusters(self) -> Clusters:
        """What hangs together."""
        return clusters_of(*self)


def schedule(random: Generator, events: int, players: int) -> Schedule:
    """Events of 8 to 30 players and 4 to 7 rounds; activity is skewed."""
    activity = random.pareto(2.5, players) + 0.3
    rows = []
    for event in range(events):
        field = random.choice(players, 2 * random.integers(4, 16), replace=False, p=activity / activity.sum())
        for _ in range(random.integers(4, 8)):
            drawn = random.permutation(field)
            rows.append((np.full(len(field) // 2, event), drawn[::2], drawn[1::2]))
    return Schedule(*map(np.concatenate, zip(*rows, strict=True)))


def dependent(
    random: Generator, games: Schedule, of_events: float, of_players: float, kinds: int = 1
) -> NDArray[np.float64]:
    """Values of games that hang together, with mean 0; a row a kind."""
    event = random.normal(0, of_events, (kinds, games.event.max() + 1))
    player = random.normal(0, of_players, (kinds, max(games.one.max(), games.other.max()) + 1))
    own = random.normal(size=(kinds, len(games.event)))
    return event[:, games.event] + player[:, games.one] + player[:, games.other] + own


def means(random: Generator, runs: int) -> Iterator[Tally]:
    """Means of values: all games, and a third of them."""
    for events in EVENTS:
        for name, together in TOGETHER.items():
            held = np.zeros(2, np.int64)
            for _ in range(runs):
                games = schedule(random, events, 3 * events + 20)
                values, group = dependent(random, games, *together), games.one % 3
                found = (
                    mean_intervals(values, games.clusters),
                    mean_intervals(values, games.clusters, group, 3),
                )
                held += [each.low[0, 0] <= 0 <= each.high[0, 0] for each in found]
            yield Tally(f"mean, {events} events, together: {name}", int(held[0]), runs)
            yield Tally(
                f"mean of a third of the players, {events} events, together: {name}", int(held[1]), runs
            )


def shares(random: Generator, runs: int) -> Iterator[Tally]:
    """Shares of wins, where the chance of a win depends on event and players."""
    of_events, of_players = 0.4, 0.3
    luck = random.normal(0, np.sqrt(of_events**2 + 2 * of_players**2), 1_000_000)
    for events in EVENTS:
        for level in LEVELS:
            held, players = 0, 3 * events + 20
            middle = np.log(level / (1 - level))
            truth = np.mean(1 / (1 + np.exp(-middle - luck)))
            for _ in range(runs):
                games = schedule(random, events, players)
                event, player = random.normal(0, of_events, events), random.normal(0, of_players, players)
                odds = middle + event[games.event] + player[games.one] + player[games.other]
                won = random.random(len(odds)) < 1 / (1 + np.exp(-odds))
                found = share_intervals(won.astype(np.float64), games.clusters)
                held += int(found.low[0, 0] <= truth <= found.high[0, 0])
            yield Tally(f"share of {level}, {events} events", held, runs)


def claims(random: Generator, runs: int) -> Iterator[Tally]:
    """Of models that are all equally good, how often one is called better; and how often without any care."""
    for events, players in ((30, 60), (60, 200)):
        for together in ("nothing", "both"):
            for models, kind in ((30, "a sweep"), (30, "apart"), (1000, "apart")):
                claimed = np.zeros(2, np.int64)
                own = runs if models < 1000 else runs // 4
                for _ in range(own):
                    games = schedule(random, events, players)
                    less = dependent(random, games, *TOGETHER[together], 3 if kind == "a sweep" else models)
                    if kind == "a sweep":
                        at = np.linspace(-1, 1, models)
                        less = np.stack([at, at**2 - 1 / 3, at**3 - 0.6 * at], axis=1) @ less
                    claimed += is_claimed(less, games)
                name = f"better, of {models} models ({kind}), {events} events, together: {together}"
                yield Tally(name, int(claimed[0]), own, 0, 0.03)
                yield Tally("- by its own interval alone", int(claimed[1]), own, 0, 1)


def is_claimed(less: NDArray[np.float64], games: Schedule) -> tuple[bool, bool]:
    """Whether a report calls one of the models better; whether the interval of the best one would.

    `less` are the differences in loss of each model, a row each, as `prediction` has them.
    """
    found, parts = mean_intervals(less, games.clusters), parts_of(games.event)
    best = int(found.mean[:, 0].argmin())
    totals = np.array([np.zeros(PARTS), *(sum_parts(row, parts) for row in less)])
    chosen = np.vstack([np.zeros(less.shape[1]), less])[
        choose_by_losses(totals)[parts], np.arange(less.shape[1])
    ]
    later = np.flatnonzero(parts > parts.min())
    by_choice = mean_intervals(chosen[later], games.clusters.take(later))
    is_best = found.mean[best, 0] < 0 and adjust_chances(found.chance[:, 0])[best] < 0.05
    return is_best and by_choice.high[0, 0] < 0, bool(found.high[best, 0] < 0)


# Invented pools of chess


def pools(_random: Generator, runs: int) -> Iterator[Tally]:
    """What the sheets show of pools rated by a rule book, each kind of figure by itself."""
    figures: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for seed in range(runs):
        for name, figure in pool_figures(above_the_floor(of_adults(made_pool(seed)))):
            figures[name].append(figure)
        for name, figure in cohort_figures(above_the_floor(made_pool(seed))):
            figures[name].append(figure)
    for name, found in figures.items():
        value, low, high = np.array(found, np.float64).T
        truth = np.nanmean(value)
        known = ~np.isnan(low)
        if known.sum() >= runs * 3 // 4:
            held = (low <= truth) & (truth <= high) & known
            yield Tally(f"{name} (truth {truth:.4g})", int(held.sum()), int(known.sum()))


def made_pool(seed: int, pool: ChessPool = POOL) -> ChessColumns:
    """A synthetic pool as a ledger."""
    return made_ledger(pool, edition_of(BOOKS[BOOK]), seed)[1]


def of_adults(columns: ChessColumns) -> ChessColumns:
    """The same, all rated as adults: how many juniors a pool happens to have is no chance of its games."""
    return columns._replace(players=[player._replace(birth_date=None) for player in columns.players])


def above_the_floor(columns: ChessColumns) -> ChessColumns:
    """The same, whoever opened below the floor of the book with the rating of the floor."""
    floor = BOOKS[BOOK].floor
    assert floor, BOOK
    standings = [each._replace(rating=max(each.rating, floor(UNRATED))) for each in columns.standings]
    return columns._replace(standings=standings)


def pool_figures(columns: ChessColumns) -> Iterator[tuple[str, tuple[float, float, float]]]:
    """Figures of one pool with the ends of their intervals; of calibration, scores less what is expected."""
    speeds, count = columns.pool.speeds, len(columns.player_ids)
    own, other = (
        forecast_lists(rated_lists(columns, variant), speeds, count) for variant in (Variant(BOOK), OTHER)
    )
    clusters = clusters_of(own.event, own.white, own.black)
    lost = losses(own.expected, own.score)
    scores = loss_intervals(lost, clusters).cells(0)
    yield from zip(
        ("log loss", "Brier score", "accuracy"), (scores[0:3], scores[3:6], scores[6:9]), strict=True
    )
    less = losses(other.expected, other.score).log - lost.log
    yield "difference of K 30 in log loss", mean_intervals(less, clusters).cells(0)[:3]
    found = calibrate({"pool": own}, clusters, printed_table())
    (scale,) = scale_rows(found)
    yield "gap for ten to one", scale[2:5]
    steps = calibration_rows(found, lambda gap: gap // 100, lambda step: (step, step + 1))
    for _, step, _, games, *_, counted, scored, low, high, _ in steps:
        if games >= 100:
            yield (
                f"score {100 * step:.0f} points ahead",
                tuple(each - counted for each in (scored, low, high)),
            )
    found_years = findings(rated_lists(columns, Variant(BOOK)), speeds)
    for row in found_years["years"]:
        cells = dict(zip(COLUMNS["years"], row, strict=True))
        yield (
            f"drift of {cells['year']:.0f}",
            tuple(cells[name] for name in DRIFT),
        )
    last = dict(zip(COLUMNS["lists"], found_years["lists"][-1], strict=True))
    yield "mean of the last list", tuple(last[name] for name in ("mean", "mean_low", "mean_high"))


def cohort_figures(columns: ChessColumns) -> Iterator[tuple[str, tuple[float, float, float]]]:
    """The drift of players of 25 to 50 years who played two years running, with its interval."""
    names, places = list_names(columns, None), {speed: at for at, speed in enumerate(columns.pool.speeds)}
    lists = history(ledger_of(columns), names)
    tables = account_columns(lists, places, columns.player_numbers, expect_ahead)
    nobody = dict.fromkeys(columns.player_ids, (None, None, None))
    (sheet,) = (
        each
        for each in soundness_sheets(AccountTables(columns, {"pool": tables}), nobody)
        if each.name == "cohort_drift"
    )
    for row in sheet.rows:
        cells: Cells = dict(zip(sheet.columns, row, strict=True))
        ends = tuple(np.nan if cells[name] is None else cells[name] for name in DRIFT)
        yield f"drift of the cohort in {cells['year']}", ends


# What numbers predict best


def fits(_random: Generator, runs: int) -> Iterator[Tally]:
    """What `lab fit` says of each number, how often it claims what is not so, and of the scale."""
    curve = replace(POOL, truth="logistic")
    slow = {"k_normal": 5, "k_junior": 5, "k_new": 5}
    for name, pool, rules in (
        ("the table is true", POOL, {}),
        ("the curve is true", curve, {}),
        ("a scale of 600", replace(curve, scale=600), {}),
        ("K is 5", POOL, slow),
    ):
        found: dict[str, list[Cells]] = defaultdict(list)
        for seed in range(runs):
            for sheet in fitted(made_pool(seed, pool), rules):
                found[sheet.name] += [
                    {"run": seed, **dict(zip(sheet.columns, row, strict=True))} for row in sheet.rows
                ]
        yield from _of_numbers(name, found, runs)
        scales = found["scales"]
        fit, printed, noise = (
            np.mean([row[key] for row in scales]) for key in ("scale", "scale_table", "scale_noise")
        )
        held = sum(row["scale_low"] <= fit <= (row["scale_high"] or np.inf) for row in scales)
        yield Tally(f"{name}: scale by the ratings (truth {fit:.0f})", held, runs)
        reached = sum(row["scale_low"] <= row["scale_noise"] for row in scales)
        text = f"{name}: the table with errors reaches it ({printed:.0f}, with errors {noise:.0f})"
        yield Tally(text, reached, runs, 0, 1)


def _of_numbers(name: str, found: dict[str, list[Cells]], runs: int) -> Iterator[Tally]:
    """In how many reports anything is claimed that is not so; what is said of each number."""
    gains: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in found["fit_values"]:
        gains[row["number"], row["tried"]].append(row["log_loss"])
    means = {key: float(np.mean(of)) for key, of in gains.items() if len(of) > runs / 2}
    wrong = {
        row["run"]
        for row in found["fit"]
        if row["finding"] == BETTER and means.get((row["number"], row["best"]), -1) >= 0
    }
    yield Tally(f"{name}: a report claims what is not so", len(wrong), runs, 0, 0.03)
    for number in dict.fromkeys(row["number"] for row in found["fit"]):
        own = [row for row in found["fit"] if row["number"] == number]
        said, best = (Counter(row[key] for row in own) for key in ("finding", "best"))
        known = {value: mean for (of, value), mean in means.items() if of == number}
        truth = min(known, key=lambda value: known[value])
        texts = (", ".join(f"{each} {count}" for each, count in of.most_common(3)) for of in (said, best))
        text = f"- {number}: {next(texts)}; best {next(texts)}; in truth {truth} ({known[truth]:+.4f})"
        yield Tally(text, said[BETTER], runs, 0, 1)


def fitted(columns: ChessColumns, rules: dict[str, Value]) -> list[Sheet]:
    """The sheets of a fit, of a book at such numbers."""
    subject = subject_of(columns.pool, [])
    known = {name: subject.known[name]._replace(value=value) for name, value in rules.items()}
    subject = subject._replace(own=subject.at(rules), known={**subject.known, **known})

    def expect(variants: Sequence[Variant]) -> dict[str, Findings]:
        return {each.name: expected_by(columns, None, each) for each in variants}

    return fit_sheets(subject, grid_of(subject, ()), forecasts_of(columns, None, subject.own), expect)


KINDS = {"means": means, "shares": shares, "claims": claims, "pools": pools, "fits": fits}


def main() -> None:
    """Measure, and print a line for each kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=400, help="of each kind but pools and fits")
    parser.add_argument("--pools", type=int, default=100)
    parser.add_argument("--only", default=",".join(KINDS))
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    begun, missed = time.process_time(), 0
    for kind in asked.only.split(","):
        runs = asked.pools if kind in ("pools", "fits") else asked.runs
        for tally in KINDS[kind](np.random.default_rng(asked.seed), runs):
            share = tally.hits / tally.runs
            error = (0.95 * 0.05 / tally.runs) ** 0.5
            is_missed = not tally.least - 2 * error <= share <= tally.most + 2 * error
            missed += is_missed
            print(
                f"{share:6.1%} {tally.hits:5} of {tally.runs:5}  {'!' if is_missed else ' '} {tally.name}",
                flush=True,
            )
    print(f"{missed} beyond their bounds by two deviations; {time.process_time() - begun:.0f} s of processor")


if __name__ == "__main__":
    main()
