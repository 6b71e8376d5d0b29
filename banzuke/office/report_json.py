"""A report as plain JSON, for whoever keeps what the laboratory found; long tables in part."""

import json
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter

from banzuke.lab.report_page import Report

#: So many rows of a table are kept: more than a page shows, enough for every plot.
MOST_KEPT = 2_000
_REPORTS = TypeAdapter(Report)


def to_json(report: Report) -> dict[str, Any]:
    """The report as JSON has it, what is not a number as a blank; `from_json` gives it back."""
    sheets = [
        replace(sheet, columns={name: column[:MOST_KEPT] for name, column in sheet.columns.items()})
        for sheet in report.sheets
    ]
    return {"report": json.loads(_REPORTS.dump_json(report._replace(sheets=sheets)))}


def from_json(found: dict[str, Any]) -> Report:
    """The report that was kept. Raises KeyError, TypeError or ValueError where it is none."""
    return _REPORTS.validate_python(found["report"])
