"""Take reports into a ledger: who is who, what the file lacks, and all of it or nothing."""

from collections.abc import Collection, Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from banzuke.core.facts import Bye, Event, Game, Player, fide_number
from banzuke.core.fault import Fault, RefusedError, fault, refuse_any
from banzuke.exchange import linked_reports
from banzuke.exchange.linked_reports import LinkedReport
from banzuke.exchange.player_identities import (
    ADDED,
    Decision,
    Match,
    PlayerIdentifier,
    UndecidedPlayer,
)
from banzuke.formats.report import Report, ReportedGame
from banzuke.ledger.byes import add_byes, read_byes
from banzuke.ledger.folder import ChessLedger, read_chess_ledger
from banzuke.ledger.pool_rules import Pool
from banzuke.ledger.safe_writing import locked, replace_ledger_tables
from banzuke.ledger.schema import MOST_ROUNDS

#: The line of a table's first row, below the headings, and what may run over several lines in a report.
_FIRST_ROW = 2
_OF_SEVERAL_LINES = {
    "players": ("player_id", "name", "name_native"),
    "events": ("event_id", "name", "name_native", "organiser", "place", "responsible", "reporter"),
    "games": ("event_id",),
}


class EventFields(NamedTuple):
    """What the reporter says of an event beyond its file; None: ask the file."""

    event_id: str | None = None
    name: str | None = None
    name_native: str | None = None
    organiser: str | None = None
    place: str | None = None
    responsible: str | None = None
    reporter: str | None = None
    form: str | None = None
    speed: str | None = None
    base_minutes: int | None = None
    increment_seconds: int | None = None
    fide_rated: bool | None = None
    starts: date | None = None
    ends: date | None = None
    reported: date | None = None
    applied: date | None = None
    notified: date | None = None
    paid: date | None = None
    nonmembers: int | None = None


class ReportInput(NamedTuple):
    """A report with the name of its file and what is known of it beyond the file."""

    file: str
    report: Report
    fields: EventFields


class MatchedReport(NamedTuple):
    """A report held against a register: its event (None: a field is missing), and who its players are."""

    file: str
    report: Report
    event: Event | None
    matches: list[Match]
    undecided: list[UndecidedPlayer]


class ReceivedReport(NamedTuple):
    """One report as entries of the ledger; `remarks` are worth knowing (accepted faults too).

    `lines` are those of the games in the file.
    """

    file: str
    event: Event
    games: list[Game]
    matches: list[Match]
    remarks: tuple[Fault, ...]
    byes: tuple[Bye, ...] = ()
    lines: tuple[int, ...] = ()


class UndecidedPlayersError(Exception):
    """Players of whom it is not sure who they are; nothing was written."""

    def __init__(self, undecided: list[UndecidedPlayer]) -> None:
        super().__init__(f"{len(undecided)} undecided")
        self.undecided = undecided


def receive(
    folder: Path,
    reports: list[tuple[str, Report]],
    fields: EventFields,
    decisions: Iterable[Decision] = (),
    links: Iterable[LinkedReport] = (),
    *,
    add_players: bool = False,
    readable_part: bool = False,
) -> list[ReceivedReport]:
    """Take the reports (with their files' names) into the ledger of the folder.

    `decisions` say who players are; `links` announce reports whose pages are among these or wait, and are
    kept until those come; `add_players` adds those who are like nobody in the ledger;
    `readable_part` takes what could be read of reports with faults. Raises RefusedError for reports with
    faults, missing event fields or entries that the ledger cannot take, and UndecidedPlayersError where it is
    not sure who a player is. Either everything is written or nothing; another import into the ledger waits.
    """
    with locked(folder):
        ledger = read_chess_ledger(folder)
        _check_single_id(reports, fields)
        announced = linked_reports.with_links(folder, links)
        announced_reports = [
            (file, linked_reports.set_day_of_link(report, announced)) for file, report in reports
        ]
        faults = [] if readable_part else [f for _, report in announced_reports for f in report.faults]
        refuse_any(faults)
        people = PlayerIdentifier(ledger, decisions, add_players=add_players)
        looked = match_reports(
            [ReportInput(file, report, fields) for file, report in announced_reports], ledger, people, faults
        )
        refuse_any(faults)
        if undecided := [one for report in looked for one in report.undecided]:
            raise UndecidedPlayersError(undecided)
        received = [_tell_new_fide_ids(build_received(report), ledger) for report in looked]
        if received:
            read_byes(folder)  # a damaged file is said before anything is written
            _write(folder, ledger, received, list(people.added.values()))
            add_byes(folder, (bye for one in received for bye in one.byes))
        _keep_waiting(folder, announced_reports, announced)
        return received


def _tell_new_fide_ids(received: ReceivedReport, ledger: ChessLedger) -> ReceivedReport:
    """The report with a remark for each FIDE id of a member of whom a pool of FIDE's ids knows none."""
    if not ledger.pool.has_fide_ids:
        return received
    known = {player.player_id for player in ledger.players if fide_number(player, has_fide_ids=True)}
    told = (
        fault(
            received.file,
            match.reported.line,
            match.reported.name,
            "import-new-fide-id",
            fide_id=match.reported.fide_id,
            id=match.player_id,
        )
        for match in received.matches
        if match.how != ADDED and match.reported.fide_id and match.player_id not in known
    )
    return received._replace(remarks=(*received.remarks, *told))


def _keep_waiting(
    folder: Path, reports: list[tuple[str, Report]], announced: dict[str, LinkedReport]
) -> None:
    """The links whose pages have not come."""
    come = {report.event.source for _, report in reports}
    left = [link for source, link in announced.items() if source not in come]
    if announced:
        linked_reports.write(folder, left)


def _check_single_id(reports: list[tuple[str, Report]], fields: EventFields) -> None:
    """An id is one event's."""
    if fields.event_id is not None and len(reports) > 1:
        raise RefusedError([fault("--event-id", 0, "", "import-one-id", files=len(reports))])


def match_reports(
    reports: Iterable[ReportInput], ledger: ChessLedger, people: PlayerIdentifier, faults: list[Fault]
) -> list[MatchedReport]:
    """Hold reports against a ledger, of which the pool and the events are looked at, and its people.

    A fault is noted for what both file and reporter lack, and for an id or an event that is there already.
    """
    taken = {event.event_id for event in ledger.events}
    reported = {(event.name, event.starts, event.ends): event.event_id for event in ledger.events}
    looked = []
    for one in reports:
        event = _event(ledger, taken, one, faults)
        if event is not None:
            _check_new(one.file, event, reported, faults)
        looked.append(MatchedReport(one.file, one.report, event, *people.match(one.file, one.report, faults)))
    return looked


def build_received(looked: MatchedReport) -> ReceivedReport:
    """A report of which everything is known, as entries. Raises ValueError where something is not."""
    if looked.event is None or looked.undecided:
        raise ValueError(looked.file)
    ids = {match.reported.number: match.player_id for match in looked.matches}
    games, byes = games_of(looked.event, looked.report, ids), byes_of(looked.event, looked.report, ids)
    remarks = looked.report.remarks + looked.report.faults
    lines = tuple(game.line for game in _known_games(looked.report, ids))
    return ReceivedReport(looked.file, looked.event, games, looked.matches, remarks, byes, lines)


def games_of(event: Event, report: Report, ids: Mapping[int, str]) -> list[Game]:
    """The report's games between players whose ids are known, by number."""
    return [
        Game(event.event_id, game.round, ids[game.white], ids[game.black], game.result, game.played)
        for game in _known_games(report, ids)
    ]


def _known_games(report: Report, ids: Mapping[int, str]) -> list[ReportedGame]:
    return [game for game in report.games if game.white in ids and game.black in ids]


def byes_of(event: Event, report: Report, ids: Mapping[int, str]) -> tuple[Bye, ...]:
    """The report's byes of players whose ids are known, by number, in rounds that a ledger can have."""
    return tuple(
        Bye(event.event_id, bye.round, ids[bye.player], bye.half_points)
        for bye in report.byes
        if bye.player in ids and 1 <= bye.round <= MOST_ROUNDS
    )


def event_fields_of(report: Report) -> dict[str, Any]:
    """What a file says of its event, by the event's fields."""
    return {
        name: value
        for name, value in report.event._asdict().items()
        if name in EventFields._fields and value not in (None, "")
    }


def missing_fields(pool: Pool, known: Collection[str]) -> list[str]:
    """The fields without which an event cannot be entered, less those that are known.

    Where every event makes a list, the day of the report decides nothing.
    """
    asked = ["name", "starts", "ends", "reported"]
    if any(pool.speeds) and "base_minutes" not in known:
        asked.append("speed")
    if pool.schedule.is_by_event:
        asked.remove("reported")
    return [name for name in asked if name not in known]


def _event(ledger: ChessLedger, taken: set[str], one: ReportInput, faults: list[Fault]) -> Event | None:
    """The event: what is given for it, else what the file says; a fault for what both lack.

    Its id is noted among those `taken`.
    """
    known: dict[str, Any] = {"event_id": Path(one.file).stem} | event_fields_of(one.report)
    known |= {name: value for name, value in one.fields._asdict().items() if value is not None}
    missing = missing_fields(ledger.pool, known)
    faults += [fault(one.file, 0, name, "import-field", option=_option(name)) for name in missing]
    event_id = known["event_id"]
    if event_id in taken:
        faults.append(fault(one.file, 0, "event_id", "import-event-id", id=event_id))
    taken.add(event_id)
    return None if missing else Event(**{"reported": known["ends"]} | known)


def _check_new(
    file: str, event: Event, reported: dict[tuple[str, date, date], str], faults: list[Fault]
) -> None:
    """The same report under another file's name would count twice."""
    earlier = reported.setdefault((event.name, event.starts, event.ends), event.event_id)
    if earlier != event.event_id:
        faults.append(fault(file, 0, "name", "import-reported", name=event.name, id=earlier))


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


def _write(folder: Path, ledger: ChessLedger, received: list[ReceivedReport], added: list[Player]) -> None:
    tables: dict[str, list[Any]] = {
        "players": ledger.players + added,
        "events": ledger.events + [r.event for r in received],
        "games": [game for games in ledger.games.values() for game in games]
        + [game for r in received for game in r.games],
    }
    try:
        replace_ledger_tables(folder, ledger.pool, tables)
    except RefusedError as error:
        sources = _sources(tables, received)
        raise RefusedError([_of_source(found, sources) for found in error.faults]) from None


class _Source(NamedTuple):
    """Where a row that would be added is from, and the names that the file has for ids."""

    file: str
    line: int
    names: Mapping[str, str]


def _sources(
    tables: Mapping[str, list[Any]], received: list[ReceivedReport]
) -> dict[tuple[str, str], _Source]:
    """The sources of the rows at the ends of tables, by the table's file and their line in it."""
    added: dict[str, list[_Source]] = {"players": [], "events": [], "games": []}
    for one in received:
        names = {match.player_id: match.reported.name or match.player_id for match in one.matches}
        added["events"].append(_Source(one.file, 0, names))
        added["games"] += [_Source(one.file, line, names) for line in one.lines]
        added["players"] += [
            _Source(one.file, match.reported.line, names) for match in one.matches if match.how == ADDED
        ]
    found = {}
    for table, sources in added.items():
        before = len(tables[table]) - len(sources)
        line = before + _FIRST_ROW
        for row, source in zip(tables[table][before:], sources, strict=True):
            found[f"{table}.csv", str(line)] = source
            line += 1 + "".join(getattr(row, name) for name in _OF_SEVERAL_LINES[table]).count("\n")
    return found


def _of_source(found: Fault, sources: Mapping[tuple[str, str], _Source]) -> Fault:
    """A fault of the ledger as it would be, at the place in the file that it comes from, in its words."""
    source = sources.get((found.file, str(found.line)))
    if source is None:
        return found
    facts = dict(found.facts)
    if "id" in facts:
        facts["id"] = source.names.get(facts["id"], facts["id"])
    if (first := sources.get((found.file, facts.get("first", "")))) is not None:
        facts["first"] = str(first.line)
    return Fault(source.file, source.line, found.column, found.code, tuple(facts.items()))
