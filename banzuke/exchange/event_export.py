"""An event for export: its crosstable with what it changed, and its report for FIDE."""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from banzuke.core.facts import Bye, Entry, Event, Game, Player, fide_number
from banzuke.core.fault import RefusedError, fault
from banzuke.core.gc_pause import uncollected
from banzuke.core.rating import FIRST, RATED, UNRATED, Calculation, EventLines, Line, Rating
from banzuke.core.rulebook import ChessBook
from banzuke.engine import history
from banzuke.engine.history import RatedList
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.exchange.title_updates import FIDE_TITLES
from banzuke.formats.events.event_table import EventRow, EventTable, RoundCell
from banzuke.formats.report import Report, ReportedBye, ReportedEvent, ReportedGame, ReportedPlayer
from banzuke.ledger.folder import ChessLedger
from banzuke.ledger.pool_rules import chess_book

#: Half points of White and Black, and what either's cell shows, by the result without its `u`.
_POINTS = {"1-0": (2, 0), "1/2-1/2": (1, 1), "0-1": (0, 2), "+/-": (2, 0), "-/+": (0, 2), "-/-": (0, 0)}
#: Verdicts of games that count for a side: rated, or on file for a first rating.
_COUNTED = frozenset((RATED, FIRST))
_SIGNS = ("0", "½", "1")
_SEXES = {"m": "m", "男": "m", "f": "w", "w": "w", "女": "w"}


class EventByes(NamedTuple):
    """Byes of an event, and the ratings that their players had before the list (None: none), by id."""

    byes: tuple[Bye, ...] = ()
    before: Mapping[str, int | None] = MappingProxyType({})


NO_BYES = EventByes()


class RatedEvent(NamedTuple):
    """An event with its games and lines, and the list that took it."""

    rated: RatedList
    entry: Entry
    lines: EventLines


def rated_event(
    ledger: ChessLedger, event_id: str, name: str | None = None, progress: Progress = no_progress
) -> RatedEvent:
    """The event as the first list (or the list named) that took it rated it.

    Raises UnknownListError for a list that the ledger does not make, RefusedError where none took the event.
    """
    names = history.list_names(ledger, name)
    with uncollected():
        for number, rated in enumerate(history.history(ledger, names)):
            progress(number, len(names), rated.batch.name)
            if name in (None, rated.batch.name):
                entries = {entry.event.event_id: entry for entry in rated.batch.entries}
                for lines in rated.outcome.events:
                    if lines.event.event_id == event_id:
                        return RatedEvent(rated, entries[event_id], lines)
    raise RefusedError([fault("events.csv", 0, "event_id", "export-event", id=event_id)])


def lacks_games(ledger: ChessLedger, found: RatedEvent) -> bool:
    """Whether the ledger has games of the event that stand and that its list did not take."""
    taken = {(game.round, game.white, game.black) for game in found.entry.games}
    return any(
        game.struck is None and (game.round, game.white, game.black) not in taken
        for game in ledger.games.get(found.entry.event.event_id, ())
    )


def event_table(ledger: ChessLedger, found: RatedEvent, byes: Iterable[Bye] = ()) -> EventTable:
    """The crosstable of a rated event; `byes` are the event's."""
    rated, speed = found.rated, found.lines.speed
    return build_event_table(
        (ledger.pool.name, rated.batch.name, rated.edition.book.name),
        found.entry,
        found.lines,
        rated.batch.register.players,
        rated.outcome.standings.ratings.get(speed, {}),
        _bonuses(chess_book(rated.edition), rated.outcome.calculations.get(speed, {})),
        _event_byes(found, byes),
        has_fide_ids=ledger.pool.has_fide_ids,
    )


def _event_byes(found: RatedEvent, byes: Iterable[Bye]) -> EventByes:
    """Those of the byes that say something."""
    sound = tuple(sound_byes(found.entry, found.rated.batch.register.players, byes))
    before = found.rated.before.get(found.lines.speed, {})
    return EventByes(sound, {bye.player_id: before.get(bye.player_id, UNRATED).value for bye in sound})


def sound_byes(entry: Entry, players: Container[str], byes: Iterable[Bye]) -> Iterator[Bye]:
    """The event's byes of `players` in rounds in which they have no game, one a round."""
    busy = {(game.round, player) for game in entry.games for player in (game.white, game.black)}
    for place, bye in {(bye.round, bye.player_id): bye for bye in byes}.items():
        if bye.event_id == entry.event.event_id and bye.player_id in players and place not in busy:
            yield bye


def _bonuses(book: ChessBook, calculations: Mapping[str, Calculation]) -> dict[str, int]:
    """What the book added beside the changes, in hundredths, by player; who got nothing is left out."""
    given = book.bonus
    if given is None:
        return {}
    found = ((player, given(calculation)) for player, calculation in calculations.items())
    return {player: bonus for player, bonus in found if bonus is not None}


def build_event_table(
    where: tuple[str, str, str],
    entry: Entry,
    lines: EventLines,
    players: Mapping[str, Player],
    after: Mapping[str, Rating],
    bonus: Mapping[str, int],
    byes: EventByes = NO_BYES,
    *,
    has_fide_ids: bool = False,
) -> EventTable:
    """The crosstable of an event by its games, lines and byes; `where` are pool, list and rule book.

    `players` has everybody of it by id, `after` the ratings that the list gave them, `bonus` what it gave
    beside the changes.
    """
    event, (pool, name, rulebook) = entry.event, where
    rounds = tuple(sorted({game.round for game in entry.games} | {bye.round for bye in byes.byes}))
    return EventTable(
        pool=pool,
        list=name,
        rulebook=rulebook,
        event_id=event.event_id,
        name=event.name,
        place=event.place,
        starts=event.starts,
        ends=event.ends,
        speed=lines.speed,
        rounds=rounds,
        rows=tuple(_rows(rounds, entry, lines, players, after, bonus, byes)),
        has_fide_ids=has_fide_ids,
    )


def _rows(
    rounds: Iterable[int],
    entry: Entry,
    event_lines: EventLines,
    players: Mapping[str, Player],
    after: Mapping[str, Rating],
    bonus: Mapping[str, int],
    byes: EventByes,
) -> Iterator[EventRow]:
    points, counted = _points(entry.games, byes.byes), _counted_lines(event_lines)
    own = {**byes.before, **_own_ratings(event_lines)}
    order = sorted(points, key=lambda player: (-points[player], -(own[player] or 0), player))
    numbers = {player: number for number, player in enumerate(order, 1)}
    cells = _cells(entry, event_lines, numbers) | _bye_cells(byes.byes)
    for player, number in numbers.items():
        lines, person = counted.get(player, []), players[player]
        yield EventRow(
            number,
            player,
            person.name,
            person.name_native,
            own[player],
            tuple(cells.get((round_, player)) for round_ in rounds),
            points[player],
            sum(line.score or 0 for line in lines),
            len(lines),
            _sum(line.expected for line in lines),
            _sum(line.change for line in lines),
            after.get(player, UNRATED).value,
            bonus.get(player),
        )


def _points(games: Iterable[Game], byes: Iterable[Bye]) -> dict[str, int]:
    """Each player's half points from the games, forfeits and byes."""
    found: dict[str, int] = defaultdict(int)
    for game in games:
        for player, points in zip((game.white, game.black), _worth(game), strict=True):
            found[player] += points
    for bye in byes:
        found[bye.player_id] += bye.points
    return found


def _worth(game: Game) -> tuple[int, int]:
    return _POINTS[game.result.removeprefix("u")]


def _own_ratings(event: EventLines) -> dict[str, int | None]:
    """The ratings that the players came with, as the lines have them."""
    own: dict[str, int | None] = {}
    for line in event.lines:
        own[line.player] = own.get(line.player) or line.own
    return own


def _counted_lines(event: EventLines) -> dict[str, list[Line]]:
    """The lines of each player that are rated, or on file for a first rating."""
    counted: dict[str, list[Line]] = defaultdict(list)
    for line in event.lines:
        if line.verdict in _COUNTED:
            counted[line.player].append(line)
    return counted


def _cells(entry: Entry, event: EventLines, numbers: Mapping[str, int]) -> dict[tuple[int, str], RoundCell]:
    """The cells by round and player."""
    entered = {(line.round, line.player) for line in event.lines if line.verdict in _COUNTED}
    cells = {}
    for game in entry.games:
        signs = game.result.split("/") if game.result[0] in "+-" else [_SIGNS[n] for n in _worth(game)]
        sides = ((game.white, game.black, "w"), (game.black, game.white, "b"))
        for (player, opponent, colour), sign in zip(sides, signs, strict=True):
            key = (game.round, player)
            short = game.result.startswith("u")
            cells[key] = RoundCell(numbers[opponent], colour, sign, key in entered, short)
    return cells


def _bye_cells(byes: Iterable[Bye]) -> dict[tuple[int, str], RoundCell]:
    return {(bye.round, bye.player_id): RoundCell(0, "", _SIGNS[bye.points], is_rated=False) for bye in byes}


def _sum(values: Iterable[int | None]) -> int | None:
    """The sum of what is given; None where nothing is."""
    given = [value for value in values if value is not None]
    return sum(given) if given else None


def event_report(
    found: RatedEvent, federation: str, *, birth_dates: bool, byes: Iterable[Bye] = ()
) -> Report:
    """The event as a report for FIDE, ratings those that the players came with.

    In a FIDE pool they are FIDE's; in any other they are national ones. Players without a FIDE id bear that
    of the pool as a national one. Start ranks are by rating. Birth dates are in it only if asked for. `byes`
    are the event's; who has nothing else is in it too.
    """
    event, games = found.entry.event, found.entry.games
    sound, before = _event_byes(found, byes)
    rounds = [game.round for game in games]
    own = {**before, **_own_ratings(found.lines)}
    is_fide = chess_book(found.rated.edition).has_fide_ids
    order = sorted(own, key=lambda player: (-(own[player] or 0), player))
    numbers = {player: number for number, player in enumerate(order, 1)}
    register = found.rated.batch.register.players
    return Report(
        _reported_event(event, federation, max((*rounds, *(bye.round for bye in sound)), default=0)),
        tuple(
            reported_player(register[player], number, own[player], birth_dates=birth_dates, is_fide=is_fide)
            for player, number in numbers.items()
        ),
        tuple(
            ReportedGame(game.round, numbers[game.white], numbers[game.black], game.result, game.played)
            for game in games
        ),
        byes=tuple(ReportedBye(bye.round, numbers[bye.player_id], bye.points) for bye in sound),
    )


def _reported_event(event: Event, federation: str, rounds: int) -> ReportedEvent:
    return ReportedEvent(
        name=event.name,
        place=event.place,
        federation=federation,
        responsible=event.responsible,
        base_minutes=event.base_minutes,
        increment_seconds=event.increment_seconds,
        starts=event.starts,
        ends=event.ends,
        rounds=rounds,
    )


def reported_player(
    player: Player, number: int, own: int | None, *, birth_dates: bool, is_fide: bool
) -> ReportedPlayer:
    """A member with the start rank and their own rating; in a FIDE pool the id and the rating are FIDE's."""
    fide_id = fide_number(player, has_fide_ids=is_fide)
    return ReportedPlayer(
        number,
        player.name,
        title=player.title if player.title in FIDE_TITLES else "",
        fide_id=fide_id,
        national_id="" if is_fide and fide_id else player.player_id,
        rating=own if is_fide else None,
        sex=_SEXES.get(player.sex.lower(), ""),
        birth_date=player.birth_date if birth_dates else None,
        name_native=player.name_native,
        national_rating=None if is_fide else own,
    )
