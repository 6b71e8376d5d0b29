"""What a rule book says of itself."""

from __future__ import annotations

import dataclasses

import pytest

from banzuke.core.registry import BOOKS
from banzuke.explanations import rule_pages
from banzuke.words import LANGUAGES

NCS, JCF = BOOKS["ncs-2022"], BOOKS["jcf-2024"]
EVERY = pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)


class TestBooks:
    @EVERY
    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_pages_are_made_in_both_languages(self, book, lang):
        assert rule_pages.title(book, lang)
        assert rule_pages.document(book, lang)
        said = rule_pages.clauses(book, lang)
        assert [clause for clause, _ in said] == list(book.register)
        assert all(text and rule_pages.answer_of(book, clause, lang) for clause, text in said)

    def test_a_clause_with_its_answers(self):
        assert rule_pages.answer_of(NCS, "NCS 5(4)", "en") == "ncs_2022.difference_counted"
        assert rule_pages.answer_of(JCF, "JCF 5(1)PD", "ja") == (
            "tables.expected, jcf_2024.difference_counted"
        )
        assert rule_pages.answer_of(JCF, "JCF 4(1)", "en") == "organiser"
        assert rule_pages.answer_of(JCF, "JCF 4(1)", "ja") == "主催者"

    def test_a_title(self):
        assert rule_pages.title(JCF, "en") == "JCF rating rules, edition of 1 October 2024"
        assert rule_pages.title(JCF, "ja") == "日本チェス連盟レーティング規程（2024年10月1日施行版）"


class TestReadings:
    def test_a_reading_with_its_setting(self):
        (found,) = [r for r in rule_pages.readings(NCS, "en") if r.key == "rate-against-unrated"]
        assert (found.clause, found.setting) == ("NCS 5(4)", "rate_against_unrated")
        assert found.question.startswith("Is a rated player's game against a UR rated?")

    def test_a_reading_without_one(self):
        (found,) = [r for r in rule_pages.readings(JCF, "ja") if r.key == "three-months"]
        assert (found.clause, found.setting) == ("JCF 3(7)", "")
        assert found.answer.startswith("その月の末日とする。")

    @EVERY
    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_every_setting_has_a_label_that_is_a_statement(self, book, lang):
        for field in dataclasses.fields(book.settings()):
            label, help_text = rule_pages.setting_words(book, field.name, lang)
            assert label
            assert help_text
            assert not label.endswith(("?", "？", "か。"))

    @EVERY
    def test_both_languages_have_the_same(self, book):
        one, other = (rule_pages.readings(book, lang) for lang in LANGUAGES)
        assert [(r.key, r.clause, r.setting) for r in one] == [(r.key, r.clause, r.setting) for r in other]
        assert one


def test_every_value_of_a_setting_has_its_statement():
    for book in BOOKS.values():
        for field in dataclasses.fields(book.settings):
            usual = getattr(book.settings(), field.name)
            values = field.metadata.get("choices") or ((True, False) if isinstance(usual, bool) else (usual,))
            for lang in LANGUAGES:
                said = [rule_pages.setting_statement(book, field.name, value, lang) for value in values]
                assert len(set(said)) == len(values)
                assert all(
                    len(each) > len(str(value).lower()) for each, value in zip(said, values, strict=True)
                )
                assert "?" not in "".join(said)
                assert "{" not in "".join(said)


class TestDifference:
    def test_number_by_number(self):
        found = rule_pages.difference(NCS, JCF, "en")
        figures = {f.name: f[1:] for f in found.figures}
        assert figures["lowest rating"] == ("400", "NCS 5(5)", "1000", "JCF 5(3)")
        assert figures["games for a first rating"] == ("4", "NCS 6(3)", "6", "JCF 6(3)")
        assert figures["fee per participant (yen)"] == ("200", "NCS 3(4)", "-", "")
        assert figures["application for an event: days before the first day"] == ("-", "", "5", "JCF 3(4)")

    def test_what_changed_and_what_stayed(self):
        """Held against the printed numbers of both documents."""
        found = rule_pages.difference(NCS, JCF, "en").figures
        both = [f for f in found if "-" not in (f.one, f.other)]
        assert {f.name: (f.one, f.other) for f in both if f.one != f.other} == {
            "new players: fewer games than": ("18", "30"),
            "juniors: age on 1 January below": ("18", "19"),
            "juniors: rating below / juniors: highest rating so far below": ("2300", "2000"),
            "lowest rating": ("400", "1000"),
            "games for a first rating": ("4", "6"),
        }
        assert len([f for f in both if f.one == f.other]) == 10

    def test_matter_by_matter(self):
        subjects = {s.name: s for s in rule_pages.difference(NCS, JCF, "en").subjects}
        floor = subjects["lowest rating"]
        assert (floor.one, floor.other) == (
            "No NCS rating is below 400.",
            "No rating is below 1000; a result below that stays at 1000.",
        )
        assert (subjects["fees"].other_clause, subjects["fees"].other) == ("", "")
        assert (subjects["application"].one_clause, subjects["application"].one) == ("", "")

    def test_the_other_way_round(self):
        there, back = rule_pages.difference(NCS, JCF, "ja"), rule_pages.difference(JCF, NCS, "ja")
        assert {(frozenset(f.name.split(" / ")), f.one, f.other) for f in there.figures} == {
            (frozenset(f.name.split(" / ")), f.other, f.one) for f in back.figures
        }
        assert {(s.name, s.one, s.other) for s in there.subjects} == {
            (s.name, s.other, s.one) for s in back.subjects
        }

    def test_an_edition_against_itself(self):
        found = rule_pages.difference(NCS, NCS, "en")
        assert found.figures
        assert found.subjects
        assert all(f.one == f.other for f in found.figures)
        assert all(s.one == s.other for s in found.subjects)

    @pytest.mark.parametrize("name", ["hakodate", "pandanet", "fide-2024"])
    def test_books_that_share_no_matters(self, name):
        assert rule_pages.difference(NCS, BOOKS[name], "en") is None
        assert rule_pages.difference(BOOKS[name], JCF, "en") is None


class TestNumbers:
    def test_as_they_are_printed(self):
        (fee,) = [n for n in rule_pages.numbers(NCS, "en") if n.name == "fee_yen"]
        assert fee == ("fee_yen", "fee per participant (yen)", "200", "yen", "NCS 3(4)")
        (fee,) = [n for n in rule_pages.numbers(NCS, "ja") if n.name == "fee_yen"]
        assert fee == ("fee_yen", "一人あたりの更新料（円）", "200", "円", "NCS 3(4)")

    @pytest.mark.parametrize(
        ("book", "name", "value"),
        [
            ("pandanet", "multipliers", "50: 15, 100: 12"),
            ("pandanet", "lower_wins", "100, 108, 116, 122, 128, 132, 136"),
            ("pandanet", "bonus_below", "17"),
            ("fide-2024", "real_difference_since", "2025-10-01"),
            ("pandanet", "whole_rank_komi", "-11"),
        ],
    )
    def test_rows_words_and_days(self, book, name, value):
        assert {n.name: n.value for n in rule_pages.numbers(BOOKS[book], "ja")}[name] == value

    @EVERY
    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_all_of_them_in_their_order(self, book, lang):
        found = rule_pages.numbers(book, lang)
        assert [each.name for each in found] == list(book.parameters)
        assert all(all(each) for each in found)

    def test_a_unit_of_a_books_own_is_printed_as_it_is(self):
        assert rule_pages.unit("bushels", "ja") == "bushels"
        assert rule_pages.unit("games", "ja") == "局"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (20, "20"),
        ([1, 2], "1, 2"),
        ([[50, 15], [100, 12]], "50: 15, 100: 12"),
        ([[0, 30, 1], [1, 30, 30]], "0, 30, 1; 1, 30, 30"),
    ],
)
def test_rows_of_numbers(value, written):
    assert rule_pages._written(value) == written
