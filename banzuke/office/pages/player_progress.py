"""A player's events that are on their way to a list: accepted, or reported."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Q

from banzuke.core import facts
from banzuke.database.models import Line, Pool, Report
from banzuke.database.models.reports import OPEN_STATES
from banzuke.office.application_progress import granted_names
from banzuke.office.event_progress import EventProgress, State, progress_of_reports, progress_of_rows
from banzuke.office.fact_rows import standing_rows
from banzuke.office.lists.list_index import current_lists


def in_the_office(
    pool: Pool, player_id: str, lists: Iterable[int] | None = None, *, is_hidden: bool = False
) -> list[EventProgress]:
    """The player's events on their way: those accepted that no list has, then those that wait; oldest first.

    `lists` are the numbers of the current lists in the database, if they are known already. A report that
    waits is shown only where the player is in it for certain (`inbox.waiting_reports`). It has the name of
    the granted event, else none: nobody has looked yet at what its sender wrote. Of who is shown by id only
    (`is_hidden`) no report that waits is shown: whoever sends one with a FIDE id would learn whose it is.
    """
    mine = Q(white=player_id) | Q(black=player_id)
    played = standing_rows(pool, facts.Game).filter(mine).order_by().values("event_id")
    current: Any = current_lists(pool).order_by().values("pk") if lists is None else list(lists)
    listed = Line.objects.filter(player_id=player_id, list__in=current).values("event_id")
    rows = standing_rows(pool, facts.Event).filter(event_id__in=played).exclude(event_id__in=listed)
    accepted = progress_of_rows(pool, list(rows.order_by("ends", "event_id")))
    waiting = [] if is_hidden else _waiting(pool, player_id)
    return [*(one for one in accepted if one.state is State.ACCEPTED), *waiting]


def _waiting(pool: Pool, player_id: str) -> list[EventProgress]:
    found = Report.objects.filter(pool=pool, state__in=OPEN_STATES, waiting__players__player_id=player_id)
    reports = list(found.order_by("received_at"))
    names = granted_names(pool, reports)
    return [
        one._replace(name=names.get(report.pk, ""))
        for report, one in zip(reports, progress_of_reports(pool, reports), strict=True)
    ]
