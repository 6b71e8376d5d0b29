"""Adjustments on public pages: the list, the player, the page of all of them, feeds, the log."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from datetime import timedelta

import pytest
from django.conf import settings
from published_pools import published_pool
from small_office import client, small_pool, visitor

from banzuke.core.facts import Adjustment
from banzuke.office.journal import Actor
from banzuke.office.lists.adjustments import (
    enter_adjustment,
    entered_adjustments,
    take_back_adjustment,
)
from banzuke.office.lists.corrections import revise
from banzuke.office.lists.list_index import current_lists

ATOM = "{http://www.w3.org/2005/Atom}"
CHIEF = Actor("chief")
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setattr(settings, "HOME", tmp_path)


@pytest.fixture
def pool():
    """The last list but one is adjusted, and the lists are revised; one of the coming list was taken back."""
    made = published_pool()
    *_, second = current_lists(made)[:2]
    today = second.day + timedelta(days=5)
    row = Adjustment("A1", second.name, "1000:1400 2000:2000", "Board <3>, item 3")
    enter_adjustment(made, row, CHIEF, today)
    revise(made, CHIEF, "Board, item 3")
    enter_adjustment(made, row._replace(adjustment_id="A2", list="2030-01", speed="rapid"), CHIEF, today)
    take_back_adjustment(made, "A2", CHIEF, today)
    return made


@pytest.fixture
def today(pool, monkeypatch):
    """The office believes that it is five days after the adjusted list."""
    day = current_lists(pool).get(name=adjusted_list(pool)).day + timedelta(days=5)
    monkeypatch.setattr("banzuke.web.board.adjustment_pages.today_of", lambda _pool: day)
    return day


def adjusted_list(pool):
    return entered_adjustments(pool)[0].adjustment.list


def text_of(address, lang="en"):
    answer = visitor(lang).get(address, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def feed(address):
    return [
        tuple(entry.findtext(ATOM + name) for name in ("title", "summary", "id"))
        for entry in ET.fromstring(visitor().get(address).content).iter(f"{ATOM}entry")
    ]


def test_the_list_says_by_which_decision(pool):
    last, second = current_lists(pool)[:2]
    page = text_of(f"/{pool.slug}/lists/{second.name}/standard/")
    assert "All ratings of this list were adjusted after its games" in page
    assert f'<a href="/{pool.slug}/adjustments/#adjustment-A1">Board &lt;3&gt;, item 3</a>' in page
    assert "対局の計算の後にすべてのレーティングを一括調整" in text_of(
        f"/{pool.slug}/lists/{second.name}/standard/", "ja"
    )
    first = text_of(f"/{pool.slug}/lists/{second.name}/standard/?revision=0")
    assert "were adjusted" not in first
    assert "were adjusted" not in text_of(f"/{pool.slug}/lists/{last.name}/standard/")


def test_the_page_of_all_of_them(pool):
    page = text_of(f"/{pool.slug}/adjustments/")
    assert page.index("A2") < page.index('id="adjustment-A1"')
    for part in ('id="back-A2"', "Board &lt;3&gt;, item 3", '<td class="n">1400</td>', "(Rapid)"):
        assert part in page
    assert 'id="back-A1"' not in page
    assert "レーティングの一括調整" in text_of(f"/{pool.slug}/adjustments/", "ja")


def test_a_pool_without_any_and_one_of_go():
    assert "were never adjusted" in text_of(f"/{small_pool().slug}/adjustments/")
    assert visitor().get(f"/{small_pool('go').slug}/adjustments/").status_code == 404


def test_the_player_s_page_and_working(pool):
    second = current_lists(pool)[1]
    row = second.rows.filter(speed="standard").exclude(change=0).exclude(change=None).first()
    page = text_of(f"/{pool.slug}/players/{row.player_id}/")
    assert page.count('<span class="tag">adjusted</span>') == 1
    working = text_of(f"/{pool.slug}/players/{row.player_id}/{second.name}/standard/")
    assert "All ratings of this list were adjusted (Board &lt;3&gt;, item 3)" in working
    (told,) = [
        about
        for title, about, _ in feed(f"/{pool.slug}/players/{row.player_id}.atom")
        if "Adjustment" in about
    ]
    assert "Adjustment of ratings: Board &lt;3&gt;, item 3" in told


def test_the_feed_of_lists(pool):
    found = [entry for entry in feed(f"/{pool.slug}/lists.atom") if entry[0].startswith("Adjustment")]
    second = current_lists(pool)[1]
    assert [(title, about, address.partition("#")[2]) for title, about, address in found] == [
        ("Adjustment of ratings taken back: 2030-01", "Board &lt;3&gt;, item 3", "back-A2"),
        ("Adjustment of ratings: 2030-01", "Board &lt;3&gt;, item 3", "adjustment-A2"),
        (f"Adjustment of ratings: {second.name}", "Board &lt;3&gt;, item 3", "adjustment-A1"),
    ]


def test_the_log(pool):
    page = text_of("/log/")
    assert (
        page.count(f'<a href="/{pool.slug}/adjustments/">adjustments of ratings</a> entered or taken back: 1')
        == 3
    )


class TestTakingBack:
    def test_a_chief_officer_gives_a_reason_and_sees_the_revisions(self, pool, today):
        here = f"/office/{pool.slug}/reforms/adjustments/A1/"
        assert client("officer", pool).get(here).status_code == 403
        chief = client("chief", pool)
        assert here in chief.get(f"/office/{pool.slug}/reforms/").content.decode()
        assert "The list was published with it." in chief.get(here).content.decode()
        assert "This field is required" in chief.post(here, {"why": " "}).content.decode()
        page = chief.post(here, {"why": "a wrong map"}, follow=True).content.decode()
        assert "The adjustment is taken back." in page
        assert "Revisions due" in page
        assert pool.entries.latest("pk").why == "a wrong map"
        assert entered_adjustments(pool)[0].struck_by is not None
        assert chief.get(here).status_code == 404  # it stands no more
        assert chief.post(here, {"why": "again"}).status_code == 404
        assert "Taken back on" in chief.get(f"/office/{pool.slug}/reforms/").content.decode()

    def test_when_the_days_for_corrections_are_over(self, pool, monkeypatch):
        later = current_lists(pool).get(name=adjusted_list(pool)).day + timedelta(days=400)
        monkeypatch.setattr("banzuke.web.board.adjustment_pages.today_of", lambda _pool: later)
        answer = client("chief", pool).post(
            f"/office/{pool.slug}/reforms/adjustments/A1/", {"why": "late"}, follow=True
        )
        assert "days for corrections of it are over" in answer.content.decode()
        assert entered_adjustments(pool)[0].struck_by is None

    def test_in_japanese(self, pool):
        chief = client("chief", pool)
        page = chief.get(f"/office/{pool.slug}/reforms/adjustments/A1/", headers={"accept-language": "ja"})
        assert "一括調整の取り消し" in page.content.decode()
        assert "Take" not in page.content.decode()
