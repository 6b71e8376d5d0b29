"""Reports that say what no ledger can hold, or come while somebody else decides."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from random_office import any_pool

from banzuke.core import facts
from banzuke.database.models import Event
from banzuke.exchange.player_identities import NEW, Decision
from banzuke.office.fact_rows import standing_rows
from banzuke.office.inbox import reports
from banzuke.office.inbox.event_fields import RULING
from banzuke.office.inbox.problems import BLOCKS, problem_text
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.inbox.review import review_report
from banzuke.office.journal import Actor

pytestmark = pytest.mark.django_db
OFFICER = Actor("officer")
TODAY = date(2024, 7, 1)
SAID = {"speed": "standard", "reported": TODAY, "organiser": "C0"}


def pgn(day="2024.06.30", event="Cup", white="ABE Ichiro"):
    tags = {"Event": event, "Site": "Tokyo", "Date": day, "Round": "1", "White": white}
    tags |= {"Black": "KATO Ichiro", "Result": "1-0"}
    return "\n".join([*(f'[{key} "{value}"]' for key, value in tags.items()), "", "1. e4 1-0", ""]).encode()


def mailed(sent):
    head = f"From: a@example.org\nDate: {sent}\nSubject: report\nMIME-Version: 1.0\nContent-Type: "
    inner = "\n\n--q\nContent-Disposition: attachment; filename=a.pgn\n\n"
    return (f'{head}multipart/mixed; boundary="q"{inner}'.encode() + pgn() + b"\n--q--\n").replace(
        b"\n", b"\r\n"
    )


def sent(pool, files=None, **said):
    return receive(pool, files or [("a.pgn", pgn())], {**SAID, **said}, Sender(OFFICER, None, "", "upload"))


def blocks(report, lang="en"):
    return [problem_text(p, lang) for p in review_report(report, TODAY).problems if p.weight == BLOCKS]


class TestWhatNoLedgerCanHold:
    @pytest.mark.parametrize(
        ("said", "sentence"),
        [
            ({"name": "a\x0bb"}, "Event: "),
            ({"place": "a\nb"}, "Place: "),
            ({"event_id": " "}, "Event ID: "),
            ({"base_minutes": 10**9}, "Base time (minutes): "),
            ({"paid": date(9999, 1, 1)}, "Fee paid on: "),
            ({"applied": date(1, 1, 1)}, "Application received on: "),
            ({"reported": date(9999, 12, 31)}, "Day of the report: "),
        ],
    )
    def test_a_field_that_blocks_is_named_and_can_be_said_otherwise(self, said, sentence):
        report = sent(any_pool(), **said)
        assert [each[: len(sentence)] for each in blocks(report)] == [sentence]
        for name in said:
            reports.set_fields(report, {name: SAID.get(name, "")}, OFFICER)
        assert blocks(report) == []

    def test_a_file_of_another_century(self):
        report = sent(any_pool(), [("a.pgn", pgn(day="1700.01.01"))])
        assert [each.partition(":")[0] for each in blocks(report)] == ["First day", "Last day"]

    def test_an_event_that_is_not_over(self):
        late = {"reported": TODAY + timedelta(9), "starts": TODAY, "ends": TODAY + timedelta(1)}
        report = sent(any_pool(), **late)
        said = "Last day: The event ends on 2024-07-02, which is still to come; correct the day"
        assert [each[: len(said)] for each in blocks(report)][-1] == said

    @pytest.mark.parametrize("day", ["Mon, 1 Jan 1900 10:00:00 +0000", "Fri, 31 Dec 9999 10:00:00 +0000"])
    def test_a_mail_of_another_century_is_looked_at_and_refused(self, day):
        report = receive(
            any_pool(), [("a.eml", mailed(day))], {"speed": "standard"}, Sender(OFFICER, None, "", "upload")
        )
        assert blocks(report)
        assert reports.refuse(report, OFFICER, "a forged day").state == "refused"


class TestMeanwhile:
    def test_what_was_said_while_it_was_looked_at_counts(self, monkeypatch):
        """Another officer leaves the event out just when this one enters it."""
        pool = any_pool()
        report = sent(pool)
        look, looks = reports.review_report, []

        def slowly(one, today):
            found = look(one, today)
            if not looks:
                reports.set_fields(one, {RULING: facts.EXCLUDE}, Actor("another"))
            looks.append(found)
            return found

        monkeypatch.setattr(reports, "review_report", slowly)
        reports.accept(report, OFFICER, TODAY)
        assert len(looks) == 2
        assert standing_rows(pool, facts.Event).get().ruling == facts.EXCLUDE
        assert Event.objects.count() == 1


class TestTheSamePersonTwice:
    def test_whom_another_report_brought_meanwhile(self):
        """Decided to be new in both reports; the second says so as soon as the first is in the book."""
        pool = any_pool()
        one = sent(pool, [("a.pgn", pgn(white="SHIN Hito"))])
        two = sent(pool, [("b.pgn", pgn(white="SHIN Hito", event="Open", day="2024.06.29"))])
        for report in (one, two):
            (event,) = review_report(report, TODAY).events
            new = [Decision(event.file, u.reported.number, u.reported.name, NEW) for u in event.undecided]
            reports.decide(report, new, OFFICER)
        assert not said_of_namesakes(two)
        reports.accept(one, OFFICER, TODAY)
        assert said_of_namesakes(two) == [
            (
                "SHIN Hito is treated as new (M011), but the register has the same name or FIDE id: M010. "
                "Decide again if they are the same person."
            )
        ]


def said_of_namesakes(report):
    problems = review_report(report, TODAY).problems
    return [problem_text(one, "en") for one in problems if one.fault.code == "inbox-namesake"]
