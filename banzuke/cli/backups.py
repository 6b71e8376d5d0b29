"""banzuke backup and restore: everything that the office holds into one file, and out of it again."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import Annotated

import typer

from banzuke.cli.output import (
    REFUSED,
    Bar,
    Format,
    FormatOption,
    LangOption,
    complain,
    guarded,
    language,
    print_json,
    print_line,
    text,
)
from banzuke.cli.pool_ledgers import open_or_exit

New = Annotated[Path, typer.Argument(metavar="FILE", help=text("backup-file"))]
There = Annotated[
    Path, typer.Argument(metavar="FILE", help=text("restore-file"), exists=True, dir_okay=False)
]


@guarded
def backup(file: New, output_format: FormatOption = Format.TEXT, lang: LangOption = None) -> None:
    """Write everything that the office holds into one file."""
    language(lang)
    open_or_exit()
    from banzuke.office.administration.backup import back_up
    from banzuke.office.journal import Actor

    try:
        with Bar(text("backup-progress")) as progress:
            rows = back_up(file, Actor(getpass.getuser()), progress)
    except FileExistsError:
        complain(text("backup-there", file=file))
        raise typer.Exit(REFUSED) from None
    if output_format is Format.JSON:
        print_json({"file": str(file), "rows": rows})
    else:
        print_line(text("backup-done", file=file, rows=rows))


@guarded
def restore(file: There, output_format: FormatOption = Format.TEXT, lang: LangOption = None) -> None:
    """Put a backup into an empty office."""
    language(lang)
    open_or_exit()
    from banzuke.office.administration.backup_restore import restore as put_back
    from banzuke.office.journal import Actor

    with Bar(text("restore-progress")) as progress:
        restored = put_back(file, Actor(getpass.getuser()), progress)
    if output_format is Format.JSON:
        print_json({"file": str(file), "rows": restored.rows, "made": restored.at})
    else:
        print_line(text("restore-done", file=file, rows=restored.rows, at=restored.at[:16]))
