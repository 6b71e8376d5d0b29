"""Where a report stands, for the club that sent it: "is it rated yet?", answered plainly."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, NamedTuple

from banzuke.core import facts
from banzuke.core.rating import FIRST, RATED
from banzuke.database import models
from banzuke.database.book_reader import rules_of
from banzuke.office.fact_rows import record_of
from banzuke.office.lists.go_rankings import day_of
from banzuke.office.lists.list_index import current

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from banzuke.core.calendar import Window
    from banzuke.database.models import RatingList, Report, ReportStep
    from banzuke.ledger.schedule import Schedule


class EventStanding(NamedTuple):
    """An event of an accepted report (of Go: its games, without an id): its list, and how far it is rated.

    `closes` is the last day of the list's window (None: unknown); `published` is the list's latest revision
    once it holds the event; `rated` of `games` sides count there.
    """

    event_id: str
    name: str
    list: str
    closes: date | None
    published: RatingList | None
    rated: int
    games: int


class Standing(NamedTuple):
    """Where a report stands: its state, the last step (with the reason), and its events once accepted."""

    state: str
    step: ReportStep
    events: list[EventStanding]
    answered_by: int | None

    @property
    def is_rated(self) -> bool:
        """Whether every event of it is in a published list."""
        return bool(self.events) and all(event.published for event in self.events)


def status_of(report: Report) -> Standing:
    """Where a report stands."""
    step = report.steps.latest("pk")
    answer = report.answered_by.order_by("pk").last()
    events = _events(report, step.entry) if step.entry else []
    return Standing(step.state, step, events, answer.pk if answer else None)


def _events(report: Report, entry: models.Entry) -> list[EventStanding]:
    rules = rules_of(report.pool)
    if rules.is_go:
        return _games(report.pool, rules.schedule, entry)
    rows = models.Event.objects.filter(entry=entry).order_by("pk")
    return [_event(report.pool, rules.schedule, record_of(row, facts.Event)) for row in rows]


def _event(pool: models.Pool, schedule: Schedule, event: facts.Event) -> EventStanding:
    lines = models.Line.objects.filter(list__pool=pool, event_id=event.event_id)
    return _standing(pool, event, schedule.window_of(event), lines)


def _games(pool: models.Pool, schedule: Schedule, entry: models.Entry) -> list[EventStanding]:
    """The rankings that the games go into."""
    games = models.GoGame.objects.filter(entry=entry).values_list("game_id", "ended")
    of: dict[Window, list[str]] = {}
    for game_id, ended in games:
        of.setdefault(schedule.window_on(day_of(datetime.fromisoformat(ended))), []).append(game_id)
    return [
        _standing(pool, None, window, models.Line.objects.filter(list__pool=pool, event_id__in=of[window]))
        for window in sorted(of, key=lambda window: window.closes)
    ]


def _standing(
    pool: models.Pool, event: facts.Event | None, window: Window, lines: QuerySet[models.Line]
) -> EventStanding:
    """An event's standing (None: that of games of Go) by its lines in the latest revision of its list."""
    published = current(pool).filter(name=window.name).first()
    own = lines.filter(list=published) if published else lines.none()
    verdicts = list(own.values_list("verdict", flat=True))
    rated = sum(verdict in (RATED, FIRST) for verdict in verdicts)
    about = (event.event_id, event.name) if event else ("", "")
    closes = window.closes if event else None
    return EventStanding(*about, window.name, closes, published if verdicts else None, rated, len(verdicts))
