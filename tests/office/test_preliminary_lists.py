"""Preliminary lists: up to which day, final by themselves or by hand, once, and with what changed in between."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils.timezone import localdate
from office.published_office import CHIEF, TODAY, after, example, inquiry, names
from web.small_office import user

from banzuke.database.book_reader import last_entry
from banzuke.database.models import FinalList, JournalEntry, LogEntry, PreliminaryList
from banzuke.office.jobs import job_queue, planned_publications
from banzuke.office.journal import Actor
from banzuke.office.lists import corrections, preliminary_lists
from banzuke.office.lists.list_index import latest_list
from banzuke.office.lists.publishing import publish
from banzuke.office.pages.list_files import tag
from banzuke.office.refusals import NotPreliminaryError, PreliminaryDayError

pytestmark = pytest.mark.django_db
UNTIL = TODAY + timedelta(days=10)


@pytest.fixture
def pool():
    cache.clear()
    made = example("japan")
    publish(made, names(made)[0], CHIEF, TODAY, preliminary_until=UNTIL)
    return made


def revised(pool):
    """A correction while the list is preliminary."""
    corrections.carry_out(inquiry(pool, after(pool, names(pool)[0], 1)), CHIEF, "a wrong result", TODAY)


def test_a_list_is_preliminary_up_to_the_end_of_its_day_and_then_final_by_itself_once(pool):
    published = latest_list(pool)
    assert preliminary_lists.until_of(published) == UNTIL
    assert preliminary_lists.make_due_lists_final(UNTIL) == 0
    assert [preliminary_lists.make_due_lists_final(UNTIL + timedelta(days=1)) for _ in range(2)] == [1, 0]
    assert preliminary_lists.until_of(published) is None
    assert FinalList.objects.get().author == ""
    assert JournalEntry.objects.filter(act="final").count() == 1
    *_, said, last = [json.loads(one.body) for one in LogEntry.objects.order_by("number")]
    assert (said["kind"], said["preliminary_until"]) == ("list", UNTIL.isoformat())
    assert (last["kind"], last["list"], last["revision"]) == ("final", published.name, 0)


def test_the_page_of_what_was_published_says_until_when_it_is_preliminary(pool):
    client, page = Client(), f"/office/japan/board/published/{names(pool)[0]}/"
    client.force_login(user("chief", pool))
    said = f"preliminary until {UNTIL}, and then final by itself"
    assert said in text_of(client, page)
    preliminary_lists.make_final(pool, names(pool)[0], CHIEF)
    assert said not in text_of(client, page)


def test_it_becomes_final_with_inquiries_open_and_as_the_last_revision(pool):
    first = latest_list(pool)
    revised(pool)
    assert preliminary_lists.until_of(latest_list(pool)) == UNTIL
    corrections.open_inquiry(pool, TODAY, "A. Member", "another result", CHIEF)
    preliminary_lists.make_due_lists_final(UNTIL + timedelta(days=1))
    final = FinalList.objects.get()
    assert (final.list, final.last.revision, final.open) == (first, 1, 1)


def test_by_hand_it_becomes_final_before_its_day_and_only_once(pool):
    name = names(pool)[0]
    assert preliminary_lists.make_final(pool, name, Actor("boss")).author == "boss"
    with pytest.raises(NotPreliminaryError):
        preliminary_lists.make_final(pool, name, Actor("other"))
    assert FinalList.objects.count() == 1


def test_the_second_of_two_who_looked_at_the_same_moment_makes_nothing(pool):
    row = PreliminaryList.objects.select_related("list__pool").get()
    found = [preliminary_lists._become_final(row, CHIEF, "chief") for _ in range(2)]
    assert [one is None for one in found] == [False, True]
    assert JournalEntry.objects.filter(act="final").count() == 1


def test_what_is_interrupted_in_between_leaves_nothing_and_is_done_later(pool, monkeypatch):
    def die(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as killed:
        killed.setattr(preliminary_lists, "append", die)
        with pytest.raises(KeyboardInterrupt):
            preliminary_lists.make_due_lists_final(UNTIL + timedelta(days=1))
    assert not FinalList.objects.exists()
    assert not JournalEntry.objects.filter(act="final").exists()
    assert preliminary_lists.until_of(latest_list(pool)) == UNTIL
    assert preliminary_lists.make_due_lists_final(UNTIL + timedelta(days=1)) == 1


def test_a_clock_that_is_set_back_makes_nothing_preliminary_again(pool):
    preliminary_lists.make_due_lists_final(UNTIL + timedelta(days=1))
    assert preliminary_lists.make_due_lists_final(UNTIL - timedelta(days=300)) == 0
    assert preliminary_lists.until_of(latest_list(pool)) is None
    assert FinalList.objects.count() == 1


def test_a_revision_after_it_became_final_is_final_and_not_in_between(pool):
    name = names(pool)[0]
    preliminary_lists.make_due_lists_final(UNTIL + timedelta(days=1))
    revised(pool)
    assert (latest_list(pool).revision, preliminary_lists.until_of(latest_list(pool))) == (1, None)
    page = text_of(Client(), f"/japan/lists/{name}/final/")
    assert "The list was preliminary until 2030-01-11 and is final since" in page
    assert "Nothing changed in between." in page


def test_a_day_that_is_over_publishes_nothing():
    pool = example("japan")
    with pytest.raises(PreliminaryDayError):
        publish(pool, names(pool)[0], CHIEF, TODAY, preliminary_until=TODAY - timedelta(days=1))
    assert not pool.lists.exists()


def test_a_planned_publication_keeps_the_day():
    pool = example("japan")
    user("chief", pool, name="chief")
    until, hour = localdate() + timedelta(days=3), datetime.now(UTC) + timedelta(hours=1)
    planned = planned_publications.plan(pool, names(pool)[0], last_entry(pool), hour, CHIEF, until)
    with pytest.raises(PreliminaryDayError):
        planned_publications.plan(
            pool, names(pool)[0], last_entry(pool), hour, CHIEF, localdate() - timedelta(days=1)
        )
    type(planned).objects.filter(pk=planned.pk).update(at=datetime.now(UTC))
    planned_publications.start_due_publications(datetime.now(UTC))
    while job_queue.work_off():
        pass
    assert preliminary_lists.until_of(latest_list(pool)) == until


def text_of(client, address):
    return client.get(address).content.decode()


def test_pages_feeds_api_and_files_say_it_until_it_is_final(pool):
    client, name = Client(), names(pool)[0]
    list_page, csv = f"/japan/lists/{name}/standard/", f"/japan/lists/{name}/standard.csv"
    tell = "Preliminary until 2030-01-11. Tell us what is wrong by then"
    assert tell in text_of(client, list_page)
    assert tell in text_of(client, "/japan/lists.atom")
    player = latest_list(pool).rows.first().player_id
    marked = (
        "/",
        "/japan/",
        "/japan/lists/",
        f"/japan/players/{player}/",
        f"/japan/players/{player}/{name}/standard/",
    )
    assert [one for one in marked if "preliminary until 2030-01-11" not in text_of(client, one)] == []
    assert (
        json.loads(text_of(client, f"/api/v1/pools/japan/lists/{name}"))["preliminary_until"] == "2030-01-11"
    )
    assert "preliminary" in client.get(csv)["Content-Disposition"]
    assert json.loads(client.get(csv.replace(".csv", ".json")).content)["preliminary_until"] == "2030-01-11"
    before = tag(latest_list(pool), "pdf", "en"), client.get(list_page)["ETag"]
    assert client.get(f"/japan/lists/{name}/final/").status_code == 404
    preliminary_lists.make_final(pool, name, CHIEF)
    assert tag(latest_list(pool), "pdf", "en") != before[0]
    assert client.get(list_page)["ETag"] != before[1]
    assert [one for one in marked if "preliminary until" in text_of(client, one)] == []
    assert tell not in text_of(client, list_page) + text_of(client, "/japan/lists.atom")
    assert json.loads(text_of(client, f"/api/v1/pools/japan/lists/{name}"))["preliminary_until"] is None
    assert "preliminary" not in client.get(csv)["Content-Disposition"]


def test_a_page_and_the_feed_say_what_changed_in_between(pool):
    client, name = Client(), names(pool)[0]
    revised(pool)
    preliminary_lists.make_final(pool, name, CHIEF)
    page = text_of(client, f"/japan/lists/{name}/final/")
    assert "The list was to be preliminary until 2030-01-11; the office made it final on" in page
    assert "In between it was revised once." in page
    assert "a wrong result" in page
    assert "revision=0&amp;with=1" in page
    assert f"/japan/lists/{name}/final/" in text_of(client, f"/japan/lists/{name}/standard/")
    feed = text_of(client, "/japan/lists.atom?lang=ja")
    assert "が確定しました" in feed
    assert "暫定の間に改訂されました。" in feed


def test_the_officer_is_told_of_open_inquiries_and_a_chief_makes_it_final(pool):
    asked = corrections.open_inquiry(pool, TODAY, "A. Member", "round 3 was drawn", CHIEF)
    client = Client()
    client.force_login(user("chief", pool, name="boss"))
    board = text_of(client, "/office/japan/board/")
    assert f"/inquiries/{asked.pk}/" in board
    assert "round 3 was drawn" in board
    client.post(f"/office/japan/board/preliminary/{names(pool)[0]}/final/")
    assert FinalList.objects.get().author == "boss"


def test_a_list_without_a_day_is_final_at_once():
    pool = example("japan")
    publish(pool, names(pool)[0], CHIEF, TODAY)
    assert preliminary_lists.until_of(latest_list(pool)) is None
    assert preliminary_lists.was_preliminary(latest_list(pool)) is None
