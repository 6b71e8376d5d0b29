"""Synthetic pools of chess players whose strength is known: who is there, who plays whom, at what rating.

A pool's games depend on strength and luck alone, never on a rating: every rule book rates the same games.
Members stay until they leave; visitors come for a stretch with a rating taken over from outside. Strength is
counted in points of the truth's scale (`lab.true_expectation`), time in months from the opening list.

As a ledger, a month's events are on its first three weekends, at standard time controls, paid and reported in
time, so that the lists of the next month's first day have them. Everybody is a member; the opening list is
month 1's.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from banzuke.columnar.batch_columns import MISSING, RESULTS, Games
from banzuke.core.facts import ANNUAL, STANDARD, Event, Membership, Opening, Player
from banzuke.core.month import Month
from banzuke.engine.columnar.chess_reader import ChessColumns, without_games
from banzuke.engine.columnar.readable_lists import any_history
from banzuke.engine.history import list_names
from banzuke.lab.chess_histories import takes_over
from banzuke.lab.overrides import with_adjustment
from banzuke.lab.true_expectation import SCALE, TRUTHS, Floats, Ints, half_points
from banzuke.lab.variants import Variant, edition_of_variant
from banzuke.ledger.pool_rules import EditionInForce, Pool, chess_book

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
#: The month of a pool's opening list; any would do, and books ask for the year of play.
OPENS = Month(2026, 1)
#: The first days of a month's events; how long they last, and when they are reported.
FIRST_DAYS, LASTS, REPORTED = (3, 10, 17), timedelta(days=2), timedelta(days=3)
MINUTES, SECONDS = 90, 30
#: Games that an opening rating rests on: more than any book asks of an established one.
OPENING_GAMES = 100
LONG_AGO, FOREVER = date(2000, 1, 1), date(9999, 12, 31)


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
    return np.asarray(start[:, None] + np.pad(np.cumsum(moves, axis=1), ((0, 0), (1, 0))))


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


class PlayedPool(NamedTuple):
    """What became of a pool: who was there, and everybody's rating on every list.

    `ratings[player, month]` is the rating on the list after that month, not a number where there is none;
    month 0 is the opening list. `brought` is the rating that a visitor came with.
    """

    people: People
    ratings: Floats
    brought: Floats


def play(pool: ChessPool, variant: Variant, seed: int) -> PlayedPool:
    """The pool that the seed makes, rated by those rules from the opening list to the last."""
    edition = edition_of_variant(variant)
    people, columns, brought = made_ledger(pool, edition, seed)
    names = list_names(columns, None)
    tried = with_adjustment(columns, names, variant.adjustment)
    rated = [each.rated for each in any_history(tried, names)]
    published = [each.batch.published.toordinal() for each in rated]
    months = [OPENS.plus(month).first_day.toordinal() for month in range(1, pool.months + 1)]
    after = [rated[0].before.value[0], *(each.after.value[0] for each in rated)] if rated else []
    values = np.stack([after[0], *(after[at] for at in np.searchsorted(published, months, "right"))], axis=1)
    return PlayedPool(people, np.where(values == MISSING, np.nan, values), brought)


def made_ledger(pool: ChessPool, edition: EditionInForce, seed: int) -> tuple[People, ChessColumns, Floats]:
    """The pool that the seed makes as a ledger of that edition; who is in it, and what visitors brought.

    Visitors bring whole points to books that take ratings from elsewhere (NaN: none): as FIDE's, or for the
    opening list.
    """
    people, book = people_of(pool, np.random.default_rng([seed, 0])), chess_book(edition)
    count, joins, taken = len(people.joins), people.joins, takes_over(book)
    errors = np.random.default_rng([seed, 1]).normal(0, pool.opening_error, count)
    played = list(games_of(pool, people, np.random.default_rng([seed, 2])))
    lead = np.where(people.visits & (taken != "unrated"), pool.visitor_lead, np.nan)
    brought = np.rint(people.strength[np.arange(count), joins] - lead)
    fide = brought if taken == "register" else np.nan * brought
    opens = np.where(joins == 0, people.strength[:, 0] + errors, brought if taken == "opening" else np.nan)
    ids = tuple(f"{number:06}" for number in range(count))
    events = [event for month, of_month in enumerate(played, 1) for event in _events(month, of_month)]
    sizes = [np.bincount(of_month.event) for of_month in played]
    _, *numbers, result = (np.concatenate(column) for column in zip(*played, strict=True))
    rounds, white, black = (each.astype(np.int32) for each in numbers)
    day = np.zeros(len(rounds), np.int32)
    tables: dict[str, list[Any]] = {
        "players": [
            Player(player, player, birth_date=_birth_date(age), fide_standard=rating)
            for player, age, rating in zip(ids, people.age.tolist(), _whole(fide), strict=True)
        ],
        "clubs": [],
        "memberships": [
            Membership(player, ANNUAL, OPENS.plus(month - 1).first_day if month else LONG_AGO, FOREVER)
            for player, month in zip(ids, joins.tolist(), strict=True)
        ],
        "events": events,
        "standings": [
            Opening(player, rating, OPENING_GAMES, book.speeds[0], earned=True)
            for player, rating in zip(ids, _whole(opens), strict=True)
            if rating is not None
        ],
        "adjustments": [],
    }
    columns = without_games(Pool("Made", (edition,)), tables)
    games, first = Games(rounds, white, black, result, day, day > 0), np.cumsum(np.concatenate([[0], *sizes]))
    return people, columns._replace(games=games, event_first=first), brought


def _birth_date(age: int) -> date:
    return date.fromordinal(int(OPENS.first_day.toordinal() - age * 365.25 / YEAR))


def _whole(values: Floats) -> list[int | None]:
    return [None if np.isnan(value) else int(np.rint(value)) for value in values.tolist()]


def _events(month: int, played: Played) -> Iterator[Event]:
    of = OPENS.plus(month - 1)
    for number in range(played.event.max(initial=-1) + 1):
        starts = of.first_day.replace(day=FIRST_DAYS[number % len(FIRST_DAYS)])
        yield Event(
            f"{month:04}-{number:05}", "", starts, starts + LASTS, starts + REPORTED, speed=STANDARD,
            base_minutes=MINUTES, increment_seconds=SECONDS, paid=starts + REPORTED,
        )  # fmt: skip
