"""What a review of a report finds: its events, players and problems, and the lists that they go into."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from django.db.models import Q

from banzuke.core import facts
from banzuke.core.calendar import Window
from banzuke.core.facts import Bye, Event, Game, Membership, Player
from banzuke.core.fault import fault
from banzuke.core.go_facts import GoGame
from banzuke.core.rulebook import ChessBook
from banzuke.database import models
from banzuke.database.models import Pool, RatingList
from banzuke.engine.go_history import RatedGame
from banzuke.engine.go_windows import day_of
from banzuke.exchange.go_import import GoEntries, UnknownGoPlayer
from banzuke.exchange.linked_reports import LinkedReport
from banzuke.exchange.player_identities import ADDED, Decision, Match, UndecidedPlayer
from banzuke.formats.report import Report as Reported
from banzuke.ledger.folder import ChessLedger
from banzuke.ledger.pool_rules import EditionInForce
from banzuke.ledger.pool_rules import Pool as Rules
from banzuke.ledger.records import by_event
from banzuke.office.fact_rows import last_struck
from banzuke.office.inbox.event_fields import GameKey, KnownEvent
from banzuke.office.inbox.problems import BLOCKS, EXCLUDES, WARNS, Problem, problem_of_fault
from banzuke.office.inbox.report_contents import PEOPLE, Contents
from banzuke.office.lists.coming_list import day_of_change

#: It waits for its list; it changes published lists; its list is past changing, or before the first one.
COMING, CORRECTION, FROZEN, BEFORE = "coming", "correction", "frozen", "before"


class Placement(NamedTuple):
    """The list that an event belongs to, what happens, the day its entry carries, the lists it changes.

    `clause` is the one by which a frozen list stays as it is.
    """

    list: str
    kind: str
    added: date | None = None
    revised: tuple[str, ...] = ()
    clause: str = ""


class EventReview(NamedTuple):
    """An event of a report: what is known of it, its players, its games as far as the players are known.

    `places` says of each game where the report has it (round, White's number, Black's).
    """

    file: str
    reported: Reported
    known: KnownEvent
    event: Event | None
    matches: list[Match]
    undecided: list[UndecidedPlayer]
    games: list[Game]
    places: list[GameKey]
    placement: Placement | None
    byes: tuple[Bye, ...] = ()

    @property
    def newcomers(self) -> list[Match]:
        """The players whom the report brings."""
        return [match for match in self.matches if match.how == ADDED]


class Review(NamedTuple):
    """A report as of a position in the book; `rules` are the pool's.

    `added` are its newcomers, with the ids that they would get, `memberships` those with which they join. Of
    games of Go, `new_games` are its games as they would be rated, `known_games` those that the book has
    already, and `has_leftovers` whether there are some that can be left out.
    """

    position: int
    rules: Rules
    events: list[EventReview]
    go: GoEntries | None
    placement: Placement | None
    added: list[Player]
    links: list[LinkedReport]
    people: str
    problems: list[Problem]
    memberships: tuple[Membership, ...] = ()
    new_games: tuple[RatedGame, ...] = ()
    known_games: tuple[RatedGame, ...] = ()
    has_leftovers: bool = False

    @property
    def is_ready(self) -> bool:
        """Whether it can be entered."""
        return not any(problem.weight == BLOCKS for problem in self.problems)

    @property
    def asks_membership(self) -> bool:
        """Whether its games count for members alone, by some edition of the pool."""
        books = (edition.book for edition in self.rules.editions)
        return any(isinstance(book, ChessBook) and book.is_member is not None for book in books)

    @property
    def undecided(self) -> list[UndecidedPlayer]:
        """The players to be decided on, of all events."""
        return [one for event in self.events for one in event.undecided]


def decision_rows(report: models.Report) -> list[models.ReportDecision]:
    """Who is who, as far as it was decided: the last decision on a player counts, a blank one takes back."""
    rows = models.ReportDecision.objects.filter(report=report).order_by("pk")
    last = {(row.file, row.number, row.name): row for row in rows}
    return [row for row in last.values() if row.player_id]


def decisions(report: models.Report) -> list[Decision]:
    """The same as the exchange has them."""
    return [Decision(row.file, row.number, row.name, row.player_id) for row in decision_rows(report)]


def file_problems(contents: Contents, *, go_wanted: bool, readable: bool = False) -> Iterator[Problem]:
    """What is wrong with the files as such; `readable`: those that cannot be read are left out."""
    incoming = contents.incoming
    yield from map(problem_of_fault, contents.faults)
    yield from (problem_of_fault(one, WARNS if readable else BLOCKS) for one in incoming.faults)
    yield from (problem_of_fault(one, WARNS) for one in incoming.remarks)
    if contents.people:
        yield Problem(BLOCKS, fault("", 0, "", PEOPLE[contents.people]))
    elif not (contents.faults or any(incoming[:4])):
        yield Problem(BLOCKS, fault("", 0, "", "inbox-nothing"))
    if go_wanted and incoming.reports:
        yield Problem(BLOCKS, fault("", 0, "", "inbox-chess"))
    elif not go_wanted and incoming.go is not None:
        yield Problem(BLOCKS, fault("", 0, "", "inbox-go"))


def placement_problems(event: Event | None, placement: Placement | None) -> Iterator[Problem]:
    """What happens where the event's list is published already."""
    if placement is None or placement.kind == COMING:
        return
    about: dict[str, object] = {"list": placement.list, "event": "" if event is None else event.event_id}
    if placement.kind == BEFORE:
        yield Problem(BLOCKS, fault("", 0, "", "inbox-before", **about))
    elif placement.kind == FROZEN:
        yield Problem(EXCLUDES, fault("", 0, "", "inbox-frozen", clause=placement.clause, **about))
    else:
        about |= {"lists": ", ".join(placement.revised), "day": placement.added}
        code = "inbox-correction" if placement.added else "inbox-correction-go"
        yield Problem(WARNS, fault("", 0, "", code, **about))


def undecided_problem(undecided: Sequence[UndecidedPlayer | UnknownGoPlayer], file: str = "") -> Problem:
    """That it is not decided who some players are."""
    unknown = sum(not one.candidates for one in undecided)
    counts = {"players": len(undecided), "unknown": unknown}
    return Problem(BLOCKS, fault(file, 0, "", "inbox-undecided", **counts))


def sort_problems(found: Iterable[Problem]) -> list[Problem]:
    """What blocks first, then what stays out, then the rest; each thing once."""
    weights = (BLOCKS, EXCLUDES, WARNS)
    return sorted(dict.fromkeys(found), key=lambda problem: weights.index(problem.weight))


def events_and_games(review: Review) -> tuple[list[Event], list[Game]]:
    """The events and games of a report, with the day of who changes published lists."""
    events, games = [], []
    for event_review in review.events:
        if event_review.event is not None:
            added: date | None = event_review.placement.added if event_review.placement else None
            events.append(replace(event_review.event, added=added))
            games += [game._replace(added=added) for game in event_review.games]
    return events, games


def ledger_with_report(ledger: ChessLedger, review: Review) -> ChessLedger:
    """A chess pool's ledger, as of the position at which the report was reviewed, with the report in it."""
    events, games = events_and_games(review)
    return replace(
        ledger,
        players=ledger.players + review.added,
        memberships=[*ledger.memberships, *review.memberships],
        events=ledger.events + events,
        games=_merge_games(ledger.games, by_event(games)),
    )


def _merge_games(games: dict[str, list[Game]], more: dict[str, list[Game]]) -> dict[str, list[Game]]:
    """Games by event with more of them; an event may have had others, struck before it was reported anew."""
    return games | {event: games.get(event, []) + added for event, added in more.items()}


def published_lists(pool: Pool) -> dict[str, date]:
    """The published lists, from the first on: the day on which the window of each closed, by its name."""
    lists = RatingList.objects.filter(pool=pool, revision=0).order_by("day", "number")
    return dict(lists.values_list("name", "closes"))


def placement_of(pool: Pool, rules: Rules, event: Event, events: Iterable[Event], today: date) -> Placement:
    """Where an event goes that is accepted today; `events` are those of the book."""
    lists, schedule = published_lists(pool), rules.schedule
    window = schedule.window_of(event)
    if schedule.is_by_event:
        place = (event.ends, event.event_id)
        after = {other.event_id for other in events if (other.ends, other.event_id) > place}
        later = tuple(name for name in lists if name in after)
    else:
        later = _lists_from(lists, window)
        if later and _is_before(lists, window):
            return Placement(window.name, BEFORE)
    added = max(day_of_change(pool, today) if later else date.min, _last_struck_of(pool, event.event_id))
    known = schedule.known_until(window)
    if known is not None and added >= known:
        return Placement(window.name, FROZEN, added, clause=_inquiry_clause(schedule.edition_of(window)))
    kind = CORRECTION if later else COMING
    return Placement(window.name, kind, None if added == date.min else added, later)


def _inquiry_clause(edition: EditionInForce | None) -> str:
    """The clause that says until when a list may be changed."""
    return edition.book.cites.get("inquiry", "") if edition and isinstance(edition.book, ChessBook) else ""


def _lists_from(lists: dict[str, date], window: Window) -> tuple[str, ...]:
    """The published lists from that window on."""
    return tuple(name for name, closes in lists.items() if closes >= window.closes)


def _is_before(lists: dict[str, date], window: Window) -> bool:
    """Whether the window closes before those of all published_lists lists."""
    return window.closes < min(lists.values())


def _last_struck_of(pool: Pool, event_id: str) -> date:
    """The day on which what was of an earlier event of that id was struck last: one reported anew follows."""
    of_it = Q(event_id=event_id)
    return last_struck(pool, {facts.Event: of_it, facts.Game: of_it, facts.Membership: of_it})


def placement_of_games(pool: Pool, rules: Rules, games: Iterable[GoGame]) -> Placement | None:
    """Where games of Go go: into the ranking that holds the first one's end; None for no games."""
    first = min((game.ended for game in games), default=None)
    if first is None:
        return None
    lists, window = published_lists(pool), rules.schedule.window_on(day_of(first))
    later = _lists_from(lists, window)
    if later and _is_before(lists, window):
        return Placement(window.name, BEFORE)
    return Placement(window.name, CORRECTION if later else COMING, None, later)
