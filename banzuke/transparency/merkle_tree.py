"""Trees of hashes as RFC 6962, section 2.1, has them (SHA-256), and the proofs that are taken from them.

An inclusion path proves that a leaf stands at its place in a tree; a consistency path proves that a tree
begins with the leaves of an older one, in their order.
"""

import hashlib
from collections.abc import Iterable, Sequence

from banzuke.transparency.proof_error import ProofError

#: The root of the tree without a leaf.
EMPTY_ROOT = hashlib.sha256(b"").digest()


def leaf_hash(leaf: bytes) -> bytes:
    """The hash of a leaf."""
    return hashlib.sha256(b"\0" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of two subtrees as one."""
    return hashlib.sha256(b"\1" + left + right).digest()


class MerkleTree:
    """A tree that leaves are appended to; it also answers for itself as it was when it had fewer leaves."""

    def __init__(self, leaves: Iterable[bytes] = ()) -> None:
        #: By height, the hashes of the complete subtrees, from the left.
        self._levels: list[list[bytes]] = [[]]
        for leaf in leaves:
            self.append(leaf)

    @property
    def size(self) -> int:
        """How many leaves it has."""
        return len(self._levels[0])

    def append(self, leaf: bytes) -> None:
        """Add a leaf at the end."""
        self.append_hash(leaf_hash(leaf))

    def append_hash(self, added: bytes) -> None:
        """Add a leaf of which only the hash is known."""
        level = self._levels[0]
        level.append(added)
        height = 0
        while len(level) % 2 == 0:
            height += 1
            if height == len(self._levels):
                self._levels.append([])
            self._levels[height].append(node_hash(level[-2], level[-1]))
            level = self._levels[height]

    def root(self, size: int | None = None) -> bytes:
        """The root of the tree of its first leaves (None: of all)."""
        return self._hash_of(0, self._known(size))

    def inclusion_path(self, index: int, size: int | None = None) -> list[bytes]:
        """The path from the leaf at a place to the root of the tree of the first leaves."""
        end = self._known(size)
        if not 0 <= index < end:
            raise IndexError(index)
        start, path = 0, []
        while end - start > 1:
            middle = start + _left_leaves(end - start)
            if index < middle:
                path.append(self._hash_of(middle, end))
                end = middle
            else:
                path.append(self._hash_of(start, middle))
                start = middle
        return path[::-1]

    def consistency_path(self, old: int, new: int | None = None) -> list[bytes]:
        """The path that proves the tree of `new` leaves to begin with that of `old` leaves.

        It is empty where the two are one, and where the old one has no leaf.
        """
        end = self._known(new)
        if not 0 <= old <= end:
            raise IndexError(old)
        if old in (0, end):
            return []
        start, path = 0, []
        while old != end:
            middle = start + _left_leaves(end - start)
            if old <= middle:
                path.append(self._hash_of(middle, end))
                end = middle
            else:
                path.append(self._hash_of(start, middle))
                start = middle
        if start:  # else the checker has it: it is the old root
            path.append(self._hash_of(start, end))
        return path[::-1]

    def _known(self, size: int | None) -> int:
        if size is None:
            return self.size
        if not 0 <= size <= self.size:
            raise IndexError(size)
        return size

    def _hash_of(self, start: int, end: int) -> bytes:
        """The hash over the leaves from `start` to `end`, where a subtree of their number may begin."""
        if start == end:
            return EMPTY_ROOT
        return joined(self._peaks(start, end))

    def _peaks(self, start: int, end: int) -> list[bytes]:
        peaks = []
        while start < end:
            height = (end - start).bit_length() - 1
            peaks.append(self._levels[height][start >> height])
            start += 1 << height
        return peaks


def joined(peaks: Sequence[bytes]) -> bytes:
    """The root over complete subtrees in a row, the largest first."""
    if not peaks:
        return EMPTY_ROOT
    root = peaks[-1]
    for peak in reversed(peaks[:-1]):
        root = node_hash(peak, root)
    return root


def _left_leaves(leaves: int) -> int:
    """How many of two leaves or more stand on the left: the largest power of two below their number."""
    return 1 << ((leaves - 1).bit_length() - 1)


def check_inclusion(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> None:
    """Check that the leaf of that hash stands at its place in the tree of that size and root.

    Raises ProofError.
    """
    sides = _sides(index, size - 1)
    if not 0 <= index < size or len(sides) != len(path):
        raise ProofError("not-included")
    found = leaf
    for sibling, is_left in zip(path, sides, strict=True):
        found = node_hash(sibling, found) if is_left else node_hash(found, sibling)
    if found != root:
        raise ProofError("not-included")


def check_consistency(old: int, new: int, old_root: bytes, new_root: bytes, path: Sequence[bytes]) -> None:
    """Check that the tree of `new` leaves begins with the tree of `old` leaves. Raises ProofError."""
    if not 0 < old < new:
        roots = (EMPTY_ROOT if old == 0 else new_root, EMPTY_ROOT if new == 0 else new_root)
        if old not in (0, new) or new < 0 or path or (old_root, new_root) != roots:
            raise ProofError("not-consistent")
        return
    first, nodes, sides = _nodes(old, new, old_root, path)
    was = found = first
    for node, is_left in zip(nodes, sides, strict=True):
        was = node_hash(node, was) if is_left else was
        found = node_hash(node, found) if is_left else node_hash(found, node)
    if (was, found) != (old_root, new_root):
        raise ProofError("not-consistent")


def grown_root(old: int, new: int, old_root: bytes, path: Sequence[bytes], added: Iterable[bytes]) -> bytes:
    """The root of an old tree once leaves of these hashes stand after its own.

    The consistency path, which must be checked, tells of which subtrees the old tree is made. Raises
    ProofError where it is too short or too long.
    """
    first, nodes, sides = _nodes(old, new, old_root, path) if 0 < old < new else (old_root, (), ())
    peaks = (
        [first, *(node for node, is_left in zip(nodes, sides, strict=True) if is_left)][::-1] if old else []
    )
    size = old
    for leaf in added:
        peaks.append(leaf)
        size += 1
        for _ in range((size & -size).bit_length() - 1):
            peaks[-2:] = [node_hash(*peaks[-2:])]
    return joined(peaks)


def _nodes(
    old: int, new: int, old_root: bytes, path: Sequence[bytes]
) -> tuple[bytes, Sequence[bytes], Sequence[bool]]:
    """A consistency path: the old tree's smallest complete subtree, and the nodes above with their sides."""
    smallest = (old & -old).bit_length() - 1
    is_one = old == 1 << smallest
    sides = _sides((old - 1) >> smallest, (new - 1) >> smallest)
    if len(path) != len(sides) + (not is_one):
        raise ProofError("not-consistent")
    return (old_root, path, sides) if is_one else (path[0], path[1:], sides)


def _sides(place: int, last: int) -> list[bool]:
    """For each node beside the way from a place to the root, whether it stands on the left.

    `last` is the last place.
    """
    sides = []
    while last > 0:
        if place % 2 or place < last:
            sides.append(place % 2 == 1)
        place, last = place >> 1, last >> 1
    return sides
