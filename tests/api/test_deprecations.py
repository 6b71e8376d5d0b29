"""What is on its way out says so in each answer; nothing goes before the time that was promised."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from django.test import Client

from banzuke.office.administration import deprecations
from banzuke.office.administration.deprecations import DEPRECATED, LEAST, Deprecation

MADE_UP = Deprecation(
    re.compile("/api/v1/pools/[^/]+/lists"), date(2026, 4, 1), date(2028, 10, 1), "/api/v2/pools/{pool}/lists"
)


@pytest.fixture
def made_up(monkeypatch):
    monkeypatch.setattr(deprecations, "DEPRECATED", (MADE_UP,))


@pytest.mark.django_db
@pytest.mark.usefixtures("made_up")
class TestAnswers:
    def test_they_say_since_when_and_until_when(self):
        answer = Client().get("/api/v1/pools/japan/lists")
        printed = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
        for name in ("Deprecation", "Sunset"):
            assert f"\n{name}: {answer[name]}\n" in printed
        assert answer["Deprecation"] == f"@{int(datetime(2026, 4, 1, tzinfo=UTC).timestamp())}"
        assert answer["Sunset"] == "Sun, 01 Oct 2028 00:00:00 GMT"
        assert answer["Link"] == '<http://testserver/docs/api/>; rel="deprecation"; type="text/html"'

    @pytest.mark.parametrize("path", ["/api/v1/pools", "/api/v1/pools/japan/lists/2025-03", "/"])
    def test_others_do_not(self, path):
        answer = Client().get(path)
        assert not {"Deprecation", "Sunset"} & set(answer.headers)


def test_the_promise_is_kept():
    for each in (*DEPRECATED, MADE_UP):
        assert each.until >= each.since.replace(year=each.since.year + LEAST)
