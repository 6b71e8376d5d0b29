"""The table of adjustments: read, refused with what would be right, written without loss."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from broken_ledgers import refused, rewrite

from banzuke.core.facts import Adjustment
from banzuke.core.fault import RefusedError
from banzuke.engine.columnar.columnar_run import read
from banzuke.ledger.folder import read_ledger, unread_files, write_ledger

if TYPE_CHECKING:
    from pathlib import Path

HEADER = "adjustment_id,list,speed,points,decision,added,struck\n"
GOOD = Adjustment("A1", "2024-11", "1000:1400 2000:2000", "Board, item 3", "rapid", struck=date(2025, 1, 5))


def with_rows(folder: Path, *rows: str, header: str = HEADER) -> Path:
    rewrite(folder, "adjustments.csv", header + "".join(f"{row}\n" for row in rows))
    return folder


def with_points(folder: Path, points: str) -> list[str]:
    return refused(with_rows(folder, f"A1,2024-11,,{points},Board,,"))


class TestReading:
    def test_a_row(self, ledger_folder):
        row = 'A1,2024-11,rapid,1000:1400 2000:2000,"Board, item 3",,2025-01-05'
        folder = with_rows(ledger_folder("japan"), row)
        assert read_ledger(folder).adjustments == [GOOD]
        assert read(folder).adjustments == [GOOD]

    def test_columns_in_any_order_and_optional_ones_left_out(self, ledger_folder):
        header = "points,decision,list,adjustment_id\n"
        folder = with_rows(ledger_folder("japan"), "0:300 9:300 300:300,Board,2024-11,A1", header=header)
        assert read_ledger(folder).adjustments == [
            Adjustment("A1", "2024-11", "0:300 9:300 300:300", "Board")
        ]

    def test_a_pool_without_the_table(self, ledger_folder):
        assert read_ledger(ledger_folder("japan")).adjustments == []

    def test_a_list_that_is_an_event(self, ledger_folder):
        folder = with_rows(ledger_folder("hakodate"), "A1,May,,1000:1400 2000:2000,Board,,")
        assert read_ledger(folder).adjustments[0].list == "May"

    @pytest.mark.parametrize("as_parquet", [False, True])
    def test_written_and_read_again(self, ledger_folder, tmp_path, as_parquet):
        rows = (
            "A1,2024-11,,1000:1400 2000:2000,理事会 第3号,,2025-01-05",
            'A1,2024-11,,1000:1300 2000:2000,"Board ""3""",2025-01-05,',
        )
        folder = with_rows(ledger_folder("japan"), *rows)
        ledger = read_ledger(folder)
        write_ledger(ledger, folder, tmp_path / "new", as_parquet=as_parquet)
        assert (tmp_path / "new" / f"adjustments.{'parquet' if as_parquet else 'csv'}").exists()
        assert read_ledger(tmp_path / "new") == ledger
        assert read(tmp_path / "new").adjustments == ledger.adjustments

    def test_no_file_is_written_without_rows(self, ledger_folder, tmp_path):
        folder = ledger_folder("japan")
        write_ledger(read_ledger(folder), folder, tmp_path / "new")
        assert not (tmp_path / "new" / "adjustments.csv").exists()


class TestMaps:
    """What is wrong with a map, and what would be right."""

    @pytest.mark.parametrize(
        "points",
        [
            "1000:1400",
            "1000:1400  2000:2000",
            "1000:1400 2000:2000 ",
            "1000:1400,2000:2000".replace(",", ";"),
            "1000:1400\u30002000:2000",
            "-5:0 10:10",
            "1000.5:1400 2000:2000",
            "1000:1400 2000:2000 x",
            "１000:1400 2000:2000",
            "1000-1400 2000-2000",
            "1000: 1400 2000:2000",
            "+1:1 2:2",
            "1_0:1 20:20",
        ],
    )
    def test_not_written_so(self, ledger_folder, points):
        (line,) = with_points(ledger_folder("japan"), points)
        assert line.startswith(f"adjustments.csv:2: points: '{points}' is no map of ratings; write two nodes")

    def test_blank(self, ledger_folder):
        assert with_points(ledger_folder("japan"), " ") == [
            "adjustments.csv:2: points: The cell is blank; fill it in, for the column is required."
        ]

    def test_a_number_that_is_no_rating(self, ledger_folder):
        (line,) = with_points(ledger_folder("japan"), f"1000:1400 {'9' * 50_000}:{'9' * 50_000}")
        assert line.startswith("adjustments.csv:2: points: '99999")
        assert line.endswith("cannot be a rating; write a number from 0 to 99999.")

    @pytest.mark.parametrize("points", ["1000:1400 1000:1500 2000:2000", "1500:1600 1000:1700 2000:2000"])
    def test_old_ratings_that_do_not_rise(self, ledger_folder, points):
        first, second, _ = points.split()
        assert with_points(ledger_folder("japan"), points) == [
            (
                f"adjustments.csv:2: points: {second} comes after {first}, but its old rating (before the colon) "
                "is not higher; write the nodes in the order of their old ratings, each once."
            )
        ]

    def test_new_ratings_that_fall(self, ledger_folder):
        assert with_points(ledger_folder("japan"), "1000:1500 1200:1400 2000:2000") == [
            (
                "adjustments.csv:2: points: 1200:1400 comes after 1000:1500, but its new rating (after the colon) "
                "is lower: the higher of two players would become the lower one; let the new ratings rise or stay."
            )
        ]

    @pytest.mark.parametrize("last", ["2000:1999", "2000:2001"])
    def test_a_last_node_that_moves(self, ledger_folder, last):
        assert with_points(ledger_folder("japan"), f"1000:1400 {last}") == [
            (
                f"adjustments.csv:2: points: {last} is the last node, and ratings above it stay as they are, so "
                "it must not move either; write 2000:2000 there, or add a last node that does not move."
            )
        ]


class TestRows:
    """What is wrong between rows and the pool."""

    @pytest.mark.parametrize(
        "name", ["2024-13", "2024-1", "November", "2024-11-01", "E1", "0000-01", "99999-01"]
    )
    def test_no_name_of_a_list(self, ledger_folder, name):
        folder = with_rows(ledger_folder("japan"), f"A1,{name},,1:1 2:2,Board,,")
        assert refused(folder) == [
            f"adjustments.csv:2: list: No list of this pool is called '{name}'; write a list's name, as 2024-11."
        ]
        assert refused(folder, "ja") == [
            (
                f"adjustments.csv:2: list: この部門に「{name}」という名前のリストはありません。"
                "2024-11のように、リストの名前を書いてください。"
            )
        ]

    @pytest.mark.parametrize("name", ["1999-01", "9999-12"])
    def test_a_list_that_is_never_made_is_no_fault(self, ledger_folder, name):
        folder = with_rows(ledger_folder("japan"), f"A1,{name},,1:1 2:2,Board,,")
        assert read_ledger(folder).adjustments[0].list == name

    def test_an_event_that_there_is_not(self, ledger_folder):
        folder = with_rows(ledger_folder("hakodate"), "A1,2024-05,,1:1 2:2,Board,,")
        (line,) = refused(folder)
        assert line.startswith("adjustments.csv:2: list: No event has the id '2024-05'; correct the id")

    def test_a_speed_without_a_list(self, ledger_folder):
        folder = with_rows(ledger_folder("japan"), "A1,2024-11,blitz,1:1 2:2,Board,,")
        assert refused(folder) == [
            (
                "adjustments.csv:2: speed: The list 2024-11 has no ratings at 'blitz'; "
                "write one of standard, rapid, or leave it blank for all of them."
            )
        ]

    def test_a_speed_in_a_pool_with_one_list(self, ledger_folder):
        folder = with_rows(ledger_folder("hakodate"), "A1,May,standard,1:1 2:2,Board,,")
        assert refused(folder) == [
            (
                "adjustments.csv:2: speed: The pool keeps one rating for all speeds, none for 'standard'; "
                "leave the cell blank."
            )
        ]

    def test_a_word_that_is_no_speed(self, ledger_folder):
        folder = with_rows(ledger_folder("japan"), "A1,2024-11,fast,1:1 2:2,Board,,")
        assert refused(folder) == [
            "adjustments.csv:2: speed: 'fast' cannot stand here; write one of: standard, rapid, blitz."
        ]

    def test_two_rows_of_one_id_that_stand_together(self, ledger_folder):
        rows = ("A1,2024-11,,1:1 2:2,Board,,2025-01-05", "A1,2024-12,,1:1 2:2,Board,2025-01-04,")
        assert refused(with_rows(ledger_folder("japan"), *rows)) == [
            (
                "adjustments.csv:3: adjustment_id: 'A1' has a row already, in line 2; keep one of the two, "
                "or give the old one the day it was struck and the new one the day it was added."
            )
        ]

    def test_two_rows_of_one_id_one_after_the_other(self, ledger_folder):
        rows = ("A1,2024-11,,1:1 2:2,Board,,2025-01-05", "A1,2024-12,,1:1 2:2,Board,2025-01-05,")
        assert len(read_ledger(with_rows(ledger_folder("japan"), *rows)).adjustments) == 2

    @pytest.mark.parametrize("column", ["adjustment_id", "list", "decision"])
    def test_blank_cells(self, ledger_folder, column):
        cells = {"adjustment_id": "A1", "list": "2024-11", "points": "1:1 2:2", "decision": "Board"}
        row = ",".join(" " if name == column else cell for name, cell in cells.items())
        folder = with_rows(ledger_folder("japan"), row, header=",".join(cells) + "\n")
        assert refused(folder) == [
            f"adjustments.csv:2: {column}: The cell is blank; fill it in, for the column is required."
        ]

    def test_every_fault_at_once(self, ledger_folder):
        rows = ("A1,2024-11,,1:1,Board,,", "A2,X,,1:1 2:2,Board,,", "A3,2024-11,blitz,1:1 2:2,Board,,")
        lines = refused(with_rows(ledger_folder("japan"), *rows))
        assert [line.rpartition(": ")[0].split(": ")[0] for line in lines] == [
            "adjustments.csv:2",
            "adjustments.csv:3",
            "adjustments.csv:4",
        ]


@pytest.mark.parametrize("name", ["adjustments.csv", "adjustments.parquet"])
def test_a_pool_of_go_has_no_such_table(ledger_folder, name):
    folder = ledger_folder("go")
    rewrite(folder, name, HEADER)
    line = f"{name}: A Go pool's ledger has no such table: ranks and points are not adjusted in one act; take the file out."
    assert refused(folder) == [line]
    with pytest.raises(RefusedError) as caught:
        read(folder)
    assert [found.code for found in caught.value.faults] == ["go-adjustments"]


def test_a_file_of_another_name_is_not_passed_over_in_silence(ledger_folder):
    folder = ledger_folder("japan")
    rewrite(folder, "Adjustments.csv", HEADER)
    assert [found.facts for found in unread_files(folder, read_ledger(folder).pool)] == [
        (("wanted", "adjustments.csv"),)
    ]
