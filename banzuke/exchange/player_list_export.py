"""A rating list as the player lists of other programs: FIDE's layout, and Swiss-Manager's national list.

The id is the pool's own, so that a report made with the list brings it back; in FIDE's layout there is no
other place for it. Games and K are left out: FIDE's mean other things. A club's ratings stand as standard
ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from banzuke.core.facts import STANDARD
from banzuke.core.fault import RefusedError, fault
from banzuke.formats.fide.fide_player import FidePlayer
from banzuke.formats.lists.rating_list import Ranking
from banzuke.formats.swiss_manager.national_list import NationalPlayer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from banzuke.formats.lists.rating_list import Listed, ListedPlayer, RatingList

#: What registers write for a woman, and for a man.
WOMAN, MAN = frozenset(("f", "w", "女")), frozenset(("m", "男"))


def fide_players(listed: Listed, federation: str) -> Iterator[FidePlayer]:
    """The list's players for FIDE's layout; the year of birth where the list has the day.

    Raises RefusedError for a Go ranking.
    """
    listed = _ratings(listed)
    for player in listed.players:
        sex = player.sex.lower()
        ratings = _by_speed(listed, player)
        yield FidePlayer(
            player.player_id,
            player.name,
            federation,
            "F" if sex in WOMAN else "M" if sex in MAN else "",
            standard=ratings.get(STANDARD),
            rapid=ratings.get("rapid"),
            blitz=ratings.get("blitz"),
            birth_year=player.birth_date.year if player.birth_date else None,
        )


def national_players(listed: Listed, speed: str, federation: str) -> Iterator[NationalPlayer]:
    """The list's players for Swiss-Manager, with their ratings at one speed; 0 for those without one.

    Raises RefusedError for a Go ranking, and a speed at which the list has no ratings.
    """
    listed = _ratings(listed)
    speeds = [known or STANDARD for known in listed.speeds]
    if speed not in speeds:
        facts = {"speed": speed, "speeds": ", ".join(speeds)}
        raise RefusedError([fault(listed.name, 0, "", "export-speed", **facts)])
    for player in listed.players:
        born = player.birth_date
        yield NationalPlayer(
            player.player_id,
            player.name,
            sex="w" if player.sex.lower() in WOMAN else "",
            federation=federation,
            club_name=player.club,
            birthday=f"{born.day}/{born.month}/{born.year}" if born else "",
            rating=_by_speed(listed, player).get(speed) or 0,
            fide_no=player.fide_id,
        )


def _ratings(listed: Listed) -> RatingList:
    if isinstance(listed, Ranking):
        raise RefusedError([fault(listed.name, 0, "", "export-go")])
    return listed


def _by_speed(listed: RatingList, player: ListedPlayer) -> dict[str, int]:
    ratings = zip(listed.speeds, player.ratings, strict=True)
    return {speed or STANDARD: rating.rating for speed, rating in ratings if rating is not None}
