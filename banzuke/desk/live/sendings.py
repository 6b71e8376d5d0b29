"""Games as programs send them: those that wait for each other within a process go into one transaction.

Who comes first takes along all who wait behind him, so that a disk that can be made sure a thousand times a
second holds more games than that. Each sending is taken or refused by itself, as a whole.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from banzuke.core.fault import Fault, RefusedError, fault
from banzuke.desk.live import tables
from banzuke.desk.live.rating import Done, is_late, rated_on
from banzuke.desk.live.tables import Kept, place_of
from banzuke.desk.live.taking import current
from banzuke.desk.live.written import micros
from banzuke.ledger.checks_go import check_game

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from banzuke.book.models import Pool
    from banzuke.core.go import GoGame
    from banzuke.desk.live.held import Held
    from banzuke.desk.live.tables import Seat

#: The word for a game sent, in faults; their lines count a sending's games from 1.
GAMES = "games"
_HOUR = 3_600_000_000


class Answer(NamedTuple):
    """A game as it stands: both lines as text; whether it was there before; games rated again for it."""

    game_id: str
    black: str
    white: str
    was_there: bool


class Sending:
    """What one program sends at once, and what becomes of it."""

    def __init__(self, games: Sequence[GoGame], author: str) -> None:
        self.games = games
        self.author = author
        self.answers: list[Answer] = []
        self.error: BaseException | None = None
        self.is_done = False


class _Queue:
    def __init__(self) -> None:
        self.turn = Lock()
        self.waiting: list[Sending] = []


_queues: dict[int, _Queue] = {}


def send(pool: Pool, games: Sequence[GoGame], author: str) -> list[Answer]:
    """Take games in, all or none, and answer once they are on the disk.

    Raises RefusedError with every fault; a game that is there already, the same, is answered as it stands.
    """
    mine = Sending(games, author)
    queue = _queues.setdefault(pool.pk, _Queue())
    queue.waiting.append(mine)
    with queue.turn:
        if not mine.is_done:
            together, queue.waiting = queue.waiting, []
            _take_all(pool, together)
    if mine.error is not None:
        raise mine.error
    return mine.answers


def _take_all(pool: Pool, sendings: Sequence[Sending]) -> None:
    try:
        with current(pool) as held:
            _take(held, sendings)
    except Exception as error:  # noqa: BLE001  # everyone who waited is told
        for each in sendings:
            each.error = each.error or error
    finally:
        for each in sendings:
            each.is_done = True


def _take(held: Held, sendings: Sequence[Sending]) -> None:
    games = [game for each in sendings for game in each.games]
    kept = held.kept(game.game_id for game in games)
    seats = held.seats(player for game in games for player in (game.black, game.white))
    known = {game_id: each.game for game_id, each in kept.items()}
    new: dict[str, tuple[GoGame, Sending]] = {}
    for sending in sendings:
        faults = _faults(held, sending.games, known, seats)
        if faults:
            sending.error = RefusedError(faults)
            continue
        for game in sending.games:
            if game.game_id not in known:
                new[game.game_id] = (game, sending)
                known[game.game_id] = game
    done = _rated(held, [game for game, _ in new.values()], seats)
    if new:
        _write(held, new, done)
    lines = {each.game.game_id: (each.black, each.white) for each in (*kept.values(), *done.rated)}
    for sending in sendings:
        if sending.error is None:
            sending.answers = [
                Answer(game.game_id, *lines[game.game_id], game.game_id in kept) for game in sending.games
            ]


def _rated(held: Held, games: list[GoGame], seats: Mapping[str, Seat]) -> Done:
    games.sort(key=place_of)
    if not games:
        return Done([], {})
    if is_late(games, seats):
        return held.again(seats).rate(games, [], [])
    players = {player for game in games for player in (game.black, game.white)}
    return rated_on(held.rules, games, {player: seats[player] for player in players})


def _write(held: Held, new: Mapping[str, tuple[GoGame, Sending]], done: Done) -> None:
    entries: dict[Sending, int] = {}
    for _, sending in new.values():
        if sending not in entries:
            entries[sending] = tables.add_entry(held.cursor, held.pool.pk, sending.author, "games")
    tables.add_games(held.cursor, held.pool.pk, [(entries[sending], game) for game, sending in new.values()])
    held.write(max(entries.values()), done)


def _faults(
    held: Held, games: Sequence[GoGame], known: Mapping[str, GoGame], seats: Mapping[str, Seat]
) -> list[Fault]:
    faults: list[Fault] = []
    seen = dict(known)
    for number, game in enumerate(games, 1):
        check_game(held.rules, GAMES, game, number, lambda player: player not in seats, faults)
        there = seen.setdefault(game.game_id, game)
        if not _is_same(there, game):
            faults.append(fault(GAMES, number, "game_id", "other-game", id=game.game_id))
    return faults


def _is_same(there: GoGame, sent: GoGame) -> bool:
    """Whether a game is the one that is there, which may have been annulled meanwhile."""
    if there.result == "void":
        return there._replace(result=sent.result, fault=sent.fault) == sent
    return there == sent
