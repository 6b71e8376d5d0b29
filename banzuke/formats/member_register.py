"""Reads a register of members, CSV or a workbook, by a mapping of our fields to its headings.

No two federations' registers have the same columns, so `propose` only proposes: who reads one says which
column is what. Open points are settled so:

- The headings are the first row with two cells or more of which one is known, else the first with two.
- A column 氏名 is the name in kanji where another one has the name in Latin letters, else the name itself.
- フリガナ and other columns that no field takes are not read.
- A FIDE rating under a heading that names no speed, such as Swiss-Manager's `Rtg_Int`, is the standard one.
- Of the sheets of a workbook the first with headings is read; one that is hidden, only where no other has
  headings. Another sheet with rows of the same columns is a fault: members in it would be lost.
- What is blank is not said. A kind that is not said is the annual one: a membership for one event is
  kept with its event, which a register does not name, and is refused here.
- After a thousand faults the rest is not read.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, NamedTuple

from banzuke.core.facts import ANNUAL, ONE_EVENT
from banzuke.core.fault import Fault, fault, refuse_any
from banzuke.formats.files.headings import FoundTable, sheets_alike, shown
from banzuke.formats.files.spreadsheet import (
    HEADING_ROWS,
    NO_SHEET,
    Sheet,
    cell_day,
    column_letter,
    read_sheets,
)
from banzuke.formats.files.text import plain, plain_dashes, whole_number
from banzuke.formats.notation import VAGUE_DAY
from banzuke.formats.report import MOST_FAULTS, MOST_FIDE_ID

#: Headings that a field is known by, in the order of preference, without case, blanks and signs.
_ALIASES = {
    "id": "playerid 会員番号 会員id 連盟id ncsid jcfid memberid membernumber memberno idno id",
    "name": "ローマ字氏名 氏名ローマ字 ローマ字 英字氏名 氏名英字 nameen nameromaji romaji playername"
    " fullname name 氏名 名前",
    "name_native": "namenative 漢字氏名 氏名漢字 氏名 名前 漢字 namejp nameja namekanji kanji nameinkanji",
    "birth_date": "birthdate 生年月日 誕生日 dateofbirth birthday dob born",
    "sex": "sex 性別 gender",
    "club_id": "clubid 所属クラブ クラブ 所属 クラブid club clubnumber clubname",
    "fide_id": "fideid fide番号 fideno fidenumber fide",
    "valid_from": "validfrom 有効期間開始 有効開始日 会員開始日 validsince",
    "valid_to": "validto 有効期限 有効期間終了 会員期限 会員有効期限 validuntil expires expiry",
    "kind": "kind 会員種別 会員区分 membership membershiptype",
    "title": "title タイトル 称号 tit fidetitle fideタイトル fide称号",
    "title_from": "titlefrom タイトルの出典 称号の出典",
    "fide_standard": "fidestandard fidestd fideスタンダード fidestandardrating fideratingstandard fiderating"
    " fidertg fideelo fider rtgint rtgfide fideレーティング",
    "fide_rapid": "fiderapid fiderpd fideラピッド fiderapidrating fideratingrapid",
    "fide_blitz": "fideblitz fidebtz fideブリッツ fideblitzrating fideratingblitz",
}
ALIASES = {field: tuple(names.split()) for field, names in _ALIASES.items()}
FIELDS = tuple(ALIASES)
#: A ledger's column beside the fields: a row with a day in it stands no more, and is passed over.
STRUCK = "struck"
_DAYS = ("birth_date", "valid_from", "valid_to")
FIDE_RATINGS = ("fide_standard", "fide_rapid", "fide_blitz")
#: The highest FIDE rating that is no slip of the pen.
MOST_FIDE_RATING = 3500
#: What stands where somebody has no rating, beside zeros and dashes.
_UNRATED = frozenset(("ur", "unr", "unrated", "なし"))
_TEXTS = ("id", "name", "name_native", "club_id", "title", "title_from")
_NO_TITLE = frozenset(("-", "–", "—", "0", "なし"))
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_SEXES = dict.fromkeys(("m", "male", "男", "男性"), "m") | dict.fromkeys(
    ("w", "f", "female", "女", "女性"), "w"
)
_KINDS = dict.fromkeys((ANNUAL, "年会員", "年間会員"), ANNUAL)
_ONE_EVENT = (ONE_EVENT, "1大会会員", "大会会員", "一大会会員")
_ALIKE = str.maketrans("", "", " _-./()[]（）・:")


class ReportedMember(NamedTuple):
    """A member as a register has them; None or blank where it says nothing. `line` is where they stand."""

    id: str
    name: str = ""
    name_native: str = ""
    birth_date: date | None = None
    sex: str = ""
    club_id: str = ""
    fide_id: str = ""
    valid_from: date | None = None
    valid_to: date | None = None
    kind: str = ""
    line: int = 0
    title: str = ""
    title_from: str = ""
    fide_standard: int | None = None
    fide_rapid: int | None = None
    fide_blitz: int | None = None


def table(data: bytes, file: str, faults: list[Fault]) -> Sheet | None:
    """The sheet with the members: the first that has headings; None, with a fault, if none has."""
    sheets = read_sheets(data, file, faults)
    tables = [FoundTable(sheet, row) for sheet in sheets if (row := _heading_row(sheet)) is not None]
    found = shown(tables, lambda table: table.sheet)
    if not found:
        if not faults:
            faults.append(fault(file, 0, "", "register-no-headings"))
        return None
    faults += sheets_alike(file, found, _kinds)
    return found[0].sheet


def _kinds(cells: list[str]) -> set[str]:
    """What columns seem to mean by their headings, or where that is not known the headings."""
    names = [plain(cell) for cell in cells]
    return set(propose(names)) or set(names)


def headings(sheet: Sheet) -> list[str]:
    """The headings, as one would type them, in the order of the columns; blank ones too."""
    row = _heading_row(sheet)
    return [] if row is None else [plain(cell) for cell in sheet.rows[row]]


def read_headings(data: bytes, file: str) -> list[str]:
    """The headings of the register in `data`. Raises RefusedError where it has none, or cannot be read."""
    faults: list[Fault] = []
    sheet = table(data, file, faults)
    refuse_any(faults)
    return headings(sheet or NO_SHEET)


def read_examples(data: bytes, file: str, most: int) -> dict[str, list[str]]:
    """The first cells under each heading that say something."""
    sheet = table(data, file, [])
    names = headings(sheet) if sheet else []
    rows = [row for _, row in rows_below(sheet)] if sheet else []
    cells = {
        name: [row[at] for row in rows if any(row[at : at + 1])] for at, name in enumerate(names) if name
    }
    return {name: under[:most] for name, under in cells.items()}


def propose(names: list[str]) -> dict[str, str]:
    """The headings that our fields seem to mean; a field without one is left out."""
    known = {heading_key(name): name for name in reversed(names)}
    found: dict[str, str] = {}
    for field, aliases in ALIASES.items():
        heading = next((known[a] for a in aliases if a in known and known[a] not in found.values()), None)
        if heading is not None:
            found[field] = heading
    return found


def read(data: bytes, file: str, mapping: Mapping[str, str]) -> tuple[list[ReportedMember], list[Fault]]:
    """The members of the register in `data`, and every fault; raises nothing.

    `mapping` names the heading of each field; `id` it must have, other fields may be missing.
    """
    faults: list[Fault] = []
    sheet = table(data, file, faults)
    if sheet is None:
        return [], faults
    reader = _Reader(file, faults, find_places(sheet, file, mapping, faults))
    members = [] if faults else reader.members(sheet)
    if not (members or faults):
        faults.append(fault(file, 0, "", "register-empty"))
    return members, faults


def heading_key(heading: str) -> str:
    """A heading without case, blanks and signs."""
    return plain(heading).casefold().translate(_ALIKE)


def _heading_row(sheet: Sheet) -> int | None:
    """The row (from 0) of the headings; None if no row could be it."""
    known = {alias for aliases in ALIASES.values() for alias in aliases}
    candidates = [n for n, row in enumerate(sheet.rows[:HEADING_ROWS]) if sum(map(bool, row)) > 1]
    return next(
        (n for n in candidates if any(heading_key(cell) in known for cell in sheet.rows[n])),
        min(candidates, default=None),
    )


def find_places(sheet: Sheet, file: str, mapping: Mapping[str, str], faults: list[Fault]) -> dict[str, int]:
    """The columns (from 0) of the fields; a fault for a heading that is not there, or there twice."""
    names, line = headings(sheet), sheet.lines[_heading_row(sheet) or 0]
    places: dict[str, int] = {}
    for field, heading in mapping.items():
        count = names.count(plain(heading))
        if count == 1:
            places[field] = names.index(plain(heading))
        else:
            code = "register-heading-twice" if count else "register-no-heading"
            facts = {"heading": heading, "headings": ", ".join(filter(None, names))}
            faults.append(fault(file, line, field, code, **facts))
    if "id" not in mapping:
        faults.append(fault(file, line, "id", "register-no-id-column"))
    return places


def is_rating(cell: str) -> bool:
    """Whether a cell says a rating: blank, zero and a dash of any kind say that there is none."""
    return (
        bool(plain_dashes(cell).strip("-"))
        and whole_number(cell) != 0
        and plain(cell).casefold() not in _UNRATED
    )


def rows_below(sheet: Sheet) -> Iterator[tuple[int, list[str]]]:
    """The rows below the headings that are not blank, with their lines."""
    return sheet.below((_heading_row(sheet) or 0) + 1)


class _Reader:
    """Reads rows by the places of the fields; no id or FIDE id is given twice."""

    def __init__(self, file: str, faults: list[Fault], places: dict[str, int]) -> None:
        self.file, self.faults, self.places = file, faults, places
        self.lines: dict[tuple[str, str], int] = {}

    def fault(self, line: int, field: str, code: str, **facts: object) -> None:
        """Note a fault in a field's column."""
        self.faults.append(fault(self.file, line, column_letter(self.places[field]), code, **facts))

    def members(self, sheet: Sheet) -> list[ReportedMember]:
        """The members of all rows that can be read, until there are too many faults."""
        found = []
        struck = self.places.pop(STRUCK, None)
        for line, row in rows_below(sheet):
            if struck is not None and any(row[struck : struck + 1]):
                continue
            if len(self.faults) >= MOST_FAULTS:
                break
            if member := self.member(line, row):
                found.append(member)
        return found

    def member(self, line: int, row: list[str]) -> ReportedMember | None:
        """The member of a row; None, with faults, if something in it cannot be read."""
        before = len(self.faults)
        fields = {f: row[at] for f, at in self.places.items() if at < len(row) and plain(row[at])}
        values = {field: self._value(line, field, cell) for field, cell in fields.items()}
        if "id" not in fields:
            self.fault(line, "id", "register-no-id")
        for field in ("id", "fide_id"):
            self._check_once(line, field, values.get(field) or "")
        starts, ends = values.get("valid_from"), values.get("valid_to")
        if starts and ends and ends < starts:
            self.fault(line, "valid_to", "register-ends-before-start", starts=starts, ends=ends)
        return ReportedMember(**values, line=line) if len(self.faults) == before else None

    def _value(self, line: int, field: str, cell: str) -> Any:
        """What a cell says; what it is no value of is noted."""
        if field in _TEXTS and _CONTROL.search(cell):
            self.fault(line, field, "register-control", text=ascii(cell))
        if field in ("name", "name_native"):
            return cell
        if field in ("id", "club_id", "title_from"):
            return plain(cell)
        if field == "title":
            return "" if plain(cell) in _NO_TITLE else plain(cell)
        if field == "fide_id":
            number = whole_number(cell, MOST_FIDE_ID)
            if number is None:
                self.fault(line, field, "register-bad-fide-number", text=cell)
            return str(number or "")
        if field in FIDE_RATINGS:
            return self._rating(line, field, cell)
        return self._day(line, field, cell) if field in _DAYS else self._word(line, field, cell)

    def _day(self, line: int, field: str, cell: str) -> date | None:
        day = cell_day(cell)
        if day is None and not (field == "birth_date" and VAGUE_DAY.fullmatch(plain(cell))):
            self.fault(line, field, "register-bad-day", text=cell)
        return day

    def _rating(self, line: int, field: str, cell: str) -> int | None:
        if not is_rating(cell):
            return None
        rating = whole_number(cell, MOST_FIDE_RATING)
        if rating is None:
            self.fault(line, field, "register-bad-rating", text=cell, most=MOST_FIDE_RATING)
        return rating

    def _word(self, line: int, field: str, cell: str) -> str:
        words, word = _SEXES if field == "sex" else _KINDS, plain(cell).casefold()
        if field == "kind" and word in _ONE_EVENT:
            self.fault(line, field, "register-one-event", text=cell)
        elif word not in words:
            code = "register-bad-sex" if field == "sex" else "register-bad-kind"
            self.fault(line, field, code, text=cell)
        return words.get(word, "")

    def _check_once(self, line: int, field: str, value: str) -> None:
        first = self.lines.setdefault((field, value), line)
        if value and first != line:
            self.fault(line, field, "register-twice", id=value, first=first)
