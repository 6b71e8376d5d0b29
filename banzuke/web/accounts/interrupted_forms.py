"""A form that was sent when the session had ended: its values go through signing in, and can be sent then.

The answer to such a form is the page to sign in, which carries the values on, signed. Nothing is kept for
anybody who has not signed in; passwords and files are never carried.
"""

from typing import Any, NamedTuple
from urllib.parse import urlsplit

from allauth.account.forms import LoginForm
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

#: The field of the page to sign in, the place in the session, and what the signature is for.
CARRIED, SALT = "carried", "banzuke.interrupted-form"
#: More characters are not carried; what was sent so many seconds ago is forgotten.
MOST, LONGEST = 400_000, 12 * 3600
TOKEN = "csrfmiddlewaretoken"  # noqa: S105 - the name of a field


class InterruptedForm(NamedTuple):
    """Where a form was sent to, from which page, what it held; whether files were with it.

    `user` is the number of the officer whose session had been left alone; None where that is not known.
    """

    path: str
    page: str
    values: list[tuple[str, str]]
    has_files: bool
    user: int | None = None


def page_to_sign_in(request: HttpRequest) -> HttpResponse | None:
    """The page to sign in that carries a form's values on; None where there is nothing to carry."""
    values = [(name, each) for name, every in request.POST.lists() for each in every if name != TOKEN]
    is_secret = any("password" in name for name, _ in values)
    if not values or is_secret or sum(len(name) + len(each) for name, each in values) > MOST:
        return None
    user = getattr(request, "left_alone_by", None)
    found = InterruptedForm(request.get_full_path(), _page_of(request), values, bool(request.FILES), user)
    context = {
        "form": LoginForm(request=request),
        "carried": signing.dumps(found, salt=SALT, compress=True),
        "address": reverse("account_login"),
        "redirect_field_name": "next",
        "redirect_field_value": reverse("accounts-interrupted-form"),
    }
    return render(request, "account/login.html", context, status=401)


def _page_of(request: HttpRequest) -> str:
    """The page of ours that the form was on."""
    came = urlsplit(request.headers.get("Referer", ""))
    if came.netloc != request.get_host():
        return request.get_full_path()
    return f"{came.path}?{came.query}" if came.query else came.path


def read_carried(carried: str) -> InterruptedForm | None:
    """What is carried; None where nothing of ours is, or for too long."""
    try:
        path, page, values, has_files, user = signing.loads(carried, salt=SALT, max_age=LONGEST)
    except (signing.BadSignature, ValueError):  # or one of an earlier version
        return None
    return InterruptedForm(path, page, [(name, each) for name, each in values], has_files, user)


def keep_form(request: HttpRequest) -> None:
    """Keep what a page to sign in has carried, for who has signed in by it."""
    carried = request.POST.get(CARRIED, "")
    if read_carried(carried) is not None:
        request.session[CARRIED] = carried


def _is_of(found: InterruptedForm, request: HttpRequest) -> bool:
    """Whether the visitor may have sent the form: not where it is known that somebody else did."""
    return found.user is None or found.user == request.user.pk


def kept_form(request: HttpRequest) -> InterruptedForm | None:
    """What was kept for the visitor; nothing that is somebody else's."""
    carried: Any = request.session.get(CARRIED, "")
    found = read_carried(carried)
    return found if found and _is_of(found, request) else None
