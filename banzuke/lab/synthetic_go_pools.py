"""Made pools of a Go server whose players' strength is known, played through its rules by the fast twin.

Strength is counted in ranks, as `pandanet_ranks.value` counts them: nd is n, nk is 1 - n. Each day who is
there and inclined plays one game, with somebody of a rank near his own, by the regular terms for their two
ranks; the result depends on their strengths and those terms alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from banzuke.columnar.batch_columns import MISSING
from banzuke.columnar.go_columns import (
    BLACK_WON,
    GAME_TYPES,
    IN_BC,
    PLAYER,
    WHITE_WON,
    GoDeclarations,
    GoGames,
    GoStates,
    zones_of,
)
from banzuke.core.go_facts import HALF_RANKS, Zone
from banzuke.core.registry import BOOKS
from banzuke.engine.columnar.moment_columns import A_DAY
from banzuke.lab.go_constants import FIGURES, GO
from banzuke.lab.variants import figures as overridden
from banzuke.lab.variants import pool_of, variants_of
from banzuke.ledger.pool_rules import EditionInForce, Pool
from banzuke.rulebooks.pandanet import ranks as pandanet_ranks
from banzuke.rulebooks.pandanet.columnar import pandanet_twin as pandanet
from banzuke.rulebooks.pandanet.ranks import HALF_RANK, RANK, default_zone

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from banzuke.lab.true_expectation import Floats, Ints
    from banzuke.rulebooks.pandanet.columnar.lookup_tables import Figures


YEAR = 365
MOVES = 200
#: Games that an opening rank rests on: more than points are multiplied for.
OPENING_GAMES = pandanet_ranks.MULTIPLIERS[-1][0] + 1

#: Stones, and komi in half points, by the half ranks between two players; what they are worth, in ranks.
_TERMS = np.array([pandanet_ranks.regular_terms(halves) for halves in range(HALF_RANKS)])
_WORTH = np.array([pandanet_ranks.worth(*pandanet_ranks.regular_terms(h)) for h in range(HALF_RANKS)]) / RANK
VALUES = np.array([pandanet_ranks.value(half) for half in range(HALF_RANKS)]) / RANK

_LEADS = np.arange(-HALF_RANKS * HALF_RANK, HALF_RANKS * HALF_RANK + 1)
_EXPECTED = np.array([pandanet_ranks.expectation(int(lead)) for lead in _LEADS]) / (
    pandanet_ranks.BOTH_WINS * HALF_RANK
)


def table(lead: Floats) -> Floats:
    """The chance to win, so many ranks ahead after the terms, by the rules' own points."""
    return np.interp(lead * RANK, _LEADS, _EXPECTED)


def logistic(lead: Floats) -> Floats:
    """The same by a logistic curve that agrees with the rules' points one rank ahead."""
    one = _EXPECTED[_LEADS == RANK][0]
    chance: Floats = 1 / (1 + ((1 - one) / one) ** lead)
    return chance


TRUTHS: dict[str, Callable[[Floats], Floats]] = {"table": table, "logistic": logistic}


@dataclass(frozen=True, slots=True)
class GoPool:
    """What a made Go pool is like.

    Strengths have the mean `strength` and the standard deviation `spread`, in ranks, and lie between `lowest`
    and `highest`. A share `improving` gains `growth` ranks a year, the others move by a random walk of
    `drift` a year. Newcomers are a share `arriving` of the players a year; they declare whole ranks, wrong by
    `misjudged` (standard deviation, in ranks), and the opening ranks are wrong by `opening_error`. A share
    `active` plays on a day; opponents differ by some `mixing` ranks more than they must. `truth` names the
    chance of winning, of TRUTHS.
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

    @property
    def days(self) -> int:
        """How long it is played."""
        return YEAR * self.years


class GoRules(NamedTuple):
    """The server's rules as they are tried: their figures and a border-zone table."""

    name: str = "pandanet"
    figures: Figures = FIGURES
    zone: Zone = default_zone()


def go_rules_of(settings: Sequence[str] = ()) -> list[GoRules]:
    """The server's rules as the book has them, then with each override that `--set` asks for.

    Raises RefusedError as `variants.variants_of` does.
    """
    own = GoRules()
    pool = Pool("", (EditionInForce(BOOKS[GO], date.min, BOOKS[GO].settings(), "", own.zone),))
    variants = [variant for variant in variants_of(pool, [GO], settings) if variant.book]
    return [
        GoRules(
            variant.name, overridden(variant).get(GO, own.figures), pool_of(pool, variant).editions[0].zone
        )
        for variant in variants
    ]


class GoCourse(NamedTuple):
    """What became of a Go pool, by day (row) and player: day 0 is the opening.

    `half` is the certified half rank (MISSING: none yet, or the beginners' class), `games` the rated games so
    far, `strength` the true rank; `joins` the day from which a player is there, `declared` the rank that he
    declared on coming.
    """

    joins: Ints
    declared: Floats
    half: NDArray[np.int32]
    games: NDArray[np.int32]
    strength: Floats


def play(pool: GoPool, rules: GoRules, seed: int) -> GoCourse:
    """The pool that the seed makes, its games rated one after another."""
    rng = np.random.default_rng(seed)
    joins, strength = _people(pool, rng)
    states, declared = _opened(pool, rules, rng, joins, strength[0])
    halves, games = [certified_halves(states)], [states.players["rated_games"].copy()]
    for day in range(1, pool.days + 1):
        plays = np.flatnonzero((joins <= day) & (rng.random(len(joins)) < pool.active))
        pairs = paired(rng, plays, standing_halves(states), pool.mixing)
        one_day(states, pairs, strength[day], day, pool.truth, rules, rng)
        halves.append(certified_halves(states))
        games.append(states.players["rated_games"].copy())
    return GoCourse(joins, declared, np.stack(halves), np.stack(games), strength)


def _people(pool: GoPool, rng: np.random.Generator) -> tuple[Ints, Floats]:
    """When everybody comes, and how strong he is on each day; before he comes, as on coming."""
    arriving = rng.poisson(pool.players * pool.arriving / YEAR, pool.days)
    joins = np.concatenate([np.zeros(pool.players, np.int64), np.repeat(np.arange(pool.days) + 1, arriving)])
    improves = rng.random(len(joins)) < pool.improving
    steps = np.arange(1, pool.days + 1)[:, None]
    walk = rng.normal(0, pool.drift / YEAR**0.5, (pool.days, len(joins)))
    moves = np.where(improves, pool.growth / YEAR, walk) * (steps > joins)
    start = rng.normal(pool.strength, pool.spread, len(joins))
    course = np.vstack([start, start + np.cumsum(moves, axis=0)])
    return joins, np.clip(course, pool.lowest, pool.highest)


def _opened(
    pool: GoPool, rules: GoRules, rng: np.random.Generator, joins: Ints, strength: Floats
) -> tuple[GoStates, Floats]:
    """Who is there is certified by his strength; a newcomer is provisional by what he declares."""
    opens = joins == 0
    wrong = rng.normal(0, np.where(opens, pool.opening_error, pool.misjudged))
    seen = np.where(opens, strength + wrong, np.rint(strength + wrong))
    half = nearest_half(seen)
    return states_of(half, opens, rules), VALUES[half]


def nearest_half(strength: Floats) -> Ints:
    """The half rank whose value is nearest."""
    steps = np.rint((strength - VALUES[0]) * RANK / HALF_RANK)
    half: Ints = np.clip(steps, 0, HALF_RANKS - 1).astype(np.int64)
    return half


def states_of(half: Ints, is_certified: NDArray[np.bool_], rules: GoRules) -> GoStates:
    """Players of those half ranks, certified with the points to start with, or provisional without a game."""
    players = np.zeros(len(half), PLAYER)
    players["rank"] = np.where(is_certified, half, half + HALF_RANKS)
    players["points"] = np.where(is_certified, np.array(rules.zone.start)[half], 0)
    players["rated_games"] = np.where(is_certified, OPENING_GAMES, 0)
    return GoStates(players, np.zeros((len(half), rules.figures.certifying_games), np.int16))


def standing_halves(states: GoStates) -> Ints:
    """The half rank by which each is paired, certified or not; of the beginners' class the lowest."""
    rank = states.players["rank"].astype(np.int64)
    return np.where(rank < IN_BC, rank % HALF_RANKS, 0)


def certified_halves(states: GoStates) -> NDArray[np.int32]:
    """The certified half ranks; MISSING where there is none."""
    rank = states.players["rank"].astype(np.int32)
    return np.where(rank < HALF_RANKS, rank, np.int32(MISSING))


def paired(rng: np.random.Generator, plays: Ints, half: Ints, mixing: float) -> Ints:
    """Black and White of each game, a row each, neighbours by rank; one player may be left over."""
    near = VALUES[half[plays]] + rng.normal(0, mixing, len(plays))
    neighbours = plays[np.argsort(near, kind="stable")][: len(plays) // 2 * 2]
    return seated(rng, neighbours.reshape(-1, 2), half)


def seated(rng: np.random.Generator, pairs: Ints, half: Ints) -> Ints:
    """The pairs with Black first: the lower rank; of equal ranks either."""
    either = rng.permuted(pairs, axis=1)
    is_upper = half[either[:, 0]] > half[either[:, 1]]
    rows: Ints = np.where(is_upper[:, None], either[:, ::-1], either)
    return rows


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
    lead = strength[white] - strength[black] - _WORTH[between]
    white_wins = rng.random(len(pairs)) < TRUTHS[truth](lead)
    count = len(pairs)
    columns = (
        np.full(count, day * A_DAY), black, white, np.where(white_wins, WHITE_WON, BLACK_WON),
        _TERMS[between, 0], _TERMS[between, 1], np.full(count, rules.figures.board_size),
        np.full(count, max(MOVES, rules.figures.least_moves)),
        *(np.zeros(count) for _ in ("room", "pair", "robot", "fault")),
    )  # fmt: skip
    games = GoGames(*(column.astype(kind) for column, kind in zip(columns, GAME_TYPES, strict=True)))
    silent = GoDeclarations(np.empty(0, np.int64), np.empty(0, np.int32), np.empty(0, np.int32))
    zones = zones_of([rules.zone], [0])
    pandanet.rate(states, games, silent, zones, rules.figures, with_lines=False)
