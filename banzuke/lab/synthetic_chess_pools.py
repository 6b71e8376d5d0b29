"""Synthetic pools of chess players whose strength is known: who is there, how strong, and who plays whom.

A pool's games depend on strength and luck alone, never on a rating: every rule book rates the same games.
Members stay until they leave; visitors come for a stretch with a rating taken over from outside. Strength is
counted in points of the truth's scale (`lab.true_expectation`), time in months from the opening list.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from banzuke.columnar.batch_columns import RESULTS
from banzuke.lab.true_expectation import SCALE, TRUTHS, Floats, Ints, half_points

YEAR = 12
GROWN, YOUNGEST, OLDEST_JUNIOR, OLDEST = 18, 8, 17, 70
NEW_FOR = 2 * YEAR
#: The ages from which on `ChessPool.ageing` has a growth.
AGES = (0, 12, 15, 18, 25, 50, 65)

#: What a player is, for the figures; a member who is young and new counts as a junior.
GROUPS = ("veterans", "newcomers", "juniors", "visitors")
VETERAN, NEWCOMER, JUNIOR, VISITOR = range(len(GROUPS))

#: Codes of results by White's half points.
_RESULT = np.array([RESULTS.index(result) for result in ("0-1", "1/2-1/2", "1-0")], np.int8)


@dataclass(frozen=True, slots=True)
class ChessPool:
    """What a synthetic pool is like.

    Shares are of the members: `juniors` of those that a pool opens with, `junior_newcomers` of those that
    come, `arriving` and `leaving` a year, `visiting` the visits a year, `active` who play in a month. Points:
    adults have the mean `strength` and the standard deviation `spread`, juniors begin `behind` less and grow
    `growth` a year until they are 18; adults move by a random walk of `drift` a year. A visitor stays
    `visit_months` and is `visitor_lead` stronger than the rating brought along. The opening ratings are
    the strengths, with errors of the standard deviation `opening_error`. Events hold `event_size` players or
    some more; those of a section of `section` (0: of the event) are of a like strength but for `mixing` and
    meet each other, nobody twice, in `rounds` rounds (of 4.5 four or five). `draws` is the share of draws at
    even strength, `draws_rise` how much more there are for each hundred points that the players are above
    `strength`; White is `colour` points ahead, and `scale` points make ten to one by `truth`, one of
    `lab.true_expectation.TRUTHS`. `ageing` has the growth a year from each of the AGES on, in place of
    `growth`; adult newcomers are `newcomers_behind` weaker.
    """

    players: int = 300
    years: int = 6
    strength: float = 1600
    spread: float = 250
    opening_error: float = 0
    juniors: float = 0.2
    behind: float = 300
    growth: float = 80
    drift: float = 15
    arriving: float = 0.1
    leaving: float = 0.1
    junior_newcomers: float = 0.6
    visiting: float = 0.1
    visit_months: int = 2
    visitor_lead: float = 100
    active: float = 0.5
    event_size: int = 16
    section: int = 0
    rounds: float = 5
    mixing: float = 150
    draws: float = 0.3
    truth: str = "logistic"
    draws_rise: float = 0
    colour: float = 0
    scale: float = SCALE
    newcomers_behind: float = 0
    ageing: tuple[float, ...] = ()

    @property
    def months(self) -> int:
        """The lists that are made after the opening one."""
        return YEAR * self.years


class People(NamedTuple):
    """Everybody who is ever there, a row each.

    The first month and the first after leaving, age in months at the opening, whether it is a visitor, and
    the strength in every month (`strength[player, month]`).
    """

    joins: Ints
    leaves: Ints
    age: Ints
    visits: NDArray[np.bool_]
    strength: Floats

    def present(self, month: int) -> NDArray[np.bool_]:
        """Who is there in that month."""
        return (self.joins <= month) & (month < self.leaves)

    def groups(self, month: int) -> Ints:
        """The group of each in that month, by its place in GROUPS."""
        is_new = (self.joins > 0) & (month - self.joins < NEW_FOR)
        grown = self.age + month >= GROWN * YEAR
        member = np.where(grown, np.where(is_new, NEWCOMER, VETERAN), JUNIOR)
        return np.where(self.visits, VISITOR, member)


class Played(NamedTuple):
    """The games of a month, those of an event together, by round and White; events count from 0."""

    event: Ints
    round: Ints
    white: Ints
    black: Ints
    result: NDArray[np.int8]


def people_of(pool: ChessPool, rng: np.random.Generator) -> People:
    """Everybody of the pool, drawn: who it opens with, who comes later, who visits."""
    months = np.arange(1, pool.months + 1)
    arriving, visiting = (
        np.repeat(months, rng.poisson(pool.players * share / YEAR, pool.months))
        for share in (pool.arriving, pool.visiting)
    )
    joins = np.concatenate([np.zeros(pool.players, np.int64), arriving, visiting])
    visits = np.arange(len(joins)) >= len(joins) - len(visiting)
    young = rng.random(len(joins)) < np.where(joins == 0, pool.juniors, pool.junior_newcomers)
    juniors = rng.integers(YOUNGEST * YEAR, (OLDEST_JUNIOR + 1) * YEAR, len(joins))
    adults = rng.integers(GROWN * YEAR, OLDEST * YEAR, len(joins))
    age = np.where(young & ~visits, juniors, adults) - joins
    stays = rng.geometric(max(pool.leaving, 1e-9) / YEAR, len(joins))
    leaves = joins + np.where(visits, pool.visit_months, stays)
    return People(joins, leaves, age, visits, _strengths(pool, rng, age, joins))


def _strengths(pool: ChessPool, rng: np.random.Generator, age: Ints, joins: Ints) -> Floats:
    """The strength of each in each month; who has not come yet is as strong as on joining."""
    steps = np.arange(1, pool.months + 1)
    ages = age[:, None] + steps
    grows = ages < GROWN * YEAR
    walk = rng.normal(0, pool.drift / YEAR**0.5, grows.shape)
    growth = np.where(grows, pool.growth, 0)
    if pool.ageing:
        growth = np.array(pool.ageing)[np.searchsorted(AGES, ages // YEAR, "right") - 1]
    moves = (growth / YEAR + np.where(grows, 0, walk)) * (steps > joins[:, None])
    is_young = age + joins < GROWN * YEAR
    behind = np.where(is_young, pool.behind, pool.newcomers_behind * (joins > 0))
    start = rng.normal(pool.strength, pool.spread, len(age)) - behind
    strength: Floats = start[:, None] + np.pad(np.cumsum(moves, axis=1), ((0, 0), (1, 0)))
    return strength


def games_of(pool: ChessPool, people: People, rng: np.random.Generator) -> Iterator[Played]:
    """The games of each month, from month 1 on: each depends on the strengths of that month."""
    for month in range(1, pool.months + 1):
        plays = people.present(month) & (people.visits | (rng.random(len(people.joins)) < pool.active))
        strength = people.strength[:, month]
        sections, of_event = _sections(pool, rng, np.flatnonzero(plays), strength)
        rounds = int(pool.rounds) if pool.rounds % 1 == 0 else int(pool.rounds + rng.random())
        section, turn, one, other = _pairings(rounds, sections)
        swaps = rng.random(len(one)) < 1 / 2
        white, black = np.where(swaps, other, one), np.where(swaps, one, other)
        lead = strength[white] - strength[black] + pool.colour
        above = (strength[white] + strength[black]) / 2 - pool.strength
        draws = np.clip(pool.draws + pool.draws_rise * above / 100, 0, 1)
        result = _RESULT[half_points(rng, TRUTHS[pool.truth](lead * (SCALE / pool.scale)), draws)]
        event = section // of_event
        order = np.lexsort((white, turn, event))
        yield Played(event[order], turn[order], white[order], black[order], result[order])


def _sections(pool: ChessPool, rng: np.random.Generator, players: Ints, strength: Floats) -> tuple[Ints, int]:
    """Who plays in which section of an event, a row each of one even length, and how many sections each has.

    A few players find no place.
    """
    count = len(players) // pool.event_size
    size = len(players) // count // 2 * 2 if count else 0
    section = min(pool.section or size, size)
    of_event = size // section if section else 1
    seated = rng.permutation(players)[: count * of_event * section]
    order = np.argsort(strength[seated] + rng.normal(0, pool.mixing, len(seated)), kind="stable")
    return rng.permuted(seated[order].reshape(count * of_event, section), axis=1), of_event


def _pairings(rounds: int, sections: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Section, round and the two players of every game: the first rounds of a round robin."""
    size = sections.shape[1]
    turns = np.arange(min(rounds, size - 1))[:, None]
    seats = np.hstack([0 * turns, 1 + (np.arange(size - 1) - turns) % (size - 1)])
    one, other = sections[:, seats[:, : size // 2]], sections[:, seats[:, : size // 2 - 1 : -1]]
    section, turn, _ = np.indices(one.shape)
    return section.ravel(), turn.ravel() + 1, one.ravel(), other.ravel()
