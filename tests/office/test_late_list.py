"""An event that FIDE registered late stands in the list that took it, in an office too."""

from __future__ import annotations

from datetime import date

import pytest
from web.small_office import client

from banzuke.core import facts
from banzuke.database.book_reader import read_book
from banzuke.database.ledger_folders import enter_folder
from banzuke.database.models import JournalEntry, RatingList
from banzuke.office.fact_rows import standing_rows
from banzuke.office.journal import Actor
from banzuke.office.lists import coming_list, corrections, late_events
from banzuke.office.lists.list_index import current_lists
from banzuke.office.lists.publishing import publish
from banzuke.office.refusals import ListTakenError

OFFICER, TODAY = Actor("officer", "127.0.0.1"), date(2026, 1, 5)
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


class TestChosenInTheOffice:
    """An officer says which list took an event, while neither list is published."""

    @pytest.fixture
    def pool(self, ledger_folder):
        return enter_folder("fide", ledger_folder("fide"), "test")

    @staticmethod
    def choose(pool, name):
        late_events.choose_list(pool, "Open", name, OFFICER, "registered late", TODAY)

    def test_the_event_moves_to_that_list_and_back(self, pool):
        coming = coming_list.find_coming_list(pool, TODAY)
        choice = late_events.list_choice(pool, "Open")
        assert (choice.taken_by, choice.own, choice.names[0], choice.names[-1]) == (
            "2025-11", "2025-11", "2025-11", "2026-11",
        )  # fmt: skip
        self.choose(pool, "2025-12")
        assert coming_list.events_of(pool, coming) == []
        assert [(row.event_id, name) for row, name in late_events.late_events(pool, coming)] == [
            ("Open", "2025-12")
        ]
        (event,) = read_book(pool).events[-1:]
        assert event.more == {"fide_list": "2025-12"}
        noted = JournalEntry.objects.get(act="choose-list").what
        assert (noted["event"], noted["lists"]) == ("Open", ["2025-11", "2025-12"])
        self.choose(pool, "2025-11")
        assert [found.row.event_id for found in coming_list.events_of(pool, coming)] == ["Open"]
        assert late_events.late_events(pool, coming) == []

    @pytest.mark.parametrize("name", ["2025-10", "2026-12", "", "x", "2025-11x"])
    def test_no_other_list(self, pool, name):
        with pytest.raises(ListTakenError):
            self.choose(pool, name)
        assert not JournalEntry.objects.filter(act="choose-list").exists()

    def test_not_once_it_is_published(self, pool):
        publish(pool, "2025-11", OFFICER, TODAY)
        assert late_events.list_choice(pool, "Open") is None
        with pytest.raises(ListTakenError):
            self.choose(pool, "2025-12")

    @pytest.mark.slow
    def test_on_its_page(self, pool):
        officer = client("officer", pool)
        where = "/office/fide/board/events/Open/list/"
        assert where in officer.get("/office/fide/board/").content.decode()
        assert "2026-11" in officer.get(where).content.decode()
        officer.post(where, {"listed": "2025-12", "why": "registered late"})
        assert ">2025-12</a>" in officer.get("/office/fide/board/").content.decode()
        assert late_events.list_choice(pool, "Open").taken_by == "2025-12"
        assert officer.get("/office/fide/board/events/none/list/").status_code == 404

    def test_only_where_the_book_has_such_lists(self, ledger_folder):
        japan = enter_folder("japan", ledger_folder("japan", "japan"), "test")
        assert not late_events.has_late_lists(japan)
        assert late_events.list_choice(japan, "E1") is None

    @pytest.mark.slow
    def test_once_it_is_published_by_a_correction(self, pool):
        """The form of a correction has the columns that the book adds; both lists are then as they should be."""
        publish(pool, "2025-12", OFFICER, TODAY)
        inquiry = corrections.open_inquiry(pool, TODAY, "An organiser", "registered late", OFFICER)
        row = standing_rows(pool, facts.Event).get(event_id="Open")
        officer = client("officer", pool)
        where = f"/office/fide/board/inquiries/{inquiry.pk}/"
        shown = officer.get(f"{where}change/events/{row.pk}/").context["form"]
        written = {name: shown[name].value() or "" for name in shown.fields}
        officer.post(f"{where}change/events/{row.pk}/", written | {"fide_list": "2025-12"})
        inquiry.refresh_from_db()
        assert inquiry.draft[1]["more"] == {"fide_list": "2025-12"}
        page = officer.get(where).content.decode()
        assert "fide_list" in page
        assert "2025-12" in page
        corrections.carry_out(inquiry, OFFICER, "registered late", TODAY)
        assert {(each.name, each.revision) for each in RatingList.objects.filter(revision=1)} == {
            ("2025-11", 1), ("2025-12", 1),
        }  # fmt: skip
        lists = {each.name: each.lines.filter(event_id="Open").exists() for each in current_lists(pool)}
        assert (lists["2025-11"], lists["2025-12"]) == (False, True)
        again = standing_rows(pool, facts.Event).get(event_id="Open")
        shown = officer.get(f"{where}change/events/{again.pk}/")
        assert shown.status_code == 404  # the inquiry is closed
