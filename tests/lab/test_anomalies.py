"""Anomalies: what was planted is found, with the reason in words; a clean pool has none."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest
from lab.synthetic_ledgers import chess_ledger, event, go_game, go_ledger, made_ledger

from banzuke.core.facts import EXCLUDE, RAPID, STANDARD, Game
from banzuke.engine import go_history, history
from banzuke.engine.columnar import chess_reader, go_reader
from banzuke.lab.anomalies import anomaly_sheets, run_checks
from banzuke.lab.encounters import GameColumns, games_of_ledger
from banzuke.lab.farming_patterns import farming_patterns
from banzuke.lab.findings import odds_against, reason
from banzuke.lab.improbable_scores import _before
from banzuke.lab.sheets import csv_bytes
from banzuke.lab.synthetic_chess_pools import ChessPool

CLEAN = ChessPool(players=150, years=2, juniors=0, growth=0, drift=0, arriving=0, leaving=0, visiting=0)
GROWING = ChessPool(players=150, years=2, arriving=0, visiting=0)
#: A club whose members meet each other all the time.
CLUB = ChessPool(players=24, years=3, active=0.9, event_size=8, rounds=6, visiting=0, arriving=0, mixing=400)


def chess(ledger):
    return games_of_ledger(chess_reader.columns_of(ledger))


def go(ledger):
    return games_of_ledger(go_reader.columns_of(ledger))


def found(met):
    """The findings by kind, with the sentence in English."""
    kinds = {}
    for looked in run_checks(met):
        for finding in looked.found:
            kinds.setdefault(finding.kind, []).append((finding, reason(met, finding, "en")))
    return kinds


def by_strength(ledger):
    ratings = {row.player_id: row.rating for row in ledger.standings}
    return sorted(ratings, key=ratings.get)


@pytest.mark.slow
@pytest.mark.parametrize("pool", [CLEAN, GROWING, CLUB])
def test_clean_pools_have_nothing_to_look_at(pool):
    """Of what is found a hundredth may be luck: over ten pools, three kinds each, rarely even one finding."""
    kinds = [found(chess(made_ledger(pool, seed))) for seed in range(10)]
    assert sum(map(len, kinds)) <= 1


def test_a_match_that_one_side_throws():
    ledger = made_ledger(CLEAN, 1)
    order = by_strength(ledger)
    loser, winner = order[75], order[70]
    ledger.events.append(event("match", date(2026, 3, 1), days=14))
    ledger.games["match"] = [
        Game("match", round_, winner, loser, "1-0", date(2026, 3, round_)) for round_ in range(1, 15)
    ]
    kinds = found(chess(ledger))
    ((finding, said),) = kinds["pair"]
    assert said.startswith(
        f"{winner} NAME ({winner}) scored 14.5 of 15 against {loser} NAME ({loser}) from 2026-03-01 to "
    )
    assert finding.figures.adjusted < 0.01
    assert {len(each.players) for each, _ in kinds["event"]} == {1}
    ((farming, said),) = kinds["farming"]
    assert farming.figures.gained > 60
    assert said.endswith(f"gained {farming.figures.gained:.0f} points by them.")


def test_losing_to_the_weak_and_then_winning_above():
    ledger = made_ledger(CLEAN, 2)
    order = by_strength(ledger)
    player, weak, strong = order[75], order[10:22], order[110:116]
    ledger.events.extend([event("club", date(2026, 5, 2), days=12), event("prize", date(2026, 8, 1), days=3)])
    ledger.games["club"] = [
        Game("club", number + 1, player, other, "0-1", date(2026, 5, 2 + number))
        for number, other in enumerate(weak)
    ]
    ledger.games["prize"] = [Game("prize", n + 1, player, other, "1-0") for n, other in enumerate(strong)]
    ((finding, said),) = found(chess(ledger))["sandbagging"]
    assert (finding.players, finding.severity) == (
        (chess_reader.columns_of(ledger).player_numbers[player],),
        "hardly",
    )
    assert "against much weaker players" in said
    assert "6 of 6 in prize (from 2026-08-01)" in said
    met = chess(ledger)
    assert [met.occasions[each].event_id for each in finding.occasions] == ["prize"]


def test_a_group_that_rises_by_its_own_games():
    """Two new ones of K = 40 beat two of K = 20: what they gain, the others lose but half of."""
    ratings = {f"A{n}": 1500 for n in range(40)} | {f"X{n}": 1500 for n in (1, 2, 3, 4)}
    events, games = [], {}
    for number in range(15):
        name = f"closed-{number:02}"
        events.append(event(name, date(2026, 1, 5) + timedelta(days=28 * number)))
        pairs = [("X1", "X3"), ("X2", "X4"), ("X1", "X4"), ("X2", "X3")]
        games[name] = [Game(name, 1 + place // 2, *pair, "1-0") for place, pair in enumerate(pairs)]
    events.append(event("all", date(2026, 2, 9)))
    games["all"] = [Game("all", 1, f"A{n}", f"A{n + 20}", "1/2-1/2") for n in range(20)]
    ledger = chess_ledger(ratings, events, games)
    ledger.standings[:] = [
        row._replace(games=0 if row.player_id in ("X1", "X2") else 100) for row in ledger.standings
    ]
    ((finding, said),) = found(chess(ledger))["closed"]
    assert (finding.figures.games, len(finding.players)) == (60, 4)
    assert said.startswith(
        "4 players (X1 NAME (X1), X2 NAME (X2), X3 NAME (X3), X4 NAME (X4)) played 100 % of their"
    )
    states = list(history.history(ledger, history.list_names(ledger, None)))[-1].outcome.standings
    gained = sum((states.of(STANDARD, f"X{n}").value or 0) - 1500 for n in (1, 2, 3, 4)) / 4
    assert finding.figures.gained == pytest.approx(gained, abs=4)  # lists round


@pytest.mark.parametrize(
    ("place", "day", "is_found"),
    [
        ("Osaka", date(2026, 1, 10), True),
        ("Tokyo, Kamata", date(2026, 1, 10), False),
        ("", date(2026, 1, 10), False),
        ("Osaka", date(2026, 1, 11), False),
    ],
)
def test_two_places_on_one_day(place, day, is_found):
    events = [event("spring", date(2026, 1, 10)), event("open", day, place=place)]
    games = {"spring": [Game("spring", 1, "A", "B", "1-0")], "open": [Game("open", 1, "C", "A", "1-0")]}
    kinds = found(chess(chess_ledger({"A": 1500, "B": 1500, "C": 1500}, events, games)))
    said = [text for _, text in kinds.get("two-places", [])]
    assert said == ["On 2026-01-10 A NAME (A) played in open (Osaka) and in spring (Tokyo)."] * is_found


def weekend(name, others, place, day, days):
    """An event of some days at a place, and A's games in it, a round each; no game tells its day."""
    games = [
        Game(name, n + 1, "A", other, "1/2-1/2") if other else Game(name, n + 1, "Y", "Z", "1/2-1/2")
        for n, other in enumerate(others)
    ]
    return event(name, day, place=place, days=days), games


@pytest.mark.parametrize(
    ("rounds", "days", "begins", "severity"),
    [
        (((5, 5), (3, 3)), None, 10, "hardly"),  # five rounds in three days, all of them, at both
        (((5, 5), (3, 3)), None, 12, "hardly"),  # one day in common
        (((5, 5), (3, 3)), None, 13, None),  # the one begins when the other has ended
        (((9, 9), (10, 10)), None, 10, "look"),  # a day of rest each
        (((9, 9), (10, 10)), None, 18, None),  # two days in common, which may both be days of rest
        (((5, 5), (3, 3)), 1, 10, "hardly"),  # the first round of three days missed: there on the others
        (((7, 5), (200, 3)), None, 10, None),  # a league goes on beside tournaments
    ],
)
def test_two_events_at_once_whose_days_are_not_told(rounds, days, begins, severity):
    """Who played every round that a day may have had was there, if each day had a round."""
    (counts, lengths), missed = rounds, days
    others = [[f"{side}{n}" for n in range(count)] for side, count in zip("BC", counts, strict=True)]
    ids = {"A", "Y", "Z", *others[0], *others[1]}
    if missed:
        others[0][0] = ""
    made = [
        weekend(name, games, place, date(2026, 1, day), length)
        for name, games, place, day, length in zip(
            ("spring", "open"), others, ("Tokyo", "Osaka"), (10, begins), lengths, strict=True
        )
    ]
    events, games = [each for each, _ in made], {each.event_id: own for each, own in made}
    found_kinds = found(chess(chess_ledger(dict.fromkeys(sorted(ids), 1500), events, games)))
    assert [each.severity for each, _ in found_kinds.get("two-places-event", [])] == [severity] * bool(
        severity
    )
    for each, said in found_kinds.get("two-places-event", []):
        assert len(each.occasions) == 2
        assert said.startswith("A NAME (A) played ")
        assert "by the rounds they were at both from 2026-01-1" in said


def ledger_with_a_series(black_wins=()):
    """Three games a month for eight months, all won by one player: with Black in every third month of those."""
    ledger = made_ledger(CLEAN, 5)
    order = by_strength(ledger)
    loser, winner = order[75], order[72]
    for month in range(8):
        name = f"series-{month}"
        ledger.events.append(event(name, date(2026, 3 + month, 2)))
        colours = (loser, winner, "0-1") if month % 3 in black_wins else (winner, loser, "1-0")
        ledger.games[name] = [Game(name, round_, *colours) for round_ in (1, 2, 3)]
    return ledger


def test_a_pair_whose_ratings_follow_their_games():
    """24 games in eight months, all won by one: the ratings come to expect it, their own games left out do not."""
    ((finding, said),) = found(chess(ledger_with_a_series()))["pair"]
    assert finding.severity == "hardly"
    score, games = said.split(" scored ")[1].split(" against ")[0].split(" of ")
    assert float(score) >= float(games) - 1


def test_colours_do_not_change_what_a_pair_is_expected_to_score():
    """The same series with one colour and with both: the points of earlier lists are left out of each game."""
    expected = []
    for black_wins in ((), (1, 2)):
        ((finding, _),) = found(chess(ledger_with_a_series(black_wins)))["pair"]
        expected.append(finding.figures.expected)
    assert expected[0] == pytest.approx(expected[1])


def test_points_won_before_go_by_the_lists_not_by_the_days():
    """A league ends after a tournament that was played in between: its games enter the later list."""
    points, batch = np.array([10.0, -5, 20, 7]), np.array([3, 1, 3, 2])
    assert _before(points, batch).tolist() == [2.0, 0.0, 2.0, -5.0]


def test_losses_that_bring_the_rating_down_count_by_the_rating_before_them():
    """Ten games lost a month apart to players some 200 points weaker: the last ones are hardly weaker by then."""
    ledger = made_ledger(CLEAN, 6)
    order = by_strength(ledger)
    player, weak, strong = order[90], order[40:50], order[-8:-3]
    for number, other in enumerate(weak):
        name = f"loss-{number}"
        ledger.events.append(event(name, date(2026, 4, 1) + timedelta(days=16 * number)))
        ledger.games[name] = [Game(name, 1, player, other, "0-1")]
    ledger.events.append(event("prize", date(2026, 9, 20), days=3))
    ledger.games["prize"] = [Game("prize", n + 1, player, other, "1-0") for n, other in enumerate(strong)]
    met = chess(ledger)
    findings = [finding for finding, _ in found(met)["sandbagging"]]
    assert [met.ids[each] for finding in findings for each in finding.players] == [player]


def test_a_day_of_play_that_is_not_told_proves_nothing():
    events = [event("spring", date(2026, 1, 10), days=2), event("open", date(2026, 1, 10), place="Osaka")]
    games = {"spring": [Game("spring", 1, "A", "B", "1-0")], "open": [Game("open", 1, "A", "C", "1-0")]}
    ratings = {"A": 1500, "B": 1500, "C": 1500}
    assert "two-places" not in found(chess(chess_ledger(ratings, events, games)))
    games["spring"] = [Game("spring", 1, "A", "B", "1-0", date(2026, 1, 10))]
    assert "two-places" in found(chess(chess_ledger(ratings, events, games)))


def test_a_game_that_does_not_count_has_no_lead():
    """Neither side is rated on a game that a ruling excludes, alone or with its event."""
    events = [event("spring", date(2026, 1, 10)), event("open", date(2026, 3, 10), ruling=EXCLUDE)]
    games = {
        "spring": [Game("spring", 1, "A", "B", "1-0"), Game("spring", 2, "B", "A", "1-0", ruling=EXCLUDE)],
        "open": [Game("open", 1, "A", "B", "1-0")],
    }
    lead = chess(chess_ledger({"A": 1500, "B": 1400}, events, games)).games.lead
    assert np.isnan(lead).tolist() == [False, True, True]


def test_a_forfeit_is_no_game():
    events = [event("spring", date(2026, 1, 10)), event("open", date(2026, 1, 10), place="Osaka")]
    games = {"spring": [Game("spring", 1, "A", "B", "+/-")], "open": [Game("open", 1, "A", "C", "1-0")]}
    assert found(chess(chess_ledger({"A": 1500, "B": 1500, "C": 1500}, events, games))) == {}


@pytest.mark.parametrize(
    ("count", "minutes", "is_found"), [(8, 90, False), (9, 90, True), (24, 15, False), (25, 15, True)]
)
def test_more_games_than_a_day_holds(count, minutes, is_found):
    ratings = {"A": 1500} | {f"B{n}": 1500 for n in range(count)}
    speed = {"speed": RAPID, "base_minutes": minutes, "increment_seconds": 5} if minutes < 60 else {}
    results = ["1-0", "0-1"] * count
    games = [Game("long", n + 1, "A", f"B{n}", results[n]) for n in range(count)]
    kinds = found(chess(chess_ledger(ratings, [event("long", date(2026, 1, 10), **speed)], {"long": games})))
    assert ("too-many" in kinds) == is_found
    if is_found:
        most = count - 1
        assert (
            kinds["too-many"][0][1]
            == f"A NAME (A) played {count} games on 2026-01-10; at most {most} are possible in a day."
        )


def test_more_games_than_the_days_of_an_event_hold():
    ratings = {"A": 1500} | {f"B{n}": 1500 for n in range(17)}
    games = [Game("long", n + 1, "A", f"B{n}", "1/2-1/2") for n in range(17)]
    for days, kinds in ((3, set()), (2, {"too-many-event"})):
        ledger = chess_ledger(ratings, [event("long", date(2026, 1, 10), days=days)], {"long": games})
        assert set(found(chess(ledger))) == kinds


AT = datetime(2026, 1, 5, 12, tzinfo=UTC)
RANKS = {"a": "3k", "b": "3k", "c": "3k"}


@pytest.mark.parametrize(
    ("seconds", "moves", "is_found"), [(0, 200, True), (99, 200, True), (100, 200, False), (5, 30, False)]
)
def test_two_games_of_go_at_once(seconds, moves, is_found):
    games = [go_game(1, AT, "a", "b"), go_game(2, AT + timedelta(seconds=seconds), "c", "a", moves=moves)]
    kinds = found(go(go_ledger(RANKS, games)))
    assert set(kinds) == ({"at-once"} if is_found else set())
    if is_found:
        assert kinds["at-once"][0][1] == (
            f"a was in two games at once: one against b ended at 2026-01-05T12:00:00 (UTC), and {seconds} seconds "
            "later one of 200 moves against c, which at half a second a move had begun before."
        )


def test_a_short_game_between_hides_no_two_at_once():
    ends = [AT + timedelta(seconds=seconds) for seconds in (0, 10, 20)]
    games = [
        go_game(1, ends[0], "a", "b"),
        go_game(2, ends[1], "c", "a", moves=3),
        go_game(3, ends[2], "a", "c"),
    ]
    ((finding, said),) = found(go(go_ledger(RANKS, games)))["at-once"]
    assert said.startswith("a was in two games at once: one against b ended")
    assert finding.figures.games == 2


def test_a_hundred_games_of_go_a_day():
    ends = [AT - timedelta(hours=11) + timedelta(minutes=10 * n) for n in range(120)]
    results = ["B", "W"] * 60
    games = [go_game(n, end, "a", "b", results[n]) for n, end in enumerate(ends)]
    assert {each.figures.games for each, _ in found(go(go_ledger(RANKS, games)))["too-many"]} == {120}


def test_farming_on_a_go_server():
    games = [go_game(n, AT + timedelta(hours=7 * n), "a", "b") for n in range(30)]
    ledger = go_ledger(RANKS, games)
    kinds = found(go(ledger))
    ((finding, said),) = kinds["farming"]
    run = go_history.opening(ledger)
    assert finding.figures.gained == sum(r.black.points or 0 for r in go_history.history(ledger, run, None))
    assert said.startswith("a scored 30 of 30 against b from 2026-01-05 to 2026-01-13, 100 % of all games")


def farmed(pairs):
    """Two games a week for half a year of each of so many pairs; the winner has two others between."""
    games, number = [], 0
    for week in range(26):
        for pair in range(pairs):
            winner, loser = f"w{pair}", f"l{pair}"
            others = [f"o{2 * pair}", f"o{2 * pair + 1}"]
            for place, other in enumerate([loser, others[0], loser, others[1]]):
                result = "B" if other == loser else "BW"[week % 2]
                ended = AT + timedelta(days=7 * week + place, minutes=pair)
                games.append(go_game(number, ended, winner, other, result))
                number += 1
    games.append(go_game(number, AT - timedelta(days=9), "w0", "o1", "W"))
    ids = dict.fromkeys([f"{kind}{n}" for kind in "wl" for n in range(pairs)], "2k")
    return go_ledger(ids | {f"o{n}": "2k" for n in range(2 * pairs)}, games)


def test_the_share_of_a_farming_pair_is_that_of_the_days_on_which_it_played():
    found_pairs = found(go(farmed(3)))["farming"]
    assert len(found_pairs) == 3
    shares = [dict(finding.facts)["share"] for finding, _ in found_pairs]
    assert shares == ["50"] * 3  # what was played before and after does not count


def test_farming_looks_at_the_days_of_all_games_once(monkeypatch):
    met, asked = go(farmed(4)), []
    day = GameColumns.day.fget
    monkeypatch.setattr(GameColumns, "day", property(lambda games: asked.append(len(games.at)) or day(games)))
    kinds = {looked.kind: looked for looked in farming_patterns(met)}
    assert kinds["farming"].at >= 4
    assert asked == [len(met.games.at)]


def test_an_honest_go_pool_has_nothing_to_look_at():
    rng, total = np.random.default_rng(4), 0
    ids = [f"g{n:02}" for n in range(40)]
    for _ in range(5):
        games, count = [], 0
        for day in range(60):
            order = rng.permutation(40)
            for black, white in order.reshape(-1, 2).tolist():
                count += 1
                ended = AT + timedelta(days=day, minutes=count % 20)
                games.append(go_game(count, ended, ids[black], ids[white], "BW"[rng.integers(2)]))
        total += len(found(go(go_ledger(dict.fromkeys(ids, "2k"), games))))
    assert total <= 1


def test_the_gravest_stand_first_and_nothing_private_is_told():
    ledger = made_ledger(CLEAN, 1)
    order = by_strength(ledger)
    ledger.players[:] = [
        player._replace(birth_date=date(1991, 2, 3), sex="f", fide_id="12345678") for player in ledger.players
    ]
    first = ledger.events[0]
    white = ledger.games[first.event_id][0].white
    ledger.events.extend(
        [event("match", date(2026, 3, 1), days=14), event("osaka", first.starts, place="Osaka")]
    )
    ledger.games["match"] = [Game("match", n, order[70], order[75], "1-0") for n in range(1, 15)]
    ledger.games["osaka"] = [Game("osaka", 1, white, next(p for p in order if p != white), "1-0")]
    findings, looked = anomaly_sheets(chess_reader.columns_of(ledger))
    severities = findings.columns["severity"]
    assert severities == sorted(severities, key=("cannot-be", "hardly", "look").index)
    assert findings.columns["kind"][0] == "two-places"
    events = dict(zip(findings.columns["kind"], findings.columns["events"], strict=True))
    assert (events["two-places"], events["pair"]) == (f"{first.event_id}, osaka", "")
    printed = csv_bytes(findings).decode()
    assert "1991" not in printed
    assert "12345678" not in printed
    assert all("NAME（" in said for said in findings.columns["reason_ja"])
    assert dict(zip(looked.columns["kind"], looked.columns["found"], strict=True))["pair"] == 1


def test_a_ledger_without_games():
    findings, looked = anomaly_sheets(chess_reader.columns_of(chess_ledger({"A": 1500}, [], {})))
    assert findings.rows == []
    assert set(looked.columns["found"]) == {0}
    findings, _ = anomaly_sheets(go_reader.columns_of(go_ledger({}, [])))
    assert findings.rows == []


def test_chances_as_one_in_so_many():
    assert [odds_against(chance) for chance in (0.5, 1 / 1234, 1e-9, 1e-18, 0)] == [
        "1 : 2", "1 : 1,200", "1 : 1,000,000,000", "1 : >1,000,000,000,000", "1 : ∞",
    ]  # fmt: skip
