"""A ledger taken into PostgreSQL beside a pool that is there: statistics that know only that one do no harm."""

from __future__ import annotations

import pytest
from live_service import Service, made_folder

PLAYERS, GAMES = 200, 3_000
#: How many entries of indexes are read for a game: 2 here, and 4,000 where a whole pool is read for each.
MOST_READ = 60
READ = "SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname IN ('book_livegame', 'book_gogame')"


@pytest.mark.slow
def test_no_pool_is_read_for_each_of_its_games(database_url, tmp_path):
    import psycopg

    folder, office = made_folder(tmp_path / "ledger", PLAYERS, GAMES, seed=1), tmp_path / "office"
    office.mkdir(0o700)
    service = Service(office, database_url)
    service.run("import-ledger", folder, "--pool", "first")
    with psycopg.connect(database_url, autocommit=True) as connection:
        before = connection.execute(READ).fetchone()[0] or 0
        service.run("import-ledger", folder, "--pool", "second")
        read = connection.execute(READ).fetchone()[0] - before
    assert read < MOST_READ * GAMES
