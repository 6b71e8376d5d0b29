"""A report as plain JSON, for whoever keeps what the laboratory found; long tables in part."""

import math
from typing import Any

from banzuke.lab.report_page import Report
from banzuke.lab.sheets import Cell, Note, Sheet

#: So many rows of a table are kept: more than a page shows, enough for every plot.
MOST_KEPT = 2_000


def to_json(report: Report) -> dict[str, Any]:
    """The report as JSON has it; `from_json` gives it back."""
    return {
        "title": _note(report.title),
        "lead": _note(report.lead),
        "figures": [[key, _cell(cell)] for key, cell in report.figures],
        "said": [_note(note) for note in report.remarks],
        "sheets": [_sheet(sheet) for sheet in report.sheets],
    }


def _note(note: Note) -> list[Any]:
    return [note.key, dict(note.facts)]


def _sheet(sheet: Sheet) -> dict[str, Any]:
    return {
        "name": sheet.name,
        "title": sheet.title_key,
        "columns": [
            [name, [_cell(cell) for cell in column[:MOST_KEPT]]] for name, column in sheet.columns.items()
        ],
        "notes": [_note(note) for note in sheet.notes],
    }


def _cell(cell: Cell) -> Cell:
    """What JSON can hold: what is not a number is blank."""
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell


def from_json(found: dict[str, Any]) -> Report:
    """The report that was kept."""
    return Report(
        title=_note_of(found["title"]),
        lead=_note_of(found["lead"]),
        figures=[(key, cell) for key, cell in found["figures"]],
        remarks=[_note_of(note) for note in found["said"]],
        sheets=[_sheet_of(sheet) for sheet in found["sheets"]],
    )


def _note_of(found: list[Any]) -> Note:
    key, facts = found
    return Note(key, tuple(facts.items()))


def _sheet_of(found: dict[str, Any]) -> Sheet:
    notes = tuple(_note_of(note) for note in found["notes"])
    return Sheet(found["name"], found["title"], dict(found["columns"]), notes)
