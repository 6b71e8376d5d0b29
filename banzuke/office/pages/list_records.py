"""The record of a published list, by which anybody makes the list again: its files, and its place in the log.

What takes long of it is made once from what was stored with the list, and kept in the office's folder.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from banzuke.database.models import RatingList
from banzuke.engine.output_file import write_atomically
from banzuke.formats.files.text import csv_text
from banzuke.office.administration.licences import licence
from banzuke.office.pages.kept_files import kept_files
from banzuke.office.pages.list_files import file_of
from banzuke.office.pages.public_ledgers import ledger_of
from banzuke.office.transparency.list_contents import content_of
from banzuke.office.transparency.list_proofs import entry_of
from banzuke.office.transparency.list_trees import TreeHashes, event_names, stored_hashes
from banzuke.office.transparency.log_checkpoints import signed_log
from banzuke.transparency.list_leaves import split_content
from banzuke.transparency.list_records import (
    CONTENT,
    LEDGER,
    PEOPLE,
    PEOPLE_HEADER,
    TABLE,
    ListRecord,
    PlaceInLog,
    RecordFile,
)
from banzuke.transparency.log_entries import moment_text

#: The kind of the table for people.
TABLE_KIND = "csv"
_PEOPLE, _FACTS = "people.csv", "facts.json"


class RecordFacts(NamedTuple):
    """What is kept of a record: the size of its content, and the names of its events."""

    content_bytes: int
    events: dict[str, str]


def record_of(published: RatingList, addresses: Mapping[str, str], log: str) -> ListRecord | None:
    """The record of a list; None while the worker has yet to make something of it.

    `addresses` are those of its files by their names, `log` is that of the log, all beginning at the record's
    own. Raises RefusedError where the log cannot be signed, or the list's ledger cannot be read, and
    LookupError.
    """
    entry, facts, ledger = entry_of(published), _facts(published), ledger_of(published)
    if entry is None or facts is None or ledger is None:
        return None
    signed, terms = signed_log(), licence()
    sizes = {
        CONTENT: (published.sha256, facts.content_bytes),
        PEOPLE: _size(people_file(published) or b""),
        LEDGER: (ledger.sha256, ledger.path.stat().st_size),
        TABLE: _size(file_of(published, None, TABLE_KIND, "en")),
    }
    return ListRecord(
        pool=published.pool.slug,
        list=published.name,
        revision=published.revision,
        number=published.number,
        day=published.day.isoformat(),
        entry=published.entry_id,
        published=moment_text(published.published_at),
        sha256=published.sha256,
        rulebook=published.rulebook,
        events=facts.events,
        files={name: RecordFile(addresses[name], *size) for name, size in sizes.items()},
        log=PlaceInLog(
            log,
            signed.note.decode(),
            entry.number,
            entry.body,
            tuple(signed.tree.inclusion_path(entry.number, signed.size)),
        ),
        licence=terms.spdx if terms else "",
        stand_ins=True,
    )


def people_file(published: RatingList) -> bytes | None:
    """The commitments to the list's players as a table; None while the worker has yet to make them."""
    return None if _facts(published) is None else (_folder(published) / _PEOPLE).read_bytes()


def _facts(published: RatingList) -> RecordFacts | None:
    """What is kept of the record; made now where it is not there."""
    kept = _folder(published) / _FACTS
    if not kept.is_file():
        content, hashes = content_of(published), stored_hashes(published)
        if content is None or hashes is None:
            return None
        _keep(published, content, hashes)
    return RecordFacts(**json.loads(kept.read_bytes()))


def _keep(published: RatingList, content: bytes, hashes: TreeHashes) -> None:
    """Keep what takes long; the facts come last, so that whoever finds them finds the rest."""
    split, folder = split_content(content), _folder(published)
    people = hashes.commitments(split.players).items()
    facts = RecordFacts(len(content), event_names(published, split))
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / _PEOPLE, csv_text([PEOPLE_HEADER, *people]).encode())
    write_atomically(folder / _FACTS, json.dumps(facts._asdict(), ensure_ascii=False).encode())


def _size(data: bytes) -> tuple[str, int]:
    """The hash and the number of a file's bytes."""
    return sha256(data).hexdigest(), len(data)


def _folder(published: RatingList) -> Path:
    return kept_files(published) / "record"
