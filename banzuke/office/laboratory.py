"""The laboratory asked about a pool of the office: nothing that it tries changes the book."""

from __future__ import annotations

import tempfile
from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from banzuke.core.fault import Fault, RefusedError, fault, refuse_any
from banzuke.database.book_reader import last_entry, read_book
from banzuke.database.ledger_folders import write_folder
from banzuke.lab import is_installed
from banzuke.ledger.folder import ChessLedger
from banzuke.ledger.reforms import Reform, read_reform
from banzuke.office import report_json
from banzuke.office.refusals import NoLaboratoryError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from banzuke.core.numbers import Number
    from banzuke.database.models import Pool
    from banzuke.engine.rating_run import Progress
    from banzuke.lab.reform_effect import Effect, Effects
    from banzuke.lab.report_page import Report
    from banzuke.ledger.pool_rules import Pool as Rules

#: The columns of its tables in which players' ids stand, and events'.
PLAYERS, EVENTS = ("player_id", "players"), ("events",)


#: The question of which numbers predict best; it takes names of numbers alone, too.
FIT = "fit"
#: What a reform that was written on the page is called in faults.
REFORM_FILE = "reform.toml"

#: So often a pool is rated for one player's question; one of many games less often.
RUNS, MANY_GAMES, RUNS_OF_MANY = 32, 50_000, 16
#: A pool of a book without a fast twin may have so many games for such a question.
MOST_WITHOUT_TWIN = 5_000
#: So many numbers may be changed at once.
MOST_CHANGED = 8
#: So many pools are kept ready to be rated again, each as of its last entry.
MOST_READY = 2
_READY: OrderedDict[int, tuple[int, Effects]] = OrderedDict()
_ONE_AT_A_TIME = Lock()


def check(
    rules: Rules, books: Sequence[str], settings: Sequence[str], reform: str = "", question: str = ""
) -> None:
    """Raise RefusedError unless these are rule books, numbers and a reform file that the question may try."""
    from banzuke.lab.fit_values import grid_of, subject_of
    from banzuke.lab.variants import variants_of

    if question == FIT:
        refuse_any([fault(REFORM_FILE, 0, "", "lab-fit-reform")] if reform.strip() else [])
        grid_of(subject_of(rules, books), settings)
        return
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
    from banzuke.core.numbers import numbers_of

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
    from banzuke.lab.answers import OF_LEDGERS
    from banzuke.lab.comparison import Question

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / pool.slug
        write_folder(pool, folder)
        return report_json.to_json(
            OF_LEDGERS[question](folder, Question(books, settings, reforms_of(reform)), progress)
        )


def effects(pool: Pool, player: str, settings: Sequence[str]) -> list[Effect]:
    """What numbers (`k_new=32`) would do to a player's last rating at each speed of a chess pool.

    Answers while a page waits; what was rated is kept for the next question. Raises RefusedError for numbers
    that may not be tried, a player whom the pool does not have, and a pool of which this takes too long.
    """
    from banzuke.lab.reform_effect import changes_of

    with _ONE_AT_A_TIME:
        asked = _ready(pool)
        games, own = len(asked.columns.games.round), asked.columns.pool
        if own.book_without_twin and games > MOST_WITHOUT_TWIN:
            raise RefusedError([fault("", 0, "", "lab-effect-slow", games=games, most=MOST_WITHOUT_TWIN)])
        if player not in asked.columns.player_numbers:
            raise RefusedError([fault("", 0, "player", "lab-effect-nobody")])
        changes = changes_of(own, settings, ())
        if len(changes) > MOST_CHANGED:
            raise RefusedError([fault("", 0, "", "lab-effect-many", most=MOST_CHANGED)])
        runs = RUNS if games <= MANY_GAMES else RUNS_OF_MANY
        return [asked.of(speed, player, changes, runs) for speed in own.speeds]


def _ready(pool: Pool) -> Effects:
    """The pool as of its last entry, with what was rated of it."""
    from banzuke.engine.columnar.chess_reader import columns_of
    from banzuke.lab.reform_effect import Effects

    entry = last_entry(pool)
    known = _READY.pop(pool.pk, None)
    if known is None or known[0] != entry:
        ledger = read_book(pool, entry)
        if not isinstance(ledger, ChessLedger):
            raise TypeError(pool.slug)
        known = entry, Effects(columns_of(ledger))
    _READY[pool.pk] = known
    if len(_READY) > MOST_READY:
        _READY.popitem(last=False)
    return known[1]


def read(found: Any) -> Report | None:
    """The report that `ask` kept; None where it is none, as of another version."""
    try:
        return report_json.from_json(found)
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
