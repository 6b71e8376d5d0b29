"""Where an office says that a player of a Go pool stands now."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from banzuke.client.connection import RefusedByOfficeError, quoted

if TYPE_CHECKING:
    from banzuke.client.connection import Asking
    from banzuke.ledger.folder import GoLedger


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
    their players tells. Raises UnopenedError where he is not there, and as `Asking.get` does.
    """
    office.get("changes", after=0)
    for row in ledger.standings[:1]:
        if live_of(office, row.player_id) is None:
            raise UnopenedError(row.player_id)
