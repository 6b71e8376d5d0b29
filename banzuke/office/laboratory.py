"""The laboratory asked about a pool of the office: nothing that it tries changes the book."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banzuke.database.ledger_folders import write_folder
from banzuke.lab import is_installed, report_json
from banzuke.office.refusals import NoLaboratoryError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from banzuke.database.models import Pool
    from banzuke.engine.rating_run import Progress
    from banzuke.lab.report_page import Report
    from banzuke.ledger.pool_rules import Pool as Rules

#: The columns of its tables in which players' ids stand, and events'.
PLAYERS, EVENTS = ("player_id", "players"), ("events",)


def check(rules: Rules, books: Sequence[str], settings: Sequence[str]) -> None:
    """Raise RefusedError unless these are rule books and constants that may be tried."""
    from banzuke.lab.variants import variants_of

    variants_of(rules, books, settings)


def ask(
    pool: Pool, question: str, books: Sequence[str], settings: Sequence[str], progress: Progress
) -> dict[str, Any]:
    """What was found, as plain JSON, which `read` takes.

    Raises NoLaboratoryError where the extra is missing, RefusedError for what cannot be asked of the pool.
    """
    if not is_installed():
        raise NoLaboratoryError
    from banzuke.lab.answers import OF_LEDGERS, Question

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / pool.slug
        write_folder(pool, folder)
        return report_json.kept(OF_LEDGERS[question](folder, Question(books, settings), progress))


def read(found: dict[str, Any]) -> Report:
    """The report that `ask` kept."""
    return report_json.read(found)
