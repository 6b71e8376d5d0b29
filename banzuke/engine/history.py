"""A chess pool's history: its batches in order, each rated on the standings that the one before left.

The history is the fold of the rule books over the batches; a list is made of the rows that it may
know (the 90-day rule of NCS 3(7) and JCF 7(3)) on the figures of the list before it.
"""

from __future__ import annotations

from collections import defaultdict
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, Protocol

from banzuke.core.batch import Batch, Register
from banzuke.core.facts import ANNUAL, Entry, Player
from banzuke.core.month import Month, month_of, parse_month
from banzuke.core.rating import AGAINST_UNRATED, FIRST, RATED, Rating, Standings
from banzuke.core.rulebook import Family
from banzuke.ledger.cells import LATEST_YEAR
from banzuke.ledger.corrections import standing
from banzuke.rulebooks.fide import fide_2024
from banzuke.rulebooks.jcf import ncs_2022

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date

    from banzuke.core.batch import Spans
    from banzuke.core.facts import Event, Game, Membership
    from banzuke.core.rating import Outcome, Ratings
    from banzuke.ledger.folder import ChessLedger
    from banzuke.ledger.pool_rules import EditionInForce, Pool

BY_ROUND_AND_WHITE = attrgetter("round", "white")
ENTERED = frozenset((RATED, FIRST, AGAINST_UNRATED))


class UnknownListError(ValueError):
    """A list that the ledger does not have; `known` says which it has."""

    def __init__(self, name: str, known: str) -> None:
        super().__init__(name)
        self.name = name
        self.known = known


class RatedList(NamedTuple):
    """One list: its batch, the edition that rated it, the ratings before it, and the outcome."""

    batch: Batch
    edition: EditionInForce
    before: Ratings
    outcome: Outcome


class Reached(NamedTuple):
    """Where a history stands before one of its lists: all that the lists before it leave to the next ones.

    `edition` is the one that made the list before, None where there is none; `lists` (FIDE) the ratings of
    the months in which events began; `entered` the games of events reported anew that entered a list, as
    `EnteredGames` has them.
    """

    standings: Standings
    edition: EditionInForce | None
    lists: dict[Month, Ratings]
    entered: set[tuple[str, int, frozenset[str]]]


def opening(ledger: ChessLedger) -> Standings:
    """The standings that the pool opens with."""
    ratings: Ratings = {speed: {} for speed in ledger.pool.speeds}
    for row in ledger.standings:
        peak = row.rating if row.peak is None else row.peak
        ratings[row.speed][row.player_id] = Rating(row.rating, row.games, peak, bool(row.earned))
    return Standings(ratings, {speed: {} for speed in ratings})


class Dated(Protocol):
    """A chess pool with its events, however its games are kept."""

    @property
    def pool(self) -> Pool:
        """Its name and editions."""

    @property
    def events(self) -> Sequence[Event]:
        """Every event that was reported."""


def list_names(ledger: Dated, until: str | None) -> list[str]:
    """The lists that rating the ledger makes, in order.

    Raises UnknownListError for an `until` that cannot be one of its lists.
    """
    if ledger.pool.family is Family.CLUB:
        return _club_names(ledger, until)
    month = fide_2024.list_of if ledger.pool.family is Family.FIDE else ncs_2022.list_of
    days = [e.ends if ledger.pool.family is Family.FIDE else e.reported for e in ledger.events]
    last = _until_month(until)
    if not days:
        return []
    of = month(min(days))
    last = last or month(max(days))
    names = []
    while of <= last:
        names.append(str(of))
        of = of.plus(1)
    return names


def _until_month(until: str | None) -> Month | None:
    if until is None:
        return None
    try:
        month = parse_month(until)
    except ValueError:
        raise UnknownListError(until, "YYYY-MM") from None
    if month.year > LATEST_YEAR:
        raise UnknownListError(until, "YYYY-MM")
    return month


def _club_events(ledger: Dated) -> list[Event]:
    """HCC: events in order of their last day, then id."""
    return sorted(standing(ledger.events, None), key=lambda e: (e.ends, e.event_id))


def _club_names(ledger: Dated, until: str | None) -> list[str]:
    names = [event.event_id for event in _club_events(ledger)]
    if until is None:
        return names
    if until not in names:
        raise UnknownListError(until, ", ".join(names[-5:]))
    return names[: names.index(until) + 1]


def history(ledger: ChessLedger, names: Iterable[str], since: Reached | None = None) -> Iterator[RatedList]:
    """The lists of those names, one after another: a leading run of `list_names`, or what follows `since`."""
    reached = Reached(opening(ledger), None, {}, set()) if since is None else since
    if ledger.pool.family is Family.CLUB:
        return _club_history(ledger, names, reached)
    if ledger.pool.family is Family.FIDE:
        return _fide_history(ledger, names, reached)
    return _month_history(ledger, names, reached)


def history_after(
    ledger: ChessLedger, names: Iterable[str], standings: Standings, closes: date
) -> Iterator[RatedList]:
    """The lists of months that follow one that closed on that day and left those standings.

    The ledger needs no events of before, if none of them was reported anew since.
    """
    return _month_history(ledger, names, Reached(standings, ledger.pool.edition_on(closes), {}, set()))


def _rated(standings: Standings, batch: Batch, edition: EditionInForce) -> RatedList:
    outcome: Outcome = edition.book.module.rate(standings, batch, edition.settings)
    return RatedList(batch, edition, standings.ratings, outcome)


def _month_history(ledger: ChessLedger, names: Iterable[str], reached: Reached) -> Iterator[RatedList]:
    standings, previous = reached.standings, reached.edition
    by_list: dict[str, list[Event]] = defaultdict(list)
    for event in ledger.events:
        by_list[str(ncs_2022.list_of(event.reported))].append(event)
    registers = Registers(ledger)
    entered = EnteredGames(ledger, reached.entered)
    for name in names:
        month = parse_month(name)
        closes = ncs_2022.window_closes(month)
        edition = ledger.pool.edition_on(closes)
        known = ncs_2022.knows_until(month.first_day)
        events = standing(by_list[name], known)
        entries = [Entry(e, entered.without(_games(ledger, e, known))) for e in _by_id(events)]
        register = registers.known(known)
        opens = edition is not previous
        batch = Batch(name, month.first_day, closes, entries, register, opens, {})
        rated = _rated(standings, batch, edition)
        entered.note(rated.outcome)
        standings, previous = rated.outcome.standings, edition
        yield rated


def _by_id(events: Iterable[Event]) -> list[Event]:
    return sorted(events, key=lambda event: event.event_id)


def _games(ledger: ChessLedger, event: Event, known: date | None) -> list[Game]:
    """The event's games that stand, by round and White."""
    return sorted(standing(ledger.games.get(event.event_id, ()), known), key=BY_ROUND_AND_WHITE)


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
        for event, _, lines in outcome.events:
            if event.event_id in self._watched:
                self._entered.update(
                    (event.event_id, line.round, frozenset((line.player, line.opponent)))
                    for line in lines
                    if line.verdict in ENTERED
                )


class Registers:
    """The register as each list may know it; made once where no row was ever corrected."""

    def __init__(self, ledger: ChessLedger) -> None:
        self._ledger = ledger
        self._is_corrected = any(p.added or p.struck for p in ledger.players) or any(
            m.added or m.struck for m in ledger.memberships
        )
        self._last: Register | None = None

    def known(self, until: date | None) -> Register:
        """Players and memberships that stand for a list knowing inquiries before `until`."""
        if self._last is None or self._is_corrected:
            self._last = _register(
                self._ledger, standing(self._ledger.players, until), standing(self._ledger.memberships, until)
            )
        return self._last


def _register(ledger: ChessLedger, players: list[Player], memberships: list[Membership]) -> Register:
    """A register in which every id of the ledger is found, a player struck with nothing but it."""
    facts = {player.player_id: Player(player.player_id, player.name) for player in ledger.players}
    facts.update((player.player_id, player) for player in players)
    annual: dict[str, Spans] = {}
    one_event: dict[tuple[str, str], Spans] = {}
    for row in memberships:
        span = ((row.valid_from, row.valid_to),)
        if row.kind == ANNUAL:
            annual[row.player_id] = annual.get(row.player_id, ()) + span
        else:
            key = (row.player_id, row.event_id)
            one_event[key] = one_event.get(key, ()) + span
    return Register(facts, annual, one_event)


def _fide_history(ledger: ChessLedger, names: Iterable[str], reached: Reached) -> Iterator[RatedList]:
    standings, lists = reached.standings, dict(reached.lists)
    by_list: dict[str, list[Event]] = defaultdict(list)
    for event in standing(ledger.events, None):
        by_list[str(fide_2024.list_of(event.ends))].append(event)
    register = Registers(ledger).known(None)
    starts = {month_of(event.starts) for event in ledger.events}
    before_all = opening(ledger).ratings
    for name in names:
        month = parse_month(name)
        closes = fide_2024.window_closes(month)
        edition = ledger.pool.edition_on(closes)
        events = _by_id(by_list[name])
        entries = [Entry(event, _games(ledger, event, None)) for event in events]
        in_force = {e.event_id: lists.get(month_of(e.starts), before_all) for e in events}
        batch = Batch(name, month.first_day, closes, entries, register, False, in_force)
        rated = _rated(standings, batch, edition)
        standings = rated.outcome.standings
        if month in starts:
            lists[month] = standings.ratings
        yield rated


def _club_history(ledger: ChessLedger, names: Iterable[str], reached: Reached) -> Iterator[RatedList]:
    standings = reached.standings
    register = Registers(ledger).known(None)
    of_name = {event.event_id: event for event in standing(ledger.events, None)}
    for name in names:
        event = of_name[name]
        edition = ledger.pool.edition_on(Family.CLUB.deciding_day(event))
        entries = [Entry(event, _games(ledger, event, None))]
        batch = Batch(name, event.ends, event.ends, entries, register, False, {})
        rated = _rated(standings, batch, edition)
        standings = rated.outcome.standings
        yield rated
