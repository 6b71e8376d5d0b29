"""A report of games of Go looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from banzuke.book.reading import read_book
from banzuke.core import go
from banzuke.core.fault import Fault, fault
from banzuke.desk.inbox.examined import Examined, decisions, in_order, of_files, of_placement
from banzuke.desk.inbox.placing import placed_games
from banzuke.desk.inbox.problems import BLOCKS, WARNS, Problem, of_fault
from banzuke.desk.rows import TABLES
from banzuke.ledger.folder import GoLedger
from banzuke.ledger.table import cell_faults
from banzuke.office.receive_go import GoEntries, go_entries, other_ranks, with_entries
from banzuke.office.who_is_who import NEW
from banzuke.rulebooks import Family

if TYPE_CHECKING:
    from collections.abc import Iterator

    from banzuke.book import models
    from banzuke.desk.inbox.files import Contents
    from banzuke.formats.report import GoReport


def games_looked_at(report: models.Report, contents: Contents, position: int) -> Examined:
    """A report of games of Go; a decision about a handle counts in all its games."""
    ledger = read_book(report.pool, position)
    found = list(of_files(contents, go_wanted=True))
    faults: list[Fault] = []
    entries, placement = None, None
    if isinstance(ledger, GoLedger) and contents.incoming.go is not None:
        decided = {decision.name: decision.player_id for decision in decisions(report)}
        games = _as_decided(contents.incoming.go, decided)
        asked = go_entries(ledger, games, [], add_players=False).unknown
        are_new = all(decided.get(one.name) == NEW for one in asked)
        entries = go_entries(ledger, games, faults, add_players=are_new)
        found += [of_fault(one) for one in (*games.faults, *faults, *_unwritable(entries))]
        if entries.unknown:
            counts = {"players": len(asked), "unknown": sum(not one.candidates for one in asked)}
            found.append(Problem(BLOCKS, fault("", 0, "", "inbox-undecided", **counts)))
        else:
            after = with_entries(ledger, entries)
            found += [of_fault(one, WARNS) for one in other_ranks(after, entries.reported)]
        placement = placed_games(report.pool, entries.games)
        found += of_placement(None, placement)
    incoming = contents.incoming
    return Examined(
        position, Family.GO, [], entries, placement, [], incoming.waiting, contents.people, in_order(found)
    )


def _unwritable(entries: GoEntries) -> Iterator[Fault]:
    """What a ledger cannot hold of games of Go and their new players."""
    for player in entries.added:
        yield from cell_faults(TABLES[go.GoPlayer], player)
    for game in entries.games:
        yield from cell_faults(TABLES[go.GoGame], game)


def _as_decided(report: GoReport, decided: dict[str, str]) -> GoReport:
    """The games with the ids that were decided on in place of handles."""
    ids = {name: player_id for name, player_id in decided.items() if player_id != NEW}
    games = [
        game._replace(black=ids.get(game.black, game.black), white=ids.get(game.white, game.white))
        for game in report.games
    ]
    return report._replace(games=tuple(games))
