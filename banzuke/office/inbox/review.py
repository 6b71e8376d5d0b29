"""A report looked at: what is known of its events, who its players are, and what is wrong, as of now."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from datetime import date, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from banzuke.core import facts
from banzuke.core.facts import Membership
from banzuke.core.fault import Fault, fault
from banzuke.core.rulebook import ChessBook
from banzuke.database import models
from banzuke.database.book_reader import read_register, rules_of
from banzuke.exchange import linked_reports, report_import
from banzuke.exchange.member_index import members
from banzuke.exchange.player_identities import ADDED, PlayerIdentifier
from banzuke.exchange.player_matching import Matcher
from banzuke.exchange.report_import import games_of, match_reports
from banzuke.ledger.csv_table import cell_faults
from banzuke.ledger.records import standing_records
from banzuke.office.fact_rows import TABLES, record_of, standing_rows
from banzuke.office.inbox import duplicates, problems
from banzuke.office.inbox.event_fields import Known, known
from banzuke.office.inbox.go_review import review_games
from banzuke.office.inbox.list_placement import placement_of
from banzuke.office.inbox.problems import BLOCKS, WARNS, Problem, of_fault
from banzuke.office.inbox.report_files import contents_of
from banzuke.office.inbox.review_findings import (
    EventReview,
    Review,
    decisions,
    in_order,
    of_files,
    of_placement,
)
from banzuke.office.lists.change_day import day_of_addition
from banzuke.office.register.newcomers import new_ids

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from banzuke.core.facts import Event, Player
    from banzuke.exchange.linked_reports import LinkedReport
    from banzuke.exchange.report_import import MatchedReport
    from banzuke.formats.report import Report as Reported
    from banzuke.ledger.folder import ChessLedger
    from banzuke.ledger.pool_rules import Pool as Rules
    from banzuke.office.inbox.report_files import Contents

#: The registers of so many books, as of an entry each, are kept in memory.
REMEMBERED = 2


#: The FIDE rating that a member brings, by the speed of the event whose report names it.
TAKEN_OVER = {facts.STANDARD: "fide_standard", facts.RAPID: "fide_rapid", facts.BLITZ: "fide_blitz"}


class _Register(NamedTuple):
    """A pool's register as of an entry, and what finds its members."""

    ledger: ChessLedger
    matcher: Matcher


class _Held(NamedTuple):
    """A report, and what it is held against: the register with the events that stand, as of an entry."""

    report: models.Report
    position: int
    ledger: ChessLedger
    today: date


def review(report: models.Report, today: date) -> Review:
    """What there is to say of a report before it is entered today."""
    last, contents = report.pool.entries.latest("pk"), contents_of(report)
    if rules_of(report.pool, last.pk).is_go:
        return review_games(report, contents, last.pk)
    register = _register(last.pk, last.at)
    events = [record_of(row, facts.Event) for row in standing_rows(report.pool, facts.Event)]
    held = _Held(report, last.pk, replace(register.ledger, events=events), today)
    return _events_looked_at(held, contents, register.matcher)


def register_of(pool: models.Pool, position: int) -> ChessLedger:
    """The register as of an entry, as a ledger without events."""
    return _register(position, pool.entries.get(pk=position).at).ledger


@lru_cache(maxsize=REMEMBERED)
def _register(entry: int, at: datetime) -> _Register:  # noqa: ARG001  # the time tells entries of one number apart
    """The register as of an entry: the book up to there never changes."""
    pool = models.Entry.objects.select_related("pool").get(pk=entry).pool
    ledger = read_register(pool, entry)
    return _Register(ledger, Matcher(members(ledger)))


def _events_looked_at(held: _Held, contents: Contents, matcher: Matcher) -> Review:
    """A report of chess."""
    incoming = contents.incoming
    announced = {link.source: link for link in incoming.waiting}
    reports = [(file, linked_reports.dated_by_link(each, announced)) for file, each in incoming.reports]
    said = _known(held, reports)
    ids = new_ids(held.report.pool)
    people = PlayerIdentifier(
        held.ledger, decisions(held.report), add_players=False, new_ids=ids, matcher=matcher
    )
    faults: list[Fault] = []
    asked = [report_import.ReportInput(file, each, said[file].said) for file, each in reports]
    seen = [_event(held, one, said[one.file]) for one in match_reports(asked, held.ledger, people, faults)]
    events = [event for event, _ in seen]
    for event in events:
        _with_ratings(people.added, event)
    added, joined = list(people.added.values()), _joined(held, events)
    come = {each.event.source for _, each in reports}
    links = [link for link in incoming.waiting if link.source not in come]
    found = [
        *of_files(contents, go_wanted=False),
        *(problem for _, of_event in seen for problem in of_event),
        *map(of_fault, faults),
        *_judged(held, events, added, joined),
        *map(_of_link, links),
    ]
    return Review(
        held.position, held.ledger.pool, events, None, None, added, links, contents.people,
        in_order(found), joined,
    )  # fmt: skip


def _joined(held: _Held, events: list[EventReview]) -> tuple[Membership, ...]:
    """The memberships of newcomers, with the day of those that published lists could know."""
    return tuple(
        one._replace(added=day_of_addition(held.report.pool, one.valid_from, held.today))
        for event in events
        for one in _memberships(event)
    )


def _known(held: _Held, reports: list[tuple[str, Reported]]) -> dict[str, Known]:
    """What is known of each event; their ids are all different ones."""
    every = models.Event.objects.filter(pool=held.report.pool)
    taken = set(every.values_list("event_id", flat=True))
    found: dict[str, Known] = {}
    for file, reported in reports:
        found[file] = known(held.report, file, reported, held.ledger.clubs, taken)
        taken.add(found[file].fields["event_id"].value)
    return found


def _event(held: _Held, looked: MatchedReport, said: Known) -> tuple[EventReview, list[Problem]]:
    """An event with its games, the undecided under ids that stand in for theirs; and what is wrong with it.

    An event of which a ledger cannot hold what is said is none.
    """
    report = looked.report
    found = [of_fault(one, WARNS if said.readable else BLOCKS) for one in report.faults]
    found += [of_fault(one, WARNS) for one in report.remarks]
    event = None if looked.event is None else replace(looked.event, ruling=said.ruling)
    faults = cell_faults(TABLES[facts.Event], event) if event else []
    event = None if faults else event
    ids = {one.reported.number: _stand_in(one.reported.number) for one in looked.undecided}
    ids |= {match.reported.number: match.player_id for match in looked.matches}
    places = [(g.round, g.white, g.black) for g in report.games if g.white in ids and g.black in ids]
    games, placement = [], None
    if event is not None:
        rulings = [facts.EXCLUDE if place in said.excluded else "" for place in places]
        of_it = zip(games_of(event, report, ids), rulings, strict=True)
        games = [game._replace(ruling=ruling) for game, ruling in of_it]
        rules, there = held.ledger.pool, held.ledger.events
        placement = placement_of(held.report.pool, rules, event, there, held.today)
    seen = EventReview(
        looked.file, report, list(said.fields.values()), event, looked.matches, looked.undecided, games,
        places, said.ruling, said.excluded, placement, said.joined, said.rated,
    )  # fmt: skip
    return seen, [*found, *map(of_fault, faults)]


def _judged(
    held: _Held, events: list[EventReview], added: list[Player], joined: tuple[Membership, ...]
) -> Iterator[Problem]:
    """The problems of the events by the rules, by the book, and by what waits beside them."""
    matches = [match for event in events for match in event.matches]
    names = {match.player_id: match.reported.name or match.reported.name_native for match in matches}
    for player in added:
        for one in cell_faults(TABLES[facts.Player], player):
            yield Problem(BLOCKS, one, player.player_id)
    yield from _of_namesakes(added, held.ledger.players)
    whole = [event.event for event in events if event.event is not None]
    games = [game for event in events for game in event.games]
    ledger = replace(held.ledger, memberships=[*held.ledger.memberships, *joined])
    small = problems.trial(ledger, whole, games, added)
    yield from problems.of_trial(small, names, [player.player_id for player in added])
    for looked in events:
        if looked.undecided:
            yield _to_decide(looked)
        if looked.event is not None:
            yield from _of_book(held, looked, looked.event, names)
    yield from _of_newcomers(ledger.pool, events)


def _of_book(held: _Held, looked: EventReview, event: Event, names: dict[str, str]) -> Iterator[Problem]:
    """What the book and the reports that wait have of an event already."""
    pool, events = held.report.pool, held.ledger.events
    left = standing_rows(pool, facts.Game).filter(event_id=event.event_id)
    if event.event_id not in {one.event_id for one in events} and left.exists():
        yield of_fault(fault(looked.file, 0, "event_id", "import-event-id", id=event.event_id))
    yield from of_placement(event, looked.placement)
    yield from duplicates.in_the_book(pool, event, looked.games, events, names)
    yield from duplicates.in_other_reports(held.report, event, looked.reported)


def _stand_in(number: int) -> str:
    """What stands for the id of a player who is not decided on: his number in the report."""
    return f"({number})"


def _of_link(link: LinkedReport) -> Problem:
    return Problem(BLOCKS, fault("", 0, "", "inbox-link", source=link.source, reported=link.reported))


def _to_decide(event: EventReview) -> Problem:
    unknown = sum(not one.candidates for one in event.undecided)
    counts = {"players": len(event.undecided), "unknown": unknown}
    return Problem(BLOCKS, fault(event.file, 0, "", "inbox-undecided", **counts))


def _of_newcomers(rules: Rules, events: list[EventReview]) -> Iterator[Problem]:
    """What the last edition asks a report for, of somebody new."""
    book = rules.editions[-1].book
    if not isinstance(book, ChessBook) or book.checks.newcomer is None:
        return
    for match in (match for event in events for match in event.matches if match.how == ADDED):
        who = match.reported
        for _, code, more in book.checks.newcomer(who.name_native, who.birth_date):
            about = {"name": who.name, "id": match.player_id, **more}
            yield Problem(WARNS, fault("", 0, "", code, **about), match.player_id)


def _of_namesakes(added: list[Player], players: list[Player]) -> Iterator[Problem]:
    """Who is taken for new and has the name or FIDE id of a member: another report may have brought him."""
    known: dict[str, list[str]] = defaultdict(list)
    for player in standing_records(players, None) if added else ():
        for said in _sayings(player):
            known[said].append(player.player_id)
    for player in added:
        ids = sorted({player_id for said in _sayings(player) for player_id in known.get(said, ())})
        if ids:
            about = {"name": player.name, "id": player.player_id, "ids": ", ".join(ids)}
            yield Problem(WARNS, fault("", 0, "", "inbox-namesake", **about), player.player_id)


def _sayings(player: Player) -> set[str]:
    """What tells who somebody is, as it stands."""
    return {player.name, player.name_native, player.fide_id} - {""}


def _memberships(looked: EventReview) -> Iterator[Membership]:
    """The annual memberships of an event's newcomers, from its first day on, where they join."""
    if looked.event is not None and looked.joined:
        first = looked.event.starts
        for match in looked.matches:
            if match.how == ADDED:
                yield Membership(match.player_id, facts.ANNUAL, first, _year_after(first))


def _year_after(first: date) -> date:
    """The last day of a year from that day on."""
    is_leap_day = (first.month, first.day) == (2, 29)
    next_year = date(first.year + 1, 3, 1) if is_leap_day else first.replace(year=first.year + 1)
    return next_year - timedelta(days=1)


def _with_ratings(added: dict[str, Player], looked: EventReview) -> None:
    """Give an event's newcomers the ratings of the report, where those are FIDE's."""
    if looked.event is not None and looked.rated:
        for match in looked.matches:
            if match.how == ADDED and match.reported.rating:
                rating: dict[str, Any] = {
                    TAKEN_OVER[looked.event.speed or facts.STANDARD]: match.reported.rating
                }
                added[match.player_id] = added[match.player_id]._replace(**rating)
