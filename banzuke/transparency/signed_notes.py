"""Signed notes (c2sp.org/signed-note): a text with signatures below it, by Ed25519.

A signature by a key that the reader does not know is passed over. One by a known key that is not good refuses
the whole note, and so does a note without any good one.
"""

import hashlib
import re
from collections.abc import Sequence
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from banzuke.transparency.proof_error import ProofError
from banzuke.transparency.strict_text import MOST_BYTES, base64_bytes, base64_text

ED25519 = b"\1"
#: Behind this stands a key that a name does not sign with any more: it is good for notes of before.
FORMER = "# former: "
#: So many signatures may stand below a note.
MOST_SIGNATURES = 64
_ID_BYTES, _PUBLIC_BYTES = 4, 32
_NAME = r"[^\s+]+"
_KEY = re.compile(rf"({_NAME})\+([0-9a-f]{{8}})\+([A-Za-z0-9+/=]+)")
_SIGNATURE = re.compile(rf"— ({_NAME}) ([A-Za-z0-9+/=]+)")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")


class NoteKey(NamedTuple):
    """A public key by which notes are checked."""

    name: str
    public: bytes

    @property
    def key_id(self) -> bytes:
        """The four bytes by which a signature names its key."""
        return hashlib.sha256(b"\n".join([self.name.encode(), ED25519 + self.public])).digest()[:_ID_BYTES]

    def __str__(self) -> str:
        """The key as text: its name, its id and itself."""
        return f"{self.name}+{self.key_id.hex()}+{base64_text(ED25519 + self.public)}"


class SignedNote(NamedTuple):
    """A note's text, which ends in a line's end, and the known keys that have signed it."""

    text: str
    keys: tuple[NoteKey, ...]


def read_key(text: str) -> NoteKey:
    """A key from its text. Raises ProofError."""
    found = _KEY.fullmatch(text.strip())
    try:
        kind_and_key = base64_bytes(found[3]) if found else b""
    except ValueError:
        kind_and_key = b""
    if not found or kind_and_key[:1] != ED25519 or len(kind_and_key) != 1 + _PUBLIC_BYTES:
        raise ProofError("no-key")
    key = NoteKey(found[1], kind_and_key[1:])
    if key.key_id.hex() != found[2]:
        raise ProofError("no-key")
    return key


def read_keys(text: str) -> list[NoteKey]:
    """The keys of a text, one a line; blank lines and those that begin with # are passed over.

    Raises ProofError, also where there is none.
    """
    lines = [line.strip() for line in text.splitlines()]
    keys = [read_key(line) for line in lines if line and not line.startswith("#")]
    if not keys:
        raise ProofError("no-key")
    return keys


def read_former_keys(text: str) -> list[NoteKey]:
    """The keys that a text names as former ones, one a line. Raises ProofError."""
    lines = (line.strip() for line in text.splitlines())
    return [read_key(line.removeprefix(FORMER)) for line in lines if line.startswith(FORMER)]


def public_key(name: str, key: Ed25519PrivateKey) -> NoteKey:
    """The key by which a name's signatures are checked."""
    return NoteKey(name, key.public_key().public_bytes_raw())


def sign_note(text: str, name: str, keys: Sequence[Ed25519PrivateKey]) -> bytes:
    """A note of that text, which ends in a line's end, signed in one name by each of the keys."""
    signed = [base64_text(public_key(name, key).key_id + key.sign(text.encode())) for key in keys]
    return "".join([text, "\n", *(f"— {name} {signature}\n" for signature in signed)]).encode()


def open_note(note: bytes, keys: Sequence[NoteKey]) -> SignedNote:
    """The text of a note that known keys have signed. Raises ProofError."""
    text, lines = _parts(note)
    known = {(key.name, key.key_id): key for key in keys}
    signers = []
    for line in lines:
        name, signature = _signature(line)
        key = known.get((name, signature[:_ID_BYTES]))
        if key is None:
            continue
        try:
            Ed25519PublicKey.from_public_bytes(key.public).verify(signature[_ID_BYTES:], text.encode())
        except (InvalidSignature, ValueError):
            raise ProofError("bad-signature", signer=key) from None
        signers.append(key)
    if not signers:
        raise ProofError("no-known-signature")
    return SignedNote(text, tuple(signers))


def _parts(note: bytes) -> tuple[str, list[str]]:
    """A note's text and the lines of its signatures."""
    try:
        whole = note.decode() if len(note) <= MOST_BYTES else ""
    except UnicodeDecodeError:
        whole = ""
    text, blank, below = whole.rpartition("\n\n")
    lines = below.split("\n")
    is_note = bool(blank and text) and not lines.pop() and not _CONTROL.search(whole)
    if not is_note or not 0 < len(lines) <= MOST_SIGNATURES or len(set(lines)) < len(lines):
        raise ProofError("no-note")
    return f"{text}\n", lines


def _signature(line: str) -> tuple[str, bytes]:
    """Whose a signature is, and the bytes of it, the key's id first."""
    found = _SIGNATURE.fullmatch(line)
    try:
        signature = base64_bytes(found[2]) if found else b""
    except ValueError:
        signature = b""
    if not found or len(signature) <= _ID_BYTES:
        raise ProofError("no-note")
    return found[1], signature
