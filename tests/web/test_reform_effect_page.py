"""What would change for a player: sliders, what they do, what is kept, and what is refused."""

from __future__ import annotations

import re

import pytest
from published_pools import EXAMPLES
from repeated import entered_pool
from small_office import client, small_pool

from banzuke.database.models import Player
from banzuke.lab.reform_effect import Effects
from banzuke.office import laboratory
from banzuke.web import reform_effect_page

pytestmark = pytest.mark.django_db

PAGE = "/office/japan/lab/what-would-change/"


@pytest.fixture
def pool():
    laboratory._READY.clear()
    return entered_pool("japan", EXAMPLES / "japan", "test")


@pytest.fixture
def officer(pool):
    return client("officer", pool)


def text(answer, status=200):
    assert answer.status_code == status
    return " ".join(answer.content.decode().split())


def answer_of(page):
    return page.partition('id="answer"')[2].partition("</section>")[0]


class TestSliders:
    def test_each_number_has_one_with_its_label_clause_unit_bounds_and_value(self, officer):
        page = text(officer.get(PAGE))
        (slider,) = re.findall(r'<input type="range" name="k_new"[^>]*>', page)
        for attribute in ('value="40"', 'min="0"', 'max="80"', 'id="id_k_new"'):
            assert attribute in slider
        assert (
            '<label for="id_k_new">K of new players <span class="quiet">JCF 5(1)K-new</span></label>' in page
        )
        assert '<output for="id_k_new">40</output> points <span class="quiet">now 40</span>' in page

    def test_a_bound_of_the_book_is_kept(self, officer):
        (slider,) = re.findall(r'<input type="range" name="window_closes"[^>]*>', text(officer.get(PAGE)))
        assert 'min="1"' in slider
        assert 'max="28"' in slider

    def test_in_japanese(self, pool):
        page = text(client("officer", pool, lang="ja").get(PAGE))
        assert "K（新しいプレイヤー）" in page
        assert "K of new players" not in page

    def test_it_needs_no_script_in_the_page(self, officer):
        page = text(officer.get(PAGE))
        assert "<button>Calculate</button>" in page
        assert not re.search(r"<script>|\son\w+=", page)


class TestAnswer:
    def test_the_shares_stand_beside_what_changes(self, officer):
        page = text(officer.get(PAGE, {"player": "J003", "k_normal": 30, "limit": 350}))
        found = answer_of(page)
        assert "<strong>2083</strong> → <strong>2087</strong>" in found
        assert "K, normal" in found
        assert "largest difference that counts" in found
        shares = re.findall(r"</span>([+−±])([\d.]+)</span></td>", found)
        assert [float(size) for _, size in shares] == [0.5, 3.5, 10.5, 3.5]
        assert '<output for="id_k_normal">30</output>' in page

    def test_with_nothing_moved_it_says_where_the_player_stands(self, officer):
        found = answer_of(text(officer.get(PAGE, {"player": "J003", "k_normal": 20})))
        assert "<strong>2083</strong> → <strong>2083</strong>" in found
        assert "No number is changed yet." in found

    def test_sliders_that_were_not_sent_stand_at_the_present_numbers(self, officer):
        page = text(officer.get(PAGE, {"player": "J003", "limit": 350}))
        for name, value in (("first_games", 6), ("window_closes", 20), ("limit", 350)):
            (slider,) = re.findall(rf'<input type="range" name="{name}"[^>]*>', page)
            assert f'value="{value}"' in slider

    def test_a_name_will_do(self, officer):
        name = Player.objects.get(player_id="J003").name
        assert "<strong>2083</strong>" in answer_of(text(officer.get(PAGE, {"player": name})))

    def test_what_was_rated_is_kept_for_the_next_question(self, officer, monkeypatch):
        asked = {"k_normal": 30, "limit": 350}
        officer.get(PAGE, {"player": "J003"} | asked)
        rated = []
        monkeypatch.setattr(Effects, "_rate_anew", lambda self, changes: rated.append(changes))
        assert "<strong>" in answer_of(text(officer.get(PAGE, {"player": "J004"} | asked)))
        assert rated == []

    def test_many_numbers_say_how_sure_the_shares_are(self, officer, monkeypatch):
        monkeypatch.setattr(laboratory, "RUNS", 4)
        moved = {"k_normal": 30, "limit": 350, "k_new": 20}
        assert "± is the standard error" in answer_of(text(officer.get(PAGE, {"player": "J003"} | moved)))


class TestRefusals:
    def test_nobody(self, officer):
        assert "No player of this ledger has this id" in answer_of(
            text(officer.get(PAGE, {"player": "nobody"}))
        )

    def test_a_number_beyond_its_slider(self, officer):
        page = text(officer.get(PAGE, {"player": "J003", "k_normal": 4000}))
        assert "less than or equal to 40" in answer_of(page)
        assert "<strong>" not in answer_of(page)

    def test_too_many_numbers_at_once(self, officer, monkeypatch):
        monkeypatch.setattr(laboratory, "MOST_CHANGED", 1)
        page = text(officer.get(PAGE, {"player": "J003", "k_normal": 30, "limit": 350}))
        assert "Change at most 1 numbers at once" in answer_of(page)

    def test_a_pool_that_takes_too_long(self, officer, monkeypatch):
        monkeypatch.setattr(laboratory, "MOST_WITHOUT_TWIN", 1)
        monkeypatch.setattr("banzuke.ledger.pool_rules.Pool.book_without_twin", "some-book")
        assert "banzuke lab effect" in answer_of(text(officer.get(PAGE, {"player": "J003"})))

    def test_not_for_go_nor_without_the_laboratory(self, officer, monkeypatch):
        go = client("officer", small_pool("go"))
        assert go.get("/office/go/lab/what-would-change/").status_code == 404
        monkeypatch.setattr(reform_effect_page, "is_installed", lambda: False)
        assert "pip install" in text(officer.get(PAGE))
