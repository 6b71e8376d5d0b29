"""A rehearsal as it is kept with its job and shown: plain facts, and nothing of it published."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from banzuke.core import facts
from banzuke.core.fault import Fault
from banzuke.core.rating import AGAINST_UNRATED, FIRST, RATED
from banzuke.core.rulebook import GoBook
from banzuke.office.fact_rows import standing_rows
from banzuke.office.lists.list_index import current
from banzuke.office.lists.list_rows import LineRow, Made, Row

if TYPE_CHECKING:
    from banzuke.database.models import Pool, RatingList
    from banzuke.office.lists.rehearsal import Rehearsal

#: So many warnings are kept; how many there are is said.
MOST_WARNINGS = 200
#: Verdicts of sides whose game counts for somebody.
COUNTS = frozenset((RATED, FIRST, AGAINST_UNRATED, "bonus", "fault"))


class EventSummary(NamedTuple):
    """An event of the list: its games, its players, how many games count, and why others do not."""

    event_id: str
    name: str
    games: int
    players: int
    counting: int
    why_not: list[tuple[str, str, int]]


class RehearsalRecord(NamedTuple):
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
    passing: list[tuple[int, bool, Row]]
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


def record_of(pool: Pool, rehearsal: Rehearsal) -> RehearsalRecord:
    """What an officer looks at of a rehearsal."""
    made = rehearsal.made
    rows, before = made.rows, _before(pool, made)
    return RehearsalRecord(
        made.name,
        made.day,
        made.closes,
        rehearsal.position,
        made.edition.book.name,
        list(dict.fromkeys(row.speed for row in rows)),
        rehearsal.lists,
        [due.published.name for due in rehearsal.due],
        rehearsal.is_closed,
        before.name if before else "",
        _tally(rows),
        _events(pool, made),
        rehearsal.movers,
        rehearsal.first,
        [(each.mark, each.is_up, each.row) for each in rehearsal.passing],
        _gone(before, rows),
        rehearsal.warnings[:MOST_WARNINGS],
        len(rehearsal.warnings),
        rows,
    )


def _before(pool: Pool, made: Made) -> RatingList | None:
    """The newest published list before this one."""
    return current(pool).filter(closes__lt=made.closes).exclude(name=made.name).first()


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


def _events(pool: Pool, made: Made) -> list[EventSummary]:
    """The list's events; the games of a Go server, which have none, are told together."""
    if isinstance(made.edition.book, GoBook):
        return [_event("", "", made.lines)] if made.lines else []
    by_event: dict[str, list[LineRow]] = {}
    for line in made.lines:
        by_event.setdefault(line.event_id, []).append(line)
    rows = standing_rows(pool, facts.Event).filter(event_id__in=by_event)
    names = dict(rows.values_list("event_id", "name"))
    return [_event(event, names.get(event, event), of) for event, of in by_event.items()]


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


def to_json(rehearsed: RehearsalRecord) -> dict[str, Any]:
    """As JSON holds it."""
    days = {"day": rehearsed.day.isoformat(), "closes": rehearsed.closes.isoformat()}
    warnings = [[*warning[:4], [[n, str(v)] for n, v in warning.facts]] for warning in rehearsed.warnings]
    return rehearsed._asdict() | days | {"warnings": warnings}


def from_json(found: dict[str, Any]) -> RehearsalRecord:
    """What was kept."""
    rows = {key: [Row(*row) for row in found[key]] for key in ("movers", "first", "gone", "rows")}
    meant: dict[str, Any] = {
        "day": date.fromisoformat(found["day"]),
        "closes": date.fromisoformat(found["closes"]),
        "events": [_event_told(*event) for event in found["events"]],
        "passing": [(mark, is_up, Row(*row)) for mark, is_up, row in found["passing"]],
        "warnings": [_warning(*each) for each in found["warnings"]],
    }
    return RehearsalRecord(**found | rows | meant)


def _event_told(
    event_id: str, name: str, games: int, players: int, counting: int, why: list[Any]
) -> EventSummary:
    return EventSummary(event_id, name, games, players, counting, [tuple(each) for each in why])


def _warning(file: str, line: int, column: str, code: str, said: list[list[str]]) -> Fault:
    return Fault(file, line, column, code, tuple((name, value) for name, value in said))
