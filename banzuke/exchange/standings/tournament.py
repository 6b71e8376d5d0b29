"""An event as standings need it: the players with their ratings, the games, and points for byes."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from typing import NamedTuple

from banzuke.core.fault import RefusedError, fault
from banzuke.formats.events.event_table import EventTable
from banzuke.formats.report import Report, ReportedBye, ReportedGame, ReportedPlayer

_RESULTS = {"1": "1-0", "½": "1/2-1/2", "0": "0-1"}
_BYES = {"1": 2, "½": 1}
#: Of fewer players nobody says that it is a round robin.
_LEAST_PLAYERS = 3


class Entrant(NamedTuple):
    """A player of the event; `rating` is None where there is none."""

    number: int
    name: str
    name_native: str = ""
    rating: int | None = None
    player_id: str = ""


class Tournament(NamedTuple):
    """An event: players by number, games and byes of rounds from 1, how many rounds there are to be.

    `knows_byes` is whether the source would tell of points for byes; `lacks_games` is whether the event has
    games that are not here.
    """

    entrants: tuple[Entrant, ...]
    games: tuple[ReportedGame, ...]
    byes: tuple[ReportedBye, ...]
    rounds: int
    starts: date | None
    knows_byes: bool
    lacks_games: bool = False

    @property
    def rounds_played(self) -> int:
        """The last round with a game."""
        return max((game.round for game in self.games), default=0)

    @property
    def is_round_robin(self) -> bool:
        """Whether everybody is paired with everybody, all the same number of times."""
        count = len(self.entrants)
        met = Counter(frozenset((game.white, game.black)) for game in self.games)
        return count >= _LEAST_PLAYERS and 2 * len(met) == count * (count - 1) and len(set(met.values())) == 1

    def until_round(self, last: int) -> "Tournament":
        """The event as it stood after a round."""
        games = tuple(game for game in self.games if game.round <= last)
        return self._replace(games=games, byes=tuple(bye for bye in self.byes if bye.round <= last))

    def without_gaps(self) -> "Tournament":
        """The same with rounds from 1: one in which nobody has a game or a bye is none."""
        last = self.rounds_played
        numbers = {game.round for game in self.games} | {bye.round for bye in self.byes if bye.round <= last}
        places = {number: place for place, number in enumerate(sorted(numbers), 1)}
        return self._replace(
            games=tuple(game._replace(round=places[game.round]) for game in self.games),
            byes=tuple(bye._replace(round=places[bye.round]) for bye in self.byes if bye.round in places),
            rounds=len(places) + max(0, self.rounds - last),
        )


def report_tournament(report: Report, file: str) -> Tournament:
    """The event of a report. Raises RefusedError where a player has two results in a round."""
    games = _number_from_one(report.games)
    found = Tournament(
        tuple(_entrant(player) for player in report.players),
        games,
        report.byes,
        max(report.event.rounds, max((game.round for game in games), default=0)),
        report.event.starts,
        knows_byes=True,
    )
    _refuse_doubles(found, file)
    return found


def _entrant(player: ReportedPlayer) -> Entrant:
    rating = player.rating or player.national_rating
    player_id = player.national_id or player.fide_id
    return Entrant(player.number, player.name or player.name_native, player.name_native, rating, player_id)


def _number_from_one(games: Iterable[ReportedGame]) -> tuple[ReportedGame, ...]:
    """The games with rounds from 1; where a file has a round 0, they are numbered anew in their order."""
    numbers = sorted({game.round for game in games})
    if not numbers or numbers[0] > 0:
        return tuple(games)
    places = {number: place for place, number in enumerate(numbers, 1)}
    return tuple(game._replace(round=places[game.round]) for game in games)


def _refuse_doubles(found: Tournament, file: str) -> None:
    names = {entrant.number: entrant.name for entrant in found.entrants}
    paired = Counter((game.round, number) for game in found.games for number in (game.white, game.black))
    paired.update((bye.round, bye.player) for bye in found.byes)
    faults = [
        fault(file, 0, "", "standings-twice", round=round_, name=names.get(number, number))
        for (round_, number), times in paired.items()
        if times > 1
    ]
    if faults:
        raise RefusedError(faults)


def table_tournament(table: EventTable, *, lacks_games: bool = False) -> Tournament:
    """The event of a ledger by its crosstable; ratings are those before it.

    Where it has no byes, nobody knows whether there were none.
    """
    byes = tuple(_table_byes(table))
    return Tournament(
        tuple(
            Entrant(row.number, row.name, row.name_native, row.before, row.player_id) for row in table.rows
        ),
        tuple(_table_games(table)),
        byes,
        max(table.rounds, default=0),
        table.starts,
        knows_byes=bool(byes),
        lacks_games=lacks_games,
    )


def _table_byes(table: EventTable) -> Iterator[ReportedBye]:
    for row in table.rows:
        for round_, cell in zip(table.rounds, row.cells, strict=True):
            if cell and cell.is_bye:
                yield ReportedBye(round_, row.number, _BYES[cell.result])


def _table_games(table: EventTable) -> Iterator[ReportedGame]:
    """The games of a crosstable, each by the cell of White."""
    cells = {
        (round_, row.number): cell
        for row in table.rows
        for round_, cell in zip(table.rounds, row.cells, strict=True)
        if cell and not cell.is_bye
    }
    for (round_, number), cell in cells.items():
        other = cells.get((round_, cell.opponent))
        if cell.colour == "w" and other:
            result = _RESULTS.get(cell.result) or f"{cell.result}/{other.result}"
            yield ReportedGame(round_, number, cell.opponent, result)
