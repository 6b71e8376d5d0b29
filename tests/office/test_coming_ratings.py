"""The coming list so far, reports that wait, and how far an event is: what the office has not published yet."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from published_office import CHESS, published

from banzuke.core import facts
from banzuke.database.book_writer import Act, open_entry
from banzuke.database.models import ComingLine, ComingList, ComingRow, Job, WaitingPlayer, WaitingReport
from banzuke.exchange.player_identities import Decision
from banzuke.office.application_progress import progress_of_sanctions
from banzuke.office.event_progress import State, progress_of_events
from banzuke.office.fact_rows import record_of, replace, standing_rows
from banzuke.office.inbox import reports
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.inbox.waiting_reports import keep_waiting_reports
from banzuke.office.jobs import coming_jobs, job_queue
from banzuke.office.journal import Actor
from banzuke.office.lists.coming_ratings import keep_coming_list
from banzuke.office.lists.publishing import publish
from banzuke.office.lists.rehearsal import rehearse
from banzuke.office.pages.player_progress import in_the_office
from banzuke.office.register.event_applications import apply
from banzuke.office.register.event_applications import decide as decide_on_application

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CLUB, OFFICER = Actor("club", "127.0.0.1"), Actor("officer", "127.0.0.1")
TODAY = date(2025, 5, 2)
pytestmark = pytest.mark.django_db


def hinoki():
    return [("hinoki-spring.trf", (EXAMPLES / "hinoki-spring.trf").read_bytes())]


def sent(pool, files=None, **said):
    fields = {"reported": TODAY, "organiser": "F01", "applied": date(2025, 4, 1)} | said
    return receive(pool, files or hinoki(), fields, Sender(CLUB, None, "C01", "upload"))


@pytest.fixture
def japan():
    return published("japan", 7)


class TestTheComingList:
    @pytest.mark.parametrize("name", CHESS)
    def test_is_what_a_rehearsal_shows(self, name):
        pool = published(name, 0)
        made = keep_coming_list(pool, TODAY)
        if not made:
            assert (pool.coming.name, ComingRow.objects.count()) == ("", 0)
            return
        seen = rehearse(pool, made, TODAY)
        wanted = {(r.speed, r.player_id): (r.rating, r.games, r.change) for r in seen.rows}
        kept = {(r.speed, r.player_id): (r.rating, r.games, r.change) for r in pool.coming.rows.all()}
        assert kept.items() <= wanted.items()
        assert {key for key, (_, _, change) in wanted.items() if change} <= kept.keys()
        assert (pool.coming.position, pool.coming.number) == (seen.position, 1)
        assert pool.coming.lines.count() == 2 * seen.games

    def test_is_replaced_whole(self, japan):
        for _ in range(2):
            keep_coming_list(japan, TODAY)
        first = (ComingList.objects.count(), ComingRow.objects.count(), ComingLine.objects.count())
        publish(japan, japan.coming.name, OFFICER, date(2030, 1, 1))
        keep_coming_list(japan, TODAY)
        assert first[0] == ComingList.objects.count() == 1
        assert all(first)
        assert ComingRow.objects.count() != first[1]

    def test_is_made_by_the_worker_after_each_change_once(self, japan):
        assert coming_jobs.start_due() == 1
        assert coming_jobs.start_due() == 0
        asked = job_queue.start("verify", japan, {"list": "x", "revision": 0}, OFFICER)
        assert job_queue.work_off().pk == asked.pk  # what somebody waits for goes first
        assert job_queue.work_off().state == Job.State.DONE
        assert coming_jobs.start_due() == 0
        sent(japan)
        assert coming_jobs.start_due() == 1
        assert job_queue.work_off().result == {"list": japan.coming.name}
        assert WaitingReport.objects.count() == 1
        assert (coming_jobs.start_due(), Job.objects.filter(kind="coming").count()) == (0, 1)

    def test_what_failed_is_not_tried_again_before_something_changes(self, japan, monkeypatch):
        with monkeypatch.context() as patch:
            patch.setattr("banzuke.office.lists.coming_ratings.recompute", lambda *_: 1 // 0)
            coming_jobs.start_due()
            assert job_queue.work_off().state == Job.State.FAILED
        assert coming_jobs.start_due() == 0
        sent(japan)
        assert coming_jobs.start_due() == 1

    def test_what_a_dying_worker_left_is_tried_once_more(self, japan):
        for started in (1, 1, 0):
            assert coming_jobs.start_due() == started
            Job.objects.filter(kind="coming").update(state=Job.State.INTERRUPTED)
        sent(japan)
        assert coming_jobs.start_due() == 1
        assert job_queue.work_off().result == {"list": japan.coming.name}
        assert Job.objects.filter(kind="coming").count() == 1


class TestReportsThatWait:
    def test_players_are_those_of_whom_it_is_certain(self, japan):
        """By an id in the file, whatever else it says of them; by a name only when an officer decided so."""
        text = hinoki()[0][1].decode()
        line = next(row for row in text.splitlines() if row.startswith("001"))
        row = standing_rows(japan, facts.Player).get(player_id="J020")
        entry = open_entry(japan, Act("test", "change-member"))
        replace(entry, row, record_of(row, facts.Player)._replace(fide_id="7012345"), TODAY)
        changed = line[:57] + "    7012345 1999/09/09" + line[79:]
        report = sent(japan, [("a.trf", text.replace(line, changed).encode())])
        keep_waiting_reports(japan, TODAY)
        assert set(WaitingPlayer.objects.values_list("player_id", flat=True)) == {"J020"}
        reports.decide(
            report,
            [Decision("a.trf", 2, "YAMAMOTO Itsuki", "J008"), Decision("a.trf", 3, "whoever", "J009")],
            OFFICER,
        )
        keep_waiting_reports(japan, TODAY)
        assert WaitingPlayer.objects.filter(player_id="J008").exists()
        assert not WaitingPlayer.objects.filter(player_id="J009").exists()

    def test_questions_do_not_hang_on_who_players_are(self, japan):
        text = hinoki()[0][1].decode()
        known, unknown = sent(japan), sent(japan, [("b.trf", text.replace("FUJIWARA", "FUJIWARX").encode())])
        keep_waiting_reports(japan, TODAY)
        asked = dict(WaitingReport.objects.values_list("report", "questions"))
        assert asked[known.pk] == asked[unknown.pk]

    def test_what_is_decided_goes(self, japan):
        report = sent(japan)
        keep_waiting_reports(japan, TODAY)
        reports.refuse(report, OFFICER, "twice")
        keep_waiting_reports(japan, TODAY)
        assert not WaitingReport.objects.exists()


class TestProgress:
    def test_from_the_application_to_the_list(self, japan):
        event = "2025-04-26-hinoki-spring-match"
        day, applied = date(2025, 4, 26), date(2025, 4, 1)
        wanted = {"event_id": event, "name": "Hinoki Spring Match", "starts": day, "ends": day}
        application = apply(japan, wanted | {"applied": applied, "organiser": "C01"}, CLUB)

        def state():
            return progress_of_sanctions(japan, [application])[0]

        assert state().state is State.APPLIED
        report = sent(japan, event_id=event)
        assert state().state is State.REPORTED
        reports.decide(report, [Decision("hinoki-spring.trf", 1, "FUJIWARA Yuto", "J001")], OFFICER)
        keep_waiting_reports(japan, TODAY)
        *_, one = in_the_office(japan, "J001")
        assert (one.state, one.name) == (State.REPORTED, "")
        decide_on_application(japan, application.pk, OFFICER, "", grant=True)
        *_, one = in_the_office(japan, "J001")
        assert (one.state, one.name) == (State.REPORTED, "Hinoki Spring Match")
        reports.accept(report, OFFICER, TODAY)
        found = state()
        assert (found.state, found.list) == (State.ACCEPTED, "2025-06")
        assert event in {each.event_id for each in in_the_office(japan, "J001")}
        publish(japan, "2025-06", OFFICER, date(2030, 1, 1))
        found = state()
        assert (found.state, found.published.name) == (State.RATED, "2025-06")
        (status,) = reports.status_of(report).events
        assert (status.games_rated, status.games_played) == (14, 15)
        assert not in_the_office(japan, "J001")

    def test_many_events_take_as_many_queries_as_one(self, japan, django_assert_num_queries):
        rows = list(standing_rows(japan, facts.Event))
        for some in (rows[:1], rows):
            with django_assert_num_queries(5):
                progress_of_events(japan, [row.event_id for row in some])
