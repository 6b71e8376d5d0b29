"""How far an event is on its way through the office: applied for, reported, accepted, rated.

Everybody who shows it asks here: the club's desk, the calendar, the pages of players and events, the API.
What is said is what the public may know; the questions of a report are those that its club may read.
"""

from collections.abc import Collection, Iterable
from datetime import date
from enum import Enum
from typing import Any, NamedTuple

from django.db.models import Q
from django.utils.timezone import localdate

from banzuke.core import facts
from banzuke.core.rating import FIRST, RATED
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Event, Line, Pool, RatingList, Report, ReportSaid, Sanction, WaitingReport
from banzuke.database.models.reports import OPEN_STATES
from banzuke.office.fact_rows import record_of, standing_rows
from banzuke.office.lists import list_index


class State(Enum):
    """Where an event stands, from first to last; in brackets the facts that are given beside days and name.

    DENIED and REFUSED end the way; RETURNED waits for the club to report again. QUESTIONS is a report that
    waits and asks something (`questions`); ACCEPTED stands in the book (`list`, `closes`); RATED is in a
    published list (`published`, `rated` of `games`).
    """

    APPLIED = "applied"
    DENIED = "denied"
    GRANTED = "granted"
    WAITING = "waiting"
    QUESTIONS = "questions"
    RETURNED = "returned"
    REFUSED = "refused"
    ACCEPTED = "accepted"
    RATED = "rated"


class EventProgress(NamedTuple):
    """An event's state since a day, with the facts of that state.

    `since` is the day on which what the state is of came to the office: the application, the report, the
    entry into the book, the publication. `list` is the list that takes the event, blank while that is not
    known; `closes` the last day of that list's window. `rated` of `games` games count, for a side at least.
    """

    state: State
    event_id: str
    name: str
    starts: date | None
    ends: date | None
    since: date
    questions: int = 0
    list: str = ""
    closes: date | None = None
    published: RatingList | None = None
    rated: int = 0
    games: int = 0
    report: int | None = None


#: The state of an application, and of a report.
_OF_SANCTION = {
    Sanction.State.ASKED: State.APPLIED,
    Sanction.State.GRANTED: State.GRANTED,
    Sanction.State.REFUSED: State.DENIED,
}
_OF_REPORT = {Report.State.RETURNED: State.RETURNED, Report.State.REFUSED: State.REFUSED}


def progress_of_events(pool: Pool, rows: Iterable[Event]) -> dict[str, EventProgress]:
    """How far events of the book are, by id; in a constant number of queries."""
    found = {row.event_id: row for row in rows}
    if not found:
        return {}
    current = {published.pk: published for published in list_index.current_lists(pool)}
    taken = _taken(found, current)
    entered = dict(
        pool.entries.filter(pk__in={row.entry_id for row in found.values()}).values_list("pk", "at")
    )
    schedule = rules_of(pool).schedule
    progress = {}
    for event_id, row in found.items():
        window = schedule.window_of(record_of(row, facts.Event))
        about = (event_id, row.name, row.starts, row.ends)
        if event_id in taken:
            published, rated, games = taken[event_id]
            since = localdate(published.published_at)
            progress[event_id] = EventProgress(
                State.RATED, *about, since, 0, published.name, published.closes, published, rated, games
            )
        else:
            since = localdate(entered[row.entry_id])
            progress[event_id] = EventProgress(State.ACCEPTED, *about, since, 0, window.name, window.closes)
    return progress


def _taken(ids: Collection[str], current: dict[int, RatingList]) -> dict[str, tuple[RatingList, int, int]]:
    """The first list that took each event, and how many of its games count there."""
    lines = Line.objects.filter(list__in=current, event_id__in=ids).order_by("position")
    cells = lines.values_list("event_id", "list", "verdict", "round", "player_id", "opponent_id")
    games: dict[tuple[str, int], dict[tuple[int, frozenset[str]], bool]] = {}
    for event_id, list_number, verdict, number, *pair in cells:
        of_list = games.setdefault((event_id, list_number), {})
        key = (number, frozenset(pair))
        of_list[key] = of_list.get(key, False) or verdict in (RATED, FIRST)
    found: dict[str, tuple[RatingList, int, int]] = {}
    for (event_id, list_number), of_list in games.items():
        published = current[list_number]
        if event_id not in found or published.closes < found[event_id][0].closes:
            found[event_id] = (published, sum(of_list.values()), len(of_list))
    return found


def progress_of_reports(reports: Iterable[Report]) -> list[EventProgress]:
    """How far reports that are in no book are; accepted ones are told by their events."""
    rows = [report for report in reports if report.state != Report.State.ACCEPTED]
    kept = WaitingReport.objects.filter(report__in=rows).values_list("report", "questions")
    questions = dict(kept)
    found = []
    for row in rows:
        asked = questions.get(row.pk, 0) if row.state in OPEN_STATES else 0
        state = _OF_REPORT.get(Report.State(row.state), State.QUESTIONS if asked else State.WAITING)
        since = localdate(row.received_at)
        found.append(EventProgress(state, "", row.title, row.starts, row.ends, since, asked, report=row.pk))
    return found


def progress_of_sanctions(pool: Pool, sanctions: Iterable[Sanction]) -> dict[str, EventProgress]:
    """How far events that were applied for are, by id: as in the book, as reported, else as applied for."""
    rows = {row.event_id: row for row in sanctions}
    in_book = progress_of_events(pool, standing_rows(pool, facts.Event).filter(event_id__in=rows))
    reported = _reported(pool, set(rows) - set(in_book))
    found = {}
    for event_id, row in rows.items():
        about = (event_id, row.name, row.starts, row.ends, row.applied)
        applied = EventProgress(_OF_SANCTION[Sanction.State(row.state)], *about)
        found[event_id] = in_book.get(event_id) or reported.get(event_id) or applied
    return found


def _reported(pool: Pool, ids: Collection[str]) -> dict[str, EventProgress]:
    """The last report of each of those events, by the event's id as it was given with the report."""
    said = ReportSaid.objects.filter(report__pool=pool, fields__event_id__in=list(ids)).select_related(
        "report"
    )
    of_event = {row.fields["event_id"]: row.report for row in said.order_by("report_id", "pk")} if ids else {}
    progress = {one.report: one for one in progress_of_reports(of_event.values())}
    return {
        event_id: progress[report.pk]._replace(event_id=event_id)
        for event_id, report in of_event.items()
        if report.pk in progress
    }


def in_the_office(pool: Pool, player_id: str, lists: Iterable[int] | None = None) -> list[EventProgress]:
    """The player's events on their way: those accepted that no list has, then those that wait; oldest first.

    `lists` are the numbers of the current lists in the database, if they are known already. A report that
    waits is shown only where the player is in it for certain (`inbox.waiting_reports`).
    """
    reports = Report.objects.filter(pool=pool, state__in=OPEN_STATES, waiting__players__player_id=player_id)
    waiting = progress_of_reports(reports.order_by("received_at"))
    mine = Q(white=player_id) | Q(black=player_id)
    played = standing_rows(pool, facts.Game).filter(mine).order_by().values("event_id")
    current: Any = list_index.current_lists(pool).order_by().values("pk") if lists is None else list(lists)
    listed = Line.objects.filter(player_id=player_id, list__in=current).values("event_id")
    rows = standing_rows(pool, facts.Event).filter(event_id__in=played).exclude(event_id__in=listed)
    accepted = progress_of_events(pool, rows.order_by("ends", "event_id"))
    return [*(one for one in accepted.values() if one.state is State.ACCEPTED), *waiting]
