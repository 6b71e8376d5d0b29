"""A throw-away office with the example ledgers, all their lists published, and a user of each role."""

import secrets
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from banzuke.database.models import Pool

NAME = "demo"
LETTERS = 4  # bytes


class DemoUser(NamedTuple):
    """A user of the demo: name, password, and the role's word."""

    name: str
    password: str
    role: str


def fill(examples: Sequence[Path]) -> list[DemoUser]:
    """Enter and publish the ledgers of those folders; the users that were made."""
    from banzuke.database.ledger_folders import enter_folder

    pools = [enter_folder(folder.name, folder, NAME) for folder in examples]
    for pool in pools:
        _publish_all(pool)
    return _users(pools)


def _publish_all(pool: Pool) -> None:
    """Every list of the pool, as on the day after its last window closed."""
    from banzuke.database.book_reader import read_book
    from banzuke.office.journal import Actor
    from banzuke.office.lists.list_index import make_lists
    from banzuke.office.lists.publishing import publish

    last = max(make_lists(read_book(pool)), key=lambda made: (made.closes, made.day))
    publish(pool, last.name, Actor(NAME), last.closes + timedelta(days=1))


def _users(pools: Sequence[Pool]) -> list[DemoUser]:
    """A user of each role in all pools, and a reporter of the first club there is."""
    from django.contrib.auth import get_user_model

    from banzuke.database.models import Club, Role

    password = f"banzuke-{secrets.token_hex(LETTERS)}"
    club = Club.objects.filter(pool__in=pools, kind="club").order_by("pk").first()
    users = []
    for kind in Role.Kind:
        user = get_user_model().objects.create_user(kind.value, password=password)
        role = Role(user=user, kind=kind)
        if kind is Role.Kind.REPORTER and club is not None:
            role.pool, role.club_id = club.pool, club.club_id
        role.save()
        users.append(DemoUser(user.username, password, kind.value))
    return users
