"""A published list a page at a time: sorted by any column, filtered, however long the list is.

A page begins after a player of the one before, where the index of its column is entered; nothing is counted
and nothing skipped, so the last page takes as long as the first.
"""

from collections.abc import Iterator
from typing import NamedTuple

from django.db.models import Q, QuerySet

from banzuke.database.models import ListRow, RatingList
from banzuke.exchange.list_files import MAN, WOMAN
from banzuke.office import player_search
from banzuke.office.lists.chess_lists import GROUPS
from banzuke.office.player_titles import title_holders

PAGE = 100
#: The columns that a list is sorted by. The highest rating is the first place.
COLUMNS = {
    "place": "place",
    "rating": "place",
    "id": "player_id",
    "name": "name",
    "club": "club_id",
    "change": "change",
    "games": "games",
    "peak": "peak",
}
SEXES = {"f": WOMAN, "m": MAN}
#: Columns that say something of players who are shown by id only; these stand at their end.
_TELLING = frozenset(("name", "club"))
#: Columns that are blank for some players, who stand at their end.
_BLANK = frozenset(("change", "peak"))


class PageRequest(NamedTuple):
    """Which part of a list is wanted. `sort` is a column, the last first with `-`; blank: not asked for.

    `after` or `before` is the player beside whom the page begins or ends, `last` the list's end, `place` a
    place to begin at.
    """

    sort: str = "place"
    typed: str = ""
    club: str = ""
    group: str = ""
    sex: str = ""
    active: str = ""
    title: str = ""
    after: str = ""
    before: str = ""
    last: bool = False
    place: int | None = None

    @property
    def goes_back(self) -> bool:
        """Whether the page is read from its end."""
        return bool(self.before) or self.last


class Page(NamedTuple):
    """The rows of a page, and whether others come before and after them."""

    rows: list[ListRow]
    has_before: bool
    has_after: bool


class _Order(NamedTuple):
    """A column's order; `last` says which rows stand at its end (None: none do)."""

    column: str
    is_down: bool
    last: Q | None


def load_page(published: RatingList, speed: str, asked: PageRequest, hidden: frozenset[str]) -> Page:
    """A page of one speed of a list, as asked; beside a player who is not on it, the first or the last."""
    every = published.rows.filter(speed=speed)
    beside = asked.after or asked.before
    at = every.filter(player_id=beside).first() if beside else None
    parts = _parts(_filtered(every, published, asked, hidden), _order(asked.sort, hidden), at, asked)
    rows = _first(parts, every, PAGE + 1)
    has_more, rows = len(rows) > PAGE, rows[:PAGE]
    if asked.goes_back:
        return Page(rows[::-1], has_more, at is not None)
    return Page(rows, at is not None, has_more)


def _order(sort: str, hidden: frozenset[str]) -> _Order:
    name = sort.removeprefix("-")
    column = COLUMNS.get(name, "place")
    last = None
    if name in _TELLING and hidden:
        last = Q(player_id__in=hidden)
    elif name in _BLANK:
        last = Q(**{f"{column}__isnull": True})
    return _Order(column, sort.startswith("-") != (name == "rating"), last)


def _filtered(
    rows: QuerySet[ListRow], published: RatingList, asked: PageRequest, hidden: frozenset[str]
) -> QuerySet[ListRow]:
    if asked.club or asked.group or asked.sex or asked.title:
        rows = rows.exclude(player_id__in=hidden) if hidden else rows
    if asked.club:
        rows = rows.filter(club_id=asked.club)
    if asked.group in GROUPS:
        rows = rows.filter(group=asked.group)
    if asked.sex in SEXES:
        rows = rows.filter(sex__in=[way for word in SEXES[asked.sex] for way in (word, word.upper())])
    if asked.title:
        rows = rows.filter(player_id__in=title_holders(published.pool).values("player_id"))
    if asked.active:
        rows = rows.filter(active=asked.active == "yes")
    if asked.place is not None:
        rows = rows.filter(place__gte=asked.place)
    if not asked.typed:
        return rows
    return player_search.find_rows(rows, published.pool, asked.typed, hidden)


def _parts(
    rows: QuerySet[ListRow], order: _Order, at: ListRow | None, asked: PageRequest
) -> Iterator[QuerySet[ListRow]]:
    """The rows from where the page begins, in runs that each follow the column's index."""
    sign, beyond = ("-", "lt") if order.is_down != asked.goes_back else ("", "gt")
    by_id = f"{sign}player_id"
    given = rows if order.last is None else rows.filter(~order.last)
    given = given.order_by(f"{sign}{order.column}", by_id)
    at_end = [] if order.last is None else [rows.filter(order.last).order_by(by_id)]
    if at is None:
        yield from [*at_end, given] if asked.goes_back else [given, *at_end]
        return
    further = Q(**{f"player_id__{beyond}": at.player_id})
    if at_end and rows.model.objects.filter(order.last, pk=at.pk).exists():
        yield at_end[0].filter(further)
        yield from [given] if asked.goes_back else []
        return
    value = getattr(at, order.column)
    yield given.filter(further, **{order.column: value}).order_by(by_id)
    yield given.filter(**{f"{order.column}__{beyond}": value})
    yield from [] if asked.goes_back else at_end


def _first(parts: Iterator[QuerySet[ListRow]], every: QuerySet[ListRow], count: int) -> list[ListRow]:
    """The first rows of the parts: whose they are, as the column's index knows alone, and then the rows."""
    players: list[str] = []
    for part in parts:
        players += part.values_list("player_id", flat=True)[: count - len(players)]
        if len(players) == count:
            break
    found = {row.player_id: row for row in every.filter(player_id__in=players)}
    return [found[player] for player in players]
