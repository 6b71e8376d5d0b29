"""The page about the API: every question on it is answered as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from banzuke.api.reports import EventFields

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
QUESTIONS = re.findall(r'^curl "\$here(.*)"$', PAGE, re.MULTILINE)


def test_there_are_questions():
    assert len(QUESTIONS) > 10


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_of_the_page(api, question):
    answer = api(question)
    assert answer.status_code == 200
    assert any(answer.json().values())


def test_the_fields_of_a_report_are_named():
    for name in EventFields.model_fields:
        assert f"`{name}`" in PAGE, name
