"""An office in which every private value occurs nowhere else: pools of every kind, with lists, reports, objections."""

from __future__ import annotations

import csv
from datetime import date
from itertools import combinations
from types import SimpleNamespace

from address_list import reformed
from django.conf import settings
from private_marks import (
    BORN,
    CORRECTED,
    HIDDEN,
    JOINED,
    MARKS,
    MEMBER_DAYS,
    PLAYERS,
    birth,
    name,
    native_name,
)
from published_pools import published_pool
from small_office import user

from banzuke.core.registry import BOOKS
from banzuke.database import models
from banzuke.database.book_writer import Act, open_entry
from banzuke.office.administration import api_keys, users
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.journal import Actor
from banzuke.office.lists import corrections
from banzuke.office.lists.correction_drafts import draft_change, draft_strike
from banzuke.office.objections import incoming_objections
from banzuke.office.objections.subjects import find_subject
from banzuke.office.office_key import known_key
from banzuke.office.register import members
from banzuke.office.transparency.player_salts import known_salts
from banzuke.transparency.list_leaves import person_key

#: Who works in the office, by names of accounts that are public nowhere.
CLERK = Actor("Sekiguchi-clerk", "192.0.2.7")
CLUB = {"club_id": "C1", "name": "Club", "kind": "club", "valid_from": "2024-01-01", "valid_to": "2025-12-31"}
PEOPLE = {"responsible": "Sekiguchi-who-answers-for-it", "reporter": "Sekiguchi-who-reported"}


def table(path, rows):
    columns = list(dict.fromkeys(column for row in rows for column in row))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)


def players(*more):
    """The members as players.csv has them."""
    found = []
    for each in PLAYERS:
        row = {"player_id": each, "name": name(each), "name_native": native_name(each)}
        row |= {"birth_date": birth(each).isoformat(), "sex": "", "club_id": "C1"}
        found.append(row | ({"joined": JOINED[each].isoformat()} if "joined" in more else {}))
    return found


def standings(speed, **more):
    rated = enumerate(BORN)
    return [
        {"player_id": player, **speed, "rating": 1500 + 10 * number, "games": 40, **more}
        for number, player in rated
    ]


def games(events):
    return [
        {"event_id": event["event_id"], "round": number, "white": one, "black": other,
         "result": ["1-0", "1/2-1/2", "0-1"][number % 3]}
        for event in events
        for number, (one, other) in enumerate(combinations(PLAYERS, 2), 1)
    ]  # fmt: skip


def japanese(folder):
    """Monthly lists, a change of edition to come, and memberships."""
    number = BOOKS["jcf-2024"].parameters["k_new"].value + 1
    (folder / "pool.toml").write_text(
        'name = "Marked" # by Sekiguchi\n[[edition]]\nrulebook = "jcf-2024"\nfrom = 2024-10-01\n'
        '[[edition]]\nrulebook = "jcf-2024"\nfrom = 2031-04-01\nreform = "k.toml"\n',
        "utf-8",
    )
    (folder / "k.toml").write_text(
        f'name = "Another K"\nfrom = 2031-01-01\nset."jcf.k_new" = {number}\n'
        '[signed]\nby = ["Sekiguchi Ichi", "Sekiguchi Ni"]\non = 2024-09-09\n',
        "utf-8",
    )
    table(folder / "players.csv", players())
    table(folder / "clubs.csv", [CLUB])
    spans = {each: [day.isoformat() for day in days] for each, days in MEMBER_DAYS.items()}
    table(
        folder / "memberships.csv",
        [
            {"player_id": each, "kind": "annual", "valid_from": first, "valid_to": last}
            for each, (first, last) in spans.items()
        ],
    )
    table(folder / "standings.csv", standings({"speed": "standard"}, peak=1600, earned=0))
    events = [
        {"event_id": f"E{number}", "name": f"Open {number}", "organiser": "C1", "speed": speed, "base_minutes": 25 if speed == "rapid" else 90,
         "increment_seconds": 10, "starts": day, "ends": day, "reported": day, "nonmembers": 0, "paid": day, **PEOPLE}
        for number, (speed, day) in enumerate([("standard", "2024-11-01"), ("rapid", "2024-11-02"), ("standard", "2024-12-07")])
    ]  # fmt: skip
    table(folder / "events.csv", events)
    table(
        folder / "games.csv",
        [game | {"played": "2024-11-01"} for game in games(events[:1])] + games(events[1:]),
    )


def by_event(folder, book, *more):
    """Lists of events, without speeds."""
    (folder / "pool.toml").write_text(
        f'name = "Marked {book}"\n[[edition]]\nrulebook = "{book}"\nfrom = 2024-01-01\n'
    )
    table(folder / "players.csv", players(*more))
    table(folder / "standings.csv", standings({}))
    events = [
        {"event_id": f"E{number}", "name": f"Open {number}", "starts": day, "ends": day, "base_minutes": 90, **PEOPLE}
        for number, day in enumerate(("2024-11-01", "2024-12-07"))
    ]  # fmt: skip
    table(folder / "events.csv", events)
    table(folder / "games.csv", games(events))


def server(folder):
    """A Go server's month."""
    (folder / "pool.toml").write_text(
        'name = "Marked go"\n[[edition]]\nrulebook = "pandanet"\nfrom = 2005-04-01\n'
    )
    table(
        folder / "players.csv",
        [
            {"player_id": each, "name": name(each).replace(" ", ""), "declared": "5k", "professional": 0}
            for each in PLAYERS
        ],
    )
    table(
        folder / "standings.csv",
        [
            {"player_id": each, "rank": "5k", "points": 9800, "rated_games": 96, "wins_in_bc": 0}
            for each in PLAYERS
        ],
    )
    played = [
        {"game_id": f"G{number}", "ended": f"2025-01-{number:02}T11:01:14+09:00", "black": one, "white": other,
         "result": "W", "handicap": 0, "komi": 6.5, "board": 19, "moves": 175, "room": "", "pair": 0}
        for number, (one, other) in enumerate(combinations(PLAYERS, 2), 1)
    ]  # fmt: skip
    table(folder / "games.csv", played)


KINDS = {
    "marked": japanese,
    "marked-icu": lambda folder: by_event(folder, "icu", "joined"),
    "marked-us": lambda folder: by_event(folder, "us-chess"),
    "marked-go": server,
}


def marked_office(folder, slugs=KINDS):
    """The office; call it in a transaction that is taken back, with a HOME of its own. Gives pools and secrets."""
    made = SimpleNamespace(pools={}, secrets=set())
    for slug in slugs:
        (folder / slug).mkdir()
        KINDS[slug](folder / slug)
        made.pools[slug] = pool = published_pool(slug=slug, folder=folder / slug)
        _tell_contacts(pool)
        receive_report(pool)
    japan = made.pools["marked"]
    _make_users(japan, made)
    revise(japan)
    made.secrets.add(object_to_a_rating(japan).token)
    reformed(japan, Actor("Sekiguchi-drafter"))
    _collect_secrets(made)
    return made


def _tell_contacts(pool):
    entry = open_entry(pool, Act("Sekiguchi-clerk", "add-member", "Sekiguchi-why"))
    for player, marks in MARKS.items():
        said = members.ContactDetails(marks["kana"], marks["address"], marks["mail"], player == HIDDEN)
        members.store_contact(entry, player, said)


def receive_report(pool):
    """A report that waits, under a name of a file and with a name in it that nobody else is to read."""
    rows = b"012 Cup\n### kakushi-report 1921-07-19\n"
    return receive(pool, [("kakushi-report.txt", rows)], {}, Sender(CLERK, None, "C1", "upload"))


def _make_users(pool, made):
    for kind in ("officer", "reporter"):
        one = user(kind, pool, "C1" if kind == "reporter" else "", name=f"Sekiguchi-{kind}")
        one.email = f"{kind}@private.invalid"
        one.save()
        key = api_keys.make_key("Sekiguchi-program", one, pool, ["read"], None, CLERK)
        made.secrets |= {key.text, key.key.prefix, key.key.sha256}
    _, token = users.invitation(user(name="Sekiguchi-invited"), CLERK)
    made.secrets.add(token)


def revise(pool):
    """A published correction of a birth date and of a game, for somebody whose name is on no page."""
    inquiry = corrections.open_inquiry(
        pool, date(2025, 1, 5), "Sekiguchi-who-asked", "Sekiguchi-who-asked says", CLERK
    )
    draft_change(inquiry, "players", members.find(pool, "A").pk, birth_date=CORRECTED)
    draft_strike(inquiry, "games", models.Game.objects.filter(pool=pool, event_id="E2").earliest("pk").pk)
    corrections.carry_out(inquiry, CLERK, "a date and a game corrected", date(2025, 1, 5))


def object_to_a_rating(pool):
    """What somebody without an account wrote, with a mail address."""
    mail = "kakushi.writer@private.invalid"
    said = incoming_objections.ObjectionText("kakushi-report is wrong", "Sekiguchi-who-wrote", email=mail)
    subject = find_subject(pool, player="B")
    return incoming_objections.open_objection(
        pool, subject, None, said, "192.0.2.7", date(2025, 2, 2), "https://x.example"
    )


def _collect_secrets(made):
    """What the office made for itself, and whoever is shown by id only is told apart by."""
    made.secrets |= {bytes(salt) for salt in models.PlayerSalt.objects.values_list("salt", flat=True)}
    made.secrets |= {bytes(salt) for salt in models.TextSalt.objects.values_list("salt", flat=True)}
    made.secrets |= {bytes(secret) for secret in models.LogEntry.objects.values_list("secret", flat=True)}
    for one in models.Objection.objects.all():
        made.secrets |= {one.token_sha256, one.sender, one.salt}
    for pool in made.pools.values():
        salt = known_salts(pool)[HIDDEN]
        lists = pool.lists.values_list("name", "revision")
        made.secrets |= {person_key(salt, pool.slug, listed, revision) for listed, revision in lists}
    made.secrets |= {key.private_bytes_raw() for key in known_key().private_keys}
    made.secrets.add(settings.SECRET_KEY)
    made.secrets -= {"", b""}
