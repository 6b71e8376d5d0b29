"""banzuke consume: games that programs inserted into the queue, taken into the pools' books."""

from __future__ import annotations

import getpass
import json
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from banzuke.cli.command import NO, command, leave
from banzuke.cli.office_data import known_pool, open_or_exit
from banzuke.cli.output import answer, complain, print_line, print_table, show, text, wants_json
from banzuke.words import fault_text, preferred_language

if TYPE_CHECKING:
    from django.db import Error

    from banzuke.office.live.game_queue import BatchResult, RefusedRow

#: Seconds from one line about what was taken to the next.
EVERY = 10
#: So many of the refused are shown to people; programs get all.
MOST_SHOWN = 100
Pools = Annotated[list[str] | None, typer.Argument(metavar="[POOL]...", help=text("consume-pools"))]
Once = Annotated[bool, typer.Option("--once", help=text("consume-once"))]
Refused = Annotated[bool, typer.Option("--refused", help=text("consume-refused"))]
Again = Annotated[bool, typer.Option("--again", help=text("consume-again"))]
Drop = Annotated[bool, typer.Option("--drop", help=text("consume-drop"))]
Rows = Annotated[list[int] | None, typer.Option("--row", metavar="N", help=text("consume-row"))]


@command
def consume(
    pools: Pools = None,
    once: Once = False,
    refused: Refused = False,
    again: Again = False,
    drop: Drop = False,
    rows: Rows = None,
) -> None:
    """Take games out of the queue; or look after those that were refused."""
    chosen, numbers = pools or [], rows or []
    if once + refused + again + drop > 1:
        leave(text("consume-one-act"))
    if numbers and not (again or drop):
        leave(text("consume-no-row"))
    open_or_exit()
    if refused:
        _show_refused(chosen)
    elif again or drop:
        _look_after(chosen, numbers, is_dropped=drop)
    else:
        _consume(chosen, once=once)


def _show_refused(pools: list[str]) -> None:
    from banzuke.office.live.game_queue import refused_rows

    show(_refused_facts, _print_refused, refused_rows(pools))


def _refused_facts(rows: list[RefusedRow]) -> Any:
    return [
        row._asdict() | {"fault": row.fault.code, "field": row.fault.column, "message": _why(row)}
        for row in rows
    ]


def _print_refused(rows: list[RefusedRow]) -> None:
    if not rows:
        print_line(text("consume-none-refused"))
        return
    columns = (
        text("consume-heading-row"),
        text("consume-heading-pool"),
        text("consume-heading-author"),
        text("consume-heading-came"),
        text("consume-heading-why"),
        text("consume-heading-game"),
    )
    print_table(
        "",
        columns,
        [
            (
                row.number,
                row.pool,
                row.author,
                row.came.astimezone().isoformat(" ", "seconds"),
                _why(row),
                row.game,
            )
            for row in rows[:MOST_SHOWN]
        ],
    )
    print_line(text("consume-refused-count", count=len(rows), shown=min(len(rows), MOST_SHOWN)))


def _why(row: RefusedRow) -> str:
    return fault_text(row.fault, preferred_language())


def _look_after(pools: list[str], numbers: list[int], *, is_dropped: bool) -> None:
    from banzuke.office.journal import Actor
    from banzuke.office.live.game_queue import drop_refused, put_again

    act = drop_refused if is_dropped else put_again
    count = act(pools, numbers, Actor(getpass.getuser()))
    answer({"rows": count}, text("consume-dropped" if is_dropped else "consume-put-again", count=count))


def _consume(pools: list[str], *, once: bool) -> None:
    from banzuke.office.live.go_rules import is_live
    from banzuke.server.consumer import consume as run
    from banzuke.server.consumer import stop_on_signals

    for slug in pools:
        if not is_live(known_pool(slug)):
            leave(text("consume-not-go", pool=slug))
    tally = Tally()
    if not wants_json():
        of = ", ".join(pools) or text("consume-all")
        print_line(text("consume-begins", pools=of))
    with stop_on_signals() as stop:
        run(pools, stop, tally.add, _complain_of_outage, once=once)
    tally.tell(is_end=True)
    if once and tally.counts["refused"]:
        raise typer.Exit(NO)


def _complain_of_outage(error: Error) -> None:
    from banzuke.database.outages import outage_of

    why = outage_of(error)
    complain(text(f"outage-{why.value}") if why else str(error))


class Tally:
    """What was taken since the start and since the last line, which is printed every so many seconds."""

    def __init__(self) -> None:
        self.counts = {"taken": 0, "there": 0, "refused": 0}
        self._told = dict(self.counts)
        self._longest = timedelta()
        self._at = time.monotonic()

    def add(self, batch: BatchResult) -> None:
        """Count a batch; tell if it is time."""
        for name in self.counts:
            self.counts[name] += getattr(batch, name)
        self._longest = max([self._longest, *batch.waited])
        if time.monotonic() - self._at >= EVERY:
            self.tell()

    def tell(self, *, is_end: bool = False) -> None:
        """Print what came since the last time; at the end all that came."""
        since = (
            self.counts if is_end else {name: self.counts[name] - self._told[name] for name in self.counts}
        )
        seconds = self._longest.total_seconds()
        if wants_json():
            longest = {} if is_end else {"longest_wait": round(seconds, 3)}
            typer.echo(json.dumps({"total": is_end, **since, **longest}))
        elif is_end:
            print_line(text("consume-ended", **since))
            if since["refused"]:
                print_line(text("consume-see-refused"))
        else:
            print_line(text("consume-taken", longest=f"{seconds:.1f}", **since))
        self._told, self._longest, self._at = dict(self.counts), timedelta(), time.monotonic()
