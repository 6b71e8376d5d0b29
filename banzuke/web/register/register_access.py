"""Pages of pools whose members are kept in a register: chess pools."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

from django.shortcuts import render

from banzuke.database.book_reader import rules_of
from banzuke.web import access

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponseBase

    from banzuke.database.models import Pool
    from banzuke.web.access import View


def of_chess(view: View) -> View:
    """A page that a Go pool does not have: its players come with their games."""

    @wraps(view)
    def page(request: HttpRequest, pool: Pool, **words: Any) -> HttpResponseBase:
        if rules_of(pool).is_go:
            return render(request, "register/go.html", {"pool": pool}, status=404)
        return view(request, pool, **words)

    return page


def officer(view: View) -> View:
    """A page for the officers of a chess pool."""
    return access.officer(of_chess(view))
