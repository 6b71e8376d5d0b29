"""Rows with the days of the inquiries that added and struck them: which stand, and which stand together."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from broken_ledgers import change, refused
from hypothesis import given
from hypothesis import strategies as st

from banzuke.core.facts import Game
from banzuke.ledger.folder import read_ledger
from banzuke.ledger.records import stand_together, standing_records

DAY = date(2025, 3, 1)
BEFORE, AFTER = DAY - timedelta(days=1), DAY + timedelta(days=1)


def row(added=None, struck=None):
    return Game("E", 1, "A", "B", "1-0", added=added, struck=struck)


class TestStanding:
    """For who knows the inquiries made before a day: those of the day itself are not known."""

    @pytest.mark.parametrize(
        ("added", "struck", "is_standing"),
        [
            pytest.param(None, None, True, id="as reported"),
            pytest.param(BEFORE, None, True, id="added before"),
            pytest.param(DAY, None, False, id="added on the day"),
            pytest.param(AFTER, None, False, id="added later"),
            pytest.param(None, BEFORE, False, id="struck before"),
            pytest.param(None, DAY, True, id="struck on the day"),
            pytest.param(None, AFTER, True, id="struck later"),
            pytest.param(BEFORE, DAY, True, id="added before, struck on the day"),
            pytest.param(BEFORE, BEFORE, False, id="added and struck at once"),
            pytest.param(DAY, DAY, False, id="added and struck on the day"),
        ],
    )
    def test_on_a_day(self, added, struck, is_standing):
        assert standing_records([row(added, struck)], DAY) == [row(added, struck)] * is_standing

    def test_standing_on_a_day(self):
        rows = [row(), row(struck=BEFORE), row(added=BEFORE), row(added=DAY)]
        assert standing_records(rows, DAY) == [rows[0], rows[2]]

    def test_standing_whenever(self):
        """Books that know no inquiries take what is not struck, whenever it was added."""
        rows = [row(), row(struck=BEFORE), row(struck=AFTER), row(added=AFTER)]
        assert standing_records(rows, None) == [rows[0], rows[3]]


class TestTogether:
    @pytest.mark.parametrize(
        ("one", "other", "is_together"),
        [
            pytest.param(row(), row(), True, id="both as reported"),
            pytest.param(row(), row(struck=DAY), True, id="until one was struck"),
            pytest.param(row(struck=DAY), row(added=DAY), False, id="one for the other"),
            pytest.param(row(struck=AFTER), row(added=DAY), True, id="a day of both"),
            pytest.param(row(struck=BEFORE), row(added=DAY), False, id="a day of neither"),
            pytest.param(row(DAY, DAY), row(), False, id="one that never stands"),
            pytest.param(row(BEFORE, AFTER), row(DAY), True, id="within"),
        ],
    )
    def test_by_day(self, one, other, is_together):
        assert stand_together(one, other, by_day=True) is is_together
        assert stand_together(other, one, by_day=True) is is_together

    @pytest.mark.parametrize(
        ("one", "other", "is_together"),
        [
            (row(), row(added=DAY), True),
            (row(struck=AFTER), row(added=DAY), False),
            (row(), row(struck=DAY), False),
        ],
    )
    def test_not_by_day(self, one, other, is_together):
        assert stand_together(one, other, by_day=False) is is_together

    @given(*[st.none() | st.dates(BEFORE - timedelta(days=2), AFTER + timedelta(days=2))] * 4)
    def test_by_day_is_a_day_on_which_both_stand(self, added, struck, other_added, other_struck):
        one, other = row(added, struck), row(other_added, other_struck)
        days = [BEFORE + timedelta(days=number) for number in range(-3, 7)]
        assert stand_together(one, other, by_day=True) is any(
            standing_records([one, other], day) == [one, other] for day in days
        )


def add(folder, file, text):
    path = folder / file
    path.write_text(path.read_text("utf-8") + text, "utf-8")


class TestInALedger:
    """Doubles and unknown ids are looked for among rows that stand together."""

    def test_a_player_changed(self, ledger_folder):
        folder = ledger_folder("japan")
        change(folder, "players.csv", "B,BABA Jiro,馬場 次郎,2010-01-02,,,", "B,BABA,,,,,2024-09-01")
        add(folder, "players.csv", "B,BABA Jiro,馬場 次郎,2010-01-02,,2024-09-01,\n")
        assert [player.name for player in read_ledger(folder).players[1:]] == [
            "BABA",
            "CHIBA Saburo",
            "BABA Jiro",
        ]

    def test_a_player_changed_a_day_too_early(self, ledger_folder):
        folder = ledger_folder("japan")
        change(folder, "players.csv", "B,BABA Jiro,馬場 次郎,2010-01-02,,,", "B,BABA,,,,,2024-09-01")
        add(folder, "players.csv", "B,BABA Jiro,馬場 次郎,2010-01-02,,2024-08-31,\n")
        (line,) = refused(folder)
        assert line.startswith("players.csv:5: player_id: 'B' has a row already, in line 3")

    def test_a_result_changed(self, ledger_folder):
        folder = ledger_folder("japan")
        change(folder, "games.csv", "C,A,1/2-1/2,,", "C,A,1/2-1/2,,2024-07-01")
        add(folder, "games.csv", "E1,2,2024-06-02,C,A,1-0,2024-07-01,\n")
        assert [game.result for game in read_ledger(folder).games["E1"]] == ["1-0", "1/2-1/2", "1-0"]

    def test_a_result_given_anew_and_not_struck(self, ledger_folder):
        folder = ledger_folder("japan")
        add(folder, "games.csv", "E1,2,2024-06-02,C,A,1-0,2024-07-01,\n")
        (line,) = refused(folder)
        assert line.startswith(
            "games.csv:5: white: 'C' has met the same opponent in round 2 already, in line 3"
        )

    def test_an_event_with_other_days(self, ledger_folder):
        """The games lie on the days of each row of the event that they stand beside."""
        folder = ledger_folder("japan")
        change(folder, "events.csv", "2024-06-10,1,,", "2024-06-10,1,,2024-07-01")
        add(
            folder, "events.csv", "E1,Open,C1,standard,90,30,2024-06-01,2024-06-01,2024-06-10,1,2024-07-01,\n"
        )
        (line,) = refused(folder)
        assert line.startswith("games.csv:3: played: 2024-06-02 is not a day of the event 'E1'")
        change(folder, "games.csv", "C,A,1/2-1/2,,", "C,A,1/2-1/2,,2024-07-01")
        assert len(read_ledger(folder).events) == 3

    def test_a_game_added_to_a_struck_event(self, ledger_folder):
        folder = ledger_folder("japan")
        change(folder, "events.csv", "2024-06-10,1,,", "2024-06-10,1,,2024-07-01")
        read_ledger(folder)
        add(folder, "games.csv", "E1,3,2024-06-02,B,C,1-0,2024-07-01,\n")
        (line,) = refused(folder)
        assert line.startswith("games.csv:5: event_id: No event has the id 'E1' while this row stands")

    def test_a_game_of_a_player_struck_before(self, ledger_folder):
        folder = ledger_folder("japan")
        change(folder, "players.csv", "千葉 三郎,,,,", "千葉 三郎,,,,2024-07-01")
        read_ledger(folder)
        add(folder, "games.csv", "E1,3,2024-06-02,B,C,1-0,2024-07-02,\n")
        (line,) = refused(folder)
        assert line.startswith("games.csv:5: black: No player has the id 'C' while this row stands")

    def test_a_membership_of_a_player_struck_before(self, ledger_folder):
        folder = ledger_folder("japan")
        change(folder, "players.csv", "千葉 三郎,,,,", "千葉 三郎,,,,2024-07-01")
        change(folder, "memberships.csv", "event_id\n", "event_id,added\n")
        change(folder, "memberships.csv", "2025-12-31,\n", "2025-12-31,,\n")
        change(folder, "memberships.csv", ",E1\n", ",E1,\nC,annual,2024-01-01,2024-12-31,,2024-08-01\n")
        (line,) = refused(folder)
        assert line.startswith("memberships.csv:4: player_id: No player has the id 'C' while this row stands")

    def test_a_row_that_never_stands_may_name_anybody(self, ledger_folder):
        folder = ledger_folder("japan")
        add(folder, "games.csv", "E9,1,,X,Y,1-0,2024-07-01,2024-07-01\n")
        assert len(read_ledger(folder).games["E9"]) == 1


class TestInAClubsLedger:
    """A book that knows no inquiries takes the rows that are not struck, whatever their days."""

    @pytest.fixture
    def folder(self, ledger_folder):
        folder = ledger_folder("hakodate")
        change(folder, "games.csv", "result\n", "result,added,struck\n")
        change(folder, "games.csv", "0-1\n", "0-1,,2024-06-01\n")
        return folder

    def test_struck_and_given_anew(self, folder):
        add(folder, "games.csv", "May,1,H1,H2,1-0,2024-05-20,\n")
        assert len(read_ledger(folder).games["May"]) == 2

    def test_given_anew_twice(self, folder):
        add(folder, "games.csv", "May,1,H1,H2,1-0,2024-05-20,\nMay,1,H2,H1,1-0,2024-07-20,\n")
        (line,) = refused(folder)
        assert line.startswith(
            "games.csv:4: white: 'H2' has met the same opponent in round 1 already, in line 3"
        )

    def test_an_event_with_other_days(self, folder):
        """Only the row that is not struck says when the event was."""
        change(folder, "events.csv", "reported\n", "reported,struck\n")
        change(folder, "events.csv", "2024-05-02,2024-05-02\n", "2024-05-02,2024-05-02,2024-06-01\n")
        add(folder, "events.csv", "May,May Meeting,2024-05-03,2024-05-04,2024-05-05,\n")
        change(folder, "games.csv", "added,struck\n", "added,struck,played\n")
        change(folder, "games.csv", ",2024-06-01\n", ",,2024-05-03\n")
        assert [event.ends.day for event in read_ledger(folder).events] == [2, 4]

    def test_a_struck_event_takes_its_games_along(self, folder):
        change(folder, "events.csv", "reported\n", "reported,struck\n")
        change(folder, "events.csv", "2024-05-02,2024-05-02\n", "2024-05-02,2024-05-02,2024-06-01\n")
        change(folder, "games.csv", ",2024-06-01\n", ",\n")
        assert len(read_ledger(folder).games["May"]) == 1
