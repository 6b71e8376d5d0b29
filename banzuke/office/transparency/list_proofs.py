"""What a published list can be held to: its entry in the log, and a player's proof."""

from banzuke.database.models import LogEntry, RatingList
from banzuke.office.transparency.list_contents import content_of
from banzuke.office.transparency.list_trees import (
    TreeHashes,
    event_names,
    person_in,
    stored_hashes,
    tree_of_hashes,
)
from banzuke.office.transparency.log_checkpoints import signed_log
from banzuke.transparency.list_leaves import SplitContent, list_leaves, split_content
from banzuke.transparency.merkle_tree import leaf_hash
from banzuke.transparency.player_proofs import LeafPlace, LogPlace, player_proof


def entry_of(published: RatingList) -> LogEntry | None:
    """The list's entry in the log; None while the worker has not made that of a list of before."""
    return LogEntry.objects.filter(list=published).first()


def proof_of(published: RatingList, player: str, *, is_named: bool) -> bytes | None:
    """A player's proof; None where the list has nothing of that player, or is not in the log yet.

    `is_named`: the proof says who the player is. Raises RefusedError where the log cannot be signed.
    """
    entry, found = entry_of(published), _parts(published)
    if entry is None or found is None or player not in found[0].players:
        return None
    split, hashes = found
    place = list(split.players).index(player)
    commitments = hashes.commitments(split.players)
    alone = split._replace(players={player: split.players[player]})
    (leaf,) = list_leaves(alone, commitments, event_names(published, alone))
    if leaf_hash(leaf) != hashes.leaves[place]:  # the name of an event in it was erased
        return None
    log = signed_log()
    return player_proof(
        entry.body,
        LogPlace(entry.number, log.tree.inclusion_path(entry.number, log.size), log.note),
        leaf,
        LeafPlace(place, tree_of_hashes(hashes.leaves).inclusion_path(place)),
        person_in(published, player, commitments[player]) if is_named else None,
    )


def _parts(published: RatingList) -> tuple[SplitContent, TreeHashes] | None:
    content, hashes = content_of(published), stored_hashes(published)
    return None if content is None or hashes is None else (split_content(content), hashes)
