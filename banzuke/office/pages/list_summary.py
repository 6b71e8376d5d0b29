"""The latest list at a glance: who leads, who moved most, who is new."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from banzuke.office.lists import list_index
from banzuke.office.public_names import by_id_only, person

if TYPE_CHECKING:
    from collections.abc import Iterable

    from banzuke.database.models import ListRow, Pool, RatingList
    from banzuke.words import Language

#: So many at the top, and of each kind beside it.
TOP, BESIDE = 10, 5
#: Of more who are new than these, by id, nobody is looked at: on a first list everybody is.
NEW = 1_000
_PLACE = attrgetter("place")


class Shown(NamedTuple):
    """A row of a list, and what the player is called: in the page's language, and in the other script."""

    row: ListRow
    called: str
    also: str

    @property
    def is_by_id_only(self) -> bool:
        """Whether nothing but the id is public; nobody is called by his id otherwise."""
        return self.called == self.row.player_id


class Summary(NamedTuple):
    """One speed of the latest list."""

    published: RatingList
    speed: str
    top: list[Shown]
    risen: list[Shown]
    fallen: list[Shown]
    new: list[Shown]


def shown(rows: Iterable[ListRow], hidden: frozenset[str], lang: Language) -> list[Shown]:
    """Rows with what the public calls their players."""
    found = []
    for row in rows:
        who = person(row.player_id, row.name, row.name_native, hidden)
        found.append(Shown(row, who.called(lang), who.also(lang)))
    return found


def summaries(pool: Pool, lang: Language) -> list[Summary]:
    """The latest list, by speed; nothing before the first."""
    latest = list_index.latest(pool)
    if latest is None:
        return []
    hidden = by_id_only(pool)
    return [_glance(latest, speed, hidden, lang) for speed in latest.speeds]


def _glance(latest: RatingList, speed: str, hidden: frozenset[str], lang: Language) -> Summary:
    rows = latest.rows.filter(speed=speed)
    by_change = rows.filter(change__isnull=False)
    new = rows.filter(change__isnull=True, rating__isnull=False, peak__isnull=False)
    return Summary(
        latest,
        speed,
        shown(rows.order_by("place", "player_id")[:TOP], hidden, lang),
        shown(by_change.filter(change__gt=0).order_by("-change", "-player_id")[:BESIDE], hidden, lang),
        shown(by_change.filter(change__lt=0).order_by("change", "player_id")[:BESIDE], hidden, lang),
        shown(sorted(new.order_by("player_id")[:NEW], key=_PLACE)[:BESIDE], hidden, lang),
    )
