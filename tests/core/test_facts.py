"""Facts of a ledger: results, minutes of an event, memberships that cover a day."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, date, datetime

import pytest

from banzuke.core.batch import covers
from banzuke.core.facts import SCORES, Event, Game, Membership, Opening, Player
from banzuke.core.fault import Fault, RefusedError, fault
from banzuke.core.go_facts import GoGame, GoOpening, GoPlayer, GoState
from banzuke.core.rating import UNRATED, Rating, Standings

DAY = date(2025, 1, 11)


class TestWhatIsNotGiven:
    """A record of the required facts alone: texts blank, everything else None."""

    def test_chess(self):
        assert Player("A", "ADA") == ("A", "ADA", "", None, "", "", "", *[None] * 3, "", "", None, None, {})
        assert Membership("A", "event", DAY, DAY) == ("A", "event", DAY, DAY, "", None, None)
        assert Game("E", 1, "A", "B", "1-0") == ("E", 1, "A", "B", "1-0", None, "", None, None)
        assert Opening("A", 1500, 3) == ("A", 1500, 3, "", None, None, {})

    def test_events(self):
        event = asdict(Event("E", "Event", DAY, DAY, DAY))
        texts = {name for name, value in event.items() if value == ""}
        assert texts == {
            "organiser",
            "place",
            "responsible",
            "reporter",
            "form",
            "speed",
            "ruling",
            "name_native",
        }
        given = {name for name, value in event.items() if value not in ("", None, {})}
        assert given == {"event_id", "name", "starts", "ends", "reported"}

    def test_go(self):
        at = datetime(2025, 1, 11, 12, tzinfo=UTC)
        assert GoPlayer("A", "ADA", "5k") == ("A", "ADA", "5k", False)
        assert GoGame("G", at, "A", "B", "W", 0, 13, 19, 200)[9:] == ("", None, "", "")
        assert GoOpening("A", "5k", 20) == ("A", "5k", 20, None, None)
        assert GoState("beginner", "BC", None, None, 0, 0)[6:] == ((), ())


class TestScores:
    def test_half_points_of_white_and_black(self):
        assert SCORES["1-0"] == (2, 0)
        assert SCORES["1/2-1/2"] == (1, 1)
        assert SCORES["0-1"] == (0, 2)

    @pytest.mark.parametrize("result", ["+/-", "-/+", "-/-", "u1-0", "u1/2-1/2", "u0-1"])
    def test_not_played(self, result):
        assert SCORES[result] == (None, None)

    def test_there_is_no_other_result(self):
        assert len(SCORES) == 9


class TestMinutesFor60Moves:
    @pytest.mark.parametrize(
        ("base", "increment", "minutes"),
        [(45, 30, 75), (15, 30, 45), (0, 30, 30), (90, 0, 90), (None, 30, 30), (90, None, 90), (0, 0, 0)],
    )
    def test_base_and_a_minute_for_each_second(self, base, increment, minutes):
        event = Event("E", "E", DAY, DAY, DAY, base_minutes=base, increment_seconds=increment)
        assert event.minutes == minutes

    def test_none_where_nothing_is_known(self):
        assert Event("E", "E", DAY, DAY, DAY).minutes is None


class TestSpans:
    SPANS = ((date(2025, 1, 1), date(2025, 1, 31)), (date(2025, 3, 1), date(2025, 3, 1)))

    @pytest.mark.parametrize(
        ("day", "inside"),
        [
            (date(2024, 12, 31), False),
            (date(2025, 1, 1), True),
            (date(2025, 1, 31), True),
            (date(2025, 2, 1), False),
            (date(2025, 2, 28), False),
            (date(2025, 3, 1), True),
            (date(2025, 3, 2), False),
        ],
    )
    def test_both_ends_are_inside(self, day, inside):
        assert covers(self.SPANS, day) is inside

    def test_no_span_covers_nothing(self):
        assert covers((), DAY) is False


class TestStandings:
    def test_who_is_not_on_the_list_is_unrated(self):
        known = Rating(1500, 12, 1600, earned=True)
        standings = Standings({"standard": {"A": known}})
        assert standings.of("standard", "A") is known
        assert standings.of("standard", "B") is UNRATED
        assert standings.of("rapid", "A") is UNRATED
        assert UNRATED == (None, 0, None, False, {})


class TestFaults:
    def test_facts_become_text_in_their_order(self):
        made = fault("games.csv", 7, "black", "self-play", id="N1", first=3)
        assert made == Fault("games.csv", 7, "black", "self-play", (("id", "N1"), ("first", "3")))

    def test_a_refusal_carries_them_all(self):
        one = fault("games.csv", 7, "black", "self-play")
        refused = RefusedError([one, one])
        assert refused.faults == [one, one]
        assert str(refused) == "2 fault(s)"
