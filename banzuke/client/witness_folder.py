"""What a witness keeps of one office: the keys that it knows, former ones, and checkpoints by their size."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from banzuke.engine.output_file import write_atomically
from banzuke.transparency.checkpoints import Checkpoint, SignedCheckpoint, open_checkpoint, origin_in
from banzuke.transparency.signed_notes import NoteKey, read_keys

KEYS, FORMER, SUFFIX, CONFLICT = "keys.txt", "former-keys.txt", ".checkpoint", "conflict-"
_DIGITS = 12


class KnownKeys(NamedTuple):
    """The keys that sign for the log now; those that did before, which are good for old checkpoints alone."""

    now: tuple[NoteKey, ...]
    former: tuple[NoteKey, ...] = ()

    def of_origin(self, origin: str) -> list[NoteKey]:
        """All of them, as keys of the log of that name."""
        return [key._replace(name=origin) for key in dict.fromkeys((*self.now, *self.former))]

    def followed_by(self, now: Iterable[NoteKey]) -> "KnownKeys":
        """What is known once others sign for the log."""
        known = tuple(dict.fromkeys(now))
        return KnownKeys(known, tuple(key for key in (*self.former, *self.now) if key not in known))


class WitnessFolder:
    """The folder for one office."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def keys(self) -> KnownKeys:
        """The keys that are kept. Raises ProofError for a file that has none."""
        return KnownKeys(*(tuple(self._keys_of(name)) for name in (KEYS, FORMER)))

    def _keys_of(self, name: str) -> list[NoteKey]:
        path = self.path / name
        return read_keys(path.read_text("utf-8")) if path.exists() else []

    def keep_keys(self, keys: KnownKeys) -> None:
        """Keep keys in place of those of before."""
        for name, some in ((KEYS, keys.now), (FORMER, keys.former)):
            if some:
                self._keep(name, "".join(f"{key}\n" for key in some).encode())

    def last(self, keys: KnownKeys) -> Checkpoint | None:
        """The largest checkpoint that is kept. Raises ProofError where it is not what it was."""
        paths = sorted(self._checkpoints())
        return open_old(paths[-1].read_bytes(), keys).checkpoint if paths else None

    def keep(self, size: int, note: bytes) -> None:
        """Keep a checkpoint."""
        self._keep(f"{size:0{_DIGITS}}{SUFFIX}", note)

    def keep_conflict(self, note: bytes) -> Path:
        """Keep what does not agree, beside the checkpoints of before."""
        return self._keep(f"{CONFLICT}{hashlib.sha256(note).hexdigest()[:_DIGITS]}{SUFFIX}", note)

    def set_aside(self, name: str) -> None:
        """Put the checkpoints of a log that goes on under another name into a folder of its own."""
        folder = self.path / _as_file_name(name)
        folder.mkdir(exist_ok=True)
        for path in list(self._checkpoints()):
            path.rename(folder / path.name)

    def _checkpoints(self) -> Iterator[Path]:
        return self.path.glob(f"{'[0-9]' * _DIGITS}{SUFFIX}")

    def _keep(self, name: str, data: bytes) -> Path:
        self.path.mkdir(parents=True, exist_ok=True)
        path = self.path / name
        write_atomically(path, data)
        return path


def open_old(note: bytes, keys: KnownKeys, more: Sequence[NoteKey] = ()) -> SignedCheckpoint:
    """A checkpoint of before, by whatever key and name signed then. Raises ProofError."""
    origin = origin_in(note)
    return open_checkpoint(note, [*keys.of_origin(origin), *KnownKeys(tuple(more)).of_origin(origin)])


def folder_name(address: str) -> str:
    """The name of the folder for an address."""
    plain = address.partition("://")[2].rstrip("/").removesuffix("/log")
    return _as_file_name(plain)


def _as_file_name(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9.-]+", "_", text).strip("._") or "office"
