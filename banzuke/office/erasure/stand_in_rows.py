"""The rows of an erased player of chess: what ratings asked of the cells stays true, and no more is left.

The book is looked at as of each entry that lists were made from, since a row may have been struck between
two of them. Then every list is made again with the new rows: one that would change stops the erasure.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from banzuke.core import facts
from banzuke.core.facts import Player
from banzuke.database import models
from banzuke.database.added_columns import more_to_json
from banzuke.database.book_reader import last_entry, read_book
from banzuke.database.models import Pool, RatingList
from banzuke.engine.public_ledger.public_players import AskedColumns, PublicPlayers, nameless_row
from banzuke.engine.public_ledger.published_events import published_events
from banzuke.engine.public_ledger.stand_in_days import StandInDays
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.ledger.folder import ChessLedger
from banzuke.office.fact_rows import TABLES
from banzuke.office.lists.list_index import make_lists, names_of, names_up_to
from banzuke.office.lists.list_rows import CalculatedList
from banzuke.office.refusals import ErasureChangesListError
from banzuke.transparency.list_leaves import PERSON


class ListChanges(NamedTuple):
    """What a list is to have of the erased players: their rows by speed and id, and their workings."""

    published: RatingList
    rows: Mapping[tuple[str, str], Mapping[str, str]]
    workings: Mapping[tuple[str, str], dict[str, Any]]


def erased_rows(pool: Pool, ids: Collection[str]) -> dict[int, Player]:
    """The new rows by the numbers of the old ones."""
    numbers = list(
        models.Player.objects.filter(pool=pool, player_id__in=ids).order_by("pk").values_list("pk", flat=True)
    )
    asked: dict[int, AskedColumns] = defaultdict(dict)
    players: dict[int, Player] = {}
    for entry in _entries(pool):
        ledger = read_book(pool, entry)
        if isinstance(ledger, ChessLedger):
            own = [row for row in ledger.players if row.player_id in ids]
            for number, row, found in zip(numbers, own, _asked(ledger, own), strict=False):
                players[number] = row
                for column, (value, questions) in found.items():
                    before = asked[number].get(column, (value, set()))[1]
                    asked[number][column] = value, before | questions
    stand_ins = StandInDays()
    return {number: nameless_row(row, asked[number], stand_ins) for number, row in players.items()}


def _entries(pool: Pool) -> list[int]:
    """The entries that lists were made from, and the last one."""
    made_from = set(pool.lists.values_list("entry_id", flat=True))
    return sorted(made_from | {last_entry(pool)})


def _asked(ledger: ChessLedger, rows: Sequence[Player]) -> Iterator[AskedColumns]:
    """What all lists ask of the rows that this ledger makes, those to come included."""
    players = PublicPlayers(ledger, ())
    for event in published_events(ledger, names_of(ledger)):
        players.note(event)
    return (players.asked_of(row) for row in rows)


def row_columns(row: Player) -> dict[str, Any]:
    """A new row as the database keeps it."""
    left_out = ("player_id", "struck", "added", "more")
    kept = [name for name in TABLES[facts.Player].columns if name not in left_out]
    return {name: getattr(row, name) for name in kept} | {"more": more_to_json(row.more)}


def list_changes(
    pool: Pool, ids: Collection[str], rows: Mapping[int, Player], progress: Progress = no_progress
) -> Iterator[ListChanges]:
    """Each list of the pool made again with those rows, as far as it has to change.

    Raises ErasureChangesListError for one that would be another list.
    """
    new_rows = list(rows.values())
    by_entry: dict[int, list[RatingList]] = defaultdict(list)
    for published in pool.lists.order_by("number"):
        by_entry[published.entry_id].append(published)
    for entry, lists in by_entry.items():
        ledger = _with_rows(read_book(pool, entry), ids, new_rows)
        wanted = {published.name: published for published in lists}
        for made in make_lists(ledger, names_up_to(ledger, wanted), progress):
            if made.name in wanted:
                yield _changes(wanted[made.name], ids, made)


def _with_rows(ledger: Any, ids: Collection[str], rows: Sequence[Player]) -> Any:
    """The ledger with the new rows, of which it has the first ones, each struck as it was there."""
    coming = iter(rows)
    players = [
        next(coming)._replace(struck=row.struck) if row.player_id in ids else row for row in ledger.players
    ]
    return replace(ledger, players=players)


def _changes(published: RatingList, ids: Collection[str], made: CalculatedList) -> ListChanges:
    if made.content_sha256(published.entry_id) != published.sha256:
        raise ErasureChangesListError(list=published.name, revision=published.revision)
    rows = {
        (row.speed, row.player_id): {name: getattr(row, name) for name in PERSON}
        for row in made.rows
        if row.player_id in ids
    }
    stored = published.workings.filter(player_id__in=ids).values_list("speed", "player_id", "calculation")
    before = {(speed, player): calculation for speed, player, calculation in stored}
    again = {(speed, player): figures for speed, player, figures in made.workings if player in ids}
    changed = {key: figures for key, figures in again.items() if before.get(key) != figures}
    return ListChanges(published, rows, changed)
