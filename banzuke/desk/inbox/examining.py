"""A report looked at: what is known of its events, who its players are, and what is wrong, as of now."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from banzuke.book import models
from banzuke.book.reading import last_entry, read_book, read_register, rules_of
from banzuke.core import facts, go
from banzuke.core.fault import Fault, fault
from banzuke.desk.inbox import doubles, problems
from banzuke.desk.inbox.files import contents_of
from banzuke.desk.inbox.newcomers import memberships, with_ratings
from banzuke.desk.inbox.placing import BEFORE, COMING, FROZEN, Placement, placed, placed_games
from banzuke.desk.inbox.problems import BLOCKS, EXCLUDES, WARNS, Problem, of_fault
from banzuke.desk.inbox.said import Field, Known, known
from banzuke.desk.lists.day_of_change import day_of_addition
from banzuke.desk.register.newcomers import new_ids
from banzuke.desk.rows import TABLES, record_of, standing_rows
from banzuke.ledger.corrections import standing
from banzuke.ledger.folder import ChessLedger, GoLedger
from banzuke.ledger.table import cell_faults
from banzuke.office import receive, waiting
from banzuke.office.incoming import FIDE_LIST, REGISTER
from banzuke.office.receive import Looked, games_of, look
from banzuke.office.receive_go import GoEntries, go_entries, other_ranks, with_entries
from banzuke.office.who_is_who import ADDED, NEW, Decision, WhoIsWho
from banzuke.rulebooks import Family

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from banzuke.core.facts import Event, Game, Player
    from banzuke.desk.inbox.files import Contents
    from banzuke.desk.inbox.said import Place
    from banzuke.formats.report import GoReport
    from banzuke.formats.report import Report as Reported
    from banzuke.office.waiting import Waiting
    from banzuke.office.who_is_who import Match, Undecided

#: What is said of a list of people, by its kind.
PEOPLE = {REGISTER: "inbox-register", FIDE_LIST: "inbox-fide-list"}
#: What NCS 4(5) asks a report for, of somebody new.
OF_NEWCOMERS = "NCS 4(5)"


class EventLooked(NamedTuple):
    """An event of a report: its fields, its players, its games as far as the players are known.

    `places` says of each game where the report has it (round, White's number, Black's).
    """

    file: str
    reported: Reported
    fields: list[Field]
    event: Event | None
    matches: list[Match]
    undecided: list[Undecided]
    games: list[Game]
    places: list[Place]
    ruling: str
    excluded: frozenset[Place]
    placement: Placement | None
    joined: bool
    rated: bool


class Examined(NamedTuple):
    """A report as of a position in the book.

    `added` are its newcomers, with the ids that they would get, `memberships` those with which they join.
    """

    position: int
    family: Family
    events: list[EventLooked]
    go: GoEntries | None
    placement: Placement | None
    added: list[Player]
    links: list[Waiting]
    people: str
    problems: list[Problem]
    memberships: tuple[facts.Membership, ...] = ()

    @property
    def is_ready(self) -> bool:
        """Whether it can be entered."""
        return not any(problem.weight == BLOCKS for problem in self.problems)

    @property
    def undecided(self) -> list[Undecided]:
        """The players to be decided on, of all events."""
        return [one for event in self.events for one in event.undecided]


def looked_at(report: models.Report, today: date) -> Examined:
    """What there is to say of a report before it is entered today."""
    position = last_entry(report.pool)
    contents = contents_of(report)
    if rules_of(report.pool, position).family is Family.GO:
        return _games_looked_at(report, contents, position)
    return _Events(report, contents, position, today).examined()


class _Events:
    """A report of chess being looked at."""

    def __init__(self, report: models.Report, contents: Contents, position: int, today: date) -> None:
        self.report, self.contents, self.position, self.today = report, contents, position, today
        register = read_register(report.pool, position)
        events = [record_of(row, facts.Event) for row in standing_rows(report.pool, facts.Event)]
        self.ledger: ChessLedger = replace(register, events=events)
        self.faults: list[Fault] = []
        self.problems: list[Problem] = []

    def examined(self) -> Examined:
        """All of it."""
        incoming = self.contents.incoming
        announced = {link.source: link for link in incoming.waiting}
        reports = [(file, waiting.announced(report, announced)) for file, report in incoming.reports]
        said = self._known(reports)
        ids = new_ids(self.report.pool)
        people = WhoIsWho(self.ledger, decisions(self.report), add_players=False, new_ids=ids)
        asked = [receive.Reported(file, report, said[file].said) for file, report in reports]
        looked = look(asked, self.ledger, people, self.faults)
        self.problems += _of_files(self.contents, go_wanted=False)
        events = [self._event(one, said[one.file]) for one in looked]
        self.problems += [of_fault(one) for one in self.faults]
        for event in events:
            with_ratings(people.added, event)
        added, joined = list(people.added.values()), self._joined(events)
        self.ledger = replace(self.ledger, memberships=[*self.ledger.memberships, *joined])
        self._judge(events, added)
        come = {report.event.source for _, report in reports}
        links = [link for link in incoming.waiting if link.source not in come]
        self.problems += [_of_link(link) for link in links]
        return Examined(
            self.position, self.ledger.pool.family, events, None, None, added, links, self.contents.people,
            _in_order(self.problems), joined,
        )  # fmt: skip

    def _joined(self, events: list[EventLooked]) -> tuple[facts.Membership, ...]:
        """The memberships of newcomers, with the day of those that published lists could know."""
        return tuple(
            one._replace(added=day_of_addition(self.report.pool, one.valid_from, self.today))
            for event in events
            for one in memberships(event)
        )

    def _known(self, reports: list[tuple[str, Reported]]) -> dict[str, Known]:
        """What is known of each event; their ids are all different ones."""
        every = models.Event.objects.filter(pool=self.report.pool)
        taken = set(every.values_list("event_id", flat=True))
        found: dict[str, Known] = {}
        for file, reported in reports:
            found[file] = known(self.report, file, reported, self.ledger.clubs, taken)
            taken.add(found[file].fields["event_id"].value)
        return found

    def _event(self, looked: Looked, said: Known) -> EventLooked:
        """An event with its games, the undecided under ids that stand in for theirs."""
        report, event = looked.report, looked.event
        weight = WARNS if said.readable else BLOCKS
        self.problems += [of_fault(one, weight) for one in report.faults]
        self.problems += [of_fault(one, WARNS) for one in report.remarks]
        ids = {one.reported.number: _stand_in(one.reported.number) for one in looked.undecided}
        ids |= {match.reported.number: match.player_id for match in looked.matches}
        places = [(g.round, g.white, g.black) for g in report.games if g.white in ids and g.black in ids]
        games: list[Game] = []
        placement = None
        if event is not None:
            event = self._writable(replace(event, ruling=said.ruling))
        if event is not None:
            placement = placed(
                self.report.pool, self.ledger.pool.family, event, self.ledger.events, self.today
            )
            rulings = [facts.EXCLUDE if place in said.excluded else "" for place in places]
            games = [
                game._replace(ruling=ruling)
                for game, ruling in zip(games_of(event, report, ids), rulings, strict=True)
            ]
        return EventLooked(
            looked.file, report, list(said.fields.values()), event, looked.matches, looked.undecided, games,
            places, said.ruling, said.excluded, placement, said.joined, said.rated,
        )  # fmt: skip

    def _writable(self, event: Event) -> Event | None:
        """The event, if a ledger can hold what is said of it; else the problems are noted."""
        faults = cell_faults(TABLES[facts.Event], event)
        self.problems += [of_fault(one) for one in faults]
        return None if faults else event

    def _judge(self, events: list[EventLooked], added: list[Player]) -> None:
        """The problems of the events by the rules, by the book, and by what waits beside them."""
        names = {
            match.player_id: match.reported.name or match.reported.name_native or match.player_id
            for event in events
            for match in event.matches
        }
        whole = [event.event for event in events if event.event is not None]
        games = [game for event in events for game in event.games]
        self.problems += [
            Problem(BLOCKS, one, player.player_id)
            for player in added
            for one in cell_faults(TABLES[facts.Player], player)
        ]
        self.problems += _of_namesakes(added, self.ledger.players)
        small = problems.trial(self.ledger, whole, games, added)
        self.problems += problems.of_trial(small, names, [player.player_id for player in added])
        for looked in events:
            event = looked.event
            self.problems += [_to_decide(looked)] if looked.undecided else []
            if event is not None:
                self.problems += self._of_games_left(looked.file, event)
                self.problems += _of_placement(event, looked.placement)
                self.problems += doubles.in_the_book(
                    self.report.pool, event, looked.games, self.ledger.events, names
                )
                self.problems += doubles.in_other_reports(self.report, event, looked.reported)
        if self.ledger.pool.family is Family.MONTH:
            self.problems += _of_newcomers(events)

    def _of_games_left(self, file: str, event: Event) -> Iterator[Problem]:
        """An id under which games stand whose event was struck is not free."""
        left = standing_rows(self.report.pool, facts.Game).filter(event_id=event.event_id)
        if event.event_id not in {one.event_id for one in self.ledger.events} and left.exists():
            yield of_fault(fault(file, 0, "event_id", "import-event-id", id=event.event_id))


def decisions(report: models.Report) -> list[Decision]:
    """Who is who, as far as it was decided: the last decision on a player counts, a blank one takes back."""
    rows = models.ReportDecision.objects.filter(report=report).order_by("pk")
    last = {(row.file, row.number, row.name): row for row in rows}
    return [Decision(row.file, row.number, row.name, row.player_id) for row in last.values() if row.player_id]


def _stand_in(number: int) -> str:
    """What stands for the id of a player who is not decided on: his number in the report."""
    return f"({number})"


def _of_files(contents: Contents, *, go_wanted: bool) -> Iterator[Problem]:
    """What is wrong with the files as such."""
    incoming = contents.incoming
    yield from (of_fault(one) for one in (*contents.faults, *incoming.faults))
    yield from (of_fault(one, WARNS) for one in incoming.remarks)
    if contents.people:
        yield Problem(BLOCKS, fault("", 0, "", PEOPLE[contents.people]))
    elif not (contents.faults or any(incoming[:4])):
        yield Problem(BLOCKS, fault("", 0, "", "inbox-nothing"))
    if go_wanted and incoming.reports:
        yield Problem(BLOCKS, fault("", 0, "", "inbox-chess"))
    elif not go_wanted and incoming.go is not None:
        yield Problem(BLOCKS, fault("", 0, "", "inbox-go"))


def _of_link(link: Waiting) -> Problem:
    return Problem(BLOCKS, fault("", 0, "", "inbox-link", source=link.source, reported=link.reported))


def _to_decide(event: EventLooked) -> Problem:
    unknown = sum(not one.candidates for one in event.undecided)
    counts = {"players": len(event.undecided), "unknown": unknown}
    return Problem(BLOCKS, fault(event.file, 0, "", "inbox-undecided", **counts))


def _of_placement(event: Event | None, placement: Placement | None) -> Iterator[Problem]:
    """What happens where the event's list is published already."""
    if placement is None or placement.kind == COMING:
        return
    about = {"list": placement.list, "event": "" if event is None else event.event_id}
    if placement.kind == BEFORE:
        yield Problem(BLOCKS, fault("", 0, "", "inbox-before", **about))
    elif placement.kind == FROZEN:
        yield Problem(EXCLUDES, fault("", 0, "", "inbox-frozen", clause="NCS 3(7), JCF 7(3)", **about))
    else:
        lists = ", ".join(placement.revised)
        yield Problem(
            WARNS, fault("", 0, "", "inbox-correction", lists=lists, day=placement.added or "-", **about)
        )


def _of_newcomers(events: list[EventLooked]) -> Iterator[Problem]:
    """NCS 4(5): who is new is reported with kanji name and birth date."""
    for match in (match for event in events for match in event.matches if match.how == ADDED):
        if not (match.reported.name_native and match.reported.birth_date):
            about = {"name": match.reported.name, "id": match.player_id, "clause": OF_NEWCOMERS}
            yield Problem(WARNS, fault("", 0, "", "inbox-newcomer", **about), match.player_id)


def _of_namesakes(added: list[Player], players: list[Player]) -> Iterator[Problem]:
    """Who is taken for new and has the name or FIDE id of a member: another report may have brought him."""
    known: dict[str, list[str]] = defaultdict(list)
    for player in standing(players, None) if added else ():
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


def _in_order(found: list[Problem]) -> list[Problem]:
    """What blocks first, then what stays out, then the rest; each thing once."""
    weights = (BLOCKS, EXCLUDES, WARNS)
    return sorted(dict.fromkeys(found), key=lambda problem: weights.index(problem.weight))


def _games_looked_at(report: models.Report, contents: Contents, position: int) -> Examined:
    """A report of games of Go; a decision about a handle counts in all its games."""
    ledger = read_book(report.pool, position)
    found = list(_of_files(contents, go_wanted=True))
    faults: list[Fault] = []
    entries, placement = None, None
    if isinstance(ledger, GoLedger) and contents.incoming.go is not None:
        decided = {decision.name: decision.player_id for decision in decisions(report)}
        games = _as_decided(contents.incoming.go, decided)
        asked = go_entries(ledger, games, [], add_players=False).unknown
        are_new = all(decided.get(one.name) == NEW for one in asked)
        entries = go_entries(ledger, games, faults, add_players=are_new)
        found += [of_fault(one) for one in (*games.faults, *faults, *_unwritable(entries))]
        if entries.unknown:
            counts = {"players": len(asked), "unknown": sum(not one.candidates for one in asked)}
            found.append(Problem(BLOCKS, fault("", 0, "", "inbox-undecided", **counts)))
        else:
            after = with_entries(ledger, entries)
            found += [of_fault(one, WARNS) for one in other_ranks(after, entries.reported)]
        placement = placed_games(report.pool, entries.games)
        found += _of_placement(None, placement)
    incoming = contents.incoming
    return Examined(
        position, Family.GO, [], entries, placement, [], incoming.waiting, contents.people, _in_order(found)
    )


def _unwritable(entries: GoEntries) -> Iterator[Fault]:
    """What a ledger cannot hold of games of Go and their new players."""
    for player in entries.added:
        yield from cell_faults(TABLES[go.GoPlayer], player)
    for game in entries.games:
        yield from cell_faults(TABLES[go.GoGame], game)


def _as_decided(report: GoReport, decided: dict[str, str]) -> GoReport:
    """The games with the ids that were decided on in place of handles."""
    ids = {name: player_id for name, player_id in decided.items() if player_id != NEW}
    games = [
        game._replace(black=ids.get(game.black, game.black), white=ids.get(game.white, game.white))
        for game in report.games
    ]
    return report._replace(games=tuple(games))
