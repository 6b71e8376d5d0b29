"""Reported players beside the members whom they may be: what the register has of each, and what differs.

For officers alone: birth years are among it.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from banzuke.core import facts
from banzuke.database.models import Player, Pool
from banzuke.exchange.name_likeness import normal_form
from banzuke.formats.report import ReportedPlayer
from banzuke.office.fact_rows import standing_rows
from banzuke.office.inbox.review_findings import Review
from banzuke.office.register import clubs

#: What can differ, in the order in which it is shown; of the report's club and the member's federation
#: nothing is known.
NAME, NATIVE, BORN, SEX, CLUB, FEDERATION, ID, FIDE_ID = TRAITS = (
    "name", "name_native", "born", "sex", "club", "federation", "player_id", "fide_id",
)  # fmt: skip


class PlayerTraits(NamedTuple):
    """What is known of somebody, blank where nothing is; `differing` is what a report has otherwise."""

    name: str = ""
    name_native: str = ""
    born: str = ""
    sex: str = ""
    club: str = ""
    federation: str = ""
    player_id: str = ""
    fide_id: str = ""
    differing: frozenset[str] = frozenset()

    def differs_from(self, reported: "PlayerTraits") -> "PlayerTraits":
        """The same, with what differs from a report, as far as both have it."""
        pairs = [(name, getattr(self, name), getattr(reported, name)) for name in TRAITS]
        found = {name for name, own, given in pairs if own and given and not _is_same(name, own, given)}
        return self._replace(differing=frozenset(found))


def _is_same(name: str, own: str, given: str) -> bool:
    """Whether two traits say the same: names in any spelling and order."""
    if name in (NAME, NATIVE):
        return sorted(normal_form(own)) == sorted(normal_form(given))
    return own == given


def traits_of_report(player: ReportedPlayer) -> PlayerTraits:
    """What a report says of a player."""
    born = str(player.birth_date.year) if player.birth_date else ""
    return PlayerTraits(
        player.name, player.name_native, born, player.sex,
        federation=player.federation, player_id=player.national_id, fide_id=player.fide_id,
    )  # fmt: skip


def candidate_traits(pool: Pool, review: Review) -> dict[str, PlayerTraits]:
    """What the register has of every member whom somebody in a report may be, by id."""
    ids = {one.player_id for player in review.undecided for one in player.candidates}
    return member_traits(pool, ids) if ids else {}


def member_traits(pool: Pool, ids: Iterable[str]) -> dict[str, PlayerTraits]:
    """What the register has of members, by id."""
    names, rows = clubs.names(pool), standing_rows(pool, facts.Player).filter(player_id__in=list(ids))
    return {row.player_id: _traits(row, names) for row in rows}


def _traits(row: Player, club_names: Mapping[str, str]) -> PlayerTraits:
    born = str(row.birth_date.year) if row.birth_date else ""
    club = club_names.get(row.club_id, row.club_id)
    return PlayerTraits(row.name, row.name_native, born, row.sex, club, "", row.player_id, row.fide_id)
