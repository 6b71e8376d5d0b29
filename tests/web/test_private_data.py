"""Nothing that a visitor can get has a member's private data: every page and file, every answer of the API.

Every member of a pool is marked with a birth date, an address, a mail address and a reading of the name that
occur nowhere else. A crawler then follows every link from the front page, in both languages, the API is asked
whatever it describes, and everything is searched for the marks in whatever way they may be written.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
import zlib
from datetime import date
from itertools import combinations
from urllib.parse import quote, urldefrag, urljoin, urlsplit

import lxml.html
import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from published_pools import published_pool
from pypdf import PdfReader
from small_office import user

from banzuke.api.v1 import api as the_api
from banzuke.core import facts
from banzuke.core.registry import BOOKS
from banzuke.database import models
from banzuke.database.book_writer import Act, open_entry
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.journal import Actor
from banzuke.office.lists import corrections, list_index
from banzuke.office.lists.correction_drafts import draft_change, draft_strike
from banzuke.office.objections import incoming_objections
from banzuke.office.objections.subjects import find_subject
from banzuke.office.register import members

#: Who works in the office, by names of accounts that are public nowhere.
CLERK = Actor("Sekiguchi-clerk")
#: Members with the years of their birth; F is shown by id only.
BORN = {"A": 1921, "B": 1922, "C": 1923, "D": 1924, "E": 1925, "F": 1926}
JUNIOR = ("G", date(2011, 4, 13))
HIDDEN = "F"
MONTHS = {7: ("July", "Jul"), 8: ("August", "Aug"), 9: ("September", "Sep")}
#: The first and the last days of their memberships, which are no days of anything else.
MEMBER_DAYS = [(date(2023, 8, 8 + number), date(2026, 9, 8 + number)) for number in range(len(BORN) + 1)]


def name(player):
    return f"{player * 2}UNO {'Kakure' if player == HIDDEN else 'Taro'}"


def birth(player):
    return JUNIOR[1] if player == JUNIOR[0] else date(BORN[player], 7, 19)


#: What tells of everybody, by the member.
MARKS = {
    player: {
        "address": f"Himitsu-machi 7-7-{player}",
        "mail": f"kakushi.{player.lower()}@private.invalid",
        "kana": f"{'アイウエオカキ'['ABCDEFG'.index(player)]}ヒミツ タロウ",
    }
    for player in (*BORN, JUNIOR[0])
}
#: What is known of the office's people, of what came in, and of who asked.
OFFICE_MARKS = (
    "officer@private.invalid",
    "reporter@private.invalid",
    "Sekiguchi",
    "kakushi-report",
    "kakushi.writer@private.invalid",
)
#: What of a member who is shown by id only is no more to be seen than the birth date.
NAMES = ("FFUNO", "Kakure", "隠名")


def table(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def ledger(folder):
    """A pool whose members' birth years are nobody's rating and no year of play."""
    everybody = [*BORN, JUNIOR[0]]
    folder.mkdir()
    (folder / "pool.toml").write_text(
        'name = "Marked" # by Sekiguchi\n[[edition]]\nrulebook = "jcf-2024"\nfrom = 2024-10-01\n'
        '[[edition]]\nrulebook = "jcf-2024"\nfrom = 2031-04-01\nreform = "k.toml"\n',
        "utf-8",
    )
    number = BOOKS["jcf-2024"].parameters["k_new"].value + 1
    (folder / "k.toml").write_text(
        f'name = "Another K"\nfrom = 2031-01-01\nset."jcf.k_new" = {number}\n'
        '[signed]\nby = ["Sekiguchi Ichi", "Sekiguchi Ni"]\non = 2024-09-09\n',
        "utf-8",
    )
    table(
        folder / "players.csv",
        [
            {
                "player_id": player,
                "name": name(player),
                "name_native": "隠名 太郎" if player == HIDDEN else f"山田 {player}郎",
                "birth_date": birth(player).isoformat(),
                "sex": "",
                "club_id": "C1",
            }
            for player in everybody
        ],
    )
    valid = {"valid_from": "2024-01-01", "valid_to": "2025-12-31"}
    club = {"club_id": "C1", "name": "Club", "kind": "club"}
    table(folder / "clubs.csv", [club | valid])
    own = [{"valid_from": first.isoformat(), "valid_to": last.isoformat()} for first, last in MEMBER_DAYS]
    table(
        folder / "memberships.csv",
        [{"player_id": each, "kind": "annual"} | days for each, days in zip(everybody, own, strict=True)],
    )
    table(
        folder / "standings.csv",
        [
            {
                "player_id": player,
                "speed": "standard",
                "rating": 1500 + 10 * number,
                "games": 40,
                "peak": 1600,
                "earned": 0,
            }
            for number, player in enumerate(everybody[:-1])
        ],
    )
    events = [
        {"event_id": f"E{number}", "name": f"Open {number}", "organiser": "C1", "speed": speed, "base_minutes": 25 if speed == "rapid" else 90,
         "increment_seconds": 10, "starts": day, "ends": day, "reported": day, "nonmembers": 0, "paid": day}
        for number, (speed, day) in enumerate([("standard", "2024-11-01"), ("rapid", "2024-11-02"), ("standard", "2024-12-07")])
    ]  # fmt: skip
    table(folder / "events.csv", events)
    table(
        folder / "games.csv",
        [
            {"event_id": event["event_id"], "round": number, "played": event["starts"], "white": one, "black": other,
             "result": ["1-0", "1/2-1/2", "0-1"][number % 3]}
            for event in events
            for number, (one, other) in enumerate(combinations(everybody, 2), 1)
        ],
    )  # fmt: skip
    return folder


@pytest.fixture(scope="module")
def marked(django_db_setup, django_db_blocker, tmp_path_factory):
    """An office whose pool has every mark, with lists, a revision, a report and an inquiry."""
    with django_db_blocker.unblock(), transaction.atomic():
        pool = published_pool(slug="marked", folder=ledger(tmp_path_factory.mktemp("ledger") / "marked"))
        entry = open_entry(pool, Act("clerk", "add-member"))
        for player, marks in MARKS.items():
            said = members.ContactDetails(marks["kana"], marks["address"], marks["mail"], player == HIDDEN)
            members.store_contact(entry, player, said)
        for kind in ("officer", "reporter"):
            made = user(kind, pool, "C1" if kind == "reporter" else "")
            made.email = f"{kind}@private.invalid"
            made.save()
        receive(
            pool,
            [("kakushi-report.txt", b"012 Cup\n### kakushi-report 1921-07-19\n")],
            {},
            Sender(CLERK, None, "C1", "upload"),
        )
        revise(pool)
        object_to_a_rating(pool)
        yield pool
        transaction.set_rollback(True)


def object_to_a_rating(pool):
    """What somebody without an account wrote, with a mail address."""
    mail = "kakushi.writer@private.invalid"
    said = incoming_objections.ObjectionText("kakushi-report is wrong", "Sekiguchi-who-wrote", email=mail)
    subject = find_subject(pool, player="B")
    incoming_objections.open_objection(
        pool, subject, None, said, "192.0.2.7", date(2025, 2, 2), "https://x.example"
    )


def revise(pool):
    """A published correction of a birth date and of a game, for somebody whose name is on no page."""
    inquiry = corrections.open_inquiry(
        pool, date(2025, 1, 5), "Sekiguchi-who-asked", "Sekiguchi-who-asked says", CLERK
    )
    draft_change(inquiry, "players", members.find(pool, "A").pk, birth_date=date(1921, 7, 20))
    draft_strike(inquiry, "games", models.Game.objects.filter(pool=pool, event_id="E2").earliest("pk").pk)
    corrections.carry_out(inquiry, CLERK, "a date and a game corrected", date(2025, 1, 5))


def ways(day):
    """A day as it may be written."""
    y, m, d = day.year, day.month, day.day
    months = ("January", "Jan") if m == 1 else MONTHS.get(m, ("April", "Apr"))
    yield from (
        f"{y}-{m:02}-{d:02}",
        f"{y}{m:02}{d:02}",
        f"{y}/{m:02}/{d:02}",
        f"{y}.{m:02}.{d:02}",
        f"{y}/{m}/{d}",
    )
    yield from (
        f"{d:02}.{m:02}.{y}",
        f"{d}.{m}.{y}",
        f"{d:02}/{m:02}/{y}",
        f"{m}/{d}/{y}",
        f"{y}年{m}月{d}日",
    )
    for month in months:
        yield from (f"{month} {d}, {y}", f"{d} {month} {y}", f"{month}. {d}, {y}")


def private_words():
    """Everything that must not be seen, in small letters."""
    words = [mark for marks in MARKS.values() for mark in marks.values()]
    words += [*OFFICE_MARKS, *NAMES, "Himitsu", "ヒミツ", "private.invalid"]
    days = {birth(player) for player in MARKS} | {date(1921, 7, 20)}
    days |= {day for both in MEMBER_DAYS for day in both}
    words += [way for day in days for way in ways(day)]
    return sorted({word.lower() for word in words})


def years_and_ages():
    """Years of birth and ages, which are no part of another number."""
    years = [rf"(?<![\w.-]){year}(?![\w-])" for year in BORN.values()]  # no rating is like them
    ages = [rf"(?<!\d){2024 - year + more}\s*(?:歳|才|years)" for year in BORN.values() for more in (0, 1)]
    return re.compile("|".join([*years, *ages]), re.IGNORECASE)


#: Days as a workbook keeps them.
SERIAL = re.compile(
    "|".join(rf"(?<!\d){(birth(player) - date(1899, 12, 30)).days}(?!\d)" for player in MARKS)
)
WORDS, YEARS = private_words(), years_and_ages()


def private_in(text):
    """What is in a text that must not be seen; one word after another is looked for faster than all at once."""
    lowered = text.lower()
    return [word for word in WORDS if word in lowered] + YEARS.findall(text)


def texts(address, answer):
    """What is in an answer, packed files unpacked."""
    data = b"".join(answer.streaming_content) if answer.streaming else answer.content
    yield address
    yield "\n".join(f"{key}: {value}" for key, value in answer.items() if key != "Content-Length")
    if data[:4] == b"PK\x03\x04":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for part in archive.namelist():
                yield archive.read(part).decode("utf-8", "replace")
    elif data[:4] == b"%PDF":
        yield pdf_text(data)
    elif data[:4] == b"PAR1":
        parquet = pytest.importorskip("pyarrow.parquet")
        yield str(parquet.read_table(io.BytesIO(data)).to_pylist())
    else:
        yield data.decode("utf-8", "replace")


def pdf_text(data):
    """A PDF's text, and what stands in its streams, as its title does."""
    streams = []
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", data, re.DOTALL):
        try:
            streams.append(zlib.decompress(stream).decode("latin-1"))
        except zlib.error:
            streams.append("")
    streams += [page.extract_text() for page in PdfReader(io.BytesIO(data)).pages]
    return "\n".join(streams)


def found_in(address, answer):
    """The marks in an answer."""
    is_workbook = "spreadsheet" in answer["Content-Type"] if "Content-Type" in answer else False
    found = [mark for text in texts(address, answer) for mark in private_in(text)]
    if is_workbook:
        found += [mark[0] for text in texts(address, answer) for mark in SERIAL.finditer(text)]
    return found


def links(address, answer):
    """Where a page leads: links, pictures, scripts, forms that ask, what scripts fetch."""
    if not answer.get("Content-Type", "").startswith("text/html") or answer.status_code != 200:
        return
    page = lxml.html.fromstring(answer.content)
    told = page.xpath(
        "//@href | //@src | //form[@method='get' or not(@method)]/@action | //@hx-get | //@data-src"
    )
    for each in told:
        to = urldefrag(urljoin(address, each)).url
        if not urlsplit(to).netloc:
            yield to


def crawl(client, first):
    """Every address that can be reached, with its answer."""
    waiting, seen = [first], {first}
    while waiting:
        address = waiting.pop()
        answer = client.get(address)
        yield address, answer
        for to in links(address, answer):
            if to not in seen and not to.startswith(("/static/", "/accounts/", "/office/")):
                seen.add(to)
                waiting.append(to)


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_no_page_or_file_has_private_data(marked, db, lang, caplog):
    visitor = Client(headers={"accept-language": lang})
    found, kinds, addresses = {}, set(), []
    with caplog.at_level("DEBUG"):
        for address, answer in crawl(visitor, "/"):
            addresses.append(address)
            kinds.add(answer.get("Content-Type", "").partition(";")[0])
            assert answer.status_code < 400 or address.startswith("/marked/"), (address, answer.status_code)
            assert answer.status_code < 500, address
            if marks := found_in(address, answer):
                found[address] = sorted(set(marks))
    assert found == {}
    assert not private_in(caplog.text)
    # The crawler has really been everywhere.
    for part in (
        "/marked/lists/2025-01/",
        "/marked/players/A/",
        "/marked/players/F/",
        "/marked/events/E0/",
        "revision=0",
    ):
        assert any(part in address for address in addresses), part
    assert {"text/html", "text/csv", "application/json"} <= kinds
    assert any("spreadsheet" in kind for kind in kinds)


def questions(pool):
    """Every question that the API describes, about everything that is there."""
    lists = list(list_index.current_lists(pool).values_list("name", flat=True))
    words = {"name": lists, "player": list(MARKS), "event": ["E0", "E1", "E2"], "report": ["1"]}
    asked = {
        "/pools/{pool}/players": [
            f"?q={quote(q)}" for q in ("u", "山", "F", "隠", "kakure", "ヒミツ", "1921")
        ]
    }
    paths = the_api.get_openapi_schema(path_prefix="")["paths"]
    for path, methods in paths.items():
        if "get" not in methods or "/calculators/" in path:
            continue
        found = [path.replace("{pool}", pool.slug)]
        for word, values in words.items():
            found = [
                each.replace(f"{{{word}}}", value)
                for each in found
                for value in (values if f"{{{word}}}" in each else [""])
            ]
        for each in found:
            for query in asked.get(path, ["", "?speed=rapid", "?lang=ja"]):
                yield f"/api/v1{each}{query}"


@pytest.mark.slow
def test_no_answer_of_the_api_has_private_data(marked, db):
    found, good = {}, 0
    for address in questions(marked):
        cache.clear()
        answer = Client().get(address)
        assert answer.status_code < 500, address
        good += answer.status_code == 200
        asked_for = urlsplit(address).query
        marks = [mark for mark in found_in("", answer) if mark.lower() not in asked_for.lower()]
        if marks:
            found[address] = sorted(set(marks))
    assert found == {}
    assert good > 100
    assert Client().get("/api/v1/pools/marked/players", {"q": "kakure"}).json()["players"] == []


@pytest.mark.parametrize(
    "address",
    [
        "/marked/players/Z/",
        "/marked/lists/1921/",
        "/nowhere/",
        "/api/v1/nowhere",
        "/office/marked/register/members/A/",
    ],
)
def test_no_page_that_is_none_has_private_data(marked, db, address):
    answer = Client(raise_request_exception=False).get(address)
    assert answer.status_code in {302, 404}
    assert found_in("", answer) in ([], ["1921"] if "1921" in address else [])


def test_a_failure_shows_nothing_of_what_it_worked_on(marked, db, monkeypatch, client):
    def fail(*_, **__):
        member = members.find(marked, "A")
        raise RuntimeError(member.birth_date)

    for target in (
        "banzuke.web.public.player_pages.load_standing",
        "banzuke.api.players.player_standing.load_standing",
    ):
        monkeypatch.setattr(target, fail)
    client.raise_request_exception = False
    for address in ("/marked/players/A/", "/api/v1/pools/marked/players/A"):
        answer = client.get(address)
        assert answer.status_code == 500
        assert found_in(address, answer) == []


def test_the_officers_acts_leave_no_private_data_in_journal_and_log(marked, db, caplog):
    born = date(1921, 7, 19)
    secret = members.ContactDetails("ヒミツ", "Himitsu-machi 9", "kakushi.z@private.invalid")
    with caplog.at_level("DEBUG"):
        members.add(marked, facts.Player("Z", "ZZUNO Taro", birth_date=born), secret, CLERK)
        members.change(
            marked,
            facts.Player("Z", "ZZUNO Jiro", birth_date=date(1922, 7, 19)),
            secret,
            CLERK,
            "",
            date(2025, 1, 5),
        )
    told = [f"{entry.what}{entry.act}" for entry in models.JournalEntry.objects.all()]
    assert len(told) > 3
    assert not private_in("\n".join(told).replace("kakushi-report", ""))
    queries_aside = "\n".join(
        record.getMessage() for record in caplog.records if record.name != "django.db.backends"
    )
    assert not private_in(queries_aside)
