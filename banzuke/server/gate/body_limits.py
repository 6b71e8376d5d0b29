"""How much may be sent: files only by those who may hand them in at that address."""

from http import HTTPStatus
from typing import NamedTuple
from wsgiref.types import WSGIEnvironment

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.handlers.wsgi import WSGIRequest
from django.http import Http404, HttpResponse
from django.urls import ResolverMatch, resolve

from banzuke.api.auth import key_in
from banzuke.api.live.game_handover import PostedGames
from banzuke.api.reports import MOST_SENT as REPORT
from banzuke.database.models import Role
from banzuke.office.administration import api_keys
from banzuke.server.gate.bodies import MOST_OF_STRANGERS, TurnedAwayError
from banzuke.server.gate.turned_away import API
from banzuke.web import access
from banzuke.web.accounts.middleware import is_left_alone

_sessions = SessionMiddleware(lambda _: HttpResponse())


class Sender(NamedTuple):
    """Who sends a body: a key or the name of a user, and the most bytes that they may send there."""

    name: str
    most: int


STRANGER = Sender("", MOST_OF_STRANGERS)


def length_of(environ: WSGIEnvironment) -> int:
    """The length of the body, as the request gives it. Raises TurnedAwayError where it gives none.

    Without a length nobody could tell a body that was cut off from a whole one.
    """
    if "HTTP_TRANSFER_ENCODING" in environ:
        raise TurnedAwayError(HTTPStatus.LENGTH_REQUIRED, "length")
    length = environ.get("CONTENT_LENGTH") or "0"
    if not (length.isascii() and length.isdecimal()):
        raise TurnedAwayError(HTTPStatus.BAD_REQUEST, "short")
    return int(length)


def may_be_known(environ: WSGIEnvironment) -> bool:
    """Whether it is worth asking the database who that is."""
    return settings.SESSION_COOKIE_NAME in environ.get("HTTP_COOKIE", "") or "HTTP_AUTHORIZATION" in environ


def sender_of_games(games: PostedGames) -> Sender:
    """Who sends games, once their key has opened the pool."""
    return Sender(games.key, settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


def sender_of(environ: WSGIEnvironment) -> Sender:
    """Who sends to that address; asks the database."""
    request = WSGIRequest(environ)
    try:
        found = resolve(request.path_info)
    except Http404:
        return STRANGER
    return _with_key(request, found) if request.path_info.startswith(API) else _with_session(request, found)


def _with_key(request: WSGIRequest, found: ResolverMatch) -> Sender:
    key = key_in(request.headers.get("Authorization", ""))
    access_found = None if key is None else api_keys.find_access(key, found.kwargs.get("pool", ""))
    if key is None or access_found is None:
        return STRANGER
    takes_files = request.path_info.endswith("/reports") and "reports" in access_found.scopes
    return Sender(key, REPORT if takes_files else settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


def _with_session(request: WSGIRequest, found: ResolverMatch) -> Sender:
    _sessions.process_request(request)
    request.user = get_user(request)
    if is_left_alone(request) or not access.has_role(request, Role.Kind.REPORTER, None):
        return STRANGER
    most = max(settings.DATA_UPLOAD_MAX_MEMORY_SIZE, getattr(found.func, access.MOST_SENT, 0))
    return Sender(request.user.get_username(), most)
