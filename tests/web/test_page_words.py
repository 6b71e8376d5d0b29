"""Words that pages share: the way here, wide tables, acts, verdicts, columns of the ledger."""

from __future__ import annotations

import re

import pytest
from django.template import Context, Template
from django.utils.translation import override
from published_pools import published_pool
from small_office import client, small_pool, visitor

from banzuke.office.journal import Actor, note
from banzuke.web.accounts.journal_pages import facts_text
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


@pytest.mark.parametrize(
    ("lang", "act", "facts"),
    [
        ("en", "List published", "entry: 7; lists: 2025-01, 2025-02"),
        ("ja", "リストの公表", "記入: 7; リスト: 2025-01, 2025-02"),
    ],
)
def test_the_journal_tells_acts_and_their_facts_in_words(lang, act, facts):
    pool = small_pool("go")
    note(Actor("aoi"), "publish", pool, lists=["2025-01", "2025-02"], entry=7, club="")
    note(Actor("aoi"), "backup", rows=1)
    html = client("administrator", lang=lang).get("/office/journal/?act=publish").content.decode()
    table = html[html.index("<tbody>") :]
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", table)
    assert cells[1:5] == ["aoi", act, facts, pool.name]
    assert table.count("<tr>") == 1
    assert f'<option value="publish" selected>{act}</option>' in html


def test_facts_that_are_called_the_same_are_all_told():
    with override("ja"):
        assert facts_text({"changes": 2, "changed": 1, "of_old": 3}) == "変更: 1; 変更: 2; of_old: 3"


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
