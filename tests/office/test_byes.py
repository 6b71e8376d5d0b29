"""Points for byes in an office: from a report to its event's page and files, and no rating by them."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from pathlib import Path

import pytest
from django.test import Client
from office.published_office import rows_of
from repeated import entered_pool

from banzuke.core.facts import Bye
from banzuke.core.fault import RefusedError
from banzuke.database import models
from banzuke.database.book_reader import read_byes
from banzuke.database.ledger_folders import enter_folder, write_folder
from banzuke.formats.report import ReportedBye
from banzuke.formats.trf import trf_reader
from banzuke.ledger.byes import read_byes as byes_in
from banzuke.ledger.byes import write_byes
from banzuke.office.inbox import reports
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.journal import Actor
from banzuke.office.lists.publishing import publish
from banzuke.office.lists.verification import verify
from banzuke.office.register import data_exports, player_merge

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SMALL = Path(__file__).parents[1] / "ledger" / "small"
OFFICER = Actor("officer", "127.0.0.1")
TODAY, EVENT = date(2025, 5, 2), "2025-04-26-hinoki-spring-match"
SAID = {"speed": "standard", "reported": TODAY, "organiser": "F01", "applied": date(2025, 4, 1)}
pytestmark = pytest.mark.django_db


def with_byes():
    """The example's report with a bye in the last round in place of a game that was not played."""
    text = (EXAMPLES / "hinoki-spring.trf").read_text()
    assert text.count("     5 b +") == text.count("     1 w -") == 1
    return text.replace("     5 b +", "  0000 - U").replace("     1 w -", "  0000 - Z").encode()


@pytest.fixture
def japan():
    """A pool into which the report was accepted."""
    pool = entered_pool("japan", EXAMPLES / "japan", "test")
    report = receive(pool, [("h.trf", with_byes())], SAID, Sender(OFFICER, None, "C01", "upload"))
    reports.accept(report, OFFICER, TODAY)
    return pool


@pytest.mark.slow
def test_byes_of_a_report_are_on_its_events_page_and_in_its_files(japan):
    (bye,) = read_byes(japan)
    assert (bye.event_id, bye.round, bye.points) == (EVENT, 5, 2)
    publish(japan, "2025-06", OFFICER, date(2025, 7, 1))
    page = Client().get(f"/japan/events/{EVENT}/").content.decode()
    assert '<td class="forfeit">-1</td>' in page
    assert '<td class="n">4½</td>' in page
    assert "The ledger has no byes" not in page
    report = trf_reader.read(data_exports.event_trf(japan, EVENT, "JPN", OFFICER), "x.trf")
    assert (report.faults, report.byes) == ((), (ReportedBye(5, 1, 2),))
    assert verify(japan, "2025-06").is_good
    held = data_exports.personal_data(japan, bye.player_id)
    assert [(row["round"], row["points"]) for row in held["byes"]] == [(5, 2)]


def test_the_ledger_has_them_and_so_has_an_office_that_takes_it(japan, tmp_path):
    write_folder(japan, tmp_path / "out")
    assert byes_in(tmp_path / "out") == read_byes(japan)
    assert (tmp_path / "out" / "byes.csv").stat().st_mode & 0o777 == 0o600
    again = enter_folder("again", tmp_path / "out", "officer")
    assert read_byes(again) == read_byes(japan)
    names = zipfile.ZipFile(io.BytesIO(data_exports.ledger_zip(japan, OFFICER))).namelist()
    assert "japan/byes.csv" in names


def test_lists_do_not_change_by_them(tmp_path):
    """With byes of players who have games in the event, who have none, and whom nobody knows."""
    pools, japan = [], entered_pool("japan", SMALL / "japan", "test")
    for number, byes in enumerate(
        ([], [("E1", 3, "A"), ("E2", 1, "C"), ("E2", 2, "nobody"), ("no", 1, "A")])
    ):
        folder = tmp_path / str(number)
        write_folder(japan, folder)
        write_byes(folder, [Bye(*each, 2) for each in byes])
        pools.append(enter_folder(f"pool{number}", folder, "officer"))
        publish(pools[-1], "2025-01", OFFICER, date(2030, 1, 1))
    without, having = (models.RatingList.objects.filter(pool=pool).order_by("number") for pool in pools)
    assert [list(map(str, rows_of(each))) for each in without] == [
        list(map(str, rows_of(each))) for each in having
    ]
    assert all(verify(each.pool, each.name).is_good for each in having)
    page = Client().get("/pool1/events/E2/").content.decode()
    assert page.count('<td class="forfeit">-1</td>') == 1
    report = trf_reader.read(data_exports.event_trf(pools[1], "E2", "JPN", OFFICER), "x.trf")
    assert [(bye.round, bye.half_points) for bye in report.byes] == [(1, 2)]


def test_a_damaged_table_is_no_pool(tmp_path):
    write_folder(entered_pool("japan", SMALL / "japan", "test"), tmp_path / "out")
    (tmp_path / "out" / "byes.csv").write_text("event_id,round,player_id,points\nE1,1,A,3\n")
    with pytest.raises(RefusedError):
        enter_folder("again", tmp_path / "out", "officer")
    assert not models.Pool.objects.filter(slug="again").exists()


def test_they_go_with_a_member_who_is_merged_and_come_back(tmp_path):
    write_folder(entered_pool("japan", SMALL / "japan", "test"), tmp_path / "out")
    byes = [Bye("E2", 2, "A", 1), Bye("E2", 3, "B", 2)]
    write_byes(tmp_path / "out", byes)
    pool = enter_folder("again", tmp_path / "out", "officer")
    player_merge.merge(pool, "C", "B", OFFICER, "one person", date(2025, 1, 10))
    assert sorted(read_byes(pool)) == [byes[0], byes[1]._replace(player_id="C")]
    player_merge.unmerge(pool, "C", "B", OFFICER, "two", date(2025, 1, 11))
    assert sorted(read_byes(pool)) == byes
