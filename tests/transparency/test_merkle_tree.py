"""Trees of hashes: RFC 6962's own words, the package pymerkle, and what no tree may prove."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples
from pymerkle_trees import compare, compare_all, compare_random, pymerkle_of, tree_of

from banzuke.transparency.merkle_tree import (
    EMPTY_ROOT,
    MerkleTree,
    check_consistency,
    check_inclusion,
    grown_root,
    leaf_hash,
    node_hash,
)
from banzuke.transparency.proof_error import ProofError

#: Leaves and roots of the reference implementation of Certificate Transparency.
LEAVES = [bytes.fromhex(leaf) for leaf in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")]  # fmt: skip
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def rfc_root(leaves):
    """MTH of section 2.1, word for word."""
    if not leaves:
        return EMPTY_ROOT
    if len(leaves) == 1:
        return leaf_hash(leaves[0])
    k = rfc_split(len(leaves))
    return node_hash(rfc_root(leaves[:k]), rfc_root(leaves[k:]))


def rfc_split(n):
    return max(1 << power for power in range(n.bit_length()) if 1 << power < n)


def rfc_path(m, leaves):
    """PATH of section 2.1.1."""
    if len(leaves) == 1:
        return []
    k = rfc_split(len(leaves))
    if m < k:
        return [*rfc_path(m, leaves[:k]), rfc_root(leaves[k:])]
    return [*rfc_path(m - k, leaves[k:]), rfc_root(leaves[:k])]


def rfc_subproof(m, leaves, whole):
    """SUBPROOF of section 2.1.2."""
    if m == len(leaves):
        return [] if whole else [rfc_root(leaves)]
    k = rfc_split(len(leaves))
    if m <= k:
        return [*rfc_subproof(m, leaves[:k], whole), rfc_root(leaves[k:])]
    return [*rfc_subproof(m - k, leaves[k:], False), rfc_root(leaves[:k])]


class TestByTheRfc:
    def test_roots_of_certificate_transparency(self):
        tree = MerkleTree(LEAVES)
        assert [tree.root(size).hex() for size in range(9)] == ROOTS

    def test_the_paths_drawn_in_section_2_1_3(self):
        leaves = [bytes([at]) for at in range(7)]
        a, b, c, d, e, f, j = map(leaf_hash, leaves)
        g, h, i = node_hash(a, b), node_hash(c, d), node_hash(e, f)
        k, l = node_hash(g, h), node_hash(i, j)  # noqa: E741 - the drawing's letters
        tree = MerkleTree(leaves)
        assert tree.root() == node_hash(k, l)
        assert [tree.inclusion_path(at) for at in (0, 3, 4, 6)] == [[b, h, l], [c, g, l], [f, j, k], [i, k]]
        assert tree.consistency_path(3) == [c, d, g, l]
        assert tree.consistency_path(4) == [l]
        assert tree.consistency_path(6) == [i, j, k]

    @pytest.mark.parametrize("size", range(1, 34))
    def test_every_path_is_that_of_its_definitions(self, size):
        leaves = [b"%d" % at for at in range(size)]
        tree = MerkleTree(leaves)
        assert tree.root() == rfc_root(leaves)
        assert [tree.inclusion_path(at) for at in range(size)] == [rfc_path(at, leaves) for at in range(size)]
        wanted = [rfc_subproof(old, leaves, True) for old in range(1, size + 1)]
        assert [tree.consistency_path(old) for old in range(1, size + 1)] == wanted


class TestByPymerkle:
    def test_every_size_to_40_with_every_leaf_and_every_older_size(self):
        assert compare_all(40) == (40, 820, 820)

    @pytest.mark.parametrize("size", [100, 255, 256, 257, 299, 300])
    def test_some_sizes(self, size):
        compare(tree_of(size), pymerkle_of(size), size, range(size), range(1, size + 1))

    def test_random_sizes(self):
        compare_random(3_000, 20)

    @pytest.mark.slow
    def test_every_size_to_300_with_every_leaf_and_every_older_size(self):
        assert compare_all(300) == (300, 45_150, 45_150)

    @pytest.mark.slow
    def test_random_sizes_to_100_000(self):
        compare_random(100_000, 300)


class TestProperties:
    @settings(max_examples=examples(400))
    @given(st.integers(1, 400), st.data())
    def test_a_tree_is_what_it_was_when_it_was_smaller(self, size, data):
        tree, at = tree_of(size), data.draw(st.integers(0, size))
        assert tree.root(at) == tree_of(at).root()

    @settings(max_examples=examples(400))
    @given(st.integers(1, 200), st.data())
    def test_a_leaf_is_at_its_place_alone(self, size, data):
        tree = tree_of(size)
        index = data.draw(st.integers(0, size - 1))
        path = tree.inclusion_path(index)
        check_inclusion(leaf_hash(b"%d" % index), index, size, path, tree.root())
        for other in {*range(-1, size + 1)} - {index}:
            with pytest.raises(ProofError):
                check_inclusion(leaf_hash(b"%d" % index), other, size, path, tree.root())

    @settings(max_examples=examples(400))
    @given(st.integers(0, 120), st.integers(0, 120), st.data())
    def test_what_was_changed_or_taken_out_is_found(self, old, added, data):
        new = old + added
        tree = tree_of(new)
        path, roots = tree.consistency_path(old, new), (tree.root(old), tree.root(new))
        check_consistency(old, new, *roots, path)
        entries = [leaf_hash(b"%d" % at) for at in range(old, new)]
        assert grown_root(old, new, roots[0], path, entries) == roots[1]
        if not old:
            return
        place = data.draw(st.integers(0, old - 1))
        changed = MerkleTree(b"x" if at == place else b"%d" % at for at in range(new))
        with pytest.raises(ProofError):
            check_consistency(old, new, roots[0], changed.root(), changed.consistency_path(old, new))

    @settings(max_examples=examples(400))
    @given(st.integers(1, 100), st.integers(1, 100), st.data())
    def test_a_path_has_its_length(self, old, added, data):
        tree = tree_of(old + added)
        path = tree.consistency_path(old)
        other = data.draw(st.sampled_from([path[:-1], path[1:], [*path, path[-1]], [], path[::-1]]))
        if other == path:
            return
        with pytest.raises(ProofError):
            check_consistency(old, tree.size, tree.root(old), tree.root(), other)

    def test_entries_in_place_of_others_give_another_root(self):
        tree = tree_of(9)
        path = tree.consistency_path(5)
        entries = [leaf_hash(b"%d" % at) for at in (5, 6, 8, 7)]
        assert grown_root(5, 9, tree.root(5), path, entries) != tree.root()


class TestTheEdges:
    def test_an_empty_tree_is_the_beginning_of_all(self):
        check_consistency(0, 0, EMPTY_ROOT, EMPTY_ROOT, [])
        check_consistency(0, 3, EMPTY_ROOT, tree_of(3).root(), [])
        for old, new, roots, path in [
            (0, 3, (tree_of(1).root(), tree_of(3).root()), []),
            (0, 3, (EMPTY_ROOT, tree_of(3).root()), [EMPTY_ROOT]),
            (0, 0, (EMPTY_ROOT, tree_of(3).root()), []),
            (3, 3, (tree_of(3).root(), tree_of(2).root()), []),
            (3, 2, (tree_of(3).root(), tree_of(2).root()), []),
            (-1, -1, (EMPTY_ROOT, EMPTY_ROOT), []),
        ]:
            with pytest.raises(ProofError):
                check_consistency(old, new, *roots, path)

    def test_what_there_is_not_is_not_asked_for(self):
        tree = tree_of(3)
        for ask in (lambda: tree.root(4), lambda: tree.inclusion_path(3), lambda: tree.inclusion_path(-1),
                    lambda: tree.inclusion_path(2, 2), lambda: tree.consistency_path(4), lambda: tree.consistency_path(1, 9)):  # fmt: skip
            with pytest.raises(IndexError):
                ask()
