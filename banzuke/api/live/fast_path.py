"""A Go server's requests in the plain case, answered past Django's handling, which takes as long as the game.

The plain case is a key that opens the pool, and a request without a fault: games posted, or `terms`, a player
or the feed asked for. Whatever else comes is left to the API's own address, which looks at it again and says
what is the matter (for the key's limit, that makes two). Games go to the process that writes them.
"""

import logging
import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple
from wsgiref.types import WSGIEnvironment

from django.conf import settings
from django.db import close_old_connections
from django.http.request import split_domain_port, validate_host

from banzuke.api.auth import GAMES, READ, SERVER_LIMIT, key_in
from banzuke.api.etags import tag_of
from banzuke.api.live import fast_reads
from banzuke.api.live.game_handover import PostedGames
from banzuke.api.problems import KeptElsewhereError
from banzuke.database.outages import BusyError, Outage, outage_of
from banzuke.database.patience import wait_no_more
from banzuke.office.administration import api_keys
from banzuke.office.administration.deprecations import deprecation_of
from banzuke.office.live.game_terms import NoSuchPlayerError, SamePlayerError
from banzuke.office.live.go_rules import NotLiveError

#: Those of the API's own answer that mean something to a program.
_HEADERS = [
    ("Content-Type", "application/json"),
    ("Vary", "Authorization, Accept-Language"),
    ("X-Content-Type-Options", "nosniff"),
]
#: With them go answers to games that are on the disk.
TAKEN_HEADERS = [*_HEADERS, ("Cache-Control", "no-store")]
_log = logging.getLogger(__name__)
_ADDRESS = re.compile(r"/api/v1/pools/([-\w]+)/(terms|changes|players/[^/]+)", re.ASCII)
_GAMES = re.compile(r"/api/v1/pools/([-\w]+)/games", re.ASCII)
#: What the API's own address has words for.
_SAID_THERE = (ValueError, NotLiveError, SamePlayerError, NoSuchPlayerError, KeptElsewhereError)


class PlainAnswer(NamedTuple):
    """An answer: its status as HTTP has it, headers and bytes."""

    status: str
    headers: list[tuple[str, str]]
    body: bytes


def read_posted_games(environ: WSGIEnvironment, read: Callable[[], bytes]) -> PostedGames | None:
    """Games that were posted, as the writer gets them; `read` gives the body.

    None for any other request, and for one to another host.
    """
    found = _GAMES.fullmatch(environ["PATH_INFO"])
    if found is None or environ["REQUEST_METHOD"] != "POST":
        return None
    key = key_in(environ.get("HTTP_AUTHORIZATION", ""))
    if key is None or not (api_keys.has_form_of_key(key) and _is_for_us(environ)):
        return None
    return PostedGames(found[1], key, read())


def count_sending(games: PostedGames) -> bool:
    """Count one more sending of the key; whether it is within the key's limit.

    Call it only for a key that opens the pool. The count is kept by the key's first part, which is no secret:
    who sends it with a wrong rest must not use up the limit.
    """
    return SERVER_LIMIT.count(api_keys.key_prefix(games.key))


def answer(environ: WSGIEnvironment) -> PlainAnswer | None:
    """The answer to a question; None for all else.

    Raises BusyError where others have been writing for too long: the API's own address would wait as long.
    """
    address = _ADDRESS.fullmatch(environ["PATH_INFO"])
    if address is None or environ["REQUEST_METHOD"] not in ("GET", "HEAD") or not _is_for_us(environ):
        return None
    pool, what = address.groups()
    try:
        close_old_connections()
        return _asked(environ, pool, what)
    except _SAID_THERE:
        return None
    except Exception as error:  # the API's own address meets it again and says it, or no longer meets it
        if outage_of(error) is Outage.BUSY:
            wait_no_more()
            raise BusyError from error
        _log.warning("The API's own address is asked, as this failed.", exc_info=True)
        return None


def _is_for_us(environ: WSGIEnvironment) -> bool:
    """Whether the host is ours, and nothing of the address is on its way out."""
    host, allowed = environ.get("HTTP_HOST", ""), tuple(settings.ALLOWED_HOSTS)
    return _is_our_host(host, allowed) and deprecation_of(environ["PATH_INFO"]) is None


@lru_cache  # programs ask by the same one each time
def _is_our_host(host: str, allowed: tuple[str, ...]) -> bool:
    return validate_host(split_domain_port(host)[0], allowed)


def _asked(environ: WSGIEnvironment, pool: str, what: str) -> PlainAnswer | None:
    question = fast_reads.question_of(environ, what)
    if question is None:
        return None
    key = key_in(environ.get("HTTP_AUTHORIZATION", ""))
    if key is None:
        return None
    opened = api_keys.find_access(key, pool)
    if opened is None or opened.pool is None or not {READ, GAMES}.intersection(opened.scopes):
        return None
    if not SERVER_LIMIT.count(opened.prefix):
        return None
    text = question(opened.pool)
    if text is None:
        return None
    tag = tag_of(text)
    headers = [*_HEADERS, ("Cache-Control", "no-cache"), ("ETag", tag)]
    if fast_reads.has_already(environ, tag):
        return PlainAnswer("304 Not Modified", headers[1:], b"")
    return PlainAnswer("200 OK", headers, text)
