"""Games as they are posted, taken in: from the bytes that were sent to the bytes that are answered."""

from typing import Any

import orjson
from pydantic import TypeAdapter

from banzuke.api.live.go_bodies import GamesSent
from banzuke.api.live.go_submissions import answer_of, games_of
from banzuke.core.fault import RefusedError
from banzuke.database.models import Pool
from banzuke.office.live import submission_queue
from banzuke.office.live.live_pool import NotLiveError

_SENT: TypeAdapter[Any] = TypeAdapter(GamesSent)
#: Why games are not taken: what was sent, or the pool, is not right. The API's own address has words for it.
NOT_TAKEN = (RefusedError, NotLiveError, ValueError)


def take(pool: Pool, user: str, body: bytes) -> bytes:
    """What is answered for the games of a body, which are on the disk then. Raises what is in `NOT_TAKEN`."""
    games = games_of(pool, _SENT.validate_python(orjson.loads(body)))
    return answer_of(pool, games, submission_queue.send(pool, games, user))
