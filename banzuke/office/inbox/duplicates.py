"""Games that are reported already, and players who would be in two places on one day.

Compared with the book and with open reports. Two games of the same players are the same if they were played
on the same day. If a day is unknown (no date, event of several days), round and result must agree. Two events
at one place do not conflict.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import NamedTuple

from django.db.models import Q

from banzuke.core import facts
from banzuke.core.facts import Event, Game
from banzuke.core.fault import fault
from banzuke.database.models import Pool, Report
from banzuke.database.models.reports import OPEN_STATES
from banzuke.exchange.name_likeness import normal_form
from banzuke.formats.report import Report as Reported
from banzuke.formats.report import ReportedEvent, ReportedPlayer
from banzuke.office.fact_rows import record_of, standing_rows
from banzuke.office.inbox.problems import WARNS, Problem
from banzuke.office.inbox.report_files import read_contents


class _Meeting(NamedTuple):
    """A meeting of two: on which day (None: not known), in which round, with which result for White."""

    day: date | None
    round: int
    result: str

    def may_be(self, other: "_Meeting") -> bool:
        """Whether the two may be one game."""
        if self.day and other.day:
            return self.day == other.day
        return (self.round, self.result) == (other.round, other.result)


def find_in_book(
    pool: Pool, event: Event, games: list[Game], events: Iterable[Event], names: Mapping[str, str]
) -> Iterator[Problem]:
    """What of an event's games is in the book already, and who was elsewhere on a day of it."""
    others = {one.event_id: one for one in events if one.starts <= event.ends and one.ends >= event.starts}
    rows = standing_rows(pool, facts.Game).filter(
        Q(white__in=list(names)) | Q(black__in=list(names)), event_id__in=list(others)
    )
    booked: list[Game] = [record_of(row, facts.Game) for row in rows]
    doubled = [
        (game, other)
        for game in games
        for other in booked
        if _is_same(game, event, other, others[other.event_id])
    ]
    for game, other in doubled:
        players = {"white": names.get(game.white, game.white), "black": names.get(game.black, game.black)}
        at = {"round": game.round, "event": others[other.event_id].name, "id": other.event_id}
        yield Problem(WARNS, fault("", 0, "", "inbox-double-game", **players, **at))
    same = {id(other) for _, other in doubled}
    yield from _find_elsewhere(event, games, [game for game in booked if id(game) not in same], others, names)


def _is_same(game: Game, event: Event, other: Game, of: Event) -> bool:
    if {game.white, game.black} != {other.white, other.black}:
        return False
    return _meeting_of(game, event).may_be(_meeting_of(other, of))


def _meeting_of(game: Game, event: Event) -> _Meeting:
    return _Meeting(_day(game, event), game.round, game.result)


def _day(game: Game, event: Event) -> date | None:
    return game.played or (event.starts if event.starts == event.ends else None)


def _find_elsewhere(
    event: Event, games: list[Game], booked: list[Game], others: Mapping[str, Event], names: Mapping[str, str]
) -> Iterator[Problem]:
    """Who played in another place on the same day, once a player, day and event."""
    days = {(player, _day(game, event)) for game in games for player in (game.white, game.black)}
    reported = set()
    for game in booked:
        other = others[game.event_id]
        if event.place and event.place == other.place:
            continue
        for player in (game.white, game.black):
            day = _day(game, other)
            seat = player, day, other.event_id
            if day and player in names and (player, day) in days and seat not in reported:
                reported.add(seat)
                about = {"name": names[player], "id": player, "day": day, "event": other.name}
                yield Problem(WARNS, fault("", 0, "", "inbox-two-places", **about), player)


def find_in_reports(report: Report, event: Event, reported: Reported) -> Iterator[Problem]:
    """Reports that wait and tell of the same event, or of games of this one."""
    others = Report.objects.filter(pool=report.pool, state__in=OPEN_STATES).exclude(pk=report.pk)
    for other in others.filter(starts__lte=event.ends, ends__gte=event.starts).order_by("pk"):
        for _, theirs in read_contents(other).incoming.reports:
            if _is_same_event(reported.event, theirs.event):
                facts = {"report": other.pk, "event": theirs.event.name}
                yield Problem(WARNS, fault("", 0, "", "inbox-other-report", **facts))
            elif count := _count_common(reported, theirs, event):
                facts = {"report": other.pk, "event": theirs.event.name, "games": count}
                yield Problem(WARNS, fault("", 0, "", "inbox-other-game", **facts))


def same_event(report: Report) -> Report | None:
    """Another open report of the same club that tells of the same event; None for none."""
    others = Report.objects.filter(pool=report.pool, club_id=report.club_id, state__in=OPEN_STATES)
    others = others.exclude(pk=report.pk).filter(starts=report.starts, ends=report.ends).order_by("pk")
    ours = [reported.event for _, reported in read_contents(report).incoming.reports]
    for other in others:
        theirs = [reported.event for _, reported in read_contents(other).incoming.reports]
        if any(_is_same_event(one, two) for one in ours for two in theirs):
            return other
    return None


def _is_same_event(one: ReportedEvent, other: ReportedEvent) -> bool:
    """Whether two reports tell of one event: its page, or its name and its days."""
    if one.source and one.source == other.source:
        return True
    same_days = (one.starts, one.ends) == (other.starts, other.ends)
    return bool(one.name) and normal_form(one.name) == normal_form(other.name) and same_days


def _count_common(ours: Reported, theirs: Reported, event: Event) -> int:
    """How many games two reports have in common, their players known by an id or by the name."""
    met = _meetings(theirs, theirs.event.starts, theirs.event.ends)
    found = 0
    for whites, blacks, meeting in _meetings(ours, event.starts, event.ends):
        found += any(
            meeting.may_be(other) and not (whites.isdisjoint(one) or blacks.isdisjoint(two))
            for one, two, other in met
        )
    return found


def _meetings(
    report: Reported, starts: date | None, ends: date | None
) -> list[tuple[frozenset[str], frozenset[str], _Meeting]]:
    """The games of a report with what their players are known by."""
    keys = {player.number: _keys(player) for player in report.players}
    only = starts if starts == ends else None
    return [
        (keys[game.white], keys[game.black], _Meeting(game.played or only, game.round, game.result))
        for game in report.games
        if game.white in keys and game.black in keys
    ]


def _keys(player: ReportedPlayer) -> frozenset[str]:
    """What a reported player is known by in another report."""
    names = {" ".join(sorted(normal_form(name))) for name in (player.name, player.name_native)}
    ids = {("id", player.national_id), ("FIDE id", player.fide_id)}
    return frozenset(names - {""} | {f"{kind}: {given}" for kind, given in ids if given})
