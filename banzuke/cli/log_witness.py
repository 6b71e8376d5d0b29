"""The command `witness`: keeps an office's checkpoints, and cries when they do not agree."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from banzuke.cli.command import NO, command, leave
from banzuke.cli.log_sentences import (
    counts_of,
    keys_or_exit,
    leave_for,
    notes_or_exit,
    print_added_lists,
    reason_of,
    since_text,
)
from banzuke.cli.output import complain, print_json, print_line, text, wants_json
from banzuke.client.api_client import AddressError, AwayError, RefusedByOfficeError
from banzuke.client.downloads import TooLargeError
from banzuke.client.log_witness import LogConflictError, LogWitness, Seen
from banzuke.transparency.proof_error import ProofError

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path("banzuke-witness")


@contextmanager
def failures_of_downloads(address: str) -> Iterator[None]:
    """End the command with a sentence where nothing can be had from an address."""
    try:
        yield
    except AddressError as error:
        leave(text("office-address", address=error))
    except AwayError as error:
        leave(text("office-away", address=address, reason=error))
    except TooLargeError as error:
        leave(text("download-too-large", address=error))
    except RefusedByOfficeError as error:
        leave(text("download-refused", address=address, status=error.status, detail=error.detail))


@command
def witness(
    address: Annotated[str, typer.Argument(metavar="URL", help=text("witness-url"))],
    folder: Annotated[Path, typer.Option("--folder", metavar="DIR", help=text("witness-folder"))] = FOLDER,
    checkpoint: Annotated[
        list[Path] | None,
        typer.Option(
            "--checkpoint", metavar="FILE", exists=True, dir_okay=False, help=text("witness-checkpoint")
        ),
    ] = None,
    key: Annotated[str, typer.Option("--key", metavar="KEY", help=text("witness-key"))] = "",
    accept_restart: Annotated[
        bool, typer.Option("--accept-restart", help=text("witness-accept-restart"))
    ] = False,
) -> None:
    """Keep an office's checkpoint, and hold it against those kept before."""
    keys = keys_or_exit(key) if key else []
    others = [note for path in checkpoint or () for note in notes_or_exit(path)]
    looking = LogWitness(address, folder)
    try:
        with failures_of_downloads(address):
            seen = looking.look(keys, others, accepts_restart=accept_restart)
    except LogConflictError as error:
        _cry(address, error, looking.folder)
    except ProofError as error:
        leave_for(address, error)
    if wants_json():
        print_json(_facts(seen, looking.folder))
    else:
        _print_seen(seen, looking.folder, len(others))


def _cry(address: str, error: LogConflictError, folder: Path) -> None:
    """Say as clearly as can be that something is wrong, and what to do."""
    facts = {"is_good": False, "code": error.code, "reason": reason_of(error), "kept": str(error.kept)}
    if wants_json():
        print_json(facts)
    complain(text("witness-alarm", address=address))
    complain(reason_of(error))
    complain(text("witness-evidence", kept=error.kept, folder=folder))
    raise typer.Exit(NO)


def _facts(seen: Seen, folder: Path) -> dict[str, object]:
    """What the witness saw, for programs."""
    return {
        "is_good": True,
        "log": seen.now.checkpoint.origin,
        "size": seen.now.checkpoint.size,
        "before": seen.before.size if seen.before else None,
        "added": counts_of(seen.added),
        "new_keys": list(map(str, seen.new_keys)),
        "trusted_at_once": list(map(str, seen.trusted_at_once)),
        "folder": str(folder),
    }


def _print_seen(seen: Seen, folder: Path, others: int) -> None:
    """What the witness saw, for people."""
    for key in seen.trusted_at_once:
        print_line(text("witness-first", known=key))
    now = seen.now.checkpoint
    if seen.before is None:
        print_line(text("witness-begins", log=now.origin, size=now.size))
    else:
        print_line(text("witness-agrees", size=now.size, before=seen.before.size))
        print_line(since_text(seen.added))
        print_added_lists(seen.added)
    if others:
        print_line(text("witness-others", count=others))
    for key in seen.new_keys:
        print_line(text("witness-new-key", known=key))
    print_line(text("witness-kept", folder=folder))
