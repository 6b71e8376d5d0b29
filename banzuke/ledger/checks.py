"""What must hold between the rows of a chess ledger, each fault with its line and column."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from banzuke.core.facts import BLITZ, SPEEDS
from banzuke.core.fault import Fault, fault
from banzuke.ledger.corrections import together
from banzuke.ledger.table import MOST_FAULTS
from banzuke.rulebooks import Family, fide_2024, jcf_2024, ncs_2022

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from banzuke.core.facts import Event, Game
    from banzuke.ledger.pool import EditionInForce, Pool
    from banzuke.ledger.table import Rows

Tables = dict[str, "Rows"]


def check_chess(pool: Pool, tables: Tables, faults: list[Fault]) -> None:
    """Every fault between rows, in the order of the tables."""
    by_day = pool.family is Family.MONTH
    _check_ids(tables["players"], "player_id", faults, by_day=by_day)
    _check_spans(tables["clubs"], faults)
    _check_memberships(tables, faults)
    _check_ids(tables["events"], "event_id", faults, by_day=by_day)
    for event, line in _numbered(tables["events"]):
        _check_event(pool, event, line, faults)
    _check_standings(pool, tables, faults)
    _check_games(tables, faults, by_day=by_day)


def _numbered(rows: Rows) -> Iterator[tuple[Any, int]]:
    return zip(rows.records, rows.lines, strict=True)


def _check_ids(rows: Rows, column: str, faults: list[Fault], *, by_day: bool) -> None:
    """No id twice among rows that stand together."""
    seen: dict[str, list[tuple[Any, int]]] = defaultdict(list)
    for record, line in _numbered(rows):
        name = getattr(record, column)
        for earlier, first in seen[name]:
            if together(record, earlier, by_day=by_day):
                faults.append(fault(rows.file, line, column, "double-id", id=name, first=first))
                break
        seen[name].append((record, line))


def _check_spans(rows: Rows, faults: list[Fault]) -> None:
    for record, line in _numbered(rows):
        if record.valid_to < record.valid_from:
            faults.append(
                fault(rows.file, line, "valid_to", "span", first=record.valid_from, last=record.valid_to)
            )


def _check_memberships(tables: Tables, faults: list[Fault]) -> None:
    rows = tables["memberships"]
    players = {player.player_id for player in tables["players"].records}
    events = {event.event_id for event in tables["events"].records}
    _check_spans(rows, faults)
    for record, line in _numbered(rows):
        if record.player_id not in players:
            faults.append(fault(rows.file, line, "player_id", "unknown-player", id=record.player_id))
        if record.kind == "event" and not record.event_id:
            faults.append(fault(rows.file, line, "event_id", "membership-event"))
        elif record.event_id and record.event_id not in events:
            faults.append(fault(rows.file, line, "event_id", "unknown-event", id=record.event_id))


def _check_event(pool: Pool, event: Event, line: int, faults: list[Fault]) -> None:
    """Days in order, an edition that rates it, and a speed that the edition knows."""
    file = "events.csv"
    if event.ends < event.starts:
        faults.append(fault(file, line, "ends", "event-ends", starts=event.starts, ends=event.ends))
    if event.reported < event.ends:
        faults.append(
            fault(file, line, "reported", "event-reported", ends=event.ends, reported=event.reported)
        )
    column, day = DECIDING_DAY[pool.family](event)
    edition = pool.edition_on(day)
    if edition is None:
        faults.append(fault(file, line, column, "no-edition", day=day, first=pool.editions[0].start))
    else:
        _check_speed(edition, event, line, faults)


def _deciding_month(event: Event) -> tuple[str, Any]:
    return "reported", ncs_2022.window_closes(ncs_2022.list_of(event.reported))


def _deciding_fide(event: Event) -> tuple[str, Any]:
    return "ends", fide_2024.window_closes(fide_2024.list_of(event.ends))


def _deciding_club(event: Event) -> tuple[str, Any]:
    return "ends", event.ends


#: The column and the day that decide which edition rates an event.
DECIDING_DAY: Mapping[Family, Callable[[Event], tuple[str, Any]]] = {
    Family.MONTH: _deciding_month,
    Family.FIDE: _deciding_fide,
    Family.CLUB: _deciding_club,
}


def _check_speed(edition: EditionInForce, event: Event, line: int, faults: list[Fault]) -> None:
    """A declared speed that the edition's table does not allow, or none at all, is refused."""
    name = edition.book.name
    if name == "ncs-2022" and event.minutes is not None and event.speed:
        fits = ncs_2022.speeds_for(event.minutes, fide_rated=bool(event.fide_rated))
        _check_declared(event, fits, "NCS 4(6)", line, faults)
    elif name == "jcf-2024" and event.minutes is not None and event.speed:
        _check_declared(event, jcf_2024.speeds_for(event.minutes), "JCF 2(2)", line, faults)
    elif name == "jcf-2024" and event.minutes is None and not event.speed:
        faults.append(fault("events.csv", line, "base_minutes", "event-no-speed", clause="JCF 4(3)a"))
    elif name == "fide-2024" and not fide_2024.speed_of(event):
        faults.append(fault("events.csv", line, "base_minutes", "event-no-speed", clause="FIDE 1.1"))


def _check_declared(event: Event, fits: tuple[str, ...], clause: str, line: int, faults: list[Fault]) -> None:
    if event.speed not in fits:
        faults.append(
            fault(
                "events.csv",
                line,
                "speed",
                "event-speed",
                speed=event.speed,
                minutes=event.minutes,
                fits=", ".join(fits),
                clause=clause,
            )
        )


def _check_standings(pool: Pool, tables: Tables, faults: list[Fault]) -> None:
    rows = tables["standings"]
    players = {player.player_id for player in tables["players"].records}
    speeds = {Family.CLUB: ("",), Family.FIDE: SPEEDS}.get(
        pool.family, tuple(s for s in SPEEDS if s != BLITZ)
    )
    seen: dict[tuple[str, str], int] = {}
    for opening, line in _numbered(rows):
        if opening.player_id not in players:
            faults.append(fault(rows.file, line, "player_id", "unknown-player", id=opening.player_id))
        if opening.speed not in speeds:
            wanted = ", ".join(speeds) or "-"
            faults.append(
                fault(rows.file, line, "speed", "standing-speed", value=opening.speed, speeds=wanted)
            )
        first = seen.setdefault((opening.player_id, opening.speed), line)
        if first != line:
            faults.append(fault(rows.file, line, "player_id", "double-id", id=opening.player_id, first=first))


def _check_games(tables: Tables, faults: list[Fault], *, by_day: bool) -> None:
    """Event by event: known ids, days, and no player twice in a round."""
    rows = tables["games"]
    events: dict[str, list[Event]] = defaultdict(list)
    for event in tables["events"].records:
        events[event.event_id].append(event)
    players = {player.player_id for player in tables["players"].records}
    of_event: dict[str, list[int]] = defaultdict(list)
    for index, game in enumerate(rows.records):
        of_event[game.event_id].append(index)
    found: list[Fault] = []
    for event_id, indexes in of_event.items():
        taken: dict[tuple[int, str], list[int]] = {}
        for index in indexes:
            game, line = rows.records[index], rows.lines[index]
            if game.white not in players or game.black not in players or game.white == game.black:
                _note_players(rows.file, game, line, players, found)
            _check_game_day(rows.file, game, line, events.get(event_id, []), found, by_day=by_day)
            _check_round(rows, index, taken, found, by_day=by_day)
            if len(found) > MOST_FAULTS:
                break
    faults += sorted(found, key=lambda f: f.line)


def _note_players(file: str, game: Game, line: int, players: set[str], found: list[Fault]) -> None:
    for column, player in (("white", game.white), ("black", game.black)):
        if player not in players:
            found.append(fault(file, line, column, "unknown-player", id=player))
    if game.white == game.black:
        found.append(fault(file, line, "black", "self-play", id=game.black))


def _check_game_day(
    file: str, game: Game, line: int, events: list[Event], found: list[Fault], *, by_day: bool
) -> None:
    """The game's event stands with it, and the game was played on one of its days."""
    standing = [event for event in events if together(game, event, by_day=by_day)] if by_day else events
    if not standing:
        found.append(fault(file, line, "event_id", "unknown-event", id=game.event_id))
    if game.played is None:
        return
    for event in standing:
        if not event.starts <= game.played <= event.ends:
            found.append(
                fault(
                    file,
                    line,
                    "played",
                    "game-day",
                    played=game.played,
                    starts=event.starts,
                    ends=event.ends,
                    event=event.event_id,
                )
            )
            return


def _check_round(
    rows: Rows, index: int, taken: dict[tuple[int, str], list[int]], found: list[Fault], *, by_day: bool
) -> None:
    """No pair twice in a round of an event, and no player in two games of it."""
    game = rows.records[index]
    for column, player in (("white", game.white), ("black", game.black)):
        others = taken.setdefault((game.round, player), [])
        for other in others:
            earlier = rows.records[other]
            if other != index and together(game, earlier, by_day=by_day):
                pair = {game.white, game.black} == {earlier.white, earlier.black}
                code = "double-game" if pair else "player-twice"
                found.append(
                    fault(
                        rows.file,
                        rows.lines[index],
                        column,
                        code,
                        id=player,
                        round=game.round,
                        first=rows.lines[other],
                    )
                )
                if pair:
                    return
                break
        others.append(index)
