"""How much may be sent: files only by those who may hand them in at that address."""

from http import HTTPStatus
from wsgiref.types import WSGIEnvironment

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.handlers.wsgi import WSGIRequest
from django.http import Http404, HttpResponse
from django.urls import ResolverMatch, resolve

from banzuke.api.reports import MOST_SENT as REPORT
from banzuke.database.models import Role
from banzuke.office.administration import api_keys
from banzuke.server.gate.bodies import ANYBODYS, TurnedAwayError
from banzuke.server.gate.turned_away import API
from banzuke.web import access
from banzuke.web.accounts.middleware import is_left_alone

_KEY = "Bearer "
_sessions = SessionMiddleware(lambda _: HttpResponse())


def length_of(environ: WSGIEnvironment) -> int:
    """The length of the body, as the request gives it. Raises TurnedAwayError where it gives none.

    Without a length nobody could tell a body that was cut off from a whole one.
    """
    if "HTTP_TRANSFER_ENCODING" in environ:
        raise TurnedAwayError(HTTPStatus.LENGTH_REQUIRED, "length")
    said = environ.get("CONTENT_LENGTH") or "0"
    if not (said.isascii() and said.isdecimal()):
        raise TurnedAwayError(HTTPStatus.BAD_REQUEST, "short")
    return int(said)


def may_be_known(environ: WSGIEnvironment) -> bool:
    """Whether it is worth asking the database who that is."""
    return settings.SESSION_COOKIE_NAME in environ.get("HTTP_COOKIE", "") or "HTTP_AUTHORIZATION" in environ


def most_bytes(environ: WSGIEnvironment) -> int:
    """The most that whoever asks may send to that address."""
    request = WSGIRequest(environ)
    try:
        found = resolve(request.path_info)
    except Http404:
        return ANYBODYS
    return _of_key(request, found) if request.path_info.startswith(API) else _of_session(request, found)


def _of_key(request: WSGIRequest, found: ResolverMatch) -> int:
    key = request.headers.get("Authorization", "")
    pool = found.kwargs.get("pool", "")
    access_found = api_keys.find_access(key.removeprefix(_KEY), pool) if key.startswith(_KEY) else None
    if access_found is None:
        return ANYBODYS
    takes_files = request.path_info.endswith("/reports") and "reports" in access_found.scopes
    return REPORT if takes_files else settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def _of_session(request: WSGIRequest, found: ResolverMatch) -> int:
    _sessions.process_request(request)
    request.user = get_user(request)
    if is_left_alone(request) or not access.has_role(request, Role.Kind.REPORTER, None):
        return ANYBODYS
    return max(settings.DATA_UPLOAD_MAX_MEMORY_SIZE, getattr(found.func, access.MOST_SENT, 0))
