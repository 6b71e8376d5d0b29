"""What must hold between the rows of a ledger, each fault with its line and column."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from operator import itemgetter
from typing import Any

from banzuke.core.facts import ONE_EVENT, Adjustment, Event, Game
from banzuke.core.fault import MOST_FAULTS, Fault, fault
from banzuke.core.go_facts import BEGINNERS, GoGame, GoOpening
from banzuke.core.rulebook import Finding
from banzuke.ledger.likely_ids import LikelyIds
from banzuke.ledger.pool_rules import Pool, chess_book, go_book
from banzuke.ledger.records import Correctable, Rows, by_event, stand_together

Tables = dict[str, "Rows"]
UNKNOWN_PLAYER = "unknown-player"


def check_chess(pool: Pool, tables: Tables, faults: list[Fault]) -> None:
    """Every fault between rows, in the order of the tables."""
    by_day = pool.schedule.is_corrected_by_day
    players = Ids(tables["players"], "player_id", by_day=by_day)
    events = Ids(tables["events"], "event_id", by_day=by_day)
    _check_ids(tables["players"], "player_id", faults, by_day=by_day)
    check_player = chess_book(pool.editions[-1]).checks.player
    for player, line in _numbered_records(tables["players"]):
        faults += _faults_of(tables["players"].file, line, check_player(player))
    _check_spans(tables["clubs"], faults)
    _check_memberships(tables["memberships"], players, events, faults)
    _check_ids(tables["events"], "event_id", faults, by_day=by_day)
    for event, line in _numbered_records(tables["events"]):
        _check_event(pool, tables["events"].file, event, line, faults)
    _check_standings(pool, tables["standings"], players, faults)
    _check_games(tables["games"], players, events, faults, by_day=by_day)
    _check_adjustments(pool, tables["adjustments"], events, faults, by_day=by_day)


class Ids:
    """The ids that other tables name, each with its rows."""

    def __init__(self, rows: Rows, column: str, *, by_day: bool) -> None:
        self._table, self._by_day, self._column = rows, by_day, column
        self._likely: LikelyIds | None = None
        self._rows: dict[str, list[Any]] = defaultdict(list)
        self._always: set[str] = set()
        for record in rows.records:
            name = getattr(record, column)
            self._rows[name].append(record)
            if not by_day or (record.added is None and record.struck is None):
                self._always.add(name)

    def beside(self, record: Correctable, name: str) -> list[Any]:
        """The rows of that id with which the record stands; struck ones too where no other is left."""
        rows = self._rows.get(name, [])
        if self._by_day:
            return [row for row in rows if stand_together(record, row, by_day=True)]
        return [row for row in rows if row.struck is None] or rows

    def not_struck(self, name: str) -> list[Any]:
        """The rows of that id that are not struck."""
        return [row for row in self._rows.get(name, []) if row.struck is None]

    def know(self, name: str) -> bool:
        """Whether the table has, or may have lost, a row of that id."""
        return name in self._rows or self._table.may_have_lost(name)

    def only(self, name: str) -> Any | None:
        """The row of that id, if it has one alone, which no inquiry has touched."""
        rows = self._rows.get(name, [])
        return rows[0] if len(rows) == 1 and name in self._always else None

    def has_always(self, names: set[str]) -> bool:
        """Whether every id has a row that always stands."""
        return names <= self._always

    def lack(self, record: Correctable, name: str) -> bool:
        """Whether the record, as long as it stands, names an id that does not."""
        if name in self._always or self._table.may_have_lost(name) or self.beside(record, name):
            return False
        return stand_together(record, record, by_day=self._by_day)

    def unknown(self, file: str, line: int, column: str, name: str) -> Fault:
        """The fault of an id that the table lacks, with the ids that may be meant."""
        is_player = self._column == "player_id"
        if name in self._rows:
            code = "unknown-player-then" if is_player else "unknown-event-then"
            return fault(file, line, column, code, id=name)
        self._likely = self._likely or LikelyIds(self._table.records, self._column)
        return unknown_id(file, line, column, name, self._likely, is_player=is_player)


def unknown_id(
    file: str, line: int, column: str, name: str, likely: LikelyIds, *, is_player: bool = True
) -> Fault:
    """The fault of a player's or an event's id that there is not, with the ids that may be meant."""
    meant = likely.ids_of(name)
    if meant:
        near = "unknown-player-near" if is_player else "unknown-event-near"
        return fault(file, line, column, near, id=name, near=", ".join(meant))
    code = "unknown-player" if is_player else "unknown-event"
    return fault(file, line, column, code, id=name)


def _numbered_records(rows: Rows) -> Iterator[tuple[Any, int]]:
    return zip(rows.records, rows.lines, strict=True)


def _check_ids(rows: Rows, column: str, faults: list[Fault], *, by_day: bool) -> None:
    """No id twice among rows that stand together."""
    seen: dict[str, list[tuple[Any, int]]] = defaultdict(list)
    for record, line in _numbered_records(rows):
        name = getattr(record, column)
        for earlier, first in seen[name]:
            if stand_together(record, earlier, by_day=by_day):
                faults.append(fault(rows.file, line, column, "double-id", id=name, first=first))
                break
        seen[name].append((record, line))


def _check_spans(rows: Rows, faults: list[Fault]) -> None:
    for record, line in _numbered_records(rows):
        if record.valid_to < record.valid_from:
            faults.append(
                fault(rows.file, line, "valid_to", "span", first=record.valid_from, last=record.valid_to)
            )


def _check_memberships(rows: Rows, players: Ids, events: Ids, faults: list[Fault]) -> None:
    _check_spans(rows, faults)
    for record, line in _numbered_records(rows):
        if players.lack(record, record.player_id):
            faults.append(players.unknown(rows.file, line, "player_id", record.player_id))
        if record.kind == ONE_EVENT and not record.event_id:
            faults.append(fault(rows.file, line, "event_id", "membership-event"))
        elif record.event_id and events.lack(record, record.event_id):
            faults.append(events.unknown(rows.file, line, "event_id", record.event_id))


def _check_event(pool: Pool, file: str, event: Event, line: int, faults: list[Fault]) -> None:
    """Days in order, an edition that makes the event's list, and what its book demands."""
    if event.ends < event.starts:
        faults.append(fault(file, line, "ends", "event-ends", starts=event.starts, ends=event.ends))
    if event.reported < event.ends:
        faults.append(
            fault(file, line, "reported", "event-reported", ends=event.ends, reported=event.reported)
        )
    schedule = pool.schedule
    window = schedule.window_of(event)
    edition = schedule.edition_of(window)
    if edition is None:
        facts = {"day": window.closes, "first": pool.editions[0].start}
        faults.append(fault(file, line, schedule.column, "no-edition", **facts))
    else:
        book = chess_book(edition)
        if event.form not in ("", *book.forms):
            words = ", ".join(book.forms)
            faults.append(fault(file, line, "form", "cell-word", value=event.form, words=words))
        faults += _faults_of(file, line, book.checks.event(event))


def _faults_of(file: str, line: int, findings: Iterable[Finding]) -> Iterator[Fault]:
    """What a book found wrong with a row, as faults."""
    return (fault(file, line, column, code, **facts) for column, code, facts in findings)


def _check_standings(pool: Pool, rows: Rows, players: Ids, faults: list[Fault]) -> None:
    speeds, checks = pool.speeds, chess_book(pool.editions[0]).checks
    for opening, line in _numbered_records(rows):
        faults += _faults_of(rows.file, line, checks.opening(opening))
        for player in players.not_struck(opening.player_id):
            faults += _faults_of(rows.file, line, checks.opening_of(player, opening))
        if not players.know(opening.player_id):
            faults.append(players.unknown(rows.file, line, "player_id", opening.player_id))
        if opening.speed not in speeds:
            faults.append(_wrong_speed(rows.file, line, opening.speed, speeds))
    _check_once(rows, ("player_id", "speed"), "double-row", faults)


def _wrong_speed(file: str, line: int, speed: str, speeds: tuple[str, ...]) -> Fault:
    """Standings at a speed that the pool does not keep, or at any where it keeps one rating for all."""
    if speeds == ("",):
        return fault(file, line, "speed", "standing-no-speed", value=speed)
    return fault(file, line, "speed", "standing-speed", value=speed, speeds=", ".join(speeds))


def _check_adjustments(pool: Pool, rows: Rows, events: Ids, faults: list[Fault], *, by_day: bool) -> None:
    """No id twice among rows that stand together; a list that there can be, and its speed."""
    _check_ids(rows, "adjustment_id", faults, by_day=by_day)
    for adjustment, line in _numbered_records(rows):
        if pool.schedule.is_by_event:
            speeds = pool.speeds
            if not events.know(adjustment.list):
                faults.append(events.unknown(rows.file, line, "list", adjustment.list))
        else:
            speeds = _speeds_of_list(pool, adjustment.list)
            if not speeds:
                example = pool.schedule.window_on(pool.editions[-1].start).name
                facts = {"value": adjustment.list, "example": example}
                faults.append(fault(rows.file, line, "list", "adjustment-list", **facts))
        if speeds and adjustment.speed not in ("", *speeds):
            faults.append(_wrong_adjusted_speed(rows.file, line, adjustment, speeds))


def _speeds_of_list(pool: Pool, name: str) -> tuple[str, ...]:
    """The speeds of the lists of that name; none for a name that no list has."""
    try:
        edition = pool.schedule.edition_of(pool.schedule.window_named(name))
    except (ValueError, OverflowError):
        return ()
    return pool.speeds if edition is None else edition.book.speeds


def _wrong_adjusted_speed(file: str, line: int, adjustment: Adjustment, speeds: tuple[str, ...]) -> Fault:
    """A speed that the list does not have, or any where there is one rating for all."""
    if speeds == ("",):
        return fault(file, line, "speed", "adjustment-no-speed", value=adjustment.speed)
    facts = {"value": adjustment.speed, "speeds": ", ".join(speeds), "list": adjustment.list}
    return fault(file, line, "speed", "adjustment-speed", **facts)


def _check_games(rows: Rows, players: Ids, events: Ids, faults: list[Fault], *, by_day: bool) -> None:
    """Event by event: known ids, days, and no player twice in a round."""
    games = by_event(rows.records)
    doubtful = {event for event, of_it in games.items() if not _are_sound(of_it, players, events)}
    of_event: dict[str, list[int]] = defaultdict(list)
    if doubtful:
        for index, game in enumerate(rows.records):
            if game.event_id in doubtful:
                of_event[game.event_id].append(index)
    found: list[Fault] = []
    for indexes in of_event.values():
        taken: dict[tuple[int, str], list[int]] = {}
        for index in indexes:
            game, line = rows.records[index], rows.lines[index]
            _check_players(rows.file, game, line, players, found)
            _check_game_day(rows.file, game, line, events, found)
            _check_round(rows, index, taken, found, by_day=by_day)
            if len(found) > MOST_FAULTS:
                break
    faults += sorted(found, key=lambda f: f.line)


#: A game's round and player, by their places in its record: millions are looked at.
_WHITE_SEAT, _BLACK_SEAT = (
    itemgetter(Game._fields.index("round"), Game._fields.index(side)) for side in ("white", "black")
)


def _are_sound(games: list[Game], players: Ids, events: Ids) -> bool:
    """Whether the games of an event are beyond doubt: those of nearly every event, told at once."""
    seats = {*map(_WHITE_SEAT, games), *map(_BLACK_SEAT, games)}
    event = events.only(games[0].event_id)
    return (
        len(seats) == 2 * len(games)
        and players.has_always({player for _, player in seats})
        and event is not None
        and all(event.starts <= day <= event.ends for day in {game.played for game in games} if day)
    )


def _check_players(file: str, game: Game, line: int, players: Ids, found: list[Fault]) -> None:
    for column, player in (("white", game.white), ("black", game.black)):
        if players.lack(game, player):
            found.append(players.unknown(file, line, column, player))
    if game.white == game.black:
        found.append(fault(file, line, "black", "self-play", id=game.black))


def _check_game_day(file: str, game: Game, line: int, events: Ids, found: list[Fault]) -> None:
    """The game's event stands with it, and the game was played on one of its days."""
    if events.lack(game, game.event_id):
        found.append(events.unknown(file, line, "event_id", game.event_id))
    if game.played is None:
        return
    for event in events.beside(game, game.event_id):
        if not event.starts <= game.played <= event.ends:
            facts = {"played": game.played, "starts": event.starts, "ends": event.ends}
            found.append(fault(file, line, "played", "game-day", **facts, event=event.event_id))
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
            if other != index and stand_together(game, earlier, by_day=by_day):
                pair = {game.white, game.black} == {earlier.white, earlier.black}
                code = "double-game" if pair else "player-twice"
                facts = {"id": player, "round": game.round, "first": rows.lines[other]}
                found.append(fault(rows.file, rows.lines[index], column, code, **facts))
                if pair:
                    return
                break
        others.append(index)


#: Who wins when that side is at fault.
WINNER = {"black": "W", "white": "B"}


def check_go(pool: Pool, tables: dict[str, Rows], faults: list[Fault]) -> None:
    """Every fault between rows, in the order of the tables."""
    before = len(faults)
    _check_once(tables["players"], ("player_id",), "double-row", faults)
    ids = {player.player_id for player in tables["players"].records}

    def unknown(player: str) -> bool:
        return player not in ids and not tables["players"].may_have_lost(player)

    _check_once(tables["games"], ("game_id",), "double-row", faults)
    rows = tables["games"]
    for game, line in _numbered_records(rows):
        check_game(pool, rows.file, game, line, unknown, faults)
    rows = tables["declarations"]
    _check_once(rows, ("player_id", "at"), "double-declaration", faults)
    for record, line in _numbered_records(rows):
        _check_known(rows.file, line, "player_id", record.player_id, unknown, faults)
    rows, least = tables["standings"], go_book(pool.editions[0]).certifying_games
    _check_once(rows, ("player_id",), "double-row", faults)
    for opening, line in _numbered_records(rows):
        _check_known(rows.file, line, "player_id", opening.player_id, unknown, faults)
        _check_opening(rows.file, opening, line, least, faults)
    if any(found.code == UNKNOWN_PLAYER for found in faults[before:]):
        likely = LikelyIds(tables["players"].records, "player_id")
        faults[before:] = [_with_likely_ids(found, likely) for found in faults[before:]]


def _with_likely_ids(found: Fault, likely: LikelyIds) -> Fault:
    """The fault; of an unknown player, with the ids that may be meant."""
    if found.code != UNKNOWN_PLAYER:
        return found
    return unknown_id(found.file, found.line, found.column, dict(found.facts)["id"], likely)


def _check_once(rows: Rows, columns: tuple[str, ...], code: str, faults: list[Fault]) -> None:
    seen: dict[tuple[object, ...], int] = {}
    for record, line in _numbered_records(rows):
        key = tuple(getattr(record, column) for column in columns)
        first = seen.setdefault(key, line)
        if first != line:
            faults.append(fault(rows.file, line, columns[0], code, id=key[0], first=first))


def _check_known(
    file: str, line: int, column: str, player: str, unknown: Callable[[str], bool], faults: list[Fault]
) -> None:
    if unknown(player):
        faults.append(fault(file, line, column, "unknown-player", id=player))


def check_game(
    pool: Pool, file: str, game: GoGame, line: int, unknown: Callable[[str], bool], faults: list[Fault]
) -> None:
    """Note what a game's row must not hold; `unknown` says who is no player."""
    _check_known(file, line, "black", game.black, unknown, faults)
    _check_known(file, line, "white", game.white, unknown, faults)
    if game.black == game.white:
        faults.append(fault(file, line, "white", "self-play", id=game.white))
    if game.fault and game.result != WINNER[game.fault]:
        faults.append(fault(file, line, "fault", "fault-winner", side=game.fault, winner=WINNER[game.fault]))
    if pool.find_edition(game.ended.date()) is None:
        first = pool.editions[0].start
        faults.append(fault(file, line, "ended", "no-edition", day=game.ended.date(), first=first))


def _check_opening(file: str, opening: GoOpening, line: int, least: int, faults: list[Fault]) -> None:
    """Certified players have points and the rated games that certify; beginners have no points."""
    if opening.rank == BEGINNERS:
        if opening.points is not None:
            faults.append(fault(file, line, "points", "opening-bc-points"))
        return
    if opening.points is None:
        faults.append(fault(file, line, "points", "opening-points", rank=opening.rank))
    if opening.rated_games < least:
        games = opening.rated_games
        faults.append(fault(file, line, "rated_games", "opening-games", games=games, least=least))
