"""Nothing that the public can get of a Go pool has the nickname of a player who was erased."""

from __future__ import annotations

import pytest
from django.test import Client
from office.live_pool import game, go_pool, play
from office.published_office import erase
from test_private_data import crawl

from banzuke.office.journal import Actor
from banzuke.office.live import accounts, pool_events

pytestmark = pytest.mark.django_db
GONE, NAME = "zqkitsune", "Zqfox"
ADDRESSES = ("players/00000001", "players/00000001/games", "players/kei/games", "games/g1", "changes?after=0")


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_no_page_and_no_answer_has_the_nickname(settings, tmp_path, lang):
    settings.HOME = tmp_path
    pool = go_pool((GONE, "1d", 13_800, 300), ("kei", "1d", 13_800, 300))
    play(pool, game("g1", 1, GONE, "kei", "B"), game("g2", 2, "kei", GONE, "W"))
    accounts.rename_player(pool, GONE, NAME, "", Actor("clerk"))
    pool_events.annul_game(pool, "g2", f"{NAME} left", Actor("clerk"))
    visitor = Client(headers={"accept-language": lang})
    assert visitor.get(f"/go/players/{GONE}/").status_code == 200
    erase(pool, GONE)
    after = dict(crawl(visitor, "/go/"))
    assert "/go/players/00000001/" in after
    after |= {each: visitor.get(f"/api/v1/pools/go/{each}") for each in ADDRESSES}
    for address, answer in after.items():
        assert answer.status_code < 500, address
        body = b"".join(answer) if answer.streaming else answer.content
        assert [word for word in (GONE, NAME) if word in address or word.encode() in body] == [], address
    for of in ("search?q=zqk", "search?q=zqfox", "players?q=zqk"):
        assert GONE.encode() not in visitor.get(f"/api/v1/pools/go/{of}").content
