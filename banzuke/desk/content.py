"""The content of a list as bytes, and its SHA-256.

The bytes are UTF-8 text with LF, in the manner of the result files (quotes only where needed):

1. `banzuke list` and the list's name;
2. `edition`, the rule book, the day it is in force from, what it stands in for, its settings as JSON with
   sorted keys;
3. the header and the list's rows of lists.csv, then of changes.csv, as `banzuke rate` writes them for the
   whole pool (for Go: standings.csv at the list's moment, and changes.csv of its month);
4. `entry` and the number of the entry in the pool's book that the list was made from.

Steps 1 to 3 decide whether a list made anew is the one that was published; 4 binds it to its book.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from banzuke.ledger.pool import EditionInForce

    Rows = Iterable[Sequence[object]]


class Content:
    """A list's content while it is written; what it holds is only hashed, not kept."""

    def __init__(self, name: str, edition: EditionInForce) -> None:
        self._hash = hashlib.sha256()
        self.add([("banzuke list", name), ("edition", *edition_cells(edition))])

    def add(self, rows: Rows) -> None:
        """Write rows."""
        self._hash.update(text_of(rows).encode())

    def sha256(self, entry: int) -> str:
        """The hash of what was written, made from the book as of that entry."""
        whole = self._hash.copy()
        whole.update(text_of([("entry", entry)]).encode())
        return whole.hexdigest()


def text_of(rows: Rows) -> str:
    """Rows as the result files have them."""
    stream = io.StringIO(newline="")
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


def edition_cells(edition: EditionInForce) -> tuple[str, str, str, str]:
    """An edition as the content names it."""
    settings = json.dumps(settings_of(edition), sort_keys=True)
    return edition.book.name, edition.start.isoformat(), edition.stands_in, settings


def settings_of(edition: EditionInForce) -> dict[str, Any]:
    """The settings in force; for a book with a border zone (Go) its table by its file, too."""
    settings: dict[str, Any] = asdict(edition.settings)
    if edition.zone.source:
        settings["border_zone"] = edition.zone.source
    return settings
