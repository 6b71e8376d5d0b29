"""The office's signature of each entry of its log, so that who has the database alone adds none unseen.

An entry is by the office if a key of its key file signed it, or one that a later entry names which is.
"""

import base64
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from banzuke.office.office_key import OfficeKey, has_signed
from banzuke.transparency.log_entries import KeyEntry, LogEntry, RestartEntry
from banzuke.transparency.signed_notes import read_key

PURPOSE = "log entry"


class SignedEntry(NamedTuple):
    """An entry with its number, its text and what stands there as its signature."""

    number: int
    said: LogEntry | None
    body: str
    signature: bytes


def entry_signature(key: OfficeKey, number: int, body: str) -> bytes:
    """The signature by the newest key."""
    return base64.b64decode(key.sign(PURPOSE, _signed(number, body)).ed25519)


def unsigned_entries(entries: Sequence[SignedEntry], own: Iterable[bytes]) -> list[int]:
    """The numbers of the entries that the office did not sign; `own` are the public keys of its key file.

    What was before the log began anew is not asked for: then the keys of before may be lost.
    """
    known, unsigned = set(own), []
    for entry in reversed(entries):
        data = _signed(entry.number, entry.body)
        if not any(has_signed(public, PURPOSE, data, entry.signature) for public in known):
            unsigned.append(entry.number)
        elif isinstance(entry.said, KeyEntry):
            known.update(read_key(key).public for key in entry.said.keys)
        elif isinstance(entry.said, RestartEntry):
            break
    return unsigned[::-1]


def _signed(number: int, body: str) -> bytes:
    return f"{number}\n{body}".encode()
