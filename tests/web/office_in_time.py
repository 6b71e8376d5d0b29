"""An office whose last list can still be corrected: the example goes on until today, with a club's report.

The report came with its file, from a club that has a user, and its event is in a list that is preliminary.
"""

from __future__ import annotations

from datetime import timedelta
from email import message_from_bytes, policy
from pathlib import Path

from django.contrib.auth import get_user_model
from django.utils.timezone import localdate
from small_office import user

from banzuke.ledger.folder import read_chess_ledger
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.inbox.reports import accept
from banzuke.office.journal import Actor
from banzuke.office.lists.publishing import publish
from banzuke.server import demo_office, demo_present

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CHIEF = Actor("chief")
#: So long the last list is preliminary.
PRELIMINARY = timedelta(days=7)


def fill():
    """Enter, publish, receive, accept and publish again; users: kato (of the club), officer, chief, other."""
    today = localdate()
    folder = EXAMPLES / demo_office.CURRENT
    present = demo_present.present_demo(read_chess_ledger(folder), today)
    pool = demo_office._enter(folder, present.ledger)
    publish(pool, present.published.name, CHIEF, today)
    report = demo_present.example_report((EXAMPLES / demo_office.REPORT).read_text("utf-8"), present.coming)
    reporter = user("reporter", pool, demo_office.CLUB, name="kato")
    sender = Sender(Actor("kato"), get_user_model().objects.get(pk=reporter.pk), demo_office.CLUB, "web")
    received = receive(pool, [(demo_present.FILE, _trf(report.mail))], _said(report), sender)
    accept(received, CHIEF, today)
    publish(pool, present.coming.name, CHIEF, today, preliminary_until=today + PRELIMINARY)
    for name, kind in (("officer", "officer"), ("chief", "chief"), ("other", "chief")):
        user(kind, pool, name=name)
    return pool


def _trf(mail):
    part = next(message_from_bytes(mail, policy=policy.default).iter_attachments())
    return part.get_content().encode()


def _said(report):
    return {"organiser": demo_office.CLUB, "reported": report.reported}
