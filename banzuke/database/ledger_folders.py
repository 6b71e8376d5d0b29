"""Ledger folders into the book, and out of it again: the exchange format of `docs/ledger.md`."""

from dataclasses import replace
from pathlib import Path

from django.utils import timezone

from banzuke.core.fault import refuse_any
from banzuke.database.book_reader import files_of, last_entry, read_book, read_byes
from banzuke.database.book_writer import Act, enter_ledger
from banzuke.database.models import Pool
from banzuke.ledger.byes import read_byes as byes_in
from banzuke.ledger.byes import write_byes
from banzuke.ledger.folder import read_go_ledger, read_ledger, write_ledger
from banzuke.ledger.pool_rules import signatures_after

IMPORT = "import-ledger"
#: The mode of what is written: there are birth dates in it.
PRIVATE = 0o600


def enter_folder(slug: str, folder: Path, author: str, *, with_games: bool = True) -> Pool:
    """A new pool with all that a ledger folder holds; of a Go pool also as it opens, before its first game.

    Raises RefusedError for a folder that does not check or has a reform signed on a day to come, and
    IntegrityError for a name that is taken.
    """
    ledger = read_ledger(folder) if with_games else replace(read_go_ledger(folder), games=[], declarations=[])
    refuse_any(signatures_after(ledger.pool, timezone.localdate()))
    files = {name: (folder / name).read_text("utf-8") for name in ledger.pool.files}
    byes = [] if ledger.pool.is_go else byes_in(folder)
    return enter_ledger(slug, ledger, files, Act(author, IMPORT), byes)


def write_folder(pool: Pool, folder: Path, until: int | None = None) -> None:
    """The pool's ledger as a new folder for its owner only, as of an entry (None: the last one).

    Raises FileExistsError.
    """
    until = last_entry(pool) if until is None else until
    write_ledger(read_book(pool, until), files_of(pool, until), folder, mode=PRIVATE)
    write_byes(folder, read_byes(pool, until), PRIVATE)
