"""Ledger folders into the book, and out of it again: the exchange format of `docs/ledger.md`."""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from django.utils import timezone

from banzuke.core.facts import Bye
from banzuke.core.fault import refuse_any
from banzuke.database.book_reader import files_of, last_entry, read_book, read_byes
from banzuke.database.book_writer import Act, enter_ledger
from banzuke.database.models import Pool
from banzuke.ledger.byes import read_byes as byes_in
from banzuke.ledger.byes import write_byes
from banzuke.ledger.folder import Ledger, read_go_ledger, read_ledger, write_ledger
from banzuke.ledger.pool_rules import signatures_after

IMPORT = "import-ledger"
#: The mode of what is written: there are birth dates in it.
PRIVATE = 0o600


class FolderContents(NamedTuple):
    """What a ledger folder holds: the ledger, the texts of its rules' files, and its byes."""

    ledger: Ledger
    files: dict[str, str]
    byes: list[Bye]


def read_folder(folder: Path, *, with_games: bool = True) -> FolderContents:
    """What a ledger folder holds; of a Go pool also as it opens, before its first game.

    Raises RefusedError for a folder that does not check or has a reform signed on a day to come.
    """
    ledger = read_ledger(folder) if with_games else replace(read_go_ledger(folder), games=[], declarations=[])
    refuse_any(signatures_after(ledger.pool, timezone.localdate()))
    files = {name: (folder / name).read_text("utf-8") for name in ledger.pool.files}
    return FolderContents(ledger, files, [] if ledger.pool.is_go else byes_in(folder))


def enter_folder(slug: str, folder: Path, author: str, *, with_games: bool = True) -> Pool:
    """A new pool with all that a ledger folder holds. Raises as `read_folder` and `enter_ledger` do."""
    found = read_folder(folder, with_games=with_games)
    return enter_ledger(slug, found.ledger, found.files, Act(author, IMPORT), found.byes)


def write_folder(pool: Pool, folder: Path, until: int | None = None) -> None:
    """The pool's ledger as a new folder for its owner only, as of an entry (None: the last one).

    Raises FileExistsError.
    """
    until = last_entry(pool) if until is None else until
    write_ledger(read_book(pool, until), files_of(pool, until), folder, mode=PRIVATE)
    write_byes(folder, read_byes(pool, until), PRIVATE)
