"""Checkpoints: what the office signs of its log, and that it never signs another past.

The last one signed is kept in the office's folder, not in the database. Whatever does not go on from it is
not signed: then somebody changed the log past the office, or an older backup was restored.
"""

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.db import connection

from banzuke.core.fault import Fault, RefusedError, fault
from banzuke.database.models import LogEntry
from banzuke.engine.output_file import write_atomically
from banzuke.office.office_key import FILE as KEY_FILE
from banzuke.office.office_key import KeyFileError, OfficeKey, known_key, office_key
from banzuke.office.private_file import PRIVATE
from banzuke.office.transparency.entry_signatures import are_keys_by
from banzuke.office.transparency.log_origin import keys_in_log, origin_of, public_keys
from banzuke.office.transparency.office_log import bodies
from banzuke.transparency.checkpoints import Checkpoint, open_checkpoint, origin_in, sign_checkpoint
from banzuke.transparency.merkle_tree import MerkleTree
from banzuke.transparency.proof_error import ProofError
from banzuke.transparency.signed_notes import NoteKey

FILE, LOCK_FILE = "log-checkpoint", "log-checkpoint-lock"


class SignedLog(NamedTuple):
    """The log as it was signed: the checkpoint, the signed note, and the tree, which may have grown since."""

    checkpoint: Checkpoint
    note: bytes
    tree: MerkleTree

    @property
    def size(self) -> int:
        """How many entries were signed."""
        return self.checkpoint.size


def signed_log() -> SignedLog:
    """The log, signed as it is now.

    Raises RefusedError where it does not go on from what was signed last, or the office's files for it cannot
    be read or written.
    """
    with readable_files():
        return _signed_log()


def _signed_log() -> SignedLog:
    key = office_key()
    state = (*_place(), tuple(key.ids))
    known, kept = _signed.get(state), kept_note()
    if known is not None and known.note == kept:
        return known
    with signing_lock():
        found, kept = sign_now(key), kept_note()  # it may have grown meanwhile, and been signed
        refuse = _contradiction(key, found.checkpoint, found.tree, kept)
        if refuse:
            raise RefusedError([refuse])
        if found.note != kept:
            keep(found)
    _signed.clear()
    _signed[state] = found
    return found


def signed_up_to(size: int) -> bytes:
    """The log signed as it was with its first entries. Raises RefusedError as `signed_log`."""
    log = signed_log()
    if size == log.size:
        return log.note
    now = log.checkpoint
    return sign_checkpoint(Checkpoint(now.origin, size, log.tree.root(size)), office_key().private_keys)


def contradiction() -> Fault | None:
    """Why the log as it is now cannot be signed; None where it can. All of it is read, nothing written.

    Raises RefusedError where the office's files for it cannot be read.
    """
    with readable_files():
        key, kept = known_key(), kept_note()
    if not key.ids:
        return None
    tree = whole_tree()
    return _contradiction(key, Checkpoint(origin_of(key), tree.size, tree.root()), tree, kept)


def whole_tree() -> MerkleTree:
    """The tree of the log's entries, all of them read now."""
    return MerkleTree(body.encode() for _, body in bodies())


def kept_path() -> Path:
    """Where the last checkpoint is kept."""
    return Path(settings.HOME) / FILE


def log_keys() -> list[NoteKey]:
    """The keys by which checkpoints are checked, the newest first; none where the office has no key yet.

    Raises RefusedError where they cannot be read.
    """
    with readable_files():
        key = known_key()
    return public_keys(key, origin_of(key)) if key.ids else []


def former_keys() -> list[NoteKey]:
    """Keys by which the office signed before, as the log says, the first ones first. Raises as `log_keys`."""
    now = log_keys()
    return [key for key in keys_in_log(now[0].name) if key not in now] if now else []


def sign_now(key: OfficeKey) -> SignedLog:
    """The log signed as it is, whatever was signed before."""
    tree = log_tree()
    checkpoint = Checkpoint(origin_of(key), tree.size, tree.root(tree.size))
    return SignedLog(checkpoint, sign_checkpoint(checkpoint, key.private_keys), tree)


def keep(signed: SignedLog) -> None:
    """Keep it as the last one that was signed."""
    write_atomically(kept_path(), signed.note)
    kept_path().chmod(PRIVATE)


def _contradiction(key: OfficeKey, now: Checkpoint, tree: MerkleTree, kept: bytes) -> Fault | None:
    """Why the log now is not to be signed: above all that it cannot come after the one that was kept."""
    if not are_keys_by(key):
        return fault(FILE, 0, "", "log-keys-foreign")
    if not kept:
        return None
    try:
        before = checkpoint_in(kept)
    except ProofError:
        return fault(FILE, 0, "", "log-kept-unreadable")
    if before.origin != now.origin:
        return fault(FILE, 0, "", "log-other-origin", before=before.origin, now=now.origin)
    return difference(before, tree)


def difference(before: Checkpoint, tree: MerkleTree) -> Fault | None:
    """Why a log that had this checkpoint has not become that of the tree."""
    if before.size > tree.size:
        return fault(FILE, 0, "", "log-shorter", before=before.size, now=tree.size)
    if tree.root(before.size) != before.root:
        return fault(FILE, 0, "", "log-changed", size=before.size)
    return None


def checkpoint_in(note: bytes) -> Checkpoint:
    """The checkpoint of a note that the office has signed by any of its keys, of whatever origin.

    Raises ProofError.
    """
    origin = origin_in(note)
    return open_checkpoint(note, [*public_keys(known_key(), origin), *keys_in_log(origin)]).checkpoint


def kept_note() -> bytes:
    """The last checkpoint as it is kept; blank where none was signed yet."""
    try:
        return kept_path().read_bytes()
    except FileNotFoundError:
        return b""


@contextmanager
def readable_files() -> Iterator[None]:
    """Raise RefusedError where the office's key, or what it signed last, cannot be read or written.

    Everybody may see why: the fault names the file without its folder.
    """
    try:
        yield
    except KeyFileError:
        raise RefusedError([fault(KEY_FILE, 0, "", "backup-key")]) from None
    except OSError as error:
        file = Path(os.fsdecode(error.filename)).name if isinstance(error.filename, str | bytes) else FILE
        raise RefusedError([fault(file, 0, "", "log-file", reason=error.strerror)]) from None


@contextmanager
def signing_lock() -> Iterator[None]:
    """One process at a time signs what is new."""
    with (Path(settings.HOME) / LOCK_FILE).open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield


class _KeptTree(NamedTuple):
    last: bytes
    tree: MerkleTree


_trees: dict[str, _KeptTree] = {}
_growing = threading.Lock()
#: What this process has signed, by the state of the log that it signed.
_signed: dict[tuple[object, ...], SignedLog] = {}


def _place() -> tuple[str, int, bytes]:
    """The database, and how far the log is: the last entry's number and secret."""
    rows = LogEntry.objects.order_by("-number").values_list("number", "secret")
    number, secret = rows.first() or (-1, b"")
    return str(connection.settings_dict["NAME"]), number, bytes(secret)


def log_tree() -> MerkleTree:
    """The tree of the log's entries; what this process has of it is not read again.

    Raises RefusedError where a number is left out.
    """
    database = str(connection.settings_dict["NAME"])
    with _growing:
        kept = _trees.get(database)
        if kept is None or not _is_there(kept):
            kept = _KeptTree(b"", MerkleTree())
        last, tree = kept
        rows = LogEntry.objects.filter(number__gte=tree.size).order_by("number")
        for number, body, secret in rows.values_list("number", "body", "secret").iterator():
            if number != tree.size:
                raise RefusedError([fault(FILE, 0, "", "log-numbers", number=tree.size)])
            tree.append(body.encode())
            last = bytes(secret)
        _trees[database] = _KeptTree(last, tree)
        return tree


def _is_there(kept: _KeptTree) -> bool:
    """Whether the last entry that this process has read is still that of its number."""
    found = LogEntry.objects.filter(number=kept.tree.size - 1).values_list("secret", flat=True).first()
    return kept.tree.size == 0 if found is None else bytes(found) == kept.last
