"""The tables of a ledger folder: their columns, which are required, and the record a row becomes."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple

from banzuke.core.facts import (
    CLUBS,
    EXCLUDE,
    FORMS,
    MATCH,
    MEMBERSHIPS,
    RULINGS,
    SPEEDS,
    Adjustment,
    Bye,
    Club,
    Event,
    Game,
    Membership,
    Opening,
    Player,
)
from banzuke.core.go_facts import Declaration, GoGame, GoOpening, GoPlayer
from banzuke.core.rounding import rounded
from banzuke.core.rulebook import EXACT_RATING, ChessBook
from banzuke.ledger.cells import (
    BYE_POINTS,
    CERTIFIED_RANK,
    COUNT,
    DATE,
    DECIMAL,
    DECLARED,
    EVENT_DAY,
    FLAG,
    HANDICAP,
    KOMI,
    MAP,
    MOMENT,
    RATING,
    RESULT,
    WHOLE_RANK,
    WITH_DECIMALS,
    Kind,
    one_of,
    whole,
)
from banzuke.ledger.written_text import ID, TEXT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from decimal import Decimal

    from banzuke.core.rulebook import ExtraColumn
    from banzuke.ledger.pool_rules import Pool


class Table(NamedTuple):
    """A table by name; `columns` in the order in which it is written, `added` those that a book adds.

    `left_out` are not written where all their cells are blank.
    """

    name: str
    record: Callable[..., Any]
    columns: Mapping[str, Kind]
    required: frozenset[str]
    optional_file: bool = False
    added: frozenset[str] = frozenset()
    left_out: frozenset[str] = frozenset()


def _table(
    name: str, record: Callable[..., Any], columns: dict[str, Kind], *, optional: bool = False
) -> Table:
    """A table from columns; a required one is written with a `*`, one that is left out blank with a `?`."""
    required = frozenset(column[:-1] for column in columns if column.endswith("*"))
    left_out = frozenset(column[:-1] for column in columns if column.endswith("?"))
    kinds = {column.rstrip("*?"): kind for column, kind in columns.items()}
    return Table(name, record, kinds, required, optional, left_out=left_out)


CORRECTION = {"added": DATE, "struck": DATE}
SPEED = one_of(*SPEEDS)

CHESS = (
    _table(
        "players",
        Player,
        {
            "player_id*": ID,
            "name*": TEXT,
            "name_native": TEXT,
            "birth_date": DATE,
            "sex": TEXT,
            "club_id": ID,
            "fide_id": TEXT,
            "fide_standard": RATING,
            "fide_rapid": RATING,
            "fide_blitz": RATING,
            "title?": TEXT,
            "title_from?": TEXT,
            **CORRECTION,
        },
    ),
    _table(
        "clubs",
        Club,
        {
            "club_id*": ID,
            "name*": TEXT,
            "name_native?": TEXT,
            "kind*": one_of(*CLUBS),
            "valid_from*": DATE,
            "valid_to*": DATE,
        },
        optional=True,
    ),
    _table(
        "memberships",
        Membership,
        {
            "player_id*": ID,
            "kind*": one_of(*MEMBERSHIPS),
            "valid_from*": DATE,
            "valid_to*": DATE,
            "event_id": ID,
            **CORRECTION,
        },
        optional=True,
    ),
    _table(
        "events",
        Event,
        {
            "event_id*": ID,
            "name*": TEXT,
            "name_native?": TEXT,
            "organiser": TEXT,
            "place": TEXT,
            "responsible": TEXT,
            "reporter": TEXT,
            "form": one_of(*FORMS, unnamed=(MATCH,)),
            "speed": SPEED,
            "base_minutes": whole(0, 10_000),
            "increment_seconds": whole(0, 10_000),
            "fide_rated": FLAG,
            "starts*": EVENT_DAY,
            "ends*": EVENT_DAY,
            "reported*": EVENT_DAY,
            "applied": EVENT_DAY,
            "notified": EVENT_DAY,
            "paid": EVENT_DAY,
            "ruling": one_of(*RULINGS),
            "nonmembers": COUNT,
            **CORRECTION,
        },
    ),
    _table(
        "games",
        Game,
        {
            "event_id*": ID,
            "round*": whole(1, 999_999),
            "played": EVENT_DAY,
            "white*": TEXT,
            "black*": TEXT,
            "result*": RESULT,
            "ruling": one_of(EXCLUDE),
            **CORRECTION,
        },
    ),
    _table(
        "standings",
        Opening,
        {
            "player_id*": ID,
            "speed": SPEED,
            "rating*": RATING,
            "games*": COUNT,
            "peak": RATING,
            "earned": FLAG,
        },
        optional=True,
    ),
    _table(
        "adjustments",
        Adjustment,
        {
            "adjustment_id*": ID,
            "list*": ID,
            "speed": SPEED,
            "points*": MAP,
            "decision*": TEXT,
            **CORRECTION,
        },
        optional=True,
    ),
)

#: The last round in which there may be a bye: no format of reports has more.
MOST_ROUNDS = 999
#: Beside the tables of chess: no rating needs byes.
BYES = _table(
    "byes",
    Bye,
    {"event_id*": ID, "round*": whole(1, MOST_ROUNDS), "player_id*": TEXT, "points*": BYE_POINTS},
    optional=True,
)

GO = (
    _table(
        "players",
        GoPlayer,
        {
            "player_id*": ID,
            "name*": TEXT,
            "declared*": DECLARED,
            "professional": FLAG._replace(blank=False),
        },
    ),
    _table(
        "games",
        GoGame,
        {
            "game_id*": ID,
            "ended*": MOMENT,
            "black*": TEXT,
            "white*": TEXT,
            "result*": one_of("B", "W", "draw", "void"),
            "handicap*": HANDICAP,
            "komi*": KOMI,
            "board*": whole(1, 99),
            "moves*": COUNT,
            "room": one_of("rated", "free", "practice", "monthly"),
            "pair": FLAG,
            "robot": one_of("black", "white"),
            "fault": one_of("black", "white"),
        },
    ),
    _table(
        "declarations",
        Declaration,
        {"player_id*": ID, "at*": MOMENT, "rank*": WHOLE_RANK},
        optional=True,
    ),
    _table(
        "standings",
        GoOpening,
        {
            "player_id*": ID,
            "rank*": CERTIFIED_RANK,
            "points": whole(-999_999_999, 999_999_999),
            "rated_games*": COUNT,
            "wins_in_bc": whole(0, 4),
        },
        optional=True,
    ),
)

#: What a column that a book adds may hold, by the name of its kind.
KINDS = {"text": TEXT, "date": DATE, "count": COUNT, "rating": RATING, "decimal": DECIMAL, "flag": FLAG}


def tables_of(pool: Pool) -> tuple[Table, ...]:
    """The tables of the pool's ledger, with the columns that its books add.

    Where every event makes a list, `reported` decides nothing: it may be left out, and is then the last day.
    """
    books = [edition.book for edition in pool.editions]
    tables: tuple[Table, ...] = CHESS if isinstance(books[0], ChessBook) else GO
    for book in books:
        if isinstance(book, ChessBook) and book.columns.ledger:
            tables = tuple(_with_columns(table, book.columns.ledger.get(table.name, ())) for table in tables)
    if isinstance(books[0], ChessBook) and pool.schedule.is_by_event:
        tables = tuple(_without_report(table) if table.name == "events" else table for table in tables)
    return tables


def _with_columns(table: Table, added: tuple[ExtraColumn, ...]) -> Table:
    columns = {column.name: KINDS[column.kind] for column in added}
    if EXACT_RATING in added:
        columns[EXACT_RATING.name] = WITH_DECIMALS
        table = table._replace(record=_rounded_opening)
    return table._replace(columns={**table.columns, **columns}, added=table.added | columns.keys())


@wraps(Opening, assigned=(), updated=())
def _rounded_opening(player_id: str, rating: Decimal | int, *others: Any) -> Opening:
    """A starting rating with decimals: they stay among what the book adds, the rating is a whole number."""
    numerator, denominator = rating.as_integer_ratio()
    return Opening(player_id, rounded(numerator, denominator), *others)


def _without_report(events: Table) -> Table:
    return events._replace(record=_reported_at_its_end, required=events.required - {"reported"})


@wraps(Event, assigned=(), updated=())
def _reported_at_its_end(*fields: Any) -> Event:
    """An event; where no day of report is given, it is the last day."""
    event_id, name, starts, ends, reported, *others = fields
    return Event(event_id, name, starts, ends, reported or ends, *others)
