"""What the office holds, in and out: a pool as a ledger folder, everything as one file."""

from __future__ import annotations

import getpass
import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from banzuke.cli.command import NO, command, leave
from banzuke.cli.output import Bar, answer, complain_of, text
from banzuke.server.office_opening import ClosedError, open_office

if TYPE_CHECKING:
    from collections.abc import Iterator

    from banzuke.database.models import Pool

#: The address of the database as its owner opens it.
OWNER = "BANZUKE_OWNER_URL"
Folder = Annotated[
    Path, typer.Argument(metavar="LEDGER", help=text("argument-ledger"), exists=True, file_okay=False)
]
Slug = Annotated[str, typer.Option("--pool", metavar="POOL", help=text("book-pool"))]
Known = Annotated[str, typer.Argument(metavar="POOL", help=text("book-pool"))]
NewFolder = Annotated[Path, typer.Argument(metavar="DIR", help=text("book-dir"))]
BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help=text("backup-file"))]
ExistingBackup = Annotated[
    Path, typer.Argument(metavar="FILE", help=text("restore-file"), exists=True, dir_okay=False)
]

GOES_ON, NOT_KNOWN = "goes-on", "not-known"


def open_or_exit(*, has_folder: bool = True) -> None:
    """The office opened for a command, which ends with the reason where it cannot be."""
    try:
        open_office(has_folder=has_folder)
    except ClosedError as error:
        leave(text(f"book-{error.code}", reason=error))


def open_as_owner() -> None:
    """Open the office's database as its owner, where the address for that is set: who erases opens tables."""
    if os.environ.get(OWNER):
        os.environ["DATABASE_URL"] = os.environ[OWNER]
    open_or_exit()


def known_pool(slug: str) -> Pool:
    """The office's pool of that name, for a command, which ends with the pools there are where it is none."""
    from banzuke.database.models import Pool

    pool = Pool.objects.filter(slug=slug).first()
    if pool is None:
        known = ", ".join(Pool.objects.order_by("slug").values_list("slug", flat=True))
        leave(text("book-no-pool", pool=slug, known=known), NO)
    return pool


@contextmanager
def new_pool(slug: str) -> Iterator[None]:
    """Within it a pool is opened; the command ends where it cannot have that name in addresses."""
    from django.core.exceptions import ValidationError
    from django.core.validators import validate_slug

    from banzuke.office.administration.pools import TakenError, check_free

    try:
        validate_slug(slug)
        check_free(slug)
        yield
    except ValidationError:
        leave(text("book-bad-pool", pool=slug))
    except TakenError:
        leave(text("book-pool-taken", pool=slug))


@command
def import_ledger(
    folder: Folder,
    slug: Slug,
    without_games: Annotated[bool, typer.Option("--without-games", help=text("book-without-games"))] = False,
) -> None:
    """Take a ledger folder into the office's book as a new pool."""
    open_or_exit()
    from banzuke.office.administration.pools import open_from_folder

    with new_pool(slug):
        pool = open_from_folder(slug, folder, getpass.getuser(), with_games=not without_games)
    entry = pool.entries.get()
    facts = {"pool": slug, "entry": entry.pk, "at": entry.at.isoformat(), "author": entry.author}
    answer(facts, text("book-entered", pool=slug, entry=entry.pk))


@command
def export_ledger(slug: Known, folder: NewFolder) -> None:
    """Write a pool of the office's book as a ledger folder."""
    open_or_exit()
    from banzuke.database.ledger_folders import write_folder

    pool = known_pool(slug)
    if folder.exists():
        leave(text("book-dir-there", dir=folder))
    write_folder(pool, folder)
    answer({"pool": slug, "dir": str(folder)}, text("book-written", pool=slug, dir=folder))


@command
def backup(file: BackupFile) -> None:
    """Write everything that the office holds into one file."""
    open_or_exit()
    from banzuke.office.administration.backup import back_up
    from banzuke.office.journal import Actor
    from banzuke.office.office_key import key_path

    try:
        with Bar(text("backup-progress")) as progress:
            rows = back_up(file, Actor(getpass.getuser()), progress)
    except FileExistsError:
        leave(text("backup-there", file=file))
    done, signed = text("backup-done", file=file, rows=rows), text("backup-signed", file=key_path())
    answer({"file": str(file), "rows": rows}, done, signed)


@command
def restore(
    file: ExistingBackup,
    foreign: Annotated[bool, typer.Option("--foreign", help=text("restore-foreign"))] = False,
) -> None:
    """Put a backup into an empty office."""
    open_as_owner()
    from banzuke.database.models import Erasure, Pool
    from banzuke.office.administration.backup_restore import restore as put_back
    from banzuke.office.erasure.erased_files import wipe
    from banzuke.office.erasure.erasing import erase_noted, note_again
    from banzuke.office.journal import Actor
    from banzuke.office.noted_ids import noted_ids

    with Bar(text("restore-progress")) as progress:
        restored = put_back(
            file, Actor(getpass.getuser()), progress, is_foreign=foreign, afterwards=erase_noted
        )
    note_again(Erasure.objects.select_related("pool").order_by("pk"))
    if any(noted_ids()):
        wipe(list(Pool.objects.all()))
    log = _state_of_log()
    facts = {
        "file": str(file),
        "rows": restored.rows,
        "made": restored.at,
        "second_factors_lost": restored.lost,
        "log": log,
    }
    said = [text("restore-done", file=file, rows=restored.rows, at=restored.at[:16])]
    if restored.lost:
        said.append(text("restore-lost", lost=restored.lost))
    if log == NOT_KNOWN:
        said.append(text("restore-log"))
    answer(facts, *said)


def _state_of_log() -> str:
    """Whether the log goes on from what was signed last. Where it does not, the command complains of it."""
    from banzuke.database.models import LogEntry
    from banzuke.office.transparency.log_checkpoints import contradiction, kept_note

    if not LogEntry.objects.exists():
        return GOES_ON
    found = contradiction()
    if found:
        complain_of([found])
        return found.code
    return GOES_ON if kept_note() else NOT_KNOWN
