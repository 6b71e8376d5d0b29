"""What the rules warn about without excluding anything, each with its clause."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from banzuke.core.fault import Fault, fault
from banzuke.ledger.folder import ChessLedger, GoLedger
from banzuke.office.go_history import history, opening
from banzuke.rulebooks import Family, jcf_2024, ncs_2022

if TYPE_CHECKING:
    from types import ModuleType

    from banzuke.core.facts import Club, Event
    from banzuke.ledger.folder import Ledger

CLAUSES = {
    ncs_2022: {"organiser": "NCS 2(1)", "missing": "NCS 4(1)a", "name": "NCS 4(3)"},
    jcf_2024: {"organiser": "JCF 3(3)", "missing": "JCF 4(3)", "name": "JCF note 4"},
}


def warnings(ledger: Ledger) -> list[Fault]:
    """The warnings, in the order of the tables; the address is the row's id."""
    if isinstance(ledger, GoLedger):
        return _ignored_declarations(ledger)
    if ledger.pool.family is not Family.MONTH:
        return []
    found = [
        warning for event in ledger.events if event.struck is None for warning in _of_event(ledger, event)
    ]
    return _names(ledger) + found


def _names(ledger: ChessLedger) -> list[Fault]:
    clause = CLAUSES[ledger.pool.editions[-1].book.module]["name"]
    return [
        fault("players.csv", 0, player.player_id, "warn-name", name=player.name, clause=clause)
        for player in ledger.players
        if player.struck is None and not ncs_2022.is_name_in_form(player.name)
    ]


def _of_event(ledger: ChessLedger, event: Event) -> list[Fault]:
    """The warnings of one event, by the edition that rates it."""
    edition = ledger.pool.edition_on(ledger.pool.family.deciding_day(event))
    module = edition.book.module
    found = []
    if not _is_recognised(ledger, module, event):
        found.append(
            _warn(
                event, "warn-organiser", organiser=event.organiser or "-", clause=CLAUSES[module]["organiser"]
            )
        )
    missing = module.missing_fields(event)
    if missing:
        found.append(
            _warn(event, "warn-missing", fields=", ".join(missing), clause=CLAUSES[module]["missing"])
        )
    starts = event.starts
    if module is jcf_2024 and not jcf_2024.applied_in_time(event):
        facts = {"applied": event.applied or "-", "days": jcf_2024.APPLY_DAYS, "clause": "JCF 3(4)"}
        found.append(_warn(event, "warn-applied", starts=starts, **facts))
    if module is ncs_2022 and event.fide_rated and not ncs_2022.notified_in_time(event):
        facts = {
            "notified": event.notified or "-",
            "months": ncs_2022.FIDE_NOTICE_MONTHS,
            "clause": "NCS 2(3)",
        }
        found.append(_warn(event, "warn-notified", starts=starts, **facts))
    return found


def _is_recognised(ledger: ChessLedger, module: ModuleType, event: Event) -> bool:
    clubs: dict[str, list[Club]] = defaultdict(list)
    for club in ledger.clubs:
        clubs[club.club_id].append(club)
    recognised: bool = module.is_recognised(clubs.get(event.organiser, []), event.starts)
    return recognised


def _warn(event: Event, code: str, **facts: object) -> Fault:
    return fault("events.csv", 0, event.event_id, code, **facts)


def _ignored_declarations(ledger: GoLedger) -> list[Fault]:
    """PN 6(3): declarations that change nothing."""
    run = opening(ledger)
    for _ in history(ledger, run, None):
        pass
    return [
        fault(
            "declarations.csv",
            0,
            d.player_id,
            "warn-declaration",
            rank=d.rank,
            at=d.at.isoformat(),
            clause="PN 6(3)",
        )
        for d in run.ignored
    ]
