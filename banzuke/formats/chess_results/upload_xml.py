"""Reads the XML in which pairing programs upload an event to Chess-Results.

Under `chessresults` stand `tournament`, `round`, `player` and `playerpairing` (or `pairing`) elements, with
everything in attributes. What the description leaves open, or programs in use do otherwise, is settled so:

- A score is `1`, `0,5`, `0.5`, `½`, `0`. Programs leave a zero blank: a blank beside 1 is 0. Both blank is a
  game without result, with the mark `K` a forfeit by both.
- `forfeit` is `K` for a forfeit, `U` for a game that was played but is not rated (`u1-0`), `D` for 0-0, which
  is a forfeit by both, `H` for an adjourned game, which is a fault. Any other mark is one too.
- `ratednational="N"` on a pairing says the same as `U`, and a remark tells how many there are. On the
  tournament it changes no result; a remark says it.
- An opponent -1 (bye) or -2 (not paired), or none, makes no game, whatever the score.
- `id` is the national number, but not from the two programs known to put a number of their own there (by
  `source` of `securitydata`); a remark says so. `rtg` may be of either list and is passed over for `rtgfide`
  and `rtgnat`.
- No such file has a document type, so one that has is refused: it could hold a bomb of entities.
- A fault's line is the one on which the element's tag ends, its column the attribute; of what is no XML
  at all they are the character's.
"""

import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from lxml import etree

from banzuke.core.fault import Fault, fault
from banzuke.formats.files.text import plain, whole_number
from banzuke.formats.notation import VAGUE_DAY, parse_day
from banzuke.formats.report import (
    MOST_FIDE_ID,
    MOST_RATING,
    Report,
    ReportedBye,
    ReportedEvent,
    ReportedGame,
    ReportedPlayer,
    refused_report,
)

_MOST_BYTES, _MOST_ELEMENTS = 8 * 1024 * 1024, 200_000  # an Olympiad has some 3 MB and 10,000 elements
_MOST_PLAYERS, _MOST_ROUNDS = 9999, 999
_HEAD = 64 * 1024
_ROOT = re.compile(rb"<chessresults[\s/>]", re.IGNORECASE)
_COMPACT = re.compile(r"(?P<y>\d{4})(?P<m>\d\d)(?P<d>\d\d)", re.ASCII)
_NO_DAY = re.compile(r"\d{4}0000|None", re.ASCII)  # one program writes None
_NOBODY = ("-1", "-2", "0", "")
_ONE = 2  # in half points
_SCORES = ((_ONE, r"1([.,]0+)?"), (1, r"0?[.,]50*|1[/⁄]2"), (0, r"0([.,]0+)?"))
_PLAYED = {(2, 0): "1-0", (1, 1): "1/2-1/2", (0, 2): "0-1"}
_UNRATED = {scores: "u" + result for scores, result in _PLAYED.items()}
_FORFEITED = {(2, 0): "+/-", (0, 2): "-/+", (0, 0): "-/-"}
_MARKS = {"": _PLAYED, "U": _UNRATED, "K": _FORFEITED, "D": {(0, 0): "-/-"}}
_OWN_NUMBERS = {"13", "21"}  # Sharly Chess, Chess-Publisher
_YES_NO = {"j": True, "y": True, "n": False}


class _Pairing(NamedTuple):
    """A pairing of two numbers; the result is blank where it has a fault."""

    line: int
    round: int
    white: int
    black: int
    result: str


class _Element:
    """An element that has just begun, with its attributes.

    They are asked for by name: to list them all takes the square of their number in lxml.
    """

    def __init__(self, element: etree._Element) -> None:
        self.line: int = element.sourceline or 0
        self.attribute = element.get

    def name(self, attribute: str) -> str:
        """An attribute's words with single blanks."""
        return " ".join(self.attribute(attribute, "").split())

    def text(self, attribute: str) -> str:
        """An attribute as one would type it."""
        return plain(self.attribute(attribute, ""))


def looks_like(data: bytes) -> bool:
    """Whether the element that begins such a file stands in its beginning."""
    return bool(_ROOT.search(data[:_HEAD].replace(b"\0", b"")))


def read(data: bytes, file: str) -> Report:
    """Read the event in `data`; `file` names it in the faults. Raises nothing: see `Report.faults`."""
    reader = _Reader(file)
    if reader.takes(data):
        return reader.report()
    return refused_report(*reader.faults)


@dataclass(slots=True)
class _Reader:
    """An event as far as it is read: `takes` the file, then makes the `report`."""

    file: str
    faults: list[Fault] = field(default_factory=list)
    remarks: list[Fault] = field(default_factory=list)
    event: ReportedEvent = field(default_factory=ReportedEvent)
    event_line: int = 0
    days: dict[int, date] = field(default_factory=dict)
    players: dict[int, ReportedPlayer] = field(default_factory=dict)
    pairings: list[_Pairing] = field(default_factory=list)
    rounds_paired: set[int] = field(default_factory=set)
    byes: list[ReportedBye] = field(default_factory=list)
    unrated: list[int] = field(default_factory=list)
    own_numbers: bool = False

    def fault(self, line: int, column: str, code: str, **facts: object) -> None:
        """Note a fault at an attribute."""
        self.faults.append(fault(self.file, line, column, code, **facts))

    def remark(self, line: int, column: str, code: str, **facts: object) -> None:
        """Note something worth knowing."""
        self.remarks.append(fault(self.file, line, column, code, **facts))

    def takes(self, data: bytes) -> bool:
        """Take the whole file; False if it is none that can be read, which is noted."""
        if len(data) > _MOST_BYTES:
            self.fault(0, "", "upload-xml-too-large")
            return False
        letters = data.replace(b"\0", b"")  # UTF-16 has zeros between them
        doctype = letters.upper().find(b"<!DOCTYPE")
        if doctype >= 0:
            self.fault(1 + letters.count(b"\n", 0, doctype), "", "upload-xml-doctype")
            return False
        return self._takes_elements(data)

    def _takes_elements(self, data: bytes) -> bool:
        events = _events(data)
        try:
            for count, (tag, element) in enumerate(_elements(events)):
                if count == 0 and tag != "chessresults":
                    self.fault(element.line, "", "upload-xml-other", root=tag)
                    return False
                if count == _MOST_ELEMENTS:
                    self.fault(element.line, "", "upload-xml-too-large")
                    return False
                self._take(tag, element)
        except etree.XMLSyntaxError as error:
            first = next(iter(events.error_log), None)
            line, column, reason = (first.line, first.column, first.message) if first else (0, "", error.msg)
            self.fault(line, str(column), "upload-xml-broken", reason=reason)
            return False
        return True

    def _take(self, tag: str, element: _Element) -> None:
        if tag == "tournament":
            self._take_event(element)
        elif tag == "round":
            self._take_round(element)
        elif tag == "player":
            self._take_player(element)
        elif tag == "playerpairing" or (tag == "pairing" and element.text("whiteno")):
            self._take_pairing(element)
        elif tag == "securitydata":
            self.own_numbers = element.text("source") in _OWN_NUMBERS

    def _take_event(self, element: _Element) -> None:
        if self.event_line:
            self.fault(element.line, "", "upload-xml-tournament-twice", first=self.event_line)
            return
        self.event_line, key = element.line, element.text("key")
        rounds = self._number(element, "rounds", "upload-xml-bad-rounds", _MOST_ROUNDS)
        starts, ends = (self._day(element, attribute) for attribute in ("from", "to"))
        if starts and ends and ends < starts:
            self.fault(element.line, "to", "upload-xml-ends-before-start", starts=starts, ends=ends)
        self.event = ReportedEvent(
            name=element.name("name"),
            place=element.name("location"),
            federation=element.name("federation"),
            organiser=element.name("organiser"),
            responsible=element.name("chiefarbiter"),
            time_control=element.name("timecontrol"),
            fide_rated=_YES_NO.get(element.text("ratedfide").lower()),
            starts=starts,
            ends=ends,
            rounds=rounds,
            source=f"tnr{key}" if whole_number(key) else "",
        )
        if element.text("ratednational").lower() == "n":
            self.remark(element.line, "ratednational", "upload-xml-not-national")

    def _take_round(self, element: _Element) -> None:
        number = whole_number(element.text("round"), _MOST_ROUNDS)
        day = self._day(element, "date")
        if not number:
            self.fault(element.line, "round", "upload-xml-bad-round", text=element.name("round"))
        elif day:
            self.days[number] = day

    def _take_player(self, element: _Element) -> None:
        number, line = whole_number(element.text("no"), _MOST_PLAYERS), element.line
        if not number:
            self.fault(line, "no", "upload-xml-bad-start-rank", text=element.name("no"))
        elif number in self.players:
            first = self.players[number].line
            self.fault(line, "no", "upload-xml-start-rank-twice", number=number, first=first)
        else:
            self.players[number] = self._player(number, element)

    def _player(self, number: int, element: _Element) -> ReportedPlayer:
        name = ", ".join(filter(None, map(element.name, ("lastname", "firstname"))))
        sex = element.text("sex").lower().replace("f", "w")
        if sex not in ("m", "w", ""):
            self.fault(element.line, "sex", "upload-xml-bad-sex", text=sex)
            sex = ""
        ratings = (
            self._number(element, attribute, "upload-xml-bad-rating", MOST_RATING) or None
            for attribute in ("rtgfide", "rtgnat")
        )
        fide_id = self._number(element, "fideid", "upload-xml-bad-fide-number", MOST_FIDE_ID)
        rating, national_rating = ratings
        return ReportedPlayer(
            number,
            name,
            str(fide_id or ""),
            element.name("id"),
            rating,
            element.name("fed"),
            sex,
            self._day(element, "dob"),
            element.line,
            national_rating=national_rating,
        )

    def _number(self, element: _Element, attribute: str, code: str, most: int) -> int:
        """The whole number of an attribute; 0 if it is blank, or (noted) none."""
        text = element.text(attribute).replace(",", ".")
        number = whole_number(text, most) if text else 0
        if number is None:
            self.fault(element.line, attribute, code, text=element.name(attribute))
        return number or 0

    def _day(self, element: _Element, attribute: str) -> date | None:
        text = element.text(attribute)
        day = parse_day(text, _COMPACT)
        if day is None and not VAGUE_DAY.fullmatch(text) and not _NO_DAY.fullmatch(text):
            self.fault(element.line, attribute, "upload-xml-bad-day", text=text)
        return day

    def _take_pairing(self, element: _Element) -> None:
        """Take a pairing of two players; those with nobody are no games, and may be worth points."""
        line, values = element.line, [element.text(name) for name in ("whiteno", "blackno")]
        number = whole_number(element.text("round"), _MOST_ROUNDS)
        white, black = (whole_number(text, _MOST_PLAYERS) for text in values)
        if values[1] in _NOBODY:
            self._take_bye(number, white, element.text("reswhite"))
        elif values[0] in _NOBODY:
            self._take_bye(number, black, element.text("resblack"))
        elif not number:
            self.fault(line, "round", "upload-xml-bad-round", text=element.name("round"))
        elif white is None or black is None:
            column, text = ("whiteno", values[0]) if white is None else ("blackno", values[1])
            self.fault(line, column, "upload-xml-bad-start-rank", text=text)
        elif white == black:
            self.fault(line, "blackno", "upload-xml-plays-self", round=number, player=white)
        else:
            self.rounds_paired.add(number)
            result = self._result(element, {"round": number, "white": white, "black": black})
            self.pairings.append(_Pairing(line, number, white, black, result))

    def _take_bye(self, number: int | None, player: int | None, text: str) -> None:
        """Take a round without an opponent, if it is worth points."""
        points = _score(plain(text)) or 0
        if number and player and points > 0:
            self.byes.append(ReportedBye(number, player, points))

    def _result(self, element: _Element, facts: dict[str, int]) -> str:
        """The result of a pairing; blank if it has none, which is noted."""
        mark, line = element.text("forfeit").upper(), element.line
        values = {"first": element.name("reswhite"), "second": element.name("resblack")}
        scores = _scores(*values.values(), forfeited=mark in ("K", "D"))
        result = _MARKS.get(mark, {}).get(scores, "") if scores else ""
        if mark == "H":
            self.fault(line, "forfeit", "upload-xml-adjourned", **facts)
        elif mark not in _MARKS:
            self.fault(line, "forfeit", "upload-xml-bad-forfeit", **facts, text=mark)
        elif not result and not any(values.values()):
            self.fault(line, "reswhite", "upload-xml-no-result", **facts)
        elif not result:
            self.fault(line, "reswhite", "upload-xml-bad-result", **facts, **values, mark=mark)
        elif element.text("ratednational").lower() == "n" and result in _PLAYED.values():
            self.unrated.append(line)
            return "u" + result
        return result

    def report(self) -> Report:
        """Make the report of all elements taken, with every fault, in the order of the lines."""
        self._check_players()
        self._check_finished()
        games = tuple(self._games())
        if self.unrated:
            self.remark(self.unrated[0], "ratednational", "upload-xml-unrated", games=len(self.unrated))
        faults = tuple(sorted(self.faults, key=lambda f: f.line))
        players, byes = tuple(self.players.values()), tuple(self.byes)
        return Report(self.event, players, games, faults, tuple(self.remarks), byes=byes)

    def _check_players(self) -> None:
        if not self.players:
            self.fault(0, "", "upload-xml-no-players")
        if self.own_numbers and any(player.national_id for player in self.players.values()):
            self.players = {n: player._replace(national_id="") for n, player in self.players.items()}
            self.remark(next(iter(self.players.values())).line, "id", "upload-xml-own-numbers")
        for number, player in self.players.items():
            if not (player.name or player.fide_id or player.national_id):
                self.fault(player.line, "lastname", "upload-xml-nameless", number=number)

    def _check_finished(self) -> None:
        """Note the first round that has no pairings; the last one is that paired where no number is given."""
        rounds = max(1, self.event.rounds, *self.rounds_paired)
        if not self.event.rounds:
            self.event = self.event._replace(rounds=max(self.rounds_paired, default=0))
        missing = sorted(set(range(1, rounds + 1)) - self.rounds_paired)
        if missing and self.players:
            facts = {"round": missing[0], "rounds": rounds}
            self.fault(self.event_line, "rounds", "upload-xml-under-way", **facts)

    def _games(self) -> Iterator[ReportedGame]:
        """The games by round; what is wrong with a pairing is noted."""
        paired = Counter((p.round, number) for p in self.pairings for number in (p.white, p.black))
        for line, number, white, black, result in sorted(self.pairings, key=lambda p: (p.round, p.line)):
            facts = {"round": number, "white": white, "black": black}
            unknown = [player for player in (white, black) if player not in self.players]
            twice = [player for player in (white, black) if paired[number, player] > 1]
            if unknown:
                column = "whiteno" if unknown[0] == white else "blackno"
                self.fault(line, column, "upload-xml-no-such-player", **facts, number=unknown[0])
            elif twice:
                column = "whiteno" if twice[0] == white else "blackno"
                self.fault(line, column, "upload-xml-paired-twice", **facts, number=twice[0])
            elif result:
                yield ReportedGame(number, white, black, result, self.days.get(number), line)


def _events(data: bytes) -> etree.iterparse:
    return etree.iterparse(
        io.BytesIO(data),
        events=("start", "end"),
        remove_comments=True,
        remove_pis=True,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )


def _elements(events: etree.iterparse) -> Iterator[tuple[str, _Element]]:
    """Every element by its name, in the order of the file; nothing of the tree is kept."""
    for event, element in events:
        if event == "start":
            yield str(element.tag).rpartition("}")[2].lower(), _Element(element)
        else:
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]


def _scores(white: str, black: str, *, forfeited: bool) -> tuple[int, int] | None:
    """Both scores in half points; None if one is none. A blank is 0 beside a 1 or in a forfeit."""
    scores = [_score(plain(text)) for text in (white, black)]
    if None in scores or (-1 in scores and not forfeited and _ONE not in scores):
        return None
    first, second = (max(score or 0, 0) for score in scores)
    return first, second


def _score(text: str) -> int | None:
    """A score in half points, -1 if it is blank, None if it is none."""
    if not text:
        return -1
    return next((score for score, form in _SCORES if re.fullmatch(form, text, re.ASCII)), None)
