"""What is wrong leads to the page that mends it: on a report's page, before publishing, in the register."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import resolve
from repeated import entered_pool
from small_office import client

from banzuke.core.fault import fault
from banzuke.office.mending import MendingPlace, MendingTarget
from banzuke.web.mending_links import MendingLinks, ShownReport
from banzuke.web.problem_views import warnings_of_list

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
HINOKI = (EXAMPLES / "hinoki-spring.trf").read_bytes()
REPORT = ShownReport(7, {"a.trf": 1}, ["place"], ["NEW1"])
OF = {MendingPlace.FIELD: "place", MendingPlace.FILE: "a.trf", MendingPlace.REPORT: "8"}


@pytest.fixture
def japan(db):
    return entered_pool("japan", EXAMPLES / "japan", "test")


@pytest.fixture
def officer(japan):
    return client("officer", japan)


def sent_report(visitor, **said):
    files = [SimpleUploadedFile("hinoki-spring.trf", HINOKI)]
    given = {"files": files, "club": "C01", "event-speed": "standard"} | said
    return visitor.post("/office/japan/inbox/send/", given, follow=True)


def links_of(text):
    return re.findall(r'class="mend" href="([^"]*)"', text)


def test_every_place_has_a_page(japan):
    for is_officer in (True, False):
        links = MendingLinks(japan, REPORT, is_officer=is_officer)
        for place in MendingPlace:
            link = links.link(MendingTarget(place, OF.get(place, "J001")))
            assert link.text
            if link.address.startswith("/"):
                assert resolve(link.address)
            elif place is MendingPlace.NEWCOMERS:  # they are no members before the report is accepted
                assert link == ("", "To be completed once the report is accepted")
            else:
                assert link.address[:1] in (("#", "?") if is_officer else ("#", "")), place


def test_who_is_no_member_yet_is_decided_on_in_the_report(japan):
    links = MendingLinks(japan, REPORT)
    assert links.link(MendingTarget(MendingPlace.MEMBERSHIP, "NEW1")).address == "#who-0"
    assert links.link(MendingTarget(MendingPlace.MEMBERSHIP, "J001")).address.endswith("/J001/memberships/")


@pytest.mark.parametrize("who", ["officer", "reporter"])
def test_the_links_of_a_report_lead_somewhere(japan, who):
    visitor = client("officer", japan) if who == "officer" else client("reporter", japan, "C01")
    page = sent_report(visitor)
    text = page.content.decode()
    assert page.context["problems"]
    assert links_of(text)
    for address in links_of(text):
        if address.startswith("#"):
            assert f'id="{address[1:]}"' in text
        else:
            assert visitor.get(address).status_code == 200


def test_warnings_of_one_kind_are_one_line_with_the_rows_behind_it(japan):
    names = [fault("players.csv", 0, f"J{n:03}", "warn-name", name="x", clause="JCF 2") for n in range(1, 36)]
    views = warnings_of_list(japan, names)
    assert [len(view.rows) for view in views] == [35]
    assert views[0].text.startswith("Names that are not in the form")
    assert views[0].rows[0].of
    assert views[0].rows[0].link.address.endswith("/members/J001/change/")


def test_an_unreadable_file_is_told_what_can_be_sent(japan, officer):
    page = officer.post(
        "/office/japan/inbox/send/",
        {"files": [SimpleUploadedFile("README.md", b"# Hello\n\nNo report.\n")], "club": "C01"},
        follow=True,
    )
    told = " ".join(map(str, page.context["messages"]))
    assert told.startswith(
        "README.md: This is not a file that a report can be read from. Send the tournament file"
    )
    assert "game-table" not in told


def test_faults_of_a_register_are_one_line(japan, officer):
    rows = "".join(f"J{n:03},ABE Ichiro,31 May\n" for n in range(1, 11))
    table = f"会員番号,ローマ字,生年月日\n{rows}".encode()
    officer.post("/office/japan/register/send/", {"file": SimpleUploadedFile("m.csv", table)})
    where = officer.post("/office/japan/register/send/", {"file": SimpleUploadedFile("m.csv", table)})[
        "Location"
    ]
    text = officer.get(where).content.decode()
    assert "Days that cannot be read: 10." in text
    assert "m.csv, line 2, column C:" in text
