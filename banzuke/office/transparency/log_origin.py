"""By what name the office's log goes, and the keys by which its checkpoints are checked.

The name is made of the oldest key, so that it stays when a newer one is written above it. A log that was
begun anew has a number behind it.
"""

from banzuke.database.models import LogEntry
from banzuke.office.office_key import OfficeKey
from banzuke.transparency.signed_notes import NoteKey, public_key

PREFIX, ID_LETTERS = "banzuke-office-", 16
_RESTART = '"kind":"restart"'


def origin_of(key: OfficeKey) -> str:
    """The name of the log of the office that has this key."""
    restarts = LogEntry.objects.filter(list=None, body__contains=_RESTART).count()
    name = PREFIX + key.ids[-1][:ID_LETTERS]
    return f"{name}-{restarts + 1}" if restarts else name


def public_keys(key: OfficeKey, origin: str) -> list[NoteKey]:
    """The keys that sign, the newest first."""
    return [public_key(origin, each) for each in key.private_keys]
