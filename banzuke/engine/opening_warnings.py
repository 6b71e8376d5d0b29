"""What a new ledger lacks, so that nobody in it can get a rating."""

from collections import Counter
from collections.abc import Iterator, Mapping

from banzuke.core.fault import Fault, RefusedError, fault
from banzuke.core.rating import AGAINST_UNRATED, FIRST
from banzuke.engine.history import history, list_names
from banzuke.ledger.folder import ChessLedger, Ledger
from banzuke.ledger.pool_rules import Pool, chess_book
from banzuke.ledger.schema import tables_of


def opening_warnings(ledger: Ledger) -> list[Fault]:
    """What the ledger of a chess pool with games lacks: ratings to begin with, memberships."""
    if not isinstance(ledger, ChessLedger) or not any(ledger.games.values()):
        return []
    return [*_no_members(ledger), *nobody_rated(ledger.pool, _verdicts_if_nobody_is_rated(ledger))]


def _no_members(ledger: ChessLedger) -> Iterator[Fault]:
    book = chess_book(ledger.pool.editions[-1])
    if book.is_member is not None and not ledger.memberships:
        yield fault("memberships.csv", 0, "", "warn-no-members", book=book.name)


def _verdicts_if_nobody_is_rated(ledger: ChessLedger) -> Mapping[str, int]:
    """The verdicts of all games; none as soon as there is a rating."""
    if ledger.standings:
        return {}
    found: Counter[str] = Counter()
    try:
        for rated in history(ledger, list_names(ledger, None)):
            if any(rated.outcome.standings.ratings.values()):
                return {}
            found.update(line.verdict for lines in rated.outcome.events for line in lines.lines)
    except RefusedError:  # which `rate` says
        return {}
    return found


def nobody_rated(pool: Pool, verdicts: Mapping[str, int]) -> list[Fault]:
    """A warning where the games of a pool without ratings failed for want of one."""
    if not verdicts.get(AGAINST_UNRATED) or verdicts.get(FIRST):
        return []
    standings = next(table for table in tables_of(pool) if table.name == "standings")
    asked = standings.required | ({"speed"} if any(pool.speeds) else set())
    columns = ", ".join(column for column in standings.columns if column in asked)
    book = pool.editions[-1].book.name
    return [fault("standings.csv", 0, "", "warn-nobody-rated", book=book, columns=columns)]
