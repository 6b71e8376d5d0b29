"""Reads and writes FIDE's rating lists as text of fixed columns, a line a player, streamed.

The columns stand where the heading line has their names: `SRtng SGm SK RRtng ...` in the list of all speeds,
one month such as `JAN23` in a list of one speed. What the layout leaves open is settled so:

- Which speed a list of one speed has, the caller says, else the file's name by its beginning (`rapid_jan23`).
- A column ends in a blank. Only OTit may run over its end, as FIDE's own lists do; what follows is then moved
  to the right by as much, and is read there. Columns that are not known here are passed over.
- A line may end early: what is missing is blank. A rating, K or year of birth of 0 is none; games of 0 are 0.
- A line is UTF-8, else Windows' Latin. Columns are counted in letters; in a line of other than ASCII letters
  whose federation so stands at no place, but does in bytes, they are counted in bytes.
- An id is what the list says: digits, or a national list's `N01234567`. One id twice is not looked for.
- Written are the columns of all speeds, in UTF-8, counted in letters, with FIDE's line ends; a name is cut
  to its 60 letters.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO, NamedTuple

from banzuke.core.fault import Fault, RefusedError, fault
from banzuke.formats.fide.fide_player import (
    MOST_FAULTS,
    SPEEDS,
    FidePlayer,
    Speed,
    UnfitError,
    speed_of,
    texts_of,
    value_of,
)


class _Column(NamedTuple):
    """A column of the layout: its heading, the player's field, and its width as FIDE writes it."""

    heading: str
    field: str
    width: int


#: Where a column begins, where it ends (None: with the row), and its heading.
_Place = tuple[int, int | None, str]

_LONGEST, _BLOCK, _HEAD = 64 * 1024, 1 << 20, 4096
#: How many texts of a group of columns are remembered, and how long these may be.
_REMEMBERED, _SHORT = 32768, 64
_BOM = "\xef\xbb\xbf"  # as letters of Latin-1
_COLUMNS = (
    _Column("ID Number", "fide_id", 15),
    _Column("Name", "name", 61),
    _Column("Fed", "federation", 4),
    _Column("Sex", "sex", 4),
    _Column("Tit", "title", 5),
    _Column("WTit", "w_title", 5),
    _Column("OTit", "o_title", 15),
    _Column("FOA", "foa_title", 4),
    _Column("SRtng", "standard", 6),
    _Column("SGm", "standard_games", 4),
    _Column("SK", "standard_k", 3),
    _Column("RRtng", "rapid", 6),
    _Column("RGm", "rapid_games", 4),
    _Column("Rk", "rapid_k", 3),
    _Column("BRtng", "blitz", 6),
    _Column("BGm", "blitz_games", 4),
    _Column("BK", "blitz_k", 3),
    _Column("B-day", "birth_year", 6),
    _Column("Flag", "flag", 4),
)
_HEADINGS = tuple(column.heading for column in _COLUMNS)
_NAME, _WIDTH, _MAY_RUN_OVER = 1, 162, ("o_title", "flag")
_FIELDS = {column.heading.lower(): column.field for column in _COLUMNS}
_SINGLE = {"gms": "_games", "k": "_k"}
_NEEDED = {"fide_id", "name", "federation"}
_MONTH = re.compile(r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\d\d", re.ASCII)
_HEADING = re.compile(r"ID Number|\S+", re.IGNORECASE)
_BEGINNING = re.compile(rb"(?:\xef\xbb\xbf)?\s*ID Number +Name +[^\r\n]*\bFed\b", re.IGNORECASE)
_FEDERATION = re.compile(r" [A-Z]{3}(?: |$)")
#: Columns that are read together: rows share these texts with many others.
_GROUPS = (
    ("federation", "sex", "title", "w_title", "o_title", "foa_title"),
    *((speed, f"{speed}_games", f"{speed}_k") for speed in SPEEDS),
    ("birth_year", "flag"),
)


def looks_like_txt(data: bytes) -> bool:
    """Whether the bytes begin with the heading line of a list."""
    return bool(_BEGINNING.match(data[:_HEAD]))


def read_txt(
    stream: BinaryIO, file: str, faults: list[Fault], speed: Speed | None = None
) -> Iterator[FidePlayer]:
    """The players of a list, line by line; `speed` says which a list of one speed has.

    Lines that are no player are noted in `faults`; after 100 of them it stops.
    """
    before, players, layout = len(faults), 0, None
    for line, letters in enumerate(_lines(stream, file, faults), 1):
        if not letters or letters.isspace():
            continue
        try:
            if layout is not None:
                yield layout.player(letters)
                players += 1
            else:
                layout = _Layout(letters.removeprefix(_BOM), speed or speed_of(file))
        except UnfitError as unfit:
            faults.append(unfit.to_fault(file, line))
            if layout is None or len(faults) - before >= MOST_FAULTS:
                return
    if not players and len(faults) == before:
        faults.append(fault(file, 0, "", "fide-no-players"))


def _lines(stream: BinaryIO, file: str, faults: list[Fault]) -> Iterator[str]:
    """The lines, each byte as the letter of Latin-1; one that does not end is noted and ends them."""
    rest, count = b"", 0
    while block := stream.read(_BLOCK):
        whole = rest + block
        end = max(whole.rfind(b"\n"), whole.rfind(b"\r", 0, -1)) + 1
        rest = whole[end:]
        lines = _split_lines(whole[:end])[:-1]
        yield from lines
        count += len(lines)
        if len(rest) > _LONGEST:
            faults.append(fault(file, count + 1, "", "fide-line-too-long"))
            return
    yield from _split_lines(rest)


def _split_lines(block: bytes) -> list[str]:
    return block.replace(b"\r\n", b"\n").replace(b"\r", b"\n").decode("latin-1").split("\n")


class _Cells(dict[str, tuple[Any, ...]]):
    """The values of a group of neighbouring columns by their text, remembered for the next row.

    The text begins at the blank before the first column: `row[place]`.
    """

    def __init__(self, fields: tuple[str, ...], places: dict[str, _Place]) -> None:
        super().__init__()
        known = [places[field] for field in fields if field in places]
        self.start = min((place[0] for place in known), default=1) - 1
        open_ended = any(end is None for _, end, _ in known)
        end = None if open_ended else max((end or 0 for _, end, _ in known), default=0)
        self.place = slice(self.start, end)
        self._places = [(field, *places.get(field, (0, 0, ""))) for field in fields]

    def __missing__(self, text: str) -> tuple[Any, ...]:
        values = tuple(self._value(text, *place) for place in self._places)
        if len(text) <= _SHORT:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[text] = values
        return values

    def _value(self, text: str, field: str, start: int, end: int | None, heading: str) -> str | int | None:
        begin = start - self.start
        cell = text[begin : None if end is None else end - self.start] if heading else ""
        if heading and text[begin - 1 : begin].strip():
            raise UnfitError("fide-misplaced", text[begin - 1 :].strip(), str(start), heading)
        return _value(field, cell.strip(), start, heading)


def _row_reader(places: dict[str, _Place]) -> Callable[[str], FidePlayer]:
    """A function that reads a row in its own letters, and raises UnfitError for what is no player.

    It is called for every row of millions, so it holds what it needs as names of its own.
    """
    id_place, name_place = (slice(*places[field][:2]) for field in ("fide_id", "name"))
    who, standard, rapid, blitz, last = (_Cells(fields, places) for fields in _GROUPS)
    who_place, last_place = who.place, last.place
    standard_place, rapid_place, blitz_place = standard.place, rapid.place, blitz.place

    def read(row: str) -> FidePlayer:
        number, name = row[id_place].strip(), row[name_place].strip()
        if not (number.isdecimal() and number.isascii() and name.isprintable()):
            _value("fide_id", number, id_place.start, "ID Number")
            _value("name", name, name_place.start, "Name")
        found = who[row[who_place]]
        if not (name or found[0]):
            raise UnfitError("fide-bad-name", name, str(name_place.start + 1), "Name")
        return FidePlayer._make(
            (number, name)
            + found
            + standard[row[standard_place]]
            + rapid[row[rapid_place]]
            + blitz[row[blitz_place]]
            + last[row[last_place]]
        )

    return read


def _value(field: str, text: str, start: int, heading: str) -> str | int | None:
    """The value of a field that starts there (from 0). Raises UnfitError with its address."""
    try:
        return value_of(field, text)
    except UnfitError as unfit:
        raise UnfitError(unfit.code, text, str(start + 1), heading) from None


class _Layout:
    """Where the columns stand, by the heading line; reads rows."""

    def __init__(self, header: str, speed: Speed | None) -> None:
        headings = list(_HEADING.finditer(header))
        ends = [*(found.start() for found in headings), None]
        self._places: dict[str, _Place] = {}
        for found, end in zip(headings, ends[1:], strict=True):
            field = _field(found, speed)
            if field in self._places:
                raise UnfitError("fide-bad-header", header.strip())
            if field:
                self._places[field] = (found.start(), end, found[0])
        if not (self._places.keys() >= _NEEDED and self._places.keys() & set(SPEEDS)):
            raise UnfitError("fide-bad-header", header.strip())
        self._player = _row_reader(self._places)

    def player(self, row: str) -> FidePlayer:
        """The player of a row of Latin-1's letters. Raises UnfitError."""
        if row.isascii():
            return self._read(row)
        try:
            found = self._read(_decode_line(row.encode("latin-1")))
        except UnfitError:
            if counted := self._read_by_bytes(row):
                return counted
            raise
        return found if found.federation else self._read_by_bytes(row) or found

    def _read(self, row: str) -> FidePlayer:
        try:
            return self._player(row)
        except UnfitError:
            for moved, title in self._rows_without_titles(row):
                try:
                    return self._player(moved)._replace(o_title=title)
                except UnfitError:
                    continue
            raise

    def _read_by_bytes(self, row: str) -> FidePlayer | None:
        """The player of a row whose columns are counted in bytes; None if no federation stands there so."""
        start, end = self._places["name"][0], self._places["federation"][0]
        if not _FEDERATION.match(row, end - 1):
            return None
        name = _decode_line(row[start:end].encode("latin-1"))
        try:
            return self._read(row[:start] + name.ljust(end - start) + row[end:])
        except UnfitError:
            return None

    def _rows_without_titles(self, row: str) -> Iterator[tuple[str, str]]:
        """The row without its other titles, if these run over their column's end, and these.

        It is moved back by what the titles and a blank need, or they alone.
        """
        start, end, heading = self._places.get("o_title", (0, None, ""))
        title = row[start:].partition(" ")[0]
        over = start + len(title) - (end or len(row))
        if end and over >= 0:
            _value("o_title", title, start, heading)
            for moved_by in (over + 1, over):
                yield row[:start] + " " * (end - start) + row[end + moved_by :], title


def _decode_line(data: bytes) -> str:
    """The letters of a line: UTF-8, else Windows' Latin; a control character where it is neither."""
    for encoding in ("utf-8", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")


def _field(heading: re.Match[str], speed: Speed | None) -> str:
    """The player's field under a heading, blank if it is not known."""
    name = heading[0].lower()
    if not (_MONTH.fullmatch(name) or name in _SINGLE):
        return _FIELDS.get(name, "")
    if speed is None:
        raise UnfitError("fide-which-speed", heading[0], str(heading.start() + 1), heading[0])
    return speed + _SINGLE.get(name, "")


def write_txt(players: Iterable[FidePlayer], file: str) -> Iterator[bytes]:
    """The list as FIDE lays it out for all speeds, line by line, the heading first.

    Raises RefusedError for a player whom the layout cannot hold; `file` names the list in the fault.
    """
    yield "".join(f"{column.heading:<{column.width}}" for column in _COLUMNS).encode() + b"\r\n"
    for line, player in enumerate(players, 2):
        texts = texts_of(player, file, line, _HEADINGS)
        texts[_NAME] = texts[_NAME][: _COLUMNS[_NAME].width - 1]
        for column, text in zip(_COLUMNS, texts, strict=True):
            if len(text) >= column.width and (column.field not in _MAY_RUN_OVER or " " in text):
                unfit = UnfitError("fide-too-long", text, column.heading, column.heading)
                raise RefusedError([unfit.to_fault(file, line)])
        cells = [text.ljust(column.width - 1) for text, column in zip(texts, _COLUMNS, strict=True)]
        yield " ".join(cells).ljust(_WIDTH).encode() + b"\r\n"
