"""What an officer says of all newcomers of an event: that they join, and whence their first ratings are."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from banzuke.core import facts
from banzuke.core.facts import Membership
from banzuke.exchange.player_identities import ADDED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from banzuke.core.facts import Player
    from banzuke.office.inbox.review_findings import EventReview

#: The FIDE rating that a member brings, by the speed of the event whose report names it.
TAKEN_OVER = {facts.STANDARD: "fide_standard", facts.RAPID: "fide_rapid", facts.BLITZ: "fide_blitz"}


def memberships(looked: EventReview) -> Iterator[Membership]:
    """The annual memberships of an event's newcomers, from its first day on, where they join."""
    if looked.event is not None and looked.joined:
        first = looked.event.starts
        for match in looked.matches:
            if match.how == ADDED:
                yield Membership(match.player_id, facts.ANNUAL, first, _year_after(first))


def _year_after(first: date) -> date:
    """The last day of a year from that day on."""
    is_leap_day = (first.month, first.day) == (2, 29)
    next_year = date(first.year + 1, 3, 1) if is_leap_day else first.replace(year=first.year + 1)
    return next_year - timedelta(days=1)


def with_ratings(added: dict[str, Player], looked: EventReview) -> None:
    """Give an event's newcomers the ratings of the report, where those are FIDE's."""
    if looked.event is not None and looked.rated:
        for match in looked.matches:
            if match.how == ADDED and match.reported.rating:
                rating: dict[str, Any] = {
                    TAKEN_OVER[looked.event.speed or facts.STANDARD]: match.reported.rating
                }
                added[match.player_id] = added[match.player_id]._replace(**rating)
