"""Other rules for a Go pool: its games are rated by them beside the standings in use, before they hold.

Until the exchange everything is answered by the rules in use, and the book has no others. The exchange is one
short transaction: the rules' entry, where everybody stands, and that from now on the lines of `NextGame`
hold. The feed tells these afterwards, some at a time. Whoever is killed on the way leaves rows that mean
nothing before the exchange, and after it rows that the worker goes on telling.
"""

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from typing import Any

from banzuke.database import models
from banzuke.database.book_reader import last_entry, read_book
from banzuke.database.write_turns import PAUSE
from banzuke.engine.rating_run import Progress
from banzuke.ledger.pool_rules import Pool as Rules
from banzuke.office.live.live_pool import has_lost_players, lock_current_pool, take_in
from banzuke.office.live.live_rows import AT_FIRST, Seat, TimeKey
from banzuke.office.live.pool_writer import UNLOCKED, PoolWriter, lock_pool
from banzuke.office.live.whole_standings import GAMES_AT_ONCE, RatedLedger, place_declarations, rate_ledger
from banzuke.office.raw_sql import Statements
from banzuke.office.refusals import RulesChangedError

#: The act of the rules' entry.
CHANGED = "rules-changed"
#: How many games are taken in, or told in the feed, while the pool is locked; how many rows are taken out.
AT_A_TURN, OUT_AT_A_TURN = 300, 2_000
_EXCHANGE = (
    "UPDATE book_livestanding SET state = n.state, rung = n.rung, strength = n.strength, at = n.at, "
    "game_id = n.game_id FROM book_nextstanding n WHERE book_livestanding.pool_id = %s AND n.pool_id = %s "
    "AND n.player_id = book_livestanding.player_id AND (n.state <> book_livestanding.state "
    "OR n.at <> book_livestanding.at OR n.game_id <> book_livestanding.game_id)"
)
_AS_TOLD = (
    "SELECT game_id, black_line, white_line FROM book_livegame WHERE pool_id = %s AND stands AND game_id"
)


class _AnewError(Exception):
    """Somebody is no player any more, or has another id: rating begins again."""


class _NextStatements(Statements):
    """Statements on the live tables, for the tables beside them."""

    def execute(self, text: str, values: Sequence[Any]) -> Any:
        """As for the live tables."""
        return super().execute(text.replace("book_live", "book_next"), values)

    def repeat(self, text: str, values: Sequence[Any]) -> Any:
        """As for the live tables."""
        return super().repeat(text.replace("book_live", "book_next"), values)


class _NextWriter(PoolWriter):
    """Writes into the standings beside those in use."""

    def __init__(self, pool: models.Pool, rules: Rules) -> None:
        super().__init__(pool, rules, UNLOCKED, set(), {})
        self.db = _NextStatements()


def bring_into_force(
    pool: models.Pool, rules: Rules, enter: Callable[[], models.Entry], progress: Progress
) -> models.Entry:
    """Rate a pool by other rules, and let `enter` enter them when its games are rated.

    `enter` is called in the transaction of the exchange; what it raises leaves everything as it was. Raises
    RulesChangedError where somebody else changes the rules of the pool, too.
    """
    while True:
        tell_lines(pool)
        try:
            made = _NextStandings(pool, rules)
            made.rate_book(progress)
            while not made.take_some_in():
                time.sleep(PAUSE)
            entry = made.exchange(enter)
        except _AnewError:
            continue
        tell_lines(pool)
        return entry


class _NextStandings:
    """One run: from an empty table to the exchange."""

    def __init__(self, pool: models.Pool, rules: Rules) -> None:
        self.pool = pool
        self.rules = rules
        self.run = secrets.token_hex(8)
        with lock_pool(pool) as writer:
            if writer.locked.in_force is not None:  # somebody else was faster
                raise RulesChangedError
            models.NextPool.objects.update_or_create(pool=pool, defaults={"entry": 0, "run": self.run})
        while self._take_out_some():
            pass

    def rate_book(self, progress: Progress) -> None:
        """Rate what the book has now, some games at a time."""
        until = last_entry(self.pool)
        ledger: Any = read_book(self.pool, until)
        done, count, number = rate_ledger(replace(ledger, pool=self.rules)), len(ledger.games), 0
        places = dict.fromkeys(done.run.states, AT_FIRST)
        rated = iter(done.rated)
        while chunk := list(islice(rated, GAMES_AT_ONCE)):
            for each in chunk:
                places[each.game.black] = places[each.game.white] = each.place
            with self._turn() as writer:
                writer.add_rated([(until, each.place, each.game, *each.texts) for each in chunk])
            number += len(chunk)
            progress(number, count, "")
        self._seat(done, places)
        with self._turn() as writer:
            writer.analyze_tables()
            models.NextPool.objects.filter(pool=self.pool).update(entry=until)

    def _seat(self, done: RatedLedger, places: dict[str, TimeKey]) -> None:
        place_declarations(places, done.declarations)
        states = iter(done.run.states.items())
        while some := list(islice(states, GAMES_AT_ONCE)):
            with self._turn() as writer:
                writer.add_seats({player: Seat(state, places[player]) for player, state in some})

    def take_some_in(self) -> bool:
        """Take in some of what was entered meanwhile; whether that was all."""
        with lock_current_pool(self.pool) as locked, self._turn() as writer:
            return self._take_in(writer, locked.locked.last)

    def exchange(self, enter: Callable[[], models.Entry]) -> models.Entry:
        """Exchange the standings."""
        with lock_current_pool(self.pool) as locked, self._turn() as writer:
            while not self._take_in(writer, locked.locked.last):
                pass
            entry = enter()
            Statements().execute(_EXCHANGE, [self.pool.pk, self.pool.pk])
            models.NextPool.objects.filter(pool=self.pool).update(in_force=entry.pk)
            locked.mark_current(entry.pk)
        return entry

    def _take_in(self, writer: _NextWriter, last: int) -> bool:
        since = models.NextPool.objects.get(pool=self.pool).entry
        if has_lost_players(self.pool, since):
            raise _AnewError
        until = writer.entry_of_games(since, AT_A_TURN) or last
        if until > since:
            take_in(writer, since, until)
        return until >= last

    @contextmanager
    def _turn(self) -> Iterator[_NextWriter]:
        """A transaction, in which nobody else begins to rate the pool by other rules."""
        with lock_pool(self.pool):
            run = models.NextPool.objects.filter(pool=self.pool).values_list("run", flat=True).first()
            if run is None:
                raise _AnewError
            if run != self.run:
                raise RulesChangedError
            yield _NextWriter(self.pool, self.rules)

    def _take_out_some(self) -> bool:
        with self._turn():
            return _take_out_some(self.pool)


def _take_out_some(pool: models.Pool, **only: bool) -> bool:
    """Take out some rows of the standings beside; whether there were any."""
    found = 0
    for rows in (models.NextGame.objects.filter(**only), models.NextStanding.objects.all()):
        some = list(rows.filter(pool=pool).values_list("pk", flat=True)[:OUT_AT_A_TURN])
        found += rows.model.objects.filter(pk__in=some).delete()[0] if some else 0
    return found > 0


def tell_lines(pool: models.Pool, within: int | None = None) -> None:
    """Tell in the feed all lines by rules that came into force; or what can be told in so many seconds."""
    until = None if within is None else time.monotonic() + within
    while (until is None or time.monotonic() < until) and _tell_some(pool):
        time.sleep(PAUSE)


def _tell_some(pool: models.Pool) -> bool:
    """Tell some; whether there may be more."""
    if not models.NextPool.objects.filter(pool=pool).exclude(in_force=None).exists():
        return False
    with lock_pool(pool) as writer:
        entry = writer.locked.in_force
        rows = models.NextGame.objects.filter(pool=pool, stands=True).order_by("at", "pk")[:AT_A_TURN]
        games = [row.game_id for row in rows]
        if entry is not None and games:
            _tell(writer, entry, games)
        elif not _take_out_some(pool):
            models.NextPool.objects.filter(pool=pool).delete()
            return False
    return True


def _tell(writer: PoolWriter, entry: int, games: Sequence[str]) -> None:
    told = {game: lines for game, *lines in writer.select_each(_AS_TOLD, games)}
    stored = sorted(writer.standing_games(games).values(), key=lambda each: each.place)
    other = [each for each in stored if told[each.place.game_id] != [each.black, each.white]]
    writer.retire_lines([each.number for each in other])
    writer.add_rated([(entry, each.place, each.game, each.black, each.white) for each in other])
    writer.drop_next_lines(games)


def tell_waiting_lines(within: int) -> None:
    """Go on telling what a process that was killed has left, for so many seconds of each pool."""
    for each in models.NextPool.objects.exclude(in_force=None).select_related("pool"):
        tell_lines(each.pool, within)
