"""Whole events by the Irish ratings: the union's own, and made-up ones against the rules written plainly."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from icu_making import EVENTS, WORDS, made_up, play, published, read, union_folder, written
from icu_naive import Naive, UnstableError

from banzuke.core.fault import RefusedError
from banzuke.core.rating import Coefficient
from banzuke.rulebooks.icu.event_steps import Entrant, reckon_event
from banzuke.rulebooks.icu.icu import VERSIONS, PlayedGame, Settings

MILLIONTH = Decimal("0.000001")


def near(found, wanted):
    """Six decimals as the union's program has nine; blank where it has none."""
    if found is None or wanted == "":
        return (found is None) == (wanted == "")
    return abs(Decimal(found) - Decimal(wanted)) < MILLIONTH


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("event", EVENTS)
def test_an_event_of_the_union(shared, event, version):
    folder = union_folder(shared)
    done = play(*published(folder, event), version).calculations[""]
    rows = [
        row
        for row in read(folder / "reference_output.csv")
        if (row["event"], row["version"]) == (event, str(version))
    ]
    whole, *players = rows
    rounds = [
        int(whole["iterations1"]),
        *([int(whole["iterations2"])] if whole["iterations2"] != "0" else []),
    ]
    assert {row["player"] for row in players} == set(done)
    for row in players:
        more, after = done[row["player"]].more, done[row["player"]].after
        assert more["rounds"] == rounds
        assert near(more.get("performance"), row["performance"])
        assert near(more.get("change"), row["rating_change"])
        assert str(more.get("bonus", "")) == row["bonus"]
        if row["new_rating"]:
            assert abs(after.value - Decimal(row["new_rating"])) < Decimal("0.5")
        else:
            assert after == done[row["player"]].before


@pytest.mark.parametrize("event", EVENTS)
def test_what_the_unions_program_is_tested_for(shared, event):
    folder = union_folder(shared)
    players, games = published(folder, event)
    stated = [row for row in read(folder / "expected.csv") if row["event"] == event]
    for variant in {row["variant"] for row in stated}:
        known = players | {"1": f"{players['1'].split()[0]} K32"} if variant else players
        outcome = play(known, games, 0)
        for row in stated:
            if row["variant"] == variant and row["quantity"] in ("new_rating", "performance", "bonus"):
                done = outcome.calculations[""][row["player"]]
                found = {"new_rating": done.after.value, **done.more}.get(row["quantity"])
                if row["relation"] == "absent":
                    assert done.after == done.before
                else:
                    is_near = abs(Decimal(found) - Decimal(row["value"])) <= Decimal(row["tolerance"])
                    assert is_near == (row["relation"] != "not_within"), row


def test_the_artificial_event_with_a_k_of_its_own(shared):
    """E01 has K 10 and 20, which no day gives: its steps alone."""
    rows = [r for r in read(union_folder(shared) / "reference_output.csv") if r["event"] == "E01"]
    entrants = [
        Entrant(str(n), "rated", 2300 - 100 * n, 30, Coefficient(10 * n, "", "")) for n in range(1, 5)
    ]
    for one in range(4):
        for other in range(one + 1, 4):
            entrants[one].played.append(PlayedGame(other, 2, other))
            entrants[other].played.append(PlayedGame(one, 0, one))
    for version in VERSIONS:
        figures = reckon_event(entrants, VERSIONS[version], Settings())
        own = [row for row in rows if row["version"] == str(version) and row["player"]]
        for row, change in zip(own, figures.changes, strict=True):
            assert near(change, row["rating_change"])
        assert [phase.number for phase in figures.phases] == [2]


# Made-up events


def compare(seed, version, **settings):
    """The event by the rule book and as written plainly; whether anybody had a bonus."""
    players, games = made_up(seed)
    texts = [f"P{one} {WORDS[score]} P{other}" for one, other, score in games]
    known = {f"P{number}": written(*each) for number, each in players.items()}
    rules = {name.removeprefix("bonus_"): value for name, value in settings.items()}
    try:
        naive = Naive(players, games, version, **rules)
    except UnstableError:
        with pytest.raises(RefusedError):
            play(known, texts, version, **settings)
        return False
    outcome = play(known, texts, version, **settings)
    done = outcome.calculations[""]
    assert {f"P{number}" for number in naive.met} == set(done)
    for number in naive.met:
        more, after = done[f"P{number}"].more, done[f"P{number}"].after
        kind = players[number][0]
        assert (more["kind"], more["rounds"]) == (kind, naive.rounds)
        assert (naive.perf[number] is None) == ("performance" not in more)
        if naive.perf[number] is not None:
            assert abs(float(more["performance"]) - naive.perf[number]) < 2e-6
        if kind == "rated":
            assert abs(float(more["change"]) - naive.change[number]) < 2e-6
            assert more["bonus"] == naive.bonus[number]
            shown = [
                expected
                for lines in outcome.events
                for line, (expected, _) in zip(lines.lines, lines.exact, strict=True)
                if line.player == f"P{number}" and expected
            ]
            assert sorted(map(float, shown)) == pytest.approx(sorted(naive.expected[number]), abs=2e-6)
        if kind != "fixed":
            new, rests_on = naive.new(number)
            assert (after.value, after.games) == (new, rests_on)
    return any(naive.bonus.values())


@pytest.mark.parametrize("version", VERSIONS)
def test_made_up_events(version):
    assert sum(compare(seed, version) for seed in range(25)) > 15


def test_made_up_events_of_the_years_to_2011():
    for seed in range(15):
        compare(seed, 0, bonus_halves="even", bonus_cap=2099)


def test_the_versions_differ():
    found = []
    for version in VERSIONS:
        bonuses = []
        for seed in range(25):
            players, games = made_up(seed)
            texts = [f"P{one} {WORDS[score]} P{other}" for one, other, score in games]
            try:
                outcome = play({f"P{n}": written(*each) for n, each in players.items()}, texts, version)
            except RefusedError:
                continue
            bonuses.append(
                [(d.more.get("bonus"), d.more.get("change")) for d in outcome.calculations[""].values()]
            )
        found.append(bonuses)
    assert found[0] != found[1] != found[2]


class TestProperties:
    """On a made-up event: the order of its rounds, and other names in the same order, change nothing."""

    @given(st.integers(0, 10_000), st.randoms(use_true_random=False))
    def test_the_order_of_games(self, seed, dice):
        players, games = made_up(seed)
        known = {f"P{number}": written(*each) for number, each in players.items()}
        texts = [f"P{one} {WORDS[score]} P{other}" for one, other, score in games]
        self.equal(known, texts, known, dice.sample(texts, len(texts)), {name: name for name in known})

    @given(st.integers(0, 10_000))
    def test_other_names_in_the_same_order(self, seed):
        players, games = made_up(seed)
        names = {number: f"X{number + 100}" for number in players}
        known = {f"P{number}": written(*each) for number, each in players.items()}
        renamed = {names[number]: written(*each) for number, each in players.items()}
        texts = [f"P{one} {WORDS[score]} P{other}" for one, other, score in games]
        others = [f"{names[one]} {WORDS[score]} {names[other]}" for one, other, score in games]
        self.equal(known, texts, renamed, others, {f"P{number}": name for number, name in names.items()})

    def equal(self, players, games, other_players, other_games, names):
        try:
            one = play(players, games).calculations[""]
        except RefusedError:
            return
        other = play(other_players, other_games).calculations[""]
        assert set(other) == {names[player] for player in one}
        for player, done in one.items():
            again = other[names[player]]
            keys = ("kind", "rounds", "performance", "change", "bonus")
            assert done.after == again.after
            assert [done.more.get(key) for key in keys] == [again.more.get(key) for key in keys]
