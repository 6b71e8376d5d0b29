"""K of the next game: on every player's page the one by which a game of today would be rated."""

from __future__ import annotations

from datetime import date

import pytest
from game_of_today import TODAY, rated_today
from published_office import published
from repeated import entered_pool, repeated

from banzuke.database.book_reader import read_book, rules_of
from banzuke.engine.history import history, list_names
from banzuke.office.journal import Actor
from banzuke.office.lists.list_index import current_lists, names_of
from banzuke.office.lists.publishing import publish
from banzuke.office.pages.next_game import edition_in_force, next_games, player_of
from banzuke.office.pages.rating_states import load_states

pytestmark = pytest.mark.django_db
POOLS = ("japan", "hakodate", "us-championship-2025", "fide", "icu")


@pytest.fixture
def pool_of(ledger_folder, tmp_path):
    """A pool with the ledger of an example, or a small one, and its lists published to the one of that place."""

    def make(name, until=-1):
        if name not in ("fide", "icu"):
            return published(name, until)
        folder = icu_folder(tmp_path) if name == "icu" else ledger_folder(name)

        def entered():
            pool = entered_pool(name, folder)
            publish(pool, names_of(read_book(pool))[until], Actor("test"), TODAY)
            return pool

        return repeated(("next", name, until), entered)

    return make


def icu_folder(tmp_path):
    """Juniors, a new member, high, provisional, fixed and unrated players, and an event."""
    tables = {
        "pool.toml": 'name = "Ireland"\n[[edition]]\nrulebook = "icu"\nfrom = 2000-01-01\n',
        "players.csv": "player_id,name,birth_date,joined,fixed_rating\n"
        "1,A,2015-05-05,2001-01-01,\n2,B,1970-01-01,2029-06-01,\n3,C,1970-01-01,1990-01-01,\n"
        "4,D,1970-01-01,1990-01-01,\n5,E,,,\n6,F,,,1800\n7,G,1970-01-01,1990-01-01,\n",
        "standings.csv": "player_id,rating,games\n1,1300,30\n2,1400,30\n3,1500,30\n4,2150,90\n7,1450,19\n",
        "events.csv": "event_id,name,starts,ends,version\nONE,Dublin,2029-07-01,2029-07-02,1\n",
        "games.csv": "event_id,round,white,black,result\nONE,1,1,2,1-0\nONE,1,3,4,0-1\nONE,2,5,3,1-0\n"
        "ONE,2,6,1,1-0\nONE,1,7,6,1-0\n",
    }
    folder = tmp_path / "icu"
    folder.mkdir()
    for name, text in tables.items():
        (folder / name).write_text(text)
    return folder


def next_game(pool, player, today=TODAY):
    lists = list(current_lists(pool))
    rows = [row for found in lists for row in found.rows.filter(player_id=player)]
    states = load_states(pool, rules_of(pool), player, lists, rows)
    return next_games(pool, rules_of(pool), player_of(pool, player), states, today)


def standings(ledger, until):
    """What the engine holds after the list of that place."""
    names = list_names(ledger, None)
    *_, last = history(ledger, names[: len(names) + 1 + until])
    return last.outcome.standings


@pytest.mark.parametrize("name", POOLS)
def test_k_is_that_of_a_game_of_today(name, pool_of):
    """Everybody meets one player, who meets another: no limit by the number of games shows."""
    pool = pool_of(name)
    ledger = read_book(pool)
    ids = sorted({player.player_id for player in ledger.players})
    last = standings(ledger, -1)
    rated = sorted(ids, key=lambda one: last.of(ledger.pool.speeds[0], one).value or 0)
    hub, other = rated[-1], rated[-2]
    lines = rated_today(ledger, [(player, hub) for player in ids if player != hub])
    lines |= {key: line for key, line in rated_today(ledger, [(hub, other)]).items() if key[1] == hub}
    asked = 0
    for player in ids:
        for speed, game in next_game(pool, player).items():
            line = lines[speed, player]
            assert game.k == line.k, (speed, player)
            assert game.k is None or game.rating.value == line.own, (speed, player)
            asked += game.k is not None
    assert bool(asked) == (name in ("japan", "us-championship-2025", "icu"))


def test_k_does_not_tell_a_birthday_or_the_day_of_joining(pool_of):
    """The junior is of age on 2036-05-05; the member of 2029-06-01 is a new one for some years."""
    pool = pool_of("icu")

    def k_on(player, *days):
        return {next_game(pool, player, date.fromisoformat(day))[""].k for day in days}

    junior, none, normal = (
        k_on("1", f"{year}-01-01", f"{year}-05-04", f"{year}-05-06") for year in (2035, 2036, 2037)
    )
    assert (len(junior), none, len(normal)) == (1, {None}, 1)
    assert junior != normal
    ks = [k_on("2", f"{year}-05-31", f"{year}-06-02") for year in range(2029, 2045)]
    assert all(len(each) == 1 for each in ks)
    assert ks.count({None}) == 1


@pytest.mark.parametrize(
    ("name", "until"),
    [("japan", -1), pytest.param("japan", -4, marks=pytest.mark.slow), ("japan", 3), ("fide", -1)],
)
def test_states_are_those_of_the_engine(name, until, pool_of):
    pool = pool_of(name, until)
    ledger = read_book(pool)
    made = standings(ledger, until if until < 0 else until - len(list_names(ledger, None)))
    book, settings = (edition := edition_in_force(rules_of(pool), TODAY)).book, edition.settings
    lists = list(current_lists(pool))
    for player in {player.player_id: player for player in ledger.players}.values():
        rows = [row for found in lists for row in found.rows.filter(player_id=player.player_id)]
        states = load_states(pool, ledger.pool, player.player_id, lists, rows)
        for speed, state in states.items():
            assert state.rating == made.of(speed, player.player_id), (speed, player.player_id)
            waiting = made.waiting.get(speed, {}).get(player.player_id, ())
            if state.rating.value is None:
                assert state.on_file == waiting, (speed, player.player_id)
        first, second = (states[speed].rating for speed in list(states)[:2])
        k = book.coefficient(first, second, player, TODAY.year, settings)
        found = next_games(pool, ledger.pool, player, states, TODAY)[book.speeds[0]]
        assert found.k == (k if first.value is not None else found.k)
        assert found.source == "" or first.value is None
