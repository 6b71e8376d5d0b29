"""Reviewing a report: what is known of its events, who its players are, and what is wrong, as of now.

Who the players are is for officers. The club that sent the report sees a review against a register without
people: nothing in it, neither a remark nor a count, hangs on a member. So nobody learns a birth date by
sending a report with a guess.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from banzuke.core import facts
from banzuke.core.facts import Event, Membership, Player
from banzuke.core.fault import Fault, fault
from banzuke.core.rulebook import ChessBook
from banzuke.database import models
from banzuke.database.book_reader import read_register, rules_of
from banzuke.exchange import linked_reports, report_import
from banzuke.exchange.member_index import members
from banzuke.exchange.player_identities import ADDED, DECIDED, Match, PlayerIdentifier
from banzuke.exchange.player_matching import Matcher
from banzuke.exchange.report_import import MatchedReport, byes_of, games_of, match_reports
from banzuke.formats.report import Report as Reported
from banzuke.ledger.csv_table import cell_faults
from banzuke.ledger.folder import ChessLedger
from banzuke.ledger.pool_rules import Pool as Rules
from banzuke.ledger.records import standing_records
from banzuke.office.erased_ids import erased_ids
from banzuke.office.fact_rows import TABLES, record_of, standing_rows, with_values
from banzuke.office.inbox import duplicates, problems
from banzuke.office.inbox.event_fields import KnownEvent, known_event
from banzuke.office.inbox.go_review import review_go_report
from banzuke.office.inbox.problems import BLOCKS, WARNS, Problem, problem_of_fault
from banzuke.office.inbox.report_contents import Contents
from banzuke.office.inbox.report_files import read_contents
from banzuke.office.inbox.review_findings import (
    EventReview,
    Review,
    decisions,
    file_problems,
    placement_of,
    placement_problems,
    sort_problems,
    undecided_problem,
)
from banzuke.office.lists.coming_list import day_of_addition
from banzuke.office.register.members import new_ids

#: The registers of so many books, as of an entry each, are kept in memory.
MOST_CACHED = 2


#: The FIDE rating that a member brings, by the speed of the event whose report names it.
TAKEN_OVER = {facts.STANDARD: "fide_standard", facts.RAPID: "fide_rapid", facts.BLITZ: "fide_blitz"}


#: That a report has right birth dates, which its club is not to learn.
BIRTH_DATES = "inbox-birth-dates"


class _Register(NamedTuple):
    """A pool's register as of an entry, and what finds its members."""

    ledger: ChessLedger
    matcher: Matcher


class _Context(NamedTuple):
    """A report, and what it is seen against: the register with the events that stand, as of an entry.

    `matcher` finds members; None in a review for the club, whose register has no people.
    """

    report: models.Report
    position: int
    ledger: ChessLedger
    today: date
    matcher: Matcher | None


def review_report(report: models.Report, today: date) -> Review:
    """What there is to say of a report before it is entered today: for officers."""
    return _review(report, today, is_for_club=False)


def review_for_club(report: models.Report, today: date) -> Review:
    """What the club that sent a report may read of it: of its files and events, not of who its players are.

    Of Go all: handles and ranks are public, and nothing else tells who somebody is.
    """
    return _review(report, today, is_for_club=True)


def _review(report: models.Report, today: date, *, is_for_club: bool) -> Review:
    last, contents = report.pool.entries.latest("pk"), read_contents(report)
    if rules_of(report.pool, last.pk).is_go:
        return review_go_report(report, contents, last.pk)
    known = _register(last.pk, last.at)
    events = [record_of(row, facts.Event) for row in standing_rows(report.pool, facts.Event)]
    ledger = replace(known.ledger, events=events)
    if is_for_club:
        ledger = replace(ledger, players=[], memberships=[])
    context = _Context(report, last.pk, ledger, today, None if is_for_club else known.matcher)
    return _review_chess(context, contents)


def register_of(pool: models.Pool, position: int) -> ChessLedger:
    """The register as of an entry, as a ledger without events."""
    return _register(position, pool.entries.get(pk=position).at).ledger


@lru_cache(maxsize=MOST_CACHED)
def _register(entry: int, at: datetime) -> _Register:  # noqa: ARG001  # the time tells entries of one number apart
    """The register as of an entry: the book up to there never changes."""
    pool = models.Entry.objects.select_related("pool").get(pk=entry).pool
    ledger = read_register(pool, entry)
    return _Register(ledger, Matcher(members(ledger), erased_ids(pool)))


def _review_chess(context: _Context, contents: Contents) -> Review:
    """A report of chess."""
    incoming = contents.incoming
    announced = {link.source: link for link in incoming.waiting}
    reports = [(file, linked_reports.set_day_of_link(each, announced)) for file, each in incoming.reports]
    known = _known_events(context, reports)
    people = _people(context)
    faults: list[Fault] = []
    reported = [report_import.ReportInput(file, each, known[file].values) for file, each in reports]
    reviews = [
        _review_event(context, one, known[one.file])
        for one in match_reports(reported, context.ledger, people, faults)
    ]
    events = [event for event, _ in reviews]
    _take_over_ratings(people.added, events)
    added, joined = list(people.added.values()), _new_memberships(context, events)
    come = {each.event.source for _, each in reports}
    links = [link for link in incoming.waiting if link.source not in come]
    found = [
        *file_problems(contents, go_wanted=False),
        *(problem for _, of_event in reviews for problem in of_event),
        *map(problem_of_fault, faults),
        *_find_problems(context, events, added, joined),
        *(
            Problem(BLOCKS, fault("", 0, "", "inbox-link", source=link.source, reported=link.reported))
            for link in links
        ),
    ]
    return Review(
        context.position, context.ledger.pool, events, None, None, added, links, contents.people,
        sort_problems(found), joined,
    )  # fmt: skip


def _people(context: _Context) -> PlayerIdentifier:
    """What tells who the players are; in a review for the club it knows nobody, whatever was decided."""
    if context.matcher is None:
        return PlayerIdentifier(context.ledger, (), add_players=False)
    decided, ids = decisions(context.report), new_ids(context.report.pool)
    return PlayerIdentifier(context.ledger, decided, add_players=False, new_ids=ids, matcher=context.matcher)


def _known_events(context: _Context, reports: list[tuple[str, Reported]]) -> dict[str, KnownEvent]:
    """What is known of each event; their ids are all different ones."""
    taken = _taken_ids(context.report.pool)
    found: dict[str, KnownEvent] = {}
    for file, reported in reports:
        found[file] = known_event(context.report, file, reported, context.ledger.clubs, taken)
        taken.add(found[file].fields["event_id"].value)
    return found


def _taken_ids(pool: models.Pool) -> set[str]:
    """The ids of all events that stand or stood; one that was taken back never did, and its id is free."""
    strikes = models.Strike.objects.filter(pool=pool, table=TABLES[facts.Event].name, day=date.min)
    every = models.Event.objects.filter(pool=pool).exclude(pk__in=strikes.values("row"))
    return set(every.values_list("event_id", flat=True))


def _review_event(
    context: _Context, resolved: MatchedReport, known: KnownEvent
) -> tuple[EventReview, list[Problem]]:
    """An event with its games, the undecided under ids that stand in for theirs; and what is wrong with it.

    An event of which a ledger cannot hold what is said is none.
    """
    report = resolved.report
    found = [problem_of_fault(one, WARNS if known.readable else BLOCKS) for one in report.faults]
    found += [problem_of_fault(one, WARNS) for one in report.remarks]
    event = None if resolved.event is None else replace(resolved.event, ruling=known.ruling)
    faults = cell_faults(TABLES[facts.Event], event) if event else []
    event = None if faults else event
    ids = {one.reported.number: f"({one.reported.number})" for one in resolved.undecided}  # stand-ins
    ids |= {match.reported.number: match.player_id for match in resolved.matches}
    places = [(g.round, g.white, g.black) for g in report.games if g.white in ids and g.black in ids]
    games, placement = [], None
    if event is not None:
        rulings = [facts.EXCLUDE if place in known.excluded else "" for place in places]
        of_it = zip(games_of(event, report, ids), rulings, strict=True)
        games = [game._replace(ruling=ruling) for game, ruling in of_it]
        rules, there = context.ledger.pool, context.ledger.events
        placement = placement_of(context.report.pool, rules, event, there, context.today)
    review = EventReview(
        resolved.file, report, known, event, resolved.matches, resolved.undecided, games, places, placement,
        byes_of(event, report, ids) if event else (),
    )  # fmt: skip
    return review, [*found, *map(problem_of_fault, faults)]


def _find_problems(
    context: _Context, events: list[EventReview], added: list[Player], joined: tuple[Membership, ...]
) -> Iterator[Problem]:
    """The problems of the events by the rules, by the book, and by what waits beside them."""
    matches = [match for event in events for match in event.matches]
    names = {match.player_id: match.reported.name or match.reported.name_native for match in matches}
    for player in added:
        for found in cell_faults(TABLES[facts.Player], player):
            yield Problem(BLOCKS, found, player.player_id)
    yield from _namesake_problems(added, context.ledger.players)
    whole = [event.event for event in events if event.event is not None]
    games = [game for event in events for game in event.games]
    ledger = replace(context.ledger, memberships=[*context.ledger.memberships, *joined])
    small = problems.build_trial_ledger(ledger, whole, games, added)
    yield from problems.find_problems(small, names, [player.player_id for player in added])
    for one in events:
        if one.undecided and context.matcher is not None:
            yield undecided_problem(one.undecided, one.file)
        if one.event is not None:
            yield from _book_problems(context, one, one.event, names)
    yield from _newcomer_problems(ledger.pool, events)
    if context.matcher is not None:
        erased = erased_ids(context.report.pool)
        for match in (one for one in matches if one.player_id in erased):
            about = {"name": names[match.player_id], "id": match.player_id}
            yield Problem(WARNS, fault("", 0, "", "inbox-erased", **about), match.player_id)
    if context.matcher is not None and context.report.club_id:
        yield from _birth_date_problems(matches)


def _birth_date_problems(matches: list[Match]) -> Iterator[Problem]:
    """That a club gave birth dates of members whom no officer decided on: it is to be looked at.

    Right or wrong, no such report is accepted with others that are clean. A club that sends one with a guess
    would see by that, at once, that the guess is right.
    """
    sure = [one for one in matches if one.reported.birth_date and one.how not in (DECIDED, ADDED)]
    if sure:
        yield Problem(WARNS, fault("", 0, "", BIRTH_DATES, players=len(sure)))


def _book_problems(
    context: _Context, one: EventReview, event: Event, names: dict[str, str]
) -> Iterator[Problem]:
    """What the book and the reports that wait have of an event already."""
    pool, events = context.report.pool, context.ledger.events
    left = standing_rows(pool, facts.Game).filter(event_id=event.event_id)
    if event.event_id not in {other.event_id for other in events} and left.exists():
        yield problem_of_fault(fault(one.file, 0, "event_id", "import-event-id", id=event.event_id))
    yield from placement_problems(event, one.placement)
    if event.ends > context.today:
        yield problem_of_fault(fault("", 0, "ends", "inbox-future", day=event.ends))
    if context.matcher is not None:
        yield from duplicates.find_in_book(pool, event, one.games, events, names)
        yield from duplicates.find_in_reports(context.report, event, one.reported)


def _newcomer_problems(rules: Rules, events: list[EventReview]) -> Iterator[Problem]:
    """What the last edition asks a report for, of somebody new."""
    book = rules.editions[-1].book
    if not isinstance(book, ChessBook) or book.checks.newcomer is None:
        return
    for match in (match for event in events for match in event.newcomers):
        who = match.reported
        for _, code, more in book.checks.newcomer(who.name_native, who.birth_date):
            about = {"name": who.name, "id": match.player_id, **more}
            yield Problem(WARNS, fault("", 0, "", code, **about), match.player_id)


def _namesake_problems(added: list[Player], players: list[Player]) -> Iterator[Problem]:
    """Who is taken for new and has the name or FIDE id of a member: another report may have brought them."""
    known: dict[str, list[str]] = defaultdict(list)
    for player in standing_records(players, None) if added else ():
        for said in _identities(player):
            known[said].append(player.player_id)
    for player in added:
        ids = sorted({player_id for said in _identities(player) for player_id in known.get(said, ())})
        if ids:
            about = {"name": player.name, "id": player.player_id, "ids": ", ".join(ids)}
            yield Problem(WARNS, fault("", 0, "", "inbox-namesake", **about), player.player_id)


def _identities(player: Player) -> set[str]:
    """What tells who somebody is, as it stands."""
    return {player.name, player.name_native, player.fide_id} - {""}


def _new_memberships(context: _Context, events: list[EventReview]) -> tuple[Membership, ...]:
    """The annual memberships of newcomers who join, from the first day of their event on.

    They have the day of the addition where published lists could know them.
    """
    return tuple(
        Membership(match.player_id, facts.ANNUAL, first, _year_after(first), added=added)
        for one in events
        if one.event is not None and one.known.joined
        for first in [one.event.starts]
        for added in [day_of_addition(context.report.pool, first, context.today)]
        for match in one.newcomers
    )


def _year_after(first: date) -> date:
    """The last day of a year from that day on."""
    is_leap_day = (first.month, first.day) == (2, 29)
    next_year = date(first.year + 1, 3, 1) if is_leap_day else first.replace(year=first.year + 1)
    return next_year - timedelta(days=1)


def _take_over_ratings(added: dict[str, Player], events: list[EventReview]) -> None:
    """Give newcomers the ratings of their reports, where those are FIDE's."""
    for one in events:
        if one.event is not None and one.known.rated:
            column = TAKEN_OVER[one.event.speed or facts.STANDARD]
            rated = (match for match in one.newcomers if match.reported.rating)
            for match in rated:
                added[match.player_id] = with_values(
                    added[match.player_id], **{column: match.reported.rating}
                )
