"""The live standings of a Go pool: lock them, bring them up to date with the book, rate new games on them."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from itertools import islice, takewhile
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from django.db.models import QuerySet

from banzuke.core.fault import Fault, fault
from banzuke.core.go_facts import Declaration, GoGame, GoOpening, GoPlayer
from banzuke.database import models
from banzuke.database.book_reader import MissingBookError, SpoiledRulesError, last_entry, read_book, rules_of
from banzuke.database.write_turns import WriteTurn, writers_turn
from banzuke.engine.go_history import GoRun, RatedGame, history, opening
from banzuke.ledger.folder import GoLedger
from banzuke.ledger.pool_rules import Pool as Rules
from banzuke.ledger.pool_rules import go_book
from banzuke.office.fact_rows import record_of, standing_rows
from banzuke.office.live.game_rating import (
    GameRating,
    LaterGames,
    RatingResult,
    RemovedEvent,
    Rerating,
    group_by_player,
    most_read_at_once,
    place_of_first_late,
    rate_on_seats,
    split_games,
)
from banzuke.office.live.last_row_cache import LastRowCache
from banzuke.office.live.live_codec import micros, moment_of, state_after, texts_of
from banzuke.office.live.live_tables import (
    ANALYZE_AT_GAME,
    AT_FIRST,
    RULES_MARK,
    LiveTables,
    LockedPool,
    Seat,
    StoredGame,
    TimeKey,
    place_of,
)
from banzuke.office.raw_sql import Statements, newest_of_pool, pipelined_transaction

#: The rules of Go pools, known by `RULES_MARK`.
_known_rules = LastRowCache[Rules]()
#: How many games of a history are written at once.
GAMES_AT_ONCE = 500
#: Positive if the book has entries that the live standings do not hold.
ENTRIES_BEHIND = (
    f"SELECT COALESCE({newest_of_pool('id', 'book_entry')}, 0) "  # noqa: S608  # no input
    "- COALESCE((SELECT entry FROM book_livepool WHERE pool_id = %s), -1)"
)
#: Columns of a statement: the same, and the mark of the rules. The pool's number comes twice.
STANDS = f"({ENTRIES_BEHIND}), {RULES_MARK}"
#: The lock data of a writer that locks nothing.
UNLOCKED = LockedPool(None, 0, 0, None, None)
#: Asks the database whether a sender may still send; gives a function that fetches the answer.
Permission = Callable[[], Callable[[], bool]]


class NotLiveError(Exception):
    """The pool is of chess: its ratings move list by list, and no game by itself."""


def is_live(pool: models.Pool) -> bool:
    """Whether every game of the pool is rated the moment it ends: by a book of Go that is installed."""
    try:
        return rules_of(pool).is_go
    except (MissingBookError, SpoiledRulesError):
        return False


def go_rules_of(pool: models.Pool) -> Rules:
    """The rules of a Go pool. Raises NotLiveError."""
    rules = rules_of(pool)
    if not rules.is_go:
        raise NotLiveError(pool.slug)
    return rules


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


def current_rules(pool: models.Pool, mark: int) -> Rules:
    """The rules of a Go pool; `mark` is what `RULES_MARK` has given. Raises NotLiveError."""
    return _known_rules.find(pool, mark, go_rules_of)


def reader(pool: models.Pool, rules: Rules | None = None) -> PoolWriter:
    """The live tables of a pool that is not locked, for reading alone. Raises NotLiveError."""
    return PoolWriter(pool, rules or known_rules(pool), UNLOCKED, set(), {})


def known_rules(pool: models.Pool) -> Rules:
    """A Go pool's rules as this process read them last, if it did: quick, and behind by a game at the most.

    Raises NotLiveError.
    """
    return _known_rules.as_read_last(pool) or go_rules_of(pool)


#: How far the clock of a server may be ahead of ours.
MOST_AHEAD = timedelta(minutes=5)

# How far back a program may reach: the office's setting, counted from the pool's newest game


def earliest_moment(locked: LockedPool) -> datetime | None:
    """The moment before which nothing is taken from a program; None where anything is.

    A game that a wrong clock put into the future does not move it beyond the present.
    """
    if locked.late_hours is None or locked.newest is None:
        return None
    return min(moment_of(locked.newest), datetime.now(UTC)) - timedelta(hours=locked.late_hours)


def refuse_late(
    locked: LockedPool, file: str, line: int, column: str, at: datetime, faults: list[Fault]
) -> None:
    """Add a fault if something reaches back too far."""
    first = earliest_moment(locked)
    if first is not None and at < first:
        facts = {"at": at.isoformat(), "earliest": first.isoformat(), "hours": locked.late_hours}
        faults.append(fault(file, line, column, "too-late", **facts))


def refuse_future(file: str, line: int, ended: datetime, now: datetime, faults: list[Fault]) -> None:
    """Add a fault if a game ends later than now; two clocks may differ a little."""
    if ended > now + MOST_AHEAD:
        facts = {"ended": ended.isoformat(), "now": now.isoformat(timespec="seconds")}
        faults.append(fault(file, line, "ended", "future-game", **facts))


def synchronise(pool: models.Pool) -> Rules:
    """The rules of a Go pool, whose live standings hold what its book says when this returns.

    Nothing is locked unless somebody else than the service has entered something since. Raises NotLiveError.
    """
    return catch_up_if_behind(pool, *Statements().repeat(f"SELECT {STANDS}", [pool.pk, pool.pk]).fetchone())


def catch_up_if_behind(pool: models.Pool, behind: int, rules_mark: int) -> Rules:
    """The same where it was read already what `STANDS` says."""
    rules = current_rules(pool, rules_mark)
    if behind > 0:
        with lock_current_pool(pool):
            pass
    return rules


@contextmanager
def lock_current_pool(pool: models.Pool, games: Collection[str] = ()) -> Iterator[PoolWriter]:
    """Lock a pool and bring its live standings to the book; reads which of the games are there."""
    with lock_pool(pool, games) as found:
        if not found.is_current:
            catch_up(found)
        yield found


def catch_up(writer: PoolWriter) -> None:
    """Bring the live standings to the last entry of the book."""
    locked = writer.locked
    if (
        locked.live is None
        or has_lost_players(writer.pool, locked.live)
        or _has_other_rules(writer.pool, locked.live)
    ):
        rebuild(writer, locked.last)
    else:
        take_in(writer, locked.live, locked.last)


def take_in(writer: PoolWriter, since: int, until: int) -> None:
    """Take in what the book has after one entry and up to another, by the same rules."""
    entries: dict[str, Any] = {"pool": writer.pool, "entry_id__gt": since, "entry_id__lte": until}
    came = {row.player_id: row for row in models.GoPlayer.objects.filter(**entries).order_by("pk")}
    new = came.keys() - writer.seats(came).keys()
    writer.add_seats({each: writer.seat_of_newcomer(record_of(came[each], GoPlayer)) for each in new})
    games = writer.games_since(since, until)
    voids = set(models.GoVoid.objects.filter(**entries).values_list("game_id", flat=True))
    made = models.Declaration.objects.filter(**entries)
    declared = [Declaration(each.player_id, datetime.fromisoformat(each.at), each.rank) for each in made]
    opened = models.GoOpening.objects.filter(**entries).values_list("player_id", flat=True)
    removed = [RemovedEvent(AT_FIRST, player) for player in opened]
    strikes = models.Strike.objects.filter(**entries)
    if strikes.exists():
        writer.retire_struck()
        removed += _removals(strikes)
        restored = models.GoVoid.objects.filter(pk__in=strikes.filter(table=models.VOIDS).values("row"))
        voids.update(restored.values_list("game_id", flat=True))
    if voids or declared or removed:
        voided = writer.standing_games(voids).values()
        done = writer.rerating({}).rate(games, voided, declared, removed)
    else:
        done = writer.rate(games, writer.seats({each for game in games for each in (game.black, game.white)}))
    writer.write(until, done)
    # Who declared a rank and played since stands on another rung, though no game says so.
    moved = done.seats.keys() & ({each.player_id for each in declared} | {each.player for each in removed})
    writer.update_rungs({player: done.seats[player].state for player in moved})


def _removals(strikes: QuerySet[models.Strike]) -> list[RemovedEvent]:
    """The places from which strikes took something, for each of its players."""
    games = models.GoGame.objects.filter(pk__in=strikes.filter(table="games").values("row"))
    declared = models.Declaration.objects.filter(pk__in=strikes.filter(table="declarations").values("row"))
    removed = [
        RemovedEvent(TimeKey(micros(datetime.fromisoformat(each.ended)), each.game_id), player)
        for each in games
        for player in (each.black, each.white)
    ]
    removed += [
        RemovedEvent(TimeKey(micros(datetime.fromisoformat(each.at)), ""), each.player_id)
        for each in declared
    ]
    for table, rows in (("players", models.GoPlayer.objects), ("standings", models.GoOpening.objects)):
        struck = rows.filter(pk__in=strikes.filter(table=table).values("row"))
        removed += [RemovedEvent(AT_FIRST, player) for player in struck.values_list("player_id", flat=True)]
    return removed


def has_lost_players(pool: models.Pool, since: int) -> bool:
    """Whether, since an entry, somebody was struck who is no player of the pool any more."""
    strikes = models.Strike.objects.filter(pool=pool, entry_id__gt=since, table="players")
    rows = models.GoPlayer.objects.filter(pk__in=strikes.values("row"))
    struck = set(rows.values_list("player_id", flat=True))
    there = standing_rows(pool, GoPlayer).filter(player_id__in=struck)
    return bool(struck) and not struck.issubset(there.values_list("player_id", flat=True))


def _has_other_rules(pool: models.Pool, since: int) -> bool:
    """Whether the editions, with their settings and border zones, are others than as of an entry."""
    if not models.PoolFile.objects.filter(entry__pool=pool, entry_id__gt=since).exists():
        return False
    try:
        return rules_of(pool).editions != rules_of(pool, since).editions
    except (MissingBookError, SpoiledRulesError):
        return True


class RatedLedger(NamedTuple):
    """A ledger of Go with all its games rated, in order, and where its players stand in the end."""

    rated: Iterable[GameRating]
    run: GoRun
    declarations: list[Declaration]


def rate_ledger(ledger: GoLedger) -> RatedLedger:
    """A ledger rated as it is read: `run` is whole once every game was taken."""
    run = opening(ledger)
    rated = (
        GameRating(place_of(game), game, (black, white), texts_of((black, white)))
        for game, black, white in history(ledger, run, None)
    )
    return RatedLedger(rated, run, ledger.declarations)


def open_standings(pool: models.Pool, done: RatedLedger, turn: WriteTurn = nullcontext) -> None:
    """The live standings of a new pool that is hidden or in a transaction, rated beforehand."""
    writer, last, rated = reader(pool), last_entry(pool), iter(done.rated)
    places = dict.fromkeys(done.run.states, AT_FIRST)
    with turn():
        models.LivePool.objects.create(pool=pool, entry=0)
    while chunk := list(islice(rated, GAMES_AT_ONCE)):
        for each in chunk:
            places[each.game.black] = places[each.game.white] = each.place
        with turn():
            writer.add_rated([(last, each.place, each.game, *each.texts) for each in chunk])
    place_declarations(places, done.declarations)
    states = iter(done.run.states.items())
    while some := list(islice(states, GAMES_AT_ONCE)):
        with turn():
            writer.add_seats({player: Seat(state, places[player]) for player, state in some})
    with turn():
        writer.retire_struck()
        writer.mark_current(last)
        writer.analyze_tables()


def place_declarations(places: dict[str, TimeKey], declarations: Iterable[Declaration]) -> None:
    """Let the places of players who declared a rank after their last game be those of what they declared."""
    for declared in declarations:
        place = TimeKey(micros(declared.at), "")
        places[declared.player_id] = max(places[declared.player_id], place)


def rebuild(writer: PoolWriter, last: int) -> None:
    """Rate the whole book; rows of games that come out as they were stay."""
    ledger: Any = read_book(writer.pool, last)
    done = rate_ledger(ledger)
    states, rated = done.run.states, iter(done.rated)
    places = dict.fromkeys(states, AT_FIRST)
    has_games = models.LiveGame.objects.filter(pool=writer.pool).exists()
    models.LivePool.objects.get_or_create(pool=writer.pool, defaults={"entry": 0})
    models.LiveStanding.objects.filter(pool=writer.pool).delete()
    while chunk := list(islice(rated, GAMES_AT_ONCE)):
        ids = [each.game.game_id for each in chunk] if has_games else ()
        stored = writer.standing_games(ids)
        made = [each._replace(was=stored.get(each.game.game_id)) for each in chunk]
        for each in made:
            places[each.game.black] = places[each.game.white] = each.place
        writer.write(last, RatingResult([each for each in made if not _is_unchanged(each)], {}))
    place_declarations(places, done.declarations)
    writer.add_seats({player: Seat(state, places[player]) for player, state in states.items()})
    writer.retire_struck()
    writer.mark_current(last)
    writer.analyze_tables()


def _is_unchanged(made: GameRating) -> bool:
    was = made.was
    return was is not None and (was.place, was.black, was.white) == (made.place, *made.texts)


def rate_if_entered(
    pool: models.Pool, rules: Rules, games: Sequence[GoGame], added: Iterable[GoPlayer] = ()
) -> list[RatedGame]:
    """New games in order, with the lines that they would have; `added` are players who would come with them.

    The pool's live standings are to hold what its book says. Of the games that are there, only those between
    the first and the last new one are rated again, where they touch a player of them.
    """
    if not games:
        return []
    writer = reader(pool, rules)
    seats = writer.seats({player for game in games for player in (game.black, game.white)})
    seats |= {player.player_id: writer.seat_of_newcomer(player) for player in added}
    last, there = max(map(place_of, games)), LaterGames(writer, len(seats))

    def later(player: str, place: TimeKey) -> Iterator[StoredGame]:
        return takewhile(lambda stored: stored.place <= last, there.of(player, place))

    done = writer.rerating(seats, later).rate(games, [], [])
    return [RatedGame(each.game, *each.lines) for each in done.rated if each.was is None]
