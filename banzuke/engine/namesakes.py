"""Players under two ids who share a name: one person entered twice, or two persons."""

from collections.abc import Collection, Iterable, Iterator

from banzuke.core.facts import Player
from banzuke.core.fault import Fault, fault
from banzuke.ledger.likely_ids import comparable_name

#: How many players of one name a remark tells apart.
MOST_TOLD = 5


def namesake_warnings(players: Iterable[Player], among: Collection[str] | None = None) -> list[Fault]:
    """A remark for each name that several ids share; `among` are the ids one of which must be of them."""
    wanted = None if among is None else set(among)
    return [
        fault(
            "players.csv",
            0,
            shared[-1].player_id,
            "warn-namesake",
            name=shared[-1].name,
            players=_told(shared),
        )
        for shared in _sharing(players)
        if wanted is None or not wanted.isdisjoint(player.player_id for player in shared)
    ]


def _sharing(players: Iterable[Player]) -> Iterator[list[Player]]:
    """The players of each shared name, in the order of the table; each company once."""
    first: dict[str, Player] = {}
    bearers: dict[str, dict[str, Player]] = {}
    for player in players:
        for name in (player.name, player.name_native) if player.struck is None else ():
            if not (plain := comparable_name(name)):
                continue
            other = first.setdefault(plain, player)
            if other.player_id != player.player_id:
                bearers.setdefault(plain, {other.player_id: other})[player.player_id] = player
    seen: set[frozenset[str]] = set()
    for plain, found in bearers.items():
        ids = frozenset(found)
        if ids not in seen and not _are_told_apart(plain, found.values()):
            seen.add(ids)
            yield list(found.values())


def _are_told_apart(name: str, players: Collection[Player]) -> bool:
    """Whether each of the players has a native name, and none the same, under the name that they share."""
    natives = {comparable_name(player.name_native) for player in players}
    return len(natives) == len(players) and not natives & {"", name}


def _told(players: list[Player]) -> str:
    """The ids with what tells the players apart: birth dates and clubs, where they have different ones."""
    shown = players[:MOST_TOLD]
    facts = [(str(player.birth_date or ""), player.club_id) for player in shown]
    differing = [len(set(column)) > 1 for column in zip(*facts, strict=True)]
    said = []
    for player, of_player in zip(shown, facts, strict=True):
        details = ", ".join(
            fact for fact, differs in zip(of_player, differing, strict=True) if fact and differs
        )
        said.append(f"{player.player_id} ({details})" if details else player.player_id)
    return ", ".join(said) + (", ..." if len(players) > len(shown) else "")
