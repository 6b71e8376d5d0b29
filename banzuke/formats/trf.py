"""Reads a tournament report in FIDE's TRF16 (and TRF06 and TRF26, as far as they bear on rating).

A record is a line; its fields stand at fixed columns, counted from 1 in characters. What the published
format leaves open, or files in use do otherwise, is settled so:

- UTF-8 (a leading mark is dropped), else Latin-1; what is a letter in neither is a fault.
- A day is `YYYY MM DD` or `DD MM YYYY`, parted by `/`, `-` or `.`, or has its month in English words; in 132
  also `YY MM DD` (20YY). A 132 record with something before column 92 is one round's day, the n-th round n's.
- No opponent and any of `H F U Z + -` or a blank is a round without a game. Of a forfeit in which neither has
  a colour the lower start rank is called White; it rates nothing.
- Points are held against the results by the standard values, or by those of XXS, 162 and BBW BBD BBL BBZ BBF
  BBU; not if one of these cannot be read, or a 299 record awards points to individuals.
- Three capital letters and a start rank make a national record: it gives the national number, and a name
  where 001 has none. Passed over: DAT, other records that begin with XX or BB, rulers of digits, and pictures
  of the columns (`DDD SSSS sTTT`: the same letter three times, which is no federation, and no number).
- Of a row with something in a column that must be blank, the rest is not read, nor held against opponents.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from banzuke.core.fault import Fault, fault
from banzuke.formats.days import SHORT_DAY, VAGUE_DAY, day_of
from banzuke.formats.report import Report, ReportedEvent, ReportedGame, ReportedPlayer

if TYPE_CHECKING:
    from datetime import date

# A round: the opponent (0 none, -1 unreadable); colour and result (`w1`), a result alone, or a fault's code.
Cell = tuple[int, str]
Board = dict[int, Cell]  # a round by start ranks
_BLANK, _UNREAD = (0, " "), (-1, "")
_DIGITS, _FIRST, _WIDTH, _END = 11, 91, 10, 91 + 10 * 999  # longest number; place (from 0) of rounds 1 to 999
_GAPS = (3, 8, 13, 47, 52, 56, 68, 79, 84, 89, 90)
_AT_GAPS, _ROUND_GAPS = itemgetter(*_GAPS), (95, 97, 99, 100)
_HEADER = ("012", "022", "032", "042", "052", "062", "102", "122", "222")
_PASSED = re.compile(r"$|###|DAT|XX|BB|013|0[7-9]2|1[1457-9]2|2[01]2|2[4-6]0|3[0-3]0|3[56]2|80[12]")
_CELL_FAULTS = (
    dict.fromkeys(("trf-bad-opponent", "trf-no-opponent"), 0)
    | dict.fromkeys(("trf-bad-colour", "trf-no-colour"), 5)
    | dict.fromkeys(("trf-bad-result", "trf-no-result", "trf-bye-with-opponent"), 7)
)
_TENTHS = re.compile(r"(?=.)(\d{0,6})(?:[.,](\d)0*)?", re.ASCII)
_WORTH = re.compile(r"(?<![A-Za-z])([A-Za-z]++) *+=? *+([\d.,]+)", re.ASCII)
_BEGINNING, _HEAD = re.compile(rb"(?:^|[\r\n]|\xef\xbb\xbf)(?:012 |001 {1,4}\d)"), 64 * 1024
_NATIONAL = re.compile(r"(?!XX|BB|DAT|(.)\1\1)[A-Z]{3} +\d+ *", re.ASCII)
_PICTURE = re.compile(r"([A-Z])\1\1 ++\D")
# In a player's row, what Latin-1 has between its letters (but for the marks ´ and ·).
_NO_NAME = re.compile("(?m)^001[^\n]*?[\xa1-\xa9\xab-\xb3\xb6\xb8\xb9\xbb-\xbf\xd7\xf7]")
_UNITS, _TENS = "1234567890" * 200, "".join(f"{n:10}" for n in range(1, 200))
# What two rows say of one game, one after the other: is the first White, and the ledger's result.
_FORFEITS = {"+-": "+/-", "-+": "-/+", "--": "-/-"}
_PLAYED = {"10": "1-0", "==": "1/2-1/2", "01": "0-1", "WL": "u1-0", "DD": "u1/2-1/2", "LW": "u0-1"}
_WHITE_FIRST = {
    (colours[0] + said[0], colours[1] + said[1]): (True, result)
    for colours in ("wb", "w-", "-b", "--")
    for said, result in (_PLAYED | _FORFEITS if colours == "wb" else _FORFEITS).items()
}
_FITS = {(two, one): (False, result) for (one, two), (_, result) in _WHITE_FIRST.items()} | _WHITE_FIRST
# What results are worth, in tenths of a point, by the names of the XXS record; `PAB?`: until PAB.
_STANDARD = dict.fromkeys(("WW", "BW", "FPB", "FW", "PAB?"), 10) | dict.fromkeys(("WD", "BD", "HPB"), 5)
_STANDARD |= dict.fromkeys(("WL", "BL", "ZPB", "FL"), 0)
_XXS: dict[str, tuple[str, ...]] = {name: (name,) for name in (*_STANDARD, "PAB")}
_XXS |= {"W": ("WW", "BW", "FW", "FPB"), "D": ("WD", "BD", "HPB"), "L": ("WL", "BL")}
_162 = _XXS | {"W": (*_XXS["W"], "PAB?"), "A": ("ZPB", "FL"), "P": ("PAB",), "X": ()}
_BB = {f"BB{n[0]}": _162 | {"Z": ("ZPB",), "F": ("FL",), "U": ("PAB",)} for n in "WDLZFU"}
_DIALECTS: dict[str, dict[str, tuple[str, ...]]] = {"XXS": _XXS, "162": _162, "299": {}, **_BB}
_WORTH_NAMES = (
    {colour + result: "FW" if result == "+" else "FL" for colour in "wb-" for result in "+-"}
    | {c + r: c.upper() + n for c in "wb" for r, n in zip("1=0WDL", "WDLWDL", strict=True)}
    | {"H": "HPB", "F": "FPB", "U": "PAB", "Z": "ZPB", " ": "ZPB", "+": "FW", "-": "FL"}
)


def looks_like(data: bytes) -> bool:
    """Whether a line of the file's beginning is a player's or the tournament's name."""
    return bool(_BEGINNING.search(data[:_HEAD]))


def read(data: bytes, file: str) -> Report:
    """Read the report in `data`; `file` names it in the faults. Raises nothing: see `Report.faults`."""
    reader = _Reader(file)
    for line, text in enumerate(reader.lines(data), 1):
        reader.take(line, text)
    return reader.report()


@lru_cache(maxsize=65536)
def _cell(text: str) -> Cell:
    """Read a round's eight characters: opponent, blank, colour, blank, result."""
    opponent = _natural(text[:4])
    colour, result = text[5:6].strip().lower() or "-", text[7:8].upper() or " "
    if opponent is None:
        return -1, "trf-bad-opponent"
    kind = _kind(colour, result, named=opponent != 0)
    return opponent or -(kind in _CELL_FAULTS), kind


def _no_letter(text: str) -> re.Match[str] | None:
    """Find a character that no name has: the text is in another encoding, or no text."""
    if text.isascii() and "\0" not in text:
        return None
    return re.search("[\0\x80-\x9f]", text) or _NO_NAME.search(text)


def _kind(colour: str, result: str, *, named: bool) -> str:
    """Say what happened in a round, or the code of what is wrong with it."""
    if colour not in "wb-":
        return "trf-bad-colour"
    if result not in "10=WDLHFUZ +-":
        return "trf-bad-result"
    if not named:
        return result if colour == "-" and result in "HFUZ +-" else "trf-no-opponent"
    if result in "HFUZ ":
        return "trf-no-result" if result == " " else "trf-bye-with-opponent"
    return colour + result if colour != "-" or result in "+-" else "trf-no-colour"


def _natural(text: str) -> int | None:
    """Read the whole number in a field, 0 if it is blank, None if it is something else."""
    digits = text.strip()
    if digits.isdecimal() and digits.isascii() and len(digits) <= _DIGITS:
        return int(digits)
    return None if digits else 0


def _tenths(text: str) -> int | None:
    """Read a score such as `11.5` in tenths of a point; None if it is none."""
    found = _TENTHS.fullmatch(text)
    return int(found[1] or 0) * 10 + int(found[2] or 0) if found else None


def _shows_columns(text: str) -> bool:
    """Whether a line counts the columns by units or by tens, or is a picture of them."""
    counts = len(text) >= _WIDTH and text in (_UNITS[: len(text)], _TENS[: len(text)])
    return counts or bool(_PICTURE.match(text))


def _misplaced(text: str) -> int | None:
    """Where (from 0) a player's row first has something in a column that must be blank."""
    blanks = "".join([*_AT_GAPS(text.ljust(_FIRST)), *(text[first::_WIDTH] for first in _ROUND_GAPS)])
    if not blanks.strip(" ") and "\t" not in text and len(text) <= _END:
        return None
    columns = {*_GAPS, *(i for first in _ROUND_GAPS for i in range(first, _END, _WIDTH))}
    return next(i for i, c in enumerate(text) if c == "\t" or i == _END or (c != " " and i in columns))


class _Row(NamedTuple):
    """A 001 record; not `whole` if something stood where it must be blank."""

    line: int
    text: str
    player: ReportedPlayer | None
    cells: list[Cell]
    whole: bool


@dataclass(slots=True)
class _Reader:
    """A report as far as it is read: `take` every line, then make the `report`."""

    file: str
    faults: list[Fault] = field(default_factory=list)
    header: dict[str, tuple[int, str]] = field(default_factory=lambda: dict.fromkeys(_HEADER, (0, "")))
    rows: dict[int, _Row] = field(default_factory=dict)
    row_count: int = 0
    fide_ids: dict[str, int] = field(default_factory=dict)
    national: list[tuple[int, str]] = field(default_factory=list)
    days: dict[int, tuple[int, int, date]] = field(default_factory=dict)
    day_lines: int = 0
    worth: dict[str, int] | None = field(default_factory=_STANDARD.copy)

    def fault(self, line: int, at: int, code: str, **facts: object) -> None:
        """Note a fault at the position `at` (from 0) of a line."""
        self.faults.append(fault(self.file, line, str(at + 1), code, **facts))

    def lines(self, data: bytes) -> list[str]:
        """Part the lines, without the blanks at their ends; none if the file is no text at all."""
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
        text = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\x1a")
        if found := _no_letter(text):
            place = found.end() - 1
            line, at = text.count("\n", 0, place), text.rfind("\n", 0, place) + 1
            self.fault(line + 1, place - at, "trf-encoding", byte=f"{ord(text[place]):02X}")
        return [] if "\0" in text else [line.rstrip() for line in text.split("\n")]

    def take(self, line: int, text: str) -> None:
        """Take any line (counted from 1) of the file."""
        kind = text[:3]
        if kind == "001":
            self._take_row(line, text)
        elif kind in self.header:
            self._take_header(line, kind, text)
        elif kind == "132":
            self._take_days(line, text)
        elif kind in _DIALECTS:
            self._take_worth(kind, text)
        elif _NATIONAL.fullmatch(text[:9]):
            self.national.append((line, text))
        elif not _PASSED.match(text) and not _shows_columns(text):
            self.fault(line, 0, "trf-unknown-record", record=kind)

    def _take_header(self, line: int, kind: str, text: str) -> None:
        value, (first, said) = text[4:].strip(), self.header[kind]
        if text[3:4].strip():
            self.fault(line, 3, "trf-misplaced", text=text[3])
        if said and value not in ("", said):
            self.fault(line, 0, "trf-record-twice", record=kind, first=first)
        elif kind in ("042", "052") and value and not day_of(value):
            self.fault(line, 4, "trf-bad-day", text=value)
        elif not said:
            self.header[kind] = (line, value)

    def _take_days(self, line: int, text: str) -> None:
        days = [(n, at, text[at : at + _WIDTH]) for n, at in enumerate(range(_FIRST, len(text), _WIDTH), 1)]
        if text[3:_FIRST].strip():
            self.day_lines += 1
            days = [(self.day_lines, 4, text[4:])]
        for number, at, said in days:
            day = day_of(said.strip(), SHORT_DAY)
            if said.strip() and day is None:
                self.fault(line, at, "trf-bad-day", text=said.strip())
            elif day and self.days.setdefault(number, (line, at, day))[2] != day:
                self.fault(line, at, "trf-round-dated-twice", round=number, first=self.days[number][0])

    def _take_worth(self, kind: str, text: str) -> None:
        """Take a record that says what results are worth; one that cannot be read ends the check."""
        if kind == "299" and text[7:11].strip():
            return  # it awards points to teams
        words, dialect = text[2 if kind[:2] == "BB" else 3 :], _DIALECTS[kind]
        said = [(name.upper(), _tenths(value)) for name, value in _WORTH.findall(words)]
        if _WORTH.sub("", words).strip() or not all(n in dialect and v is not None for n, v in said):
            self.worth = None
        elif self.worth is not None:
            self.worth |= {name: v for n, v in said if v is not None for name in dialect[n]}

    def _take_row(self, line: int, text: str) -> None:
        self.row_count += 1
        number = _natural(text[4:8])
        if not number:
            self.fault(line, 4, "trf-bad-start-rank", text=text[4:8].strip())
        elif number in self.rows:
            self.fault(line, 4, "trf-start-rank-twice", number=number, first=self.rows[number].line)
        else:
            self.rows[number] = self._row(line, number, text, _misplaced(text))

    def _row(self, line: int, number: int, text: str, stop: int | None) -> _Row:
        """Read a row as far as it can be relied on."""
        until = len(text) if stop is None else stop - (stop - _FIRST) % _WIDTH
        cells = [_cell(text[i : i + 8]) for i in range(_FIRST, until, _WIDTH)]
        if stop is not None:
            code = "trf-tab" if text[stop] == "\t" else "trf-misplaced" if stop < _END else "trf-too-long"
            self.fault(line, stop, code, text=text[stop])
        player = self._player(line, number, text) if stop is None or stop >= _FIRST else None
        return _Row(line, text, player, cells, stop is None)

    def _player(self, line: int, number: int, text: str) -> ReportedPlayer:
        sex, born = text[9:10].lower().strip().replace("f", "w"), text[69:79].strip()
        birth_date = day_of(born) if born else None
        if sex not in ("m", "w", ""):
            self.fault(line, 9, "trf-bad-sex", text=sex)
        if birth_date is None and not VAGUE_DAY.fullmatch(born):
            self.fault(line, 69, "trf-bad-birth-date", text=born)
        rating = self._number(line, 48, text[48:52], "trf-bad-rating") or None
        fide_id, name, federation = self._fide_id(line, text[57:68]), text[14:47].strip(), text[53:56].strip()
        return ReportedPlayer(number, name, fide_id, "", rating, federation, sex, birth_date, line)

    def _number(self, line: int, at: int, text: str, code: str) -> int:
        """Read a field's whole number; 0 if it is blank, or (noted) none."""
        number = _natural(text)
        if number is None:
            self.fault(line, at, code, text=text.strip())
        return number or 0

    def _fide_id(self, line: int, text: str) -> str:
        fide_id = str(self._number(line, 57, text, "trf-bad-fide-number") or "")
        first = self.fide_ids.setdefault(fide_id, line)
        if fide_id and first != line:
            self.fault(line, 57, "trf-fide-number-twice", number=fide_id, first=first)
        return fide_id

    def report(self) -> Report:
        """Make the report of all lines taken, with every fault, in the order of the lines."""
        self._check_player_count()
        starts, ends = self._event_days()
        rounds = max((len(row.cells) for row in self.rows.values()), default=0)
        for row in self.rows.values():
            row.cells.extend([_BLANK if row.whole else _UNREAD] * (rounds - len(row.cells)))
        self._check_points()
        name, place, federation, *_, arbiter, allotted, encoded = (said for _, said in self.header.values())
        event = ReportedEvent(
            name=name,
            place=place,
            federation=federation,
            responsible=arbiter,
            time_control=allotted or encoded,
            starts=starts,
            ends=ends,
            rounds=rounds,
        )
        players, games = tuple(self._players()), tuple(self._games())
        faults = tuple(sorted(self.faults, key=lambda f: (f.line, int(f.column or 0))))
        return Report(event, players, games, faults)

    def _check_player_count(self) -> None:
        if not self.row_count:
            self.faults.append(fault(self.file, 0, "", "trf-no-players"))
        line, text = self.header["062"]
        if text and _natural(text) != self.row_count:
            code = "trf-bad-player-count" if _natural(text) is None else "trf-player-count"
            self.fault(line, 4, code, text=text, rows=self.row_count)

    def _event_days(self) -> tuple[date | None, date | None]:
        starts, ends = day_of(self.header["042"][1]), day_of(self.header["052"][1])
        backwards = starts and ends and ends < starts
        if backwards:
            self.fault(self.header["052"][0], 4, "trf-ends-before-start", starts=starts, ends=ends)
        for number, (line, at, day) in self.days.items():
            if not (backwards or (starts or day) <= day <= (ends or day)):
                self.fault(line, at, "trf-round-outside-event", round=number, day=day)
        return starts, ends

    def _players(self) -> list[ReportedPlayer]:
        """Give the players, with what the national records add."""
        players = {number: row.player for number, row in self.rows.items() if row.player}
        for line, text in self.national:
            number, national_id, name = int(text[3:9]), text[57:68].strip(), text[14:47].strip()
            player = players.get(number)
            known = player.national_id if player else ""
            if number not in self.rows:
                self.fault(line, 4, "trf-no-such-player", number=number)
            elif known and national_id not in ("", known):
                self.fault(line, 57, "trf-national-number-twice", number=national_id, known=known)
            elif player:
                players[number] = player._replace(national_id=known or national_id, name=player.name or name)
        for player in players.values():
            if not (player.name or player.fide_id or player.national_id):
                self.fault(player.line, 14, "trf-nameless", number=player.number)
        return list(players.values())

    def _check_points(self) -> None:
        worth = {"PAB": self.worth["PAB?"]} | self.worth if self.worth else {}
        scores = {kind: worth[name] for kind, name in _WORTH_NAMES.items() if worth}
        for row in self.rows.values():
            text = row.text[80:84].strip() if row.whole else ""
            said, total = _tenths(text), sum([scores.get(kind, -(10**9)) for _, kind in row.cells if text])
            if text and said is None:
                self.fault(row.line, 80, "trf-bad-points", text=text)
            elif text and worth and total >= 0 and total != said:
                self.fault(row.line, 80, "trf-points", said=text, sum=f"{total // 10}.{total % 10}")

    def _games(self) -> list[ReportedGame]:
        """Give the games, round by round, by the lower start rank; what does not fit is noted."""
        games: list[ReportedGame] = []
        numbers = sorted(self.rows)
        lines = {number: self.rows[number].line for number in numbers}
        columns = zip(*(self.rows[number].cells for number in numbers), strict=True)
        for number, column in enumerate(columns, 1):
            self._play(number, dict(zip(numbers, column, strict=True)), lines, games)
        return games

    def _play(self, number: int, board: Board, lines: dict[int, int], games: list[ReportedGame]) -> None:
        """Add the games of a round; the row of the lower start rank speaks for both."""
        played = self.days[number][2] if number in self.days else None
        for one, (two, kind) in board.items():
            if two:
                other, answer = board.get(two, _UNREAD)
                if other != one or one == two:
                    self._note(number, one, board)
                elif one < two:
                    if fit := _FITS.get((kind, answer)):
                        white, black = (one, two) if fit[0] else (two, one)
                        games.append(ReportedGame(number, white, black, fit[1], played, lines[white]))
                    else:
                        self._note(number, one, board)
                        self._note(number, two, board)

    def _note(self, number: int, player: int, board: Board) -> None:
        """Note what is wrong with a round of a row, by itself or (at the later row) with the opponent's."""
        (opponent, kind), row, at = board[player], self.rows[player], _FIRST + _WIDTH * (number - 1)
        (back, answer), other = board.get(opponent, _UNREAD), self.rows.get(opponent, row)
        line, width, code = row.line, 4, kind
        if kind in _CELL_FAULTS:
            at, width = at + _CELL_FAULTS[kind], 4 if _CELL_FAULTS[kind] == 0 else 1
        elif kind and (opponent == player or opponent not in board):
            code = "trf-plays-self" if opponent == player else "trf-no-such-opponent"
        elif board.get(opponent) == _BLANK:
            code, line, other = "trf-missing-game", other.line, row
        elif back not in (player, -1):
            code = "trf-not-answered"
        elif back == player and line > other.line and answer not in _CELL_FAULTS:
            same = kind[0] == answer[0] != "-"
            code, at, width = ("trf-same-colour", at + 5, 1) if same else ("trf-results-clash", at + 7, 1)
        else:
            return
        facts = {"round": number, "player": player, "opponent": opponent, "other": other.line}
        self.fault(line, at, code, **facts, text=row.text[at : at + width].strip(), said=answer[1:])
