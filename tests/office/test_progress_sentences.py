"""Where an event stands, in words: lists and days as each language writes them."""

from __future__ import annotations

from datetime import UTC, date, datetime

from banzuke.office.event_progress import EventProgress, State, Turn
from banzuke.office.progress_sentences import sentence


def test_a_list_is_called_as_people_say_it():
    since = datetime(2025, 6, 1, 3, tzinfo=UTC)
    rated = EventProgress(State.RATED, since, Turn.NOBODY, "Open", None, None, event_id="E1", list="2025-05")
    assert "2025年6月1日に公表された2025年5月のリスト" in sentence(rated, "ja", date(2025, 7, 1))
    assert "list 2025-05, published on 2025-06-01" in sentence(rated, "en", date(2025, 7, 1))
