"""Tables of coded columns: their CSV is that of Python's own writer."""

from __future__ import annotations

import csv
from io import StringIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banzuke.columnar.batch_columns import MISSING
from banzuke.core.decimals import decimal, two_decimals
from banzuke.engine.result_rows import CHANGES
from banzuke.table_writer.coded_columns import (
    ROWS,
    WIDEST,
    Column,
    Numbers,
    Table,
    constant,
    csv_blocks,
    header,
    to_words,
)

NASTY = [
    "",
    " ",
    '"',
    '""',
    ",",
    "a,b",
    'a"b',
    "a b",
    "'",
    "函館 太郎",
    "　",
    "\ufeff",
    "\u2028",
    "-1",
    "E\\",
    "1/2-1/2",
    "x" * 7,
    "x" * 8,
    "x" * 9,
    "長" * 40,
]
WORDS = st.sampled_from(NASTY) | st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=12)


def written(table):
    """The rows by Python's writer."""
    stream = StringIO(newline="")
    cells = [[column.words[code] for code in column.codes.tolist()] for column in table.columns.values()]
    csv.writer(stream, lineterminator="\n").writerows(zip(*cells, strict=True))
    return stream.getvalue().encode()


def csv_bytes(table):
    return b"".join(map(bytes, csv_blocks(table)))


def coded(words, codes):
    return Column(np.array(codes, np.int32), tuple(words))


@st.composite
def tables(draw):
    rows = draw(st.integers(0, 12))
    columns = {}
    for place in range(draw(st.integers(1, 4))):
        words = draw(st.lists(WORDS, min_size=1, max_size=6))
        codes = st.lists(st.integers(0, len(words) - 1), min_size=rows, max_size=rows)
        columns[f"c{place}"] = coded(words, draw(codes))
    return Table(columns)


class TestCsv:
    @given(tables())
    def test_is_that_of_pythons_writer(self, table):
        assert csv_bytes(table) == written(table)

    @pytest.mark.parametrize("word", NASTY)
    def test_a_nasty_word(self, word):
        beside = Table({"a": coded([word], [0]), "b": coded(["", word], [1]), "c": coded([word], [0])})
        alone = Table({"a": coded(["x", word], [1])})
        assert csv_bytes(beside) == written(beside)
        assert csv_bytes(alone) == written(alone)

    @pytest.mark.parametrize("rows", [0, 1, ROWS - 1, ROWS, ROWS + 1, 3 * ROWS + 5])
    def test_rows_of_several_blocks(self, rows):
        codes = np.arange(rows, dtype=np.int32)
        table = Table({"a": Column(codes % 20, tuple(NASTY)), "b": Column(codes % 3, ("", "長" * 30, "x"))})
        assert csv_bytes(table) == written(table)

    def test_a_header(self):
        assert header(CHANGES).decode() == ",".join(CHANGES) + "\n"


class TestNumbers:
    @pytest.mark.parametrize(
        "values",
        [
            [],
            [MISSING],
            [0],
            [MISSING, -400, 400, 0, 1520],
            [-1, 1023, 1024, 2047, 2048, -1024, -1025],
            [MISSING, -(2**31) + 1, 2**31 - 1, 5, 5],
            [0, WIDEST, MISSING],
        ],
    )
    @pytest.mark.parametrize("say", [str, decimal])
    def test_are_printed(self, values, say):
        column = to_words(Numbers(np.array(values, np.int32), say))
        said = [column.words[code] for code in column.codes.tolist()]
        assert said == ["" if value == MISSING else say(value) for value in values]

    def test_expectations(self):
        column = to_words(Numbers(np.array([92, MISSING, 100, 0, 5], np.int32), two_decimals))
        assert [column.words[code] for code in column.codes.tolist()] == ["0.92", "", "1.00", "0.00", "0.05"]

    def test_beside_words(self):
        table = Table({"a": coded(["x", "y"], [1, 0]), "b": Numbers(np.array([MISSING, -7], np.int32))})
        assert csv_bytes(table) == b"y,\nx,-7\n"

    def test_a_constant(self):
        assert csv_bytes(Table({"a": constant("x", 2), "b": constant("y z", 2)})) == b"x,y z\nx,y z\n"
