"""What the guide of a demo office does: one click to be somebody else, the report, and closing the guide."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth import get_user_model, login, logout
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from banzuke.database.models import Role
from banzuke.office.demo import Demo, find_demo, progress_of
from banzuke.web.access import public
from banzuke.web.demo.guide import CLOSED, PLAYER, address_of
from banzuke.web.downloads import download

ROLES = frozenset((Role.Kind.REPORTER, Role.Kind.OFFICER, Role.Kind.CHIEF, PLAYER))
BACKEND = "django.contrib.auth.backends.ModelBackend"
MAIL = "message/rfc822"


def _of_demo(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page that only a demo office has."""

    @wraps(view)
    def page(request: HttpRequest, **words: Any) -> HttpResponse:
        demo = find_demo()
        if demo is None:
            raise Http404
        return view(request, demo, **words)

    return page


@require_POST
@public
@_of_demo
def sign_in(request: HttpRequest, demo: Demo, role: str) -> HttpResponse:
    """Be somebody else, where the next step is done."""
    progress = progress_of(demo)
    if role not in ROLES or progress is None:
        raise Http404
    if role == PLAYER:
        logout(request)
    else:
        login(request, get_object_or_404(get_user_model(), username=role), backend=BACKEND)
    return redirect(address_of(role, demo, progress))


@public
@_of_demo
def report(_request: HttpRequest, demo: Demo) -> HttpResponse:
    """The report that the club sends in."""
    return download(demo.file.read_bytes(), demo.mail, MAIL)


@require_POST
@public
@_of_demo
def close(request: HttpRequest, _demo: Demo) -> HttpResponse:
    """Close the guide, or show it again."""
    back = request.POST.get("next", "")
    answer = redirect(back if url_has_allowed_host_and_scheme(back, request.get_host()) else "public-pools")
    if "again" in request.POST:
        answer.delete_cookie(CLOSED)
    else:
        answer.set_cookie(CLOSED, "1", samesite="Lax", httponly=True)
    return answer
