"""The files that say how a pool is rated, pool.toml and what it names: in a folder, or as texts in memory."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unicodedata import is_normalized

from banzuke.core.fault import Fault
from banzuke.ledger.toml_files import parse_toml, read_toml

ENDING = ".toml"
#: A name is no longer than this.
LONGEST = 100
#: What no name holds: separators of folders and drives on any system.
SEPARATORS = frozenset("/\\:")


def is_plain_name(name: object) -> bool:
    """Whether a name is one of a TOML file that lies beside pool.toml, on whatever system.

    It ends in .toml and holds no folder, no control or invisible character, no leading dot or blank; and it
    is in Unicode's NFC, so that one name is one file.
    """
    return (
        isinstance(name, str)
        and len(ENDING) < len(name) <= LONGEST
        and name.endswith(ENDING)
        and name[0] not in ". "
        and name.isprintable()
        and not SEPARATORS & set(name)
        and is_normalized("NFC", name)
    )


@dataclass(frozen=True)
class FolderFiles:
    """The files of a ledger folder."""

    folder: Path

    def has(self, name: str) -> bool:
        """Whether the folder, if there is one, has an entry of that name, of whatever kind."""
        try:
            return any(path.name == name for path in self.folder.iterdir())
        except (OSError, ValueError):  # ValueError: a name that no folder can have
            return False

    def read_document(self, name: str, faults: list[Fault]) -> dict[str, Any] | None:
        """The document of a file; None, with a fault, where it cannot be read."""
        return read_toml(self.folder / name, faults)

    def data(self, name: str) -> bytes:
        """The bytes of a file that is there."""
        return (self.folder / name).read_bytes()


@dataclass(frozen=True)
class TextFiles:
    """The files as texts by their names; nothing of them is on a disk."""

    texts: Mapping[str, str]

    def has(self, name: str) -> bool:
        """Whether there is one of that name."""
        return name in self.texts

    def read_document(self, name: str, faults: list[Fault]) -> dict[str, Any] | None:
        """The document of a text; None, with a fault, where it is none."""
        return parse_toml(name, self.data(name), faults)

    def data(self, name: str) -> bytes:
        """The bytes of a text that is there."""
        return self.texts[name].encode()


PoolFiles = FolderFiles | TextFiles
