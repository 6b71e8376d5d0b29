"""Writing objections, and deciding on them, for tests of each step."""

from __future__ import annotations

import re
from datetime import timedelta

from django.core.cache import cache
from django.test import Client
from office.published_office import published
from web.small_office import user

from banzuke.office.lists.list_index import current_lists, known_until

SAID = {"about": "The score sheet says that it was a draw.", "who": "A. Player", "change": "drawn"}


def pool_with_lists():
    """The example of Japan with its first two lists published."""
    cache.clear()
    return published("japan", 1)


def day_in_time(pool, monkeypatch):
    """The last day on which the newest list can be corrected is today; it is given back."""
    day = known_until(newest(pool)) - timedelta(days=1)
    for where in (
        "banzuke.web.public.objection_pages",
        "banzuke.web.board.inquiry_pages",
        "banzuke.web.board.jobs",
    ):
        monkeypatch.setattr(f"{where}.today_of", lambda _: day, raising=False)
    return day


def newest(pool):
    """The newest list that has a won game."""
    return next(
        one for one in current_lists(pool) if one.lines.filter(score=2, change__isnull=False).exists()
    )


def won(pool):
    """A line of a won game in the newest list."""
    return newest(pool).lines.filter(score=2, change__isnull=False).order_by("position").first()


def address_of(line):
    return (
        f"/japan/wrong/?player={line.player_id}&event={line.event_id}&round={line.round}"
        f"&opponent={line.opponent_id}&list={line.list.name}&speed={line.speed}"
    )


def chosen(page):
    """The game that a form has chosen; blank for none."""
    found = re.search(r'name="game" value="([^"]+)"[^>]*checked', page.content.decode())
    return found[1] if found else ""


def sent(line, client=None, **said):
    """The form about a game, filled in and sent."""
    client = client or Client()
    address = address_of(line)
    game = chosen(client.get(address))
    data = SAID | ({"game": game} if game else {}) | said
    return client.post(address, data)


def secret(answer):
    assert answer.status_code == 302, answer.content.decode()[-3000:]
    return answer["Location"]


def officer(pool, name="boss", kind="chief", club=""):
    client = Client()
    client.force_login(user(kind, pool, club, name=name))
    return client


def text(client, address):
    return client.get(address).content.decode()
