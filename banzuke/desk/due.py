"""Revisions that are due without an inquiry: after a merge, a late report, a change of the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from banzuke.book.reading import read_book
from banzuke.desk.anew import made_anew
from banzuke.desk.correcting import Preview
from banzuke.desk.differing import line_differences, row_differences
from banzuke.office.rating_run import silent

if TYPE_CHECKING:
    from banzuke.book.models import Pool
    from banzuke.office.rating_run import Progress


def due_now(pool: Pool, progress: Progress = silent) -> Preview:
    """The lists whose revisions are due, and all that differs in them."""
    due = made_anew(pool, read_book(pool), None, progress).due
    return Preview(
        may_change=[],
        frozen=[],
        lists=[each.published for each in due],
        differences=[found for each in due for found in row_differences(*each)],
        lines=[found for each in due for found in line_differences(*each)],
        faults=[],
    )
