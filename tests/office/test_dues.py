"""What clubs owe for a window, to the yen."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from fee_pool import EVENTS, event, fee_pool

from banzuke.database.ledger_folders import enter_folder
from banzuke.office.fees import dues

pytestmark = pytest.mark.django_db

JULY = "2024-07"


def owed(pool, name=JULY, clubs=None):
    return dues.club_dues(pool, dues.find_window(pool, name), clubs)


def amounts(pool, name=JULY):
    return {club.club_id: {e.row.event_id: (e.participants, e.charged, e.yen) for e in club.events}
            for club in owed(pool, name)}  # fmt: skip


def changed(**rulings):
    return [replace(e, **rulings.get(e.event_id.replace("-", "_"), {})) for e in EVENTS]


class TestOwed:
    def test_a_participant_and_event_meetings_once(self):
        assert amounts(fee_pool()) == {
            "C1": {"open": (4, 4, 800)},
            "C2": {"meet-1": (2, 2, 400), "meet-2": (2, 1, 200), "blitz": (0, 0, 0), "cup": (2, 2, 400)},
        }
        assert amounts(fee_pool("again"), "2024-08") == {"C1": {"next": (2, 2, 400)}}

    def test_the_sums(self):
        pool = fee_pool()
        assert [(club.club, club.yen) for club in owed(pool)] == [("Hinoki", 800), ("Kawabe", 1000)]
        assert [club.club_id for club in owed(pool, clubs=["C2"])] == ["C2"]
        assert owed(pool, clubs=["C3"]) == []

    def test_what_was_left_out_owes_nothing(self):
        pool = fee_pool(events=changed(open={"ruling": "exclude"}, meet_1={"ruling": "exclude"}))
        found = {e.row.event_id: (e.free, e.yen) for club in owed(pool) for e in club.events}
        assert found == {
            "open": ("excluded", 0),
            "meet-1": ("excluded", 0),
            "meet-2": ("", 400),  # who was at the excluded meeting is charged here
            "blitz": ("no-list", 0),
            "cup": ("", 400),
        }

    @pytest.mark.parametrize("ruling", ["waive-fee", "include"])
    def test_what_was_waived_owes_nothing(self, ruling):
        pool = fee_pool(events=changed(meet_1={"ruling": ruling}))
        found = {e.row.event_id: (e.free, e.participants, e.yen) for e in owed(pool)[1].events}
        assert (found["meet-1"], found["meet-2"]) == (("waived", 2, 0), ("", 2, 400))

    def test_what_came_too_late_owes_nothing_unless_it_is_accepted(self):
        late = date(2024, 6, 15)
        old = replace(event("open", "C1", 1, reported=late), starts=date(2024, 1, 10), ends=date(2024, 1, 10))
        [club] = owed(fee_pool(events=[old]))
        assert [(e.free, e.yen) for e in club.events] == [("nothing", 0)]
        [club] = owed(fee_pool("other", events=[replace(old, ruling="accept-late")]))
        assert [(e.free, e.yen) for e in club.events] == [("", 800)]

    def test_a_window_takes_the_reports_of_the_21st_to_the_20th(self):
        days = {
            "a": date(2024, 5, 20),
            "b": date(2024, 5, 21),
            "c": date(2024, 6, 20),
            "d": date(2024, 6, 21),
        }
        one = [
            replace(event(name, "C1", 1), reported=day, starts=day, ends=day) for name, day in days.items()
        ]
        pool = fee_pool(events=one)
        found = [
            [e.row.event_id for club in owed(pool, name) for e in club.events]
            for name in ("2024-06", JULY, "2024-08")
        ]
        assert found == [["a"], ["b", "c"], ["d"]]

    @pytest.mark.parametrize(
        ("paid", "is_unpaid"), [(None, True), (date(2024, 6, 30), False), (date(2024, 7, 1), True)]
    )
    def test_paid_by_the_months_end(self, paid, is_unpaid):
        pool = fee_pool(events=changed(open={"paid": paid}))
        assert owed(pool)[0].is_unpaid is is_unpaid
        assert dues.find_window(pool, JULY).pay_by == date(2024, 6, 30)

    def test_a_pool_that_does_not_require_fees(self):
        [hinoki, kawabe] = owed(fee_pool(fee_required=False))
        assert (hinoki.yen, kawabe.yen, hinoki.is_unpaid, kawabe.is_unpaid) == (800, 1000, False, False)


class TestWindows:
    def test_from_the_first_event_to_today(self):
        assert dues.window_names(fee_pool(), date(2024, 8, 20)) == ["2024-09", "2024-08", "2024-07"]
        assert dues.window_names(fee_pool("other"), date(2024, 8, 21))[0] == "2024-10"

    def test_only_of_rules_that_know_fees(self, ledger_folder):
        pools = [enter_folder(kind, ledger_folder(kind, kind), "test") for kind in ("hakodate", "fide", "go")]
        assert [dues.window_names(pool, date(2025, 3, 1)) for pool in pools] == [[], [], []]
        japan = enter_folder("japan", ledger_folder("japan"), "test")
        assert dues.window_names(japan, date(2025, 1, 1))[0] == "2024-10"
        assert dues.find_window(japan, "2024-10") is not None
        assert dues.find_window(japan, "2024-11") is None

    def test_of_a_name_that_is_none(self):
        with pytest.raises(ValueError, match="soon"):
            dues.find_window(fee_pool(), "soon")
