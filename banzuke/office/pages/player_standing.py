"""Where a player stands: ratings over time, places, the next game, what was scored and expected of late."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db.models import Count, Sum
from django.utils.timezone import localdate

from banzuke.core import facts
from banzuke.core.facts import SPEEDS, Player, fide_number
from banzuke.core.rating import RATED
from banzuke.database.models import Line, ListFigures, ListRow, RatingList
from banzuke.database.two_names import names_here
from banzuke.office import public_names
from banzuke.office.fact_rows import standing_rows
from banzuke.office.lists.chess_lists import JUNIOR, SENIOR
from banzuke.office.pages.next_game import NextGame, next_games, player_of
from banzuke.office.pages.public_pool import PublicPool
from banzuke.office.pages.rating_states import load_states
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

    `is_current` is whether the list is the pool's last; `club_place` and `group_place` are the places among
    the player's club, and among juniors or seniors (None: none, or not to be shown).
    """

    speed: str
    row: ListRow
    list: RatingList
    is_current: bool
    players: int | None
    form: Form | None
    club_place: int | None
    group_place: int | None


class ListRatings(NamedTuple):
    """A player's rows in one list, by speed as the page has them (None: not on it)."""

    published: RatingList
    rows: list[ListRow | None]


class Identity(NamedTuple):
    """What the register says of a player that is public: the club with its name, FIDE's id, the title.

    `title_from` is where the title was read; blank where nobody said.
    """

    club_id: str = ""
    club: str = ""
    fide_id: str = ""
    title: str = ""
    title_from: str = ""


class PlayerStanding(NamedTuple):
    """A player's ratings: now at each speed, and list by list, the newest first.

    `next_games` are by speed; a pool of Go, and one whose rule book is not installed, has none. Who is shown
    by id only has none either: K tells an age, a rating that is taken over the FIDE id. `is_known` is whether
    the register has the player.
    """

    person: Person
    speeds: list[SpeedStanding]
    history: list[ListRatings]
    next_games: Mapping[str, NextGame]
    identity: Identity
    is_known: bool


def load_standing(of: PublicPool, player_id: str, who: Person | None = None) -> PlayerStanding:
    """Where a player stands, `who` if that is known already; without speeds if no list has had the player."""
    newest_first = list(of.lists)
    rows = list(ListRow.objects.filter(player_id=player_id, list__in=newest_first))
    rows.sort(key=lambda row: newest_first.index(row.list_id))
    last = {row.speed: row for row in reversed(rows)}
    speeds = sorted(last, key=_speed_order)
    counts = _players(last.values()) if rows else {}
    forms = _forms(player_id, newest_first) if rows else {}
    at_speeds = [
        SpeedStanding(
            speed,
            last[speed],
            of.lists[last[speed].list_id],
            last[speed].list_id == newest_first[0],
            counts.get((last[speed].list_id, speed)),
            forms.get(speed),
            *_places(last[speed], of.hidden),
        )
        for speed in speeds
    ]
    player = player_of(of.pool, player_id)
    person = who or _person(of, player_id, player)
    is_hidden = player_id in of.hidden
    coming = {} if is_hidden else _next_games(of, player or Player(player_id, player_id), rows)
    identity = Identity() if player is None or is_hidden else _identity(of, player)
    history = _history(of.lists.values(), rows, speeds)
    return PlayerStanding(person, at_speeds, history, coming, identity, player is not None)


def _person(of: PublicPool, player_id: str, player: Player | None) -> Person:
    """The player as the public may know them."""
    if player is None:  # of Go, or not of the register any more
        return people(of.pool, [player_id], of.hidden)[player_id]
    return public_names.person(player_id, player.name, player.name_native, of.hidden)


def _next_games(of: PublicPool, player: Player, rows: Iterable[ListRow]) -> dict[str, NextGame]:
    """A player's next game at each speed; a pool of Go tells it elsewhere."""
    if of.rules is None or of.rules.is_go:
        return {}
    states = load_states(of.pool, of.rules, player.player_id, list(of.lists.values()), rows)
    return next_games(of.pool, of.rules, player, states, localdate())


def _identity(of: PublicPool, player: Player) -> Identity:
    club = ""
    if player.club_id:
        rows = standing_rows(of.pool, facts.Club).filter(club_id=player.club_id).order_by("valid_to", "pk")
        club = names_here(rows, "club_id").get(player.club_id, player.club_id)
    has_fide_ids = of.rules is not None and of.rules.has_fide_ids
    fide_id = fide_number(player, has_fide_ids=has_fide_ids)
    return Identity(player.club_id, club, fide_id, player.title or "", player.title_from or "")


def _places(row: ListRow, hidden: frozenset[str]) -> tuple[int | None, int | None]:
    """The places in the club and among juniors or seniors; those shown by id only are in neither."""
    if row.player_id in hidden or row.rating is None:
        return None, None
    above = ListRow.objects.filter(list=row.list_id, speed=row.speed).exclude(player_id__in=hidden)
    in_club = above.filter(club_id=row.club_id, rating__gt=row.rating).count() + 1 if row.club_id else None
    of_age = row.group in (JUNIOR, SENIOR)
    return in_club, above.filter(group=row.group, place__lt=row.place).count() + 1 if of_age else None


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
