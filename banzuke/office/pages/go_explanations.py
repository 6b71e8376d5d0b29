"""A Go player's account from what was stored with a published ranking: the state, and the month's games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Q

from banzuke.core import go_facts
from banzuke.core.go_facts import HALF_OF, GoLine, GoState
from banzuke.database.book_reader import read_some
from banzuke.explanations.explanation import UnknownPlayerError
from banzuke.explanations.go_rank import GoAccount
from banzuke.office.fact_rows import TABLES
from banzuke.office.lists.go_rankings import HUNDREDTHS
from banzuke.office.public_names import by_id_only

if TYPE_CHECKING:
    from banzuke.core.go_facts import GoGame
    from banzuke.database.models import Line, ListRow, RatingList
    from banzuke.ledger.pool_rules import EditionInForce


def go_account(published: RatingList, edition: EditionInForce, player: str) -> GoAccount:
    """A player's account of a ranking. Raises UnknownPlayerError."""
    row = published.rows.filter(player_id=player).first()
    if row is None:
        raise UnknownPlayerError(player, [])
    lines = list(published.lines.filter(player_id=player).order_by("position"))
    working = published.workings.filter(player_id=player).first()
    states = working.calculation["states"] if working else {}
    games = _games(published, [line.event_id for line in lines])
    book = edition.book
    told = [(book, games[line.event_id], _line(line, *states[line.event_id])) for line in lines]
    names = _names(published, {player} | {line.opponent_id for line in lines})
    total = working.calculation["games"] if working else 0
    return GoAccount(player, published.name, edition, _state(row), total, told, names)


def _games(published: RatingList, ids: list[str]) -> dict[str, GoGame]:
    found = read_some(published.pool, TABLES[go_facts.GoGame], published.entry_id, Q(game_id__in=ids))
    return {game.game_id: game for game in found}


def _names(published: RatingList, players: set[str]) -> dict[str, str]:
    found = read_some(published.pool, TABLES[go_facts.GoPlayer], published.entry_id, Q(player_id__in=players))
    hidden = by_id_only(published.pool) & players
    return {player.player_id: player.name for player in found} | {player: player for player in hidden}


def _state(row: ListRow) -> GoState:
    half = HALF_OF.get(row.written)
    return GoState(row.status, row.written, half, row.rating, row.games, row.wins_in_bc or 0)


def _line(line: Line, before: list[Any], after: list[Any]) -> GoLine:
    return GoLine(
        line.player_id,
        line.opponent_id,
        _told(line.rank, *before),
        _told(line.opponent_rank),
        line.difference,
        line.upper,
        None if line.score is None else bool(line.score),
        None if line.change is None else line.change // HUNDREDTHS,
        line.verdict,
        line.clause,
        _told(line.rank_after, *after),
    )


def _told(
    rank: str, kind: str = "", points: int | None = None, rated_games: int = 0, wins: int = 0
) -> GoState:
    """A state as far as sentences tell it."""
    return GoState(kind, rank, HALF_OF.get(rank), points, rated_games, wins)
