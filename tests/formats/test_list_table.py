"""Lists as CSV, JSON and Parquet: the files as they stand, and read back."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_lists import NASTY, RANKED, SMALL, lists

from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import Columns
from banzuke.exchange.export_headings import list_wording
from banzuke.formats.lists import list_table, list_xlsx, rating_list
from banzuke.formats.lists.rating_list import ListedPlayer, RatingList, SpeedRating, columns, rows
from banzuke.words import fault_line

BOM = "\ufeff"
WRITERS = {
    "csv": list_table.write_csv,
    "json": list_table.write_json,
    "parquet": list_table.write_parquet,
}


def read(data, file="list"):
    return list_table.read(data, file)


def faults_of(text):
    listed, faults = read(text.encode())
    assert all(fault_line(fault, lang) for fault in faults for lang in ("en", "ja"))
    return listed, [(fault.line, fault.column, fault.code) for fault in faults]


class TestColumns:
    def test_of_a_rating_list_the_speeds_stand_side_by_side(self):
        keys = [column.key for column in columns(SMALL)]
        person = ["player_id", "name", "name_native", "sex", "club", "fide_id", "birth_date"]
        measures = ["rating", "games", "change", "peak", "status", "qualified"]
        assert keys == [*person, *(f"{speed}_{m}" for speed in ("standard", "rapid") for m in measures)]

    def test_of_a_club_have_no_speed_in_their_keys_and_only_what_somebody_has(self):
        club = RatingList("", "", "", ("",), (ListedPlayer("1", (SpeedRating(1500, 3),)),))
        keys = [column.key for column in columns(club)]
        assert keys[6:] == ["rating", "games", "change", "peak", "status"]
        assert "birth_date" not in keys

    def test_each_row_has_a_value_for_each(self):
        assert {len(row) for row in rows(SMALL)} == {len(columns(SMALL))}
        assert {len(row) for row in rows(RANKED)} == {len(columns(RANKED))} == {6}


class TestCsv:
    def test_is_what_japanese_excel_opens(self):
        text = list_table.write_csv(RANKED).decode()
        assert text == (
            f"{BOM}place,player_id,name,rank,points,rated_games\r\n1,a,Aoi,5d+,15000,30\r\n,b,Ben,4k?,,3\r\n"
        )

    def test_numbers_days_flags_and_formulas(self):
        table = list(csv.reader(io.StringIO(list_table.write_csv(SMALL).decode("utf-8-sig"))))
        assert table[1] == [
            *("J001", "SATO Taro", "佐藤 太郎", "m", "東京クラブ", "007", "2001-02-03"),
            *("1500", "30", "-4", "1510", "rated", "1"),
            *[""] * 6,
        ]
        assert table[2][1] == "'=HYPERLINK(1)"
        assert table[2][7:] == [
            "1480",
            "9",
            "",
            "1480",
            "rated",
            "0",
            "1200",
            "5",
            "12",
            "1230",
            "rated",
            "0",
        ]

    @pytest.mark.parametrize("name", NASTY)
    def test_no_text_begins_as_a_formula_does(self, name):
        listed = RatingList("", "", "", ("",), (ListedPlayer("1", (None,), name, name, name, name, name),))
        row = list(csv.reader(io.StringIO(list_table.write_csv(listed).decode("utf-8-sig"))))[1]
        for cell in row[1:6]:
            assert cell[:1] not in tuple("=@\t\r")
            assert cell[:1] not in ("+", "-") or cell[1:].isdigit()
        assert read(list_table.write_csv(listed))[0] == listed


class TestJson:
    def test_shape_of_a_rating_list(self):
        document = json.loads(list_table.write_json(SMALL))
        assert list(document) == ["pool", "list", "rulebook", "speeds", "players"]
        assert document["speeds"] == ["standard", "rapid"]
        assert document["players"][0] == {
            "player_id": "J001",
            "name": "SATO Taro",
            "name_native": "佐藤 太郎",
            "sex": "m",
            "club": "東京クラブ",
            "fide_id": "007",
            "birth_date": "2001-02-03",
            "ratings": {
                "standard": {
                    "rating": 1500,
                    "games": 30,
                    "change": -4,
                    "peak": 1510,
                    "status": "rated",
                    "qualified": True,
                }
            },
        }

    def test_shape_of_a_ranking(self):
        document = json.loads(list_table.write_json(RANKED))
        assert document["list"] == RANKED.name
        assert document["players"][1] == {"player_id": "b", "name": "Ben", "rank": "4k?", "rated_games": 3}

    def test_japanese_is_readable(self):
        assert "佐藤 太郎".encode() in list_table.write_json(SMALL)


class TestParquet:
    def test_types_and_what_the_list_is(self):
        pq = pytest.importorskip("pyarrow.parquet")
        table = pq.read_table(io.BytesIO(list_table.write_parquet(SMALL)))
        types = {field.name: str(field.type) for field in table.schema}
        assert types["player_id"] == types["standard_status"] == "string"
        assert types["standard_rating"] == types["rapid_change"] == "int64"
        assert types["standard_qualified"] == "bool"
        assert types["birth_date"] == "date32[day]"
        assert table.schema.metadata == {
            b"pool": "日本チェス連盟".encode(),
            b"list": b"2025-03",
            b"rulebook": b"ncs-2022",
        }

    @pytest.mark.skipif(sys.platform != "linux", reason="threads are counted by Linux")
    def test_reading_leaves_no_threads(self, tmp_path):
        """Those of `pyarrow.parquet.read_table` abort the end of the program now and then."""
        pytest.importorskip("pyarrow")
        path = tmp_path / "list.parquet"
        path.write_bytes(list_table.write_parquet(SMALL))
        program = (
            "import os, pathlib, sys, pyarrow.parquet; from banzuke.formats.lists import list_table;"
            "before = os.listdir('/proc/self/task');"
            "assert list_table.read(pathlib.Path(sys.argv[1]).read_bytes(), 'x')[1] == [];"
            "assert os.listdir('/proc/self/task') == before"
        )
        subprocess.run([sys.executable, "-c", program, path], check=True)

    def test_without_the_extra_says_so(self, monkeypatch):
        data = list_table.write_parquet(SMALL)
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        listed, faults = read(data)
        assert listed is None
        assert [fault.code for fault in faults] == ["list-no-parquet"]
        with pytest.raises(ModuleNotFoundError):
            list_table.write_parquet(SMALL)


class TestRoundTrip:
    @pytest.mark.parametrize("kind", ["json", "parquet"])
    @given(listed=lists)
    def test_is_the_same_list(self, kind, listed):
        assert read(WRITERS[kind](listed)) == (listed, [])

    @given(listed=lists)
    def test_of_csv_is_the_same_table(self, listed):
        assert read(list_table.write_csv(listed)) == (listed._replace(pool="", name="", rulebook=""), [])

    @pytest.mark.parametrize("kind", WRITERS)
    def test_the_same_list_gives_the_same_bytes(self, kind):
        assert WRITERS[kind](SMALL) == WRITERS[kind](SMALL)


class TestStatuses:
    """The words beside a rating are those of the installed rule books."""

    @pytest.fixture
    def fresh(self, monkeypatch):
        """A list of a book that calls a new rating fresh."""
        club = BOOKS["hakodate"]
        columns = Columns(status=lambda _rating: "fresh", statuses=("fresh",))
        monkeypatch.setattr(rating_list, "BOOKS", {"new": replace(club, columns=columns)})
        return RatingList("", "", "", ("",), (ListedPlayer("1", (SpeedRating(1500, 3, status="fresh"),)),))

    @pytest.mark.parametrize("kind", WRITERS)
    def test_of_another_book_are_read_back(self, kind, fresh):
        assert read(WRITERS[kind](fresh)) == (fresh, [])

    def test_of_another_book_stand_in_a_workbook(self, fresh):
        data = list_xlsx.write(fresh, list_wording(fresh, "ja"))
        assert list_xlsx.read(data, "list.xlsx") == (fresh, [])

    def test_that_no_book_has_are_refused(self, fresh):
        _, faults = read(list_table.write_csv(fresh).replace(b"fresh", b"rated"))
        assert [fault.code for fault in faults] == ["list-rating"]

    def test_are_those_of_every_book(self):
        assert rating_list.statuses() == ("rated", "provisional", "established")


HEADER = "player_id,name,rating,games,change,status,birth_date,qualified"


class TestFaults:
    def test_every_cell_that_cannot_be_read_is_noted_at_once_and_its_row_left_out(self):
        text = f"{HEADER}\n1,A,15OO,1,,rated,,\n2,B,1500,1,+2,rated,2001-02-30,yes\n3,C\x07,1500,1,,rated,,\n4,D,1,1,,rated,,0\n"
        listed, faults = faults_of(text)
        assert faults == [
            (2, "rating", "list-number"),
            (3, "change", "list-number"),
            (3, "birth_date", "list-day"),
            (3, "qualified", "list-flag"),
            (4, "name", "list-text"),
        ]
        assert [player.player_id for player in listed.players] == ["4"]

    @pytest.mark.parametrize(
        ("rows", "found"),
        [
            ("1,A,1,1,,rated", [(2, "", "list-width")]),
            (",A,1,1,,rated,,", [(2, "player_id", "list-player")]),
            ("1,A,1,1,,rated,,\n1,B,1,1,,rated,,", [(3, "player_id", "list-player")]),
            ("1,A,1,,,rated,,", [(2, "rating", "list-rating")]),
            ("1,A,,,3,,,", [(2, "rating", "list-rating")]),
            ("1,A,1,1,,rised,,", [(2, "rating", "list-rating")]),
            ("1,A,1234567890,1,,rated,,", [(2, "rating", "list-number")]),
            ("1,A,１５００,1,,rated,,", [(2, "rating", "list-number")]),
        ],
    )
    def test_a_rows(self, rows, found):
        assert faults_of(f"{HEADER}\n{rows}\n")[1] == found

    def test_a_row_stands_where_it_begins_in_the_file(self):
        rows = '1,"A\n\nB",1,1,,rated,,\n\n2,C,1,x,,rated,,'
        assert faults_of(f"{HEADER}\n{rows}\n")[1][-1] == (6, "games", "list-number")

    def test_a_player_without_a_rating_has_none(self):
        listed, faults = faults_of(f"{HEADER}\n1,A,,,,,,\n")
        assert (listed.players[0].ratings, faults) == ((None,), [])

    @pytest.mark.parametrize(
        "header",
        [
            "player_id,name",
            "name,rating,games,status",
            "player_id,rating,games",
            "player_id,rating,games,status,rating",
            "player_id,rating,games,status,note",
            "player_id,rapid_rating,rapid_games,rapid_status,standard_peak",
            "list,speed,player_id,rating,games,change,peak,status,qualified",
        ],
    )
    def test_columns_that_are_no_lists(self, header):
        assert faults_of(f"{header}\n") == (None, [(1, "", "list-header")])

    def test_of_a_ranking(self):
        text = "place,player_id,name,rank,points,rated_games\n1,a,A,,5,3\n"
        assert faults_of(text)[1] == [(2, "rank", "list-rank")]

    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"\xff\xfe",
            b"{",
            b"{}",
            b"PAR1",
            b"PAR1xxxxPAR1",
            b'{"pool":1.5,"list":"","rulebook":"","players":[]}',
            b'{"pool":"","list":"","rulebook":"","players":[{"player_id":["x"]}]}',
            b'{"pool":"","list":"","rulebook":"","players":[{"who":"x"}]}',
            b'{"pool":"","list":"","rulebook":"","players":[7]}',
            b'{"pool":"","list":"","rulebook":"","speeds":[[]],"players":[]}',
            b'"a,b',
            b"{" * 100_000,
            b'{"pool":' + b"[" * 100_000,
        ],
    )
    def test_what_is_no_list(self, data):
        listed, faults = read(data)
        assert listed is None
        assert [fault.code for fault in faults] in (["list-no-list"], ["list-header"])

    def test_of_a_file_full_of_them_the_first_are_noted(self):
        assert len(faults_of(f"{HEADER}\n" + "x\n" * 1000)[1]) == 100

    @given(st.binary(max_size=200))
    def test_random_bytes_raise_nothing(self, data):
        read(data)

    @given(st.sampled_from(sorted(WRITERS)), st.data())
    def test_damaged_files_raise_nothing(self, kind, data):
        whole = WRITERS[kind](SMALL)
        start = data.draw(st.integers(0, len(whole)))
        end = data.draw(st.integers(start, min(start + 20, len(whole))))
        listed, faults = read(whole[:start] + data.draw(st.binary(max_size=20)) + whole[end:])
        assert listed is not None or faults
