"""Reads and writes FIDE's rating lists as XML, a `player` element after another, streamed.

What the format leaves open is settled so:

- A list whose first player has elements such as `rapid_rating` is one of all speeds, where `rating`, `games`
  and `k` are standard. Else it is of one speed: the caller says which, else the file's name by its beginning.
- An element that is missing is blank; elements that are not known here are passed over. A rating, K or year
  of birth of 0 is none; games of 0 are 0.
- No FIDE list has a document type, so one that has is refused: it could hold a bomb of entities.
- A fault's column is the element; of what is no XML at all it is the character's position.
- Written are all speeds, in UTF-8, blank elements where there is nothing, as FIDE does. Names are not cut.
"""

import re
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any, BinaryIO

from lxml import etree

from banzuke.core.fault import Fault, fault
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

_BLOCK, _HEAD = 1 << 16, 4096
#: Past so many bytes without a player it is no list, whatever else it is.
_MOST_BETWEEN = 1 << 20
#: How many texts of a field are remembered, and how long these may be.
_REMEMBERED, _SHORT = 4096, 64
_BEGINNING = re.compile(rb"<playerslist[\s>]|<player>\s*<fideid>")
_DOCUMENT_TYPE = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_WHO = ("fideid", "name", "country", "sex", "title", "w_title", "o_title", "foa_title")
_RATING, _LAST = ("rating", "games", "k"), ("birthday", "flag")
_OTHERS = tuple(f"{speed}_{of}" for speed in SPEEDS[1:] for of in _RATING)
_OF_OTHERS = frozenset(_OTHERS)
_TAGS = (*_WHO, *_RATING, *_OTHERS, *_LAST)


def looks_like_xml(data: bytes) -> bool:
    """Whether the beginning has the elements of a list."""
    return bool(_BEGINNING.search(data[:_HEAD]))


def read_xml(
    stream: BinaryIO, file: str, faults: list[Fault], speed: Speed | None = None
) -> Iterator[FidePlayer]:
    """The players of a list, one by one; `speed` says which a list of one speed has.

    Elements that are no player are noted in `faults`; after 100 of them it stops.
    """
    before, players, reader = len(faults), 0, None
    for element in _elements(stream, file, faults):
        values = {child.tag: child.text for child in element}
        try:
            if reader is None:
                reader = _Reader(_tags(values, speed or speed_of(file)))
            if len(values) < len(element):
                raise _double_element(element)
            yield reader.player(values)
            players += 1
        except UnfitError as unfit:
            faults.append(unfit.to_fault(file, _line_of(element, unfit.column)))
            if reader is None or len(faults) - before >= MOST_FAULTS:
                return
    if not players and len(faults) == before:
        faults.append(fault(file, 0, "", "fide-no-players"))


def _elements(stream: BinaryIO, file: str, faults: list[Fault]) -> Iterator[Any]:
    """The `player` elements as they are complete; earlier ones are dropped from memory, block by block."""
    parser: Any = etree.XMLPullParser(
        ("end",), tag="player", resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True
    )
    between, is_first, is_whole = 0, True, True
    while is_whole and between <= _MOST_BETWEEN:
        block = stream.read(_BLOCK)
        if is_first and _DOCUMENT_TYPE.search(block.replace(b"\0", b"")):
            faults.append(fault(file, 0, "", "fide-xml-document-type"))
            return
        is_whole, between = _feed(parser, block, file, faults), between + len(block)
        root = None
        for _, element in parser.read_events():
            root, between = element.getparent(), 0
            if root is None or root.getparent() is not None:
                faults.append(fault(file, element.sourceline or 0, "player", "fide-xml-no-list"))
                return
            if is_first and element.getroottree().docinfo.internalDTD is not None:
                faults.append(fault(file, 0, "", "fide-xml-document-type"))
                return
            is_first = False
            yield element
        if root is not None:
            del root[:-1]
        if not block:
            return
    if is_whole:
        faults.append(fault(file, 0, "", "fide-xml-no-list"))


def _feed(parser: Any, block: bytes, file: str, faults: list[Fault]) -> bool:
    """Whether the parser could take the block; a blank one ends the file."""
    try:
        parser.feed(block) if block else parser.close()
    except etree.XMLSyntaxError as error:
        line, column = error.position
        faults.append(fault(file, line or 0, str(column or ""), "fide-xml-broken"))
        return False
    return True


def _line_of(element: Any, tag: str) -> int:
    """The line of a player's element of that name, or the player's own where there is none."""
    found = element.find(tag)
    line: int | None = (element if found is None else found).sourceline
    return line or 0


def _double_element(element: Any) -> UnfitError:
    tags = [child.tag for child in element]
    tag = next(tag for tag in tags if tags.count(tag) > 1)
    return UnfitError("fide-xml-twice", "", tag, tag)


def _tags(values: dict[str, str | None], speed: Speed | None) -> tuple[str, ...]:
    """The elements of the fields in their order, by what the list's first player has; blank: none has it."""
    if values.keys() & _OF_OTHERS:
        return _TAGS
    if speed is None:
        raise UnfitError("fide-which-speed", "rating", "rating", "rating")
    of_speed = (_RATING if speed == each else ("", "", "") for each in SPEEDS)
    return (*_WHO, *(tag for tags in of_speed for tag in tags), *_LAST)


class _Values(dict["str | None", "str | int | None"]):
    """A field's values by their texts, remembered for the next player."""

    def __init__(self, field: str, tag: str) -> None:
        super().__init__()
        self.field, self.tag = field, tag

    def __missing__(self, text: str | None) -> str | int | None:
        try:
            value = value_of(self.field, (text or "").strip())
        except UnfitError as unfit:
            raise UnfitError(unfit.code, unfit.text, self.tag, self.tag) from None
        if len(text or "") <= _SHORT:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[text] = value
        return value


class _Reader:
    """Reads players by the elements of their fields."""

    def __init__(self, tags: tuple[str, ...]) -> None:
        self._is_single = tags != _TAGS
        self._fields = [
            (tag, _Values(field, tag)) for field, tag in zip(FidePlayer._fields, tags, strict=True)
        ]

    def player(self, fields: dict[str, str | None]) -> FidePlayer:
        """The player of these texts by their elements. Raises UnfitError."""
        if self._is_single and (others := fields.keys() & _OF_OTHERS):
            tag = min(others)
            raise UnfitError("fide-xml-mixed", tag, tag, tag)
        get = fields.get
        player = FidePlayer._make([values[get(tag)] for tag, values in self._fields])
        if not (player.name or player.federation):
            raise UnfitError("fide-bad-name", "", "name", "name")
        return player


def write_xml(players: Iterable[FidePlayer], file: str) -> Iterator[bytes]:
    """The list as FIDE writes it for all speeds, player by player.

    Raises RefusedError for a text that no reader would take for its field; `file` names the list in it.
    """
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n<playerslist>\n'
    for number, player in enumerate(players, 1):
        texts = texts_of(player, file, number, _TAGS)
        cells = [
            f"<{tag}>{escape(text, quote=False)}</{tag}>\n" for tag, text in zip(_TAGS, texts, strict=True)
        ]
        yield f"<player>\n{''.join(cells)}</player>\n".encode()
    yield b"</playerslist>\n"
