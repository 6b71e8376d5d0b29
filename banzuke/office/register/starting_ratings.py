"""Starting ratings: those with which a pool opens (standings.csv), entered before its first list.

They carry no day, and every list rests on them: once one is published, none can be entered or changed.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import QuerySet

from banzuke.core import facts, go_facts
from banzuke.core.fault import Fault, refuse_any
from banzuke.database.book_reader import last_entry, rules_of
from banzuke.database.book_writer import Act, add_facts, new_entry
from banzuke.database.models import Entry, Pool
from banzuke.formats.lists.rating_list import measure_key
from banzuke.formats.member_register import is_rating
from banzuke.formats.rating_columns import MEASURES
from banzuke.ledger.checks import check_chess, check_go
from banzuke.ledger.csv_table import read_rows
from banzuke.ledger.records import Rows
from banzuke.ledger.schema import CHESS, GO, Table
from banzuke.office.bounded_reading import SMALL, read_bounded
from banzuke.office.fact_rows import TABLES, record_of, replace_all, standing_rows, strike_all, with_more_of
from banzuke.office.journal import Actor, note
from banzuke.office.lists.list_index import current_lists
from banzuke.office.refusals import OpeningsPublishedError, OutdatedError, UnknownOpeningError
from banzuke.office.register import starting_rating_table

ENTER, TAKE_BACK = "enter-openings", "take-back-opening"


class Plan(NamedTuple):
    """What starting ratings would change: new ones, (row, new) of those that differ; `same` do not."""

    added: tuple[Any, ...]
    changed: tuple[tuple[Any, Any], ...]
    same: int

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to be written."""
        return not (self.added or self.changed)


def table_of(pool: Pool) -> Table:
    """The table of the pool's starting ratings: chess, or Go."""
    return TABLES[go_facts.GoOpening if is_go(pool) else facts.Opening]


def is_go(pool: Pool) -> bool:
    """Whether the pool is a Go server's."""
    return rules_of(pool).is_go


def openings(pool: Pool) -> QuerySet[Any]:
    """The rows that stand, by player."""
    table = table_of(pool)
    return standing_rows(pool, table.record).order_by("player_id", *_speed(table))


def first_published(pool: Pool) -> str:
    """The first published list that rests on the starting ratings; blank while there is none."""
    first = current_lists(pool).last()
    return first.name if first else ""


def plan(pool: Pool, rows: Rows, added: Iterable[Any] = ()) -> Plan:
    """What rows would change; `added` are players who come with them.

    Raises RefusedError for players who are not in the pool, and the like.
    """
    refuse_any(_faults(pool, rows, added))
    table = table_of(pool)
    known = {_key(table, row): row for row in standing_rows(pool, table.record)}
    pairs = [(known.get(_key(table, record)), record) for record in rows.records]
    there = [(row, with_more_of(row, new)) for row, new in pairs if row is not None]
    differ = [(row, new) for row, new in there if record_of(row, table.record) != new]
    added = tuple(new for row, new in pairs if row is None)
    return Plan(added, tuple(differ), len(pairs) - len(added) - len(differ))


def enter(pool: Pool, wanted: Rows, actor: Actor, position: int | None = None) -> Plan:
    """Enter starting ratings; one that is there is replaced.

    Raises OpeningsPublishedError, OutdatedError where the book has moved on from `position` (None: does not
    matter), and RefusedError as `plan` does.
    """
    if position not in (None, last_entry(pool)):
        raise OutdatedError
    with new_entry(pool, Act(actor.name, ENTER)) as entry:
        done = enter_with(entry, wanted, actor)
        if done.is_empty:
            transaction.set_rollback(True)
    return done


def enter_with(entry: Entry, wanted: Rows, actor: Actor) -> Plan:
    """Enter starting ratings within an entry that is open. Raises as `enter` does."""
    pool = entry.pool
    _refuse_published(pool)
    done = plan(pool, wanted)
    if not done.is_empty:
        table = table_of(pool)
        replace_all(entry, table.record, done.changed, date.min)
        add_facts(entry, table, done.added)
        note(actor, ENTER, pool, added=len(done.added), changed=len(done.changed), entry=entry.pk)
    return done


def take_back(pool: Pool, number: int, actor: Actor) -> None:
    """Strike a starting rating by its row's number. Raises OpeningsPublishedError, UnknownOpeningError."""
    with new_entry(pool, Act(actor.name, TAKE_BACK)) as entry:
        _refuse_published(pool)
        row = openings(pool).filter(pk=number).first()
        if row is None:
            raise UnknownOpeningError
        strike_all(entry, table_of(pool).record, [row], date.min)
        note(actor, TAKE_BACK, pool, member=row.player_id, entry=entry.pk)


def _refuse_published(pool: Pool) -> None:
    if name := first_published(pool):
        raise OpeningsPublishedError(list=name)


def _faults(pool: Pool, rows: Rows, added: Iterable[Any] = ()) -> list[Fault]:
    """What the ledger's own checks say of the rows, beside the players who stand."""
    rules, faults = rules_of(pool), list[Fault]()
    schema, check = (GO, check_go) if rules.is_go else (CHESS, check_chess)
    tables = {table.name: Rows(f"{table.name}.csv") for table in schema}
    players = next(table for table in schema if table.name == "players")
    standing = standing_rows(pool, players.record)
    if len(rows.records) == 1:
        standing = standing.filter(player_id=rows.records[0].player_id)
    known = [*(record_of(row, players.record) for row in standing.iterator()), *added]
    tables["players"] = Rows("players.csv", known, array("I", range(2, len(known) + 2)))
    tables["standings"] = rows
    check(rules, tables, faults)
    return faults


def _speed(table: Table) -> tuple[str, ...]:
    return ("speed",) if "speed" in table.columns else ()


def _key(table: Table, row: Any) -> tuple[str, ...]:
    return (row.player_id, *(getattr(row, name) for name in _speed(table)))


def rows_of_sheet(
    pool: Pool, file: str, sheet: Sequence[tuple[int, Mapping[str, str]]], every_games: str = ""
) -> Rows:
    """The starting ratings of a wide sheet (`rating_columns.read_ratings`), a row for each player and speed.

    `every_games` is the number of games where the sheet has none. Raises RefusedError with every fault.
    """
    table, rows, faults = table_of(pool), Rows(file), list[Fault]()
    names = ["player_id", "speed", *MEASURES]
    cells = [
        (line, [said["id"], speed, *_measures(said, speed, every_games)])
        for line, said in sheet
        for speed in rules_of(pool).speeds
        if is_rating(said.get(measure_key(speed, "rating"), ""))
    ]
    read_rows(rows, names, cells, table, faults)
    refuse_any(faults)
    return rows


def _measures(said: Mapping[str, str], speed: str, every_games: str) -> list[str]:
    rating, games, peak = (said.get(measure_key(speed, measure), "") for measure in MEASURES)
    return [rating, games or every_games, peak if is_rating(peak) else ""]


def read_table(pool: Pool, data: bytes, file: str) -> Rows:
    """The rows of a table that was sent, with their lines. Raises RefusedError with every fault."""
    return read_bounded(SMALL, starting_rating_table.read, data, file, is_go(pool))
