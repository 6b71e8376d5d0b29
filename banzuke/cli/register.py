"""banzuke register: a register of members into a ledger, seen before it is written."""

import re
import shlex
import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from banzuke.cli.command import NO, command, leave
from banzuke.cli.output import (
    complain,
    complain_of,
    escape_controls,
    fault_lines,
    is_terminal,
    print_json,
    print_line,
    print_table,
    text,
    wants_json,
)
from banzuke.core.fault import refuse_any
from banzuke.exchange.register_import import Change, Plan, Register, carry_out, load_columns, plan
from banzuke.formats.member_register import FIELDS, propose, read, read_headings

#: How many changes are shown; JSON has all of them.
FIRST_CHANGES = 20
#: What one answers for a field that the register does not have.
NONE = "-"

File = Annotated[
    Path, typer.Argument(metavar="FILE", help=text("register-file"), exists=True, dir_okay=False)
]
Into = Annotated[Path, typer.Option("--into", metavar="LEDGER", help=text("register-into"))]
Columns = Annotated[
    list[str] | None, typer.Option("--column", metavar="FIELD=HEADING", help=text("register-column"))
]
Day = Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], help=text("register-valid-from"))]
Asked = Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], help=text("register-asked"))]
Yes = Annotated[bool, typer.Option("--yes", help=text("register-yes"))]


@command
def register(
    file: File,
    into: Into,
    column: Columns = None,
    valid_from: Day = None,
    asked: Asked = None,
    yes: Yes = False,
) -> None:
    """Take a register of members into a ledger."""
    take_register(file, into, column, valid_from, asked, yes=yes)


def take_register(
    file: Path,
    into: Path,
    options: list[str] | None = None,
    valid_from: datetime | None = None,
    asked: datetime | None = None,
    *,
    yes: bool = False,
) -> None:
    """Take a register into a ledger: its changes are shown, and written once they are agreed to."""
    data, asks = file.read_bytes(), not wants_json() and is_terminal(sys.stdin)
    names = read_headings(data, file.name)
    columns = _columns_of_options(options) if options else load_columns(into, names)
    if columns is None:
        columns = _ask_for_columns(names) if asks else _leave_for_columns(file, names)
    members, faults = read(data, file.name, columns)
    refuse_any(faults)
    taken = Register(file.name, names, columns, members, valid_from.date() if valid_from else None)
    agreed = plan(into, taken)
    if not wants_json():
        _print_plan(agreed, taken)
    agrees = yes or agreed.is_empty or (asks and typer.confirm(text("register-confirm")))
    if agrees:
        carry_out(into, taken, agreed, asked.date() if asked else None)
    _print_outcome(agreed, taken, written=agrees)
    if not agrees:
        raise typer.Exit(NO)


def _columns_of_options(options: list[str]) -> dict[str, str]:
    """The headings that the options name, by field."""
    columns = {}
    for option in options:
        field, sign, heading = option.partition("=")
        if not sign or field not in FIELDS:
            leave(text("register-bad-column", option=option, fields=", ".join(FIELDS)))
        columns[field] = heading
    return columns


def _leave_for_columns(file: Path, names: list[str]) -> dict[str, str]:
    """Say what there is to choose from, and how; nobody is there to answer."""
    options = " ".join(f"--column {_quote(f'{f}={heading}')}" for f, heading in propose(names).items())
    facts = {"headings": ", ".join(filter(None, names)), "fields": ", ".join(FIELDS)}
    leave(text("register-unknown-columns", file=file.name, options=options, **facts))


def _quote(option: str) -> str:
    """An option as one types it: in quotation marks only where a shell would part or change it."""
    return option if re.fullmatch(r"[\w=.-]+", option) else shlex.quote(option)


def _ask_for_columns(names: list[str]) -> dict[str, str]:
    """Ask for each of our fields which column has it."""
    print_line(text("register-ask"))
    for number, name in enumerate(names, 1):
        print_line(f"{number:>4}  {name}")
    proposed, columns = propose(names), {}
    for field in FIELDS:
        answer = _ask_for_heading(field, names, proposed.get(field, NONE))
        if answer != NONE:
            columns[field] = answer
    return columns


def _ask_for_heading(field: str, names: list[str], proposal: str) -> str:
    """One field's heading, answered by its name or number; or that it has none."""
    while True:
        label = f"{field} ({text(f'register-field-{field}')})"
        reply: str = typer.prompt(escape_controls(label), default=proposal).strip()
        if reply in names or reply == NONE:
            return reply
        if reply.isdecimal() and reply.isascii() and 1 <= int(reply[:6]) <= len(names):
            return names[int(reply[:6]) - 1]
        complain(text("register-again", none=NONE))


def _print_plan(agreed: Plan, taken: Register) -> None:
    """What would be done, the first changes one by one."""
    changed = len({change.player_id for change in agreed.changes})
    facts = {"file": taken.file, "members": len(taken.members), "new": len(agreed.added), "same": agreed.same}
    print_line(text("register-preview", changed=changed, memberships=len(agreed.memberships), **facts))
    unread = [name for name in taken.headings if name and name not in taken.columns.values()]
    if unread:
        print_line(text("register-unread", headings=", ".join(unread)))
    if agreed.lapsed:
        print_line(text("register-lapsed", count=agreed.lapsed))
    if agreed.ratings_kept:
        print_line(text("register-ratings-kept", count=agreed.ratings_kept))
    complain_of(agreed.remarks)
    if agreed.changes:
        first = agreed.changes[:FIRST_CHANGES]
        title = text("register-changes", shown=len(first), all=len(agreed.changes))
        columns = (text("player"), text("register-which"), text("register-old"), text("register-new"))
        print_table(title, columns, [_row(change) for change in first])


def _row(change: Change) -> tuple[object, ...]:
    return change.player_id, change.field, change.old or NONE, change.new


def _print_outcome(agreed: Plan, taken: Register, *, written: bool) -> None:
    if wants_json():
        print_json(_facts(agreed, taken) | {"written": written})
    elif agreed.is_empty:
        print_line(text("register-nothing"))
    elif written:
        print_line(text("register-done"))
    else:
        complain(text("register-not-written"))


def _facts(agreed: Plan, taken: Register) -> dict[str, object]:
    return {
        "file": taken.file,
        "columns": dict(taken.columns),
        "new": [player.player_id for player in agreed.added],
        "changes": [change._asdict() for change in agreed.changes],
        "memberships": [row.player_id for row in agreed.memberships],
        "same": agreed.same,
        "lapsed": agreed.lapsed,
        "ratings_kept": agreed.ratings_kept,
        "remarks": fault_lines(agreed.remarks),
    }
