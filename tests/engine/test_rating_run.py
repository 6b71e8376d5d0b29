"""A run writes the contract's files: whole, or not at all."""

from __future__ import annotations

import csv
import os
import runpy
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from banzuke.core.fault import RefusedError
from banzuke.engine import rating_run, result_rows
from banzuke.engine.history import UnknownListError, list_names
from banzuke.engine.rating_run import rate_ledger
from banzuke.ledger.folder import read_ledger, records_of, replace_tables
from banzuke.ledger.safe_writing import uninterrupted
from banzuke.ledger.schema import CHESS, GO

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ("us-championship-2025", "japan", "hakodate", "go-server")
EVERY = pytest.mark.parametrize("name", EXAMPLES)

#: The command in a process of its own that hears Ctrl-C even where the tests run in the background.
COMMAND = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from banzuke.cli.app import main; main()"
)


@cache
def example(name):
    return read_ledger(ROOT / "examples" / name)


def contents(folder):
    """Everything that lies in a folder, hidden files too."""
    return {path.name: path.read_bytes() if path.is_file() else None for path in folder.iterdir()}


class TestFiles:
    @EVERY
    def test_are_those_of_the_contract(self, name, tmp_path):
        summary = rate_ledger(example(name), tmp_path / "out")
        names = {"standings.csv", "changes.csv"} if name == "go-server" else {"lists.csv", "changes.csv"}
        assert {path.name for path in tmp_path.iterdir()} == {"out"}
        assert set(contents(tmp_path / "out")) == names
        with (tmp_path / "out" / "changes.csv").open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
        assert (summary.lines, summary.verdicts) == (len(rows), Counter(row["verdict"] for row in rows))
        assert summary.lists == ([] if name == "go-server" else list_names(example(name), None))

    @EVERY
    def test_are_plain_utf8_with_unix_lines_and_few_quotes(self, name, tmp_path):
        rate_ledger(example(name), tmp_path / "out")
        for data in contents(tmp_path / "out").values():
            assert not data.startswith(b"\xef\xbb\xbf")
            assert data.endswith(b"\n")
            assert b"\r" not in data
            assert b'"' not in data
            assert data.decode("utf-8")

    @EVERY
    def test_are_the_same_bytes_each_time(self, name, tmp_path):
        for out in ("one", "two"):
            rate_ledger(read_ledger(ROOT / "examples" / name), tmp_path / out)
        assert contents(tmp_path / "one") == contents(tmp_path / "two")

    def test_have_their_columns(self, tmp_path):
        rate_ledger(example("japan"), tmp_path / "out")
        rate_ledger(example("go-server"), tmp_path / "go")
        heads = {
            ("out", "lists.csv"): result_rows.LISTS,
            ("out", "changes.csv"): result_rows.CHANGES,
            ("go", "standings.csv"): result_rows.GO_STANDINGS,
            ("go", "changes.csv"): result_rows.GO_CHANGES,
        }
        for (folder, file), columns in heads.items():
            assert (tmp_path / folder / file).read_text("utf-8").splitlines()[0] == ",".join(columns)

    def test_can_be_read_by_others(self, tmp_path):
        """The folder is not left as private as a temporary one."""
        rate_ledger(example("hakodate"), tmp_path / "out")
        assert (tmp_path / "out").stat().st_mode & 0o777 == 0o755

    def test_ids_with_commas_and_quotes_are_quoted(self, tmp_path):
        ledger = example("hakodate")
        names = {p.player_id: f'{p.player_id},"x"' for p in ledger.players}
        changed = replace(
            ledger,
            players=[p._replace(player_id=names[p.player_id]) for p in ledger.players],
            games={
                event: [g._replace(white=names[g.white], black=names[g.black]) for g in of]
                for event, of in ledger.games.items()
            },
            standings=[s._replace(player_id=names[s.player_id]) for s in ledger.standings],
        )
        rate_ledger(changed, tmp_path / "out")
        with (tmp_path / "out" / "lists.csv").open(encoding="utf-8", newline="") as stream:
            found = [row["player_id"] for row in csv.DictReader(stream)]
        assert set(found) == set(names.values())
        parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet needs the extra `bulk`")
        rate_ledger(changed, tmp_path / "parquet", as_parquet=True)
        table = parquet.read_table(tmp_path / "parquet" / "lists.parquet")
        assert table.column("player_id").to_pylist() == found


class TestUntil:
    def test_a_list(self, tmp_path):
        assert rate_ledger(example("japan"), tmp_path / "out", "2024-08").lists == [
            "2024-06",
            "2024-07",
            "2024-08",
        ]

    def test_before_the_first_list_there_is_none(self, tmp_path):
        summary = rate_ledger(example("japan"), tmp_path / "out", "2020-01")
        assert (summary.lists, summary.lines) == ([], 0)
        assert (tmp_path / "out" / "lists.csv").read_text("utf-8") == ",".join(result_rows.LISTS) + "\n"

    def test_far_away_months_without_reports_make_lists_too(self, tmp_path):
        summary = rate_ledger(example("us-championship-2025"), tmp_path / "out", "2199-12")
        assert (summary.lists[0], summary.lists[-1], len(summary.lists)) == ("2025-11", "2199-12", 2090)

    @pytest.mark.parametrize(
        ("name", "until"),
        [
            ("japan", "2025"),
            ("japan", "2200-01"),
            ("japan", "2025-13"),
            ("japan", ""),
            ("hakodate", "2025-06"),
            ("go-server", "2026-01-31"),
            ("go-server", "2026-01-31T12:00:00"),
        ],
    )
    def test_none_of_the_ledgers(self, name, until, tmp_path):
        with pytest.raises(UnknownListError):
            rate_ledger(example(name), tmp_path / "out", until)
        assert contents(tmp_path) == {}

    def test_an_event_of_a_club(self, tmp_path):
        names = list_names(example("hakodate"), None)
        assert rate_ledger(example("hakodate"), tmp_path / "out", names[2]).lists == names[:3]

    def test_a_moment_of_a_server(self, tmp_path):
        summary = rate_ledger(example("go-server"), tmp_path / "out", "2026-01-01T11:42:43+09:00")
        assert summary.lines == 4


class TestOut:
    def test_folders_above_it_are_made(self, tmp_path):
        rate_ledger(example("hakodate"), tmp_path / "a" / "日本 語" / "out")
        assert len(contents(tmp_path / "a" / "日本 語" / "out")) == 2

    def test_other_files_of_an_existing_folder_stay(self, tmp_path):
        (tmp_path / "lists.csv").write_text("old", "utf-8")
        (tmp_path / "mine.txt").write_text("mine", "utf-8")
        rate_ledger(example("hakodate"), tmp_path)
        found = contents(tmp_path)
        assert set(found) == {"lists.csv", "changes.csv", "mine.txt"}
        assert found["mine.txt"] == b"mine"
        assert found["lists.csv"].startswith(b"list,speed,player_id")

    def test_inside_the_ledger(self, tmp_path):
        ledger = tmp_path / "ledger"
        source = ROOT / "examples" / "hakodate"
        ledger.mkdir()
        for path in source.iterdir():
            (ledger / path.name).write_bytes(path.read_bytes())
        rate_ledger(read_ledger(ledger), ledger / "lists")
        assert len(contents(ledger / "lists")) == 2
        assert read_ledger(ledger) == example("hakodate")

    @EVERY
    def test_a_ledger_is_refused(self, name, tmp_path):
        """A Go pool's standings.csv would be lost."""
        (tmp_path / "pool.toml").write_text("", "utf-8")
        with pytest.raises(RefusedError) as found:
            rate_ledger(example(name), tmp_path)
        assert [(fault.file, fault.code) for fault in found.value.faults] == [
            (str(tmp_path), "rate-into-ledger")
        ]
        assert set(contents(tmp_path)) == {"pool.toml"}

    def test_a_file_is_refused_before_any_work(self, tmp_path, monkeypatch):
        monkeypatch.setattr(rating_run, "_rate_chess", None)
        (tmp_path / "out").write_text("mine", "utf-8")
        with pytest.raises(NotADirectoryError):
            rate_ledger(example("hakodate"), tmp_path / "out")
        with pytest.raises(FileExistsError):
            rate_ledger(example("hakodate"), tmp_path / "out" / "below")
        assert contents(tmp_path) == {"out": b"mine"}

    @pytest.mark.parametrize("blocked", ["lists.csv", "changes.csv"])
    def test_a_folder_in_the_place_of_a_file(self, blocked, tmp_path):
        (tmp_path / blocked).mkdir()
        with pytest.raises(IsADirectoryError):
            rate_ledger(example("hakodate"), tmp_path)
        assert contents(tmp_path) == {blocked: None}

    @pytest.mark.parametrize("leads_to", ["lists.csv", "nowhere/lists.csv", "/proc/lists.csv"])
    def test_a_link_that_no_file_can_replace(self, leads_to, tmp_path):
        (tmp_path / "changes.csv").write_text("old", "utf-8")
        (tmp_path / "lists.csv").symlink_to(leads_to)
        with pytest.raises(OSError, match=r"lists\.csv|nowhere"):
            rate_ledger(example("hakodate"), tmp_path)
        assert sorted(path.name for path in tmp_path.iterdir()) == ["changes.csv", "lists.csv"]
        assert (tmp_path / "changes.csv").read_text("utf-8") == "old"

    def test_a_link_to_a_file(self, tmp_path):
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "lists.csv").symlink_to(tmp_path / "there.csv")
        rate_ledger(example("hakodate"), tmp_path / "out")
        assert (tmp_path / "there.csv").read_text("utf-8").startswith("list,")
        assert (tmp_path / "out" / "lists.csv").is_symlink()

    def test_a_link_to_a_folder(self, tmp_path):
        (tmp_path / "there").mkdir()
        (tmp_path / "link").symlink_to(tmp_path / "there")
        rate_ledger(example("hakodate"), tmp_path / "link")
        assert set(contents(tmp_path / "there")) == {"lists.csv", "changes.csv"}

    def test_the_files_are_staged_on_the_file_system_of_the_folder(self, tmp_path):
        """A folder that is mounted can be written although the one above it cannot."""
        seen = []

        def progress(*_):
            seen.extend(path.parent for path in tmp_path.rglob("*.part"))

        (tmp_path / "out").mkdir()
        rate_ledger(example("hakodate"), tmp_path / "out", progress=progress)
        assert set(seen) == {tmp_path / "out"}


class TestFailure:
    """Whatever happens in mid-run: the old files stay, and nothing half written."""

    @pytest.mark.parametrize(
        "error", [KeyboardInterrupt, MemoryError, OSError(28, "No space left on device")]
    )
    @pytest.mark.parametrize("name", ["japan", "go-server"])
    @pytest.mark.parametrize("is_there", [True, False])
    def test_in_mid_run(self, name, error, is_there, tmp_path):
        out = tmp_path / "out"
        if is_there:
            out.mkdir()
            (out / "changes.csv").write_text("old", "utf-8")

        def progress(done, *_):
            if done:
                raise error

        with pytest.raises((KeyboardInterrupt, MemoryError, OSError)):
            rate_ledger(example(name), out, progress=progress)
        if is_there:
            assert contents(out) == {"changes.csv": b"old"}
        else:
            assert contents(tmp_path) == {}

    def test_while_parquet_is_made(self, tmp_path, monkeypatch):
        def fail(*_):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("banzuke.engine.columnar.result_files.convert", fail)
        with pytest.raises(OSError, match="No space left"):
            rate_ledger(example("japan"), tmp_path / "out", as_parquet=True)
        assert contents(tmp_path) == {}

    def test_progress_is_told_between_lists(self, tmp_path):
        told = []
        rate_ledger(example("hakodate"), tmp_path / "out", progress=lambda *step: told.append(step))
        names = list_names(example("hakodate"), None)
        assert told == [
            *((n, len(names), name) for n, name in enumerate(names)),
            (len(names), len(names), ""),
        ]


@pytest.fixture(scope="module")
def big(tmp_path_factory):
    """A made-up ledger on disk; with lists up to 2199 it takes many seconds to rate."""
    pools = runpy.run_path(str(ROOT / "bench" / "synthetic_pools.py"))
    ledger = pools["chess_pool"]("jcf-2024", 5_000, 2_000, 6)
    folder = tmp_path_factory.mktemp("big")
    (folder / "pool.toml").write_text(
        'name = "Big"\n[[edition]]\nrulebook = "jcf-2024"\nfrom = 2022-09-01\n', "utf-8"
    )
    replace_tables(folder, {table.name: records_of(ledger, table) for table in CHESS}, CHESS)
    return folder


class TestInterrupt:
    @pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
    def test_waits_for_what_must_not_be_interrupted(self, sign):
        seen = []
        with pytest.raises(KeyboardInterrupt), uninterrupted():  # noqa: PT012 - what comes after is the test
            os.kill(os.getpid(), sign)
            time.sleep(0.01)
            seen.append("went on")
        assert seen == ["went on"]

    def test_an_error_meanwhile_comes_first(self):
        with pytest.raises(ValueError, match="broken"), uninterrupted():  # noqa: PT012 - both are the test
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)
            raise ValueError("broken")

    def test_nothing_is_changed_where_nobody_interrupts(self):
        before = signal.getsignal(signal.SIGINT)
        with uninterrupted():
            assert signal.getsignal(signal.SIGINT) is not before
        assert signal.getsignal(signal.SIGINT) is before

    def test_in_another_thread_there_is_nothing_to_do(self):
        import threading

        before, seen = signal.getsignal(signal.SIGINT), []

        def work():
            with uninterrupted():
                seen.append(signal.getsignal(signal.SIGINT))

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        assert seen == [before]

    @pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
    @pytest.mark.parametrize("is_there", [pytest.param(True, marks=pytest.mark.slow), False])
    def test_leaves_nothing_half_written(self, big, is_there, sign, tmp_path):
        out = tmp_path / "out"
        if is_there:
            out.mkdir()
            (out / "changes.csv").write_text("old", "utf-8")
        arguments = ["rate", str(big), "--out", str(out), "--until", "2199-12", "--lang", "en"]
        process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        deadline = time.monotonic() + 60
        while not any(path.stat().st_size for path in tmp_path.rglob(".banzuke.*.part/lists.csv")):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.send_signal(sign)
        said, complained = process.communicate(timeout=60)
        assert (process.returncode, said) == (130, "")
        assert complained == "Interrupted. Nothing was left half written.\n"
        if is_there:
            assert contents(out) == {"changes.csv": b"old"}
        else:
            assert contents(tmp_path) == {}


class TestParquet:
    @pytest.fixture(autouse=True)
    def arrow(self):
        pytest.importorskip("pyarrow", reason="Parquet needs the extra `bulk`")

    @EVERY
    def test_has_the_same_cells(self, name, tmp_path):
        from pyarrow import parquet

        rate_ledger(example(name), tmp_path / "csv")
        rate_ledger(example(name), tmp_path / "parquet", as_parquet=True)
        files = sorted(path.stem for path in (tmp_path / "csv").iterdir())
        assert sorted(contents(tmp_path / "parquet")) == [f"{file}.parquet" for file in files]
        for file in files:
            with (tmp_path / "csv" / f"{file}.csv").open(encoding="utf-8", newline="") as stream:
                header, *rows = csv.reader(stream)
            table = parquet.read_table(tmp_path / "parquet" / f"{file}.parquet")
            assert table.column_names == header
            cells = [
                ["" if cell is None else str(cell) for cell in column.to_pylist()] for column in table.columns
            ]
            assert [list(row) for row in zip(*cells, strict=True)] == rows

    @EVERY
    def test_has_whole_numbers_as_int64_and_all_else_as_text(self, name, tmp_path):
        from pyarrow import int64, parquet, string

        rate_ledger(example(name), tmp_path / "out", as_parquet=True)
        numbers = result_rows.GO_NUMBERS if name == "go-server" else result_rows.CHESS_NUMBERS
        for file, whole in numbers.items():
            schema = parquet.read_schema((tmp_path / "out" / file).with_suffix(".parquet"))
            assert {column.name: column.type for column in schema} == {
                column.name: int64() if column.name in whole else string() for column in schema
            }

    def test_of_a_pool_without_events(self, tmp_path):
        from pyarrow import parquet

        rate_ledger(example("japan"), tmp_path / "out", "2020-01", as_parquet=True)
        table = parquet.read_table(tmp_path / "out" / "lists.parquet")
        assert (table.num_rows, tuple(table.column_names)) == (0, result_rows.LISTS)

    def test_ids_that_look_like_numbers_stay_text(self, tmp_path):
        from pyarrow import parquet

        rate_ledger(example("us-championship-2025"), tmp_path / "out", as_parquet=True)
        table = parquet.read_table(tmp_path / "out" / "lists.parquet")
        assert table.column("player_id")[0].as_py() == "1126881"

    def test_of_a_ledger_in_parquet_the_run_is_the_same(self, tmp_path):
        """Every table of the Go example turned into Parquet by another program."""
        import pyarrow as pa
        from pyarrow import parquet

        source = ROOT / "examples" / "go-server"
        folder = tmp_path / "ledger"
        folder.mkdir()
        (folder / "pool.toml").write_bytes((source / "pool.toml").read_bytes())
        for table in GO:
            path = source / f"{table.name}.csv"
            if path.exists():
                with path.open(encoding="utf-8", newline="") as stream:
                    header, *rows = csv.reader(stream)
                columns = list(zip(*rows, strict=True))
                arrays = dict(zip(header, (pa.array(column) for column in columns), strict=True))
                parquet.write_table(pa.table(arrays), folder / f"{table.name}.parquet")
        rate_ledger(read_ledger(folder), tmp_path / "one")
        rate_ledger(example("go-server"), tmp_path / "two")
        assert contents(tmp_path / "one") == contents(tmp_path / "two")
