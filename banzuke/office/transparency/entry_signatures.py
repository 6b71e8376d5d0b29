"""The office's signature of each entry of its log, so that who has the database alone adds none unseen.

An entry is by the office if a key of its key file signed it, or one that a later entry names which is.
"""

import base64

from banzuke.database.models import LogEntry
from banzuke.office.office_key import OfficeKey, has_signed, known_key
from banzuke.transparency.log_entries import KeyEntry, RestartEntry, known_entry
from banzuke.transparency.signed_notes import read_key

PURPOSE = "log entry"


def entry_signature(key: OfficeKey, number: int, body: str) -> bytes:
    """The signature by the newest key."""
    return base64.b64decode(key.sign(PURPOSE, _signed(number, body)).ed25519)


def unsigned_entries() -> list[int]:
    """The numbers of the entries that the office did not sign. Raises OSError.

    What was before the log began anew is not asked for: then the keys of before may be lost.
    """
    known = {key.public_key().public_bytes_raw() for key in known_key().private_keys}
    unsigned = []
    rows = LogEntry.objects.order_by("-number").values_list("number", "body", "signature")
    for number, body, signature in rows.iterator():
        data, made, entry = _signed(number, body), bytes(signature or b""), known_entry(body)
        if not any(has_signed(public, PURPOSE, data, made) for public in known):
            unsigned.append(number)
        elif isinstance(entry, KeyEntry):
            known.update(read_key(key).public for key in entry.keys)
        elif isinstance(entry, RestartEntry):
            break
    return unsigned[::-1]


def _signed(number: int, body: str) -> bytes:
    return f"{number}\n{body}".encode()
