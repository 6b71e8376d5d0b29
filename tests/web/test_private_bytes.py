"""Every address of the public, linked or not, in pools of every kind: no byte of an answer is private.

`private_marks` says what is looked for and in what it is looked for; that it is found where it stands is tested
first. The office is `marked_office`. `.ci/run` asks for one of each kind of member, instead of for each member.
"""

from __future__ import annotations

import base64
import gzip
import io
import json
import zipfile
from collections import Counter
from contextlib import suppress
from itertools import product
from urllib.parse import parse_qs, quote, urlsplit

import pytest
import typst
from address_list import pages
from django.conf import settings as django_settings
from django.contrib.staticfiles.finders import get_finders
from django.core.cache import cache
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import NoReverseMatch, Resolver404, resolve, reverse
from django.utils.html import escape
from marked_office import marked_office
from openpyxl import Workbook
from private_marks import BORN, HIDDEN, JUNIOR, NAMES, PLAYERS, PrivateWords, birth, name
from properties import is_whole
from published_pools import hide

from banzuke.api.v1 import api as the_api
from banzuke.database import models
from banzuke.database.book_reader import rules_of
from banzuke.exchange.list_files import ENDINGS
from banzuke.web.reference.calculator_pages import CHESS, GO

#: Addresses that are no page of an office's, or of one that was asked for: each with why.
NEVER_GOOD = {
    "demo-close": "of a demo",
    "demo-report": "of a demo",
    "demo-sign-in": "of a demo",
    "set_language": "for POST",
    "account_logout": "for POST",
    "objection-appeal": "for POST",
    "objection-withdraw": "for POST",
    "objection": "behind a secret link",
    "accounts-invitation": "behind a secret link",
    "accounts-first": "of an office without officers",
    "mfa_authenticate": "in the middle of signing in",
    "live-ranking": "of a server that is connected",
    "public-final": "of a preliminary list",
    "public-compare": "leads to another page",
    "reading-calculators": "leads to another page",
    "list-record-speed": "leads to another page",
    "document-picture": "pictures of the documents",
    "healthz": "the worker does not run",
}
#: Years of birth; a rule's printed example may have a figure like them.
BORN_IN = {str(year) for year in BORN.values()}
#: Somebody whose birth date was corrected, a junior, and who is shown by id only.
SOME_PLAYERS = ("A", JUNIOR, HIDDEN)
OF_POOLS_WITHOUT_SPEEDS = {"public-list", "public-working"}
#: What is asked for behind a `?`, by the address's name.
ASKED = {
    "public-wrong": ["?player=A", f"?player={HIDDEN}", "?event=E0", f"?event=E0&player={HIDDEN}", "?list=2025-01", "?event=G1&player=A"],
    "public-list-speed": ["?revision=0", "?group=junior", "?group=senior&sex=w", "?q=ffu", "?q=隠", "?sort=name", f"?after={HIDDEN}", "?club=C1"],
    "public-list": ["?revision=0", "?q=ffu", "?sort=name"],
    "public-list-speed-file": ["?revision=0"],
    "list-record": ["?revision=0"],
    "list-ledger": ["?revision=0"],
    "list-people": ["?revision=0"],
    "list-content": ["?revision=0"],
    "list-proof": ["?revision=0"],
    "public-player": ["?all=1", f"?opponent={HIDDEN}", "?year=2024"],
    "search": ["?q=kakure", "?q=隠名", "?q=ヒミツ", "?q=F", "?q=1921", "?q=uno", "?q=himitsu"],
    "pool-search": ["?q=kakure", "?q=F", "?q=uno"],
    "public-events": ["?q=open", "?year=2024"],
    "log-entries": ["?from=0"],
    "log-consistency": ["?old=1&new=2"],
    "reading-calculator": ["?player=A&opponents=F"],
}  # fmt: skip
#: Kinds of page that have a member's name.
SHOWING_NAMES = (
    "public-list-speed", "public-list-speed-file", "public-player", "public-event", "public-event-pdf",
    "public-event-workbook", "public-event-page", "public-working-speed", "list-ledger",
    "list-proof", "search", "public-club", "public-wrong", "public-comparison", "public-player-feed",
)  # fmt: skip
#: What programs find that is no address of a page.
FILES = (
    "/robots.txt",
    "/sitemap.xml",
    "/favicon.ico",
    "/.well-known/security.txt",
    "/api/v1/openapi.json",
    "/api/v1/docs",
)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(django_settings, "HOME", tmp_path_factory.mktemp("home"))
        yield


@pytest.fixture(scope="module")
def office(django_db_setup, django_db_blocker, tmp_path_factory, home):
    with django_db_blocker.unblock(), transaction.atomic():
        made = marked_office(tmp_path_factory.mktemp("ledgers"))
        made.words = PrivateWords(made.secrets)
        yield made
        transaction.set_rollback(True)


def values_of(pool):
    """What stands in the addresses of a pool, by its word; a player and a list that are not there, too."""
    lists = list(dict.fromkeys(pool.lists.order_by("-number").values_list("name", flat=True)))
    events = models.Event.objects.filter(pool=pool).values_list("event_id", flat=True)
    rules = rules_of(pool)
    return {
        "slug": [pool.slug],
        "name": [*lists, "1921-07"],
        "other": lists,
        "player": [*(PLAYERS if is_whole() else SOME_PLAYERS), "Z"],
        "event": [*events[:3], "Z"],
        "club_id": ["C1"],
        "speed": rules.speeds,
        "book": [edition.book.name for edition in rules.editions][:1],
        "one": ["ncs-2022"],
        "kind": list(ENDINGS),
    }


def addresses(pool):
    """Every public address with everything that it may name, of the pool, and those that are of none."""
    values = values_of(pool)
    for page in pages():
        if page.name.startswith("admin:") or page.row["who"] != "public":
            continue
        known = values | {
            "document": {"name": ["ledger", "ja/privacy"]},
            "reading-difference": {"other": ["jcf-2024"], "one": ["ncs-2022"]},
            "public-reform": {"number": [1]},
            "reading-calculator": {"kind": [one.kind for one in (*CHESS, *GO)]},
            "accounts-invitation": {"who": ["MQ"], "token": ["x"]},
        }.get(page.name, {})
        if page.words <= known.keys():
            words = sorted(page.words)
            for chosen in product(*(known[word] for word in words)):
                with suppress(NoReverseMatch):
                    address = reverse(page.name, kwargs=dict(zip(words, chosen, strict=True)))
                    yield from (address + asked for asked in ("", *ASKED.get(page.name, ())))
    yield from FILES
    yield f"/{pool.slug}/nowhere/"


def api_addresses(pool):
    """Every question that the API describes, about everything that is there."""
    values = values_of(pool)
    words = {"name": values["name"], "player": values["player"], "event": values["event"], "report": ["1"]}
    asked = {
        "/pools/{pool}/players": [
            f"?q={quote(q)}" for q in ("u", "山", "F", "隠", "kakure", "ヒミツ", "1921")
        ]
    }
    for path, methods in the_api.get_openapi_schema(path_prefix="")["paths"].items():
        if "get" in methods and "/calculators/" not in path:
            named = [word for word in words if f"{{{word}}}" in path]
            for chosen in product(*(words[word] for word in named)):
                found = path.replace("{pool}", pool.slug)
                for word, value in zip(named, chosen, strict=True):
                    found = found.replace(f"{{{word}}}", quote(value))
                yield from (
                    f"/api/v1{found}{query}" for query in asked.get(path, ["", "?speed=rapid", "?lang=ja"])
                )


def search(office, wanted, lang):
    """What is found behind the addresses, and the names of those that had an answer."""
    visitor, found, good = Client(headers={"accept-language": lang}), {}, Counter()
    for address in wanted:
        cache.clear()  # nobody may ask that often
        answer = visitor.get(address)
        assert answer.status_code < 500 or address == "/healthz", (address, answer.status_code)
        parts = urlsplit(address)
        asked_for = str(parse_qs(parts.query)).lower()
        marks = [mark for mark in office.words.found_in(parts.path, answer) if mark.lower() not in asked_for]
        if [
            mark
            for mark in marks
            if not (mark in BORN_IN and {"rules", "1921-07"} & {*parts.path.split("/")})
        ]:
            found[address] = marks
        if answer.status_code == 200:
            good[_name_of(parts.path)] += 1
    return found, good


def _name_of(path):
    try:
        return resolve(path).url_name
    except Resolver404:
        return path


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("slug", ["marked", "marked-icu", "marked-us", "marked-go"])
def test_no_address_of_the_public_has_private_data(office, db, slug, lang):
    found, good = search(office, addresses(office.pools[slug]), lang)
    assert found == {}
    if slug == "marked":
        public = {
            page.name
            for page in pages()
            if not page.name.startswith("admin:") and page.row["who"] == "public"
        }
        assert public - good.keys() - NEVER_GOOD.keys() == OF_POOLS_WITHOUT_SPEEDS
    else:
        assert {
            "list-proof",
            "list-ledger",
            "list-people",
            "public-lists-feed",
            "public-player",
        } <= good.keys()
    assert slug in ("marked", "marked-go") or good.keys() >= OF_POOLS_WITHOUT_SPEEDS


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["marked", "marked-icu", "marked-us", "marked-go"])
def test_no_answer_of_the_api_has_private_data(office, db, slug):
    found, good = search(office, api_addresses(office.pools[slug]), "en")
    assert found == {}
    assert good.total() > 60
    answer = Client().get(f"/api/v1/pools/{slug}/players", {"q": "kakure"})
    assert answer.json()["players"] == []


@pytest.mark.slow
def test_what_the_office_shows_by_mistake_is_found_on_every_kind_of_page(office, db):
    """The name of who is shown by id only, shown."""
    pool, missing = office.pools["marked"], set(SHOWING_NAMES)
    with transaction.atomic():
        hide(pool, HIDDEN, by_id_only=False)
        for address in addresses(pool):
            if (page := _name_of(urlsplit(address).path)) in missing:
                found, _ = search(office, [address], "en")
                missing -= {page for marks in found.values() if "ffuno" in marks}
        transaction.set_rollback(True)
    assert missing == set()


def test_no_static_file_has_private_data():
    words = PrivateWords()
    for finder in get_finders():
        for path, storage in finder.list([]):
            with storage.open(path) as file:
                answer = HttpResponse(file.read())
            assert words.found_in(path, answer) == [], path


def zipped(**files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, data in files.items():
            archive.writestr(file, data)
    return packed.getvalue()


def workbook(cell):
    made, packed = Workbook(), io.BytesIO()
    made.active.append(["x", cell])
    made.save(packed)
    return packed.getvalue()


def pdf(text):
    return typst.compile(text.encode(), format="pdf")


def answer_with(data, **headers):
    return HttpResponse(data, headers={key.replace("_", "-"): value for key, value in headers.items()})


DAY, SALT = birth("A"), b"\x01\x7f" * 16
PLANTED = {
    "a day": answer_with("born 1921-07-19"),
    "a compact day": answer_with('"b":"19210719"'),
    "a Japanese day": answer_with("1921年7月19日生"),
    "a Japanese year": answer_with("大正10年7月19日"),
    "a letter for the era": answer_with("(T10.7.19)"),
    "a junior's Japanese year": answer_with("平成23年4月13日"),
    "a day in English": answer_with("19 July 1921"),
    "an age": answer_with("103歳"),
    "a day of membership": answer_with("2033-09-10"),
    "a mail": answer_with("KAKUSHI.A@private.invalid"),
    "entities": answer_with("&#38560;&#21517; " + escape("x")),
    "JSON": answer_with(json.dumps({"name": NAMES[2]})),
    "full width": answer_with("ＦＦＵＮＯ"),
    "kana of half width": answer_with("ﾋﾐﾂ ﾀﾛｳ"),
    "an address": answer_with("", Location="/x/?q=%E9%9A%A0%E5%90%8D"),
    "a header": answer_with("", Content_Disposition='attachment; filename="Kakure.csv"'),
    "a folded line": answer_with("BEGIN:VCALENDAR\r\nSUMMARY:FFU\r\n NO\r\n"),
    "base64": answer_with(base64.b64encode(f'["{name(HIDDEN)}","",""]'.encode())),
    "a file in a file": answer_with(zipped(**{"a.zip": zipped(**{"b.csv": name(HIDDEN)})})),
    "the name of a file in a file": answer_with(zipped(**{"kakure.csv": ""})),
    "gzip": answer_with(gzip.compress(name(HIDDEN).encode())),
    "a cell": answer_with(workbook(name(HIDDEN))),
    "a day in a cell": answer_with(workbook(DAY), Content_Type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "a PDF": answer_with(pdf(name(HIDDEN))),
    "a year in a PDF": answer_with(pdf("born in 1921")),
    "a picture": answer_with(b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0etEXtTitle\x00FFUNO"),
    "a drawing": answer_with("<svg><text>F<!-- -->FUNO Kakure</text></svg>"),
    "a salt": answer_with(SALT.hex()),
    "a salt in base64": answer_with(f"x {base64.urlsafe_b64encode(SALT).decode()}"),
}  # fmt: skip


@pytest.mark.parametrize("planted", PLANTED)
def test_what_is_planted_is_found(planted):
    assert PrivateWords([SALT]).found_in("/", PLANTED[planted])


def test_nothing_is_found_where_nothing_is():
    words = PrivateWords([SALT])
    for data in (
        "J0042 1500 2024-11-01 Open 1, 10-19-7",
        pdf("Open"),
        zipped(a="Open"),
        workbook("Open"),
        b"\xff\x00",
    ):
        assert words.found_in("/marked/lists/2024-12/", answer_with(data)) == []
