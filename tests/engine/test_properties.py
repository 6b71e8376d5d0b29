"""What must hold for every ledger of every book, tried on small random ones.

A ledger is made as tables of text, written as a folder, read and rated; what is compared are the
files. Hypothesis chooses the sizes and a seed; a failing ledger shrinks in size.
"""

from __future__ import annotations

import csv
import os
import random
import subprocess
import sys
import tempfile
from collections import defaultdict
from datetime import date, datetime, timedelta, timezone
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest
from engine.random_adjustments import adjustment_rows
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from properties import examples

from banzuke.core.facts import SPEEDS
from banzuke.core.go_facts import HALF_OF, rank_name
from banzuke.core.month import month_of
from banzuke.core.rounding import rounded
from banzuke.engine import history
from banzuke.engine.go_history import games_until
from banzuke.engine.go_history import history as go_history
from banzuke.engine.go_history import opening as go_opening
from banzuke.engine.rating_run import rate_ledger
from banzuke.ledger.cells import HIGHEST_RATING, LOWEST_RATING
from banzuke.ledger.folder import read_ledger
from banzuke.rulebooks.fide import fide_2024
from banzuke.rulebooks.jcf import ncs_2022
from banzuke.rulebooks.pandanet.ranks import default_zone, regular_terms

PROJECT = Path(__file__).parents[2]

Row = dict[str, str]

#: The editions of a pool, and the first day on which something is played in it.
POOLS = {
    "ncs": ("ncs-2022 2022-09-01", "2023-01-01"),
    "jcf": ("jcf-2024 2024-10-01", "2024-10-01"),
    "japan": ("ncs-2022 2022-09-01, jcf-2024 2024-10-01", "2024-06-01"),
    "hakodate": ("hakodate 2000-01-01", "2010-01-01"),
    "fide": ("fide-2024 2024-03-01", "2025-07-01"),
}
CHESS = sorted(POOLS)
BOOKS = [*CHESS, "go"]

#: Of books with other speeds than standard and rapid.
SPEEDS_OF = {"hakodate": (), "fide": SPEEDS}
RESULTS = ["1-0"] * 9 + ["1/2-1/2"] * 6 + ["0-1"] * 9 + ["+/-", "-/-", "u0-1"]
MINUTES = [9, 10, 30, 44, 45, 59, 60, 75, 90, 90, 120, 120]
GO_RESULTS = ["B"] * 20 + ["W"] * 20 + ["draw", "void"]
TOKYO = timezone(timedelta(hours=9))


class Ledger(NamedTuple):
    """A ledger as text: pool.toml, and the tables by name."""

    pool: str
    tables: dict[str, list[Row]]

    def with_tables(self, **tables: list[Row]) -> Ledger:
        return Ledger(self.pool, self.tables | tables)


# Making


def pool_toml(editions: str) -> str:
    parts = [text.split() for text in editions.split(", ")]
    return 'name = "Pool"\n' + "".join(
        f'[[edition]]\nrulebook = "{book}"\nfrom = {day}\n' for book, day in parts
    )


def chess_ledger(book: str, seed: int, players: int, events: int, *, all_rated: bool = False) -> Ledger:
    """A pool of that book; with `all_rated` everyone opens with a rating at every speed."""
    rng = random.Random(seed)
    names = [f"P{number}" for number in rng.sample(range(5, 5 + 3 * players), players)]
    start = date.fromisoformat(POOLS[book][1])
    rows = [event_row(book, rng, number, start) for number in range(events)]
    tables = {
        "players": [player_row(rng, name) for name in names],
        "memberships": [row for name in names for row in membership_rows(rng, name, rows)],
        "events": rows,
        "games": [row for event in rows for row in game_rows(rng, names, event)],
        "standings": [row for name in names for row in standing_rows(book, rng, name, all_rated=all_rated)],
    }
    tables["adjustments"] = adjustment_rows(
        random.Random(~seed), sorted({list_of(book, row) for row in rows}), SPEEDS_OF.get(book, SPEEDS[:2])
    )
    return Ledger(pool_toml(POOLS[book][0]), tables)


def player_row(rng: random.Random, name: str) -> Row:
    row = {"player_id": name, "name": f"{name} Test", "birth_date": "", "fide_standard": "", "fide_rapid": ""}
    if rng.random() < 0.5:
        row["birth_date"] = (
            f"{rng.choice((1970, 2005, 2006, 2007, 2012))}-{rng.choice(('01-01', '01-02', '06-15'))}"
        )
    for column in ("fide_standard", "fide_rapid"):
        if rng.random() < 0.2:
            row[column] = str(rng.randrange(350, 2450))
    return row


def event_row(book: str, rng: random.Random, number: int, start: date) -> Row:
    """An event within a year and a bit, reported up to four months later."""
    first = start + timedelta(days=rng.randrange(420))
    last = first + timedelta(days=rng.choice((0, 0, 1, 8)))
    reported = last + timedelta(days=rng.choice((0, 1, 2, 5, 10, 20, 30, 60, 89, 90, 95)))
    by_time = rng.random() < 0.8
    return {
        "event_id": f"E{number}",
        "name": f"Event {number}",
        "base_minutes": str(rng.choice(MINUTES)) if by_time else "",
        "speed": "" if by_time else rng.choice(("standard", "rapid")),
        "fide_rated": rng.choice(("", "0", "1")),
        "starts": str(first),
        "ends": str(last),
        "reported": str(reported),
        "paid": rng.choice(("", *[str(reported + timedelta(days=rng.randrange(20)))] * 9)),
        "ruling": rng.choice((*[""] * 12, "exclude", "accept-late", "waive-fee", "include")),
    }


def game_rows(rng: random.Random, names: list[str], event: Row) -> list[Row]:
    """Rounds in which everyone meets one opponent at the most."""
    rows, days = [], (date.fromisoformat(event["ends"]) - date.fromisoformat(event["starts"])).days
    for round_ in range(1, rng.randrange(2, 7)):
        pairs = rng.sample(names, len(names) - len(names) % 2)[: 2 * rng.randrange(1, 4)]
        for white, black in zip(pairs[::2], pairs[1::2], strict=True):
            on = date.fromisoformat(event["starts"]) + timedelta(days=rng.randrange(days + 1))
            rows.append(
                {
                    "event_id": event["event_id"],
                    "round": str(round_),
                    "played": rng.choice(("", str(on))),
                    "white": white,
                    "black": black,
                    "result": rng.choice(RESULTS),
                    "ruling": "exclude" if rng.random() < 0.02 else "",
                }
            )
    return rows


def membership_rows(rng: random.Random, name: str, events: list[Row]) -> list[Row]:
    """Mostly a member for ever, sometimes for a year or one event, sometimes never."""
    kind = rng.choice((*["always"] * 12, "year", "event", "never"))
    if kind == "never" or (kind == "event" and not events):
        return []
    row = {
        "player_id": name,
        "kind": "annual",
        "valid_from": "2000-01-01",
        "valid_to": "2099-12-31",
        "event_id": "",
    }
    if kind == "year":
        return [row | {"valid_from": "2024-04-01", "valid_to": "2025-03-31"}]
    if kind == "event":
        return [row | {"kind": "event", "event_id": rng.choice(events)["event_id"]}]
    return [row]


def standing_rows(book: str, rng: random.Random, name: str, *, all_rated: bool) -> list[Row]:
    speeds = SPEEDS_OF.get(book, SPEEDS[:2]) or ("",)
    low = 1500 if book == "fide" else 380
    rows = []
    for speed in speeds:
        if all_rated or rng.random() < 0.4:
            rating = rng.randrange(low, 2450)
            rows.append(
                {
                    "player_id": name,
                    "speed": speed,
                    "rating": str(rating),
                    "games": str(rng.choice((0, 3, 16, 17, 18, 19, 20, 29, 30, 200))),
                    "peak": rng.choice(("", str(rating + rng.randrange(100)))),
                    "earned": rng.choice(("", "0", "1")),
                }
            )
    return rows


def go_ledger(seed: int, players: int, games: int, *, all_rated: bool = False) -> Ledger:
    """A server's pool; with `all_rated` everyone opens certified."""
    rng = random.Random(seed)
    names = [f"g{number}" for number in rng.sample(range(5, 5 + 3 * players), players)]
    centre = rng.randrange(0, 46)
    halves = {name: min(51, max(0, centre + rng.randrange(-5, 6))) for name in names}
    opening, declared = [], {}
    for name in names:
        rank, kind = (
            rank_name(halves[name]),
            "certified"
            if all_rated
            else rng.choice(("certified", "certified", "certified", "new", "new", "BC")),
        )
        declared[name] = rank.rstrip("+")
        if kind == "certified":
            points = 400 * halves[name] + rng.randrange(-150, 350)
            opening.append(go_standing(name, rank, str(points), rng.choice((20, 49, 50, 99, 100, 500))))
        elif kind == "BC":
            declared[name] = "BC"
            if rng.random() < 0.5:
                opening.append(go_standing(name, "BC", "", rng.choice((0, 20)), str(rng.randrange(5))))
    ended = datetime(2025, 1, 1, 12, tzinfo=TOKYO)
    rows = []
    for number in range(games):
        ended += timedelta(minutes=rng.choice((0, 7, 500)))
        rows.append(go_game_row(rng, names, halves, f"G{number:03}", ended))
    declarations = [
        {
            "player_id": name,
            "at": (ended - timedelta(hours=rng.randrange(100))).isoformat(),
            "rank": rank_name(2 * rng.randrange(26)),
        }
        for name in names
        if rng.random() < 0.3
    ]
    tables = {
        "players": [
            {"player_id": name, "name": name, "declared": declared[name], "professional": ""}
            for name in names
        ],
        "games": rows,
        "declarations": declarations,
        "standings": opening,
    }
    return Ledger(pool_toml("pandanet 2005-04-01"), tables)


def go_standing(name: str, rank: str, points: str, games: int, wins: str = "") -> Row:
    return {"player_id": name, "rank": rank, "points": points, "rated_games": str(games), "wins_in_bc": wins}


def go_game_row(
    rng: random.Random, names: list[str], halves: dict[str, int], game_id: str, ended: datetime
) -> Row:
    black, white = rng.sample(names, 2)
    if halves[black] > halves[white]:
        black, white = white, black
    stones, komi = regular_terms(halves[white] - halves[black])
    if rng.random() < 0.4:
        stones, komi = rng.choice((0, 2, 3)), rng.choice((13, 1, -11, 7))
    result = rng.choice(GO_RESULTS)
    at_fault = {"B": "white", "W": "black"}.get(result, "") if rng.random() < 0.05 else ""
    return {
        "game_id": game_id,
        "ended": ended.isoformat(),
        "black": black,
        "white": white,
        "result": result,
        "handicap": str(stones),
        "komi": str(komi / 2),
        "board": rng.choice(["19"] * 40 + ["9"]),
        "moves": rng.choice(["200"] * 40 + ["1"]),
        "room": rng.choice([""] * 20 + ["rated", "free"]),
        "pair": "1" if rng.random() < 0.03 else "",
        "robot": "black" if rng.random() < 0.03 else "",
        "fault": at_fault,
    }


def ledger_of(book: str, seed: int, players: int, events: int, *, all_rated: bool = False) -> Ledger:
    """`events` is the size: events of a chess pool, ten games each of a Go pool."""
    if book == "go":
        return go_ledger(seed, players, 10 * events, all_rated=all_rated)
    return chess_ledger(book, seed, players, events, all_rated=all_rated)


SEEDS = st.integers(0, 2**32)
PLAYERS = st.integers(2, 9)
EVENTS = st.integers(0, 12)
LEDGER = {"seed": SEEDS, "players": PLAYERS, "events": EVENTS}
FEW = settings(max_examples=examples(40))


# Rating


#: Headers of tables without rows; the optional ones are left out then.
EMPTY = {
    "events": "event_id name starts ends reported",
    "games": "event_id round white black result",
    "go games": "game_id ended black white result handicap komi board moves",
}


def write(ledger: Ledger, folder: Path) -> Path:
    folder.mkdir()
    (folder / "pool.toml").write_text(ledger.pool, encoding="utf-8")
    for name, rows in ledger.tables.items():
        kind = "go games" if name == "games" and "pandanet" in ledger.pool else name
        if rows or kind in EMPTY:
            header = list(rows[0]) if rows else EMPTY[kind].split()
            with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as stream:
                writer = csv.DictWriter(stream, header, lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
    return folder


def read(ledger: Ledger):
    with tempfile.TemporaryDirectory() as folder:
        return read_ledger(write(ledger, Path(folder) / "ledger"))


def files(ledger: Ledger, until: str | None = None) -> dict[str, bytes]:
    """The files of a run, by name."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        rate_ledger(read(ledger), out, until)
        return {path.name: path.read_bytes() for path in sorted(out.iterdir())}


def rows_of(file: bytes) -> list[Row]:
    return list(csv.DictReader(file.decode("utf-8").splitlines()))


# Properties


@pytest.mark.parametrize("book", BOOKS)
@given(**LEDGER)
@FEW
def test_the_order_of_rows_and_columns_does_not_matter(book, seed, players, events):
    ledger = ledger_of(book, seed, players, events)
    rng = random.Random(seed + 1)
    shuffled = {}
    for name, rows in ledger.tables.items():
        columns = rng.sample(list(rows[0]), len(rows[0])) if rows else []
        shuffled[name] = [{column: row[column] for column in columns} for row in rng.sample(rows, len(rows))]
    assert files(ledger.with_tables(**shuffled)) == files(ledger)


@pytest.mark.parametrize("book", BOOKS)
@given(**LEDGER)
@FEW
def test_two_runs_give_the_same_bytes(book, seed, players, events):
    ledger = ledger_of(book, seed, players, events)
    first = files(ledger)
    assert files(ledger) == first
    for file in first.values():
        assert b"\r" not in file
        assert file.endswith(b"\n")


@pytest.mark.parametrize("book", BOOKS)
@given(**LEDGER)
@FEW
def test_players_of_the_register_alone_change_nothing(book, seed, players, events):
    ledger = ledger_of(book, seed, players, events)
    template = ledger.tables["players"][0]
    more = [template | {"player_id": f"{name}{n}", "name": "X Y"} for n, name in enumerate("AZz")]
    before, after = files(ledger), files(ledger.with_tables(players=ledger.tables["players"] + more))
    if book != "go":
        assert after == before
    else:
        assert after["changes.csv"] == before["changes.csv"]
        theirs = {row["player_id"] for row in more}
        rest = [row for row in rows_of(after["standings.csv"]) if row["player_id"] not in theirs]
        assert rest == rows_of(before["standings.csv"])


@pytest.mark.parametrize("book", BOOKS)
@given(**LEDGER)
@FEW
def test_an_order_preserving_relabelling_changes_nothing_else(book, seed, players, events):
    ledger = ledger_of(book, seed, players, events)
    old = sorted(row["player_id"] for row in ledger.tables["players"])
    back = {f"{number:04}-{name}": name for number, name in enumerate(old)}
    renamed = files(relabelled(ledger, {name: label for label, name in back.items()}))
    for name, file in files(ledger).items():
        assert [mapped(row, back) for row in rows_of(renamed[name])] == rows_of(file)


@pytest.mark.parametrize("book", BOOKS)
@given(**LEDGER)
@FEW
def test_any_relabelling_changes_nothing_but_the_order(book, seed, players, events):
    ledger = ledger_of(book, seed, players, events)
    old = [row["player_id"] for row in ledger.tables["players"]]
    labels = [f"Z{number}" for number in range(len(old))]
    random.Random(seed + 1).shuffle(labels)
    renamed = files(relabelled(ledger, dict(zip(old, labels, strict=True))))
    back = dict(zip(labels, old, strict=True))
    for name, file in files(ledger).items():
        assert in_any_order(mapped(row, back) for row in rows_of(renamed[name])) == in_any_order(
            rows_of(file)
        )


PLAYER_COLUMNS = ("player_id", "opponent_id", "white", "black")


def mapped(row: Row, names: dict[str, str]) -> Row:
    return {
        column: names.get(cell, cell) if column in PLAYER_COLUMNS else cell for column, cell in row.items()
    }


def relabelled(ledger: Ledger, names: dict[str, str]) -> Ledger:
    return ledger.with_tables(
        **{table: [mapped(row, names) for row in rows] for table, rows in ledger.tables.items()}
    )


def in_any_order(rows) -> list[tuple[str, ...]]:
    return sorted(tuple(row.values()) for row in rows)


@pytest.mark.parametrize("book", CHESS)
@given(**LEDGER, cut=st.floats(0, 1))
@FEW
def test_until_gives_the_leading_part(book, seed, players, events, cut):
    ledger = ledger_of(book, seed, players, events)
    names = history.list_names(read(ledger), None)
    assume(names)
    last = int(cut * (len(names) - 1))
    whole, part = files(ledger), files(ledger, names[last])
    for name, file in part.items():
        assert whole[name].startswith(file)
        left = {
            row["list"]
            for row in rows_of(whole[name][: 1 + whole[name].index(b"\n")] + whole[name][len(file) :])
        }
        assert not left & set(names[: last + 1])


@pytest.mark.parametrize("book", CHESS)
@given(**LEDGER, cut=st.floats(0, 1))
@FEW
def test_a_pool_split_and_carried_over_by_its_standings_goes_on_the_same(book, seed, players, events, cut):
    """Where no first rating is on its way and, for FIDE, no event is in progress."""
    ledger = ledger_of(book, seed, players, events, all_rated=True)
    read_in = read(ledger)
    names = history.list_names(read_in, None)
    rated = list(history.history(read_in, names))
    splits = [
        n
        for n in range(1, len(rated))
        if rated[n].batch.entries and can_split(book, ledger, rated[n - 1], names[n])
    ]
    assume(splits)
    split = splits[int(cut * (len(splits) - 1))]
    later = later_part(book, ledger, rated[split - 1], names[split:])
    whole, rest = files(ledger), files(later)
    for name in ("lists.csv", "changes.csv", "adjusted.csv"):
        expected = [row for row in rows_of(whole.get(name, b"")) if row["list"] in names[split:]]
        assert rows_of(rest.get(name, b"")) == expected


def list_of(book: str, event: Row) -> str:
    if book == "hakodate":
        return event["event_id"]
    if book == "fide":
        return fide_2024.CALENDAR.window_on(date.fromisoformat(event["ends"])).name
    return ncs_2022.CALENDAR.window_on(date.fromisoformat(event["reported"])).name


def can_split(book: str, ledger: Ledger, last, first: str) -> bool:
    """No games on file, nobody unrated with earlier games, no event begun and not yet listed.

    And no rating that a ledger takes for a slip of the pen: without a floor one may fall below 0.
    """
    standings = last.outcome.standings
    if any(games for of_speed in standings.waiting.values() for games in of_speed.values()):
        return False
    if any(of_speed for of_speed in standings.waiting.values()):
        return False
    states = [rating for of_speed in standings.ratings.values() for rating in of_speed.values()]
    if any(rating.value is None and rating != (None, 0, None, False) for rating in states):
        return False
    if any(
        not LOWEST_RATING <= rating.value <= HIGHEST_RATING for rating in states if rating.value is not None
    ):
        return False
    if book != "fide":
        return True
    later = [event for event in ledger.tables["events"] if list_of(book, event) >= first]
    return all(str(month_of(date.fromisoformat(event["starts"]))) >= last.batch.name for event in later)


def later_part(book: str, ledger: Ledger, last, lists: list[str]) -> Ledger:
    """The events of those lists, on the standings of the list before them."""
    events = [event for event in ledger.tables["events"] if list_of(book, event) in lists]
    kept = {event["event_id"] for event in events}
    standings = [
        {
            "player_id": player,
            "speed": speed,
            "rating": str(rating.value),
            "games": str(rating.games),
            "peak": str(rating.peak),
            "earned": str(int(rating.earned)),
        }
        for speed, of_speed in last.outcome.standings.ratings.items()
        for player, rating in of_speed.items()
        if rating.value is not None
    ]
    return ledger.with_tables(
        events=events,
        games=[game for game in ledger.tables["games"] if game["event_id"] in kept],
        memberships=[row for row in ledger.tables["memberships"] if row["event_id"] in kept | {""}],
        standings=standings,
        adjustments=[row for row in ledger.tables["adjustments"] if row["list"] in lists],
    )


FLOORS = {"NCS": 400, "JCF": 1000}


@pytest.mark.parametrize("book", ["ncs", "jcf", "japan"])
@given(**LEDGER)
@FEW
def test_a_rating_is_the_old_one_and_the_rounded_sum_of_its_lines(book, seed, players, events):
    made = files(chess_ledger(book, seed, players, events))
    lists = {(row["list"], row["speed"], row["player_id"]): row for row in rows_of(made["lists.csv"])}
    after_games = {key: int(row["rating"]) for key, row in lists.items()}
    for row in reversed(rows_of(made.get("adjusted.csv", b""))):
        after_games[row["list"], row["speed"], row["player_id"]] = int(row["before"])
    sums: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for line in rows_of(made["changes.csv"]):
        if line["verdict"] == "rated":
            sums[line["list"], line["speed"], line["player_id"]].append(line)
    for key, lines in sums.items():
        total = sum(Fraction(line["change"]) for line in lines)
        floor = FLOORS[lines[0]["clause"].split()[0]]
        (own,) = {int(line["own"]) for line in lines}
        assert after_games[key] == max(floor, own + rounded(total.numerator, total.denominator))
        assert int(lists[key]["peak"]) >= max(own, after_games[key], int(lists[key]["rating"]))


@pytest.mark.parametrize("book", ["ncs", "jcf", "fide"])
@given(**LEDGER)
@FEW
def test_a_line_is_score_less_expectation_times_k(book, seed, players, events):
    for line in rows_of(files(chess_ledger(book, seed, players, events))["changes.csv"]):
        if line["verdict"] == "rated":
            change = (Fraction(line["score"]) - Fraction(line["expected"])) * int(line["k"])
            assert Fraction(line["change"]) == change
            other = line["opponent"]
            difference = int(line["own"]) - int(other) if other else 400
            assert int(line["difference"]) in (difference, max(-400, min(400, difference)))
        else:
            assert (line["change"], line["k"], line["expected"], line["difference"]) == ("",) * 4


@given(**LEDGER)
@FEW
def test_go_both_sides_see_the_same_game(seed, players, events):
    lines = rows_of(files(go_ledger(seed, players, 10 * events))["changes.csv"])
    for black, white in zip(lines[::2], lines[1::2], strict=True):
        assert black["game_id"] == white["game_id"]
        assert (black["player_id"], black["opponent_id"]) == (white["opponent_id"], white["player_id"])
        assert (black["rank"], black["opponent_rank"]) == (white["opponent_rank"], white["rank"])
        assert black["difference"] == white["difference"]
        assert {black["upper"], white["upper"]} in ({""}, {"0", "1"})
        assert {black["won"], white["won"]} in ({""}, {"0", "1"})
        if black["points"] and white["points"] and black["verdict"] == white["verdict"]:
            assert (int(black["points"]) > 0) != (int(white["points"]) > 0)


@given(**LEDGER)
@FEW
def test_go_points_ranks_and_games_stay_consistent(seed, players, events):
    ledger = read(go_ledger(seed, players, 10 * events))
    run, zone = go_opening(ledger), default_zone()
    for rated in go_history(ledger, run, None):
        for line in (rated.black, rated.white):
            before, after = line.before, line.after
            if before.kind == after.kind == "certified":
                assert after.points == before.points + (line.points or 0)
                assert zone.down[after.half] < after.points
                assert zone.up[after.half] is None or after.points < zone.up[after.half]
                assert HALF_OF[after.rank] == after.half
            assert after.rated_games == before.rated_games + (line.verdict == "rated")
            assert after.last_two[-1:] == (line.verdict == "rated",)
            assert len(after.record) < 20


@given(**LEDGER, cut=st.floats(0, 1))
@FEW
def test_go_until_gives_the_leading_games(seed, players, events, cut):
    ledger = go_ledger(seed, players, 10 * events)
    games = sorted(ledger.tables["games"], key=lambda row: (row["ended"], row["game_id"]))
    assume(games)
    until = games[int(cut * (len(games) - 1))]["ended"]
    whole, part = files(ledger), files(ledger, until)
    assert whole["changes.csv"].startswith(part["changes.csv"])
    rest = ledger.with_tables(
        games=[row for row in games if row["ended"] <= until],
        declarations=[row for row in ledger.tables["declarations"] if row["at"] <= until],
    )
    assert files(rest) == part


@given(**LEDGER, cut=st.floats(0, 1))
@FEW
def test_a_server_split_and_carried_over_by_its_standings_goes_on_the_same(seed, players, events, cut):
    """Where all are certified; a bonus in the next two games would know what came before."""
    ledger = go_ledger(seed, players, 10 * events, all_rated=True)
    games = games_until(read(ledger), None)
    assume(games)
    at = games[int(cut * (len(games) - 1))].ended
    first = files(ledger, at.isoformat())
    standings = [
        row | {"wins_in_bc": row["wins_in_bc"].replace("0", "")} for row in rows_of(first["standings.csv"])
    ]
    assume(not any("BC" in row["rank"] for row in standings))
    later = [row for row in ledger.tables["games"] if datetime.fromisoformat(row["ended"]) > at]
    rest = files(ledger.with_tables(games=later, standings=standings, declarations=[]))
    whole = files(ledger)
    bonus = [row for row in rows_of(whole["changes.csv"]) if row["verdict"] == "bonus"]
    assume(not bonus)
    ids = {row["game_id"] for row in later}
    assert rows_of(rest["changes.csv"]) == [
        row for row in rows_of(whole["changes.csv"]) if row["game_id"] in ids
    ]
    assert rest["standings.csv"] == whole["standings.csv"]


RUN = """
import sys
from pathlib import Path
from banzuke.ledger.folder import read_ledger
from banzuke.engine.rating_run import rate_ledger
for example in sorted(path.parent for path in Path(sys.argv[1]).glob("*/pool.toml")):
    rate_ledger(read_ledger(example), Path(sys.argv[2]) / example.name)
"""


def test_another_interpreter_with_other_hashes_gives_the_same_bytes(tmp_path):
    made = []
    for seed in ("1", "2"):
        out = tmp_path / seed
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        subprocess.run(
            [sys.executable, "-c", RUN, str(PROJECT / "examples"), str(out)], env=environment, check=True
        )
        made.append({path.relative_to(out): path.read_bytes() for path in sorted(out.rglob("*.csv"))})
    assert made[0] == made[1]
    assert len(made[0]) >= 8
