"""What waits in the register: newcomers to complete, events applied for, clubs whose registration lapsed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from banzuke.book.models import Sanction
from banzuke.desk.register import clubs, newcomers, sanctions
from banzuke.web import access
from banzuke.web.waiting import Waiting

if TYPE_CHECKING:
    from django.http import HttpRequest

    from banzuke.book.models import Pool


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
    return sanctions.applications(pool, None).filter(state=Sanction.State.ASKED).count()
