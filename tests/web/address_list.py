"""Every address of the office, and an office with something behind each: for tests that walk them all."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from django.core.cache import cache
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse
from properties import some_of
from small_office import PASSWORD, small_pool, user

from banzuke.core.facts import Adjustment
from banzuke.database.models import Club, Game, Job, Membership
from banzuke.lab.report_page import Report
from banzuke.lab.sheets import note, sheet_of
from banzuke.office.administration import api_keys, users
from banzuke.office.fees import dues, invoices
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.jobs import heartbeat, job_queue
from banzuke.office.journal import Actor
from banzuke.office.lists import correction_drafts, corrections
from banzuke.office.lists.adjustments import enter_adjustment
from banzuke.office.lists.list_index import latest_list
from banzuke.office.lists.publishing import publish
from banzuke.office.objections import incoming_objections
from banzuke.office.objections.club_answers import ask_club
from banzuke.office.objections.subjects import find_subject
from banzuke.office.reforms import reform_acts
from banzuke.office.register import event_applications, member_import
from banzuke.office.report_json import to_json

TABLE: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("access.toml").read_text("utf-8"))
#: Django's own admin is walked as one: only administrators see any of it.
ADMIN = {"who": "administrator"}
BOSS = Actor("boss")
EVENT = {
    "name": "Spring Open",
    "organiser": "C1",
    "starts": date(2025, 4, 5),
    "ends": date(2025, 4, 6),
    "applied": date(2025, 3, 1),
}


class Visitor(NamedTuple):
    """A visitor: the level of the role, in which pool, for which club."""

    level: str
    pool: str = ""
    club: str = ""


VISITORS = {
    "public": Visitor("public"),
    "user_without_a_role": Visitor("user"),
    "reporter": Visitor("reporter", "japan", "C1"),
    "reporter_of_another_club": Visitor("reporter", "japan", "C2"),
    "reporter_of_another_pool": Visitor("reporter", "fide", "C1"),
    "officer": Visitor("officer", "japan"),
    "officer_of_another_pool": Visitor("officer", "fide"),
    "chief": Visitor("chief", "japan"),
    "administrator": Visitor("administrator"),
}


class Page(NamedTuple):
    """An address: its name, and the words that stand in it."""

    name: str
    words: frozenset[str]

    @property
    def row(self) -> dict[str, Any]:
        return TABLE.get(self.name, ADMIN) if self.name.startswith("admin:") else TABLE[self.name]


def pages(resolver=None, space="", words=frozenset()) -> list[Page]:
    """Every address there is, but those of the API, which has a table of its own."""
    found = []
    for each in (resolver or get_resolver()).url_patterns:
        more = words | set(each.pattern.regex.groupindex)
        if not isinstance(each, URLResolver):
            found += [Page(space + each.name, more)] if each.name else []  # the admin forwards old addresses
        elif not str(each.pattern).startswith("api/"):
            found += pages(each, f"{space}{each.namespace}:" if each.namespace else space, more)
    return found


def filled() -> dict[str, Any]:
    return fill()


def fill() -> dict[str, Any]:
    """An office with something behind every address: what stands in the addresses, by its word."""
    cache.clear()
    heartbeat.beat()
    pools = {kind: small_pool(kind) for kind in ("japan", "fide")}
    publish(pools["japan"], "2025-01", BOSS, date(2025, 2, 1))
    assert latest_list(pools["japan"]).name == "2025-01"
    somebody = user("officer", pools["japan"], name="somebody")
    report = receive(pools["japan"], [("r.trf", b"012 Open\n")], {}, Sender(BOSS, None, "C1", "upload"))
    who, token = users.invitation(somebody, BOSS)
    answered(pools["japan"])
    inquiry, game = asked(pools["japan"]), Game.objects.filter(pool=pools["japan"]).last()
    return {
        "pools": pools,
        "slug": "japan",
        "list": "2025-01",
        "document": "ledger",
        "picture": "player.png",
        "speed": "standard",
        "player": "A",
        "event": "E1",
        "event_id": "E1",
        "book": "ncs-2022",
        "one": "ncs-2022",
        "other": "jcf-2024",
        "window": "2024-07",
        "who": who,
        "token": token,
        "user": somebody.pk,
        "role": somebody.roles.get().pk,
        "key": api_keys.make_key("a program", somebody, None, ["read"], None, BOSS).key.pk,
        "number": report.pk,
        "file": report.files.get().pk,
        "membership": Membership.objects.filter(pool=pools["japan"]).first().pk,
        "registration": Club.objects.get(pool=pools["japan"]).pk,
        "sanction": event_applications.apply(pools["japan"], EVENT, BOSS).pk,
        "register": member_import.store_file(
            pools["japan"], "m.csv", b"player_id,name\nA,ABE Ichiro\n", BOSS
        ).pk,
        "object_id": pools["japan"].pk,
        "rehearsed": "2025-02",
        "job": done(pools["japan"], "rehearse", list="2025-02").pk,
        "verified": done(pools["japan"], "verify", list="2025-01", revision=0).pk,
        "revision": 0,
        "inquiry": inquiry.pk,
        "question": ask_club(inquiry, "C1", "Is it so?", BOSS).pk,
        "secret": objected(pools["japan"]),
        "row": game.pk,
        "table": "games",
        "reform": reformed(pools["japan"]).number,
        "adjustment_id": adjusted(pools["japan"]),
        "invoice": invoices.create_invoice(
            pools["japan"], dues.find_window(pools["japan"], "2024-07"), "C1", BOSS, date(2024, 6, 25)
        ).number,
        "content_type_id": 1,
        "app_label": "book",
    }


def asked(pool):
    """An inquiry whose draft strikes a game."""
    inquiry = corrections.open_inquiry(pool, date(2024, 8, 1), "a player", "a game", BOSS)
    correction_drafts.draft_strike(inquiry, "games", Game.objects.filter(pool=pool).first().pk)
    return inquiry


def reformed(pool, author=BOSS):
    """A reform that is announced."""
    text = 'name = "K 32"\nfrom = 2199-01-01\n[set]\n"jcf.k_new" = 32\n'
    reform = reform_acts.draft(pool, text, author, date(2025, 2, 1))
    seen = reform_acts.progress_of(reform).draft.sha256
    assert done(pool, "rehearse-reform", reform=reform.number, sha256=seen).state == Job.State.DONE
    said = "理事会、第3号議案", date(2025, 2, 1), "https://example.org/minutes"
    reform_acts.decide(reform, seen, *said, author, date(2025, 2, 1))
    reform_acts.sign(reform, seen, Actor("somebody"), date(2025, 2, 1))
    reform_acts.announce(reform, seen, author, date(2025, 2, 1))
    return reform


def adjusted(pool):
    """The id of an adjustment of a list to come."""
    enter_adjustment(
        pool, Adjustment("A1", "2199-01", "1000:1400 2000:2000", "理事会"), BOSS, date(2025, 2, 1)
    )
    return "A1"


def objected(pool):
    """The token of an objection to a player's data."""
    said = incoming_objections.ObjectionText("The name is wrong", "A. Player")
    subject = find_subject(pool, "A")
    return incoming_objections.open_objection(
        pool, subject, None, said, "192.0.2.1", date(2025, 3, 1), ""
    ).token


def answered(pool):
    """A question to the laboratory, and a made-up answer to it."""
    header = ("variant", "speed", "player_id", "name", "rating_before", "rating")
    rows = [("jcf-2024", "standard", "A", "ABE Ichiro", 1500, 1510)]
    sheet = sheet_of("movers", "compared-movers", header, rows)
    report = Report(
        note("title-compare", pool="Small Federation"), note("lead-compare-alone"), (), (), [sheet]
    )
    job = job_queue.start(
        "laboratory", pool, {"question": "compare", "books": ["jcf-2024"], "settings": []}, BOSS
    )
    Job.objects.filter(pk=job.pk).update(state=Job.State.DONE, result=to_json(report))


def done(pool, kind, **wanted):
    """A job that was done."""
    return job_queue.run(job_queue.start(kind, pool, wanted | {"today": "2026-01-01"}, BOSS))


def address(page, world) -> str:
    """The page's address, filled with what the table or the world says."""
    said = page.row.get("args", {})
    return reverse(
        page.name, kwargs={name: world.get(said.get(name, name), said.get(name)) for name in page.words}
    )


def client_of(visitor, world, **how) -> Client:
    client = Client(raise_request_exception=False, **how)
    if visitor.level != "public":
        kind = None if visitor.level == "user" else visitor.level
        somebody = user(kind, world["pools"].get(visitor.pool), visitor.club, name="visitor")
        somebody.set_password(PASSWORD)
        somebody.save()
        client.force_login(somebody)
    return client


def walked() -> list[Page]:
    """The addresses that the table knows; test_access.py misses the others. Of Django's own admin, some."""
    found = [page for page in pages() if not page.name.startswith("admin:") and page.name in TABLE]
    return found + list(some_of(page for page in pages() if page.name.startswith("admin:")))
