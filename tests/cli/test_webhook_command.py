"""Webhooks at the command line: added with the secret printed once, listed with their state, removed."""

from __future__ import annotations

import json

import pytest
from command_runs import banzuke

from banzuke.database.models import JournalEntry, Pool, Webhook
from banzuke.office.live import webhooks

pytestmark = pytest.mark.django_db
ADDRESS = "https://a.example/results"


@pytest.fixture
def go():
    assert banzuke("new", "--pool", "go", "--book", "pandanet", "--from", "2026-01-01").status == 0
    return Pool.objects.get()


def test_only_the_secret_is_printed(go):
    made = banzuke("webhook", "add", ADDRESS, "--pool", "go")
    assert (made.status, made.err) == (0, "")
    found = Webhook.objects.get()
    assert made.out.strip().startswith("whsec_")
    assert webhooks.secret_of(found) not in made.out.encode()
    assert found.sent == 0
    told = json.loads(
        banzuke("webhook", "add", ADDRESS, "--pool", "go", "--after", 7, "--format", "json").out
    )
    assert (told["sent"], told["pool"], told["secret"][:6]) == (7, "go", "whsec_")
    assert JournalEntry.objects.filter(act="webhook-added").count() == 2


def test_they_are_listed_with_their_state_and_removed(go):
    assert banzuke("webhook", "list").out == "There is no webhook.\n"
    for number in range(3):
        banzuke("webhook", "add", f"{ADDRESS}{number}", "--pool", "go")
    good, fails, off = Webhook.objects.select_related("pool").order_by("pk")
    webhooks.note_failure(fails, "timeout", {"seconds": "15"}, 0, is_gone=False)
    webhooks.note_failure(off, "status", {"status": "410"}, 0, is_gone=True)
    listed = banzuke("webhook", "list", "--pool", "go")
    assert "whsec" not in listed.out
    for word in ("good", "no answer within 15 seconds", "switched off at", "410"):
        assert word in " ".join(listed.out.split())
    told = json.loads(banzuke("webhook", "list", "--format", "json").out)
    assert [each["failure"] for each in told] == ["", "no answer within 15 seconds", "the answer is 410"]
    assert banzuke("webhook", "on", off.pk).status == 0
    assert json.loads(banzuke("webhook", "list", "--format", "json").out)[2]["off_at"] is None
    assert banzuke("webhook", "on", 0).status == 1
    assert banzuke("webhook", "remove", good.pk).status == 0
    assert banzuke("webhook", "remove", good.pk).status == 1
    assert Webhook.objects.count() == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("add", "http://a.example/", "--pool", "go"), "Use https"),
        (("add", "a.example", "--pool", "go"), "is no address"),
        (("add", ADDRESS, "--pool", "chess"), "there are: go"),
        (("list", "--pool", "chess"), "there are: go"),
    ],
)
def test_errors_say_what_would_be_right(go, words, said):
    ran = banzuke("webhook", *words)
    assert (ran.status, ran.out, said in ran.err) == (1, "", True)


def test_a_pool_of_chess_has_none(db):
    banzuke("new", "--pool", "club", "--book", "fide-2024", "--from", "2025-01-01")
    ran = banzuke("webhook", "add", ADDRESS, "--pool", "club")
    assert (ran.status, "a pool of chess" in ran.err) == (1, True)
