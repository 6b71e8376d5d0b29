"""What an office tells of a Go pool, held against what rating the ledger gives."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from banzuke.client.api_client import ApiClient, changes, live_standing
from banzuke.core.gc_pause import uncollected
from banzuke.engine import go_history
from banzuke.engine.result_rows import GO_CHANGES, GO_STANDINGS, Row, go_change_rows, go_standing_row
from banzuke.ledger.folder import GoLedger

#: Progress is told every so many players.
_STEP = 100


class Difference(NamedTuple):
    """A figure of a player (`game` blank) or of a player's side of a game: the ledger's, and the office's."""

    game: str
    player: str
    column: str
    ledger: object
    office: object


class LedgerFigures(NamedTuple):
    """What rating a ledger gives: each game's two lines, and each player's row, as `rate` writes them."""

    lines: dict[str, tuple[Row, ...]]
    standings: dict[str, Row]


def ledger_figures(ledger: GoLedger) -> LedgerFigures:
    """What the rating engine gives for the ledger."""
    run = go_history.opening(ledger)
    with uncollected():
        lines = {
            rated.game.game_id: tuple(go_change_rows(rated))
            for rated in go_history.history(ledger, run, None)
        }
    return LedgerFigures(
        lines, {player: go_standing_row(player, state) for player, state in run.states.items()}
    )


def differences(
    office: ApiClient, wanted: LedgerFigures, progress: Callable[[int, int, str], None]
) -> Iterator[Difference]:
    """Every figure of games and players that the office tells otherwise than the ledger gives it.

    Raises as `ApiClient.get` does.
    """
    yield from _differing_games(wanted.lines, {each["game"]: _lines(each) for each in changes(office, 0)})
    for number, (player, row) in enumerate(sorted(wanted.standings.items())):
        if number % _STEP == 0:
            progress(number, len(wanted.standings), player)
        yield from _differing_cells("", player, GO_STANDINGS, row, _standing(office, player))


def _differing_games(
    wanted: Mapping[str, Sequence[Row]], found: Mapping[str, Sequence[Row]]
) -> Iterator[Difference]:
    for game in sorted(wanted.keys() | found.keys()):
        if game not in found or game not in wanted:
            yield Difference(
                game, "", "game_id", *(game if game in each else None for each in (wanted, found))
            )
            continue
        for row, there in zip(wanted[game], found[game], strict=True):
            yield from _differing_cells(game, str(row[1]), GO_CHANGES, row, there)


def _differing_cells(
    game: str, player: str, columns: Sequence[str], wanted: Row, found: Row | None
) -> Iterator[Difference]:
    if found is None:
        yield Difference(game, player, "player_id", player, None)
        return
    for column, one, other in zip(columns, wanted, found, strict=True):
        if one != other:
            yield Difference(game, player, column, one, other)


def _lines(change: dict[str, Any]) -> tuple[Row, ...]:
    """A game of the feed as the two lines of changes.csv."""
    sides = change["black"], change["white"]
    return tuple(
        (
            change["game"], side["player"], other["player"], side["rank_before"], other["rank_before"],
            side["difference"], _flag(side["upper"]), _flag(side["won"]), side["points"], side["verdict"],
            side["rank_after"], side["clause"],
        )
        for side, other in (sides, reversed(sides))
    )  # fmt: skip


def _flag(switch: bool | None) -> int | None:
    return None if switch is None else int(switch)


def _standing(office: ApiClient, player: str) -> Row | None:
    """A player as a row of standings.csv; None for one whom the office does not know."""
    live = live_standing(office, player)
    return None if live is None else (player, *(live[column] for column in GO_STANDINGS[1:]))
