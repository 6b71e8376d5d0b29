"""Feeds and share cards: what is new, stable and dated; nothing of who is shown by id only."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from published_pools import hide, published_pool
from small_office import visitor

from banzuke.database.models import RatingList

ATOM = "{http://www.w3.org/2005/Atom}"
pytestmark = pytest.mark.django_db


@pytest.fixture
def pool():
    return published_pool()


def feed(address, lang="en"):
    answer = visitor(lang).get(address)
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("application/atom+xml")
    return ET.fromstring(answer.content)


def entries(found):
    return [
        tuple(entry.findtext(ATOM + name) for name in ("title", "id", "updated"))
        for entry in found.iter(ATOM + "entry")
    ]


def cards(html):
    return dict(re.findall(r'<meta property="(og:\w+)" content="([^"]*)">', html))


class TestFeeds:
    def test_of_a_player_has_the_lists_with_rating_and_change(self, pool):
        found = entries(feed("/japan/players/J004.atom"))
        newest = RatingList.objects.order_by("-number").first()
        title, address, updated = found[0]
        assert re.fullmatch(rf"{newest.name}: Standard \d+ \((±0|[+−]\d+)\).*", title)
        assert address.endswith(f"/japan/players/J004/{newest.name}/standard/?revision=0")
        assert updated.startswith(f"{newest.published_at:%Y-%m-%dT%H:%M:%S}")
        assert len({one[1] for one in found}) == len(found)
        assert visitor().get(re.sub("^http://testserver", "", address)).status_code == 200

    def test_of_a_player_in_japanese_where_that_is_asked_for(self, pool):
        assert feed("/japan/players/J004.atom?lang=ja").findtext(ATOM + "title").startswith("林 陽翔")
        assert feed("/japan/players/J004.atom?lang=xx").findtext(ATOM + "title").startswith("HAYASHI Haruto")

    def test_of_lists_stays_the_same_until_something_changes(self, pool):
        first = visitor().get("/japan/lists.atom")
        assert first.content == visitor().get("/japan/lists.atom").content
        for header in ({"if-none-match": first["ETag"]}, {"if-modified-since": first["Last-Modified"]}):
            assert visitor().get("/japan/lists.atom", headers=header).status_code == 304
        assert entries(ET.fromstring(first.content))[0][0] == (
            RatingList.objects.order_by("-number").first().name
        )

    def test_of_an_empty_calendar_has_a_last_change_all_the_same(self, pool):
        found = feed("/japan/calendar.atom")
        assert entries(found) == []
        assert found.findtext(ATOM + "updated").startswith(f"{pool.entries.first().at:%Y-%m-%dT%H:%M:%S}")

    def test_pages_name_their_feeds(self, pool):
        for page, address in (
            ("/japan/players/J004/", "/japan/players/J004.atom"),
            ("/japan/", "/japan/lists.atom"),
            ("/japan/lists/", "/japan/lists.atom"),
            ("/japan/calendar/", "/japan/calendar.atom"),
        ):
            html = visitor().get(page).content.decode()
            assert re.search(rf'rel="alternate" type="application/atom\+xml"[^>]*href="{address}"', html)


@pytest.mark.parametrize(
    ("example", "player"),
    [("hakodate", "H26"), ("go-server", "harukaze"), ("us-championship-2025", "30953499")],
)
@pytest.mark.slow
def test_of_other_pools_lead_to_pages_too(example, player):
    published_pool(example)
    for address in (f"/{example}/players/{player}.atom", f"/{example}/lists.atom?lang=ja"):
        found = entries(feed(address))
        assert found
        for _title, page, _updated in found[:2]:
            assert visitor().get(page.removeprefix("http://testserver"), follow=True).status_code == 200


class TestShareCards:
    def test_say_what_a_link_leads_to(self, pool):
        found = cards(visitor().get("/japan/players/J004/").content.decode())
        assert found["og:title"] == "HAYASHI Haruto · Example Chess Federation"
        assert re.fullmatch(r"Standard \d+ \(\S+, Place \d+\)( · .*)?", found["og:description"])
        assert found["og:url"] == "http://testserver/japan/players/J004/"
        picture = visitor().get(found["og:image"].removeprefix("http://testserver"))
        assert b"".join(picture).startswith(b"\x89PNG")
        event = cards(visitor().get("/japan/events/2024-05-golden/").content.decode())
        assert event["og:description"].startswith("Tokyo · 2024-05-03 – 2024-05-05 · ")
        of_list = cards(visitor().get("/japan/lists/current/standard/", follow=True).content.decode())
        assert of_list["og:type"] == "article"


def test_of_who_is_shown_by_id_only_there_is_neither(pool):
    hide(pool, "J004")
    assert visitor().get("/japan/players/J004.atom").status_code == 404
    html = visitor().get("/japan/players/J004/").content.decode()
    assert cards(html) == {}
    assert "application/atom+xml" not in html


def test_a_reason_with_signs_that_no_feed_holds_is_shown_without_them(pool, monkeypatch):
    newest = RatingList.objects.order_by("-number").first()
    newest.why = "typed \x1b\x0bodd"
    monkeypatch.setattr("banzuke.web.public.feeds.news_of_lists", lambda _pool: [newest])
    assert "typed odd" in visitor().get("/japan/lists.atom").content.decode()
