"""The addresses of a player who was put together with another: they lead to the one who is kept."""

from __future__ import annotations

from datetime import date

import pytest
from web.published_pools import published_pool
from web.small_office import visitor

from banzuke.core import facts
from banzuke.office.journal import Actor
from banzuke.office.register import members, player_merge
from banzuke.office.register.members import ContactDetails

pytestmark = pytest.mark.django_db
HANAKO = Actor("hanako")
DAY = date(2025, 6, 1)
API = "/api/v1/pools/japan/players"


@pytest.fixture
def merged():
    """J004, and J4 who was found to be the same."""
    pool = published_pool()
    members.add(pool, facts.Player("J4", "HAYASHI Shiro"), ContactDetails(), HANAKO)
    player_merge.merge(pool, "J004", "J4", HANAKO, "one person", DAY)
    return pool


@pytest.mark.parametrize(
    ("asked", "led"),
    [
        ("/japan/players/J4/", "/japan/players/J004/"),
        ("/japan/players/J4/?all=1&x=%2F", "/japan/players/J004/?all=1&x=%2F"),
        ("/japan/players/J4/2025-02/standard/", "/japan/players/J004/2025-02/standard/"),
        (f"{API}/J4", f"{API}/J004"),
        (f"{API}/J4/history?limit=1", f"{API}/J004/history?limit=1"),
        (f"{API}/J4/workings/2025-02?lang=ja", f"{API}/J004/workings/2025-02?lang=ja"),
    ],
)
def test_led_to_the_one_who_is_kept_until_they_are_taken_apart(merged, asked, led):
    answer = visitor().get(asked)
    assert (answer.status_code, answer["Location"]) == (307 if "api" in asked else 302, led)
    assert visitor().get(led).status_code == 200
    player_merge.unmerge(merged, "J004", "J4", HANAKO, "two after all", DAY)
    apart = visitor().get(asked)
    is_page = asked.partition("?")[0] == "/japan/players/J4/"  # a member has one, also before any game
    assert apart.status_code == (200 if is_page else 404)
    assert not is_page or "HAYASHI Shiro" in apart.content.decode()


def test_a_program_is_told_who_is_kept(merged):
    said = visitor().get(f"{API}/J4").json()
    assert (said["status"], said["kept"]) == (307, "J004")


def test_the_one_who_is_kept_is_led_nowhere(merged):
    assert visitor().get("/japan/players/J004/").status_code == 200
    assert visitor().get(f"{API}/J004").status_code == 200
