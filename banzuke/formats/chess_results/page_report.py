"""A report from a Chess-Results page: which of its tables is read, and whether the event is over.

A page has a crosstable, the pairings of a round (or of all), or the list of players. A crosstable is the
whole event; the others are parts, which `page_merge.join` puts together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from banzuke.core.fault import fault
from banzuke.formats.chess_results.crosstable_page import CrosstablePage, under_way
from banzuke.formats.chess_results.event_details import Page, event_of
from banzuke.formats.chess_results.page_tables import (
    MOST_CELLS,
    MOST_ROWS,
    PAIRINGS,
    PLAYERS,
    ROUND_ROBIN,
    SWISS,
    Table,
    tables,
)
from banzuke.formats.chess_results.pairings import Pairings, round_in
from banzuke.formats.chess_results.player_rows import players_of
from banzuke.formats.report import Report, refused

if TYPE_CHECKING:
    from banzuke.core.fault import Fault
    from banzuke.formats.report import ReportedEvent


def report_of(page: Page) -> Report:
    """The report of a page; a page without a table that is read, or with two of a kind, is a fault."""
    if len(page.rows) > MOST_ROWS:
        return refused(fault(page.file, 0, "", "cr-too-large"))
    faults: list[Fault] = []
    found = tables(page.rows)
    inside = {id(row) for table in found for row in table.rows}
    event = event_of(page._replace(rows=[row for row in page.rows if id(row) not in inside]), faults)
    for kinds, reads in (
        ((SWISS, ROUND_ROBIN), _crosstable),
        ((PAIRINGS,), _pairings),
        ((PLAYERS,), _players),
    ):
        chosen = [table for table in found if table.layout.kind in kinds]
        if sum(len(table.rows) * len(table.layout.results) for table in chosen) > MOST_CELLS:
            return Report(event, (), (), (*faults, fault(page.file, 0, "", "cr-too-large")))
        if chosen:
            return reads(page, event, chosen, faults)
    return Report(event, (), (), (*faults, fault(page.file, 0, "", "cr-no-table")))


def _only(page: Page, chosen: list[Table], faults: list[Fault]) -> Table:
    """The one table of its kind; a second one is noted, and not read."""
    if len(chosen) > 1:
        faults.append(fault(page.file, chosen[1].heading.line, "", "cr-second-table", count=len(chosen)))
    return chosen[0]


def _players(page: Page, event: ReportedEvent, chosen: list[Table], faults: list[Fault]) -> Report:
    table = _only(page, chosen, faults)
    players = players_of(table, table.layout.numbers[0], page.file, faults)
    if not players and not faults:
        faults.append(fault(page.file, table.heading.line, "", "cr-no-players"))
    return Report(event, tuple(p for p, _ in players.values()), (), tuple(faults), part=frozenset())


def _pairings(page: Page, event: ReportedEvent, chosen: list[Table], faults: list[Fault]) -> Report:
    """The report of rounds' pairings; each table's round stands in its title, or in the page's address."""
    pairings = Pairings(page.file, faults)
    for table in chosen:
        number, day = round_in(table.title)
        number = number or (page.round if len(chosen) == 1 else 0)
        if not number:
            faults.append(fault(page.file, table.heading.line, "", "cr-no-round", title=table.title))
        elif number in pairings.rounds:
            faults.append(fault(page.file, table.heading.line, "", "cr-round-twice", round=number))
        else:
            pairings.take(table, number, day)
    if pairings.unfinished:
        faults.append(under_way(page.file, pairings.unfinished))
    games = tuple(sorted(pairings.games, key=lambda game: game.round))
    remarks = (fault(page.file, 0, "", "cr-numbered-here"),) if pairings.numbered_here else ()
    players = tuple(pairings.players[number] for number in sorted(pairings.players))
    return Report(event, players, games, tuple(faults), remarks, frozenset(pairings.rounds))


def _crosstable(page: Page, event: ReportedEvent, chosen: list[Table], faults: list[Fault]) -> Report:
    return CrosstablePage(page, event, _only(page, chosen, faults), faults).report()
