"""Whoever was erased is reported again, merged, or named where nobody looks at first."""

from __future__ import annotations

import base64
import io
import zipfile
from datetime import date

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from published_office import CHIEF, TODAY, erase, inquiry, published

from banzuke.core import facts
from banzuke.database.book_writer import Act, open_entry
from banzuke.database.models import (
    ErasedFile,
    Erasure,
    Game,
    JournalEntry,
    Player,
    Report,
    ReportDecision,
    ReportFile,
)
from banzuke.exchange.player_identities import Decision
from banzuke.formats.report import Report as Reported
from banzuke.formats.report import ReportedEvent, ReportedGame, ReportedPlayer
from banzuke.formats.report_form import form_writer
from banzuke.office.erasure.erasure_plan import plan_erasure
from banzuke.office.erasure.file_texts import are_named
from banzuke.office.erasure.naming_reports import _with_games
from banzuke.office.erasure.redactor import KnownWords
from banzuke.office.fact_rows import standing_rows
from banzuke.office.inbox import reports
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.inbox.review import review_for_club, review_report
from banzuke.office.journal import Actor, note
from banzuke.office.lists.correction_drafts import draft_change
from banzuke.office.lists.office_verification import verify_office
from banzuke.office.refusals import AlreadyErasedError, ErasedMemberError
from banzuke.office.register import members, player_merge

pytestmark = pytest.mark.django_db
GONE, NAME, NATIVE = "J004", "HAYASHI Haruto", "林 陽翔"
DAY = date(2025, 5, 2)
OFFICER = Actor("officer")


@pytest.fixture
def japan(settings, tmp_path):
    settings.HOME = tmp_path
    return published("japan")


def reported(pool, *, name=NAME, national_id=""):
    """A club's report of a game of J003 with somebody of that name and id."""
    event = ReportedEvent("Evening Open", "Hakodate", starts=DAY, ends=DAY)
    players = (ReportedPlayer(1, "", national_id="J003"), ReportedPlayer(2, name, national_id=national_id))
    data = form_writer.write_form(
        Reported(event, players, (ReportedGame(1, 1, 2, "1-0", DAY),)), players=2, games=1
    )
    said = {
        "speed": "standard",
        "base_minutes": 90,
        "increment_seconds": 0,
        "organiser": "F01",
        "nonmembers": 0,
    }
    said |= dict.fromkeys(("reported", "paid"), DAY) | dict.fromkeys(
        ("applied", "notified"), date(2025, 4, 1)
    )
    return receive(pool, [("form.xlsx", data)], said, Sender(Actor("club"), None, "C01", "upload"))


def undecided(report):
    (event,) = review_report(report, DAY).events
    return [
        (each.reported.name, [(one.player_id, [why.code for why in one.reasons]) for one in each.candidates])
        for each in event.undecided
    ]


class TestReportedAgain:
    @pytest.mark.parametrize("name", [pytest.param(NAME, marks=pytest.mark.slow), ""])
    def test_nobody_is_taken_for_who_was_erased(self, japan, name):
        erase(japan, GONE)
        ((_, candidates),) = undecided(reported(japan, name=name, national_id=GONE))
        assert [player for player, _ in candidates] == [GONE]
        assert "erased" in candidates[0][1]

    def test_by_the_name_alone_it_is_somebody_new(self, japan):
        erase(japan, GONE)
        ((name, candidates),) = undecided(reported(japan))
        assert name == NAME
        assert GONE not in [player for player, _ in candidates]

    def test_the_club_reads_nothing_of_it(self, japan):
        before, after = (self.read_by_the_club(japan, is_erased) for is_erased in (False, True))
        assert before == after

    def read_by_the_club(self, japan, is_erased):
        with transaction.atomic():
            if is_erased:
                erase(japan, GONE)
            report = reported(japan, national_id=GONE)
            found = [problem.fault for problem in review_for_club(report, DAY).problems]
            transaction.set_rollback(True)
        return found

    def test_the_games_are_entered_by_a_decision_and_the_name_is_erased_again(self, japan):
        erase(japan, GONE)
        report = reported(japan, national_id=GONE)
        number = next(one.reported.number for one in review_report(report, DAY).events[0].undecided)
        reports.decide(report, [Decision("form.xlsx", number, NAME, GONE)], OFFICER)
        warned = [
            one.fault for one in review_report(report, DAY).problems if one.fault.code == "inbox-erased"
        ]
        assert [dict(one.facts) for one in warned] == [{"name": NAME, "id": GONE}]
        reports.accept(report, OFFICER, DAY)
        assert Game.objects.filter(pool=japan, white="J003", black=GONE, played=DAY).exists()
        assert Player.objects.filter(pool=japan, player_id=GONE).latest("pk").name == GONE
        erase(japan, GONE)
        assert not ReportDecision.objects.filter(name=NAME).exists()
        assert [bytes(file.data) for file in ReportFile.objects.filter(report=report)] == [b""]
        assert ErasedFile.objects.filter(file__report=report).exists()
        assert Erasure.objects.filter(player_id=GONE).count() == 2
        found = verify_office()
        assert (found.faults, found.bad) == ([], [])
        with pytest.raises(AlreadyErasedError):
            erase(japan, GONE)


class TestReportsWithGames:
    def test_are_asked_for_without_a_list_of_all_entries(self, japan):
        """A player of a Go server has more games, each entered by itself, than a query has variables."""
        report = reported(japan, national_id=GONE)
        reports.accept(report, OFFICER, DAY)
        with CaptureQueriesContext(connection) as asked:
            assert list(_with_games(japan, ["J003"])) == [report]
        assert len(asked) == 1
        assert list(_with_games(japan, ["nobody"])) == []


class TestNothingIsEntered:
    def test_no_correction_says_who_it_was(self, japan):
        erase(japan, GONE)
        row = standing_rows(japan, facts.Player).get(player_id=GONE)
        opened = inquiry(japan, TODAY)
        with pytest.raises(ErasedMemberError):
            draft_change(opened, "players", row.pk, name=NAME)

    def test_no_membership(self, japan):
        erase(japan, GONE)
        wanted = facts.Membership(GONE, facts.ANNUAL, DAY, date(2026, 5, 1))
        with pytest.raises(ErasedMemberError):
            members.add_membership(japan, wanted, OFFICER, DAY)


@pytest.mark.slow
def test_both_ids_of_a_merged_person(japan):
    members.add(
        japan,
        facts.Player("X900", NAME, name_native=NATIVE, birth_date=date(2005, 8, 20)),
        members.ContactDetails(),
        OFFICER,
    )
    player_merge.merge(japan, GONE, "X900", OFFICER, "one person", TODAY)
    assert erase(japan, "X900").ids == (GONE, "X900")
    for player in (GONE, "X900"):
        assert set(
            Player.objects.filter(pool=japan, player_id=player).values_list("name", "name_native")
        ) == {(player, "")}
    found = verify_office()
    assert (found.faults, found.bad) == ([], [])


def test_an_account_with_the_mail_loses_what_others_keep_of_it(japan):
    mail = "haruto.secret@private.invalid"
    entry = open_entry(japan, Act("clerk", "change-member"))
    members.store_contact(entry, GONE, members.ContactDetails(email=mail))
    account = get_user_model().objects.create_user("somebody", mail)
    EmailAddress.objects.create(user=account, email=mail)
    session = SessionStore()
    session["interrupted"] = {"name": NAME}
    session.save()
    other = SessionStore()
    other["interrupted"] = {"name": "SATO Ken"}
    other.save()
    erase(japan, GONE)
    assert not EmailAddress.objects.exists()
    assert list(Session.objects.values_list("session_key", flat=True)) == [other.session_key]


def test_a_day_of_birth_goes_from_what_is_about_the_person_alone(japan):
    about = note(CHIEF, "dismiss", japan, member=GONE, why="born 2005-08-20, or 20 August 2005")
    other = note(CHIEF, "dismiss", japan, why="the event of 2005-08-20")
    erase(japan, GONE)
    assert JournalEntry.objects.get(pk=about.pk).what["why"] == f"born {GONE}, or {GONE}"
    assert JournalEntry.objects.get(pk=other.pk).what["why"] == "the event of 2005-08-20"


def zipped(name, data):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(name, data)
    return packed.getvalue()


TEXT = "102 HAYASHI, Haruto\n"
SHEET = "<sst><si><t>審判</t></si><si><r><t>林</t></r><r><t>陽翔</t></r></si></sst>"
MAIL = (
    b"From: a@b.invalid\nSubject: x\nMIME-Version: 1.0\nContent-Type: application/octet-stream\n"
    b"Content-Transfer-Encoding: base64\n\n"
)


class TestFiles:
    @pytest.mark.parametrize(
        "data",
        [
            TEXT.encode(),
            "審判：林陽翔".encode(),
            "審判：林　陽翔".encode("cp932"),
            "審判：林　陽翔".encode("euc_jp"),
            "ＨＡＹＡＳＨＩ　Ｈａｒｕｔｏ".encode(),
            "\ufeffHaruto Hayashi".encode("utf-16"),
            b"<b>Haruto</b> <i>Hayashi</i>",
            b"&#26519; &#38525;&#32724;<br>",
            zipped("xl/sharedStrings.xml", SHEET.encode()),
            zipped("a.xlsx", zipped("xl/sharedStrings.xml", SHEET.encode())),
            MAIL + base64.encodebytes(zipped("s.trf", TEXT.encode())),
        ],
        ids=range(11),
    )
    def test_name_somebody_in_every_format(self, data):
        words = KnownWords(frozenset({NAME, NATIVE}))
        assert are_named([data, b"102 HAYASHI Harutoki\n", b"PK\x03\x04", b""], words) == [
            True,
            False,
            False,
            False,
        ]

    def test_an_accepted_report_that_names_the_person_as_its_arbiter(self, japan):
        report = Report.objects.create(
            pool=japan, received_at=japan.entries.first().at, author="club", source="upload", state="accepted"
        )
        ReportFile.objects.create(report=report, name="a.trf", data=TEXT.encode(), sha256="00" * 32)
        other = ReportFile.objects.create(report=report, name="b.trf", data=b"012 Open", sha256="11" * 32)
        assert [each.pk for each in plan_erasure(japan, GONE).reports] == []
        erase(japan, GONE)
        assert not ReportFile.objects.filter(data__contains=b"HAYASHI").exists()
        other.refresh_from_db()
        assert bytes(other.data) == b""
