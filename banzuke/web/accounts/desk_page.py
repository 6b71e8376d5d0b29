"""The desk: what waits for whoever is signed in, pool by pool."""

from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from banzuke.database.models import Pool, Role
from banzuke.web import access
from banzuke.web.accounts.first_list_steps import Step, steps
from banzuke.web.areas import Area, areas_of
from banzuke.web.pending_work import WorkItem, pending_work


class Corner(NamedTuple):
    """A pool on the desk: its areas, what waits there, and the way to its first list, if it has none."""

    pool: Pool
    areas: list[Area]
    waiting: list[WorkItem]
    steps: list[Step]


@access.reporter
def desk(request: HttpRequest) -> HttpResponse:
    """What waits for me."""
    corners = [_corner(request, pool) for pool in access.pools_of(request)]
    is_administrator = access.has_role(request, Role.Kind.ADMINISTRATOR, None)
    return render(request, "accounts/desk.html", {"corners": corners, "is_administrator": is_administrator})


def _corner(request: HttpRequest, pool: Pool) -> Corner:
    is_new = access.has_role(request, Role.Kind.OFFICER, pool) and not pool.lists.exists()
    return Corner(pool, areas_of(request, pool), pending_work(request, pool), steps(pool) if is_new else [])
