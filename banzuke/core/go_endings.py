"""How a game of Go ended, as a server says it, turned into the ledger's columns `result` and `fault`.

A ledger has no column for the reason: what it means for the rating is in those two.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from banzuke.core.go_facts import BLACK, WHITE, GoGame

#: Why a game ended, as a server may say it beside the result, and what that means.
REASONS = {
    "score": "The points were counted",
    "resignation": "The loser resigned",
    "time": "The loser ran out of time",
    "disconnection": "The loser was disconnected and did not come back in time",
    "decision": "The server or somebody in charge of it decided",
    "no-greeting": "The loser gave no greeting within the first minute",
    "no-first-move": "The loser made no first move within the first minute",
    "adjourned": "It was put off, and will not go on",
    "cancelled": "It ended without a result",
}

#: The side that lost, by the result.
LOSER = {BLACK: "white", WHITE: "black"}


class FirstMinute(StrEnum):
    """When a reason is a fault in the first minute, which the loser has made."""

    NEVER = "never"
    UNMOVED = "unmoved"  # if no move was made
    ALWAYS = "always"
    NO_MOVE = "no-move"  # always; and one of the two has made no move


class Ending(NamedTuple):
    """What a reason goes with: the results that it may have, and when it is a fault in the first minute."""

    results: tuple[str, ...]
    fault: FirstMinute = FirstMinute.NEVER


class EndingFault(NamedTuple):
    """What does not go together: the column, the code of the fault, and its facts."""

    column: str
    code: str
    facts: Mapping[str, Any]


def game_by_reason(
    game: GoGame, reason: str, endings: Mapping[str, Ending], least_moves: int, clause: str
) -> GoGame | EndingFault:
    """A game as the ledger has it, by the reason for which it ended (blank: not said).

    A game with as many moves as a rated one has at least (`least_moves`, by `clause`) has left the first
    minute behind, unless the reason says otherwise.
    """
    if not reason:
        if game.fault and game.moves >= least_moves:
            facts = {"side": game.fault, "moves": game.moves, "least": least_moves, "clause": clause}
            return EndingFault("fault", "fault-moves", facts)
        return game
    ending, loser = endings[reason], LOSER.get(game.result, "")
    about = {"reason": reason, "result": game.result}
    if game.result not in ending.results:
        return EndingFault("reason", "reason-result", about | {"results": ", ".join(ending.results)})
    if ending.fault is FirstMinute.NO_MOVE and game.moves >= least_moves:
        facts = {"moves": game.moves, "least": least_moves, "clause": clause}
        return EndingFault("reason", "reason-moves", about | facts)
    is_unmoved = ending.fault is FirstMinute.UNMOVED
    if ending.fault in (FirstMinute.ALWAYS, FirstMinute.NO_MOVE) or (is_unmoved and game.moves == 0):
        fault = loser
    else:
        fault = loser if is_unmoved and game.moves < least_moves and game.fault else ""
    if game.fault not in ("", fault):
        facts = {"fault": game.fault, "side": fault or "-"}
        return EndingFault("fault", "reason-fault", about | facts)
    return game._replace(fault=fault)
