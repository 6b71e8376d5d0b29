"""Crosstables by cells: Swiss and round robin, every contradiction by its address, made-up events read back."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples

from banzuke.formats.crosstables import (
    CrossRow,
    Crosstable,
    CrosstableHeadings,
    Rounds,
    berger_pairing,
    count_answers,
    parse_half_points,
    read_round_robin,
    read_swiss,
)
from banzuke.words import LANGUAGES, say

if TYPE_CHECKING:
    from banzuke.core.fault import Fault

AREA = "faults/crosstable"


def rows(*lines: str) -> list[CrossRow]:
    """Rows of a Swiss table: `12w1 3b½ | 1½`, the points after the sign; the n-th row is number n, line 10 n."""
    found = []
    for number, line in enumerate(lines, 1):
        cells, _, points = line.partition("|")
        parts = tuple("" if cell == "." else cell for cell in cells.split())
        found.append(CrossRow(10 * number, number, parts, points.strip()))
    return found


def table(*lines: str) -> Crosstable:
    made = rows(*lines)
    numbers = tuple(range(1, len(made[0].cells) + 1))
    return read_swiss("x", made, Rounds(numbers, tuple(f"{n}.Rd" for n in numbers), "Pts."))


def games(read: Crosstable) -> list[tuple[int, int, int, str]]:
    return [(game.round, game.white, game.black, game.result) for game in read.games]


def addresses(read: Crosstable) -> list[tuple[int, str, str]]:
    return [(fault.line, fault.column, fault.code) for fault in read.faults]


def facts(read: Crosstable) -> dict[str, str]:
    return dict(read.faults[0].facts)


class TestSwissCells:
    @pytest.mark.parametrize(
        ("one", "two", "expected"),
        [
            ("2w1", "1b0", (1, 1, 2, "1-0")),
            ("2b1", "1w0", (1, 2, 1, "0-1")),
            ("2w½", "1b½", (1, 1, 2, "1/2-1/2")),
            ("2w=", "1b0.5", (1, 1, 2, "1/2-1/2")),
            ("2w1/2", "1b0,5", (1, 1, 2, "1/2-1/2")),
            ("2w0", "1b1", (1, 1, 2, "0-1")),
            ("2b-", "1w+", (1, 2, 1, "+/-")),
            ("2w-", "1b+", (1, 1, 2, "-/+")),
            ("2w-", "1b-", (1, 1, 2, "-/-")),
            ("2w–", "1b−", (1, 1, 2, "-/-")),
            ("２ｗ１", "１ｂ０", (1, 1, 2, "1-0")),
            ("2W1", "1B0", (1, 1, 2, "1-0")),
        ],
    )
    def test_two_rows_tell_a_game(self, one: str, two: str, expected: tuple[int, int, int, str]) -> None:
        read = table(one, two)
        assert (games(read), read.faults) == ([expected], [])
        assert read.games[0].line == 10 * expected[1]

    @pytest.mark.parametrize(
        ("letters", "white"),
        [
            ("wb", "w"),
            ("ws", "w"),
            ("bs", "b"),
            ("bč", "b"),
            ("bn", "b"),
            ("bp", "b"),
            ("bc", "b"),
            ("vs", "v"),
            ("бч", "б"),
            ("白黒", "白"),
        ],
    )
    def test_colours_in_other_languages(self, letters: str, white: str) -> None:
        read = table(f"2{letters[0]}1", f"1{letters[1]}0")
        assert (games(read), read.faults) == ([(1, *((1, 2) if letters[0] == white else (2, 1)), "1-0")], [])

    def test_a_colour_of_another_pair_is_a_fault(self) -> None:
        read = table("2w1 2w1", "1b0 1n0")
        assert addresses(read) == [(20, "2.Rd", "crosstable-bad-colour")]
        assert facts(read) == {"player": "2", "round": "2", "text": "n", "colours": "w, b"}
        assert games(read) == [(1, 1, 2, "1-0")]

    @pytest.mark.parametrize(
        ("bye", "points"),
        [
            (".", "0"),
            ("-", "0"),
            ("-0", "0"),
            ("0", "0"),
            ("-½", "½"),
            ("½", "0.5"),
            ("-1", "1"),
            ("1", "1,0"),
            ("-0.5", "0,5"),
            ("+", "1"),
            ("-+", "1"),
            ("--", "0"),
        ],
    )
    def test_rounds_without_a_game_are_no_games_but_count(self, bye: str, points: str) -> None:
        read = table(f"{bye} | {points}", "-0 | 0")
        assert (read.games, read.faults) == ([], [])
        assert addresses(table(f"{bye} | 7", "-0")) == [(10, "Pts.", "crosstable-points")]

    @pytest.mark.parametrize(
        "cell", ["w1", "12", "2w2", "2w11", "2ww1", "x", "2w1x", "123456w1", "-2w1", "1-0", "w", "*"]
    )
    def test_anything_else_is_a_fault_and_none_follows_from_it(self, cell: str) -> None:
        read = table(f"{cell} | 1", "1b0 | 0")
        assert addresses(read) == [(10, "1.Rd", "crosstable-bad-cell")]
        assert facts(read) == {"player": "1", "round": "1", "text": cell}
        assert read.games == []


class TestByes:
    def test_rounds_without_an_opponent_that_are_worth_points(self) -> None:
        read = table("2w1 -1 | 2", "1b0 -½ | ½", "+ -0 | 1", "- . | 0", "½ 1 | 1½")
        assert (read.faults, games(read)) == ([], [(1, 1, 2, "1-0")])
        assert [tuple(bye) for bye in read.byes] == [(1, 3, 2), (1, 5, 1), (2, 1, 2), (2, 2, 1), (2, 5, 2)]


class TestContradictions:
    @pytest.mark.parametrize(
        ("lines", "fault"),
        [
            (("1w1",), (10, "crosstable-plays-self")),
            (("7w1",), (10, "crosstable-no-such-opponent")),
            (("0w1",), (10, "crosstable-no-such-opponent")),
            (("2w1", "-"), (10, "crosstable-one-sided")),
            (("2w1", "3b0", "2w1"), (10, "crosstable-one-sided")),
            (("2w1", "1w0"), (20, "crosstable-same-colour")),
            (("2w1", "1b1"), (20, "crosstable-results-clash")),
            (("2w0", "1b0"), (20, "crosstable-results-clash")),
            (("2w1", "1b-"), (20, "crosstable-results-clash")),
            (("2w1", "1b"), (20, "crosstable-results-clash")),
            (("2w", "1b½"), (20, "crosstable-results-clash")),
        ],
    )
    def test_have_one_address(self, lines: tuple[str, ...], fault: tuple[int, str]) -> None:
        read = table(*lines)
        assert addresses(read) == [(fault[0], "1.Rd", fault[1])]
        assert all((game.white, game.black) in ((3, 2), (2, 3)) for game in read.games)

    def test_say_both_rows(self) -> None:
        assert facts(table("2w1", "1b½")) == {
            "player": "2",
            "round": "1",
            "opponent": "1",
            "other": "10",
            "text": "1b½",
            "said": "2w1",
        }
        assert facts(table("2w1", "-")) == {
            "player": "1",
            "round": "1",
            "opponent": "2",
            "other": "20",
            "said": "-",
        }

    def test_a_row_left_out_makes_no_second_fault(self) -> None:
        made = [CrossRow(10, 1, ("7w1",), "")]
        assert read_swiss("x", made, Rounds((1,), ("1.Rd",)), whole=False).faults == []

    def test_all_of_a_table_are_found_at_once(self) -> None:
        read = table("2w1 3w1", "1w0 -1", "-1 x", "9b1 -0")
        assert [fault[2].removeprefix("crosstable-") for fault in addresses(read)] == [
            *("bad-cell", "same-colour", "no-such-opponent")
        ]

    def test_a_round_without_any_entry_is_a_fault(self) -> None:
        read = table("2w1 .", "1b0 .")
        assert (addresses(read), facts(read)["round"]) == ([(10, "2.Rd", "crosstable-empty-round")], "2")
        assert addresses(table("2w1 -0", "1b0 .")) == []

    def test_pairings_without_a_result_are_one_fault_a_round(self) -> None:
        read = table("2w 2b1", "1b 1w0", "4w 4b", "3b 3w")
        assert (read.unfinished, games(read)) == ({1: 2, 2: 1}, [(2, 2, 1, "0-1")])
        assert addresses(read) == [(10, "1.Rd", "crosstable-no-result"), (30, "2.Rd", "crosstable-no-result")]
        assert facts(read) == {"player": "1", "round": "1", "count": "2", "opponent": "2"}


class TestPoints:
    @pytest.mark.parametrize(
        ("text", "half"),
        [
            ("6,5", 13),
            ("6.5", 13),
            ("6½", 13),
            ("6 ½", 13),
            ("½", 1),
            ("0", 0),
            ("10.0", 20),
            ("７", 14),
            ("0,50", 1),
            ("10.5", 21),
        ],
    )
    def test_are_read(self, text: str, half: int) -> None:
        assert parse_half_points(text) == half

    @pytest.mark.parametrize("text", ["", "x", "6.", "6.25", "-1", "1,5½", "1e3", "99999", "½½"])
    def test_or_are_none(self, text: str) -> None:
        assert parse_half_points(text) is None

    def test_that_do_not_fit_are_a_fault(self) -> None:
        read = table("2w1 2b½ | 2", "1b0 1w½ | ½")
        assert addresses(read) == [(10, "Pts.", "crosstable-points")]
        assert facts(read) == {"player": "1", "said": "2", "sum": "1.5"}

    def test_that_are_no_number_are_a_fault(self) -> None:
        read = table("2w1 | one", "1b0 | 0")
        assert addresses(read) == [(10, "Pts.", "crosstable-bad-points")]
        assert facts(read) == {"player": "1", "said": "one", "sum": "1"}

    def test_of_another_system_are_one_fault(self) -> None:
        read = table("2w1 | 3", "1b0 | 0", "4w1 | 3", "3b0 | 0", "6w1 | 3", "5b0 | 0", "-1 | 3")
        assert addresses(read) == [(10, "Pts.", "crosstable-points-system")]
        assert facts(read) == {"count": "4", "rows": "7"}
        assert len(read.games) == 3


class TestWhichNumbers:
    def test_the_cells_answer_those_that_are_meant(self) -> None:
        cells = [("2w1",), ("1b0",), ("4w1",), ("3b0",)]
        right = [CrossRow(0, n, row) for n, row in enumerate(cells, 1)]
        wrong = [CrossRow(0, n, row) for n, row in zip((2, 3, 1, 4), cells, strict=True)]
        assert (count_answers(right), count_answers(wrong), count_answers([])) == (4, 0, 0)


class TestBergerTables:
    """Against the tables of FIDE's Handbook C.05, Annex 1, as printed."""

    PRINTED: ClassVar[dict[int, tuple[str, ...]]] = {
        4: ("1-4 2-3", "4-3 1-2", "2-4 3-1"),
        6: ("1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"),
        8: (
            *("1-8 2-7 3-6 4-5", "8-5 6-4 7-3 1-2", "2-8 3-1 4-7 5-6", "8-6 7-5 1-4 2-3"),
            *("3-8 4-2 5-1 6-7", "8-7 1-6 2-5 3-4", "4-8 5-3 6-2 7-1"),
        ),
    }

    @pytest.mark.parametrize("players", PRINTED)
    def test_as_printed(self, players: int) -> None:
        made: dict[int, set[str]] = {}
        for one, two in combinations(range(1, players + 1), 2):
            number, white, black = berger_pairing(one, two, players)
            made.setdefault(number, set()).add(f"{white}-{black}")
        assert made == {n: set(line.split()) for n, line in enumerate(self.PRINTED[players], 1)}

    @pytest.mark.parametrize("players", [3, 5, 9, 10, 16, 21])
    def test_each_round_has_each_player_at_most_once(self, players: int) -> None:
        busy: Counter[tuple[int, int]] = Counter()
        for pair in combinations(range(1, players + 1), 2):
            number, *sides = berger_pairing(*pair, players)
            assert sorted(sides) == sorted(pair)
            busy.update((number, side) for side in sides)
        assert set(busy.values()) == {1}
        assert max(number for number, _ in busy) == players + players % 2 - 1


def grid(*lines: str, headings: str = "", points: bool = True) -> Crosstable:
    """A round robin's table: `* 1 ½ | 1½`, a cell for each player; the n-th row is line 10 n."""
    names = tuple(headings.split()) or tuple(str(n) for n in range(1, len(lines) + 1))
    return read_round_robin(
        "x",
        rows(*lines),
        CrosstableHeadings(names, 2 if names[0].endswith("a") else 1, "Pts." if points else ""),
    )


class TestRoundRobin:
    def test_single(self) -> None:
        read = grid("* 1 ½ | 1½", "0 * + | 1", "½ - * | ½")
        assert games(read) == [(1, 2, 3, "+/-"), (2, 1, 2, "1-0"), (3, 3, 1, "1/2-1/2")]
        assert (read.faults, read.unfinished) == ([], {})

    @pytest.mark.parametrize(
        ("lines", "headings"),
        [
            (("* * 1 ½ | 1½", "0 ½ * * | ½"), "1a 1b 2a 2b"),
            (("* 1½ | 1½", "0½ * | ½"), ""),
        ],
    )
    def test_double(self, lines: tuple[str, ...], headings: str) -> None:
        read = grid(*lines, headings=headings)
        assert (games(read), read.faults) == ([(1, 1, 2, "1-0"), (2, 2, 1, "1/2-1/2")], [])

    def test_a_missing_second_game_is_still_to_come(self) -> None:
        read = grid("* * 1 .", "0 . * *", headings="1a 1b 2a 2b")
        assert (games(read), read.unfinished) == ([(1, 1, 2, "1-0")], {2: 1})
        assert addresses(read) == [(10, "2a", "crosstable-no-result")]

    def test_no_results_at_all(self) -> None:
        read = grid("* . .", ". * .", ". . *")
        assert (read.games, read.unfinished) == ([], {1: 1, 2: 1, 3: 1})
        assert addresses(read) == [(10, "2", "crosstable-no-result")]
        assert facts(read) == {"player": "1", "opponent": "2", "count": "3", "round": "2"}

    @pytest.mark.parametrize(
        ("lines", "fault", "said"),
        [
            (("1 1", "0 *"), (10, "1", "own-cell"), {"player": "1", "opponent": "1", "text": "1"}),
            (("* 2", "0 *"), (10, "2", "bad-result"), {"player": "1", "opponent": "2", "text": "2"}),
            (
                ("* 1", "1 *"),
                (20, "1", "pair-clash"),
                {"player": "2", "opponent": "1", "text": "1", "said": "1", "other": "10"},
            ),
            (
                ("* 1", ". *"),
                (20, "1", "pair-clash"),
                {"player": "2", "opponent": "1", "text": "-", "said": "1", "other": "10"},
            ),
            (("* 1 | 2", "0 * | 0"), (10, "Pts.", "points"), {"player": "1", "said": "2", "sum": "1"}),
            (("* 1 | x", "0 * | 0"), (10, "Pts.", "bad-points"), {"player": "1", "said": "x", "sum": "1"}),
        ],
    )
    def test_contradictions(
        self, lines: tuple[str, ...], fault: tuple[int, str, str], said: dict[str, str]
    ) -> None:
        read = grid(*lines)
        assert addresses(read) == [(*fault[:2], f"crosstable-{fault[2]}")]
        assert facts(read) == said
        assert len(read.games) == ("points" in fault[2] or "own" in fault[2])

    def test_rows_and_columns_are_the_same_players(self) -> None:
        read = read_round_robin("x", rows("* 1", "0 *"), CrosstableHeadings(("1", "2", "3"), 1))
        assert addresses(read) == [(10, "", "crosstable-not-square")]
        assert facts(read) == {"rows": "2", "columns": "3"}


OUTCOMES = {"10": "1-0", "==": "1/2-1/2", "01": "0-1", "+-": "+/-", "-+": "-/+", "--": "-/-"}
WORTH = {"1": 2, "+": 2, "=": 1}


@st.composite
def events(draw: st.DrawFn) -> tuple[list[CrossRow], list[tuple[int, int, int, str]]]:
    numbers = sorted(draw(st.lists(st.integers(1, 99999), min_size=1, max_size=8, unique=True)))
    cells: dict[int, list[str]] = {number: [] for number in numbers}
    half: Counter[int] = Counter()
    told = []
    for round_ in range(1, draw(st.integers(1, 4)) + 1):
        order = draw(st.permutations(numbers))
        pairs = draw(st.integers(0, len(order) // 2))
        for white, black in zip(order[:pairs], order[pairs : 2 * pairs], strict=True):
            said = draw(st.sampled_from(list(OUTCOMES)))
            for one, two, colour, result in ((white, black, "w", said[0]), (black, white, "b", said[1])):
                cells[one].append(f"{two:3}{colour}{result.replace('=', '½')}")
                half[one] += WORTH.get(result, 0)
            told.append((round_, white, black, OUTCOMES[said]))
        for idle in order[2 * pairs :]:
            bye = draw(st.sampled_from(["", "-0", "-½", "-1", "0"] if pairs else ["-0", "-½", "0"]))
            cells[idle].append(bye)
            half[idle] += 2 * bye.count("1") + bye.count("½")
    return [CrossRow(n, n, tuple(row), f"{half[n] // 2},{half[n] % 2 * 5}") for n, row in cells.items()], told


class TestMadeUpEvents:
    @settings(max_examples=examples(200))
    @given(events())
    def test_are_read_back(self, event: tuple[list[CrossRow], list[tuple[int, int, int, str]]]) -> None:
        made, told = event
        numbers = tuple(range(1, len(made[0].cells) + 1))
        read = read_swiss("x", made, Rounds(numbers, tuple(map(str, numbers)), "P"))
        assert (read.faults, sorted(games(read))) == ([], sorted(told))

    @settings(max_examples=examples(200))
    @given(events(), st.data())
    def test_a_changed_cell_never_passes(
        self, event: tuple[list[CrossRow], list[tuple[int, int, int, str]]], data: st.DataObject
    ) -> None:
        made, told = event
        if told:
            round_, white, black, _ = data.draw(st.sampled_from(told))
            at = next(i for i, row in enumerate(made) if row.number == white)
            old = made[at].cells[round_ - 1]
            new = data.draw(
                st.sampled_from([*(f"{black}{c}{r}" for c in "wb" for r in "1½0+- "), f"{white}w1", "", "?"])
            )
            if new.strip() != old.strip():
                cells = tuple(new if n == round_ else cell for n, cell in enumerate(made[at].cells, 1))
                made[at] = made[at]._replace(cells=cells)
                numbers = tuple(range(1, len(cells) + 1))
                assert read_swiss("x", made, Rounds(numbers, tuple(map(str, numbers)), "P")).faults


class TestAnyCells:
    @settings(max_examples=examples(300))
    @given(
        st.lists(
            st.lists(st.text("0123wbs½=+-*. x,", max_size=6), min_size=3, max_size=3), min_size=1, max_size=4
        )
    )
    def test_never_raise_and_every_fault_has_its_sentence(self, lines: list[list[str]]) -> None:
        made = [CrossRow(n, n, tuple(cells), cells[0]) for n, cells in enumerate(lines, 1)]
        read = [read_swiss("x", made, Rounds((1, 2, 3), ("1.Rd", "2.Rd", "3.Rd"), "Pts."))]
        read.append(read_round_robin("x", made, CrosstableHeadings(("1", "2", "3"), 1, "Pts.")))
        found: list[Fault] = [fault for each in read for fault in each.faults]
        for fault in found:
            for lang in LANGUAGES:
                assert say(AREA, fault.code, lang, **dict(fault.facts))
