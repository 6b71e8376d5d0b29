"""Reads Swiss-Manager's own files: .TUNX (Swiss), .TURX (round robin), .TUTX and .TUMX (teams).

The layout is not published; what follows was found in files and holds in every one seen. Numbers begin with
their lowest byte; a text is its number of letters and these in UTF-16.

- A head of 108 bytes, 132 texts about the event, and sections with a mark of four bytes: settings (95),
  rounds (A3), players (A5), pairings (B3), in team events more; at the end the places of all (D3) and E3.
  A file in which one of these does not fit the others is refused whole: it is of another version, or broken.
- A player is 18 texts and 134 bytes; the start rank is the place in the order. What sex 0 means is not known,
  so it is left blank. Of a birth date of which only the year is known the day is 0.
- A name is `first text, second text`, which the program calls last and first name. Where a federation's list
  was cut at the first blank it is the other way round: so if the second texts hold particles that go before
  a surname (`De Castro`) and twice as many words as the first, and a remark says so.
- A round tells its day and how many pairings are its own; they follow one another in the order of the rounds.
- A pairing is White, Black, and a result: 1 2 3 played, 4 5 6 forfeited by Black, White, both, 0 none yet.
  7 and others were in no file and are faults. An opponent 0 (an empty board of a team), FFFE (not paired)
  or FFFF (bye) makes no game, whatever the result; but the result says what the round is worth.
- A fault's line is 0, its column the place of the bytes in the file, from 0.
"""

import re
import struct
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from banzuke.core.fault import Fault, fault
from banzuke.formats.report import (
    Report,
    ReportedBye,
    ReportedEvent,
    ReportedGame,
    ReportedPlayer,
    refused_report,
)

_MOST_BYTES = 8 * 1024 * 1024  # an Olympiad of a thousand players has half of one
_MARK = b"\xff\x89\x44"
_HEAD, _DIRECTORY, _TEXTS = 108, 36, 132
_KINDS = range(4)  # Swiss, round robin, and both of them for teams
_PLAYER_TEXTS, _PLAYER_BYTES = 18, 134
_ROUND_TEXTS, _ROUND_BYTES = 16, 76
_PAIRING_BYTES = 21
_NOBODY = {0, 0xFFFE, 0xFFFF}
_RESULTS = {1: "1-0", 2: "1/2-1/2", 3: "0-1", 4: "+/-", 5: "-/+", 6: "-/-"}
_NO_RESULT = 0
#: Half points of a side without an opponent, by the result: of White's side, and of Black's.
_BYE_POINTS = ({1: 2, 2: 1, 4: 2}, {3: 2, 2: 1, 5: 2})
_BEFORE_SURNAMES = re.compile(r"\b(?:d[aeiou]|d[ao]s|del|van|von)\s+\w", re.IGNORECASE)


def looks_like(data: bytes) -> bool:
    """Whether the bytes begin as Swiss-Manager's files do."""
    return data.startswith(b"\x93" + _MARK)


def read(data: bytes, file: str) -> Report:
    """Read the event in `data`; `file` names it in the faults. Raises nothing: see `Report.faults`."""
    reader = _Reader(data, file)
    try:
        return reader.report()
    except _BrokenError as broken:
        return refused_report(fault(file, 0, str(broken.at), broken.code))


class _BrokenError(Exception):
    """The bytes at a place are not what the layout has there; nothing after them can be relied on."""

    def __init__(self, at: int, code: str) -> None:
        super().__init__(code)
        self.at, self.code = at, code


@dataclass(slots=True)
class _Bytes:
    """A section that is read from its beginning (`at`) to its end."""

    data: bytes
    at: int
    end: int

    def take(self, size: int) -> bytes:
        """The next bytes; fails if the section ends before."""
        if self.at + size > self.end:
            raise _BrokenError(self.at, "swiss-manager-overrun")
        self.at += size
        return self.data[self.at - size : self.at]

    def text(self) -> str:
        """The next text, its blanks made single."""
        place = self.at
        letters = self.take(2 * int.from_bytes(self.take(2), "little"))
        try:
            text = letters.decode("utf-16-le")
        except UnicodeDecodeError:
            text = "\0"
        if "\0" in text:
            raise _BrokenError(place, "swiss-manager-text")
        return " ".join(text.split())

    def texts(self, count: int) -> list[str]:
        """As many texts."""
        return [self.text() for _ in range(count)]


class _Record(NamedTuple):
    """A player's texts and numbers; `place` is where the numbers begin."""

    place: int
    texts: list[str]
    sex: int
    rating: int
    national_rating: int
    born: int
    fide_id: int


class _Pairing(NamedTuple):
    """A pairing and its place."""

    place: int
    white: int
    black: int
    result: int


class _Round(NamedTuple):
    """A round with its pairings; `place` is where its numbers begin."""

    number: int
    place: int
    day: date | None
    pairings: list[_Pairing]


@dataclass(slots=True)
class _Reader:
    """A file as far as it is read."""

    data: bytes
    file: str
    faults: list[Fault] = field(default_factory=list)
    remarks: list[Fault] = field(default_factory=list)

    def fault(self, place: int, code: str, **facts: object) -> None:
        """Note a fault at a place."""
        self.faults.append(fault(self.file, 0, str(place), code, **facts))

    def report(self) -> Report:
        """Make the report; fails where the file's layout is broken."""
        rounds_at, players_at, pairings_at, end = self._places()
        texts = _Bytes(self.data, _HEAD, rounds_at)
        event, player_count = self._event(texts.texts(_TEXTS), texts)
        records = list(_records(_Bytes(self.data, players_at + 4, pairings_at)))
        if len(records) != player_count:
            raise _BrokenError(players_at, "swiss-manager-player-count")
        rounds = self._rounds(_Bytes(self.data, rounds_at + 4, players_at), pairings_at + 4, end)
        if len(rounds) != event.rounds:
            raise _BrokenError(rounds_at, "swiss-manager-round-count")
        players = self._players(records)
        games = [game for each in rounds for game in self._games(each, len(players))]
        self._check_finished(rounds, rounds_at)
        faults = sorted(self.faults, key=lambda f: int(f.column))
        byes = tuple(_byes(rounds))
        return Report(event, tuple(players), tuple(games), tuple(faults), tuple(self.remarks), byes=byes)

    def _places(self) -> tuple[int, int, int, int]:
        """Where the rounds, the players and the pairings begin, and where the pairings end."""
        data, directory = self.data, len(self.data) - _DIRECTORY
        if not looks_like(data):
            raise _BrokenError(0, "swiss-manager-other-file")
        if len(data) > _MOST_BYTES:
            raise _BrokenError(_MOST_BYTES, "swiss-manager-too-large")
        if directory < _HEAD or data[directory:][:4] != b"\xd3" + _MARK or data[-4:] != b"\xe3" + _MARK:
            raise _BrokenError(len(data), "swiss-manager-cut")
        places = [place for place in struct.unpack_from("<7I", data, directory + 4) if place]
        begins = [data[place : place + 4] for place in places]
        if (
            sorted({_HEAD, *places}) != [_HEAD, *places]
            or begins[:3] != [mark + _MARK for mark in (b"\xa3", b"\xa5", b"\xb3")]
            or any(begin[1:] != _MARK for begin in begins)
            or places[-1] != directory
        ):
            raise _BrokenError(directory + 4, "swiss-manager-layout")
        rounds, players, pairings, end, *_ = places
        return rounds, players, pairings, end

    def _event(self, texts: list[str], rest: _Bytes) -> tuple[ReportedEvent, int]:
        """The event, and how many players it says to have."""
        place, settings = rest.at, rest.take(83)
        kind, player_count, rounds, first, last = struct.unpack_from("<15xH6xH2xH46xII", settings)
        if settings[:4] != b"\x95" + _MARK or kind not in _KINDS:
            raise _BrokenError(place, "swiss-manager-layout")
        (key,) = struct.unpack_from("<I", self.data, 32)
        starts, ends = (self._day(place + 75 + at, day) for at, day in ((0, first), (4, last)))
        if starts and ends and ends < starts:
            self.fault(place + 79, "swiss-manager-ends-before-start", starts=starts, ends=ends)
        event = ReportedEvent(
            name=texts[0],
            place=", ".join(filter(None, (texts[5], texts[10]))),
            federation=texts[20],
            organiser=texts[4],
            responsible=texts[21],
            time_control=texts[14],
            starts=starts,
            ends=ends,
            rounds=rounds,
            source=f"tnr{key}" if key else "",
        )
        return event, player_count

    def _day(self, place: int, number: int) -> date | None:
        """The day of a number such as 20250624; None for 0, or (noted) for one that is no day."""
        try:
            return date(number // 10_000, number // 100 % 100, number % 100) if number else None
        except ValueError:
            self.fault(place, "swiss-manager-bad-day", number=number)
        return None

    def _players(self, records: list[_Record]) -> list[ReportedPlayer]:
        turned = _names_are_turned(records)
        players = [self._player(number, record, turned) for number, record in enumerate(records, 1)]
        if turned:
            example = players[0].name
            place = str(records[0].place)
            self.remarks.append(fault(self.file, 0, place, "swiss-manager-names-turned", example=example))
        return players

    def _player(self, number: int, record: _Record, turned: bool) -> ReportedPlayer:
        last, first = record.texts[1::-1] if turned else record.texts[:2]
        name = ", ".join(filter(None, (last, first)))
        national_id = record.texts[5]
        fide_id = str(record.fide_id or "")
        if not (name or national_id or fide_id):
            self.fault(record.place, "swiss-manager-nameless", number=number)
        return ReportedPlayer(
            number,
            name,
            fide_id,
            national_id,
            record.rating or None,
            record.texts[10],
            "w" if record.sex == 1 else "",
            self._day(record.place + 38, record.born) if record.born % 100 else None,
            national_rating=record.national_rating or None,
        )

    def _rounds(self, section: _Bytes, at: int, end: int) -> list[_Round]:
        """Every round with its own pairings, of those from `at` to `end`."""
        rounds: list[_Round] = []
        pairings = _Bytes(self.data, at, end)
        while section.at < section.end:
            section.texts(_ROUND_TEXTS)
            place = section.at
            day, count = struct.unpack_from("<I2xH", section.take(_ROUND_BYTES))
            own = list(_pairings(pairings, count))
            rounds.append(_Round(len(rounds) + 1, place, self._day(place, day), own))
        if pairings.at != end:
            raise _BrokenError(pairings.at, "swiss-manager-pairing-count")
        return rounds

    def _games(self, each: _Round, player_count: int) -> Iterator[ReportedGame]:
        """The games of a round; what is wrong with one is noted."""
        paired = Counter(number for p in each.pairings for number in {p.white, p.black} - _NOBODY)
        is_open = _is_open(each)
        for pairing in each.pairings:
            place, white, black, result = pairing
            if wrong := _pairing_fault(pairing, player_count, paired):
                facts = {"round": each.number, "white": white, "black": black, "result": result}
                if wrong != "swiss-manager-no-result" or not is_open:
                    self.fault(place, wrong, **facts, players=player_count)
            elif white not in _NOBODY and black not in _NOBODY:
                yield ReportedGame(each.number, white, black, _RESULTS[result], each.day)

    def _check_finished(self, rounds: list[_Round], rounds_at: int) -> None:
        """Note the first round of which nothing has been played."""
        still_open = [each for each in rounds or [_Round(1, rounds_at, None, [])] if _is_open(each)]
        if still_open:
            number, place, *_ = still_open[0]
            self.fault(place, "swiss-manager-under-way", round=number, rounds=max(1, len(rounds)))


def _byes(rounds: list[_Round]) -> Iterator[ReportedBye]:
    """The rounds without an opponent that are worth points."""
    for each in rounds:
        for pairing in each.pairings:
            sides = (pairing.white, pairing.black), (pairing.black, pairing.white)
            for (player, opponent), worth in zip(sides, _BYE_POINTS, strict=True):
                if player not in _NOBODY and opponent in _NOBODY and pairing.result in worth:
                    yield ReportedBye(each.number, player, worth[pairing.result])


def _is_open(each: _Round) -> bool:
    """Whether no two players of a round have a result."""
    return all(p.result == _NO_RESULT for p in each.pairings if not {p.white, p.black} & _NOBODY)


def _pairing_fault(pairing: _Pairing, player_count: int, paired: Counter[int]) -> str | None:
    """The code of what is wrong with a pairing, by how often its round pairs each player."""
    _, white, black, result = pairing
    named = {white, black} - _NOBODY
    if any(number > player_count for number in named):
        return "swiss-manager-no-such-player"
    if any(paired[number] > 1 for number in named):
        return "swiss-manager-paired-twice"
    if white == black and named:
        return "swiss-manager-plays-self"
    if {white, black} & _NOBODY or result in _RESULTS:
        return None
    return "swiss-manager-result" if result != _NO_RESULT else "swiss-manager-no-result"


def _records(section: _Bytes) -> Iterator[_Record]:
    while section.at < section.end:
        texts = section.texts(_PLAYER_TEXTS)
        place = section.at
        numbers = struct.unpack_from("<30x3H2xI6xI", section.take(_PLAYER_BYTES))
        yield _Record(place, texts, *numbers)


def _pairings(section: _Bytes, count: int) -> Iterator[_Pairing]:
    for _ in range(count):
        place = section.at
        yield _Pairing(place, *struct.unpack_from("<3H", section.take(_PAIRING_BYTES)))


def _names_are_turned(records: list[_Record]) -> bool:
    """Whether the names stand with the given name first, by what stands in the second texts."""
    lasts, firsts = ([record.texts[part] for record in records] for part in (0, 1))
    words = [sum(len(text.split()) for text in texts) for texts in (lasts, firsts)]
    return 2 * words[0] <= words[1] and any(map(_BEFORE_SURNAMES.search, firsts))
