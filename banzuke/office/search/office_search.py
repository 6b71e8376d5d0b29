"""One search of a pool or of all pools: players, events, clubs and lists."""

from typing import NamedTuple

from banzuke.database.models import Pool, RatingList
from banzuke.office.register import clubs
from banzuke.office.search.found_clubs import FoundClub, find_clubs
from banzuke.office.search.found_events import FoundEvents, find_events
from banzuke.office.search.found_lists import find_lists
from banzuke.office.search.found_players import FoundPlayers, find_players
from banzuke.office.search.search_index import find_unindexed

#: More signs than anybody types: what stands after them is not read.
LONGEST = 100


class Most(NamedTuple):
    """How many are wanted of each kind at most."""

    players: int = 20
    others: int = 10


#: What stands under a field while somebody types, and of each pool where all are searched.
FEW = Most(6, 4)


class Found(NamedTuple):
    """What was found in a pool; `clubs_of` names the clubs of its players.

    `is_behind`: the index is being filled, and not everything is found yet.
    """

    pool: Pool
    players: FoundPlayers
    events: FoundEvents
    clubs: list[FoundClub]
    lists: list[RatingList]
    clubs_of: dict[str, str]
    is_behind: bool

    @property
    def amount(self) -> int:
        """How many are shown, near ones too."""
        players = len(self.players.exact) + len(self.players.near)
        events = len(self.events.exact) + len(self.events.near)
        return players + events + len(self.clubs) + len(self.lists)


def cleaned(typed: str) -> str:
    """What was typed, as far as it is read: so many signs, one blank between words, no control characters."""
    plain = "".join(sign if sign.isprintable() else " " for sign in typed[:LONGEST])
    return " ".join(plain.split())


def search_pool(pool: Pool, typed: str, most: Most) -> Found:
    """What a pool has that is meant by what was typed (`cleaned`, not blank)."""
    names, unindexed = clubs.names(pool), find_unindexed(pool)
    return Found(
        pool,
        find_players(pool, typed, most.players, unindexed.players),
        find_events(pool, typed, most.others, unindexed.events),
        find_clubs(clubs.both_names(pool), typed, most.others),
        find_lists(pool, typed, most.others),
        names,
        unindexed.is_behind,
    )


def search_all(typed: str, most: Most) -> list[Found]:
    """What each pool has, by the pools' words; those that have nothing are left out."""
    found = (search_pool(pool, typed, most) for pool in Pool.objects.order_by("slug"))
    return [each for each in found if each.amount or each.is_behind]
