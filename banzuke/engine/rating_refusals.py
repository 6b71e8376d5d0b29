"""What rating a ledger will refuse, as far as it shows before anything is rated."""

from collections.abc import Iterator

from banzuke.core.fault import Fault
from banzuke.core.rating import Standings
from banzuke.engine.history import batches, opening
from banzuke.ledger.folder import ChessLedger, GoLedger, Ledger
from banzuke.ledger.pool_rules import chess_book


def refusals(ledger: Ledger) -> list[Fault]:
    """Why events will be refused, by what the starting ratings of their players say."""
    return [] if isinstance(ledger, GoLedger) else list(_of_entries(ledger))


def _of_entries(ledger: ChessLedger) -> Iterator[Fault]:
    """Event by event; a starting rating is what stands before the first one that the player plays."""
    if all(chess_book(edition).checks.entry is None for edition in ledger.pool.editions):
        return
    left = opening(ledger).ratings
    for batch, edition in batches(ledger):
        find = chess_book(edition).checks.entry
        for entry in batch.entries:
            players = {side for game in entry.games for side in (game.white, game.black)}
            first = {speed: {id_: of.pop(id_) for id_ in players & of.keys()} for speed, of in left.items()}
            if find is not None:
                yield from find(Standings(first), entry, batch.register)
