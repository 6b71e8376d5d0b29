"""A Go pool's folder as columns: what the ledger's own reader reads, and refuses."""

from __future__ import annotations

import csv
from datetime import UTC, date, datetime, timedelta, timezone

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples
from pyarrow import parquet

from banzuke.core.fault import RefusedError
from banzuke.engine.columnar.arrow_blocks import NotPlainError
from banzuke.engine.columnar.go_reader import (
    _read_plain,
    columns_of,
    microseconds,
    moments,
    read_go,
    read_moment,
)
from banzuke.ledger.cells import MOMENT, CellError
from banzuke.ledger.folder import read_go_ledger, write_ledger

HEADER = "game_id,ended,black,white,result,handicap,komi,board,moves,room,pair,robot,fault"
NOON = "2025-03-01T12:00:00+09:00"
PLAYERS = "player_id,name,declared\nA,A,5k\nB,B,4k\n名人,C,3d\n"


def game(game_id="G1", ended=NOON, black="A", white="B", result="B", rest="0,6.5,19,200,,,,"):
    return f"{game_id},{ended},{black},{white},{result},{rest}"


@pytest.fixture
def folder(tmp_path):
    """A maker of folders with those lines of games."""

    def make(*lines, header=HEADER, end="\n", start="2005-04-01"):
        (tmp_path / "pool.toml").write_text(
            f'name = "Go"\n[[edition]]\nrulebook = "pandanet"\nfrom = {start}\n', encoding="utf-8"
        )
        (tmp_path / "players.csv").write_text(PLAYERS, encoding="utf-8")
        (tmp_path / "games.csv").write_bytes("".join(line + end for line in (header, *lines)).encode())
        return tmp_path

    return make


def same(one, other):
    """The same columns, of the same types."""
    assert one[:3] == other[:3]
    assert one.game_ids.to_pylist() == other.game_ids.to_pylist()
    for ours, theirs in zip(
        (*one.games, *one.declarations), (*other.games, *other.declarations), strict=True
    ):
        assert ours.dtype == theirs.dtype
        assert ours.tolist() == theirs.tolist()


def by_blocks(path):
    """Read by blocks, and the same as by records."""
    found = _read_plain(path)
    same(found, columns_of(read_go_ledger(path)))
    return found


class TestPlain:
    def test_every_column(self, folder):
        found = by_blocks(
            folder(game(rest="3,-5.5,19,200,free,1,black,white"), game("G2", rest="0,0.5,9,0,,0,,"))
        )
        assert [column.tolist() for column in found.games] == [
            [1740798000000000] * 2, [0, 0], [1, 1], [0, 0], [3, 0], [-11, 1], [19, 9], [200, 0], [2, 0],
            [True, False], [1, 0], [2, 0],
        ]  # fmt: skip
        assert found.player_ids == ("A", "B", "名人")

    def test_columns_in_another_order_and_without_the_optional_ones(self, folder):
        found = by_blocks(
            folder(
                f"19,G1,{NOON},200,B,名人,W,0,7",
                header="board,game_id,ended,moves,black,white,result,handicap,komi",
            )
        )
        assert found.games.white.tolist() == [2]
        assert found.games.pair.tolist() == [False]

    @pytest.mark.parametrize("end", ["\n", "\r\n"])
    def test_line_ends(self, folder, end):
        assert len(by_blocks(folder(game(), game("G2"), end=end)).game_ids) == 2

    def test_a_byte_order_mark_and_no_last_line_end(self, folder):
        path = folder(header="\ufeff" + HEADER)
        with (path / "games.csv").open("ab") as stream:
            stream.write(game().encode())
        assert len(by_blocks(path).game_ids) == 1

    def test_by_the_end_then_the_id(self, folder):
        path = folder(
            game("b"),
            game("c", "2025-03-01T02:59:59Z"),
            game("a"),
            game("d", "2025-03-01T12:00:00.000001+09:00"),
        )
        assert by_blocks(path).game_ids.to_pylist() == ["c", "a", "b", "d"]

    def test_ids_in_order_and_games_not(self, folder):
        path = folder(game("a", "2025-03-02T00:00:00Z"), game("b"), game("c"))
        assert by_blocks(path).game_ids.to_pylist() == ["b", "c", "a"]

    def test_ids_by_code_points(self, folder):
        path = folder(*(game(name) for name in ("é", "z", "Z", "\U00020000", "\uffee", "a b")))
        assert by_blocks(path).game_ids.to_pylist() == ["Z", "a b", "z", "é", "\uffee", "\U00020000"]

    def test_parquet(self, folder, tmp_path):
        path = folder(game("b", rest="3,-5.5,19,200,free,1,black,white"), game("a"))
        write_ledger(read_go_ledger(path), path, tmp_path / "parquet", as_parquet=True)
        same(by_blocks(tmp_path / "parquet"), _read_plain(path))

    def test_many_games(self, folder):
        """More than a block of the file."""
        lines = [game(f"G{number:06}", rest="0,6.5,19,200,rated,0,,") for number in range(150_000)]
        found = _read_plain(folder(*lines))
        assert len(found.game_ids) == 150_000
        assert set(found.games.room.tolist()) == {1}


#: Files that the blocks leave to the reader of rows, which reads them.
ODD = {
    "quotes": [game('"G1"')],
    "no games": [],
    "a blank line": [game(), "", game("G2")],
    "old line ends": [game() + "\r" + game("G2")],
}


@pytest.mark.parametrize("lines", ODD.values(), ids=ODD)
def test_what_is_read_by_rows(folder, lines):
    path = folder(*lines)
    same(read_go(path), columns_of(read_go_ledger(path)))


#: Files that are refused.
REFUSED = {
    "unknown black": [game(black="X")],
    "unknown white": [game(white="X")],
    "against oneself": [game(white="A")],
    "an id twice": [game(), game("G2"), game()],
    "an id twice in order": [game(), game()],
    "a fault that won": [game(rest="0,6.5,19,0,,,,black")],
    "a fault and a draw": [game(result="draw", rest="0,6.5,19,0,,,,white")],
    "no edition": [game(ended="2005-03-31T23:59:59-09:00")],
    "no moment": [game(ended="2025-03-01")],
    "no such day": [game(ended="2025-02-29T12:00:00+09:00")],
    "no such hour": [game(ended="2025-03-01T24:00:00+09:00")],
    "no offset": [game(ended="2025-03-01T12:00:00")],
    "no such offset": [game(ended="2025-03-01T12:00:00+24:00")],
    "no such year": [game(ended="2200-03-01T12:00:00+09:00")],
    "a blank id": [game("")],
    "an id of spaces": [game("\u3000 ")],
    "an id with a control": [game("G\x1f1")],
    "an id with a late control": [game("G\x851")],
    "an id with what nobody sees": [game("G\u200b1")],
    "an id that ends with a blank": [game("G1 ")],
    "an id in another alphabet": [game("\u0410\u0412")],
    "result": [game(result="b")],
    "handicap": [game(rest="10,6.5,19,200,,,,")],
    "komi": [game(rest="0,6.25,19,200,,,,")],
    "board": [game(rest="0,6.5,100,200,,,,")],
    "moves": [game(rest="0,6.5,19,-1,,,,")],
    "room": [game(rest="0,6.5,19,200,lobby,,,")],
    "pair": [game(rest="0,6.5,19,200,,2,,")],
    "robot": [game(rest="0,6.5,19,200,,,B,")],
    "blank komi": [game(rest="0,,19,200,,,,")],
    "too few cells": ["G1,2025"],
    "too many cells": [game() + ","],
    "a long id": [game("G" * 201)],
    "a very long id": [game("G" * 140_000)],
}


@pytest.mark.parametrize("lines", REFUSED.values(), ids=REFUSED)
def test_what_is_refused(folder, lines):
    path = folder(game("G0"), *lines)
    with pytest.raises(RefusedError) as ours:
        read_go(path)
    with pytest.raises(RefusedError) as theirs:
        read_go_ledger(path)
    assert ours.value.faults == theirs.value.faults
    with pytest.raises((NotPlainError, CellError)):
        _read_plain(path)


def test_bytes_that_are_no_text(folder):
    path = folder(game())
    with (path / "games.csv").open("ab") as stream:
        stream.write(game("G").encode().replace(b"G,", b"\xff,", 1))
    with pytest.raises(RefusedError):
        read_go(path)


@pytest.mark.parametrize("name", ["game_id", "ended", "black", "result"])
def test_bytes_of_parquet_that_are_no_text(folder, name):
    path = folder(game())
    with (path / "games.csv").open(encoding="utf-8", newline="") as stream:
        columns = {name: [cell] for name, cell in next(csv.DictReader(stream)).items()}
    (path / "games.csv").unlink()
    broken = pa.array([b"\xff" + columns[name][0].encode()]).view(pa.string())
    parquet.write_table(pa.table(columns | {name: broken}), path / "games.parquet")
    with pytest.raises(RefusedError) as ours:
        read_go(path)
    with pytest.raises(RefusedError) as theirs:
        read_go_ledger(path)
    assert ours.value.faults == theirs.value.faults


@pytest.mark.parametrize("name", ["players.csv", "games.csv", "pool.toml"])
def test_a_file_that_is_missing(folder, name):
    path = folder(game())
    (path / name).unlink()
    with pytest.raises(RefusedError):
        read_go(path)


def test_two_files_of_a_table(folder):
    path = folder(game())
    (path / "games.parquet").write_bytes(b"")
    with pytest.raises(RefusedError):
        read_go(path)


def test_no_folder(tmp_path):
    with pytest.raises(RefusedError):
        read_go(tmp_path / "none")


def test_a_chess_pool(ledger_folder):
    with pytest.raises(RefusedError):
        read_go(ledger_folder("japan"))


class TestMoments:
    @given(
        st.datetimes(datetime.fromisoformat("1850-01-02"), datetime.fromisoformat("2199-12-30")),
        st.integers(-1439, 1439),
        st.sampled_from(("seconds", "milliseconds", "microseconds")),
        st.sampled_from("T "),
    )
    @settings(max_examples=examples(300))
    def test_any(self, at, minutes, precision, between):
        at = at.replace(tzinfo=timezone(timedelta(minutes=minutes)))
        texts = [
            at.isoformat(between, precision),
            at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z",
        ]
        expected = [microseconds(MOMENT.read(text)) for text in texts]
        assert moments(pa.array(texts), date(1850, 1, 1), read_moment).tolist() == expected

    @pytest.mark.parametrize("day", ["1999-02-28", "2000-02-29", "2024-02-29", "2100-02-28", "1900-12-31"])
    def test_leap_years(self, day):
        text = f"{day}T23:59:59Z"
        assert moments(pa.array([text]), date(1850, 1, 1), self.unread).tolist() == [
            microseconds(datetime.fromisoformat(text))
        ]

    @staticmethod
    def unread(text):
        raise AssertionError(text)

    @pytest.mark.parametrize(
        "text",
        [
            "2023-02-29T12:00:00Z", "2100-02-29T12:00:00Z", "2025-13-01T12:00:00Z", "2025-00-01T12:00:00Z",
            "2025-01-00T12:00:00Z", "2025-01-01T12:60:00Z", "2025-01-01T12:00:60Z", "2025-01-01T24:00:00Z",
            "1849-12-31T12:00:00Z", "2200-01-01T12:00:00Z", "2025-01-01T12:00:00+09:60", "2025-01-01T12:00:00+24:00",
            "2025/01/01T12:00:00Z", "2025-01-01T12.00.00Z", "2025-01-01T12:00:00z9:00", "202a-01-01T12:00:00Z",
            "２０25-01-01T12:00Z", "",
        ],
    )  # fmt: skip
    def test_what_is_left_to_the_cell(self, text):
        with pytest.raises(AssertionError, match="^" + text.replace("+", r"\+").replace(".", r"\.") + "$"):
            moments(pa.array([text]), date(1850, 1, 1), self.unread)

    def test_a_part_of_an_array(self):
        texts = pa.array([NOON, "2025-03-01T03:00:01Z", "2025-03-01T03:00:02Z"])
        assert np.diff(moments(texts.slice(1), date(2025, 3, 1), self.unread)).tolist() == [1_000_000]

    def test_before_the_first_day(self):
        with pytest.raises(AssertionError):
            moments(pa.array(["2025-02-28T23:00:00-09:00"]), date(2025, 3, 1), self.unread)
