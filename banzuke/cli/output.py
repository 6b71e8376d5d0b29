"""How commands speak: text for people, JSON for programs, one line for what went wrong."""

from __future__ import annotations

import functools
import json
import os
import re
import sys
from contextlib import suppress
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, ParamSpec, TextIO, TypeVar

import typer
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from banzuke.core.fault import MOST_FAULTS, RefusedError
from banzuke.engine.history import UnknownListError
from banzuke.explain.explanation import UnknownPlayerError
from banzuke.words import fault_line, preferred_language, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from banzuke.core.fault import Fault
    from banzuke.words import Language

GOOD, NO, REFUSED, INTERRUPTED = 0, 1, 2, 130
WIDE = 200
LONGEST = 60

#: Characters that a terminal obeys instead of showing them: controls, and those that turn the text round.
UNSHOWN = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")

P = ParamSpec("P")
R = TypeVar("R")


def text(key: str, **facts: object) -> str:
    """A phrase of the command line in the reader's language."""
    return say("cli", key, preferred_language(), **facts)


class Format(StrEnum):
    """How to print."""

    TEXT = "text"
    JSON = "json"


class Lang(StrEnum):
    """The language of the output."""

    EN = "en"
    JA = "ja"


FormatOption = Annotated[Format, typer.Option("--format", help=text("option-format"))]
LangOption = Annotated[Lang | None, typer.Option("--lang", help=text("option-lang"))]


def wants_json(said: object) -> bool:
    """Whether `--format`, given once or several times, asks for JSON."""
    return said == Format.JSON or (isinstance(said, list) and Format.JSON in said)


def language(lang: Lang | None) -> Language:
    """The language that is asked for, or the reader's own; every later phrase is in it."""
    if lang is not None:
        os.environ["BANZUKE_LANG"] = lang.value
    return preferred_language()


def console(*, to_stderr: bool = False) -> Console:
    """A console as wide as the terminal; wide enough for whole rows where there is none."""
    stream = sys.stderr if to_stderr else sys.stdout
    width = None if is_terminal(stream) else WIDE
    return Console(file=stream, width=width, highlight=False, soft_wrap=False)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody watches; a program may be started without any output."""
    return stream is not None and stream.isatty()


def shown(line: str) -> str:
    """The text with characters that a terminal would obey as escapes."""
    return UNSHOWN.sub(lambda found: ascii(found[0])[1:-1], line)


def print_line(line: str = "", aside: str = "", *, heading: bool = False) -> None:
    """A line of text as it is; on a terminal a heading stands out, and what is said aside steps back."""
    said = typer.style(shown(line), bold=True) if heading else shown(line)
    typer.echo(said + (typer.style(shown(aside), fg="cyan") if aside else ""))


def print_json(value: object) -> None:
    """A value as JSON, Japanese left readable where the output can hold it."""
    is_unicode = (getattr(sys.stdout, "encoding", None) or "").lower().startswith("utf")
    typer.echo(json.dumps(value, ensure_ascii=not is_unicode, indent=2, default=str))


def print_table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[object]], numbers: int = 0
) -> None:
    """A table; the last `numbers` columns stand to the right."""
    heading = Text(shown(title)) if title else None
    table = Table(title=heading, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for index, column in enumerate(columns):
        right = index >= len(columns) - numbers
        table.add_column(column, justify="right" if right else "left", no_wrap=right, overflow="fold")
    for row in rows:
        table.add_row(*(Text("" if cell is None else shown(str(cell))) for cell in row))
    screen = console()
    with screen.capture() as captured:
        screen.print(table)
    typer.echo(captured.get(), nl=False)


def complain(line: str) -> None:
    """One line on standard error."""
    typer.echo(shown(line), err=True)


def guarded(command: Callable[P, R]) -> Callable[P, R]:
    """A command whose failures are one clear line and an exit status, never a traceback."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except RefusedError as error:
            refuse(error, kwargs.get("output_format"))
            raise typer.Exit(REFUSED) from None
        except UnknownPlayerError as error:
            complain(text("no-player", player=error.wanted, hint=_hint(error)))
            raise typer.Exit(NO) from None
        except UnknownListError as error:
            known = error.known.strip("-")
            complain(text("no-list" if known else "no-lists", list=error.name, known=known))
            raise typer.Exit(REFUSED) from None
        except (KeyboardInterrupt, typer.Abort):  # Ctrl-C; at a question, also the end of the answers
            complain(text("interrupted"))
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            drop_output()
            raise typer.Exit(GOOD) from None
        except OSError as error:
            drop_unwritten_output()
            complain(text("cannot-write", path=error.filename or "-", reason=error.strerror or error))
            raise typer.Exit(REFUSED) from None
        except UnicodeEncodeError as error:
            complain(text("not-text", value=ascii(error.object[:LONGEST])))
            raise typer.Exit(REFUSED) from None

    return run


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


def _hint(error: UnknownPlayerError) -> str:
    if error.candidates:
        return text("no-player-near", ids=", ".join(error.candidates))
    return text("no-player-none")


def fault_lines(faults: Iterable[Fault]) -> list[str]:
    """Faults or remarks in the reader's language, a line each."""
    return [fault_line(fault, preferred_language()) for fault in faults]


def complain_of(faults: Iterable[Fault]) -> None:
    """Faults or remarks on standard error, a line each."""
    for line in fault_lines(faults):
        complain(line)


def refuse(error: RefusedError, output_format: object = None) -> None:
    """Every fault of refused input, one a line."""
    if wants_json(output_format):
        print_json({"refused": [_fault_facts(fault) for fault in error.faults]})
        return
    complain_of(error.faults)
    key = "faults-more" if len(error.faults) >= MOST_FAULTS else "faults"
    complain(text(key, count=len(error.faults)))


def _fault_facts(fault: Fault) -> dict[str, object]:
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
