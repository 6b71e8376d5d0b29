"""A throw-away office with the example ledgers, all their lists published, and a user of each role.

One of them goes on until today, with an event granted whose report a visitor can send in.
"""

import secrets
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

from banzuke.core.calendar import Window
from banzuke.database.models import Pool
from banzuke.ledger.folder import Ledger

NAME = "demo"
LETTERS = 4  # bytes
#: The example that goes on until today, the report, its club and place, and a player of it.
CURRENT, REPORT, MAIL = "japan", "hinoki-spring.trf", "hinoki-match.eml"
CLUB, PLACE, RESPONSIBLE, PLAYER = "C01", "Sapporo", "OKADA Minoru", "J001"


class DemoUser(NamedTuple):
    """A user of the demo: name, password, and the role's word."""

    name: str
    password: str
    role: str


def fill(examples: Sequence[Path], today: date | None = None) -> list[DemoUser]:
    """Enter and publish the ledgers of those folders, as of today; the users that were made."""
    from django.utils.timezone import localdate

    from banzuke.ledger.folder import read_ledger

    pools = []
    for folder in examples:
        if folder.name == CURRENT:
            pools.append(_fill_current(folder, today or localdate()))
        else:
            pools.append(_enter(folder, read_ledger(folder)))
            _publish_all(pools[-1])
    return _users(pools)


def _enter(folder: Path, ledger: Ledger) -> Pool:
    """A pool with an example's ledger, and the Japanese names."""
    from banzuke.database.book_writer import Act, enter_ledger
    from banzuke.database.ledger_folders import IMPORT
    from banzuke.server.demo_names import with_japanese_names, with_pool_name

    files = {name: (folder / name).read_text("utf-8") for name in ledger.pool.files}
    return enter_ledger(folder.name, with_japanese_names(ledger), with_pool_name(files), Act(NAME, IMPORT))


def _publish_all(pool: Pool) -> None:
    """Every list of the pool, as on the day after its last window closed."""
    from banzuke.database.book_reader import read_book
    from banzuke.office.journal import Actor
    from banzuke.office.lists.list_index import make_lists
    from banzuke.office.lists.publishing import publish

    last = max(make_lists(read_book(pool)), key=lambda made: (made.closes, made.day))
    publish(pool, last.name, Actor(NAME), last.closes + timedelta(days=1))


def _fill_current(folder: Path, today: date) -> Pool:
    """The example with its present, published until the list before the one that is due."""
    from banzuke.ledger.folder import read_chess_ledger
    from banzuke.office.journal import Actor
    from banzuke.office.lists.publishing import publish
    from banzuke.server.demo_present import present_demo

    present = present_demo(read_chess_ledger(folder), today)
    pool = _enter(folder, present.ledger)
    publish(pool, present.published.name, Actor(NAME), today)
    _grant(pool, present.coming, (folder.parent / REPORT).read_text("utf-8"))
    return pool


def _grant(pool: Pool, coming: Window, trf: str) -> None:
    """Grant the event of the report, and keep the report for whoever plays the club."""
    from banzuke.core.facts import STANDARD
    from banzuke.office.demo import Demo, keep_demo
    from banzuke.office.journal import Actor
    from banzuke.office.register.event_applications import apply, decide
    from banzuke.server.demo_names import in_japanese
    from banzuke.server.demo_present import APPLIED, example_report
    from banzuke.server.demo_present import NAME as EVENT

    report = example_report(trf, coming)
    wanted = {
        "event_id": "", "name": EVENT, "name_native": in_japanese(EVENT), "organiser": CLUB,
        "place": PLACE, "responsible": RESPONSIBLE,
        "speed": STANDARD, "fide_rated": False, "applied": report.starts - APPLIED,
        "starts": report.starts, "ends": report.ends,
    }  # fmt: skip
    made = apply(pool, wanted, Actor(NAME))
    decide(pool, made.pk, Actor(NAME), "", grant=True)
    demo = Demo(pool.slug, made.pk, coming.name, PLAYER, MAIL, report.reported.isoformat())
    keep_demo(demo, report.mail)


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
