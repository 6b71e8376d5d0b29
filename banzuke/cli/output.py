"""How commands speak: text for people, JSON for programs."""

from __future__ import annotations

import json
import os
import re
import sys
from contextlib import suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TextIO

import typer

from banzuke.words import fault_line, preferred_language, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rich.console import Console

    from banzuke.core.fault import Fault

#: How wide tables are for a reader without a terminal (`COLUMNS` says otherwise).
WIDTH = 80

#: What `--format` says of it.
AS_JSON: ContextVar[bool] = ContextVar("AS_JSON", default=False)

#: Characters that a terminal obeys instead of showing them: controls, and those that turn the text round.
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def wants_json() -> bool:
    """Whether the command that runs prints JSON."""
    return AS_JSON.get()


def text(key: str, **facts: object) -> str:
    """A phrase of the command line in the reader's language."""
    return say("cli", key, preferred_language(), **facts)


def console(*, to_stderr: bool = False) -> Console:
    """A console as wide as the terminal, also where the output is piped, as into a pager."""
    from rich.console import Console

    stream = sys.stderr if to_stderr else sys.stdout
    width = None if is_terminal(stream) else width_without_terminal()
    return Console(file=stream, width=width, highlight=False, soft_wrap=False)


def width_without_terminal() -> int:
    """How wide the screen of who reads piped output is: `COLUMNS`, else the terminal, if there is one."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given):
        return int(given)
    watched = next((stream for stream in (sys.stderr, sys.stdin) if is_terminal(stream)), None)
    return os.get_terminal_size(watched.fileno()).columns or WIDTH if watched else WIDTH


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody watches; a program may be started without any output."""
    return stream is not None and stream.isatty()


def escape_controls(line: str) -> str:
    """The text with characters that a terminal would obey as escapes."""
    return CONTROLS.sub(lambda found: ascii(found[0])[1:-1], line)


def answer(facts: object, *lines: str) -> None:
    """What a command has done: the facts for programs, or the lines for people."""
    if wants_json():
        print_json(facts)
        return
    for line in lines:
        print_line(line)


def show(facts_of: Callable[..., object], print_for_people: Callable[..., None], *about: Any) -> None:
    """Show what a command found: its facts for programs, or by the other function for people."""
    if wants_json():
        print_json(facts_of(*about))
    else:
        print_for_people(*about)


def print_line(line: str = "", aside: str = "", *, heading: bool = False) -> None:
    """A line of text as it is; on a terminal a heading is bold, and `aside` coloured."""
    main = typer.style(escape_controls(line), bold=True) if heading else escape_controls(line)
    typer.echo(main + (typer.style(escape_controls(aside), fg="cyan") if aside else ""))


def print_json(value: object) -> None:
    """A value as JSON, Japanese left readable where the output can hold it."""
    is_unicode = (getattr(sys.stdout, "encoding", None) or "").lower().startswith("utf")
    typer.echo(json.dumps(value, ensure_ascii=not is_unicode, indent=2, default=str))


def print_table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[object]], numbers: int = 0
) -> None:
    """A table; the last `numbers` columns stand to the right."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    heading = Text(escape_controls(title)) if title else None
    table = Table(title=heading, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for index, column in enumerate(columns):
        right = index >= len(columns) - numbers
        table.add_column(column, justify="right" if right else "left", no_wrap=right, overflow="fold")
    for row in rows:
        table.add_row(*(Text("" if cell is None else escape_controls(str(cell))) for cell in row))
    screen = console()
    with screen.capture() as captured:
        screen.print(table)
    for line in captured.get().splitlines():
        typer.echo(line.rstrip())


def complain(line: str) -> None:
    """One line on standard error."""
    typer.echo(escape_controls(line), err=True)


def drop_output() -> None:
    """Throw away what is still to be written to standard output, and whatever follows."""
    with suppress(OSError):  # a standard output that is no file of the system's
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def drop_unwritten_output() -> None:
    """Throw away the rest of the output where it cannot be written (a full disk).

    Some versions of Python (3.11.2 is one) would try again when they end, complain a second time, and end
    with status 120.
    """
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except OSError:
        drop_output()


def fault_lines(faults: Iterable[Fault]) -> list[str]:
    """Faults or remarks in the reader's language, a line each."""
    return [fault_line(fault, preferred_language()) for fault in faults]


def complain_of(faults: Iterable[Fault]) -> None:
    """Faults or remarks on standard error, a line each."""
    for line in fault_lines(faults):
        complain(line)


def fault_facts(fault: Fault) -> dict[str, object]:
    """A fault for programs, with its sentence."""
    return {
        "file": fault.file,
        "line": fault.line,
        "column": fault.column,
        "code": fault.code,
        "message": fault_line(fault, preferred_language()),
    }


class Bar:
    """A progress bar on the terminal, of rating or what else is done; silent where there is none."""

    def __init__(self, doing: str = "") -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[what]}", markup=False),
            TimeRemainingColumn(),
            console=console(to_stderr=True),
            transient=True,
            disable=not is_terminal(sys.stderr),
        )
        self._task = self._progress.add_task(doing or text("rating-progress"), total=None, what="")

    def __enter__(self) -> Callable[[int, int, str], None]:
        self._progress.start()
        return self._show

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def _show(self, done: int, of: int, what: str) -> None:
        self._progress.update(self._task, completed=done, total=of, what=what)
