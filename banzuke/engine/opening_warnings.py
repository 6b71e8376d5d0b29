"""What a new ledger lacks, so that nobody in it can get a rating."""

from collections import Counter
from collections.abc import Iterator, Mapping

from banzuke.core.fault import Fault, RefusedError, fault
from banzuke.core.rating import AGAINST_UNRATED, FIRST, RATED
from banzuke.engine import go_history
from banzuke.engine.history import history, list_names
from banzuke.ledger.folder import ChessLedger, GoLedger, Ledger
from banzuke.ledger.pool_rules import Pool, chess_book
from banzuke.ledger.schema import tables_of

#: The verdict of a game of Go between players who are not certified.
AGAINST_PROVISIONAL = "not:provisional"


def opening_warnings(ledger: Ledger) -> list[Fault]:
    """What a ledger with games lacks: ratings or certified ranks to begin with, memberships."""
    if isinstance(ledger, GoLedger):
        return nobody_rated(ledger.pool, _verdicts_if_nobody_is_certified(ledger))
    if not any(ledger.games.values()):
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


def _verdicts_if_nobody_is_certified(ledger: GoLedger) -> Mapping[str, int]:
    """The verdicts of all games; none as soon as one is rated."""
    if ledger.standings:
        return {}
    found: Counter[str] = Counter()
    for rated in go_history.history(ledger, go_history.opening(ledger), None):
        found.update((rated.black.verdict, rated.white.verdict))
        if found[RATED]:
            return {}
    return found


def nobody_rated(pool: Pool, verdicts: Mapping[str, int]) -> list[Fault]:
    """A warning where the games of a pool without ratings or certified ranks failed for want of one."""
    if pool.is_go:
        wanting = verdicts.get(AGAINST_PROVISIONAL) and not verdicts.get(RATED)
        book = pool.editions[-1].book.name
        return [fault("standings.csv", 0, "", "warn-nobody-certified", book=book)] if wanting else []
    if not verdicts.get(AGAINST_UNRATED) or verdicts.get(FIRST):
        return []
    standings = next(table for table in tables_of(pool) if table.name == "standings")
    asked = standings.required | ({"speed"} if any(pool.speeds) else set())
    columns = ", ".join(column for column in standings.columns if column in asked)
    book = pool.editions[-1].book.name
    return [fault("standings.csv", 0, "", "warn-nobody-rated", book=book, columns=columns)]
