"""The laboratory asked about a pool of the office: nothing that it tries changes the book."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from banzuke.core.fault import Fault, refuse_any
from banzuke.database.ledger_folders import write_folder
from banzuke.lab import is_installed, report_json
from banzuke.ledger.reforms import Reform, read_reform
from banzuke.office.refusals import NoLaboratoryError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from banzuke.database.models import Pool
    from banzuke.engine.rating_run import Progress
    from banzuke.lab.numbers import Number
    from banzuke.lab.report_page import Report
    from banzuke.ledger.pool_rules import Pool as Rules

#: The columns of its tables in which players' ids stand, and events'.
PLAYERS, EVENTS = ("player_id", "players"), ("events",)


#: What a reform that was written on the page is called in faults.
REFORM_FILE = "reform.toml"


def check(rules: Rules, books: Sequence[str], settings: Sequence[str], reform: str = "") -> None:
    """Raise RefusedError unless these are rule books, numbers and a reform file that may be tried."""
    from banzuke.lab.variants import variants_of

    variants_of(rules, books, settings, reforms_of(reform))


def reforms_of(text: str) -> list[Reform]:
    """The reform of a file's text; none where it is blank. Raises RefusedError for what is no reform."""
    if not text.strip():
        return []
    faults: list[Fault] = []
    reform = read_reform(text.encode(), faults, REFORM_FILE)
    refuse_any(faults)
    return [reform] if reform else []


def numbers(rules: Rules) -> list[Number]:
    """The numbers of the pool's present book."""
    from banzuke.lab.numbers import numbers_of

    return list(numbers_of(rules.editions[-1].book).values())


def ask(
    pool: Pool,
    question: str,
    books: Sequence[str],
    settings: Sequence[str],
    progress: Progress,
    reform: str = "",
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
        return report_json.to_json(
            OF_LEDGERS[question](folder, Question(books, settings, reforms_of(reform)), progress)
        )


def read(found: Any) -> Report | None:
    """The report that `ask` kept; None where it is none, as of another version."""
    try:
        return report_json.from_json(found)
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
