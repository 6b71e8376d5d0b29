"""An office's feed of a Go pool: every game that was rated, in the order of rating."""

from __future__ import annotations

import time
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from banzuke.client.connection import RefusedByOfficeError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from banzuke.client.connection import Asking

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
