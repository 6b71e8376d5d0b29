"""Feeds and share cards: what is new, stable and dated; nothing of who is shown by id only."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from datetime import date
from types import SimpleNamespace
from urllib.parse import urlsplit

import lxml.html
import pytest
from django.utils.timezone import localdate
from published_pools import hide, published_pool
from small_office import visitor

from banzuke.core.calendar import EachEvent
from banzuke.core.registry import BOOKS
from banzuke.database.book_reader import files_of, rules_of
from banzuke.database.book_writer import Act, add_files, new_entry
from banzuke.database.models import OfficeSettings, Player, RatingList
from banzuke.ledger.list_schedule import Schedule
from banzuke.web.templatetags.structured import data_block

ATOM = "{http://www.w3.org/2005/Atom}"
pytestmark = pytest.mark.django_db


@pytest.fixture
def pool():
    return published_pool()


def feed(address, lang="en"):
    answer = visitor(lang).get(address)
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("application/atom+xml")
    return ET.fromstring(answer.content)


def entries(found):
    return [
        tuple(entry.findtext(ATOM + name) for name in ("title", "id", "updated"))
        for entry in found.iter(ATOM + "entry")
    ]


def cards(html):
    return dict(re.findall(r'<meta property="(og:\w+)" content="([^"]*)">', html))


#: What a feed or an entry has once, and where.
IN_FEED = ("id", "title", "updated", "author")
IN_ENTRY = ("id", "title", "updated", "summary")
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")


def assert_atom(found):
    """The rules of RFC 4287 that a feed can break: 4.1.1, 4.1.2, 4.2.6, 4.2.7, 3.3."""
    assert found.tag == f"{ATOM}feed"
    for one in (found, *found.iter(f"{ATOM}entry")):
        for name in IN_FEED if one is found else IN_ENTRY:
            assert len(one.findall(ATOM + name)) == 1, (name, ET.tostring(one))
        assert urlsplit(one.findtext(f"{ATOM}id")).scheme in ("http", "https")
        assert MOMENT.fullmatch(one.findtext(f"{ATOM}updated"))
        links = [(each.get("rel"), urlsplit(each.get("href")).netloc) for each in one.iterfind(f"{ATOM}link")]
        assert ("alternate", "testserver") in links
        assert len(set(links)) == len(links)
    assert found.findtext(f"{ATOM}author/{ATOM}name")
    ids = [one[1] for one in entries(found)]
    assert len(set(ids)) == len(ids)
    moments = [one[2] for one in entries(found)]
    assert moments == sorted(moments, reverse=True)
    assert found.findtext(f"{ATOM}updated") in moments or not moments


class TestFeeds:
    @pytest.mark.parametrize("address", ["lists.atom", "calendar.atom", "players/J004.atom"])
    @pytest.mark.parametrize("lang", ["en", "ja"])
    def test_each_is_as_the_format_asks(self, pool, address, lang):
        assert_atom(feed(f"/{pool.slug}/{address}?lang={lang}"))

    def test_they_name_the_licence_and_markup_in_a_reason_is_none(self, pool, monkeypatch):
        newest = RatingList.objects.order_by("-number").first()
        newest.why = "1 < 2 & <b>3</b>"
        monkeypatch.setattr("banzuke.web.public.feeds.news_of_lists", lambda _pool: [newest])
        OfficeSettings.objects.create(licence="CC-BY-4.0")
        found = feed(f"/{pool.slug}/lists.atom")
        assert found.findtext(f"{ATOM}rights") == "CC BY 4.0"
        (summary,) = [one for one in found.iter(f"{ATOM}summary") if "1" in one.text]
        assert summary.get("type") == "html"
        assert lxml.html.fromstring(summary.text).text_content().endswith("1 < 2 & <b>3</b>")

    def test_of_a_player_has_the_lists_with_rating_and_change(self, pool):
        found = entries(feed("/japan/players/J004.atom"))
        newest = RatingList.objects.order_by("-number").first()
        title, address, updated = found[0]
        assert re.fullmatch(rf"{newest.name}: Standard \d+ \((±0|[+−]\d+)\).*", title)
        assert address.endswith(f"/japan/players/J004/{newest.name}/standard/?revision=0")
        assert updated.startswith(f"{newest.published_at:%Y-%m-%dT%H:%M:%S}")
        assert len({one[1] for one in found}) == len(found)
        assert visitor().get(re.sub("^http://testserver", "", address)).status_code == 200

    def test_of_a_player_in_japanese_where_that_is_asked_for(self, pool):
        assert feed("/japan/players/J004.atom?lang=ja").findtext(ATOM + "title").startswith("林 陽翔")
        assert feed("/japan/players/J004.atom?lang=xx").findtext(ATOM + "title").startswith("HAYASHI Haruto")

    def test_of_lists_stays_the_same_until_something_changes(self, pool):
        first = visitor().get("/japan/lists.atom")
        assert first.content == visitor().get("/japan/lists.atom").content
        for header in ({"if-none-match": first["ETag"]}, {"if-modified-since": first["Last-Modified"]}):
            assert visitor().get("/japan/lists.atom", headers=header).status_code == 304
        assert entries(ET.fromstring(first.content))[0][0] == (
            RatingList.objects.order_by("-number").first().name
        )

    def test_of_an_empty_calendar_has_a_last_change_all_the_same(self, pool):
        found = feed("/japan/calendar.atom")
        assert entries(found) == []
        assert found.findtext(ATOM + "updated").startswith(f"{pool.entries.first().at:%Y-%m-%dT%H:%M:%S}")

    def test_pages_name_their_feeds(self, pool):
        for page, address in (
            ("/japan/players/J004/", "/japan/players/J004.atom"),
            ("/japan/", "/japan/lists.atom"),
            ("/japan/lists/", "/japan/lists.atom"),
            ("/japan/calendar/", "/japan/calendar.atom"),
        ):
            html = visitor().get(page).content.decode()
            assert re.search(rf'rel="alternate" type="application/atom\+xml"[^>]*href="{address}"', html)


@pytest.mark.parametrize(
    ("example", "player"),
    [("hakodate", "H26"), ("go-server", "harukaze"), ("us-championship-2025", "30953499")],
)
@pytest.mark.slow
def test_of_other_pools_lead_to_pages_too(example, player):
    published_pool(example)
    for address in (f"/{example}/players/{player}.atom", f"/{example}/lists.atom?lang=ja"):
        found = entries(feed(address))
        assert found
        for _title, page, _updated in found[:2]:
            assert visitor().get(page.removeprefix("http://testserver"), follow=True).status_code == 200


def data_of(html):
    """The data blocks of a page, read as a machine reads them."""
    blocks = lxml.html.fromstring(html).xpath('//head/script[@type="application/ld+json"]')
    return [json.loads(block.text) for block in blocks]


def calendar_entries(data):
    """The entries of a calendar file by a strict reading of RFC 5545: property, value, in order."""
    assert data.endswith(b"\r\n")
    lines = data.decode().replace("\r\n ", "").split("\r\n")[:-1]
    assert not any("\r" in line or "\n" in line for line in lines)
    assert (lines[0], lines[-1]) == ("BEGIN:VCALENDAR", "END:VCALENDAR")
    assert max(map(len, data.split(b"\r\n"))) <= 75
    assert not {"METHOD"} & {line.partition(":")[0] for line in lines}  # each entry would need an ORGANIZER
    assert b"\r\nVERSION:2.0\r\nPRODID:" in data
    found, entry = [], None
    for line in lines[1:-1]:
        named, colon, value = line.partition(":")
        assert colon, line
        if line == "BEGIN:VEVENT":
            assert entry is None
            entry = {}
        elif line == "END:VEVENT":
            assert {"UID", "DTSTAMP", "DTSTART;VALUE=DATE", "SUMMARY"} <= entry.keys()
            assert re.fullmatch(r"\d{8}T\d{6}Z", entry["DTSTAMP"])
            assert entry["DTSTART;VALUE=DATE"] < entry["DTEND;VALUE=DATE"]
            assert urlsplit(entry["URL"]).netloc == "testserver"
            for text in (entry["SUMMARY"], entry.get("DESCRIPTION", "")):
                assert not re.sub(r"\\[\\;,n]", "", text).count("\\")
                assert not re.search(r"(?<!\\)[;,]", text)
            found.append(entry)
            entry = None
        elif entry is not None:
            assert named not in entry
            entry[named] = value
    assert entry is None
    assert len({one["UID"] for one in found}) == len(found)
    return found


class TestRules:
    def test_a_change_of_rules_is_an_entry_of_the_pools_feed(self, pool):
        before = len(entries(feed("/japan/lists.atom")))
        text = files_of(pool)["pool.toml"]
        number = BOOKS["jcf-2024"].parameters["k_new"].value + 1
        with new_entry(pool, Act("the-secretary", "change-rules", "because")) as entry:
            add_files(
                entry,
                {
                    "k.toml": f'name = "Slower"\nfrom = 2031-01-01\nset."jcf.k_new" = {number}\n'
                    '[signed]\nby = ["Himitsu One", "Himitsu Two"]\non = 2030-01-01\n',
                    "pool.toml": text
                    + '\n[[edition]]\nrulebook = "jcf-2024"\nfrom = 2031-04-01\nreform = "k.toml"\n',
                },
            )
        found = feed("/japan/lists.atom")
        title, address, _updated = entries(found)[0]
        assert title.startswith("Change of rules: ")
        assert len(entries(found)) == before + 1
        said = found.find(ATOM + "entry").findtext(ATOM + "summary")
        assert said == f"jcf-2024: in force from 2031-04-01 (Slower: k_new = {number})"
        assert visitor().get(address.removeprefix("http://testserver")).status_code == 200
        japanese = visitor().get("/japan/lists.atom?lang=ja").content.decode()
        assert "jcf-2024：2031年4月1日から適用" in japanese
        assert not any(word in japanese for word in ("Himitsu", "the-secretary", "because"))


class TestCalendar:
    def test_has_the_last_days_of_windows_and_the_days_of_lists(self, pool):
        found = calendar_entries(visitor().get("/japan/calendar.ics").content)
        days = {one["UID"].partition("@")[0]: one for one in found}
        window = rules_of(pool).schedule.window_on(localdate())
        closes, day = days[f"closes-{window.name}"], days[f"list-{window.name}"]
        assert closes["DTSTART;VALUE=DATE"] == f"{window.closes:%Y%m%d}"
        assert day["DTSTART;VALUE=DATE"] == f"{window.published:%Y%m%d}"
        assert day["SUMMARY"].endswith(f"List {window.name}: its day")
        assert len([uid for uid in days if uid.startswith("closes-")]) >= 12

    def test_has_none_where_every_event_makes_a_list(self, pool, monkeypatch):
        editions = [SimpleNamespace(book=SimpleNamespace(calendar=EachEvent()), start=date(2020, 1, 1))]
        rules = SimpleNamespace(schedule=Schedule(editions), is_go=False)
        monkeypatch.setattr("banzuke.office.pages.event_calendar.rules_of", lambda _pool: rules)
        assert calendar_entries(visitor().get("/japan/calendar.ics").content) == []


class TestStructuredData:
    def test_an_event_is_a_sports_event(self, pool):
        (found,) = data_of(visitor().get("/japan/events/2024-05-golden/").content)
        assert found["@type"] == "SportsEvent"
        assert (found["startDate"], found["endDate"]) == ("2024-05-03", "2024-05-05")
        assert found["location"]["name"] == "Tokyo"
        assert found["url"] == "http://testserver/japan/events/2024-05-golden/"
        text = json.dumps(found, ensure_ascii=False)
        people = Player.objects.filter(pool=pool).values_list("name", "name_native", "player_id")
        assert not [name for row in people for name in row if name and name in text]

    def test_a_list_is_a_data_set_with_its_files(self, pool):
        newest = RatingList.objects.order_by("-number").first()
        html = visitor().get("/japan/lists/current/standard/", follow=True).content
        (found,) = data_of(html)
        assert (found["@type"], found["version"]) == ("Dataset", "0")
        assert found["identifier"] == f"sha256:{newest.sha256}"
        files = {one["encodingFormat"]: one["contentUrl"] for one in found["distribution"]}
        for kind, address in files.items():
            answer = visitor().get(address.removeprefix("http://testserver"))
            assert answer["Content-Type"].partition(";")[0] == kind

    def test_a_list_says_its_licence_if_the_office_gives_one(self, pool):
        def found():
            return data_of(visitor().get("/japan/lists/current/standard/", follow=True).content)[0]

        assert pool.slug == "japan"
        assert "license" not in found()
        OfficeSettings.objects.create(licence="CC0-1.0")
        assert found()["license"] == "https://creativecommons.org/publicdomain/zero/1.0/"

    def test_no_name_ends_the_block(self):
        name = "</script><script>x()</script>&"
        html = f"<head>{data_block({'name': name})}</head>"
        assert html.count("<script") == html.count("</script>") == 1
        assert data_of(html)[0]["name"] == name


class TestShareCards:
    def test_of_clubs_pools_and_calendars_too(self, pool):
        for page in ("/japan/", "/japan/lists/", "/japan/calendar/", "/japan/clubs/C01/"):
            found = cards(visitor().get(page).content.decode())
            assert found["og:title"]
            assert found["og:url"] == f"http://testserver{page}"

    def test_say_what_a_link_leads_to(self, pool):
        found = cards(visitor().get("/japan/players/J004/").content.decode())
        assert found["og:title"] == "HAYASHI Haruto · Example Chess Federation"
        assert re.fullmatch(r"Standard \d+ \(\S+, Place \d+\)( · .*)?", found["og:description"])
        assert found["og:url"] == "http://testserver/japan/players/J004/"
        picture = visitor().get(found["og:image"].removeprefix("http://testserver"))
        assert b"".join(picture).startswith(b"\x89PNG")
        event = cards(visitor().get("/japan/events/2024-05-golden/").content.decode())
        assert event["og:description"].startswith("Tokyo · 2024-05-03 – 2024-05-05 · ")
        of_list = cards(visitor().get("/japan/lists/current/standard/", follow=True).content.decode())
        assert of_list["og:type"] == "article"


def test_of_who_is_shown_by_id_only_there_is_neither(pool):
    working = RatingList.objects.order_by("-number").first().name
    pages = ["/japan/players/J004/", f"/japan/players/J004/{working}/standard/"]
    for page in pages:
        assert cards(visitor().get(page).content.decode())["og:title"].startswith("HAYASHI Haruto")
    hide(pool, "J004")
    assert visitor().get("/japan/players/J004.atom").status_code == 404
    for page in pages:
        html = visitor().get(page).content.decode()
        assert cards(html) == {}
        assert "application/atom+xml" not in html


def test_a_reason_with_signs_that_no_feed_holds_is_shown_without_them(pool, monkeypatch):
    newest = RatingList.objects.order_by("-number").first()
    newest.why = "typed \x1b\x0b\ufffeodd"
    monkeypatch.setattr("banzuke.web.public.feeds.news_of_lists", lambda _pool: [newest])
    assert "typed odd" in visitor().get("/japan/lists.atom").content.decode()
