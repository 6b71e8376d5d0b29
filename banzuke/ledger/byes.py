"""Points for byes in a ledger's folder, byes.csv: for crosstables, standings and reports of its events.

No rating needs them. A row of somebody who has a game in the round, or is not in the register any more, says
nothing.
"""

from collections.abc import Iterable
from pathlib import Path

from banzuke.core.facts import Bye
from banzuke.core.fault import Fault, refuse_any
from banzuke.ledger.folder import NEW_FILE, read_table, replace_tables
from banzuke.ledger.schema import BYES


def read_byes(folder: Path, event_id: str | None = None) -> list[Bye]:
    """The byes of a ledger, or of one of its events. Raises RefusedError for a damaged file."""
    faults: list[Fault] = []
    rows = read_table(folder, {path.name for path in folder.iterdir()}, BYES, faults)
    refuse_any(faults)
    return [bye for bye in rows.records if event_id in (None, bye.event_id)]


def add_byes(folder: Path, byes: Iterable[Bye]) -> None:
    """Keep these byes too, in place of what there was of their events; no file where there are none."""
    new = list(byes)
    if new:
        events = {bye.event_id for bye in new}
        kept = [bye for bye in read_byes(folder) if bye.event_id not in events]
        write_byes(folder, [*kept, *new])


def write_byes(folder: Path, byes: Iterable[Bye], mode: int = NEW_FILE) -> None:
    """Write these byes, and no others; no file where there are none. `mode` is that of a new file."""
    rows = sorted(byes)
    if rows:
        replace_tables(folder, {BYES.name: rows}, (BYES,), mode)
