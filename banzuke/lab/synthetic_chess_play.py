"""A synthetic pool played through a rule book: its games as columns, month by month, without any text.

What happens in a month enters the next list of the book's calendar; the opening list is that of month 1. All
events are at standard time controls, paid and reported in time, everybody a member.
"""

from datetime import date
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from banzuke.columnar import twin
from banzuke.columnar.batch_columns import MISSING, Batch, Games, Register, State, nothing_waits
from banzuke.core.facts import STANDARD, Event
from banzuke.core.month import Month
from banzuke.core.rulebook import ChessBook
from banzuke.lab.synthetic_chess_pools import YEAR, ChessPool, People, Played, games_of, people_of
from banzuke.lab.true_expectation import Floats
from banzuke.lab.variants import Variant, edition_of, edition_of_variant
from banzuke.ledger.list_schedule import Schedule
from banzuke.ledger.pool_rules import chess_book

#: The month of a pool's opening list; any would do, and books ask for the year of play.
OPENS = Month(2026, 1)
#: Days of an event, and when it is reported.
FIRST_DAY, LAST_DAY, REPORTED = 10, 12, 15
MINUTES, SECONDS = 90, 30
#: Games that an opening rating rests on: more than any book asks of an established one.
OPENING_GAMES = 100


class Rules(NamedTuple):
    """A rule book as it is tried: by its own settings and figures, or by others."""

    book: ChessBook
    settings: Any
    figures: Any


@lru_cache(maxsize=8)
def rules_of(variant: Variant) -> Rules:
    """The rules of a variant of a book."""
    edition = edition_of_variant(variant)
    book = chess_book(edition)
    return Rules(book, edition.settings, twin.twin_of(book).figures(book))


class PlayedPool(NamedTuple):
    """What became of a pool: who was there, and everybody's rating on every list.

    `ratings[player, month]` is the rating on the list after that month, not a number where there is none;
    month 0 is the opening list. `brought` is the rating that a visitor came with.
    """

    people: People
    ratings: Floats
    brought: Floats


def play(pool: ChessPool, rules: Rules, seed: int) -> PlayedPool:
    """The pool that the seed makes, rated by those rules from the opening list to the last."""
    people = people_of(pool, np.random.default_rng([seed, 0]))
    openings = np.random.default_rng([seed, 1]).normal(0, pool.opening_error, len(people.joins))
    rng = np.random.default_rng([seed, 2])
    own = twin.twin_of(rules.book)
    brought = _ratings_brought(pool, people, own)
    register = _register(people, brought)
    state = _opening_state(rules.book, people, people.strength[:, 0] + openings, brought)
    rate = partial(own.rate, twin.Rules(*rules))
    ratings = [state.value[0]]
    for number, played in enumerate(games_of(pool, people, rng), 1):
        for batch in _batches(rules.book, number, played, register, state):
            state = rate(state, batch, with_lines=False).after
        ratings.append(state.value[0])
    values = np.stack(ratings, axis=1)
    return PlayedPool(people, np.where(values == MISSING, np.nan, values), brought)


def _ratings_brought(pool: ChessPool, people: People, own: twin.ChessTwin) -> Floats:
    """The ratings that visitors bring, as whole points; NaN for members, and where a book takes none."""
    on_joining = people.strength[np.arange(len(people.joins)), people.joins]
    brings = people.visits & (own.visitors != "unrated")
    brought: Floats = np.where(brings, np.rint(on_joining - pool.visitor_lead), np.nan)
    return brought


def _register(people: People, brought: Floats) -> Register:
    """Everybody a member for ever; visitors with the rating that they bring as FIDE's."""
    count = len(people.joins)
    born = date(OPENS.year, OPENS.month, 1).toordinal() - people.age * 365.25 / YEAR
    fide = np.full((3, count), MISSING, np.int32)
    fide[0, ~np.isnan(brought)] = brought[~np.isnan(brought)]
    span_from, span_to = (np.full(count, day.toordinal(), np.int32) for day in (date.min, date.max))
    annual = np.full(count, -1, np.int32)
    return Register(
        born.astype(np.int32), fide, np.arange(count + 1, dtype=np.int64), span_from, span_to, annual
    )


def _opening_state(book: ChessBook, people: People, ratings: Floats, brought: Floats) -> State:
    """The opening list: who is there from the beginning, established; visitors, too, where a book says so."""
    shape = len(book.speeds), len(people.joins)
    value, games = np.full(shape, MISSING, np.int32), np.zeros(shape, np.int32)
    has_visitors = twin.twin_of(book).visitors == "opening"
    opens = np.where(people.joins == 0, ratings, brought if has_visitors else np.nan)
    there = ~np.isnan(opens)
    value[0, there] = np.rint(opens[there])
    games[0, there] = OPENING_GAMES
    return State(value, games, value.copy(), games > 0, nothing_waits())


def _batches(book: ChessBook, number: int, played: Played, register: Register, before: State) -> list[Batch]:
    """The month's games as the batches of a book: the window that they lie in, or one an event."""
    count = int(played.event[-1]) + 1 if len(played.event) else 0
    events = tuple(_event(OPENS.plus(number - 1), event) for event in range(count))
    bounds = np.searchsorted(played.event, np.arange(count + 1)).astype(np.int64)
    schedule = Schedule((edition_of(book),))
    window = schedule.window_of(_event(OPENS.plus(number - 1), 0))
    batch = Batch(
        name=window.name,
        published=window.published,
        closes=window.closes,
        events=events,
        event_ids=np.arange(count, dtype=np.int32),
        first=bounds[:-1],
        last=bounds[1:],
        games=_games(played),
        register=register,
        opens_edition=number == 1,
        in_force=(before,) * count if book.rates_on_list_in_force else (),
    )
    return [_batch_of_event(batch, event) for event in range(count)] if schedule.is_by_event else [batch]


def _batch_of_event(batch: Batch, event: int) -> Batch:
    """One event of the batch as a batch."""
    only = slice(event, event + 1)
    return batch._replace(
        events=batch.events[only],
        event_ids=batch.event_ids[only],
        first=batch.first[only],
        last=batch.last[only],
    )


def _games(played: Played) -> Games:
    rounds, white, black = (column.astype(np.int32) for column in (played.round, played.white, played.black))
    count = len(rounds)
    return Games(rounds, white, black, played.result, np.zeros(count, np.int32), np.zeros(count, np.bool_))


def _event(of: Month, number: int) -> Event:
    starts, ends, reported = (of.first_day.replace(day=day) for day in (FIRST_DAY, LAST_DAY, REPORTED))
    return Event(
        f"{of}-{number:04}", "", starts, ends, reported, speed=STANDARD, base_minutes=MINUTES,
        increment_seconds=SECONDS, paid=ends,
    )  # fmt: skip
