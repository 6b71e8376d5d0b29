"""The players' rows of a TRF report: their columns, and their rounds, held against the opponents' rows.

A round has eight columns: opponent, blank, colour, blank, result. A kind is what the last four say, as
colour and result in one spelling: `w1`, `b=`, `-U`, `- ` (nothing), or blank if they say nothing known.
National records share the columns of a row.
"""

import re
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from itertools import repeat
from operator import itemgetter
from typing import NamedTuple

from banzuke.formats.report import ReportedBye, ReportedGame

FIRST, WIDTH = 91, 10  # the place (from 0) of round 1, and from one round to the next
_UNREAD, _DIGITS = -1, 11
_COLOURS, _BYES, _FORFEITED = "wb-", "HFUZ ", "+-"
_RESULTS = f"10=WDL{_BYES}{_FORFEITED}"
_KINDS = {
    f" {colour} {result}".rstrip(): (colour.strip() or "-").lower() + result.upper()
    for colour in "wWbB- "
    for result in {*_RESULTS, *_RESULTS.lower()}
}
_KINDS |= {f"{text:4}": kind for text, kind in _KINDS.items()}
#: Kinds of a round without an opponent.
_ALONE = {f"-{result}" for result in _BYES} | {c + r for c in _COLOURS for r in _FORFEITED}
#: Half points of those that are worth some.
_BYE_POINTS = dict.fromkeys(("-F", "-U", "w+", "b+", "-+"), 2) | {"-H": 1}
_OLDER_BYES = {"0000 - 1": "0000 - F", "0000 - =": "0000 - H", "0000 - 0": "0000 - Z"}
_CELL_FAULTS = (
    dict.fromkeys(("trf-bad-opponent", "trf-no-opponent"), 0)
    | dict.fromkeys(("trf-bad-colour", "trf-no-colour"), 5)
    | dict.fromkeys(("trf-bad-result", "trf-no-result", "trf-bye-with-opponent"), 7)
)
# The kinds of two rows, one after the other: is the first White, and the ledger's result.
_FORFEITS = {"+-": "+/-", "-+": "-/+", "--": "-/-"}
_PLAYED = {"10": "1-0", "==": "1/2-1/2", "01": "0-1", "WL": "u1-0", "DD": "u1/2-1/2", "LW": "u0-1"}
_WHITE_FIRST = {
    colours[0] + said[0] + colours[1] + said[1]: (True, result)
    for colours in ("wb", "w-", "-b", "--")
    for said, result in (_PLAYED | _FORFEITS if colours == "wb" else _FORFEITS).items()
}
_FITS = {two[2:] + two[:2]: (False, result) for two, (_, result) in _WHITE_FIRST.items()} | _WHITE_FIRST


class Row(NamedTuple):
    """A player's record; not relied on from `end` on, where something stood that must be blank."""

    line: int
    text: str
    end: int

    @property
    def whole(self) -> bool:
        """Whether all of the row can be relied on."""
        return self.end == len(self.text)


class Board(NamedTuple):
    """A round: each row's opponent (0 none, -1 unreadable) and kind, in the order of the start ranks."""

    opponents: list[int]
    kinds: list[str]


@lru_cache(maxsize=2**13)
def parse_number(text: str) -> int | None:
    """Read the whole number in a field, 0 if it is blank, None if it is something else."""
    digits = text.strip()
    if digits.isdecimal() and digits.isascii() and len(digits) <= _DIGITS:
        return int(digits)
    return None if digits else 0


@lru_cache(maxsize=2**15)
def _opponent(text: str) -> int:
    number = parse_number(text)
    return _UNREAD if number is None else number


def count_rounds(rows: dict[int, Row]) -> int:
    """How many rounds the longest row has."""
    return max((len(range(FIRST, row.end, WIDTH)) for row in rows.values()), default=0)


def name_byes(text: str) -> str:
    """A row in which byes have their letters where older programs write the result of a game."""
    if "0000 - " not in text[FIRST:]:
        return text
    rounds = text[FIRST:]
    for older, named in _OLDER_BYES.items():
        rounds = rounds.replace(older, named)
    return text[:FIRST] + rounds


def blank_rounds(row: Row, rounds: int) -> list[int]:
    """The rounds of which a row says nothing: no opponent and no result."""
    starts = enumerate(range(FIRST, FIRST + WIDTH * rounds, WIDTH), 1)
    return [number for number, at in starts if not row.text[at : at + 8].strip(" 0-")]


class Rounds:
    """The rounds of rows (by start rank, in order); `note` takes line, place (from 0), code and facts."""

    def __init__(self, rows: dict[int, Row], note: Callable[..., None]) -> None:
        self.rows = rows
        self.note = note
        self.doubtful: set[int] = set()  #: start ranks of rows with an unreadable round
        self.numbers = list(rows)
        self.lines = [row.line for row in rows.values()]
        self.places = {number: place for place, number in enumerate(rows)}
        texts = [row.text for row in rows.values()]
        broken = [(place, row.end) for place, row in enumerate(rows.values()) if not row.whole]
        starts = range(FIRST, FIRST + WIDTH * count_rounds(rows), WIDTH)
        self.boards = [_board(at, texts, [place for place, end in broken if end <= at]) for at in starts]

    def games(self, days: dict[int, date]) -> list[ReportedGame]:
        """Give the games, round by round, by the lower start rank; what does not fit is noted."""
        games: list[ReportedGame] = []
        for number, board in enumerate(self.boards, 1):
            games += self._pair(number, board, days.get(number))
        return games

    def byes(self) -> list[ReportedBye]:
        """Give the rounds without an opponent that are worth points, round by round."""
        return [
            ReportedBye(number, one, _BYE_POINTS[kind])
            for number, (opponents, kinds) in enumerate(self.boards, 1)
            for one, two, kind in zip(self.numbers, opponents, kinds, strict=True)
            if not two and kind in _BYE_POINTS
        ]

    def _pair(self, number: int, board: Board, day: date | None) -> list[ReportedGame]:
        """Give the games of a round; the row of the lower start rank speaks for both."""
        (opponents, kinds), places, lines = board, self.places, self.lines
        games: list[tuple[int, int, int, str, date | None, int]] = []
        alone = 0
        for one, two, kind, line in zip(self.numbers, opponents, kinds, lines, strict=True):
            if one < two:
                other = places.get(two, -1)
                fit = other >= 0 and opponents[other] == one and _FITS.get(kind + kinds[other])
                if fit and fit[0]:
                    games.append((number, one, two, fit[1], day, line))
                elif fit:
                    games.append((number, two, one, fit[1], day, lines[other]))
            elif not two and kind in _ALONE:
                alone += 1
        if 2 * len(games) + alone != len(lines):
            self._note_round(number, board)
        return list(map(tuple.__new__, repeat(ReportedGame), games))

    def _note_round(self, number: int, board: Board) -> None:
        """Note everything in a round that does not fit."""
        opponents, kinds = board
        for place, (one, two) in enumerate(zip(self.numbers, opponents, strict=True)):
            other = self.places.get(two)
            if not two or other is None or one == two or opponents[other] != one:
                self._note_cell(number, one, board)
            elif one < two and kinds[place] + kinds[other] not in _FITS:
                self._note_cell(number, one, board)
                self._note_cell(number, two, board)

    def _fault_of_cell(self, number: int, player: int, board: Board) -> str:
        """The code of what is wrong with a round of a row by itself; blank if nothing is."""
        at = FIRST + WIDTH * (number - 1)
        text, opponent = self.rows[player].text[at : at + 8], board.opponents[self.places[player]]
        colour, result = text[5:6].strip().lower() or "-", text[7:8].upper() or " "
        if opponent == _UNREAD:
            return "trf-bad-opponent"
        if colour not in _COLOURS:
            return "trf-bad-colour"
        if result not in _RESULTS:
            return "trf-bad-result"
        if not opponent:
            return "" if colour + result in _ALONE else "trf-no-opponent"
        if result in _BYES:
            return "trf-no-result" if result == " " else "trf-bye-with-opponent"
        return "" if colour != "-" or result in _FORFEITED else "trf-no-colour"

    def _note_cell(self, number: int, player: int, board: Board) -> None:
        """Note what is wrong with a round of a row, by itself or (at the later row) with the opponent's."""
        row, at = self.rows[player], FIRST + WIDTH * (number - 1)
        if row.end <= at:
            return  # nothing is there, or it was not read
        opponent, own = board.opponents[self.places[player]], self._fault_of_cell(number, player, board)
        facts = {"round": number, "player": player, "opponent": opponent}
        if own:
            self.doubtful.add(player)
            at, width = at + _CELL_FAULTS[own], 4 if _CELL_FAULTS[own] == 0 else 1
            self.note(row.line, at, own, **facts, text=row.text[at : at + width].strip())
        elif opponent == player:
            self.note(row.line, at, "trf-plays-self", **facts)
        elif opponent and opponent not in self.rows:
            self.note(row.line, at, "trf-no-such-opponent", **facts)
        elif opponent:
            self._note_pair(number, player, board, facts)

    def _note_pair(self, number: int, player: int, board: Board, facts: dict[str, int]) -> None:
        """Note how the opponent's row contradicts a row that is sound in itself."""
        opponent, at = facts["opponent"], FIRST + WIDTH * (number - 1)
        row, other = self.rows[player], self.rows[opponent]
        place = self.places[opponent]
        back, kind, answer = board.opponents[place], board.kinds[self.places[player]], board.kinds[place]
        if (back, answer) == (0, "- "):
            self.note(other.line, at, "trf-missing-game", **facts, other=row.line)
        elif back == _UNREAD or self._fault_of_cell(number, opponent, board):
            return
        elif back != player:
            self.note(row.line, at, "trf-not-answered", **facts, other=other.line)
        elif row.line > other.line:
            same = kind[0] == answer[0] != "-"
            at, code = (at + 5, "trf-same-colour") if same else (at + 7, "trf-results-clash")
            self.note(row.line, at, code, **facts, other=other.line, text=row.text[at], said=answer[1:])


def _board(at: int, texts: list[str], unread: list[int]) -> Board:
    """Read the round whose columns begin at the place `at`; of the rows in `unread` it is not read."""
    opponents = list(map(_opponent, map(itemgetter(slice(at, at + 4)), texts)))
    kinds = list(map(_KINDS.get, map(itemgetter(slice(at + 4, at + 8)), texts), repeat("")))
    for place in unread:
        opponents[place], kinds[place] = _UNREAD, ""
    return Board(opponents, kinds)


MOST_ROUNDS = 999
#: The place (from 0) behind the last round that a row may have.
END = FIRST + WIDTH * MOST_ROUNDS
#: A row's sex, name, rating, federation, number and day of birth, with their blanks.
row_fields = itemgetter(*(slice(*p) for p in ((9, 10), (14, 47), (48, 52), (53, 56), (57, 68), (69, 79))))
_GAPS = (3, 8, 13, 47, 52, 56, 68, 79, 84, 89, 90)
_STATIC = 89
_SOUND = re.compile(
    r".{3} .{4} .{4} .{33} .{4} .{3} .{11} .{10} .{4} .{4}(?:  .{4} . .)*(?:  .{1,4}(?: .)?)?"
)


def find_misplaced(text: str) -> int | None:
    """Where (from 0) a row first has something in a column that must be blank."""
    if _SOUND.fullmatch(text.ljust(_STATIC)) and "\t" not in text and len(text) <= END:
        return None
    return next((i for i, c in enumerate(text) if c == "\t" or i == END or (c != " " and _is_gap(i))), None)


def _is_gap(place: int) -> bool:
    return place in _GAPS or (place >= FIRST and place % WIDTH in (5, 7, 9, 0))
