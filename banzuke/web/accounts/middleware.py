"""What every request passes: its address, what is no text, who is signed out, what browsers may use.

A request comes in by `ClientAddressMiddleware` first; the order of all is in the settings.
"""

import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any

from django.conf import settings
from django.contrib.auth import logout
from django.contrib.sessions.backends.base import UpdateError
from django.core.exceptions import BadRequest
from django.db import Error
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.deprecation import MiddlewareMixin
from django.utils.functional import cached_property

from banzuke.database.models import Role
from banzuke.database.patience import waiting_at_most
from banzuke.office.administration.users import has_people
from banzuke.web import access

# The visitor's address: behind a trusted proxy the one that the proxy names, else that of the connection


#: A proxy's headers about the visitor; from anybody else they are dropped.
FORWARDED = (
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PORT",
)


class ClientAddressMiddleware(MiddlewareMixin):
    """Puts the visitor's own address in place of a trusted proxy's, and drops such headers from others."""

    @cached_property
    def trusted(self) -> list[IPv4Network | IPv6Network]:
        """The trusted proxies' addresses."""
        return [ip_network(each) for each in settings.TRUSTED_PROXIES]

    def process_request(self, request: HttpRequest) -> None:
        """Note where the request comes from."""
        if self._is_trusted(client_address(request)):
            request.META["REMOTE_ADDR"] = self._visitor(request)
        else:
            for name in FORWARDED:
                request.META.pop(name, None)

    def _visitor(self, request: HttpRequest) -> str:
        """The last address of the chain that is no trusted proxy's."""
        here = client_address(request)
        chain: str = request.META.get("HTTP_X_FORWARDED_FOR", "")
        for part in reversed(chain.split(",")):
            if not _is_address(part.strip()):
                return here
            here = part.strip()
            if not self._is_trusted(here):
                return here
        return here

    def _is_trusted(self, text: str) -> bool:
        return _is_address(text) and any(ip_address(text) in network for network in self.trusted)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def client_address(request: HttpRequest) -> str:
    """The visitor's address; blank where there is none, as on a socket of the machine."""
    return str(request.META.get("REMOTE_ADDR", ""))


# What a browser may not use on these pages: camera, microphone, place and the like


REFUSED = ("camera", "display-capture", "geolocation", "microphone", "payment", "usb")
POLICY = ", ".join(f"{name}=()" for name in REFUSED)


class PermissionsMiddleware(MiddlewareMixin):
    """Sets Permissions-Policy on every answer."""

    def process_response(self, _request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The answer, with the policy."""
        response["Permissions-Policy"] = POLICY
        return response


# Pages with secrets of second factors, and of links to a password, are kept by no browser


#: How the names of such addresses begin.
SECRET_PAGES = ("mfa_", "accounts-invitation", "accounts-first", "account_change_password")


class SecretPagesMiddleware(MiddlewareMixin):
    """Lets nobody store the pages that show a secret."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The answer, not to be stored."""
        found = request.resolver_match
        if found is not None and (found.url_name or "").startswith(SECRET_PAGES):
            response["Cache-Control"] = "no-store"
        return response


# Requests with characters that no text has are refused, as no database takes them


_NO_TEXT = re.compile("[\0\ud800-\udfff]")
API = "/api/"


class ValidTextMiddleware(MiddlewareMixin):
    """Refuses what is no text: in the address and cookies at once, in a form when its view is found."""

    def process_request(self, request: HttpRequest) -> None:
        """Look at the address and the cookies. Raises BadRequest."""
        _check(request.COOKIES.values())
        if not request.path.startswith(API):
            _check((request.path, *(each for _, values in request.GET.lists() for each in values)))

    def process_view(self, request: HttpRequest, *_view: Any) -> None:
        """Look at what was sent, now that it is known to come from a page of ours. Raises BadRequest."""
        if request.method == "POST" and not request.path.startswith(API):
            _check(each for _, values in request.POST.lists() for each in values)


def _check(texts: Iterable[Any]) -> None:
    if any(_NO_TEXT.search(text) for text in texts):
        raise BadRequest


# Officers who walk away are signed out: a session that nobody used for an hour is over


#: The header of a request that a page makes by itself, without its reader.
BY_ITSELF = "X-By-Itself"
#: When the session was last used (seconds), written at most once a minute.
USED = "banzuke-used"
STEP = 60


class IdleSignOutMiddleware(MiddlewareMixin):
    """Ends the sessions of officers that were left alone for `settings.OFFICERS_IDLE`."""

    def process_request(self, request: HttpRequest) -> None:
        """Sign out who left the session alone for too long, or note that it is used."""
        if request.user.is_authenticated:
            if is_left_alone(request):
                request.left_alone_by = request.user.pk  # type: ignore[attr-defined]
                logout(request)
            elif USED not in request.session or _is_to_be_noted(request):
                _note_use(request)


def _now() -> int:
    return int(datetime.now(UTC).timestamp())


def _is_to_be_noted(request: HttpRequest) -> bool:
    """Whether the last use stands too far back, or in the future: the clock has been set back since."""
    idle = _idle(request)
    return idle < 0 or (idle >= STEP and BY_ITSELF not in request.headers)


def _idle(request: HttpRequest) -> int:
    """The seconds for which nobody has used the session; negative where the clock has been set back since."""
    now = _now()
    last: int = request.session.get(USED, now)
    return now - last


def _note_use(request: HttpRequest) -> None:
    """Note that the session is used, if that can be stored at once: no page waits for it or fails."""
    had_changed = request.session.modified
    request.session[USED] = _now()
    if not had_changed:
        with suppress(Error, UpdateError), waiting_at_most(0):
            request.session.save()
        request.session.modified = False


def is_left_alone(request: HttpRequest) -> bool:
    """Whether it is of an officer's session that nobody used for too long, as far as can be known.

    Once the clock has been set back by more than a step, nobody can say how long ago the last use was.
    """
    idle = _idle(request)
    is_idle = idle < -STEP or idle > settings.OFFICERS_IDLE.total_seconds()
    return is_idle and access.has_role(request, Role.Kind.OFFICER, None)


# An office that has nobody yet: every page leads to making its first officer


#: What is answered even so: the page itself, programs, the choice of language, the answer to a supervisor.
OPEN_TO_ALL = ("/office/first/", "/api/", "/i18n/", "/healthz", "/static/")


class FirstOfficerMiddleware(MiddlewareMixin):
    """Leads everybody to the page of the first officer until there is one."""

    #: Once an office has a person as user it keeps having one, and nobody asks again.
    has_officer = False

    def process_request(self, request: HttpRequest) -> HttpResponseBase | None:
        """Lead away."""
        cls = type(self)
        if not cls.has_officer and not request.path.startswith(OPEN_TO_ALL):
            cls.has_officer = has_people()
            if not cls.has_officer:
                return redirect("accounts-first")
        return None
