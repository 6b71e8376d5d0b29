"""A ledger taken into PostgreSQL beside a pool that is there: statistics that know only that one do no harm."""

from __future__ import annotations

import csv
import random

import pytest
from live_service import Service, made_games, made_ledger

PLAYERS, GAMES = 200, 3_000
#: How many entries of indexes are read for a game: 2 here, and 4,000 where a whole pool is read for each.
MOST_READ = 60
READ = "SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname IN ('book_livegame', 'book_gogame')"


@pytest.mark.slow
def test_no_pool_is_read_for_each_of_its_games(database_url, tmp_path):
    import psycopg

    rng = random.Random(1)
    folder, office = tmp_path / "ledger", tmp_path / "office"
    games = made_games(made_ledger(folder, PLAYERS, rng), GAMES, rng)
    columns = [*games[0], *({"room", "fault"} - games[0].keys())]
    with (folder / "games.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, columns, restval="")
        writer.writeheader()
        writer.writerows(games)
    office.mkdir(0o700)
    service = Service(office, database_url)
    service.run("import-ledger", folder, "--pool", "first")
    with psycopg.connect(database_url, autocommit=True) as connection:
        before = connection.execute(READ).fetchone()[0] or 0
        service.run("import-ledger", folder, "--pool", "second")
        read = connection.execute(READ).fetchone()[0] - before
    assert read < MOST_READ * GAMES
