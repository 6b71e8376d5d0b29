"""Words that pages share: the way here, wide tables, acts, verdicts, columns of the ledger."""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

import pytest
from django.template import Context, Template
from django.utils.translation import override
from published_pools import published_pool
from small_office import client, small_pool, visitor

from banzuke.core.fault import fault
from banzuke.office.inbox.problems import WARNS, Problem, problem_text
from banzuke.office.journal import Actor, note
from banzuke.office.refusals import RevisionsDueError, WindowOpenError
from banzuke.web.accounts.journal_facts import JournalFacts
from banzuke.web.form_fields import label
from banzuke.web.register.member_forms import MemberForm

pytestmark = pytest.mark.django_db


def printed(source: str, lang: str = "en", **words: object) -> str:
    with override(lang):
        return Template("{% load i18n banzuke %}" + source).render(Context(words))


def test_the_way_here_is_a_landmark_in_the_pages_language():
    source = '{% crumbs %}<a href="/">{{ name }}</a>{% endcrumbs %}'
    assert printed(source, name="<b>") == (
        '<nav class="crumbs" aria-label="The way here"><a href="/">&lt;b&gt;</a></nav>'
    )
    assert 'aria-label="The way here"' not in printed(source, "ja")


def test_a_wide_table_is_reached_by_the_keyboard_and_has_its_label():
    assert printed("{% scroll %}<table></table>{% endscroll %}") == (
        '<div class="scroll" tabindex="0"><table></table></div>'
    )
    assert printed("{% scroll label %}{% endscroll %}", label='"a"') == (
        '<div class="scroll" tabindex="0" role="region" aria-label="&quot;a&quot;"></div>'
    )


def test_verdicts_and_acts_that_nobody_knows_keep_their_codes():
    assert printed("{{ 'late'|verdict }}, {{ 'publish'|act }}") == "reported too late, List published"
    assert printed("{{ 'of-old'|verdict }}, {{ 'of-old'|act }}") == "of-old, of-old"


def test_what_is_said_of_a_field_stands_behind_a_colon_of_the_language():
    problem = Problem(WARNS, fault("", 0, "speed", "inbox-field"))
    assert problem_text(problem, "ja").startswith("種目：")
    assert problem_text(problem, "en").startswith("Standard, rapid or blitz: ")


def test_lists_have_their_titles_in_refusals_problems_and_the_journal():
    assert "公表済みの2025年1月、2025年2月が" in RevisionsDueError(lists="2025-01, 2025-02").sentence("ja")
    about = {"list": "2025-01", "lists": "2025-01, 2025-02", "day": "2025-03-01"}
    said = problem_text(Problem(WARNS, fault("", 0, "", "inbox-correction", **about)), "ja")
    assert "リスト2025年1月は公表済みです" in said
    assert "2025年1月、2025年2月の改訂" in said
    with override("ja"):
        entry = note(Actor("aoi"), "notice-sent", None, list="2025-01")
        (fact,) = JournalFacts([entry]).of(entry)
    assert [value.text for value in fact.values] == ["2025年1月"]


@pytest.mark.parametrize(
    ("lang", "act", "facts"),
    [
        ("en", "List published", "entry: 7; lists: 2025-01, 2025-02"),
        ("ja", "リストの公表", "記入：7；リスト：2025年1月、2025年2月"),
    ],
)
def test_the_journal_tells_acts_and_their_facts_in_words(lang, act, facts):
    pool = small_pool("go")
    note(Actor("aoi"), "publish", pool, lists=["2025-01", "2025-02"], entry=7, club="")
    note(Actor("aoi"), "backup", rows=1)
    html = client("administrator", lang=lang).get("/office/journal/?act=publish").content.decode()
    table = html[html.index("<tbody>") :]
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", table)
    assert cells[1:4] == ["aoi", act, facts]
    assert f'<a href="/{pool.slug}/">{pool.name}</a>' in table
    assert table.count("<tr>") == 1
    assert f'<option value="publish" selected>{act}</option>' in html


def test_facts_that_are_called_the_same_are_all_told():
    entry = note(Actor("aoi"), "publish", changes=2, changed=1, of_old=3)
    with override("ja"):
        facts = [(fact.name, fact.values[0].text) for fact in JournalFacts([entry]).of(entry)]
    assert facts == [("変更", "1"), ("変更", "2"), ("of_old", "3")]


def test_the_journal_leads_to_what_it_speaks_of():
    pool = small_pool("japan")
    boss = client("administrator")
    note(Actor("aoi"), "report-in", pool, report=7, club="C1", event="E1", day="2025-01-02")
    note(Actor("nobody"), "correct", pool, inquiry=3, member="A", lists=["2031-01"], event="not/there")
    note(Actor("nobody"), "role-given", pool, user="administrator", window="a/b")
    html = boss.get("/office/journal/").content.decode()
    for address in (
        "/office/japan/inbox/7/",
        "/office/japan/register/clubs/C1/",
        "/japan/events/E1/",
        "/office/japan/board/inquiries/3/",
        "/office/japan/register/members/A/",
        "/office/users/",
    ):
        assert f'<a href="{address}' in html.partition("<tbody>")[2], address
    assert "not/there</a>" not in html
    assert "2031-01</a>" not in html


def test_a_column_is_called_the_same_in_the_register_and_on_the_board():
    for column in ("birth_date", "fide_id", "fide_standard", "name_native"):
        assert MemberForm.base_fields[column].label == label("players", column)
    with override("en"):
        assert str(label("events", "name")) == "Event"
        assert str(label("players", "name")) == "Name in Latin letters"
    with override("ja"):
        assert (str(label("events", "name")), str(label("events", "ruling"))) == ("大会名", "裁定")


def test_a_working_begins_with_the_rating_it_explains():
    published_pool("japan")
    html = visitor().get("/japan/players/J004/2025-02/standard/").content.decode()
    figures = html.index('<dl class="figures">')
    assert figures < html.index('<section class="working">')
    assert re.search(r"<dt>Rating</dt><dd>1653 <span class=\"change down\">.*?−4</span>", html)


@pytest.mark.parametrize(
    ("written", "shown"),
    [("15.2", "up </span>+15.2"), ("-3", "down </span>−3"), ("0", "unchanged </span>±0")],
)
def test_what_a_report_changes_has_its_sign(written, shown):
    assert shown in printed("{{ written|signed_change }}", written=written)


class Named(NamedTuple):
    player_id: str
    name: str
    name_native: str


def test_a_name_in_kanji_comes_first_on_a_japanese_page():
    source = "{{ one|page_name }}/{{ one|other_name }}"
    both, latin = Named("J1", "AOKI Aoi", "青木葵"), Named("J2", "SMITH Ann", "")
    assert printed(source, "ja", one=both) == "青木葵/AOKI Aoi"
    assert printed(source, "en", one=both) == "AOKI Aoi/青木葵"
    assert printed(source, "ja", one=latin) == "SMITH Ann/"


@pytest.mark.parametrize(
    ("result", "english", "japanese"),
    [
        ("1-0", "1-0", "1-0"),
        ("u1/2-1/2", "1/2-1/2 (played, not rated)", "1/2-1/2（対局したが対象外）"),
        ("-/+", "-/+ (forfeit)", "-/+（不戦）"),
    ],
)
def test_a_result_that_is_not_ordinary_is_said_in_words(result, english, japanese):
    assert printed("{{ result|result_text }}", "en", result=result) == english
    assert printed("{{ result|result_text }}", "ja", result=result) == japanese


def test_days_in_japanese_sentences_are_written_as_people_write_them():
    refused = WindowOpenError(list="2026-04", closes=date(2026, 4, 5))
    assert "2026年4月5日まで" in refused.sentence("ja")
    assert "until 2026-04-05;" in refused.sentence("en")
    problem = Problem(WARNS, fault("", 0, "", "inbox-late", reported=date(2026, 4, 5), games=2, clause="X 1"))
    assert "報告（2026年4月5日）" in problem_text(problem, "ja")
    assert "on 2026-04-05:" in problem_text(problem, "en")
