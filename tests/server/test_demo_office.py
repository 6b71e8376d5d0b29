"""The demo's own report sent, accepted and published by the office, as of days of several kinds."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from banzuke.database.models import Pool, RatingList, Report
from banzuke.office.demo import find_demo, progress_of
from banzuke.office.event_progress import State
from banzuke.office.inbox import reports
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.inbox.review import review_report
from banzuke.office.journal import Actor
from banzuke.office.lists.coming_list import find_coming_list
from banzuke.office.lists.publishing import publish
from banzuke.server import demo_office

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / demo_office.CURRENT
CLUB, OFFICER, CHIEF = (Actor(name) for name in ("reporter", "officer", "chief"))
pytestmark = [pytest.mark.slow, pytest.mark.django_db]


@pytest.mark.parametrize(
    ("today", "acts_on"),
    [
        (date(2026, 11, 23), date(2026, 11, 23)),
        (date(2028, 2, 29), date(2028, 2, 29)),
        (date(2026, 12, 31), date(2027, 2, 10)),  # kept, and opened again weeks later
    ],
)
def test_the_report_comes_to_stand_in_the_list(today, acts_on, tmp_path, settings):
    settings.HOME = tmp_path
    demo_office.fill([EXAMPLE], today)
    demo = find_demo()
    pool = Pool.objects.get(slug=demo.pool)
    assert progress_of(demo).state is State.GRANTED
    assert find_coming_list(pool, acts_on).name == demo.list
    report = receive(pool, [(demo.mail, demo.file.read_bytes())], {}, Sender(CLUB, None, "C01", "upload"))
    found = review_report(report, acts_on)
    assert {problem.fault.code for problem in found.problems} == {"warn-missing", "inbox-forfeits"}
    reports.accept(report, OFFICER, acts_on, "")
    assert progress_of(demo).state is State.ACCEPTED
    assert Report.objects.get().state == Report.State.ACCEPTED
    publish(pool, demo.list, CHIEF, acts_on)
    assert progress_of(demo).state is State.RATED
    rows = RatingList.objects.get(pool=pool, name=demo.list).rows.filter(speed="standard")
    assert {row.player_id for row in rows.exclude(change=0)} >= {"J001", "J003", "J006"}
