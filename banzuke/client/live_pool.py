"""What an office says of a live Go pool: the feed of games that were rated, and where a player stands."""

from __future__ import annotations

import time
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from banzuke.client.connection import RefusedByOfficeError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from banzuke.client.connection import Asking
    from banzuke.ledger.folder import GoLedger

#: Seconds between two looks at a feed that has nothing new.
STEP = 1


def changes(office: Asking, after: int, *, follow: bool = False) -> Iterator[dict[str, Any]]:
    """The games that were rated after that number; with `follow` those to come, too, without end.

    Raises as `Asking.get` does, and RefusedByOfficeError for what is no feed.
    """
    while True:
        answer = office.get("changes", after=after)
        rated, last = answer.get("changes"), answer.get("next")
        if not isinstance(rated, list) or not isinstance(last, int):
            raise RefusedByOfficeError(HTTPStatus.OK, HTTPStatus.OK.phrase, [])
        yield from rated
        if rated:
            after = last
        elif follow:
            time.sleep(STEP)
        else:
            return


class UnopenedError(Exception):
    """The pool was not opened with the ledger's standings; the text is a player who would be there."""


def live_of(office: Asking, player: str) -> dict[str, Any] | None:
    """How a player stands; None for one whom the office does not know. Raises as `Asking.get` does."""
    try:
        told: dict[str, Any] = office.get(f"players/{quoted(player)}")["live"]
    except RefusedByOfficeError as error:
        if error.status == HTTPStatus.NOT_FOUND:
            return None
        raise
    return told


def check_opened(office: Asking, ledger: GoLedger) -> None:
    """See that there is such a Go pool, into which the ledger can be played.

    The standings with which a pool opens cannot be sent: they come in with the pool, all or none, so one of
    their players tells. Raises UnopenedError where that player is not there, and as `Asking.get` does.
    """
    office.get("changes", after=0)
    for row in ledger.standings[:1]:
        if live_of(office, row.player_id) is None:
            raise UnopenedError(row.player_id)
