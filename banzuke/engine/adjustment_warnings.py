"""Adjustments without any effect: of a list that is not made, or known too late for it."""

from collections.abc import Iterator

from banzuke.core.fault import Fault, fault
from banzuke.engine.history import Plans, list_names
from banzuke.ledger.folder import ChessLedger, Ledger
from banzuke.ledger.records import standing_records

FILE = "adjustments.csv"


def adjustment_warnings(ledger: Ledger) -> list[Fault]:
    """A warning for each that does nothing when the ledger is rated; the address is its id."""
    if not isinstance(ledger, ChessLedger) or not ledger.adjustments:
        return []
    return list(_without_effect(ledger))


def _without_effect(ledger: ChessLedger) -> Iterator[Fault]:
    names, plans = list_names(ledger, None), Plans(ledger)
    known = {name: plans.known_until(name) for name in names}
    for row in ledger.adjustments:
        name = row.adjustment_id
        if not names:
            yield fault(FILE, 0, name, "warn-adjustment-no-list", list=row.list)
        elif row.list not in known:
            yield fault(FILE, 0, name, "warn-adjustment-list", list=row.list, first=names[0], last=names[-1])
        elif row.struck is None and not standing_records([row], known[row.list]):
            facts = {"list": row.list, "added": row.added, "until": known[row.list]}
            yield fault(FILE, 0, name, "warn-adjustment-late", **facts)
