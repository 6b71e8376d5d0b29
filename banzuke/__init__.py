"""Banzuke: the rating office in a box.

The library's face: read a ledger, rate it, explain a player, and see which rule books are installed.

    import banzuke

    ledger = banzuke.read_ledger("examples/japan")
    for rated in banzuke.rate(ledger):
        print(rated.batch.name, len(rated.outcome.events))
    print(banzuke.explain(ledger, "J004"))

These four names stay as they are from one release to the next. Each loads what it needs when it is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from os import PathLike

    from banzuke.core.rulebook import RuleBook
    from banzuke.engine.go_history import RatedGame
    from banzuke.engine.history import RatedList
    from banzuke.explanations.explanation import Explanation
    from banzuke.ledger.folder import ChessLedger, GoLedger, Ledger
    from banzuke.words import Language

__all__ = ["books", "explain", "rate", "read_ledger"]


def books() -> Mapping[str, RuleBook]:
    """The installed rule books by name."""
    from banzuke.core.registry import BOOKS

    return BOOKS


def read_ledger(folder: str | PathLike[str]) -> Ledger:
    """The ledger of a folder, with all its tables.

    Raises banzuke.core.fault.RefusedError with every fault found (at most 100), each with file, line, column.
    """
    from pathlib import Path

    from banzuke.ledger.folder import read_ledger

    return read_ledger(Path(folder))


@overload
def rate(ledger: ChessLedger, until: str | None = None) -> Iterator[RatedList]: ...
@overload
def rate(ledger: GoLedger, until: str | None = None) -> Iterator[RatedGame]: ...


def rate(ledger: Ledger, until: str | None = None) -> Iterator[RatedList] | Iterator[RatedGame]:
    """The ledger rated by the readable engine: of a chess pool its lists, of a Go pool its games, in order.

    `until` is the last list (`2025-03`, an event's id), or for Go an ISO time. Raises
    banzuke.engine.history.UnknownListError for an `until` that is none.
    """
    from banzuke.engine import go_history, history
    from banzuke.ledger.folder import GoLedger

    if isinstance(ledger, GoLedger):
        moment = go_history.moment(until)
        return go_history.history(ledger, go_history.opening(ledger), moment)
    return history.history(ledger, history.list_names(ledger, until))


def explain(
    ledger: Ledger, player: str, rated_list: str | None = None, *, lang: Language = "en"
) -> Explanation:
    """How a player's rating came about, in sentences, each with its clause.

    `player` is an id or a whole name; `rated_list` a list's name (None: the last one with games of the
    player), for Go an ISO time. Raises UnknownPlayerError (banzuke.explanations.explanation)
    and UnknownListError (banzuke.engine.history).
    """
    from banzuke.explanations.chess_rating import explain as explain_rating
    from banzuke.explanations.go_rank import explain as explain_rank
    from banzuke.ledger.folder import GoLedger

    if isinstance(ledger, GoLedger):
        return explain_rank(ledger, player, rated_list, lang, None)
    return explain_rating(ledger, player, rated_list, lang)
