"""The page of a Go pool's webhooks: added with the secret shown once, failing ones said, switched on, removed."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from office.live_pool import game, go_pool, play
from small_office import client

from banzuke.database.models import JournalEntry, Pool, Webhook
from banzuke.office.live import webhooks
from banzuke.office.live.rated_games import newest_number

PAGE = "/office/go/live/webhooks/"


@pytest.fixture
def boss(db):
    pool = go_pool(("aoi", "2d+", 14_900, 300), ("kei", "3d", 15_300, 59))
    play(pool, game("G1", 1, "aoi", "kei", "W", 0, 7))
    return client("administrator")


def add(boss, address="https://a.example/results", begins="now", lang="en"):
    return boss.post(PAGE, {"address": address, "begins": begins}, headers={"accept-language": lang})


def test_the_secret_is_shown_once(boss):
    answer = add(boss)
    assert answer["Cache-Control"].startswith("max-age=0") or "no-store" in answer["Cache-Control"]
    shown = answer.content.decode()
    assert 'id="secret">whsec_' in shown
    assert "whsec_" not in boss.get(PAGE).content.decode()
    assert "https://a.example/results" in boss.get(PAGE).content.decode()


def test_where_it_begins(boss):
    add(boss, begins="first")
    assert Webhook.objects.get().sent == 0
    add(boss)
    last = Webhook.objects.last()
    assert last.sent == newest_number(last.pool) > 0


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_an_address_that_cannot_be_is_explained(boss, lang):
    said = add(boss, "http://a.example/", lang=lang).content.decode()
    assert {"en": "Use https", "ja": "httpsを使ってください"}[lang] in said
    assert not Webhook.objects.exists()
    assert "whsec_" not in said


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_what_fails_says_why_and_when_it_is_tried_again(boss, lang):
    add(boss)
    found = Webhook.objects.select_related("pool").get()
    webhooks.note_failure(found, "status", {"status": "502"}, 0, is_gone=False)
    headers = {"accept-language": lang}
    said = boss.get(PAGE, headers=headers).content.decode()
    assert {"en": "Last error: the answer is 502", "ja": "応答は502でした"}[lang] in said
    assert {"en": "Try again now", "ja": "すぐに再送する"}[lang] in said
    main = boss.get("/office/go/live/", headers=headers).content.decode()
    assert {"en": "1 webhook fails", "ja": "1件のWebhook"}[lang] in main


def test_switched_on_and_removed(boss):
    add(boss)
    Webhook.objects.update(off_at=datetime.now(UTC))
    number = Webhook.objects.get().pk
    assert "Switched off" in boss.get(PAGE).content.decode()
    boss.post(f"{PAGE}{number}/on/")
    assert Webhook.objects.get().off_at is None
    boss.post(f"{PAGE}{number}/remove/")
    assert not Webhook.objects.exists()
    acts = set(JournalEntry.objects.filter(act__startswith="webhook").values_list("act", flat=True))
    assert acts == {"webhook-added", "webhook-on", "webhook-removed"}


def test_of_another_pool_is_not_found(boss):
    add(boss)
    go_pool(("ren", "1d"), slug="other")
    number = Webhook.objects.get().pk
    assert boss.post(f"/office/other/live/webhooks/{number}/remove/").status_code == 404
    assert boss.post(f"/office/other/live/webhooks/{number}/on/").status_code == 404
    assert "a.example" not in boss.get("/office/other/live/webhooks/").content.decode()


def test_officers_do_not_see_it(boss):
    officer = client("officer", Pool.objects.get(slug="go"))
    assert officer.get(PAGE).status_code == 403
    assert "webhooks/" not in officer.get("/office/go/live/").content.decode()
