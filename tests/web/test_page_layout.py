"""How pages print figures, faults and sentences; ids in addresses; the frame around every page."""

from __future__ import annotations

import pytest
from django.core.paginator import Paginator
from django.template import Context, RequestContext, Template
from django.template.loader import get_template
from django.test import RequestFactory
from django.urls import path, resolve, reverse
from django.utils.translation import override
from small_office import client, small_pool, user, visitor

from banzuke.core.fault import fault
from banzuke.web.id_converter import IdConverter


@pytest.fixture(autouse=True)
def _in_english():
    with override("en"):
        yield


def printed(source: str, **words: object) -> str:
    return Template("{% load banzuke %}" + source).render(Context(words))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (12, '<span class="change up"><span class="sr">up </span>+12</span>'),
        (-4, '<span class="change down"><span class="sr">down </span>−4</span>'),
        (0, '<span class="change same"><span class="sr">unchanged </span>±0</span>'),
        (None, ""),
    ],
)
def test_a_change_has_sign_class_and_words(value, expected):
    assert printed("{% change value %}", value=value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1520, '<span class="change up"><span class="sr">up </span>+15.2</span>'),
        (-5, '<span class="change down"><span class="sr">down </span>−0.05</span>'),
        (None, ""),
    ],
)
def test_an_exact_change_is_in_hundredths(value, expected):
    assert printed("{% exact_change value %}", value=value) == expected


@pytest.mark.parametrize(("lang", "expected"), [("en", "a: b; c"), ("ja", "a：b；c")])
def test_statements_stand_apart_as_the_language_has_it(lang, expected):
    with override(lang):
        assert printed("a{% colon %}b{% semicolon %}c") == expected


def test_a_change_is_spoken_in_japanese():
    with override("ja"):
        assert printed("{% change 12 %}") == '<span class="change up"><span class="sr">上昇 </span>+12</span>'


def test_a_rating_or_a_dash_spoken_as_unrated():
    assert printed("{% rating 1520 %}") == "1520"
    assert printed("{% rating 0 %}") == "0"
    dash = '<span aria-hidden="true">–</span><span class="sr">unrated</span>'
    assert printed("{% rating None %}") == dash


@pytest.mark.parametrize(("value", "expected"), [(0, "0"), (1, "½"), (2, "1"), (3, "1½"), (None, "")])
def test_half_points(value, expected):
    assert printed("{% load ratings %}{{ value|half_points }}", value=value) == expected


def test_sentences_come_from_the_words_in_the_language_of_the_page():
    source = '{% say "faults/ledger" "cell-date" value="<1>" %}'
    assert printed(source) == "&#x27;&lt;1&gt;&#x27; is not a day; write it as 2025-03-31."
    with override("ja"):
        assert printed(source) == "「&lt;1&gt;」は日付ではありません。2025-03-31の形で書いてください。"


def test_a_fault_says_where_and_what():
    found = fault("<a>.csv", 3, "born", "cell-date", value="&")
    said = "&#x27;&amp;&#x27; is not a day; write it as 2025-03-31."
    assert printed("{% fault found %}", found=found) == (
        f'<span class="address">&lt;a&gt;.csv, line 3:</span> {said}'
    )


def pages(number: int, query: str) -> str:
    page = Paginator(range(1000), 10).page(number)
    context = RequestContext(RequestFactory().get(f"/x/?{query}"), {"page": page})
    return " ".join(Template("{% load banzuke %}{% pagination page %}").render(context).split())


def test_pagination_keeps_the_rest_of_the_query():
    first = pages(1, "q=a%26b&page=1")
    assert '<span aria-current="page">1</span>' in first
    assert '<a rel="next" href="?q=a%26b&amp;page=2">' in first
    assert 'rel="prev"' not in first
    assert '<a href="?q=a%26b&amp;page=100">100</a>' in first


def test_pagination_of_the_last_page_goes_back_only():
    last = pages(100, "")
    assert '<a rel="prev" href="?page=99">' in last
    assert 'rel="next"' not in last


def test_one_page_has_no_pagination():
    page = Paginator(range(5), 10).page(1)
    assert printed("{% pagination page %}", page=page).strip() == ""


IDS = ["J001", "a/b", ".", "..", "~", "~2F", "a b", "日本", "50%", "a?b#c", "\\", "...", "+", "&amp;"]
urlpatterns = [path("<slug:slug>/players/<id:player_id>/", lambda _: None, name="player")]


@pytest.mark.parametrize("player_id", IDS)
@pytest.mark.urls(__name__)
def test_any_id_comes_back_from_its_address(player_id):
    address = reverse("player", kwargs={"slug": "japan", "player_id": player_id})
    request = RequestFactory().get(address)
    assert request.path.count("/") == 4
    assert "/./" not in address
    assert "/../" not in address
    assert resolve(request.path).kwargs == {"slug": "japan", "player_id": player_id}


@pytest.mark.parametrize("spelling", ["~41", "a~", "~2f", "."])
def test_an_id_has_one_address_only(spelling):
    with pytest.raises(ValueError, match=r".*"):
        IdConverter().to_python(spelling)


@pytest.mark.parametrize("name", ["400.html", "500.html", "503.html", "turned_away.html"])
def test_pages_of_last_resort_need_no_request_and_speak_both_languages(name):
    text = get_template(name).render()
    assert '<html lang="en">' in text
    assert '<div lang="ja"><h2>' in text


@pytest.fixture
def reader(db):
    """A visitor of an office that has its first officer."""
    user("administrator")
    return visitor()


def test_a_page_that_is_not_there_says_so_in_the_readers_language(reader):
    found = reader.get("/no/such/page/at/all/", headers={"accept-language": "ja"})
    assert found.status_code == 404
    assert ">ページが見つかりません</h1>" in found.content.decode()


def test_a_missing_page_of_a_pool_leads_to_the_pool_and_to_the_first_page(reader):
    pool = small_pool()
    for address in ("/japan/lists/1999-01/", "/japan/no/such/page/"):
        page = reader.get(address).content.decode()
        assert f'<a href="/japan/">{pool.name}</a>' in page
        assert '<a href="/">All pools</a>' in page
    assert '<a href="/japan/">' not in reader.get("/nippon/lists/").content.decode()


def test_the_language_switch_comes_back_to_the_same_page(reader):
    page = reader.get("/no/such/?q=1").content.decode()
    assert '<input type="hidden" name="next" value="/no/such/?q=1">' in page
    switched = reader.post("/i18n/setlang/", {"language": "ja", "next": "/no/such/?q=1"})
    assert switched["Location"] == "/no/such/?q=1"
    assert '<html lang="ja">' in reader.get("/no/such/?q=1").content.decode()


def test_an_officer_sees_the_areas_of_a_pool_on_its_pages(db):
    pool = small_pool()
    page = client("officer", pool).get("/office/japan/fees/").content.decode()
    bar = page[page.index('<nav class="areas"') : page.index("</nav>", page.index('<nav class="areas"'))]
    assert '<a href="/office/japan/inbox/">Inbox</a>' in bar
    assert '<a href="/office/japan/fees/" aria-current="true">Fees</a>' in bar
    assert "Rules of the pool" not in bar


def test_a_reporter_sees_the_inbox_only(db):
    pool = small_pool()
    page = client("reporter", pool, "C1").get("/office/japan/inbox/").content.decode()
    assert '<a href="/office/japan/inbox/" aria-current="true">Inbox</a>' in page
    assert "/office/japan/fees/" not in page


def test_the_public_sees_no_areas(reader):
    small_pool()
    assert 'class="areas"' not in reader.get("/japan/").content.decode()
