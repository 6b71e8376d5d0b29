"""A Go pool locked by one writer, and its live standings brought to what its book says."""

from __future__ import annotations

import fcntl
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from django.db import connection, transaction

from banzuke.core.fault import fault
from banzuke.core.go_facts import GoOpening, GoPlayer
from banzuke.ledger.pool_rules import go_book
from banzuke.office.fact_rows import record_of, standing_rows
from banzuke.office.live import queries
from banzuke.office.live.current_rules import go_rules_now
from banzuke.office.live.game_rating import RatingResult, Rerating, first_late, rate_on_seats, split_games
from banzuke.office.live.later_games import Later, most_at_once, of_each
from banzuke.office.live.live_codec import after, moment_of
from banzuke.office.raw_sql import Statements

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from banzuke.core.fault import Fault
    from banzuke.core.go_facts import Declaration, GoGame
    from banzuke.database.models import Pool
    from banzuke.ledger.pool_rules import Pool as Rules
    from banzuke.office.live.queries import LockedPool, Place, Seat, StoredGame

#: The rules of Go pools, with the number of the last file of any pool's rules when they were read.
_rules: dict[int, tuple[int, Rules]] = {}


class PoolWriter(NamedTuple):
    """What a writer has in hand within a transaction.

    `there`: which of the games asked for are in the book; `first_seats`: where the players stood at first.
    """

    db: Statements
    pool: Pool
    rules: Rules
    locked: LockedPool
    there: set[str]
    first_seats: dict[str, Seat]

    @property
    def is_current(self) -> bool:
        """Whether the live standings hold all that the book says."""
        return self.locked.live == self.locked.last

    def seats(self, players: Iterable[str]) -> dict[str, Seat]:
        """Where those players stand; who is unknown is left out."""
        return queries.ask_seats(self.db, self.pool.pk, set(players))()

    def games_by_id(self, games: Iterable[str]) -> dict[str, StoredGame | None]:
        """Those of the games that the book has, by id; None for one that an inquiry struck."""
        return queries.games_by_id(self.db, self.pool.pk, set(games))

    def standing_games(self, games: Iterable[str]) -> dict[str, StoredGame]:
        """Those of the games that stand, by id."""
        return {game_id: stored for game_id, stored in self.games_by_id(games).items() if stored is not None}

    def rerating(self, seats: Mapping[str, Seat]) -> Rerating:
        """Rating in the middle of what is there; `seats` are those that are at hand."""
        return self._rerating(seats, Later(self.db, self.pool.pk, len(seats)).of)

    def rate(self, games: Sequence[GoGame], seats: Mapping[str, Seat]) -> RatingResult:
        """New games in order, rated, and what those that are late lead to; `seats` are their players'."""
        first = first_late(games, seats)
        if first is None:
            return rate_on_seats(self.rules, games, seats)
        most = most_at_once(len(seats))
        there = queries.briefs_from(self.db, self.pool.pk, first, most)
        if len(there) == most:
            return self.rerating(seats).rate(games, [], [])
        free, late, touched = split_games(games, seats, there)
        on = rate_on_seats(self.rules, free, seats)
        later = of_each(queries.games_by_number(self.db, self.pool.pk, touched))
        again = self._rerating({**seats, **on.seats}, later).rate(late, [], [])
        return RatingResult(sorted(on.rated + again.rated, key=attrgetter("place")), on.seats | again.seats)

    def _rerating(
        self, seats: Mapping[str, Seat], later: Callable[[str, Place], Iterator[StoredGame]]
    ) -> Rerating:
        return Rerating(self.rules, seats, later, self.seat_before, self.declarations)

    def write(self, entry: int, done: RatingResult) -> dict[str, int]:
        """Keep what rating has made, under an entry: the games' numbers in the feed, by id."""
        number = self.pool.pk
        queries.retire_lines(self.db, [each.was.number for each in done.rated if each.was])
        added = queries.add_rated(
            self.db,
            number,
            [(entry, each.place, each.game, *each.texts) for each in done.rated],
        )
        queries.update_seats(self.db, number, done.seats)
        queries.update_rungs(self.db, number, {each: done.seats[each].state for each in _changed_ranks(done)})
        queries.mark_current(self.db, number, entry)
        numbers = added()
        if numbers and min(numbers.values()) <= queries.WORTH_WEIGHING <= max(numbers.values()):
            queries.analyze_tables(self.db)
        return numbers

    def seat_before(self, player: str, place: Place) -> Seat:
        """Where a player stood after the last game before a place, declarations of after it left out."""
        stored = queries.last_before(self.db, self.pool.pk, player, place)
        if stored is None:
            return self._seat_as_entered(player)
        return queries.Seat(
            after(stored.black if stored.players[0] == player else stored.white), stored.place
        )

    def declarations(self, players: Collection[str]) -> list[Declaration]:
        """Those players' declarations, in order."""
        return queries.declarations(self.db, self.pool.pk, players)

    def _seat_as_entered(self, player: str) -> Seat:
        """The state with which a player came, or with which the server opened."""
        opened = standing_rows(self.pool, GoOpening).filter(player_id=player).last()
        if opened is not None:
            book = go_book(self.rules.editions[0])
            return queries.Seat(book.reopened(record_of(opened, GoOpening)), queries.AT_FIRST)
        came = standing_rows(self.pool, GoPlayer).filter(player_id=player).latest("pk")
        return self.seat_of_newcomer(record_of(came, GoPlayer))

    def seat_of_newcomer(self, player: GoPlayer) -> Seat:
        """The seat of somebody who has only come."""
        return queries.Seat(go_book(self.rules.editions[0]).entered(player), queries.AT_FIRST)


def _changed_ranks(done: RatingResult) -> set[str]:
    """Whose rank may be another: all but those who only played and kept theirs."""
    lines = [(line, rated.was) for rated in done.rated for line in rated.lines]
    changed = {line.player for line, was in lines if was or line.before.rank != line.after.rank}
    return done.seats.keys() - ({line.player for line, _ in lines} - changed)


@contextmanager
def lock_pool(pool: Pool, games: Collection[str] = (), players: Collection[str] = ()) -> Iterator[PoolWriter]:
    """Hold a pool: a transaction in which nobody else writes into its book. Raises NotLiveError.

    At once it is seen which of the games are there, and where the players stand (which holds if the live
    standings are current).
    """
    with _turn(), transaction.atomic(), connection.wrap_database_errors:
        db, number = Statements(), pool.pk
        locked = queries.ask_lock(db, number)
        there = queries.ask_there(db, number, games)
        seats = queries.ask_seats(db, number, players)
        found = locked()
        yield PoolWriter(db, pool, _rules_now(pool, found), found, there(), seats())


@contextmanager
def _turn() -> Iterator[None]:
    """On SQLite, one after the other: its own way of waiting sleeps, for longer and longer.

    Whoever is in a transaction already has the turn.
    """
    file = Path(connection.settings_dict["NAME"])
    if connection.vendor != "sqlite" or connection.in_atomic_block or not file.is_file():
        yield
        return
    with Path(f"{file}-turn").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        yield


def _rules_now(pool: Pool, locked: LockedPool) -> Rules:
    known = _rules.get(pool.pk)
    if known is not None and known[0] == locked.rules:
        return known[1]
    rules = go_rules_now(pool)
    # Not before the commit: a number that is rolled back is given again.
    transaction.on_commit(lambda: _rules.__setitem__(pool.pk, (locked.rules, rules)))
    return rules


# How far back a program may reach: the office's setting, counted from the pool's newest game


def earliest(locked: LockedPool) -> datetime | None:
    """The moment before which nothing is taken from a program; None where anything is.

    A game that a wrong clock put into the future does not move it beyond the present.
    """
    if locked.late_hours is None or locked.newest is None:
        return None
    return min(moment_of(locked.newest), datetime.now(UTC)) - timedelta(hours=locked.late_hours)


def refuse_late(
    locked: LockedPool, file: str, line: int, column: str, at: datetime, faults: list[Fault]
) -> None:
    """Note the fault of what reaches back too far."""
    first = earliest(locked)
    if first is not None and at < first:
        facts = {"at": at.isoformat(), "earliest": first.isoformat(), "hours": locked.late_hours}
        faults.append(fault(file, line, column, "too-late", **facts))
