"""Files that an officer takes out: what they are called, and that nobody's cache keeps them."""

from __future__ import annotations

from django.http import HttpResponse

CSV = "text/csv; charset=utf-8"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ZIP = "application/zip"
OTHER = "application/octet-stream"
#: The content types of tables, by the ending of the file.
TABLES = {"csv": CSV, "xlsx": XLSX}


def as_file(data: bytes, name: str, kind: str = OTHER) -> HttpResponse:
    """A file to be kept."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return HttpResponse(data, content_type=kind, headers=headers)
