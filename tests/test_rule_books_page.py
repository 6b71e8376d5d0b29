"""docs/rule-books.md held to the code: the fields of a book, the checks of the kit, the commands as printed."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest
from migrated_office import migrated
from other_books import PAGE, environment, installed, run, weekly_ledger

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
    assert installing[0] == "pip install ./kyoto-2026"
    installed(target, tmp_path / "kyoto-2026")
    weekly_ledger(tmp_path / "pool", "kyoto-2026")
    assert 'rulebook = "kyoto-2026"\nfrom = 2026-01-01\n' in PAGE
    as_printed(*installing[1:], *following)
    assert (tmp_path / "lists/lists.csv").read_text("utf-8").count("\n2026-04,") > 0
