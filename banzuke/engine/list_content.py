"""The content of a list as bytes, and its SHA-256.

The bytes are UTF-8 text with LF, in the manner of the result files (quotes only where needed):

1. `banzuke list` and the list's name;
2. `edition`, the rule book, the day it is in force from, what it stands in for, its settings as JSON with
   sorted keys;
3. the header and the list's rows of lists.csv, with the columns that its own book adds, then of
   changes.csv, as `banzuke rate` writes them for the whole pool (for Go: standings.csv at the list's moment,
   without those whose first game is later, and changes.csv of its month); then, if adjustments of the list
   were for anybody, the header and rows of adjusted.csv;
4. `entry` and the number of the entry in the pool's book that the list was made from.

Steps 1 to 3 decide whether a list that is made again is the one that was published; 4 binds it to its book.
"""

import hashlib
import io
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from typing import Any

from banzuke.engine import result_rows
from banzuke.engine.history import RatedList
from banzuke.formats.files.text import csv_text
from banzuke.ledger.pool_rules import EditionInForce

Rows = Iterable[Sequence[object]]
#: Whether the list of that name and content is as it was published, and need not be made.
IsUnchanged = Callable[[str, "ContentHash"], bool]
#: What zlib calls a file of gzip.
GZIP = 31
#: So many rows are written at once.
CHUNK = 10_000


class ContentHash:
    """A list's content while it is written: only hashed, not kept."""

    def __init__(self, name: str, edition: EditionInForce) -> None:
        self._hash = hashlib.sha256()
        self.add([("banzuke list", name), ("edition", *edition_cells(edition))])

    def add(self, rows: Rows) -> None:
        """Write rows."""
        left = iter(rows)
        while some := list(islice(left, CHUNK)):
            self.add_text(csv_text(some))

    def add_adjusted(self, rated: RatedList) -> None:
        """Write what adjustments of the list were for, if they were for anybody."""
        if rated.adjusted.rows:
            self.add([result_rows.ADJUSTED])
            self.add(result_rows.adjusted_rows(rated))

    def add_text(self, text: str) -> None:
        """Write rows that are text already."""
        self._write(text.encode())

    def add_bytes(self, blocks: Iterable[bytes | memoryview]) -> None:
        """Write rows that are bytes already, some after the others."""
        for block in blocks:
            self._write(block)

    def sha256(self, entry: int) -> str:
        """The hash of what was written, made from the book as of that entry."""
        whole = self._hash.copy()
        whole.update(_last_line(entry))
        return whole.hexdigest()

    def _write(self, block: bytes | memoryview) -> None:
        self._hash.update(block)


class PackedContent(ContentHash):
    """A list's content that is kept as gzip packs it, block by block."""

    def __init__(self, name: str, edition: EditionInForce) -> None:
        self._packer = zlib.compressobj(wbits=GZIP)
        self._parts: list[bytes] = []
        super().__init__(name, edition)

    def packed(self, entry: int) -> bytes:
        """All of it, made from the book as of that entry."""
        packer = self._packer.copy()
        return b"".join([*self._parts, packer.compress(_last_line(entry)), packer.flush()])

    def _write(self, block: bytes | memoryview) -> None:
        super()._write(block)
        self._parts.append(self._packer.compress(block))


def _last_line(entry: int) -> bytes:
    return csv_text([("entry", entry)]).encode()


class ListTexts:
    """The rows of lists.csv as text, list by list of one history: a row that stays is not written again."""

    def __init__(self) -> None:
        self._edition: EditionInForce | None = None
        self._rows: dict[str, dict[str, str]] = {}
        self._moved: dict[str, set[str]] = {}
        self._players: list[str] = []
        self._sizes: list[int] = []

    def next(self, rated: RatedList) -> str:
        """The rows of the history's next list, in the order of `result_rows.list_rows`."""
        after = rated.outcome.standings.ratings
        sizes = [len(ratings) for ratings in after.values()]
        if sizes != self._sizes:  # players are only ever added
            self._players = sorted({player for ratings in after.values() for player in ratings})
            self._sizes = sizes
        speeds = rated.edition.book.speeds
        opens = rated.edition is not self._edition
        if opens:
            self._edition, self._rows = rated.edition, {speed: {} for speed in speeds}
            self._moved = {speed: set(after[speed]) for speed in speeds}
        rows = [of_speed for of_speed in [self._of_speed(rated, speed) for speed in speeds] if of_speed]
        if opens:  # its floor may have raised players who did not play
            self._moved = {speed: set(after[speed]) for speed in speeds}
        name = csv_text([(rated.batch.name,)]).rstrip("\n")
        return name.join(["", *[row[player] for player in self._players for row in rows if player in row]])

    def _of_speed(self, rated: RatedList, speed: str) -> dict[str, str]:
        """The rows at a speed by player, each from its second cell on.

        Only rows of players whose rating moves, now or in the list before, are written again: in an
        edition's first list, all of them.
        """
        rows, moves = self._rows[speed], set(rated.outcome.calculations.get(speed, ()))
        moves |= rated.adjusted.moved(speed)
        ratings = rated.outcome.standings.ratings[speed]
        touched = [player for player in moves | self._moved[speed] if player in ratings]
        for player in touched:
            rows.pop(player, None)
        rows.update(_rows(rated, speed, touched))
        self._moved[speed] = moves
        return rows


def _rows(rated: RatedList, speed: str, players: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The players that have a rating, each with the row from its second cell on."""
    before, after = rated.before[speed], rated.outcome.standings.ratings[speed]
    listed = [player for player in players if after[player].value is not None]
    more = added_columns(rated.edition)
    rows: Iterable[Sequence[object]]
    rows = (result_rows.list_row(rated, speed, p, after[p], before.get(p)) for p in listed)
    if more:
        added = (result_rows.more_cells(rated, speed, player, more) for player in listed)
        rows = ((*row, *cells) for row, cells in zip(rows, added, strict=True))
    lines = io.StringIO(csv_text(("", *row[1:]) for row in rows))  # ended by nothing but what the writer ends
    return zip(listed, lines, strict=True)


def added_columns(edition: EditionInForce) -> tuple[str, ...]:
    """The columns that the edition's book adds to lists.csv."""
    return result_rows.list_header([edition])[len(result_rows.LISTS) :]


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
