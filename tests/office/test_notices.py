"""Notices by a real mail server on loopback: who gets which, what they say, and a server that fails."""

from __future__ import annotations

from datetime import UTC, date, datetime
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.core.mail.backends.base import BaseEmailBackend
from processes import free_port
from repeated import entered_pool

from banzuke.core import facts
from banzuke.database.models import (
    Invoice,
    JournalEntry,
    OfficeSettings,
    PlannedPublication,
    Pool,
    Report,
    Role,
)
from banzuke.office import notices
from banzuke.office.fact_rows import standing_rows
from banzuke.office.inbox import reports
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.journal import Actor
from banzuke.office.lists.publishing import publish
from banzuke.office.register import event_applications

controller = pytest.importorskip("aiosmtpd.controller")
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
OFFICER, TODAY = Actor("officer"), date(2025, 5, 2)
pytestmark = pytest.mark.django_db


class Letters:
    """What the server was given: receivers and messages."""

    def __init__(self):
        self.got = []

    async def handle_DATA(self, server, session, envelope):  # noqa: N802  # the name that the server calls
        self.got.append((envelope.rcpt_tos, message_from_bytes(envelope.content, policy=policy.default)))
        return "250 OK"


@pytest.fixture
def letters(settings):
    found = Letters()
    server = controller.Controller(found, hostname="127.0.0.1", port=free_port())
    server.start()
    use(settings, server.port)
    yield found.got
    server.stop()


def use(settings, port):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port


@pytest.fixture
def japan():
    pool = entered_pool("japan", EXAMPLES / "japan", "test")
    OfficeSettings.objects.all().delete()
    OfficeSettings.objects.create(sends_notices=True)
    for name, club, wants in (("kato", "C01", True), ("mute", "C01", False), ("other", "C02", True)):
        user = get_user_model().objects.create_user(name, email=f"{name}@example.org")
        Role.objects.create(user=user, pool=pool, kind="reporter", club_id=club, wants_notices=wants)
    nameless = get_user_model().objects.create_user("nameless")
    Role.objects.create(user=nameless, pool=pool, kind="reporter", club_id="C01", wants_notices=True)
    return pool


def report_of(pool):
    data = (EXAMPLES / "hinoki-spring.trf").read_bytes()
    said = {"speed": "standard", "reported": TODAY}
    return receive(pool, [("h.trf", data)], said, Sender(OFFICER, None, "C01", "upload"))


def test_each_decision_is_told_to_who_wants_it_in_both_languages(
    japan, letters, django_capture_on_commit_callbacks
):
    for act, subject in (
        (reports.hold, "報告{0}を保留しています / Report {0} on hold"),
        (reports.send_back, "報告{0}をお返しします / Report {0} sent back"),
    ):
        report = report_of(japan)
        with django_capture_on_commit_callbacks(execute=True):
            act(report, OFFICER, "born 1990-01-01")
        receivers, mail = letters.pop()
        assert (receivers, letters) == (["kato@example.org"], [])
        assert mail["Subject"].strip() == subject.format(report.pk)
        text = mail.get_content()
        assert text.startswith("Example Chess Federation\r\n\r\n報告")
        assert "Hinoki Spring Match" in text
        assert f"/office/japan/inbox/{report.pk}/" in text
        assert "1990" not in text


def test_accepted_and_rated(japan, letters, django_capture_on_commit_callbacks):
    report = report_of(japan)
    with django_capture_on_commit_callbacks(execute=True):
        reports.accept(report, OFFICER, TODAY)
    with django_capture_on_commit_callbacks(execute=True):
        publish(japan, "2025-06", OFFICER, date(2025, 6, 1))
    subjects = [mail["Subject"].rpartition(" / ")[2] for _, mail in letters]
    assert subjects == [f"Report {report.pk} accepted", f"Report {report.pk} is in list 2025-06"]
    assert letters[-1][1]["Subject"].lstrip().startswith(f"報告{report.pk}がリスト2025年6月に載りました / ")
    noted = JournalEntry.objects.filter(act="notice-sent").order_by("pk")
    assert [row.what for row in noted] == [
        {"report": report.pk, "what": what, "receivers": 1} for what in ("accepted", "rated")
    ]


def test_a_list_of_one_event_is_called_by_it(letters, django_capture_on_commit_callbacks):
    pool = entered_pool("hakodate", EXAMPLES / "hakodate", "test")
    user = get_user_model().objects.create_user("chief", email="chief@example.org")
    Role.objects.create(user=user, pool=pool, kind="chief")
    event = standing_rows(pool, facts.Event).first()
    planned = PlannedPublication(pool=pool, list=event.event_id, author="chief", at=datetime.now(UTC))
    OfficeSettings.objects.update_or_create(pk=1, defaults={"sends_notices": True})
    with django_capture_on_commit_callbacks(execute=True):
        notices.notify_of_publication(planned, "publication-stopped")
    _, mail = letters.pop()
    assert f"List {event.name} was not published" in mail["Subject"]


def test_nothing_is_sent_where_notices_are_off(japan, letters, django_capture_on_commit_callbacks):
    OfficeSettings.objects.update(sends_notices=False)
    with django_capture_on_commit_callbacks(execute=True):
        reports.refuse(report_of(japan), OFFICER, "no")
    assert letters == []


def test_a_server_that_fails_breaks_nothing_and_is_noted(japan, settings, django_capture_on_commit_callbacks):
    use(settings, free_port())
    report = report_of(japan)
    with django_capture_on_commit_callbacks(execute=True):
        reports.refuse(report, OFFICER, "no")
    assert Report.objects.get().state == "refused"
    noted = JournalEntry.objects.get(act="notice-failed")
    facts = {"report": report.pk, "what": "refused", "receivers": 1}
    assert noted.what == facts | {"failure": "ConnectionRefusedError"}


class FailingBackend(BaseEmailBackend):
    """Fails as a library or a text does, not as a server."""

    def send_messages(self, _messages):
        raise RuntimeError("born 1990-01-01")


def test_whatever_fails_at_a_mail_breaks_nothing_and_is_noted(
    japan, letters, settings, django_capture_on_commit_callbacks
):
    def refuse():
        with django_capture_on_commit_callbacks() as callbacks:
            reports.refuse(report_of(japan), OFFICER, "no")
        for callback in callbacks:
            callback()

    get_user_model().objects.filter(username="kato").update(email="kato@example.org\nBcc: all@example.org")
    refuse()
    settings.EMAIL_BACKEND = f"{__name__}.FailingBackend"
    refuse()
    settings.EMAIL_BACKEND = "no.such.Backend"
    refuse()
    rows = JournalEntry.objects.filter(act="notice-failed").order_by("pk")
    failures = [row.what["failure"] for row in rows if row.what["what"] == "refused"]
    assert failures == ["ValueError", "RuntimeError", "ModuleNotFoundError"]
    assert letters == []


def test_what_sends_has_a_name_for_the_log(japan, monkeypatch, django_capture_on_commit_callbacks):
    """Should anything else fail, Django logs by that name; without one the page would fail."""
    monkeypatch.setattr(notices, "note", None)
    report = report_of(japan)
    with django_capture_on_commit_callbacks(execute=True):
        reports.accept(report, OFFICER, TODAY)
    with django_capture_on_commit_callbacks(execute=True):
        publish(japan, "2025-06", OFFICER, date(2025, 6, 1))
    assert Report.objects.get().state == "accepted"


def test_signs_that_nobody_sees_or_that_turn_a_text_round_are_left_out(
    japan, letters, monkeypatch, django_capture_on_commit_callbacks
):
    report = report_of(japan)
    hostile = "\u202eHinoki\u2066 \x1b[31mSpring\u200b\u2028Bcc: all@example.org"
    Report.objects.update(title=hostile)
    monkeypatch.setattr(Pool, "name", f"Example\u202e\nSubject: x{chr(0x7F)}")
    report.refresh_from_db()
    with django_capture_on_commit_callbacks(execute=True):
        reports.hold(report, OFFICER, hostile)
    _, mail = letters.pop()
    text = mail.get_content()
    assert text.startswith("Example Subject: x\r\n\r\n報告")
    assert "(Hinoki [31mSpring Bcc: all@example.org)" in text
    assert text.replace("\r\n", "").isprintable()


def test_grants_and_invoices_are_told_and_a_report_that_arrives(
    japan, letters, django_capture_on_commit_callbacks
):
    wanted = {"name": "Hinoki Spring Match", "organiser": "C01", "place": "", "responsible": "KATO Jiro"}
    wanted |= {"speed": "standard", "fide_rated": False, "applied": date(2025, 4, 1), "notified": None}
    wanted |= {"starts": date(2025, 4, 26), "ends": date(2025, 4, 27)}
    with django_capture_on_commit_callbacks(execute=True):
        asked = event_applications.apply(japan, wanted, Actor("kato"))
    assert letters == []
    with django_capture_on_commit_callbacks(execute=True):
        event_applications.decide(japan, asked.pk, OFFICER, "", grant=True)
        other = event_applications.apply(japan, wanted | {"name": "Other"}, Actor("kato"))
        event_applications.decide(japan, other.pk, OFFICER, "the hall", grant=False)
        report = report_of(japan)
        made = Invoice.objects.create(
            pool=japan,
            number=1,
            club_id="C01",
            window="2025-06",
            amount=2400,
            lines=[],
            at=asked_at(),
            author="x",
        )
        notices.notify_of_invoice(made)
    subjects = [mail["Subject"].rpartition(" / ")[2] for _, mail in letters]
    assert subjects == [
        "Granted: Hinoki Spring Match",
        "Not granted: Other",
        f"Report {report.pk} arrived",
        "Invoice No. 1",
    ]
    assert all(to == ["kato@example.org"] for to, _ in letters)
    assert f"/office/japan/register/events/{asked.pk}/" in letters[0][1].get_content()
    assert "the hall" not in letters[1][1].get_content()
    assert "2,400 yen" in letters[3][1].get_content()


def asked_at():
    return datetime(2025, 6, 1, tzinfo=UTC)


def test_a_bad_address_keeps_nobody_else_from_the_notice(japan, letters, django_capture_on_commit_callbacks):
    for name, email in (("a-bad", "a-bad@example.org\nBcc: all@example.org"), ("zeno", "zeno@example.org")):
        user = get_user_model().objects.create_user(name, email=email)
        Role.objects.create(user=user, pool=japan, kind="reporter", club_id="C01", wants_notices=True)
    report = report_of(japan)
    with django_capture_on_commit_callbacks(execute=True):
        reports.refuse(report, OFFICER, "no")
    assert [to for to, _ in letters] == [["kato@example.org"], ["zeno@example.org"]]
    about = {"report": report.pk, "what": "refused"}
    assert JournalEntry.objects.get(act="notice-sent").what == about | {"receivers": 2}
    assert JournalEntry.objects.get(act="notice-failed").what == about | {
        "receivers": 1,
        "failure": "ValueError",
    }
