"""The commands `log compare`, `log new-key` and `log restart`: the office's own log, at its machine."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from banzuke.cli.command import NO, command
from banzuke.cli.log_sentences import leave_for, notes_or_exit
from banzuke.cli.office_data import open_or_exit
from banzuke.cli.output import answer, complain_of, print_json, print_line, text, wants_json
from banzuke.transparency.proof_error import ProofError

if TYPE_CHECKING:
    from banzuke.core.fault import Fault
    from banzuke.transparency.checkpoints import Checkpoint

Files = Annotated[
    list[Path], typer.Argument(metavar="FILE", exists=True, dir_okay=False, help=text("log-compare-file"))
]
Newest = Annotated[
    Path | None,
    typer.Option("--newest", metavar="FILE", exists=True, dir_okay=False, help=text("log-restart-newest")),
]


@command
def compare(files: Files) -> None:
    """Hold old checkpoints against the log of this office."""
    open_or_exit()
    from banzuke.office.transparency.log_restarts import compare as difference

    found = [(path, checkpoint, difference(checkpoint)) for path in files for checkpoint in _in(path)]
    wrong = [fault._replace(file=str(path)) for path, _, fault in found if fault]
    if wants_json():
        print_json({"is_good": not wrong, "checkpoints": [_facts(*each) for each in found]})
    else:
        for path, checkpoint, fault in found:
            if fault is None:
                print_line(text("log-compare-good", file=path, size=checkpoint.size))
        complain_of(wrong)
    if wrong:
        raise typer.Exit(NO)


@command
def new_key() -> None:
    """Add a key by which the office signs from now on, beside those of before."""
    open_or_exit()
    from django.db import transaction

    from banzuke.office.journal import Actor, note
    from banzuke.office.office_key import add_key, key_path
    from banzuke.office.transparency.log_checkpoints import log_keys
    from banzuke.office.transparency.office_log import lock_log, note_keys

    add_key()
    with transaction.atomic():
        note(Actor(getpass.getuser()), "new-log-key")
        lock_log()
        note_keys()
    newest = log_keys()[0]
    facts = {"key": str(newest), "file": str(key_path())}
    answer(facts, text("log-new-key-done", known=newest), text("log-new-key-file", file=key_path()))


@command
def restart(
    reason: Annotated[str, typer.Argument(metavar="REASON", help=text("log-restart-reason"))],
    newest: Newest = None,
) -> None:
    """Let a log that cannot go on as it was go on under another name."""
    open_or_exit()
    from banzuke.office.journal import Actor
    from banzuke.office.transparency.log_restarts import restart_log

    before = max(_in(newest), key=lambda each: each.size) if newest else None
    now = restart_log(" ".join(reason.split()), Actor(getpass.getuser()), before).checkpoint
    facts = {"log": now.origin, "size": now.size}
    answer(facts, text("log-restart-done", log=now.origin, size=now.size), text("log-restart-tell"))


def _in(path: Path) -> list[Checkpoint]:
    """The checkpoints in a file that the office has signed; the command ends where there is none."""
    from banzuke.office.transparency.log_checkpoints import checkpoint_in

    try:
        return [checkpoint_in(note) for note in notes_or_exit(path)]
    except ProofError as error:
        leave_for(path, error)


def _facts(path: Path, checkpoint: Checkpoint, fault: Fault | None) -> dict[str, object]:
    return {
        "file": str(path),
        "log": checkpoint.origin,
        "size": checkpoint.size,
        "is_good": fault is None,
        "code": fault and fault.code,
    }
