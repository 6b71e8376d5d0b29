"""Of whom a list can show the best: juniors, women, seniors, the clubs."""

from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from banzuke.core.rounding import rounded
from banzuke.database.models import ListRow, RatingList
from banzuke.exchange.list_files import WOMAN
from banzuke.office.lists.chess_lists import JUNIOR, SENIOR

#: So many at the top of a list are looked at: who has nobody among them has no top list.
LOOKED_AT = 1_000
#: So many of a club's best make its strength.
TEAM = 4
#: So many lists' clubs are kept at once by each process.
KEPT = 8
KEPT_GROUPS = 500


class Groups(NamedTuple):
    """Which top lists there are of a list at a speed."""

    juniors: bool
    women: bool
    seniors: bool
    clubs: bool


class ClubStanding(NamedTuple):
    """A club in a list: its players, the best of them, and its strength.

    `strength` is the mean rating of the best four; None: it has fewer.
    """

    club_id: str
    players: int
    best: ListRow
    strength: int | None


def groups_of(published: RatingList, speed: str, hidden: frozenset[str]) -> Groups:
    """The top lists in which somebody would be, of those who are named."""
    return _groups(published.pk, published.published_at, speed, hidden)


@lru_cache(maxsize=KEPT_GROUPS)
def _groups(list_id: int, _at: datetime, speed: str, hidden: frozenset[str]) -> Groups:
    top = ListRow.objects.filter(list=list_id, speed=speed).order_by("place", "player_id")[:LOOKED_AT]
    rows = top.values_list("player_id", "group", "sex", "club_id")
    known = [row[1:] for row in rows if row[0] not in hidden]
    groups = {group for group, _, _ in known}
    return Groups(
        JUNIOR in groups,
        any(sex.lower() in WOMAN for _, sex, _ in known),
        SENIOR in groups,
        any(club for _, _, club in known),
    )


def club_standings(published: RatingList, speed: str, hidden: frozenset[str]) -> list[ClubStanding]:
    """The clubs of a list, the strongest first, then those with fewer players by their best one."""
    counted = _counted(published.pk, published.published_at, speed, hidden)
    best = published.rows.filter(speed=speed, player_id__in=[club.best for club in counted])
    rows = {row.player_id: row for row in best}
    return [
        ClubStanding(club.club_id, club.players, rows[club.best], club.strength)
        for club in counted
        if club.best in rows
    ]


class _Counted(NamedTuple):
    club_id: str
    players: int
    best: str
    rating: int
    strength: int | None


@lru_cache(maxsize=KEPT)
def _counted(list_id: int, _at: datetime, speed: str, hidden: frozenset[str]) -> list[_Counted]:
    """The clubs by strength: one query the first time, then none; a list never changes."""
    rows = ListRow.objects.filter(list=list_id, speed=speed, rating__isnull=False)
    ranked = rows.order_by("place", "player_id").values_list("club_id", "player_id", "rating")
    clubs = _by_club(row for row in ranked.iterator(chunk_size=10_000) if row[0] and row[1] not in hidden)
    return sorted(clubs, key=lambda club: (-(club.strength or 0), -club.rating, club.club_id))


def _by_club(ranked: Iterable[tuple[str, str, int | None]]) -> list[_Counted]:
    best: dict[str, str] = {}
    ratings: dict[str, list[int]] = {}
    for club, player, rating in ranked:
        best.setdefault(club, player)
        ratings.setdefault(club, []).append(rating or 0)
    return [
        _Counted(club, len(found), best[club], found[0], _strength(found[:TEAM]))
        for club, found in ratings.items()
    ]


def _strength(ratings: list[int]) -> int | None:
    return rounded(sum(ratings), TEAM) if len(ratings) == TEAM else None
