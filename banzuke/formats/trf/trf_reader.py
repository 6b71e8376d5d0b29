"""Reads a tournament report in FIDE's TRF16 (and TRF06 and TRF26, as far as they bear on rating).

A record is a line; its fields stand at fixed columns, counted from 1 in characters. What the published
format leaves open, or files in use do otherwise, is settled so:

- The encoding is found by `files.text`; what is in none is a fault, and so are a letter lost before (U+FFFD,
  UTF-8 encoded twice) and, where the encoding was guessed, a sign in a player's row that no name has.
- A day is `YYYY MM DD` or `DD MM YYYY`, parted by `/`, `-` or `.`, or has its month in English words; in 132
  also `YY MM DD` (20YY). A 132 record with something before column 92 is one round's day, the n-th round n's.
- No opponent and any of `H F U Z + -` or a blank is a round without a game (so is `w` or `b` with `+` or `-`:
  a team's forfeit; so are `0000 - 1`, `0000 - =`, `0000 - 0`, as older programs write byes). Of a forfeit in
  which neither has a colour the lower start rank is called White.
- Points are held against the results as `trf_points` says.
- Three capital letters and a start rank make a national record: it gives the national number and rating, and
  a name: the player's where 001 has none, else the native one where it differs. Two of one player may not
  differ in these. Passed over: DAT, other records that begin with XX or BB, rulers of digits, and pictures
  of the columns (`DDD SSSS sTTT`: the same letter three times, which is no federation, and no number).
- Of a row with something in a column that must be blank, the rest is not read, nor held against opponents.
- An event has as many rounds as its longest row, or record 142. If 142 says more than there are, the event is
  still under way, and that is a fault. XXR is a pairing program's plan: if it says more, that is a remark, if
  it says less, a fault. A start rank that nobody has is a remark: a line may be missing.
- What a line that begins with `#` says (`### Comment`) is a remark, of the first of them.
- 062 may say in brackets how many of the players have played (`129 (88)`).
- Minutes are taken from record 222 alone, and only if `parse_minutes` finds them stated plainly; words
  (122) are for whoever takes the report.
"""

import re
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from banzuke.core.fault import Fault, fault
from banzuke.formats.files.text import (
    decode_or_guess,
    find_encoded_twice,
    find_foreign,
    find_no_letter,
    find_no_name,
    first_numbers,
    read_as_latin,
)
from banzuke.formats.files.zip_files import ZIP_SIGNATURE
from banzuke.formats.notation import VAGUE_DAY, may_mean_minutes, parse_day, parse_minutes
from banzuke.formats.report import (
    Report,
    ReportedBye,
    ReportedEvent,
    ReportedGame,
    ReportedPlayer,
    refused_report,
)
from banzuke.formats.trf.trf_characters import comment_of, shows_columns
from banzuke.formats.trf.trf_days import Days
from banzuke.formats.trf.trf_points import DIALECTS, Points, parse_tenths
from banzuke.formats.trf.trf_rows import (
    END,
    FIRST,
    MOST_ROUNDS,
    WIDTH,
    Rounds,
    Row,
    blank_rounds,
    count_rounds,
    find_misplaced,
    name_byes,
    parse_number,
    row_fields,
)

_MOST_BYTES, _MOST_LINES, _MOST_CELLS, _MOST_FAULTS = 6 * 2**20, 200_000, 1_000_000, 10_000
_MOST_COMMENTS, _COMMENT_LETTERS = 20, 200
_HEADER = ("012", "022", "032", "042", "052", "062", "102", "122", "142", "222")
_PASSED = re.compile(r"$|DAT|XX|BB|013|0[7-9]2|1[157-9]2|2[01]2|2[4-6]0|3[0-3]0|3[56]2|80[12]")
_BEGINNING, _HEAD = re.compile(rb"(?:^|[\r\n]|\xef\xbb\xbf)(?:012 |001 {1,4}\d)"), 64 * 1024
_NOT_ASCII, _LOST = re.compile(r"[\0\x80-\U0010ffff]|\x1b"), re.compile("[\x80-\x9f\ufffd]")
_ROW = re.compile("^001.*", re.MULTILINE)
_NATIONAL = re.compile(r"(?!XX|BB|DAT|(.)\1\1)[A-Z]{3} +\d+ *", re.ASCII)
_PLAYING = re.compile(r" *+\([0-9]+\)\Z")
_TITLES = {title: title for title in ("GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM")}
#: Older programs write them so; `m` is an IM's, `wm` a WIM's.
_TITLES |= dict(zip(["g", "m", "f", "c", "wg", "wm", "wf", "wc"], _TITLES.values(), strict=True))
_SEXES = {"m": "m", "w": "w", "f": "w", "M": "m", "W": "w", "F": "w", " ": "", "": ""}


def looks_like(data: bytes) -> bool:
    """Whether a line of the file's beginning is a player's or the tournament's name; it is not packed."""
    return not data.startswith(ZIP_SIGNATURE) and bool(_BEGINNING.search(data[:_HEAD].replace(b"\0", b"")))


def read(data: bytes, file: str) -> Report:
    """Read the report in `data`; `file` names it in the faults. Raises nothing: see `Report.faults`."""
    reader = _Reader(file)
    lines = reader.lines(data) if len(data) <= _MOST_BYTES else None
    if lines is None or len(lines) > _MOST_LINES:
        reader.too_big()
        return refused_report(*reader.faults)
    for line, text in enumerate(lines, 1):
        reader.take(line, text)
    return reader.report()


@lru_cache(maxsize=2**15)
def _birth(text: str) -> date | None:
    """Find a day of birth; the usual way to write one is tried first, for there are thousands."""
    if text[4:5] == text[7:8] == "/" and len(text) == len("1990/05/31"):
        try:
            return date.fromisoformat(text.replace("/", "-"))
        except ValueError:
            pass
    return parse_day(text)


class _National(NamedTuple):
    """What a national record says; blank or 0 where it says nothing."""

    line: int
    name: str
    rating: int
    national_id: str


@dataclass(slots=True)
class _Reader:
    """A report as far as it is read: `take` every line, then make the `report`."""

    file: str
    faults: list[Fault] = field(default_factory=list)
    remarks: list[Fault] = field(default_factory=list)
    header: dict[str, tuple[int, str]] = field(default_factory=lambda: dict.fromkeys(_HEADER, (0, "")))
    rows: dict[int, Row] = field(default_factory=dict)
    players: dict[int, ReportedPlayer] = field(default_factory=dict)
    row_count: int = 0
    fide_ids: dict[str, int] = field(default_factory=dict)
    national_lines: list[tuple[int, str]] = field(default_factory=list)
    nationals: dict[int, list[_National]] = field(default_factory=dict)
    comments: int = 0
    planned: tuple[int, int] = (0, 0)
    points: Points = field(default_factory=Points)
    byes: tuple[ReportedBye, ...] = ()
    days: Days = field(init=False)

    def __post_init__(self) -> None:
        self.days = Days(self.fault, self.remark)

    def fault(self, line: int, at: int, code: str, **facts: object) -> None:
        """Note a fault at the position `at` (from 0) of a line (0: of the whole file)."""
        if len(self.faults) < _MOST_FAULTS:
            self.faults.append(fault(self.file, line, str(at + 1) if line else "", code, **facts))

    def too_big(self) -> None:
        """Note that the file is more than is read."""
        most = {"megabytes": _MOST_BYTES >> 20, "lines": _MOST_LINES, "results": _MOST_CELLS}
        self.fault(0, 0, "trf-too-big", **most)

    def lines(self, data: bytes) -> list[str]:
        """Part the lines, without the blanks at their ends; none if the file is no text at all."""
        decoded, is_guessed = decode_or_guess(data)
        text = read_as_latin(data) if decoded is None else decoded
        if decoded is None:
            found = find_no_letter(text) or find_foreign(text) or _NOT_ASCII.search(text)
        elif is_guessed:
            rows = (find_no_name(text, *row.span()) for row in _ROW.finditer(text))
            found = next(filter(None, rows), None)
        else:
            found = _LOST.search(text) or find_encoded_twice(text)
        if found:
            line, at = text.count("\n", 0, found.start()), text.rfind("\n", 0, found.start()) + 1
            code = "trf-encoding" if decoded is None or is_guessed else "trf-lost-letter"
            self.fault(line + 1, found.start() - at, code)
        return [] if "\0" in text else [line.rstrip() for line in text.split("\n")]

    def take(self, line: int, text: str) -> None:
        """Take any line (counted from 1) of the file."""
        kind = text[:3]
        if kind == "001":
            self._take_row(line, text)
        elif kind in self.header and not shows_columns(text):
            self._take_header(line, kind, text)
        elif kind == "132":
            self.days.take(line, text)
        elif kind in DIALECTS:
            self.points.take(kind, text)
        elif kind[:1] == "#":
            self._take_comment(line, comment_of(text))
        elif kind == "XXR":
            self.planned = line, parse_number(text[3:]) or 0
        elif _NATIONAL.fullmatch(text[:9]):
            self.national_lines.append((line, text))
        elif not _PASSED.match(text) and not shows_columns(text):
            self.fault(line, 0, "trf-unknown-record", record=kind)

    def remark(self, line: int, at: int, code: str, **facts: object) -> None:
        """Note what is worth knowing of a line, and no fault."""
        self.remarks.append(fault(self.file, line, str(at + 1) if line else "", code, **facts))

    def _take_comment(self, line: int, text: str) -> None:
        self.comments += bool(text)
        if text and self.comments <= _MOST_COMMENTS:
            self.remark(line, 0, "trf-comment", text=text[:_COMMENT_LETTERS])

    def _take_header(self, line: int, kind: str, text: str) -> None:
        value, (first, known) = text[4:].strip(), self.header[kind]
        if text[3:4].strip():
            self.fault(line, 3, "trf-misplaced", text=text[3])
        if known and value not in ("", known):
            self.fault(line, 0, "trf-record-twice", record=kind, first=first)
        elif not known:
            self.header[kind] = (line, value)

    def _take_row(self, line: int, text: str) -> None:
        self.row_count += 1
        number = parse_number(text[4:8])
        if not number:
            self.fault(line, 4, "trf-bad-start-rank", text=text[4:8].strip())
        elif number in self.rows:
            self.fault(line, 4, "trf-start-rank-twice", number=number, first=self.rows[number].line)
        else:
            self.rows[number] = self._row(line, number, name_byes(text))

    def _row(self, line: int, number: int, text: str) -> Row:
        """Read a row as far as it can be relied on."""
        stop = find_misplaced(text)
        if stop is None or stop >= FIRST:
            self.players[number] = self._player(line, number, text)
        if stop is None:
            return Row(line, text, len(text))
        code = "trf-tab" if text[stop] == "\t" else "trf-misplaced" if stop < END else "trf-too-long"
        self.fault(line, stop, code, text=text[stop])
        return Row(line, text, stop - (stop - FIRST) % WIDTH)

    def _player(self, line: int, number: int, text: str) -> ReportedPlayer:
        sex, name, rating, federation, fide_id, born = row_fields(text)
        born = born.strip()
        birth_date = _birth(born) if born else None
        if sex not in _SEXES:
            self.fault(line, 9, "trf-bad-sex", text=sex)
        if birth_date is None and not VAGUE_DAY.fullmatch(born):
            self.fault(line, 69, "trf-bad-birth-date", text=born)
        points = self._number(line, 48, rating, "trf-bad-rating") or None
        name, federation, sex = name.strip(), federation.strip(), _SEXES.get(sex, "")
        fide_id = self._fide_id(line, fide_id)
        title = _TITLES.get(text[10:13].strip(), "")
        return ReportedPlayer(
            number, name, fide_id, "", points, federation, sex, birth_date, line, title=title
        )

    def _number(self, line: int, at: int, text: str, code: str) -> int:
        """Read a field's whole number; 0 if it is blank, or (noted) none."""
        number = parse_number(text)
        if number is None:
            self.fault(line, at, code, text=text.strip())
        return number or 0

    def _fide_id(self, line: int, text: str) -> str:
        fide_id = text.strip().lstrip("0")
        if not fide_id:
            return ""
        if not (fide_id.isdecimal() and fide_id.isascii()):
            self.fault(line, 57, "trf-bad-fide-number", text=text.strip())
            return ""
        first = self.fide_ids.setdefault(fide_id, line)
        if first != line:
            self.fault(line, 57, "trf-fide-number-twice", number=fide_id, first=first)
        return fide_id

    def report(self) -> Report:
        """Make the report of all lines taken, with every fault, in the order of the lines."""
        self._check_player_count()
        starts, ends = self.days.event(self.header["042"], self.header["052"])
        line, coded = self.header["222"]
        base, increment = parse_minutes(coded)
        if may_mean_minutes(coded):
            self.remark(line, 4, "trf-short-time", text=coded)
        event = ReportedEvent(
            name=self.header["012"][1],
            place=self.header["022"][1],
            federation=self.header["032"][1],
            responsible=self.header["102"][1],
            time_control=self.header["122"][1] or coded,
            base_minutes=base,
            increment_seconds=increment,
            starts=starts,
            ends=ends,
            rounds=self._rounds(),
        )
        players, games = tuple(self._players()), tuple(self._games())
        faults = tuple(sorted(self.faults, key=lambda f: (f.line, int(f.column or 0))))
        return Report(event, players, games, faults, tuple(self.remarks), byes=self.byes)

    def _check_player_count(self) -> None:
        if not self.row_count:
            self.fault(0, 0, "trf-no-players")
        self._check_start_ranks()
        line, text = self.header["062"]
        players = parse_number(_PLAYING.sub("", text))
        if text and players != self.row_count:
            code = "trf-bad-player-count" if players is None else "trf-player-count"
            self.fault(line, 4, code, text=text, rows=self.row_count)

    def _rounds(self) -> int:
        """How many rounds the event has, by its rows or (if these are more) by record 142."""
        filled, (line, text) = count_rounds(self.rows), self.header["142"]
        rounds, whole = parse_number(text), all(row.whole for row in self.rows.values())
        if rounds is None or rounds > MOST_ROUNDS:
            self.fault(line, 4, "trf-bad-round-count", text=text, rounds=filled)
            return filled
        if text and rounds < filled:
            self.fault(line, 4, "trf-round-count", text=text, rounds=filled)
        elif rounds > filled and whole:
            self.fault(line, 4, "trf-under-way", text=text, rounds=filled)
        if whole:
            self._check_plan(filled, max(filled, rounds))
        return max(filled, rounds)

    def _check_plan(self, filled: int, rounds: int) -> None:
        """Hold the rounds against record XXR, the plan of a pairing program."""
        line, planned = self.planned
        if planned > rounds:
            self.remark(line, 4, "trf-planned", text=planned, rounds=filled)
        elif 0 < planned < filled:
            self.fault(line, 4, "trf-beyond-plan", text=planned, rounds=filled)

    def _check_start_ranks(self) -> None:
        """Note the start ranks below the last that nobody has."""
        if missing := sorted(set(range(1, max(self.rows, default=0))) - self.rows.keys()):
            self.remark(0, 0, "trf-start-ranks-missing", numbers=first_numbers(missing))

    def _players(self) -> list[ReportedPlayer]:
        """Give the players, with what the national records add."""
        for line, text in self.national_lines:
            self._take_national(line, int(text[3:9]), text)
        for number in self.nationals.keys() & self.players.keys():
            self.players[number] = self._with_national(self.players[number], self.nationals[number])
        for player in self.players.values():
            if not (player.name or player.fide_id or player.national_id):
                self.fault(player.line, 14, "trf-nameless", number=player.number)
        return list(self.players.values())

    def _take_national(self, line: int, number: int, text: str) -> None:
        stop = find_misplaced(text)
        if number not in self.rows:
            self.fault(line, 4, "trf-no-such-player", number=number)
        elif stop is not None:
            self.fault(line, stop, "trf-tab" if text[stop] == "\t" else "trf-misplaced", text=text[stop])
        else:
            _, name, rating, _, national_id, _ = row_fields(text)
            value = self._number(line, 48, rating, "trf-bad-rating")
            record = _National(line, name.strip(), value, national_id.strip())
            self.nationals.setdefault(number, []).append(record)

    def _with_national(self, player: ReportedPlayer, records: list[_National]) -> ReportedPlayer:
        """Give the player with what the national records add: of each kind the first."""
        _, name, rating, national_id = records[0] if len(records) == 1 else self._first_said(records)
        return player._replace(
            name=player.name or name,
            name_native=name if player.name and name != player.name else "",
            national_id=national_id,
            national_rating=rating or None,
        )

    def _first_said(self, records: list[_National]) -> _National:
        """What several records of one player say together; a fault where two contradict each other."""
        merged = _National(0, "", 0, "")
        for name, at in (("name", 14), ("rating", 48), ("national_id", 57)):
            saying = [record for record in records if getattr(record, name)]
            for record in saying:
                known, text = getattr(saying[0], name), getattr(record, name)
                merged = merged._replace(**{name: known})
                if text != known:
                    self.fault(
                        record.line, at, "trf-national-twice", text=text, known=known, first=saying[0].line
                    )
        return merged

    def _games(self) -> list[ReportedGame]:
        """Give the games, and hold the points against the results."""
        rows = {number: self.rows[number] for number in sorted(self.rows)}
        if count_rounds(rows) * len(rows) > _MOST_CELLS:
            self.too_big()
            return []
        rounds = Rounds(rows, self.fault)
        games = rounds.games(self.days.by_round)
        self.byes = tuple(rounds.byes())
        sums = self.points.sums((board.kinds for board in rounds.boards), len(rows))
        for (number, row), total in zip(rows.items(), sums or [-1] * len(rows), strict=True):
            if row.whole:
                self._check_points(row, -1 if number in rounds.doubtful else total)
        return games

    def _check_points(self, row: Row, total: int) -> None:
        """Hold the points of a row against the sum of its results (below 0: not to be compared)."""
        text = row.text[80:84].strip()
        points = parse_tenths(text) if text else total
        if points is None:
            self.fault(row.line, 80, "trf-bad-points", text=text)
        elif points != total >= 0:
            self._note_points(row, text, f"{total // 10}.{total % 10}", is_more=points > total)

    def _note_points(self, row: Row, said: str, total: str, *, is_more: bool) -> None:
        """Note points that the results do not make: more of them may come from byes without a letter."""
        unnamed = blank_rounds(row, count_rounds(self.rows)) if is_more else []
        if unnamed:
            rounds = first_numbers(unnamed)
            self.fault(row.line, 80, "trf-points-unnamed", said=said, sum=total, rounds=rounds)
        else:
            self.fault(row.line, 80, "trf-points", said=said, sum=total)
