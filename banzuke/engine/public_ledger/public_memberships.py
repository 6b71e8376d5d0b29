"""Stand-ins for memberships: whoever was a member on the days on which a list asked is one on these days.

A stand-in lasts as long as an event, or from the first to the last of the days in it that were asked; its
kind is the one that the event's rule book takes for a single event, if it knows such. So neither the true
days nor the true kinds are found. Where lists of one event knew different corrections, a stand-in is added
and struck on the days from which those lists know no more.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from banzuke.core.batch import Register
from banzuke.core.facts import ANNUAL, ONE_EVENT, Event, Membership, Player
from banzuke.engine.public_ledger.published_events import PublishedEvent


class _Asked(NamedTuple):
    """What a list asked of a player's membership in an event: the days, and on which there was none."""

    event: Event
    kind: str
    known: date
    days: list[date]
    missing: set[date]


class PublicMemberships:
    """Collects what the published lists asked of memberships, and makes stand-ins of it."""

    def __init__(self) -> None:
        self._asked: dict[str, list[_Asked]] = defaultdict(list)

    def note(self, published: PublishedEvent) -> None:
        """What an event asks of those who play in it."""
        is_member, register, event = published.book.is_member, published.register, published.event
        if is_member is None:
            return
        kind = _kind(published)
        for player, games in published.games_by_player().items():
            days = sorted({game.played or event.starts for game in games})
            missing = {day for day in days if not is_member(register, player, event, day)}
            self._asked[player].append(_Asked(event, kind, published.known, days, missing))

    def rows(self) -> Iterator[Membership]:
        """The stand-ins, by player."""
        for player, asked in sorted(self._asked.items()):
            yield from _rows(player, asked)


def _kind(published: PublishedEvent) -> str:
    """The kind of membership that the event's book takes for that event alone; else it is an annual one."""
    event, is_member = published.event, published.book.is_member
    only = Register({"": Player("", "")}, {}, {("", event.event_id): ((event.starts, event.ends),)})
    return ONE_EVENT if is_member and is_member(only, "", event, event.starts) else ANNUAL


def _rows(player: str, asked: Sequence[_Asked]) -> Iterator[Membership]:
    """The stand-ins of a player, each once."""
    rows = [row for one in asked for row in _of_event(player, one, asked)]
    return iter(dict.fromkeys(rows))


def _of_event(player: str, one: _Asked, asked: Sequence[_Asked]) -> Iterator[Membership]:
    """The stand-ins for an event: of its own days, or of fewer if the player was no member on one of them."""
    others = [
        other
        for other in asked
        if other.missing and (one.kind == ANNUAL or other.event.event_id == one.event.event_id)
    ]
    own = sorted({day for other in others if other.known == one.known for day in other.missing})
    later = {other.known for other in others if other.known != one.known}
    present = [day for day in one.days if day not in one.missing]
    if not present:
        return
    missing = {day for other in others for day in other.missing}
    if not any(one.event.starts <= day <= one.event.ends for day in missing):
        yield _row(player, one, one.event.starts, one.event.ends)
        return
    for first, last in _runs(present, own):
        row = _row(player, one, first, last)
        if any(first <= day <= last for other in others if other.known != one.known for day in other.missing):
            earlier = max((known for known in later if known < one.known), default=None)
            is_last = all(known < one.known for known in later)
            row = row._replace(added=earlier, struck=None if is_last else one.known)
        yield row


def _row(player: str, one: _Asked, first: date, last: date) -> Membership:
    return Membership(player, one.kind, first, last, one.event.event_id if one.kind == ONE_EVENT else "")


def _runs(present: Iterable[date], missing: Sequence[date]) -> Iterator[tuple[date, date]]:
    """The first and the last of the days between which none is missing."""
    runs: dict[int, list[date]] = defaultdict(list)
    for day in present:
        runs[bisect_left(missing, day)].append(day)
    return ((days[0], days[-1]) for days in runs.values())
