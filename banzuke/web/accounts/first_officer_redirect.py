"""An office that has nobody yet: every page leads to making its first officer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth import get_user_model
from django.shortcuts import redirect
from django.urls import reverse

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponseBase

#: What is answered even so: the page itself, the choice of language, the answer to a supervisor.
OPEN = ("/office/first/", "/i18n/", "/healthz", "/static/")


class FirstOfficerMiddleware:
    """Leads everybody to the page of the first officer until there is one."""

    #: Once an office has a user it keeps having one, and nobody asks again.
    has_officer = False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, or lead away."""
        cls = type(self)
        if not cls.has_officer and not request.path.startswith(OPEN):
            cls.has_officer = get_user_model().objects.exists()
            if not cls.has_officer:
                return redirect(reverse("accounts-first"))
        return self.get_response(request)
