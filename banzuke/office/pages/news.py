"""What is new of a player, of a pool's lists and of its calendar: for feeds, the newest first."""

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from banzuke.database.models import ListRow, Pool, RatingList
from banzuke.office.application_progress import progress_of_sanctions
from banzuke.office.event_progress import EventProgress
from banzuke.office.pages.event_calendar import granted_events

#: A feed has so many entries.
MOST = 30


class PlayerNews(NamedTuple):
    """A list or a revision that a player is on, with the rows by speed."""

    published: RatingList
    rows: list[ListRow]


def news_of_player(pool: Pool, player_id: str) -> list[PlayerNews]:
    """The last lists and revisions with a player."""
    rows = ListRow.objects.filter(list__pool=pool, player_id=player_id).select_related("list")
    newest = rows.order_by("-list__number", "pk")[: 3 * MOST]
    return [PlayerNews(one, list(of)) for one, of in groupby(newest, key=attrgetter("list"))][:MOST]


def news_of_lists(pool: Pool) -> Sequence[RatingList]:
    """The last lists and revisions of a pool."""
    return list(pool.lists.order_by("-number")[:MOST])


def news_of_events(pool: Pool) -> list[EventProgress]:
    """The granted events whose state changed last."""
    rows = list(granted_events(pool).order_by("-starts", "-pk")[: 3 * MOST])
    known = [one for one in progress_of_sanctions(pool, rows) if one.since is not None]
    return sorted(known, key=lambda one: (one.since, one.event_id), reverse=True)[:MOST]
