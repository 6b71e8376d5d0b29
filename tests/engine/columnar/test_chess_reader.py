"""A ledger read as columns: what the records say, and the same faults."""

from __future__ import annotations

import csv
import os
import random
import shutil
import tempfile
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from engine.test_properties import CHESS, LEDGER, ledger_of, write
from hypothesis import given, settings
from hypothesis import strategies as st
from ledger.random_ledgers import chess_tables
from properties import examples
from pyarrow import parquet

from banzuke.columnar.batch_columns import RESULTS
from banzuke.core.fault import RefusedError
from banzuke.engine.columnar import chess_reader
from banzuke.engine.columnar.chess_reader import columns_of, read_columns
from banzuke.engine.columnar.game_order import LONG, order_of
from banzuke.engine.columnar.id_numbers import NOBODY, Numbering
from banzuke.ledger.folder import ChessLedger, read_ledger, replace_tables, write_ledger
from banzuke.ledger.schema import CHESS as TABLES
from banzuke.table_writer.thrift import varint

PROJECT = Path(__file__).parents[3]
SMALL = PROJECT / "tests" / "ledger" / "small"
EXAMPLES = sorted(path.parent for path in (PROJECT / "examples").glob("*/pool.toml"))
FEW = settings(max_examples=examples(40))


def plain(columns):
    """The columns as values that compare."""
    return [[c.tolist() for c in part] if part is columns.games else listed(part) for part in columns]


def listed(part):
    return part.tolist() if isinstance(part, np.ndarray) else part


def as_records(columns):
    """The games as a ledger tells them, in the order of the columns."""
    games = columns.games
    return [
        (
            columns.event_ids[columns.event_of(np.array([row]))[0]],
            int(games.round[row]),
            columns.player_ids[games.white[row]],
            columns.player_ids[games.black[row]],
            RESULTS[games.result[row]],
            date.fromordinal(int(games.played[row])) if games.played[row] else None,
            bool(games.excluded[row]),
        )
        for row in range(len(games.round))
    ]


def standing_records(ledger):
    """The games that ever stand, by event, round and White."""
    by_day = ledger.pool.schedule.is_corrected_by_day
    found = []
    for games in ledger.games.values():
        for game in games:
            if by_day and (game.added or date.min) >= (game.struck or date.max):
                continue
            if by_day or game.struck is None:
                found.append((*game[:6], game.ruling == "exclude"))
    return sorted(found, key=lambda game: game[:3])


def read_plainly(folder):
    """Read without the reader of rows to fall back upon."""
    return chess_reader._read_plain(folder)


def check(folder):
    ledger = read_ledger(folder)
    columns = read_columns(folder)
    assert plain(columns) == plain(columns_of(ledger))
    assert as_records(columns) == standing_records(ledger)
    assert (columns.players, columns.events, columns.standings) == (
        ledger.players,
        ledger.events,
        ledger.standings,
    )
    return columns


class TestLedgers:
    @pytest.mark.slow
    @pytest.mark.parametrize("as_parquet", [False, True])
    @given(chess_tables())
    @FEW
    def test_with_all_that_unicode_has(self, as_parquet, tables):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "made"
            folder.mkdir()
            (folder / "pool.toml").write_bytes((SMALL / "japan" / "pool.toml").read_bytes())
            replace_tables(folder, tables, TABLES)
            if as_parquet:
                write_ledger(read_ledger(folder), folder, Path(place) / "new", as_parquet=True)
                folder = Path(place) / "new"
            check(folder)

    @pytest.mark.parametrize("book", CHESS)
    @given(**LEDGER, is_corrected=st.booleans())
    @FEW
    def test_of_every_book(self, book, seed, players, events, is_corrected):
        ledger = ledger_of(book, seed, players, events)
        if is_corrected:
            ledger = corrected(ledger, seed)
        with tempfile.TemporaryDirectory() as place:
            folder = write(ledger, Path(place) / "ledger")
            check(folder)
            if any(ledger.tables["games"]):
                read_plainly(folder)

    @pytest.mark.parametrize("folder", EXAMPLES, ids=lambda path: path.name)
    def test_of_the_examples(self, folder):
        if isinstance(read_ledger(folder), ChessLedger):
            check(folder)

    @pytest.mark.parametrize("name", ["japan", "hakodate", "fide"])
    def test_small_ones(self, name):
        check(SMALL / name)


def corrected(ledger, seed):
    """Some games struck, added, or struck and added with another result."""
    rng, games = random.Random(seed), []
    for row in ledger.tables["games"]:
        day = date(2025, 1, 1) + timedelta(days=rng.randrange(200))
        added, struck = row | {"added": str(day), "struck": ""}, row | {"added": "", "struck": str(day)}
        never = row | {"added": str(day), "struck": str(day - timedelta(days=rng.randrange(2)))}
        games += rng.choice(
            [
                *[[row | {"added": "", "struck": ""}]] * 6,
                [added],
                [struck],
                [never],
                [struck, added | {"result": "1/2-1/2"}],
            ]
        )
    return ledger.with_tables(games=games)


class TestNumbering:
    @pytest.mark.slow
    @given(st.lists(st.text(max_size=3), unique=True), st.lists(st.text(max_size=3)), st.integers(0, 3))
    @FEW
    def test_finds_the_ids_that_there_are(self, ids, others, start):
        words = (ids + others)[start:]
        found = Numbering(ids).of(pa.array(ids + others, pa.string())[start:])
        assert found.tolist() == [ids.index(word) if word in ids else NOBODY for word in words]

    def test_many_alike(self):
        ids = [f"P{number:05}" for number in range(30_000)]
        assert Numbering(ids).of(pa.array(ids[::-1])).tolist() == list(range(30_000))[::-1]


class TestOrder:
    @given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 5))), st.booleans())
    @FEW
    def test_is_that_of_a_stable_sort(self, games, is_by_round):
        if is_by_round:
            games = sorted(games, key=lambda game: game[:2])
        event, round_, white = np.array(games, np.int32).reshape(len(games), 3).T.copy()
        assert order_of(event, round_, white).tolist() == sorted(range(len(games)), key=games.__getitem__)

    @pytest.mark.parametrize("boards", [LONG - 1, LONG, LONG + 1, 1000])
    def test_of_long_rounds(self, boards):
        white = np.random.default_rng(1).integers(0, 300, 2 * boards).astype(np.int32)
        event, round_ = np.zeros(2 * boards, np.int32), np.repeat([1, 2], boards).astype(np.int32)
        assert order_of(event, round_, white).tolist() == np.lexsort((white, round_)).tolist()


HEADER = "event_id,round,played,white,black,result,ruling,added,struck\n"
POOL = 'name = "P"\n[[edition]]\nrulebook = "ncs-2022"\nfrom = 2022-09-01\n'


@pytest.fixture
def folder(tmp_path):
    """A pool with three players and two events, the second reported anew, without games."""
    (tmp_path / "pool.toml").write_text(POOL)
    (tmp_path / "players.csv").write_text(
        "player_id,name,added,struck\nA,A,,\nB,B,,\nC,C,,\nD,D,2024-01-01,\n"
    )
    (tmp_path / "events.csv").write_text(
        "event_id,name,starts,ends,reported,base_minutes,added,struck\n"
        "E2,E2,2023-01-05,2023-01-07,2023-01-08,90,,\n"
        "E1,E1,2023-02-05,2023-02-06,2023-02-08,90,,2023-03-01\n"
        "E1,E1,2023-02-05,2023-02-07,2023-02-08,90,2023-03-01,\n"
    )
    return tmp_path


def with_games(folder, *rows):
    (folder / "games.csv").write_text(HEADER + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return folder


class TestPlain:
    def test_order(self, folder):
        with_games(
            folder,
            "E2,10,,C,A,1-0,,,",
            "E2,9,,B,A,0-1,,,",
            "E1,1,,A,B,1-0,exclude,,",
            "E2,10,,B,D,-/-,,2024-01-02,",
        )
        columns = read_plainly(folder)
        assert columns.event_ids == ("E1", "E2")
        assert columns.event_first.tolist() == [0, 1, 4]
        assert columns.games.round.tolist() == [1, 9, 10, 10]
        assert columns.games.white.tolist() == [0, 1, 1, 2]
        assert columns.games.excluded.tolist() == [True, False, False, False]
        assert columns.added.tolist() == [0, 0, date(2024, 1, 2).toordinal(), 0]
        assert columns.event_of(np.arange(4)).tolist() == [0, 1, 1, 1]
        check(folder)

    def test_no_day_of_an_inquiry_no_columns_of_them(self, folder):
        columns = read_plainly(with_games(folder, "E2,1,,A,B,1-0,,,"))
        assert (len(columns.added), len(columns.struck)) == (0, 0)

    def test_games_alike_stay_as_they_stand(self, folder):
        with_games(
            folder,
            "E2,2,,A,B,1-0,,,",
            "E2,1,,A,B,1-0,,,2023-05-01",
            "E2,1,,A,B,0-1,,2023-05-01,2023-06-01",
            "E2,1,,A,C,1/2-1/2,,2023-06-01,",
        )
        columns = read_plainly(folder)
        assert [RESULTS[code] for code in columns.games.result] == ["1-0", "0-1", "1/2-1/2", "1-0"]
        check(folder)

    @pytest.mark.parametrize(
        "row",
        [
            'E2,1,,A,"B",1-0,,,',
            "E2,1,, A,B,1-0,,,",
            "E2,1,2023-01-09,A,B,1-0,,,",
            "E2,1,2023-1-5,A,B,1-0,,,",
            "E2,0,,A,B,1-0,,,",
            "E2,+1,,A,B,1-0,,,",
            "E2,1.0,,A,B,1-0,,,",
            "E2,1,,A,A,1-0,,,",
            "E2,1,,A,X,1-0,,,",
            "E9,1,,A,B,1-0,,,",
            "E2,1,,A,D,1-0,,,",
            "E1,1,2023-02-07,A,B,1-0,,,",
            "E2,1,,A,B,2-0,,,",
            "E2,1,,A,B,,,,",
            "E2,1,,,B,1-0,,,",
            "E2,1,,A,B,1-0,include,,",
            "E2,1,,A,B,1-0,,2023-13-01,",
            "E2,1,,A,B,1-0,,,,",
            "E2,1,,A,B,1-0",
            "E2,1,,A\x7f,B,1-0,,,",
            "",
            "E2,1,,A,B,1-0, ,,\u3000",
            "E2,1,,X,Y,1-0,,2024-01-01,2024-01-01",
            "E2,1,,A,A,1-0,,2024-01-01,2024-01-01",
            "E2,3,,A,C,1-0,,,",
            "E2,3,,B,A,1-0,,,",
            "E2,3,,B,A,1-0,,2024-01-01,",
        ],
    )
    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_a_row_that_is_odd(self, folder, row, end):
        with_games(folder, "E2,3,2023-01-06,A,B,1-0,,,", row, "E2,4,,B,C,+/-,,,")
        path = folder / "games.csv"
        path.write_bytes(path.read_bytes().replace(b"\n", end.encode()))
        same(folder)

    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"\xef\xbb\xbf" + HEADER.encode() + b"E2,1,,A,B,1-0,,,",
            HEADER.encode() + b"E2,1,,A,\xff,1-0,,,\n",
            HEADER.encode(),
            HEADER.encode() + b"\n\nE2,1,,A,B,1-0,,,\n\n",
            b"event_id,round,white,black\nE2,1,A,B\n",
            b"event_id,round,white,black,result,result\nE2,1,A,B,1-0,1-0\n",
            b"event_id,round,white,black,result,board\nE2,1,A,B,1-0,1\n",
            b"result,black,white,round,event_id\n1-0,B,A,1,E2\n",
        ],
    )
    def test_a_file_that_is_odd(self, folder, data):
        (folder / "games.csv").write_bytes(data)
        same(folder)

    def test_faults_of_other_tables(self, folder):
        with_games(folder, "E2,1,,A,B,1-0,,,")
        (folder / "standings.csv").write_text("player_id,speed,rating,games\nX,standard,1500,3\n")
        same(folder)

    def test_more_rows_than_full_cells_leave_room_for(self, folder):
        (folder / "games.csv").write_text("event_id,round,white,black,result\n" + "E1,1,A,B,\n" * 500)
        same(folder)

    def test_both_forms(self, folder):
        with_games(folder, "E2,1,,A,B,1-0,,,")
        (folder / "games.parquet").write_bytes(b"")
        same(folder)

    def test_one_that_leads_nowhere_and_the_other_form(self, folder):
        games = {"event_id": ["E2"], "round": [1], "white": ["A"], "black": ["B"], "result": ["1-0"]}
        parquet.write_table(pa.table(games), folder / "games.parquet")
        (folder / "games.csv").symlink_to(folder / "nowhere")
        same(folder)

    @pytest.mark.parametrize("missing", ["games.csv", "players.csv", "events.csv", "pool.toml"])
    def test_a_file_that_is_missing(self, folder, missing):
        with_games(folder, "E2,1,,A,B,1-0,,,")
        (folder / missing).unlink()
        same(folder)

    def test_no_folder(self, tmp_path):
        same(tmp_path / "none")

    def test_a_pool_of_go(self):
        with pytest.raises(RefusedError):
            read_columns(SMALL / "go")


class TestBroken:
    @pytest.mark.parametrize("name", ["japan", "hakodate", "fide"])
    @given(st.data())
    @settings(max_examples=examples(80))
    def test_a_byte_changed_somewhere(self, name, data):
        """Mostly in the games; most of what comes in is a sign or a digit of another cell."""
        with tempfile.TemporaryDirectory() as place:
            folder = Path(shutil.copytree(SMALL / name, Path(place) / "broken"))
            file = data.draw(st.sampled_from(["games.csv"] * 4 + ["players.csv", "events.csv", "pool.toml"]))
            cells = bytearray((folder / file).read_bytes())
            at = data.draw(st.integers(0, len(cells) - 1))
            new = data.draw(st.sampled_from(b'01-/,"\n\r \xffA') | st.integers(0, 255))
            cells[at : at + data.draw(st.integers(0, 1))] = bytes([new])
            (folder / file).write_bytes(cells)
            same(folder)


def told(read, folder):
    """The columns as values that compare, or the faults."""
    try:
        return plain(read(folder))
    except RefusedError as error:
        return error.faults


def same(folder):
    """The same columns, or the same faults."""
    assert told(read_columns, folder) == told(lambda place: columns_of(read_ledger(place)), folder)


class TestParquet:
    @pytest.mark.parametrize(
        "types",
        [
            {},
            {"round": pa.int64()},
            {"round": pa.uint8(), "white": pa.large_string()},
            {"round": pa.int16(), "white": pa.dictionary(pa.int8(), pa.string())},
            {"round": pa.float64()},
            {"round": pa.int32(), "played": pa.date32()},
            {"played": pa.timestamp("ms"), "white": pa.binary()},
        ],
        ids=str,
    )
    @pytest.mark.parametrize("blank", [None, ""])
    def test_of_many_types(self, folder, types, blank):
        rows = ["E2,3,2023-01-06,A,B,1-0,,,", "E2,4,,B,C,+/-,exclude,,", "E1,1,,A,C,1/2-1/2,,,2023-04-05"]
        with_games(folder, *rows)
        expected = plain(read_columns(folder))
        names = HEADER.strip().split(",")
        cells = list(csv.reader(rows))
        columns = {}
        for place, name in enumerate(names):
            texts = [row[place] or (None if name in types else blank) for row in cells]
            if pa.types.is_integer(types.get(name, pa.string())) or pa.types.is_floating(
                types.get(name, pa.string())
            ):
                texts = [int(text) for text in texts]
            column = pa.array(texts)
            columns[name] = column.cast(types[name]) if name in types else column.cast(pa.string())
        parquet.write_table(pa.table(columns), folder / "games.parquet", row_group_size=2)
        (folder / "games.csv").unlink()
        same(folder)
        assert plain(read_columns(folder)) == expected

    def test_what_the_office_writes(self, tmp_path):
        write_ledger(read_ledger(SMALL / "japan"), SMALL / "japan", tmp_path / "new", as_parquet=True)
        check(tmp_path / "new")

    def test_a_pipe(self, folder):
        """Whoever opened it would wait for ever."""
        os.mkfifo(folder / "games.parquet")
        same(folder)

    def test_letters_that_are_no_text(self, folder):
        texts = pa.array([b"1-0", b"\xff-0"]).cast(pa.binary()).view(pa.string())
        games = {"event_id": ["E2"] * 2, "round": [1, 2], "white": ["A"] * 2, "black": ["B"] * 2}
        parquet.write_table(pa.table(games | {"result": texts}), folder / "games.parquet")
        same(folder)

    @pytest.mark.parametrize("rows", [1, 2**40, 2**62])
    def test_another_number_of_rows_than_the_file_says(self, folder, rows):
        games = {"event_id": ["E2"] * 2, "round": [1, 2], "white": ["A"] * 2, "black": ["B"] * 2}
        path = folder / "games.parquet"
        parquet.write_table(pa.table(games | {"result": ["1-0"] * 2}), path)
        path.write_bytes(with_rows(path.read_bytes(), rows))
        assert parquet.read_metadata(path).num_rows == rows
        same(folder)


def with_rows(file, rows):
    """A Parquet file of two rows whose footer says that there are others: field 3, a long, before field 4, a list."""
    end = len(file) - 8
    before, found, after = file[:end].rpartition(b"\x16\x04\x19\x1c")
    assert found
    footer = before + b"\x16" + varint(2 * rows) + b"\x19\x1c" + after
    size = len(footer) - end + int.from_bytes(file[end : end + 4], "little")
    return footer + size.to_bytes(4, "little") + b"PAR1"
