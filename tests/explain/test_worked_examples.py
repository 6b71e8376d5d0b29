"""The worked examples of every rule book give what stands beside them."""

from __future__ import annotations

import pytest

from banzuke.core.registry import BOOKS
from banzuke.explain.worked_examples import EXAMPLES, examples
from banzuke.words import catalogue

ALL = [(name, number) for name, worked in EXAMPLES.items() for number in range(len(worked))]


def test_every_book_has_some():
    assert set(EXAMPLES) == set(BOOKS)


@pytest.mark.parametrize(("name", "number"), ALL)
def test_it_gives_what_it_must(name, number):
    worked = examples(BOOKS[name])[number]
    assert worked.run() == worked.must_give
    assert worked.clause in BOOKS[name].module.REGISTER


def test_every_sentence_is_used():
    assert {worked.kind for some in EXAMPLES.values() for worked in some} == set(catalogue("examples"))


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_what_is_given_is_said(lang):
    assert (
        examples(BOOKS["hakodate"])[1].told(lang)
        == {
            "en": "1551/4 plays 1472 (1), 1726 (0), 1637 (0), 1595 (0.5)",
            "ja": "1551/4の対局：1472 (1), 1726 (0), 1637 (0), 1595 (0.5)",
        }[lang]
    )
