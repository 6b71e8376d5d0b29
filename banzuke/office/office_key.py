"""The office's own key: by it the office signs what it gives out, and seals secrets that it must read again.

It is the file `office-key` in the office's folder, for its owner only, and not in the database: Ed25519
private keys in PEM, the newest first. The newest signs and seals; what an older one signed or sealed is still
known, so a key is replaced by writing a new one above it.
"""

import base64
import hashlib
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from django.conf import settings

from banzuke.engine.output_file import replacing_file
from banzuke.office.private_file import PRIVATE, write_once

FILE = "office-key"
_PEM = re.compile(rb"-----BEGIN PRIVATE KEY-----.+?-----END PRIVATE KEY-----", re.DOTALL)


class KeyFileError(OSError):
    """The file of the key holds no key, or something that is none; the text is its path."""


class SealError(Exception):
    """Sealed by a key that this office does not have, or for something else."""


class Signature(NamedTuple):
    """A signature in base64, and the id of the key that made it."""

    key: str
    ed25519: str


class OfficeKey:
    """The keys of an office, the newest first; none where it has not made one yet."""

    def __init__(self, keys: Sequence[Ed25519PrivateKey]) -> None:
        self._keys = {_id_of(key): key for key in keys}

    @property
    def ids(self) -> list[str]:
        """The keys' ids, the newest first: the SHA-256 of each public key."""
        return list(self._keys)

    @property
    def private_keys(self) -> list[Ed25519PrivateKey]:
        """The keys themselves, the newest first."""
        return list(self._keys.values())

    def sign(self, purpose: str, data: bytes) -> Signature:
        """Sign bytes for a purpose; the signature is good for no other."""
        newest = self.ids[0]
        return Signature(newest, base64.b64encode(self._keys[newest].sign(_bound(purpose, data))).decode())

    def has_signed(self, purpose: str, data: bytes, signature: Signature) -> bool:
        """Whether the office signed these bytes for that purpose."""
        key = self._keys.get(signature.key)
        try:
            made = base64.b64decode(signature.ed25519, validate=True)
        except ValueError:
            return False
        return key is not None and has_signed(key.public_key().public_bytes_raw(), purpose, data, made)

    def seal(self, purpose: str, data: bytes) -> str:
        """The bytes (one at least) in a form that only the key opens; the same bytes give the same."""
        newest = self._keys[self.ids[0]]
        return base64.b64encode(_box(newest, purpose).encrypt(data, None)).decode()

    def unseal(self, purpose: str, sealed: str) -> bytes:
        """The bytes that were sealed. Raises SealError."""
        for key in self._keys.values():
            with suppress(InvalidTag, ValueError):
                return _box(key, purpose).decrypt(base64.b64decode(sealed, validate=True), None)
        raise SealError


def has_signed(public: bytes, purpose: str, data: bytes, signature: bytes) -> bool:
    """Whether who has that public key signed these bytes for that purpose."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, _bound(purpose, data))
    except (InvalidSignature, ValueError):
        return False
    return True


def office_key() -> OfficeKey:
    """The office's key, made where it has none. Raises OSError."""
    path = key_path()
    if not path.exists():
        _make(path)
    return read_key(path)


def add_key() -> OfficeKey:
    """A new key above those that there are; from now on it signs, too. Raises OSError."""
    older = office_key()
    path = key_path()
    data = _new_pem() + path.read_bytes()
    with replacing_file(path, PRIVATE) as stream:
        stream.write(data)
    found = read_key(path)
    if found.ids[1:] != older.ids:  # another process was adding one
        raise KeyFileError(str(path))
    return found


def known_key() -> OfficeKey:
    """The office's key, with nothing in it where none was made. Raises OSError."""
    path = key_path()
    return read_key(path) if path.exists() else OfficeKey([])


def key_path() -> Path:
    """Where the office keeps its key."""
    return Path(settings.HOME) / FILE


def read_key(path: Path) -> OfficeKey:
    """The keys of a file. Raises OSError; KeyFileError where it holds none."""
    found = _PEM.findall(path.read_bytes())
    try:
        keys = [load_pem_private_key(pem, None) for pem in found]
    except (TypeError, ValueError):
        raise KeyFileError(str(path)) from None
    own = [key for key in keys if isinstance(key, Ed25519PrivateKey)]
    if not own or len(own) < len(keys):
        raise KeyFileError(str(path))
    return OfficeKey(own)


def _make(path: Path) -> None:
    """A new key, whole or not at all; where another process makes one just now, that one stays."""
    write_once(path, _new_pem())


def _new_pem() -> bytes:
    return Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _id_of(key: Ed25519PrivateKey) -> str:
    return hashlib.sha256(key.public_key().public_bytes_raw()).hexdigest()


def _bound(purpose: str, data: bytes) -> bytes:
    return f"banzuke {purpose}\n".encode() + data


def _box(key: Ed25519PrivateKey, purpose: str) -> AESSIV:
    """A cipher that needs no number of its own for each text, with a key made of the office's."""
    derived = HKDF(SHA256(), 64, salt=None, info=_bound(purpose, b"")).derive(key.private_bytes_raw())
    return AESSIV(derived)
