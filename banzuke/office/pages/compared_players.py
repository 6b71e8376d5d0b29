"""The players of a comparison of two lists with their names, a page at a time or all of them."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from banzuke.database.models import ListRow, RatingList
from banzuke.office.lists.list_comparison import Comparison, Movement
from banzuke.office.public_names import Person, person

MOVED, CAME, LEFT = "moved", "came", "left"
#: Who is asked for: who moved, who is new, who is no longer there.
PARTS = (MOVED, CAME, LEFT)
#: The orders of those who moved: the highest rise first, the deepest fall first, the longest way first.
ORDERS: dict[str, Callable[[Movement], tuple[int, str]]] = {
    "up": lambda each: (-each.size, each.player_id),
    "down": lambda each: (each.size, each.player_id),
    "most": lambda each: (-abs(each.size), each.player_id),
}
#: So many rows are asked for at once.
CHUNK = 500


class ComparedPlayer(NamedTuple):
    """A player with the rows of both lists (None: not there); `size` is how far up, None: not in both."""

    person: Person
    earlier: ListRow | None
    later: ListRow | None
    size: int | None

    @property
    def is_by_id_only(self) -> bool:
        """Whether nothing but the id is public."""
        return not self.person.name


def part_of(found: Comparison, part: str, order: str) -> Sequence[Movement | str]:
    """Who moved in that order, or the ids of who came or left."""
    if part == CAME:
        return found.came
    if part == LEFT:
        return found.left
    moved: list[Movement] = found.moved if order == "up" else sorted(found.moved, key=ORDERS[order])
    return moved


def load_players(
    lists: tuple[RatingList, RatingList],
    speed: str,
    wanted: Sequence[Movement | str],
    hidden: frozenset[str],
) -> list[ComparedPlayer]:
    """Those players with their rows and names."""
    ids = [each.player_id if isinstance(each, Movement) else each for each in wanted]
    before, after = (_rows(published, speed, ids) for published in lists)
    sizes = {each.player_id: each.size for each in wanted if isinstance(each, Movement)}
    found = []
    for player in ids:
        row = after.get(player) or before[player]
        who = person(player, row.name, row.name_native, hidden)
        found.append(ComparedPlayer(who, before.get(player), after.get(player), sizes.get(player)))
    return found


def _rows(published: RatingList, speed: str, ids: list[str]) -> dict[str, ListRow]:
    rows = published.rows.filter(speed=speed)
    chunks = (ids[at : at + CHUNK] for at in range(0, len(ids), CHUNK))
    return {row.player_id: row for chunk in chunks for row in rows.filter(player_id__in=chunk)}
