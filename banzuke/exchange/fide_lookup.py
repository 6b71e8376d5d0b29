"""Look players up in a FIDE list, and take first FIDE ratings and titles over into a ledger, in one pass."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from banzuke.core.facts import Player, fide_number
from banzuke.core.fault import Fault, refuse_any
from banzuke.exchange.name_likeness import normal_form
from banzuke.exchange.title_updates import with_fide_title
from banzuke.formats.fide.fide_file import read_players
from banzuke.formats.fide.fide_player import FidePlayer, Speed
from banzuke.ledger.folder import ChessLedger, read_chess_ledger
from banzuke.ledger.pool_rules import Pool
from banzuke.ledger.records import standing_records
from banzuke.ledger.safe_writing import locked, replace_ledger_tables

#: Told how far a list is read: megabytes done, megabytes in all, their unit.
Progress = Callable[[int, int, str], None]

#: So many players of one name are kept; more are counted.
MOST_FOUND = 100
_PROGRESS_EVERY, _MEGABYTE = 10_000, 20  # players; as a power of 2


class SearchResult(NamedTuple):
    """What was asked for and the players found: the first 100 of `total`."""

    wanted: str
    players: list[FidePlayer]
    total: int


class RatingMatch(NamedTuple):
    """A player of the ledger as the list would have them, who bears that id there, and if there are games."""

    player: Player
    listed: FidePlayer
    has_games: bool


class RatingImport(NamedTuple):
    """What became of the ledger's players with a FIDE id.

    `taken` have ratings of the list now; `doubtful` have another's name there; `unrated` have no rating
    there, `missing` are not there; `left` have ratings taken over before, which no later list changes.
    `titled` get no ratings but a title; who is taken may get one, too.
    """

    taken: list[RatingMatch]
    doubtful: list[RatingMatch]
    unrated: list[Player]
    missing: list[Player]
    left: list[Player]
    titled: list[RatingMatch]


def find_players(
    path: Path, names_or_ids: Sequence[str], speed: Speed | None, progress: Progress
) -> tuple[list[SearchResult], list[Fault]]:
    """The players of a list by their ids, or by all words of a name in normal form; and the list's faults.

    What has a digit and no blank is an id. `speed` says which a list of one speed has.
    """
    faults: list[Fault] = []
    search = _Search(names_or_ids)
    for player in _players(path, faults, speed, progress):
        search.look_at(player)
    return search.results(), faults


class _Search:
    """What is asked for, by id and by the longest word of a name; and who was found."""

    def __init__(self, wanted: Sequence[str]) -> None:
        self._wanted = list(dict.fromkeys(wanted))
        self._found: dict[str, list[FidePlayer]] = {each: [] for each in self._wanted}
        self._count = dict.fromkeys(self._wanted, 0)
        self._ids: dict[str, list[str]] = {}
        self._names: dict[str, list[tuple[str, set[str]]]] = {}
        for each in self._wanted:
            words = normal_form(each)
            if any(sign.isdigit() for sign in each) and len(each.split()) == 1:
                self._ids.setdefault(each.strip(), []).append(each)
            elif words:
                self._names.setdefault(max(words, key=len), []).append((each, set(words)))

    def look_at(self, player: FidePlayer) -> None:
        """Note the player if asked for."""
        for each in self._ids.get(player.fide_id, ()):
            self._note(each, player)
        if self._names:
            words = set(normal_form(player.name))
            for word in words & self._names.keys():
                for each, wanted in self._names[word]:
                    if wanted <= words:
                        self._note(each, player)

    def _note(self, wanted: str, player: FidePlayer) -> None:
        self._count[wanted] += 1
        if self._count[wanted] <= MOST_FOUND:
            self._found[wanted].append(player)

    def results(self) -> list[SearchResult]:
        """Who was found, in the order in which they were asked for."""
        return [SearchResult(each, self._found[each], self._count[each]) for each in self._wanted]


def import_ratings(folder: Path, path: Path, speed: Speed | None, progress: Progress) -> RatingImport:
    """Set the FIDE ratings of the ledger's players who have a FIDE id and never had any, and FIDE's titles.

    In a FIDE pool the player's id is the FIDE id. A player without a word of the name in common with the
    list's is a doubt and not taken. Raises RefusedError for a list with faults, a Go pool, and a ledger
    that does not check; then nothing is written.
    """
    with locked(folder):
        ledger = read_chess_ledger(folder)
        done = compare_ratings(ledger, lambda ids: find_ids(path, ids, speed, progress))
        new = {taken.player.player_id: taken.player for taken in (*done.taken, *done.titled)}
        if new:
            rows = [new.get(row.player_id, row) if row.struck is None else row for row in ledger.players]
            replace_ledger_tables(folder, ledger.pool, {"players": rows})
    return done


def compare_ratings(
    ledger: ChessLedger, look_up: Callable[[Collection[str]], dict[str, FidePlayer]]
) -> RatingImport:
    """What a list says of the ledger's players: first FIDE ratings, and titles; nothing is written.

    `look_up` gives those of some ids who are in the list, as `find_ids` does.
    """
    wanted, left = _players_without_ratings(ledger)
    listed = look_up(frozenset((*wanted, *filter(None, (_fide_id(ledger, player) for player in left)))))
    done = _sort_matches(ledger, wanted, listed)._replace(left=left)
    return done._replace(titled=_title_matches(ledger, (*done.unrated, *left), listed))


def find_ids(
    path: Path, ids: Collection[str], speed: Speed | None, progress: Progress
) -> dict[str, FidePlayer]:
    """The players of a list who have these ids, by id. Raises RefusedError for a list with faults."""
    faults: list[Fault] = []
    found = {
        player.fide_id: player for player in _players(path, faults, speed, progress) if player.fide_id in ids
    }
    refuse_any(faults)
    return found


#: Ratings at standard, rapid and blitz; None: none.
ThreeRatings = tuple[int | None, int | None, int | None]


def fide_ratings(
    pool: Pool, players: Iterable[Player], path: Path | None, progress: Progress
) -> dict[str, ThreeRatings]:
    """FIDE's ratings of a pool's players, by their ids: those of a list; without one, those taken over.

    Raises RefusedError for a list with faults, OSError.
    """
    if path is None:
        return {each.player_id: (each.fide_standard, each.fide_rapid, each.fide_blitz) for each in players}
    ids = {each.player_id: fide_number(each, has_fide_ids=pool.has_fide_ids) for each in players}
    listed = find_ids(path, frozenset(filter(None, ids.values())), None, progress)
    ratings = {number: (each.standard, each.rapid, each.blitz) for number, each in listed.items()}
    return {player: ratings.get(number, (None, None, None)) for player, number in ids.items()}


def _players_without_ratings(ledger: ChessLedger) -> tuple[dict[str, list[Player]], list[Player]]:
    """The players without FIDE ratings by their FIDE ids, and those who have some, be they struck since."""
    rated = {row.player_id for row in ledger.players if _has_ratings(row)}
    wanted: dict[str, list[Player]] = {}
    left = []
    for player in standing_records(ledger.players, None):
        fide_id = _fide_id(ledger, player)
        if player.player_id in rated:
            left.append(player)
        elif fide_id:
            wanted.setdefault(fide_id, []).append(player)
    return wanted, left


def _fide_id(ledger: ChessLedger, player: Player) -> str:
    return player.fide_id or (player.player_id if ledger.pool.has_fide_ids else "")


def _title_matches(
    ledger: ChessLedger, players: Iterable[Player], listed: dict[str, FidePlayer]
) -> list[RatingMatch]:
    """Those who get a title of the list, and nothing else."""
    found = [(player, listed.get(_fide_id(ledger, player))) for player in players]
    return [
        RatingMatch(with_fide_title(player, one), one, has_games=False)
        for player, one in found
        if one is not None and with_fide_title(player, one) != player and _share_a_word(player, one)
    ]


def _has_ratings(player: Player) -> bool:
    ratings = (player.fide_standard, player.fide_rapid, player.fide_blitz)
    return any(rating is not None for rating in ratings)


def _sort_matches(
    ledger: ChessLedger, wanted: dict[str, list[Player]], listed: dict[str, FidePlayer]
) -> RatingImport:
    """Who is taken, doubtful, unrated and missing, each in the order of the ledger."""
    done = RatingImport([], [], [], [], [], [])
    playing = {side for games in ledger.games.values() for game in games for side in (game.white, game.black)}
    for fide_id, players in wanted.items():
        found = listed.get(fide_id)
        for player in players:
            if found is None:
                done.missing.append(player)
                continue
            rated = with_fide_title(player, found)._replace(
                fide_standard=found.standard, fide_rapid=found.rapid, fide_blitz=found.blitz
            )
            taken = RatingMatch(rated, found, player.player_id in playing)
            if not _share_a_word(player, found):
                done.doubtful.append(taken)
            elif _has_ratings(rated):
                done.taken.append(taken)
            else:
                done.unrated.append(player)
    return done


def _share_a_word(player: Player, listed: FidePlayer) -> bool:
    words = set(normal_form(listed.name))
    return any(words & set(normal_form(name)) for name in (player.name, player.name_native))


def _players(
    path: Path, faults: list[Fault], speed: Speed | None, progress: Progress
) -> Iterator[FidePlayer]:
    """The players of a list file, telling how far it is read."""
    size = path.stat().st_size >> _MEGABYTE
    with path.open("rb") as stream:
        for number, player in enumerate(read_players(stream, path.name, faults, speed)):
            if number % _PROGRESS_EVERY == 0:
                progress(stream.tell() >> _MEGABYTE, size, "MB")
            yield player
