"""What in a ledger an officer should look at: scores beyond belief, patterns, games that cannot be.

A finding is a reason to ask, never a verdict. What scores can be believed is measured on the ledger itself
(`unbelievable`); patterns (`patterns`) and impossibilities (`impossible`) are plain rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from banzuke.lab.encounters import meetings
from banzuke.lab.farming_patterns import patterns
from banzuke.lab.findings import finding_sheet, grave_first, looked_sheet
from banzuke.lab.impossible_games import impossible
from banzuke.lab.improbable_scores import LEVEL, unbelievable
from banzuke.lab.sheets import note

if TYPE_CHECKING:
    from banzuke.engine.columnar.chess_reader import ChessColumns
    from banzuke.engine.columnar.go_reader import GoColumns
    from banzuke.lab.encounters import Meetings
    from banzuke.lab.findings import Looked
    from banzuke.lab.sheets import Sheet


def anomalies(columns: ChessColumns | GoColumns) -> list[Sheet]:
    """What there is to look at in a ledger, the gravest first; and how many of each kind were looked at."""
    met = meetings(columns)
    looked = looked_at(met)
    notes = (note("anomalies-ask"), note("anomalies-luck", percent=f"{100 * LEVEL:g}"))
    return [finding_sheet(met, grave_first(looked), notes), looked_sheet(looked)]


def looked_at(met: Meetings) -> list[Looked]:
    """Every kind of looking over those games, with what it found."""
    return [*impossible(met), *unbelievable(met), *patterns(met)]
