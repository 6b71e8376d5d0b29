"""An event's crosstable on paper, with what it changed, and its standings."""

from collections.abc import Mapping

from banzuke.core.decimals import decimal, half_sign, two_decimals
from banzuke.formats.events.event_table import EventRow, EventTable
from banzuke.formats.events.standings_table import StandingsRow, StandingsTable
from banzuke.formats.sheet_pdf import Column, Sheet, Table, change_text, write


def write_event(
    event: EventTable, wording: Mapping[str, str], standings: StandingsTable | None = None
) -> bytes:
    """The PDF; `wording` as for `event_html.write`. Raises as `sheet_pdf.write`."""
    tables = [_crosstable(event, wording)]
    notes = [wording["event-legend"]]
    if standings is not None:
        tables.append(_standings(standings, wording))
        notes += [wording["standings-legend"], wording["standings-note"]]
    return write(Sheet(wording["lang"], event.name or event.event_id, wording["facts"], tables, notes))


def _crosstable(event: EventTable, wording: Mapping[str, str]) -> Table:
    columns = [
        Column(wording["event-number"], is_number=True),
        Column(wording["event-name"]),
        Column(wording["event-before"], is_number=True),
        *(Column(wording["event-round"].format(round=number)) for number in event.rounds),
        *(Column(wording[f"event-{key}"], is_number=True) for key in ("points", "scored", "expected")),
        Column(wording["event-change"], is_number=True, is_change=True),
        *([Column(wording["event-bonus"], is_number=True, is_change=True)] if event.has_bonus else []),
        Column(wording["event-after"], is_number=True),
    ]
    return Table("", columns, [_row(row, wording["lang"], has_bonus=event.has_bonus) for row in event.rows])


def _row(row: EventRow, lang: str, *, has_bonus: bool) -> list[str]:
    return [
        str(row.number),
        _name(row, lang),
        _rating(row.before),
        *("" if cell is None else cell.text for cell in row.cells),
        half_sign(row.points),
        f"{half_sign(row.scored)} / {row.rated}" if row.rated else "",
        "" if row.expected is None else two_decimals(row.expected),
        _change(row.change),
        *([_change(row.bonus)] if has_bonus else []),
        _rating(row.after),
    ]


def _standings(table: StandingsTable, wording: Mapping[str, str]) -> Table:
    columns = [
        Column(wording["standings-rank"], is_number=True),
        Column(wording["standings-name"]),
        Column(wording["standings-points"], is_number=True),
        *(Column(code, is_number=True) for code in table.codes),
    ]
    rows = [
        [str(row.rank), _name(row, wording["lang"]), half_sign(row.points), *row.texts] for row in table.rows
    ]
    return Table(wording["standings-title"], columns, rows)


def _name(row: EventRow | StandingsRow, lang: str) -> str:
    return (row.name_native if lang == "ja" else "") or row.name or row.player_id


def _rating(value: int | None) -> str:
    return "–" if value is None else str(value)


def _change(hundredths: int | None) -> str:
    if hundredths is None:
        return ""
    sign = "+" if hundredths > 0 else "−" if hundredths < 0 else "±"
    return change_text(sign + decimal(abs(hundredths)))
