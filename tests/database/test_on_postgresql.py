"""The tests of the book once more, on a real PostgreSQL that is started for them and stopped."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
#: What is tested of lists, live games and the queue on both databases; acts that are killed start a PostgreSQL of their own.
LISTS = (
    "published_lists",
    "publishing",
    "publishing_during_games",
    "go_reports",
    "inquiries",
    "verification",
    "office_verification",
    "rating_explanations",
    "jobs",
    "register_members",
    "random_office",
    "next_standings",
    "erased_go_players",
    "new_seasons",
    "raw_sql",
    "live_rating",
    "live_faults",
    "live_same_moment",
    "game_queue",
    "restored_games",
    "earlier_ranks",
)


@pytest.mark.skipif(
    bool(os.environ.get("DATABASE_URL")), reason="these tests run on the database that DATABASE_URL names"
)
@pytest.mark.slow
def test_the_book_behaves_the_same(database_url):
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        str(TESTS / "database"),
        str(TESTS / "cli" / "test_office_data.py"),
        *(str(TESTS / "office" / f"test_{subject}.py") for subject in LISTS),
        f"{TESTS / 'office' / 'test_backup.py'}::TestRestoring",
        *(f"{TESTS / 'office' / 'test_search.py'}::Test{part}" for part in ("Members", "Index", "AnyText")),
        str(TESTS / "api" / "test_api_lists.py"),
        str(TESTS / "api" / "test_api_reports.py"),
        str(TESTS / "web" / "test_hostile_addresses.py"),
        f"{TESTS / 'web' / 'test_closed_office.py'}::test_a_database_that_may_only_be_read",
    ]
    done = subprocess.run(
        command,
        env=os.environ | {"DATABASE_URL": database_url},
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    assert "passed" in done.stdout
