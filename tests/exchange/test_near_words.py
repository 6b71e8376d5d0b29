"""Words that a slip makes of one another have a key in common, and are near."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banzuke.exchange.name_likeness import spelt_words
from banzuke.exchange.near_words import keys, respaced, slips, slips_of_name

LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORDS = st.text(LETTERS, min_size=3, max_size=14)


def with_a_slip(draw_place, kind, letter, word):
    """The word with a letter more, less, another, or two turned round."""
    at = draw_place % len(word)
    before, after = word[:at], word[at:]
    return {
        "more": before + letter + after,
        "less": before + after[1:],
        "another": before + letter + after[1:],
        "turned": before + after[1:2] + after[:1] + after[2:],
    }[kind]


SLIPS = st.builds(
    lambda *how: lambda word: with_a_slip(*how, word),
    st.integers(0, 99),
    st.sampled_from(["more", "less", "another", "turned"]),
    st.sampled_from(LETTERS),
)


@given(WORDS, SLIPS)
def test_a_slip_leaves_a_key_and_the_words_near(word, slip):
    typed = slip(word)
    assert keys(word) & keys(typed)
    found = slips(typed, word)
    assert found is not None
    assert found <= 1


@given(st.text(max_size=20), st.text(max_size=20))
def test_any_words_can_be_compared(word, other):
    for one in spelt_words(word):
        assert "" not in keys(one)
        for two in spelt_words(other):
            assert slips(one, two) == slips(two, one)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Fujiwra", "FUJIWARA Yuto"),
        ("murata mitsru", "MURATA Mitsuru"),
        ("mitsru murata", "MURATA Mitsuru"),
        ("suzki", "SUZUKI Daiki"),
        ("suzuuki", "SUZUKI Daiki"),
        ("suuzki", "SUZUKI Daiki"),
        ("ふじわあら", "FUJIWARA Yuto"),
        ("yamamoto itski", "YAMAMOTO Itsuki"),
        ("yamamotoitsuki", "YAMAMOTO Itsuki"),
        ("yama moto itsuki", "YAMAMOTO Itsuki"),
        ("oosawa", "Osawa Ken"),
        ("muratta mit", "MURATA Mitsuru"),
    ],
)
def test_what_people_type(typed, name):
    assert slips_of_name(spelt_words(typed), spelt_words(name)) is not None


@pytest.mark.parametrize(
    ("typed", "name"),
    [("hinoki", "Hiroshi"), ("suzuki", "Sasaki"), ("tanaka", "Takagi"), ("sato", "Kimura"), ("", "Sato")],
)
def test_other_names(typed, name):
    assert slips_of_name(spelt_words(typed), spelt_words(name)) is None


def test_a_blank_too_many_or_too_few():
    assert ("fuji", "wara") in set(respaced(("fujiwara",)))
    assert {("murata", "ken"), ("mura", "taken")} <= set(respaced(("mura", "ta", "ken")))
    assert ("somo", "yoko") in set(respaced(("som", "oyoko")))
    assert slips_of_name(("som", "oyoko"), ("somo", "yoko")) == 1
    assert list(respaced(())) == []
