"""Result files written table by table: CSV as Python writes it, Parquet as others read it."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from properties import examples
from pyarrow import parquet
from table_writer.test_coded_columns import WORDS, coded

from banzuke.columnar.batch_columns import MISSING
from banzuke.core.decimals import decimal
from banzuke.engine.columnar.result_files import ResultFiles, convert, go_files
from banzuke.table_writer import parquet_file
from banzuke.table_writer.bit_packing import BLOCK, pack_bits
from banzuke.table_writer.coded_columns import (
    Column,
    Numbers,
    Table,
    constant,
    part_of,
    rows_of,
    runs,
    to_words,
)

NAMES = ("id", "count", "word", "only")
COUNTS = frozenset({"count"})
NUMBERS = ("", "0", "-1", "17", "1520", "999999999", "-9999")


@st.composite
def tables(draw):
    rows = draw(st.integers(0, 20))
    words = {
        "id": draw(st.lists(WORDS, min_size=1, max_size=9)),
        "count": draw(st.lists(st.sampled_from(NUMBERS), min_size=1)),
        "word": draw(st.lists(WORDS, min_size=1, max_size=3)),
        "only": [draw(WORDS)],
    }
    codes = {
        name: st.lists(st.integers(0, len(of) - 1), min_size=rows, max_size=rows)
        for name, of in words.items()
    }
    return Table({name: coded(words[name], draw(codes[name])) for name in NAMES})


def cells(*given):
    """The rows of tables, as text."""
    return [
        row
        for table in given
        for row in zip(*([c.words[n] for n in c.codes.tolist()] for c in table.columns.values()), strict=True)
    ]


def files(given, *, as_parquet, names=NAMES):
    with TemporaryDirectory() as place:
        write_all(Path(place), given, names, as_parquet=as_parquet)
        (path,) = Path(place).iterdir()
        assert path.name == ("rows.parquet" if as_parquet else "rows.csv")
        return path.read_bytes()


def converted(data):
    with TemporaryDirectory() as place:
        path = Path(place) / "rows.csv"
        path.write_bytes(data)
        convert(path, COUNTS)
        assert [path.name for path in Path(place).iterdir()] == ["rows.parquet"]
        return path.with_suffix(".parquet").read_bytes()


def typed(row):
    return tuple(int(cell) if cell and n == 1 else None if n == 1 else cell for n, cell in enumerate(row))


def read(data):
    table = parquet.ParquetFile(io.BytesIO(data)).read()
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


@pytest.fixture
def small_groups(monkeypatch):
    monkeypatch.setattr(parquet_file, "ROWS", 8)


class TestBothForms:
    @given(st.lists(tables(), max_size=4))
    def test_have_the_rows(self, given):
        as_csv = files(given, as_parquet=False)
        assert list(csv.reader(io.StringIO(as_csv.decode(), newline=""))) == [
            list(NAMES),
            *map(list, cells(*given)),
        ]
        as_parquet = files(given, as_parquet=True)
        assert read(as_parquet) == [typed(row) for row in cells(*given)]
        assert converted(as_csv) == as_parquet

    @pytest.mark.parametrize("rows", [7, 8, 9, 16, 21])
    def test_row_groups_do_not_depend_on_the_pieces(self, rows, small_groups):
        codes = np.arange(rows, dtype=np.int32)
        whole = Table(
            {
                "id": Column(codes * 3 % 7, tuple("gfedcba")),
                "count": Column(codes % 7, NUMBERS),
                "word": Column(codes // 8, ("x", "y", "z")),
                "only": Column(codes * 0, ("",)),
            }
        )
        pieces = [Table({name: respelt(c, row) for name, c in whole.columns.items()}) for row in range(rows)]
        made = files([whole], as_parquet=True)
        assert files(pieces, as_parquet=True) == made
        assert converted(files([whole], as_parquet=False)) == made
        assert read(made) == [typed(row) for row in cells(whole)]
        assert parquet.ParquetFile(io.BytesIO(made)).num_row_groups == -(-rows // 8)


#: Numbers near each other, far from each other, and further than any range is kept for.
VALUES = st.sampled_from((MISSING, 0, 1, -1, 1023, 1024, -1025, 2**16, -(2**17), 2**31 - 1, -(2**31) + 1))


class TestNumbersInRowGroups:
    @given(st.lists(st.lists(VALUES | st.integers(-50, 50), max_size=12), max_size=6), st.data())
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(300))
    def test_are_those_of_their_words(self, small_groups, lists, data):
        """As counts and as text, in tables of numbers, of words, or of both in turn."""
        kinds = data.draw(st.lists(st.booleans(), min_size=len(lists), max_size=len(lists)))
        numbers = [Numbers(np.array(values, np.int32), decimal) for values in lists]
        counts = [Numbers(np.array(values, np.int32)) for values in lists]
        words = [
            Table({"count": to_words(c), "word": to_words(n)}) for c, n in zip(counts, numbers, strict=True)
        ]
        plain = [Table({"count": c, "word": n}) for c, n in zip(counts, numbers, strict=True)]
        mixed = [one if kind else other for kind, one, other in zip(kinds, words, plain, strict=True)]
        made = files(words, as_parquet=True, names=("count", "word"))
        assert files(plain, as_parquet=True, names=("count", "word")) == made
        assert files(mixed, as_parquet=True, names=("count", "word")) == made
        values = [value for of_list in lists for value in of_list]
        blank = [(None, "") if value == MISSING else (value, decimal(value)) for value in values]
        assert read(made) == blank


class TestRuns:
    @given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 700)), max_size=12), st.data())
    def test_are_those_of_their_rows(self, given, data):
        """As runs and row by row, and in two pieces, in groups that end within a run."""
        said = ("a", "", "函館", "b")
        codes, lengths = (np.array([each[n] for each in given], np.int64) for n in (0, 1))
        column = runs(codes.astype(np.int32), lengths, said)
        rows, cut = rows_of(column), data.draw(st.integers(0, int(lengths.sum())))
        whole = Table({"word": column})
        plain = Table({"word": to_words(column)})
        pieces = [
            Table({"word": part_of(column, 0, cut)}),
            Table({"word": part_of(to_words(column), cut, rows)}),
        ]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(parquet_file, "ROWS", 500)
            made = files([whole], as_parquet=True, names=("word",))
            assert files([plain], as_parquet=True, names=("word",)) == made
            assert files(pieces, as_parquet=True, names=("word",)) == made
        assert read(made) == [(said[code],) for code in np.repeat(codes, lengths).tolist()]

    def test_many_lists_of_words(self):
        """Each part says its words anew, some of them met before."""
        said = [(f"x{n}", f"x{n // 2}", f"x{n + 1}") for n in range(3000)]
        parts = [runs(np.array([0, 1, 2], np.int32), np.array([2, 1, 1]), words) for words in said]
        made = files([Table({"word": part}) for part in parts], as_parquet=True, names=("word",))
        assert read(made) == [(word,) for one, two, three in said for word in (one, one, two, three)]

    def test_take_little_room(self):
        column = constant("a", 100_000)
        assert len(files([Table({"word": column})], as_parquet=True, names=("word",))) < 500


class TestPacking:
    @pytest.mark.parametrize("width", [*range(1, 21), 31])
    @pytest.mark.parametrize("count", [1, 7, 8, 9, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 3])
    def test_is_that_of_one_long_number(self, width, count):
        random = np.random.default_rng(width * count)
        numbers = random.integers(0, 1 << width, count)
        values = np.full(2 * count, MISSING, np.int32)
        values[np.sort(random.choice(2 * count, count, replace=False))] = numbers - 5
        whole = sum(number << (width * at) for at, number in enumerate(numbers.tolist()))
        expected = whole.to_bytes(-(-count // 8) * width, "little")
        assert pack_bits(values, -5, count, width).tobytes() == expected
        assert pack_bits((numbers - 5).astype(np.int32), -5, count, width).tobytes() == expected


def respelt(column, row):
    """One row of a column, with other words before its own."""
    return Column(np.array([2], np.int32), ("77", "", column.words[column.codes[row]]))


class TestParquet:
    @pytest.mark.parametrize("words", [1, 2, 3, 255, 256, 257, 70_000])
    def test_as_many_bits_as_words_need(self, words):
        codes = np.random.default_rng(1).integers(0, words, 100_000).astype(np.int32)
        said = tuple(map(str, range(words)))
        table = Table({name: Column(codes, said) for name in NAMES})
        back = parquet.ParquetFile(io.BytesIO(files([table], as_parquet=True))).read()
        assert back["count"].to_numpy().tolist() == codes.tolist()
        assert back["id"].to_pylist() == [said[code] for code in codes.tolist()]

    def test_types(self):
        table = Table({name: coded(["7", ""], [0, 1]) for name in NAMES})
        data = files([table], as_parquet=True)
        schema = parquet.read_schema(io.BytesIO(data))
        assert [(f.name, f.type, f.nullable) for f in schema] == [
            ("id", pa.string(), False),
            ("count", pa.int64(), True),
            ("word", pa.string(), False),
            ("only", pa.string(), False),
        ]

    def test_a_file_without_rows_has_its_columns(self, tmp_path):
        with go_files(tmp_path, as_parquet=True):
            pass
        assert parquet.read_table(tmp_path / "standings.parquet").num_rows == 0
        assert parquet.read_schema(tmp_path / "changes.parquet").names[0] == "game_id"


class TestSheets:
    def test_a_disk_that_is_full(self, tmp_path):
        full = Path("/dev/full")
        if not full.exists():
            pytest.skip("no device that is always full")
        (tmp_path / "rows.csv").symlink_to(full)
        table = Table({name: coded(["x" * 1000], [0] * 10_000) for name in NAMES})
        with pytest.raises(OSError, match="No space left"):
            write_all(tmp_path, [table] * 5)


def write_all(folder, given, names=NAMES, *, as_parquet=False):
    with ResultFiles(folder, {"rows": names}, {"rows.csv": COUNTS}, as_parquet=as_parquet) as sheets:
        for table in given:
            sheets.append("rows", table)
