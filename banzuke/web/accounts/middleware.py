"""What every request passes: its address, what is no text, who is signed out, what browsers may use.

A request comes in by `ForwardedMiddleware` first; the order of all is in the settings.
"""

import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from ipaddress import ip_address, ip_network
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model, logout
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse

from banzuke.database.models import Role
from banzuke.web import access

# The address: behind a trusted proxy what the proxy says, else that of the connection


#: What a proxy says of the visitor; from anybody else it is not to be believed.
FORWARDED = (
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PORT",
)


class ForwardedMiddleware:
    """Puts the visitor's own address in the place of a trusted proxy's, and drops the words of others."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.trusted = [ip_network(each) for each in settings.TRUSTED_PROXIES]

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, from then on knowing where the request comes from."""
        if self._is_trusted(client_address(request)):
            request.META["REMOTE_ADDR"] = self._visitor(request)
        else:
            for name in FORWARDED:
                request.META.pop(name, None)
        return self.get_response(request)

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


class PermissionsMiddleware:
    """Sets Permissions-Policy on every answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, with the policy."""
        response = self.get_response(request)
        response["Permissions-Policy"] = POLICY
        return response


# Requests with characters that no text has are refused, as no database takes them


_NO_TEXT = re.compile("[\0\ud800-\udfff]")
API = "/api/"


class SoundMiddleware:
    """Refuses what is no text: in the address and cookies at once, in a form when its view is found."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer. Raises BadRequest."""
        _check(request.COOKIES.values())
        if not request.path.startswith(API):
            _check((request.path, *(each for _, values in request.GET.lists() for each in values)))
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: Any) -> None:
        """Look at what was sent, now that it is known to come from a page of ours. Raises BadRequest."""
        if request.method == "POST" and not request.path.startswith(API):
            _check(each for _, values in request.POST.lists() for each in values)


def _check(texts: Iterable[Any]) -> None:
    if any(_NO_TEXT.search(text) for text in texts):
        raise BadRequest


# Officers who walk away are signed out: a session that nobody used for an hour is over


#: By this header a page says that it asks by itself, and nobody uses it.
BY_ITSELF = "X-By-Itself"
#: When the session was last used (seconds), written at most once a minute.
USED = "banzuke-used"
STEP = 60


class IdleMiddleware:
    """Ends the sessions of officers that were left alone for `settings.OFFICERS_IDLE`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, as to a stranger if the session was left alone for too long."""
        if request.user.is_authenticated:
            now = int(datetime.now(UTC).timestamp())
            idle = now - request.session.get(USED, now)
            if idle > settings.OFFICERS_IDLE.total_seconds() and _is_officer(request):
                logout(request)
            elif (idle >= STEP and BY_ITSELF not in request.headers) or USED not in request.session:
                request.session[USED] = now
        return self.get_response(request)


def _is_officer(request: HttpRequest) -> bool:
    return access.has_role(request, Role.Kind.OFFICER, None)


# An office that has nobody yet: every page leads to making its first officer


#: What is answered even so: the page itself, the choice of language, the answer to a supervisor.
OPEN_TO_ALL = ("/office/first/", "/i18n/", "/healthz", "/static/")


class FirstOfficerMiddleware:
    """Leads everybody to the page of the first officer until there is one."""

    #: Once an office has a user it keeps having one, and nobody asks again.
    has_officer = False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, or lead away."""
        cls = type(self)
        if not cls.has_officer and not request.path.startswith(OPEN_TO_ALL):
            cls.has_officer = get_user_model().objects.exists()
            if not cls.has_officer:
                return redirect(reverse("accounts-first"))
        return self.get_response(request)
