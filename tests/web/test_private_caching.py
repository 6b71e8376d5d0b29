"""What is shown to who is signed in stays in no cache that others read."""

from __future__ import annotations

import pytest
from small_office import client, small_pool

pytestmark = pytest.mark.django_db


@pytest.fixture
def pool():
    return small_pool()


@pytest.mark.parametrize("page", ["register/", "board/", "settings/", "register/members/A/"])
def test_an_officer_s_pages_are_kept_nowhere(pool, page):
    answer = client("officer", pool).get(f"/office/japan/{page}")
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")


@pytest.mark.parametrize("page", ["club/", "club/members/", "inbox/", "register/events/"])
def test_nor_is_what_an_officer_reads_on_a_club_s_pages(pool, page):
    for visitor in (
        client("officer", pool),
        client("administrator"),
        client("chief", small_pool("hakodate")),
    ):
        answer = visitor.get(f"/office/japan/{page}")
        if answer.status_code == 200:
            assert answer["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "page", ["/office/japan/club/", "/office/japan/inbox/", "/japan/", "/japan/statistics/", "/japan/rules/"]
)
def test_what_a_reporter_reads_is_for_nobody_else_and_asked_for_again(pool, page):
    answer = client("reporter", pool, "C1").get(page)
    assert (answer.status_code, answer["Cache-Control"]) == (200, "private, no-cache")
