"""Whoever can write the database changes the past: `verify --all` or a club's old mail finds each of many ways.

So it is where the office's key is known, too: then the log is made to fit what was changed, and is signed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from office.attacked_office import (
    UNSIGNED,
    attacked_office,
    forget_caches,
    play,
    what_the_club_finds,
    what_verify_finds,
)
from office.attacks import ATTACKS, with_key

pytestmark = pytest.mark.django_db
BENCH = Path(__file__).parents[2] / "bench" / "attacks.py"
#: Two of them, for the fast tier.
SOME = ("two lists' contents exchanged", "who did something, in the journal")


@pytest.fixture
def office(settings, tmp_path):
    settings.HOME = tmp_path
    made = attacked_office()
    yield made
    forget_caches()


def found(office, what, *, with_key):
    return play(office, ATTACKS[what], with_key=with_key)


@pytest.mark.slow
def test_an_office_that_nobody_attacks_is_good(office):
    assert what_verify_finds() == ()
    assert what_the_club_finds(office) == ""
    assert play(office, lambda _: None, with_key=True) == ((), "")


def test_some_ways_are_found(office):
    for what in SOME:
        assert found(office, what, with_key=False).verify, what


@pytest.mark.slow
def test_verify_finds_each_way_of_who_has_the_database(office):
    assert len(ATTACKS) >= 30
    results = {what: found(office, what, with_key=False) for what in ATTACKS}
    assert [what for what, result in results.items() if not result.verify] == []
    assert sum(bool(result.club) for result in results.values()) >= 10
    assert what_verify_finds() == ()


@pytest.mark.slow
def test_a_club_or_verify_finds_each_way_of_who_has_the_key_too(office):
    results = {what: found(office, what, with_key=True) for what in with_key()}
    assert [what for what, result in results.items() if not any(result)] == []
    assert UNSIGNED not in {result.club for result in results.values()}
    assert sum(bool(result.club) for result in results.values()) >= 30


@pytest.mark.slow
@pytest.mark.skipif(bool(os.environ.get("DATABASE_URL")), reason="these tests run on PostgreSQL already")
@pytest.mark.parametrize("words", [("trigger",), ()], ids=["triggers", "all"])
def test_each_way_is_found_on_postgresql(database_url, words):
    """The bench prints them, and ends with 1 where one is not found."""
    done = subprocess.run(
        [sys.executable, BENCH, *words],
        env=os.environ | {"DATABASE_URL": database_url},
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
    assert "postgresql" in done.stdout
