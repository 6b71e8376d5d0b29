"""What two editions of one document are compared by: their numbers, and where each speaks of a matter.

A number is the rule module's own constant, with its clause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from banzuke.rulebooks import jcf_2024, ncs_2022, ncs_fees
from banzuke.rulebooks.fide_tables import LIMIT

if TYPE_CHECKING:
    from collections.abc import Mapping

#: The numbers of ncs-2022 by name, each with its clause.
NCS_FIGURES: Mapping[str, tuple[object, str]] = {
    "standard-minutes": (ncs_2022.STANDARD_MINUTES_DOMESTIC, "NCS 4(6)"),
    "standard-minutes-fide": (ncs_2022.STANDARD_MINUTES, "NCS 4(6)"),
    "rapid-minutes": (ncs_2022.RAPID_MINUTES, "NCS table 2"),
    "window-closes": (ncs_2022.WINDOW_CLOSES, "NCS 3(3)"),
    "late-days": (ncs_2022.LATE_AFTER_DAYS, "NCS 3(6)"),
    "correction-days": (ncs_2022.CORRECTION_DAYS, "NCS 3(7)"),
    "fide-notice-months": (ncs_2022.FIDE_NOTICE_MONTHS, "NCS 2(3)"),
    "fee-yen": (ncs_fees.FEE_YEN, "NCS 3(4)"),
    "k-normal": (ncs_2022.K_NORMAL, "NCS 5(1)K"),
    "k-new": (ncs_2022.K_NEW, "NCS 5(1)K"),
    "k-new-games": (ncs_2022.NEW_GAMES, "NCS 5(1)K"),
    "k-junior": (ncs_2022.K_JUNIOR, "NCS 5(1)K"),
    "k-junior-age": (ncs_2022.JUNIOR_AGE, "NCS 5(1)K"),
    "k-junior-rating": (ncs_2022.JUNIOR_RATING, "NCS 5(1)K"),
    "k-ever": (ncs_2022.K_EVER_2400, "NCS 5(1)K"),
    "k-ever-rating": (ncs_2022.EVER, "NCS 5(1)K"),
    "limit": (LIMIT, "NCS 5(4)"),
    "floor": (ncs_2022.FLOOR, "NCS 5(5)"),
    "first-games": (ncs_2022.FIRST_GAMES, "NCS 6(3)"),
    "ur-counts-as": (ncs_2022.UR_COUNTS_AS, "NCS 6(4)"),
    "qualified-beyond": (ncs_2022.QUALIFIED_BEYOND, "NCS 6(3)"),
}

#: Where ncs-2022 speaks of a matter.
NCS_SUBJECTS: Mapping[str, str] = {
    "speeds": "NCS 4(6)",
    "undeclared": "NCS 4(7)",
    "organisers": "NCS 2(1)",
    "members": "NCS 2(2)",
    "window": "NCS 3(3)",
    "late": "NCS 3(6)",
    "fees": "NCS 3(4)",
    "ruling": "NCS 7(2)",
    "corrections": "NCS 3(7)",
    "k": "NCS 5(1)K",
    "age": "NCS 5(1)age",
    "rounding": "NCS 5(2)",
    "zero": "NCS 5(3)",
    "floor-rule": "NCS 5(5)",
    "inherit-own": "NCS 6(1)",
    "inherit-fide": "NCS 6(2)",
    "first": "NCS 6(3)",
    "first-formula": "NCS 6(4)",
}

#: The numbers of jcf-2024 by name, each with its clause.
JCF_FIGURES: Mapping[str, tuple[object, str]] = {
    "standard-minutes": (jcf_2024.STANDARD_MINUTES, "JCF 2(2)"),
    "rapid-minutes": (jcf_2024.RAPID_MINUTES, "JCF 2(2)"),
    "apply-days": (jcf_2024.APPLY_DAYS, "JCF 3(4)"),
    "window-closes": (ncs_2022.WINDOW_CLOSES, "JCF 3(6)"),
    "late-months": (jcf_2024.LATE_AFTER_MONTHS, "JCF 3(7)"),
    "correction-days": (ncs_2022.CORRECTION_DAYS, "JCF 7(3)"),
    "k-normal": (jcf_2024.K_NORMAL, "JCF 5(1)K"),
    "k-new": (jcf_2024.K_NEW, "JCF 5(1)K-new"),
    "k-new-games": (jcf_2024.NEW_GAMES, "JCF 5(1)K-new"),
    "k-junior": (jcf_2024.K_JUNIOR, "JCF 5(1)K-junior"),
    "k-junior-age": (jcf_2024.JUNIOR_AGE, "JCF 5(1)K-junior"),
    "k-junior-rating": (jcf_2024.JUNIOR_PEAK, "JCF 5(1)K-junior"),
    "k-ever": (jcf_2024.K_EVER_2400, "JCF 5(1)K-2400"),
    "k-ever-rating": (jcf_2024.EVER, "JCF 5(1)K-2400"),
    "limit": (LIMIT, "JCF 5(1)PD"),
    "floor": (jcf_2024.FLOOR, "JCF 5(3)"),
    "first-games": (jcf_2024.FIRST_GAMES, "JCF 6(3)"),
    "first-months": (jcf_2024.FIRST_MONTHS, "JCF 6(3)"),
}

#: Where jcf-2024 speaks of a matter.
JCF_SUBJECTS: Mapping[str, str] = {
    "speeds": "JCF 2(2)",
    "organisers": "JCF 3(3)",
    "apply": "JCF 3(4)",
    "members": "JCF 3(5)",
    "window": "JCF 3(6)",
    "late": "JCF 3(7)",
    "ruling": "JCF 3(8)",
    "corrections": "JCF 7(3)",
    "k": "JCF 5(1)K",
    "k-new-rule": "JCF 5(1)K-new",
    "age": "JCF 5(1)K-junior",
    "rounding": "JCF 5(2)",
    "zero": "JCF 5(1)C-zero",
    "floor-rule": "JCF 5(3)",
    "inherit-own": "JCF 6(2)",
    "inherit-fide": "JCF 6(1)",
    "first": "JCF 6(3)",
    "first-formula": "JCF 6(4)",
}

FIGURES = {ncs_2022: NCS_FIGURES, jcf_2024: JCF_FIGURES}
SUBJECTS = {ncs_2022: NCS_SUBJECTS, jcf_2024: JCF_SUBJECTS}
