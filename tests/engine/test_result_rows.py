"""The rows of the files, to the letter of the contract."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banzuke.core.batch import Batch, Register
from banzuke.core.facts import Event
from banzuke.core.go_facts import GoState
from banzuke.core.rating import Coefficient, EventLines, Line, Outcome, Rating, Standings
from banzuke.core.registry import BOOKS
from banzuke.engine import result_rows
from banzuke.engine.history import RatedList
from banzuke.ledger.pool_rules import EditionInForce
from banzuke.rulebooks.pandanet.ranks import default_zone

DAY = date(2025, 1, 1)


class TestDecimals:
    @pytest.mark.parametrize(
        ("hundredths", "text"),
        [
            (1520, "15.2"),
            (-480, "-4.8"),
            (0, "0"),
            (100, "1"),
            (-100, "-1"),
            (5, "0.05"),
            (-5, "-0.05"),
            (-1234, "-12.34"),
            (10, "0.1"),
            (123456789, "1234567.89"),
        ],
    )
    def test_exact_without_trailing_zeros(self, hundredths, text):
        assert result_rows.decimal(hundredths) == text

    @given(st.integers(-(10**9), 10**9))
    def test_reads_back(self, hundredths):
        text = result_rows.decimal(hundredths)
        assert Decimal(text) * 100 == hundredths
        assert text == "0" or not (text.startswith("-0.00") or ("." in text and text.endswith("0")))
        assert text != "-0"

    @pytest.mark.parametrize(
        ("hundredths", "text"), [(0, "0.00"), (8, "0.08"), (50, "0.50"), (92, "0.92"), (100, "1.00")]
    )
    def test_an_expectation_has_two_decimals(self, hundredths, text):
        assert result_rows.two_decimals(hundredths) == text

    @pytest.mark.parametrize(
        ("twentyfourths", "text"), [(36, "3/2"), (24, "1"), (0, "0"), (1, "1/24"), (94, "47/12"), (72, "3")]
    )
    def test_a_difference_of_ranks_is_a_fraction(self, twentyfourths, text):
        assert result_rows.ranks(twentyfourths) == text
        assert Fraction(text) == Fraction(twentyfourths, 24)


class TestHeaders:
    """The columns of the contract, in its order."""

    def test_chess(self):
        assert ",".join(result_rows.LISTS) == "list,speed,player_id,rating,games,change,peak,status,qualified"
        assert ",".join(result_rows.CHANGES) == (
            "list,speed,event_id,round,player_id,opponent_id,score,own,opponent,"
            "difference,expected,k,change,verdict,clause"
        )

    def test_go(self):
        assert ",".join(result_rows.GO_STANDINGS) == "player_id,rank,points,rated_games,wins_in_bc"
        assert ",".join(result_rows.GO_CHANGES) == (
            "game_id,player_id,opponent_id,rank,opponent_rank,difference,upper,won,points,verdict,"
            "rank_after,clause"
        )

    def test_whole_numbers_are_columns_of_their_file(self):
        for numbers, files in (
            (result_rows.CHESS_NUMBERS, {"lists.csv": result_rows.LISTS, "changes.csv": result_rows.CHANGES}),
            (
                result_rows.GO_NUMBERS,
                {"standings.csv": result_rows.GO_STANDINGS, "changes.csv": result_rows.GO_CHANGES},
            ),
        ):
            assert set(numbers) == set(files)
            for name, columns in numbers.items():
                assert columns <= set(files[name])

    def test_exact_decimals_and_fractions_are_no_whole_numbers(self):
        assert not {"change", "expected", "score"} & result_rows.CHESS_NUMBERS["changes.csv"]
        assert "difference" not in result_rows.GO_NUMBERS["changes.csv"]


def rated_list(book, before, after, events=()):
    found = BOOKS[book]
    edition = EditionInForce(found, DAY, found.settings(), "", default_zone())
    batch = Batch("2025-01", DAY, DAY, [], Register({}, {}, {}), opens_edition=False, in_force={})
    return RatedList(batch, edition, before, Outcome(Standings(after), list(events), {}))


def listed(value, games=30, peak=None):
    return Rating(value, games, value if peak is None else peak, earned=False)


class TestLists:
    def test_by_player_then_standard_before_rapid(self):
        after = {
            "standard": {"b": listed(1500), "B": listed(1400), "é": listed(1300)},
            "rapid": {"b": listed(1450), "A": listed(1600)},
        }
        rows = list(result_rows.list_rows(rated_list("jcf-2024", {"standard": {}, "rapid": {}}, after)))
        assert [row[1:4] for row in rows] == [
            ("rapid", "A", 1600),
            ("standard", "B", 1400),
            ("standard", "b", 1500),
            ("rapid", "b", 1450),
            ("standard", "é", 1300),
        ]

    def test_the_unrated_have_no_row(self):
        after = {"standard": {"A": Rating(None, 3, None, earned=False)}, "rapid": {}}
        assert list(result_rows.list_rows(rated_list("jcf-2024", {"standard": {}, "rapid": {}}, after))) == []

    @pytest.mark.parametrize(
        ("old", "change"),
        [(None, ""), (Rating(None, 2, None, earned=False), ""), (listed(1490), 10), (listed(1500), 0)],
    )
    def test_change_is_to_the_list_before(self, old, change):
        before = {"standard": {} if old is None else {"A": old}, "rapid": {}}
        after = {"standard": {"A": listed(1500, peak=1600)}, "rapid": {}}
        (row,) = result_rows.list_rows(rated_list("jcf-2024", before, after))
        assert row == ("2025-01", "standard", "A", 1500, 30, change, 1600, "rated", "")

    @pytest.mark.parametrize(("games", "qualified"), [(18, "0"), (19, "1")])
    def test_qualified_is_of_ncs_alone(self, games, qualified):
        after = {"standard": {"A": listed(1500, games)}, "rapid": {"A": listed(1500, games)}}
        rows = list(result_rows.list_rows(rated_list("ncs-2022", {"standard": {}, "rapid": {}}, after)))
        assert [row[-1] for row in rows] == [qualified, "0"]

    @pytest.mark.parametrize(("games", "status"), [(19, "provisional"), (20, "established")])
    def test_a_clubs_list_says_provisional_or_established(self, games, status):
        (row,) = result_rows.list_rows(rated_list("hakodate", {"": {}}, {"": {"A": listed(1500, games)}}))
        assert row == ("2025-01", "", "A", 1500, games, "", 1500, status, "")

    def test_fide_lists_blitz_too(self):
        after = {"standard": {}, "rapid": {}, "blitz": {"A": listed(2000)}}
        (row,) = result_rows.list_rows(rated_list("fide-2024", {s: {} for s in after}, after))
        assert row[1:4] == ("blitz", "A", 2000)


class TestChanges:
    K = Coefficient(20, "normal", "JCF 5(1)K")

    def rows(self, *lines):
        event = Event("E", "E", DAY, DAY, DAY)
        lines = EventLines(event, "standard", list(lines))
        return list(result_rows.change_rows(rated_list("jcf-2024", {}, {}, [lines])))

    def test_a_line_that_counts(self):
        line = Line(2, "A", "B", 1, 1600, 1800, -200, 24, self.K, 520, "rated", "JCF 5(1)")
        assert self.rows(line) == [
            (
                "2025-01",
                "standard",
                "E",
                2,
                "A",
                "B",
                "0.5",
                1600,
                1800,
                -200,
                "0.24",
                20,
                "5.2",
                "rated",
                "JCF 5(1)",
            )
        ]

    def test_a_line_that_does_not(self):
        line = Line(1, "A", "B", None, None, 1800, None, None, None, None, "forfeit", "JCF 5(1)C-zero")
        assert self.rows(line) == [
            ("2025-01", "standard", "E", 1, "A", "B", "", None, 1800, None, None, None, None, "forfeit", "JCF 5(1)C-zero")
        ]  # fmt: skip

    def test_no_change_and_no_difference_are_written_as_zero(self):
        line = Line(1, "A", "B", 1, 1600, 1600, 0, 50, self.K, 0, "rated", "JCF 5(1)")
        assert self.rows(line)[0][9:13] == (0, "0.50", 20, "0")


class TestGo:
    @pytest.mark.parametrize(
        ("state", "row"),
        [
            (GoState("certified", "5k+", 25, -120, 40, 0), ("p", "5k+", -120, 40, 0)),
            (GoState("certified", "5k", 24, 0, 40, 3), ("p", "5k", 0, 40, 0)),
            (GoState("provisional", "5k?", 24, None, 7, 0), ("p", "5k?", None, 7, 0)),
            (GoState("beginner", "BC", None, None, 31, 4), ("p", "BC", None, 31, 4)),
            (GoState("professional", "3p", None, None, 0, 0), ("p", "3p", None, 0, 0)),
        ],
    )
    def test_standings(self, state, row):
        assert result_rows.go_standing_row("p", state) == row
