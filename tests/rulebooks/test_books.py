"""The five rule books by name, and what their families have in common."""

from __future__ import annotations

import pytest
from making import day, event

from banzuke.rulebooks import BOOKS, Family, fide_2024, hakodate, jcf_2024, ncs_2022, pandanet


@pytest.mark.parametrize(
    ("name", "prefix", "family", "module"),
    [
        ("ncs-2022", "NCS", Family.MONTH, ncs_2022),
        ("jcf-2024", "JCF", Family.MONTH, jcf_2024),
        ("hakodate", "HCC", Family.CLUB, hakodate),
        ("pandanet", "PN", Family.GO, pandanet),
        ("fide-2024", "FIDE", Family.FIDE, fide_2024),
    ],
)
def test_a_book(name, prefix, family, module):
    assert BOOKS[name][:5] == (name, prefix, family, module, module.Settings)


def test_there_are_five():
    assert len(BOOKS) == 5


@pytest.mark.parametrize(
    ("family", "speeds"),
    [
        (Family.MONTH, ("standard", "rapid")),
        (Family.FIDE, ("standard", "rapid", "blitz")),
        (Family.CLUB, ("",)),
        (Family.GO, ("",)),
    ],
)
def test_the_speeds_of_a_family(family, speeds):
    assert family.speeds == speeds


class TestTheDayThatDecidesTheEdition:
    """The window's last day; for a club the event's own."""

    @pytest.mark.parametrize(
        ("reported", "decides"), [("2024-09-20", "2024-09-20"), ("2024-09-21", "2024-10-20")]
    )
    def test_ncs_and_jcf(self, reported, decides):
        made = event(starts="2024-09-01", reported=reported)
        assert Family.MONTH.deciding_day(made) == day(decides)

    @pytest.mark.parametrize(
        ("ends", "decides"), [("2025-10-25", "2025-10-29"), ("2025-10-30", "2025-11-28")]
    )
    def test_fide(self, ends, decides):
        assert Family.FIDE.deciding_day(event(starts="2025-10-20", ends=ends)) == day(decides)

    def test_a_club(self):
        made = event(starts="2024-06-01", ends="2024-06-03", reported="2024-08-01")
        assert Family.CLUB.deciding_day(made) == day("2024-06-03")
