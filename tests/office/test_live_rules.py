"""Changing how a Go server's pool is rated: what would leave its games without a rule is refused."""

from __future__ import annotations

from datetime import date

import pytest
from live_pool import game, go_pool, play
from random_office import any_pool

from banzuke.core.fault import RefusedError
from banzuke.database.book_reader import last_entry
from banzuke.database.models import LivePool
from banzuke.office.administration.pools import Edition, change_rules, editions
from banzuke.office.journal import Actor
from banzuke.office.live import live_pool
from banzuke.office.live.live_verification import differing_standings

pytestmark = pytest.mark.django_db
CHIEF = Actor("chief")
PANDANET, CHESS = (Edition(book, date(2005, 4, 1), {}) for book in ("pandanet", "ncs-2022"))


@pytest.fixture
def pool():
    """A game ended on January 1st, 2026."""
    found = go_pool(("aoi", "1k", 13_000, 300), ("kei", "1k", 13_000, 300))
    play(found, game("a", 0, "aoi", "kei", "B"))
    return found


def refused(pool, edition):
    before = last_entry(pool)
    with pytest.raises(RefusedError) as told:
        change_rules(pool, "Renamed", [edition], CHIEF, "why", {})
    assert last_entry(pool) == before
    return [(each.column, each.code) for each in told.value.faults]


def test_a_pool_of_go_stays_one(pool):
    assert refused(pool, CHESS) == [("rulebook", "pool-families")]


def test_a_pool_of_chess_stays_one():
    assert refused(any_pool(), PANDANET) == [("rulebook", "pool-families")]


def test_no_game_is_left_without_an_edition(pool):
    assert refused(pool, PANDANET._replace(start=date(2026, 1, 2))) == [("from", "no-edition")]
    before = last_entry(pool)
    change_rules(pool, "Renamed", [PANDANET._replace(start=date(2026, 1, 1))], CHIEF, "why", {})
    assert last_entry(pool) > before


class TestWhatIsRatedAgain:
    @pytest.fixture
    def rebuilt(self, monkeypatch):
        """The entries to which all standings were made anew."""
        found = []
        rebuild = live_pool.rebuild

        def noted(writer, last):
            found.append(last)
            rebuild(writer, last)

        monkeypatch.setattr(live_pool, "rebuild", noted)
        return found

    def test_nothing_for_another_name(self, pool, rebuilt):
        change_rules(pool, "Renamed", editions(pool), CHIEF, "why", {}, "改名")
        live_pool.synchronise(pool)
        assert rebuilt == []
        assert LivePool.objects.get(pool=pool).entry == last_entry(pool)
        play(pool, game("b", 1, "aoi", "kei", "W"))
        assert differing_standings(pool) == []

    def test_all_for_another_edition(self, pool, rebuilt):
        change_rules(pool, "Go server", [PANDANET._replace(start=date(2026, 1, 1))], CHIEF, "why", {})
        live_pool.synchronise(pool)
        assert rebuilt == []  # it was made beside
        assert LivePool.objects.get(pool=pool).entry == last_entry(pool)
        assert differing_standings(pool) == []
