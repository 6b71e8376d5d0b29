"""Officers who walk away are signed out: a session that nobody used for an hour is over."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth import logout

from banzuke.database.models import Role
from banzuke.web import access

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponseBase

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
