"""Lists published at an hour: done once, in the officer's name, and not where something stands in the way."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.utils.timezone import localtime
from office.published_office import CHIEF, example, names
from web.small_office import user

from banzuke.core import facts
from banzuke.database.book_reader import MissingBookError, last_entry
from banzuke.database.models import Job, JournalEntry, OfficeSettings, PlannedPublication
from banzuke.office.jobs import job_queue
from banzuke.office.jobs import planned_publications as planned
from banzuke.office.journal import Actor
from banzuke.office.lists.preliminary_lists import days_of
from banzuke.office.lists.publishing import publish
from banzuke.office.refusals import AlreadyPlannedError, NothingPlannedError, PastHourError
from banzuke.office.register import members
from banzuke.words import LANGUAGES

pytestmark = pytest.mark.django_db
SOON = timedelta(hours=1)


@pytest.fixture
def pool():
    made = example("japan")
    user("chief", made, name="chief")
    return made


def now():
    return datetime.now(UTC)


def plan(pool, late=timedelta(0)):
    """What is due since a moment, or since longer."""
    made = planned.plan(pool, names(pool)[0], last_entry(pool), now() + SOON, CHIEF)
    PlannedPublication.objects.filter(pk=made.pk).update(at=now() - late)
    return made


def worked_off(made):
    """What became of it."""
    while job_queue.work_off():
        pass
    made.refresh_from_db()
    return made.state


def test_it_waits_for_its_hour_and_is_published_once_in_the_officer_s_name(pool):
    made = planned.plan(pool, names(pool)[0], last_entry(pool), now() + SOON, CHIEF)
    assert planned.start_due_publications(now()) == 0
    PlannedPublication.objects.filter(pk=made.pk).update(at=now())
    assert (planned.start_due_publications(now()), planned.start_due_publications(now())) == (1, 0)
    assert worked_off(made) == "done"
    assert [(each.name, each.author) for each in pool.lists.all()] == [(names(pool)[0], "chief")]
    assert JournalEntry.objects.get(act="publish").who == "chief"
    assert not JournalEntry.objects.filter(act="caught-up").exists()


def test_a_missed_hour_is_caught_up_once_and_said(pool):
    made = plan(pool, late=timedelta(days=1))
    planned.start_due_publications(now())
    assert worked_off(made) == "done"
    assert JournalEntry.objects.filter(act="caught-up").count() == 1
    assert planned.start_due_publications(now()) == 0


def test_what_was_entered_since_stops_it(pool, mailoutbox):
    made = plan(pool)
    members.add(pool, facts.Player("NEW1", "NEW One"), members.ContactDetails(), Actor("another"))
    planned.start_due_publications(now())
    assert worked_off(made) == "stopped"
    assert not pool.lists.exists()
    assert "another" in made.refused["en"]
    assert JournalEntry.objects.filter(act="publication-stopped").count() == 1
    assert planned.start_due_publications(now()) == 0


def test_a_rule_book_that_is_gone_stops_it_and_is_named(pool, monkeypatch):
    def gone(*_):
        raise MissingBookError(["gone-2030"])

    made = plan(pool)
    monkeypatch.setattr(planned, "_publish", gone)
    planned.start_due_publications(now())
    assert worked_off(made) == "stopped"
    assert all("gone-2030" in made.refused[lang] for lang in LANGUAGES)


def test_who_planned_it_hears_of_it_by_mail(pool, mailoutbox, django_capture_on_commit_callbacks):
    OfficeSettings.objects.update_or_create(pk=1, defaults={"sends_notices": True})
    User.objects.filter(username="chief").update(email="chief@example.org")
    made = plan(pool)
    members.add(pool, facts.Player("NEW1", "NEW One"), members.ContactDetails(), Actor("another"))
    planned.start_due_publications(now())
    with django_capture_on_commit_callbacks(execute=True):
        assert worked_off(made) == "stopped"
    (mail,) = mailoutbox
    assert mail.to == ["chief@example.org"]
    assert "/office/japan/board/" in mail.body
    at = localtime(made.at)
    assert f"{at.year}年{at.month}月{at.day}日 {at:%H:%M}に" in mail.body
    assert f" at {at:%Y-%m-%d %H:%M} by " in mail.body


def test_who_may_no_longer_publish_does_not(pool):
    made = plan(pool)
    pool.roles.all().delete()
    planned.start_due_publications(now())
    assert worked_off(made) == "stopped"
    assert not pool.lists.exists()


def test_of_two_workers_one_takes_over_what_was_left(pool, monkeypatch):
    made = plan(pool)
    planned.start_due_publications(now())
    Job.objects.update(state=Job.State.INTERRUPTED)
    made.refresh_from_db()
    assert (planned._start(made), planned._start(made)) == (True, False)
    assert Job.objects.count() == 2
    assert worked_off(made) == "done"
    assert pool.lists.count() == 1


def test_two_workers_at_it_at_once_publish_once_and_both_say_so(pool, monkeypatch):
    made = plan(pool)
    planned.start_due_publications(now())

    def second_worker(*args):  # believes that the first is gone, and is faster
        monkeypatch.setattr(planned, "publish", publish)
        job_queue.interrupt_running()
        assert planned.start_due_publications(now()) == 1
        job_queue.work_off()
        return publish(*args)

    monkeypatch.setattr(planned, "publish", second_worker)
    assert worked_off(made) == "done"
    assert [job.state for job in Job.objects.all()] == ["done", "done"]
    assert pool.lists.count() == 1
    assert not JournalEntry.objects.filter(act="publication-stopped").exists()


def test_both_refused_it_is_told_once(pool, monkeypatch):
    made = plan(pool)
    members.add(pool, facts.Player("NEW1", "NEW One"), members.ContactDetails(), Actor("another"))
    planned.start_due_publications(now())

    def second_worker(*args):
        monkeypatch.setattr(planned, "publish", publish)
        job_queue.interrupt_running()
        planned.start_due_publications(now())
        job_queue.work_off()
        return publish(*args)

    monkeypatch.setattr(planned, "publish", second_worker)
    assert worked_off(made) == "stopped"
    assert JournalEntry.objects.filter(act="publication-stopped").count() == 1


@pytest.mark.parametrize("state", ["cancelled", "stopped", "done"])
def test_what_ended_before_its_job_began_is_not_published(pool, state):
    made = plan(pool)
    planned.start_due_publications(now())
    PlannedPublication.objects.filter(pk=made.pk).update(state=state)
    assert worked_off(made) == state
    assert not pool.lists.exists()
    assert Job.objects.get().state == Job.State.FAILED


def test_until_its_job_begins_it_may_be_cancelled(pool):
    made = plan(pool)
    planned.start_due_publications(now())
    planned.cancel(made, CHIEF)
    assert worked_off(made) == "cancelled"
    assert not pool.lists.exists()
    planned.plan(pool, names(pool)[0], last_entry(pool), now() + SOON, CHIEF)


@pytest.mark.parametrize("fails", ["note", "notices.notify_of_publication", "_end"])
def test_what_cannot_be_told_is_over_all_the_same(pool, monkeypatch, fails):
    made = plan(pool)
    pool.roles.all().delete()
    planned.start_due_publications(now())
    with monkeypatch.context() as patch:
        patch.setattr(f"banzuke.office.jobs.planned_publications.{fails}", broken)
        worked_off(made)
    planned.start_due_publications(now())
    made.refresh_from_db()
    assert made.state == "stopped"
    assert set(made.refused) == set(LANGUAGES)
    assert not pool.lists.exists()


def broken(*_args, **_facts):
    raise OSError("disk full")


def test_published_but_not_said_so_it_is_done(pool, monkeypatch):
    made = plan(pool)
    planned.start_due_publications(now())
    with monkeypatch.context() as patch:
        patch.setattr(planned, "_end", broken)
        assert worked_off(made) == "running"
    planned.start_due_publications(now())
    made.refresh_from_db()
    assert made.state == "done"


def test_one_at_a_time_not_for_a_past_hour_and_not_cancelled_twice(pool):
    with pytest.raises(PastHourError):
        planned.plan(pool, names(pool)[0], last_entry(pool), now(), CHIEF)
    made = plan(pool)
    with pytest.raises(AlreadyPlannedError):
        planned.plan(pool, names(pool)[1], last_entry(pool), now() + SOON, CHIEF)
    planned.cancel(made, CHIEF)
    with pytest.raises(NothingPlannedError):
        planned.cancel(made, CHIEF)
    assert planned.start_due_publications(now()) == 0


def test_under_way_it_is_not_cancelled(pool):
    made = plan(pool)
    planned.start_due_publications(now())
    Job.objects.update(state=Job.State.RUNNING)
    with pytest.raises(NothingPlannedError):
        planned.cancel(made, CHIEF)


def test_what_ends_its_worker_twice_is_given_up(pool):
    made = plan(pool)
    for _ in range(2):
        assert planned.start_due_publications(now()) == 1
        Job.objects.filter(state=Job.State.WAITING).update(state=Job.State.RUNNING)
        job_queue.interrupt_running()
    assert planned.start_due_publications(now()) == 0
    assert worked_off(made) == "stopped"
    assert "was ended twice" in made.refused["en"]
    assert set(made.refused) == set(LANGUAGES)
    assert JournalEntry.objects.filter(act="publication-stopped").count() == 1
    assert not pool.lists.exists()
    again = plan(pool)  # what another plan met does not count
    planned.start_due_publications(now())
    assert worked_off(again) == "done"


def test_interrupted_after_it_was_published_it_is_done(pool):
    made = plan(pool)
    for _ in range(2):
        planned.start_due_publications(now())
        Job.objects.filter(state=Job.State.WAITING).update(state=Job.State.INTERRUPTED)
    publish(pool, made.list, CHIEF, now().date())
    planned.start_due_publications(now())
    made.refresh_from_db()
    assert (made.state, Job.objects.count()) == ("done", 2)


@pytest.mark.parametrize("was_done", [False, True])
def test_what_a_killed_worker_left_may_be_cancelled_unless_it_is_published(pool, was_done):
    made = plan(pool)
    planned.start_due_publications(now())
    Job.objects.update(state=Job.State.INTERRUPTED)
    if was_done:
        publish(pool, made.list, CHIEF, now().date())
        with pytest.raises(NothingPlannedError):
            planned.cancel(made, CHIEF)
        return
    planned.cancel(made, CHIEF)
    assert planned.start_due_publications(now()) == 0
    assert worked_off(made) == "cancelled"


@pytest.mark.parametrize("author", ["chief", "another"])
def test_a_plan_whose_list_was_published_by_hand_ends_without_a_word(pool, author):
    made = planned.plan(pool, names(pool)[0], last_entry(pool), now() + SOON, CHIEF)
    publish(pool, made.list, Actor(author), now().date())
    PlannedPublication.objects.update(at=now())
    planned.start_due_publications(now())
    assert worked_off(made) == "cancelled"
    assert (made.ended_by, made.refused) == (author, None)
    assert Job.objects.get().state == Job.State.DONE
    assert not JournalEntry.objects.filter(act__in=("publication-stopped", "caught-up")).exists()


@pytest.mark.parametrize("is_stale", [False, True])
def test_publishing_now_cancels_the_plan_once_it_is_done(pool, is_stale):
    made = planned.plan(pool, names(pool)[0], last_entry(pool), now() + SOON, CHIEF)
    wanted = {"list": made.list, "position": made.position, "today": now().date().isoformat()}
    if is_stale:
        members.add(pool, facts.Player("NEW1", "NEW One"), members.ContactDetails(), Actor("another"))
    job = job_queue.run(job_queue.start("publish", pool, wanted, Actor("another")))
    made.refresh_from_db()
    assert (job.state, made.state) == (("failed", "waiting") if is_stale else ("done", "cancelled"))
    assert JournalEntry.objects.filter(act="cancel-publication").exists() is not is_stale


def test_missed_beyond_its_preliminary_day_it_is_final_and_that_is_said(
    pool, mailoutbox, django_capture_on_commit_callbacks
):
    OfficeSettings.objects.update_or_create(pk=1, defaults={"sends_notices": True})
    User.objects.filter(username="chief").update(email="chief@example.org")
    made = plan(pool, late=timedelta(days=3))
    PlannedPublication.objects.update(preliminary_until=now().date() - timedelta(days=2))
    planned.start_due_publications(now())
    with django_capture_on_commit_callbacks(execute=True):
        assert worked_off(made) == "done"
    assert pool.lists.count() == 1
    assert not days_of(pool)
    (mail,) = mailoutbox
    assert "was over, so it is final." in mail.body


@pytest.mark.parametrize("was_done", [False, True])
def test_a_worker_that_was_killed_has_its_successor_do_it(pool, was_done):
    made = plan(pool)
    planned.start_due_publications(now())
    Job.objects.update(state=Job.State.RUNNING)
    if was_done:
        publish(pool, made.list, CHIEF, now().date())
    job_queue.interrupt_running()
    assert planned.start_due_publications(now()) == 1
    assert worked_off(made) == "done"
    assert pool.lists.count() == 1
