"""Games as programs send them: those that wait within a process go into one transaction.

Whoever comes first takes along all who wait behind, so that a disk that can sync a thousand times a
second stores more games than that. Each sending is taken or refused by itself, as a whole.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from threading import Condition, Lock
from time import perf_counter
from typing import NamedTuple

from banzuke.core.fault import Fault, RefusedError, fault
from banzuke.core.go_facts import VOID, GoGame, GoLine
from banzuke.database.models import Pool
from banzuke.database.outages import Outage, outage_of
from banzuke.ledger.checks import check_game
from banzuke.office.live.live_pool import (
    PoolWriter,
    lock_current_pool,
    lock_pool,
    refuse_future,
    refuse_late,
)
from banzuke.office.live.live_tables import Seat, StoredGame, place_of
from banzuke.office.raw_sql import unawaited

#: The word for games sent, in faults; their lines count a sending's games from 1.
GAMES = "games"
#: Sendings are taken together until they have so many games.
MOST_TOGETHER = 2_000
#: How long to wait for as many sendings as last time: as a part of the last transaction's time, and at most
#: (seconds).
PATIENCE, MOST_PATIENCE = 0.2, 0.005


class AcceptedGame(NamedTuple):
    """A game as it stands with Black's line and White's; its number in the feed; whether it has just come."""

    number: int
    game_id: str
    lines: tuple[GoLine, GoLine]
    is_new: bool


class Submission:
    """What one program sends at once, and what becomes of it."""

    def __init__(self, games: Sequence[GoGame], author: str) -> None:
        self.games = games
        self.author = author
        self.taken: list[AcceptedGame] = []
        self.error: BaseException | None = None
        self.is_done = False


class _Queue:
    def __init__(self) -> None:
        self.turn = Lock()
        self.came = Condition()
        self.waiting: deque[Submission] = deque()
        self.last = 1
        self.took = 0.0

    def add(self, submission: Submission) -> None:
        """One more waits."""
        with self.came:
            self.waiting.append(submission)
            self.came.notify()

    def next_together(self) -> list[Submission]:
        """Those who wait, in order, as long as it is not too much at once.

        Programs that were just answered usually send again at once. So wait a short time, a part of what the
        last transaction took, until as many wait as last time: then more go into one transaction.
        """
        with self.came:
            self.came.wait_for(
                lambda: len(self.waiting) >= self.last, min(self.took * PATIENCE, MOST_PATIENCE)
            )
        together: list[Submission] = []
        while self.waiting and sum(len(each.games) for each in together) < MOST_TOGETHER:
            together.append(self.waiting.popleft())
        return together

    def take_next(self, pool: Pool) -> None:
        """Take the next together."""
        together = self.next_together()
        begun = perf_counter()
        _take_all(pool, together)
        self.last, self.took = len(together), perf_counter() - begun
        if together and outage_of(together[0].error) is Outage.BUSY:
            self._give_up(together[0].error)

    def _give_up(self, error: BaseException | None) -> None:
        """Who came meanwhile has waited for the same database, and does not wait for it as long again."""
        while self.waiting:
            submission = self.waiting.popleft()
            submission.error, submission.is_done = error, True


_queues: dict[int, _Queue] = {}


def send(pool: Pool, games: Sequence[GoGame], author: str) -> list[AcceptedGame]:
    """Take games in, all or none, and answer once they are on the disk.

    Raises RefusedError with every fault; a game that is there already, the same, is answered as it stands.
    """
    mine = Submission(games, author)
    queue = _queues.setdefault(pool.pk, _Queue())
    queue.add(mine)
    with queue.turn:
        while not mine.is_done:
            queue.take_next(pool)
    if mine.error is not None:
        raise mine.error
    return mine.taken


def _take_all(pool: Pool, submissions: Sequence[Submission]) -> None:
    """Take all in one transaction; where that fails, each gets the error."""
    games = {game.game_id for each in submissions for game in each.games}
    players = {player for each in submissions for game in each.games for player in (game.black, game.white)}
    try:
        with unawaited(), lock_pool(pool, games, players) as writer:
            is_current = writer.is_current
            if is_current:
                _take(writer, submissions, writer.first_seats)
        if (
            not is_current
        ):  # catching up reads the whole book with Django's cursors, which wait for each answer
            with lock_current_pool(pool, games) as writer:
                _take(writer, submissions, writer.seats(players))
    except BaseException as error:  # noqa: BLE001  # whatever it is, each answers with it
        for each in submissions:
            each.error = each.error or error
    for each in submissions:
        each.is_done = True


def _take(writer: PoolWriter, submissions: Sequence[Submission], seats: Mapping[str, Seat]) -> None:
    stored_games = writer.games_by_id(writer.there) if writer.there else {}
    new: dict[str, tuple[GoGame, Submission]] = {}
    for submission in submissions:
        faults = _faults(writer, submission.games, stored_games, new, seats)
        if faults:
            submission.error = RefusedError(faults)
            continue
        for game in submission.games:
            if game.game_id not in stored_games:
                new.setdefault(game.game_id, (game, submission))
    taken = _write(writer, new, seats) if new else {}
    there = {game.game_id for each in submissions if not each.error for game in each.games} - new.keys()
    for game_id, stored in (writer.standing_games(there) if there else {}).items():
        taken[game_id] = AcceptedGame(stored.number, game_id, stored.lines, is_new=False)
    for submission in submissions:
        if submission.error is None:
            submission.taken = [_answer_for(taken, game.game_id) for game in submission.games]


def _answer_for(taken: dict[str, AcceptedGame], game_id: str) -> AcceptedGame:
    """A game for one who sent it: it is new to the first of them alone."""
    game = taken[game_id]
    taken[game_id] = game._replace(is_new=False)
    return game


def _write(
    writer: PoolWriter, new: Mapping[str, tuple[GoGame, Submission]], seats: Mapping[str, Seat]
) -> dict[str, AcceptedGame]:
    """New games written and rated, each under the entry of its sending."""
    senders = list(dict.fromkeys(submission for _, submission in new.values()))
    made = writer.add_entries([each.author for each in senders], GAMES)
    entries = dict(zip(senders, made, strict=True))
    writer.add_games([(entries[submission], game) for game, submission in new.values()])
    done = writer.rate(sorted((game for game, _ in new.values()), key=place_of), seats)
    numbers = writer.write(max(entries.values()), done)
    return {
        each.place.game_id: AcceptedGame(
            numbers[each.place.game_id], each.place.game_id, each.lines, is_new=True
        )
        for each in done.rated
        if each.place.game_id in new
    }


def _faults(
    writer: PoolWriter,
    games: Sequence[GoGame],
    stored_games: Mapping[str, StoredGame | None],
    new: Mapping[str, tuple[GoGame, Submission]],
    seats: Mapping[str, Seat],
) -> list[Fault]:
    """What is wrong with a sending, for which those before it are there already."""
    faults: list[Fault] = []
    own: dict[str, GoGame] = {}
    now = datetime.now(UTC)
    for number, game in enumerate(games, 1):
        check_game(writer.rules, GAMES, game, number, lambda player: player not in seats, faults)
        if game.game_id in stored_games:
            stored = stored_games[game.game_id]
            there = stored and stored.game
        else:
            there = new[game.game_id][0] if game.game_id in new else own.setdefault(game.game_id, game)
            refuse_late(writer.locked, GAMES, number, "ended", game.ended, faults)
            refuse_future(GAMES, number, game.ended, now, faults)
        if there is None:
            faults.append(fault(GAMES, number, "game_id", "struck-game", id=game.game_id))
        elif not _is_same(there, game):
            faults.append(fault(GAMES, number, "game_id", "other-game", id=game.game_id))
    return faults


def _is_same(there: GoGame, sent: GoGame) -> bool:
    """Whether a game is the one that is there, which may have been annulled meanwhile."""
    if there.result == VOID:
        there = there._replace(result=sent.result, fault=sent.fault)
    return there == sent
