"""Take reports into a ledger: who is who, what the file lacks, and all of it or nothing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from banzuke.core.facts import Event, Game, Player
from banzuke.core.fault import Fault, RefusedError, fault
from banzuke.ledger.corrections import standing
from banzuke.ledger.folder import ChessLedger, read_ledger, records_of
from banzuke.ledger.lock import locked
from banzuke.ledger.schema import CHESS
from banzuke.ledger.table import MOST_FAULTS
from banzuke.office.put_in_place import put_in_place
from banzuke.rulebooks import Family

if TYPE_CHECKING:
    from datetime import date

    from banzuke.formats.report import Report, ReportedPlayer

EVENTS = next(table for table in CHESS if table.name == "events")
GAMES = next(table for table in CHESS if table.name == "games")
BY_NATIONAL_ID, BY_FIDE_ID, BY_NAME, ADDED = "national id", "FIDE id", "name", "added"


class EventFields(NamedTuple):
    """What the reporter says of an event beyond its file; None: ask the file."""

    event_id: str | None = None
    name: str | None = None
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


class Match(NamedTuple):
    """A reported player and the member he is; `how` says by what, or that he was added."""

    reported: ReportedPlayer
    player_id: str
    how: str
    known_as: str

    @property
    def is_doubtful(self) -> bool:
        """Whether the reported and the member's name have no word in common."""
        words, known = _words(self.reported.name), _words(self.known_as)
        return bool(words) and not words & known


class Received(NamedTuple):
    """One report as entries of the ledger."""

    file: str
    event: Event
    games: list[Game]
    matches: list[Match]
    added: list[Player]


class UnknownPlayersError(Exception):
    """Players whom the ledger does not know, by file; nothing was written."""

    def __init__(self, unknown: list[tuple[str, ReportedPlayer]]) -> None:
        super().__init__(f"{len(unknown)} unknown")
        self.unknown = unknown


def receive(
    folder: Path, reports: list[tuple[str, Report]], said: EventFields, *, add_players: bool
) -> list[Received]:
    """Take the reports (with their files' names) into the ledger of the folder.

    Raises RefusedError for reports with faults, missing event fields or entries that the ledger
    cannot take, and UnknownPlayersError where players are not known and may not be added. Either
    everything is written or nothing; another import into the ledger waits until this one is done.
    """
    with locked(folder):
        return _receive(folder, reports, said, add_players=add_players)


def _receive(
    folder: Path, reports: list[tuple[str, Report]], said: EventFields, *, add_players: bool
) -> list[Received]:
    ledger = read_ledger(folder)
    faults = [f for _, report in reports for f in report.faults]
    if not isinstance(ledger, ChessLedger):
        faults.append(fault(str(folder), 0, "", "import-go"))
    if said.event_id and len(reports) > 1:
        faults.append(fault("--event-id", 0, "", "import-one-id", files=len(reports)))
    if faults or not isinstance(ledger, ChessLedger):
        raise RefusedError(faults[:MOST_FAULTS])
    matcher, received, unknown = Matcher(ledger), [], []
    taken = {event.event_id for event in ledger.events}
    reported = {(event.name, event.starts, event.ends): event.event_id for event in ledger.events}
    for file, report in reports:
        event = _event(ledger, taken, file, report, said, faults)
        if event is not None:
            _check_new(file, event, reported, faults)
        matches, missing = matcher.match(file, report, faults, add_players=add_players)
        unknown += [(file, player) for player in missing]
        if event is not None and not missing:
            added = [_player(m) for m in matches if m.how == ADDED]
            received.append(Received(file, event, _games(event, report, matches), matches, added))
    if faults:
        raise RefusedError(faults[:MOST_FAULTS])
    if unknown:
        raise UnknownPlayersError(unknown)
    _write(folder, ledger, received)
    return received


def _event(
    ledger: ChessLedger, taken: set[str], file: str, report: Report, said: EventFields, faults: list[Fault]
) -> Event | None:
    """The event: what is said of it, else what the file says; a fault for what both lack.

    Its id is noted among those `taken`.
    """
    known: dict[str, Any] = {"event_id": Path(file).stem}
    known |= {
        name: value
        for name, value in report.event._asdict().items()
        if name in EventFields._fields and value not in (None, "")
    }
    known |= {name: value for name, value in said._asdict().items() if value is not None}
    needed = ["name", "starts", "ends", "reported"]
    if ledger.pool.family is not Family.CLUB and "base_minutes" not in known:
        needed.append("speed")
    missing = [name for name in needed if name not in known]
    faults += [fault(file, 0, name, "import-field", option=_option(name)) for name in missing]
    event_id = said.event_id or Path(file).stem
    if event_id in taken:
        faults.append(fault(file, 0, "event_id", "import-event-id", id=event_id))
    taken.add(event_id)
    return None if missing else EVENTS.record(**known)


def _check_new(
    file: str, event: Event, reported: dict[tuple[str, date, date], str], faults: list[Fault]
) -> None:
    """The same report under another file's name would count twice."""
    earlier = reported.setdefault((event.name, event.starts, event.ends), event.event_id)
    if earlier != event.event_id:
        faults.append(fault(file, 0, "name", "import-reported", name=event.name, id=earlier))


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


class Matcher:
    """Who is who: by national id, then FIDE id, then exact name that only one member bears.

    Rows that were struck name nobody, and a name is not enough against another FIDE id.
    """

    def __init__(self, ledger: ChessLedger) -> None:
        self._by_fide: dict[str, list[str]] = {}
        self._by_name: dict[str, list[str]] = {}
        self._fide_ids: dict[str, str] = {}
        self._names: dict[str, tuple[str, ...]] = {}
        self._taken = {player.player_id for player in ledger.players}
        for player in standing(ledger.players, None):
            fide_id = player.fide_id
            if not fide_id and ledger.pool.family is Family.FIDE:
                fide_id = player.player_id
            self._know(player.player_id, fide_id, (player.name, player.name_native))

    def _know(self, player_id: str, fide_id: str, names: tuple[str, ...]) -> None:
        self._taken.add(player_id)
        self._fide_ids[player_id] = fide_id
        self._names[player_id] = names
        for key, index in ((fide_id, self._by_fide), *((name, self._by_name) for name in names)):
            if key and player_id not in index.setdefault(key, []):
                index[key].append(player_id)

    def match(
        self, file: str, report: Report, faults: list[Fault], *, add_players: bool
    ) -> tuple[list[Match], list[ReportedPlayer]]:
        """Every reported player with his member, and those whom nobody knows."""
        matches: list[Match] = []
        unknown: list[ReportedPlayer] = []
        everyone = [(reported, self._find(file, reported, faults)) for reported in report.players]
        for reported, found in everyone:
            if found is not None:
                matches.append(Match(reported, *found, self.known_as(found[0], reported.name)))
            elif add_players:
                matches.append(Match(reported, self._add(reported), ADDED, reported.name))
            else:
                unknown.append(reported)
        _check_once(file, matches, faults)
        return matches, unknown

    def _find(self, file: str, reported: ReportedPlayer, faults: list[Fault]) -> tuple[str, str] | None:
        if reported.national_id in self._fide_ids:
            return reported.national_id, BY_NATIONAL_ID
        for key, found, how in (
            (reported.fide_id, self._by_fide.get(reported.fide_id, []), BY_FIDE_ID),
            (reported.name, self._of_name(reported), BY_NAME),
        ):
            if len(found) == 1:
                return found[0], how
            if found:
                ids = ", ".join(sorted(found))
                faults.append(
                    fault(file, reported.line, key, "import-ambiguous", name=reported.name, ids=ids)
                )
                return found[0], how
        return None

    def known_as(self, player_id: str, reported: str) -> str:
        """The member's name: of several the one that has a word of the reported name, else the first."""
        names = self._names[player_id]
        return next((name for name in names if _words(name) & _words(reported)), names[0])

    def _of_name(self, reported: ReportedPlayer) -> list[str]:
        """The members of that name, less those whose FIDE id is another one."""
        return [
            player_id
            for player_id in self._by_name.get(reported.name, [])
            if not reported.fide_id or self._fide_ids[player_id] in ("", reported.fide_id)
        ]

    def _add(self, reported: ReportedPlayer) -> str:
        """A new id: the national one, the FIDE one, or the next free number."""
        wishes = [wish for wish in (reported.national_id, reported.fide_id) if wish]
        number = len(self._taken) + 1
        while f"P{number:05}" in self._taken:
            number += 1
        player_id = next((wish for wish in wishes if wish not in self._taken), f"P{number:05}")
        self._know(player_id, reported.fide_id, (reported.name,))
        return player_id


def _words(name: str) -> set[str]:
    """The words of a name, without case, commas and points."""
    return set(re.sub(r"[^\w]+", " ", name.casefold()).split())


def _check_once(file: str, matches: list[Match], faults: list[Fault]) -> None:
    """No two reported players are the same member."""
    seen: dict[str, int] = {}
    for match in matches:
        first = seen.setdefault(match.player_id, match.reported.line)
        if first != match.reported.line:
            faults.append(
                fault(
                    file,
                    match.reported.line,
                    match.reported.name,
                    "import-same",
                    id=match.player_id,
                    first=first,
                )
            )


def _player(match: Match) -> Player:
    reported = match.reported
    return Player(
        match.player_id,
        reported.name,
        birth_date=reported.birth_date,
        sex=reported.sex,
        fide_id=reported.fide_id,
    )


def _games(event: Event, report: Report, matches: list[Match]) -> list[Game]:
    ids = {match.reported.number: match.player_id for match in matches}
    return [
        Game(event.event_id, game.round, ids[game.white], ids[game.black], game.result, game.played)
        for game in report.games
    ]


def _write(folder: Path, ledger: ChessLedger, received: list[Received]) -> None:
    tables: dict[str, list[Any]] = {
        "players": ledger.players + [player for r in received for player in r.added],
        "events": ledger.events + [r.event for r in received],
        "games": records_of(ledger, GAMES) + [game for r in received for game in r.games],
    }
    put_in_place(folder, tables, CHESS)
