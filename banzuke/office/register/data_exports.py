"""The office's data as files that hold what is not public; each is noted in the journal."""

from __future__ import annotations

import io
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from banzuke.core.fault import RefusedError, fault
from banzuke.database.book_reader import last_entry, read_book
from banzuke.database.ledger_folders import write_folder
from banzuke.exchange.event_export import event_report, rated_event
from banzuke.formats.trf import trf_writer
from banzuke.ledger.folder import ChessLedger
from banzuke.office.journal import note

if TYPE_CHECKING:
    from banzuke.database.models import Pool
    from banzuke.office.journal import Actor

LEDGER, EVENT = "export-ledger", "export-event"


def ledger_zip(pool: Pool, actor: Actor) -> bytes:
    """The pool's ledger folder as of now, zipped: what `banzuke rate` makes the published lists of."""
    until, packed = last_entry(pool), io.BytesIO()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / pool.slug
        write_folder(pool, folder, until)
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(folder.iterdir()):
                archive.write(path, f"{pool.slug}/{path.name}")
    note(actor, LEDGER, pool, entry=until)
    return packed.getvalue()


def event_trf(pool: Pool, event_id: str, federation: str, actor: Actor) -> bytes:
    """An event with its games as TRF16, birth dates in it, for FIDE.

    Raises RefusedError for a Go pool, for an event that no list takes, and for what TRF cannot hold.
    """
    ledger = read_book(pool)
    if not isinstance(ledger, ChessLedger):
        raise RefusedError([fault(pool.slug, 0, "", "not-chess")])
    report = event_report(rated_event(ledger, event_id), federation, birth_dates=True)
    data = trf_writer.write(report, version=16, federation_code=federation)
    note(actor, EVENT, pool, event=event_id)
    return data
