"""The lists of a large pool that need not be made, passed by the fast twins of its rule books.

What is wanted of a pool is mostly its last lists, in full: rows, lines, workings, reasons. The lists before
them are only rated for what they leave, and looked at by the hash of their content, which the twins give too.
Without the extra `bulk`, and of smaller pools, every list is made by the readable rule books.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from importlib.util import find_spec

from banzuke.core.go_facts import Declaration
from banzuke.engine import go_history
from banzuke.engine.history import HistoryPosition, RatedList, history
from banzuke.engine.list_content import IsUnchanged
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.ledger.folder import ChessLedger, GoLedger, Ledger
from banzuke.office.lists.list_rows import FROM_THE_FIRST, ListStart

#: The players of the published ranking of that name.
ListedPlayers = Callable[[str], Collection[str]]
#: Pools with so many games are served by the twins: an act on one takes half the time. Of 5,000 games it
#: takes as long as without them, and their first act in a process takes a second more.
FROM_GAMES = 20_000
#: What the twins stand on (the extra `bulk`).
PARTS = ("numpy", "numba", "pyarrow")


def serves(ledger: Ledger) -> bool:
    """Whether lists of the ledger are passed by the twins: it is large enough, and its books have them."""
    if ledger.pool.book_without_twin is not None:
        return False
    games = [ledger.games] if isinstance(ledger, GoLedger) else ledger.games.values()
    return sum(map(len, games)) >= FROM_GAMES and all(find_spec(part) is not None for part in PARTS)


def start_after(
    ledger: Ledger,
    names: Sequence[str],
    most: int,
    progress: Progress = no_progress,
    stays: IsUnchanged | None = None,
    listed: ListedPlayers | None = None,
) -> ListStart:
    """Where to begin making lists of those names: after the first ones that stay, `most` of them at most.

    `stays` None: all do. `listed` are the players of a published ranking of Go, which stays as `GoRanking`
    says. Where the twins do not serve, the making begins with the first list.
    """
    if not most or not serves(ledger):
        return FROM_THE_FIRST
    from banzuke.office.lists import columnar_fast_forward as by_columns

    if isinstance(ledger, GoLedger):
        return by_columns.go_start(ledger, names, most, progress, stays, listed)
    return by_columns.chess_start(ledger, names, most, progress, stays)


def rated_after(ledger: ChessLedger, names: Sequence[str], passed: int) -> Iterator[RatedList]:
    """The lists of those names that follow the first so many; these too where the twins do not serve."""
    since: HistoryPosition | None = None
    if passed and serves(ledger):
        from banzuke.engine.columnar.record_standings import position_after as by_columns

        since = by_columns(ledger, names[:passed])
    return history(ledger, names if since is None else names[passed:], since)


def ignored_declarations(ledger: GoLedger) -> list[Declaration]:
    """The declarations of a Go server that change nothing, in the order of time."""
    if not ledger.declarations or not serves(ledger):
        return go_history.ignored_declarations(ledger)
    from banzuke.engine.columnar.go_columnar_history import ignored_declarations as by_columns

    return by_columns(ledger)
