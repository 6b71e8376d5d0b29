"""The reasons for which games ended, as a server says them, turned into what the ledger has."""

from collections.abc import Iterable
from typing import NamedTuple

from banzuke.core.fault import Fault, fault, refuse_any
from banzuke.core.go_endings import EndingFault, game_by_reason
from banzuke.core.go_facts import GoGame
from banzuke.database.models import GoGame as GoGameRow
from banzuke.database.models import Pool
from banzuke.ledger.pool_rules import go_book
from banzuke.office.live.go_rules import known_rules
from banzuke.office.live.submission_queue import GAMES


class GameWithReason(NamedTuple):
    """A game with the reason for which it ended; blank: not said."""

    game: GoGame
    reason: str


def read_reasons(pool: Pool, ended: Iterable[GameWithReason]) -> list[GoGame]:
    """The games as the ledger has them. Raises RefusedError where a reason, result and fault do not agree."""
    faults: list[Fault] = []
    games = [
        each.game if not each.reason and not each.game.fault else _read(pool, each, line, faults)
        for line, each in enumerate(ended, 1)
    ]
    refuse_any(faults)
    return games


def _is_there(pool: Pool, game_id: str) -> bool:
    """Whether the ledger has a game of that id; whether it is the same is seen by who takes games in."""
    return GoGameRow.objects.filter(pool=pool, game_id=game_id).exists()


def _read(pool: Pool, ended: GameWithReason, line: int, faults: list[Fault]) -> GoGame:
    rules, game = known_rules(pool), ended.game
    edition = rules.find_edition(game.ended.date()) or rules.editions[0]
    book = go_book(edition)
    found = game_by_reason(game, ended.reason, book.endings, book.usual_game[1], book.cites["moves"])
    if isinstance(found, EndingFault):
        if not ended.reason and _is_there(pool, game.game_id):  # it was taken before faults were questioned
            return game
        faults.append(fault(GAMES, line, found.column, found.code, **found.facts))
        return game
    return found
