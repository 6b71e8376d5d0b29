"""What was seen of a report: its events, players and problems; and what is said of files of every kind."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from banzuke.core.fault import fault
from banzuke.core.rulebook import ChessBook
from banzuke.database import models
from banzuke.exchange.incoming_files import FIDE_LIST, REGISTER
from banzuke.exchange.player_identities import Decision
from banzuke.ledger.records import by_event
from banzuke.office.inbox.list_placement import BEFORE, COMING, FROZEN
from banzuke.office.inbox.problems import BLOCKS, EXCLUDES, WARNS, Problem, of_fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from banzuke.core.facts import Event, Game, Membership, Player
    from banzuke.engine.go_history import RatedGame
    from banzuke.exchange.go_import import GoEntries
    from banzuke.exchange.linked_reports import LinkedReport
    from banzuke.exchange.player_identities import Match, UndecidedPlayer
    from banzuke.formats.report import Report as Reported
    from banzuke.ledger.folder import ChessLedger
    from banzuke.ledger.pool_rules import Pool as Rules
    from banzuke.office.inbox.event_fields import Field, Place
    from banzuke.office.inbox.list_placement import Placement
    from banzuke.office.inbox.report_files import Contents

#: What is said of a list of people, by its kind.
PEOPLE = {REGISTER: "inbox-register", FIDE_LIST: "inbox-fide-list"}


class EventReview(NamedTuple):
    """An event of a report: its fields, its players, its games as far as the players are known.

    `places` says of each game where the report has it (round, White's number, Black's).
    """

    file: str
    reported: Reported
    fields: list[Field]
    event: Event | None
    matches: list[Match]
    undecided: list[UndecidedPlayer]
    games: list[Game]
    places: list[Place]
    ruling: str
    excluded: frozenset[Place]
    placement: Placement | None
    joined: bool
    rated: bool


class Review(NamedTuple):
    """A report as of a position in the book; `rules` are the pool's.

    `added` are its newcomers, with the ids that they would get, `memberships` those with which they join. Of
    games of Go, `foretold` are its games as they would be rated, `there` those that the book has already, and
    `is_partly` whether there are some that can be left out.
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
    foretold: tuple[RatedGame, ...] = ()
    there: tuple[RatedGame, ...] = ()
    is_partly: bool = False

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


def decisions(report: models.Report) -> list[Decision]:
    """Who is who, as far as it was decided: the last decision on a player counts, a blank one takes back."""
    rows = models.ReportDecision.objects.filter(report=report).order_by("pk")
    last = {(row.file, row.number, row.name): row for row in rows}
    return [Decision(row.file, row.number, row.name, row.player_id) for row in last.values() if row.player_id]


def of_files(contents: Contents, *, go_wanted: bool, readable: bool = False) -> Iterator[Problem]:
    """What is wrong with the files as such; `readable`: those that cannot be read are left out."""
    incoming = contents.incoming
    yield from map(of_fault, contents.faults)
    yield from (of_fault(one, WARNS if readable else BLOCKS) for one in incoming.faults)
    yield from (of_fault(one, WARNS) for one in incoming.remarks)
    if contents.people:
        yield Problem(BLOCKS, fault("", 0, "", PEOPLE[contents.people]))
    elif not (contents.faults or any(incoming[:4])):
        yield Problem(BLOCKS, fault("", 0, "", "inbox-nothing"))
    if go_wanted and incoming.reports:
        yield Problem(BLOCKS, fault("", 0, "", "inbox-chess"))
    elif not go_wanted and incoming.go is not None:
        yield Problem(BLOCKS, fault("", 0, "", "inbox-go"))


def of_placement(event: Event | None, placement: Placement | None) -> Iterator[Problem]:
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


def in_order(found: Iterable[Problem]) -> list[Problem]:
    """What blocks first, then what stays out, then the rest; each thing once."""
    weights = (BLOCKS, EXCLUDES, WARNS)
    return sorted(dict.fromkeys(found), key=lambda problem: weights.index(problem.weight))


def with_day(examined: Review) -> tuple[list[Event], list[Game]]:
    """The events and games of a report, with the day of who changes published lists."""
    events, games = [], []
    for looked in examined.events:
        if looked.event is not None:
            added: date | None = looked.placement.added if looked.placement else None
            events.append(replace(looked.event, added=added))
            games += [game._replace(added=added) for game in looked.games]
    return events, games


def ledger_with(ledger: ChessLedger, examined: Review) -> ChessLedger:
    """A chess pool's ledger, as of the position at which the report was looked at, with the report in it."""
    events, games = with_day(examined)
    return replace(
        ledger,
        players=ledger.players + examined.added,
        memberships=[*ledger.memberships, *examined.memberships],
        events=ledger.events + events,
        games=_together(ledger.games, by_event(games)),
    )


def _together(games: dict[str, list[Game]], more: dict[str, list[Game]]) -> dict[str, list[Game]]:
    """Games by event with more of them; an event may have had others, struck before it was reported anew."""
    return games | {event: games.get(event, []) + added for event, added in more.items()}
