"""Synthetic pools of a Go server whose players' strength is known, played through its rules by the fast twin.

Strength is counted in ranks, as in the rules: nd is n, nk is 1 - n. Each day the players who are there and
want to play have one game each, with somebody of a rank near their own, by the regular terms for their two
ranks; the result depends on their strengths and those terms alone.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from banzuke.columnar import go_columns
from banzuke.columnar.batch_columns import MISSING
from banzuke.columnar.go_columns import GAME_TYPES, GoDeclarations, GoGames, GoStates
from banzuke.columnar.twin import GoTwin, twin_of
from banzuke.core.go_facts import HALF_RANKS, LOWEST_KYU, Zone
from banzuke.core.registry import BOOKS
from banzuke.engine.columnar.go_reader import A_DAY
from banzuke.lab.true_expectation import Floats, Ints, Truth
from banzuke.lab.variants import Variant, edition_of, edition_of_variant
from banzuke.ledger.pool_rules import go_book

YEAR = 365
MOVES = 200
#: Games that an opening rank rests on: more than points are multiplied for.
OPENING_GAMES = 10_000
#: The values of half ranks in ranks: nd is n, nk is 1 - n.
VALUES = np.arange(HALF_RANKS) / 2 - (LOWEST_KYU - 1)


@dataclass(frozen=True, slots=True)
class GoPool:
    """What a synthetic Go pool is like.

    Strengths have the mean `strength` and the standard deviation `spread`, in ranks, and lie between `lowest`
    and `highest`. A share `improving` gains `growth` ranks a year, the others move by a random walk of
    `drift` a year. Newcomers are a share `arriving` of the players a year; they declare whole ranks, wrong by
    `misjudged` (standard deviation, in ranks), and the opening ranks are wrong by `opening_error`. A share
    `active` plays on a day; opponents differ by some `mixing` ranks more than they must. `truth` names the
    chance of winning, `table` or `logistic` (`GoRules.chance`).
    """

    players: int = 200
    years: int = 3
    strength: float = -3
    spread: float = 3.5
    lowest: float = -11
    highest: float = 7
    opening_error: float = 0
    improving: float = 0.15
    growth: float = 0.5
    drift: float = 0.2
    arriving: float = 0.2
    misjudged: float = 1.5
    active: float = 0.3
    mixing: float = 1
    truth: str = "table"


class GoRules(NamedTuple):
    """The rules of a server as they are tried: the twin of the book, its figures and a border-zone table.

    `terms` are stones and komi (half points) by the half ranks between two players, `worth` what these are
    worth in ranks. `printed` is the chance to win, so many ranks ahead after the terms, by the book as it is.
    """

    twin: GoTwin
    figures: Any
    zone: Zone
    terms: Ints
    worth: Floats
    printed: Truth

    def chance(self, truth: str, lead: Floats) -> Floats:
        """The chance to win, so many ranks ahead after the terms, by what is true of a pool.

        By `table` it is what the book's own points say, by `logistic` a logistic curve that agrees with them
        one rank ahead.
        """
        if truth == "table":
            return self.printed(lead)
        one = self.printed(np.ones(1))
        return np.asarray(1 / (1 + ((1 - one) / one) ** lead))


@lru_cache(maxsize=8)
def rules_of(variant: Variant) -> GoRules:
    """The rules of a variant of a book of Go."""
    edition = edition_of_variant(variant)
    book, printed = go_book(edition), go_book(edition_of(BOOKS[variant.book]))
    twin = twin_of(book)
    own, forecasts = twin.figures(printed), twin.forecasts
    terms = np.array([book.regular_terms(halves) for halves in range(HALF_RANKS)])
    worth = forecasts.worth(own, *terms.T) / forecasts.units

    def chance(lead: Floats) -> Floats:
        return forecasts.expected(own, lead * forecasts.units)

    return GoRules(twin, twin.figures(book), edition.zone, terms, worth, chance)


class PlayedGoPool(NamedTuple):
    """What became of a Go pool, by day (row) and player: day 0 is the opening.

    `half` is the certified half rank (MISSING: none yet, or the beginners' class), `games` the rated games so
    far, `strength` the true rank; `joins` the day from which a player is there.
    """

    joins: Ints
    half: NDArray[np.int32]
    games: NDArray[np.int32]
    strength: Floats


def play(pool: GoPool, rules: GoRules, seed: int) -> PlayedGoPool:
    """The pool that the seed makes, its games rated one after another.

    Who is there is certified by strength; a newcomer is provisional by the declared rank.
    """
    rng = np.random.default_rng(seed)
    joins, strength = _people(pool, rng)
    opens = joins == 0
    seen = strength[0] + rng.normal(0, np.where(opens, pool.opening_error, pool.misjudged))
    states = states_of(nearest_half(np.where(opens, seen, np.rint(seen))), opens, rules)
    halves, games = [certified_halves(states)], [states.players["rated_games"].copy()]
    for day in range(1, len(strength)):
        plays = np.flatnonzero((joins <= day) & (rng.random(len(joins)) < pool.active))
        pairs = pair_neighbours(rng, plays, standing_halves(states), pool.mixing)
        one_day(states, pairs, strength[day], day, pool.truth, rules, rng)
        halves.append(certified_halves(states))
        games.append(states.players["rated_games"].copy())
    return PlayedGoPool(joins, np.stack(halves), np.stack(games), strength)


def _people(pool: GoPool, rng: np.random.Generator) -> tuple[Ints, Floats]:
    """When everybody comes, and their strength on each day; before they come, as on coming."""
    days = YEAR * pool.years
    arriving = rng.poisson(pool.players * pool.arriving / YEAR, days)
    joins = np.concatenate([np.zeros(pool.players, np.int64), np.repeat(np.arange(days) + 1, arriving)])
    improves = rng.random(len(joins)) < pool.improving
    steps = np.arange(1, days + 1)[:, None]
    walk = rng.normal(0, pool.drift / YEAR**0.5, (days, len(joins)))
    moves = np.where(improves, pool.growth / YEAR, walk) * (steps > joins)
    start = rng.normal(pool.strength, pool.spread, len(joins))
    course = np.vstack([start, start + np.cumsum(moves, axis=0)])
    return joins, np.clip(course, pool.lowest, pool.highest)


def nearest_half(strength: Floats) -> Ints:
    """The half rank whose value is nearest."""
    return np.asarray(np.clip(np.rint((strength - VALUES[0]) * 2), 0, HALF_RANKS - 1).astype(np.int64))


def states_of(half: Ints, is_certified: NDArray[np.bool_], rules: GoRules) -> GoStates:
    """Players of those half ranks, certified with the points to start with, or provisional without a game."""
    players = np.zeros(len(half), go_columns.PLAYER)
    players["rank"] = np.where(is_certified, half, half + HALF_RANKS)
    players["points"] = np.where(is_certified, np.array(rules.zone.start)[half], 0)
    players["rated_games"] = np.where(is_certified, OPENING_GAMES, 0)
    return GoStates(players, np.zeros((len(half), rules.twin.longest_record(rules.figures)), np.int16))


def standing_halves(states: GoStates) -> Ints:
    """The half rank by which each is paired, certified or not; of the beginners' class the lowest."""
    rank = states.players["rank"].astype(np.int64)
    return np.where(rank < go_columns.IN_BC, rank % HALF_RANKS, 0)


def certified_halves(states: GoStates) -> NDArray[np.int32]:
    """The certified half ranks; MISSING where there is none."""
    rank = states.players["rank"].astype(np.int32)
    return np.where(rank < HALF_RANKS, rank, np.int32(MISSING))


def pair_neighbours(rng: np.random.Generator, plays: Ints, half: Ints, mixing: float) -> Ints:
    """Black and White of each game, a row each, neighbours by rank; one player may be left over."""
    near = VALUES[half[plays]] + rng.normal(0, mixing, len(plays))
    neighbours = plays[np.argsort(near, kind="stable")][: len(plays) // 2 * 2]
    return seat_pairs(rng, neighbours.reshape(-1, 2), half)


def seat_pairs(rng: np.random.Generator, pairs: Ints, half: Ints) -> Ints:
    """The pairs with Black first: the lower rank; of equal ranks either."""
    either = rng.permuted(pairs, axis=1)
    is_upper = half[either[:, 0]] > half[either[:, 1]]
    return np.asarray(np.where(is_upper[:, None], either[:, ::-1], either))


def one_day(
    states: GoStates, pairs: Ints, strength: Floats, day: int, truth: str, rules: GoRules,
    rng: np.random.Generator,
) -> None:  # fmt: skip
    """Play and rate a day's games; nobody plays twice, so that their order does not matter."""
    if not len(pairs):
        return
    half = standing_halves(states)
    black, white = pairs.T
    between = half[white] - half[black]
    lead = strength[white] - strength[black] - rules.worth[between]
    white_wins = rng.random(len(pairs)) < rules.chance(truth, lead)
    lines, moves = rules.twin.forecasts.form(rules.figures)
    won, terms = np.where(white_wins, go_columns.WHITE_WON, go_columns.BLACK_WON), rules.terms[between].T
    moves = max(MOVES, moves)
    columns = np.broadcast_arrays(day * A_DAY, black, white, won, *terms, lines, moves, 0, 0, 0, 0)
    games = GoGames(*(column.astype(kind) for column, kind in zip(columns, GAME_TYPES, strict=True)))
    silent = GoDeclarations(np.empty(0, np.int64), np.empty(0, np.int32), np.empty(0, np.int32))
    zones = go_columns.zones_of([rules.zone], [0])
    rules.twin.rate(states, games, silent, zones, rules.figures, with_lines=False)
