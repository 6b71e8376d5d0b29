"""A club's event from the application to the invoice: no address is typed, only links and forms are used."""

from __future__ import annotations

from datetime import date
from importlib import import_module
from pathlib import Path

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone
from repeated import entered_pool
from small_office import user
from walker import Walker

from banzuke.core import facts
from banzuke.database.book_writer import Act, new_entry
from banzuke.database.models import OfficeSettings, Player, Report, Role, Sanction
from banzuke.exchange.player_identities import NEW, Decision
from banzuke.formats.report_form import form_reader
from banzuke.office.fact_rows import standing_rows
from banzuke.office.inbox import reports
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.journal import Actor
from banzuke.office.lists.publishing import publish
from banzuke.office.register import event_applications, members

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SECTION = "//main//section"
pytestmark = pytest.mark.django_db


@pytest.fixture
def today(monkeypatch):
    """Today, wherever the office asks; a list sets it on."""
    day = [date(2024, 8, 10)]

    class Clock:
        def __call__(self, *_args):
            return day[0]

    for name in (
        "web.club.desk_pages",
        "web.event_standing",
        "web.public.calendar_pages",
        "web.inbox.upload_pages",
        "web.inbox.views",
        "web.inbox.decision_page",
        "web.fees.views",
        "web.fees.invoice_pages",
        "web.pending_work",
        "web.register.event_application_pages",
        "office.lists.coming_list",
    ):
        import_module(f"banzuke.{name}")
        monkeypatch.setattr(f"banzuke.{name}.localdate", Clock())
    monkeypatch.setattr(timezone, "localdate", Clock())
    return day


@pytest.fixture
def japan():
    return entered_pool("japan", EXAMPLES / "japan", "test")


def report_of(day="2025/04/2", short="25/04/2"):
    """The example's report, of two other days (written as far as the last figure, which is 6 and 7)."""
    text = (EXAMPLES / "hinoki-spring.trf").read_text()
    for number, written in ((6, "7"), (7, "8")) if day != "2025/04/2" else ():
        text = text.replace(f"2025/04/2{number}", f"{day}{written}").replace(
            f"25/04/2{number}", f"{short}{written}"
        )
    return text.encode()


def signed_in(kind, pool, club_id="", lang="en"):
    found = Client(headers={"accept-language": lang})
    somebody = user(kind, pool, club_id)
    somebody.email = f"{kind}@example.org"
    somebody.save()
    Role.objects.filter(user=somebody).update(wants_notices=True)
    found.force_login(somebody)
    return found


@pytest.mark.slow
def test_from_the_application_to_the_invoice_without_an_address_typed(
    japan, today, django_capture_on_commit_callbacks
):
    OfficeSettings.objects.all().delete()
    OfficeSettings.objects.create(sends_notices=True)
    publish(japan, "2024-08", Actor("chief"), date(2024, 8, 1))
    with django_capture_on_commit_callbacks(execute=True):
        flow(japan, today)
    subjects = [letter.subject.rpartition(" / ")[2] for letter in mail.outbox]
    number = Report.objects.get().pk
    assert subjects == [
        "Granted: Hinoki Spring Match",
        f"Report {number} arrived",
        f"Report {number} accepted",
        "Invoice No. 1",
        f"Report {number} is in list 2024-10",
    ]
    assert all(letter.to == ["reporter@example.org"] for letter in mail.outbox)


def flow(japan, today):
    club = Walker(signed_in("reporter", japan, "C01"), "/")
    officer = Walker(signed_in("chief", japan), "/")
    club.click("Office")
    assert "My events" in club.text
    club.click("Apply for an event")
    club.submit(
        "Apply",
        name="Hinoki Spring Match",
        starts="2024-09-07",
        ends="2024-09-08",
        place="Sapporo",
        responsible="OKADA Minoru",
        speed="standard",
    )
    club.click("My events")
    assert "applied for" in club.text
    visitor = Walker(Client(), "/").click("Example Chess Federation").click("Calendar")
    assert "Hinoki" not in visitor.text
    officer.click("Office").click("Events applied for").click("Hinoki Spring Match").submit("Grant")
    look(visitor)
    assert "announced" in visitor.text
    assert "OKADA" not in visitor.text

    club.click("My events")
    assert "announced" in club.text
    club.click("Start list", SECTION)
    club.submit("Show", entrants="FUJIWARA Yuto\nJ002", federation="JPN").submit("TRF16")
    assert club.answer.content.startswith(b"012 Hinoki Spring Match")
    assert b"/" not in club.answer.content  # no birth date
    club = Walker(club.client).click("Office")
    workbook = club.client.get(club.links("Blank report form", SECTION)[0]).content
    form = form_reader.read(workbook, "form.xlsx").event
    assert (form.name, form.starts) == ("Hinoki Spring Match", date(2024, 9, 7))

    report_and_pay(japan, today, (club, officer, visitor))


def report_and_pay(japan, today, visitors):
    club, officer, visitor = visitors
    today[0] = date(2024, 9, 9)
    club.click("My events")
    assert "1 event waits for you" in club.text
    assert "The event is over; send the report." in club.text
    club.click("Send the report", SECTION).submit(
        "Send", files=[("hinoki.trf", report_of("2024/09/0", "24/09/0"))]
    )
    assert "Only this is missing" not in club.text
    look(visitor)
    assert "Not rated yet: the report came" in visitor.text
    club.click("My events")
    assert "Nothing waits for you" in club.text

    officer.click("Office").click("Reports that wait").click("Hinoki Spring Match").submit("Accept")
    club.click("My events")
    assert "Accepted, in list 2024-10" in club.text
    look(visitor)
    assert "it is accepted and will be in list 2024-10" in visitor.text

    today[0] = date(2024, 9, 25)
    officer.click("Office").click("Fees").submit("Invoice")
    club.click("My events")
    assert "An invoice is to be paid" in club.text
    club.click("Invoice", f"{SECTION}//p[@class='acts']")
    assert "Hinoki Spring Match" in club.text
    officer.submit("Record the payment", day="2024-09-25")

    today[0] = date(2024, 10, 1)
    publish(japan, "2024-10", Actor("chief"), today[0])
    look(visitor)
    assert "Rated: it is in list 2024-10" in visitor.text
    club.click("My events")
    assert "Rated: it is in list 2024-10" in club.text
    assert "Nothing waits for you" in club.text


def look(visitor):
    """Go to the event by the calendar."""
    visitor.click("Example Chess Federation", "//main").click("Calendar").click("Hinoki Spring Match")


def granted(pool, **other):
    wanted = {
        "name": "Hinoki Spring Match",
        "organiser": "C01",
        "place": "Sapporo",
        "responsible": "OKADA Minoru",
    }
    wanted |= {"speed": "standard", "fide_rated": False, "applied": date(2025, 4, 1), "notified": None}
    wanted |= {"starts": date(2025, 4, 26), "ends": date(2025, 4, 27)}
    asked = event_applications.apply(pool, wanted | other, Actor("kato"))
    return event_applications.decide(pool, asked.pk, Actor("officer"), "", grant=True)


class TestSending:
    def test_several_files_are_answered_one_by_one(self, japan):
        club = Walker(signed_in("reporter", japan, "C01"), "/office/japan/club/")
        other = report_of().replace(b"Hinoki Spring Match", b"Hinoki Autumn Cup  ")
        readme, picture = ((EXAMPLES.parent / name).read_bytes() for name in ("README.md", "docs/list.png"))
        club.submit(
            "Send", files=[("a.trf", report_of()), ("b.trf", other), ("R.md", readme), ("l.png", picture)]
        )
        assert club.text.count("Received:") == 2
        assert club.text.count("Refused, nothing was kept:") == 2
        assert [report.title for report in Report.objects.order_by("pk")] == [
            "Hinoki Spring Match",
            "Hinoki Autumn Cup",
        ]
        club.click("My events").submit("Send", files=[("again.trf", report_of()), ("R.md", readme)])
        assert "Already there: Report" in club.text
        club.click("Report")
        assert "Hinoki Spring Match" in club.text
        assert Report.objects.count() == 2

    def test_one_file_that_is_no_report_is_said_at_once(self, japan):
        club = Walker(signed_in("reporter", japan, "C01"), "/office/japan/inbox/send/")
        club.submit("Send", files=[("paper.pdf", b"%PDF-1.7\n1 0 obj")])
        assert "paper.pdf: This is not a file that a report can be read from" in club.text
        assert not Report.objects.exists()

    def test_a_second_report_of_the_same_event_leads_to_the_first_and_one_is_withdrawn(self, japan):
        club = Walker(signed_in("reporter", japan, "C01"), "/office/japan/inbox/send/")
        club.submit("Send", files=[("a.trf", report_of())])
        first = Report.objects.get()
        club.click("My events").click("Send files").submit("Send", files=[("a.trf", report_of() + b"### \n")])
        assert "has already sent a report of this event" in club.text
        club.click(f"Report {first.pk}", "//main//div[@class='messages']").submit(
            "Withdraw", why="typing error"
        )
        assert "The report is withdrawn." in club.text
        assert "“typing error”" in club.text or "typing error" in club.text
        first.refresh_from_db()
        assert first.state == "withdrawn"
        club.click("My events")
        assert len(club.page.xpath(f"{SECTION}/h2[contains(., 'Hinoki Spring Match')]")) == 1

    def test_after_the_wrong_files_the_right_ones_are_sent_for_the_same_event(self, japan):
        granted(japan)
        event = Sanction.objects.get()
        club = Walker(signed_in("reporter", japan, "C01"), f"/office/japan/inbox/send/?event={event.pk}")
        club.submit("Send", files=[("a.trf", report_of())]).submit("Withdraw")
        club.click("Send other files instead")
        (chosen,) = club.page.xpath("//select[@name='of_event']/option[@selected]")
        assert chosen.get("value") == str(event.pk)

    def test_what_is_missing_is_asked_alone(self, japan):
        granted(japan)
        club = Walker(signed_in("reporter", japan, "C01"), "/office/japan/club/")
        club.click("Send files").submit("Send", files=[("a.trf", report_of())])
        (fieldset,) = club.page.xpath("//fieldset[legend='Only this is missing']")
        assert [each.get("name") for each in fieldset.xpath(".//input")] == ["e0-nonmembers"]
        club.submit("Save", **{"e0-nonmembers": "2"})
        assert not club.page.xpath("//fieldset[legend='Only this is missing']")


class TestPages:
    def test_members_without_those_shown_by_id_only(self, japan):
        club = Walker(signed_in("reporter", japan, "C01"), "/office/japan/club/").click("Members of the club")
        assert "FUJIWARA Yuto" in club.text
        assert "1998" not in club.text
        with new_entry(japan, Act("clerk", "add-member")) as entry:
            members.store_contact(entry, "J001", members.ContactDetails(by_id_only=True))
        club.click("My events").click("Members of the club")
        assert "FUJIWARA" not in club.text
        assert "J001" not in club.text
        club.click("My events").click("Start list", "//main//ul")
        club.submit("Show", entrants="FUJIWARA Yuto\nJ001", name="Open", federation="JPN")
        assert "Not found in the register: FUJIWARA Yuto" in club.text
        assert "藤原" not in club.text
        club.submit("Show", entrants="FUJIWARA Yuuta\nFujiwra", name="Open", federation="JPN")
        assert "Not found in the register: FUJIWARA Yuuta, Fujiwra" in club.text
        assert "J001" not in club.text

    def test_a_newcomer_is_completed_and_nothing_is_changed(self, japan):
        client = signed_in("reporter", japan, "C01")
        report = receive(
            japan,
            [("a.trf", report_of().replace(b"GOTO Makoto", b"ZZZZ Yyyy  "))],
            {"reported": date(2025, 5, 1)},
            Sender(Actor("kato"), None, "C01", "upload"),
        )
        reports.decide(report, [Decision("a.trf", 4, "ZZZZ Yyyy", NEW)], Actor("officer"))
        step = reports.accept(report, Actor("officer"), date(2025, 5, 2))
        new = Player.objects.get(entry=step.entry)
        club = Walker(client, "/office/japan/club/")
        assert "A newcomer’s details are incomplete." in club.text
        club.click("Complete newcomers")
        assert "ZZZZ Yyyy" in club.text
        names = {f"{new.player_id}-name_native": "座 由", f"{new.player_id}-birth_date": "2001-02-03"}
        club.submit("Save", **names)
        row = standing_rows(japan, facts.Player).get(player_id=new.player_id)
        assert (row.name, row.name_native, row.birth_date) == ("ZZZZ Yyyy", "座 由", date(2001, 2, 3))
        fields = {each.get("name") for each in club.page.xpath("//main//input")}
        assert f"{new.player_id}-email" in fields
        assert not fields & set(names)
        stranger = Walker(signed_in("reporter", japan, "C02"), "/office/japan/club/newcomers/")
        assert "No newcomer" in stranger.text

    def test_an_officer_looks_at_a_clubs_desk(self, japan):
        granted(japan)
        officer = Walker(signed_in("officer", japan), "/office/japan/club/")
        officer.submit("Show", club="C01")
        assert "Hinoki Spring Match" in officer.text
        officer.submit("Show", club="C02")
        assert "Hinoki Spring Match" not in officer.text


class TestCalendar:
    def test_the_file(self, japan):
        days = {"starts": date(2030, 4, 26), "ends": date(2030, 4, 27)}
        granted(japan, name="Open; 春, " + "長" * 40, place="A\\B\nC", **days)
        answer = Client(headers={"accept-language": "ja"}).get("/japan/calendar.ics")
        assert answer["Content-Type"] == "text/calendar; charset=utf-8"
        lines = answer.content.decode().split("\r\n")
        assert lines[0] == "BEGIN:VCALENDAR"
        assert lines[-2:] == ["END:VCALENDAR", ""]
        assert max(len(line.encode()) for line in lines) <= 75
        whole = answer.content.decode().replace("\r\n ", "").split("\r\n")
        assert "SUMMARY:Open\\; 春\\, " + "長" * 40 in whole
        assert "LOCATION:A\\\\B\\nC" in whole
        assert {"DTSTART;VALUE=DATE:20300426", "DTEND;VALUE=DATE:20300428"} <= set(whole)
        assert any(line.startswith("URL:http://testserver/japan/events/") for line in whole)
        assert any("これから開催されます" in line for line in whole)

    def test_nothing_but_what_was_granted(self, japan):
        asked = event_applications.apply(
            japan,
            {
                "name": "Secret Cup",
                "organiser": "C01",
                "starts": date(2030, 1, 1),
                "ends": date(2030, 1, 1),
                "applied": date(2025, 4, 1),
            },
            Actor("kato"),
        )
        visitor = Client()
        for page in ("calendar/", "calendar.ics"):
            assert b"Secret" not in visitor.get(f"/japan/{page}").content
        assert visitor.get(f"/japan/events/{asked.event_id}/").status_code == 404
        tag = visitor.get("/japan/calendar/")["ETag"]
        assert visitor.get("/japan/calendar/", headers={"if-none-match": tag}).status_code == 304
        event_applications.decide(japan, asked.pk, Actor("officer"), "", grant=True)
        page = visitor.get("/japan/calendar/", headers={"if-none-match": tag})
        assert b"Secret Cup" in page.content
        assert visitor.get(f"/japan/events/{asked.event_id}/").status_code == 200
