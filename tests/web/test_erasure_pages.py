"""A chief officer erases a person by the pages; the public then sees the id alone."""

from __future__ import annotations

import re

import pytest
from published_pools import published_pool
from small_office import client, visitor

from banzuke.core import facts
from banzuke.database.models import Erasure, Inquiry
from banzuke.office.fact_rows import standing_rows

pytestmark = pytest.mark.django_db
PAGE = "/office/japan/register/members/J004/erase/"


@pytest.fixture
def pool(settings, tmp_path):
    settings.HOME = tmp_path
    return published_pool()


def text_of(answer):
    return re.sub(r"\s+", " ", answer.content.decode())


def test_the_person_is_erased_once_the_id_is_typed(pool):
    row = standing_rows(pool, facts.Player).get(player_id="J004")
    names = (row.name, row.name_native)
    chief = client("chief", pool)
    seen = text_of(chief.get(PAGE))
    assert "What goes" in seen
    assert "birth date" in seen
    assert "Type the id" in seen
    assert "This is not the id." in text_of(chief.post(PAGE, {"typed": "J005"}))
    assert not Erasure.objects.exists()
    answer = chief.post(PAGE, {"typed": " J004 "}, follow=True)
    assert "The person is erased." in text_of(answer)
    for page in ("players/J004/", "lists/2025-05/standard/", "players/J004/2025-05/standard/", "events/2025-01-newyear/",
                 "lists/2025-05/standard.csv", "players/J003/?all=1", "search/?q=J004"):  # fmt: skip
        answer = visitor().get(f"/japan/{page}", follow=True)
        assert answer.status_code == 200
        shown = text_of(answer)
        assert [name for name in names if name in shown] == [], page
    assert "J004" in text_of(visitor().get("/japan/players/J004/"))
    assert visitor().get("/japan/players/J004.atom").status_code == 404
    again = chief.get(PAGE, follow=True)
    assert again.redirect_chain[-1][0] == "/office/japan/register/members/J004/"
    assert "nothing has named the person since" in text_of(again)


def test_nothing_is_entered_about_the_person_any_more(pool):
    chief = client("chief", pool)
    chief.post(PAGE, {"typed": "J004"})
    member = "/office/japan/register/members/J004/"
    shown = text_of(chief.get(member))
    assert "This person was erased" in shown
    assert "made up" in shown
    for gone in ("Change the entry", "Add a membership", "Merge with another", ">Correct<", "FAMILY Given"):
        assert gone not in shown
    assert "is of a person who was erased" in text_of(chief.get(f"{member}change/", follow=True))
    given = {"name": "SATO Jiro", "player_id": "J004"}
    assert "already used" in text_of(chief.post("/office/japan/register/new/", given))
    merging = chief.get("/office/japan/register/members/J003/merge/?keep=1&other=J004")
    assert "of a person who was erased" in text_of(merging)


def test_what_waits_is_named_first(pool):
    inquiry = Inquiry.objects.create(pool=pool, day="2025-06-01", asked_by="J004", about="a result")
    chief = client("chief", pool, lang="ja")
    seen = text_of(chief.get(PAGE))
    assert f"/office/japan/board/inquiries/{inquiry.pk}/" in seen
    assert '<form method="post"><input' not in seen
    assert "先に決定してください" in text_of(chief.post(PAGE, {"typed": "J004"}, follow=True))
    assert not Erasure.objects.exists()


def test_there_is_none_for_who_is_nobody(pool):
    assert client("chief", pool).get(PAGE.replace("J004", "J999")).status_code == 404
