"""Players from the rows of a Chess-Results table: of a crosstable, or of the starting rank."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from banzuke.core.fault import fault
from banzuke.formats.chess_results.page_tables import PLAYERS
from banzuke.formats.dates import VAGUE_DAY, day_of
from banzuke.formats.files.text_encoding import plain, whole_number
from banzuke.formats.report import MOST_FIDE_ID, MOST_RATING, ReportedPlayer

if TYPE_CHECKING:
    from datetime import date

    from banzuke.core.fault import Fault
    from banzuke.formats.chess_results.page_tables import Row, Table

#: The largest start number.
MOST_NUMBER = 99_999
_SEXES = {"": "", "m": "m", "w": "w", "f": "w", "м": "m", "ж": "w", "k": "w"}


def players_of(
    table: Table, column: int, file: str, faults: list[Fault]
) -> dict[int, tuple[ReportedPlayer, Row]]:
    """The players by the numbers in a column, each with his row; rows without one are noted and left out.

    In a list of players the start number is that in the name's link, where it has one: the lists of team
    events count their rows.
    """
    found: dict[int, tuple[ReportedPlayer, Row]] = {}
    heading = table.heading_of(column)
    for row in table.rows:
        linked = row.link(table.layout.columns["name"]) if table.layout.kind == PLAYERS else 0
        number = linked or whole_number(row.cell(column), MOST_NUMBER)
        reader = _RowReader(table, row, file, faults)
        if not number:
            text, name = row.cell(column), reader.name()
            faults.append(fault(file, row.line, heading, "cr-bad-number", text=text, name=name))
        elif number in found:
            facts = {"number": number, "name": reader.name(), "other": found[number][0].name}
            faults.append(fault(file, row.line, heading, "cr-number-twice", **facts))
        else:
            found[number] = reader.player(number), row
    return found


class _RowReader(NamedTuple):
    """Reads the cells of a row by what their columns hold; what cannot be read is noted."""

    table: Table
    row: Row
    file: str
    faults: list[Fault]

    def name(self) -> str:
        return " ".join(self.row.cell(self.table.layout.columns["name"]).split())

    def text(self, kind: str) -> str:
        return plain(self.row.cell(self.table.layout.columns.get(kind, -1)))

    def note(self, kind: str, code: str, **facts: object) -> None:
        heading = self.table.heading_of(self.table.layout.columns[kind])
        self.faults.append(fault(self.file, self.row.line, heading, code, **facts))

    def player(self, number: int) -> ReportedPlayer:
        if not self.name():
            self.note("name", "cr-nameless", number=number)
        rating, international, national = (
            self.number(kind, "cr-bad-rating", MOST_RATING) or None
            for kind in ("rating", "international", "national")
        )
        national_id = self.text("national_id")
        return ReportedPlayer(
            number,
            self.name(),
            fide_id=str(self.number("fide_id", "cr-bad-fide-id", MOST_FIDE_ID) or ""),
            national_id="" if national_id in ("0", "-") else national_id,
            rating=international or rating,
            federation=self.text("federation"),
            sex=self.sex(),
            birth_date=self.birth_date(),
            line=self.row.line,
            national_rating=national,
        )

    def number(self, kind: str, code: str, most: int) -> int:
        """The whole number in a cell; 0 if it is blank, or (noted) none."""
        text = self.text(kind)
        number = whole_number(text, most) if text not in ("", "-") else 0
        if number is None:
            self.note(kind, code, text=text, name=self.name())
        return number or 0

    def sex(self) -> str:
        sex = _SEXES.get(self.text("sex").lower())
        if sex is None:
            self.note("sex", "cr-bad-sex", text=self.text("sex"), name=self.name())
        return sex or ""

    def birth_date(self) -> date | None:
        text = self.text("birth")
        day = day_of(text)
        if day is None and not VAGUE_DAY.fullmatch(text):
            self.note("birth", "cr-bad-birth-date", text=text, name=self.name())
        return day
