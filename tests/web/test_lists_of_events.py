"""Public pages of pools in which every event is a list of its own."""

from __future__ import annotations

import re
from html import unescape

import pytest
from web.published_pools import published_pool
from web.small_office import visitor

from banzuke.core import registry
from banzuke.office.pages.crosstables import crosstable
from banzuke.office.pages.played_games import load_played_games
from banzuke.office.pages.public_pool import public_pool
from banzuke.web.public.event_pages import find_event

pytestmark = pytest.mark.django_db

#: Di does so well in Spring that there is a bonus; in Autumn nobody does. Latin names only.
LEDGER = {
    "pool.toml": 'name = "Our club"\n[[edition]]\nrulebook = "us-chess"\nfrom = 2025-01-01\n',
    "players.csv": "player_id,name\nA,ADAMS Ann\nB,BAKER Bob\nC,CLARK Cy\nD,DAVIS Di\n",
    "standings.csv": "player_id,rating,games\nA,1500,30\nB,1450,30\nC,1400,30\nD,1300,45\n",
    "events.csv": "event_id,name,starts,ends,base_minutes\n"
    "2025-s,Spring Open,2025-03-01,2025-03-02,90\n2025-a,Autumn & Co,2025-10-04,2025-10-05,90\n",
    "games.csv": "event_id,round,white,black,result\n2025-s,1,D,A,1-0\n2025-s,2,B,D,0-1\n2025-s,3,D,C,1-0\n"
    "2025-a,1,A,B,1-0\n",
}


@pytest.fixture
def club(tmp_path):
    folder = tmp_path / "club"
    folder.mkdir()
    for file, text in LEDGER.items():
        (folder / file).write_text(text, "utf-8")
    return published_pool(slug="club", folder=folder)


def page(address, lang="en"):
    answer = visitor(lang).get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    return unescape(answer.content.decode())


class TestNames:
    """A list is called by its event and the event's last day, not by the event's id."""

    @pytest.mark.parametrize(
        ("lang", "name"),
        [
            ("en", "Autumn & Co, 2025-10-05"),
            pytest.param("ja", "Autumn & Co（2025年10月5日）", marks=pytest.mark.slow),
        ],
    )
    def test_on_the_pages_of_lists(self, club, lang, name):
        listed = page("/club/lists/2025-a/", lang)
        assert f"<title>{name} · Our club" in listed
        assert f"<h1>{name}</h1>" in listed
        for address in ("/", "/club/", "/club/lists/", "/club/players/A/", "/club/players/A/2025-a/"):
            assert name in page(address, lang)

    def test_beside_the_event_the_day_says_which_list(self, club):
        assert '<a href="/club/lists/2025-s/">2025-03-02</a>' in page("/club/events/2025-s/")
        assert '<a href="/club/lists/2025-s/">2025-03-02</a>' in page("/club/players/D/")

    @pytest.mark.parametrize("address", ["/club/lists/", "/club/players/D/"])
    def test_names_of_many_lists_are_asked_for_at_once(self, club, address, django_assert_max_num_queries):
        with django_assert_max_num_queries(33) as asked:
            page(address)
        sought = [
            one["sql"] for one in asked.captured_queries if 'AS "name_native" FROM "book_event"' in one["sql"]
        ]
        assert len([sql for sql in sought if "2025-a" in sql and "2025-s" in sql]) == len(sought) == 1

    def test_without_its_rule_book_a_list_has_its_own_name(self, club, monkeypatch):
        monkeypatch.delitem(registry.BOOKS._found, "us-chess")
        assert "<h1>2025-s</h1>" in page("/club/lists/2025-s/")


class TestBonus:
    def test_before_change_and_bonus_make_what_is_on_the_list(self, club):
        found = crosstable(club, find_event(club, "2025-s"))
        row = next(row for row in found.table.rows if row.player_id == "D")
        assert row.bonus > 0
        assert abs(row.before * 100 + row.change + row.bonus - row.after * 100) <= 50
        assert [each.bonus for each in found.table.rows if each is not row] == [None] * 3

    @pytest.mark.parametrize(("lang", "word"), [("en", "Bonus"), ("ja", "ボーナス")])
    def test_it_stands_beside_the_change(self, club, lang, word):
        (bonus,) = [each.bonus for each in load_played_games(public_pool(club), "D").events]
        shown = f'class="change up"><span class="sr">.*?</span>\\+{bonus / 100:.2f}'.rstrip("0")
        for address in ("/club/events/2025-s/", "/club/players/D/"):
            html = page(address, lang)
            assert f'<th scope="col" class="n">{word}</th>' in html
            assert re.search(shown, html)
        assert f">{word}</th>" in page("/club/events/2025-s.html", lang)

    @pytest.mark.parametrize(
        "address", ["/club/events/2025-a/", "/club/events/2025-a.html", "/club/players/A/"]
    )
    def test_where_nobody_got_one_nothing_is_said(self, club, address):
        assert "Bonus" not in page(address)
