"""The numbers of the two Japanese editions, typed anew from the documents, each with its clause."""

from __future__ import annotations

from banzuke.rulebooks.editions import FIGURES, SUBJECTS

from banzuke.rulebooks.jcf import jcf_2024, ncs_2022

NCS = {
    "standard-minutes": (45, "NCS 4(6)"),
    "standard-minutes-fide": (60, "NCS 4(6)"),
    "rapid-minutes": (10, "NCS table 2"),
    "window-closes": (20, "NCS 3(3)"),
    "late-days": (90, "NCS 3(6)"),
    "correction-days": (90, "NCS 3(7)"),
    "fide-notice-months": (2, "NCS 2(3)"),
    "fee-yen": (200, "NCS 3(4)"),
    "k-normal": (20, "NCS 5(1)K"),
    "k-new": (40, "NCS 5(1)K"),
    "k-new-games": (18, "NCS 5(1)K"),
    "k-junior": (40, "NCS 5(1)K"),
    "k-junior-age": (18, "NCS 5(1)K"),
    "k-junior-rating": (2300, "NCS 5(1)K"),
    "k-ever": (10, "NCS 5(1)K"),
    "k-ever-rating": (2400, "NCS 5(1)K"),
    "limit": (400, "NCS 5(4)"),
    "floor": (400, "NCS 5(5)"),
    "first-games": (4, "NCS 6(3)"),
    "ur-counts-as": (1000, "NCS 6(4)"),
    "qualified-beyond": (18, "NCS 6(3)"),
}

JCF = {
    "standard-minutes": (45, "JCF 2(2)"),
    "rapid-minutes": (10, "JCF 2(2)"),
    "apply-days": (5, "JCF 3(4)"),
    "window-closes": (20, "JCF 3(6)"),
    "late-months": (3, "JCF 3(7)"),
    "correction-days": (90, "JCF 7(3)"),
    "k-normal": (20, "JCF 5(1)K"),
    "k-new": (40, "JCF 5(1)K-new"),
    "k-new-games": (30, "JCF 5(1)K-new"),
    "k-junior": (40, "JCF 5(1)K-junior"),
    "k-junior-age": (19, "JCF 5(1)K-junior"),
    "k-junior-rating": (2000, "JCF 5(1)K-junior"),
    "k-ever": (10, "JCF 5(1)K-2400"),
    "k-ever-rating": (2400, "JCF 5(1)K-2400"),
    "limit": (400, "JCF 5(1)PD"),
    "floor": (1000, "JCF 5(3)"),
    "first-games": (6, "JCF 6(3)"),
    "first-months": (24, "JCF 6(3)"),
}


def test_the_numbers_as_printed():
    assert {ncs_2022: NCS, jcf_2024: JCF} == FIGURES


def test_where_each_speaks_of_a_matter():
    """The same words for the same matter, and for each a clause of that document."""
    ncs, jcf = SUBJECTS[ncs_2022], SUBJECTS[jcf_2024]
    assert ncs.keys() - jcf.keys() == {"undeclared", "fees"}
    assert jcf.keys() - ncs.keys() == {"apply", "k-new-rule"}
    for module, subjects in SUBJECTS.items():
        assert set(subjects.values()) <= module.REGISTER.keys()


def test_the_clauses_that_explanations_cite():
    assert ncs_2022.CITES == {
        "floor": "NCS 5(5)",
        "limit": "NCS 5(4)",
        "sum": "NCS 5(2)",
        "list": "NCS 3(3)",
        "qualified": "NCS 6(3)",
        "against-unrated": "NCS 6(3)",
    }
    assert jcf_2024.CITES == {
        "floor": "JCF 5(3)",
        "limit": "JCF 5(1)PD",
        "sum": "JCF 5(2)",
        "list": "JCF 3(6)",
    }
