"""The public ledger of a published list, zipped: made once, then kept in the office's folder.

That of a small pool is made when it is asked for; of a large one the worker makes it between its jobs: of the
newest list by itself, of others after somebody has asked. It is made anew when other people are shown by id
only.
"""

import logging
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from django.conf import settings

from banzuke.core.fault import RefusedError
from banzuke.core.gc_pause import uncollected
from banzuke.database.book_reader import files_of, read_book
from banzuke.database.models import Game, GoGame, Job, Pool, RatingList
from banzuke.engine.output_file import write_atomically
from banzuke.engine.public_ledger.public_files import public_ledger_zip
from banzuke.engine.public_ledger.public_ledger import public_ledger
from banzuke.office.lists.list_index import latest_list, names_up_to
from banzuke.office.pages.kept_files import kept_files
from banzuke.office.public_names import by_id_only

log = logging.getLogger(__name__)
#: Up to so many games a ledger is made within the request: in less than a second.
AT_ONCE = 5_000
#: The version of what a public ledger has; a new one makes them all anew.
VERSION = 1
ENDING = ".zip"

_making = Lock()
#: Lists whose ledger this process could not make.
_failed: set[int] = set()


class KeptLedger(NamedTuple):
    """A public ledger's file, and its hash."""

    path: Path
    sha256: str


def ledger_of(published: RatingList) -> KeptLedger | None:
    """The public ledger of the list; None while the worker has yet to make it, which is then asked for it.

    Raises RefusedError or LookupError where the list's ledger cannot be read.
    """
    found = kept_ledger(published)
    if found is not None:
        return found
    if _is_small(published.pool):
        with _making:
            return kept_ledger(published) or make_ledger(published)
    _wanted(published).parent.mkdir(parents=True, exist_ok=True)
    _wanted(published).touch()
    return None


def kept_ledger(published: RatingList) -> KeptLedger | None:
    """The public ledger of the list as it is now, if it was made."""
    folder = _folder(published)
    found = sorted(folder.glob(f"{_tag(published.pool)}-*{ENDING}")) if folder.is_dir() else []
    return KeptLedger(found[0], found[0].stem.rpartition("-")[2]) if found else None


@uncollected()
def make_ledger(published: RatingList) -> KeptLedger:
    """Make the public ledger of the list, as of the entry that the list was made from, and keep it.

    Raises RefusedError or LookupError where that ledger cannot be read.
    """
    pool, tag = published.pool, _tag(published.pool)
    ledger = read_book(pool, published.entry_id)
    names = names_up_to(ledger, {published.name})
    public = public_ledger(ledger, by_id_only(pool), names)
    data = public_ledger_zip(public, files_of(pool, published.entry_id), published.name)
    hashed, folder = sha256(data).hexdigest(), _folder(published)
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / f"{tag}-{hashed}{ENDING}"
    write_atomically(kept, data)
    for path in folder.iterdir():
        if path != kept:
            path.unlink(missing_ok=True)
    return KeptLedger(kept, hashed)


def make_wanted_ledger() -> bool:
    """Make a ledger that somebody asked for, or that of a newest list; False if none is to be made.

    While a job waits, none is made.
    """
    if Job.objects.filter(state=Job.State.WAITING).exists():
        return False
    for published in _to_make():
        if published.pk not in _failed:
            try:
                make_ledger(published)
            except (RefusedError, LookupError) as error:
                log.warning(
                    "%s: no public ledger of %s: %s", published.pool.slug, published, type(error).__name__
                )
                _failed.add(published.pk)
            return True
    return False


def _to_make() -> Iterator[RatingList]:
    """The lists whose ledgers are asked for and not there, then the newest ones."""
    folder = settings.HOME / "files" / "wanted-ledgers"
    for wanted in sorted(folder.iterdir()) if folder.is_dir() else ():
        published = RatingList.objects.filter(pk=wanted.name).first() if wanted.name.isdecimal() else None
        if published is not None and kept_ledger(published) is None:
            yield published
        wanted.unlink(missing_ok=True)
    for pool in Pool.objects.order_by("pk"):
        newest = latest_list(pool)
        if newest is not None and kept_ledger(newest) is None:
            yield newest


def _is_small(pool: Pool) -> bool:
    games = (Game.objects.filter(pool=pool), GoGame.objects.filter(pool=pool))
    return not any(rows[AT_ONCE : AT_ONCE + 1].exists() for rows in games)


def _tag(pool: Pool) -> str:
    """What a ledger's bytes hang on beside its list."""
    known = (VERSION, sorted(by_id_only(pool)))
    return sha256(repr(known).encode()).hexdigest()[:16]


def _folder(published: RatingList) -> Path:
    return kept_files(published) / "ledger"


def _wanted(published: RatingList) -> Path:
    marker: Path = settings.HOME / "files" / "wanted-ledgers" / str(published.pk)
    return marker
