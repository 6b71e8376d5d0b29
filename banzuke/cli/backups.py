"""banzuke backup and restore: everything that the office holds into one file, and out of it again."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import Annotated

import typer

from banzuke.cli.command import command, leave
from banzuke.cli.output import Bar, answer, text
from banzuke.cli.pool_ledgers import open_or_exit

New = Annotated[Path, typer.Argument(metavar="FILE", help=text("backup-file"))]
There = Annotated[
    Path, typer.Argument(metavar="FILE", help=text("restore-file"), exists=True, dir_okay=False)
]


@command
def backup(file: New) -> None:
    """Write everything that the office holds into one file."""
    open_or_exit()
    from banzuke.office.administration.backup import back_up
    from banzuke.office.journal import Actor

    try:
        with Bar(text("backup-progress")) as progress:
            rows = back_up(file, Actor(getpass.getuser()), progress)
    except FileExistsError:
        leave(text("backup-there", file=file))
    answer({"file": str(file), "rows": rows}, text("backup-done", file=file, rows=rows))


@command
def restore(file: There) -> None:
    """Put a backup into an empty office."""
    open_or_exit()
    from banzuke.office.administration.backup_restore import restore as put_back
    from banzuke.office.journal import Actor

    with Bar(text("restore-progress")) as progress:
        restored = put_back(file, Actor(getpass.getuser()), progress)
    answer(
        {"file": str(file), "rows": restored.rows, "made": restored.at},
        text("restore-done", file=file, rows=restored.rows, at=restored.at[:16]),
    )
