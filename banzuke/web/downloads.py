"""Files that leave the office: what they are called and of which type they are; who may keep an officer's."""

from django.http import HttpResponse
from django.utils.http import content_disposition_header

CSV = "text/csv; charset=utf-8"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
JSON = "application/json"
ZIP = "application/zip"
OTHER = "application/octet-stream"
#: The content types of tables, by the ending of the file.
TABLES = {"csv": CSV, "xlsx": XLSX}


def download(data: bytes, name: str, kind: str) -> HttpResponse:
    """A file that is saved under that name, in whatever script."""
    answer = HttpResponse(data, content_type=kind)
    answer["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name)
    return answer


def as_file(data: bytes, name: str, kind: str = OTHER) -> HttpResponse:
    """A file that an officer takes out: nobody's cache keeps it."""
    answer = download(data, name, kind)
    answer["Cache-Control"] = "no-store"
    return answer
