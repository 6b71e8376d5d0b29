"""Webhooks: what is posted, in which order, what becomes of failures, and who hears of them."""

from __future__ import annotations

import json
import logging
import re
import threading
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from office.live_pool import game, go_pool, play
from web.small_office import small_pool
from webhook_receiver import Receiver

from banzuke.client import signed_posts
from banzuke.database.models import JournalEntry, OfficeSettings, Role, Webhook
from banzuke.office import notices
from banzuke.office.administration.restored_work import stop_restored_work
from banzuke.office.journal import Actor
from banzuke.office.live import webhooks
from banzuke.office.live.go_rules import NotLiveError
from banzuke.office.live.rated_games import newest_number
from banzuke.server import webhook_sender
from banzuke.server.webhook_sender import WebhookSender, post_next

BOSS = Actor("boss")


@pytest.fixture
def pool(db):
    pool = go_pool(("aoi", "2d+", 14_900, 300), ("kei", "3d", 15_300, 59), ("mio", "4k"))
    play(pool, *(game(f"G{number}", number, "aoi", "kei", "W", 0, 7) for number in range(1, 6)))
    return pool


@pytest.fixture
def receiver():
    with Receiver() as found:
        yield found


@pytest.fixture
def hook(pool, receiver):
    return added(pool, receiver)


def added(pool, receiver, after=0):
    made = webhooks.add_webhook(pool, receiver.address, after, BOSS)
    receiver.secret = made.secret
    return made.webhook


def feed(client):
    return {each["number"]: each for each in client.get("/api/v1/pools/go/changes").json()["changes"]}


def post_all(hook):
    """Post as the sender does, which reads the webhook anew each time."""
    while post_next(Webhook.objects.select_related("pool").get(pk=hook.pk)):
        pass
    return Webhook.objects.get(pk=hook.pk)


class TestWhatIsPosted:
    def test_the_feed_in_order_signed(self, client, hook, receiver, monkeypatch):
        monkeypatch.setattr(webhook_sender, "BATCH", 2)
        after = post_all(hook)
        assert (receiver.changes, receiver.wrong, receiver.doubled) == (feed(client), [], 0)
        assert [len(each.numbers) for each in receiver.posted] == [2, 2, 1]
        assert (after.sent, after.upto, after.tries, after.failure) == (max(feed(client)),) * 2 + (0, {})
        body = json.loads(receiver.posted[0].body)
        assert body["type"] == "pool.changes"
        assert body["data"]["pool"] == "go"
        assert body["data"]["next"] == receiver.posted[0].numbers[-1]
        assert "." not in receiver.posted[0].id

    def test_it_is_as_the_description_of_the_api_says(self, client, hook, receiver):
        post_all(hook)
        described = client.get("/api/v1/openapi.json").json()
        told = described["webhooks"]["pool.changes"]["post"]
        schema = told["requestBody"]["content"]["application/json"]["schema"]["properties"]
        body = json.loads(receiver.posted[0].body)
        assert (set(body), set(body["data"])) == (set(schema), set(schema["data"]["properties"]))
        change = schema["data"]["properties"]["changes"]["items"]["$ref"].rpartition("/")[2]
        assert set(body["data"]["changes"][0]) == set(
            described["components"]["schemas"][change]["properties"]
        )
        assert {each["name"] for each in told["parameters"]} <= receiver.posted[0].headers.keys()

    def test_from_now_on(self, client, pool, receiver):
        hook = added(pool, receiver, after=None)
        assert post_all(hook).sent == newest_number(pool)
        assert receiver.posted == []
        play(pool, game("G0", 0, "aoi", "kei", "B", 0, 7))
        post_all(hook)
        assert receiver.changes == {n: each for n, each in feed(client).items() if n > hook.sent}
        assert {each["is_again"] for each in receiver.changes.values()} == {False, True}

    def test_nothing_of_another_pool(self, client, hook, receiver):
        other = go_pool(("ren", "1d"), ("sho", "1d"), slug="other")
        play(other, game("X1", 1, "ren", "sho", "B"))
        post_all(hook)
        assert receiver.changes == feed(client)


class TestFailures:
    def test_the_same_again_until_it_is_taken(self, client, pool, hook, receiver):
        receiver.answers = [500, 503]
        for tries, status in ((1, "500"), (2, "503")):
            found = post_all(hook)
            assert (found.tries, found.sent, found.failure["status"]) == (
                tries,
                0,
                status,
            )
            assert found.due_at > datetime.now(UTC)
            assert found.failing_since is not None
        play(pool, game("G9", 9, "aoi", "mio", "W"))
        found = post_all(hook)
        first, second, third, rest = receiver.posted
        assert first.id == second.id == third.id
        assert first.body == second.body == third.body
        assert rest.numbers == [max(feed(client))]
        assert (found.tries, found.failing_since, found.failure) == (0, None, {})
        assert receiver.changes == feed(client)

    def test_taken_without_an_answer_it_comes_again_and_is_passed_over(self, client, hook, receiver):
        receiver.answers = [0]
        assert post_all(hook).failure["code"] == "network"
        post_all(hook)
        assert (receiver.changes, receiver.wrong, receiver.doubled) == (feed(client), [], 5)

    def test_pauses_grow_up_to_an_hour(self, hook):
        waits = []
        for _ in range(15):
            found = Webhook.objects.get(pk=hook.pk)
            begun = datetime.now(UTC)
            webhooks.note_failure(found, "status", {"status": "500"}, 0, is_gone=False)
            waits.append((Webhook.objects.get(pk=hook.pk).due_at - begun).total_seconds())
        assert 1.7 < waits[0] < 2.5
        assert all(one * 1.5 < two for one, two in pairwise(waits[:10]))
        assert 3200 < waits[-1] < 4000

    @pytest.mark.parametrize(("asked", "least", "most"), [("600", 600, 601), ("9999999", 3600, 3601)])
    def test_a_receiver_is_left_alone_as_long_as_it_asks_for_up_to_an_hour(
        self, hook, receiver, asked, least, most
    ):
        receiver.answers = [(429, {"Retry-After": asked})]
        begun = datetime.now(UTC)
        wait = (post_all(hook).due_at - begun).total_seconds()
        assert least <= wait <= most + 5

    def test_redirects_are_not_followed(self, hook, receiver):
        receiver.answers = [(302, {"Location": receiver.address})]
        assert post_all(hook).failure == {"code": "moved", "status": "302"}
        assert len(receiver.posted) == 1

    def test_the_key_of_another_office(self, hook, receiver, settings, tmp_path):
        settings.HOME = tmp_path
        assert post_all(hook).failure == {"code": "secret"}
        assert receiver.posted == []


class TestSwitchedOff:
    def told(self, monkeypatch):
        told = []
        monkeypatch.setattr(notices, "notify_officers_of_webhook", lambda *facts: told.append(facts))
        return told

    def test_after_days_of_failure(self, pool, hook, receiver, monkeypatch):
        told = self.told(monkeypatch)
        receiver.answers = [500, 500]
        post_all(hook)
        assert told == []
        since = datetime.now(UTC) - webhooks.OFF_AFTER
        Webhook.objects.filter(pk=hook.pk).update(failing_since=since)
        assert post_all(hook).off_at is not None
        assert told == [(pool, hook.pk, "127.0.0.1", since)]
        assert JournalEntry.objects.filter(act="webhook-off", pool=pool).count() == 1
        assert webhooks.due_webhooks(datetime.now(UTC) + timedelta(days=1)) == []

    def test_at_once_if_it_wants_nothing_any_more(self, hook, receiver, monkeypatch):
        told = self.told(monkeypatch)
        receiver.answers = [410]
        assert post_all(hook).off_at is not None
        assert len(told) == 1

    def test_the_officers_who_want_notices_get_a_mail_in_both_languages(
        self, pool, hook, receiver, mailoutbox, django_capture_on_commit_callbacks
    ):
        OfficeSettings.objects.create(sends_notices=True)
        for name, wants in (("wants", True), ("does-not", False)):
            user = User.objects.create_user(name, f"{name}@office.invalid")
            Role.objects.create(user=user, pool=pool, kind=Role.Kind.OFFICER, wants_notices=wants)
        receiver.answers = [410]
        with django_capture_on_commit_callbacks(execute=True):
            post_all(hook)
        (mail,) = mailoutbox
        assert mail.to == ["wants@office.invalid"]
        assert "Results are no longer posted to 127.0.0.1" in mail.subject
        assert "127.0.0.1への結果の送信を止めました" in mail.subject
        assert "/office/go/live/webhooks/" in mail.body
        assert JournalEntry.objects.filter(act="notice-sent", pool=pool).count() == 1

    def test_after_a_restore(self, hook):
        stop_restored_work(datetime.now(UTC))
        assert Webhook.objects.get(pk=hook.pk).off_at is not None

    def test_switched_on_it_goes_on_where_it_ended(self, client, hook, receiver):
        receiver.answers = [410]
        off = post_all(hook)
        webhooks.switch_on(off, BOSS)
        assert [each.pk for each in webhooks.due_webhooks(datetime.now(UTC))] == [hook.pk]
        post_all(hook)
        assert receiver.changes == feed(client)

    def test_what_was_removed_meanwhile_notes_nothing(self, hook, receiver):
        stale = Webhook.objects.select_related("pool").get(pk=hook.pk)
        webhooks.remove_webhook(Webhook.objects.get(pk=hook.pk), BOSS)
        assert not post_next(stale)
        assert not Webhook.objects.exists()

    def test_two_that_post_at_once_note_one_way(self, client, hook, receiver):
        """A second machine's worker: what it posts is doubled, and its place never goes back."""
        slow = Webhook.objects.select_related("pool").get(pk=hook.pk)
        last = post_all(hook)
        assert not post_next(slow)
        assert Webhook.objects.get(pk=hook.pk).sent == last.sent
        assert (receiver.changes, receiver.wrong) == (feed(client), [])


class TestAddresses:
    @pytest.mark.parametrize(
        "address",
        [
            "", "ftp://a.example/", "https://", "https:///x", "https://user:pass@a.example/", "javascript:alert(1)",
            "https://a.example/#x", "https://a.example/ b", "https://a.example:0/", "https://a.example:99999/",
            "https://a.example/\r\nX: y", "https://[::1/", "//a.example", "https://例え.jp/", "https://a.example/" + "x" * 2_000,
        ],
    )  # fmt: skip
    def test_that_are_none(self, pool, address):
        with pytest.raises(webhooks.WebhookAddressError) as error:
            webhooks.add_webhook(pool, address, 0, BOSS)
        assert error.value.sentence("ja") != error.value.sentence("en")
        assert not Webhook.objects.exists()

    @pytest.mark.parametrize(
        "host", ["a.example", "10.0.0.1", "169.254.169.254", "localhost.a.example", "127.0.0.1.a.example"]
    )
    def test_without_tls_only_to_this_machine(self, host, settings):
        with pytest.raises(webhooks.WebhookWithoutTlsError):
            webhooks.check_address(f"http://{host}/")
        settings.WEBHOOKS_HTTP = True
        webhooks.check_address(f"http://{host}/")

    @pytest.mark.parametrize(
        "address",
        [
            "https://a.example",
            "https://a.example:8443/x?y=z",
            "http://localhost:1/",
            "http://127.0.0.9/",
            "http://[::1]/",
        ],
    )
    def test_good_ones(self, address):
        webhooks.check_address(address)

    def test_a_pool_of_chess_has_none(self, db):
        with pytest.raises(NotLiveError):
            webhooks.add_webhook(small_pool(), "https://a.example/", 0, BOSS)

    def test_only_so_many(self, pool, receiver):
        for _ in range(webhooks.MOST):
            added(pool, receiver)
        with pytest.raises(webhooks.TooManyWebhooksError):
            added(pool, receiver)

    def test_the_secret_is_nowhere_as_it_is(self, pool, receiver, caplog):
        caplog.set_level(logging.DEBUG)
        receiver.answers = [500]
        hook = added(pool, receiver)
        post_all(hook)
        bare = receiver.secret.removeprefix("whsec_")
        row = Webhook.objects.values().get()
        journal = list(JournalEntry.objects.values_list("what", flat=True))
        assert bare not in str(row) + str(journal) + caplog.text
        assert "from=office" not in caplog.text + str(journal)
        assert {"webhook": hook.pk, "host": "127.0.0.1"} in journal


class TestTheSender:
    def test_it_begins_with_those_that_lack_something(self, pool, hook, receiver, monkeypatch):
        receiver.answers = []
        lacking, waiting = added(pool, receiver), added(pool, receiver)
        complete = added(pool, receiver, after=None)
        Webhook.objects.filter(pk=waiting.pk).update(due_at=datetime.now(UTC) + timedelta(hours=1))
        Webhook.objects.filter(pk=hook.pk).update(off_at=datetime.now(UTC))
        begun = []
        free = threading.Event()

        def post_all(_, webhook):
            begun.append(webhook.pk)
            free.wait(20)

        monkeypatch.setattr(WebhookSender, "_post_all", post_all)
        sender = WebhookSender(threading.Event())
        sender.look()
        sender.look()  # who is being posted to is left alone
        free.set()
        assert begun == [lacking.pk]
        assert complete.pk != lacking.pk

    def test_nobody_has_turn_after_turn(self, pool, hook, receiver, monkeypatch):
        monkeypatch.setattr(webhook_sender.connections, "close_all", lambda: None)
        monkeypatch.setattr(webhook_sender, "BATCH", 1)
        monkeypatch.setattr(webhook_sender, "TURN", 2)
        other = added(pool, receiver)
        monkeypatch.setattr("webhook_receiver.check", lambda *_: True)
        WebhookSender(threading.Event())._post_all(hook)
        assert len(receiver.posted) == 2
        due = webhooks.due_webhooks(datetime.now(UTC))
        assert [each.pk for each in due] == [other.pk, hook.pk]

    def test_its_threads_end_with_it(self, hook, receiver, monkeypatch):
        monkeypatch.setattr(webhook_sender.connections, "close_all", lambda: None)
        stop = threading.Event()
        stop.set()
        sender = WebhookSender(stop)
        sender._post_all(hook)
        sender.run()
        assert receiver.posted == []

    def test_a_fault_of_the_office_is_none_of_the_receiver(self, hook, receiver, monkeypatch):
        monkeypatch.setattr(webhook_sender.connections, "close_all", lambda: None)
        monkeypatch.setattr(webhook_sender, "AFTER_FAILURE", 0)
        monkeypatch.setattr(webhook_sender, "changes_after", lambda *_: 1 / 0)
        WebhookSender(threading.Event())._post_all(hook)
        assert Webhook.objects.get(pk=hook.pk).failure == {}
        assert webhooks.due_webhooks(datetime.now(UTC)) == []  # others need not wait for it
        [due] = webhooks.due_webhooks(datetime.now(UTC) + webhook_sender.PUT_OFF)
        assert (due, due.tries) == (hook, 0)

    def test_it_goes_on_where_there_is_no_thread_for_a_while(self, hook, receiver, monkeypatch):
        stop, looks = threading.Event(), []

        def look(_):
            looks.append(1)
            if len(looks) == 1:
                raise RuntimeError("can't start new thread")
            stop.set()

        monkeypatch.setattr(webhook_sender, "STEP", 0.01)
        monkeypatch.setattr(webhook_sender, "AFTER_FAILURE", 0)
        monkeypatch.setattr(WebhookSender, "look", look)
        WebhookSender(stop).run()
        assert len(looks) == 2


def test_nobody_is_waited_for_longer_than_the_specification_advises():
    assert 15 <= signed_posts.ANSWERS_WITHIN <= 30


def test_the_signature_is_checked_as_printed(hook, receiver):
    """By the function of docs/live.md, and by nothing that was changed on the way."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "live.md").read_text("utf-8")
    (printed,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    made = {}
    exec(printed, made)
    post_all(hook)
    headers, body = receiver.posted[0].headers, receiver.posted[0].body
    assert made["is_ours"](receiver.secret, headers, body)
    assert not made["is_ours"](receiver.secret, headers, body + b" ")
    assert not made["is_ours"](receiver.secret, headers | {"webhook-id": "x"}, body)
    assert not made["is_ours"](receiver.secret, headers | {"webhook-timestamp": "1700000000"}, body)
    assert not made["is_ours"]("whsec_" + "A" * 44, headers, body)
