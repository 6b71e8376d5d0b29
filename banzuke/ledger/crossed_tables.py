"""The tables of a ledger as a book of another series needs them: what the book asks and they lack is assumed.

Only players, memberships, events and opening ratings change; the games are the same. `variants` of the
laboratory rate a ledger so by the book of another federation.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any, NamedTuple

from banzuke.core.facts import ANNUAL, NO_MORE, STANDARD, Event, Membership, Opening, Player
from banzuke.core.parameters import Parameters
from banzuke.core.rulebook import ChessBook, RuleBook
from banzuke.ledger.records import standing_records

#: Born, and a member since, a day that makes nobody young or new; a member until.
LONG_AGO, FOREVER = date(1900, 1, 1), date(9999, 12, 31)
#: A rating that another office keeps rests on more games than any book asks of an established one.
KNOWN_GAMES = 100


class Tables(NamedTuple):
    """The tables that books read in their own ways, with those rows that stand."""

    players: list[Player]
    memberships: list[Membership]
    events: list[Event]
    standings: list[Opening]


class Assumption(NamedTuple):
    """Something that is assumed: the key of its sentence, and the facts in it."""

    key: str
    facts: Mapping[str, object]


Assumed = tuple[Tables, list[Assumption]]


def cross_tables(tables: Tables, own: ChessBook, book: ChessBook) -> Assumed:
    """The tables of a pool of the book `own` for another book, and everything that is assumed."""
    found: list[Assumption] = []
    for assume in (_corrections, _speeds, _reports, _members, _births, _openings, _numbers):
        tables, assumed = assume(tables, own, book)
        found += assumed
    return tables, found


def _corrections(tables: Tables, _own: ChessBook, _book: ChessBook) -> Assumed:
    """Every correction counts, whenever it was made."""
    rows = [row for table in tables[:3] for row in table]
    if not any(row.added or row.struck for row in rows):
        return tables, []
    standing = Tables(
        [row._replace(added=None, struck=None) for row in standing_records(tables.players, None)],
        [row._replace(added=None, struck=None) for row in standing_records(tables.memberships, None)],
        [replace(row, added=None, struck=None) for row in standing_records(tables.events, None)],
        tables.standings,
    )
    return standing, [Assumption("crossed-corrections", {})]


def _speeds(tables: Tables, own: ChessBook, book: ChessBook) -> Assumed:
    """Every event has a speed or a time; all are standard where the pool has one list, the book several."""
    if len(own.speeds) == 1 < len(book.speeds):
        events = [_standard(event) for event in tables.events]
        return tables._replace(events=events), [Assumption("crossed-standard", {"book": book.name})]
    found = []
    if len(book.speeds) == 1 < len(own.speeds):
        found.append(Assumption("crossed-apart", {"book": book.name}))
    unknown = sum(_has_no_speed(event) for event in tables.events)
    if unknown and len(own.speeds) > 1:
        events = [_standard(event) if _has_no_speed(event) else event for event in tables.events]
        tables = tables._replace(events=events)
        found.append(Assumption("crossed-speed", {"count": unknown}))
    return tables, found


def _has_no_speed(event: Event) -> bool:
    return event.minutes is None and not event.speed


def _standard(event: Event) -> Event:
    return replace(event, speed=STANDARD, base_minutes=None, increment_seconds=None)


def _reports(tables: Tables, own: ChessBook, book: ChessBook) -> Assumed:
    """Events are reported, and fees paid, on the last day, where the pool's own book asks neither."""
    events, found = tables.events, []
    if book.calendar.column == "reported" != own.calendar.column:
        events = [replace(event, reported=event.ends) for event in events]
        found.append(Assumption("crossed-reported", {}))
    if book.fees and not own.fees:
        events = [replace(event, paid=event.ends) for event in events]
        found.append(Assumption("crossed-fees", {}))
    return tables._replace(events=events), found


def _members(tables: Tables, own: ChessBook, book: ChessBook) -> Assumed:
    """Everybody is a member, where the pool's own book asks for no membership."""
    if own.is_member or not (book.is_member or book.coefficient_on):
        return tables, []
    known = set() if book.is_member else {row.player_id for row in tables.memberships}
    ids = {player.player_id for player in tables.players} - known
    added = [Membership(player, ANNUAL, LONG_AGO, FOREVER) for player in sorted(ids)]
    found = [Assumption("crossed-members", {"count": len(added)})] if added else []
    return tables._replace(memberships=tables.memberships + added), found


def _births(tables: Tables, _own: ChessBook, book: ChessBook) -> Assumed:
    """Who has no birth date is grown up, where the book rates nobody without one."""
    unknown = sum(player.birth_date is None for player in tables.players)
    if book.coefficient_on is None or not unknown:
        return tables, []
    players = [player._replace(birth_date=player.birth_date or LONG_AGO) for player in tables.players]
    return tables._replace(players=players), [Assumption("crossed-births", {"count": unknown})]


def _openings(tables: Tables, own: ChessBook, book: ChessBook) -> Assumed:
    """Ratings of the register open the pool like the others; what else the own book adds is left out."""
    names = [column.name for column in own.columns.ledger.get("players", ()) if column.kind == "rating"]
    elsewhere = [
        Opening(player.player_id, player.more[name], KNOWN_GAMES, own.speeds[0])
        for player in tables.players
        for name in names
        if name in player.more
    ]
    standings = [
        row._replace(peak=row.peak if row.games >= book.peak_from_games else None, more=NO_MORE)
        for row in (*tables.standings, *elsewhere)
    ]
    found = [Assumption("crossed-known", {"count": len(elsewhere)})] if elsewhere else []
    if book.starts_from_fide and not any(player.fide_standard for player in tables.players):
        found.append(Assumption("crossed-fide", {}))
    if book.rates_on_list_in_force:
        found.append(Assumption("crossed-in-force", {}))
    players = [player._replace(more=NO_MORE) for player in tables.players]
    events = [replace(event, more=NO_MORE) for event in tables.events]
    return Tables(players, tables.memberships, events, standings), found


def _numbers(tables: Tables, _own: ChessBook, book: ChessBook) -> Assumed:
    """The first of the numbers that begin on days hold for the days before, too (`undated`)."""
    early = has_early_events(tables.events, book)
    return tables, [Assumption("crossed-early", {"day": _first_day(book)})] if early else []


def has_early_events(events: Iterable[Event], book: RuleBook) -> bool:
    """Whether an event ended before the day from which the book has all its numbers."""
    return any(event.ends < _first_day(book) for event in events)


def _first_day(book: RuleBook) -> date:
    return max((rows[0][0] for rows in dated_rows(book.parameters).values()), default=date.min)


def dated_rows(parameters: Parameters) -> dict[str, list[Any]]:
    """The rows of those parameters that begin on days."""
    rows = {name: parameter.value for name, parameter in parameters.items() if parameter.columns}
    return {name: value for name, value in rows.items() if isinstance(value[0][0], date)}
