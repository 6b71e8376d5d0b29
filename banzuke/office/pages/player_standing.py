"""Where a player stands: ratings over time, the K, what was scored and expected of late."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db.models import Count, Sum

from banzuke.core.facts import SPEEDS
from banzuke.core.rating import RATED, Coefficient
from banzuke.database.models import Line, ListFigures, ListRow, Pool, RatingList
from banzuke.office.lists import list_index
from banzuke.office.public_names import Person, people

#: Form is measured over so many of the last lists.
FORM_LISTS = 12


class Form(NamedTuple):
    """What a player scored (half points) and was expected to (hundredths), in so many games and lists."""

    lists: int
    games: int
    score: int
    expected: int

    @property
    def over(self) -> int:
        """How much more was scored than expected, in hundredths of a point."""
        return 50 * self.score - self.expected


class SpeedStanding(NamedTuple):
    """A player's standing at one speed: the row in the last list that has the player, and of how many.

    `k` is that of the last rated game, in `k_list`, None where no game had one; `is_current` whether the
    list is the pool's last.
    """

    speed: str
    row: ListRow
    list: RatingList
    is_current: bool
    players: int | None
    k: Coefficient | None
    form: Form | None
    k_list: RatingList | None


class ListRatings(NamedTuple):
    """A player's rows in one list, by speed as the page has them (None: not on it)."""

    published: RatingList
    rows: list[ListRow | None]


class PlayerStanding(NamedTuple):
    """A player's ratings: now at each speed, and list by list, the newest first."""

    person: Person
    speeds: list[SpeedStanding]
    history: list[ListRatings]


def load_standing(pool: Pool, player_id: str, who: Person | None = None) -> PlayerStanding:
    """Where a player stands, `who` if that is known already; without speeds if no list has had the player."""
    person = who or people(pool, [player_id])[player_id]
    lists = {published.pk: published for published in list_index.current_lists(pool)}
    newest_first = list(lists)
    rows = list(ListRow.objects.filter(player_id=player_id, list__in=lists))
    if not rows:
        return PlayerStanding(person, [], [])
    rows.sort(key=lambda row: newest_first.index(row.list_id))
    last = {row.speed: row for row in reversed(rows)}
    speeds = sorted(last, key=_speed_order)
    counts = _players(last.values())
    forms = _forms(player_id, newest_first)
    ks = _coefficients(player_id, newest_first, speeds)
    at_speeds = [
        SpeedStanding(
            speed,
            last[speed],
            lists[last[speed].list_id],
            last[speed].list_id == newest_first[0],
            counts.get((last[speed].list_id, speed)),
            coefficient,
            forms.get(speed),
            lists.get(k_list),
        )
        for speed in speeds
        for coefficient, k_list in [ks.get(speed, (None, 0))]
    ]
    return PlayerStanding(person, at_speeds, _history(lists.values(), rows, speeds))


def _history(
    lists: Iterable[RatingList], rows: Iterable[ListRow], speeds: Sequence[str]
) -> list[ListRatings]:
    on = {(row.list_id, row.speed): row for row in rows}
    found = [
        ListRatings(published, [on.get((published.pk, speed)) for speed in speeds]) for published in lists
    ]
    return [one for one in found if any(one.rows)]


def _speed_order(speed: str) -> int:
    return SPEEDS.index(speed) if speed in SPEEDS else len(SPEEDS)


def _players(rows: Iterable[ListRow]) -> dict[tuple[int, str], int]:
    """How many players those lists have at each speed, as counted when they were published."""
    counted = ListFigures.objects.filter(list__in={row.list_id for row in rows})
    return {(one.list_id, one.speed): one.figures["players"] for one in counted}


def _coefficients(
    player_id: str, lists: Sequence[int], speeds: Sequence[str]
) -> dict[str, tuple[Coefficient, int]]:
    """The K of the player's last rated game at each speed, with its list; `lists` are numbers."""
    lines = Line.objects.filter(player_id=player_id, list__in=lists, k__isnull=False)
    found = {}
    for speed in speeds:
        line = lines.filter(speed=speed).order_by("-list__closes", "-list__name", "-position").first()
        if line is not None and line.k is not None:
            found[speed] = Coefficient(line.k, line.k_why, line.k_clause), line.list_id
    return found


def _forms(player_id: str, lists: Sequence[int]) -> dict[str, Form]:
    """What the player scored and was expected to over the last lists with rated games, by speed."""
    lines = Line.objects.filter(player_id=player_id, list__in=lists, verdict=RATED, expected__isnull=False)
    sums = lines.values("list", "speed").annotate(n=Count("pk"), s=Sum("score"), e=Sum("expected")).order_by()
    found: dict[str, Form] = {}
    for row in sorted(sums, key=lambda row: lists.index(row["list"])):
        form = found.get(row["speed"], Form(0, 0, 0, 0))
        if form.lists < FORM_LISTS:
            found[row["speed"]] = Form(
                form.lists + 1, form.games + row["n"], form.score + row["s"], form.expected + row["e"]
            )
    return found
