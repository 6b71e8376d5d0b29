"""What a club learns by reporting: no name of a member shown by id only, no birth date, not who anybody is."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from repeated import entered_pool
from small_office import client

from banzuke.core import facts
from banzuke.database.book_writer import Act, open_entry
from banzuke.database.models import Contact, Report
from banzuke.exchange.player_identities import Decision
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
    """What the visitor can read of the report: its page, its files; the preview is the officers'."""
    where = f"/office/japan/inbox/{report.pk}/"
    page = visitor.get(where)
    assert (page.status_code, visitor.get(f"{where}changes/").status_code) == (200, 403)
    written = form_reader.read(bytes(report.files.get().data), "r").players
    return page.content.decode() + str(written)


def test_filling_in_the_form_by_id(japan, reporter, names):
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
    assert not [name for name in names if name in told]


NAME, BORN = "FUJIWARA Yuto", date(1998, 4, 2)


def guess(visitor, pool, *players):
    """Send a report of games of J003 against players who are guessed at. Returns the report."""
    others = tuple(one._replace(number=number) for number, one in enumerate(players, 2))
    reported = Reported(
        ReportedEvent("Evening Open", "Hakodate", starts=DAY, ends=DAY),
        (ReportedPlayer(1, "", national_id="J003"), *others),
        tuple(ReportedGame(number, 1, one.number, "1-0", DAY) for number, one in enumerate(others, 1)),
    )
    data = form_writer.write_form(reported, players=len(players) + 1, games=len(players))
    said = {"club": "C01", "event-speed": "standard", "event-base_minutes": "90"}
    sent = said | {"files": [SimpleUploadedFile("f.xlsx", data)]}
    visitor.post(f"/office/{pool.slug}/inbox/send/", sent, follow=True)
    return Report.objects.latest("pk")


def page_of(visitor, report):
    """The lines of the report's page without its number and what is of the moment."""
    page = visitor.get(f"/office/japan/inbox/{report.pk}/").content.decode()
    plain = re.sub(r'"[A-Za-z0-9]{64}"|[0-9]+:[0-9]+|(?:files/|answers=)[0-9]+', "", page)
    return re.sub(rf"(inbox/|Report |report ){report.pk}\b", "", plain).splitlines()


class TestBirthDates:
    """Whoever knows a name finds out no birth date by sending guesses."""

    @pytest.fixture
    def guesses(self, japan, reporter):
        """The reports of the right birth date, of another one, and of none."""
        days = (BORN, date(1998, 4, 3), None)
        return [guess(reporter, japan, ReportedPlayer(2, NAME, birth_date=day)) for day in days]

    def test_the_officer_is_told_which_is_the_member(self, guesses):
        found = [
            [match.player_id for match in review_report(each, DAY).events[0].matches] for each in guesses
        ]
        assert found == [["J003", HIDDEN], ["J003"], ["J003", HIDDEN]]

    def test_the_club_reads_the_same_of_every_guess_until_all_is_decided(self, japan, reporter, guesses):
        one, *others = [page_of(reporter, each) for each in guesses]
        assert others == [one, one]
        assert "2 players" in " ".join(one)
        assert HIDDEN not in " ".join(one)
        for each in guesses:
            reports.decide(each, [Decision("f.xlsx", 2, NAME, HIDDEN)], Actor("officer"))
        assert [page_of(reporter, each) for each in guesses] == [one] * 3
        saved = [
            reporter.post(f"/office/japan/inbox/{each.pk}/decide/", {"act": "save"}, follow=True)
            for each in guesses
        ]
        assert [len(answer.redirect_chain) for answer in saved] == [1, 1, 1]
        for each in guesses:
            reports.send_back(each, Actor("officer"), "Which event?")
        one, *others = [page_of(reporter, each) for each in guesses]
        assert others == [one, one]

    def test_many_guesses_in_one_report_are_a_fault(self, japan, reporter):
        many = [ReportedPlayer(2, NAME, birth_date=date(1998, 4, day)) for day in (1, 2, 3)]
        report = guess(reporter, japan, *many)
        page = " ".join(page_of(reporter, report))
        assert HIDDEN not in page
        assert "FUJIWARA Yuto is in the report more than once" in page
        assert not review_report(report, DAY).is_ready
