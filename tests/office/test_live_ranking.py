"""The ranking as it stands now: pages by keys, places, and finding somebody."""

from __future__ import annotations

import io
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
from live_pool import KEY, NOW, game, go_pool, play

from banzuke.core import go_facts
from banzuke.database.book_writer import Act, open_entry
from banzuke.database.models import Contact, GoPlayer, LiveStanding, NameWord
from banzuke.office.administration.pools import open_from_zip
from banzuke.office.journal import Actor
from banzuke.office.live import accounts, live_ranking
from banzuke.office.live.live_ranking import RankingQuery, page, places

pytestmark = pytest.mark.django_db


@pytest.fixture
def pool(monkeypatch):
    """Ten players, three to a page; `d` and `e` are equal."""
    monkeypatch.setattr(live_ranking, "PAGE", 3)
    certified = [(player, "5k", 9650 + 10 * at, 30) for at, player in enumerate("hgf")]
    equal = [(player, "4k", 10_450, 30) for player in "de"]
    strong = [(player, "1d", 13_900 - at, 30) for at, player in enumerate("abc")]
    return go_pool(*certified, *equal, *strong, ("i", "5k"), ("j", "BC"))


def ids(found):
    return "".join(row.person.player_id for row in found.rows)


def test_pages_forwards_and_back(pool):
    pages, after = [], ""
    while True:
        found = page(pool, RankingQuery(after=after), NOW)
        pages.append((ids(found), found.has_before, found.has_after))
        if not found.has_after:
            break
        after = found.rows[-1].person.player_id
    assert pages == [("abc", False, True), ("def", True, True), ("ghi", True, True), ("j", True, False)]
    found = page(pool, RankingQuery(before="g"), NOW)
    assert (ids(found), found.has_before, found.has_after) == ("def", True, True)
    found = page(pool, RankingQuery(last=True), NOW)
    assert (ids(found), found.has_before, found.has_after) == ("hij", True, False)
    assert ids(page(pool, RankingQuery(after="d"), NOW)) == "efg"
    assert ids(page(pool, RankingQuery(before="e"), NOW)) == "bcd"


def test_places_go_over_pages(pool):
    found = [row for after in ("", "c", "f", "i") for row in page(pool, RankingQuery(after=after), NOW).rows]
    assert [row.place for row in found] == [1, 2, 3, 4, 4, 6, 7, 8, 9, 10]
    assert found[0].state.rank == "1d"


def test_a_game_moves_who_played(pool):
    play(pool, game("G1", 1, "h", "e", "B", 2))
    found = page(pool, RankingQuery(), NOW)
    assert ids(found) == "abc"
    assert ids(page(pool, RankingQuery(after="c"), NOW)) == "deh"


def test_beyond_what_is_counted_places_are_those_of_all(pool, monkeypatch):
    page(pool, RankingQuery(), NOW)
    wanted = {
        row.strength: places(pool, {row.strength}, NOW)[row.strength] for row in LiveStanding.objects.all()
    }
    monkeypatch.setattr(live_ranking, "COUNTED", 2)
    live_ranking._known.clear()
    assert {strength: places(pool, {strength}, NOW)[strength] for strength in wanted} == wanted
    assert places(pool, wanted, NOW) == wanted
    live_ranking._known.clear()


@pytest.mark.parametrize(("many", "kept"), [(20, live_ranking.SECONDS), (2, live_ranking.SECONDS_OF_MANY)])
def test_beyond_what_is_counted_places_are_kept_for_a_while(pool, monkeypatch, many, kept):
    monkeypatch.setattr(live_ranking, "COUNTED", 2)
    monkeypatch.setattr(live_ranking, "MANY", many)
    live_ranking._known.clear()
    page(pool, RankingQuery(), NOW)
    last = LiveStanding.objects.get(player_id="j").strength
    assert places(pool, {last}, NOW) == {last: 10}
    accounts.add_players(pool, [accounts.Newcomer(go_facts.GoPlayer("new", "New", "4d"))], KEY)
    for seconds, place in ((kept - 1, 10), (kept, 11)):
        assert places(pool, {last}, NOW + timedelta(seconds=seconds)) == {last: place}
    live_ranking._known.clear()


def test_nobody():
    empty = go_pool()
    assert page(empty, RankingQuery(), NOW) == ([], False, False)
    assert page(empty, RankingQuery(last=True, typed="x"), NOW) == ([], False, False)


class TestFinding:
    @pytest.fixture
    def named(self):
        pool = go_pool(("p1", "5k", 9700, 30), ("p2", "4k", 10_500, 30), ("p3", "1d", 13_800, 30))
        for player, name in (("n1", "Harukaze Aoi"), ("n2", "春風葵"), ("n3", "Harumi")):
            accounts.add_players(pool, [accounts.Newcomer(go_facts.GoPlayer(player, name, "3k"))], KEY)
        return pool

    @pytest.mark.parametrize(
        ("typed", "found"),
        [("haru", {"n1", "n3"}), ("aoi", {"n1"}), ("春風", {"n2"}), ("葵", {"n2"}), ("n", {"n1", "n2", "n3"}),
         ("p2", {"p2"}), ("P", {"p1", "p2", "p3"}), ("nobody", set())],
    )  # fmt: skip
    def test_by_name_and_id(self, named, typed, found):
        assert {row.person.player_id for row in page(named, RankingQuery(typed), NOW).rows} == found

    def test_in_the_order_of_the_ranking_with_their_places(self, named):
        rows = page(named, RankingQuery("p"), NOW).rows
        assert [(row.person.player_id, row.place) for row in rows] == [("p3", 1), ("p2", 2), ("p1", 3)]

    def test_who_has_just_come(self, named):
        page(named, RankingQuery("haru"), NOW)
        accounts.add_players(named, [accounts.Newcomer(go_facts.GoPlayer("n4", "Harunobu", "3k"))], KEY)
        assert {row.person.player_id for row in page(named, RankingQuery("harun"), NOW).rows} == {"n4"}

    def test_many_become_findable_a_stretch_at_a_time(self, named, monkeypatch):
        monkeypatch.setattr(live_ranking, "INDEXED_AT_ONCE", 2)
        known = []
        for _ in range(4):
            live_ranking.index_names(named, 2)
            known.append(NameWord.objects.filter(pool=named).values("player_id").distinct().count())
        assert known == [2, 4, 6, 6]

    def test_everybody_at_once(self, named):
        live_ranking.index_names(named)
        assert NameWord.objects.filter(pool=named).values("player_id").distinct().count() == 6

    def test_a_ledger_that_was_imported(self):
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w") as folder:
            for path in (Path(__file__).parents[2] / "examples" / "go-server").iterdir():
                folder.write(path, path.name)
        pool = open_from_zip("imported", data.getvalue(), Actor("clerk"))
        findable_now = NameWord.objects.filter(pool=pool).values("player_id").distinct().count()
        assert findable_now == GoPlayer.objects.filter(pool=pool).count() > 0

    def test_who_is_shown_by_id_only(self, named):
        entry = open_entry(named, Act("clerk", "contact"))
        Contact.objects.create(entry=entry, pool=named, player_id="n1", by_id_only=True)
        assert {row.person.player_id for row in page(named, RankingQuery("haru"), NOW).rows} == {"n3"}
        assert page(named, RankingQuery("n1"), NOW).rows[0].person == ("n1", "", "")
        everybody = page(named, RankingQuery(), NOW).rows
        assert {row.person.name for row in everybody if row.person.player_id == "n1"} == {""}
