"""Checkpoints: what the office signs of its log, and that it never signs another past.

The last one signed is kept in the office's folder, not in the database. Whatever does not go on from it is
not signed: then somebody changed the log past the office, or an older backup was restored.
"""

import fcntl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.db import connection, transaction

from banzuke.core.fault import Fault, RefusedError, fault
from banzuke.database.models import LogEntry
from banzuke.engine.output_file import write_atomically
from banzuke.office.office_key import KeyFileError, OfficeKey, known_key, office_key
from banzuke.office.transparency.log_origin import origin_of, public_keys
from banzuke.office.transparency.office_log import append, bodies
from banzuke.transparency.checkpoints import Checkpoint, open_checkpoint, sign_checkpoint
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

    Raises RefusedError where it does not go on from what was signed last, or the key cannot be read.
    """
    with _readable_key():
        key = office_key()
    state = (*_place(), tuple(key.ids))
    known, kept = _signed.get(state), _kept()
    if known is not None and known.note == kept:
        return known
    with _lock():
        found, kept = _sign(key, log_tree()), _kept()  # it may have grown meanwhile, and been signed
        refuse = _contradiction(found.checkpoint, found.tree, _keys_of(key), kept)
        if refuse:
            raise RefusedError([refuse])
        if found.note != kept:
            write_atomically(kept_path(), found.note)
            kept_path().chmod(0o600)
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
    """Why the log as it is now cannot be signed; None where it can. All of it is read, nothing written."""
    with _readable_key():
        key = known_key()
    if not key.ids:
        return None
    tree = MerkleTree(body.encode() for _, body in bodies())
    return _contradiction(Checkpoint(origin_of(key), tree.size, tree.root()), tree, _keys_of(key), _kept())


def restart_log(reason: str) -> SignedLog:
    """Let the log go on under another origin, with what was signed last under the one before in an entry.

    Raises RefusedError where nothing stands in the way of the log as it is.
    """
    with _readable_key():
        key = office_key()
    with _lock():
        before = _checkpoint_in(_kept(), _keys_of(key))
        with transaction.atomic():
            append(
                "restart",
                {"before": before.origin, "size": before.size, "root": before.root.hex(), "reason": reason},
            )
        found = _sign(key, log_tree())
        write_atomically(kept_path(), found.note)
    return found


def kept_path() -> Path:
    """Where the last checkpoint is kept."""
    return Path(settings.HOME) / FILE


def log_keys() -> list[NoteKey]:
    """The keys by which checkpoints are checked, the newest first; none where the office has no key yet."""
    key = known_key()
    return public_keys(key, origin_of(key)) if key.ids else []


def _keys_of(key: OfficeKey) -> list[NoteKey]:
    return public_keys(key, origin_of(key))


def _sign(key: OfficeKey, tree: MerkleTree) -> SignedLog:
    size = tree.size
    checkpoint = Checkpoint(origin_of(key), size, tree.root(size))
    return SignedLog(checkpoint, sign_checkpoint(checkpoint, key.private_keys), tree)


def _contradiction(now: Checkpoint, tree: MerkleTree, keys: list[NoteKey], kept: bytes) -> Fault | None:
    """Why the log now cannot come after the one that was kept."""
    if not kept:
        return None
    try:
        before = _checkpoint_in(kept, keys)
    except RefusedError as refused:
        return refused.faults[0]
    if before.origin != now.origin:
        return fault(FILE, 0, "", "log-other-origin", before=before.origin, now=now.origin)
    if before.size > now.size:
        return fault(FILE, 0, "", "log-shorter", before=before.size, now=now.size)
    if tree.root(before.size) != before.root:
        return fault(FILE, 0, "", "log-changed", size=before.size)
    return None


def _checkpoint_in(kept: bytes, keys: list[NoteKey]) -> Checkpoint:
    """The checkpoint that was kept, of whatever origin. Raises RefusedError where no key signed it."""
    origin = kept.decode("utf-8", "replace").partition("\n")[0]
    try:
        return open_checkpoint(kept, [key._replace(name=origin) for key in keys]).checkpoint
    except ProofError:
        raise RefusedError([fault(FILE, 0, "", "log-kept-unreadable", folder=kept_path().parent)]) from None


def _kept() -> bytes:
    try:
        return kept_path().read_bytes()
    except FileNotFoundError:
        return b""


@contextmanager
def _readable_key() -> Iterator[None]:
    try:
        yield
    except KeyFileError as error:
        raise RefusedError([fault(str(error), 0, "", "backup-key")]) from None


@contextmanager
def _lock() -> Iterator[None]:
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
    return (b"" if found is None else bytes(found)) == kept.last
