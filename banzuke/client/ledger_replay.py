"""A Go ledger as a server sends it while it happens: who comes, declarations and games in order of time."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, islice
from threading import Event, Lock, Thread
from typing import Any, NamedTuple

from banzuke.client.api_client import ApiClient, live_standing
from banzuke.core.go_facts import Declaration, GoGame, GoPlayer
from banzuke.ledger.cells import KOMI, MOMENT
from banzuke.ledger.folder import GoLedger
from banzuke.ledger.schema import GO

PLAYERS, GAMES, DECLARATIONS = "players", "games", "declarations"
#: Why a game with a fault ended: a ledger does not say, but an office asks where there are moves.
FAULT, UNMOVED = "no-greeting", "no-first-move"
_COLUMNS = {table.name: table.columns for table in GO}


class Post(NamedTuple):
    """One thing to send: where to, what, and how many rows of the ledger it is."""

    path: str
    body: Any
    rows: int


def player_posts(players: Iterable[GoPlayer]) -> Iterator[Post]:
    """Players, one by one."""
    for player in players:
        yield Post(PLAYERS, _body(PLAYERS, player), 1)


def event_posts(ledger: GoLedger, batch: int) -> Iterator[Post]:
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
    """A row as the API takes it: what is blank left out, whole numbers and yes or no as such.

    A fault is sent with its reason.
    """
    reason = {} if not getattr(record, "fault", "") else {"reason": FAULT if record.moves else UNMOVED}
    cells = ((name, kind, getattr(record, name)) for name, kind in _COLUMNS[table].items())
    return reason | {
        name: kind.write(value) if kind in (MOMENT, KOMI) else value
        for name, kind, value in cells
        if value is not None and value != ""
    }


class UnopenedError(Exception):
    """The pool was not opened with the ledger's standings; the text is a player who would be there."""


def check_opened(office: ApiClient, ledger: GoLedger) -> None:
    """See that there is such a Go pool, into which the ledger can be played.

    The standings with which a pool opens cannot be sent: they come in with the pool, all or none, so one of
    their players tells. Raises UnopenedError where that player is not there, and as `ApiClient.get` does.
    """
    office.get("changes", after=0)
    for row in ledger.standings[:1]:
        if live_standing(office, row.player_id) is None:
            raise UnopenedError(row.player_id)


class _PostQueue:
    """Posts handed out in their order to who asks, until they end or somebody fails."""

    def __init__(self, posts: Iterable[Post]) -> None:
        self._posts = iter(posts)
        self._lock = Lock()
        self.stopped = Event()
        self.failures: list[Exception] = []

    def next(self) -> Post | None:
        with self._lock:
            return None if self.stopped.is_set() else next(self._posts, None)


def send(posts: Iterable[Post], clients: Iterable[ApiClient], sent: Callable[[int], None]) -> None:
    """Send everything, a client the next post when it has its answer. `sent` is told how many rows went.

    Ends after the posts under way when it is interrupted. Raises the first failure of a client.
    """
    queue = _PostQueue(posts)
    threads = [Thread(target=_work, args=(queue, client, sent), daemon=True) for client in clients]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    finally:
        queue.stopped.set()
    if queue.failures:
        raise queue.failures[0]


def _work(queue: _PostQueue, client: ApiClient, sent: Callable[[int], None]) -> None:
    try:
        while (post := queue.next()) is not None:
            client.post(post.path, post.body)
            sent(post.rows)
    except Exception as error:  # noqa: BLE001  # raised where the clients were started
        queue.failures.append(error)
        queue.stopped.set()
    finally:
        client.close()
