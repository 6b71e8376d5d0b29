"""The numbers of the rule books, typed anew from the documents, each with its clause."""

from __future__ import annotations

from datetime import date

import pytest

from banzuke.core.facts import Event
from banzuke.core.registry import BOOKS
from banzuke.rulebooks.jcf import jcf_2024, ncs_2022
from banzuke.rulebooks.jcf.books import JCF_2024, NCS_2022
from banzuke.words import book_words, catalogue

NCS = {
    "standard_minutes": (45, "NCS 4(6)"),
    "standard_minutes_fide": (60, "NCS 4(6)"),
    "rapid_minutes": (10, "NCS table 2"),
    "window_closes": (20, "NCS 3(3)"),
    "late_days": (90, "NCS 3(6)"),
    "correction_days": (90, "NCS 3(7)"),
    "fide_notice_months": (2, "NCS 2(3)"),
    "fee_yen": (200, "NCS 3(4)"),
    "k_normal": (20, "NCS 5(1)K"),
    "k_new": (40, "NCS 5(1)K"),
    "new_games": (18, "NCS 5(1)K"),
    "k_junior": (40, "NCS 5(1)K"),
    "junior_age": (18, "NCS 5(1)K"),
    "junior_rating": (2300, "NCS 5(1)K"),
    "k_reached": (10, "NCS 5(1)K"),
    "reached_rating": (2400, "NCS 5(1)K"),
    "limit": (400, "NCS 5(4)"),
    "floor": (400, "NCS 5(5)"),
    "first_games": (4, "NCS 6(3)"),
    "ur_counts_as": (1000, "NCS 6(4)"),
    "above_half_each": (20, "NCS 6(4)"),
    "qualified_beyond": (18, "NCS 6(3)"),
}

JCF = {
    "standard_minutes": (45, "JCF 2(2)"),
    "rapid_minutes": (10, "JCF 2(2)"),
    "apply_days": (5, "JCF 3(4)"),
    "window_closes": (20, "JCF 3(6)"),
    "late_months": (3, "JCF 3(7)"),
    "correction_days": (90, "JCF 7(3)"),
    "k_normal": (20, "JCF 5(1)K"),
    "k_new": (40, "JCF 5(1)K-new"),
    "new_games": (30, "JCF 5(1)K-new"),
    "k_junior": (40, "JCF 5(1)K-junior"),
    "junior_age": (19, "JCF 5(1)K-junior"),
    "junior_rating": (2000, "JCF 5(1)K-junior"),
    "k_reached": (10, "JCF 5(1)K-2400"),
    "reached_rating": (2400, "JCF 5(1)K-2400"),
    "limit": (400, "JCF 5(1)PD"),
    "floor": (1000, "JCF 5(3)"),
    "first_games": (6, "JCF 6(3)"),
    "first_months": (24, "JCF 6(3)"),
}


FIDE = {
    "standard_minutes": (60, "FIDE 1.1"),
    "blitz_minutes": (10, "FIDE RB 1.1.2"),
    "closing_days": (3, "FIDE 7.1.3"),
    "first_games": (5, "FIDE 7.1.4"),
    "first_months": (26, "FIDE 7.1.4"),
    "floor": (1400, "FIDE 7.2.1"),
    "drawn_with": (1800, "FIDE 8.2.2"),
    "drawn_games": (2, "FIDE 8.2.2"),
    "highest_first": (2200, "FIDE 8.2.3"),
    "limit": (400, "FIDE 8.3.1"),
    "real_difference_from": (2650, "FIDE 8.3.1"),
    "real_difference_since": (date(2025, 10, 1), "FIDE 8.3.1"),
    "k_normal": (20, "FIDE 8.3.3"),
    "k_new": (40, "FIDE 8.3.3"),
    "new_games": (30, "FIDE 8.3.3"),
    "k_junior": (40, "FIDE 8.3.3"),
    "junior_age": (18, "FIDE 8.3.3"),
    "junior_rating": (2300, "FIDE 8.3.3"),
    "k_reached": (10, "FIDE 8.3.3"),
    "reached_rating": (2400, "FIDE 8.3.3"),
    "k_times_games": (700, "FIDE 8.3.3"),
    "last_list": (3, "FIDE 9.1"),
}

HAKODATE = {
    "per_game": (400, "HCC R4"),
    "established_games": (20, "HCC R8"),
    "equal_win": (16, "HCC R9"),
    "per_cent": (4, "HCC R9"),
    "limit": (400, "HCC R10"),
    "unrated_opponent": (1500, "HCC R12"),
    "classes": (
        [
            [2400, "Senior Master"],
            [2200, "Master"],
            [2000, "Expert"],
            [1800, "A"],
            [1600, "B"],
            [1400, "C"],
            [1200, "D"],
        ],
        "HCC R12",
    ),
}

PANDANET = {
    "board_size": (19, "PN 1(5)a"),
    "least_moves": (2, "PN 1(5)b"),
    "even_komi": (13, "PN 2(2)"),
    "half_rank_komi": (1, "PN 2(2)"),
    "whole_rank_komi": (-11, "PN 2(2)"),
    "most_stones": (9, "PN 2(2)"),
    "lower_wins": ([100, 108, 116, 122, 128, 132, 136], "PN 3(1)"),
    "both_wins": (200, "PN 3(1)"),
    "widest_ranks": (3, "PN 1(5)e"),
    "multipliers": ([[50, 15], [100, 12]], "PN 3(6)"),
    "later_multiplier": (10, "PN 3(6)"),
    "flat": (50, "PN 7(2)"),
    "bonus_below": (17, "PN 7(2)e"),
    "bc_wins": (5, "PN 5(2)"),
    "certifying_games": (20, "PN 6(1)"),
    "review_every": (5, "PN 6(2)"),
    "zone_width": (400, "PN 4(2)"),
    "zone_slack": (200, "PN 4(2)"),
    "zone_start": (200, "PN 4(2)"),
    "beyond_table_a_rank": (4, "PN 6(1)"),
    "most_expected": (98, "PN 6(1)"),
}
PRINTED = {
    "ncs-2022": NCS,
    "jcf-2024": JCF,
    "fide-2024": FIDE,
    "hakodate": HAKODATE,
    "pandanet": PANDANET,
}


@pytest.mark.parametrize("name", PRINTED)
def test_the_numbers_as_printed(name):
    found = {each.name: (each.value, each.clause) for each in BOOKS[name].parameters.values()}
    assert found == PRINTED[name]


def test_where_each_speaks_of_a_matter():
    """The same words for the same matter, and for each a clause of that document."""
    ncs, jcf = (book_words(BOOKS[name])["matters"] for name in ("ncs-2022", "jcf-2024"))
    assert ncs.keys() - jcf.keys() == {"undeclared", "fees"}
    assert jcf.keys() - ncs.keys() == {"apply", "k-new-rule"}
    for name, matters in {"ncs-2022": ncs, "jcf-2024": jcf}.items():
        assert set(matters.values()) <= BOOKS[name].register.keys()
    spoken = {matter for book in BOOKS.values() for matter in book_words(book).get("matters", {})}
    assert spoken == set(catalogue("matters"))


def test_the_clauses_that_explanations_and_pages_cite():
    assert ncs_2022.CITES == {
        "floor": "NCS 5(5)",
        "limit": "NCS 5(4)",
        "sum": "NCS 5(2)",
        "list": "NCS 3(3)",
        "inquiry": "NCS 3(7)",
        "clubs": "NCS 2(1)",
        "fide-notice": "NCS 2(3)",
        "name": "NCS 4(3)",
        "newcomer": "NCS 4(5)",
        "seeds": "NCS 4(8)",
        "qualified": "NCS 6(3)",
        "against-unrated": "NCS 6(3)",
    }
    assert jcf_2024.CITES == {
        "floor": "JCF 5(3)",
        "limit": "JCF 5(1)PD",
        "sum": "JCF 5(2)",
        "list": "JCF 3(6)",
        "inquiry": "JCF 7(3)",
        "clubs": "JCF 3(3)",
        "application": "JCF 3(4)",
        "name": "JCF note 4",
        "newcomer": "JCF 4(3)b",
    }


def test_every_finding_of_an_edition_names_its_own_clauses():
    """What a report lacks is said with the clauses of the edition that rates it."""
    bare = Event("E", "", date(2025, 3, 8), date(2025, 3, 9), date(2025, 3, 12), fide_rated=True)
    for book in (NCS_2022, JCF_2024):
        found = [
            *book.checks.warnings(bare, []),
            *book.checks.name("sato, keiko"),
            *book.checks.newcomer("", None),
        ]
        assert len(found) == 5
        assert {str(one.facts["clause"]).partition(" ")[0] for one in found} == {book.prefix}


def test_the_change_of_jcf_is_changed_in_its_own_file(monkeypatch):
    monkeypatch.setattr(jcf_2024, "change", lambda score, percent, k: k)
    assert JCF_2024.calculator.change(1600, 1800, 2, 20).hundredths == 20
    assert NCS_2022.calculator.change(1600, 1800, 2, 20).hundredths == 1520
