"""What everybody may read: pools, lists, players with their workings, events, files."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import date
from html import unescape
from importlib.metadata import version

import openpyxl
import pytest
from languages import IN_TURN
from web.published_pools import EXAMPLES, hide, published_pool
from web.small_office import client, small_pool, visitor

from banzuke.core import facts
from banzuke.database.models import Line, OfficeSettings, RatingList
from banzuke.exchange.list_export import ledger_list
from banzuke.exchange.list_files import ENDINGS
from banzuke.exchange.standings import gacrux_engine, standings
from banzuke.exchange.standings.tie_breaks import known_codes
from banzuke.formats.lists.list_table import write_csv
from banzuke.ledger.folder import read_chess_ledger
from banzuke.office.fact_rows import standing_rows
from banzuke.office.lists import list_index
from banzuke.office.pages.crosstables import crosstable
from banzuke.office.pages.kept_files import kept_files
from banzuke.office.pages.player_standing import load_standing
from banzuke.office.pages.public_pool import public_pool
from banzuke.web.public import front_pages
from banzuke.words import say

pytestmark = pytest.mark.django_db
LANGUAGES = ("en", "ja")
LIST = "/japan/lists/2025-05/standard/"


@pytest.fixture
def japan():
    return published_pool()


def page(address, lang="en", by=None, **asked):
    answer = (by or visitor(lang)).get(address, asked)
    assert answer.status_code == 200, (address, answer.status_code)
    return answer.content.decode()


def texts(html, cell):
    """The texts of the cells that a pattern finds, without markup."""
    found = re.findall(cell, html, re.DOTALL)
    return [" ".join(unescape(re.sub("<[^>]+>", " ", text)).split()) for text in found]


def names(html):
    """The players of a list page, in order."""
    sheet = html.split('<div id="sheet"')[1].split("</table>")[0]
    return texts(sheet, r'<th scope="row" class="name"><a [^>]+>(.*?)</a>')


class TestFront:
    def test_an_office_without_pools(self):
        assert "no pool yet" in page("/")

    def test_pools_with_their_lists(self, japan):
        small_pool("hakodate")
        html = page("/")
        assert 'href="/japan/"' in html
        assert "Example Chess Federation" in html
        assert "Standard 34 · Rapid 26" in " ".join(html.split())
        assert "2025-06-01" in html
        assert "none yet" in html

    def test_a_list_whose_day_is_over_is_not_published_yet(self, japan, monkeypatch):
        for today, is_said in ((date(2025, 6, 1), False), (date(2025, 6, 2), True)):
            monkeypatch.setattr(front_pages, "today_of", lambda _pool, day=today: day)
            assert ("2025-06-01</time> <small>not published yet" in page("/")) == is_said

    @pytest.mark.parametrize("lang", IN_TURN)
    def test_a_pool_at_a_glance(self, japan, lang):
        html = page("/japan/", lang)
        assert ("FUJIWARA Yuto" if lang == "en" else "藤原 悠斗") in html
        for way in ("lists/", "events/", "rules/", "calculators/", "statistics/", "search/"):
            assert f'"/japan/{way}"' in html
        assert "SHIBATA Chihiro" in html  # who rose most

    def test_a_pool_without_lists(self):
        small_pool()
        assert "No list has been published yet" in page("/japan/")
        assert visitor().get("/japan/lists/current/").status_code == 404

    @pytest.mark.parametrize("address", ["/none/", "/none/lists/", "/japan/lists/2019-01/", "/japan/lists/2025-05/blitz/",
                                         "/japan/players/X/", "/japan/events/X/", "/japan/players/J004/2025-05/blitz/",
                                         "/japan/players/X/2025-05/standard/", "/japan/lists/2025-05/?revision=7",
                                         "/japan/lists/2025-05/?revision=x", "/japan/lists/2025-05/blitz.csv",
                                         "/japan/lists/2025-05.swiss-manager.txt"])  # fmt: skip
    def test_what_is_not_there(self, japan, address):
        assert visitor().get(address).status_code == 404


def test_who_is_signed_in_sees_the_version():
    shown = f"Banzuke {version('banzuke')}"
    assert shown in client("administrator").get("/").content.decode()
    assert shown not in visitor().get("/").content.decode()


class TestOneSpeed:
    """A pool of three speeds in which only one is played shows no empty lists of the others."""

    @pytest.fixture
    def club(self):
        return published_pool("us-championship-2025", "us")

    @pytest.mark.parametrize("address", ["/", "/us/", "/us/lists/2025-11/standard/", "/us/statistics/"])
    def test_no_other_is_shown(self, club, address):
        answer = visitor().get(address)
        assert answer.status_code == 200
        shown = answer.content.decode().lower()
        assert "rapid" not in shown
        assert "blitz" not in shown

    def test_the_list_begins_with_it(self, club):
        assert visitor().get("/us/lists/2025-11/")["Location"] == "/us/lists/2025-11/standard/"

    def test_an_empty_one_is_there_for_who_asks(self, club):
        answer = visitor().get("/us/lists/2025-11/rapid/")
        assert answer.status_code == 200
        assert "Standard" in answer.content.decode()


class TestLists:
    def test_every_list_with_its_day_and_hash(self, japan):
        html = page("/japan/lists/")
        latest = list_index.latest_list(japan)
        assert latest.sha256 in html
        assert texts(html, r'<th scope="row".*?>(.*?)</th>')[0] == "2025-05 2025-05-01"
        assert html.count("ncs-2022") > 0

    def test_no_list_asks_the_database_for_itself(self, japan, django_assert_max_num_queries):
        latest, visitors = list_index.latest_list(japan), visitor()
        for number in range(60):
            more = RatingList.objects.get(pk=latest.pk)
            more.pk, more.number, more.name = None, latest.number + 1 + number, f"2{number:03}-01"
            more.closes, more.sha256 = date(2000 + number, 1, 1), "e" * 64
            more.save()
        with django_assert_max_num_queries(25):
            html = visitors.get("/japan/lists/").content.decode()
        assert html.count("<tr><th") == 50
        assert 'href="?page=2"' in html
        assert "<th" in page("/japan/lists/", page="2")

    def test_a_list_leads_to_its_first_speed(self, japan):
        assert visitor().get("/japan/lists/2025-05/?q=sato").url == f"{LIST}?q=sato"

    def test_current_is_the_last_list(self, japan):
        assert names(page("/japan/lists/current/standard/")) == names(page(LIST))

    @pytest.mark.parametrize("lang", IN_TURN)
    def test_what_it_says_of_itself(self, japan, lang):
        html = page(LIST, lang)
        latest = list_index.latest_list(japan)
        assert latest.sha256 in html
        assert f"<dd>{latest.number}</dd>" in html
        assert "/japan/rules/jcf-2024/" in html

    def test_the_edition_that_stands_in(self, japan):
        RatingList.objects.create(
            pool=japan, name="2025-06", number=99, revision=0, entry=japan.entries.get(), day="2025-06-01",
            closes="2025-05-20", rulebook="jcf-2024", in_force_from="2024-10-01", stands_in="jcf-2030",
            settings={}, published_at=list_index.latest_list(japan).published_at, author="test", sha256="a" * 64,
        )  # fmt: skip
        assert "in place of jcf-2030" in page("/japan/lists/2025-06/standard/")

    def test_places_ratings_and_changes(self, japan):
        html = page(LIST)
        assert names(html)[:3] == ["FUJIWARA Yuto", "SUZUKI Daiki", "ARAI Ryota"]
        assert '<span class="change up"><span class="sr">up </span>+24</span>' in html
        assert names(page(LIST, "ja"))[:2] == ["藤原 悠斗", "鈴木 大輝"]

    def test_sorting_says_so(self, japan):
        html = page(LIST, sort="-change")
        assert names(html)[0] == "SHIBATA Chihiro"
        assert html.count("aria-sort=") == 1
        (heading,) = re.findall(r'<th[^>]+aria-sort="descending"[^>]*><a href="([^"]+)">Change', html)
        assert heading == "?sort=change"
        assert 'aria-sort="ascending"' in page(LIST)

    def test_search_and_filters(self, japan):
        assert names(page(LIST, q="山本")) == ["YAMAMOTO Itsuki"]
        assert names(page(LIST, q="ya", sort="-name")) == ["YAMAZAKI Yui", "YAMAMOTO Itsuki"]
        assert "YAMAMOTO Itsuki" in names(page(LIST, group="junior"))
        assert "SUZUKI Daiki" not in names(page(LIST, group="junior"))
        assert set(names(page(LIST, active="yes"))) | set(names(page(LIST, active="no"))) == set(
            names(page(LIST))
        )
        assert names(page(LIST, place="30"))[0] == names(page(LIST))[29]
        html = page(LIST, q="<script>")
        assert "Nobody on this list" in html
        assert "<script>" not in html.split('<div id="sheet"')[0].split('<form class="inline"')[1]

    def test_links_keep_what_was_asked(self, japan):
        html = page(LIST, q="ta", group="junior")
        assert "?q=ta&amp;group=junior&amp;sort=-change" in html

    def test_pages(self, japan, monkeypatch):
        monkeypatch.setattr("banzuke.office.pages.list_pages.PAGE", 10)
        everybody, html, seen = 34, page(LIST), []
        for _ in range(4):
            seen += names(html)
            following = re.findall(r'<a rel="next" href="\?([^"]+)"', html)
            html = page(f"{LIST}?{unescape(following[0])}") if following else html
        assert len(seen) == len(set(seen)) == everybody
        assert not following
        (back,) = re.findall(r'<a rel="prev" href="\?([^"]+)"', html)
        assert names(page(f"{LIST}?{unescape(back)}")) == seen[20:30]
        assert names(page(LIST, last="1")) == seen[-10:]

    def test_a_club_and_a_server_have_lists_without_a_speed(self):
        published_pool("hakodate")
        published_pool("go-server", "go")
        assert "KUDO Akari" in names(page("/hakodate/lists/2025-05-five/"))
        assert names(page("/go/lists/current/"))[0] == "kazehaya"
        assert visitor().get("/go/lists/current/standard/").status_code == 404

    def test_the_number_of_queries_is_bounded(self, japan, django_assert_max_num_queries):
        hide(japan, "J003")
        for asked in ({}, {"q": "ta"}, {"sort": "name", "after": "J004"}, {"club": "C1", "sort": "-change"}):
            # two for the titles, two for the office's address, one for whether it is preliminary, two for
            # what became of objections, five for the log (one of them where something was signed before), one
            # for whether it was adjusted
            with django_assert_max_num_queries(30):
                page(LIST, **asked)


class TestRevisions:
    def test_older_ones_stay_readable(self, japan):
        latest = list_index.latest_list(japan)
        rows = list(latest.rows.all())
        revised = RatingList.objects.get(pk=latest.pk)
        revised.pk, revised.number, revised.revision = None, latest.number + 1, latest.revision + 1
        revised.why, revised.sha256 = "a result was wrong", "f" * 64
        revised.save()
        for row in rows:
            row.pk, row.list = None, revised
            row.rating += 1
            row.save()
        html = page(LIST)
        assert "a result was wrong" in html
        assert 'href="/japan/lists/2025-05/standard/?revision=0"' in html
        assert ">2401</a>" in html
        old = page(LIST, revision="0")
        assert "This is the list as first published on" in old
        assert 'href="/japan/lists/2025-05/standard/"' in old
        assert ">2400</a>" in old
        assert '/standard.csv?revision=0"' in old
        assert csv_of(f"{LIST[:-1]}.csv?revision=0")[0]["standard_rating"] == "2400"
        assert csv_of(f"{LIST[:-1]}.csv")[0]["standard_rating"] == "2401"
        assert page("/japan/lists/").count("?revision=0") == 1
        assert "2401" in page("/japan/players/J001/")


class TestPlayers:
    @pytest.mark.parametrize("lang", IN_TURN)
    def test_the_place_and_why(self, japan, lang):
        html = page("/japan/players/J004/", lang)
        assert ("HAYASHI Haruto" if lang == "en" else "林 陽翔") in texts(html, "<h1[^>]*>(.*?)</h1>")[0]
        figures = texts(html, "<dd>(.*?)</dd>")
        assert figures[0].startswith("1643 ")
        assert figures[1] == ("14 / 34 club: 5" if lang == "en" else "14 / 34 クラブ内5位")
        assert "1713" in figures
        assert "16.67" in html
        assert figures[2] == "20"
        assert 'href="/japan/rules/jcf-2024/#jcf-51k"' in html
        assert "/japan/players/J004/2025-05/standard/" in html

    def test_the_k_is_that_of_the_next_game_by_the_book_in_force(self, japan):
        """The rapid games of J010 end in a list by the older edition; their K is gone with it."""
        html = page("/japan/players/J010/")
        assert "/japan/rules/ncs-2022/#ncs-51k" not in html
        assert "/japan/rules/jcf-2024/#jcf-51k" in html
        (new,) = re.findall('K is 40: .*?new.*?#(jcf-[^"]+)', page("/japan/players/J033/"))[:1]
        assert new == "jcf-51k-new"

    def test_calculators_are_filled_in(self, japan):
        html = unescape(page("/japan/players/J004/"))
        (address,) = re.findall(r'"(/japan/calculators/event/\?[^"]*own=1643[^"]*)"', html)
        form = page(address)
        assert 'name="own" value="1643"' in form
        assert 'name="k" value="20"' in form
        assert "This field is required" not in form
        assert "Answer" in page(f"{address}&games=1650%201")

    def test_a_game_against_an_opponent_is_shown_when_asked(self, japan):
        html = unescape(page("/japan/players/J004/"))
        asked = re.search(r'"\?(opponent=[^#]+)#met"[^>]*>(\d+)<', html)
        met = page(f"/japan/players/J004/?{asked[1]}").split('id="met"')[1].split("</table>")[0]
        said = re.search(
            r"(\d+) games? played: (\d+) won, (\d+) drawn, (\d+) lost · Standard 1643 : \d+", met
        )
        assert int(said[1]) == sum(map(int, said.groups()[1:])) == int(asked[2])
        assert met.count('<tr><th scope="row">') == int(asked[2])
        assert visitor().get("/japan/players/J004/?opponent=J999").status_code == 404

    def test_form_is_exact(self, japan):
        (form, _) = (one.form for one in load_standing(public_pool(japan), "J004").speeds)
        assert (form.lists, form.games, form.score, form.expected, form.over) == (6, 30, 31, 1667, -117)

    def test_the_table_that_the_chart_is_drawn_from(self, japan):
        html = page("/japan/players/J004/")
        table = html.split("<figure")[1].split("</figure>")[0]
        months = re.findall(r'data-x="([^"]+)"', table)
        assert months[0] == "2025-05-01"
        assert len(months) == 12
        assert re.findall('data-value="([^"]*)"', table)[:2] == ["1643", "1749"]
        assert "data-chart" in html

    def test_events_and_opponents(self, japan):
        html = page("/japan/players/J004/")
        assert "/japan/events/2025-01-newyear/" in html
        assert "−4.2" in html
        records = re.findall(r'<tr><th scope="row"><a href="/japan/players/(J\d+)/">.*?</th>(.*?)</tr>', html)
        assert records
        for _, cells in records:
            games, *results = map(int, texts(cells, "<td.*?>(.*?)</td>"))
            assert games == sum(results)

    def test_the_change_leads_to_how_it_came_about(self, japan):
        figures = page("/japan/players/J004/").split('<dl class="figures">')[1].split("</dl>")[0]
        (address,) = re.findall('<a href="([^"]*)"', figures)
        assert visitor().get(address).status_code == 200
        assert re.fullmatch(r"/japan/players/J004/2025-05/\w+/", address)

    def test_whom_a_player_met_in_a_year(self, japan):
        def met(html):
            return dict(re.findall(r'players/(J\d+)/">[^<]*</a></th><td class="n"><a [^>]*>(\d+)<', html))

        every = page("/japan/players/J004/")
        assert re.findall(r'\?year=[^"]*', every) == ["?year=2025#opponents", "?year=2024#opponents"]
        years = [met(page(f"/japan/players/J004/?year={year}")) for year in (2024, 2025)]
        both = {who: sum(int(of.get(who, 0)) for of in years) for who in met(every)}
        assert both == {who: int(games) for who, games in met(every).items()}
        assert all(years)

    def test_all_years_are_there_at_first(self, japan, monkeypatch):
        monkeypatch.setattr("banzuke.office.pages.played_games.SHORT", 1)
        for address in ("/japan/players/J004/", "/japan/players/J004/?year=2024"):
            assert "?year=2024#opponents" in page(address)
            assert "?year=2025#opponents" in page(address)

    @pytest.mark.parametrize("year", ["1999", "20245", "x", "２０２４"])
    def test_a_year_without_games_has_no_page(self, japan, year):
        assert visitor().get(f"/japan/players/J004/?year={year}").status_code == 404

    def test_much_is_shown_when_asked(self, japan, monkeypatch):
        monkeypatch.setattr("banzuke.office.pages.played_games.SHORT", 3)
        html = page("/japan/players/J004/")
        assert 'href="?all"' in html
        assert html.count("/japan/events/") < page("/japan/players/J004/?all").count("/japan/events/")

    @pytest.mark.parametrize("lang", IN_TURN)
    def test_a_working_names_its_clauses(self, japan, lang):
        html = page("/japan/players/J004/2025-04/standard/", lang)
        assert 'href="/japan/rules/jcf-2024/#jcf-51"' in html
        assert "TAKEUCHI Aoi" in html or lang == "ja"
        assert html.count('<tr><th scope="row">') == 5
        assert "−10.4" in html or "-10.4" in html

    def test_who_has_a_rating_but_no_game_has_a_working(self, japan):
        assert "2400" in page("/japan/players/J001/2025-05/standard/")

    def test_a_player_of_go(self):
        published_pool("go-server", "go")
        player = re.search(r'href="/go/players/([^/"]+)/"', page("/go/lists/current/"))[1]
        html = page(f"/go/players/{player}/")
        assert "Rank" in html
        assert "Which games counted, and why" in html
        assert page(f"/go/players/{player}/2026-02/")

    def test_a_member_of_a_club(self):
        published_pool("hakodate")
        html = page("/hakodate/events/2025-05-five/")
        assert "Class A" in " ".join(html.split())
        assert "/hakodate/players/" in page("/hakodate/lists/2025-05-five/")

    def test_columns_that_would_be_empty_are_left_out(self, japan):
        published_pool("hakodate")
        listed, played = "/hakodate/lists/2025-05-five/", "/hakodate/events/2025-05-five/"
        (player,) = set(re.findall(r"/hakodate/players/H08/", page(listed)))
        for address, column in ((listed, "Club"), (played, "Expected"), (player, "Speed")):
            assert column not in texts(page(address), r'<th scope="col"[^>]*>(.*?)</th>')
        for address, column in (
            (LIST, "Club"),
            ("/japan/events/2024-05-golden/", "Expected"),
            ("/japan/players/J004/", "Speed"),
        ):
            assert column in texts(page(address), r'<th scope="col"[^>]*>(.*?)</th>')

    def test_ids_of_any_characters(self, ledger_folder):
        folder = ledger_folder("japan")
        odd = "a/b?c#d%41 é.csv"
        for path in folder.glob("*.csv"):
            text = path.read_text("utf-8")
            if path.name != "clubs.csv":
                path.write_text(re.sub(r"(?m)(?<![^,\n])A(?=,)", odd, text), "utf-8")
        pool = published_pool("odd", folder=folder)
        name = list_index.current_lists(pool).last().name
        links = set(re.findall(r'href="(/odd/players/[^"]+)"', page("/odd/")))
        assert links
        for link in links:
            assert (
                odd in unescape(page(unescape(link)))
                or "BABA" in page(unescape(link))
                or "CHIBA" in page(unescape(link))
            )
        assert odd in unescape(page(f"/odd/lists/{name}/standard/"))

    def test_the_number_of_queries_is_bounded(self, japan, django_assert_max_num_queries):
        for address in ("/japan/players/J004/", "/japan/players/J004/2025-04/standard/"):
            with django_assert_max_num_queries(35):  # one for adjusted lists, two for errors of ratings
                page(address)


class TestEvents:
    def test_all_of_them(self, japan, monkeypatch):
        html = page("/japan/events/")
        assert html.index("2025-04") < html.index("2024-07")
        everything = re.findall(r'<th scope="row"><a href="([^"]+)"', html)
        monkeypatch.setattr("banzuke.web.public.event_pages.PAGE", 5)
        seen, html = [], page("/japan/events/")
        for _ in range(4):
            seen += re.findall(r'<th scope="row"><a href="([^"]+)"', html)
            following = re.findall(r'<a rel="next" href="\?([^"]+)"', html)
            html = page(f"/japan/events/?{unescape(following[0])}") if following else html
        assert seen == everything

    @pytest.mark.parametrize("lang", IN_TURN)
    def test_a_crosstable_with_changes(self, japan, lang):
        html = page("/japan/events/2025-01-newyear/", lang)
        assert 'title="ITO Kenta"' in html or lang == "ja"
        assert html.count('<tr id="p') == 18
        assert "+27.6" in html
        assert ">2148</a>" in html
        assert 'href="/japan/lists/2025-02/' in html

    def test_one_that_no_list_has_taken(self):
        pool = small_pool()
        event = standing_rows(pool, facts.Event).first()
        assert "Not rated yet: it is accepted and will be in list" in page(f"/japan/events/{event.event_id}/")
        assert visitor().get(f"/japan/events/{event.event_id}.html").status_code == 404

    def test_files(self, japan):
        standalone = page("/japan/events/2025-01-newyear.html")
        assert "New Year Open" in standalone
        text = visitor().get("/japan/events/2025-01-newyear.txt")
        assert text["Content-Type"] == "text/plain; charset=utf-8"
        assert "attachment" in text["Content-Disposition"]
        assert " -> 2148" in text.content.decode()
        answer = visitor().get("/japan/events/2025-01-newyear.xlsx")
        assert answer.content.startswith(b"PK")
        assert "attachment" in answer["Content-Disposition"]

    @pytest.mark.parametrize("lang", IN_TURN)
    def test_standings(self, japan, lang):
        """By the usual tie-breaks; what a ledger does not know is said; every code is explained."""
        html = page("/japan/events/2025-01-newyear/", lang)
        sheet = html.split('<h2 id="standings">')[1]
        assert texts(sheet, r'<th scope="col" class="n">(.*?)</th>')[2:] == ["BH-C1", "BH", "DE", "WIN"]
        assert len(texts(sheet, r'<tr><td class="n">(.*?)</td>')) == 18
        assert say("tie_breaks", "note-byes", lang) in unescape(html)
        assert len(texts(sheet, r"<dt>(.*?)</dt>")) == len(known_codes())

    def test_other_tie_breaks_by_the_address(self, japan):
        address = "/japan/events/2025-01-newyear/"
        html = page(address, **{"tie-breaks": "sb, MMED"})
        sheet = html.split('<h2 id="standings">')[1]
        assert texts(sheet, r'<th scope="col" class="n">(.*?)</th>')[2:] == ["SB", "MMED"]
        assert 'value="SB,MMED"' in sheet
        assert html.count("&amp;tie-breaks=SB%2CMMED") == 3
        wrong = page(address, **{"tie-breaks": "<b>BHX"})
        assert "&#x27;&lt;b&gt;BHX&#x27; is no tie-break" in wrong
        assert '<th scope="col" class="n">BH-C1</th>' in wrong

    def test_standings_of_a_list_that_took_a_part_of_the_games(self, japan, monkeypatch):
        address, note = "/japan/events/2025-01-newyear/", say("tie_breaks", "note-part", "en")
        assert note not in page(address)

        def part(*asked):
            found = crosstable(*asked)
            rows = tuple(row._replace(cells=row.cells[:2]) for row in found.table.rows)
            return found._replace(table=found.table._replace(rounds=(1, 2), rows=rows))

        monkeypatch.setattr("banzuke.web.public.event_pages.crosstable", part)
        assert note in page(address)
        assert note in page("/japan/events/2025-01-newyear.html")

    def test_an_event_too_large_for_a_page(self, japan, monkeypatch):
        monkeypatch.setattr(standings, "_QUICK_PLAYERS", 17)
        html = page("/japan/events/2025-01-newyear/")
        assert "too large for that on a page (players: 18, rounds: 6)" in html
        assert html.count('<tr id="p') == 18
        assert 'name="tie-breaks"' not in html
        assert "Tie-breaks" not in page("/japan/events/2025-01-newyear.html")
        assert visitor().get("/japan/events/2025-01-newyear.xlsx").status_code == 200

    def test_standings_of_many_players_wait_until_they_are_asked_for(self, japan, monkeypatch):
        monkeypatch.setattr("banzuke.web.public.event_pages.PLAYERS_AT_ONCE", 17)
        address = "/japan/events/2025-01-newyear/"
        html = page(address)
        assert "BH-C1" not in html
        assert '<input type="hidden" name="tie-breaks" value="">' in html.split('<h2 id="standings">')[1]
        assert '<th scope="col" class="n">BH-C1</th>' in page(address, **{"tie-breaks": ""})

    def test_standings_in_the_files(self, japan):
        standalone = page("/japan/events/2025-01-newyear.html", **{"tie-breaks": "SB"})
        assert '<th scope="col" class="n">SB</th>' in standalone
        assert "SB: Sonneborn-Berger" in standalone
        answer = visitor().get("/japan/events/2025-01-newyear.xlsx", {"tie-breaks": "SB"})
        sheet = openpyxl.load_workbook(io.BytesIO(answer.content))["Standings"]
        assert [cell.value for cell in sheet[4]] == ["Rank", "No.", "Name", "Points", "SB"]
        assert sheet.max_row >= 18

    def test_without_the_extra_the_page_is_as_before(self, japan, monkeypatch):
        monkeypatch.setattr(gacrux_engine, "is_installed", lambda: False)
        html = page("/japan/events/2025-01-newyear/")
        assert 'id="standings"' not in html
        assert html.count('<tr id="p') == 18
        assert "[tie-breaks]" in page("/japan/events/2025-01-newyear/", **{"tie-breaks": "SB"})

    def test_the_number_of_queries_is_bounded(self, japan, django_assert_max_num_queries):
        with django_assert_max_num_queries(25):  # two for who is no member, two for the office's address
            page("/japan/events/2025-01-newyear/")


def csv_of(address):
    content = visitor().get(address).content.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(content, newline="")))


class TestMistakes:
    PLACES = (
        "/japan/players/J004/",
        "/japan/players/J004/2025-04/standard/",
        "/japan/events/2025-01-newyear/",
    )

    @pytest.mark.parametrize("address", PLACES)
    def test_the_pages_say_whom_to_tell(self, japan, address):
        assert "Say what is wrong and what is right. No account is needed.</p>" in page(address)
        assert ">誤りを知らせる</a>" in page(address, "ja")
        OfficeSettings.objects.create(contact="ratings@example.org")
        assert '<a href="mailto:ratings@example.org">' in page(address)
        OfficeSettings.objects.update(contact="https://example.org/mistakes <b>")
        html = page(address)
        assert '<a href="https://example.org/mistakes" rel="nofollow">' in html
        assert "&lt;b&gt;" in html

    def test_a_page_that_was_kept_learns_a_new_address(self, japan):
        reader = visitor()
        reader.get(self.PLACES[1])
        etag = {"if-none-match": reader.get(self.PLACES[1])["ETag"]}
        assert reader.get(self.PLACES[1], headers=etag).status_code == 304
        OfficeSettings.objects.create(contact="ratings@example.org")
        assert reader.get(self.PLACES[1], headers=etag).status_code == 200


class TestFiles:
    def test_every_kind_is_linked_and_there(self, japan):
        html = page(LIST)
        for kind, ending in ENDINGS.items():
            if kind == "pdf":
                continue  # sets pages for seconds; its own tests are with the formats
            assert f'"/japan/lists/2025-05/standard.{ending}"' in html
            answer = visitor().get(f"/japan/lists/2025-05/standard.{ending}")
            assert answer.status_code == 200
            assert answer.content

    def test_without_an_extra_a_kind_is_not_linked(self, japan, monkeypatch):
        monkeypatch.setattr("banzuke.exchange.list_files.find_spec", lambda _: None)
        html = page(LIST)
        assert "standard.csv" in html
        assert "parquet" not in html
        assert "standard.pdf" not in html
        assert visitor().get("/japan/lists/2025-05/standard.parquet").status_code == 404

    def test_one_speed_or_all(self, japan):
        one = csv_of("/japan/lists/2025-05/standard.csv")
        assert len(one) == 34
        assert one[0]["name"] == "FUJIWARA Yuto"
        assert "rapid_rating" not in one[0]
        assert csv_of("/japan/lists/2025-05.csv")[0]["rapid_rating"] == "2331"
        assert json.loads(visitor().get("/japan/lists/current.json").content)["speeds"] == [
            "standard",
            "rapid",
        ]

    def test_they_are_what_the_ledger_exports(self, japan):
        exported = ledger_list(read_chess_ledger(EXAMPLES / "japan"), "2025-03", birth_dates=False)
        assert visitor().get("/japan/lists/2025-03.csv").content == write_csv(exported)

    def test_the_list_of_a_server(self):
        published_pool("go-server", "go")
        rows = csv_of("/go/lists/current.csv")
        assert rows[0]["name"] == "kazehaya"
        assert rows[0]["place"] == "1"
        assert rows[-1]["place"] == ""
        assert visitor().get("/go/lists/current.fide.txt").status_code == 404

    def test_the_etag_is_the_lists_hash(self, japan):
        answer = visitor().get("/japan/lists/current.csv")
        etag = f'"{list_index.latest_list(japan).sha256}"'
        assert answer["ETag"] == etag
        again = visitor().get("/japan/lists/current.csv", headers={"if-none-match": etag})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", etag)
        japanese = visitor("ja").get("/japan/lists/current.xlsx")
        assert japanese["ETag"] == f'{etag[:-1]}-ja"'

    def test_a_file_is_made_once(self, japan, monkeypatch):
        first = visitor().get("/japan/lists/current.csv").content
        monkeypatch.setattr("banzuke.office.pages.list_files.list_file", None)
        assert visitor().get("/japan/lists/current.csv").content == first


class TestByIdOnly:
    """J003 is YAMAMOTO Itsuki, 山本 樹, of the Hinoki club, a junior who has played many events."""

    ADDRESSES = (
        "/", "/japan/", "/japan/lists/", LIST, "/japan/lists/2024-07/standard/", "/japan/lists/2025-05/rapid/",
        "/japan/players/J003/", "/japan/players/J004/?all", "/japan/players/J012/?all",
        "/japan/players/J003/2025-02/standard/", "/japan/players/J004/2025-04/standard/",
        "/japan/events/2025-01-newyear/", "/japan/events/2025-01-newyear.html",
        "/japan/lists/2025-05/compare/2024-06/", "/japan/lists/2025-05/compare/2024-06.csv",
        "/japan/lists/2025-05/standard/clubs/", f"{LIST}?group=junior",
    )  # fmt: skip
    FILES = ("csv", "json", "fide.txt", "fide.xml", "swiss-manager.txt")

    def public(self, lang="en"):
        found = {address: page(address, lang) for address in self.ADDRESSES}
        for ending in self.FILES:
            found[ending] = page(f"/japan/lists/2025-05/standard.{ending}", lang)
        return found

    def test_the_name_is_there_before(self, japan):
        shown = [address for address, html in self.public().items() if "YAMAMOTO" in html]
        assert len(shown) > 10

    @pytest.mark.slow
    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_no_page_and_no_file_has_the_name(self, japan, lang):
        self.public(lang)  # made, and kept as files, while the player was named
        hide(japan, "J003")
        for address, html in self.public(lang).items():
            assert "YAMAMOTO" not in html, address
            assert "山本" not in html, address
        assert "J003" in page(LIST, lang)

    def test_files_that_were_kept_with_the_name_are_gone(self, japan):
        page("/japan/lists/2025-05/standard.csv")
        hide(japan, "J003")
        page("/japan/lists/2025-05/standard.csv")
        folder = kept_files(list_index.latest_list(japan)) / "table-standard" / "csv"
        assert [b"YAMAMOTO" in path.read_bytes() for path in folder.iterdir()] == [False]

    def test_neither_search_nor_filters_give_anything_away(self, japan):
        hide(japan, "J003")
        assert "J003" not in page(LIST, q="yamamoto").split('<div id="sheet"')[1]
        assert "J003" not in page(LIST, group="junior").split('<div id="sheet"')[1]
        assert "J003" in page(LIST, q="j003").split('<div id="sheet"')[1]
        assert names(page(LIST, sort="name"))[-1] == "J003"
        assert names(page(LIST, sort="-name"))[-1] == "J003"


class TestPrivacy:
    @pytest.mark.slow
    def test_no_birth_date_is_anywhere(self, japan):
        born = {str(row.birth_date) for row in standing_rows(japan, facts.Player) if row.birth_date}
        assert born
        addresses = {"/", "/japan/", LIST, "/japan/events/"}
        for address in list(addresses):
            addresses |= set(re.findall(r'href="(/japan/[^"#]+)"', page(address)))
        assert len(addresses) > 60
        for address in sorted(unescape(one) for one in addresses if not one.endswith(".pdf")):
            answer = visitor().get(address, follow=True)
            assert answer.status_code == 200, address
            assert not any(day in answer.content.decode("utf-8", "replace") for day in born), address


class TestUnchanged:
    def test_a_page_is_not_sent_again(self, japan):
        reader = visitor()
        reader.get(LIST)  # brings the cookie that forms need
        first = reader.get(LIST)
        again = reader.get(LIST, headers={"if-none-match": first["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert "Cookie" in again["Vary"]
        assert "Last-Modified" in first

    def test_it_is_after_a_change_in_another_language_or_by_another_reader(self, japan):
        reader = visitor()
        reader.get(LIST)
        etag = {"if-none-match": reader.get(LIST)["ETag"]}
        assert reader.get(LIST, headers=etag | {"accept-language": "ja"}).status_code == 200
        assert visitor().get(LIST, headers=etag).status_code == 200
        hide(japan, "J003")
        assert reader.get(LIST, headers=etag).status_code == 200

    def test_who_is_signed_in_gets_every_page_anew(self, japan):
        assert "ETag" not in client("officer", japan).get(LIST)


class TestCorrectedEvents:
    def test_each_list_shows_the_result_that_it_knew(self):
        """The example has a game whose result an inquiry changed; its event's table adds up to its lines."""
        pool = published_pool()
        for event in standing_rows(pool, facts.Event):
            found = crosstable(pool, event)
            assert found is not None, event.event_id
            lines = Line.objects.filter(list=found.published, event_id=event.event_id)
            for row in found.table.rows:
                mine = [
                    line
                    for line in lines
                    if line.player_id == row.player_id and line.verdict in ("rated", "first")
                ]
                assert sum(line.score for line in mine) == row.scored
                results = {"1": 2, "½": 1, "0": 0}
                counted = [cell for cell in row.cells if cell and cell.is_rated]
                assert sum(results[cell.result] for cell in counted) == row.scored, (
                    event.event_id,
                    row.player_id,
                )
