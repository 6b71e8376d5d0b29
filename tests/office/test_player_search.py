"""Finding players as one types."""

from __future__ import annotations

import pytest
from office.published_office import CHIEF, TODAY, example, names
from web.published_pools import hide, published_pool

from banzuke.database.models import ListRow, NameWord
from banzuke.exchange.member_index import plain_id
from banzuke.office import player_search
from banzuke.office.lists import list_index
from banzuke.office.lists.publishing import publish
from banzuke.office.public_names import by_id_only

pytestmark = pytest.mark.django_db


class TestForms:
    def test_letters_begin_with_each_word(self):
        assert player_search.forms("SATO, Taro") == {"sato taro", "taro sato"}

    def test_kanji_begin_at_every_sign_and_with_either_name(self):
        assert player_search.forms("佐藤 太郎") == {"佐藤太郎", "藤太郎", "太郎", "郎", "太郎佐藤"}

    def test_kana_are_letters(self):
        assert player_search.forms("さとう たろう") == player_search.forms("Satō Tarō")

    @pytest.mark.parametrize(
        "typed",
        [
            "sato",
            "SATOU T",
            "taro sa",
            "t sato",
            "tarou",
            "さと",
            "サトウ タ",
            "佐",
            "佐藤太",
            "太郎",
            "太郎 佐",
            "佐藤　太郎",
        ],
    )
    def test_what_finds_sato_taro(self, typed):
        all_forms = player_search.forms("SATO Taro") | player_search.forms("佐藤 太郎")
        assert any(form.startswith(begin) for begin in player_search.beginnings(typed) for form in all_forms)

    @pytest.mark.parametrize("typed", ["s", "sh", "shi", "shim", "shimi", "shimizu", "simi", "しみ"])
    def test_every_beginning_of_shimizu_as_it_is_typed(self, typed):
        assert any("simizu akira".startswith(begin) for begin in player_search.beginnings(typed))

    @pytest.mark.parametrize(
        "name", ["Chihiro", "Tsuda", "Jiro", "Fujita", "Matsumoto", "Kyoko", "Fuchs", "Tracy"]
    )
    def test_no_beginning_of_a_name_is_lost(self, name):
        (form,) = player_search.forms(name)
        for end in range(1, len(name) + 1):
            begins = player_search.beginnings(name[:end])
            assert any(form.startswith(begin) for begin in begins), name[:end]

    def test_nothing_is_meant_by_signs(self):
        assert player_search.beginnings(" ,!-") == set()

    def test_a_kanji_that_was_kept_before_it_stood_for_another(self):
        assert {"仏田", "佛田"} <= player_search.beginnings("佛 田")

    @pytest.mark.parametrize(
        ("typed", "kept"), [("佐々木", "佐々木"), ("さゝき", "saゝki"), ("みすゞ", "misuゝ")]
    )
    def test_a_mark_that_was_kept_before_it_stood_for_a_sign(self, typed, kept):
        begins = player_search.beginnings(typed)
        assert kept in begins
        assert player_search.forms(typed) & begins


class TestFound:
    def names(self, pool, typed):
        rows = list_index.latest_list(pool).rows.filter(speed="standard").order_by("place", "player_id")
        return [row.name for row in player_search.find_rows(rows, pool, typed, by_id_only(pool))]

    def test_in_every_script_and_order(self):
        pool = published_pool()
        for typed in (
            "yamamoto",
            "Itsuki Yamamoto",
            "やまもと",
            "山本",
            "山本樹",
            "樹 山本",
            "J003",
            "j 003",
        ):
            assert self.names(pool, typed) == ["YAMAMOTO Itsuki"], typed
        assert self.names(pool, "ya") == ["YAMAMOTO Itsuki", "YAMAZAKI Yui"]
        assert self.names(pool, "itsu") == ["YAMAMOTO Itsuki", "YOSHIDA Itsuki"]
        assert self.names(pool, "nobody") == []
        assert self.names(pool, "%") == []

    def test_many_are_found_in_order_too(self, monkeypatch):
        pool = published_pool()
        few = self.names(pool, "ta")
        assert len(few) > 3
        hide(pool, "J035")
        monkeypatch.setattr(player_search, "FEW", 2)
        assert self.names(pool, "ta") == [name for name in few if name != "TAKADA Ren"]
        monkeypatch.setattr(player_search, "MANY", 2)
        assert self.names(pool, "ta") == [name for name in few if name != "TAKADA Ren"]

    def test_who_is_shown_by_id_only_is_found_by_the_id_only(self):
        pool = published_pool()
        hide(pool, "J003")
        for typed in ("yamamoto", "山本", "itsuki yamamoto", "樹"):
            assert "YAMAMOTO Itsuki" not in self.names(pool, typed), typed
        assert self.names(pool, "J003") == ["YAMAMOTO Itsuki"]
        hide(pool, "J003", by_id_only=False)
        assert self.names(pool, "山本樹") == ["YAMAMOTO Itsuki"]

    def test_a_pool_finds_its_own_players(self):
        pool = published_pool()
        published_pool("hakodate")
        assert "KUDO Akari" not in self.names(pool, "akari")


class TestIndex:
    def test_it_holds_the_forms_of_everybody_who_was_ever_on_a_list(self):
        pool = published_pool()
        rows = ListRow.objects.filter(list__pool=pool).values_list("player_id", "name", "name_native")
        forms = {
            (id_, form)
            for id_, *names in rows
            for said in (*names, id_)
            for form in player_search.forms(said)
        }
        words = NameWord.objects.filter(pool=pool).values_list("player_id", "form")
        plain = {(id_, plain_id(id_)) for id_, *_ in rows}
        assert {(id_, bytes(form).decode()) for id_, form in words} == {
            (id_, form) for id_, form in forms | plain if form
        }

    def test_a_list_adds_only_names_that_the_one_before_had_not(self):
        pool = example("japan")
        first, second, *_ = names(pool)
        publish(pool, first, CHIEF, TODAY)
        NameWord.objects.filter(pool=pool).delete()
        publish(pool, second, CHIEF, TODAY)
        named = [
            set(each.rows.values_list("player_id", "name", "name_native"))
            for each in pool.lists.order_by("number")
        ]
        found = set(NameWord.objects.filter(pool=pool).values_list("player_id", flat=True))
        assert found == {player for player, *_ in named[1] - named[0]}
