"""By what name the office's log goes, and the keys by which its checkpoints are checked.

The name is made of the office's first key and stays, whichever keys come later. A log that was begun anew has
a number behind it.
"""

from typing import TYPE_CHECKING

from banzuke.database.models import LogEntry
from banzuke.office.office_key import OfficeKey
from banzuke.transparency.log_entries import KeyEntry, known_entry
from banzuke.transparency.signed_notes import NoteKey, public_key, read_key

if TYPE_CHECKING:
    from django.db.models import QuerySet

PREFIX, ID_LETTERS = "banzuke-office-", 16
_RESTART, _KEY = '"kind":"restart"', '"kind":"key"'


def origin_of(key: OfficeKey) -> str:
    """The name of the log of the office that has this key."""
    restarts = LogEntry.objects.filter(list=None, body__contains=_RESTART).count()
    first = _first_name() or PREFIX + key.ids[-1][:ID_LETTERS]
    return f"{first}-{restarts + 1}" if restarts else first


def public_keys(key: OfficeKey, origin: str) -> list[NoteKey]:
    """The keys that sign, the newest first."""
    return [public_key(origin, each) for each in key.private_keys]


def keys_in_log(origin: str) -> list[NoteKey]:
    """All keys by which the log says that the office has signed, the first ones first."""
    entries = filter(None, map(_key_entry, _bodies()))
    found = (read_key(key).public for entry in entries for key in entry.keys)
    return [NoteKey(origin, public) for public in dict.fromkeys(found)]


def _first_name() -> str:
    entry = _key_entry(_bodies().first() or "")
    return read_key(entry.keys[0]).name if entry else ""


def _bodies() -> "QuerySet[LogEntry, str]":
    rows = LogEntry.objects.filter(list=None, body__contains=_KEY).order_by("number")
    return rows.values_list("body", flat=True)


def _key_entry(body: str) -> KeyEntry | None:
    entry = known_entry(body)
    return entry if isinstance(entry, KeyEntry) else None
