"""Tables read by blocks: the same records as row by row, or none at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples

from banzuke.ledger import fast_csv
from banzuke.ledger.csv_table import read_csv
from banzuke.ledger.schema import CHESS, GO

TABLES = {table.name: table for table in CHESS}
SMALL = Path(__file__).parent / "small"
FILES = sorted(path for path in SMALL.glob("*/*.csv"))
GAMES = "event_id,round,white,black,result\nE,1,A,B,1-0\nE,2,B,A,1/2-1/2\n"


def table_of(path):
    schema = GO if path.parent.name == "go" else CHESS
    return next(table for table in schema if table.name == path.stem)


def by_rows(path, table):
    """What the reader of rows gives."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fast_csv, "read", lambda *_: None)
        faults: list = []
        return read_csv(path, table, faults), faults


def games(tmp_path, text):
    path = tmp_path / "games.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def agree(path, table):
    """Whether the blocks gave the rows; checks that they are the right ones."""
    rows = fast_csv.read(path, table)
    slow, faults = by_rows(path, table)
    if rows is None:
        return False
    assert faults == []
    assert (rows.records, rows.lines, rows.file, rows.is_whole) == (slow.records, slow.lines, slow.file, True)
    return True


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_small_tables_read_the_same(path):
    assert agree(path, table_of(path)) == (b'"' not in path.read_bytes())


@pytest.mark.parametrize("block", [1, 7, 40, 1 << 20])
def test_the_size_of_a_block_makes_no_difference(tmp_path, monkeypatch, block):
    monkeypatch.setattr(fast_csv, "BLOCK", block)
    path = games(tmp_path, GAMES + "É,3,佐藤,B,0-1")
    assert agree(path, TABLES["games"])
    assert fast_csv.read(path, TABLES["games"]).records[-1].white == "佐藤"


@pytest.mark.parametrize(
    "text",
    [
        GAMES.replace("\n", "\r\n"),
        b"\xef\xbb\xbf" + GAMES.encode(),
        GAMES.rstrip("\n"),
        GAMES.partition("\n")[0],
    ],
    ids=["crlf", "mark", "no end", "header"],
)
def test_what_is_still_plain(tmp_path, text):
    assert agree(games(tmp_path, text), TABLES["games"])


@pytest.mark.parametrize(
    "text",
    [
        "",
        GAMES.replace("A,B", '"A",B'),
        GAMES.replace("1-0\n", "1-0\n\n"),
        GAMES.replace("1-0\nE", "1-0,\nE,"),
        GAMES.replace("E,1,A,B,1-0", "E,1,A,B").replace("1/2-1/2", "1/2-1/2,"),
        GAMES.replace("E,1", "E,x"),
        GAMES.replace("A,B", ",B"),
        GAMES.replace("black", "white"),
        GAMES.replace("black", "blakc"),
        GAMES.replace(",black", "").replace(",B,1", ",1"),
        GAMES.replace("\n", "\r"),
        GAMES.encode() + b"E,3,A,B,1-0,\xff\n",
        GAMES + "E,3," + "A" * 140_000 + ",B,1-0\n",
    ],
)
def test_what_is_left_to_the_reader_of_rows(tmp_path, text):
    assert not agree(games(tmp_path, text), TABLES["games"])


def test_no_file(tmp_path):
    assert fast_csv.read(tmp_path / "games.csv", TABLES["games"]) is None


@settings(max_examples=examples(300))
@given(st.data())
def test_damaged_tables_read_the_same_or_not_at_all(tmp_path_factory, data):
    path = data.draw(st.sampled_from(FILES))
    text = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(text)))
        text[at : at + data.draw(st.integers(0, 3))] = data.draw(
            st.sampled_from(
                [b",", b"\n", b"\r", b"\r\n", b'"', b" ", b"1", b"A", b"\0", b"\xe4", "é".encode(), b""]
            )
        )
    damaged = tmp_path_factory.mktemp("table") / path.name
    damaged.write_bytes(bytes(text))
    agree(damaged, table_of(path))
