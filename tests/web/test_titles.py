"""Titles of players: entered by the office, shown on the player's page and in lists; not of who is hidden."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from small_office import client, small_pool, visitor

from banzuke.core import facts
from banzuke.database.models import Report
from banzuke.office.fact_rows import standing_rows
from banzuke.office.journal import Actor
from banzuke.office.lists.list_index import latest_list
from banzuke.office.lists.publishing import publish
from banzuke.office.player_titles import title_holders
from banzuke.office.register import members

pytestmark = pytest.mark.django_db
CHANGE = "/office/japan/register/members/A/change/"


@pytest.fixture
def japan():
    pool = small_pool("japan")
    publish(pool, "2025-01", Actor("boss"), date(2025, 2, 1))
    return pool


def change(officer, **words):
    form = officer.get(CHANGE).context["form"]
    values = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}
    said = {name: value for name, value in (values | words).items() if value not in (None, "", False)}
    assert officer.post(CHANGE, said).status_code == 302


def test_a_title_is_entered_and_shown(japan):
    sha256 = latest_list(japan).sha256
    officer = client("officer", japan)
    change(officer, title="WIM", title_from="FIDE list of March 2025")
    row = standing_rows(japan, facts.Player).get(player_id="A")
    assert (row.title, row.title_from) == ("WIM", "FIDE list of March 2025")
    page = visitor().get("/japan/players/A/").content.decode()
    assert re.search(r"<h1[^>]*><span class=\"title\">WIM</span> ABE", page)
    assert "WIM: FIDE list of March 2025" in page
    listed = visitor().get("/japan/lists/2025-01/standard/").content.decode()
    assert listed.count('<span class="title">WIM</span>') == 1
    assert latest_list(japan).sha256 == sha256
    change(officer, sex="m")
    assert standing_rows(japan, facts.Player).get(player_id="A").title == "WIM"


def test_title_holders_are_found_from_the_list_and_the_front_page(japan):
    link = '<a href="/japan/lists/2025-01/standard/?title=yes">Title holders</a>'
    for page in ("/japan/", "/japan/lists/2025-01/standard/"):
        assert link not in visitor().get(page).content.decode()
    officer = client("officer", japan)
    change(officer, title="WIM")
    for page in ("/japan/", "/japan/lists/2025-01/standard/"):
        assert link in visitor().get(page).content.decode()
    sheet = visitor().get("/japan/lists/2025-01/standard/?title=yes").content.decode().split('id="sheet"')[1]
    assert "1 player shown" in sheet
    assert '<h2 class="shown">Title holders</h2>' in sheet
    change(officer, by_id_only="on")
    page = visitor().get("/japan/lists/2025-01/standard/?title=yes").content.decode()
    assert "Nobody on this list matches." in page
    assert link not in page


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL reads so small a table whole")
def test_title_holders_are_found_by_the_index(japan):
    assert "players_by_title" in title_holders(japan).explain()


def test_a_newcomer_has_the_title_of_the_report(japan):
    officer = client("officer", japan)
    rows = [
        f"001 {number:4} m{title:>3} {name:33} {'':4} JPN {'':22}{points:5} {number:4}  {game}"
        for number, title, name, points, game in [
            (1, "FM", "NEW Person", 1.0, "   2 w 1"),
            (2, "", "ABE Ichiro", 0.0, "   1 b 0"),
        ]
    ]
    trf = "\n".join(["012 Open", "042 2025/02/10", "052 2025/02/10", *rows, ""]).encode()
    said = {"files": [SimpleUploadedFile("new.trf", trf)], "club": "C1", "event-speed": "standard"}
    officer.post("/office/japan/inbox/send/", said | {"event-reported": "2025-02-11"})
    report = Report.objects.get()
    decide = f"/office/japan/inbox/{report.pk}/decide/"
    officer.post(decide, {"act": "accept", "who-0-1": "new", "who-0-2": "A"}, follow=True)
    newcomer = standing_rows(japan, facts.Player).get(name="NEW Person")
    form = officer.get(f"/office/japan/register/members/{newcomer.player_id}/change/").context["form"]
    assert [form[name].value() for name in ("sex", "title", "title_from")] == ["m", "FM", ""]


def test_who_is_shown_by_id_only_has_no_title(japan):
    change(client("officer", japan), title="WIM", by_id_only="on")
    assert members.contact_of(japan, "A").by_id_only
    for address in ("/japan/players/A/", "/japan/lists/2025-01/standard/"):
        assert "WIM" not in visitor().get(address).content.decode()
