"""What the rules warn about without excluding anything, each with its clause."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from banzuke.core.fault import Fault, fault
from banzuke.core.rulebook import Family
from banzuke.engine.go_history import ignored_declarations
from banzuke.ledger.folder import ChessLedger, GoLedger
from banzuke.rulebooks.jcf import jcf_2024, ncs_2022

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import ModuleType

    from banzuke.core.facts import Club, Event
    from banzuke.core.go_facts import Declaration
    from banzuke.ledger.folder import Ledger

CLAUSES = {
    ncs_2022: {"organiser": "NCS 2(1)", "missing": "NCS 4(1)a", "name": "NCS 4(3)"},
    jcf_2024: {"organiser": "JCF 3(3)", "missing": "JCF 4(3)", "name": "JCF note 4"},
}


def warnings(ledger: Ledger) -> list[Fault]:
    """The warnings, in the order of the tables; the address is the row's id."""
    if isinstance(ledger, GoLedger):
        return of_declarations(ignored_declarations(ledger))
    doubtful = [*_births(ledger), *_never_standing(ledger), *_peaks(ledger)]
    if ledger.pool.family is not Family.MONTH:
        return doubtful
    found = [
        warning for event in ledger.events if event.struck is None for warning in _of_event(ledger, event)
    ]
    return doubtful + _names(ledger) + found


def _births(ledger: ChessLedger) -> Iterator[Fault]:
    """Players born after an event that they played: a slip that would make juniors."""
    starts = {event.event_id: event.starts for event in ledger.events}
    first = min(starts.values(), default=None)
    born = {
        p.player_id: p.birth_date for p in ledger.players if p.birth_date and first and p.birth_date > first
    }
    for games in ledger.games.values() if born else ():
        for game in games:
            day = starts[game.event_id]
            for player in (game.white, game.black):
                if player in born and born[player] > day:
                    facts = {"born": born.pop(player), "starts": day, "event": game.event_id}
                    yield fault("players.csv", 0, player, "warn-born", **facts)


def _never_standing(ledger: ChessLedger) -> Iterator[Fault]:
    """Rows that were struck before they were added."""
    games = [game for of_event in ledger.games.values() for game in of_event]
    for file, column, rows in (
        ("players.csv", "player_id", ledger.players),
        ("memberships.csv", "player_id", ledger.memberships),
        ("events.csv", "event_id", ledger.events),
        ("games.csv", "event_id", games),
    ):
        for row in rows:
            if row.added is not None and row.struck is not None and row.struck <= row.added:
                facts = {"added": row.added, "struck": row.struck}
                yield fault(file, 0, getattr(row, column), "warn-never-stands", **facts)


def _peaks(ledger: ChessLedger) -> Iterator[Fault]:
    """Opening standings whose peak is below the rating."""
    for row in ledger.standings:
        if row.peak is not None and row.peak < row.rating:
            facts = {"peak": row.peak, "rating": row.rating, "speed": row.speed}
            yield fault("standings.csv", 0, row.player_id, "warn-peak", **facts)


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
        found.append(_of_organiser(event, CLAUSES[module]["organiser"]))
    missing = module.missing_fields(event)
    if missing:
        clause = CLAUSES[module]["missing"]
        found.append(_warn(event, "warn-missing", fields=", ".join(missing), clause=clause))
    return found + _of_notice(module, event)


def _of_organiser(event: Event, clause: str) -> Fault:
    if not event.organiser:
        return _warn(event, "warn-no-organiser", clause=clause)
    return _warn(event, "warn-organiser", organiser=event.organiser, clause=clause)


def _of_notice(module: ModuleType, event: Event) -> list[Fault]:
    """The warnings of an event that was applied for, or of which FIDE was told, too late or never."""
    if module is jcf_2024 and not jcf_2024.applied_in_time(event):
        facts = {"starts": event.starts, "days": jcf_2024.APPLY_DAYS, "clause": "JCF 3(4)"}
        if event.applied is None:
            return [_warn(event, "warn-not-applied", **facts)]
        return [_warn(event, "warn-applied", applied=event.applied, **facts)]
    if module is ncs_2022 and event.fide_rated and not ncs_2022.notified_in_time(event):
        facts = {"starts": event.starts, "months": ncs_2022.FIDE_NOTICE_MONTHS, "clause": "NCS 2(3)"}
        if event.notified is None:
            return [_warn(event, "warn-not-notified", **facts)]
        return [_warn(event, "warn-notified", notified=event.notified, **facts)]
    return []


def _is_recognised(ledger: ChessLedger, module: ModuleType, event: Event) -> bool:
    clubs: dict[str, list[Club]] = defaultdict(list)
    for club in ledger.clubs:
        clubs[club.club_id].append(club)
    recognised: bool = module.is_recognised(clubs.get(event.organiser, []), event.starts)
    return recognised


def _warn(event: Event, code: str, **facts: object) -> Fault:
    return fault("events.csv", 0, event.event_id, code, **facts)


def of_declarations(ignored: Iterable[Declaration]) -> list[Fault]:
    """PN 6(3): declarations that change nothing."""
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
        for d in ignored
    ]
