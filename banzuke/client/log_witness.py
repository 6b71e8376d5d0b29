"""A witness of an office's log: it keeps every checkpoint that it saw, and compares the next one with them.

What it keeps lies in a folder for each address: the keys that it knows, one a line, and the checkpoints by
their size. A key that comes later is taken only from an entry of the log itself, which the keys known before
have signed.
"""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from banzuke.client.downloads import download
from banzuke.engine.output_file import write_atomically
from banzuke.transparency.checkpoints import Checkpoint, SignedCheckpoint, notes_within, open_checkpoint
from banzuke.transparency.log_entries import KeyEntry, LogEntry
from banzuke.transparency.log_growth import read_growth
from banzuke.transparency.proof_error import ProofError
from banzuke.transparency.signed_notes import NoteKey, read_keys
from banzuke.transparency.strict_text import MOST_BYTES

KEYS, SUFFIX, CONFLICT = "keys.txt", ".checkpoint", "conflict-"
CHECKPOINT_BYTES, GROWTH_BYTES = 2**16, 4 * MOST_BYTES
_DIGITS = 12


class Seen(NamedTuple):
    """What a witness found: the checkpoint now, the one it had before, what was entered between, new keys.

    `before` is None the first time; `trusted_at_once` are the keys that the office itself gave then.
    """

    now: SignedCheckpoint
    before: Checkpoint | None
    added: tuple[LogEntry | None, ...]
    new_keys: tuple[NoteKey, ...]
    trusted_at_once: tuple[NoteKey, ...]


class LogConflictError(ProofError):
    """Two checkpoints do not agree, or one is not the office's; `kept` is where the new one was put."""

    def __init__(self, error: ProofError, kept: Path) -> None:
        super().__init__(error.code, **error.facts)
        self.kept = kept


class LogWitness:
    """A witness of the log at an office's address, with what it keeps in a folder."""

    def __init__(self, address: str, folder: Path) -> None:
        self._log = address.rstrip("/").removesuffix("/log") + "/log/"
        self.folder = folder / folder_name(address)

    def look(self, given: Sequence[NoteKey] = (), others: Sequence[bytes] = ()) -> Seen:
        """Ask for the log's checkpoint, compare it with those kept and `others`, and keep it.

        `given` are keys that the reader trusts. Raises LogConflictError, ProofError for keys that are none,
        OSError, and as `download` does.
        """
        note = download(f"{self._log}checkpoint", CHECKPOINT_BYTES)
        known, at_once = self._known_keys(given)
        try:
            now = open_checkpoint(note, known)
            before = self._last(known)
            added = self._added(before, now.checkpoint)
            for other in others:
                self._added(open_checkpoint(other, known).checkpoint, now.checkpoint)
        except ProofError as error:
            name = f"{CONFLICT}{hashlib.sha256(note).hexdigest()[:_DIGITS]}{SUFFIX}"
            raise LogConflictError(error, self._keep(name, note)) from None
        new = [
            key for entry in added if isinstance(entry, KeyEntry) for key in read_keys("\n".join(entry.keys))
        ]
        new_keys = tuple(key for key in dict.fromkeys(new) if key not in known)
        self._keep(KEYS, "".join(f"{key}\n" for key in (*known, *new_keys)).encode())
        self._keep(f"{now.checkpoint.size:0{_DIGITS}}{SUFFIX}", note)
        return Seen(now, before, added, new_keys, tuple(at_once))

    def _known_keys(self, given: Sequence[NoteKey]) -> tuple[list[NoteKey], list[NoteKey]]:
        """The keys to believe; and those of them that the office itself gave just now."""
        path = self.folder / KEYS
        kept = read_keys(path.read_text("utf-8")) if path.exists() else []
        if kept or given:
            return list(dict.fromkeys([*kept, *given])), []
        first = read_keys(download(f"{self._log}key", CHECKPOINT_BYTES).decode("utf-8", "replace"))
        return first, first

    def _last(self, known: Sequence[NoteKey]) -> Checkpoint | None:
        """The largest checkpoint that is kept. Raises ProofError where a kept one is not what it was."""
        kept = sorted(self.folder.glob(f"{'[0-9]' * _DIGITS}{SUFFIX}"))
        return open_checkpoint(kept[-1].read_bytes(), known).checkpoint if kept else None

    def _added(self, old: Checkpoint | None, new: Checkpoint) -> tuple[LogEntry | None, ...]:
        """What the log has after an old checkpoint; None for an entry that is not known here.

        Raises ProofError where the log does not go on from there.
        """
        if old is None:
            return ()
        if old.origin != new.origin:
            raise ProofError("another-log", old=old.origin, new=new.origin)
        if old.size > new.size:
            raise ProofError("shorter-log", old=old.size, new=new.size)
        if old.size == new.size:
            if old.root != new.root:
                raise ProofError("two-logs", size=old.size)
            return ()
        address = f"{self._log}consistency?old={old.size}&new={new.size}"
        growth = read_growth(download(address, GROWTH_BYTES))
        growth.check(old, new)
        return growth.known_entries

    def _keep(self, name: str, data: bytes) -> Path:
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / name
        write_atomically(path, data)
        return path


def folder_name(address: str) -> str:
    """The name of the folder for an address."""
    plain = address.partition("://")[2].rstrip("/").removesuffix("/log")
    return re.sub(r"[^A-Za-z0-9.-]+", "_", plain).strip("._") or "office"


def largest_checkpoint(data: bytes, known: Sequence[NoteKey]) -> tuple[bytes, SignedCheckpoint]:
    """Of the checkpoints in a file (one, a mail, other text) the largest, as a note and opened.

    Raises ProofError where none is there that a known key has signed.
    """
    notes = notes_within(data)
    if not notes:
        raise ProofError("no-checkpoint")
    return max(
        ((note, open_checkpoint(note, known)) for note in notes), key=lambda found: found[1].checkpoint.size
    )
