"""Names found fast are those that looking at every name would find."""

from __future__ import annotations

from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples
from rapidfuzz import fuzz, process

from banzuke.core.facts import Player
from banzuke.core.registry import BOOKS
from banzuke.exchange.member_index import MOST_NEAR, Member, Members, name_of
from banzuke.exchange.name_likeness import NEAR, is_part, rotations
from banzuke.exchange.player_identities import NEW, Decision, PlayerIdentifier
from banzuke.exchange.player_matching import Matcher
from banzuke.formats.report import Report, ReportedEvent, ReportedPlayer
from banzuke.ledger.folder import ChessLedger
from banzuke.ledger.pool_rules import EditionInForce, Pool
from banzuke.rulebooks.pandanet.ranks import default_zone

#: Words that are like one another, initials, and two that make a name long enough to be cut off.
WORDS = [
    "sato",
    "saito",
    "ito",
    "ken",
    "kenta",
    "kent",
    "k",
    "s",
    "ann",
    "wakabayashi",
    "wakabayas",
    "masanobu",
]
NAMES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)


def pool_of(book):
    zone = default_zone()
    return Pool("Small", (EditionInForce(book, date(2022, 9, 1), book.settings(), "", zone),))


def register(names):
    return Members(Member(f"N{number:03}", (name,)) for number, name in enumerate(names))


def nearest(names, name):
    """By the definition: for each turn the first `MOST_NEAR` of all names by their ratio."""
    forms = [" ".join(name_of(each).words) for each in names]
    return {
        f"N{at:03}"
        for turn in rotations(name_of(name).words)
        for _, _, at in process.extract(
            " ".join(turn), forms, scorer=fuzz.ratio, score_cutoff=NEAR, limit=MOST_NEAR
        )
    }


@settings(max_examples=examples(200))
@given(st.lists(NAMES, max_size=60), NAMES)
def test_near_names_are_those_of_the_highest_ratios(names, name):
    assert register(names).near(name_of(name)) == nearest(names, name)


@settings(max_examples=examples(200))
@given(st.lists(st.text("aikos ", min_size=1, max_size=14), max_size=60), st.text("aikos ", max_size=14))
def test_near_names_of_any_letters(names, name):
    names = [each for each in names if name_of(each).words and each.strip()]
    if name_of(name).words:
        assert register(names).near(name_of(name)) == nearest(names, name)


@settings(max_examples=examples(300))
@given(st.lists(NAMES, max_size=30), NAMES)
def test_parts_are_all_found(names, name):
    words = name_of(name).words
    parts = {
        f"N{number:03}"
        for number, each in enumerate(names)
        if is_part(words, name_of(each).words)
        and any(len(word) > 1 and word in name_of(each).words for word in words)
    }
    assert parts <= register(names).alike(name_of(name))


def test_equally_near_names_are_those_known_first():
    names = ["sato kentaro", "ito aya"] * 30
    assert register(names).near(name_of("sato kentari")) == {f"N{2 * n:03}" for n in range(MOST_NEAR)}


def test_a_matcher_that_is_kept_stays_as_it_is_and_who_came_is_known_to_the_next_report():
    ledger = ChessLedger(pool_of(BOOKS["jcf-2024"]), [Player("N1", "SATO Ken")], [], [], [], {}, [])
    kept = Matcher([Member("N1", ("SATO Ken",))])
    people = PlayerIdentifier(ledger, [Decision("a", 1, "ITO Aya", NEW)], add_players=False, matcher=kept)
    players = (ReportedPlayer(1, "ITO Aya"), ReportedPlayer(2, "SATO Ken"))
    for file, how in (("a", ["added", "name"]), ("b", ["name", "name"])):
        matches, undecided = people.match(file, Report(ReportedEvent(), players, ()), [])
        assert ([match.how for match in matches], undecided) == (how, [])
    assert kept.find(players[0]).sure is None
    assert kept.find(players[1]).sure == "N1"
