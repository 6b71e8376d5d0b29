"""What a club learns by reporting: no name of a member shown by id only, no birth date, not who anybody is."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import date
from pathlib import Path
from urllib.parse import urldefrag, urljoin

import lxml.html
import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import caches
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from repeated import entered_pool
from small_office import client

from banzuke.api.auth import REPORTS
from banzuke.core import facts
from banzuke.database.book_writer import Act, open_entry
from banzuke.database.models import Contact, Report
from banzuke.exchange.player_identities import Decision
from banzuke.formats.report import Report as Reported
from banzuke.formats.report import ReportedEvent, ReportedGame, ReportedPlayer
from banzuke.formats.report_form import form_reader, form_writer
from banzuke.office.administration.api_keys import make_key
from banzuke.office.fact_rows import standing_rows
from banzuke.office.inbox import reports
from banzuke.office.inbox.report_summary import summary
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


NAME, BORN, OTHER = "FUJIWARA Yuto", date(1998, 4, 2), date(1998, 4, 3)


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


def plain(address, body):
    """What a file says: of a workbook its sheets, without the moment at which it was packed."""
    if not address.endswith(".xlsx"):
        return body
    with zipfile.ZipFile(io.BytesIO(body)) as packed:
        return b"".join(packed.read(name) for name in packed.namelist() if "sheet" in name)


def reach(visitor, *starts):
    """Every page of the office that the visitor gets from there by links, with its bytes; files, too."""
    found, coming = {}, list(starts)
    while coming:
        address = coming.pop()
        if address in found:
            continue
        answer = visitor.get(address)
        body = b"".join(answer) if answer.streaming else answer.content
        answer.headers.pop("Content-Length", None)
        found[address] = f"{answer.status_code} {dict(answer.headers)} ".encode() + plain(address, body)
        if answer.get("Content-Type", "").startswith("text/html") and body:
            links = lxml.html.fromstring(body).xpath("//@href")
            there = (urldefrag(urljoin(address, link)).url for link in links)
            coming += [link for link in there if link.startswith("/office/")]
    return found


#: What is of the moment: tokens of forms, the clock, random words of a mark on a page.
MOMENT = re.compile(
    rb"[A-Za-z0-9]{64}|[0-9]{1,2}:[0-9]{2}(:[0-9.]+)?|Last-Modified\S*|\"ETag\S*|'ETag': '[^']*'"
)
PUBLIC = ("/", "/japan/", "/japan/calendar/", "/japan/calendar.atom", "/japan/calendar.ics", "/japan/events/",
          f"/japan/players/{HIDDEN}/", "/japan/players/J003/", "/japan/search/?q=FUJIWARA", "/japan/lists/")  # fmt: skip


class TestEveryByte:
    """Whatever a club can read, it is the same for a right birth date and for a wrong one."""

    def world(self, pool, born, act):
        """All that a club and a stranger read of a report with that birth date, after what an officer did."""
        moment = transaction.savepoint()
        caches["default"].clear()
        caches["memory"].clear()
        reporter = client("reporter", pool, "C01")
        sender = User.objects.get(username="reporter-japan-C01")
        token = make_key("push", sender, pool, [REPORTS], None, Actor("x")).text
        program = Client(headers={"authorization": f"Bearer {token}"})
        report = guess(reporter, pool, ReportedPlayer(2, NAME, birth_date=born))
        make_clean(report)
        mail.outbox.clear()
        act(report, client("officer", pool))
        found = reach(reporter, "/office/", f"/office/japan/inbox/{report.pk}/", "/office/japan/club/")
        found |= {page: reach(Client(), page)[page] for page in PUBLIC}
        for page in ("reports", f"reports/{report.pk}"):
            found[page] = program.get(f"/api/v1/pools/japan/{page}").content
        found["mail"] = "".join(one.body for one in mail.outbox).encode()
        state = Report.objects.get(pk=report.pk).state
        transaction.savepoint_rollback(moment)
        return state, {page: MOMENT.sub(b"", said) for page, said in found.items()}

    @pytest.mark.parametrize(
        "act",
        [
            "nothing",
            *(
                pytest.param(act, marks=pytest.mark.slow)
                for act in ("accept-clean", "accept", "hold", "send-back")
            ),
        ],
    )
    def test_is_the_same(self, japan, act):
        def officer(report, visitor):
            if act == "accept-clean":
                visitor.post("/office/japan/inbox/decide/", {"act": act, "state": "waiting"})
            elif act == "accept":
                visitor.post("/office/japan/inbox/decide/", {"act": act, "chosen": report.pk})
            elif act == "hold":
                visitor.post("/office/japan/inbox/decide/", {"act": act, "chosen": report.pk, "why": "Who?"})
            elif act == "send-back":
                reports.send_back(report, Actor("officer"), "Which event?")

        (state, right), (other_state, wrong) = (self.world(japan, born, officer) for born in (BORN, OTHER))
        assert state == other_state == {"hold": "held", "send-back": "returned"}.get(act, "waiting")
        assert right.keys() == wrong.keys()
        assert len(right) > 20
        own = form_written(right, wrong)
        assert [page for page in right if right[page] != wrong[page]] == own

    def test_an_officer_who_looks_at_the_report_accepts_it(self, japan, reporter):
        report = guess(reporter, japan, ReportedPlayer(2, NAME, birth_date=BORN))
        make_clean(report)
        assert [one.fault.code for one in review_report(report, DAY).problems] == ["inbox-birth-dates"]
        assert not summary(review_report(report, DAY)).is_clean
        reports.decide(report, [Decision("f.xlsx", 2, NAME, HIDDEN)], Actor("officer"))
        assert summary(review_report(report, DAY)).is_clean
        reports.accept(report, Actor("officer"), DAY)


def make_clean(report):
    """Say what an officer says of a report in which nothing else is to be looked at."""
    known = {"organiser": "F01", "applied": date(2025, 1, 1), "notified": date(2025, 1, 1), "paid": DAY}
    reports.set_fields(report, known | {"reported": DAY, "nonmembers": 0}, Actor("officer"))


def form_written(one, other):
    """The addresses of the club's own file, which it wrote itself, with the date it guessed."""
    return [page for page in one if "/files/" in page and one[page] != other[page]]
