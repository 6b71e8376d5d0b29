"""Reforms: their files, who may bring them into force, and the book that they make."""

from __future__ import annotations

import csv
import io
import tempfile
import time
from dataclasses import replace
from datetime import date
from importlib import import_module
from pathlib import Path

import pytest
from broken_ledgers import change, refused, rewrite
from engine.test_properties import BOOKS, EVENTS, FEW, PLAYERS, SEEDS, ledger_of, read
from hypothesis import given

from banzuke.core.derived_books import reform_book
from banzuke.core.registry import BOOKS as INSTALLED
from banzuke.core.registry import BookError
from banzuke.engine.rating_run import rate_ledger
from banzuke.ledger import pool_rules
from banzuke.ledger.folder import read_ledger, write_ledger
from banzuke.ledger.reforms import PoolAdjustment, Signatures, read_reform, signed_text
from banzuke.ledger.toml_files import parse_toml
from banzuke.words import fault_line

EXAMPLES = Path(__file__).parents[2] / "examples"
SIGNED = '[signed]\nby = ["Sato", "Suzuki"]\non = 2024-09-01\n'
K32 = 'name = "K 32 for new players"\nfrom = 2024-10-01\n[set]\n"jcf.k_new" = 32\n'
COMPRESSION = """name = "Compression"
from = 2026-04-01
[adjustment]
points = "1000:1400 2000:2000"
speed = "standard"
list = "2026-04"
"""


def parsed(text):
    """The reform, and the lines of its faults."""
    faults = []
    reform = read_reform(text.encode(), faults, "k32.toml")
    return reform, [fault_line(fault, "en") for fault in faults]


class TestFile:
    @pytest.mark.parametrize("key", ['"jcf.k_new"', '"jcf.k.new"', "jcf.k_new", "jcf.k.new", '"JCF.k_new"'])
    def test_good(self, key):
        reform, lines = parsed(K32.replace('"jcf.k_new"', key) + SIGNED)
        assert lines == []
        assert (reform.source, reform.name, reform.start) == (
            "k32.toml", "K 32 for new players", date(2024, 10, 1),
        )  # fmt: skip
        assert reform.changes_of(INSTALLED["jcf-2024"]) == {"k_new": 32}
        assert reform.changes_of(INSTALLED["ncs-2022"]) == {}
        assert reform.signed == Signatures(("Sato", "Suzuki"), date(2024, 9, 1))

    def test_a_row_of_numbers(self):
        row = [list(each) for each in INSTALLED["pandanet"].parameters.row("multipliers")]
        reform, lines = parsed(K32.replace('"jcf.k_new" = 32', f'"pn.multipliers" = {row}'))
        assert (lines, reform.changes_of(INSTALLED["pandanet"])) == ([], {"multipliers": row})

    @pytest.mark.parametrize(
        ("old", "new", "line"),
        [
            ('"K 32 for new players"', '" "', "k32.toml: name: The reform has no name"),
            ("2024-10-01", '"soon"', "k32.toml: from: 'soon' is not a day"),
            ("2024-10-01", "9999-12-31", "k32.toml: from: '9999-12-31' is not in the years 1850 to 2199"),
            ("= 32", "= 30_000_000", "k32.toml: set: jcf.k_new: '30000000' cannot stand for this number"),
            (
                '"jcf.k_new" = 32',
                "jcf.window_closes = 29",
                "k32.toml: set: jcf.window_closes: '29' cannot stand",
            ),
            ("= 32", '= 32\n"jcf.k.new" = 33', "k32.toml: set: jcf.k.new: This number is set twice"),
            ('"jcf.k_new" = 32', "", "k32.toml: set: The reform changes nothing"),
            ("[set]", "[sets]", "k32.toml: sets: There is no such key here"),
            ("jcf.k_new", "k_new", "k32.toml: set: k_new: No rule book has this prefix; begin with one of: "),
            ("k_new", "k_newer", "k32.toml: set: jcf.k_newer: The book has no such number; correct it"),
            (
                "= 32",
                "= -1",
                "k32.toml: set: jcf.k_new: '-1' cannot stand for this number, which is 40 today",
            ),
            ("= 32", "= true", "k32.toml: set: jcf.k_new: 'true' cannot stand for this number"),
            ("= 32", "= 0.5", "k32.toml: set: jcf.k_new: '0.5' cannot stand for this number"),
            ("= 32", "= [32]", "k32.toml: set: jcf.k_new: '[...]' cannot stand for this number"),
        ],
    )
    def test_faults(self, old, new, line):
        reform, lines = parsed(K32.replace(old, new))
        assert reform is None
        assert lines[0].startswith(line)

    def test_an_adjustment_instead_of_numbers_or_beside_them(self):
        plain, lines = parsed(COMPRESSION)
        assert (lines, plain.changes) == ([], {})
        assert plain.adjustment == PoolAdjustment("1000:1400 2000:2000", "standard", "2026-04")
        both, lines = parsed(K32 + '[adjustment]\npoints = "1000:1400 2000:2000"\n')
        assert (lines, both.changes) == ([], {("jcf", "k_new"): 32})
        assert both.adjustment == PoolAdjustment("1000:1400 2000:2000")

    @pytest.mark.parametrize(
        ("old", "new", "line"),
        [
            (
                "points",
                "map",
                "k32.toml: adjustment: points: The adjustment has no map of ratings; write one",
            ),
            ('"standard"', "7", "k32.toml: adjustment: speed: '7' is no text; write it in quotes"),
            ("speed", "pace", "k32.toml: adjustment: pace: There is no such key here"),
            (" 2000:2000", "", "k32.toml: adjustment: points: '1000:1400' is no map of ratings"),
            ("2000:2000", "2000:2100", "k32.toml: adjustment: points: 2000:2100 is the last node"),
            (
                "[adjustment]",
                "[set.adjustment]",
                "k32.toml: set: adjustment.points: No rule book has this prefix",
            ),
        ],
    )
    def test_faults_of_an_adjustment(self, old, new, line):
        reform, lines = parsed(COMPRESSION.replace(old, new))
        assert reform is None
        assert lines[0].startswith(line)

    def test_the_signed_file_is_read_as_it_was_written(self):
        signed = Signatures(("Sato", "Suzuki"), date(2024, 9, 1))
        reform, _ = parsed(K32)
        text = signed_text(reform.name, reform.start, {"jcf.k_new": 32}, signed)
        assert parsed(text) == (replace(reform, signed=signed), [])

    @pytest.mark.parametrize(
        "signed",
        [
            'by = ["Sato"]\non = 2024-09-01',
            'by = ["Sato", "Sato "]\non = 2024-09-01',
            'by = ["Sato", ""]\non = 2024-09-01',
            'by = ["Sato", 7]\non = 2024-09-01',
            'by = "Sato, Suzuki"\non = 2024-09-01',
            'by = ["Sato", "Suzuki"]',
            'by = ["Sato", "Suzuki"]\non = "soon"',
            'by = ["Sato", "Suzuki"]\non = 2024-09-01\nat = "Tokyo"',
        ],
    )
    def test_signatures_that_are_not_whole(self, signed):
        reform, lines = parsed(f"{K32}[signed]\n{signed}\n")
        assert reform is None
        assert lines[0].startswith("k32.toml: signed: The signatures are not whole")


class TestInPoolToml:
    """k32.toml, named by the JCF edition of a small ledger."""

    @pytest.fixture
    def folder(self, ledger_folder):
        folder = ledger_folder("japan")
        change(folder, "pool.toml", "2024-10-01", '2024-10-01\nreform = "k32.toml"')
        return folder

    def test_signed_by_two(self, folder, tmp_path):
        rewrite(folder, "k32.toml", K32 + SIGNED)
        ledger = read_ledger(folder)
        earlier, later = ledger.pool.editions
        assert (earlier.reform, later.reform.name) == (None, "K 32 for new players")
        assert later.book.name == "jcf-2024"
        assert later.book.parameters.whole("k_new") == 32
        assert earlier.book is INSTALLED["ncs-2022"]
        write_ledger(ledger, folder, tmp_path / "copy")
        assert read_ledger(tmp_path / "copy") == ledger

    def test_not_signed(self, folder):
        rewrite(folder, "k32.toml", K32)
        (line,) = refused(folder)
        assert line.startswith(
            "pool.toml: edition 2: reform: 'k32.toml' is not signed. A reform can be tried with"
        )

    def test_signed_on_its_first_day(self, folder):
        rewrite(folder, "k32.toml", K32 + SIGNED.replace("2024-09-01", "2024-10-01"))
        assert read_ledger(folder).pool.editions[1].reform.signed.on == date(2024, 10, 1)

    def test_signed_after_its_first_day(self, folder):
        rewrite(folder, "k32.toml", K32 + SIGNED.replace("2024-09-01", "2024-10-02"))
        (line,) = refused(folder)
        assert line.startswith(
            "pool.toml: edition 2: reform: 'k32.toml' was signed on 2024-10-02, after the edition's first day, 2024-10-01"
        )

    def test_signatures_of_a_day_to_come(self, folder):
        rewrite(folder, "k32.toml", K32 + SIGNED)
        pool = read_ledger(folder).pool
        assert pool_rules.signatures_after(pool, date(2024, 9, 1)) == []
        (found,) = pool_rules.signatures_after(pool, date(2024, 8, 31))
        assert fault_line(found, "en").startswith(
            "k32.toml: signed: The day of the signatures, 2024-09-01, is after today, 2024-08-31"
        )

    @pytest.mark.parametrize(
        ("text", "line"),
        [
            (K32.replace("2024-10-01", "2025-10-01") + SIGNED, "pool.toml: edition 2: reform: The edition is in force"),
            (K32.replace("jcf.k_new", "ncs.k_new") + SIGNED, "pool.toml: edition 2: reform: The reform sets numbers"),
            (K32.replace("= 32", "= 1.5"), "k32.toml: set: jcf.k_new: '1.5' cannot stand"),
            (COMPRESSION + SIGNED, "pool.toml: edition 2: reform: 'k32.toml' also adjusts ratings"),
        ],
    )  # fmt: skip
    def test_other_faults(self, folder, text, line):
        rewrite(folder, "k32.toml", text)
        assert refused(folder)[0].startswith(line)

    def test_no_such_file(self, folder):
        (line,) = refused(folder)
        assert line.startswith("pool.toml: edition 2: reform: There is no file 'k32.toml' beside pool.toml")

    def test_no_name_of_a_file(self, folder):
        change(folder, "pool.toml", '"k32.toml"', '"../k32.toml"')
        (line,) = refused(folder)
        assert line.startswith("pool.toml: edition 2: reform: '../k32.toml' is not the name of a TOML file")

    def test_numbers_with_which_the_book_cannot_be_built(self, folder, monkeypatch):
        def failing(_book, _changes):
            raise BookError("k_new is not read")

        monkeypatch.setattr(pool_rules, "reform_book", failing)
        rewrite(folder, "k32.toml", K32 + SIGNED)
        assert refused(folder) == [
            "k32.toml: set: jcf-2024 cannot be built with these numbers (k_new is not read); correct them."
        ]


def results(ledger):
    """The files of rating the ledger."""
    with tempfile.TemporaryDirectory() as place:
        rate_ledger(ledger, Path(place) / "out")
        return {path.name: path.read_bytes() for path in (Path(place) / "out").iterdir()}


def with_changes(ledger, changes):
    """The ledger with every edition's book built anew, at other numbers where `changes` has some for it."""
    editions = []
    for edition in ledger.pool.editions:
        book = reform_book(edition.book, changes.get(edition.book.name, {}))
        assert book is not edition.book
        editions.append(edition._replace(book=book))
    return replace(ledger, pool=replace(ledger.pool, editions=tuple(editions)))


class TestTheBook:
    @pytest.mark.parametrize("name", BOOKS)
    @FEW
    @given(seed=SEEDS, players=PLAYERS, events=EVENTS)
    def test_built_anew_with_the_same_numbers_gives_the_same_bytes(self, name, seed, players, events):
        ledger = read(ledger_of(name, seed, players, events))
        assert results(with_changes(ledger, {})) == results(ledger)

    def test_another_k_is_the_k_of_every_new_player(self):
        ledger = read_ledger(EXAMPLES / "japan")
        before = csv.DictReader(io.StringIO(results(ledger)["changes.csv"].decode()))
        after = csv.DictReader(
            io.StringIO(results(with_changes(ledger, {"jcf-2024": {"k_new": 32}}))["changes.csv"].decode())
        )
        pairs = [
            (old["k"], new["k"]) for old, new in zip(before, after, strict=True) if "JCF" in old["clause"]
        ]
        assert ("40", "32") in pairs
        assert {new for old, new in pairs if old != new} == {"32"}

    def test_every_book_takes_its_numbers(self):
        for book in INSTALLED.values():
            number = next(key for key, each in book.parameters.items() if each.value == int(each.value))
            changed = reform_book(book, {number: book.parameters[number].value + 1})
            assert changed.parameters[number].value == book.parameters[number].value + 1
            assert reform_book(book, {number: book.parameters[number].value + 1}) is changed

    def test_the_installed_book_stays_as_it_is(self):
        reform_book(INSTALLED["jcf-2024"], {"k_new": 32})
        assert import_module("banzuke.rulebooks.jcf").BOOKS[1] is INSTALLED["jcf-2024"]
        assert import_module("banzuke.rulebooks.jcf.jcf_2024").K_NEW == 40

    def test_a_number_that_the_book_does_not_have(self):
        with pytest.raises(KeyError, match="k_newer"):
            reform_book(INSTALLED["jcf-2024"], {"k_newer": 32})


def test_a_key_of_thousands_of_parts_is_refused_at_once():
    """To read one of 30,000 takes seven seconds."""
    faults = []
    assert parse_toml("reform.toml", b".".join([b"a"] * 30_000) + b"=1", faults) is None
    assert [fault.code for fault in faults] == ["not-toml"]


@pytest.mark.parametrize("before", ["", "\ufeff", " \t", "a=1\r\n["])
def test_a_table_with_a_name_of_many_parts_is_refused_at_once(before):
    """With 11,000 keys it takes two seconds, and a pool may name a thousand such files."""
    text = f"{before}[{'b.' * 21}a]\n" + "".join(f"k{number}=1\n" for number in range(9_000))
    faults = []
    assert parse_toml("zone.toml", text.encode(), faults) is None
    assert [dict(fault.facts)["error"] for fault in faults] == ["a key of too many parts"]


#: As many characters as the office takes of a reform, or of a border-zone table, from somebody.
MOST = 20_000
HOSTILE = {
    "keys of many parts": "\n".join(f"{'b.' * 480}a{number}=1" for number in range(20)),
    "other keys of many parts": "\n".join(f"x{n}.{'.'.join('abcdefgh' * 60)}=1" for n in range(20)),
    "tables": "\n".join(f"[{'b.' * 480}a{number}]" for number in range(20)),
    "keys of a table of many parts": f"[{'b.' * 20}a]\n"
    + "".join(f"{'c.' * 480}k{number}=1\n" for number in range(19)),
    "keys of a table": f"[{'b.' * 20}a]\n" + "".join(f"k{number}=1\n" for number in range(2200)),
    "arrays in arrays": "a=" + "[" * (MOST // 2),
    "tables in tables": "a=" + "{a=" * (MOST // 3),
    "a long number": "a=" + "9" * (MOST - 2),
    "many keys": "".join(f'"jcf.k{number}"=1\n' for number in range(1400)),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_the_worst_reform_of_an_allowed_size_is_read_at_once(text):
    """In 0.2 s; it is read where pages are served."""
    assert MOST * 0.2 < len(text) <= MOST
    faults, began = [], time.process_time()
    assert read_reform(f'name="x"\nfrom=2027-01-01\n[set]\n{text}'.encode(), faults) is None
    assert faults
    assert time.process_time() - began < 2
