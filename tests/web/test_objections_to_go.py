"""Objections to games of Go: beside every game, and closed once the game is annulled."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.core.cache import cache
from django.test import Client
from objecting import officer, secret, text
from office.published_office import CHIEF, TODAY, names
from published_pools import EXAMPLES
from repeated import entered_pool

from banzuke.database.models import Inquiry, Objection
from banzuke.office.lists import corrections
from banzuke.office.lists.publishing import publish

pytestmark = pytest.mark.django_db
SAID = {"about": "My brother played it.", "who": "A. Player"}


@pytest.fixture
def pool():
    cache.clear()
    return entered_pool("go", EXAMPLES / "go-server")


def links(address):
    page = text(Client(), address)
    return [unescape(one) for one in re.findall(r'href="(/go/wrong/\?[^"]+)"', page)]


def annulled(pool, page, game, number):
    """The game is annulled, and the inquiry closed by it."""
    chief = officer(pool)
    inquiry = f"/office/go/board/inquiries/{number}/"
    assert f"/office/go/live/annul/?game={game}" in text(chief, inquiry)
    chief.post(f"{inquiry}annulled/", {"uphold-why": "too early"})
    assert Inquiry.objects.get().state == "open"
    chief.post("/office/go/live/annul/", {"game": game, "why": "not by the player"})
    chief.post(f"{inquiry}annulled/", {"uphold-why": "The brother says so.", "uphold-clause": "PN 1(1)"})
    assert Inquiry.objects.get().state == "corrected"
    shown = text(Client(), page)
    assert "The brother says so." in shown
    return shown


def test_a_game_that_no_list_has_yet(pool):
    found = links("/go/players/momiji_go/")
    assert len(found) > 1
    assert all(Client().get(one).status_code == 200 for one in found[:3])
    page = Client().get(found[0]).content.decode()
    assert "A wrong one can be annulled" in page
    assert 'name="change"' not in page
    address = secret(Client().post(found[0], SAID))
    written = Objection.objects.get()
    assert (written.player_id, written.list) == ("momiji_go", None)
    shown = annulled(pool, address, written.event_id, written.inquiry_id)
    assert "No published list changes by it; lists that come will." in shown


def test_a_game_in_a_list(pool):
    name = names(pool)[0]
    publish(pool, name, CHIEF, TODAY)
    found = links(f"/go/players/momiji_go/{name}/")
    assert f"/go/wrong/?list={name}" in links(f"/go/lists/{name}/")
    address = secret(Client().post(found[0], SAID))
    written = Objection.objects.get()
    assert written.list.name == name
    shown = annulled(pool, address, written.event_id, written.inquiry_id)
    assert "The revision of the list is still to come." in shown
    corrections.revise(pool, CHIEF, "annulled")
    assert f"revision 1 of list {name}" in text(Client(), address)
