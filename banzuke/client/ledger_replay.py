"""A Go ledger as a server sends it while it happens: who comes, declarations and games in order of time."""

from __future__ import annotations

from itertools import groupby, islice
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, NamedTuple

from banzuke.ledger.cells import KOMI, MOMENT
from banzuke.ledger.schema import GO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from banzuke.client.connection import Asking
    from banzuke.core.go_facts import Declaration, GoGame, GoPlayer
    from banzuke.ledger.folder import GoLedger

PLAYERS, GAMES, DECLARATIONS = "players", "games", "declarations"
_COLUMNS = {table.name: table.columns for table in GO}


class Post(NamedTuple):
    """One thing to send: where to, what, and how many rows of the ledger it is."""

    path: str
    body: Any
    rows: int


def newcomers(players: Iterable[GoPlayer]) -> Iterator[Post]:
    """Players, one by one."""
    for player in players:
        yield Post(PLAYERS, _body(PLAYERS, player), 1)


def happenings(ledger: GoLedger, batch: int) -> Iterator[Post]:
    """Declarations, and games `batch` at a time at the most, as they followed each other.

    A declaration at the very time of a game's end comes before it.
    """
    rows: list[GoGame | Declaration] = [*ledger.declarations, *ledger.games]
    for kind, run in groupby(sorted(rows, key=_when), key=_kind):
        while together := list(islice(run, batch if kind == GAMES else 1)):
            bodies = [_body(kind, each) for each in together]
            yield Post(kind, bodies if kind == GAMES else bodies[0], len(together))


def _kind(row: GoGame | Declaration) -> str:
    return GAMES if hasattr(row, "game_id") else DECLARATIONS


def _when(row: Any) -> tuple[object, ...]:
    if _kind(row) == DECLARATIONS:
        return (row.at, 0, row.player_id)
    return (row.ended, 1, row.game_id)


def _body(table: str, record: Any) -> dict[str, Any]:
    """A row as the API takes it: what is blank left out, whole numbers and yes or no as such."""
    cells = ((name, kind, getattr(record, name)) for name, kind in _COLUMNS[table].items())
    return {
        name: kind.write(value) if kind in (MOMENT, KOMI) else value
        for name, kind, value in cells
        if value is not None and value != ""
    }


class _Turns:
    """Posts handed out in their order to who asks, until they end or somebody fails."""

    def __init__(self, posts: Iterable[Post]) -> None:
        self._posts = iter(posts)
        self._lock = Lock()
        self.stopped = Event()
        self.failures: list[Exception] = []

    def next(self) -> Post | None:
        with self._lock:
            return None if self.stopped.is_set() else next(self._posts, None)


def send(posts: Iterable[Post], clients: Iterable[Asking], sent: Callable[[int], None]) -> None:
    """Send everything, a client the next post when it has its answer. `sent` is told how many rows went.

    Ends after the posts under way when it is interrupted. Raises the first failure of a client.
    """
    turns = _Turns(posts)
    threads = [Thread(target=_work, args=(turns, client, sent), daemon=True) for client in clients]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    finally:
        turns.stopped.set()
    if turns.failures:
        raise turns.failures[0]


def _work(turns: _Turns, client: Asking, sent: Callable[[int], None]) -> None:
    try:
        while (post := turns.next()) is not None:
            client.post(post.path, post.body)
            sent(post.rows)
    except Exception as error:  # noqa: BLE001  # raised where the clients were started
        turns.failures.append(error)
        turns.stopped.set()
    finally:
        client.close()
