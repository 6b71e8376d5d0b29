"""The ledger folder: read in every form that it may have, written without loss, never half."""

from __future__ import annotations

import csv
import tempfile
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pyarrow as pa
import pytest
from broken_ledgers import rewrite
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from properties import examples
from pyarrow import parquet
from random_ledgers import chess_tables, go_tables

from banzuke.core.facts import Club, Game, Membership, Opening, Player
from banzuke.core.fault import RefusedError
from banzuke.core.go_facts import Declaration, GoGame, GoOpening, GoPlayer
from banzuke.ledger.csv_table import read_csv
from banzuke.ledger.folder import ChessLedger, GoLedger, read_ledger, replace_tables, write_ledger
from banzuke.ledger.schema import CHESS, GO
from banzuke.words import LANGUAGES, fault_line

SMALL = Path(__file__).parent / "small"
KINDS = ["japan", "hakodate", "fide", "go"]
MANY = settings(max_examples=examples(60), suppress_health_check=[HealthCheck.too_slow])


def schema_of(kind):
    return GO if kind == "go" else CHESS


class TestExamples:
    @pytest.mark.parametrize("name", ["japan", "hakodate", "go-server", "us-championship-2025"])
    def test_of_the_project(self, name):
        assert read_ledger(Path(__file__).parents[2] / "examples" / name).players

    def test_shared_cases(self, shared):
        folders = sorted(path.parent for path in (shared / "cases").glob("*/pool.toml"))
        assert [bool(read_ledger(folder).games) for folder in folders] == [True] * len(folders)
        assert folders


class TestRecords:
    """A few rows of each table, cell by cell."""

    def test_chess(self):
        ledger = read_ledger(SMALL / "japan")
        assert ledger.players[0] == Player(
            "A", "ABE, Ichiro", "阿部 一郎", date(1990, 5, 5), fide_standard=1800
        )
        assert ledger.clubs == [Club("C1", "Small Club", "club", date(2024, 1, 1), date(2025, 12, 31))]
        assert ledger.memberships[1] == Membership("B", "event", date(2024, 6, 1), date(2024, 6, 2), "E1")
        assert ledger.events[0].name == "Open, June"
        assert (ledger.events[0].minutes, ledger.events[0].fide_rated) == (120, None)
        assert list(ledger.games) == ["E1", "E2"]
        assert ledger.games["E1"][1] == Game("E1", 2, "C", "A", "1/2-1/2", date(2024, 6, 2))
        assert ledger.standings[1] == Opening("A", 1790, 12, "rapid")
        assert ledger.standings[0].earned is False

    def test_go(self):
        ledger = read_ledger(SMALL / "go")
        japan = timezone(timedelta(hours=9))
        assert ledger.players[1] == GoPlayer("beni", "beni", "BC", professional=False)
        assert ledger.games[1] == GoGame(
            *("G2", datetime(2026, 1, 2, 11, 1, 14, tzinfo=japan), "beni", "ao", "W", 2, -11, 19, 90),
            room="free",
            robot="white",
        )
        assert ledger.games[2].ended == datetime(2026, 1, 3, 2, 1, 14, tzinfo=UTC)
        assert ledger.declarations == [
            Declaration("ao", datetime(2026, 1, 2, 8, 30, tzinfo=japan), "4k"),
        ]
        assert ledger.standings == [GoOpening("ao", "5k+", 96, 9900), GoOpening("beni", "BC", 3, None, 2)]


def chess_ledger(tables):
    games = {}
    for game in tables["games"]:
        games.setdefault(game.event_id, []).append(game)
    return ChessLedger(read_ledger(SMALL / "japan").pool, **(tables | {"games": games}))


class TestRoundTrip:
    """What was written is read again, record for record."""

    @MANY
    @given(chess_tables())
    def test_chess(self, tables):
        ledger = chess_ledger(tables)
        with tempfile.TemporaryDirectory() as place:
            write_ledger(ledger, SMALL / "japan", Path(place) / "new")
            assert read_ledger(Path(place) / "new") == ledger

    @pytest.mark.parametrize("kind", KINDS)
    def test_as_parquet(self, kind, tmp_path):
        parquet = pytest.importorskip("pyarrow.parquet", reason="the extra `bulk` is not installed")
        ledger = read_ledger(SMALL / kind)
        write_ledger(ledger, SMALL / kind, tmp_path / "new", as_parquet=True)
        names = {path.name for path in (tmp_path / "new").iterdir()}
        assert "games.parquet" in names
        assert not {name for name in names if name.endswith(".csv")}
        assert read_ledger(tmp_path / "new") == ledger
        types = {f.name: str(f.type) for f in parquet.read_schema(tmp_path / "new" / "games.parquet")}
        of_kind = {"handicap": "int64", "komi": "string"} if kind == "go" else {"round": "int64"}
        assert of_kind | {"white": "string"} == {name: types[name] for name in (*of_kind, "white")}

    @MANY
    @given(tables=chess_tables())
    def test_chess_as_parquet(self, tables):
        pytest.importorskip("pyarrow", reason="the extra `bulk` is not installed")
        ledger = chess_ledger(tables)
        with tempfile.TemporaryDirectory() as place:
            write_ledger(ledger, SMALL / "japan", Path(place) / "new", as_parquet=True)
            assert read_ledger(Path(place) / "new") == ledger

    @MANY
    @given(go_tables())
    def test_go(self, tables):
        ledger = GoLedger(read_ledger(SMALL / "go").pool, **tables)
        with tempfile.TemporaryDirectory() as place:
            write_ledger(ledger, SMALL / "go", Path(place) / "new")
            assert read_ledger(Path(place) / "new") == ledger

    @pytest.mark.parametrize("kind", KINDS)
    def test_the_bytes_come_to_rest(self, kind, tmp_path):
        """UTF-8 without a mark, LF; written again they are the same."""
        write_ledger(read_ledger(SMALL / kind), SMALL / kind, tmp_path / "one")
        write_ledger(read_ledger(tmp_path / "one"), tmp_path / "one", tmp_path / "two")
        for path in sorted((tmp_path / "one").iterdir()):
            data = path.read_bytes()
            assert data == (tmp_path / "two" / path.name).read_bytes()
            assert b"\r" not in data
            assert not data.startswith(b"\xef\xbb\xbf")

    def test_a_table_without_rows(self, tmp_path):
        """A file that every ledger has is written; an optional one only if there is something in it."""
        tables = {table.name: [] for table in CHESS}
        write_ledger(chess_ledger(tables), SMALL / "japan", tmp_path / "new")
        assert sorted(path.name for path in (tmp_path / "new").iterdir()) == [
            *("events.csv", "games.csv", "players.csv", "pool.toml")
        ]
        assert read_ledger(tmp_path / "new") == chess_ledger(tables)


class TestForms:
    """The same ledger in the forms that officers' programs give it."""

    @pytest.fixture
    def good(self):
        return read_ledger(SMALL / "japan")

    @pytest.mark.parametrize("kind", KINDS)
    def test_excel(self, ledger_folder, kind):
        """A mark at the beginning, CRLF, and a blank line at the end."""
        folder = ledger_folder(kind)
        for path in folder.iterdir():
            text = path.read_text("utf-8").replace("\n", "\r\n")
            path.write_bytes(f"\ufeff{text}\r\n".encode())
        assert read_ledger(folder) == read_ledger(SMALL / kind)

    def test_carriage_returns_alone_and_no_end(self, ledger_folder, good):
        folder = ledger_folder("japan")
        rewrite(folder, "games.csv", (folder / "games.csv").read_text("utf-8").rstrip().replace("\n", "\r"))
        assert read_ledger(folder) == good

    def test_every_cell_quoted(self, ledger_folder, good):
        folder = ledger_folder("japan")
        for path in folder.glob("*.csv"):
            rows = list(csv.reader(path.open(encoding="utf-8", newline="")))
            with path.open("w", encoding="utf-8", newline="") as stream:
                csv.writer(stream, quoting=csv.QUOTE_ALL).writerows(rows)
        assert read_ledger(folder) == good

    @pytest.mark.parametrize("kind", KINDS)
    def test_columns_in_another_order(self, ledger_folder, kind):
        folder = ledger_folder(kind)
        for path in folder.glob("*.csv"):
            rows = list(csv.reader(path.open(encoding="utf-8", newline="")))
            with path.open("w", encoding="utf-8", newline="") as stream:
                csv.writer(stream).writerows(row[::-1] for row in rows)
        assert read_ledger(folder) == read_ledger(SMALL / kind)

    @pytest.mark.parametrize(
        ("kind", "table"),
        [
            pytest.param(kind, table, id=f"{kind}-{table.name}")
            for kind in ("japan", "go")
            for table in schema_of(kind)
            if table.name != "adjustments"  # the small ledger has none; test_adjustment_table.py has
        ],
    )
    def test_a_missing_optional_column_is_a_blank_one(self, tmp_path, kind, table):
        with (SMALL / kind / f"{table.name}.csv").open(encoding="utf-8", newline="") as stream:
            rows = [{name: row[name] for name in table.required} for row in csv.DictReader(stream)]
        records, faults = [], []
        for columns in (sorted(table.required), list(table.columns)):
            path = tmp_path / f"{len(columns)}.csv"
            with path.open("w", encoding="utf-8", newline="") as stream:
                writer = csv.DictWriter(stream, columns)
                writer.writeheader()
                writer.writerows(rows)
            records.append(read_csv(path, table, faults).records)
        assert faults == []
        assert records[0] == records[1]
        assert records[0]

    @pytest.mark.parametrize("kind", KINDS)
    def test_optional_files_missing(self, ledger_folder, kind):
        folder = ledger_folder(kind)
        for table in schema_of(kind):
            if table.optional_file:
                (folder / f"{table.name}.csv").unlink(missing_ok=True)
        assert read_ledger(folder).standings == []

    def test_header_only(self, ledger_folder):
        folder = ledger_folder("japan")
        for file in ("standings.csv", "clubs.csv", "memberships.csv", "games.csv"):
            rewrite(folder, file, (folder / file).read_text("utf-8").partition("\n")[0])
        assert read_ledger(folder).games == {}

    def test_other_files_are_not_of_the_ledger(self, ledger_folder, good):
        folder = ledger_folder("japan")
        rewrite(folder, "lists.csv", b"\xff")
        (folder / ".games.csv.part").mkdir()
        assert read_ledger(folder) == good


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


class TestReplace:
    """All of the tables or none, and nothing left lying about."""

    def test_only_the_tables_that_are_given(self, ledger_folder):
        folder = ledger_folder("japan")
        before = contents(folder)
        games = [Game("E1", 1, "B", "A", "0-1")]
        replace_tables(folder, {"games": games}, CHESS)
        assert read_ledger(folder).games == {"E1": games}
        assert {name for name, data in contents(folder).items() if data != before[name]} == {"games.csv"}

    @pytest.mark.parametrize(
        "game",
        [
            Game("E1", 1, "A", "B", "1-0", played="no day"),
            Game("E1", 1, "A", "\udcff", "1-0"),
            None,
        ],
        ids=["no day", "no letter", "no game"],
    )
    def test_a_record_that_cannot_be_written(self, ledger_folder, game):
        folder = ledger_folder("japan")
        before = contents(folder)
        games = [Game("E1", 1, "B", "A", "0-1"), game]
        with pytest.raises((TypeError, AttributeError, UnicodeEncodeError)):
            replace_tables(folder, {"players": [Player("Z", "Z")], "games": games}, CHESS)
        assert contents(folder) == before

    def test_a_new_ledger_that_cannot_be_written(self, tmp_path):
        tables = {table.name: [] for table in CHESS} | {"players": [Player("\udcff", "x")]}
        with pytest.raises(UnicodeEncodeError):
            write_ledger(chess_ledger(tables), SMALL / "japan", tmp_path / "new")
        assert list(tmp_path.iterdir()) == []

    def test_a_ledger_is_not_written_over_another(self, ledger_folder):
        folder = ledger_folder("japan")
        before = contents(folder)
        with pytest.raises(FileExistsError):
            write_ledger(read_ledger(folder), folder, folder)
        assert contents(folder) == before

    def test_others_may_read_the_files(self, ledger_folder):
        folder = ledger_folder("japan")
        replace_tables(folder, {"games": []}, CHESS)
        assert oct((folder / "games.csv").stat().st_mode & 0o777) == "0o644"


TOKENS = [b"", b",", b'"', b"\n", b"\r", b"\0", b"\xff", b"\xef\xbb\xbf", b"9" * 20, b"-", b"[[", b"=", b"A"]


def read_or_refused(folder):
    """Nothing else may come out, and every fault can be said on one line."""
    try:
        read_ledger(folder)
    except RefusedError as error:
        faults = error.faults
    else:
        return
    assert 1 <= len(faults) <= 100
    lines = [fault_line(fault, lang) for fault in faults for lang in LANGUAGES]
    assert [line for line in lines if len(line.splitlines()) != 1] == []


class TestWhateverTheBytes:
    """A folder is read or refused, never anything else; every refusal can be said on one line each."""

    @settings(max_examples=examples(150), suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(data=st.data())
    def test_damaged(self, ledger_folder, tmp_path, data):
        kind = data.draw(st.sampled_from(KINDS))
        if not (tmp_path / kind).exists():
            ledger_folder(kind, kind)
        folder = tmp_path / kind
        path = data.draw(st.sampled_from(sorted(folder.iterdir())))
        good = path.read_bytes()
        at = data.draw(st.integers(0, len(good)))
        new = data.draw(st.sampled_from(TOKENS) | st.binary(max_size=8))
        path.write_bytes(good[:at] + new + good[at + data.draw(st.integers(0, 12)) :])
        read_or_refused(folder)
        path.write_bytes(good)

    @pytest.mark.slow
    @pytest.mark.parametrize("kind", KINDS)
    def test_damaged_parquet(self, ledger_folder, kind):
        folder = ledger_folder(kind)
        rows = list(csv.DictReader((folder / "players.csv").open(encoding="utf-8", newline="")))
        parquet.write_table(pa.Table.from_pylist(rows), folder / "players.parquet")
        (folder / "players.csv").unlink()
        good = (folder / "players.parquet").read_bytes()
        for at in range(0, len(good), 7):
            rewrite(folder, "players.parquet", good[:at] + b"\xff" + good[at + 1 :])
            read_or_refused(folder)
