"""A club as everybody may see it: its members on the newest list, and its events."""

from typing import NamedTuple

from banzuke.core import facts
from banzuke.database.models import Club, Event, ListRow, Pool, RatingList
from banzuke.office.fact_rows import standing_rows
from banzuke.office.lists import list_index

#: So many members at each speed, and so many events, the last first.
MOST_MEMBERS, MOST_EVENTS = 500, 50


class MembersAtSpeed(NamedTuple):
    """A club's members on the newest list at one speed, by place."""

    speed: str
    rows: list[ListRow]


class ClubPage(NamedTuple):
    """A club as it is registered last; `published` is the newest list, None before the first."""

    club: Club
    published: RatingList | None
    members: list[MembersAtSpeed]
    events: list[Event]


def load_club(pool: Pool, club_id: str, hidden: frozenset[str]) -> ClubPage | None:
    """What the public may know of a club, None where there is none; who is shown by id only is no member."""
    club = standing_rows(pool, facts.Club).filter(club_id=club_id).order_by("valid_to", "pk").last()
    if club is None:
        return None
    newest = list_index.latest_list(pool)
    members = [] if newest is None else _members(newest, club_id, hidden)
    events = standing_rows(pool, facts.Event).filter(organiser=club_id).order_by("-ends", "-event_id")
    return ClubPage(club, newest, members, list(events[:MOST_EVENTS]))


def _members(newest: RatingList, club_id: str, hidden: frozenset[str]) -> list[MembersAtSpeed]:
    rows = newest.rows.filter(club_id=club_id).exclude(player_id__in=hidden)
    found = []
    for speed in newest.speeds:
        at_speed = list(rows.filter(speed=speed).order_by("place", "player_id")[:MOST_MEMBERS])
        found += [MembersAtSpeed(speed, at_speed)] if at_speed else []
    return found
