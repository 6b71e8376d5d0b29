"""Searching from every page: the field at the top, what is found, and a club's page."""

from __future__ import annotations

import re

import pytest
from published_pools import hide, published_pool
from small_office import client, small_pool, visitor

from banzuke.office.search import search_index

pytestmark = pytest.mark.django_db


@pytest.fixture
def japan():
    return published_pool()


def page(address, lang="en", **asked):
    answer = visitor(lang).get(address, asked)
    assert answer.status_code == 200, address
    return " ".join(answer.content.decode().split())


def links(html):
    """Where the links of the page's content lead."""
    return re.findall(r'href="([^"]+)"', html.partition("<main")[2])


class TestField:
    def test_every_page_has_it_and_asks_the_pool_it_is_of(self, japan):
        for address in ("/", "/docs/", "/accounts/login/"):
            assert 'action="/search/"' in page(address), address
        for address in (
            "/japan/",
            "/japan/lists/",
            "/japan/players/J003/",
            "/japan/events/",
            "/japan/rules/",
        ):
            assert 'action="/japan/search/"' in page(address), address
        html = client("officer", japan).get("/office/japan/register/").content.decode()
        assert 'action="/japan/search/"' in html

    def test_a_page_that_is_not_there_has_it_too(self):
        answer = visitor().get("/nowhere/at/all/")
        assert answer.status_code == 404
        assert 'action="/search/"' in answer.content.decode()

    def test_a_pool_has_one_field_that_leads_there(self, japan):
        assert page("/japan/").count('action="/japan/search/"') == 1


class TestFound:
    def test_players_in_english_and_japanese(self, japan):
        html = page("/japan/search/", q="murata mitsru")
        assert "Did you mean" in html
        assert "/japan/players/J013/" in links(html)
        assert "Standard <b>1372</b> · Rapid <b>1383</b> · Kawabe Chess Club" in html
        html = page("/japan/search/", "ja", q="村田")
        assert "村田 満" in html
        assert "スタンダード <b>1372</b>" in html

    def test_who_has_no_rating_yet(self, japan):
        assert "no rating yet" in page("/japan/search/", q="ando")
        assert "レーティングはまだありません" in page("/japan/search/", "ja", q="安藤")

    def test_events_clubs_and_lists(self, japan):
        found = links(page("/japan/search/", q="hinoki"))
        assert "/japan/clubs/C01/" in found
        assert "/japan/events/2024-06-hinoki/" in found
        assert "/japan/lists/2025-05/" in links(page("/japan/search/", q="2025年5月"))

    @pytest.mark.slow
    def test_every_link_leads_somewhere(self, japan):
        published_pool("hakodate")
        pages = [
            page(address, q=asked)
            for asked in ("hinoki", "2025-05", "murata mitsru")
            for address in ("/search/", "/japan/search/", "/hakodate/search/")
        ]
        for link in {link for html in pages for link in links(html)}:
            assert visitor().get(link, follow=True).status_code == 200, link

    def test_the_others_are_offered(self, japan):
        small_pool("hakodate")
        html = page("/japan/search/", q="nishimura")
        assert "Nothing in Example Chess Federation has this name" in html
        assert "/search/?q=nishimura" in links(html)
        assert "/hakodate/search/?q=nishimura" in links(html)

    def test_the_whole_office(self, japan):
        published_pool("hakodate")
        found = links(page("/search/", q="sho"))
        assert {"/japan/players/J033/", "/hakodate/players/H01/"} <= set(found)
        assert "Nothing in this office" in page("/search/", q="qqqq")

    def test_what_stands_under_the_field(self, japan):
        html = page("/japan/search/", q="村田", short="1")
        assert "<html" not in html
        assert "/japan/players/J013/" in html
        assert "Nothing has this name" in page("/search/", q="qqqq", short="1")
        assert "found" not in page("/search/", q="", short="1").replace("suggested", "")

    def test_nobody_who_is_shown_by_id_only_is_found_by_name(self, japan):
        hide(japan, "J013")
        while search_index.index_some():
            pass
        for address in ("/search/", "/japan/search/"):
            for typed in ("murata", "murata mitsru", "村田満", "mitsuru"):
                for short in ({}, {"short": "1"}):
                    assert "J013" not in page(address, q=typed, **short)
            html = page(address, q="J013")
            assert "/japan/players/J013/" in links(html)
            assert "MURATA" not in html
            assert "Kawabe Chess Club" not in html

    @pytest.mark.parametrize("typed", ["", " ", "%", "_", "😀", "x" * 10_000, "<b>&amp;", "'\"", "..", "/"])
    def test_anything_is_answered(self, japan, typed):
        for address in ("/search/", "/japan/search/"):
            html = page(address, q=typed)
            assert "<b>&amp;amp;" not in html
            assert len(html) < 60_000

    def test_a_sign_that_is_none_is_refused_as_everywhere(self, japan):
        assert visitor().get("/japan/search/", {"q": "a\0b"}).status_code == 400

    def test_it_is_searched_from_a_list_as_before(self, japan):
        assert "YAMAMOTO Itsuki" in page("/japan/lists/2025-05/standard/", q="山本")


class TestClub:
    def test_members_and_events(self, japan):
        html = page("/japan/clubs/C02/")
        assert "Kawabe Chess Club" in html
        assert {"/japan/players/J013/", "/japan/events/2024-05-kawabe/"} <= set(links(html))
        assert "公認クラブ" in page("/japan/clubs/C02/", "ja")

    def test_who_is_shown_by_id_only_is_no_member(self, japan):
        hide(japan, "J013")
        assert "J013" not in page("/japan/clubs/C02/")

    def test_a_club_that_is_none(self, japan):
        assert visitor().get("/japan/clubs/C99/").status_code == 404


def test_the_api(japan):
    def found(**asked):
        return visitor().get("/api/v1/pools/japan/search", asked)

    answer = found(q="murata mitsru").json()
    assert [one["player"] for one in answer["near_players"]] == ["J013"]
    assert answer["near_players"][0]["ratings"] == [
        {"speed": "standard", "rating": "1372"},
        {"speed": "rapid", "rating": "1383"},
    ]
    answer = found(q="hinoki").json()
    assert {"club": "C01", "name": "Hinoki Chess Club", "is_near": False} in answer["clubs"]
    assert "2024-06-hinoki" in [one["event"] for one in answer["events"]]
    assert [one["list"] for one in found(q="2025-05").json()["lists"]] == ["2025-05"]
    assert found(q="").status_code == 422
    assert found(q=" ").json()["players"] == []
    hide(japan, "J013")
    assert found(q="murata mitsru").json()["near_players"] == []
