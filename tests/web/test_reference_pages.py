"""The pages to read and reckon by: rule books, comparisons, calculators."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from django.utils.html import escape
from languages import IN_TURN

from banzuke.core import registry
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import Change, EventForecast
from banzuke.database.ledger_folders import enter_folder
from banzuke.explanations.rule_pages import setting_statement, setting_subject

pytestmark = pytest.mark.django_db


@pytest.fixture
def pool(ledger_folder):
    return lambda kind: enter_folder(kind, ledger_folder(kind, kind), "tests")


def page(client, address, lang="en", **asked):
    answer = client.get(address, asked, headers={"accept-language": lang})
    assert answer.status_code == 200, answer.content[:500]
    return answer.content.decode()


class TestRules:
    def test_the_editions_of_a_pool_and_what_changed(self, client, pool):
        pool("japan")
        text = page(client, "/japan/rules/")
        assert "/japan/rules/jcf-2024/" in text
        assert "/japan/rules/ncs-2022/jcf-2024/" in text

    @pytest.mark.parametrize("name", sorted(BOOKS))
    @pytest.mark.parametrize("lang", IN_TURN)
    def test_a_book_has_every_clause_and_its_examples_agree(self, client, pool, name, lang):
        pool("japan")
        text = page(client, f"/japan/rules/{name}/", lang)
        for clause in BOOKS[name].register:
            assert f">{clause}</a></dt>" in text
        assert "✓" in text
        assert "✗" not in text

    @pytest.mark.parametrize("lang", IN_TURN)
    def test_a_book_has_every_number(self, client, pool, lang):
        pool("japan")
        text = page(client, "/japan/rules/jcf-2024/", lang)
        for each in BOOKS["jcf-2024"].parameters.values():
            assert f">{escape(each.label(lang))}</th>" in text

    def test_a_setting_in_force_stands_out(self, client, pool, ledger_folder):
        folder = ledger_folder("hakodate", "other")
        rules = (folder / "pool.toml").read_text("utf-8")
        assert "[edition.settings]" not in rules
        (folder / "pool.toml").write_text(rules + "\n[edition.settings]\nunrated_opponent = 1400\n", "utf-8")
        enter_folder("club", folder, "tests")
        text = page(client, "/club/rules/hakodate/")
        assert "<strong>Each counts the other as 1400: who wins has won against 1400.</strong>" in text
        assert "Usual: Each counts the other as 1500" in text

    @pytest.mark.parametrize("lang", IN_TURN)
    def test_a_setting_is_a_statement(self, client, pool, lang):
        pool("japan")
        for name, book in BOOKS.items():
            text = page(client, f"/japan/rules/{name}/", lang)
            for field in fields(book.settings):
                says = setting_statement(book, field.name, getattr(book.settings(), field.name), lang)
                about = setting_subject(book, field.name, lang)
                assert f'{escape(about)}</th><td class="text">{escape(says)}</td>' in text
                assert f"<code>{field.name}</code>" not in text

    def test_two_editions_side_by_side(self, client, pool):
        pool("japan")
        text = page(client, "/japan/rules/ncs-2022/jcf-2024/", "ja")
        assert "NCS 5(5)" in text
        assert "JCF 5(3)" in text

    def test_books_without_common_matters_and_unknown_ones_are_not_found(self, client, pool):
        pool("japan")
        for address in ("rules/hakodate/jcf-2024/", "rules/none/", "calculators/terms/", "statistics/blitz/"):
            assert client.get(f"/japan/{address}").status_code == 404


class TestCalculators:
    def test_the_first_is_led_to(self, client, pool):
        pool("japan")
        assert client.get("/japan/calculators/").url == "/japan/calculators/change/"
        pool("go")
        assert client.get("/go/calculators/").url == "/go/calculators/terms/"

    def test_a_game(self, client, pool):
        pool("japan")
        asked = {"book": "jcf-2024", "own": "1600", "opponent": "1800", "score": "1", "k": "20"}
        text = page(client, "/japan/calculators/change/", **asked)
        assert "+15.2" in text
        assert "0.24" in text
        assert "/japan/rules/jcf-2024/#jcf-51" in text

    def test_against_an_unrated_opponent_jcf_rates_nothing(self, client, pool):
        pool("japan")
        asked = {"book": "jcf-2024", "own": "1600", "opponent": "ur", "score": "1", "k": "20"}
        assert "JCF 5(1)C-zero" in page(client, "/japan/calculators/change/", **asked)

    def test_an_event_is_rounded_once_and_not_below_the_floor(self, client, pool):
        pool("japan")
        asked = {"book": "jcf-2024", "own": "1500", "k": "20", "games": "1500 1\n1500 =\n\n1500 0"}
        assert "<strong>1500</strong>" in page(client, "/japan/calculators/event/", **asked)
        asked |= {"own": "1005", "games": "1000 0"}
        assert "<strong>1000</strong>" in page(client, "/japan/calculators/event/", **asked)

    def test_a_club_knows_no_k(self, client, pool):
        pool("hakodate")
        asked = {"book": "hakodate", "own": "1500", "opponent": "1700", "score": "1"}
        text = page(client, "/hakodate/calculators/change/", **asked)
        assert "+24" in text
        assert 'name="k"' not in text

    def test_a_book_that_asks_for_the_number_of_games(self, client, pool, monkeypatch):
        club = BOOKS["hakodate"]
        calculator = replace(
            club.calculator,
            asks="games",
            change=lambda own, opponent, score, games: Change(0, 50, 100 * games, "HCC R9"),
            event=lambda own, games, _: EventForecast(
                [Change(None, None, None, "HCC R9")], 250, 3, own + games, 1250
            ),
        )
        monkeypatch.setitem(registry.BOOKS._found, "hakodate", (replace(club, calculator=calculator), None))
        pool("hakodate")
        asked = {"book": "hakodate", "own": "1500", "opponent": "1700", "score": "1"}
        address = "/hakodate/calculators/change/"
        assert 'class="answer"' not in page(client, address, **asked)
        text = page(client, address, **asked, own_games="23")
        assert "+23" in text
        assert "<dd>23</dd>" in text
        assert 'name="k"' not in text
        asked = {"book": "hakodate", "own": "1500", "games": "1700 1", "own_games": "23"}
        text = page(client, "/hakodate/calculators/event/", "ja", **asked)
        assert "<strong>1523</strong>" in text
        assert "ボーナス" in text
        assert "+12.5" in text

    def test_a_pool_answers_by_the_numbers_of_its_reform(self, client, ledger_folder):
        folder = ledger_folder("hakodate", "reformed")
        rules = (folder / "pool.toml").read_text("utf-8")
        (folder / "pool.toml").write_text(rules + 'reform = "double.toml"\n', "utf-8")
        signed = '[signed]\nby = ["Sato", "Suzuki"]\non = 1999-09-01\n'
        reform = 'name = "double"\nfrom = 2000-01-01\n[set]\n"hcc.equal_win" = 32\n'
        (folder / "double.toml").write_text(reform + signed, "utf-8")
        enter_folder("club", folder, "tests")
        asked = {"book": "hakodate", "own": "1500", "opponent": "1500", "score": "1"}
        assert "+32" in page(client, "/club/calculators/change/", **asked)
        asked = {"book": "hakodate", "own": "1500", "games": "1500 1"}
        assert "<strong>1532</strong>" in page(client, "/club/calculators/event/", **asked)

    def test_a_first_rating_and_why_there_is_none(self, client, pool):
        pool("japan")
        six = {"book": "jcf-2024", "opponents": "1500 1500 1600, 1600 1700 1700", "points": "2.5"}
        assert "<strong>1543</strong>" in page(client, "/japan/calculators/first/", **six)
        assert "too few games" in page(
            client, "/japan/calculators/first/", book="jcf-2024", opponents="1500", points="1"
        )

    def test_terms_of_go_with_reverse_komi(self, client, pool):
        pool("go")
        asked = {"white": "3d", "black": "2d+", "stones": "0", "komi": "3.5", "number": "101"}
        text = page(client, "/go/calculators/terms/", **asked)
        assert "+96</span></td>" in text
        assert "+104</span></td>" in text
        asked |= {"komi": "-3.5"}
        assert "White gives Black 3.5 points: reverse komi." in page(
            client, "/go/calculators/terms/", **asked
        )

    @pytest.mark.parametrize(
        ("kind", "asked"),
        [
            ("change", {"own": "1600", "opponent": "strong", "score": "1", "k": "20"}),
            ("change", {"own": "1600", "opponent": "99999999999999999999", "score": "1", "k": "20"}),
            ("event", {"own": "1600", "k": "20", "games": "1500 7"}),
            ("event", {"own": "1600", "k": "20", "games": "1500 1\n" * 201}),
            ("first", {"opponents": "1500", "points": "3"}),
            ("first", {"opponents": " ", "points": "0"}),
            ("first", {"opponents": "1500", "points": "0.3"}),
        ],
    )
    def test_what_cannot_be_is_said_at_the_field(self, client, pool, kind, asked):
        pool("japan")
        text = page(client, f"/japan/calculators/{kind}/", book="jcf-2024", **asked)
        assert "errorlist" in text
        assert 'class="answer"' not in text
