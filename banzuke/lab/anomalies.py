"""What in a ledger an officer should look at: improbable scores, farming, impossible games.

A finding is a reason to ask, never a verdict. What scores can be believed is measured on the ledger itself
(`improbable_scores`); `farming_patterns` and `impossible_games` are plain rules.
"""

from banzuke.engine.columnar.chess_reader import ChessColumns
from banzuke.engine.columnar.go_reader import GoColumns
from banzuke.lab.encounters import LedgerGames, games_of_ledger
from banzuke.lab.farming_patterns import farming_patterns
from banzuke.lab.findings import CheckResult, checks_sheet, finding_sheet, gravest_first
from banzuke.lab.impossible_games import impossible_games
from banzuke.lab.improbable_scores import LEVEL, improbable_scores
from banzuke.lab.sheets import Sheet, note


def anomaly_sheets(columns: ChessColumns | GoColumns) -> list[Sheet]:
    """What there is to look at in a ledger, the gravest first; and how many of each kind were looked at."""
    met = games_of_ledger(columns)
    looked = run_checks(met)
    notes = (note("anomalies-ask"), note("anomalies-luck", percent=f"{100 * LEVEL:g}"))
    return [finding_sheet(met, gravest_first(looked), notes), checks_sheet(looked)]


def run_checks(met: LedgerGames) -> list[CheckResult]:
    """Every kind of looking over those games, with what it found."""
    return [*impossible_games(met), *improbable_scores(met), *farming_patterns(met)]
