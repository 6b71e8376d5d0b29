"""A club that reports a game of a member who is shown by id only is not told the name, whatever it sends."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from repeated import entered_pool
from small_office import client

from banzuke.core import facts
from banzuke.database.book_writer import Act, open_entry
from banzuke.database.models import Contact, Report
from banzuke.formats.report import Report as Reported
from banzuke.formats.report import ReportedEvent, ReportedGame, ReportedPlayer
from banzuke.formats.report_form import form_reader, form_writer
from banzuke.office.fact_rows import standing_rows
from banzuke.office.inbox import reports
from banzuke.office.inbox.review import review_report
from banzuke.office.journal import Actor

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
HIDDEN = "J001"
DAY = date(2025, 5, 5)


@pytest.fixture
def japan(db):
    pool = entered_pool("japan", EXAMPLES / "japan", "test")
    entry = open_entry(pool, Act("test", "change-member"))
    Contact.objects.create(entry=entry, pool=pool, player_id=HIDDEN, by_id_only=True)
    return pool


@pytest.fixture
def names(japan):
    row = standing_rows(japan, facts.Player).get(player_id=HIDDEN)
    assert row.name
    assert row.name_native
    return row.name, row.name_native


@pytest.fixture
def reporter(japan):
    return client("reporter", japan, "C01")


def seen(visitor, report):
    """What the visitor can read of the report: its page, its preview, its files."""
    where = f"/office/japan/inbox/{report.pk}/"
    pages = [visitor.get(where), visitor.get(f"{where}changes/")]
    assert [page.status_code for page in pages] == [200, 200]
    written = form_reader.read(bytes(report.files.get().data), "r").players
    return " ".join(page.content.decode() for page in pages) + str(written)


def test_filling_in_the_form_by_his_id(japan, reporter, names):
    given = {
        "act": "send", "kind": "crosstable", "club": "C01", "size": "2", "event-name": "Evening Open",
        "event-starts": "2025-05-01", "event-ends": "2025-05-01", "event-speed": "rapid", "event-place": "Hakodate",
        "player-1": HIDDEN, "player-2": "J003", "r-1-2": "1",
    }  # fmt: skip
    reporter.post("/office/japan/inbox/form/", given)
    report = Report.objects.get()
    told = seen(reporter, report)
    assert not [name for name in names if name in told]
    assert HIDDEN in told
    other = standing_rows(japan, facts.Player).get(player_id="J003")
    assert other.name in told
    matched = review_report(report, report.starts).events[0].matches
    assert sorted(match.player_id for match in matched) == [HIDDEN, "J003"]


def test_a_file_that_gives_only_ids(japan, reporter, names):
    reported = Reported(
        ReportedEvent("Evening Open", "Hakodate", starts=DAY, ends=DAY),
        (ReportedPlayer(1, "", national_id=HIDDEN), ReportedPlayer(2, "", national_id="J003")),
        (ReportedGame(1, 1, 2, "1-0", DAY),),
    )
    data = form_writer.write_form(reported, players=2, games=1)
    said = {"club": "C01", "event-speed": "standard", "event-base_minutes": "90"}
    reporter.post("/office/japan/inbox/send/", said | {"files": [SimpleUploadedFile("form.xlsx", data)]})
    report = Report.objects.get()
    reports.set_fields(report, {"reported": DAY}, Actor("officer"))
    told = seen(reporter, report)
    assert "By this report" in told, "the preview is there"
    assert not [name for name in names if name in told]
