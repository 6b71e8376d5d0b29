"""A ledger rated by a book of another series: its lists, with their states by the pool's own speeds.

A book with one list rates the games of each speed by themselves. By a book with several lists, all games of a
pool with one are standard. `ledger.crossed_tables` says what is assumed.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from heapq import merge
from typing import Any

import numpy as np

from banzuke.columnar.batch_columns import Games, State
from banzuke.columnar.rating_records import STATE_FIELDS
from banzuke.core.facts import STANDARD, Event
from banzuke.core.rulebook import ChessBook
from banzuke.engine.columnar.chess_reader import ChessColumns
from banzuke.engine.columnar.columnar_history import RatedColumns, opening
from banzuke.engine.columnar.readable_lists import any_history
from banzuke.engine.history import list_names
from banzuke.ledger.crossed_tables import Assumption, Tables, cross_tables
from banzuke.ledger.pool_rules import Pool, chess_book
from banzuke.ledger.records import standing_records

#: A ledger for a book, its lists, and what the pool's speeds in it are called there.
Part = tuple[ChessColumns, Sequence[str], Mapping[str, str]]
#: The speed of an event that enters no list of the pool.
NO_LIST = "-"


def crossed_lists(columns: ChessColumns, parts: Sequence[Part]) -> Iterator[RatedColumns]:
    """The lists of the parts of a ledger by the one book that rates them."""
    now = opening(columns._replace(standings=[]))
    for part in parts:
        now = _laid_over(columns, now, opening(part[0]), part)
    coming = map(_lists_of, parts)
    for _, made, part in merge(*coming, key=lambda each: each[0]):
        before, now = now, _laid_over(columns, now, made.rated.after, part)
        own = {theirs: speed for speed, theirs in part[2].items()}
        speeds = tuple(own.get(speed, NO_LIST) for speed in made.rated.speeds)
        yield made._replace(rated=made.rated._replace(before=before, after=now, speeds=speeds))


def crossed_parts(columns: ChessColumns, pool: Pool) -> Iterator[tuple[ChessColumns, Mapping[str, str]]]:
    """The ledger for the book: as a whole, or each speed by itself where the book has one list."""
    tables, _ = cross_tables(_tables(columns), *(chess_book(p.editions[-1]) for p in (columns.pool, pool)))
    crossed = _standing(columns)._replace(pool=pool, adjustments=[], **tables._asdict())
    own, theirs = columns.pool.speeds, pool.speeds
    if len(own) > 1 == len(theirs):
        for speed in own:
            events = [event for event in crossed.events if _speed_of(columns.pool, event) == speed]
            yield _part(crossed._replace(events=events), {speed: theirs[0]})
    elif len(own) == 1 < len(theirs):
        yield _part(crossed, {own[0]: STANDARD})
    else:
        yield _part(crossed, {speed: speed for speed in own if speed in theirs})


def assumed(columns: ChessColumns, book: ChessBook) -> list[Assumption]:
    """What is assumed where the book rates the ledger."""
    _, found = cross_tables(_tables(columns), chess_book(columns.pool.editions[-1]), book)
    return [*found, *([Assumption("crossed-adjustments", {})] if columns.adjustments else [])]


def _tables(columns: ChessColumns) -> Tables:
    return Tables(columns.players, columns.memberships, columns.events, columns.standings)


def _standing(columns: ChessColumns) -> ChessColumns:
    """With the games alone that stand now."""
    if not len(columns.struck):
        return columns
    rows = np.flatnonzero(columns.struck == 0)
    first = np.searchsorted(columns.event_of(rows), np.arange(len(columns.event_first)))
    games: list[Any] = [column[rows] for column in columns.games]
    none = np.empty(0, np.int32)
    return columns._replace(games=Games(*games), event_first=first, added=none, struck=none)


def _part(crossed: ChessColumns, speeds: Mapping[str, str]) -> tuple[ChessColumns, Mapping[str, str]]:
    rows = [row._replace(speed=speeds[row.speed]) for row in crossed.standings if row.speed in speeds]
    return crossed._replace(standings=rows), speeds


def _speed_of(pool: Pool, event: Event) -> str:
    """The speed of an event in its own pool: as declared, where the time allows it."""
    book = chess_book(pool.editions[-1])
    if event.minutes is None or book.speeds_of_time is None:
        return event.speed
    fits = book.speeds_of_time(event.minutes, bool(event.fide_rated))
    return event.speed if event.speed in fits else fits[0]


def _lists_of(part: Part) -> Iterator[tuple[Any, RatedColumns, Part]]:
    """The lists of a part, each behind what it is sorted by."""
    for made in any_history(*part[:2]):
        yield (made.rated.batch.closes, made.rated.batch.name), made, part


def closing_day(columns: ChessColumns, until: str | None) -> date | None:
    """The day until which a list of the ledger takes events (None: the last)."""
    if until is None:
        return None
    if columns.pool.schedule.is_by_event:
        return _last_days(columns)[until]
    return columns.pool.schedule.window_named(until).closes


def _last_days(columns: ChessColumns) -> dict[str, date]:
    """The last day of each event that stands, by id: a row that was struck may have another one."""
    return {event.event_id: event.ends for event in standing_records(columns.events, None)}


def lists_opened(columns: ChessColumns, until: date | None) -> list[str]:
    """The lists of a ledger that open until that day (None: all)."""
    names, schedule = list_names(columns, None), columns.pool.schedule
    if until is None:
        return names
    if schedule.is_by_event:
        ends = _last_days(columns)
        return [name for name in names if ends[name] <= until]
    return [name for name in names if schedule.window_named(name).opens <= until]


def _laid_over(columns: ChessColumns, now: State, other: State, part: Part) -> State:
    """The state by the pool's own speeds, at those of a part as the part has it."""
    theirs, _, speeds = part
    rows = [columns.pool.speeds.index(speed) for speed in speeds]
    of_part = [theirs.pool.speeds.index(speed) for speed in speeds.values()]
    fields: dict[str, Any] = {name: getattr(now, name).copy() for name in STATE_FIELDS}
    for name, field in fields.items():
        field[rows] = getattr(other, name)[of_part]
    return now._replace(**fields)
