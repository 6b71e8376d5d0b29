"""The games of a PGN file: the tags of each, read by python-chess, and the text of its moves.

Where a game begins is found here, so that an unclosed comment or a missing blank line cannot make the games
behind it pass unread: a tag `Event` begins one; so does any other tag after moves and a blank line, or one
given again after a blank line.
"""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

import chess.pgn

_NEVER = -1
_BRACKETED = re.compile(r"(?m)^[ \t]*+\[[A-Za-z0-9][^\n]*+")
_TAG = re.compile(r'[ \t]*+\[([A-Za-z0-9][\w+#=:-]*+)\s++"', re.ASCII)
_TWO_TAGS = re.compile(r'"\s*+\]\s*+\[')
_ESCAPED = re.compile(r'\\(["\\])')
_PASSED_OVER = re.compile(r"(?m)^[%;][^\n]*+")
_COMMENT = re.compile(r"\{[^}]*+(?:\}|\Z)|;[^\n]*+")
_MOVE = re.compile(r"[a-h][1-8]|(?<![\d/-])[O0]-[O0]")
_ENDING = re.compile(r"(?<![\w/-])(1-0|0-1|1/2-1/2|\*)\s*\Z")
_LAST = 200  # characters in which the result at the end stands
_TWO = 2


class PgnGame(NamedTuple):
    """A game: where its header begins, its tags and their lines by lower-case name, the text of its moves.

    `broken` are the lines of the header that are no tags, `again` (line, name) the tags that contradict an
    earlier one.
    """

    line: int
    tags: dict[str, str]
    lines: dict[str, int]
    moves: str
    broken: tuple[int, ...]
    again: tuple[tuple[int, str], ...]

    def value(self, tag: str) -> str:
        """The value of a tag, by lower-case name; blank where it says nothing (`?`, `-`)."""
        text = self.tags.get(tag, "")
        return "" if text in ("?", "-") else text

    def at(self, tag: str) -> int:
        """The line of a tag, or of the header where there is none."""
        return self.lines.get(tag, self.line)

    def ending(self) -> str:
        """The result behind the moves, blank if there is none."""
        found = _ENDING.search(self.moves[-_LAST:])
        return found[1] if found else ""

    def has_moves(self) -> bool:
        """Whether both sides have moved."""
        bare = _COMMENT.sub(" ", self.moves)
        return len(list(islice(_MOVE.finditer(bare), _TWO))) == _TWO


def games_in(text: str) -> Iterator[PgnGame]:
    """The games in the order of the file."""
    text = _PASSED_OVER.sub("", text)
    line, passed, last = 1, 0, None
    for header in _headers(text):
        if last:
            yield _game(text, last, header[0], line)
        line += text.count("\n", passed, header[0])
        passed, last = header[0], header
    if last:
        yield _game(text, last, len(text), line)


def headless(text: str) -> int | None:
    """The line of what stands before the first header and is no comment; None if there is nothing."""
    text = _PASSED_OVER.sub("", text)
    first, _ = next(_headers(text), (len(text), 0))
    before = text[:first].rstrip()
    return 1 + before.count("\n") if before else None


@dataclass(slots=True)
class _Header:
    """The header that is being found: where it begins and ends, its tags, and what has come behind it."""

    start: int = _NEVER
    end: int = 0
    seen: set[str] = field(default_factory=set)
    in_moves: bool = True
    in_comment: bool = False

    def pass_over(self, gap: str) -> None:
        """Take what stands before a bracket: moves, unless it is blank."""
        self.in_moves = self.in_moves or bool(gap.strip())
        opened, closed = gap.rfind("{"), gap.rfind("}")
        self.in_comment = opened > closed or (self.in_comment and closed == _NEVER)

    def ends_before(self, name: str, *, after_blank: bool) -> bool:
        """Whether a tag of that name begins another game."""
        if self.in_moves:
            return name == "event" or (after_blank and not self.in_comment)
        return name in self.seen and (name == "event" or after_blank)


def _headers(text: str) -> Iterator[tuple[int, int]]:
    """Where each header begins and ends in the text."""
    header, last = _Header(), 0
    for found in _BRACKETED.finditer(text):
        gap = text[last : found.start()]
        header.pass_over(gap)
        tag, last = _TAG.match(found[0]), found.end()
        name = tag[1].lower() if tag else ""
        after_blank = header.start < 0 or gap[len(gap.rstrip()) :].count("\n") > 1
        if tag and header.ends_before(name, after_blank=after_blank):
            if header.start >= 0:
                yield header.start, header.end
            header = _Header(found.start(), last, in_moves=False)
        if not header.in_moves:
            header.seen.add(name)
            header.end = last
    if header.start >= 0:
        yield header.start, header.end


class _Tags(chess.pgn.BaseVisitor[list[tuple[str, str]]]):
    """Collects a game's tags as they come, and has its moves passed over."""

    def begin_headers(self) -> None:
        self.found: list[tuple[str, str]] = []

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self.found.append((tagname, tagvalue))

    def end_headers(self) -> chess.pgn.SkipType:
        return chess.pgn.SKIP

    def result(self) -> list[tuple[str, str]]:
        return self.found


def _game(text: str, header: tuple[int, int], end: int, line: int) -> PgnGame:
    """The game whose header stands there and whose moves go on to `end`."""
    rows = [(line + n, row.strip()) for n, row in enumerate(text[slice(*header)].split("\n")) if row.strip()]
    found = chess.pgn.read_game(io.StringIO("\n".join(row for _, row in rows)), Visitor=_Tags) or []
    if len(found) == len(rows):
        values = [(at, *tag) for (at, _), tag in zip(rows, found, strict=True)]
    else:
        values = [(at, *tag) for at, row in rows for tag in _tags_of(row)]
    tags: dict[str, str] = {}
    lines: dict[str, int] = {}
    broken = {at for at, _ in rows} - {at for at, _, _ in values}
    again = []
    for at, name, raw in values:
        value, key = _ESCAPED.sub(r"\1", " ".join(raw.split())), name.lower()
        if _TWO_TAGS.search(raw):
            broken.add(at)
        elif tags.setdefault(key, value) != value:
            again.append((at, name))
        else:
            lines.setdefault(key, at)
    return PgnGame(line, tags, lines, text[header[1] : end], tuple(sorted(broken)), tuple(again))


def _tags_of(row: str) -> list[tuple[str, str]]:
    return chess.pgn.read_game(io.StringIO(row), Visitor=_Tags) or []
