"""Two compared lists as files: a table for a spreadsheet, or a sheet of paper."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext, pgettext

from banzuke.database.models import RatingList
from banzuke.formats import sheet_pdf
from banzuke.office import table_files
from banzuke.office.lists.list_comparison import Comparison
from banzuke.office.pages.compared_players import (
    CAME,
    LEFT,
    MOVED,
    PARTS,
    ComparedPlayer,
    load_players,
    part_of,
)
from banzuke.web.shortcuts import page_language
from banzuke.web.templatetags.banzuke import with_sign
from banzuke.web.templatetags.ratings import list_name, revision_name, speed_name


class WholeComparison(NamedTuple):
    """Everybody of a comparison: those who moved, who came, who left."""

    lists: tuple[RatingList, RatingList]
    speed: str
    parts: dict[str, list[ComparedPlayer]]


def load_all(
    lists: tuple[RatingList, RatingList], speed: str, found: Comparison, hidden: frozenset[str]
) -> WholeComparison:
    """Everybody, the highest rise first."""
    parts = {part: load_players(lists, speed, part_of(found, part, "up"), hidden) for part in PARTS}
    return WholeComparison(lists, speed, parts)


def write_table(whole: WholeComparison, kind: str) -> bytes:
    """Everybody in one table, as CSV or a workbook."""
    rows = [_cells(each) for players in whole.parts.values() for each in players]
    return table_files.write(table_files.Table(_title(whole), _headings(), rows), kind)


def write_pdf(whole: WholeComparison) -> bytes:
    """A table for each part that has somebody. Raises as `sheet_pdf.write`."""
    headings = {
        MOVED: gettext("Moved"),
        CAME: gettext("New on the list"),
        LEFT: gettext("Gone from the list"),
    }
    tables = [
        sheet_pdf.Table(headings[part], _columns(), [_printed_cells(_cells(each)) for each in players])
        for part, players in whole.parts.items()
        if players
    ]
    if not tables:
        tables = [sheet_pdf.Table(gettext("Nobody."), _columns(), [])]
    pool = whole.lists[1].pool.name
    return sheet_pdf.write(sheet_pdf.Sheet(page_language(), _title(whole), pool, tables, []))


def _title(whole: WholeComparison) -> str:
    earlier, later = whole.lists
    of_one = earlier.name == later.name
    names = [revision_name(one) if of_one else list_name(one) for one in whole.lists]
    before = f"{list_name(later)} " if of_one else ""
    return f"{before}{names[0]} → {names[1]} {speed_name(whole.speed)}".strip()


def _headings() -> tuple[str, ...]:
    return (
        gettext("Id"),
        gettext("Name"),
        pgettext("list", "Before"),
        pgettext("list", "After"),
        gettext("Movement"),
        gettext("Place before"),
        gettext("Place after"),
    )


def _columns() -> list[sheet_pdf.Column]:
    id_, name, before, after, movement, *places = _headings()
    return [
        sheet_pdf.Column(id_),
        sheet_pdf.Column(name),
        sheet_pdf.Column(before, is_number=True),
        sheet_pdf.Column(after, is_number=True),
        sheet_pdf.Column(movement, is_number=True, is_change=True),
        *(sheet_pdf.Column(place, is_number=True) for place in places),
    ]


def _cells(each: ComparedPlayer) -> list[str | int | None]:
    rows = (each.earlier, each.later)
    ratings = [(row.written or row.rating) if row else None for row in rows]
    places = [row.place if row else None for row in rows]
    return [each.person.player_id, each.person.called(page_language()), *ratings, each.size, *places]


def _printed_cells(cells: Sequence[str | int | None]) -> list[str]:
    *start, size, before, after = cells
    movement = sheet_pdf.change_text(with_sign(size)) if isinstance(size, int) else ""
    return [*map(_text, start), movement, _text(before), _text(after)]


def _text(cell: str | int | None) -> str:
    return "" if cell is None else str(cell)
