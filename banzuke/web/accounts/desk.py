"""The desk: what waits for whoever is signed in, pool by pool."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from django.shortcuts import render
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext_lazy as _

from banzuke.book.models import Pool, Role
from banzuke.web import access

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from banzuke.web.waiting import Waiting

#: The areas of a pool by the names of their first pages, and the least role that has something to do there.
AREAS = (
    ("inbox", _("Inbox"), Role.Kind.REPORTER),
    ("register", _("Register"), Role.Kind.OFFICER),
    ("fees", _("Fees"), Role.Kind.OFFICER),
    ("board", _("Window board"), Role.Kind.OFFICER),
    ("accounts-pool-settings", _("Rules of the pool"), Role.Kind.CHIEF),
)


#: What an officer of a pool without lists does next, and where.
WAYS = (
    ("inbox", _("Bring in the reports: files of your pairing program, or a form in the browser")),
    ("board", _("Rehearse the list, and publish it")),
)


class Corner(NamedTuple):
    """A pool on the desk: its links, what waits there, and the way to its first list, if it has none."""

    pool: Pool
    links: list[tuple[str, str]]
    waiting: list[Waiting]
    is_new: bool
    ways: list[tuple[str, str]]


@access.reporter
def desk(request: HttpRequest) -> HttpResponse:
    """What waits for me."""
    corners = [_corner(request, pool) for pool in access.pools_of(request)]
    is_administrator = access.has_role(request, Role.Kind.ADMINISTRATOR, None)
    return render(request, "accounts/desk.html", {"corners": corners, "is_administrator": is_administrator})


def _corner(request: HttpRequest, pool: Pool) -> Corner:
    links = [
        (str(text), _address(name, pool))
        for name, text, kind in AREAS
        if access.has_role(request, kind, pool)
    ]
    is_new = access.has_role(request, Role.Kind.OFFICER, pool) and not pool.lists.exists()
    ways = [(str(text), _address(name, pool)) for name, text in WAYS]
    return Corner(pool, [each for each in links if each[1]], _waiting(request, pool), is_new, ways)


def _address(name: str, pool: Pool) -> str:
    try:
        return reverse(name, kwargs={"slug": pool.slug})
    except NoReverseMatch:
        return ""


def _waiting(request: HttpRequest, pool: Pool) -> list[Waiting]:
    found: list[Waiting] = []
    for area in ("inbox", "register", "fees", "board"):
        name = f"banzuke.web.{area}.waiting"
        if find_spec(name):
            found += import_module(name).waiting(request, pool)
    return [each for each in found if each.count]
