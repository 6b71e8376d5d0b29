"""A chess pool's history: its batches in order, each rated on the standings that the one before left.

The history is the fold of the rule books over the batches. A list is made of the rows that it may know: where
a book's calendar has days for corrections, of the inquiries made in time.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from operator import attrgetter
from typing import Generic, NamedTuple, Protocol, TypeVar

from banzuke.core.batch import Batch, Register, Spans
from banzuke.core.calendar import Window
from banzuke.core.facts import ANNUAL, Adjustment, Entry, Event, Game, Membership, Opening, Player
from banzuke.core.rating import AGAINST_UNRATED, FIRST, RATED, Outcome, Rating, Ratings, Standings
from banzuke.engine.adjustments import NOT_ADJUSTED, AdjustedRatings, adjust
from banzuke.ledger.cells import LATEST_YEAR
from banzuke.ledger.folder import ChessLedger
from banzuke.ledger.list_schedule import Schedule
from banzuke.ledger.pool_rules import EditionInForce, Pool, chess_book
from banzuke.ledger.records import standing_records

AnyRegister = TypeVar("AnyRegister")

BY_ROUND_AND_WHITE = attrgetter("round", "white")
ENTERED = frozenset((RATED, FIRST, AGAINST_UNRATED))


class UnknownListError(ValueError):
    """A list that the ledger does not have; `known` says which it has."""

    def __init__(self, name: str, known: str) -> None:
        super().__init__(name)
        self.name = name
        self.known = known


class RatedList(NamedTuple):
    """One list: its batch, the edition that rated it, the ratings before it, and the outcome.

    `adjusted` are the ratings that adjustments of the list were for; the standings of the outcome are those
    after them, its calculations are of the games alone.
    """

    batch: Batch
    edition: EditionInForce
    before: Ratings
    outcome: Outcome
    adjusted: AdjustedRatings = NOT_ADJUSTED


class HistoryPosition(NamedTuple):
    """Where a history stands before one of its lists: all that the lists before it leave to the next ones.

    `edition` is the one that made the list before, None where there is none. `lists` has the ratings of the
    lists, by name, that events are rated on, where a book rates on the list in force. `entered` has the games
    of events reported anew that entered a list, as `EnteredGames` has them.
    """

    standings: Standings
    edition: EditionInForce | None
    lists: dict[str, Ratings]
    entered: set[tuple[str, int, frozenset[str]]]


def opening(ledger: ChessLedger) -> Standings:
    """The standings that the pool opens with."""
    ratings: Ratings = {speed: {} for speed in ledger.pool.speeds}
    least = chess_book(ledger.pool.editions[0]).peak_from_games
    for row in ledger.standings:
        ratings[row.speed][row.player_id] = opening_rating(row, least)
    return Standings(ratings, {speed: {} for speed in ratings})


def opening_rating(row: Opening, least: int) -> Rating:
    """The state that a player begins with; a peak rests on `least` games."""
    return Rating(row.rating, row.games, opening_peak(row, least), bool(row.earned), row.more)


def opening_peak(row: Opening, least: int) -> int | None:
    """The peak that a player begins with: as given, else the rating, if it rests on `least` games."""
    return row.rating if row.peak is None and row.games >= least else row.peak


class PoolWithEvents(Protocol):
    """A chess pool with its events, however its games are kept."""

    @property
    def pool(self) -> Pool:
        """Its name and editions."""

    @property
    def events(self) -> Sequence[Event]:
        """Every event that was reported."""

    @property
    def adjustments(self) -> Sequence[Adjustment]:
        """Every adjustment of a list that was decided."""


#: So many lists of a ledger are shown as examples of how a list's name is written.
EXAMPLES = 5


def list_names(ledger: PoolWithEvents, until: str | None) -> list[str]:
    """The lists that rating the ledger makes, in order; an event that never stood makes none.

    Raises UnknownListError for an `until` that cannot be one of its lists.
    """
    if ledger.pool.schedule.is_by_event:
        return _event_names(ledger, until)
    schedule = ledger.pool.schedule
    days = [schedule.day_of(event) for event in ledger.events if _ever_stood(event)]
    last = None if until is None else _until_window(schedule, until, days)
    if not days:
        return []
    first, last = schedule.window_on(min(days)), last or schedule.window_on(max(days))
    return [window.name for window in schedule.windows(first, last)]


def _ever_stood(event: Event) -> bool:
    """Whether any list may know the event: not one that was taken back as of the day it came."""
    return event.struck is None or event.struck > (event.added or date.min)


def _until_window(schedule: Schedule, until: str, days: list[date]) -> Window:
    """The window of that name. Raises UnknownListError."""
    try:
        window = schedule.window_named(until)
        if window.published.year <= LATEST_YEAR:
            return window
    except (ValueError, OverflowError):
        pass
    known = [schedule.window_on(max(days, default=schedule.editions[-1].start))]
    while days and len(known) < EXAMPLES and known[-1].opens > min(days):
        known.append(schedule.before(known[-1]))
    raise UnknownListError(until, ", ".join(window.name for window in reversed(known)))


def _event_names(ledger: PoolWithEvents, until: str | None) -> list[str]:
    """The events in the order of their last day, then id, where each makes a list."""
    events = sorted(standing_records(ledger.events, None), key=lambda event: (event.ends, event.event_id))
    names = [event.event_id for event in events]
    if until is None:
        return names
    if until not in names:
        raise UnknownListError(until, ", ".join(names[-EXAMPLES:]))
    return names[: names.index(until) + 1]


def history(
    ledger: ChessLedger, names: Iterable[str], since: HistoryPosition | None = None
) -> Iterator[RatedList]:
    """The lists of those names, one after another: a leading run of `list_names`, or what follows `since`."""
    reached = HistoryPosition(opening(ledger), None, {}, set()) if since is None else since
    standings, previous = reached.standings, reached.edition
    batches = _Batches(ledger, reached)
    for name in names:
        batch, edition = batches.batch(name, previous)
        rated = batches.rate(batch, edition, standings)
        yield rated
        standings, previous = rated.outcome.standings, edition


def batches(ledger: ChessLedger) -> Iterator[tuple[Batch, EditionInForce]]:
    """The batches of all lists with the editions that will rate them, as they are before any is rated."""
    made = _Batches(ledger, HistoryPosition(opening(ledger), None, {}, set()))
    edition = None
    for name in list_names(ledger, None):
        batch, edition = made.batch(name, edition)
        yield batch, edition


def history_after(
    ledger: ChessLedger, names: Iterable[str], standings: Standings, closes: date
) -> Iterator[RatedList]:
    """The lists that follow one whose window closed on that day and that left those standings.

    The ledger needs no events of before, if none of them was reported anew since and no edition rates on the
    list in force. Not for a pool where every event makes a list.
    """
    schedule = ledger.pool.schedule
    edition = schedule.edition_of(schedule.window_on(closes))
    return history(ledger, names, HistoryPosition(standings, edition, {}, set()))


class Plan(NamedTuple):
    """What a list is made of, however its games are kept: its days, its edition, its events by id.

    `known` is the day before which inquiries must be made (None: there is no such rule); `in_force` has the
    name of the list that an event is rated on, by the event's id, where the book rates on the list in force.
    """

    window: Window
    edition: EditionInForce
    known: date | None
    events: list[Event]
    in_force: dict[str, str]


class Plans:
    """The plans of a pool's lists, by their names; `rated_on` has the lists that events are rated on."""

    def __init__(self, ledger: PoolWithEvents) -> None:
        self._schedule = ledger.pool.schedule
        self._by_list: dict[str, list[Event]] = defaultdict(list)
        for event in ledger.events:
            self._by_list[self._schedule.window_of(event).name].append(event)
        self._events, self._adjustments = ledger.events, ledger.adjustments
        self._in_force = lists_in_force(ledger.pool, ledger.events)
        self.rated_on = set(self._in_force.values())

    def plan(self, name: str) -> Plan:
        """The plan of a list. Raises LookupError for one before the first edition."""
        window = self._window(name)
        edition = self._schedule.edition_of(window)
        if edition is None:
            raise LookupError(name)
        known = self._schedule.known_until(window)
        events = sorted(standing_records(self._by_list[name], known), key=lambda event: event.event_id)
        rates_so = chess_book(edition).rates_on_list_in_force
        in_force = {event.event_id: self._in_force[event.starts] for event in events if rates_so}
        return Plan(window, edition, known, events, in_force)

    def known_until(self, name: str) -> date | None:
        """The day before which inquiries must be made to change the list; None: there is no such rule."""
        return None if self._schedule.is_by_event else self._schedule.known_until(self._window(name))

    def adjustments(self, name: str) -> list[Adjustment]:
        """The adjustments of the list that stand, in the order in which they are carried out."""
        of_list = [adjustment for adjustment in self._adjustments if adjustment.list == name]
        if not of_list:
            return []
        standing = standing_records(of_list, self.known_until(name))
        return sorted(standing, key=attrgetter("adjustment_id"))

    def rated_on_after(self, closes: date) -> set[str]:
        """The lists that events of windows after that day are rated on."""
        starts = self._in_force.keys()
        later = (event for event in self._events if event.starts in starts)
        return {
            self._in_force[event.starts] for event in later if self._schedule.window_of(event).closes > closes
        }

    def _window(self, name: str) -> Window:
        if not self._schedule.is_by_event:
            return self._schedule.window_named(name)
        (event,) = standing_records(self._by_list[name], None)
        return self._schedule.window_of(event)


def lists_in_force(pool: Pool, events: Iterable[Event]) -> dict[date, str]:
    """The list in force on each first day of events whose edition rates on it."""
    if not any(chess_book(edition).rates_on_list_in_force for edition in pool.editions):
        return {}
    schedule, found = pool.schedule, {}
    for event in events:
        edition = schedule.edition_of(schedule.window_of(event))
        if edition and chess_book(edition).rates_on_list_in_force and event.starts not in found:
            found[event.starts] = schedule.in_force_on(event.starts).name
    return found


class _Batches:
    """A ledger's batches by the names of their lists, and what earlier lists leave to later ones."""

    def __init__(self, ledger: ChessLedger, reached: HistoryPosition) -> None:
        self._ledger, self._plans = ledger, Plans(ledger)
        make = partial(register_of, ledger)
        self._registers = Registers(ledger.players, ledger.memberships, make)
        self._entered = EnteredGames(ledger, reached.entered)
        self._lists, self._opening = dict(reached.lists), opening(ledger).ratings

    def batch(self, name: str, previous: EditionInForce | None) -> tuple[Batch, EditionInForce]:
        """The batch of a list with the edition that rates it; `previous` rated the list before."""
        window, edition, known, events, lists = self._plans.plan(name)
        entries = [
            Entry(event, self._entered.without(_games(self._ledger, event, known))) for event in events
        ]
        register, opens = self._registers.known(known), edition is not previous
        in_force = {event: self._lists.get(of, self._opening) for event, of in lists.items()}
        return Batch(name, window.published, window.closes, entries, register, opens, in_force), edition

    def rate(self, batch: Batch, edition: EditionInForce, standings: Standings) -> RatedList:
        """The batch rated on those standings and adjusted; what later lists need of it is remembered."""
        book = chess_book(edition)
        outcome = book.rate(standings, batch, edition.settings)
        after, adjusted = adjust(outcome.standings, book, self._plans.adjustments(batch.name))
        outcome = outcome._replace(standings=after)
        self._entered.note(outcome)
        if batch.name in self._plans.rated_on:
            self._lists[batch.name] = outcome.standings.ratings
        return RatedList(batch, edition, standings.ratings, outcome, adjusted)


def _games(ledger: ChessLedger, event: Event, known: date | None) -> list[Game]:
    """The event's games that stand, by round and White."""
    return sorted(standing_records(ledger.games.get(event.event_id, ()), known), key=BY_ROUND_AND_WHITE)


class EnteredGames:
    """Games that entered an earlier list; only events reported anew could bring them again."""

    def __init__(self, ledger: ChessLedger, entered: Iterable[tuple[str, int, frozenset[str]]]) -> None:
        seen: set[str] = set()
        self._watched: set[str] = set()
        for event in ledger.events:
            (self._watched if event.event_id in seen else seen).add(event.event_id)
        self._entered = set(entered)

    def without(self, games: list[Game]) -> list[Game]:
        """The games less those that entered an earlier list."""
        if not self._entered:
            return games
        return [
            game
            for game in games
            if (game.event_id, game.round, frozenset((game.white, game.black))) not in self._entered
        ]

    def note(self, outcome: Outcome) -> None:
        """Remember the games that entered."""
        for event_lines in outcome.events:
            event_id = event_lines.event.event_id
            if event_id in self._watched:
                self._entered.update(
                    (event_id, line.round, frozenset((line.player, line.opponent)))
                    for line in event_lines.lines
                    if line.verdict in ENTERED
                )


class Registers(Generic[AnyRegister]):
    """The register as each list may know it; made once where no row was ever corrected.

    `make` makes a register of the players and the memberships that stand for a list.
    """

    def __init__(
        self,
        players: Sequence[Player],
        memberships: Sequence[Membership],
        make: Callable[[list[Player], list[Membership]], AnyRegister],
    ) -> None:
        self._players, self._memberships, self._make = players, memberships, make
        of_people = any(row.added or row.struck for row in players)
        self._is_corrected = of_people or any(row.added or row.struck for row in memberships)
        self._last: AnyRegister | None = None

    def known(self, until: date | None) -> AnyRegister:
        """The register for a list that knows inquiries before `until`."""
        if self._last is None or self._is_corrected:
            self._last = self._make(
                standing_records(self._players, until), standing_records(self._memberships, until)
            )
        return self._last


def register_of(ledger: ChessLedger, players: list[Player], memberships: list[Membership]) -> Register:
    """A register in which every id of the ledger is found, a player struck with nothing but it."""
    facts = {player.player_id: Player(player.player_id, player.name) for player in ledger.players}
    facts.update((player.player_id, player) for player in players)
    return register_with(facts, memberships)


def register_with(players: Mapping[str, Player], memberships: Iterable[Membership]) -> Register:
    """The register of those players and memberships."""
    annual: dict[str, Spans] = {}
    one_event: dict[tuple[str, str], Spans] = {}
    for row in memberships:
        span = ((row.valid_from, row.valid_to),)
        if row.kind == ANNUAL:
            annual[row.player_id] = annual.get(row.player_id, ()) + span
        else:
            key = (row.player_id, row.event_id)
            one_event[key] = one_event.get(key, ()) + span
    return Register(players, annual, one_event)
