"""What must hold between the rows of a Go ledger, each fault with its line and column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from banzuke.core.fault import Fault, fault
from banzuke.core.go_facts import BEGINNERS
from banzuke.ledger.pool_rules import go_book

if TYPE_CHECKING:
    from collections.abc import Callable

    from banzuke.core.go_facts import GoGame, GoOpening
    from banzuke.ledger.pool_rules import Pool
    from banzuke.ledger.records import Rows

#: Who wins when that side is at fault.
WINNER = {"black": "W", "white": "B"}


def check_go(pool: Pool, tables: dict[str, Rows], faults: list[Fault]) -> None:
    """Every fault between rows, in the order of the tables."""
    _check_once(tables["players"], ("player_id",), "double-row", faults)
    ids = {player.player_id for player in tables["players"].records}

    def unknown(player: str) -> bool:
        return player not in ids and not tables["players"].may_have_lost(player)

    _check_once(tables["games"], ("game_id",), "double-row", faults)
    rows = tables["games"]
    for game, line in zip(rows.records, rows.lines, strict=True):
        check_game(pool, rows.file, game, line, unknown, faults)
    rows = tables["declarations"]
    _check_once(rows, ("player_id", "at"), "double-declaration", faults)
    for record, line in zip(rows.records, rows.lines, strict=True):
        _check_known(rows.file, line, "player_id", record.player_id, unknown, faults)
    rows, least = tables["standings"], go_book(pool.editions[0]).certifying_games
    _check_once(rows, ("player_id",), "double-row", faults)
    for opening, line in zip(rows.records, rows.lines, strict=True):
        _check_known(rows.file, line, "player_id", opening.player_id, unknown, faults)
        _check_opening(rows.file, opening, line, least, faults)


def _check_once(rows: Rows, columns: tuple[str, ...], code: str, faults: list[Fault]) -> None:
    seen: dict[tuple[object, ...], int] = {}
    for record, line in zip(rows.records, rows.lines, strict=True):
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
