"""Players from the rows of a Chess-Results table: of a crosstable, or of the starting rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

from banzuke.core.fault import fault
from banzuke.formats.chess_results_tables import PLAYERS
from banzuke.formats.days import VAGUE_DAY, day_of
from banzuke.formats.report import MOST_RATING, ReportedPlayer
from banzuke.formats.text import plain, whole_number

if TYPE_CHECKING:
    from datetime import date

    from banzuke.core.fault import Fault
    from banzuke.formats.chess_results_tables import Row, Table

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
    for row in table.rows:
        linked = row.link(table.layout.columns["name"]) if table.layout.kind == PLAYERS else 0
        number, name = linked or whole_number(row.cell(column), MOST_NUMBER), _name(table, row)
        heading = table.heading_of(column)
        if not number:
            faults.append(fault(file, row.line, heading, "cr-bad-number", text=row.cell(column), name=name))
        elif number in found:
            other = found[number][0].name
            faults.append(
                fault(file, row.line, heading, "cr-number-twice", number=number, name=name, other=other)
            )
        else:
            if not name:
                heading = table.heading_of(table.layout.columns["name"])
                faults.append(fault(file, row.line, heading, "cr-nameless", number=number))
            found[number] = _player(table, row, number, name, file, faults), row
    return found


def _name(table: Table, row: Row) -> str:
    return " ".join(row.cell(table.layout.columns["name"]).split())


def _text(table: Table, row: Row, kind: str) -> str:
    return plain(row.cell(table.layout.columns.get(kind, -1)))


def _player(table: Table, row: Row, number: int, name: str, file: str, faults: list[Fault]) -> ReportedPlayer:
    rating, international, national = (
        _rating(table, row, kind, file, faults) for kind in ("rating", "international", "national")
    )
    return ReportedPlayer(
        number,
        name,
        fide_id=_fide_id(table, row, file, faults),
        national_id=_national_id(table, row),
        rating=international or rating,
        federation=_text(table, row, "federation"),
        sex=_sex(table, row, file, faults),
        birth_date=_birth(table, row, file, faults),
        line=row.line,
        national_rating=national,
    )


def _note(table: Table, row: Row, kind: str, code: str, file: str, faults: list[Fault]) -> None:
    """Note that a cell cannot be read."""
    heading = table.heading_of(table.layout.columns[kind])
    faults.append(fault(file, row.line, heading, code, text=_text(table, row, kind), name=_name(table, row)))


def _rating(table: Table, row: Row, kind: str, file: str, faults: list[Fault]) -> int | None:
    text = _text(table, row, kind)
    rating = whole_number(text, MOST_RATING) if text not in ("", "-") else 0
    if rating is None:
        _note(table, row, kind, "cr-bad-rating", file, faults)
    return rating or None


def _national_id(table: Table, row: Row) -> str:
    text = _text(table, row, "national_id")
    return "" if text in ("0", "-") else text


def _fide_id(table: Table, row: Row, file: str, faults: list[Fault]) -> str:
    text = _text(table, row, "fide_id")
    number = whole_number(text) if text not in ("", "-") else 0
    if number is None:
        _note(table, row, "fide_id", "cr-bad-fide-id", file, faults)
    return str(number or "")


def _sex(table: Table, row: Row, file: str, faults: list[Fault]) -> str:
    sex = _SEXES.get(_text(table, row, "sex").lower())
    if sex is None:
        _note(table, row, "sex", "cr-bad-sex", file, faults)
    return sex or ""


def _birth(table: Table, row: Row, file: str, faults: list[Fault]) -> date | None:
    text = _text(table, row, "birth")
    day = day_of(text)
    if day is None and not VAGUE_DAY.fullmatch(text):
        _note(table, row, "birth", "cr-bad-birth-date", file, faults)
    return day
