"""Checkpoints (c2sp.org/tlog-checkpoint): signed notes that say how large a log is and what its root is.

A log's keys bear the name of its origin.
"""

import email
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from banzuke.transparency.proof_error import ProofError
from banzuke.transparency.signed_notes import NoteKey, open_note, sign_note
from banzuke.transparency.strict_text import HASH_BYTES, MOST_BYTES, base64_bytes, base64_text, number

#: A checkpoint within other text: maybe indented or quoted, maybe with its signatures broken after the name.
_WITHIN = re.compile(
    r"^(?P<front>[> \t]*)(?P<origin>[^\s>]\S*)\n"
    r"(?P=front)(?P<size>[0-9]{1,18})\n"
    r"(?P=front)(?P<root>[A-Za-z0-9+/]{43}=)\n"
    r"[> \t]*\n"
    r"(?P<signatures>(?:[> \t]*— \S+\s[> \t]*[A-Za-z0-9+/=]+[ \t]*(?:\n|\Z))+)",
    re.MULTILINE,
)
_SIGNATURE = re.compile(r"— (\S+)\s[> \t]*([A-Za-z0-9+/=]+)")
#: What the standard library raises on headers, and on mails within mails, that nobody writes.
_NO_MAIL = (RecursionError, TypeError, ValueError, LookupError, AttributeError)


class Checkpoint(NamedTuple):
    """A log at one time: whose it is, how many entries it had, and their tree's root."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """What is signed."""
        return f"{self.origin}\n{self.size}\n{base64_text(self.root)}\n"


class SignedCheckpoint(NamedTuple):
    """A checkpoint with the known keys that have signed it."""

    checkpoint: Checkpoint
    keys: tuple[NoteKey, ...]


def sign_checkpoint(checkpoint: Checkpoint, keys: Sequence[Ed25519PrivateKey]) -> bytes:
    """The checkpoint signed by each of the keys."""
    return sign_note(checkpoint.text, checkpoint.origin, keys)


def open_checkpoint(note: bytes, keys: Sequence[NoteKey]) -> SignedCheckpoint:
    """The checkpoint in a note that known keys have signed. Raises ProofError."""
    signed = open_note(note, keys)
    checkpoint = _read(signed.text)
    own = tuple(key for key in signed.keys if key.name == checkpoint.origin)
    if not own:
        raise ProofError("no-known-signature")
    return SignedCheckpoint(checkpoint, own)


def _read(text: str) -> Checkpoint:
    """The checkpoint of a note's text; lines after the third are opaque."""
    origin, *lines = text.removesuffix("\n").split("\n")
    try:
        size, root = number(lines[0]), base64_bytes(lines[1])
    except (IndexError, ValueError):
        raise ProofError("no-checkpoint") from None
    if not origin or len(root) != HASH_BYTES or "" in lines:
        raise ProofError("no-checkpoint")
    return Checkpoint(origin, size, root)


def origin_in(note: bytes) -> str:
    """Whose log a note says that it is of, which nobody has checked yet."""
    return note.decode("utf-8", "replace").partition("\n")[0]


def notes_within(data: bytes) -> list[bytes]:
    """The checkpoints in a file, as signed notes: it is one, or a mail or other text that has some in it."""
    if len(data) > MOST_BYTES:
        return []
    found: dict[bytes, None] = {}
    for text in _texts(data):
        for each in _WITHIN.finditer(text):
            signatures = "".join(
                f"— {name} {value}\n" for name, value in _SIGNATURE.findall(each["signatures"])
            )
            note = f"{each['origin']}\n{each['size']}\n{each['root']}\n\n{signatures}"
            found.setdefault(note.encode())
    return list(found)


def largest_checkpoint(notes: Iterable[bytes], keys: Sequence[NoteKey]) -> tuple[Checkpoint, int]:
    """Of signed notes the checkpoint of the largest log, and how many smaller ones there are.

    Raises ProofError for no notes, for one without a known key, and for two of one log and size that differ.
    """
    checkpoints = {open_checkpoint(note, keys).checkpoint for note in notes}
    opened = sorted(checkpoints, key=attrgetter("size", "origin"))
    if not opened:
        raise ProofError("no-checkpoint")
    for one, other in pairwise(opened):
        if (one.size, one.origin) == (other.size, other.origin):
            raise ProofError("two-logs", size=one.size)
    return opened[-1], len(opened) - 1


def _texts(data: bytes) -> list[str]:
    """A file's text; of a mail the texts of its parts, too."""
    texts = [data.decode("utf-8", "replace")]
    with suppress(*_NO_MAIL):
        mail = email.message_from_bytes(data)
        for part in mail.walk() if mail.keys() else ():
            if part.get_content_maintype() == "text":
                payload = part.get_payload(decode=True)
                texts.append(payload.decode("utf-8", "replace") if isinstance(payload, bytes) else "")
    return [text.replace("\r\n", "\n") for text in texts]
