"""The latest list at a glance: who leads, who moved most, who is new."""

from collections.abc import Iterable
from operator import attrgetter
from typing import NamedTuple

from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import ChessBook
from banzuke.database.models import ListRow, Pool, RatingList
from banzuke.office.lists import list_index
from banzuke.office.public_names import by_id_only, person
from banzuke.words import Language, column_title

#: So many at the top, and of each kind beside it.
TOP, BESIDE = 10, 5
#: So many new players at most are looked at, by id: on a first list all players are new.
NEW = 1_000
_PLACE = attrgetter("place")


class NamedRow(NamedTuple):
    """A row of a list, and what the player is called: in the page's language, and in the other script."""

    row: ListRow
    called: str
    also: str

    @property
    def is_by_id_only(self) -> bool:
        """Whether nothing but the id is public; players are called by their id in no other case."""
        return self.called == self.row.player_id


class Summary(NamedTuple):
    """One speed of the latest list."""

    published: RatingList
    speed: str
    top: list[NamedRow]
    risen: list[NamedRow]
    fallen: list[NamedRow]
    new: list[NamedRow]

    @property
    def movers(self) -> list[NamedRow]:
        """Who moved most, from the highest rise to the deepest fall."""
        return [*self.risen, *reversed(self.fallen)]

    @property
    def most(self) -> int:
        """The longest way that anybody moved."""
        return max((abs(one.row.change or 0) for one in self.movers), default=0)


def name_rows(rows: Iterable[ListRow], hidden: frozenset[str], lang: Language) -> list[NamedRow]:
    """Rows with what the public calls their players."""
    found = []
    for row in rows:
        who = person(row.player_id, row.name, row.name_native, hidden)
        found.append(NamedRow(row, who.called(lang), who.also(lang)))
    return found


def added_columns(published: RatingList, lang: Language) -> dict[str, str]:
    """The columns that the list's rule book adds, and what they are called."""
    book = BOOKS.get(published.rulebook)
    if not isinstance(book, ChessBook):
        return {}
    return {column.name: column_title(book, column.name, lang) for column in book.columns.lists}


def summaries(pool: Pool, lang: Language) -> list[Summary]:
    """The latest list, by speed, as far as it has players; nothing before the first."""
    latest = list_index.latest_list(pool)
    if latest is None:
        return []
    hidden = by_id_only(pool)
    return [_glance(latest, speed, hidden, lang) for speed in latest.speeds_with_players]


def _glance(latest: RatingList, speed: str, hidden: frozenset[str], lang: Language) -> Summary:
    rows = latest.rows.filter(speed=speed)
    by_change = rows.filter(change__isnull=False)
    new = rows.filter(change__isnull=True, rating__isnull=False, peak__isnull=False)
    return Summary(
        latest,
        speed,
        name_rows(rows.order_by("place", "player_id")[:TOP], hidden, lang),
        name_rows(by_change.filter(change__gt=0).order_by("-change", "-player_id")[:BESIDE], hidden, lang),
        name_rows(by_change.filter(change__lt=0).order_by("change", "player_id")[:BESIDE], hidden, lang),
        name_rows(sorted(new.order_by("player_id")[:NEW], key=_PLACE)[:BESIDE], hidden, lang),
    )
