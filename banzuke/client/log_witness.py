"""A witness of an office's log: it keeps every checkpoint that it saw, and compares the next one with them.

A key that comes later is taken only from an entry of the log itself, in a checkpoint that a key known before
has signed; and a key that such an entry leaves out is good for old checkpoints only from then on. A log that
goes on under another name is taken for the same one only if the reader says so.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from banzuke.client.downloads import download
from banzuke.client.witness_folder import KnownKeys, WitnessFolder, folder_name, open_old
from banzuke.transparency.checkpoints import Checkpoint, SignedCheckpoint, open_checkpoint, origin_in
from banzuke.transparency.log_entries import KeyEntry, LogEntry, RestartEntry
from banzuke.transparency.log_growth import has_grown, read_growth
from banzuke.transparency.merkle_tree import EMPTY_ROOT
from banzuke.transparency.proof_error import ProofError
from banzuke.transparency.signed_notes import NoteKey, read_key, read_keys
from banzuke.transparency.strict_text import MOST_BYTES

CHECKPOINT_BYTES, GROWTH_BYTES = 2**16, 4 * MOST_BYTES


class Seen(NamedTuple):
    """What a witness found: the checkpoint now, the one it had before, what was entered between, new keys.

    `before` is None the first time, and after the log began anew; `trusted_at_once` are the keys that the
    office itself gave then.
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
        self._log = _OfficeLog(address.rstrip("/").removesuffix("/log") + "/log/")
        self._kept = WitnessFolder(folder / folder_name(address))

    @property
    def folder(self) -> Path:
        """Where this office's checkpoints are kept."""
        return self._kept.path

    def look(
        self, given: Sequence[NoteKey] = (), others: Sequence[bytes] = (), *, accepts_restart: bool = False
    ) -> Seen:
        """Ask for the log's checkpoint, compare it with those kept and `others`, and keep it.

        `given` are keys that the reader trusts. Raises LogConflictError, ProofError for keys that are none,
        OSError, and as `download` does.
        """
        note = self._log.checkpoint()
        known, at_once = self._known_keys(given)
        try:
            is_restarted = self._is_restarted(note, known, is_accepted=accepts_restart)
            name_before = known.now[0].name
            if is_restarted:
                known = known.followed_by(_keys_after_restart(origin_in(note), known.now, given))
            now = open_checkpoint(note, known.now)
            before = None if is_restarted else self._kept.last(known)
            added = self._log.added(before, now.checkpoint) if before else ()
            is_first = before is None and not is_restarted
            later = _last_keys(self._log.entries(now.checkpoint) if is_first else added)
            self._compare(others, known, now.checkpoint)
        except ProofError as error:
            raise LogConflictError(error, self._kept.keep_conflict(note)) from None
        if is_restarted:
            self._kept.set_aside(name_before)
        known = known.followed_by((*(known.now if is_first else given), *later)) if later else known
        self._kept.keep_keys(known)
        self._kept.keep(now.checkpoint.size, note)
        new = tuple(key for key in later if key not in (*known.former, *now.keys, *at_once))
        return Seen(now, before, added, new, at_once)

    def _known_keys(self, given: Sequence[NoteKey]) -> tuple[KnownKeys, tuple[NoteKey, ...]]:
        """The keys to believe; and those of them that the office itself gave just now."""
        kept = self._kept.keys()
        if kept.now or given:
            return kept._replace(now=tuple(dict.fromkeys((*kept.now, *given)))), ()
        first = self._log.keys()
        return KnownKeys(first), first

    def _is_restarted(self, note: bytes, known: KnownKeys, *, is_accepted: bool) -> bool:
        """Whether it is the known log under another name. Raises ProofError unless that is accepted."""
        origin, names = origin_in(note), {key.name for key in self._kept.keys().now or known.now}
        if origin in names:
            return False
        now = open_checkpoint(note, [key._replace(name=origin) for key in known.now]).checkpoint
        before = self._kept.last(known)
        place, entry = self._log.restart(names, now)
        if not is_accepted:
            lost = max(before.size - place, 0) if before else 0
            facts = {"before": entry.before, "now": origin, "day": entry.at[:10], "reason": entry.reason}
            raise ProofError("log-restarted", lost=lost, **facts)
        if before and before.size <= place:
            self._log.added(before._replace(origin=origin), now)
        return True

    def _compare(self, others: Sequence[bytes], known: KnownKeys, now: Checkpoint) -> None:
        """See that the log goes on from each of the other checkpoints, by whatever key they are signed."""
        of_log = self._log.all_keys(now) if others else ()
        for other in others:
            old = open_old(other, known, of_log).checkpoint
            if old.origin != now.origin:
                place, entry = self._log.restart({old.origin}, now)
                if old.size > place:
                    raise ProofError("lost-entries", size=old.size, kept=place, reason=entry.reason)
            self._log.added(old._replace(origin=now.origin), now)


class _OfficeLog:
    """The log at an office's address."""

    def __init__(self, address: str) -> None:
        self._address = address

    def checkpoint(self) -> bytes:
        """The newest checkpoint."""
        return download(f"{self._address}checkpoint", CHECKPOINT_BYTES)

    def keys(self) -> tuple[NoteKey, ...]:
        """The keys that the office gives."""
        return tuple(read_keys(download(f"{self._address}key", CHECKPOINT_BYTES).decode("utf-8", "replace")))

    def added(self, old: Checkpoint, new: Checkpoint) -> tuple[LogEntry | None, ...]:
        """What the log has after an old checkpoint; None for an entry that is not known here.

        Raises ProofError where the log does not go on from there.
        """
        if not has_grown(old, new):
            return ()
        asked = f"{self._address}consistency?old={old.size}&new={new.size}"
        found = read_growth(download(asked, GROWTH_BYTES))
        found.check(old, new)
        return found.known_entries

    def restart(self, names: set[str], now: Checkpoint) -> tuple[int, RestartEntry]:
        """The entry by which a log of one of these names became this one, and its place.

        Raises ProofError where there is none.
        """
        for place, entry in enumerate(self.entries(now)):
            if isinstance(entry, RestartEntry) and entry.before in names:
                return place, entry
        raise ProofError("another-log", old=", ".join(sorted(names)), new=now.origin)

    def all_keys(self, now: Checkpoint) -> tuple[NoteKey, ...]:
        """Every key by which the office has signed, as the entries say."""
        return tuple(
            read_key(key) for entry in self.entries(now) if isinstance(entry, KeyEntry) for key in entry.keys
        )

    def entries(self, now: Checkpoint) -> tuple[LogEntry | None, ...]:
        """Every entry up to now. Raises ProofError where the log is not what was signed."""
        return self.added(now._replace(size=0, root=EMPTY_ROOT), now)


def _keys_after_restart(origin: str, known: Sequence[NoteKey], given: Sequence[NoteKey]) -> Sequence[NoteKey]:
    """The keys of a log under its new name: those that the reader gave for it, else the ones known before."""
    own = [key for key in given if key.name == origin]
    return own or [key._replace(name=origin) for key in known]


def _last_keys(added: Sequence[LogEntry | None]) -> tuple[NoteKey, ...]:
    """The keys that the last entry on keys names."""
    found = [entry.keys for entry in added if isinstance(entry, KeyEntry)]
    return tuple(map(read_key, found[-1])) if found else ()
