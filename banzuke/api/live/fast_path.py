"""A Go server's games in the plain case, answered past Django's handling, which takes as long as the game.

The plain case is a key that opens the pool and games without a fault. Whatever else comes is left to the
API's own address, which looks at it again and says what is the matter (for the key's limit, that makes two).
"""

import logging
import re
from io import BytesIO
from typing import Any
from wsgiref.types import WSGIEnvironment

import orjson
from django.conf import settings
from django.db import close_old_connections
from django.http.request import split_domain_port, validate_host
from pydantic import TypeAdapter

from banzuke.api.auth import GAMES, SERVER_LIMIT
from banzuke.api.live.go_bodies import GamesSent
from banzuke.api.live.go_submissions import answer_of, games_of
from banzuke.core.fault import RefusedError
from banzuke.database.outages import BusyError, Outage, outage_of
from banzuke.database.patience import wait_no_more
from banzuke.office.administration import api_keys
from banzuke.office.live import submission_queue
from banzuke.office.live.live_pool import NotLiveError

#: Those of the API's own answer that mean something to a program.
HEADERS = [
    ("Content-Type", "application/json"),
    ("Cache-Control", "no-store"),
    ("Vary", "Authorization, Accept-Language"),
    ("X-Content-Type-Options", "nosniff"),
]
_log = logging.getLogger(__name__)
_ADDRESS = re.compile(r"/api/v1/pools/([-\w]+)/games", re.ASCII)
_KEY = "Bearer "


_SENT: TypeAdapter[Any] = TypeAdapter(GamesSent)


def answer(environ: WSGIEnvironment) -> bytes | None:
    """The answer to games that were posted and are on the disk now; None for all that is not so plain.

    Raises BusyError where others have been writing for too long: the API's own address would wait as long.
    """
    address = _ADDRESS.fullmatch(environ["PATH_INFO"])
    if address is None or environ["REQUEST_METHOD"] != "POST" or not _is_for_us(environ):
        return None
    try:
        close_old_connections()
        return _answer(environ, address[1])
    except (RefusedError, NotLiveError, ValueError):
        return None
    except Exception as error:  # the API's own address meets it again and says it, or no longer meets it
        if outage_of(error) is Outage.BUSY:
            wait_no_more()
            raise BusyError from error
        _log.warning("The API's own address is asked, as this failed.", exc_info=True)
        return None


def _is_for_us(environ: WSGIEnvironment) -> bool:
    """Whether the host is ours, and the body as long as it may be."""
    host, _ = split_domain_port(environ.get("HTTP_HOST", ""))
    size = environ.get("CONTENT_LENGTH", "")
    return (
        validate_host(host, settings.ALLOWED_HOSTS)
        and size.isdecimal()
        and int(size) <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    )


def _answer(environ: WSGIEnvironment, pool: str) -> bytes | None:
    authorization = environ.get("HTTP_AUTHORIZATION", "")
    if not authorization.startswith(_KEY):
        return None
    opened = api_keys.find_access(authorization.removeprefix(_KEY), pool)
    if opened is None or opened.pool is None or GAMES not in opened.scopes:
        return None
    body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
    environ["wsgi.input"] = BytesIO(body)  # for who looks at it again
    games = games_of(opened.pool, _SENT.validate_python(orjson.loads(body)))
    if not SERVER_LIMIT.count(opened.prefix):
        return None
    return answer_of(submission_queue.send(opened.pool, games, opened.user))
