"""A Go pool rated over columns: the readable engine's files, byte for byte, for every ledger."""

from __future__ import annotations

import random
import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from engine.test_properties import LEDGER, PROJECT, go_ledger, write
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples

from banzuke.core.go_facts import RANK_NAMES
from banzuke.engine.columnar import columnar_run
from banzuke.engine.columnar.go_reader import columns_of, read_go
from banzuke.engine.history import UnknownListError
from banzuke.engine.rating_run import rate_ledger
from banzuke.ledger.folder import read_go_ledger, write_ledger


def reference(folder, until=None, *, as_parquet=False):
    """The files of the readable engine by name, and its summary."""
    with tempfile.TemporaryDirectory() as out:
        summary = rate_ledger(read_go_ledger(folder), Path(out), until, as_parquet=as_parquet)
        return files(Path(out)), summary, list(summary.verdicts)


def columnar(columns, until=None, *, as_parquet=False):
    with tempfile.TemporaryDirectory() as out:
        summary = columnar_run.rate_columnar(columns, Path(out), until, as_parquet=as_parquet)
        return files(Path(out)), summary, list(summary.verdicts)


def files(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def zone_toml(rng):
    """A border-zone table of some server."""
    width = rng.randrange(50, 500)
    slack = rng.randrange(1, width)
    start = rng.randrange(1, width)
    return "".join(
        f'[[rank]]\nrank = "{name}"\n' + (f"up = {(half + 1) * width}\n" if half < len(RANK_NAMES) - 1 else "")
        + f"down = {half * width - slack}\nstart = {half * width + start}\n"
        for half, name in enumerate(RANK_NAMES)
    )  # fmt: skip


def in_other_words(moment, rng):
    """The same moment as another program writes it."""
    at = datetime.fromisoformat(moment)
    return rng.choice(
        (
            moment,
            moment,
            at.astimezone(UTC).isoformat().replace("+00:00", "Z"),
            at.isoformat(" ", "milliseconds"),
        )
    )


def server(folder, seed, players, games, *, editions=1):
    """A random pool with professionals, moments of many forms, and editions of their own zones."""
    rng = random.Random(seed)
    ledger = go_ledger(seed, players, games)
    opened = {row["player_id"] for row in ledger.tables["standings"]}
    people = [
        row | {"professional": "1", "declared": rng.choice(("3p", "5k", "BC"))}
        if rng.random() < 0.1 and row["player_id"] not in opened
        else row
        for row in ledger.tables["players"]
    ]
    tables = {
        name: [{**row, column: in_other_words(row[column], rng)} for row in ledger.tables[name]]
        for name, column in (("games", "ended"), ("declarations", "at"))
    }
    for rows in (people, *tables.values()):
        rng.shuffle(rows)
    pool = ledger.pool
    for number in range(1, editions):
        day = f"2025-01-{4 * number + rng.randrange(4):02}"
        pool += f'[[edition]]\nrulebook = "pandanet"\nfrom = {day}\nborder_zone = "lines{number}.toml"\n'
    write(ledger._replace(pool=pool).with_tables(players=people, **tables), folder)
    for number in range(1, editions):
        (folder / f"lines{number}.toml").write_text(zone_toml(rng), encoding="utf-8")
    return folder


SERVER = {**LEDGER, "editions": st.integers(1, 3)}


@given(**SERVER)
@settings(max_examples=examples(150))
def test_a_random_server(seed, players, events, editions):
    with tempfile.TemporaryDirectory() as folder:
        server(Path(folder) / "ledger", seed, players, 20 * events, editions=editions)
        expected = reference(Path(folder) / "ledger")
        assert columnar(read_go(Path(folder) / "ledger")) == expected
        assert columnar(columns_of(read_go_ledger(Path(folder) / "ledger"))) == expected


@given(**SERVER, cut=st.floats(0, 1))
@settings(max_examples=examples(40))
def test_until_a_moment(seed, players, events, editions, cut):
    with tempfile.TemporaryDirectory() as name:
        folder = server(Path(name) / "ledger", seed, players, 10 * events, editions=editions)
        ledger = read_go_ledger(folder)
        moments = sorted([game.ended for game in ledger.games] + [row.at for row in ledger.declarations])
        until = moments[int(cut * (len(moments) - 1))].isoformat() if moments else "2025-01-03T00:00:00Z"
        assert columnar(read_go(folder), until) == reference(folder, until)


@given(**SERVER, size=st.integers(1, 30))
@settings(max_examples=examples(40))
def test_in_stretches_of_any_size(seed, players, events, editions, size):
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        folder = server(Path(name) / "ledger", seed, players, 10 * events, editions=editions)
        patch.setattr(columnar_run, "STRETCH", size)
        assert columnar(read_go(folder)) == reference(folder)


@given(**LEDGER)
@settings(max_examples=examples(15))
def test_parquet_in_and_out(seed, players, events):
    with tempfile.TemporaryDirectory() as name:
        folder = server(Path(name) / "ledger", seed, players, 10 * events)
        again = Path(name) / "again"
        write_ledger(read_go_ledger(folder), folder, again, as_parquet=True)
        expected = reference(folder, as_parquet=True)
        assert columnar(read_go(folder), as_parquet=True) == expected
        assert columnar(read_go(again), as_parquet=True) == expected


def check(folder):
    expected = reference(folder)
    assert columnar(read_go(folder)) == expected
    assert columnar(columns_of(read_go_ledger(folder))) == expected


def test_the_example():
    check(PROJECT / "examples" / "go-server")


def test_a_small_ledger(ledger_folder):
    check(ledger_folder("go"))


def test_the_shared_case(shared):
    check(shared / "cases" / "go")


def test_names_that_need_quotes(tmp_path, ledger_folder):
    folder = shutil.copytree(PROJECT / "examples" / "go-server", tmp_path / "go")
    for path in folder.glob("*.csv"):
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("tetsubin", '"鉄瓶, ""T"""').replace("G0003", '"G,3"'), encoding="utf-8")
    check(folder)
    assert b'"G,3","\xe9\x89\x84' in columnar(read_go(folder))[0]["changes.csv"]


def test_another_until_is_refused(tmp_path):
    with pytest.raises(UnknownListError):
        columnar_run.rate_columnar(read_go(PROJECT / "examples" / "go-server"), tmp_path, "yesterday")


def test_progress_goes_from_nothing_to_all(tmp_path, monkeypatch):
    monkeypatch.setattr(columnar_run, "STRETCH", 100)
    told = []
    columns = read_go(PROJECT / "examples" / "go-server")
    columnar_run.rate_columnar(columns, tmp_path, progress=lambda *facts: told.append(facts))
    assert [facts[:2] for facts in told] == [
        (0, 405),
        (100, 405),
        (200, 405),
        (300, 405),
        (400, 405),
        (405, 405),
    ]
    assert told[0][2] == "G0001"
    assert told[-1][2] == ""
