"""How a month's reports are rated in columns: the steps of `rulebooks.jcf.monthly`, which NCS and JCF share.

`decide` says which games enter and who plays in them, `standing` what they are rated on, `add_up` makes the
lines and the sums, `close` the new standings. All is O(games + players) for a batch.
"""

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from banzuke.columnar.batch_columns import (
    BLACK_SCORES,
    MISSING,
    VERDICTS,
    WHITE_SCORES,
    Batch,
    Flags,
    Int32s,
    Lines,
    Rated,
    Register,
    State,
    Waiting,
    lines_for,
    waiting_for,
)
from banzuke.columnar.partitioned_batches import EntryDecisions, EventColumns, Seats, Sums, seats_of
from banzuke.columnar.twin import ChessTwin, ListRows, Rules, figures_by_name
from banzuke.core.facts import Event
from banzuke.core.gc_pause import uncollected
from banzuke.core.rulebook import ChessBook
from banzuke.rulebooks.fide.columnar.table_arrays import expected_share, expected_within
from banzuke.rulebooks.fide.tables import CERTAIN
from banzuke.rulebooks.jcf.columnar.monthly_games import (
    FIELDS,
    NOT_ASKED,
    YEARS,
    Cards,
    GamesOnFile,
    add_up_games,
    add_up_on_file,
    decide_games,
    keep_waiting,
    lay_out,
    members_throughout,
    settle,
    sum_up,
    take_over,
    unrated,
)
from banzuke.rulebooks.jcf.monthly import SPEEDS, Admission

#: The row of the standings that a speed has; -1 for none.
ROWS = {speed: row for row, speed in enumerate(SPEEDS)} | {"": -1}
#: White's half points and Black's, by code of result.
SCORES = np.array([WHITE_SCORES, BLACK_SCORES])


class Edition(NamedTuple):
    """The clauses that the steps ask an edition for, as `monthly.Edition`, for all players at once.

    `inherited` gives the ratings taken over at a speed from FIDE's and the ratings at the other speed;
    `coefficients` K from the standings, who is asked for, the days of birth and the year of play;
    `first_ratings` those that the games on file give, of which none before `oldest_on_file` counts.
    """

    floor: int
    limit: int
    rates_against_unrated: bool
    unrated_pair_waits: bool
    events_have_members: bool
    oldest_on_file: Callable[[date], int]
    clauses: tuple[str, ...]
    admission: Callable[[Event, Any], Admission]
    inherited: Callable[[Int32s, int, Int32s], Int32s]
    coefficients: Callable[[State, Seats, Int32s, int], Int32s]
    first_ratings: Callable[[GamesOnFile], Int32s]

    def events_of(self, batch: Batch) -> EventColumns:
        """What the edition says of the batch's events."""
        return _events_of(self.admission, batch)

    def speeds_of(self, events: EventColumns) -> tuple[str, ...]:
        """The speed of each event, blank where it makes no list."""
        return tuple(SPEEDS[speed] if speed >= 0 else "" for speed in events.speed.tolist())

    def opened(self, state: State, *, opens_edition: bool) -> State:
        """The standings before a batch: none below the floor when the edition begins."""
        if not opens_edition:
            return state
        is_low = (state.value != MISSING) & (state.value < self.floor)
        return state._replace(
            value=np.where(is_low, np.int32(self.floor), state.value),
            peak=np.where(is_low, np.maximum(state.peak, np.int32(self.floor)), state.peak),
        )

    def decide(self, events: EventColumns, batch: Batch, shape: tuple[int, ...]) -> EntryDecisions:
        """Which games enter, and who plays in them; `shape` is that of the standings."""
        games = int((batch.last - batch.first).sum())
        why, plays, years = np.empty(games, np.int8), np.zeros(shape, np.bool_), np.zeros(YEARS, np.bool_)
        starts, ends = events.starts.min(initial=date.max.toordinal()), events.ends.max(initial=0)
        always = members_throughout(batch.register, int(starts), int(ends))
        decide_games(
            events, batch.games, batch.register, always, self.events_have_members, WHITE_SCORES,
            why, plays, years,
        )  # fmt: skip
        return EntryDecisions(why, seats_of(plays), np.flatnonzero(years))

    def standing(self, before: State, register: Register, seats: Seats) -> State:
        """What games are rated on: who plays unrated inherits, at both speeds from what stood before."""
        newcomers = _selected(seats, unrated(seats, before.value))
        value, peak, earned = before.value.copy(), before.peak.copy(), before.earned.copy()
        for speed in range(len(SPEEDS)):
            asked = newcomers.player[newcomers.speed == speed]
            found = self.inherited(register.fide.take(asked, axis=1), speed, before.value[1 - speed, asked])
            take_over(self.floor, speed, asked, found, value, peak, earned)
        return before._replace(value=value, peak=peak, earned=earned)

    def add_up(
        self, events: EventColumns, batch: Batch, decided: EntryDecisions, now: State, *, with_lines: bool
    ) -> tuple[Sums, Lines | None]:
        """The sums of the games that enter, and every line if asked for."""
        seats = decided.seats
        cards = _cards(self, batch.register, now, decided)
        rules = self.limit, self.rates_against_unrated, self.unrated_pair_waits
        fresh = waiting_for(2 * len(decided.why))
        pd = expected_within(self.limit)
        lines = lines_for(events.last - events.first) if with_lines else None
        rows = add_up_games(
            events, batch.games, decided.why, now.value, cards, SCORES, pd, rules, fresh, lines
        )
        sums = Sums(
            seats,
            np.zeros(len(seats.player), np.int64),
            np.zeros(len(seats.player), np.int32),
            _first_rows(fresh, rows),
        )
        sum_up(cards.rows, seats, sums.total, sums.counted)
        return sums, lines

    def close(self, before: State, now: State, sums: Sums, closes: date) -> State:
        """The new standings: the sums added, first ratings, and the games that go on waiting.

        `now`, what games were rated on, is used up: its ratings become the new ones.
        """
        is_asked = unrated(sums.seats, now.value)
        value, games, peak, earned = now.value, now.games.copy(), now.peak, now.earned
        settle(self.floor, sums.seats, sums.total, sums.counted, value, games, peak)
        if not self.unrated_pair_waits:
            is_asked &= sums.counted > 0
        asked = _selected(sums.seats, is_asked)
        waiting = before.waiting, sums.fresh
        found = self.first_ratings(_on_file(waiting, asked, self.oldest_on_file(closes), value.shape))
        value[asked] = peak[asked] = found
        earned[asked] = found != MISSING
        return State(value, games, peak, earned, _games_waiting(waiting, value))


def twin(
    figures: type[Any],
    edition: Callable[[Rules], Edition],
    qualified: Callable[[ChessBook, ListRows], Flags] | None = None,
) -> ChessTwin:
    """The fast twin of a book that rates by these steps, from its numbers and its clauses."""
    return ChessTwin(
        rate=partial(rate, edition),
        figures=figures_by_name(figures),
        expected=lambda numbers, gap: expected_share(gap, numbers.limit),
        statuses=("rated",),
        status=lambda _book, rows: np.zeros(len(rows.player), np.int32),
        qualified=qualified,
        table=expected_share,
        visitors="register",
        earns_first=False,
        partitioned=edition,
    )


def rate(
    edition_of: Callable[[Rules], Edition],
    rules: Rules,
    state: State,
    batch: Batch,
    *,
    with_lines: bool = True,
) -> Rated:
    """The batch rated by that edition; the standings given are left as they were."""
    edition = edition_of(rules)
    events = edition.events_of(batch)
    before = edition.opened(state, opens_edition=batch.opens_edition)
    decided = edition.decide(events, batch, before.value.shape)
    now = edition.standing(before, batch.register, decided.seats)
    sums, lines = edition.add_up(events, batch, decided, now, with_lines=with_lines)
    after = edition.close(before, now, sums, batch.closes)
    return Rated(batch, state, after, edition.speeds_of(events), edition.clauses, lines)


def clauses_of(book: ChessBook) -> tuple[str, ...]:
    """The clause of each verdict, by its code; blank for one that the book does not have."""
    return tuple(book.verdicts.get(verdict, "") for verdict in VERDICTS)


@uncollected()
def _events_of(admission: Callable[[Event, Any], Admission], batch: Batch) -> EventColumns:
    found = [admission(event, batch) for event in batch.events]
    excluded, speeds, oldest, unpaid = zip(*found, strict=True) if found else ((),) * 4
    return EventColumns(
        batch.event_ids,
        np.array(excluded, np.bool_),
        np.array([ROWS[speed] for speed in speeds], np.int8),
        np.array([day.toordinal() for day in oldest], np.int32),
        np.array(unpaid, np.bool_),
        np.array([event.starts.toordinal() for event in batch.events], np.int32),
        np.array([event.ends.toordinal() for event in batch.events], np.int32),
        batch.first,
        batch.last,
    )


def first_known(*sources: Int32s) -> Int32s:
    """The first of the sources that is not missing, for each player."""
    found = sources[-1]
    for source in sources[-2::-1]:
        found = np.where(source == MISSING, found, source)
    return found


def _selected(seats: Seats, flags: Flags) -> Seats:
    found = np.flatnonzero(flags)
    return Seats(seats.speed[found], seats.player[found])


def _cards(edition: Edition, register: Register, now: State, decided: EntryDecisions) -> Cards:
    """The cards of the years that were played in, laid out for the first game."""
    years, seats = decided.years, decided.seats
    of_year = np.zeros(YEARS, np.int32)
    of_year[years] = np.arange(len(years))
    ks = [edition.coefficients(now, seats, register.born, int(year)) for year in years]
    rows = np.empty((len(years), *now.value.shape, FIELDS), _integer_type(ks, len(decided.why)))
    for k, of_the_year in zip(ks, rows, strict=True):
        lay_out(seats, now.value, k, of_the_year)
    return Cards(of_year, rows)


def _integer_type(ks: list[Int32s], games: int) -> type[np.signedinteger[Any]]:
    """Integers that hold what anybody can move in so many games; small ones keep the cards in the cache."""
    most = max((int(np.abs(k).max(initial=0)) for k in ks), default=0)
    return np.int32 if most * CERTAIN * games < -MISSING else np.int64


def _on_file(parts: tuple[Waiting, ...], asked: Seats, oldest: int, shape: tuple[int, ...]) -> GamesOnFile:
    """The games on file of who is asked for, added up, those before the day `oldest` left out."""
    rated, without, points, points_without = (np.zeros(len(asked.player), np.int32) for _ in range(4))
    on_file = GamesOnFile(rated, without, points, points_without, np.zeros(len(asked.player), np.int64))
    seat_of = np.full(shape, NOT_ASKED, np.int32)
    seat_of[asked] = np.arange(len(asked.player))
    for rows in parts:
        add_up_on_file(rows, oldest, seat_of, on_file)
    return on_file


def _games_waiting(parts: tuple[Waiting, ...], value: Int32s) -> Waiting:
    """The games of those who are unrated yet."""
    kept, count = waiting_for(sum(len(rows.player) for rows in parts)), 0
    for rows in parts:
        count = keep_waiting(rows, value, kept, count)
    return _first_rows(kept, count)


def _first_rows(rows: Waiting, count: int) -> Waiting:
    """The first rows, so many."""
    columns: Any = [column[:count] for column in rows]
    return Waiting(*columns)
