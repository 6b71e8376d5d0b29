"""docs/rule-books.md held to the code: the fields of a book, the checks of the kit, the commands as printed."""

from __future__ import annotations

import re
import shutil
from dataclasses import fields

import pytest
from cli.command_runs import ROOT
from migrated_office import migrated
from other_books import PAGE, begun, environment, installed, replaced, run

from banzuke.core.rulebook import ChessBook, GoBook, RuleBook
from banzuke.testing.book_checks import CHECKS, ON_LEDGERS


def table(heading):
    """The first column of the table under that heading."""
    rows = PAGE.split(f"| {heading} | ")[1].split("\n\n")[0].splitlines()[2:]
    return [re.match(r"\| `([\w-]+)` \|", row)[1] for row in rows]


def own_fields(kind, within=()):
    return [field.name for field in fields(kind) if field.name not in within]


def test_every_field_is_there():
    common = own_fields(RuleBook)
    assert table("field of RuleBook") == common
    assert table("field of ChessBook") == own_fields(ChessBook, common)
    assert table("field of GoBook") == own_fields(GoBook, common)


@pytest.mark.slow
def test_every_check_is_there():
    assert table("check") == [*CHECKS, *ON_LEDGERS]


def commands():
    """The commands of the page, block by block."""
    return [block.splitlines() for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)]


@pytest.mark.slow
def test_the_commands_run_as_printed(tmp_path):
    beginning, installing, following = commands()
    target = tmp_path / "target"
    variables = environment(target, migrated(tmp_path / "office"))

    def as_printed(*lines):
        for line in lines:
            done = run(*line.split()[1:], cwd=tmp_path, **variables)
            assert done.status == 0, (line, done.out, done.err)

    as_printed(*beginning)
    assert installing[0] == "pip install -e ./kyoto-2026"
    installed(target, tmp_path / "kyoto-2026")
    shutil.copytree(ROOT / "examples/hakodate", tmp_path / "pool")
    (pool,) = re.findall(r"```toml\n(name = .*?)```", PAGE, re.DOTALL)
    (tmp_path / "pool/pool.toml").write_text(pool, "utf-8")
    as_printed(*installing[1:], *following)
    assert (tmp_path / "lists/lists.csv").read_text("utf-8").count("\n2025-06,") > 0


@pytest.mark.slow
def test_the_samples_of_a_book_run_as_printed(tmp_path):
    package = begun(tmp_path, "kyoto-2026") / "kyoto_2026"
    samples = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (columns,) = (code for code in samples if "COLUMNS = " in code)
    (private,) = (code for code in samples if "PRIVATE_FACTS = " in code)
    with (package / "rules.py").open("a", encoding="utf-8") as rules:
        rules.write(private)
    replaced(
        package / "books.py",
        old1="BOOK = ChessBook(", new1=f"{columns}\n\nBOOK = ChessBook(",
        old2='columns=Columns(status=lambda rating: "rated")', new2="columns=COLUMNS",
        old3="    sentences=SENTENCES,\n",
        new3="    sentences=SENTENCES,\n    private_facts=rules.PRIVATE_FACTS,\n",
    )  # fmt: skip
    tried = run("rules", "test", "./kyoto-2026", cwd=tmp_path, PYTHONPATH=str(ROOT))
    assert tried.status == 0, tried.out + tried.err
