"""Take games of Go into a server's ledger: who is who by handle, and all of it or nothing."""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from banzuke.core.fault import Fault, fault, refuse_any
from banzuke.core.go_facts import BEGINNERS, HALF_OF, GoGame, GoPlayer
from banzuke.engine.go_history import RatedGame, history, opening
from banzuke.formats.files.text import plain
from banzuke.formats.report import GoReport, ReportedGoGame
from banzuke.ledger.folder import GoLedger, read_go_ledger
from banzuke.ledger.safe_writing import locked, replace_ledger_tables

_RANK = re.compile(r"(?:[1-9]|1[0-7])[kd][+?]?|[1-9]p|BC")


class UnknownGoPlayer(NamedTuple):
    """A name that nobody in the ledger bears, with the rank that the file gives it.

    `candidates` are the ids of players whose id or name is the same but for small and capital letters.
    """

    file: str
    name: str
    rank: str
    candidates: tuple[str, ...]


class UnknownGoPlayersError(Exception):
    """Players whom the ledger does not know; nothing was written."""

    def __init__(self, unknown: list[UnknownGoPlayer]) -> None:
        super().__init__(f"{len(unknown)} unknown")
        self.unknown = unknown


class GoEntries(NamedTuple):
    """A report held against a ledger: its games in order, as entries, players added, and who is unknown."""

    reported: list[ReportedGoGame]
    games: list[GoGame]
    added: list[GoPlayer]
    unknown: list[UnknownGoPlayer]


class GoImport(NamedTuple):
    """What was written: games, and players added; `remarks` are worth knowing (accepted faults too)."""

    games: list[GoGame]
    added: list[GoPlayer]
    remarks: tuple[Fault, ...]


def receive_go(
    folder: Path, report: GoReport, *, add_players: bool = False, readable_part: bool = False
) -> GoImport:
    """Take the games into the ledger of the folder.

    Players are known by their id, else by exactly their name. `add_players` adds the others with the rank
    that their first game gives; `readable_part` takes what could be read of a report with faults. A rank in a
    file that is not the ledger's is a remark, for the ledger's own counts. Raises RefusedError for a report
    with faults and for games that the ledger cannot take, UnknownGoPlayersError for players who are unknown
    and may not be added. Either everything is written or nothing; another import into the ledger waits.
    """
    with locked(folder):
        ledger = read_go_ledger(folder)
        faults = [] if readable_part else list(report.faults)
        refuse_any(faults)
        entries = go_entries(ledger, report, faults, add_players=add_players)
        refuse_any(faults)
        if entries.unknown:
            raise UnknownGoPlayersError(entries.unknown)
        after = with_entries(ledger, entries)
        replace_ledger_tables(folder, ledger.pool, {"players": after.players, "games": after.games})
        remarks = (*report.faults, *check_ranks(after, entries.reported))
        return GoImport(entries.games, entries.added, remarks)


def go_entries(ledger: GoLedger, report: GoReport, faults: list[Fault], *, add_players: bool) -> GoEntries:
    """Hold games against a ledger; a fault is noted for each that it cannot take.

    There are no games where a player is unknown or there are faults.
    """
    reported = sorted((game for game in report.games if game.ended), key=_order)
    players = Handles(ledger)
    _check_new(ledger, reported, players, faults)
    added = players.add_unknown(reported, faults) if add_players else []
    unknown = players.unknown(reported)
    games = [] if unknown or faults else [entry_of(game, players) for game in reported]
    return GoEntries(reported, games, added, unknown)


def with_entries(ledger: GoLedger, entries: GoEntries) -> GoLedger:
    """The ledger with the players and games that are new."""
    return replace(ledger, players=ledger.players + entries.added, games=ledger.games + entries.games)


class Handles:
    """Who bears which handle."""

    def __init__(self, ledger: GoLedger) -> None:
        self._ids = {player.player_id for player in ledger.players}
        self._of_name: dict[str, set[str]] = {}
        self._alike: dict[str, set[str]] = {}
        for player in ledger.players:
            self._of_name.setdefault(player.name, set()).add(player.player_id)
            for handle in (player.player_id, player.name):
                self._alike.setdefault(handle.casefold(), set()).add(player.player_id)

    def bearers(self, handle: str) -> list[str]:
        """The ids of those who bear it: the one whose id it is, else those whose name it is."""
        return [handle] if handle in self._ids else sorted(self._of_name.get(handle, ()))

    def unknown(self, games: list[ReportedGoGame]) -> list[UnknownGoPlayer]:
        """Those whom nobody knows, each once, as of their first game."""
        found: dict[str, UnknownGoPlayer] = {}
        for game in games:
            for handle, rank in ((game.black, game.black_rank), (game.white, game.white_rank)):
                if not self.bearers(handle):
                    alike = tuple(sorted(self._alike.get(handle.casefold(), ())))
                    found.setdefault(handle, UnknownGoPlayer(game.file, handle, rank, alike))
        return list(found.values())

    def add_unknown(self, games: list[ReportedGoGame], faults: list[Fault]) -> list[GoPlayer]:
        """The unknown as new players; a fault for who may be someone known, or has no rank to begin with."""
        added = []
        for new in self.unknown(games):
            declared = _rank(new.rank).rstrip("+?")
            if new.candidates:
                ids = ", ".join(new.candidates)
                faults.append(fault(new.file, 0, "", "import-go-alike", name=new.name, ids=ids))
            elif not (declared in HALF_OF or declared == BEGINNERS or declared.endswith("p")):
                faults.append(
                    fault(new.file, 0, "", "import-go-no-rank", name=new.name, rank=new.rank or "-")
                )
            added.append(GoPlayer(new.name, new.name, declared, declared.endswith("p")))
        self._ids |= {player.player_id for player in added}
        return added


def _check_new(ledger: GoLedger, games: list[ReportedGoGame], players: Handles, faults: list[Fault]) -> None:
    """No game is in the ledger already, by its id or as the same meeting, and no handle is two players'."""
    taken = {game.game_id for game in ledger.games}
    met = {(game.ended, game.black, game.white): game.game_id for game in ledger.games}
    doubtful: set[str] = set()
    for game in games:
        sides = [players.bearers(handle) or [handle] for handle in (game.black, game.white)]
        earlier = met.setdefault((moment_of(game), sides[0][0], sides[1][0]), game.game_id)
        if game.game_id in taken:
            faults.append(fault(game.file, 0, "game_id", "import-go-id", id=game.game_id))
        elif earlier != game.game_id:
            faults.append(fault(game.file, 0, "ended", "import-go-reported", id=earlier))
        taken.add(game.game_id)
        for handle, bearers in zip((game.black, game.white), sides, strict=True):
            if len(bearers) > 1 and handle not in doubtful:
                doubtful.add(handle)
                ids = ", ".join(bearers)
                faults.append(fault(game.file, 0, "", "import-go-which", name=handle, ids=ids))


def moment_of(game: ReportedGoGame) -> datetime:
    """When a game ended."""
    return datetime.fromisoformat(game.ended)


def _order(game: ReportedGoGame) -> tuple[datetime, str]:
    """The order in which games are rated."""
    return moment_of(game), game.game_id


def entry_of(game: ReportedGoGame, players: Handles) -> GoGame:
    """The game as the ledger keeps it."""
    return GoGame(
        game.game_id,
        moment_of(game),
        players.bearers(game.black)[0],
        players.bearers(game.white)[0],
        game.result,
        game.handicap,
        game.komi,
        game.board,
        game.moves,
        room=game.room,
        pair=game.pair or None,
        robot=game.robot,
        fault=game.fault,
    )


def _rank(text: str) -> str:
    """A rank as the ledger writes it; blank for what is none (`?`, `15级`)."""
    rank = plain(text).replace(" ", "").lower().replace("bc", BEGINNERS)
    return rank if _RANK.fullmatch(rank) else ""


def check_ranks(ledger: GoLedger, games: list[ReportedGoGame]) -> list[Fault]:
    """A remark for each side whose rank in the file is not the one that it has before that game."""
    if not any(_rank(game.black_rank) or _rank(game.white_rank) for game in games):
        return []
    return rank_remarks(history(ledger, opening(ledger), max(map(moment_of, games))), games)


def rank_remarks(rated_games: Iterable[RatedGame], games: Iterable[ReportedGoGame]) -> list[Fault]:
    """The same of games that are rated."""
    reported = {game.game_id: game for game in games}
    remarks = []
    for rated in rated_games:
        game = reported.get(rated.game.game_id)
        sides = (("BR", game.black_rank, rated.black), ("WR", game.white_rank, rated.white)) if game else ()
        for name, rank, line in sides:
            if game and _rank(rank).rstrip("?") not in ("", line.before.rank.rstrip("?")):
                facts = {"player": line.player, "game": game.game_id, "said": rank, "rank": line.before.rank}
                remarks.append(fault(game.file, 0, name, "import-go-other-rank", **facts))
    return remarks
