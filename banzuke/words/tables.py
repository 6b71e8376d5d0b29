"""A TOML file whose tables are read one by one when asked for: a command says few of many sentences."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

HEADER = re.compile(r"^(?=\[)", re.MULTILINE)
NAME = re.compile(r'\[+ *(?:"([^"]*)"|([\w-]+))')


class Tables(Mapping[str, Any]):
    """The values of a TOML text by name, in its order; no line within a value may begin with `[`."""

    def __init__(self, text: str) -> None:
        head, *parts = HEADER.split(text)
        self._read = tomllib.loads(head)
        self._unread: dict[str, str] = {}
        for part in parts:
            found = NAME.match(part)
            name = (found[1] or found[2]) if found else ""
            self._unread[name] = self._unread.get(name, "") + part
        self._names = dict.fromkeys((*self._read, *self._unread))

    def __getitem__(self, name: str) -> Any:
        """Read a table. Raises KeyError for a name that is not there, TOMLDecodeError for what is no TOML."""
        if name not in self._read:
            self._read[name] = tomllib.loads(self._unread[name])[name]
        return self._read[name]

    def over(self, other: Tables) -> Tables:
        """The other's tables in their order; what this one has of a table stands in place of the other's."""
        joined = Tables("")
        for name in other:
            joined._read[name] = {**other[name], **self.get(name, {})}
        joined._read |= {name: self[name] for name in self if name not in other}
        joined._names = dict.fromkeys(joined._read)
        return joined

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
