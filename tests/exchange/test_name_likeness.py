"""How like two names are."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from banzuke.exchange.name_likeness import CLOSE, NEAR, Kind, likeness, normal_form, rotations


def like(one: str, other: str):
    return likeness(normal_form(one), normal_form(other))


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("Tanaka Hiroshi", "tanaka, hirosi", Kind.NORMAL),
        ("Hiroshi Tanaka", "Tanaka Hiroshi", Kind.NORMAL),
        ("鈴木秀聡", "鈴木 秀聡", Kind.NORMAL),
        ("Ho-Yeung Lai", "Hoyeung Lai", Kind.NORMAL),
        # words left out, titles, countries
        ("Carlsen, Magnus", "Magnus Carlsen (NOR)", Kind.PART),
        ("Olah Laszlo Dr.", "Olah Laszlo", Kind.PART),
        ("Nishimura Jose", "Nishimura Pizarro Jose Kazuo", Kind.PART),
        # initials
        ("Carlsen M.", "Magnus Carlsen", Kind.PART),
        ("M Carlsen", "Magnus Carlsen", Kind.PART),
        ("Carlsen Magnus", "Carlsen M", Kind.PART),
        ("Sato J.", "Sato Jun", Kind.PART),
        ("Sato C.", "Sato Chie", Kind.PART),
        ("Sato F.", "Sato Fumi", Kind.PART),
        ("De Silva, W R L", "De Silva Wa Ra La", Kind.PART),
        ("Sato K.", "Sato Jun", Kind.OTHER),
        ("S. M.", "Sato Makoto", Kind.OTHER),  # no word in full
        ("Arai Sumire", "Li Gordon S Arai", Kind.OTHER),  # the initial stands in the longer name
        ("森 優", "森 優太", Kind.NEAR),  # no initials in kanji
        # a single word says too little
        ("Tanaka", "Tanaka Hiroshi", Kind.OTHER),
        ("Valayathoor", "Valayathoor Ramakrishnan", Kind.OTHER),
        # cut off
        ("Valayathoor Ramakr", "Valayathoor Ramakrishnan", Kind.PART),
        ("Ramakrishnan Valayath", "Valayathoor Ramakrishnan", Kind.PART),
        ("Valayathoor Ramakrishnan", "Valayathoor Ramakr", Kind.PART),
        ("Sato Yu", "Sato Yuta", Kind.NEAR),  # too short to have been cut
        # close: one word by little
        ("Tanaka Hiroshii", "Tanaka Hiroshi", Kind.CLOSE),
        ("Hirshi Tanaka", "Tanaka Hiroshi", Kind.CLOSE),
        ("Kobayashi Katsuhika", "Kobayashi Katsuhiko", Kind.CLOSE),
        ("Kobayashi Atsuhiko", "Kobayashi Katsuhiko", Kind.NEAR),  # another first letter
        # brothers and sisters
        ("Tanaka Hiroki", "Tanaka Hiroshi", Kind.NEAR),
        ("Sato Yuto", "Sato Yuta", Kind.NEAR),
        ("Tanaka Satoshi", "Tanaka Hiroshi", Kind.NEAR),
        ("Tanaka Kenji", "Tanaka Hiroshi", Kind.OTHER),
        # two words that differ, by however little
        ("Tanakaa Hiroshii", "Tanaka Hiroshi", Kind.NEAR),
        ("Tanaka Hiroshi", "田中 弘", Kind.OTHER),
        ("", "Tanaka", Kind.OTHER),
        ("", "", Kind.OTHER),
    ],
)
def test_kinds(one, other, kind):
    assert like(one, other).kind is kind
    assert like(other, one).kind is kind
    assert like(one, other).agrees == (kind <= Kind.CLOSE)


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        ("Tanaka Hiroshi", "Tanaka Hiroshi", 100),
        ("abcd", "abce", 75),  # 6 of 8 letters
        ("Tanaka Hiroki", "Tanaka Hiroshi", 92),  # 24 of 26 in normal form
        ("Hiroki Tanaka", "Tanaka Hiroshi", 92),
        ("Carlsen M", "Carlsen Magnus", 78),  # 18 of 23
        ("abc", "xyz", 0),
        ("abc", "", 0),
    ],
)
def test_ratios_are_whole_per_cent_of_like_letters(one, other, ratio):
    assert like(one, other).ratio == ratio


def test_near_begins_at_its_ratio():
    assert like("abcd", "abce") == (Kind.NEAR, 100 - NEAR)
    assert like("abc", "abd").kind is Kind.OTHER  # 66 %


def test_close_begins_at_its_ratio():
    assert like("Sato Abcdefgh", "Sato Abcdefgx").kind is Kind.CLOSE  # 87.5 % of the word
    assert like("Sato Abcdefg", "Sato Abcdefx").kind is Kind.NEAR  # 85.7 %
    assert CLOSE == 87


def test_turns_begin_with_each_word_once():
    assert rotations(("a", "b", "c")) == [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")]
    assert len(rotations(("a",) * 50)) == 4


words = st.lists(st.text("abkst", min_size=1, max_size=6), max_size=4).map(tuple)


@given(words, words)
@example(("b", "b", "ba"), ("ba", "ba", "b"))  # a word stands for itself before an initial does
def test_kinds_are_the_same_both_ways(one, other):
    assert likeness(one, other).agrees == likeness(other, one).agrees
    assert 0 <= likeness(one, other).ratio <= 100
