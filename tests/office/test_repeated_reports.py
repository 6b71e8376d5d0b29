"""The same files again: the same report as long as anything of it waits or stands in the book."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from repeated import entered_pool

from banzuke.core import facts, go_facts
from banzuke.database.book_writer import Act, open_entry
from banzuke.database.ledger_folders import enter_folder
from banzuke.database.models import Event, GoGame, Report
from banzuke.office.fact_rows import standing_rows, strike_all
from banzuke.office.inbox import reports
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.inbox.review import review_report
from banzuke.office.journal import Actor
from banzuke.office.lists import correction_drafts, corrections

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
OFFICER, TODAY = Actor("officer"), date(2025, 5, 2)
SAID = {"speed": "standard", "reported": TODAY, "organiser": "F01", "applied": date(2025, 4, 1)}
HINOKI = (EXAMPLES / "hinoki-spring.trf").read_bytes()
AUTUMN = HINOKI.replace(b"25/04/2", b"25/03/2").replace(b"Hinoki Spring", b"Hinoki Autumn")
pytestmark = pytest.mark.django_db


def sent(pool, *files, **said):
    named = [(f"{number}.trf", data) for number, data in enumerate(files or [HINOKI])]
    return receive(pool, named, SAID | said, Sender(OFFICER, None, "C01", "upload"))


def entered(pool, *files):
    report = sent(pool, *files)
    reports.accept(report, OFFICER, TODAY)
    return report


def corrected(pool, row, **changed):
    """An inquiry carried out: an event changed, or struck with its games where nothing is said."""
    asked = corrections.open_inquiry(pool, TODAY, "A. Member", "", OFFICER)
    if changed:
        correction_drafts.draft_change(asked, "events", row.pk, **changed)
    else:
        correction_drafts.draft_strike(asked, "events", row.pk)
    corrections.carry_out(asked, OFFICER, "found wrong", TODAY)


@pytest.fixture
def japan():
    return entered_pool("japan", EXAMPLES / "japan", "test")


def event_of(report):
    return Event.objects.get(entry=report.steps.latest("pk").entry)


def test_what_was_struck_is_sent_in_again_and_accepted(japan):
    first = entered(japan)
    assert sent(japan).pk == first.pk
    corrected(japan, event_of(first))
    second = sent(japan)
    assert second.pk != first.pk
    assert review_report(second, TODAY).is_ready
    reports.accept(second, OFFICER, TODAY)
    assert standing_rows(japan, facts.Game).filter(event_id=event_of(second).event_id).count() == 15
    assert sent(japan).pk == second.pk


def test_an_event_that_was_changed_stands_still(japan):
    first = entered(japan)
    corrected(japan, event_of(first), place="Otaru")
    assert sent(japan).pk == first.pk


def test_of_several_events_one_that_stands_is_enough(japan):
    first = entered(japan, HINOKI, AUTUMN)
    spring, autumn = Event.objects.filter(entry=first.steps.latest("pk").entry).order_by("pk")
    corrected(japan, spring)
    assert sent(japan, HINOKI, AUTUMN).pk == first.pk
    assert sent(japan, HINOKI).pk != first.pk
    corrected(japan, autumn)
    assert sent(japan, HINOKI, AUTUMN).pk != first.pk


def test_games_of_go_that_were_struck_are_sent_in_again():
    server = enter_folder("server", EXAMPLES / "go-server", "test")
    two = [row.player_id for row in standing_rows(server, go_facts.GoPlayer)[:2]]
    text = f"(;GM[1]FF[4]SZ[19]PB[{two[0]}]PW[{two[1]}]KM[6.5]DT[2025-06-01]RE[B+R];B[aa];W[bb])"
    table = "file,ended\ngame.sgf,2025-06-01T12:00:00+09:00\n"
    files = [("game.sgf", text.encode()), ("table.csv", table.encode())]

    def send():
        return receive(server, files, {}, Sender(OFFICER, None, "", "upload"))

    first = send()
    reports.accept(first, OFFICER, date(2026, 3, 2))
    assert send().pk == first.pk
    entry = open_entry(server, Act("officer", "strike"))
    strike_all(entry, go_facts.GoGame, GoGame.objects.filter(entry=first.steps.latest("pk").entry), date.min)
    assert send().pk != first.pk
    assert Report.objects.count() == 2
