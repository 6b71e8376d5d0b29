"""A list for export: from a ledger, rated as `rate` does it, or from the lists that `rate` wrote.

Both go through the rows of lists.csv, so that an exported list has the figures of that file. A Go pool's
ranking has the figures of its standings.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from banzuke.core.facts import SPEEDS, Player
from banzuke.core.fault import Fault, refuse_any
from banzuke.core.gc_pause import uncollected
from banzuke.core.go_facts import CERTIFIED, GoState
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import ChessBook
from banzuke.engine import go_history, history, result_rows
from banzuke.engine.go_ranking import strength
from banzuke.engine.history import RatedList, UnknownListError
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.formats.files import spreadsheet
from banzuke.formats.lists import list_table, list_xlsx
from banzuke.formats.lists.rating_list import (
    AnyList,
    ListedPlayer,
    RankedPlayer,
    Ranking,
    RatingList,
    SpeedRating,
    statuses,
)
from banzuke.ledger import parquet
from banzuke.ledger.cells import COUNT, FLAG, one_of, whole
from banzuke.ledger.csv_table import read_csv
from banzuke.ledger.folder import ChessLedger, GoLedger
from banzuke.ledger.records import standing_records
from banzuke.ledger.schema import SPEED, Table
from banzuke.ledger.written_text import TEXT

_NUMBER = whole(-999_999_999, 999_999_999)
#: Progress is told every so many games.
_STEP = 10_000
#: So many lists are named to who asked for one that is not there.
_KNOWN_LISTS = 5
#: How files begin: with the mark of UTF-8, as lists.csv, as Parquet.
_MARK, _RATES, _PARQUET = b"\xef\xbb\xbf", b"list,", b"PAR1"


class ListRow(NamedTuple):
    """A row of lists.csv."""

    list: str
    speed: str
    player_id: str
    rating: int
    games: int
    change: int | None
    peak: int | None
    status: str
    qualified: bool | None


#: Columns that books add are passed over. What a status may be, the installed books say.
_LISTS = Table(
    "lists",
    ListRow,
    {
        "list": TEXT,
        "speed": SPEED,
        "player_id": TEXT,
        "rating": _NUMBER,
        "games": COUNT,
        "change": _NUMBER,
        "peak": _NUMBER,
        "status": TEXT,
        "qualified": FLAG,
    },
    frozenset(("list", "player_id", "rating", "games", "status")),
)


class People(NamedTuple):
    """Who is on a list: players by id, and the names of their clubs by id."""

    players: Mapping[str, Player]
    clubs: Mapping[str, str]


NO_PEOPLE = People({}, {})


def people_of(ledger: ChessLedger, players: Mapping[str, Player] | None = None) -> People:
    """The people of a ledger; its players that are not struck, unless others are given."""
    if players is None:
        players = {player.player_id: player for player in standing_records(ledger.players, None)}
    return People(players, {club.club_id: club.name for club in ledger.clubs})


def rated_list(ledger: ChessLedger, name: str | None, progress: Progress = no_progress) -> RatedList:
    """The ledger's list of that name, or its last, rated as `rate` rates it.

    Raises UnknownListError for a list that the ledger does not make.
    """
    names = history.list_names(ledger, name)
    if not names:
        raise UnknownListError(name or "-", ", ".join(history.list_names(ledger, None)[:_KNOWN_LISTS]))
    with uncollected():
        for number, rated in enumerate(history.history(ledger, names)):
            progress(number, len(names), rated.batch.name)
    return rated


def ledger_list(
    ledger: ChessLedger, name: str | None, *, birth_dates: bool, progress: Progress = no_progress
) -> RatingList:
    """A list of the ledger (None: the last). Birth dates are on it only if asked for."""
    rated = rated_list(ledger, name, progress)
    rows = [_row(*row) for row in result_rows.list_rows(rated)]
    people = people_of(ledger, rated.batch.register.players)
    book = rated.edition.book
    players = listed_players(rows, book.speeds, people, birth_dates=birth_dates)
    return RatingList(ledger.pool.name, rated.batch.name, book.name, book.speeds, players)


def _row(*cells: Any) -> ListRow:
    """A row of lists.csv from the cells that are written into it."""
    name, speed, player, rating, games, change, peak, status, qualified = cells
    is_qualified = None if qualified == "" else qualified == "1"
    change = None if change == "" else change
    return ListRow(name, speed, player, rating, games, change, peak, status, is_qualified)


def listed_players(
    rows: Iterable[ListRow], speeds: Sequence[str], people: People, *, birth_dates: bool
) -> tuple[ListedPlayer, ...]:
    """The players of a list, the highest at its first speed first; those without a rating there follow."""
    ordered = sorted(rows, key=attrgetter("player_id"))
    grouped = groupby(ordered, key=attrgetter("player_id"))
    found = [_player(player, list(own), speeds, people, birth_dates=birth_dates) for player, own in grouped]
    return tuple(sorted(found, key=_from_the_top))


def _from_the_top(player: ListedPlayer) -> tuple[object, ...]:
    order = ((rating is None, -rating.rating if rating else 0) for rating in player.ratings)
    return (*order, player.player_id)


def _player(
    player_id: str, rows: list[ListRow], speeds: Sequence[str], people: People, *, birth_dates: bool
) -> ListedPlayer:
    by_speed = {row.speed: SpeedRating(*row[3:]) for row in rows}
    ratings = tuple(by_speed.get(speed) for speed in speeds)
    person = people.players.get(player_id)
    if person is None:
        return ListedPlayer(player_id, ratings)
    club = people.clubs.get(person.club_id, person.club_id)
    born = person.birth_date if birth_dates else None
    name, native = person.name, person.name_native
    return ListedPlayer(player_id, ratings, name, native, person.sex, club, person.fide_id, born)


def file_list(path: Path, name: str | None, people: People, *, birth_dates: bool) -> AnyList:
    """A list from a file: the lists that `rate` wrote (None: its last), or a list that was exported before.

    Names, where the file has none, are those of `people`. Raises RefusedError for a file that cannot be read,
    UnknownListError for a list that it does not have.
    """
    data = path.read_bytes()
    faults: list[Fault] = []
    listed = None
    if spreadsheet.is_workbook(data):
        listed, faults = list_xlsx.read(data, path.name)
    elif not data.removeprefix(_MARK).startswith(_RATES):
        listed, faults = list_table.read(data, path.name)
        if data.startswith(_PARQUET) and [found.code for found in faults] == ["list-header"]:
            faults.clear()
    refuse_any(faults)
    if listed is None:
        return _rates_list(path, name, people, birth_dates=birth_dates, is_csv=data[:4] != _PARQUET)
    if name not in (None, listed.name or name):
        raise UnknownListError(str(name), listed.name)
    return listed if birth_dates or isinstance(listed, Ranking) else _without_birth_dates(listed)


def _without_birth_dates(listed: RatingList) -> RatingList:
    return listed._replace(players=tuple(player._replace(birth_date=None) for player in listed.players))


def _rates_list(
    path: Path, name: str | None, people: People, *, birth_dates: bool, is_csv: bool
) -> RatingList:
    faults: list[Fault] = []
    read = read_csv if is_csv else parquet.read
    added = (c.name for b in BOOKS.values() if isinstance(b, ChessBook) for c in b.columns.lists)
    columns = {**_LISTS.columns, **dict.fromkeys(added, TEXT), "status": one_of(*statuses())}
    table = _LISTS._replace(columns=columns)
    rows: list[ListRow] = read(path, table, faults).records
    refuse_any(faults)
    names = list(dict.fromkeys(row.list for row in rows))
    wanted = name if name or not names else names[-1]
    if wanted is None or wanted not in names:
        raise UnknownListError(wanted or "-", ", ".join(names[-_KNOWN_LISTS:]))
    speeds = tuple(speed for speed in (*SPEEDS, "") if any(row.speed == speed for row in rows))
    chosen = (row for row in rows if row.list == wanted)
    return RatingList("", wanted, "", speeds, listed_players(chosen, speeds, people, birth_dates=birth_dates))


def ledger_ranking(ledger: GoLedger, until: str | None, progress: Progress = no_progress) -> Ranking:
    """The ranking of a Go pool at an ISO time (None: after its last game).

    The certified come first, by rank and points, with places that equals share; then the provisional, the
    beginners and the professionals, who have none. Raises UnknownListError for what is no time.
    """
    at = go_history.moment(until)
    run, last = go_history.opening(ledger), at
    with uncollected():
        for number, rated in enumerate(go_history.history(ledger, run, at)):
            if number % _STEP == 0:
                progress(number, len(ledger.games), rated.game.game_id)
            last = at or rated.game.ended
    edition = ledger.pool.edition_at(last) if last else ledger.pool.editions[-1]
    names = {player.player_id: player.name for player in ledger.players}
    ranked = sorted(run.states.items(), key=lambda item: (-strength(item[1]), item[0]))
    name = last.isoformat() if last else ""
    return Ranking(ledger.pool.name, name, edition.book.name, tuple(_ranked(ranked, names)))


def _ranked(states: Sequence[tuple[str, GoState]], names: Mapping[str, str]) -> Iterator[RankedPlayer]:
    """The rows of the ranking, column by column as `rate` writes the standings."""
    place, before = 0, None
    for number, (player, state) in enumerate(states, 1):
        row: Any = result_rows.go_standing_row(player, state)
        _, rank, points, games, _ = row
        if (state.half, points) != before:
            place, before = number, (state.half, points)
        own_place = place if state.kind == CERTIFIED else None
        yield RankedPlayer(own_place, player, names[player], rank, points, games)
