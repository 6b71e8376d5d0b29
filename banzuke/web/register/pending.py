"""What waits in the register: newcomers to complete, events applied for, clubs whose registration lapsed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from banzuke.database.models import Sanction
from banzuke.office.register import clubs, event_applications, newcomers
from banzuke.web import access
from banzuke.web.pending_work import Waiting

if TYPE_CHECKING:
    from django.http import HttpRequest

    from banzuke.database.models import Pool


def waiting(request: HttpRequest, pool: Pool) -> list[Waiting]:
    """What an officer has to do; a club has nothing to do here."""
    if access.clubs_of(request, pool) is not None:
        return []
    found = (
        (_("Events applied for"), _asked(pool), "register-events"),
        (_("Newcomers to complete"), len(newcomers.newcomers(pool)), "register-newcomers"),
        (_("Clubs whose registration has lapsed"), len(clubs.lapsed(pool, localdate())), "register-clubs"),
    )
    return [
        Waiting(text, count, reverse(name, kwargs={"slug": pool.slug}))
        for text, count, name in found
        if count
    ]


def _asked(pool: Pool) -> int:
    return event_applications.applications(pool, None).filter(state=Sanction.State.ASKED).count()
