"""Mails to who wrote an objection: in their language, sent again where they fail, and given up in the end."""

from __future__ import annotations

import smtplib
from contextlib import nullcontext
from datetime import UTC, date, datetime, timedelta

import pytest
from django.contrib.auth import get_user_model
from django.core.cache import cache
from office.published_office import CHIEF, published

from banzuke.database.models import JournalEntry, Objection, ObjectionMail, OfficeSettings, Role
from banzuke.office.administration.restored_work import stop_restored_work
from banzuke.office.lists import corrections
from banzuke.office.objections import (
    club_answers,
    incoming_objections,
    secret_links,
    writer_acts,
    writer_mails,
)
from banzuke.office.objections.incoming_objections import ObjectionText
from banzuke.office.objections.subjects import find_subject

pytestmark = pytest.mark.django_db
SITE = "https://office.example"
TO = "player@example.org"


@pytest.fixture
def pool():
    cache.clear()
    OfficeSettings.objects.update_or_create(pk=1, defaults={"sends_notices": True})
    return published("japan", 1)


@pytest.fixture
def server_down(monkeypatch):
    """A mail server that answers nobody until it is told to."""
    broken = {"is": True}
    send = writer_mails.notices.EmailMessage

    class Message(send):
        def __init__(self, *args, **words):
            if broken["is"]:
                raise smtplib.SMTPServerDisconnected
            super().__init__(*args, **words)

    monkeypatch.setattr(writer_mails.notices, "EmailMessage", Message)
    return broken


def uncommitted(execute):
    return nullcontext()


def write(pool, commits=uncommitted, language="en", email=TO):
    """An objection to a player's name, whose mail is sent as far as it can be, once it is committed."""
    statement = ObjectionText("The name is wrong", "A. Player", email=email, language=language)
    subject = find_subject(pool, "J001")
    with commits(execute=True):
        return incoming_objections.open_objection(
            pool, subject, None, statement, "192.0.2.1", date(2024, 8, 1), SITE
        )


@pytest.mark.parametrize(
    ("language", "subject", "absent"),
    [("en", "Inquiry {} received", "照会"), ("ja", "照会{}を受け付けました", "Inquiry")],
)
def test_a_mail_is_in_the_language_of_the_page(
    pool, mailoutbox, django_capture_on_commit_callbacks, language, subject, absent
):
    found = write(pool, django_capture_on_commit_callbacks, language)
    (mail,) = mailoutbox
    assert mail.subject == subject.format(found.objection.inquiry_id)
    assert absent not in mail.subject + mail.body
    assert f"{SITE}/objections/{found.token}/" in mail.body
    assert not ObjectionMail.objects.exists()


def test_one_of_before_gets_both(pool, mailoutbox, django_capture_on_commit_callbacks):
    write(pool, django_capture_on_commit_callbacks, "")
    assert "照会" in mailoutbox[0].subject
    assert "Inquiry" in mailoutbox[0].subject


def test_what_fails_is_sent_again_when_it_is_due_and_once(
    pool, mailoutbox, server_down, django_capture_on_commit_callbacks
):
    write(pool, django_capture_on_commit_callbacks)
    mail, now = ObjectionMail.objects.get(), datetime.now(UTC)
    assert mail.tries == 1
    assert writer_mails.send_due_mails(now) == 0
    assert mailoutbox == []
    server_down["is"] = False
    later = now + writer_mails.PAUSES[0] + timedelta(minutes=1)
    assert [writer_mails.send_due_mails(later) for _ in range(2)] == [1, 0]
    assert [mail.to for mail in mailoutbox] == [[TO]]
    assert JournalEntry.objects.filter(act="notice-sent").count() == 1
    assert not JournalEntry.objects.filter(act="notice-failed").exists()


def test_after_the_last_try_it_is_given_up_and_the_journal_says_so(
    pool, mailoutbox, server_down, django_capture_on_commit_callbacks
):
    write(pool, django_capture_on_commit_callbacks)
    now = datetime.now(UTC)
    for pause in writer_mails.PAUSES:
        assert ObjectionMail.objects.count() == 1
        now += pause + timedelta(minutes=1)
        writer_mails.send_due_mails(now)
    assert not ObjectionMail.objects.exists()
    failed = JournalEntry.objects.get(act="notice-failed")
    assert failed.what["failure"] == "SMTPServerDisconnected"
    assert TO not in repr(failed.what)


def test_a_mail_of_a_step_that_was_committed_and_not_sent_is_sent_by_the_worker(pool, mailoutbox):
    """A process that is killed in between leaves the mail behind."""
    write(pool)
    assert mailoutbox == []
    assert writer_mails.send_due_mails(datetime.now(UTC)) == 1
    assert len(mailoutbox) == 1


def test_of_two_processes_one_sends(pool, mailoutbox):
    write(pool)
    seen, now = list(ObjectionMail.objects.all()) * 2, datetime.now(UTC)
    assert [writer_mails._send(mail, now) for mail in seen] == [True, False]
    assert len(mailoutbox) == 1


def test_nothing_is_sent_to_an_address_that_was_forgotten_or_after_notices_were_switched_off(
    pool, mailoutbox, server_down, django_capture_on_commit_callbacks
):
    for forget in (
        lambda: Objection.objects.update(email="", salt="", site=""),
        lambda: OfficeSettings.objects.update(sends_notices=False),
    ):
        server_down["is"] = True
        write(pool, django_capture_on_commit_callbacks, email=TO)
        forget()
        server_down["is"] = False
        assert writer_mails.send_due_mails(datetime.now(UTC) + timedelta(days=1)) == 0
        assert not ObjectionMail.objects.exists()
        Objection.objects.update(sender="of another day")
    assert mailoutbox == []


def test_after_a_restore_no_mail_goes_out_again(pool, server_down, django_capture_on_commit_callbacks):
    write(pool, django_capture_on_commit_callbacks)
    stop_restored_work(datetime.now(UTC))
    assert not ObjectionMail.objects.exists()


def test_a_mail_without_the_link_says_so_when_the_office_has_another_key(
    pool, mailoutbox, django_capture_on_commit_callbacks, settings
):
    found = write(pool, django_capture_on_commit_callbacks)
    settings.SECRET_KEY = "another key of the office, long enough"
    assert secret_links.address_of(found.objection) == ""
    with django_capture_on_commit_callbacks(execute=True):
        corrections.dismiss(found.objection.inquiry, CHIEF, "no")
    assert "the page whose address you kept" in mailoutbox[-1].body
    assert "/objections/" not in mailoutbox[-1].body


def test_each_step_sends_one(pool, mailoutbox, django_capture_on_commit_callbacks):
    found = write(pool, django_capture_on_commit_callbacks).objection
    with django_capture_on_commit_callbacks(execute=True):
        corrections.dismiss(found.inquiry, CHIEF, "no")
        writer_acts.appeal(found, "yes", date(2024, 8, 1))
        writer_acts.withdraw(found)
    number = found.inquiry_id
    assert [mail.subject for mail in mailoutbox] == [
        f"Inquiry {number} received",
        f"Inquiry {number} is decided",
        f"Inquiry {number}: appeal received",
        f"Inquiry {number} is withdrawn",
    ]


def officers(pool):
    """Two officers: one wants notices, one does not."""
    for name, wants in (("wants", True), ("mute", False)):
        user = get_user_model().objects.create_user(name, email=f"{name}@example.org")
        Role.objects.create(user=user, pool=pool, kind="officer", wants_notices=wants)


def test_officers_who_want_notices_are_told_what_came_in(
    pool, mailoutbox, django_capture_on_commit_callbacks
):
    officers(pool)
    found = write(pool, django_capture_on_commit_callbacks, email="").objection
    inquiry = found.inquiry
    with django_capture_on_commit_callbacks(execute=True):
        club_answers.answer(club_answers.ask_club(inquiry, "C01", "Is it so?", CHIEF), "No.", CHIEF)
        corrections.dismiss(inquiry, CHIEF, "no")
        writer_acts.appeal(found, "yes", date(2024, 8, 1))
    assert [mail.to for mail in mailoutbox] == [["wants@example.org"]] * 3
    said = [mail.subject.rpartition(" / ")[2] for mail in mailoutbox]
    assert said == [
        f"Inquiry {inquiry.pk}: {what}"
        for what in (
            "somebody says that something is wrong",
            "the club has answered",
            "the decision is appealed",
        )
    ]
    for mail in mailoutbox:
        assert f"/office/japan/board/inquiries/{inquiry.pk}/" in mail.body
        assert "A. Player" not in mail.subject + mail.body
        assert "The name is wrong" not in mail.subject + mail.body


def test_a_mail_server_that_is_down_keeps_no_objection_out(
    pool, server_down, django_capture_on_commit_callbacks
):
    officers(pool)
    assert write(pool, django_capture_on_commit_callbacks, email="").objection.pk
    assert JournalEntry.objects.get(act="notice-failed").what["what"] == "objection-came"
