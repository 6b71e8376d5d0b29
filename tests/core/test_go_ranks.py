"""Go ranks by name, and the half ranks that number them."""

from __future__ import annotations

import pytest

from banzuke.core.go_facts import BEGINNERS, HALF_OF, HALF_RANKS, rank_name

#: Every half rank as the server writes it, lowest first.
WRITTEN = [f"{n}k{plus}" for n in range(17, 0, -1) for plus in ("", "+")] + [
    f"{n}d{plus}" for n in range(1, 10) for plus in ("", "+")
]


class TestRankNames:
    def test_all_of_them_in_order(self):
        assert [rank_name(half) for half in range(HALF_RANKS)] == WRITTEN

    def test_there_are_52(self):
        assert HALF_RANKS == len(WRITTEN) == 52

    @pytest.mark.parametrize(
        ("half", "name"), [(0, "17k"), (1, "17k+"), (33, "1k+"), (34, "1d"), (50, "9d"), (51, "9d+")]
    )
    def test_borders(self, half, name):
        assert rank_name(half) == name

    def test_names_lead_back_to_numbers(self):
        assert {name: number for number, name in enumerate(WRITTEN)} == HALF_OF

    def test_what_is_no_half_rank(self):
        assert not {BEGINNERS, "18k", "10d", "0k", "5k?", "3p"} & HALF_OF.keys()
