"""From an office with an empty pool to its first list: one's own file of a pairing program, and the pages alone."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from small_office import client

from banzuke.database.models import Membership, Player, Pool, RatingList, Report

TRF = Path(__file__).resolve().parents[2] / "examples" / "hinoki-spring.trf"
pytestmark = pytest.mark.django_db


@pytest.fixture
def chief():
    return client("administrator")


def opened(chief, book="jcf-2024"):
    """An empty pool."""
    said = {"slug": "mine", "name": "My Federation", "rulebook": book, "start": "2024-10-01"}
    assert chief.post("/office/new/", said).status_code == 302
    return Pool.objects.get(slug="mine")


def sent(chief):
    """The report of the file; the address of its page."""
    files = {"files": SimpleUploadedFile(TRF.name, TRF.read_bytes())}
    return chief.post("/office/mine/inbox/send/", files | {"club": ""})["Location"]


def decided(chief, where, act="accept", **said):
    said = {"e0-speed": "standard", "e0-reported": "2025-05-02", "act": act} | said
    return chief.post(f"{where}decide/", said, follow=True).content.decode()


def test_the_first_list_of_a_file(chief):
    opened(chief)
    where = sent(chief)
    page = chief.get(where).content.decode()
    assert "6 players without a match in the register are all new" in page
    assert "by the day of the report" in decided(chief, where, "save")
    assert re.search(r"<details open><summary>Complete or correct the event", page)
    everybody = {"new-0": "on", "newcomers-0": "1", "joined-0": "on", "rated-0": "on"}
    page = decided(chief, where, "save", **everybody)
    assert "It can be accepted. " in page
    assert "is not a member" not in page
    page = decided(chief, where, **everybody)
    assert "will be in list 2025-06" in page
    assert "Its window closed on 2025-05-20; the list can be published now." in page
    assert 'href="/office/mine/board/"' in page
    chief.post("/office/mine/board/rehearsals/2025-06/again/")
    chief.post("/office/mine/board/rehearsals/2025-06/publish/", {"confirm": "2025-06"})
    rows = RatingList.objects.get(name="2025-06").rows.filter(speed="standard").order_by("-rating")
    # FIDE ratings taken over on joining (JCF 6(1)), with the changes of the match (K 10 and 40)
    assert [(row.name, row.rating) for row in rows][:2] == [
        ("FUJIWARA Yuto", 2399),
        ("YAMAMOTO Itsuki", 2085),
    ]
    assert rows.count() == 6


def test_what_stays_out_is_said_before_it_is_accepted(chief):
    opened(chief)
    page = decided(
        chief, sent(chief), "save", **{"new-0": "on", "newcomers-0": "1", "e0-reported": "2026-01-01"}
    )
    assert "It can be accepted. " not in page
    assert "some games will not be rated" in page
    assert "If the report came earlier, enter that day." in page


def test_the_newcomers_join_for_a_year(chief):
    opened(chief)
    decided(chief, sent(chief), **{"new-0": "on", "newcomers-0": "1", "joined-0": "on"})
    spans = set(Membership.objects.values_list("kind", "valid_from", "valid_to"))
    assert spans == {("annual", date(2025, 4, 26), date(2026, 4, 25))}
    assert set(Player.objects.values_list("fide_standard", flat=True)) == {None}


def test_newcomers_who_do_not_join_are_no_members(chief):
    opened(chief)
    page = decided(chief, sent(chief), "save", **{"new-0": "on", "newcomers-0": "1"})
    assert page.count("is not a member on 2025-04-26") == 6
    assert not Membership.objects.exists()


def test_what_was_said_of_them_can_be_taken_back(chief):
    opened(chief)
    where = sent(chief)
    decided(chief, where, "save", **{"new-0": "on", "newcomers-0": "1", "joined-0": "on", "rated-0": "on"})
    page = decided(chief, where, "save", **{"newcomers-0": "1"})
    assert page.count("is not a member on 2025-04-26") == 6
    assert 'name="joined-0">' in page
    assert 'name="rated-0">' in page


def test_only_an_officer_says_it_of_them(chief):
    pool = opened(chief)
    Report.objects.update(club_id="C1")
    where = sent(chief)
    Report.objects.update(club_id="C1")
    club = client("reporter", pool, "C1")
    page = club.post(f"{where}decide/", {"act": "save", "new-0": "on", "newcomers-0": "1"}, follow=True)
    assert "Newcomers" not in page.content.decode()
    assert "6 players without a match in the register are all new" in chief.get(where).content.decode()


def test_who_may_be_a_member_is_not_new_by_the_way(chief):
    pool = opened(chief)
    decided(chief, sent(chief), **{"new-0": "on"})
    assert Player.objects.filter(pool=pool).count() == 6
    other = TRF.read_text().replace("FUJIWARA Yuto ", "FUJIWARA Yuta ").replace("Hinoki", "Second")
    files = {"files": SimpleUploadedFile("other.trf", other.encode())}
    where = chief.post("/office/mine/inbox/send/", files | {"club": ""})["Location"]
    page = decided(chief, where, "save", **{"new-0": "on"})
    assert "Players to decide on: 1. Of these, without a match in the register: 0." in page
