"""An event that does not take place: who may say so and when, what everybody sees, and taking it back."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.utils.timezone import localdate
from small_office import client, small_pool, visitor

from banzuke.database.models import OfficeSettings, Role, Sanction
from banzuke.office import club_desk
from banzuke.office.application_progress import progress_of_sanctions
from banzuke.office.event_cancelling import NotCancelledError, cancel, resume
from banzuke.office.event_progress import State, Turn
from banzuke.office.inbox import reports
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.journal import Actor
from banzuke.office.pages.event_calendar import event_calendar
from banzuke.office.register import event_applications

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CLUB, OFFICER, TODAY = Actor("kato"), Actor("officer"), date(2025, 4, 20)
pytestmark = pytest.mark.django_db


@pytest.fixture
def japan():
    return small_pool("japan")


def asked_event(pool, *, grant=True, starts=date(2025, 4, 26)):
    wanted = {
        "name": "Hinoki Spring Match", "organiser": "C01", "place": "Hinoki", "responsible": "KATO Jiro",
        "speed": "standard", "fide_rated": False,  "starts": starts, "ends": starts + timedelta(days=1),
        "applied": date(2025, 4, 1), "notified": None,
    }  # fmt: skip
    asked = event_applications.apply(pool, wanted, CLUB)
    if grant:
        event_applications.decide(pool, asked.pk, OFFICER, "", grant=True)
    return Sanction.objects.get(pk=asked.pk)


def state(pool, application):
    application.refresh_from_db()
    found = progress_of_sanctions(pool, [application])[0]
    return found.state, found.turn


def test_a_granted_event_is_cancelled_and_takes_place_after_all(japan):
    granted = asked_event(japan)
    cancel(japan, granted.pk, CLUB, "too few entrants")
    assert state(japan, granted) == (State.CANCELLED, Turn.NOBODY)
    (shown,) = event_calendar(japan, TODAY).coming
    assert shown.progress.state is State.CANCELLED
    (on_desk,) = club_desk.club_desk(japan, ["C01"], date(2025, 5, 20)).events
    assert (on_desk.is_over, on_desk.todos) == (True, [])
    assert club_desk.granted_to_report(japan, {"C01"}) == []
    assert event_applications.granted_fields(japan, event_applications.AboutEvent(granted.event_id)) == {}
    with pytest.raises(NotCancelledError):
        cancel(japan, granted.pk, CLUB, "once more")
    resume(japan, granted.pk, CLUB)
    assert state(japan, granted) == (State.GRANTED, Turn.CLUB)
    assert [step.state for step in granted.steps.order_by("pk")] == [
        "asked", "granted", "cancelled", "granted",
    ]  # fmt: skip
    assert len(event_calendar(japan, TODAY).coming) == 1
    with pytest.raises(NotCancelledError):
        resume(japan, granted.pk, CLUB)


def test_an_application_taken_back_was_never_in_the_calendar(japan):
    asked = asked_event(japan, grant=False)
    cancel(japan, asked.pk, CLUB, "another weekend")
    assert not event_calendar(japan, TODAY).coming
    with pytest.raises(event_applications.AlreadyDecidedError):
        event_applications.decide(japan, asked.pk, OFFICER, "", grant=True)
    resume(japan, asked.pk, CLUB)
    assert state(japan, asked) == (State.APPLIED, Turn.OFFICE)


def test_an_event_whose_report_is_here_is_not_cancelled(japan):
    granted = asked_event(japan)
    data = (EXAMPLES / "hinoki-spring.trf").read_bytes()
    report = receive(japan, [("h.trf", data)], {}, Sender(CLUB, None, "C01", "upload"))
    with pytest.raises(NotCancelledError):
        cancel(japan, granted.pk, CLUB, "too few entrants")
    reports.withdraw(report, CLUB)
    cancel(japan, granted.pk, CLUB, "too few entrants")
    assert state(japan, granted) == (State.CANCELLED, Turn.NOBODY)


class TestPages:
    """The application's page, the calendar and its file, and the desk."""

    def test_a_club_cancels_by_its_desk(self, japan, mailoutbox, django_capture_on_commit_callbacks):
        granted = asked_event(japan, starts=localdate() + timedelta(days=7))
        club, where = client("reporter", japan, "C01"), f"/office/japan/register/events/{granted.pk}/"
        get_user_model().objects.update(email="kato@example.org")
        Role.objects.update(wants_notices=True)
        OfficeSettings.objects.all().delete()
        OfficeSettings.objects.create(sends_notices=True)
        assert f"{where}#cancel" in club.get("/office/japan/club/").content.decode()
        answer = club.post(f"{where}cancel/", {"decision": "cancel", "why": " "}, follow=True)
        assert "Say why it does not take place" in answer.content.decode()
        with django_capture_on_commit_callbacks(execute=True):
            club.post(f"{where}cancel/", {"decision": "cancel", "why": "too few <entrants>"})
        assert [letter.subject.rpartition(" / ")[2] for letter in mailoutbox] == [
            "Cancelled: Hinoki Spring Match"
        ]
        page = club.get(where).content.decode()
        assert "too few &lt;entrants&gt;" in page
        assert "It takes place after all" in page
        public = visitor().get("/japan/calendar/").content.decode()
        assert "cancelled" in public
        assert "too few" not in public
        assert b"STATUS:CANCELLED" in visitor().get("/japan/calendar.ics").content
        club.post(f"{where}cancel/", {"decision": "resume"})
        assert b"STATUS:CANCELLED" not in visitor().get("/japan/calendar.ics").content

    def test_another_club_does_not(self, japan):
        granted = asked_event(japan)
        other = client("reporter", japan, "C02")
        sent = {"decision": "cancel", "why": "ours is better"}
        assert other.post(f"/office/japan/register/events/{granted.pk}/cancel/", sent).status_code == 404
        assert state(japan, granted)[0] is State.GRANTED
