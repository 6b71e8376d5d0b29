"""The reports of an inbox in rows: by state, club and whose turn it is."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from banzuke.database.models import Pool, Report
from banzuke.database.models.reports import OPEN_STATES
from banzuke.office.event_progress import Turn, progress_of_reports
from banzuke.office.inbox import reports
from banzuke.office.register import clubs as club_register

#: So many open reports are looked through, the oldest first.
MOST_OPEN = 500


class ReportFilter(NamedTuple):
    """Which reports are wanted: in a state, of a club and with that turn (blank: any)."""

    state: str
    club: str = ""
    turn: str = ""


class InboxRow(NamedTuple):
    """A report with the name of its club, its age in days, and whose turn it is."""

    report: Report
    club: str
    age: int
    turn: Turn


def find_reports(pool: Pool, clubs: set[str] | None, wanted: ReportFilter) -> Any:
    """The reports of the clubs (None: of all), the oldest first, of those decided on the newest."""
    found = reports.reports(pool, clubs).filter(state=wanted.state)
    found = found.filter(club_id=wanted.club) if wanted.club else found
    if wanted.state not in OPEN_STATES:
        return found.reverse()
    if not wanted.turn:
        return found
    rows = list(found[:MOST_OPEN])
    progress = progress_of_reports(pool, rows)
    return [row for row, one in zip(rows, progress, strict=True) if one.turn == wanted.turn]


def inbox_rows(pool: Pool, found: Sequence[Report]) -> list[InboxRow]:
    """Those reports as rows."""
    names, turns = club_register.names(pool), [one.turn for one in progress_of_reports(pool, found)]
    return [
        InboxRow(report, names.get(report.club_id, report.club_id), reports.age(report), turn)
        for report, turn in zip(found, turns, strict=True)
    ]


def clubs_with_reports(pool: Pool, clubs: set[str] | None) -> list[tuple[str, str]]:
    """The clubs of which there are reports, with their names, by name."""
    names = club_register.names(pool)
    ids = reports.reports(pool, clubs).order_by().values_list("club_id", flat=True).distinct()
    return sorted(((each, names.get(each, each)) for each in ids if each), key=lambda club: club[1])
