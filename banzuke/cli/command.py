"""What every command has: `--format` and `--lang`, an exit status, and failures in one clear line."""

import functools
import inspect
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from banzuke.cli.output import (
    AS_JSON,
    complain,
    complain_of,
    drop_output,
    drop_unwritten_output,
    fault_facts,
    print_json,
    text,
    wants_json,
)
from banzuke.core.fault import MOST_FAULTS, RefusedError
from banzuke.words import preferred_language

GOOD, NO, REFUSED, INTERRUPTED = 0, 1, 2, 130
LONGEST = 60


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
LedgerArgument = Annotated[Path, typer.Argument(metavar="LEDGER", help=text("argument-ledger"))]
UntilOption = Annotated[str | None, typer.Option("--until", metavar="LIST", help=text("rate-until"))]

#: What every command takes.
KEYWORD_ONLY = inspect.Parameter.KEYWORD_ONLY
SHARED_OPTIONS = (
    inspect.Parameter("output_format", KEYWORD_ONLY, default=Format.TEXT, annotation=FormatOption),
    inspect.Parameter("lang", KEYWORD_ONLY, default=None, annotation=LangOption),
)


#: Commands that never write anything, so that there is no need to say it.
READING = ("check", "explain", "who")


def command(function: Callable[..., None]) -> Callable[..., None]:
    """Make a command of a function: add `--lang`, and `--format` unless it has its own `output_format`."""
    own = inspect.signature(function, eval_str=True).parameters
    added = [option for option in SHARED_OPTIONS if option.name not in own]

    @functools.wraps(function)
    def run(**values: object) -> None:
        if values["lang"] is not None:
            os.environ["BANZUKE_LANG"] = str(values["lang"])
        wanted = values["output_format"]
        AS_JSON.set(wanted is Format.JSON or (isinstance(wanted, list) and Format.JSON in wanted))
        with failures_in_a_line(writes=function.__name__ not in READING):
            function(**{name: values[name] for name in own})

    signature = inspect.Signature([*own.values(), *added])
    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__annotations__ = {name: each.annotation for name, each in signature.parameters.items()}
    return run


@contextmanager
def failures_in_a_line(*, writes: bool = True) -> Iterator[None]:
    """Turn failures into one clear line (of refused input: a line a fault) and an exit status."""
    try:
        yield
    except RefusedError as error:
        refuse(error, writes=writes)
    except (KeyboardInterrupt, typer.Abort):  # Ctrl-C; at a question, also the end of the answers
        leave(text("interrupted"), INTERRUPTED)
    except BrokenPipeError:
        drop_output()
        raise typer.Exit(GOOD) from None
    except OSError as error:
        drop_unwritten_output()
        leave(text("cannot-write", path=error.filename or "-", reason=error.strerror or error))
    except UnicodeEncodeError as error:
        leave(text("not-text", value=ascii(error.object[:LONGEST])))
    except ValueError as error:
        _leave_for_unknown(error)
        raise
    except Exception as error:
        _leave_for_outage(error)
        _leave_for_broken_book(error)
        raise


def leave(line: str, status: int = REFUSED) -> NoReturn:
    """End the command with one line on standard error and an exit status."""
    complain(line)
    raise typer.Exit(status) from None


def refuse(error: RefusedError, *, writes: bool = True) -> NoReturn:
    """End the command with every fault of refused input, one a line."""
    if wants_json():
        print_json({"refused": [fault_facts(fault) for fault in error.faults]})
    else:
        complain_of(error.faults)
        is_all = len(error.faults) < MOST_FAULTS
        if writes:
            complain(text("faults" if is_all else "faults-more", count=len(error.faults)))
        else:
            complain(text("faults-read" if is_all else "faults-more-read", count=len(error.faults)))
    raise typer.Exit(REFUSED) from None


def _leave_for_outage(error: Exception) -> None:
    """End the command where the office's database or its disk is the matter; other errors are left alone."""
    if "django.db" in sys.modules:  # else no office was opened
        from banzuke.database.outages import outage_of

        if why := outage_of(error):
            leave(text(f"outage-{why.value}"))


def _leave_for_unknown(error: ValueError) -> None:
    """End the command where the ledger has no such player or list; other errors are left alone."""
    from banzuke.engine.history import UnknownListError
    from banzuke.explanations.explanation import UnknownPlayerError

    if isinstance(error, UnknownPlayerError):
        near = [_with_name(player, error.names[player]) for player in error.candidates]
        if error.share_name:
            leave(text("name-shared", name=error.wanted, players=", ".join(near)), NO)
        hint = text("no-player-near", players=", ".join(near)) if near else text("no-player-none")
        leave(text("no-player", player=error.wanted, hint=hint), NO)
    if isinstance(error, UnknownListError):
        known = error.known.strip("-")
        leave(text("no-list" if known else "no-lists", list=error.name, known=known))


def _with_name(player: str, names: tuple[str, ...]) -> str:
    """An id with the player's name, the native one for a Japanese reader; alone, where that is the name."""
    called = [name for name in names if name]
    name = called[-1] if preferred_language() == "ja" else called[0]
    return player if name == player else f"{player} ({name})"


def _leave_for_broken_book(error: Exception) -> None:
    """End the command where an installed rule book cannot be used; other errors are left alone."""
    from banzuke.core.registry import BookError

    if isinstance(error, BookError) and error.package:
        leave(text("broken-book", reason=error, package=error.package))
