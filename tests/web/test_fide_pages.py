"""FIDE ratings taken over in the browser: a list is sent, looked at, taken over."""

from __future__ import annotations

import io
import zipfile
from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from web.small_office import client, small_pool

from banzuke.core import facts
from banzuke.database.book_reader import read_book
from banzuke.database.models import JournalEntry, Strike
from banzuke.formats.fide.fide_player import FidePlayer
from banzuke.formats.fide.fide_text import write_txt
from banzuke.formats.fide.fide_xml import write_xml
from banzuke.office.fact_rows import standing_rows
from banzuke.office.jobs import job_queue
from banzuke.office.journal import Actor
from banzuke.office.lists.publishing import publish
from banzuke.office.register import members
from banzuke.office.register.members import ContactDetails
from banzuke.web.register import fide_pages

pytestmark = pytest.mark.django_db
CLERK = Actor("clerk")
SEND = "/office/japan/register/fide/"
LISTED = [
    FidePlayer("7000001", "Doi, Shiro", "JPN", standard=1900, blitz=1750),
    FidePlayer("7000002", "Muller, Jose", "GER", rapid=1555),
    FidePlayer("7000003", "Ono, Taro", "JPN"),
    FidePlayer("7000004", "Abe, Ichiro", "JPN", standard=2000),
]
MEMBERS = [("D", "DOI Shiro", "7000001"), ("E", "ENDO Mai", "7000002"), ("O", "ONO Taro", "7000003")]
MEMBERS += [("G", "GOTO Aya", "7000009")]


@pytest.fixture
def japan():
    """A has a FIDE rating; D is in the list, E has another's id, O no rating there, G is not in it."""
    pool = small_pool()
    for player_id, name, fide_id in MEMBERS:
        members.add(pool, facts.Player(player_id, name, fide_id=fide_id), ContactDetails(), CLERK)
    return pool


@pytest.fixture
def officer(japan):
    return client("officer", japan)


def as_text():
    return b"".join(write_txt(LISTED, "JAN26"))


def zipped():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("players_list_xml.xml", b"".join(write_xml(LISTED, "list")))
    return packed.getvalue()


def sent(by, data, name="players_list.txt", **said):
    return by.post(SEND, {"file": SimpleUploadedFile(name, data)} | said)


def ratings(pool, player_id):
    row = members.find(pool, player_id)
    return row.fide_standard, row.fide_rapid, row.fide_blitz


@pytest.mark.parametrize(("make", "name"), [(as_text, "list.txt"), (zipped, "list.zip")])
def test_seen_then_taken_over(japan, officer, make, name):
    where = sent(officer, make(), name)["Location"]
    told = officer.get(where).context["result"]
    assert [(each["player_id"], each["fide_standard"], each["has_games"]) for each in told["taken"]] == [
        ("D", 1900, False)
    ]
    assert [each["player_id"] for each in told["doubtful"]] == ["E"]
    assert (told["unrated"], told["missing"], told["left"]) == (1, 1, 1)
    assert ratings(japan, "D") == (None, None, None)
    officer.post(where)
    assert ratings(japan, "D") == (1900, None, 1750)
    assert ratings(japan, "E") == (None, None, None)
    assert JournalEntry.objects.get(act="take-fide-ratings").what["changed"] == 1


def test_a_doubtful_one_is_taken_where_the_officer_says_so(japan, officer):
    where = sent(officer, as_text())["Location"]
    [doubtful] = officer.get(where).context["result"]["doubtful"]
    officer.post(where, {"also": [doubtful["row"]]})
    assert ratings(japan, "E") == (None, 1555, None)


def test_titles_are_shown_then_filled_in(japan, officer):
    listed = [
        FidePlayer("7000001", "Doi, Shiro", "JPN", standard=1900, title="CM"),
        FidePlayer("7000003", "Ono, Taro", "JPN", title="WIM"),
        FidePlayer("7000002", "Muller, Jose", "GER", title="GM"),
    ]
    where = sent(officer, b"".join(write_txt(listed, "JAN26")))["Location"]
    page = officer.get(where)
    assert [(each["player_id"], each["title"]) for each in page.context["titled"]] == [("O", "WIM")]
    assert "Members who get a title" in page.content.decode()
    said = officer.post(where, follow=True).content.decode()
    assert "1 members got their FIDE ratings." in said
    assert "1 members got their FIDE titles." in said
    rows = [members.find(japan, player_id) for player_id in "DEO"]
    assert [(row.title or "", row.title_from or "") for row in rows] == [
        ("CM", "FIDE"),
        ("", ""),
        ("WIM", "FIDE"),
    ]
    assert ratings(japan, "O") == (None, None, None)


def test_who_was_changed_since_stays_so_and_nothing_twice(japan, officer):
    where = sent(officer, as_text())["Location"]
    member = next(player for player in read_book(japan).players if player.player_id == "D")
    changed = member._replace(fide_standard=1800)
    members.change(japan, changed, ContactDetails(), CLERK, "typed", date(2025, 1, 1))
    page = officer.post(where, follow=True).content.decode()
    assert "1 members were changed since" in page
    assert ratings(japan, "D") == (1800, None, None)
    before = japan.entries.count()
    officer.post(where)
    assert japan.entries.count() == before


def test_with_published_lists_the_change_carries_a_day(japan, officer):
    publish(japan, "2025-01", CLERK, date(2025, 2, 1))
    where = sent(officer, as_text())["Location"]
    page = officer.post(where, follow=True).content.decode()
    assert "This may change published lists" in page
    row = standing_rows(japan, facts.Player).get(player_id="D")
    assert row.added is not None
    assert Strike.objects.filter(table="players").get().day == row.added


def test_a_large_list_is_read_by_the_worker(japan, officer, monkeypatch):
    monkeypatch.setattr(fide_pages, "AT_ONCE", 10)
    answer = sent(officer, as_text())
    assert answer["Location"].startswith("/office/jobs/")
    assert "Waiting for its turn" in officer.get(answer["Location"]).content.decode()
    job = job_queue.work_off()
    assert officer.get(answer["Location"])["Location"] == job.wanted["next"]
    assert [each["player_id"] for each in officer.get(job.wanted["next"]).context["taken"]] == ["D"]


@pytest.mark.parametrize(
    ("data", "name", "sentence"),
    [
        (b"no list at all\n", "list.txt", "rating list"),
        (b"PK\x03\x04 broken", "list.zip", "zip"),
        (b"x", "list.pdf", "not allowed"),
    ],
)
def test_what_is_no_list_is_refused_with_a_sentence(officer, data, name, sentence):
    answer = sent(officer, data, name)
    page = officer.get(answer["Location"]) if answer.status_code == 302 else answer
    assert sentence in page.content.decode()


def test_what_fide_ratings_decide_is_said_of_each_pool(officer):
    assert "starts with their FIDE rating" in officer.get(SEND).content.decode()
    pool = small_pool("fide")
    page = client("chief", pool).get("/office/fide/register/fide/").content.decode()
    assert "/office/fide/register/openings/" in page.split("<h1>")[1]


def test_another_pools_list_is_not_shown(japan, officer):
    where = sent(officer, as_text())["Location"]
    other = client("chief", small_pool("fide"))
    assert other.get(where.replace("/japan/", "/fide/")).status_code == 404
