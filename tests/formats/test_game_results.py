"""Results in other hands: dashes, halves, blanks, widths."""

from __future__ import annotations

import pytest

from banzuke.core.facts import SCORES
from banzuke.formats.notation import parse_result


@pytest.mark.parametrize(
    ("said", "result"),
    [
        ("1-0", "1-0"),
        ("０－１", "0-1"),
        ("1 – 0", "1-0"),
        ("½-½", "1/2-1/2"),
        ("½ : ½", "1/2-1/2"),
        ("0.5-0.5", "1/2-1/2"),
        ("0,5–0,5", "1/2-1/2"),
        ("1/2", "1/2-1/2"),
        ("+ - -", "+/-"),
        ("-:+", "-/+"),
        ("-/-", "-/-"),
        ("U1-0", "u1-0"),
        ("2-0", None),
        ("1", None),
        ("1-1", None),
        ("2001-01-01", None),
        ("", None),
    ],
)
def test_results_in_other_hands(said, result):
    assert parse_result(said) == result


@pytest.mark.parametrize("result", SCORES)
def test_the_ledgers_own_words(result):
    assert parse_result(result) == result
