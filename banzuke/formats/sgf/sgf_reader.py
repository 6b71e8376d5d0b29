"""Reads games of Go from SGF: single files, files of several games, folders of files.

Values come from the root of each game, moves from its main line. The dialects in use are settled so:

- Lower-case letters within a property's name do not count (`CoPyright` is `CP`), as sgfmill has it. GM and SZ
  may be missing: the game is then Go, on 19 by 19.
- The encoding is the one that CA names; without CA it is told from the bytes, for Fox's files GB18030. What
  stands before, between and behind games is passed over.
- Ranks are given as written, without blanks around them (`12k `): servers pad them, and 15级 or 3段 mean
  another rank on another server.
- Komi is in half points; one that is missing, not in halves, or beyond 100 (`375` for 3.75) is a fault.
- Without HA, two or more stones that Black has before the first move are the handicap. With HA, as many must
  stand there, or be Black's first moves in a row, which are then not counted as moves.
- Moves are nodes with a move, passes included.
- The result is the letter before `+`, whatever is behind it. A day that is not whole is none.
"""

import codecs
import re
from collections.abc import Iterable, Iterator
from datetime import date
from functools import cached_property
from itertools import takewhile
from pathlib import PurePath
from typing import NamedTuple

from sgfmill import sgf_grammar

from banzuke.core.fault import Fault, fault
from banzuke.formats.files.text import decode_text, plain, plain_dashes, whole_number
from banzuke.formats.notation import VAGUE_DAY, parse_day
from banzuke.formats.report import GoReport, ReportedGoGame

#: Games in a file, and characters in a game: beyond is a trap or a mistake.
MOST_GAMES, MOST_CHARACTERS = 50_000, 1_000_000
_BEGINNING = re.compile(rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*+\(\s*+;\s*+[A-Za-z]{1,64}\s*+\[")
_HEAD = 4096
_START = re.compile(r"\(\s*+;")
_ROOT = re.compile(r"\(\s*+;\s*+(?:GM|FF)\s*+\[")
_TOKEN = re.compile(r"\[(?:[^\]\\]++|\\.?)*(?:\]|\Z)|[()]", re.DOTALL)
_VALUE = re.compile(r"\[(?:[^\]\\]++|\\.?)*(?:\]|\Z)", re.DOTALL)
_CHARSET = re.compile(rb"CA\s*+\[([^\]]{1,40})\]")
_FOX = re.compile(rb"(?i)AP\s*+\[fox")
_CHARSETS = re.compile(
    r"utf-8|ascii|iso8859-\d+|cp125\d|koi8-r|shift_jis|cp932|euc_jp|iso2022_jp|gb2312|gbk|gb18030|big5|euc_kr|cp949"
)
_UNREADABLE = "\ufffd"
_KOMI = re.compile(r"(?=.*\d)([+-]?)(\d{0,3})(?:[.,](\d{0,9}))?", re.ASCII)
_WON = re.compile(r"(b|w)(?:lack|hite)? ?\+.*", re.IGNORECASE)
_WON_IN_WORDS = re.compile(r"([黒黑白]).*[勝胜].*")
_WINNERS = {"b": "B", "黒": "B", "黑": "B", "w": "W", "白": "W"}
_DRAWN, _VOID = ("0", "draw", "jigo", "持碁", "ジゴ", "和棋"), ("void", "無勝負")
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_GO, _SIZE = "1", 19
_MOST_KOMI, _MOST_STONES, _MOST_SIZE = 100, 9, 52
_SINGLE = ("GM", "SZ", "HA", "KM", "PB", "PW", "RE")
_POINT = re.compile(r"([A-Za-z])([A-Za-z])(?::([A-Za-z]{2}))?", re.ASCII)


class _Text(NamedTuple):
    """One game's text, the line on which it begins, and whether it goes on to its last bracket."""

    text: str
    line: int
    is_whole: bool


def looks_like(data: bytes) -> bool:
    """Whether the file begins with a game's first property."""
    return bool(_BEGINNING.match(data[:_HEAD].replace(b"\0", b"")))


def read(data: bytes, file: str) -> GoReport:
    """Read the games in `data`; raises nothing: see `GoReport.faults`.

    A game's id is the file's name without its ending; of several games `name-1`, `name-2` and so on.
    """
    text = _text(data)
    if text is None:
        return GoReport((), (fault(file, 0, "", "sgf-no-text"),))
    faults: list[Fault] = []
    texts = list(_texts(text, file, faults))
    if not texts:
        faults.append(fault(file, 0, "", "sgf-no-game"))
    games = []
    for number, game_text in enumerate(texts, 1):
        game_id = f"{PurePath(file).stem}-{number}" if len(texts) > 1 else PurePath(file).stem
        games.append(_Game(game_text, file, faults).game(game_id))
    return GoReport(tuple(game for game in games if game), tuple(sorted(faults, key=lambda f: f.line)))


def merge_reports(reports: Iterable[GoReport]) -> GoReport:
    """The games of many files as one report; of two games of one id the second is a fault."""
    games: dict[str, ReportedGoGame] = {}
    faults: list[Fault] = []
    for report in reports:
        faults += report.faults
        for game in report.games:
            first = games.setdefault(game.game_id, game)
            if first is not game:
                faults.append(fault(game.file, 0, "", "sgf-same-id", id=game.game_id, first=first.file))
    return GoReport(tuple(games.values()), tuple(faults))


def _text(data: bytes) -> str | None:
    """The file's text by its CA; None if it is no text."""
    named = _CHARSET.search(data)
    charset = named[1].decode("ascii", "replace").strip() if named else "gb18030" if _FOX.search(data) else ""
    try:
        known = bool(_CHARSETS.fullmatch(codecs.lookup(charset).name))
    except (LookupError, ValueError):
        known = False
    if not known or data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        return decode_text(data)
    text = data.decode(charset, "replace").replace("\r\n", "\n").replace("\r", "\n")
    return None if "\0" in text else text


def _texts(text: str, file: str, faults: list[Fault]) -> Iterator[_Text]:
    """The texts of the games; one behind a game that is not closed begins where its root does."""
    line, passed, at, number = 1, 0, 0, 0
    while start := _START.search(text, at):
        line += text.count("\n", passed, start.start())
        passed, number = start.start(), number + 1
        if number > MOST_GAMES:
            faults.append(fault(file, line, "", "sgf-too-many", most=MOST_GAMES))
            return
        at, is_whole = _end(text, start)
        yield _Text(text[start.start() : at], line, is_whole)


def _end(text: str, start: re.Match[str]) -> tuple[int, bool]:
    """Where the game ends that starts there, and whether by its last bracket."""
    depth = 0
    for token in _TOKEN.finditer(text, start.start()):
        if token[0] == "(":
            if depth and _ROOT.match(text, token.start()):
                return token.start(), False
            depth += 1
        elif token[0] == ")":
            depth -= 1
            if not depth:
                return token.end(), True
    return len(text), False


class _Game:
    """One game while it is read; what is wrong with it is added to `faults`."""

    def __init__(self, text: _Text, file: str, faults: list[Fault]) -> None:
        self.source = text
        self.file = file
        self.faults = faults
        self.nodes: list[dict[str, list[bytes]]] = []

    def fault(self, name: str, code: str, **facts: object) -> None:
        self.faults.append(fault(self.file, self.line(name), name, code, **facts))

    def line(self, name: str) -> int:
        """The line of a property in the root, or of the game's beginning."""
        if not name:
            return self.source.line
        found = re.search(rf"(?<![A-Za-z])[a-z]*+{'[a-z]*+'.join(name)}[a-z]*+\s*+\[", self.root)
        return self.source.line + (self.root.count("\n", 0, found.start()) if found else 0)

    @cached_property
    def root(self) -> str:
        """The text of the first node; of its values only the line ends."""
        bare = _VALUE.sub(lambda value: "[" + "\n" * value[0].count("\n"), self.source.text)
        return bare[: bare.find(";", bare.find(";") + 1)]

    def game(self, game_id: str) -> ReportedGoGame | None:
        """The game, None if anything in it cannot be read."""
        before = len(self.faults)
        if not self.parse() or not self.is_go():
            return None
        moves = [("B" in node, "W" in node) for node in self.nodes if "B" in node or "W" in node]
        handicap, placed = self.handicap(moves)
        game = ReportedGoGame(
            game_id=game_id,
            black=self.player("PB"),
            white=self.player("PW"),
            result=self.result(),
            handicap=handicap,
            komi=self.komi(),
            board=self.board(),
            moves=len(moves) - placed,
            day=self.day(),
            black_rank=self.value("BR"),
            white_rank=self.value("WR"),
            file=self.file,
        )
        if game.black and game.black == game.white:
            self.fault("PB", "sgf-same-player", player=game.black)
        return game if len(self.faults) == before else None

    def parse(self) -> bool:
        """Find the nodes of the main line; False, with a fault, if it is no sound SGF."""
        if len(self.source.text) > MOST_CHARACTERS:
            self.fault("", "sgf-too-long", most=MOST_CHARACTERS)
            return False
        try:
            tree = sgf_grammar.parse_sgf_game(self.source.text.encode("utf-8", "replace"))
        except ValueError:
            tree = None
        if tree is None or not self.source.is_whole:
            self.fault("", "sgf-broken")
            return False
        self.nodes = list(sgf_grammar.main_sequence_iter(tree))
        return True

    def is_go(self) -> bool:
        """Whether it is a game of Go, of which nothing is said twice; with a fault if it is not."""
        twice = [name for name in _SINGLE if len(set(self.nodes[0].get(name, ()))) > 1]
        for name in twice:
            self.fault(name, "sgf-said-twice")
        game = self.value("GM")
        if game not in ("", _GO) and "GM" not in twice:
            self.fault("GM", "sgf-not-go", text=game)
        return not twice and game in ("", _GO)

    def value(self, name: str) -> str:
        """A property of the root as text, single blanks; blank if it is missing."""
        raw = self.nodes[0].get(name, [b""])[0]
        return " ".join(sgf_grammar.simpletext_value(raw).decode("utf-8", "replace").split())

    def player(self, name: str) -> str:
        """A player's name on the server."""
        text = self.value(name)
        if not text:
            self.fault(name, "sgf-nameless")
        elif _UNREADABLE in text:
            self.fault(name, "sgf-encoding", text=text)
        return text

    def result(self) -> str:
        """The ledger's result, blank with a fault if there is none."""
        text = plain(self.value("RE"))
        if won := _WON.fullmatch(text) or _WON_IN_WORDS.fullmatch(text):
            return _WINNERS[won[1].lower()]
        if text.lower() in (*_DRAWN, *_VOID):
            return "draw" if text.lower() in _DRAWN else "void"
        if text in ("", "?"):
            self.fault("RE", "sgf-no-result")
        else:
            self.fault("RE", "sgf-bad-result", text=text)
        return ""

    def komi(self) -> int:
        """Komi in half points."""
        text = plain_dashes(self.value("KM")).replace(" ", "")
        found = _KOMI.fullmatch(text)
        rest = (found[3] or "").rstrip("0") if found else ""
        if not text:
            self.fault("KM", "sgf-no-komi")
        elif found is None or rest not in ("", "5") or int(found[2] or 0) > _MOST_KOMI:
            self.fault("KM", "sgf-bad-komi", text=text, most=_MOST_KOMI)
        else:
            halves = 2 * int(found[2] or 0) + (rest == "5")
            return -halves if found[1] == "-" else halves
        return 0

    def board(self) -> int:
        """The board's lines."""
        text = plain(self.value("SZ"))
        wide, _, high = text.partition(":")
        size = whole_number(wide, _MOST_SIZE) if high in ("", wide) else None
        if text and not size:
            self.fault("SZ", "sgf-bad-size", text=text)
        return size or _SIZE

    def handicap(self, moves: list[tuple[bool, bool]]) -> tuple[int, int]:
        """The handicap, and how many of Black's first moves are its stones."""
        text, number = plain(self.value("HA")), whole_number(self.value("HA"), _MOST_STONES)
        start = list(takewhile(lambda node: not ("B" in node or "W" in node), self.nodes))
        stones = _stones(value for node in start for value in node.get("AB", ()))
        in_a_row = sum(1 for _ in takewhile(lambda move: move == (True, False), moves))
        if text and number is None:
            self.fault("HA", "sgf-bad-handicap", text=text, most=_MOST_STONES)
        elif any("AW" in node for node in start) or stones > _MOST_STONES:
            self.fault("AB", "sgf-setup", most=_MOST_STONES)
        elif number is None and in_a_row < 2:  # noqa: PLR2004 - Black moves once, then White
            return stones, 0
        elif number is not None and stones == (number if number > 1 else min(number, stones)):
            return number, 0
        elif number is not None and number == in_a_row and not stones:
            return number, number
        else:
            self.fault("HA", "sgf-handicap", text=text or "0", stones=stones or in_a_row)
        return 0, 0

    def day(self) -> date | None:
        """The first day that the file names."""
        text = plain(self.value("DT"))
        first = text.split(",")[0].strip()
        found = _DAY.match(text)
        day = parse_day(found[0] if found else first) or parse_day(text)
        if day is None and not VAGUE_DAY.fullmatch(first):
            self.fault("DT", "sgf-bad-day", text=text)
        return day


def _stones(values: Iterable[bytes]) -> int:
    """How many points values such as `dd`, or `dd:ee` for a rectangle, name; ten for more than nine."""
    points: set[tuple[int, int]] = set()
    for raw in values:
        if found := _POINT.fullmatch(raw.decode("ascii", "replace").strip()):
            left, top, right, bottom = (
                ord(letter) for letter in found[1] + found[2] + (found[3] or found[0])
            )
            points |= {(x, y) for x in range(left, right + 1) for y in range(top, bottom + 1)}
        if len(points) > _MOST_STONES:
            return _MOST_STONES + 1
    return len(points)
