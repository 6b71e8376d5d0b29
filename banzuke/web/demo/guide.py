"""The guide of a demo office: five steps, of which the office's own state says which one is next."""

from collections.abc import Callable
from datetime import date
from typing import NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from banzuke.database.models import Role
from banzuke.office.demo import Demo, find_demo, progress_of
from banzuke.office.event_progress import EventProgress, State
from banzuke.web import access
from banzuke.web.public.public_addresses import working_address
from banzuke.web.shortcuts import page_language
from banzuke.words import list_title

#: Whoever sees why the rating changed is not signed in.
PLAYER = "player"
#: The cookie of who has closed the guide.
CLOSED = "demo-guide-closed"
#: The short names of the steps.
STEPS = (
    gettext_lazy("Take the report"),
    gettext_lazy("Send it"),
    gettext_lazy("Accept it"),
    gettext_lazy("Publish the list"),
    gettext_lazy("See why"),
)
TAKE, SEND, ACCEPT, PUBLISH, SEE = range(5)
_OF_STATES = {
    State.REPORTED: ACCEPT,
    State.HELD: ACCEPT,
    State.RETURNED: ACCEPT,
    State.ACCEPTED: PUBLISH,
    State.RATED: SEE,
}


class DemoGuide(NamedTuple):
    """The step that is next: its place, what to do, as whom, and where that is done.

    `is_that` is whether the visitor is signed in as that one already; `file` is the report to download.
    """

    number: int
    sentence: str
    role: str
    go_on: str
    address: str
    is_that: bool
    file: str


def guide_for(request: HttpRequest, write_day: Callable[[date], str]) -> DemoGuide | None:
    """The guide for a visitor; None in an office that is no demo."""
    demo = find_demo()
    progress = demo and progress_of(demo)
    if demo is None or progress is None:
        return None
    number, role = step_of(request, progress)
    is_that = access.user(request) is None if role == PLAYER else _is(request, role)
    file = reverse("demo-report") if number in (TAKE, SEND) else ""
    name = list_title(demo.list, page_language())
    told = {"event": progress.name, "list": name, "day": write_day(date.fromisoformat(demo.reported))}
    words = _sentence(number, told), role, _go_on(role), address_of(role, demo, progress)
    return DemoGuide(number, *words, is_that, file)


def step_of(request: HttpRequest, progress: EventProgress) -> tuple[int, str]:
    """The step that is next, and who does it."""
    number = _OF_STATES.get(progress.state, TAKE)
    if number == TAKE and _is(request, Role.Kind.REPORTER):
        number = SEND
    roles = (Role.Kind.REPORTER, Role.Kind.REPORTER, Role.Kind.OFFICER, Role.Kind.CHIEF, PLAYER)
    return number, str(roles[number])


def _is(request: HttpRequest, role: str) -> bool:
    """Whether the visitor is the demo's user of that role."""
    return request.user.is_authenticated and request.user.get_username() == role


def address_of(role: str, demo: Demo, progress: EventProgress) -> str:
    """Where that role has something to do."""
    if role == Role.Kind.REPORTER:
        return reverse("inbox-send", kwargs={"slug": demo.pool})
    if role == Role.Kind.OFFICER and progress.report is not None:
        return reverse("inbox-report", kwargs={"slug": demo.pool, "number": progress.report})
    if role == Role.Kind.CHIEF:
        return reverse("board", kwargs={"slug": demo.pool})
    if role == PLAYER:
        return _of_player(demo, progress)
    return reverse("desk")


def _of_player(demo: Demo, progress: EventProgress) -> str:
    published = progress.published
    if published is None:
        return reverse("public-player", kwargs={"slug": demo.pool, "player": demo.player})
    return working_address(published.pool, demo.player, published.name, published.speeds[0])


def _sentence(number: int, told: dict[str, str]) -> str:
    sentences = (
        _(
            "You are the club: save the report of %(event)s on your computer. It was mailed on %(day)s, in "
            "time for list %(list)s."
        ),
        _("You are the club: send this file to the office."),
        _("You are the officer: look at the report, and accept it."),
        _("You are the chief officer: rehearse list %(list)s, and publish it."),
        _("You are the player: see how each game changed your rating."),
    )
    return sentences[number] % told


def _go_on(role: str) -> str:
    words = {
        Role.Kind.REPORTER: pgettext("demo", "Go on as the club"),
        Role.Kind.OFFICER: pgettext("demo", "Go on as the officer"),
        Role.Kind.CHIEF: pgettext("demo", "Go on as the chief officer"),
        PLAYER: pgettext("demo", "Go on as the player"),
    }
    return words[role]
