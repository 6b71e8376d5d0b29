"""A synthetic pool as a ledger, and what rules make of it: everybody's rating month by month.

A month's events are on its first three weekends, at standard time controls, paid and reported in time, so
that the lists of the next month's first day have them. Everybody is a member; the opening list is month 1's.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

import numpy as np

from banzuke.columnar.batch_columns import MISSING, Games
from banzuke.core.facts import ANNUAL, STANDARD, Event, Membership, Opening, Player
from banzuke.core.month import Month
from banzuke.engine.columnar.chess_reader import ChessColumns
from banzuke.engine.columnar.readable_lists import any_history
from banzuke.engine.history import list_names
from banzuke.lab.chess_histories import takes_over
from banzuke.lab.overrides import with_adjustment
from banzuke.lab.synthetic_chess_pools import YEAR, ChessPool, People, Played, games_of, people_of
from banzuke.lab.true_expectation import Floats
from banzuke.lab.variants import Variant, edition_of_variant
from banzuke.ledger.pool_rules import EditionInForce, Pool, chess_book

#: The month of a pool's opening list; any would do, and books ask for the year of play.
OPENS = Month(2026, 1)
#: The first days of a month's events; how long they last, and when they are reported.
FIRST_DAYS, LASTS, REPORTED = (3, 10, 17), timedelta(days=2), timedelta(days=3)
MINUTES, SECONDS = 90, 30
#: Games that an opening rating rests on: more than any book asks of an established one.
OPENING_GAMES = 100
LONG_AGO, FOREVER = date(2000, 1, 1), date(9999, 12, 31)


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
    event_ids, none = tuple(event.event_id for event in events), np.empty(0, np.int32)
    _, *numbers, result = (np.concatenate(column) for column in zip(*played, strict=True))
    rounds, white, black = (each.astype(np.int32) for each in numbers)
    day = np.zeros(len(rounds), np.int32)
    columns = ChessColumns(
        pool=Pool("Made", (edition,)),
        players=[
            Player(player, player, birth_date=_birth_date(age), fide_standard=rating)
            for player, age, rating in zip(ids, people.age.tolist(), _whole(fide), strict=True)
        ],
        clubs=[],
        memberships=[
            Membership(player, ANNUAL, OPENS.plus(month - 1).first_day if month else LONG_AGO, FOREVER)
            for player, month in zip(ids, joins.tolist(), strict=True)
        ],
        events=events,
        standings=[
            Opening(player, rating, OPENING_GAMES, book.speeds[0], earned=True)
            for player, rating in zip(ids, _whole(opens), strict=True)
            if rating is not None
        ],
        adjustments=[],
        player_ids=ids,
        event_ids=event_ids,
        player_numbers={player: number for number, player in enumerate(ids)},
        event_numbers={event: number for number, event in enumerate(event_ids)},
        games=Games(rounds, white, black, result, day, day > 0),
        event_first=np.cumsum(np.concatenate([[0], *sizes])),
        added=none,
        struck=none,
    )
    return people, columns, brought


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
