"""Where an event stands: from the application to the list that rates it, asked by whatever is at hand."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from django.utils.translation import override
from repeated import entered_pool

from banzuke.core import facts
from banzuke.office.application_progress import progress_of_sanctions
from banzuke.office.event_progress import (
    State,
    Turn,
    progress_of_events,
    progress_of_reports,
)
from banzuke.office.fact_rows import standing_rows
from banzuke.office.inbox import reports
from banzuke.office.inbox.club_questions import questions
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.inbox.review import review_for_club
from banzuke.office.journal import Actor
from banzuke.office.lists.publishing import publish
from banzuke.office.progress_sentences import label, sentence
from banzuke.office.register import event_applications
from banzuke.words import LANGUAGES

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CLUB, OFFICER, TODAY = Actor("kato"), Actor("officer"), date(2025, 5, 2)
WANTED = {
    "name": "Hinoki Spring Match",
    "organiser": "C01",
    "place": "Hinoki",
    "responsible": "KATO Jiro",
    "speed": "standard",
    "fide_rated": False,
    "starts": date(2025, 4, 26),
    "ends": date(2025, 4, 27),
    "applied": date(2025, 4, 1),
    "notified": None,
}
pytestmark = pytest.mark.django_db


@pytest.fixture
def japan():
    return entered_pool("japan", EXAMPLES / "japan", "test")


def apply(pool, *, grant=True, **other):
    asked = event_applications.apply(pool, WANTED | other, CLUB)
    if grant:
        event_applications.decide(pool, asked.pk, OFFICER, "", grant=True)
        asked.refresh_from_db()
    return asked


def send(pool, **said):
    data = (EXAMPLES / "hinoki-spring.trf").read_bytes()
    return receive(pool, [("h.trf", data)], {"reported": TODAY, **said}, Sender(CLUB, None, "C01", "upload"))


def states(pool, sanction):
    sanction.refresh_from_db()
    found = progress_of_sanctions(pool, [sanction])[0]
    return found.state, found.turn


def test_from_the_application_to_the_list(japan):
    asked = apply(japan, grant=False)
    assert states(japan, asked) == (State.APPLIED, Turn.OFFICE)
    event_applications.decide(japan, asked.pk, OFFICER, "", grant=True)
    assert states(japan, asked) == (State.GRANTED, Turn.CLUB)
    report = send(japan)
    assert states(japan, asked) == (State.REPORTED, Turn.OFFICE)
    reports.hold(report, OFFICER, "who is number 3?")
    assert states(japan, asked) == (State.HELD, Turn.CLUB)
    reports.set_fields(report, {"place": "Kita"}, CLUB)
    assert states(japan, asked) == (State.HELD, Turn.OFFICE)
    reports.accept(report, OFFICER, TODAY)
    assert states(japan, asked) == (State.ACCEPTED, Turn.OFFICE)
    found = progress_of_sanctions(japan, [asked])[0]
    assert (found.list, found.published, found.report) == ("2025-06", None, None)
    publish(japan, "2025-06", OFFICER, date(2025, 6, 1))
    assert states(japan, asked) == (State.RATED, Turn.NOBODY)
    by_report = progress_of_reports(japan, [report := type(report).objects.get(pk=report.pk)])[0]
    assert (by_report.state, by_report.list, by_report.report) == (State.RATED, "2025-06", report.pk)
    assert by_report.since == by_report.published.published_at
    assert progress_of_events(japan, [asked.event_id])[asked.event_id].state is State.RATED


def test_what_goes_no_further(japan):
    refused = apply(japan, grant=False)
    event_applications.decide(japan, refused.pk, OFFICER, "the hall is closed", grant=False)
    assert states(japan, refused) == (State.DECLINED, Turn.NOBODY)
    assert progress_of_sanctions(japan, [refused])[0].why == "the hall is closed"
    granted, report = apply(japan), send(japan)
    reports.refuse(report, OFFICER, "twice")
    assert states(japan, granted) == (State.REFUSED, Turn.NOBODY)
    again = send(japan)
    reports.send_back(again, OFFICER, "round 2 is missing")
    assert states(japan, granted) == (State.RETURNED, Turn.CLUB)


def test_another_clubs_report_says_nothing_of_the_event(japan):
    granted, other = apply(japan), apply(japan, name="Kita Open", organiser="C02")
    data = (EXAMPLES / "hinoki-spring.trf").read_bytes()
    report = receive(japan, [("h.trf", data)], {}, Sender(Actor("ito"), None, "C02", "upload"))
    reports.hold(report, OFFICER, "is it yours?")
    found = progress_of_sanctions(japan, [granted, other])[0]
    assert (found.state, found.report, found.why) == (State.GRANTED, None, "")


def test_an_event_that_waits_is_called_as_it_was_granted(japan):
    granted, _report = apply(japan, name="Hinoki Match", name_native="ひのき大会"), send(japan)
    with override("ja"):
        found = progress_of_sanctions(japan, [granted])[0]
    assert (found.state, found.name) == (State.REPORTED, "ひのき大会")


def test_questions_are_the_clubs_turn(japan):
    report = send(japan)
    assert progress_of_reports(japan, [report], {report.pk: 2})[0].turn is Turn.CLUB
    found = progress_of_reports(japan, [report], {report.pk: 0})[0]
    assert (found.turn, found.questions) == (Turn.OFFICE, 0)


def test_of_a_report_without_a_club_the_office_has_the_turn(japan):
    data = (EXAMPLES / "hinoki-spring.trf").read_bytes()
    report = receive(japan, [("h.trf", data)], {}, Sender(Actor("ito"), None, "", "upload"))
    found = progress_of_reports(japan, [report], {report.pk: 2})[0]
    assert (found.turn, found.questions) == (Turn.OFFICE, None)
    assert sentence(found, "en", TODAY).startswith("Not rated yet: the report came and waits for an officer")
    reports.hold(report, OFFICER, "whose is it?")
    report.refresh_from_db()
    (found,) = progress_of_reports(japan, [report], {report.pk: 2})
    assert found.turn is Turn.OFFICE
    assert sentence(found, "en", TODAY).startswith(
        "Not rated yet: the report is on hold in the office since "
    )


def test_an_accepted_event_that_was_struck(japan):
    from banzuke.database.models import Strike

    report = send(japan)
    step = reports.accept(report, OFFICER, TODAY)
    row = standing_rows(japan, facts.Event).get(entry=step.entry)
    Strike.objects.create(entry=step.entry, pool=japan, table="events", row=row.pk, day=TODAY)
    report.refresh_from_db()
    assert progress_of_reports(japan, [report])[0].state is State.STRUCK


def test_the_number_of_questions_to_the_database_is_the_same_for_one_and_for_many(
    japan, django_assert_max_num_queries
):
    send(japan)
    rows = [apply(japan, name=f"Event {number}") for number in range(6)]
    with django_assert_max_num_queries(12):
        assert len(progress_of_sanctions(japan, rows)) == 6
    ids = list(standing_rows(japan, facts.Event).values_list("event_id", flat=True))
    with django_assert_max_num_queries(6):
        assert set(progress_of_events(japan, ids)) == set(ids)


def test_the_club_is_asked_what_neither_file_nor_application_nor_time_control_says(japan):
    report = send(japan)
    said = review_for_club(report, TODAY).events[0].known.fields["speed"]
    assert (said.value, said.origin) == ("standard", "time")  # 90 min + 30 sec
    assert questions(review_for_club(report, TODAY)).fields == ("nonmembers",)
    data = (EXAMPLES / "hinoki-spring.trf").read_bytes().replace(b"90 min + 30 sec", b"as always")
    bare = data.replace(b"042 2025/04/26", b"042").replace(b"052 2025/04/27", b"052").partition(b"132 ")
    bare = bare[0] + b"".join(line for line in bare[2].splitlines(True)[1:])
    sent = Sender(CLUB, None, "C01", "upload")
    alone = receive(japan, [("bare.trf", bare)], {}, sent)
    asked = questions(review_for_club(alone, TODAY))
    assert (asked.fields, asked.problems) == (("starts", "ends", "speed"), ())
    assert asked.number == 3
    apply(japan)
    known = review_for_club(alone, TODAY).events[0].known.fields
    assert {name: known[name].origin for name in ("starts", "ends", "speed")} == dict.fromkeys(
        ("starts", "ends", "speed"), "sanction"
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_state_has_a_word_and_a_sentence(japan, lang):
    asked = apply(japan, grant=False)
    first = progress_of_sanctions(japan, [asked])[0]
    for state in State:
        for more in (
            {},
            {"turn": Turn.CLUB},
            {"questions": 2},
            {"closes": TODAY, "list": "2025-05"},
            {"closes": date(2025, 5, 1), "list": "2025-05"},
        ):
            found = first._replace(state=state, **more)
            for text in (sentence(found, lang, TODAY), label(found, lang, TODAY)):
                assert text
                assert not set("{}") & set(text)
                assert "None" not in text
    granted = first._replace(state=State.GRANTED)
    assert label(granted, "en", date(2025, 4, 27)) == "announced"
    assert label(granted, "en", date(2025, 4, 28)) == "report expected"
    coming = first._replace(state=State.ACCEPTED, list="2025-06", closes=date(2025, 5, 20))
    assert "2025年5月20日" in sentence(coming, "ja", TODAY)
