"""banzuke replay: a Go ledger played into an office that is being served, and what comes out compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from banzuke.cli.command import NO, LedgerArgument, command, leave
from banzuke.cli.office_connection import KeyOption, key_of, pool_or_exit, told
from banzuke.cli.output import Bar, print_json, print_line, print_table, text, wants_json
from banzuke.client.comparison import differences, expected
from banzuke.client.connection import Asking
from banzuke.client.ledger_replay import happenings, newcomers, send
from banzuke.client.live_pool import UnopenedError, check_opened
from banzuke.ledger.folder import read_go_ledger

if TYPE_CHECKING:
    from collections.abc import Iterable

    from banzuke.client.comparison import Difference
    from banzuke.client.connection import Pool
    from banzuke.client.ledger_replay import Post
    from banzuke.ledger.folder import GoLedger

#: How many differences are printed for people.
MOST_SHOWN = 50
MOST_GAMES, MOST_CLIENTS = 1_000, 64


@command
def replay(
    folder: LedgerArgument,
    against: Annotated[str, typer.Option("--against", metavar="URL", help=text("replay-against"))],
    word: Annotated[str, typer.Option("--pool", metavar="POOL", help=text("replay-pool"))],
    key_file: KeyOption = None,
    batch: Annotated[int, typer.Option("--batch", min=1, max=MOST_GAMES, help=text("replay-batch"))] = 100,
    clients: Annotated[
        int, typer.Option("--clients", min=1, max=MOST_CLIENTS, help=text("replay-clients"))
    ] = 1,
) -> None:
    """Play a Go ledger into an office over its API, and compare."""
    ledger, pool, key = read_go_ledger(folder), pool_or_exit(against, word), key_of(key_file)
    with told(pool):
        _check(pool, key, ledger)
        workers = [Asking(pool, key) for _ in range(clients)]
        _send(text("replay-players"), newcomers(ledger.players), len(ledger.players), workers)
        rows = len(ledger.games) + len(ledger.declarations)
        _send(text("replay-sending"), happenings(ledger, batch), rows, workers)
        with Bar(text("replay-comparing")) as progress:
            found = list(differences(workers[0], expected(ledger), progress))
    _tell(pool, ledger, found)
    if found:
        raise typer.Exit(NO)


def _check(pool: Pool, key: str, ledger: GoLedger) -> None:
    """End where nobody answers, or the ledger cannot be played there."""
    if not key:
        leave(text("replay-no-key"))
    try:
        check_opened(Asking(pool, key, patience=0), ledger)
    except UnopenedError as error:
        leave(text("replay-unopened", player=error, pool=pool.word))


def _send(doing: str, posts: Iterable[Post], rows: int, clients: list[Asking]) -> None:
    done = [0]

    with Bar(doing) as progress:

        def sent(count: int) -> None:
            done[0] += count
            progress(done[0], rows, "")

        send(posts, clients, sent)


def _tell(pool: Pool, ledger: GoLedger, found: list[Difference]) -> None:
    facts = {"pool": pool.word, "players": len(ledger.players), "games": len(ledger.games)}
    if wants_json():
        print_json(facts | {"differences": [each._asdict() for each in found]})
        return
    if not found:
        print_line(text("replay-good", **facts))
        return
    print_line(text("replay-bad", count=len(found), **facts))
    columns = (text("replay-game"), text("replay-player"), text("replay-column"))
    print_table("", (*columns, text("replay-ledger"), text("replay-office")), found[:MOST_SHOWN])
