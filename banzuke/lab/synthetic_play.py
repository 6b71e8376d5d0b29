"""A made pool played through a rule book: its games as columns, month by month, without any text.

What happens in month m enters the list of month m + 1; the opening list is that of month 1. All events are at
standard time controls, paid and reported in time, everybody a member.
"""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from banzuke.columnar import twin
from banzuke.columnar.batch_columns import MISSING, Batch, Games, Register, State, nothing_waits
from banzuke.core.facts import STANDARD, Event
from banzuke.core.fault import fault, refuse_any
from banzuke.core.month import Month
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import ChessBook, Family
from banzuke.lab.synthetic_pools import YEAR, games_of, people_of
from banzuke.lab.variants import figures as overridden
from banzuke.lab.variants import pool_of, variants_of
from banzuke.ledger.pool_rules import EditionInForce, chess_book
from banzuke.ledger.pool_rules import Pool as EditionPool
from banzuke.rulebooks.fide import fide_2024
from banzuke.rulebooks.jcf import ncs_2022
from banzuke.rulebooks.pandanet.ranks import default_zone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from banzuke.lab.synthetic_pools import People, Played, Pool
    from banzuke.lab.true_expectation import Floats
    from banzuke.lab.variants import Variant

#: The month of a pool's opening list; any would do, and books ask for the year of play.
OPENS = Month(2026, 1)
#: Days of an event, and when it is reported: in every book's window for the next list.
FIRST_DAY, LAST_DAY, REPORTED = 10, 12, 15
MINUTES, SECONDS = 90, 30
#: Games that an opening rating rests on: more than any book asks of an established one.
OPENING_GAMES = 100


class Rules(NamedTuple):
    """A rule book as it is tried: by its own settings and figures, or by others."""

    name: str
    book: ChessBook
    settings: Any
    figures: Any


def rules_of(books: Sequence[str], settings: Sequence[str] = ()) -> list[Rules]:
    """The books as their documents have them, then with each override that `--set` asks for.

    An override without a book's name is for every book. Raises RefusedError as `variants.variants_of` does,
    and where there is no book.
    """
    known = [name for name, book in BOOKS.items() if isinstance(book, ChessBook) and book.twin]
    chess = [BOOKS[name] for name in books if name in known]
    faults = [
        fault("--books", 0, name, "lab-book", known=", ".join(known)) for name in books if name not in known
    ]
    if not books:
        faults.append(fault("--books", 0, "", "lab-no-book", known=", ".join(known)))
    faults += [
        fault("--set", 0, text, "lab-constant", known=", ".join(books))
        for text in settings
        if _book_of(text) not in ("", *books)
    ]
    refuse_any(faults)
    found = []
    for family in dict.fromkeys(book.family for book in chess):
        own = [book.name for book in chess if book.family is family]
        editions = [
            EditionInForce(BOOKS[name], date.min, BOOKS[name].settings(), "", default_zone()) for name in own
        ]
        asked = [text for text in settings if _book_of(text) in ("", *own)]
        pool = EditionPool("", tuple(editions))
        found += [_rules(pool, variant) for variant in variants_of(pool, own, asked) if variant.book]
    return found


def _book_of(setting: str) -> str:
    """The book whose constant a setting sets; blank where it is every book's."""
    return setting.partition("=")[0].rpartition(":")[0]


def _rules(pool: EditionPool, variant: Variant) -> Rules:
    (edition,) = pool_of(pool, variant).editions
    book = chess_book(edition)
    figures = overridden(variant).get(variant.book) or twin.twin_of(book).figures(book)
    return Rules(variant.name, book, edition.settings, figures)


class Course(NamedTuple):
    """What became of a pool: who was there, and everybody's rating on every list.

    `ratings[player, month]` is the rating on the list after that month, not a number where there is none;
    month 0 is the opening list. `brought` is the rating that a visitor came with.
    """

    people: People
    ratings: Floats
    brought: Floats


def play(pool: Pool, rules: Rules, seed: int) -> Course:
    """The pool that the seed makes, rated by those rules from the opening list to the last."""
    people = people_of(pool, np.random.default_rng([seed, 0]))
    openings = np.random.default_rng([seed, 1]).normal(0, pool.opening_error, len(people.joins))
    rng = np.random.default_rng([seed, 2])
    family = rules.book.family
    brought = _brought(pool, people, family)
    register = _register(people, brought)
    state = _opened(family, people, people.strength[:, 0] + openings, brought)
    rate = partial(twin.twin_of(rules.book).rate, twin.Rules(*rules[1:]))
    ratings = [state.value[0]]
    for number, played in enumerate(games_of(pool, people, rng), 1):
        for batch in _batches(family, number, played, register, state):
            state = rate(state, batch, with_lines=False).after
        ratings.append(state.value[0])
    values = np.stack(ratings, axis=1)
    return Course(people, np.where(values == MISSING, np.nan, values), brought)


def _brought(pool: Pool, people: People, family: Family) -> Floats:
    """The ratings that visitors bring, as whole points; NaN for members, and where a club takes none."""
    on_joining = people.strength[np.arange(len(people.joins)), people.joins]
    brings = people.visits & (family is not Family.CLUB)
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


def _opened(family: Family, people: People, ratings: Floats, brought: Floats) -> State:
    """The opening list: who is there from the beginning, established; FIDE's has the visitors, too."""
    shape = len(family.speeds), len(people.joins)
    value, games = np.full(shape, MISSING, np.int32), np.zeros(shape, np.int32)
    opens = np.where(people.joins == 0, ratings, brought if family is Family.FIDE else np.nan)
    there = ~np.isnan(opens)
    value[0, there] = np.rint(opens[there])
    games[0, there] = OPENING_GAMES
    return State(value, games, value.copy(), games > 0, nothing_waits())


def _batches(family: Family, number: int, played: Played, register: Register, before: State) -> list[Batch]:
    """The month's games as the batches of a book: one, or for a club one an event."""
    of = OPENS.plus(number - 1)
    listed = of.plus(1)
    count = int(played.event[-1]) + 1 if len(played.event) else 0
    bounds = np.searchsorted(played.event, np.arange(count + 1)).astype(np.int64)
    batch = Batch(
        name=str(listed),
        published=listed.first_day,
        closes=(fide_2024 if family is Family.FIDE else ncs_2022).window_closes(listed),
        events=tuple(_event(of, event) for event in range(count)),
        event_ids=np.arange(count, dtype=np.int32),
        first=bounds[:-1],
        last=bounds[1:],
        games=_games(played),
        register=register,
        opens_edition=number == 1,
        in_force=(before,) * count if family is Family.FIDE else (),
    )
    return [_alone(batch, event) for event in range(count)] if family is Family.CLUB else [batch]


def _alone(batch: Batch, event: int) -> Batch:
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
