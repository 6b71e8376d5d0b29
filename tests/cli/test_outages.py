"""A command whose office cannot be written to ends with one line, in both languages."""

from __future__ import annotations

import sqlite3

import pytest
import typer
from django.db import OperationalError

from banzuke.cli.command import failures_in_a_line
from banzuke.database.outages import Outage

#: What SQLite says then: the code of the result.
CODES = {Outage.FULL: 13, Outage.READ_ONLY: 8, Outage.BUSY: 5, Outage.AWAY: 14}


@pytest.mark.parametrize(("lang", "full"), [("en", "its disk is full"), ("ja", "ディスクがいっぱい")])
@pytest.mark.parametrize("why", Outage)
def test_it_is_one_line(why, lang, full, monkeypatch, capsys):
    monkeypatch.setenv("BANZUKE_LANG", lang)
    cause = sqlite3.OperationalError("database or disk is full")
    cause.sqlite_errorcode = CODES[why]
    error = OperationalError("no")
    error.__cause__ = cause
    with pytest.raises(typer.Exit) as left, failures_in_a_line():
        raise error
    said = capsys.readouterr().err
    assert (left.value.exit_code, said.count("\n")) == (2, 1)
    assert (full in said) is (why is Outage.FULL)
