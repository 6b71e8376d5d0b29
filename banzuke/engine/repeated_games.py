"""Games of Go that stand in a ledger twice, under two ids."""

from collections.abc import Iterator

from banzuke.core.fault import Fault, fault
from banzuke.ledger.folder import GoLedger, Ledger


def repeated_game_warnings(ledger: Ledger) -> list[Fault]:
    """A warning for each game that ended at the moment of another between the same Black and White."""
    return list(_repeated(ledger)) if isinstance(ledger, GoLedger) else []


def _repeated(ledger: GoLedger) -> Iterator[Fault]:
    met: dict[tuple[object, str, str], str] = {}
    for game in ledger.games:
        first = met.setdefault((game.ended, game.black, game.white), game.game_id)
        if first != game.game_id:
            yield fault("games.csv", 0, game.game_id, "warn-game-twice", first=first)
