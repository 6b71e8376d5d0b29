"""Our trees beside those of the package pymerkle: roots, inclusion and consistency paths must be the same."""

from __future__ import annotations

import random

import pymerkle

from banzuke.transparency.merkle_tree import (
    MerkleTree,
    check_consistency,
    check_inclusion,
    leaf_hash,
    node_hash,
)

#: So many leaves and older sizes are compared at a random size.
SOME = 5


def tree_of(size):
    return MerkleTree(b"%d" % at for at in range(size))


def pymerkle_of(size):
    tree = pymerkle.InmemoryTree()
    tree.append_entries([b"%d" % at for at in range(size)])
    return tree


def rfc_consistency(theirs, old):
    """A consistency path of pymerkle as RFC 6962 has it.

    pymerkle goes down to a single leaf: the nodes before the first one of the old tree are there one node, which
    stands after that. The old root, which the checker has, is left out.
    """
    first = theirs.subset.index(1)
    nodes = theirs.path[:first]
    joined = nodes[:1]
    for bit, node in zip(theirs.rule, nodes[1:], strict=False):
        joined = [node_hash(node, joined[0]) if bit else node_hash(joined[0], node)]
    path = [theirs.path[first], *joined, *theirs.path[first + 1 :]]
    return path if old & (old - 1) else path[1:]


def compare(tree, theirs, size, indexes, olds):
    """See that root and paths are theirs, and that each path is good; how many paths of each kind."""
    root = tree.root(size)
    assert root == theirs.get_root(size)
    for index in indexes:
        path = tree.inclusion_path(index, size)
        assert path == theirs.prove_inclusion(index + 1, size).path[1:]
        check_inclusion(leaf_hash(b"%d" % index), index, size, path, root)
    for old in olds:
        path = tree.consistency_path(old, size)
        assert path == ([] if old == size else rfc_consistency(theirs.prove_consistency(old, size), old))
        check_consistency(old, size, tree.root(old), root, path)
    return len(indexes), len(olds)


def compare_all(largest):
    """Every size to the largest, with every leaf and every older size; how many roots and paths."""
    tree, theirs = tree_of(largest), pymerkle_of(largest)
    sizes = range(1, largest + 1)
    counts = [compare(tree, theirs, size, range(size), range(1, size + 1)) for size in sizes]
    return len(sizes), *map(sum, zip(*counts, strict=True))


def compare_random(largest, count, seed=6962):
    """Random sizes to the largest, with some leaves and older sizes each; how many roots and paths."""
    rng = random.Random(seed)
    tree, theirs = tree_of(largest), pymerkle_of(largest)
    counts = []
    for _ in range(count):
        size = rng.randint(1, largest)
        some = [rng.randrange(size) for _ in range(SOME)]
        counts.append(compare(tree, theirs, size, some, [at + 1 for at in some]))
    return count, *map(sum, zip(*counts, strict=True))
