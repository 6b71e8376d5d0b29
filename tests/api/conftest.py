"""An office whose example pools have all their lists published, for the tests of the API."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from repeated import repeated

from banzuke.database.book_reader import read_book
from banzuke.database.ledger_folders import enter_folder
from banzuke.database.models import Pool, Role
from banzuke.office.administration import api_keys
from banzuke.office.journal import Actor
from banzuke.office.lists.list_index import names_of
from banzuke.office.lists.publishing import publish

EXAMPLES = Path(__file__).parents[2] / "examples"
POOLS = ("japan", "hakodate", "go-server")
CLERK = Actor("clerk")
V1 = "/api/v1"


class Office(NamedTuple):
    """The pools by their words, and users by their roles."""

    pools: dict[str, Pool]
    users: dict[str, User]


@pytest.fixture(scope="module")
def office(django_db_setup, django_db_blocker):
    """Made once a module; each test's own changes are taken back."""
    with django_db_blocker.unblock(), transaction.atomic():
        repeated("the office of the API", all_published)
        pools = {name: Pool.objects.get(slug=name) for name in POOLS}
        japan = pools["japan"]
        users = {name: User.objects.create_user(name) for name in ("nobody", "reporter", "officer")}
        for pool in (japan, pools["go-server"]):
            Role.objects.create(user=users["reporter"], pool=pool, kind=Role.Kind.REPORTER, club_id="C01")
            Role.objects.create(user=users["officer"], pool=pool, kind=Role.Kind.OFFICER)
        yield Office(pools, users)
        transaction.set_rollback(True)


def all_published():
    """The pools, each with all its lists; given back is the last."""
    for name in POOLS:
        pool = enter_folder(name, EXAMPLES / name, "clerk")
        publish(pool, names_of(read_book(pool))[-1], CLERK, date(2026, 11, 1))
    return pool


@pytest.fixture
def key(office, db):
    """A maker of keys: `key("reporter", "reports")` gives the header of a key for the pool `japan`."""

    def make(user, *scopes, pool="japan"):
        made = api_keys.make_key("test", office.users[user], pool and office.pools[pool], scopes, None, CLERK)
        return {"authorization": f"Bearer {made.text}"}

    return make


@pytest.fixture
def api(office, db):
    """Asks the API as anybody does: `api("/pools", limit=1)`."""
    cache.clear()
    client = Client()

    def ask(address, headers=None, **words):
        return client.get(f"{V1}{address}", words, headers=headers)

    return ask
