"""Rehearsing: a list as it would be published now, as its officers look at it; nothing is published."""

from collections import Counter
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple, cast

from banzuke.core import facts
from banzuke.core.fault import Fault
from banzuke.core.gc_pause import uncollected
from banzuke.core.rating import AGAINST_UNRATED, FIRST, RATED
from banzuke.core.rulebook import GoBook
from banzuke.database.book_reader import last_entry, read_book
from banzuke.database.models import Pool, RatingList
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.engine.rule_warnings import declaration_warnings, warnings
from banzuke.ledger.folder import GoLedger, Ledger
from banzuke.office.fact_rows import standing_rows
from banzuke.office.lists.chess_lists import ChessList
from banzuke.office.lists.fast_forward import ignored_declarations
from banzuke.office.lists.list_index import current_lists
from banzuke.office.lists.list_rows import CalculatedList, LineRow, Row
from banzuke.office.lists.recompute import recompute

#: Ratings whose passing is worth a look.
MARKS = (2000, 2300, 2400)
#: So many of the biggest movers are named.
MOST_MOVERS = 20
#: So many warnings are kept; `warned` says how many there are.
MOST_WARNINGS = 200
#: Verdicts of sides whose game counts for somebody.
COUNTS = frozenset((RATED, FIRST, AGAINST_UNRATED, "bonus", "fault"))


class EventSummary(NamedTuple):
    """An event of the list: its games, its players, how many games count, and why others do not.

    `not_members` are the ids of players whose missing membership keeps games out.
    """

    event_id: str
    name: str
    games: int
    players: int
    counting: int
    why_not: list[tuple[str, str, int]]
    not_members: tuple[str, ...] = ()


class Passing(NamedTuple):
    """A player whose rating comes to a mark from below (`is_up`), or falls below it."""

    mark: int
    is_up: bool
    row: Row


class Rehearsal(NamedTuple):
    """A rehearsed list; `before` is the list that it is compared with, `gone` those of it who are not on it.

    `position` is the entry of the book that it was made from, `lists` what would be published with it, `due`
    the published lists that must be revised first; `tally` counts the players up, down, unmoved and new.
    """

    name: str
    day: date
    closes: date
    position: int
    rulebook: str
    speeds: list[str]
    lists: list[str]
    due: list[str]
    is_closed: bool
    before: str
    tally: dict[str, int]
    events: list[EventSummary]
    movers: list[Row]
    first: list[Row]
    passing: list[Passing]
    gone: list[Row]
    warnings: list[Fault]
    warned: int
    rows: list[Row]

    @property
    def games(self) -> int:
        """The games of its events."""
        return sum(event.games for event in self.events)

    @property
    def counting(self) -> int:
        """Those of them that count."""
        return sum(event.counting for event in self.events)


@uncollected()
def rehearse(pool: Pool, name: str, today: date, progress: Progress = no_progress) -> Rehearsal:
    """A list as it would be if it were published now; nothing is. Raises UnknownListError.

    A list that is published already is rehearsed as its revision would be.
    """
    position = last_entry(pool)
    ledger = read_book(pool, position)
    found = recompute(pool, ledger, name, progress)
    made = cast("CalculatedList", found.wanted)  # it was asked for by its name
    before, warned = _list_before(pool, made), _warnings(ledger, made)
    return Rehearsal(
        name=made.name,
        day=made.day,
        closes=made.closes,
        position=position,
        rulebook=made.edition.book.name,
        speeds=list(dict.fromkeys(row.speed for row in made.rows)),
        lists=[each.name for each in found.fresh if each.closes <= made.closes],
        due=[due.published.name for due in found.due],
        is_closed=is_over(ledger, made, today),
        before=before.name if before else "",
        tally=_tally(made.rows),
        events=_events(pool, made),
        movers=_movers(made.rows),
        first=_first_ratings(made.rows),
        passing=marks_passed(made.rows),
        gone=_gone(before, made.rows),
        warnings=warned[:MOST_WARNINGS],
        warned=len(warned),
        rows=made.rows,
    )


def is_over(ledger: Ledger, made: CalculatedList, today: date) -> bool:
    """Whether a list's window is over; an event that makes a list is when it is reported."""
    return ledger.pool.schedule.is_by_event or today > made.closes


def _movers(rows: Iterable[Row]) -> list[Row]:
    """Who moves most, up or down."""
    moved = [row for row in rows if row.change]
    return sorted(moved, key=lambda row: (-abs(row.change or 0), row.player_id, row.speed))[:MOST_MOVERS]


def _first_ratings(rows: Iterable[Row]) -> list[Row]:
    """Who has a rating for the first time, or again."""
    return [row for row in rows if row.change is None and row.rating is not None and not row.written]


def marks_passed(rows: Iterable[Row]) -> list[Passing]:
    """Who comes to a mark from below, or falls below it."""
    return [
        Passing(mark, row.rating >= mark, row)
        for row in rows
        for mark in MARKS
        if row.change is not None
        and row.rating is not None
        and (row.rating - row.change < mark) is not (row.rating < mark)
    ]


def _warnings(ledger: Ledger, made: CalculatedList) -> list[Fault]:
    """What the rules warn about in the list's own events, and in the tables as a whole."""
    if isinstance(ledger, GoLedger):
        return declaration_warnings(ledger.pool, ignored_declarations(ledger))
    found = warnings(ledger)
    events = {line.event_id for line in made.lines}
    known = {event.event_id for event in ledger.events}
    return [each for each in found if each.column in events or each.column not in known]


def _list_before(pool: Pool, made: CalculatedList) -> RatingList | None:
    """The newest published list before this one."""
    return current_lists(pool).filter(closes__lt=made.closes).exclude(name=made.name).first()


def _tally(rows: list[Row]) -> dict[str, int]:
    count = Counter(
        "new" if r.change is None else "up" if r.change > 0 else "down" if r.change else "same" for r in rows
    )
    return {key: count[key] for key in ("up", "down", "same", "new")}


def _gone(before: RatingList | None, rows: list[Row]) -> list[Row]:
    if before is None:
        return []
    here = {(row.speed, row.player_id) for row in rows}
    listed = before.rows.order_by("player_id", "speed").values_list("speed", "player_id")
    gone = {key for key in listed if key not in here}
    if not gone:
        return []
    found = before.rows.filter(player_id__in={player for _, player in gone}).values_list(*Row._fields)
    return [row for row in map(Row._make, found.order_by("player_id")) if (row.speed, row.player_id) in gone]


def _events(pool: Pool, made: CalculatedList) -> list[EventSummary]:
    """The list's events; the games of a Go server, which have none, are told together."""
    if isinstance(made.edition.book, GoBook):
        return [_event("", "", made.lines)] if made.lines else []
    by_event: dict[str, list[LineRow]] = {}
    for line in made.lines:
        by_event.setdefault(line.event_id, []).append(line)
    rows = standing_rows(pool, facts.Event).filter(event_id__in=by_event)
    names = dict(rows.values_list("event_id", "name"))
    missing = made.not_members if isinstance(made, ChessList) else {}
    return [
        _event(event, names.get(event, event), of)._replace(not_members=tuple(sorted(missing.get(event, ()))))
        for event, of in by_event.items()
    ]


def _event(event_id: str, name: str, lines: list[LineRow]) -> EventSummary:
    """White's line and Black's stand together; a game that does not enter has one reason for both."""
    games = list(zip(lines[::2], lines[1::2], strict=False))
    counting = sum(white.verdict in COUNTS or black.verdict in COUNTS for white, black in games)
    why = Counter(
        (w.verdict, w.clause) for w, b in games if w.verdict not in COUNTS and b.verdict not in COUNTS
    )
    why_not = [(*reason, count) for reason, count in sorted(why.items())]
    return EventSummary(
        event_id, name, len(games), len({line.player_id for line in lines}), counting, why_not
    )
