"""The office's signature of each entry of its log, so that who has the database alone adds none unseen.

An entry is by the office if a key of its key file signed it, or one that a later entry names which is.
"""

import base64
from collections.abc import Iterable

from banzuke.database.models import LogEntry
from banzuke.office.office_key import OfficeKey, has_signed, known_key
from banzuke.transparency.log_entries import KeyEntry, RestartEntry, known_entry
from banzuke.transparency.signed_notes import read_key

PURPOSE = "log entry"


def entry_signature(key: OfficeKey, number: int, body: str) -> bytes:
    """The signature by the newest key."""
    return base64.b64decode(key.sign(PURPOSE, _signed(number, body)).ed25519)


def are_keys_by(key: OfficeKey) -> bool:
    """Whether the last entry that names keys was signed by one of the key file's.

    Witnesses learn keys from such entries, whoever added them.
    """
    rows = LogEntry.of_kind("key").order_by("-number")
    found = rows.values_list("number", "body", "signature").first()
    if found is None:
        return True
    number, body, signature = found
    return _is_signed(_public(key), number, body, signature)


def unsigned_entries() -> list[int]:
    """The numbers of the entries that the office did not sign. Raises OSError.

    What was before the log began anew is not asked for: then the keys of before may be lost.
    """
    known = _public(known_key())
    unsigned = []
    rows = LogEntry.objects.order_by("-number").values_list("number", "body", "signature")
    for number, body, signature in rows.iterator():
        entry = known_entry(body)
        if not _is_signed(known, number, body, signature):
            unsigned.append(number)
        elif isinstance(entry, KeyEntry):
            known.update(read_key(key).public for key in entry.keys)
        elif isinstance(entry, RestartEntry):
            break
    return unsigned[::-1]


def _public(key: OfficeKey) -> set[bytes]:
    return {each.public_key().public_bytes_raw() for each in key.private_keys}


def _is_signed(known: Iterable[bytes], number: int, body: str, signature: bytes | memoryview | None) -> bool:
    data, made = _signed(number, body), bytes(signature or b"")
    return any(has_signed(public, PURPOSE, data, made) for public in known)


def _signed(number: int, body: str) -> bytes:
    return f"{number}\n{body}".encode()
