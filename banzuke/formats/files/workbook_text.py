"""How much text the cells of a workbook hold, counted in its packed parts before it is opened.

Cells share their texts: one of a megabyte, written once, stands in every cell that refers to it, so that a
file of a few kilobytes would take all memory. So a text counts as often as cells refer to it. What is counted
is never less than what the reader of spreadsheets makes of it; a part that is no sound XML, which that reader
may take, is not opened.
"""

import io
import zipfile
from collections.abc import Callable, Iterator
from itertools import zip_longest
from xml.parsers import expat

#: The most text of a workbook in characters, the marks of cells that hold their own included: up to 800 MB.
MOST_TEXT = 100_000_000
#: What a part with shared texts has, one with cells, and an element with a cell's value, whatever its prefix.
_SHARED, _CELLS, _VALUE = (b"<si", b":si"), b"sheetData", (b"<v", b":v")


class UnsoundError(Exception):
    """A part that is no sound XML."""


def text_within(data: bytes, most: int = MOST_TEXT) -> bool:
    """Whether the cells of a sound zip hold no more text than that. Raises UnsoundError."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        found = [_lengths_in(part) for part in _parts(packed) if any(mark in part for mark in _SHARED)]
        lengths = [max(same) for same in zip_longest(*found, fillvalue=0)]
        longest = max(lengths, default=0)
        for part in _parts(packed):
            if _CELLS in part:
                at_most = len(part) + longest * sum(map(part.count, _VALUE))
                most -= at_most if at_most <= most else len(part) + _length_of_references(part, lengths)
        return most >= 0


def _parts(packed: zipfile.ZipFile) -> Iterator[bytes]:
    return (packed.read(member) for member in packed.infolist())


def _lengths_in(part: bytes) -> list[int]:
    """How long each shared text of a part is. Raises UnsoundError."""
    lengths: list[int] = []
    is_open = False

    def begin(name: str, _attributes: object) -> None:
        nonlocal is_open
        if _local(name) == "si":
            if is_open:
                raise UnsoundError
            is_open = True
            lengths.append(0)

    def end(name: str) -> None:
        nonlocal is_open
        is_open = is_open and _local(name) != "si"

    def add(text: str) -> None:
        if is_open:
            lengths[-1] += len(text)

    _parse(part, StartElementHandler=begin, EndElementHandler=end, CharacterDataHandler=add)
    return lengths


def _length_of_references(part: bytes, lengths: list[int]) -> int:
    """How long the shared texts are that the cells of a part refer to, one by one.

    A number that is none of theirs counts as the longest: nobody knows which text the reader takes for it.
    """
    known, longest = {str(number): length for number, length in enumerate(lengths)}, max(lengths, default=0)
    return sum(known.get(number, longest) for number in _References().in_part(part))


def _parse(part: bytes, **handlers: Callable[..., None]) -> None:
    """Tell the handlers what is in a part; an entity of its own makes it unsound. Raises UnsoundError."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    for name, handler in {"StartDoctypeDeclHandler": _refuse, **handlers}.items():
        setattr(parser, name, handler)
    try:
        parser.Parse(part, True)
    except (expat.ExpatError, ValueError, LookupError):
        raise UnsoundError from None


def _refuse(*_: object) -> None:
    raise UnsoundError


def _local(name: str) -> str:
    return name.rpartition(":")[2]


class _References:
    """The numbers of the shared texts that cells refer to."""

    def __init__(self) -> None:
        self._found: list[str] = []
        self._shared: list[bool] = []
        self._text: str | None = None

    def in_part(self, part: bytes) -> list[str]:
        """The numbers, in the order of the part. Raises UnsoundError, also for a value that is no text."""
        _parse(
            part,
            StartElementHandler=self._begin,
            EndElementHandler=self._end,
            CharacterDataHandler=self._add,
        )
        return self._found

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        if self._text is not None:
            raise UnsoundError
        if _local(name) == "c":
            self._shared.append(attributes.get("t") == "s")
        elif _local(name) == "v":
            self._text = ""

    def _add(self, text: str) -> None:
        if self._text is not None:
            self._text += text

    def _end(self, name: str) -> None:
        if _local(name) == "c":
            self._shared.pop()
        if self._text is not None:
            number, self._text = self._text.strip(), None
            if any(self._shared):
                self._found.append(number)
