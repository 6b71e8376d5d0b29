"""The areas of a pool's office, and which of them are a visitor's."""

from typing import NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from banzuke.database.models import Pool, Role
from banzuke.office.live.go_rules import is_live
from banzuke.web import access

#: The areas of a pool by the names of their first pages, and the least role that has something to do there.
#: The first is for who acts for a club alone.
AREAS = (
    ("club", _("My events"), Role.Kind.REPORTER),
    ("inbox", _("Inbox"), Role.Kind.REPORTER),
    ("register", _("Register"), Role.Kind.OFFICER),
    ("fees", _("Fees"), Role.Kind.OFFICER),
    ("board", _("Lists and corrections"), Role.Kind.OFFICER),
    ("live", _("Live service"), Role.Kind.OFFICER),
    ("lab", _("Laboratory"), Role.Kind.OFFICER),
    ("accounts-pool-settings", _("Rules of the pool"), Role.Kind.CHIEF),
)


class Area(NamedTuple):
    """An area: what it is called, its first page, whether the visitor is in it."""

    text: str
    url: str
    is_here: bool


def areas_of(request: HttpRequest, pool: Pool) -> list[Area]:
    """The areas of the pool in which the visitor has something to do."""
    left_out = set() if is_live(pool) else {"live"}
    if access.clubs_of(request, pool) is None:  # an officer has all clubs' events in the other areas
        left_out.add("club")
    mine = [
        (str(text), reverse(name, kwargs={"slug": pool.slug}))
        for name, text, kind in AREAS
        if access.has_role(request, kind, pool) and name not in left_out
    ]
    return [Area(text, url, request.path.startswith(url)) for text, url in mine]
