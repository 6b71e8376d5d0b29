"""The SQL that reads and writes a Go pool: its entries and games in the book, and its live tables.

Who writes locks the pool (`pool_writer.lock_pool`); who reads need not. A game's place in time is its end,
then its `game_id` as text: later is greater.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from heapq import merge
from operator import itemgetter
from typing import Any, NamedTuple

from banzuke.core.go_facts import Declaration, GoGame, GoState
from banzuke.database.models import Pool
from banzuke.engine.go_ranking import rung, strength
from banzuke.office.live.live_codec import state_from, state_text
from banzuke.office.live.live_rows import (
    GAME,
    NEXT_LINES,
    ROW,
    ROW_GAME_ID,
    VOIDED,
    Brief,
    Seat,
    StoredGame,
    TimeKey,
    game_of,
    in_order,
    place_of,
    stored_game,
)
from banzuke.office.raw_sql import (
    Rows,
    Statements,
    in_values,
    is_postgresql,
    moment_text,
    newest_of_pool,
)

#: How many rows are written or fetched at once, and how many of a player's later games at first.
CHUNK, FIRST_STRETCH = 500, 20
#: When the game of this number is stored, PostgreSQL's table statistics are renewed for its query plans.
ANALYZE_AT_GAME = 256
_KEPT = (
    f"{ROW} FROM book_livegame l {NEXT_LINES} "
    f"JOIN book_gogame g ON g.pool_id = l.pool_id AND g.game_id = l.game_id {VOIDED} "
    "WHERE l.pool_id = %s AND l.stands"
)
_KNOWN = (
    f"{ROW} FROM book_gogame g "
    "LEFT JOIN book_livegame l ON l.pool_id = g.pool_id AND l.game_id = g.game_id AND l.stands "
    f"{NEXT_LINES} {VOIDED} WHERE g.pool_id = %s"
)
#: A number that differs as soon as there is another file of rules, of whatever pool. The newest id alone
#: would not tell: on PostgreSQL a file may be seen later than one with a greater id. No office has a million.
RULES_MARK = "(SELECT MAX(id) * 1000000 + COUNT(*) FROM book_poolfile)"
_ENTRIES = Rows("id bigint, pool_id bigint, at timestamptz, author text, act text, why text")
#: So many numbers for entries, and the last number that an entry has had.
_NEXT_NUMBERS = "SELECT nextval(pg_get_serial_sequence('book_entry', 'id')) FROM generate_series(1, %s)"
_LAST_NUMBER = "SELECT COALESCE(MAX(seq), 0) FROM sqlite_sequence WHERE name = 'book_entry'"
_FACTS = Rows(
    "pool_id bigint, entry_id bigint, game_id text, ended text, black text, white text, result text, "
    "handicap int, komi int, board int, moves int, room text, pair boolean, robot text, fault text"
)
_RATED = Rows(
    "pool_id bigint, entry_id bigint, game_id text, at bigint, black text, white text, black_line text, "
    "white_line text, stands boolean"
)
_STANDINGS = Rows(
    "pool_id bigint, player_id text, state text, rung int, strength bigint, at bigint, game_id text"
)
_SEATS = Rows("player text, state text, strength bigint, at bigint, game_id text")
_RUNGS = Rows("player text, rung int")
#: PostgreSQL takes a table in its first minutes for small, and keeps such a plan: till the transaction ends
#: everything goes by whole indexes nonetheless.
_WITHOUT = (
    "enable_seqscan",
    "enable_hashjoin",
    "enable_mergejoin",
    "enable_material",
    "enable_bitmapscan",
    "jit",
)
_BY_INDEX = ", ".join(f"set_config('{each}', 'off', true)" for each in _WITHOUT)


class LockedPool(NamedTuple):
    """A locked pool: to which entry its live standings have come, and its book's last.

    With the mark of the rules (`RULES_MARK`), the newest game's end (microseconds since 1970), and
    how many hours before it a program may reach. `in_force` is the entry of new rules as long as the feed
    does not tell all lines by them; `robots` is the number of the pool's last row about robots, `erased` that
    of its last erasure.
    """

    live: int | None
    last: int
    rules: int
    newest: int | None
    late_hours: int | None
    in_force: int | None = None
    robots: int | None = None
    erased: int | None = None


class LiveTables:
    """The live tables of a pool.

    A method `ask_...` sends its query and returns a function that fetches the answer.
    """

    def __init__(self, pool: Pool) -> None:
        self.db = Statements()
        self.pool = pool
        self.entry_numbers: list[int] = []

    def ask_lock(self) -> Callable[[], LockedPool]:
        """Wait until nobody else writes into the pool's book, and hold it till the transaction ends.

        Rows that only name the pool as theirs, such as a list's, wait for nobody and keep nobody waiting.
        """
        if is_postgresql():
            self.db.repeat(
                f"SELECT {_BY_INDEX} FROM book_pool WHERE id = %s FOR NO KEY UPDATE", [self.pool.pk]
            )
        found = self.db.repeat(
            "SELECT (SELECT entry FROM book_livepool WHERE pool_id = %s), "
            f"{newest_of_pool('id', 'book_entry')}, "
            f"{RULES_MARK}, "
            f"{newest_of_pool('at', 'book_livegame')}, "
            "(SELECT MAX(late_hours) FROM book_officesettings), "
            "(SELECT in_force FROM book_nextpool WHERE pool_id = %s), "
            f"{newest_of_pool('id', 'book_gorobot')}, "
            f"{newest_of_pool('id', 'book_erasure')}",
            [self.pool.pk] * 6,
        )
        return lambda: LockedPool(*found.fetchone())

    def ask_seats(self, players: Collection[str]) -> Callable[[], dict[str, Seat]]:
        """Where those players stand; who is unknown is left out."""
        one_of, values = in_values(players)
        found = self.db.repeat(
            "SELECT player_id, state, at, game_id FROM book_livestanding "
            f"WHERE pool_id = %s AND player_id {one_of}",
            [self.pool.pk, *values],
        )
        return lambda: {
            player: Seat(state_from(state), TimeKey(at, last)) for player, state, at, last in found.fetchall()
        }

    def ask_known_games(self, games: Collection[str]) -> Callable[[], set[str]]:
        """Which of the games the book has, by id."""
        one_of, values = in_values(games)
        found = self.db.repeat(
            f"SELECT game_id FROM book_gogame WHERE pool_id = %s AND game_id {one_of}",
            [self.pool.pk, *values],
        )
        return lambda: {game_id for (game_id,) in found.fetchall()}

    def _select(self, text: str, *values: Any) -> list[Any]:
        """The rows that a statement finds whose first placeholder is the pool's number."""
        rows: list[Any] = self.db.execute(text, [self.pool.pk, *values]).fetchall()
        return rows

    def select_each(self, text: str, wanted: Sequence[Any]) -> Iterator[Any]:
        """The same where the column that the statement ends with is one of the values; read in stretches."""
        for some in _stretches(wanted):
            one_of, values = in_values(some)
            yield from self._select(f"{text} {one_of}", *values)

    def seats(self, players: Iterable[str]) -> dict[str, Seat]:
        """Where those players stand; who is unknown is left out."""
        return self.ask_seats(set(players))()

    def games_by_id(self, games: Iterable[str]) -> dict[str, StoredGame | None]:
        """Those of the games that the book has, by id; None for one that an inquiry struck."""
        rows = self.select_each(f"{_KNOWN} AND g.game_id", list(set(games)))
        return {row[ROW_GAME_ID]: None if row[0] is None else stored_game(row) for row in rows}

    def standing_games(self, games: Iterable[str]) -> dict[str, StoredGame]:
        """Those of the games that stand, by id."""
        return {game_id: stored for game_id, stored in self.games_by_id(games).items() if stored is not None}

    def games_from(self, place: TimeKey, most: int) -> list[StoredGame]:
        """The games from the moment of that place on, in order; so many at most."""
        rows = self._select(f"{_KEPT} AND l.at >= %s ORDER BY l.at, l.id LIMIT {most}", place.at)
        return list(in_order(rows))

    def briefs_from(self, place: TimeKey, most: int) -> list[Brief]:
        """The games from the moment of that place on, in brief; so many at most."""
        rows = self._select(
            "SELECT at, game_id, black, white, id FROM book_livegame "
            f"WHERE pool_id = %s AND stands AND at >= %s ORDER BY at, id LIMIT {most}",
            place.at,
        )
        return [((at, game_id), *rest) for at, game_id, *rest in rows]

    def games_by_number(self, numbers: Sequence[int]) -> list[StoredGame]:
        """The games of those numbers in the feed, in order."""
        return sorted(map(stored_game, self.select_each(f"{_KEPT} AND l.id", numbers)), key=itemgetter(1))

    def games_ended_at(self, moments: Sequence[int]) -> list[StoredGame]:
        """The games that ended at those moments (microseconds since 1970), in order."""
        return sorted(map(stored_game, self.select_each(f"{_KEPT} AND l.at", moments)), key=itemgetter(1))

    def games_of_player(self, player: str, place: TimeKey) -> Iterator[StoredGame]:
        """A player's games after that place, in order."""
        sides = [in_order(self._rows_of(side, player, place.at)) for side in ("black", "white")]
        return (stored for stored in merge(*sides, key=itemgetter(1)) if stored.place > place)

    def _rows_of(self, side: str, player: str, at: int) -> Iterator[Any]:
        """Rows of a player's games on one side by end and number, fetched in stretches."""
        number, stretch = 0, FIRST_STRETCH
        while True:
            rows = self._select(
                f"{_KEPT} AND l.{side} = %s AND l.at >= %s AND (l.at > %s OR l.id > %s) "
                f"ORDER BY l.at, l.id LIMIT {stretch}",
                *(player, at, at, number),
            )
            yield from rows
            if len(rows) < stretch:
                return
            number, at, stretch = rows[-1][0], rows[-1][1], CHUNK

    def last_before(self, player: str, place: TimeKey) -> StoredGame | None:
        """The player's last game before that place."""
        games: list[StoredGame] = []
        for side in ("black", "white"):
            rows = self._select(
                f"{_KEPT} AND l.{side} = %s AND (l.at = %s OR l.at = (SELECT MAX(at) FROM book_livegame "
                f"WHERE pool_id = %s AND {side} = %s AND stands AND at < %s))",
                *(player, place.at, self.pool.pk, player, place.at),
            )
            games += [each for each in map(stored_game, rows) if each.place < place]
        return max(games, key=itemgetter(1), default=None)

    def ask_declarations(self, players: Collection[str]) -> Callable[[], list[Declaration]]:
        """Those players' declarations, in order."""
        one_of, values = in_values(players)
        found = self.db.repeat(
            "SELECT player_id, at, rank FROM book_declaration d "
            f"WHERE pool_id = %s AND player_id {one_of} AND NOT EXISTS (SELECT 1 FROM book_strike s "
            "WHERE s.\"table\" = 'declarations' AND s.row = d.id AND s.pool_id = d.pool_id)",
            [self.pool.pk, *values],
        )
        return lambda: sorted(
            (Declaration(player, datetime.fromisoformat(at), rank) for player, at, rank in found.fetchall()),
            key=lambda made: (made.at, made.player_id),
        )

    def declarations(self, players: Collection[str]) -> list[Declaration]:
        """Those players' declarations, in order, at once."""
        return self.ask_declarations(players)()

    def games_since(self, since: int, until: int) -> list[GoGame]:
        """The games that were entered after one entry and up to another, without those struck, in order."""
        rows = self._select(
            f"SELECT {GAME} FROM book_gogame g {VOIDED} WHERE g.pool_id = %s AND g.entry_id > %s "
            "AND g.entry_id <= %s AND NOT EXISTS (SELECT 1 FROM book_strike s "
            "WHERE s.\"table\" = 'games' AND s.row = g.id AND s.pool_id = g.pool_id)",
            *(since, until),
        )
        return sorted(map(game_of, rows), key=place_of)

    def entry_of_games(self, since: int, most: int) -> int | None:
        """The entry up to which there are so many games after that one; None where there are fewer."""
        rows = self._select(
            "SELECT entry_id FROM book_gogame WHERE pool_id = %s AND entry_id > %s "
            f"ORDER BY entry_id LIMIT 1 OFFSET {most - 1}",
            since,
        )
        return rows[0][0] if rows else None

    def retire_struck(self) -> None:
        """Mark the lines of games that an inquiry struck as not standing."""
        self.db.execute(
            "UPDATE book_livegame SET stands = %s WHERE pool_id = %s AND stands AND game_id IN "
            "(SELECT g.game_id FROM book_gogame g JOIN book_strike s ON s.row = g.id "
            "AND s.\"table\" = 'games' AND s.pool_id = g.pool_id WHERE g.pool_id = %s)",
            [False, self.pool.pk, self.pool.pk],
        )

    def add_entry(self, author: str, act: str, why: str = "") -> int:
        """A new entry of the pool's book: its number."""
        return self.add_entries([author], act, why)[0]

    def ask_entry_numbers(self, count: int) -> Callable[[], list[int]]:
        """Numbers for so many entries that are added in this transaction; some may be left out."""
        if is_postgresql():
            found = self.db.repeat(_NEXT_NUMBERS, [count])
            return lambda: sorted(number for (number,) in found.fetchall())
        (last,) = self.db.repeat(_LAST_NUMBER, []).fetchone()
        return lambda: list(range(last + 1, last + 1 + count))

    def add_entries(self, authors: Sequence[str], act: str, why: str = "") -> list[int]:
        """New entries of the pool's book, one for each author, in that order: their numbers."""
        if len(self.entry_numbers) < len(authors):
            self.entry_numbers = self.ask_entry_numbers(len(authors))()
        numbers = [self.entry_numbers.pop(0) for _ in authors]
        now = moment_text(datetime.now(UTC))
        rows = [
            (number, self.pool.pk, now, author, act, why)
            for number, author in zip(numbers, authors, strict=True)
        ]
        self._add("book_entry", _ENTRIES, rows)
        return numbers

    def add_games(self, games: Iterable[tuple[int, GoGame]]) -> None:
        """Store the facts of games, each under its entry."""
        rows = [
            (self.pool.pk, entry, game.game_id, game.ended.isoformat(), *game[2:]) for entry, game in games
        ]
        self._add("book_gogame", _FACTS, rows)

    def add_rated(
        self, rated: Iterable[tuple[int, TimeKey, GoGame, str, str]]
    ) -> Callable[[], dict[str, int]]:
        """Games with their lines in the order of rating, each under its entry: their numbers."""
        rows = [
            (self.pool.pk, entry, game.game_id, place.at, game.black, game.white, black, white, True)
            for entry, place, game, black, white in rated
        ]
        added = self._add("book_livegame", _RATED, rows, "RETURNING game_id, id")
        return lambda: dict(added())

    def _add(
        self, table: str, columns: Rows, rows: Sequence[Sequence[Any]], returning: str = ""
    ) -> Callable[[], list[Any]]:
        """Rows of those columns into a table; `returning` is the clause that says what is answered of each.

        They get their numbers in the order in which they are given: both databases insert rows as they come,
        and the feed's order rests on it.
        """
        names, added = ", ".join(columns.names), []
        for some in _stretches(rows):
            given, values = columns(some)
            added.append(self.db.repeat(f"INSERT INTO {table} ({names}) {given} {returning}", values))
        return lambda: [row for each in added for row in each.fetchall()]

    def retire_lines(self, numbers: Sequence[int]) -> None:
        """Mark lines as not standing."""
        for some in _stretches(numbers):
            one_of, values = in_values(some)
            self.db.repeat(f"UPDATE book_livegame SET stands = %s WHERE id {one_of}", [False, *values])

    def drop_next_lines(self, games: Sequence[str]) -> None:
        """Take out lines by new rules that others stand for now."""
        for some in _stretches(games):
            one_of, values = in_values(some)
            self.db.repeat(
                f"DELETE FROM book_nextgame WHERE pool_id = %s AND game_id {one_of}", [self.pool.pk, *values]
            )

    def add_seats(self, seats: Mapping[str, Seat]) -> None:
        """Seat players who had no seat."""
        rows = [
            (self.pool.pk, player, state_text(state), rung(state), strength(state), *place)
            for player, (state, place) in sorted(seats.items())
        ]
        self._add("book_livestanding", _STANDINGS, rows)

    def update_seats(self, seated: Mapping[str, Seat]) -> None:
        """Store where players stand."""
        players = sorted(seated.items())
        rows = [(player, state_text(state), strength(state), *place) for player, (state, place) in players]
        self._update_standings(_SEATS, rows)

    def update_rungs(self, states: Mapping[str, GoState]) -> None:
        """Store the rungs of players whose rank changed."""
        rungs = [(player, rung(state)) for player, state in sorted(states.items())]
        self._update_standings(_RUNGS, rungs, "AND book_livestanding.rung <> now.rung")

    def _update_standings(self, columns: Rows, rows: Sequence[Sequence[Any]], only: str = "") -> None:
        """Other values of those columns, the first of which is `player`; `only` is a further condition."""
        changes = ", ".join(f"{name} = now.{name}" for name in columns.names[1:])
        for some in _stretches(rows):
            given, values = columns(some)
            self.db.repeat(
                f"WITH now ({', '.join(columns.names)}) AS ({given}) UPDATE book_livestanding SET {changes} "
                f"FROM now WHERE pool_id = %s AND player_id = now.player {only}",
                [*values, self.pool.pk],
            )

    def mark_current(self, entry: int) -> None:
        """Note that the live standings hold what the book says up to that entry."""
        self.db.repeat("UPDATE book_livepool SET entry = %s WHERE pool_id = %s", [entry, self.pool.pk])

    def analyze_tables(self) -> None:
        """Let PostgreSQL count what is in the tables now; autovacuum would do it within minutes."""
        if is_postgresql():
            self.db.execute("ANALYZE book_livestanding, book_livegame, book_gogame", [])


def _stretches(rows: Sequence[Any], most: int = CHUNK) -> Iterator[Sequence[Any]]:
    return (rows[start : start + most] for start in range(0, len(rows), most))
