"""banzuke import-ledger and export-ledger: pools into the office's book, and out of it as ledger folders."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from banzuke.cli.command import NO, command, leave
from banzuke.cli.output import answer, text
from banzuke.server.office_opening import ClosedError, open_office

if TYPE_CHECKING:
    from banzuke.database.models import Pool

Folder = Annotated[
    Path, typer.Argument(metavar="LEDGER", help=text("argument-ledger"), exists=True, file_okay=False)
]
Slug = Annotated[str, typer.Option("--pool", metavar="POOL", help=text("book-pool"))]
Known = Annotated[str, typer.Argument(metavar="POOL", help=text("book-pool"))]
New = Annotated[Path, typer.Argument(metavar="DIR", help=text("book-dir"))]


def open_or_exit() -> None:
    """The office opened for a command, which ends with the reason where it cannot be."""
    try:
        open_office()
    except ClosedError as error:
        leave(text("book-closed", reason=error))


def known_pool(slug: str) -> Pool:
    """The office's pool of that name, for a command, which ends with the pools there are where it is none."""
    from banzuke.database.models import Pool

    pool = Pool.objects.filter(slug=slug).first()
    if pool is None:
        known = ", ".join(Pool.objects.order_by("slug").values_list("slug", flat=True))
        leave(text("book-no-pool", pool=slug, known=known), NO)
    return pool


@command
def import_ledger(
    folder: Folder,
    slug: Slug,
    without_games: Annotated[bool, typer.Option("--without-games", help=text("book-without-games"))] = False,
) -> None:
    """Take a ledger folder into the office's book as a new pool."""
    open_or_exit()
    from django.core.exceptions import ValidationError
    from django.core.validators import validate_slug

    from banzuke.database.ledger_folders import enter_folder
    from banzuke.office.administration.pools import TakenError, check_free, make_ready

    try:
        validate_slug(slug)
        check_free(slug)
    except ValidationError:
        leave(text("book-bad-pool", pool=slug))
    except TakenError:
        leave(text("book-pool-taken", pool=slug))
    pool = enter_folder(slug, folder, getpass.getuser(), with_games=not without_games)
    make_ready(pool)
    entry = pool.entries.get()
    facts = {"pool": slug, "entry": entry.pk, "at": entry.at.isoformat(), "author": entry.author}
    answer(facts, text("book-entered", pool=slug, entry=entry.pk))


@command
def export_ledger(slug: Known, folder: New) -> None:
    """Write a pool of the office's book as a ledger folder."""
    open_or_exit()
    from banzuke.database.ledger_folders import write_folder

    pool = known_pool(slug)
    if folder.exists():
        leave(text("book-dir-there", dir=folder))
    write_folder(pool, folder)
    answer({"pool": slug, "dir": str(folder)}, text("book-written", pool=slug, dir=folder))
