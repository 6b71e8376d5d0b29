"""banzuke tail: an office's feed of a Go pool, game by game, as games are rated."""

from __future__ import annotations

import json
import math
from datetime import datetime
from typing import Annotated, Any

import typer
from rich.text import Text

from banzuke.cli.command import command
from banzuke.cli.office_connection import KeyOption, key_of, pool_or_exit, told
from banzuke.cli.output import complain, console, shown, text, wants_json
from banzuke.client.connection import PATIENCE, Asking
from banzuke.client.live_pool import changes
from banzuke.core.rating import RATED

GAIN, LOSS, ASIDE = "green", "red", "cyan"


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
    with told(pool):
        Asking(pool, key, patience=0).get("changes", after=after)
        patience = math.inf if follow else PATIENCE
        asking = Asking(pool, key, patience, lambda reason: complain(text("tail-waits", reason=reason)))
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
    line = Text(f"{change['number']:>7}  {ended}  {shown(change['game'])}")
    for colour, said in (("black", text("tail-black")), ("white", text("tail-white"))):
        line.append(f"  {said} ", ASIDE)
        _add_side(line, change[colour])
    if change["is_again"]:
        line.append(f"  {text('tail-again')}", "bold")
    return line


def _add_side(line: Text, side: dict[str, Any]) -> None:
    line.append(f"{shown(side['player'])} {side['rank_before']}")
    if side["rank_changed"]:
        line.append(f" → {side['rank_after']}", "bold")
    if side["points"] is not None:
        line.append(f" {side['points']:+} = {side['points_after']}", GAIN if side["points"] > 0 else LOSS)
    why = side["clause"] if side["verdict"] == RATED else f"{side['verdict']}, {side['clause']}"
    line.append(f" ({why})", ASIDE)
