"""An event that FIDE registered late stands in the list that took it, in an office too."""

from __future__ import annotations

from datetime import date

import pytest

from banzuke.database.ledger_folders import enter_folder
from banzuke.office.lists import coming_list

pytestmark = pytest.mark.django_db


def test_it_is_among_the_events_of_the_list_that_took_it(ledger_folder):
    folder = ledger_folder("fide")
    events = folder / "events.csv"
    head, row = events.read_text("utf-8").splitlines()
    events.write_text(f"{head},fide_list\n{row},2025-12\n", "utf-8")
    pool = enter_folder("fide", folder, "test")
    coming = coming_list.find_coming_list(pool, date(2026, 1, 5))
    assert (coming.name, coming_list.events_of(pool, coming)) == ("2025-11", [])
    assert coming_list.furthest_list(pool, coming, date(2026, 1, 5)) == "2025-12"
    later = coming_list.ComingList("2025-12", date(2025, 10, 30), date(2025, 11, 28), date(2025, 12, 1), True)
    assert [found.row.event_id for found in coming_list.events_of(pool, later)] == ["Open"]
