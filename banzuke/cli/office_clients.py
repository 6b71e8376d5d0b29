"""Commands that ask an office over its API: `replay` plays a Go ledger into it, `tail` prints its feed."""

import json
import math
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from banzuke.cli.command import NO, REFUSED, LedgerArgument, command, leave
from banzuke.cli.output import (
    Bar,
    complain,
    console,
    escape_controls,
    print_json,
    print_line,
    print_table,
    text,
    wants_json,
)
from banzuke.client.api_client import (
    PATIENCE,
    AddressError,
    ApiClient,
    AwayError,
    Pool,
    RefusedByOfficeError,
    changes,
    parse_pool_address,
)
from banzuke.client.comparison import Difference, differences, ledger_figures
from banzuke.client.ledger_replay import Post, UnopenedError, check_opened, event_posts, player_posts, send
from banzuke.core.rating import RATED
from banzuke.formats.files.text import decode_text
from banzuke.ledger.folder import GoLedger, read_go_ledger

#: How many differences are printed for people.
MOST_SHOWN = 50
MOST_GAMES, MOST_CLIENTS = 1_000, 64
GAIN, LOSS, ASIDE = "green", "red", "cyan"
KEY = "BANZUKE_KEY"
KeyOption = Annotated[
    Path | None,
    typer.Option("--key-file", metavar="FILE", exists=True, dir_okay=False, help=text("option-key-file")),
]


def pool_or_exit(office: str, word: str) -> Pool:
    """The pool of an office; the command ends where that is no address."""
    try:
        return parse_pool_address(office, word)
    except AddressError as error:
        leave(text("office-address", address=error))


def key_of(path: Path | None) -> str:
    """The key in a file, else that of the environment; blank for none. What is no key ends the command."""
    said = (decode_text(path.read_bytes()) or "\n") if path else os.environ.get(KEY, "")
    key = said.strip(" \r\n\t")
    if not (key.isascii() and key.isprintable()) or " " in key or (path and not key):
        leave(text("office-key-form", where=path or KEY))
    return key


@contextmanager
def failures_of_office(pool: Pool) -> Iterator[None]:
    """End the command with a sentence and an exit status where the office fails or refuses."""
    try:
        yield
    except AwayError as error:
        leave(text("office-away", address=pool.office, reason=error), NO)
    except RefusedByOfficeError as error:
        complain(_refusal_text(pool, error))
        for fault in error.faults:
            complain(f"  {fault}")
        raise typer.Exit(REFUSED) from None


def say_waiting(reason: str) -> None:
    """Say that the office is asked again, and why."""
    complain(text("office-waits", reason=reason))


def _refusal_text(pool: Pool, error: RefusedByOfficeError) -> str:
    facts = {"address": pool.office, "pool": pool.word, "status": error.status, "detail": error.detail}
    if error.status == HTTPStatus.NOT_FOUND:
        return text("office-no-pool", **facts)
    if error.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        return text("office-key", **facts)
    return text("office-refuses", **facts)


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
    with failures_of_office(pool):
        _check_playable(pool, key, ledger)
        workers = [ApiClient(pool, key) for _ in range(clients)]
        _send_with_bar(text("replay-players"), player_posts(ledger.players), len(ledger.players), workers)
        rows = len(ledger.games) + len(ledger.declarations)
        _send_with_bar(text("replay-sending"), event_posts(ledger, batch), rows, workers)
        with Bar(text("replay-comparing")) as progress:
            found = list(differences(workers[0], ledger_figures(ledger), progress))
    _print_differences(pool, ledger, found)
    if found:
        raise typer.Exit(NO)


def _check_playable(pool: Pool, key: str, ledger: GoLedger) -> None:
    """End where nobody answers, or the ledger cannot be played there."""
    if not key:
        leave(text("replay-no-key"))
    try:
        check_opened(ApiClient(pool, key, patience=0), ledger)
    except UnopenedError as error:
        leave(text("replay-unopened", player=error, pool=pool.word))


def _send_with_bar(doing: str, posts: Iterable[Post], rows: int, clients: list[ApiClient]) -> None:
    done = [0]

    with Bar(doing) as progress:

        def sent(count: int) -> None:
            done[0] += count
            progress(done[0], rows, "")

        send(posts, clients, sent)


def _print_differences(pool: Pool, ledger: GoLedger, found: list[Difference]) -> None:
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


@command
def tail(
    address: Annotated[str, typer.Argument(metavar="URL/POOL", help=text("tail-address"))],
    after: Annotated[int, typer.Option("--after", min=0, metavar="N", help=text("tail-after"))] = 0,
    follow: Annotated[bool, typer.Option("--follow", help=text("tail-follow"))] = False,
    key_file: KeyOption = None,
) -> None:
    """Print the games that an office rates, one a line."""
    office, _, word = address.rstrip("/").rpartition("/")
    pool = pool_or_exit(office, word)
    key = key_of(key_file)
    with failures_of_office(pool):
        ApiClient(pool, key, patience=0).get("changes", after=after)
        patience = math.inf if follow else PATIENCE
        asking = ApiClient(pool, key, patience, say_waiting)
        screen = console()
        for change in changes(asking, after, follow=follow):
            if wants_json():
                typer.echo(json.dumps(change))
            else:
                with screen.capture() as captured:
                    screen.print(line_of(change), soft_wrap=True)
                typer.echo(captured.get(), nl=False)


def line_of(change: dict[str, Any]) -> Text:
    """A game of the feed in a line: its number, its end here, and for each side who, rank, points and why."""
    ended = datetime.fromisoformat(change["ended"]).astimezone().isoformat(sep=" ", timespec="seconds")
    line = Text(f"{change['number']:>7}  {ended}  {escape_controls(change['game'])}")
    for colour, said in (("black", text("tail-black")), ("white", text("tail-white"))):
        line.append(f"  {said} ", ASIDE)
        _add_side(line, change[colour])
    if change["is_again"]:
        line.append(f"  {text('tail-again')}", "bold")
    return line


def _add_side(line: Text, side: dict[str, Any]) -> None:
    line.append(f"{escape_controls(side['player'])} {side['rank_before']}")
    if side["rank_changed"]:
        line.append(f" → {side['rank_after']}", "bold")
    if side["points"] is not None:
        line.append(f" {side['points']:+} = {side['points_after']}", GAIN if side["points"] > 0 else LOSS)
    why = side["clause"] if side["verdict"] == RATED else f"{side['verdict']}, {side['clause']}"
    line.append(f" ({why})", ASIDE)
