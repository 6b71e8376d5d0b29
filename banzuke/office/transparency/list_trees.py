"""The trees of published lists: a leaf for each player, of the list's content and a commitment to the person.

Where a player has changes but no row, the list does not say who that is, and the commitment is over nothing.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from banzuke.database.models import Event, ListTree, RatingList
from banzuke.office.transparency.player_salts import known_salts, salt_of
from banzuke.transparency.list_leaves import (
    PERSON,
    Person,
    SplitContent,
    list_leaves,
    person_key,
    split_content,
)
from banzuke.transparency.merkle_tree import MerkleTree, leaf_hash
from banzuke.transparency.strict_text import HASH_BYTES

#: So many events are asked for at once, and rows fetched.
CHUNK, ROWS = 500, 10_000
NOBODY = ("",) * len(PERSON)
#: Who players are (`PERSON`), by id.
Persons = Mapping[str, tuple[str, ...]]


class TreeHashes(NamedTuple):
    """What is stored of a tree: the hashes of its leaves and the commitments, in the order of the players."""

    leaves: list[bytes]
    persons: list[bytes]

    @property
    def root(self) -> str:
        """The tree's root."""
        return tree_of_hashes(self.leaves).root().hex()

    def commitments(self, players: Iterable[str]) -> dict[str, str]:
        """The commitments by player."""
        return dict(zip(players, (person.hex() for person in self.persons), strict=True))


def make_tree(published: RatingList, content: bytes, persons: Persons) -> TreeHashes:
    """The tree of a list that has this content, stored or not yet; its players have their salts."""
    return tree_hashes(published, split_content(content), known_salts(published.pool), persons)


def store_tree(published: RatingList, tree: TreeHashes) -> None:
    """Store the tree of a list."""
    leaves, persons = map(b"".join, tree)
    ListTree.objects.create(list=published, leaves=leaves, persons=persons)


def tree_hashes(
    published: RatingList, split: SplitContent, salts: Mapping[str, bytes], persons: Persons
) -> TreeHashes:
    """The tree of a list as persons, its events and the salts give it now; without a salt, of no person."""
    commitments = commitments_of(published, split, salts, persons)
    leaves = leaf_hashes(published, split, commitments)
    return TreeHashes(leaves, [*map(bytes.fromhex, commitments.values())])


def leaf_hashes(published: RatingList, split: SplitContent, commitments: Mapping[str, str]) -> list[bytes]:
    """The hashes of a list's leaves with these commitments, as its events are called now."""
    return [leaf_hash(leaf) for leaf in list_leaves(split, commitments, event_names(published, split))]


def commitments_of(
    published: RatingList, split: SplitContent, salts: Mapping[str, bytes], persons: Persons
) -> dict[str, str]:
    """The commitments to a list's players, as these are and the salts give them now; blank without a salt."""
    found: dict[str, str] = {}
    for player in split.players:
        salt = salts.get(player)
        found[player] = (
            "" if salt is None else _person(published, salt, persons.get(player, NOBODY)).commitment
        )
    return found


def _person(published: RatingList, salt: bytes, facts: tuple[str, ...]) -> Person:
    key = person_key(salt, published.pool.slug, published.name, published.revision)
    return Person(key, facts)


def persons_of(published: RatingList, **which: str) -> dict[str, tuple[str, ...]]:
    """Who the list's players are, as its stored rows have it."""
    rows = published.rows.filter(**which).order_by().values_list("player_id", *PERSON)
    return {player: tuple(facts) for player, *facts in rows.iterator(chunk_size=ROWS)}


def event_names(published: RatingList, split: SplitContent) -> dict[str, str]:
    """The names of the events that the list's changes are of, as the book had them when it was made."""
    wanted = sorted({event for rows in split.players.values() for event in rows.events})
    found: dict[str, str] = {}
    for at in range(0, len(wanted), CHUNK):
        rows = Event.objects.filter(
            pool=published.pool_id, entry_id__lte=published.entry_id, event_id__in=wanted[at : at + CHUNK]
        )
        found |= dict(rows.order_by("pk").values_list("event_id", "name"))
    return found


def stored_hashes(published: RatingList) -> TreeHashes | None:
    """The tree that was stored with the list; None while the worker has not made that of a list of before."""
    found = ListTree.objects.filter(list=published).values_list("leaves", "persons").first()
    return None if found is None else TreeHashes(*(list(_parts(bytes(each))) for each in found))


def _parts(hashes: bytes) -> Iterator[bytes]:
    for at in range(0, len(hashes), HASH_BYTES):
        yield hashes[at : at + HASH_BYTES]


def tree_of_hashes(leaves: Iterable[bytes]) -> MerkleTree:
    """The tree of the leaves that have these hashes."""
    tree = MerkleTree()
    for each in leaves:
        tree.append_hash(each)
    return tree


def person_in(published: RatingList, player: str, commitment: str) -> Person | None:
    """What a list's commitment to a player is over, with its key; None where nobody can tell any more."""
    salt = salt_of(published.pool, player)
    if salt is None:
        return None
    person = _person(published, salt, persons_of(published, player_id=player).get(player, NOBODY))
    return person if person.commitment == commitment else None
