"""The worked examples of every rule book give what stands beside them, and are said in both languages."""

from __future__ import annotations

import pytest

from banzuke.core.registry import BOOKS
from banzuke.explanations.rule_pages import example_text
from banzuke.words import LANGUAGES, book_words, catalogue

ALL = [(name, number) for name, book in BOOKS.items() for number in range(len(book.examples))]


def test_every_book_has_some():
    assert all(book.examples for book in BOOKS.values())


@pytest.mark.parametrize(("name", "number"), ALL)
def test_it_gives_what_it_must(name, number):
    worked = BOOKS[name].examples[number]
    assert worked.run() == worked.must_give
    assert worked.clause in BOOKS[name].register


def test_every_common_sentence_is_used():
    kinds = {
        worked.kind
        for book in BOOKS.values()
        for worked in book.examples
        if worked.kind not in book_words(book).get("sentences", {})
    }
    assert kinds == set(catalogue("examples"))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("name", "number"), ALL)
def test_every_fact_is_said(name, number, lang):
    worked = BOOKS[name].examples[number]
    told = example_text(BOOKS[name], worked, lang)
    assert "{" not in told
    said = {fact: value for fact, value in worked.facts.items() if fact != "k" or value}
    assert all(str(value) in told for value in said.values())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_given_is_said(lang):
    book = BOOKS["hakodate"]
    assert (
        example_text(book, book.examples[1], lang)
        == {
            "en": "1551/4 plays 1472 (1), 1726 (0), 1637 (0), 1595 (0.5)",
            "ja": "1551/4の対局：1472 (1), 1726 (0), 1637 (0), 1595 (0.5)",
        }[lang]
    )
