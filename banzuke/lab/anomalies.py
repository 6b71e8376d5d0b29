"""What in a ledger an officer should look at: scores beyond belief, patterns, games that cannot be.

A finding is a reason to ask, never a verdict. What scores can be believed is measured on the ledger itself
(`unbelievable`); patterns (`patterns`) and impossibilities (`impossible`) are plain rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from banzuke.lab.findings import finding_sheet, grave_first, looked_sheet
from banzuke.lab.impossible import impossible
from banzuke.lab.meetings import meetings
from banzuke.lab.patterns import patterns
from banzuke.lab.tables import note
from banzuke.lab.unbelievable import LEVEL, unbelievable

if TYPE_CHECKING:
    from banzuke.lab.findings import Looked
    from banzuke.lab.meetings import Meetings
    from banzuke.lab.tables import Sheet
    from banzuke.office.columnar.go_reading import GoColumns
    from banzuke.office.columnar.reading import ChessColumns


def anomalies(columns: ChessColumns | GoColumns) -> list[Sheet]:
    """What there is to look at in a ledger, the gravest first; and how many of each kind were looked at."""
    met = meetings(columns)
    looked = looked_at(met)
    notes = (note("anomalies-ask"), note("anomalies-luck", percent=f"{100 * LEVEL:g}"))
    return [finding_sheet(met, grave_first(looked), notes), looked_sheet(looked)]


def looked_at(met: Meetings) -> list[Looked]:
    """Every kind of looking over those games, with what it found."""
    return [*impossible(met), *unbelievable(met), *patterns(met)]
