"""What a correction changed, as everybody may know it: games, events; of members only that something did."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.db.models import QuerySet

from banzuke.core import facts
from banzuke.database.book_reader import MODELS
from banzuke.database.models import Entry, RatingList, Strike
from banzuke.database.two_names import name_here, names_here
from banzuke.office.fact_rows import TABLES
from banzuke.office.lists.corrections import ACT
from banzuke.office.public_names import Person, people

#: What stands before the result of a game that was played, but is not for the ratings.
UNRATED = "u"
#: The length of a forfeit's result, `+/-`; a draw's `1/2-1/2` is longer.
FORFEIT = 3


class GameChange(NamedTuple):
    """A game that was corrected; `before` or `after` is None for one that was added or struck.

    Both results are White's and Black's of now; `is_turned` is whether the players had each other's colours.
    """

    event_id: str
    event: str
    round: int
    white: Person
    black: Person
    before: str | None
    after: str | None
    is_turned: bool


class EventChange(NamedTuple):
    """An event that was corrected (`stands`), or struck."""

    event_id: str
    event: str
    stands: bool


class RevisionChanges(NamedTuple):
    """What led to a revision; `has_members` is whether entries of members or memberships changed."""

    games: list[GameChange]
    events: list[EventChange]
    has_members: bool

    @property
    def is_known(self) -> bool:
        """Whether anything can be said."""
        return bool(self.games or self.events or self.has_members)


NOTHING = RevisionChanges([], [], has_members=False)
#: So many games at most are named.
NAMED = 50


def changes_of(published: RatingList) -> RevisionChanges:
    """What the correction changed that led to this revision; nothing where it had another cause."""
    if not published.revision or published.entry.act != ACT:
        return NOTHING
    entry = published.entry
    events = _events(entry)
    gone = {each.event_id for each in events if not each.stands}
    of_members = (facts.Player, facts.Membership)
    has_members = any(_struck(entry, record) or _added(entry, record) for record in of_members)
    return RevisionChanges(_games(entry, gone), events, has_members)


def _rows(record: Any) -> QuerySet[Any]:
    return QuerySet(MODELS[record])


def _struck(entry: Entry, record: Any) -> list[Any]:
    numbers = Strike.objects.filter(entry=entry, table=TABLES[record].name).values("row")
    return list(_rows(record).filter(pk__in=numbers).order_by("pk"))


def _added(entry: Entry, record: Any) -> list[Any]:
    return list(_rows(record).filter(entry=entry).order_by("pk"))


def _events(entry: Entry) -> list[EventChange]:
    after = {row.event_id: name_here(row.name, row.name_native) for row in _added(entry, facts.Event)}
    before = {row.event_id: name_here(row.name, row.name_native) for row in _struck(entry, facts.Event)}
    return [EventChange(id_, name or id_, id_ in after) for id_, name in sorted((before | after).items())]


def _games(entry: Entry, gone: set[str]) -> list[GameChange]:
    """The games by event and round, but those of events that were struck whole."""
    before, after = _by_key(_struck(entry, facts.Game)), _by_key(_added(entry, facts.Game))
    keys = sorted(key for key in before.keys() | after.keys() if key[0] not in gone)[:NAMED]
    events = _names(entry, {key[0] for key in keys})
    persons = people(entry.pool, {player for key in keys for player in key[2:]})
    return [_game(before.get(key), after.get(key), events, persons) for key in keys]


def _by_key(games: Iterable[Any]) -> dict[tuple[Any, ...], Any]:
    return {(row.event_id, row.round, *sorted((row.white, row.black))): row for row in games}


def _game(old: Any, new: Any, events: dict[str, str], persons: dict[str, Person]) -> GameChange:
    row = new or old
    is_turned = bool(old and new) and old.white != new.white
    before = old and (_turned(old.result) if is_turned else old.result)
    players = persons[row.white], persons[row.black]
    name = events[row.event_id]
    return GameChange(row.event_id, name, row.round, *players, before, new and new.result, is_turned)


def _turned(result: str) -> str:
    """A result as the other side sees it: `1-0` is `0-1`, `u1-0` is `u0-1`."""
    mark = UNRATED if result.startswith(UNRATED) else ""
    bare = result.removeprefix(UNRATED)
    between = "/" if bare[1] == "/" and len(bare) == FORFEIT else "-"
    one, _, other = bare.partition(between)
    return f"{mark}{other}{between}{one}"


def _names(entry: Entry, wanted: Iterable[str]) -> dict[str, str]:
    rows = _rows(facts.Event).filter(pool=entry.pool, event_id__in=wanted).order_by("pk")
    names = names_here(rows, "event_id")
    return {event: names.get(event) or event for event in wanted}
