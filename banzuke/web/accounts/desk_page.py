"""The desk: what waits for whoever is signed in, pool by pool, and the way to a first list."""

from datetime import UTC, datetime
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from banzuke.core.rulebook import ChessBook
from banzuke.database.book_reader import MissingBookError, SpoiledRulesError, rules_of
from banzuke.database.models import Club, Event, GoGame, Player, Pool, Role
from banzuke.office.jobs.heartbeat import restarts
from banzuke.office.register.starting_ratings import openings
from banzuke.web import access
from banzuke.web.areas import Area, areas_of
from banzuke.web.pending_work import WorkItem, pending_work
from banzuke.web.shortcuts import page_language
from banzuke.words import fault_text


class Step(NamedTuple):
    """What is to be done, where, and whether there is something of it."""

    text: str
    url: str
    is_done: bool


def steps(pool: Pool) -> list[Step]:
    """What an officer of a pool without lists does, in order; without what its rule book does not know."""
    rules = rules_of(pool)
    book = rules.editions[-1].book
    found: list[tuple[str, str, bool]] = []
    # Before the members, whose clubs are found by these names.
    if isinstance(book, ChessBook) and book.is_member:
        found.append((_("Register the clubs that organise events"), "register-clubs", _has(pool, Club)))
    if not rules.is_go:
        found.append((_("Import the member register from a file"), "register-send", _has(pool, Player)))
    found += [
        (
            _("Send in reports: files of your pairing program, or a form in the browser"),
            "inbox",
            _has(pool, Event) or _has(pool, GoGame),
        ),
        (
            _("Enter the ratings that players had before the first event, if they had any"),
            "register-openings",
            openings(pool).exists(),
        ),
        (_("Rehearse the list, and publish it"), "board", False),
    ]
    return [Step(text, reverse(name, kwargs={"slug": pool.slug}), done) for text, name, done in found]


def _has(pool: Pool, model: type[Player | Club | Event | GoGame]) -> bool:
    return model.objects.filter(pool=pool).exists()


class Corner(NamedTuple):
    """A pool on the desk: its areas, what waits there, and the way to its first list, if it has none."""

    pool: Pool
    areas: list[Area]
    waiting: list[WorkItem]
    steps: list[Step]
    spoiled: str = ""  # why nothing can be said of it


@access.reporter
def desk(request: HttpRequest) -> HttpResponse:
    """What waits for me; of who reports for a club in one pool alone the club's events."""
    pools = access.pools_of(request)
    if len(pools) == 1 and access.clubs_of(request, pools[0]):
        return redirect("club", slug=pools[0].slug)
    corners = [_corner(request, pool) for pool in pools]
    is_administrator = access.has_role(request, Role.Kind.ADMINISTRATOR, None)
    times = restarts() if is_administrator else []
    about = {
        "corners": corners,
        "is_administrator": is_administrator,
        "restarts": len(times),
        "last_restart": datetime.fromtimestamp(times[-1], UTC) if times else None,
    }
    return render(request, "accounts/desk.html", about)


def _corner(request: HttpRequest, pool: Pool) -> Corner:
    areas = areas_of(request, pool)
    is_new = access.has_role(request, Role.Kind.OFFICER, pool) and not pool.lists.exists()
    try:
        return Corner(pool, areas, pending_work(request, pool), steps(pool) if is_new else [])
    except (MissingBookError, SpoiledRulesError) as error:  # the other pools go on
        return Corner(pool, areas, [], [], fault_text(error.faults[0], page_language()))
