"""Adjustments carried out: which figures, in which lists, in which order, by each kind of book."""

from __future__ import annotations

import random
import tempfile
from fractions import Fraction
from pathlib import Path

import pytest
from engine.columnar.test_columnar_run import both
from engine.random_adjustments import random_map
from engine.test_properties import (
    CHESS,
    FEW,
    LEDGER,
    Ledger,
    files,
    ledger_of,
    pool_toml,
    read,
    rows_of,
    write,
)
from hypothesis import given
from hypothesis import strategies as st

from banzuke.core.adjustments import mapped, read_map
from banzuke.engine.adjustment_warnings import adjustment_warnings
from banzuke.engine.columnar.columnar_run import rate_columnar
from banzuke.engine.columnar.columnar_run import read as read_columns
from banzuke.engine.rating_run import rate_ledger
from banzuke.ledger.folder import read_ledger
from banzuke.words import fault_line

SHARED = Path(__file__).parents[3] / "shared" / "cases-next" / "japan-adjusted"

PLAYERS = [{"player_id": name, "name": f"{name} X", "fide_standard": ""} for name in "ABCD"]


def adjustment(
    name: str = "A1", of: str = "2025-03", points: str = "1000:1400 2000:2000", **more: str
) -> dict:
    row = {"adjustment_id": name, "list": of, "speed": "", "points": points, "decision": "Board"}
    return row | {"added": "", "struck": ""} | more


def standing(player: str, rating: object, games: int = 50, speed: str = "standard", **more: str) -> dict:
    return {"player_id": player, "speed": speed, "rating": str(rating), "games": str(games)} | more


def event(name: str, reported: str, **more: str) -> dict:
    days = {"starts": reported, "ends": reported, "reported": reported}
    return {"event_id": name, "name": name, "speed": "standard"} | days | more


def game(event_id: str, white: str, black: str, result: str = "1-0", round_: int = 1) -> dict:
    return {"event_id": event_id, "round": str(round_), "white": white, "black": black, "result": result}


def japan(*adjustments: dict, editions: str = "jcf-2024 2024-10-01", **tables: list) -> Ledger:
    """Lists 2025-03 and 2025-04: A (1500) beats B (1100) in the second; C (990) and D never play."""
    member = {"kind": "annual", "valid_from": "2000-01-01", "valid_to": "2099-12-31"}
    made = {
        "players": PLAYERS,
        "memberships": [{"player_id": row["player_id"]} | member for row in PLAYERS],
        "events": [event("E1", "2025-02-10"), event("E2", "2025-03-10")],
        "games": [game("E2", "A", "B")],
        "standings": [standing("A", 1500), standing("B", 1100), standing("C", 2450)],
        "adjustments": list(adjustments),
    }
    return Ledger(pool_toml(editions), made | tables)


def club(book: str, *adjustments: dict, **tables: list) -> Ledger:
    """A pool of that book whose lists are its events: A beats B in E1 and again in E2."""
    made = {
        "players": [{"player_id": name, "name": name} for name in "ABCD"],
        "events": [event("E1", "2025-02-10", speed=""), event("E2", "2025-03-10", speed="")],
        "games": [game("E1", "A", "B"), game("E2", "A", "B")],
        "standings": [
            standing(name, rating, speed="") for name, rating in (("A", 1500), ("B", 1100), ("C", 1700))
        ],
        "adjustments": list(adjustments),
    }
    return Ledger(pool_toml(f"{book} 2020-01-01"), made | tables)


def ratings(ledger: Ledger, of: str) -> dict[str, str]:
    return {
        row["player_id"]: row["rating"] for row in rows_of(files(ledger)["lists.csv"]) if row["list"] == of
    }


def adjusted(ledger: Ledger) -> list[tuple[str, ...]]:
    return [tuple(row.values()) for row in rows_of(files(ledger).get("adjusted.csv", b""))]


class TestMap:
    @pytest.mark.parametrize(
        ("figure", "moved"),
        [(400, 800), (1000, 1400), (1500, 1700), (1001, "7003/5"), (2000, 2000), (2001, 2001), (3000, 3000)],
    )
    def test_of_fide_in_2024(self, figure, moved):
        assert mapped(read_map("1000:1400 2000:2000"), Fraction(figure)) == Fraction(moved)

    def test_several_pieces(self):
        nodes = read_map("800:900 1200:1200 1600:1700 2000:2000")
        assert [mapped(nodes, Fraction(at)) for at in (799, 1000, 1200, 1400, 1800, 2100)] == [
            899, 1050, 1200, 1450, 1850, 2100,
        ]  # fmt: skip

    def test_down_below_the_first_node(self):
        assert mapped(read_map("500:100 1000:1000"), Fraction(300)) == -100


class TestMonthlyLists:
    def test_every_rating_with_games_or_without_and_the_next_list_begins_from_it(self):
        ledger = japan(adjustment())
        assert ratings(ledger, "2025-03") == {"A": "1700", "B": "1460", "C": "2450"}
        assert adjusted(ledger) == [
            ("2025-03", "standard", "A", "A1", "1500", "1700"),
            ("2025-03", "standard", "B", "A1", "1100", "1460"),
            ("2025-03", "standard", "C", "A1", "2450", "2450"),
        ]
        lines = [row for row in rows_of(files(ledger)["changes.csv"]) if row["list"] == "2025-04"]
        assert [(row["own"], row["opponent"], row["difference"]) for row in lines] == [
            ("1700", "1460", "240"),
            ("1460", "1700", "-240"),
        ]

    def test_change_is_the_whole_difference_and_games_stay(self):
        rows = rows_of(files(japan(adjustment(of="2025-04")))["lists.csv"])
        found = {
            row["player_id"]: (row["rating"], row["change"], row["games"], row["peak"])
            for row in rows
            if row["list"] == "2025-04"
        }
        # A gains 1.6 to 1502, B loses 1.6 to 1098
        assert found == {
            "A": ("1701", "201", "51", "1701"),
            "B": ("1459", "359", "51", "1459"),
            "C": ("2450", "0", "50", "2450"),
        }

    def test_the_peak_is_the_highest_of_all_before_it_and_after(self):
        down = japan(adjustment(of="2025-04", points="1000:700 2000:2000"))
        (row,) = [
            row
            for row in rows_of(files(down)["lists.csv"])
            if row["list"] == "2025-04" and row["player_id"] == "A"
        ]
        assert (row["rating"], row["peak"]) == ("1353", "1502")

    def test_peaks_of_steps_between_count(self):
        up_and_down = japan(adjustment("A1"), adjustment("A2", points="1000:700 2300:2300"))
        (row,) = [row for row in rows_of(files(up_and_down)["lists.csv"])[:3] if row["player_id"] == "A"]
        assert (row["rating"], row["peak"]) == ("1562", "1700")

    def test_a_peak_by_adjustment_decides_k(self):
        """JCF 5(1): whoever ever had 2400 has K 10."""
        ledger = japan(
            adjustment(points="1500:2400 3000:3000"),
            adjustment("A2", points="0:0 1500:1500 2900:1500 3000:3000"),
        )
        lines = [row for row in rows_of(files(ledger)["changes.csv"]) if row["list"] == "2025-04"]
        assert [(row["player_id"], row["own"], row["k"]) for row in lines] == [
            ("A", "1500", "10"),
            ("B", "1500", "20"),
        ]

    def test_halves_are_rounded_away_from_zero(self):
        ledger = japan(
            adjustment(points="1000:1001 1200:1200 3000:3000"),
            standings=[standing("A", 1100), standing("B", 1098), standing("C", 1102)],
        )
        # 1100 is 1100.5, 1098 is 1098.51, 1102 is 1102.49
        assert ratings(ledger, "2025-03") == {"A": "1101", "B": "1099", "C": "1102"}

    def test_not_below_the_floor(self):
        ledger = japan(adjustment(points="1500:1000 2000:2000"))
        assert ratings(ledger, "2025-03") == {"A": "1000", "B": "1000", "C": "2450"}

    def test_not_below_the_floor_of_the_book_that_makes_the_list(self):
        ledger = japan(
            adjustment(of="2024-10", points="1500:800 2000:2000"),
            adjustment("A2", of="2024-11", points="1500:1000 2000:2000"),
            editions="ncs-2022 2022-09-01, jcf-2024 2024-10-01",
            events=[event("E1", "2024-09-10", fide_rated=""), event("E2", "2024-10-10", fide_rated="")],
            games=[],
        )
        assert ratings(ledger, "2024-10") == {"A": "800", "B": "400", "C": "2450"}
        assert adjusted(ledger)[3:5] == [
            ("2024-11", "standard", "A", "A2", "1000", "1000"),
            ("2024-11", "standard", "B", "A2", "1000", "1000"),
        ]

    def test_several_of_one_list_go_by_their_ids_in_code_points(self):
        ledger = japan(
            adjustment("b", points="1000:1100 3000:3000"),
            adjustment("a", points="0:0 1800:1500 3000:3000"),
            adjustment("B", points="0:100 3000:3000"),
        )
        rows = [row[3:] for row in adjusted(ledger) if row[2] == "A"]
        assert rows == [("B", "1500", "1550"), ("a", "1550", "1292"), ("b", "1292", "1377")]

    def test_a_speed_alone(self):
        both_speeds = [standing("A", 1500), standing("A", 1600, speed="rapid"), standing("B", 1100)]
        ledger = japan(adjustment(speed="rapid"), standings=both_speeds, games=[])
        assert adjusted(ledger) == [("2025-03", "rapid", "A", "A1", "1600", "1760")]

    def test_all_speeds_standard_before_rapid(self):
        both_speeds = [standing("A", 1600, speed="rapid"), standing("A", 1500), standing("B", 1100)]
        ledger = japan(adjustment(), standings=both_speeds, games=[])
        assert [row[1:3] for row in adjusted(ledger)] == [
            ("standard", "A"),
            ("rapid", "A"),
            ("standard", "B"),
        ]

    def test_what_is_inherited_later_is_the_adjusted_rating_and_fide_s_stays(self):
        """JCF 6(1): the other speed's rating; JCF 6(2): FIDE's, as it was on joining."""
        players = [row | {"fide_standard": "1800" if row["player_id"] == "D" else ""} for row in PLAYERS]
        ledger = japan(
            adjustment(),
            players=players,
            events=[event("E1", "2025-02-10"), event("E2", "2025-03-10", speed="rapid")],
            games=[game("E2", "A", "D")],
        )
        lines = rows_of(files(ledger)["changes.csv"])
        assert [(row["player_id"], row["own"]) for row in lines] == [("A", "1700"), ("D", "1800")]

    def test_first_ratings_of_the_list_are_adjusted_and_games_that_wait_keep_their_opponents(self):
        """NCS 6(3): four games, two before the adjustment and two after it."""
        rounds = [("E1", 1, "A"), ("E1", 2, "B"), ("E2", 1, "A"), ("E2", 2, "B")]
        ledger = japan(
            adjustment(),
            adjustment("A2", of="2025-04", points="0:100 3000:3000"),
            editions="ncs-2022 2022-09-01",
            events=[
                event("E1", "2025-02-10", paid="2025-02-10"),
                event("E2", "2025-03-10", paid="2025-03-10"),
            ],
            games=[game(of, other, "D", "1/2-1/2", number) for of, number, other in rounds],
        )
        before = {row[3]: row[4] for row in adjusted(ledger) if row[:3] == ("2025-04", "standard", "D")}
        # E1: 1500 and 1100; E2: as adjusted after the games of E1
        after_e1 = ratings(ledger, "2025-03")
        mean = Fraction(1500 + 1100 + int(after_e1["A"]) + int(after_e1["B"]), 4)
        assert before == {"A2": str(int(mean + Fraction(1, 2)))}
        assert int(after_e1["A"]) > 1600

    def test_a_list_without_games(self):
        ledger = japan(adjustment(), events=[event("E1", "2025-02-10"), event("E2", "2025-05-10")], games=[])
        made = rows_of(files(ledger)["lists.csv"])
        assert sorted({row["list"] for row in made}) == ["2025-03", "2025-04", "2025-05", "2025-06"]
        changes = {(row["list"], row["player_id"]): row["change"] for row in made}
        assert (changes["2025-03", "A"], changes["2025-04", "A"]) == ("200", "0")


class TestDays:
    """NCS 3(7), JCF 7(3): a list knows the inquiries of 90 days."""

    @pytest.mark.parametrize(
        ("days", "is_known"),
        [
            ({"added": "2025-05-29"}, True),
            ({"added": "2025-05-30"}, False),
            ({"struck": "2025-05-29"}, False),
            ({"struck": "2025-05-30"}, True),
        ],
    )
    def test_of_a_row(self, days, is_known):
        assert bool(adjusted(japan(adjustment(**days)))) is is_known

    def test_a_map_that_was_corrected(self):
        rows = adjustment(struck="2025-04-01"), adjustment(points="0:10 3000:3000", added="2025-04-01")
        assert adjusted(japan(*rows))[0][4:] == ("1500", "1505")

    def test_other_books_know_every_strike(self):
        row = adjustment(of="E1", struck="2099-01-01")
        assert adjusted(club("hakodate", row)) == []
        assert adjusted(club("hakodate", row | {"struck": "", "added": "2099-01-01"})) != []

    def test_a_correction_that_reaches_back_is_mapped_again(self):
        """The game of the list itself turns out lost: the map is carried out on the new figures."""
        events = [event("E1", "2025-02-10"), event("E2", "2025-03-10")]
        won = game("E1", "A", "B") | {"added": "", "struck": ""}
        lost = won | {"result": "0-1", "added": "2025-03-20"}
        first = japan(adjustment(), events=events, games=[won])
        second = japan(adjustment(), events=events, games=[won | {"struck": "2025-03-20"}, lost])
        assert adjusted(first)[0][4:] == ("1502", "1701")
        assert adjusted(second)[0][4:] == ("1482", "1689")


class TestListsOfEvents:
    def test_hakodate_has_no_floor(self):
        ledger = club("hakodate", adjustment(of="E1", points="2000:0 3000:3000"))
        assert ratings(ledger, "E1") == {"A": "-500", "B": "-900", "C": "-300"}

    def test_a_rating_that_rests_on_few_games_is_carried_on(self):
        """HCC R6: a provisional rating counts for its games, at its adjusted figure."""
        openings = [standing("A", 1500, 4, ""), standing("B", 1100, 4, "")]
        ledger = club("hakodate", adjustment(of="E1", points="0:0 1:1"), standings=openings)
        moved = club("hakodate", adjustment(of="E1", points="0:200 4000:4000"), standings=openings)
        before, after = ratings(ledger, "E1"), ratings(moved, "E1")
        assert ratings(moved, "E2")["A"] == str(round((5 * int(after["A"]) + int(after["B"]) + 400) / 6))
        assert before != after

    def test_fixed_ratings_of_the_irish_union_are_not_adjusted(self):
        people = [
            {
                "player_id": name,
                "name": name,
                "birth_date": "1980-01-01",
                "joined": "2000-01-01",
                "fixed_rating": fixed,
            }
            for name, fixed in (("A", ""), ("B", ""), ("C", ""), ("F", "2000"))
        ]
        ledger = club(
            "icu", adjustment(of="E1"), players=people, games=[game("E1", "A", "F"), game("E2", "A", "F")]
        )
        assert [row[2] for row in adjusted(ledger)] == ["A", "B", "C"]
        lines = rows_of(files(ledger)["changes.csv"])
        assert [row["opponent"] for row in lines if row["player_id"] == "A"] == ["2000", "2000"]

    def test_us_chess_carries_four_decimals(self):
        openings = [standing("A", "1500.1234", 50, "", peak="1600"), standing("B", 1100, 50, "", peak="1200")]
        games = [game("E2", "A", "B")]
        events = [
            event(name, day, speed="", base_minutes="90")
            for name, day in (("E1", "2025-02-10"), ("E2", "2025-03-10"))
        ]
        ledger = club(
            "us-chess",
            adjustment(of="E1", points="1000:1400 2000:2000"),
            standings=openings,
            games=games,
            events=events,
        )
        assert adjusted(ledger) == [
            ("E1", "", "A", "A1", "1500.1234", "1700.0740"),
            ("E1", "", "B", "A1", "1100.0000", "1460.0000"),
        ]
        rows = [row for row in rows_of(files(ledger)["lists.csv"]) if row["list"] == "E1"]
        assert [(row["rating"], row["exact"], row["peak"], row["change"]) for row in rows] == [
            ("1700", "1700.0740", "1700", "200"),
            ("1460", "1460.0000", "1460", "360"),
        ]

    def test_us_chess_floors_are_each_player_s_own_and_a_provisional_rating_is_no_peak(self):
        openings = [
            standing("A", 1500, 50, "", peak="1841"),
            standing("B", 1500, 10, "", peak=""),
            standing("C", 1500, 50, "", peak="1500"),
        ]
        ledger = club(
            "us-chess", adjustment(of="E1", points="1500:1000 2000:2000"), standings=openings, games=[]
        )
        # USC 9: 1841 less 200 down to a hundred; 1500 less 200
        assert [row[4:] for row in adjusted(ledger)] == [
            ("1500.0000", "1600.0000"), ("1500.0000", "1000.0000"), ("1500.0000", "1300.0000"),
        ]  # fmt: skip
        up = club("us-chess", adjustment(of="E1", points="1500:1700 2000:2000"), standings=openings, games=[])
        assert [row["peak"] for row in rows_of(files(up)["lists.csv"])[:3]] == ["1841", "", "1700"]

    def test_an_event_that_was_taken_back_makes_no_list(self):
        events = [
            event("E1", "2025-02-10", speed="", struck="2025-03-01"),
            event("E2", "2025-03-10", speed="", struck=""),
        ]
        ledger = club("hakodate", adjustment(of="E1"), events=events, games=[game("E2", "A", "B")])
        assert adjusted(ledger) == []
        (warning,) = adjustment_warnings(read(ledger))
        assert warning.code == "warn-adjustment-list"


class TestFide:
    def test_events_are_rated_on_the_list_in_force_and_the_change_is_added_to_the_adjusted_rating(self):
        """E1 begins before the adjusted list is published, and ends after it."""
        e1 = event("E1", "2025-03-20", starts="2025-02-25")
        ledger = japan(
            adjustment(of="2025-03"),
            editions="fide-2024 2024-03-01",
            events=[event("E0", "2025-02-20"), e1, event("E2", "2025-03-28", starts="2025-03-05")],
            games=[game("E1", "A", "B"), game("E2", "A", "B")],
            standings=[standing("A", 1600), standing("B", 1500)],
        )
        lines = rows_of(files(ledger)["changes.csv"])
        assert [(row["event_id"], row["own"], row["opponent"]) for row in lines] == [
            ("E1", "1600", "1500"), ("E1", "1500", "1600"), ("E2", "1760", "1700"), ("E2", "1700", "1760"),
        ]  # fmt: skip
        # K 20 times .36 and .42 is added to A's 1760
        assert ratings(ledger, "2025-04") == {"A": "1776", "B": "1684"}

    def test_not_below_the_floor_and_so_nobody_leaves_the_list(self):
        ledger = japan(
            adjustment(of="2025-03", points="1500:1000 2000:2000"),
            editions="fide-2024 2024-03-01",
            events=[event("E0", "2025-02-20"), event("E2", "2025-03-20")],
            games=[],
            standings=[standing("A", 1600), standing("B", 1500)],
        )
        assert ratings(ledger, "2025-04") == {"A": "1400", "B": "1400"}


class TestProperties:
    @pytest.mark.parametrize("book", CHESS)
    @given(**LEDGER)
    @FEW
    def test_a_map_that_moves_nothing_changes_no_other_file(self, book, seed, players, events):
        """But for ratings below FIDE's floor, which no list of FIDE has: the standings begin at 1500."""
        ledger = ledger_of(book, seed, players, events).with_tables(adjustments=[])
        names = {row["list"] for row in rows_of(files(ledger)["lists.csv"])}
        rows = [
            adjustment(f"A{number}", name, "0:0 1000:1000 5000:5000")
            for number, name in enumerate(sorted(names))
        ]
        made, plain = files(ledger.with_tables(adjustments=rows)), files(ledger)
        assert {name: file for name, file in made.items() if name != "adjusted.csv"} == plain
        assert all(row["before"] == row["after"] for row in rows_of(made.get("adjusted.csv", b"")))
        assert bool(names) == ("adjusted.csv" in made)

    @pytest.mark.parametrize("book", CHESS)
    @given(**LEDGER)
    @FEW
    def test_one_struck_in_time_was_never_there(self, book, seed, players, events):
        ledger = ledger_of(book, seed, players, events)
        rows = [
            adjustment(f"X{number}", row["list"], struck="1900-01-01")
            for number, row in enumerate(ledger.tables["adjustments"])
        ]
        assert files(ledger.with_tables(adjustments=[*rows, *ledger.tables["adjustments"]])) == files(ledger)

    @pytest.mark.parametrize("book", ["jcf", "hakodate"])
    @given(**LEDGER)
    @FEW
    def test_two_at_once_are_one_after_the_other(self, book, seed, players, events):
        """The figure after the first is that before the second, and the list has that after the last."""
        ledger, rng = ledger_of(book, seed, players, events), random.Random(seed)
        names = sorted({row["list"] for row in rows_of(files(ledger)["lists.csv"])})[:1]
        rows = [adjustment(name, of, random_map(rng)) for of in names for name in ("B1", "B2")]
        made = files(ledger.with_tables(adjustments=rows))
        found = rows_of(made.get("adjusted.csv", b""))
        figures = [
            {
                (row["speed"], row["player_id"]): (row["before"], row["after"])
                for row in found
                if row["adjustment_id"] == name
            }
            for name in ("B1", "B2")
        ]
        assert {key: after for key, (_, after) in figures[0].items()} == {
            key: before for key, (before, _) in figures[1].items()
        }
        in_list = {
            (row["speed"], row["player_id"]): row["rating"]
            for row in rows_of(made["lists.csv"])
            if [row["list"]] == names
        }
        assert {key: after for key, (_, after) in figures[1].items()} == in_list

    @pytest.mark.slow
    @pytest.mark.parametrize("book", CHESS)
    @FEW
    @given(seed=st.integers(0, 2**32), as_parquet=st.booleans())
    def test_the_columnar_engine_equals_to_the_byte_whatever_the_map(self, book, seed, as_parquet):
        rng = random.Random(seed)
        ledger = ledger_of(book, seed, 8, 9).with_tables(adjustments=[])
        names = sorted({row["list"] for row in rows_of(files(ledger)["lists.csv"])})
        rows = [
            adjustment(
                f"A{number}",
                rng.choice(names),
                random_map(rng),
                speed="" if book == "hakodate" else rng.choice(("", "standard")),
            )
            for number in range(3 if names else 0)
        ]
        with tempfile.TemporaryDirectory() as place:
            folder = write(ledger.with_tables(adjustments=rows), Path(place) / "ledger")
            readable, columnar = both(folder, as_parquet=as_parquet)
        assert columnar == readable


class TestFiles:
    def test_no_file_without_rows(self):
        assert "adjusted.csv" not in files(japan())
        assert "adjusted.csv" not in files(japan(adjustment(of="2030-01")))
        assert "adjusted.csv" not in files(japan(adjustment(), standings=[], games=[]))

    @pytest.mark.parametrize("as_parquet", [False, True])
    @pytest.mark.parametrize("rate", ["readable", "columnar"])
    def test_an_earlier_run_s_file_does_not_stay(self, tmp_path, rate, as_parquet):
        out = tmp_path / "out"
        for number, ledger in enumerate((japan(adjustment()), japan())):
            folder = write(ledger, tmp_path / f"{number}")
            if rate == "readable":
                rate_ledger(read_ledger(folder), out, as_parquet=as_parquet and not number)
            else:
                rate_columnar(read_columns(folder), out, as_parquet=as_parquet and not number)
            made = {path.stem for path in out.iterdir()}
            assert made == {"lists", "changes"} | (set() if number else {"adjusted"})

    def test_parquet_has_whole_numbers(self, tmp_path):
        parquet = pytest.importorskip("pyarrow.parquet", reason="the extra `bulk` is not installed")
        rate_ledger(read(japan(adjustment())), tmp_path / "out", as_parquet=True)
        kinds = {
            field.name: str(field.type)
            for field in parquet.read_schema(tmp_path / "out" / "adjusted.parquet")
        }
        assert (kinds["before"], kinds["after"], kinds["adjustment_id"]) == ("int64", "int64", "string")

    def test_ids_are_quoted_as_csv_asks(self):
        (header, first, *_) = files(japan(adjustment('x,"y"')))["adjusted.csv"].decode().splitlines()
        assert header == "list,speed,player_id,adjustment_id,before,after"
        assert first == '2025-03,standard,A,"x,""y""",1500,1700'


class TestWarnings:
    def test_a_list_that_is_not_made(self):
        found = adjustment_warnings(read(japan(adjustment(of="2030-01"), adjustment("A2"))))
        assert [fault_line(each, "en") for each in found] == [
            (
                "adjustments.csv: A1: The adjustment has no effect: no list 2030-01 is made from this ledger, whose "
                "lists are 2025-03 to 2025-04. Correct the list, if another is meant."
            )
        ]

    def test_no_list_at_all(self):
        (found,) = adjustment_warnings(read(japan(adjustment(), events=[], games=[])))
        assert found.code == "warn-adjustment-no-list"

    def test_known_too_late(self):
        found = adjustment_warnings(read(japan(adjustment(added="2025-05-30"))))
        assert [fault_line(each, "en") for each in found] == [
            (
                "adjustments.csv: A1: The adjustment has no effect: it was added on 2025-05-30, and the list 2025-03 "
                "could be changed before 2025-05-30. Name a later list."
            )
        ]

    def test_one_that_was_struck_is_no_matter(self):
        assert adjustment_warnings(read(japan(adjustment(struck="2025-03-02")))) == []


@pytest.mark.skipif(
    not SHARED.is_dir(), reason=f"needs the shared folder beside the project: there is no {SHARED}"
)
class TestSharedCase:
    """A ledger with what rating it must give, by an independent reading; clauses are not part of it."""

    def test_cell_by_cell_and_in_order(self, tmp_path):
        rate_ledger(read_ledger(SHARED), tmp_path / "out")
        for path in sorted((SHARED / "expected").iterdir()):
            ours = rows_of((tmp_path / "out" / path.name).read_bytes())
            assert [{c: row[c] for c in row if c != "clause"} for row in ours] == rows_of(path.read_bytes())

    def test_the_columnar_engine(self):
        readable, columnar = both(SHARED)
        assert columnar == readable
