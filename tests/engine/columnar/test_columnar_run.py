"""The columnar engine writes the files of the readable one, byte for byte, whatever the ledger."""

from __future__ import annotations

import random
import re
import tempfile
from pathlib import Path

import pytest
from engine.test_properties import BOOKS, EVENTS, FEW, PLAYERS, SEEDS, Ledger, ledger_of, write
from hypothesis import given
from hypothesis import strategies as st

from banzuke.core.fault import RefusedError
from banzuke.engine.columnar.columnar_run import rate_columnar, read
from banzuke.engine.history import UnknownListError, list_names
from banzuke.engine.rating_run import rate_ledger
from banzuke.ledger.folder import GoLedger, read_ledger

PROJECT = Path(__file__).parents[3]
EXAMPLES = sorted(path.parent for path in (PROJECT / "examples").glob("*/pool.toml"))
SMALL = sorted(path.parent for path in (PROJECT / "tests" / "ledger" / "small").glob("*/pool.toml"))

SETTINGS = {
    "ncs-2022": (
        "rate_against_unrated",
        "k_shared",
        "undeclared_by_time",
        "unrated_games_fill_first",
        "fee_required",
    ),
    "fide-2024": ("cap_always",),
}


def files_of(rate, until: str | None, **said) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "out"
        summary = rate(out, until, **said)
        files = {path.name: path.read_bytes() for path in sorted(out.iterdir())}
        return files | {"summary": repr((summary, list(summary.verdicts))).encode()}


def both(folder: Path, until: str | None = None, **said) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """What the readable engine makes of a folder, and the columnar one."""
    readable = files_of(lambda *at, **how: rate_ledger(read_ledger(folder), *at, **how), until, **said)
    columnar = files_of(lambda *at, **how: rate_columnar(read(folder), *at, **how), until, **said)
    return readable, columnar


def with_settings(ledger: Ledger, rng: random.Random) -> Ledger:
    """The pool with some of its book's settings turned."""

    def turned(edition: re.Match[str]) -> str:
        names = SETTINGS.get(edition[1], ())
        lines = [f"{name} = {rng.choice(('true', 'false'))}" for name in names if rng.random() < 0.5]
        if edition[1] == "hakodate":
            lines = [f"unrated_opponent = {rng.choice((800, 1500, 2100))}"]
        return "\n".join([edition[0], "[edition.settings]", *lines, ""]) if lines else edition[0]

    return ledger._replace(pool=re.sub(r'rulebook = "([\w-]+)"\nfrom = \S+\n?', turned, ledger.pool))


@pytest.mark.parametrize("book", BOOKS)
@FEW
@given(seed=SEEDS, players=PLAYERS, events=EVENTS, as_parquet=st.booleans())
def test_random_ledgers(book, seed, players, events, as_parquet):
    ledger = with_settings(ledger_of(book, seed, players, events), random.Random(seed))
    with tempfile.TemporaryDirectory() as place:
        readable, columnar = both(write(ledger, Path(place) / "ledger"), as_parquet=as_parquet)
    assert columnar == readable


@pytest.mark.parametrize("folder", [*EXAMPLES, *SMALL], ids=lambda path: f"{path.parent.name}-{path.name}")
@pytest.mark.parametrize("as_parquet", [False, True])
def test_the_examples(folder, as_parquet):
    readable, columnar = both(folder, as_parquet=as_parquet)
    assert columnar == readable


@pytest.mark.parametrize("name", ["club", "club-opening", "go", "japan", "japan-corrected", "japan-settings"])
def test_the_cases(shared, name):
    folder = shared / "cases" / name
    readable, columnar = both(folder)
    assert columnar == readable


@pytest.mark.parametrize("book", ["japan", "hakodate", "fide", "go"])
@FEW
@given(seed=SEEDS, players=PLAYERS, events=st.integers(2, 12), cut=st.randoms())
def test_until_a_list(book, seed, players, events, cut):
    with tempfile.TemporaryDirectory() as place:
        folder = write(ledger_of(book, seed, players, events), Path(place) / "ledger")
        ledger = read_ledger(folder)
        if isinstance(ledger, GoLedger):
            names = [game.ended.isoformat() for game in ledger.games]
        else:
            names = list_names(ledger, None)
        until = cut.choice(names) if names else None
        readable, columnar = both(folder, until)
    assert columnar == readable


def test_an_unknown_list_writes_nothing(tmp_path):
    folder = PROJECT / "examples" / "japan"
    with pytest.raises(UnknownListError):
        rate_columnar(read(folder), tmp_path / "out", "never")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["none", "file", "file/within", "x" * 300, "\0"])
def test_no_folder_is_refused_in_the_same_words(tmp_path, name):
    (tmp_path / "file").touch()
    found = []
    for way in (read, read_ledger):
        with pytest.raises(RefusedError) as refused:
            way(tmp_path / name)
        found.append(refused.value.faults)
    assert found[0] == found[1]


def test_what_is_interrupted_leaves_nothing(tmp_path):
    def interrupted(done: int, _all: int, _what: str) -> None:
        if done == 2:
            raise KeyboardInterrupt

    out = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        rate_columnar(read(PROJECT / "examples" / "japan"), out, progress=interrupted)
    assert list(tmp_path.iterdir()) == []
