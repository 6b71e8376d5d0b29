"""Reports that a mail announced by a link alone: they count as of that day, and wait for their page.

A federation may accept an upload to Chess-Results with word of it as the report. Such reports are kept in
the ledger's folder, in waiting.csv, until the page is saved and imported.
"""

import csv
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import NamedTuple

from banzuke.core.fault import RefusedError, fault
from banzuke.engine.output_file import write_atomically
from banzuke.formats.files.text import csv_text
from banzuke.formats.report import Report

FILE = "waiting.csv"
COLUMNS = ["source", "reported", "reporter"]


class LinkedReport(NamedTuple):
    """An event whose report came as a link: the page it names (`tnr1452107`), the day, and who sent it."""

    source: str
    reported: date
    reporter: str


def read(folder: Path) -> dict[str, LinkedReport]:
    """The waiting reports of a ledger by their page. Raises RefusedError for a damaged file."""
    path = folder / FILE
    if not path.exists():
        return {}
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            rows = [
                LinkedReport(source, date.fromisoformat(day), who)
                for source, day, who in list(csv.reader(stream))[1:]
            ]
    except (ValueError, csv.Error):
        raise RefusedError([fault(FILE, 0, "", "waiting-damaged", columns=", ".join(COLUMNS))]) from None
    return {row.source: row for row in rows}


def with_links(folder: Path, links: Iterable[LinkedReport]) -> dict[str, LinkedReport]:
    """The waiting reports of a ledger and these by their page; of several of one page, the first.

    Raises RefusedError for a damaged file.
    """
    found = read(folder)
    for link in links:
        found[link.source] = min(link, found.get(link.source, link))
    return found


def set_day_of_link(report: Report, waiting: Mapping[str, LinkedReport]) -> Report:
    """The report as of the day on which a mail gave the link to its page, if one did before it came."""
    link = waiting.get(report.event.source)
    if link is None or (report.event.reported or link.reported) < link.reported:
        return report
    return report._replace(event=report.event._replace(reported=link.reported, reporter=link.reporter))


def write(folder: Path, waiting: Iterable[LinkedReport]) -> None:
    """Keep these reports as the ledger's waiting ones: the whole file, or it stays as it was."""
    write_atomically(folder / FILE, csv_text([COLUMNS, *sorted(waiting)]).encode())
