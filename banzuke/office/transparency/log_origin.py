"""By what name the office's log goes, and the keys by which its checkpoints are checked.

The name is made of the office's first key and stays, whichever keys come later. A log that was begun anew has
a number behind it.
"""

from banzuke.database.models import LogEntry
from banzuke.office.office_key import OfficeKey
from banzuke.transparency.log_entries import KeyEntry, known_entry
from banzuke.transparency.signed_notes import NoteKey, public_key, read_key

PREFIX, ID_LETTERS = "banzuke-office-", 16


def origin_of(key: OfficeKey) -> str:
    """The name of the log of the office that has this key."""
    restarts = LogEntry.of_kind("restart").count()
    entries = _key_entries()
    first = read_key(entries[0].keys[0]).name if entries else PREFIX + key.ids[-1][:ID_LETTERS]
    return f"{first}-{restarts + 1}" if restarts else first


def public_keys(key: OfficeKey, origin: str) -> list[NoteKey]:
    """The keys that sign, the newest first."""
    return [public_key(origin, each) for each in key.private_keys]


def keys_in_log(origin: str) -> list[NoteKey]:
    """All keys by which the log says that the office has signed, the first ones first."""
    found = (read_key(key).public for entry in _key_entries() for key in entry.keys)
    return [NoteKey(origin, public) for public in dict.fromkeys(found)]


def _key_entries() -> list[KeyEntry]:
    bodies = LogEntry.of_kind("key").order_by("number").values_list("body", flat=True)
    return [entry for entry in map(known_entry, bodies) if isinstance(entry, KeyEntry)]
