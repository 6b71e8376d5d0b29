"""Long acts as jobs: what becomes of them, who may look, and that a killed one may be started again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from web.small_office import client, small_pool

from banzuke.database.book_reader import read_book
from banzuke.database.models import Job, RatingList
from banzuke.office.jobs import job_queue
from banzuke.office.journal import Actor
from banzuke.office.lists.list_index import names_of

pytestmark = pytest.mark.django_db
CHIEF = Actor("chief", "127.0.0.1")


@pytest.fixture
def pool():
    return small_pool()


def wanted(pool, **more):
    return {"list": names_of(read_book(pool))[-1], "today": "2030-01-01"} | more


def test_publishing_as_a_job_publishes_in_the_name_of_who_asked(pool):
    job = job_queue.start("publish", pool, wanted(pool), CHIEF)
    assert (job.state, RatingList.objects.count()) == ("waiting", 0)
    assert job_queue.work_off().pk == job.pk
    job.refresh_from_db()
    assert job.state == "done"
    published = RatingList.objects.order_by("number")
    assert job.result["lists"] == [{"name": each.name, "revision": 0} for each in published]
    assert {each.author for each in published} == {"chief"}
    assert job_queue.work_off() is None


def test_an_act_that_is_refused_says_why_in_both_languages(pool):
    job = job_queue.run(job_queue.start("publish", pool, wanted(pool, today="2001-01-01"), CHIEF))
    assert job.state == "failed"
    assert "is open until" in job.result["refused"]["en"]
    assert "受付" in job.result["refused"]["ja"]
    assert not RatingList.objects.exists()


def test_a_list_that_is_none_is_said_to_be_none(pool):
    job = job_queue.run(job_queue.start("publish", pool, wanted(pool, list="1999-01"), CHIEF))
    assert job.result["refused"]["en"].startswith("There is no list 1999-01; the last ones are 20")


def test_an_unexpected_fault_says_where_it_was_and_not_what_it_held(pool, caplog):
    job = job_queue.run(
        job_queue.start("publish", pool, {"list": "2024-10", "today": "born 2011-02-03"}, CHIEF)
    )
    assert job.state == "failed"
    assert "An unexpected error occurred" in job.result["refused"]["en"]
    assert "ValueError" in caplog.text
    assert "job_kinds.py" in caplog.text
    assert "2011-02-03" not in caplog.text


def test_a_job_is_done_by_one_worker(pool):
    job = job_queue.start("publish", pool, wanted(pool), CHIEF)
    Job.objects.filter(pk=job.pk).update(state="running")
    assert job_queue.run(job).state == "running"
    assert not RatingList.objects.exists()


def test_a_job_that_was_taken_away_meanwhile_is_nobodys(pool):
    job = job_queue.start("publish", pool, wanted(pool), CHIEF)
    Job.objects.filter(pk=job.pk).delete()
    assert job_queue.run(job).state == "waiting"
    assert not RatingList.objects.exists()


def test_a_job_whose_worker_ended_is_interrupted_and_may_be_started_again(pool):
    job = job_queue.start("publish", pool, wanted(pool), CHIEF)
    assert not job_queue.restart(job)
    Job.objects.filter(pk=job.pk).update(state="running", done=3, all=5)
    assert job_queue.interrupt_running() == 1
    assert job_queue.work_off() is None
    job.refresh_from_db()
    assert job.state == "interrupted"
    assert job_queue.restart(job)
    assert job_queue.work_off().state == "done"


def test_a_job_of_which_nothing_was_heard_for_long_is_interrupted(pool):
    job = job_queue.start("publish", pool, wanted(pool), CHIEF)
    heard = datetime(2026, 3, 1, 12, tzinfo=UTC)
    Job.objects.filter(pk=job.pk).update(state="running", beat=heard)
    assert job_queue.interrupt_silent(heard + job_queue.SILENCE) == 0
    assert job_queue.interrupt_silent(heard + job_queue.SILENCE + timedelta(seconds=1)) == 1
    job.refresh_from_db()
    assert job.state == "interrupted"


def test_an_unknown_kind_is_no_job(pool):
    with pytest.raises(KeyError):
        job_queue.start("dance", pool, {}, CHIEF)


class TestPage:
    def test_the_page_of_a_job_shows_where_it_stands_and_asks_again(self, pool):
        job = job_queue.start("publish", pool, wanted(pool), CHIEF)
        officer = client("officer", pool)
        page = officer.get(f"/office/jobs/{job.pk}/").content.decode()
        assert "<h1>Publishing</h1>" in page
        assert "Waiting for its turn." in page
        assert f'hx-get="/office/jobs/{job.pk}/"' in page
        assert '<noscript><meta http-equiv="refresh" content="2"></noscript>' in page
        Job.objects.filter(pk=job.pk).update(state="running", done=3, all=5)
        part = officer.get(f"/office/jobs/{job.pk}/", headers={"hx-request": "true"}).content.decode()
        assert part.startswith("<section")
        assert '<progress id="progress" max="5" value="3"></progress>' in part
        assert "3 of 5 lists" in part

    def test_a_job_that_is_done_shows_its_lists_and_no_longer_asks(self, pool):
        job = job_queue.run(job_queue.start("publish", pool, wanted(pool), CHIEF))
        page = client("officer", pool).get(f"/office/jobs/{job.pk}/").content.decode()
        assert "Done." in page
        assert wanted(pool)["list"] in page
        assert "hx-get" not in page.partition("<main")[2]
        assert "http-equiv" not in page

    def test_a_job_that_is_done_leads_on_where_its_view_wants(self, pool):
        job = job_queue.run(job_queue.start("publish", pool, wanted(pool, next="/japan/"), CHIEF))
        officer = client("officer", pool)
        assert officer.get(f"/office/jobs/{job.pk}/")["Location"] == "/japan/"
        part = officer.get(f"/office/jobs/{job.pk}/", headers={"hx-request": "true"})
        assert part["HX-Redirect"] == "/japan/"

    def test_why_an_act_was_not_done_stands_there_in_the_readers_language(self, pool):
        job = job_queue.run(job_queue.start("publish", pool, wanted(pool, today="2001-01-01"), CHIEF))
        page = client("officer", pool, lang="ja").get(f"/office/jobs/{job.pk}/").content.decode()
        assert "<h1>リストの公表</h1>" in page
        assert "受付は" in page

    def test_only_a_chief_starts_an_interrupted_job_again(self, pool):
        job = job_queue.start("publish", pool, wanted(pool), CHIEF)
        Job.objects.filter(pk=job.pk).update(state="interrupted")
        assert client("officer", pool).post(f"/office/jobs/{job.pk}/again/").status_code == 403
        chief = client("chief", pool)
        assert "Start again" in chief.get(f"/office/jobs/{job.pk}/").content.decode()
        assert chief.get(f"/office/jobs/{job.pk}/again/").status_code == 405
        assert chief.post(f"/office/jobs/{job.pk}/again/")["Location"] == f"/office/jobs/{job.pk}/"
        job.refresh_from_db()
        assert job.state == "waiting"

    def test_officers_of_another_pool_and_reporters_do_not_see_it(self, pool):
        job = job_queue.start("publish", pool, wanted(pool), CHIEF)
        other = small_pool("hakodate")
        assert client("chief", other).get(f"/office/jobs/{job.pk}/").status_code == 403
        assert client("reporter", pool, "C1").get(f"/office/jobs/{job.pk}/").status_code == 403
