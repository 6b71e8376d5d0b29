"""Lists compared on pages and in files; top lists; what a revised list says at its top."""

from __future__ import annotations

import csv
import io
import re
import shutil
from datetime import timedelta
from html import unescape

import openpyxl
import pytest
from django.utils.translation import override
from machine_parts import needs_font
from web.published_pools import EXAMPLES, hide, published_pool
from web.small_office import visitor

from banzuke.core import facts
from banzuke.database.models import Player
from banzuke.office.fact_rows import standing_rows
from banzuke.office.journal import Actor
from banzuke.office.lists import correction_drafts, corrections, list_index
from banzuke.office.lists.movement_bands import Band
from banzuke.web.templatetags.bars import band_name

pytestmark = pytest.mark.django_db
LANGUAGES = ("en", "ja")
PAIR = "/japan/lists/2025-05/compare/2024-06/"
CHIEF = Actor("chief")


@pytest.fixture
def japan():
    return published_pool()


def page(address, lang="en", **asked):
    answer = visitor(lang).get(address, asked, follow=True)
    assert answer.status_code == 200, (address, answer.status_code)
    return unescape(answer.content.decode())


def sheet(html, name="movements"):
    """The rows of a table, without markup and what is for narrow screens only."""
    table = re.search(rf'<table[^>]* id="{name}">.*?</table>', html, re.DOTALL)[0]
    table = re.sub(r'<small class="beside.*?</small>|<span class="sr">.*?</span>', "", table, flags=re.DOTALL)
    rows = [re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row, re.DOTALL) for row in table.split("<tr>")[2:]]
    return [[" ".join(re.sub("<[^>]+>", " ", cell).split()) for cell in row] for row in rows]


class TestComparison:
    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_who_moved_how_far(self, japan, lang):
        rows = sheet(page(PAIR, lang))
        first, last = (list_index.find_list(japan, name) for name in ("2024-06", "2025-05"))
        before, after = (
            dict(one.rows.filter(speed="standard").values_list("player_id", "rating"))
            for one in (first, last)
        )
        moved = sorted(
            ((after[p] - n, p) for p, n in before.items() if after[p] != n), key=lambda it: (-it[0], it[1])
        )
        assert [row[2].split()[-1] for row in rows] == [player for _, player in moved]
        assert [row[0] for row in rows] == [f"{size:+}".replace("-", "−") for size, _ in moved]
        assert [(int(row[3]), int(row[4])) for row in rows] == [(before[p], after[p]) for _, p in moved]

    def test_other_orders_and_parts(self, japan):
        sizes = [row[0] for row in sheet(page(PAIR))]
        assert [row[0] for row in sheet(page(PAIR, sort="down"))] == sizes[::-1]
        most = [abs(int(row[0].replace("−", "-"))) for row in sheet(page(PAIR, sort="most"))]
        assert most == sorted(most, reverse=True)
        came = sheet(page(PAIR, of="came"))
        assert len(came) == 7
        assert "Nobody." in page(PAIR, of="left")

    @pytest.mark.parametrize(
        "asked", [{"of": "x"}, {"sort": "x"}, {"speed": "blitz"}, {"with": "4"}, {"revision": "x"}]
    )
    def test_what_is_not_there(self, japan, asked):
        assert visitor().get(PAIR, asked).status_code == 404
        assert visitor().get("/japan/lists/2025-05/compare/1999-01/").status_code == 404

    @pytest.mark.parametrize(
        ("lang", "rise", "fall"), [("en", "+61 and more", "−61 and below"), ("ja", "+61以上", "−61以下")]
    )
    def test_the_outermost_bands_have_no_end(self, lang, rise, fall):
        with override(lang):
            assert band_name(Band(61, None, 3)) == rise
            assert band_name(Band(None, -61, 3)) == fall

    def test_bands_have_everybody(self, japan):
        html = page(PAIR)
        counted = sum(int(row[1]) for row in sheet(html, "bands"))
        assert counted == len(sheet(html)) + int(re.search(r"Unchanged</dt><dd>(\d+)", html)[1])

    def test_it_is_found_from_each_list(self, japan):
        html = page("/japan/lists/2025-03/standard/")
        (address,) = set(re.findall(r'href="([^"#]+)"[^>]*>Compared with the list before', html))
        assert address == "/japan/lists/2025-03/compare/2025-02/?speed=standard"
        assert "2025-02</span> → <span" in page(address)
        assert "Compared with" not in page("/japan/lists/2024-06/standard/")

    def test_any_other_list_can_be_chosen(self, japan):
        html = page(PAIR)
        assert '<option value="2024-06" selected>' in html
        assert '<option value="2025-05"' not in html
        answer = visitor().get("/japan/lists/2025-05/compare/", {"other": "2024-12", "speed": "rapid"})
        assert answer.url == "/japan/lists/2025-05/compare/2024-12/?speed=rapid"
        assert visitor().get("/japan/lists/2025-05/compare/").url == "/japan/lists/2025-05/compare/2025-04/"
        assert visitor().get("/japan/lists/2025-05/compare/", {"other": "x"}).status_code == 404

    def test_either_way_round_it_goes_from_the_earlier_to_the_later(self, japan):
        assert sheet(page("/japan/lists/2024-06/compare/2025-05/")) == sheet(page(PAIR))

    def test_who_is_shown_by_id_only(self, japan):
        hide(japan, "J014")
        for address in (PAIR, "/japan/lists/2025-05/compare/2024-06.csv"):
            html = page(address)
            assert "WATANABE Rin" not in html
            assert "J014" in html

    def test_lists_of_events_and_of_go(self):
        published_pool("hakodate")
        html = page("/hakodate/lists/2025-12-evening/compare/2025-05-five/")
        assert sheet(html)[0][0].startswith("+")
        assert "Year-End Club Evening, 2025-12-19" in html

    @pytest.mark.parametrize("asked", [{}, {"of": "came"}, {"speed": "rapid", "page": "2"}])
    def test_the_number_of_queries_is_bounded(self, japan, asked, django_assert_max_num_queries):
        with django_assert_max_num_queries(16):
            page(PAIR, **asked)

    def test_pages(self, japan, monkeypatch):
        monkeypatch.setattr("banzuke.web.public.comparison_pages.PAGE", 10)
        whole = [row for number in (1, 2, 3) for row in sheet(page(PAIR, page=number))]
        monkeypatch.setattr("banzuke.web.public.comparison_pages.PAGE", 100)
        assert whole == sheet(page(PAIR))


class TestFiles:
    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_everybody_is_in_the_table(self, japan, lang):
        answer = visitor(lang).get("/japan/lists/2025-05/compare/2024-06.csv")
        header, *rows = csv.reader(io.StringIO(answer.content.decode("utf-8-sig")))
        assert len(header) == 7
        moved = len(sheet(page(PAIR)))
        assert len(rows) == moved + 7
        assert all(int(row[3]) - int(row[2]) == int(row[4]) for row in rows[:moved])
        assert all(row[2] == row[4] == "" for row in rows[moved:])
        book = openpyxl.load_workbook(
            io.BytesIO(visitor().get("/japan/lists/2025-05/compare/2024-06.xlsx").content)
        )
        assert len(list(book.worksheets[0].rows)) == len(rows) + 1

    @needs_font
    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_on_paper(self, japan, lang):
        answer = visitor(lang).get("/japan/lists/2025-05/compare/2024-06.pdf")
        assert answer["content-type"] == "application/pdf"
        assert answer.content.startswith(b"%PDF")
        assert 'compare/2024-06.pdf?speed=standard"' in page(PAIR, lang)
        answer = visitor(lang).get("/japan/events/2025-01-newyear.pdf")
        assert answer.content.startswith(b"%PDF")
        assert "/japan/events/2025-01-newyear.pdf?list=" in page("/japan/events/2025-01-newyear/", lang)

    def test_a_kind_that_there_is_not(self, japan):
        assert visitor().get("/japan/lists/2025-05/compare/2024-06.json").status_code == 404

    def test_no_kind_is_offered_that_cannot_be_made(self):
        published_pool("hakodate")
        html = page("/hakodate/lists/2025-12-evening/")
        files = re.findall(r'href="([^"]+)" download', html)
        assert any("swiss-manager" in address for address in files)
        assert {visitor().get(address).status_code for address in files} == {200}


class TestTopLists:
    def test_links_to_what_there_is(self, japan):
        html = page("/japan/lists/2025-05/standard/")
        ways = html.split('class="ways')[1].split("</nav>")[0]
        assert 'href="/japan/lists/2025-05/standard/?group=junior"' in ways
        assert 'href="/japan/lists/2025-05/standard/?sort=-change"' in ways
        assert 'href="/japan/lists/2025-05/standard/clubs/"' in ways
        assert "Top women" not in ways
        assert "Top juniors" in page("/japan/")

    def test_women_where_there_are_some(self, tmp_path):
        folder = shutil.copytree(EXAMPLES / "hakodate", tmp_path / "club")
        with (folder / "players.csv").open(newline="", encoding="utf-8") as file:
            players = [row | {"sex": "F"} for row in csv.DictReader(file)]
        with (folder / "players.csv").open("w", newline="", encoding="utf-8") as file:
            table = csv.DictWriter(file, players[0])
            table.writeheader()
            table.writerows(players)
        published_pool(slug="club", folder=folder)
        html = page("/club/lists/2025-12-evening/")
        assert 'href="/club/lists/2025-12-evening/?sex=f"' in html
        assert "Top juniors" not in html

    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_a_top_list_says_of_whom_it_is(self, japan, lang):
        html = page("/japan/lists/2025-05/standard/", lang, group="junior", club="C01")
        words = "Hinoki Chess Club · Juniors" if lang == "en" else "Hinoki Chess Club · ジュニア"
        assert f'<h2 class="shown">{words}</h2>' in html

    def test_never_a_birth_date_or_an_age(self, japan):
        born = Player.objects.filter(pool=japan).values_list("birth_date", flat=True)
        for address in (
            "/japan/",
            "/japan/lists/2025-05/standard/?group=junior",
            "/japan/lists/2025-05/standard/clubs/",
            PAIR,
        ):
            html = page(address)
            assert not [day for day in born if day and day.isoformat() in html]

    def test_clubs(self, japan):
        rows = sheet(page("/japan/lists/2025-05/standard/clubs/"), "clubs")
        assert next(row[0] for row in rows) == "Hinoki Chess Club"
        assert 'href="/japan/lists/2025-05/standard/?club=C01"' in page("/japan/lists/2025-05/clubs/")
        hide(japan, "J001")
        assert "FUJIWARA" not in page("/japan/lists/2025-05/standard/clubs/")
        assert visitor().get("/japan/lists/2025-05/x/clubs/").status_code == 404


class TestRevisions:
    @pytest.fixture
    def revised(self, japan):
        latest = list_index.latest_list(japan)
        game = standing_rows(japan, facts.Game).get(
            event_id=latest.lines.first().event_id, round=1, white="J006"
        )
        asked = corrections.open_inquiry(japan, latest.day + timedelta(days=3), "a player", "a game", CHIEF)
        correction_drafts.draft_change(asked, "games", game.pk, result="0-1")
        (found,) = corrections.carry_out(
            asked, CHIEF, "the card says otherwise", latest.day + timedelta(days=3)
        )
        return found

    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_the_top_says_what_changed(self, revised, lang):
        html = page("/japan/lists/2025-05/standard/", lang)
        notice = " ".join(re.sub("<[^>]+>", " ", html.split('id="revised"')[1].split("</div>")[0]).split())
        assert ("Revised on 20" if lang == "en" else "日に改訂") in notice
        assert "the card says otherwise" in notice
        assert "Kawabe Club Meeting, April" in notice
        assert "1-0 → 0-1" in notice
        assert "/japan/lists/2025-05/compare/2025-05/?speed=standard&revision=1&with=0" in html

    def test_a_revision_is_called_by_its_day(self, revised):
        lists = page("/japan/lists/")
        assert re.search(r"revised on \d{4}-\d\d-\d\d", lists)
        assert re.search(r'\?revision=0">first published on \d{4}-\d\d-\d\d</a>', lists)
        about = page("/japan/lists/2025-05/standard/").split('id="about"')[1]
        assert re.search(r"<strong>revised on \d{4}-\d\d-\d\d</strong>: the card says otherwise", about)
        old = page("/japan/lists/2025-05/standard/", revision="0")
        assert "This is the list as first published on" in old
        assert 'id="revised"' not in old
        assert "revision=0" in re.search(r'href="([^"]+)"[^>]*>Compared with the list before', old)[1]

    def test_compared_with_the_revision_before(self, revised):
        html = page("/japan/lists/2025-05/compare/2025-05/", revision="1", **{"with": "0"})
        assert {row[2].split()[-1] for row in sheet(html)} == {"J006", "J021"}
        assert "first published on" in html
        assert "revised on" in html


def test_lists_that_are_too_long_are_not_compared_while_somebody_waits(japan, monkeypatch):
    monkeypatch.setattr("banzuke.office.lists.list_comparison.LONGEST", 20)
    html = page(PAIR)
    assert "too long to compare whole" in html
    assert 'href="/japan/lists/2025-05/standard/?sort=-change"' in html
    assert visitor().get("/japan/lists/2025-05/compare/2024-06.csv").status_code == 404


@pytest.mark.parametrize(("example", "address"), [("japan", "/japan/lists/2025-05/standard/"), ("hakodate", "/hakodate/lists/current/"), ("go-server", "/go-server/lists/current/")])  # fmt: skip
def test_on_a_phone_the_same_columns_are_left_out_of_the_heading_and_of_the_rows(example, address):
    published_pool(example)
    table = re.search(r'<table[^>]* id="ratings">.*?</table>', page(address), re.DOTALL)[0]
    hidden = [
        [
            " more" in f" {kind}"
            for kind in re.findall(r'<t[hd](?: scope="\w+")?(?: class="([^"]*)")?[ >]', row)
        ]
        for row in table.split("<tr>")[1:]
    ]
    assert len({tuple(row) for row in hidden}) == 1
