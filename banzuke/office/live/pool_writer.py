"""Writing into a Go pool: its lock, rating new games, storing what came of them."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import attrgetter, itemgetter

from banzuke.core.go_facts import GoGame, GoOpening, GoPlayer
from banzuke.database import models
from banzuke.database.write_turns import writers_turn
from banzuke.ledger.pool_rules import Pool as Rules
from banzuke.ledger.pool_rules import go_book
from banzuke.office.fact_rows import record_of, standing_rows
from banzuke.office.live.game_rating import (
    LaterGames,
    RatingResult,
    Rerating,
    group_by_player,
    most_read_at_once,
    place_of_first_late,
    rate_on_seats,
    split_games,
)
from banzuke.office.live.go_rules import current_rules, known_rules
from banzuke.office.live.live_codec import state_after
from banzuke.office.live.live_rows import AT_FIRST, Seat, StoredGame, TimeKey, place_of
from banzuke.office.live.live_tables import ANALYZE_AT_GAME, LiveTables, LockedPool
from banzuke.office.raw_sql import pipelined_transaction

#: The lock data of a writer that locks nothing.
UNLOCKED = LockedPool(None, 0, 0, None, None)
#: Asks the database whether a sender may still send; gives a function that fetches the answer.
Permission = Callable[[], Callable[[], bool]]


class PoolWriter(LiveTables):
    """The live tables of a locked pool, and what a writer knows of them within a transaction.

    `there`: which of the games asked for are in the book; `first_seats`: where the players stood at first;
    `permissions`: which of those asked for hold.
    """

    def __init__(
        self,
        pool: models.Pool,
        rules: Rules,
        locked: LockedPool,
        there: set[str],
        first_seats: dict[str, Seat],
    ) -> None:
        super().__init__(pool)
        self.rules = rules
        self.locked = locked
        self.there = there
        self.first_seats = first_seats
        self.permissions: set[Permission] = set()

    @property
    def is_current(self) -> bool:
        """Whether the live standings hold all that the book says."""
        return self.locked.live == self.locked.last

    def rerating(
        self, seats: Mapping[str, Seat], later: Callable[[str, TimeKey], Iterator[StoredGame]] | None = None
    ) -> Rerating:
        """Rates late games, annulments and declarations, and again every later game that they change.

        `seats` are those at hand; `later` gives a player's games after a place (None: all that are stored).
        """
        later = later or LaterGames(self, len(seats)).of
        return Rerating(self.rules, seats, later, self.seat_before, self.declarations)

    def rate(self, games: Sequence[GoGame], seats: Mapping[str, Seat]) -> RatingResult:
        """New games, rated in order, and what those that are late lead to; `seats` are their players'."""
        placed = sorted(((place_of(game), game) for game in games), key=itemgetter(0))
        first = place_of_first_late(placed, seats)
        if first is None:
            return rate_on_seats(self.rules, placed, seats)
        most = most_read_at_once(len(seats))
        there = self.briefs_from(first, most)
        if len(there) == most:
            return self.rerating(seats).rate(games, [], [])
        free, late, touched = split_games(placed, seats, there)
        on = rate_on_seats(self.rules, free, seats)
        later = group_by_player(self.games_by_number(touched))
        again = self.rerating({**seats, **on.seats}, later).rate(late, [], [])
        return RatingResult(sorted(on.rated + again.rated, key=attrgetter("place")), on.seats | again.seats)

    def write(self, entry: int, done: RatingResult) -> Callable[[], dict[str, int]]:
        """Store a result under an entry; gives what tells the games' numbers in the feed, by id.

        It is best asked once all is committed: it waits for the database.
        """
        again = [each.was for each in done.rated if each.was]
        self.retire_lines([each.number for each in again])
        if self.locked.in_force is not None:
            self.drop_next_lines([each.place.game_id for each in again])
        added = self.add_rated([(entry, each.place, each.game, *each.texts) for each in done.rated])
        self.update_seats(done.seats)
        self.update_rungs({each: done.seats[each].state for each in _changed_ranks(done)})
        self.mark_current(entry)

        def numbers() -> dict[str, int]:
            found = added()
            if found and min(found.values()) <= ANALYZE_AT_GAME <= max(found.values()):
                self.analyze_tables()
            return found

        return numbers

    def seat_before(self, player: str, place: TimeKey) -> Seat:
        """Where a player stood after the last game before a place, declarations of after it left out."""
        stored = self.last_before(player, place)
        if stored is not None:
            return Seat(state_after(stored.text_of(player)), stored.place)
        opened = standing_rows(self.pool, GoOpening).filter(player_id=player).last()
        if opened is not None:
            book = go_book(self.rules.editions[0])
            return Seat(book.reopened(record_of(opened, GoOpening)), AT_FIRST)
        came = standing_rows(self.pool, GoPlayer).filter(player_id=player).latest("pk")
        return self.seat_of_newcomer(record_of(came, GoPlayer))

    def seat_of_newcomer(self, player: GoPlayer) -> Seat:
        """The seat of somebody who has only come."""
        return Seat(go_book(self.rules.editions[0]).entered(player), AT_FIRST)


def _changed_ranks(done: RatingResult) -> set[str]:
    """Whose rank may have changed: all but those who only played and have the same one."""
    lines = [(line, rated.was) for rated in done.rated for line in rated.lines]
    changed = {line.player for line, was in lines if was or line.before.rank != line.after.rank}
    return done.seats.keys() - ({line.player for line, _ in lines} - changed)


@contextmanager
def lock_pool(
    pool: models.Pool,
    games: Collection[str] = (),
    players: Collection[str] = (),
    entry_count: int = 0,
    permissions: Collection[Permission] = (),
) -> Iterator[PoolWriter]:
    """Lock a pool: a transaction in which nobody else writes into its book. Raises NotLiveError.

    It reads at once which of the games are there, and where the players stand (which holds if the live
    standings are current), and which permissions hold, and takes numbers for so many new entries.
    """
    with writers_turn(), pipelined_transaction():
        tables = LiveTables(pool)
        locked, there, seats = tables.ask_lock(), tables.ask_known_games(games), tables.ask_seats(players)
        numbers = tables.ask_entry_numbers(entry_count) if entry_count else list[int]
        asked = {each: each() for each in permissions}
        found = locked()
        writer = PoolWriter(pool, current_rules(pool, found.rules), found, there(), seats())
        writer.entry_numbers = numbers()
        writer.permissions = {each for each, holds in asked.items() if holds()}
        yield writer


def unlocked_pool(pool: models.Pool, rules: Rules | None = None) -> PoolWriter:
    """A pool that is not locked: for reading, or because nobody else sees it yet. Raises NotLiveError."""
    return PoolWriter(pool, rules or known_rules(pool), UNLOCKED, set(), {})
